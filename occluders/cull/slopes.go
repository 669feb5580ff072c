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
// distance. The eye must be above the ground of which the piece is a part, and no line
// between them may cross that ground in a hole, see Scene.Openings.
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

// opens reports whether a line of sight between the eye and a piece of ground within
// the box may cross the ground in one of its openings.
//
// The ground goes on under its holes, as a surface that is not drawn there. A line that
// Away is about is below that surface near the piece, and the eye is above it, so it
// crosses it in between. That place hides the piece unless it is in a hole. On the map
// it is within the convex hull of the eye and the box, and it is as high as the surface
// there and as some point between the eye and the box: holes beside the hull, and holes
// above or below all such points, let nothing be seen. Drawn ground has the same holes
// on the map and is up to slack metres off for each metre of distance, both at the hole
// and at the piece.
func (s *Scene) opens(eye geom.Vec3, b geom.Box, slack float64) bool {
	for i := range s.Openings {
		h := &s.Openings[i]
		off := 1e-9 * (math.Abs(eye[1]) + math.Abs(h.Min[1]) + math.Abs(h.Max[1]))
		off += slack * (farthestOf(eye, b) + farthestOf(eye, *h))
		if h.Max[1]+off < min(eye[1], b.Min[1]) || h.Min[1]-off > max(eye[1], b.Max[1]) {
			continue
		}
		if between(eye, &b, h) {
			return true
		}
	}
	return false
}

// farthestOf is the distance from the eye to the farthest point of a box.
func farthestOf(eye geom.Vec3, b geom.Box) float64 {
	x, y, z := farther(eye[0], b.Min[0], b.Max[0]), farther(eye[1], b.Min[1], b.Max[1]), farther(eye[2], b.Min[2], b.Max[2])
	return math.Sqrt(x*x + y*y + z*z)
}

// between reports whether, on the map, a box meets the convex hull of the eye and
// another. Two convex shapes are apart if they are so along the normal of one of their
// edges; those of the hull are edges of the box b or go from the eye to its corners.
func between(eye geom.Vec3, b, h *geom.Box) bool {
	for _, i := range [...]int{0, 2} {
		if h.Max[i] < min(eye[i], b.Min[i]) || h.Min[i] > max(eye[i], b.Max[i]) {
			return false
		}
	}
	for _, x := range [...]float64{b.Min[0] - eye[0], b.Max[0] - eye[0]} {
		for _, z := range [...]float64{b.Min[2] - eye[2], b.Max[2] - eye[2]} {
			lo, hi := along(eye, b, z, -x)
			from, to := along(eye, h, z, -x)
			if to < min(lo, 0) || from > max(hi, 0) {
				return false
			}
		}
	}
	return true
}

// along is how far a box goes on the map along (x, z), seen from the eye.
func along(eye geom.Vec3, b *geom.Box, x, z float64) (lo, hi float64) {
	x0, x1 := x*(b.Min[0]-eye[0]), x*(b.Max[0]-eye[0])
	z0, z1 := z*(b.Min[2]-eye[2]), z*(b.Max[2]-eye[2])
	return min(x0, x1) + min(z0, z1), max(x0, x1) + max(z0, z1)
}
