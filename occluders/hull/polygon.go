package hull

import (
	"errors"
	"math"

	"ridgeline/occluders/geom"
)

// A polygon is a list of points around an area of a plane. These functions are for those
// that people draw: portals, and occluders without a volume.

// PolygonTolerance is how far, in metres, points may lie off a plane and still count as
// a polygon in it: a millionth of its size, and what rounding leaves far from the origin.
func PolygonTolerance(points []geom.Vec3) float64 {
	b := geom.BoxOf(points...)
	if b.IsEmpty() {
		return 0
	}
	size := b.Size()
	return 1e-6*max(size[0], size[1], size[2]) + Tolerance(b)
}

// PolygonPlane is the plane of a polygon, positive on the side from which its points run
// counter-clockwise, through their middle: that which fits best where they do not lie in
// one (Newell's method; Sutherland, Sproull and Schumacker, "A Characterization of Ten
// Hidden-Surface Algorithms", 1974). ok is false when they have no area, or a coordinate
// is no finite number. Whether they lie in the plane is for PolygonPlanar to say.
func PolygonPlane(points []geom.Vec3) (p geom.Plane, ok bool) {
	if len(points) < 3 {
		return p, false
	}
	n, side := newell(points)
	l := n.Len()
	// Twice the area; below this nothing but rounding is left of it.
	if !(l > side*side*1e-12) || math.IsInf(l, 0) || math.IsInf(side, 0) {
		return geom.Plane{}, false
	}
	n = n.Mul(1 / l)
	origin := points[0]
	var d float64
	for _, q := range points {
		d += q.Sub(origin).Dot(n)
	}
	return geom.Plane{N: n, D: -(n.Dot(origin) + d/float64(len(points)))}, true
}

// newell is the normal of a polygon, as long as twice its area in units of side, and the
// greatest coordinate of its points around the first.
func newell(points []geom.Vec3) (n geom.Vec3, side float64) {
	for _, p := range points {
		d := p.Sub(points[0])
		side = max(side, math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2]))
	}
	for i := 1; i+1 < len(points); i++ {
		n = n.Add(points[i].Sub(points[0]).Cross(points[i+1].Sub(points[0])))
	}
	return n, side
}

// PolygonArea is in square metres: that which the border goes around, counted once for
// each time.
func PolygonArea(points []geom.Vec3) float64 {
	if len(points) < 3 {
		return 0
	}
	n, _ := newell(points)
	return n.Len() / 2
}

// PolygonPlanar reports whether all points lie within tol metres of their plane.
func PolygonPlanar(points []geom.Vec3, tol float64) bool {
	p, ok := PolygonPlane(points)
	if !ok {
		return false
	}
	for _, q := range points {
		if !(math.Abs(p.Distance(q)) <= tol) {
			return false
		}
	}
	return true
}

// PolygonConvex reports whether points are a convex polygon in a plane, with an area, in
// either direction, but for PolygonTolerance. Points may lie on the line between their
// neighbours.
func PolygonConvex(points []geom.Vec3) bool {
	p, ok := PolygonPlane(points)
	tol := PolygonTolerance(points)
	if !ok || !PolygonPlanar(points, tol) {
		return false
	}
	// Each corner turns left, and so does the whole border, seen from the first corner:
	// it goes around once.
	at := func(i int) geom.Vec3 { return points[i%len(points)] }
	for i := range points {
		if !leftTurn(at(i), at(i+1), at(i+2), p.N, tol) || !leftTurn(at(0), at(i), at(i+1), p.N, tol) {
			return false
		}
	}
	return true
}

// PolygonSimple reports whether points are a polygon in a plane, with an area, whose
// border does not meet itself, convex or not, but for PolygonTolerance. It takes time in
// proportion to the square of the number of points.
func PolygonSimple(points []geom.Vec3) bool {
	p, ok := PolygonPlane(points)
	if !ok || !PolygonPlanar(points, PolygonTolerance(points)) {
		return false
	}
	x, y := flatAxes(p.N)
	at := func(i int) [2]float64 {
		q := points[i%len(points)].Sub(points[0])
		return [2]float64{q[x], q[y]}
	}
	n := len(points)
	for i := range n {
		a, b := at(i), at(i+1)
		if a == b {
			return false
		}
		// The next edge shares a corner with this one, and may not run back along it.
		c := at(i + 2)
		if turn2(a, b, c) == 0 && (c[0]-b[0])*(a[0]-b[0])+(c[1]-b[1])*(a[1]-b[1]) > 0 {
			return false
		}
		for k := i + 2; k < n && (i > 0 || k < n-1); k++ {
			if meet2(a, b, at(k), at(k+1)) {
				return false
			}
		}
	}
	return true
}

