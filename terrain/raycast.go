package terrain

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Hit is where a ray meets the ground.
type Hit struct {
	T        float64    // distance along the ray, in lengths of its direction
	Point    mgl64.Vec3 // world
	Normal   mgl64.Vec3 // unit, upwards, of the triangle that was hit
	Col, Row int        // the cell
}

// Raycast finds the first point at which the ray crosses the full-detail surface,
// from above or from below. Holes let it through. The ray is in world coordinates
// and must be finite.
//
// It walks the min/max pyramid front to back and, in a cell, follows the height of
// the ray over the ground, which is linear within each of the cell's triangles: a
// change of sign is a hit. Neighbouring cells see the same heights on their common
// edge, so no ray slips between them.
func (f *Field) Raycast(ray geom.Ray) (Hit, bool) {
	local := ray
	local.Origin[0] -= f.origin[0]
	local.Origin[2] -= f.origin[1]
	if local.Dir == (mgl64.Vec3{}) {
		return Hit{}, false
	}
	w := walker{f: f, ray: local}
	top := len(f.pyramid) - 1
	if !w.node(top, 0, 0) {
		return Hit{}, false
	}
	w.hit.Point = ray.At(w.hit.T)
	return w.hit, true
}

// walker carries one ray, in local coordinates, down the pyramid.
type walker struct {
	f   *Field
	ray geom.Ray
	hit Hit
}

// span clips the ray to the cells from (x0, z0) to (x1, z1) and the heights of m.
// The box is widened by a part in 10¹² of the numbers involved, so that rounding
// never loses a hit on its border.
func (w *walker) span(x0, z0, x1, z1 int, m MinMax) (t0, t1 float64, ok bool) {
	s := w.f.spacing
	b := geom.Box{
		Min: mgl64.Vec3{float64(x0) * s, float64(m.Min), float64(z0) * s},
		Max: mgl64.Vec3{float64(x1) * s, float64(m.Max), float64(z1) * s},
	}
	for i := range b.Min {
		pad := 1e-12 * (math.Abs(b.Min[i]) + math.Abs(b.Max[i]) + math.Abs(w.ray.Origin[i]))
		b.Min[i] -= pad
		b.Max[i] += pad
	}
	return w.ray.Box(b)
}

// order gives the sequence in which a ray meets two children along one axis.
func order(dir float64) [2]int {
	if dir < 0 {
		return [2]int{1, 0}
	}
	return [2]int{0, 1}
}

// node looks below a pyramid node and reports whether w.hit was set.
func (w *walker) node(level, x, y int) bool {
	m := &w.f.pyramid[level]
	if x >= m.cols || y >= m.rows {
		return false
	}
	size := TileSize << level
	x0, z0 := x*size, y*size
	x1, z1 := min(x0+size, w.f.cols-1), min(z0+size, w.f.rows-1)
	if _, _, ok := w.span(x0, z0, x1, z1, m.nodes[y*m.cols+x]); !ok {
		return false
	}
	if level == 0 {
		return w.chunk(x, y, x1, z1)
	}
	// Of four children a ray meets the nearest first, the farthest last, and never
	// both of the others, unless it only touches one of them.
	ox, oz := order(w.ray.Dir[0]), order(w.ray.Dir[2])
	return w.nearest(
		func() bool { return w.node(level-1, 2*x+ox[0], 2*y+oz[0]) },
		func() bool { return w.node(level-1, 2*x+ox[1], 2*y+oz[0]) },
		func() bool { return w.node(level-1, 2*x+ox[0], 2*y+oz[1]) },
		func() bool { return w.node(level-1, 2*x+ox[1], 2*y+oz[1]) },
	)
}

// nearest tries the four children of a node in the order in which the ray meets
// them and stops at the first that has a hit, which is the nearest; the middle two
// are both tried, since a ray along their common corner touches both.
func (w *walker) nearest(first, second, third, last func() bool) bool {
	if first() {
		return true
	}
	found := second()
	best := w.hit
	if third() && (!found || w.hit.T < best.T) {
		return true
	}
	if found {
		w.hit = best
		return true
	}
	return last()
}

