package cull

import (
	"image"
	"slices"
	"time"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
	"ridgeline/occluders/scanline"
)

// Stat is what a test did in a run.
type Stat struct {
	Tried   int // entries
	Removed int
	Time    time.Duration
}

// Report is the outcome of a run.
type Report struct {
	Verdicts []Verdict // of each entry
	Drawn    []int32   // the entries to draw, in no order
	Stats    [NumTests]Stat
	Entries  int // that are not absent
}

// Count is the number of entries with a verdict.
func (r *Report) Count(v Verdict) int {
	switch t, removed := v.Test(); {
	case removed:
		return r.Stats[t].Removed
	case v == Drawn:
		return len(r.Drawn)
	}
	return len(r.Verdicts) - r.Entries
}

// Culler runs the tests. The zero value is ready. It is not safe for concurrent
// use; what it reports is valid until its next run.
type Culler struct {
	// Clock tells the time for Stat.Time; nil is the time of the machine.
	Clock func() time.Duration

	report  Report
	scene   *Scene
	view    View
	frustum geom.Frustum
	tests   Tests

	left   []int32 // entries that no test has removed yet
	boxes  []geom.Box
	hidden []bool
	hiders []int32

	tracer  portal.Tracer
	horizon HorizonTest
	buffer  scanline.Buffer
	stages  Tests // of which the state belongs to this run
}

// start is what the machine's time is measured from.
var start = time.Now()

func (c *Culler) now() time.Duration {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Since(start)
}

// Run makes the tests of a set for a view whose picture has size pixels.
func (c *Culler) Run(s *Scene, v View, size image.Point, tests Tests) *Report {
	c.scene, c.view, c.tests, c.stages = s, v, tests, 0
	c.frustum = v.Frustum()
	r := &c.report
	r.Stats = [NumTests]Stat{}
	c.begin()
	c.stage(Frustum, c.byFrustum)
	c.stage(Backface, c.byBackface)
	c.stage(Portal, c.byPortal)
	c.stage(Terrain, c.byTerrain)
	c.stage(Occluder, func() { c.byOccluder(size) })
	r.Drawn = append(r.Drawn[:0], c.left...)
	for _, e := range r.Drawn {
		r.Verdicts[e] = Drawn
	}
	return r
}

// begin lists all entries.
func (c *Culler) begin() {
	n := c.scene.Tree.Len()
	r := &c.report
	r.Verdicts = slices.Grow(r.Verdicts[:0], n)[:n]
	c.left = slices.Grow(c.left[:0], n)
	for e := range n {
		if c.scene.Tree.Box(e).IsEmpty() {
			r.Verdicts[e] = Absent
			continue
		}
		r.Verdicts[e] = Drawn
		c.left = append(c.left, int32(e))
	}
	r.Entries = len(c.left)
}

// stage runs a test, if it is switched on, and counts what it leaves.
func (c *Culler) stage(t Test, run func()) {
	if !c.tests.Has(t) {
		return
	}
	before, began := len(c.left), c.now()
	run()
	c.report.Stats[t] = Stat{Tried: before, Removed: before - len(c.left), Time: c.now() - began}
	c.stages = c.stages.With(t, true)
}

// keep leaves those entries for which visible is true; the others get a verdict.
func (c *Culler) keep(verdict Verdict, visible func(entry int32, box geom.Box) bool) {
	tree, out := c.scene.Tree, c.left[:0]
	for _, e := range c.left {
		if visible(e, tree.Box(int(e))) {
			out = append(out, e)
		} else {
			c.report.Verdicts[e] = verdict
		}
	}
	c.left = out
}

func (c *Culler) byFrustum() {
	v := c.report.Verdicts
	for _, e := range c.left {
		v[e] = ByFrustum
	}
	c.left = c.scene.Tree.AppendVisible(c.left[:0], &c.frustum)
}

func (c *Culler) byBackface() {
	slopes := c.scene.Slopes
	// Orthographic pictures show both sides of the ground.
	if len(slopes) == 0 || c.view.Ortho || c.scene.Above == nil || !c.scene.Above(c.view.Eye) {
		return
	}
	c.keep(ByBackface, func(e int32, b geom.Box) bool {
		return int(e) >= len(slopes) || slopes[e].Reach <= 0 || !slopes[e].Away(c.view.Eye, b, c.view.Slack) ||
			c.scene.opens(c.view.Eye, b, c.view.Slack)
	})
}

func (c *Culler) byPortal() {
	g := c.scene.Portals
	if g == nil {
		return
	}
	v := portal.View{Eye: c.view.Eye, Frustum: c.frustum, Near: c.view.Near, Ortho: c.view.Ortho}
	c.tracer.Trace(g, &v)
	c.keep(ByPortal, func(e int32, b geom.Box) bool { return c.tracer.Sees(c.scene.Cells.Of(e), b) })
}

func (c *Culler) byTerrain() {
	if c.scene.Horizon == nil {
		return
	}
	c.horizon = c.scene.Horizon.Begin(&c.view, c.horizon)
	c.keep(ByTerrain, func(_ int32, b geom.Box) bool { return !c.horizon.Hidden(b) })
}

// Windows appends the windows through which the last run saw cells; none without
// portals. They are valid until the next run.
func (c *Culler) Windows(dst []portal.Window) []portal.Window {
	if !c.stages.Has(Portal) || c.scene.Portals == nil {
		return dst
	}
	return c.tracer.AppendFound(dst)
}

// Depth is how many portals away a cell is in the last run; ok is false when no
// line of sight reaches it.
func (c *Culler) Depth(cell int) (depth int, ok bool) {
	if !c.stages.Has(Portal) || c.scene.Portals == nil {
		return 0, false
	}
	return c.tracer.Depth(cell)
}

func (c *Culler) byOccluder(size image.Point) {
	if len(c.scene.Occluders) == 0 || len(c.left) == 0 {
		return
	}
	c.fill(&c.buffer, size)
	tree := c.scene.Tree
	c.boxes = c.boxes[:0]
	for _, e := range c.left {
		c.boxes = append(c.boxes, loose(tree.Box(int(e))))
	}
	c.hidden = c.buffer.AppendHidden(c.hidden[:0], c.boxes)
	out := c.left[:0]
	for i, e := range c.left {
		if c.hidden[i] && !c.scene.Exempt.Has(e) {
			c.report.Verdicts[e] = ByOccluder
		} else {
			out = append(out, e)
		}
	}
	c.left = out
}

// loose is a box grown by what vertices may stick out of it by rounding: meshes are
// float32. An occluder that is drawn along the faces of a thing would hide it else.
func loose(b geom.Box) geom.Box {
	s := b.Size()
	d := 1e-6 * max(s[0], s[1], s[2])
	for i := range 3 {
		e := d + 1e-12*max(-b.Min[i], b.Max[i])
		b.Min[i], b.Max[i] = b.Min[i]-e, b.Max[i]+e
	}
	return b
}

// fill builds the buffer of the occluders for the view.
func (c *Culler) fill(b *scanline.Buffer, size image.Point) {
	b.Fine = true
	b.Begin(c.view.Eye, c.view.ViewProj, size, c.view.Near)
	rect := nearRectOf(&c.view, &c.frustum)
	for i := range c.scene.Occluders {
		o := &c.scene.Occluders[i]
		if rect.opens(o) {
			continue
		}
		if o.Hull != nil {
			b.Add(int32(i), o.Hull)
		} else if len(o.Polygon) > 0 {
			b.AddPolygon(int32(i), o.Polygon, o.Hole)
		}
	}
	b.End()
}
