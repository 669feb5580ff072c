package cull

import (
	"math"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Crosses reports whether a convex flat polygon, such as that of a portal, passes
// through what the shape hides: through the inside of the hull, or through its
// polygon and not its hole. What only touches does not cross.
func (s *Shape) Crosses(polygon []geom.Vec3) bool {
	if s.Hull != nil {
		return s.Hull.CrossesPolygon(polygon)
	}
	return s.crossesPolygon(polygon)
}

func (s *Shape) crossesPolygon(polygon []geom.Vec3) bool {
	plane, ok := hull.PolygonPlane(s.Polygon)
	if !ok || len(polygon) == 0 {
		return false
	}
	tol := hull.PolygonTolerance(s.Polygon) + hull.PolygonTolerance(polygon)
	// A door may stand a little off the wall that it is in.
	near := tol + 1e-3*math.Sqrt(hull.PolygonArea(polygon))
	before, behind := 0, 0
	for _, p := range polygon {
		switch d := plane.Distance(p); {
		case d > near:
			before++
		case d < -near:
			behind++
		}
	}
	switch {
	case before > 0 && behind > 0: // it passes from one side to the other along a segment
		ahead := hull.ClipPolygon(nil, polygon, plane)
		var ends []geom.Vec3
		for _, p := range ahead {
			if math.Abs(plane.Distance(p)) <= tol {
				ends = append(ends, p)
			}
		}
		return s.covers(plane, ends, tol)
	case before > 0 || behind > 0: // one edge at most lies in the plane
		return false
	}
	flat := make([]geom.Vec3, len(polygon))
	for i, p := range polygon {
		flat[i] = p.Sub(plane.N.Mul(plane.Distance(p)))
	}
	return s.covers(plane, flat, tol)
}

// covers reports whether the polygon covers a part of a convex outline in its
// plane. Outlines are looked at as moved inwards by a thousandth, so that edges that
// they share do not count.
func (s *Shape) covers(plane geom.Plane, outline []geom.Vec3, tol float64) bool {
	if len(outline) == 0 {
		return false
	}
	var middle geom.Vec3
	for _, p := range outline {
		middle = middle.Add(p.Mul(1 / float64(len(outline))))
	}
	inner := make([]geom.Vec3, len(outline))
	for i, p := range outline {
		inner[i] = middle.Add(p.Sub(middle).Mul(0.999))
	}
	if meets(plane, inner, s.Polygon) || s.Hole != nil && meets(plane, inner, s.Hole) {
		return true
	}
	// Nothing meets: the outline is wholly inside or outside of each, or holds one.
	in := func(outer []geom.Vec3, p geom.Vec3) bool {
		return len(outer) > 2 && hull.PolygonContains(outer, plane, p, tol)
	}
	if s.Hole != nil && in(s.Hole, inner[0]) {
		return false
	}
	return in(s.Polygon, inner[0]) || in(inner, s.Polygon[0])
}

// meets reports whether the outlines cross, seen along the plane's normal.
func meets(plane geom.Plane, a, b []geom.Vec3) bool {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		for k, r := range b {
			if s := b[(k+1)%len(b)]; crossing(plane.N, p, q, r, s) {
				return true
			}
		}
	}
	return false
}

// crossing reports whether segments pq and rs cross, seen along n.
func crossing(n, p, q, r, s geom.Vec3) bool {
	turn := func(a, b, c geom.Vec3) float64 { return b.Sub(a).Cross(c.Sub(a)).Dot(n) }
	return turn(p, q, r)*turn(p, q, s) < 0 && turn(r, s, p)*turn(r, s, q) < 0
}
