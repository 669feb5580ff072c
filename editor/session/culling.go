package session

import (
	"fmt"
	"image"
	"strconv"

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
		// A GPU moves what it draws by parts of a pixel, too.
		v.Slack = v.PixelSlack(c.s.Settings.View.MaxError+1.0/64, size.Y)
		c.view, c.size, c.frustum = v, size, v.Frustum()
	}
	c.report = c.s.scene.Cull(&c.culler, c.view, c.size, c.Tests())
	return c.report, &c.frustum
}

// Report is what came of the last run; nil before the first.
func (c *Culling) Report() *cull.Report { return c.report }

// Explain tells why an entry of the scene's tree has its verdict.
func (c *Culling) Explain(entry int32) cull.Reason { return c.culler.Explain(entry) }

// Judge compares the last run with what can be seen.
func (c *Culling) Judge(seen func(entry int32) bool) cull.Judgement { return c.culler.Judge(seen) }

// NameOf gives what is shown of an entry of the scene's tree: its id, with # and a
// number for a point of a scatter, or tile:x,y; and its name.
func (c *Culling) NameOf(entry int32) (id, name string) {
	chunk, slot, isChunk := c.s.scene.Entry(entry)
	if isChunk {
		id = fmt.Sprintf("tile:%d,%d", chunk.X, chunk.Y)
		return id, "Ground " + id[len("tile:"):]
	}
	it := &c.s.scene.Items()[slot]
	id = strconv.FormatUint(uint64(it.ID), 10)
	if it.Point >= 0 {
		id += "#" + strconv.Itoa(it.Point)
	}
	if e, ok := c.s.Level().Entity(it.ID); ok {
		name = e.Name
	}
	return id, name
}
