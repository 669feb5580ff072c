package session

import (
	"image"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// Culling decides what of the level is drawn, and keeps what is known of why.
type Culling struct {
	s      *Session
	culler cull.Culler
	report *cull.Report

	// view is the one that was culled for last, and frustum what it sees.
	view    cull.View
	size    image.Point
	frustum geom.Frustum
	frozen  bool
}

// Tests are those that are switched on.
func (c *Culling) Tests() cull.Tests { return cull.All &^ c.s.Env.View.Off }

// Frozen reports whether the culling camera stands still while the user flies on.
func (c *Culling) Frozen() bool { return c.frozen }

// Freeze has the culling camera stand still where the view is, or follow it again.
func (c *Culling) Freeze(on bool) {
	if c.frozen = on && c.report != nil; c.frozen != on {
		c.s.Warn("Nothing has been drawn yet that could be frozen.")
	}
	c.s.View.touch()
	c.s.invalidate()
}

// Run culls for a view whose picture has size pixels, or for the frozen one, and
// gives what came of it with the frustum that it is of. Both are valid until the next
// run.
func (c *Culling) Run(v cull.View, size image.Point) (*cull.Report, *geom.Frustum) {
	if !c.frozen {
		v.Slack = v.PixelSlack(c.s.Settings.View.MaxError, size.Y)
		c.view, c.size, c.frustum = v, size, v.Frustum()
	}
	c.report = c.s.scene.Cull(&c.culler, c.view, c.size, c.Tests())
	return c.report, &c.frustum
}
