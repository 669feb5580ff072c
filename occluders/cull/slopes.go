package cull

import "ridgeline/occluders/geom"

// Slopes bound the triangles of a piece of ground: how much each rises, in metres a
// metre, along +X and along +Z. A triangle that rises by a and b has the normal
// (−a, 1, −b), so that the bounds stand for a cone of normals.
type Slopes struct{ Min, Max [2]float64 }

// Away reports whether all triangles within the box that rise as the slopes say
// turn their backs on the eye.
//
// A triangle through p does if the eye is below its plane: if
// e.y − p.y − a·(e.x − p.x) − b·(e.z − p.z) < 0. The sum is linear in each of p, a
// and b, so its greatest value is at corners of the box and ends of the slopes, and
// the axes can be looked at one by one.
func (s *Slopes) Away(eye geom.Vec3, b geom.Box) bool {
	return eye[1]-b.Min[1]+s.most(0, eye[0]-b.Max[0], eye[0]-b.Min[0])+s.most(1, eye[2]-b.Max[2], eye[2]-b.Min[2]) < 0
}

// AwayFrom is Away for lines of sight that all run along forward.
func (s *Slopes) AwayFrom(forward geom.Vec3) bool {
	// The eye is infinitely far along −forward: the rest does not count.
	return -forward[1]+s.most(0, -forward[0], -forward[0])+s.most(1, -forward[2], -forward[2]) < 0
}

// most is the greatest of −a·d for slopes a along an axis and d from lo to hi.
func (s *Slopes) most(axis int, lo, hi float64) float64 {
	a, b := -s.Min[axis], -s.Max[axis]
	return max(a*lo, a*hi, b*lo, b*hi)
}
