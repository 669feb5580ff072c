package editor

import (
	"image"
	"image/color"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	stage "ridgeline/document/scene"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/host"
	"ridgeline/viewport/overlay"
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
	library  int
	stands   int // version of the scene
	ring     tool.Preview
	ringOn   bool

	visible   stage.Visible
	instances []render.Instance
	subsets   []render.Subset
	models    []*mesh.Model
	shapes    overlay.Shapes
	rings     [1]render.Ring
	ghosts    ghosts
	heat      heat
	truth     truth

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
	_, _, wanted := c.s.WantedThumbnail()
	return view || c.level != c.s.Level() || c.textures != c.s.TextureCount() || c.library != c.s.LibraryCount() ||
		c.stands != c.s.Scene().Version() || wanted || c.s.Culling.CheckDue() || ring != c.ring || on != c.ringOn
}

// Draw implements host.Scene.
func (c *scene) Draw(t host.Target) error {
	level := c.s.Level()
	stands := c.s.Scene()
	if c.level != level || c.textures != c.s.TextureCount() || c.library != c.s.LibraryCount() || c.stands != stands.Version() {
		c.textures, c.library, c.stands = c.s.TextureCount(), c.s.LibraryCount(), stands.Version()
		if err := c.r.Update(c.world(level)); err != nil {
			return err
		}
		c.level = level
	}
	c.ring, c.ringOn = c.s.Ring()
	c.sketch()
	v := viewOf(c.s, t.Size)
	if c.ringOn && c.ring.OK {
		c.rings[0] = render.Ring{X: c.ring.Center[0], Z: c.ring.Center[2], Radius: c.ring.Radius, Inner: c.ring.Inner, Colour: ringColour}
		v.Rings = c.rings[:]
	}
	c.stage(&v, t.Size)
	var err error
	c.stats, err = c.r.Draw(render.Target{Framebuffer: t.Framebuffer, Size: t.Size, Scale: t.Scale}, &v)
	if err == nil {
		c.check()
	}
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
	c.models = append(c.models[:0], stage.Placeholder().Model)
	for i := range l.Assets {
		if a, ok := c.s.Asset(l.Assets[i].Name); ok && a.Model != nil && !slices.Contains(c.models, a.Model.Model) {
			c.models = append(c.models, a.Model.Model)
		}
	}
	return render.World{Field: l.Terrain, Layers: layers, Sun: sunOf(l.Settings.Sun), Models: slices.Clone(c.models)}
}

// sketch draws one of the thumbnails that are missing.
func (c *scene) sketch() {
	m, keep, ok := c.s.WantedThumbnail()
	if !ok {
		return
	}
	p, err := c.r.Thumbnail(m, session.ThumbnailSize)
	if err != nil {
		c.s.Fail(err)
		p = image.NewNRGBA(image.Rect(0, 0, 1, 1)) // it would fail again
	}
	keep(p)
}

// stage fills a view with what stands in the level, as far as it may be seen, and
// with what the editor draws over it.
func (c *scene) stage(v *render.View, size image.Point) {
	f := geom.FrustumOf(v.Eye, v.ViewProj)
	s := c.s.Scene()
	report, culled := c.s.Culling.Run(cull.ViewOf(v.Eye, v.ViewProj), size)
	s.Show(&c.visible, report, culled)
	v.Chunks = c.visible.Chunks
	c.instances, c.subsets = c.instances[:0], c.subsets[:0]
	for range c.visible.Items { // pointers into it must stay
		c.subsets = append(c.subsets, render.Subset{})
	}
	items := s.Items()
	for i, slot := range c.visible.Items {
		it := &items[slot]
		in := render.Instance{Model: it.Model.Model, World: it.World, Billboard: it.Billboard, Outline: outlines[c.s.Highlight(it.ID)]}
		sub := c.visible.Subsets[i]
		if simpler := c.s.Simpler.Subset(it.Model.Model); simpler != nil {
			sub = simpler
		}
		if sub != nil {
			c.subsets[i] = render.Subset{Indices: sub.Indices, Parts: sub.Parts}
			in.Subset = &c.subsets[i]
		}
		c.instances = append(c.instances, in)
	}
	if g := c.ring.Ghost; c.ringOn && g.Asset != "" {
		model := stage.Placeholder()
		if a, ok := c.s.Asset(g.Asset); ok && a.Model != nil {
			model = a.Model
		}
		c.instances = append(c.instances, render.Instance{Model: model.Model, World: g.World, Tint: ghostTint})
	}
	v.Instances = c.instances
	c.ghosts.fill(c.s, &f)
	v.Ghosts, v.GhostChunks, v.HeatMap = c.ghosts.things, c.ghosts.chunks, c.heat.of(c.s.Culling.HeatShown())
	c.shapes.Reset()
	c.s.AppendShapes(&c.shapes, &f)
	v.Shapes = &c.shapes
}

// outlines are those of the session's highlights.
var outlines = [...]render.Outline{session.Plain: render.NoOutline, session.Hovered: render.Hovered, session.Selected: render.Selected}

// ghostTint is laid over a thing that a click would place.
var ghostTint = color.NRGBA{R: 0xff, G: 0xc4, B: 0x4d, A: 0x60}

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
