package terrain

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/collide"
	"ridgeline/occluders/geom"
)

// Solid is a field as ground to collide with: its triangles are those of the package
// comment, and number 2·(row·(cols−1) + col) is (a, c, b) of the cell, the next one
// (b, c, d). It implements collide.Ground and collide.Blocker.
type Solid struct{ Field *Field }

var (
	_ collide.Ground  = Solid{}
	_ collide.Blocker = Solid{}
)

// Bounds is the box around the whole field in the world, holes included.
func (s Solid) Bounds() geom.Box {
	_, box := s.Field.PyramidNode(s.Field.PyramidLevels()-1, 0, 0)
	return box
}

// Height is Field.Height.
func (s Solid) Height(x, z float64) (y float64, ok bool) { return s.Field.Height(x, z) }

// Blocked is Field.Blocked.
func (s Solid) Blocked(r geom.Ray, tMax float64) bool { return s.Field.Blocked(r, tMax) }

// Ray is Field.RaycastTo.
func (s Solid) Ray(r geom.Ray, tMax float64) (collide.GroundHit, bool) {
	hit, ok := s.Field.RaycastTo(r, tMax)
	if !ok {
		return collide.GroundHit{}, false
	}
	hit.T = min(hit.T, tMax) // which rounding may have passed
	f := s.Field
	u := min(max((hit.Point[0]-f.origin[0])/f.spacing-float64(hit.Col), 0), 1)
	v := min(max((hit.Point[2]-f.origin[1])/f.spacing-float64(hit.Row), 0), 1)
	g := collide.GroundHit{T: hit.T, Normal: hit.Normal, Triangle: 2 * (hit.Row*(f.cols-1) + hit.Col)}
	if u+v <= 1 { // a + U(c−a) + V(b−a)
		g.U, g.V = v, u
	} else { // b + U(c−b) + V(d−b)
		g.Triangle++
		g.U = 1 - u
		g.V = v - g.U
	}
	return g, true
}

// AppendTriangles appends the triangles whose boxes share a point with b, chunk by
// chunk.
func (s Solid) AppendTriangles(dst []collide.GroundTriangle, b geom.Box) []collide.GroundTriangle {
	f := s.Field
	if !b.Overlaps(s.Bounds()) {
		return dst
	}
	c0, c1 := f.cellsFrom(b.Min[0], b.Max[0], f.origin[0], f.cols-1)
	r0, r1 := f.cellsFrom(b.Min[2], b.Max[2], f.origin[1], f.rows-1)
	for cy := r0 / TileSize; cy*TileSize < r1; cy++ {
		for cx := c0 / TileSize; cx*TileSize < c1; cx++ {
			k := f.Chunk(cx, cy)
			if float64(k.Min) > b.Max[1] || float64(k.Max) < b.Min[1] {
				continue
			}
			for r := max(r0, cy*TileSize); r < min(r1, (cy+1)*TileSize); r++ {
				for c := max(c0, cx*TileSize); c < min(c1, (cx+1)*TileSize); c++ {
					if !k.Holes || !f.IsHole(c, r) {
						dst = f.appendCell(dst, c, r, b)
					}
				}
			}
		}
	}
	return dst
}

// cellsFrom gives the cells, first and one past the last, that may touch lo to hi
// along an axis that has n of them.
func (f *Field) cellsFrom(lo, hi, origin float64, n int) (first, end int) {
	first = int(min(max(math.Floor((lo-origin)/f.spacing)-1, 0), float64(n)))
	end = int(min(max(math.Floor((hi-origin)/f.spacing)+2, 0), float64(n)))
	return first, end
}

func (f *Field) appendCell(dst []collide.GroundTriangle, c, r int, box geom.Box) []collide.GroundTriangle {
	x0, z0 := f.origin[0]+float64(c)*f.spacing, f.origin[1]+float64(r)*f.spacing
	x1, z1 := f.origin[0]+float64(c+1)*f.spacing, f.origin[1]+float64(r+1)*f.spacing
	if x0 > box.Max[0] || x1 < box.Min[0] || z0 > box.Max[2] || z1 < box.Min[2] {
		return dst
	}
	right := mgl64.Vec3{x1, float64(f.Sample(c+1, r)), z0} // b
	below := mgl64.Vec3{x0, float64(f.Sample(c, r+1)), z1} // c
	n := 2 * (r*(f.cols-1) + c)
	lo, hi := min(right[1], below[1]), max(right[1], below[1])
	if y := float64(f.Sample(c, r)); min(lo, y) <= box.Max[1] && max(hi, y) >= box.Min[1] {
		dst = append(dst, collide.GroundTriangle{P: [3]mgl64.Vec3{{x0, y, z0}, below, right}, Triangle: n})
	}
	if y := float64(f.Sample(c+1, r+1)); min(lo, y) <= box.Max[1] && max(hi, y) >= box.Min[1] {
		dst = append(dst, collide.GroundTriangle{P: [3]mgl64.Vec3{right, below, {x1, y, z1}}, Triangle: n + 1})
	}
	return dst
}
