package render

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain/lod"
	"ridgeline/viewport/overlay"
)

// Target is where Draw draws: a framebuffer object of this size whose colour
// attachment is sRGB, a renderbuffer or level 0 of a two-dimensional texture. Of
// the framebuffer only that is touched: Draw has a depth buffer of its own.
type Target struct {
	Framebuffer uint32
	Size        image.Point // pixels
	Scale       float32     // pixels per dp; not above 0 means 1
}

// View is a camera and what to show with it.
type View struct {
	Eye      mgl64.Vec3 // world, metres
	ViewProj mgl64.Mat4 // from p − Eye to clip space, perspective or orthographic

	// MaxError is how far, in pixels, the drawn ground may lie above or below the
	// full one; 0 draws all that is not exactly represented by less.
	MaxError float64

	Style    Style
	Overlays Overlays
	Sky      Sky
	Rings    []Ring

	// Instances are what is seen of the world's objects, in any order. A model that is
	// not one of the world's is uploaded now and kept until the next Update.
	Instances []Instance
	Accent    color.NRGBA // of outlines; zero is a light blue

	// Chunks of the ground may be drawn; nil is all of them.
	Chunks lod.Mask
	Shapes *overlay.Shapes // drawn over the level, but for labels; nil is none

	Ghosts      []Ghost
	GhostChunks []GhostChunk
	HeatMap     *HeatMap // nil is none
}

// Style is how surfaces look.
type Style uint8

// The styles.
const (
	Lit Style = iota
	styles
)

func (s Style) String() string {
	switch s {
	case Lit:
		return "lit"
	}
	return fmt.Sprintf("style %d", uint8(s))
}

// Overlays is a set of things drawn over the level.
type Overlays uint8

// The overlays.
const (
	Wire   Overlays = 1 << iota // the edges of the triangles that carry the ground
	Bounds                      // the boxes of the patches drawn
)

// Sky is what is seen where nothing else is, sRGB.
type Sky struct {
	Zenith, Horizon, Below color.NRGBA
	Flat                   bool // Zenith everywhere
}

// DaySky is a clear sky.
var DaySky = Sky{
	Zenith:  color.NRGBA{0x4f, 0x7d, 0xb5, 0xff},
	Horizon: color.NRGBA{0xc9, 0xd6, 0xdf, 0xff},
	Below:   color.NRGBA{0x8b, 0x97, 0xa0, 0xff},
}

// Ring is a brush's outline lying on the ground.
type Ring struct {
	X, Z   float64 // world, of the middle
	Radius float64 // metres
	Inner  float64 // radius of a second, fainter ring, as where a falloff begins; 0 for none
	Colour color.NRGBA
}

// Stats tell what a frame drew, and what has been uploaded since the last one.
type Stats struct {
	Patches       int
	Chunks        int // of 64×64 cells that may be drawn, of which at least a part was
	Triangles     int // of the ground's mesh, including those that joints flatten
	Draws         int
	UploadedBytes int                   // ground samples
	Levels        [lod.MaxLevel + 1]int // patches by level

	Instances         int // drawn, those with pictures in their place included
	InstanceDraws     int // of Draws, for objects
	InstanceTriangles int // of the instances' models, or the pictures in their place
	Billboards        int // instances with pictures in their place
}

// camera is what Draw derives from a View.
type camera struct {
	frustum geom.Frustum
	scale   float64 // see lod.View
	ortho   bool
	seems   float64 // distance at which a view of 60° has the scale of an orthographic one
}

// check tells why a view cannot be drawn.
func (v *View) check(t Target) (camera, error) {
	if t.Size.X < 1 || t.Size.Y < 1 {
		return camera{}, fmt.Errorf("a picture of %d×%d pixels has no pixels", t.Size.X, t.Size.Y)
	}
	for _, n := range v.ViewProj {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return camera{}, fmt.Errorf("the view's matrix holds %g, expected finite numbers", n)
		}
	}
	for _, n := range v.Eye {
		if !(math.Abs(n) <= maxEye) {
			return camera{}, fmt.Errorf("the eye is at %v, expected coordinates between %g and %g", v.Eye, -maxEye, maxEye)
		}
	}
	if !(v.MaxError >= 0) {
		return camera{}, fmt.Errorf("an error of %g pixels is out of range, expected 0 or more", v.MaxError)
	}
	if v.Style >= styles {
		return camera{}, fmt.Errorf("%v cannot be drawn", v.Style)
	}
	w := v.ViewProj.Row(3)
	c := camera{
		frustum: geom.FrustumOf(v.Eye, v.ViewProj),
		scale:   v.ViewProj.Row(1).Vec3().Len() * float64(t.Size.Y) / 2,
		ortho:   w.Vec3() == mgl64.Vec3{},
	}
	if c.ortho && w[3] != 0 {
		c.scale /= math.Abs(w[3])
	}
	if !(c.scale > 0) {
		return camera{}, fmt.Errorf("the view's matrix flattens the world, so nothing can be drawn")
	}
	c.seems = float64(t.Size.Y) / 2 / math.Tan(math.Pi/6) / c.scale
	return c, nil
}

// maxEye keeps cell numbers, counted from the eye, within an int32.
const maxEye = 1e12
