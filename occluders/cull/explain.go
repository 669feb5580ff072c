package cull

import (
	"slices"

	"ridgeline/occluders/geom"
)

// Reason tells why an entry was removed.
type Reason struct {
	Verdict Verdict
	// Plane is the side of the view that the entry lies beyond, as the frustum's planes
	// are numbered; −1 if no one side alone tells.
	Plane int
	// Ground is what hides it: a point of the ground in the world.
	Ground geom.Vec3
	// Occluders hide it together.
	Occluders []int32
	// Cells are those that it touches, and Portals the shut or one-way portals at which
	// the lines of sight to them end. Without any, none leads there, or all that do are
	// out of sight.
	Cells, Portals []int32
}

// Explain tells why an entry has its verdict in the last run. It looks at it once
// more and takes its time.
func (c *Culler) Explain(entry int32) Reason {
	r := Reason{Verdict: Absent, Plane: -1}
	if entry < 0 || int(entry) >= len(c.report.Verdicts) {
		return r
	}
	r.Verdict = c.report.Verdicts[entry]
	box := c.scene.Tree.Box(int(entry))
	switch r.Verdict {
	case ByFrustum:
		r.Plane = beyond(&c.frustum, box)
	case ByPortal:
		r.Cells = slices.Clone(c.scene.Cells.Of(entry))
		for _, cell := range r.Cells {
			r.Portals = c.tracer.AppendClosed(r.Portals, int(cell))
		}
		slices.Sort(r.Portals)
		r.Portals = slices.Compact(r.Portals)
	case ByTerrain:
		r.Ground, _ = c.horizon.Where(box)
	case ByOccluder:
		r.Occluders = c.buffer.AppendHiders(nil, box)
	}
	return r
}

// beyond finds a plane behind which all of a box lies.
func beyond(f *geom.Frustum, b geom.Box) int {
	for i, p := range f.Planes {
		out := true
		for k := range 8 {
			out = out && p.Distance(b.Corner(k)) < 0
		}
		if out {
			return i
		}
	}
	return -1
}

// Hides counts, for each occluder of the scene, the entries that it hid in the last
// run, alone or together with others. dst is used again. It looks at each hidden entry
// once more, which takes its time.
func (c *Culler) Hides(dst []int) []int {
	dst = slices.Grow(dst[:0], len(c.scene.Occluders))[:len(c.scene.Occluders)]
	clear(dst)
	if !c.stages.Has(Occluder) {
		return dst
	}
	for e, v := range c.report.Verdicts {
		if v != ByOccluder {
			continue
		}
		c.hiders = c.buffer.AppendHiders(c.hiders[:0], c.scene.Tree.Box(e))
		for _, o := range c.hiders {
			dst[o]++
		}
	}
	return dst
}
