package mesh

import (
	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// Placeholder is what is shown for a model that is missing: the edges of a box of
// one metre that stands on the ground, in a colour that nothing else has. Each call
// gives a new one.
func Placeholder() *Model {
	const bar = 0.04
	m := &Model{
		Name: "missing",
		Materials: []Material{{
			Name: "missing", BaseColor: [4]float32{1, 0, 0.6, 1},
			Image: -1, UV: mgl32.Ident3(), Cutoff: 0.5, Unlit: true,
		}},
		Nodes:  []Node{{Name: "missing", Parent: -1}},
		Bounds: geom.EmptyBox(),
	}
	lo, hi := mgl32.Vec3{-0.5, 0, -0.5}, mgl32.Vec3{0.5, 1, 0.5}
	for axis := range 3 {
		b, c := (axis+1)%3, (axis+2)%3
		for corner := range 4 {
			min, max := lo, hi
			for i, other := range [2]int{b, c} {
				if corner>>i&1 == 0 {
					max[other] = lo[other] + bar
				} else {
					min[other] = hi[other] - bar
				}
			}
			m.addBox(min, max)
		}
	}
	for _, p := range m.Positions {
		m.Bounds = m.Bounds.Add(vec64(p))
	}
	m.Parts = []Part{{Count: len(m.Indices)}}
	return m
}

// addBox appends the six faces of a box.
func (m *Model) addBox(min, max mgl32.Vec3) {
	for axis := range 3 {
		b, c := (axis+1)%3, (axis+2)%3
		for side := range 2 {
			first := uint32(len(m.Positions))
			var n mgl32.Vec3
			n[axis] = float32(2*side - 1)
			for corner := range 4 {
				p := min
				if side == 1 {
					p[axis] = max[axis]
				}
				// Around the face as b turns to c, which is counter-clockwise
				// seen from the axis' positive end.
				if corner == 1 || corner == 2 {
					p[b] = max[b]
				}
				if corner >= 2 {
					p[c] = max[c]
				}
				m.Positions = append(m.Positions, p)
				m.Normals = append(m.Normals, n)
			}
			if side == 1 {
				m.Indices = append(m.Indices, first, first+1, first+2, first, first+2, first+3)
			} else {
				m.Indices = append(m.Indices, first, first+2, first+1, first, first+3, first+2)
			}
		}
	}
}
