package cull

import (
	"math"

	"ridgeline/occluders/geom"
)

// Slopes bound how a piece of ground and the ground around it rise, in metres a
// metre, along +X and along +Z. Ground that rises by a and b has the normal
// (−a, 1, −b), so that the bounds stand for a cone of normals.
type Slopes struct {
	Min, Max [2]float64
	// Reach is how far the ground around goes that the bounds hold for: metres on the
	// map from any point of the piece.
	Reach float64
}

// Union is what bounds both.
func (s Slopes) Union(o Slopes) Slopes {
	for i := range 2 {
		s.Min[i], s.Max[i] = min(s.Min[i], o.Min[i]), max(s.Max[i], o.Max[i])
	}
	s.Reach = min(s.Reach, o.Reach)
	return s
}

// Away reports whether a piece of ground within the box turns its back on the eye,
// even when it is drawn up to slack metres too high or too low for each metre of
// distance. The eye must be above ground without holes, of which the piece is a part.
//
// From a point p of the piece the line to the eye e rises by (e.y − p.y)/d a metre,
// where d is their distance on the map. If the ground towards the eye rises by more
// than that, by m at least, the line is m·t below it after t metres. Drawn ground that
// is wrong by no more than ε is above the line after 2ε/m metres: if these are within
// reach, p is behind it.
//
// d·m is the least of a·(e.x − p.x) + b·(e.z − p.z) − (e.y − p.y), which is linear in
// each of p, a and b, so that the axes can be looked at one by one.
func (s *Slopes) Away(eye geom.Vec3, b geom.Box, slack float64) bool {
	least := least(s.Min[0], s.Max[0], eye[0]-b.Max[0], eye[0]-b.Min[0]) +
		least(s.Min[1], s.Max[1], eye[2]-b.Max[2], eye[2]-b.Min[2]) - (eye[1] - b.Min[1])
	if !(least > 0) {
		return false
	}
	x, y, z := farther(eye[0], b.Min[0], b.Max[0]), farther(eye[1], b.Min[1], b.Max[1]), farther(eye[2], b.Min[2], b.Max[2])
	d := math.Hypot(x, z)
	e := slack * math.Hypot(d, y)
	return least*s.Reach > 2*e*d
}

// least is the least product of a number from a to b and one from c to d.
func least(a, b, c, d float64) float64 { return min(a*c, a*d, b*c, b*d) }

// farther is the distance of v from the farther of two.
func farther(v, lo, hi float64) float64 { return max(v-lo, hi-v) }