// chunk looks at the blocks of a chunk in the order in which the ray meets them.
func (w *walker) chunk(cx, cy, x1, z1 int) bool {
	c := w.f.chunks[cy][cx]
	found := false
	best := Hit{T: math.Inf(1)}
	ox, oz := order(w.ray.Dir[0]), order(w.ray.Dir[2])
	for j := range chunkBlocks {
		by := j
		if oz[0] == 1 {
			by = chunkBlocks - 1 - j
		}
		for i := range chunkBlocks {
			bx := i
			if ox[0] == 1 {
				bx = chunkBlocks - 1 - i
			}
			bx0, bz0 := cx*TileSize+bx*blockSize, cy*TileSize+by*blockSize
			if bx0 >= x1 || bz0 >= z1 {
				continue
			}
			bx1, bz1 := min(bx0+blockSize, x1), min(bz0+blockSize, z1)
			t0, t1, ok := w.span(bx0, bz0, bx1, bz1, c.blocks[by*chunkBlocks+bx])
			if !ok || t0 > best.T {
				continue
			}
			if w.cells(bx0, bz0, bx1, bz1, t0, t1) && w.hit.T < best.T {
				best, found = w.hit, true
			}
		}
	}
	if found {
		w.hit = best
	}
	return found
}

// cells walks the cells of a block that the ray crosses between t0 and t1.
func (w *walker) cells(x0, z0, x1, z1 int, t0, t1 float64) bool {
	f, s := w.f, w.f.spacing
	best := Hit{T: math.Inf(1)}
	// The range of rows and columns under the ray's part of the block.
	p, q := w.ray.At(t0), w.ray.At(t1)
	under := func(a, b float64, from, to int) (int, int) {
		l := int(math.Floor(min(a, b)/s - 1e-6))
		h := int(math.Floor(max(a, b)/s + 1e-6))
		return max(l, from), min(h, to-1)
	}
	c0, c1 := under(p[0], q[0], x0, x1)
	r0, r1 := under(p[2], q[2], z0, z1)
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			if f.IsHole(c, r) {
				continue
			}
			if h, ok := w.cell(c, r); ok && h.T < best.T {
				best = h
			}
		}
	}
	w.hit = best
	return !math.IsInf(best.T, 1)
}

// cell follows the ray's height over the two triangles of a cell.
func (w *walker) cell(c, r int) (Hit, bool) {
	f, s := w.f, w.f.spacing
	ha, hb := float64(f.Sample(c, r)), float64(f.Sample(c+1, r))
	hc, hd := float64(f.Sample(c, r+1)), float64(f.Sample(c+1, r+1))
	lo, hi := min(ha, hb, hc, hd), max(ha, hb, hc, hd)
	t0, t1, ok := w.span(c, r, c+1, r+1, MinMax{float32(lo), float32(hi)})
	if !ok {
		return Hit{}, false
	}
	// In units of the cell: u, v of the ray are u0 + t·du, v0 + t·dv.
	u0, du := w.ray.Origin[0]/s-float64(c), w.ray.Dir[0]/s
	v0, dv := w.ray.Origin[2]/s-float64(r), w.ray.Dir[2]/s
	// The diagonal is u + v = 1.
	cut := t1
	if d := du + dv; d != 0 {
		if t := (1 - u0 - v0) / d; t > t0 && t < t1 {
			cut = t
		}
	}
	upper := func(t float64) bool { return u0+t*du+v0+t*dv <= 1 }
	try := func(a, b float64) (Hit, bool) {
		var base, gx, gz float64 // height = base + gx·u + gz·v
		if upper((a + b) / 2) {
			base, gx, gz = ha, hb-ha, hc-ha
		} else {
			base, gx, gz = hb+hc-hd, hd-hc, hd-hb
		}
		above := func(t float64) float64 {
			return w.ray.Origin[1] + t*w.ray.Dir[1] - (base + gx*(u0+t*du) + gz*(v0+t*dv))
		}
		fa, fb := above(a), above(b)
		if fa > 0 && fb > 0 || fa < 0 && fb < 0 {
			return Hit{}, false
		}
		t := a
		if fa != fb {
			t = a + (b-a)*(fa/(fa-fb))
		}
		return Hit{T: t, Normal: mgl64.Vec3{-gx / s, 1, -gz / s}.Normalize(), Col: c, Row: r}, true
	}
	if h, ok := try(t0, cut); ok {
		return h, true
	}
	if cut < t1 {
		return try(cut, t1)
	}
	return Hit{}, false
}
