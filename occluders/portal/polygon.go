package portal

import (
	"cmp"
	"math"
	"slices"

	"ridgeline/occluders/geom"
)

const (
	maxEdges = 12 // of a portal's polygon; the polygon is grown until it has no more
	// bent is how far the points of a polygon may lie off its plane, as a part of its
	// size, to be flattened into it.
	bent = 1e-4
)

func finite(p geom.Vec3) bool {
	s := p[0] + p[1] + p[2]
	return s-s == 0
}

// shape is a polygon as the trace uses it: flat, convex, counter-clockwise around the
// plane's normal.
type shape struct {
	points []geom.Vec3
	plane  geom.Plane
	center geom.Vec3 // mean of the points
	radius float64   // around center
	size   float64   // greatest distance of a point from the first
}

func (s *shape) turn() {
	slices.Reverse(s.points)
	s.plane = s.plane.Flip()
}

// shapeOf makes a shape that covers the polygon. Reason 0 is a clean polygon;
// NotConvex comes with a shape too; else there is none.
func shapeOf(polygon []geom.Vec3) (shape, Reason) {
	for _, p := range polygon {
		if !finite(p) || max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2])) > 1e12 {
			return shape{}, NotFinite
		}
	}
	if len(polygon) < 3 {
		return shape{}, Degenerate
	}
	// Relative to the first point: products of 100 km would eat the digits.
	o := polygon[0]
	var normal, mean geom.Vec3
	var size float64
	for i, p := range polygon {
		a, b := p.Sub(o), polygon[(i+1)%len(polygon)].Sub(o)
		normal = normal.Add(a.Cross(b))
		mean = mean.Add(a.Mul(1 / float64(len(polygon))))
		size = max(size, a.Len())
	}
	double := normal.Len()
	if !(double > 1e-9*size*size) {
		return shape{}, Degenerate
	}
	n := normal.Mul(1 / double)
	var off float64
	for _, p := range polygon {
		off = max(off, math.Abs(n.Dot(p.Sub(o).Sub(mean))))
	}
	if off > bent*size {
		return shape{}, Bent
	}
	u := n.Cross(axisAcross(n)).Normalize()
	v := n.Cross(u)
	flat := make([][2]float64, len(polygon))
	for i, p := range polygon {
		d := p.Sub(o).Sub(mean)
		flat[i] = [2]float64{d.Dot(u), d.Dot(v)}
	}
	ring := hull2(flat)
	var reason Reason
	if a := area2(ring); a-double > 1e-6*a {
		reason = NotConvex
	}
	for len(ring) > maxEdges {
		less, ok := dropEdge(ring)
		if !ok {
			break
		}
		ring = less
	}
	if off > 1e-12*size {
		ring = grow2(ring, 2*off)
	}
	s := shape{size: size, points: make([]geom.Vec3, len(ring))}
	for i, q := range ring {
		s.points[i] = o.Add(mean.Add(u.Mul(q[0])).Add(v.Mul(q[1])))
	}
	s.plane = geom.Plane{N: n, D: -n.Dot(o.Add(mean))}
	for _, p := range s.points {
		s.center = s.center.Add(p.Sub(o).Mul(1 / float64(len(ring))))
	}
	s.center = s.center.Add(o)
	for _, p := range s.points {
		s.radius = max(s.radius, p.Sub(s.center).Len())
	}
	return s, reason
}

// axisAcross is the axis along which n is shortest.
func axisAcross(n geom.Vec3) geom.Vec3 {
	a := geom.Vec3{math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])}
	switch {
	case a[0] <= a[1] && a[0] <= a[2]:
		return geom.Vec3{1, 0, 0}
	case a[1] <= a[2]:
		return geom.Vec3{0, 1, 0}
	}
	return geom.Vec3{0, 0, 1}
}

func cross2(o, a, b [2]float64) float64 {
	return (a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])
}

// area2 is twice the area.
func area2(ring [][2]float64) float64 {
	var s float64
	for i := 2; i < len(ring); i++ {
		s += cross2(ring[0], ring[i-1], ring[i])
	}
	return s
}

// hull2 is the convex hull, counter-clockwise, without points on its edges (Andrew,
// "Another Efficient Algorithm for Convex Hulls in Two Dimensions", 1979).
func hull2(points [][2]float64) [][2]float64 {
	p := slices.Clone(points)
	slices.SortFunc(p, func(a, b [2]float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	p = slices.Compact(p)
	if len(p) < 3 {
		return p
	}
	ring := make([][2]float64, 0, 2*len(p))
	add := func(q [2]float64, base int) {
		for len(ring) >= base+2 && cross2(ring[len(ring)-2], ring[len(ring)-1], q) <= 0 {
			ring = ring[:len(ring)-1]
		}
		ring = append(ring, q)
	}
	for _, q := range p {
		add(q, 0)
	}
	base := len(ring) - 1
	for i := len(p) - 2; i >= 0; i-- {
		add(p[i], base)
	}
	return ring[:len(ring)-1]
}

// dropEdge takes away the edge that costs the least area, by letting its neighbours
// meet beyond it, so that the ring grows. ok is false when no edge can go.
func dropEdge(ring [][2]float64) (less [][2]float64, ok bool) {
	n := len(ring)
	best, least := -1, math.Inf(1)
	var corner [2]float64
	for i := range ring {
		a, b, c, d := ring[(i+n-1)%n], ring[i], ring[(i+1)%n], ring[(i+2)%n]
		e, f := [2]float64{b[0] - a[0], b[1] - a[1]}, [2]float64{c[0] - d[0], c[1] - d[1]}
		det := e[0]*f[1] - e[1]*f[0]
		if det == 0 {
			continue
		}
		// b + t·e = c + s·f, with both t and s ahead.
		w := [2]float64{c[0] - b[0], c[1] - b[1]}
		t, s := (w[0]*f[1]-w[1]*f[0])/det, (w[0]*e[1]-w[1]*e[0])/det
		if !(t > 0 && s > 0) {
			continue
		}
		q := [2]float64{b[0] + t*e[0], b[1] + t*e[1]}
		if more := math.Abs(cross2(b, q, c)); more < least {
			best, least, corner = i, more, q
		}
	}
	if best < 0 {
		return nil, false
	}
	less = slices.Clone(ring)
	less[best] = corner
	return slices.Delete(less, (best+1)%n, (best+1)%n+1), true
}

// grow2 scales the ring around its mean until each edge has moved out by d at least.
func grow2(ring [][2]float64, d float64) [][2]float64 {
	var m [2]float64
	for _, p := range ring {
		m[0] += p[0] / float64(len(ring))
		m[1] += p[1] / float64(len(ring))
	}
	in := math.Inf(1)
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		in = min(in, cross2(m, a, b)/math.Hypot(b[0]-a[0], b[1]-a[1]))
	}
	f := 1.0
	if in > 0 {
		f += d / in
	}
	out := make([][2]float64, len(ring))
	for i, p := range ring {
		out[i] = [2]float64{m[0] + f*(p[0]-m[0]), m[1] + f*(p[1]-m[1])}
	}
	return out
}
