package glb

import "math"

// detail cuts a square of n×n cells, n a power of two, into right isosceles triangles,
// as few as a level of detail allows: a triangle is halved at the middle of its longest
// side where that vertex is kept. (Evans, Kirkpatrick and Townsend, "Right-Triangulated
// Irregular Networks", 2001.) A vertex is kept by every level up to one of its own, and
// what a kept vertex needs is kept with it, so that no level has a crack.
type detail struct {
	n, stride int
	halvings  []halving // the smallest triangles first
	keep      []uint8   // by vertex: the last level that keeps it
}

// halving is a triangle that may be halved: the vertex in the middle of its longest
// side, the ends of that, and the middles of the halves' longest sides, −1 for none.
type halving struct{ middle, a, b, left, right int32 }

func newDetail(n int) *detail {
	d := &detail{n: n, stride: n + 1, keep: make([]uint8, (n+1)*(n+1))}
	// One size after another, so that what is below is known first.
	var sizes [][]halving
	var split func(depth int, a, b, c point)
	split = func(depth int, a, b, c point) {
		if !halves(a, b) {
			return
		}
		if depth == len(sizes) {
			sizes = append(sizes, nil)
		}
		m := middle(a, b)
		h := halving{d.at(m), d.at(a), d.at(b), -1, -1}
		if halves(c, a) {
			h.left, h.right = d.at(middle(c, a)), d.at(middle(b, c))
		}
		sizes[depth] = append(sizes[depth], h)
		split(depth+1, c, a, m)
		split(depth+1, b, c, m)
	}
	for _, t := range d.roots() {
		split(0, t[0], t[1], t[2])
	}
	for i := len(sizes) - 1; i >= 0; i-- {
		d.halvings = append(d.halvings, sizes[i]...)
	}
	return d
}

// point is a vertex by column and row.
type point struct{ x, y int }

// roots are the two halves of the square: the ends of the longest side and the corner
// at the right angle.
func (d *detail) roots() [2][3]point {
	return [2][3]point{
		{{0, d.n}, {d.n, 0}, {0, 0}},
		{{d.n, 0}, {0, d.n}, {d.n, d.n}},
	}
}

func middle(a, b point) point { return point{(a.x + b.x) / 2, (a.y + b.y) / 2} }

// halves reports whether the middle between two vertices is one.
func halves(a, b point) bool { return (a.x+b.x)%2 == 0 && (a.y+b.y)%2 == 0 }

func (d *detail) at(p point) int32 { return int32(p.y*d.stride + p.x) }

// need sets the last level that keeps each vertex: at least what of gives for it, which
// is told the ends of the side that it is the middle of.
func (d *detail) need(of func(middle, a, b int32) uint8) {
	clear(d.keep)
	for i := range d.halvings {
		h := &d.halvings[i]
		k := max(d.keep[h.middle], of(h.middle, h.a, h.b))
		if h.left >= 0 {
			k = max(k, d.keep[h.left], d.keep[h.right])
		}
		d.keep[h.middle] = k
	}
}

// appendTriangles appends the triangles of a level, three vertices each, counter-clockwise
// seen from above.
func (d *detail) appendTriangles(dst []int32, level uint8) []int32 {
	var cut func(a, b, c point)
	cut = func(a, b, c point) {
		if halves(a, b) {
			if m := middle(a, b); d.keep[d.at(m)] >= level {
				cut(c, a, m)
				cut(b, c, m)
				return
			}
		}
		dst = append(dst, d.at(a), d.at(b), d.at(c))
	}
	for _, t := range d.roots() {
		cut(t[0], t[1], t[2])
	}
	return dst
}

// off is the largest vertical distance between triangles and the full surface whose
// heights are given, in their unit. Both are flat between the cells' sides and
// diagonals, so that it is found at samples and at the middles of cells.
func (d *detail) off(heights []float32, triangles []int32) float64 {
	worst := 0.0
	for t := 0; t < len(triangles); t += 3 {
		var p [3]point
		var h [3]float64
		lo, hi := point{d.n, d.n}, point{}
		for i := range p {
			v := int(triangles[t+i])
			p[i] = point{v % d.stride, v / d.stride}
			h[i] = float64(heights[v])
			lo, hi = point{min(lo.x, p[i].x), min(lo.y, p[i].y)}, point{max(hi.x, p[i].x), max(hi.y, p[i].y)}
		}
		// Twice the places, so that middles of cells are whole numbers too.
		x1, y1 := float64(p[1].x-p[0].x), float64(p[1].y-p[0].y)
		x2, y2 := float64(p[2].x-p[0].x), float64(p[2].y-p[0].y)
		area := x1*y2 - x2*y1
		dx := ((h[1]-h[0])*y2 - (h[2]-h[0])*y1) / area
		dy := ((h[2]-h[0])*x1 - (h[1]-h[0])*x2) / area
		for y := 2 * lo.y; y <= 2*hi.y; y++ {
			for x := 2*lo.x + y&1; x <= 2*hi.x; x += 2 {
				fx, fy := float64(x)/2-float64(p[0].x), float64(y)/2-float64(p[0].y)
				u, v := (fx*y2-x2*fy)/area, (x1*fy-fx*y1)/area
				if u < 0 || v < 0 || u+v > 1 {
					continue
				}
				var full float64
				if i := y/2*d.stride + x/2; y&1 == 0 {
					full = float64(heights[i])
				} else {
					full = (float64(heights[i+1]) + float64(heights[i+d.stride])) / 2
				}
				worst = max(worst, math.Abs(full-(h[0]+dx*fx+dy*fy)))
			}
		}
	}
	return worst
}