// flatAxes are the two axes along which a polygon of this normal is seen largest, in the
// order in which counter-clockwise stays so for the normal's sign.
func flatAxes(n geom.Vec3) (x, y int) {
	z := 0
	for i := 1; i < 3; i++ {
		if math.Abs(n[i]) > math.Abs(n[z]) {
			z = i
		}
	}
	x, y = (z+1)%3, (z+2)%3
	if n[z] < 0 {
		return y, x
	}
	return x, y
}

// turn2 is positive where the way from a over b to c turns left.
func turn2(a, b, c [2]float64) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// meet2 reports whether two segments have a point in common.
func meet2(a, b, c, d [2]float64) bool {
	p, q, r, s := turn2(a, b, c), turn2(a, b, d), turn2(c, d, a), turn2(c, d, b)
	if (p > 0) != (q > 0) && p != 0 && q != 0 && (r > 0) != (s > 0) && r != 0 && s != 0 {
		return true
	}
	on := func(a, b, c [2]float64) bool {
		return min(a[0], b[0]) <= c[0] && c[0] <= max(a[0], b[0]) && min(a[1], b[1]) <= c[1] && c[1] <= max(a[1], b[1])
	}
	return p == 0 && on(a, b, c) || q == 0 && on(a, b, d) || r == 0 && on(c, d, a) || s == 0 && on(c, d, b)
}

// ClipPolygon appends the part of a convex polygon on the positive side of a plane, its
// border included, to dst (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).
// Nothing is appended where there is none. A point or an edge on the plane is a part.
// dst and points must not share memory.
func ClipPolygon(dst, points []geom.Vec3, plane geom.Plane) []geom.Vec3 {
	if len(points) == 0 {
		return dst
	}
	p := points[len(points)-1]
	d := plane.Distance(p)
	for _, q := range points {
		e := plane.Distance(q)
		if d < 0 && e > 0 || d > 0 && e < 0 {
			// From the positive end on, so that both directions give the same point.
			if d > 0 {
				dst = append(dst, p.Add(q.Sub(p).Mul(d/(d-e))))
			} else {
				dst = append(dst, q.Add(p.Sub(q).Mul(e/(e-d))))
			}
		}
		if e >= 0 {
			dst = append(dst, q)
		}
		p, d = q, e
	}
	return dst
}

// PolygonContains reports whether p lies on a polygon, convex or not, whose plane is
// plane: within tol metres of the plane, and inside the border or within tol metres of
// it.
func PolygonContains(points []geom.Vec3, plane geom.Plane, p geom.Vec3, tol float64) bool {
	off := plane.Distance(p)
	if len(points) == 0 || !(math.Abs(off) <= tol) {
		return false
	}
	p = p.Sub(plane.N.Mul(off))
	x, y := flatAxes(plane.N)
	inside := false
	a := points[len(points)-1]
	for _, b := range points {
		if segmentDistance(a, b, p) <= tol {
			return true
		}
		if (a[y] > p[y]) != (b[y] > p[y]) {
			if a[x]+(b[x]-a[x])*((p[y]-a[y])/(b[y]-a[y])) > p[x] {
				inside = !inside
			}
		}
		a = b
	}
	return inside
}

// segmentDistance is how far p is from the segment between a and b.
func segmentDistance(a, b, p geom.Vec3) float64 {
	u := b.Sub(a)
	t := 0.0
	if l := u.LenSqr(); l > 0 {
		t = min(max(p.Sub(a).Dot(u)/l, 0), 1)
	}
	return p.Sub(a).Sub(u.Mul(t)).Len()
}

// What may be wrong with polygons.
var (
	ErrThin    = errors.New("the polygon has no area")
	ErrBent    = errors.New("the corners of the polygon do not lie in one plane")
	ErrTangled = errors.New("the outline of the polygon crosses itself")
)

// CheckOutline tells what is wrong with the outline of an occluder without a volume:
// one of the errors above.
func CheckOutline(points []geom.Vec3) error {
	if _, ok := PolygonPlane(points); !ok {
		return ErrThin
	}
	if !PolygonPlanar(points, PolygonTolerance(points)) {
		return ErrBent
	}
	if !PolygonSimple(points) {
		return ErrTangled
	}
	return nil
}
