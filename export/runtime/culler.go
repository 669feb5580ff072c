package runtime

import (
	"image"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// DefaultMaxError is the error in pixels that is allowed unless a Culler says
// otherwise.
const DefaultMaxError = 1.0

// jitter is by how much a GPU moves what it draws, in pixels.
const jitter = 1.0 / 64

// View is what a picture is taken with.
type View struct {
	Eye      geom.Vec3
	ViewProj mgl64.Mat4 // from p − Eye to OpenGL clip space
	Size     image.Point
}

// Culler decides what a camera draws, and how finely. It belongs to one goroutine; what
// Run gives is valid until its next Run, which allocates nothing once it is warm.
type Culler struct {
	// Off are the tests that are switched off.
	Off cull.Tests
	// MaxError is how far off coarser levels of detail may be drawn, in pixels; 0 is
	// DefaultMaxError.
	MaxError float64
	// Triangles is how many triangles may be drawn; 0 is any number. Where they do not
	// suffice, the error that is allowed is raised until they do, or all is drawn as
	// coarsely as it can be.
	Triangles int

	level  *Level
	culler cull.Culler
	frame  Frame
	raised float64  // the error that the last frame needed
	marks  []uint32 // of pieces that are listed, by frame
	stamp  uint32
}

// Frame is the outcome of a Run.
type Frame struct {
	*cull.Report
	Draws     []Draw
	Triangles int     // of Draws
	MaxError  float64 // pixels
}

// Draw is a mesh to draw.
type Draw struct {
	Mesh           int
	World          mgl64.Mat4 // to the level's frame; mirrored if its determinant is negative
	Node, Instance int32      // Instance is −1 where the node has none
	LOD            int        // 0 is the full mesh
}

// Culler makes a culler for one camera.
func (l *Level) Culler() *Culler { return &Culler{level: l} }

// Clock has the times of tests measured by a clock; nil is the machine's.
func (c *Culler) Clock(now func() time.Duration) { c.culler.Clock = now }

// Run decides what is drawn in a view.
func (c *Culler) Run(v View) *Frame {
	least := c.MaxError
	if least <= 0 {
		least = DefaultMaxError
	}
	e := least
	if c.Triangles > 0 {
		e = max(least, 0.8*c.raised) // finer by and by
	}
	for range 24 {
		c.cull(v, e)
		if c.Triangles <= 0 || c.frame.Triangles <= c.Triangles {
			break
		}
		before := e
		if e = c.raise(v, e); e == before {
			break // all is as coarse as can be
		}
	}
	c.raised = e
	return &c.frame
}

// cull makes a frame with an error.
func (c *Culler) cull(v View, e float64) {
	view := cull.ViewOf(v.Eye, v.ViewProj)
	view.Slack = view.PixelSlack(e+jitter, v.Size.Y)
	c.frame.Report = c.culler.Run(c.level.scene.Load(), view, v.Size, cull.All&^c.Off)
	c.frame.MaxError = e
	c.choose(v, e, true)
}

// raise finds an error with which what the last frame drew has few enough triangles. The
// same error comes back if none is larger.
func (c *Culler) raise(v View, e float64) float64 {
	most := c.choose(v, math.MaxFloat64, false)
	if most == c.frame.Triangles {
		return e
	}
	for range 64 {
		e *= 1.25
		if n := c.choose(v, e, false); n <= c.Triangles || n == most {
			break
		}
	}
	return e
}

// choose picks the levels of detail of what is drawn and counts triangles. With list
// they become the frame's.
func (c *Culler) choose(v View, e float64, list bool) (triangles int) {
	l := c.level
	if len(c.marks) != len(l.pieces) {
		c.marks, c.stamp = make([]uint32, len(l.pieces)), 0
	}
	if c.stamp++; c.stamp == 0 {
		clear(c.marks)
		c.stamp = 1
	}
	view := cull.ViewOf(v.Eye, v.ViewProj)
	k := chooser{v.Eye, view.Ortho, view.PixelSlack(e, v.Size.Y)}
	if math.IsInf(view.PixelSlack(1, v.Size.Y), 1) {
		k.slack = 0 // nothing is known of the picture
	}
	if list {
		c.frame.Draws = c.frame.Draws[:0]
	}
	add := func(i int32) {
		if c.marks[i] == c.stamp {
			return
		}
		c.marks[i] = c.stamp
		p := &l.pieces[i]
		n := &l.Nodes[p.node]
		d := Draw{Mesh: n.Mesh, Node: p.node, Instance: p.instance, LOD: k.lod(p, l.Meshes[n.Mesh].LODs)}
		if d.LOD > 0 {
			d.Mesh = l.Meshes[n.Mesh].LODs[d.LOD-1].Mesh
		}
		triangles += l.Meshes[d.Mesh].Triangles
		if list {
			d.World = l.world(p)
			c.frame.Draws = append(c.frame.Draws, d)
		}
	}
	for _, entry := range c.frame.Drawn {
		for _, i := range l.shows[entry] {
			add(i)
		}
	}
	f := view.Frustum()
	for _, i := range l.loose {
		if f.Box(l.pieces[i].box) != geom.Outside {
			add(i)
		}
	}
	if list {
		c.frame.Triangles = triangles
	}
	return triangles
}

// chooser picks levels of detail for a view.
type chooser struct {
	eye   geom.Vec3
	ortho bool
	slack float64 // metres a metre of distance; metres in an orthographic view
}

// lod is the coarsest level that may be drawn of a piece; 0 is the full mesh.
func (k *chooser) lod(p *piece, lods []LOD) (level int) {
	allowed := k.slack
	if !k.ortho {
		allowed *= p.box.DistanceTo(k.eye)
	}
	for i := range lods {
		if lods[i].Error*p.stretch <= allowed {
			level = i + 1
		}
	}
	return level
}

// Explain tells why an entry has its verdict in the last Run.
func (c *Culler) Explain(entry int) cull.Reason { return c.culler.Explain(int32(entry)) }

// Pace sets Triangles so that frames take about as long as they should, by how long the
// last one took to draw. Call it once a frame.
func (c *Culler) Pace(took, want time.Duration) {
	if took <= 0 || want <= 0 {
		return
	}
	share := min(max(float64(want)/float64(took), 0.5), 1.1)
	c.Triangles = max(1, int(share*float64(max(c.frame.Triangles, 1000))))
}
