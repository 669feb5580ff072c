package editor

import (
	"image"
	"image/color"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/viewport/host"
	"ridgeline/viewport/render"
)

// scene draws the session's level. It implements host.Scene.
type scene struct {
	s *session.Session
	r *render.Renderer

	// What the last picture showed.
	level    *document.Level
	revision int
	textures int
	ring     tool.Preview
	ringOn   bool

	stats render.Stats // of the last picture
}

// Init implements host.Scene.
func (c *scene) Init() error {
	r, err := render.New()
	if err != nil {
		return err
	}
	c.r, c.level = r, nil
	return nil
}

// Release implements host.Scene.
func (c *scene) Release() {
	if c.r != nil {
		c.r.Release()
		c.r = nil
	}
}

// Dirty implements host.Scene.
func (c *scene) Dirty() bool {
	ring, on := c.s.Ring()
	view := c.s.View.TakeDirty()
	return view || c.level != c.s.Level() || c.textures != c.s.TextureCount() || ring != c.ring || on != c.ringOn
}

// Draw implements host.Scene.
func (c *scene) Draw(t host.Target) error {
	level := c.s.Level()
	if c.level != level || c.textures != c.s.TextureCount() {
		c.textures = c.s.TextureCount()
		if err := c.r.Update(c.world(level)); err != nil {
			return err
		}
		c.level = level
	}
	c.ring, c.ringOn = c.s.Ring()
	v := viewOf(c.s, t.Size)
	if c.ringOn {
		v.Rings = append(v.Rings, render.Ring{
			X: c.ring.Center[0], Z: c.ring.Center[2], Radius: c.ring.Radius, Inner: c.ring.Inner, Colour: ringColour,
		})
	}
	var err error
	c.stats, err = c.r.Draw(render.Target{Framebuffer: t.Framebuffer, Size: t.Size, Scale: t.Scale}, &v)
	return err
}

// ringColour is that of the brush's outline.
var ringColour = color.NRGBA{R: 0xff, G: 0xc4, B: 0x4d, A: 0xff}

// viewOf is the camera and overlays of a session, for a picture of the given size:
// the camera itself learns of a new size only with the next frame.
func viewOf(s *session.Session, size image.Point) render.View {
	cam := s.View.Rig.Camera
	v := render.View{
		Eye: cam.Eye, ViewProj: cam.ViewProj(mgl64.Vec2{float64(size.X), float64(size.Y)}), MaxError: s.Settings.View.MaxError, Sky: render.DaySky,
	}
	if s.Shown("overlay wire") {
		v.Overlays |= render.Wire
	}
	if s.Shown("overlay bounds") {
		v.Overlays |= render.Bounds
	}
	return v
}

// world is what there is to draw of a level.
func (c *scene) world(l *document.Level) render.World {
	layers := make([]render.LayerTexture, len(l.Layers))
	for i, layer := range l.Layers {
		layers[i] = render.LayerTexture{Pixels: c.s.Texture(layer), Scale: layer.UVScale}
	}
	return render.World{Field: l.Terrain, Layers: layers, Sun: sunOf(l.Settings.Sun)}
}

// sunOf is the level's sun as the renderer takes it.
func sunOf(s document.Sun) render.Sun {
	light := s.Color.Mul(s.Intensity)
	a := float32(s.Ambient)
	return render.Sun{
		Direction: s.Direction(),
		Light:     mgl32.Vec3{float32(light[0]), float32(light[1]), float32(light[2])},
		Ambient:   mgl32.Vec3{a, a, a},
		Baked:     s.Baked,
	}
}
