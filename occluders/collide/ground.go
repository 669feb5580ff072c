package collide

import "ridgeline/occluders/geom"

// Vec3 is a point or direction in metres.
type Vec3 = geom.Vec3

// Ground is a surface with at most one height at each place, solid from both
// sides, that may have holes. Its triangles, heights and rays must agree. A Ground
// must not change while a World has it: changed ground is a new value for
// World.SetGround.
type Ground interface {
	// Bounds is the box around the whole ground.
	Bounds() geom.Box
	// Height is the height of the surface at x, z; ok is false beside the ground and
	// over a hole.
	Height(x, z float64) (y float64, ok bool)
	// Ray gives the nearest point, from 0 to tMax lengths of its direction, in which
	// the ray meets the surface from above or below.
	Ray(r geom.Ray, tMax float64) (GroundHit, bool)
	// AppendTriangles appends the triangles whose boxes overlap b, counter-clockwise
	// seen from above; none for holes.
	AppendTriangles(dst []GroundTriangle, b geom.Box) []GroundTriangle
}

// Blocker is a Ground that can tell sooner whether a ray meets it than where.
type Blocker interface {
	// Blocked reports whether Ray would find anything.
	Blocked(r geom.Ray, tMax float64) bool
}

// GroundHit is where a ray meets the ground. The point is P0 + U(P1−P0) + V(P2−P0)
// of the triangle, which Triangle numbers.
type GroundHit struct {
	T, U, V  float64
	Triangle int
	Normal   Vec3 // unit, upwards
}

// GroundTriangle is one triangle of the ground in world coordinates.
type GroundTriangle struct {
	P        [3]Vec3
	Triangle int // its number, as in GroundHit
}
