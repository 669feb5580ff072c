package collide

import "math"

// Skin is the gap, in metres, that a moving shape keeps to what stopped it.
const Skin = 0.001

// Capsule is all within Radius of the segment from A to B; a sphere if A is B.
type Capsule struct {
	A, B   Vec3
	Radius float64 // more than 0, m
}

// Sphere is a Capsule that is a sphere.
func Sphere(center Vec3, radius float64) Capsule { return Capsule{center, center, radius} }

// Contact is where a shape touches something solid.
type Contact struct {
	Normal   Vec3 // unit, towards the shape
	Face     Vec3 // unit normal of the triangle, on the shape's side; Normal on a ball
	Point    Vec3 // on what is touched
	Triangle int  // as in Hit
	Body     int
	ID       uint64
}

// touch is a contact found in a sweep, relative to the base.
type touch struct {
	closest
	piece int32 // index of near.pieces
}

// sweepRounds bounds Newton's iteration. It ends at a place that is not too far in
// any case, so stopping there errs to the safe side.
const sweepRounds = 64

// settled is how exactly Newton's iteration finds a distance, in metres.
const settled = 1e-7

// lowest is the distance that a motion which begins at distance d must not go
// below: half of Skin above the surface, or what is there already.
func lowest(radius, d float64) float64 { return min(radius+Skin/2, d-1e-9) }

// sweep moves the segment p–q, with a radius about it, along delta and gives the
// part of it, 0 to 1, after which it is Skin away from a piece that it must not pass.
func (g *near) sweep(p, q Vec3, radius float64, delta Vec3) (t float64, hit touch, ok bool) {
	length := delta.Len()
	if length == 0 {
		return 0, touch{}, false
	}
	// The box around the path and what is nearer than Skin to it.
	var lo, hi Vec3
	for k := range 3 {
		l, h := min(p[k], q[k]), max(p[k], q[k])
		lo[k], hi[k] = l+min(0, delta[k])-radius-Skin, h+max(0, delta[k])+radius+Skin
	}
	t = math.Inf(1)
	for i := range g.pieces {
		pc := &g.pieces[i]
		if pc.lo[0] > hi[0] || pc.hi[0] < lo[0] || pc.lo[2] > hi[2] || pc.hi[2] < lo[2] || pc.lo[1] > hi[1] || pc.hi[1] < lo[1] {
			continue
		}
		if !pc.isBall() && pc.clears(p, q, radius, delta) {
			continue
		}
		// Of two that stop it at once the nearer one is what it is at: the other may be
		// the far edge of a triangle in the same plane.
		if u, c, met := pc.meet(p, q, radius, delta, length, t); met && (u < t || u == t && c.d < hit.d) {
			t, hit, ok = u, touch{c, int32(i)}, true
		}
	}
	return t, hit, ok
}

// clears reports whether the plane of the triangle keeps the segment clear of it all
// along delta.
func (t *piece) clears(p, q Vec3, radius float64, delta Vec3) bool {
	sp, sq, v := t.n.Dot(p.Sub(t.a)), t.n.Dot(q.Sub(t.a)), t.n.Dot(delta)
	if sp < 0 {
		sp, sq, v = -sp, -sq, -v
	}
	s := min(sp, sq)
	return s+min(v, 0) >= radius+Skin/2 && s > 0
}

// meet finds the part u of delta after which the segment is Skin away from the
// piece, if the motion would go on to come nearer than it may, and if u is less than
// best.
func (t *piece) meet(p, q Vec3, radius float64, delta Vec3, length, best float64) (u float64, at closest, ok bool) {
	c := t.closestTo(p, q)
	still := 1e-8 * length // slower than this is no approach
	low := lowest(radius, c.d)
	goal := radius + Skin
	stop := -1.0 // where it is Skin away
	for range sweepRounds {
		if stop < 0 && c.d-goal <= settled {
			stop, at, goal = u, c, low
		}
		rate := c.n.Dot(delta)
		// The tangent of a convex function lies below it.
		if rate >= -still || c.d+rate*(1-u) >= low {
			return 0, at, false
		}
		if stop < 0 && c.d+rate*(best-u) >= goal {
			return 0, at, false
		}
		if stop >= 0 && c.d-low <= settled {
			return stop, at, true
		}
		u = min(u+(c.d-goal)/-rate, 1)
		c = t.closestTo(p.Add(delta.Mul(u)), q.Add(delta.Mul(u)))
	}
	if stop < 0 {
		stop, at = u, c
	}
	return stop, at, true
}
