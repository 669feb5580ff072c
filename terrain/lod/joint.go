package lod

import (
	"image"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// joints remembers, for a chunk that is drawn at one level l, the errors along its
// sides when a side is snapped to level e > l. They are measured when they are
// first asked for, as a view needs few of them.
type joints [4][MaxLevel * (MaxLevel + 1) / 2]float32

// unknown marks an error that was not measured yet.
const unknown = -1

func (j *joints) forget() {
	for side := range j {
		for i := range j[side] {
			j[side][i] = unknown
		}
	}
}

// pair is the number of the pair l < e.
func pair(l, e uint8) int { return int(e)*(int(e)-1)/2 + int(l) }

// bearable is the coarsest level up to most that the side of the closed chunk i may be
// snapped to; its own always is.
func (s *Snapped) bearable(i, side int, most uint8) uint8 {
	l := s.levels[i]
	x, y := i%s.cols, i/s.cols
	allowed := s.last.allowed(strip(s.box(x, y), side, s.width(l)).DistanceTo(s.last.Eye))
	for e := most; e > l; e-- {
		known := &s.joints[i][side][pair(l, e)]
		if s.bears(s.field.ChunkRect(x, y), terrain.TileSize, side, l, e, s.nodes[0][i][e-1], known, allowed) {
			return e
		}
	}
	return l
}

// bears tells whether a side of some cells at level l may be snapped to level e, when
// their error at that level is bound and so much is allowed along the side. full is
// how long the sides are that the rim does not cut: others get twice the bound.
func (s *Snapped) bears(cells image.Rectangle, full, side int, l, e uint8, bound float32, known *float32, allowed float32) bool {
	// Both the moved vertices' surface and the full one lie within the error of the
	// coarse surface, so twice that is a bound that needs no measuring.
	if 2*bound <= allowed {
		return true
	}
	if *known == unknown {
		if cells.Dx() < full || cells.Dy() < full {
			*known = 2 * bound
		} else {
			*known = s.meter.joint(s.field, cells, side, int(l), int(e))
		}
	}
	return *known <= allowed
}

// width is that of a quad at level l, in metres.
func (s *Snapped) width(l uint8) float64 { return float64(int(1)<<l) * s.field.Spacing() }

// strip is the part of a box that lies along a side, w metres wide.
func strip(b geom.Box, side int, w float64) geom.Box {
	switch side {
	case Left:
		b.Max[0] = min(b.Max[0], b.Min[0]+w)
	case Top:
		b.Max[2] = min(b.Max[2], b.Min[2]+w)
	case Right:
		b.Min[0] = max(b.Min[0], b.Max[0]-w)
	case Bottom:
		b.Min[2] = max(b.Min[2], b.Max[2]-w)
	}
	return b
}

// joint gives the greatest distance, at the samples, between the full surface and the
// quads along a side of a square of cells that is drawn at level l and snapped to
// level e there.
func (m *meter) joint(f *terrain.Field, cells image.Rectangle, side, l, e int) float32 {
	m.load(f, cells, side, 2<<l)
	far := side == Right || side == Bottom
	step, last := 1<<l, m.last
	snap := func(k int) int { return Snap(k, l, e, last) }
	for k := range last >> l {
		o0, o1 := image.Pt(snap(k), 0), image.Pt(snap(k+1), 0)
		i0, i1 := image.Pt(k<<l, step), image.Pt((k+1)<<l, step)
		// The diagonal b–c joins the outer vertex of the greater u with the inner one
		// of the lesser u on the near sides, and the other two on the far sides.
		if far {
			m.triangle(o0, o1, i1)
			m.triangle(o0, i0, i1)
		} else {
			m.triangle(o0, o1, i0)
			m.triangle(o1, i0, i1)
		}
	}
	if far && e == l+1 {
		// The lower right corner has other triangles when its other edge is snapped
		// as well.
		corner, before := image.Pt(last, 0), image.Pt(last-2*step, 0)
		m.triangle(image.Pt(last-step, step), corner, before)
		m.triangle(image.Pt(last, 2*step), corner, before)
	}
	return m.worst
}
