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
	// map from any point of the piece, or to where the ground ends.
	Reach float64
	// At is a place on the map, x and z.
	At [2]float64
	// Low is, for each slope of Corners, how far at least the piece lies above the plane
	// with that slope through height 0 at At: metres.
	Low [4]float64
}

// Corners are the four extremes of the slopes.
func (s *Slopes) Corners() [4][2]float64 {
	return [4][2]float64{{s.Min[0], s.Min[1]}, {s.Max[0], s.Min[1]}, {s.Min[0], s.Max[1]}, {s.Max[0], s.Max[1]}}
}

// Away reports whether a piece of ground within the box turns its back on the eye,
// even when it is drawn up to slack metres too high or too low for each metre of
// distance. The eye must be above ground without holes, of which the piece is a part.
//
// From a point p of the piece the line to the eye e rises by (e.y − p.y)/d a metre,
// where d is their distance on the map. If the ground towards the eye rises by more
// than that, by m at least, the line is m·t below it after t metres. Drawn ground that
// is wrong by no more than ε is above the line after 2ε/m metres: if these are within
// reach, p is behind it. There is that much ground: where it ends, or at the eye, the
// line would still be below it, and the eye is above.
//
// d·m is the least of a·(e.x − p.x) + b·(e.z − p.z) − (e.y − p.y) over the slopes a, b.
// It is linear in a and b, so that the corners tell, and for each of these the least
// over all p is known from Low.
func (s *Slopes) Away(eye geom.Vec3, b geom.Box, slack float64) bool {
	least := math.Inf(1)
	for k, g := range s.Corners() {
		least = min(least, g[0]*(eye[0]-s.At[0])+g[1]*(eye[2]-s.At[1])+s.Low[k])
	}
	x, y, z := farther(eye[0], b.Min[0], b.Max[0]), farther(eye[1], b.Min[1], b.Max[1]), farther(eye[2], b.Min[2], b.Max[2])
	d := math.Hypot(x, z)
	// What is computed is off by less than this.
	least -= eye[1] + 1e-12*(math.Abs(eye[1])+math.Abs(s.At[0])+math.Abs(s.At[1])+d+y)
	if !(least > 0) {
		return false
	}
	e := slack * math.Hypot(d, y)
	return least*s.Reach > 2*e*d
}

// farther is the distance of v from the farther of two.
func farther(v, lo, hi float64) float64 { return max(v-lo, hi-v) }
