package geom

import "math"

// Meet gives the point that three planes have in common; ok is false when two of them
// are parallel or nearly so, or something is not finite.
func Meet(a, b, c Plane) (p Vec3, ok bool) {
	bc := b.N.Cross(c.N)
	det := a.N.Dot(bc)
	if !(math.Abs(det) > 1e-15) {
		return p, false
	}
	p = bc.Mul(-a.D).Add(c.N.Cross(a.N).Mul(-b.D)).Add(a.N.Cross(b.N).Mul(-c.D)).Mul(1 / det)
	return p, p.Sub(p) == Vec3{}
}

// NearCorners gives the corners of a picture on its near plane, in their order around it,
// of the planes of its left, right, bottom and top, and of the near plane, all in one
// frame; ok is false for planes that have no such corners.
func NearCorners(sides *[4]Plane, near Plane) (corners [4]Vec3, ok bool) {
	for i, k := range [4][2]int{{0, 2}, {1, 2}, {1, 3}, {0, 3}} {
		if corners[i], ok = Meet(sides[k[0]], sides[k[1]], near); !ok {
			return corners, false
		}
	}
	return corners, true
}

// Relative is the plane in a frame whose origin is at the given point.
func (p Plane) Relative(origin Vec3) Plane { return Plane{p.N, p.Distance(origin)} }
