package lod

import (
	"image"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// joints remembers, for a chunk, the errors along its sides when it is drawn at
// level l and a side is snapped to level e > l. They are measured when they are
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

// of gives the place of the pair l < e.
func (j *joints) of(side int, l, e uint8) *float32 {
	return &j[side][int(e)*(int(e)-1)/2+int(l)]
}

// bearable is the coarsest level up to most that the side of chunk i, drawn at
// level l, may be snapped to; l always is.
func (s *Snapped) bearable(i, side int, l, most uint8) uint8 {
	allowed := s.last.allowed(s.strip(i, side, l).DistanceTo(s.last.Eye))
	for e := most; e > l; e-- {
		// Both the moved vertices' surface and the full one lie within the error of
		// the coarse surface, so twice that is a bound that needs no measuring.
		if 2*s.nodes[0][i][e-1] <= allowed {
			return e
		}
		known := s.joints[i].of(side, l, e)
		if *known == unknown {
			*known = s.measure(i, side, l, e)
		}
		if *known <= allowed {
			return e
		}
	}
	return l
}

// strip is the box of the quads along a side of chunk i at level l.
func (s *Snapped) strip(i, side int, l uint8) geom.Box {
	b := s.box(i%s.cols, i/s.cols)
	w := float64(int(1)<<l) * s.field.Spacing()
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

// measure gives the greatest distance, at the samples, between the full surface
// and the quads along a side of chunk i that is drawn at level l and snapped to
// level e there. A chunk that the field's rim cuts off gets the bound instead.
func (s *Snapped) measure(i, side int, l, e uint8) float32 {
	cells := s.field.ChunkRect(i%s.cols, i/s.cols)
	if cells.Dx() < terrain.TileSize || cells.Dy() < terrain.TileSize {
		return 2 * s.nodes[0][i][e-1]
	}
	m := &s.meter
	m.load(s.field, cells, side, 2<<l)
	far := side == Right || side == Bottom
	step, last := 1<<l, terrain.TileSize
	snap := func(k int) int { return Snap(k, int(l), int(e), last) }
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
