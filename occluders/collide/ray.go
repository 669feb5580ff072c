package collide

import (
	"math"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// OnGround is the body of a hit on the ground.
const OnGround = -1

// Hit is where a ray or segment meets something solid.
type Hit struct {
	T        float64 // in lengths of the ray's direction; 0 to 1 along a segment
	Distance float64 // from the ray's origin, m
	Point    Vec3
	Normal   Vec3 // unit, outwards whichever side the ray came from; of the ground, up
	// U and V place the point in its triangle: V1 + u(V2−V1) + v(V3−V1). On a ball
	// both are 0.
	U, V     float64
	Triangle int    // of the mesh or the ground; −1 on a ball
	Body     int    // index in the World, or OnGround
	ID       uint64 // the body's; 0 on the ground
}

// Filter says what a query may meet. nil, and the zero value, is all that is solid.
type Filter struct {
	// Accept is asked about hits on bodies and may refuse them: holes of an alpha
	// mask, for one. The order of the questions is not told, and a hit may be asked
	// about that is not the nearest.
	Accept func(Hit) bool
	// Exact meets the triangles of every body that has a mesh, whatever its kind, and
	// no balls: what is seen, for picking, rather than what is solid.
	Exact bool
	// NoGround leaves the ground out, NoBodies the bodies.
	NoGround, NoBodies bool
}

// Nearest finds what the ray meets first, from 0 to tMax lengths of its direction;
// tMax may be infinite. ok is false when it meets nothing, and for a ray that has no
// direction or is not finite.
func (w *World) Nearest(r geom.Ray, tMax float64, f *Filter) (h Hit, ok bool) {
	return w.cast(r, tMax, f, false)
}

// Any reports whether the ray meets anything from 0 to tMax; it stops at the first
// thing it finds.
func (w *World) Any(r geom.Ray, tMax float64, f *Filter) bool {
	_, ok := w.cast(r, tMax, f, true)
	return ok
}

// NearestBetween finds what the segment from a to b meets first, its ends included.
// ok is false when it meets nothing, and when a is b.
func (w *World) NearestBetween(a, b Vec3, f *Filter) (h Hit, ok bool) {
	return w.cast(geom.Ray{Origin: a, Dir: b.Sub(a)}, 1, f, false)
}

// AnyBetween reports whether anything lies on the segment from a to b.
func (w *World) AnyBetween(a, b Vec3, f *Filter) bool {
	_, ok := w.cast(geom.Ray{Origin: a, Dir: b.Sub(a)}, 1, f, true)
	return ok
}

func (w *World) cast(r geom.Ray, tMax float64, filter *Filter, any bool) (Hit, bool) {
	length := r.Dir.Len()
	if !(length > 0 && length <= math.MaxFloat64) || !finite(r.Origin) || !(tMax >= 0) {
		return Hit{}, false
	}
	var f Filter
	if filter != nil {
		f = *filter
	}
	best := Hit{T: tMax}
	found := false
	if w.ground != nil && !f.NoGround {
		if b, is := w.ground.(Blocker); is && any {
			if b.Blocked(r, tMax) {
				return Hit{}, true
			}
		} else if g, ok := w.ground.Ray(r, tMax); ok {
			best = Hit{T: g.T, Normal: g.Normal, U: g.U, V: g.V, Triangle: g.Triangle, Body: OnGround}
			found = true
		}
	}
	if !f.NoBodies && !(any && found) {
		w.tree.Walk(r, best.T, func(item int, _ float64) float64 {
			if h, ok := w.castBody(r, best.T, item, f, any); ok && !(any && found) {
				best, found = h, true
				if any {
					best.T = -1 // nothing is left to be looked at
				}
			}
			return best.T
		})
	}
	if !found {
		return Hit{}, false
	}
	finishHit(&best, r, length)
	return best, true
}

func finishHit(h *Hit, r geom.Ray, length float64) {
	h.Point = r.At(h.T)
	h.Distance = h.T * length
}

// castBody finds the hit of a ray on one body.
func (w *World) castBody(r geom.Ray, tMax float64, i int, f Filter, any bool) (Hit, bool) {
	o := &w.bodies[i]
	if o.Kind == KindSphere && !f.Exact {
		h, ok := o.castBall(r, tMax)
		h.Body = i
		if ok && f.Accept != nil {
			finishHit(&h, r, r.Dir.Len())
			ok = f.Accept(h)
		}
		return h, ok
	}
	if o.Mesh == nil || o.flat || o.Kind == KindNone && !f.Exact {
		return Hit{}, false
	}
	local := o.localRay(r)
	var accept func(nodetree.TriangleHit) bool
	if f.Accept != nil {
		accept = func(t nodetree.TriangleHit) bool {
			h := o.hit(t)
			h.Body = i
			finishHit(&h, r, r.Dir.Len())
			return f.Accept(h)
		}
	}
	if any {
		return Hit{Body: i}, o.Mesh.tree.Any(local, tMax, accept)
	}
	t, ok := o.Mesh.tree.Nearest(local, tMax, accept)
	if !ok {
		return Hit{}, false
	}
	h := o.hit(t)
	h.Body = i
	return h, true
}

// hit makes a Hit of one on the body's mesh.
func (o *body) hit(t nodetree.TriangleHit) Hit {
	return Hit{T: t.T, U: t.U, V: t.V, Triangle: t.Triangle, Normal: o.normal(o.Mesh.corners(t.Triangle)), ID: o.ID}
}

// castBall meets the surface of the ball from outside or inside.
func (o *body) castBall(r geom.Ray, tMax float64) (Hit, bool) {
	if o.ball.Radius <= 0 {
		return Hit{}, false
	}
	// From the point of the ray nearest to the centre, for the sake of rays from afar.
	l := r.Dir.Len()
	d := r.Dir.Mul(1 / l)
	m := o.ball.Center.Sub(r.Origin)
	mid := m.Dot(d)
	off := m.Sub(d.Mul(mid))
	h := o.ball.Radius*o.ball.Radius - off.Dot(off)
	if h < 0 {
		return Hit{}, false
	}
	h = math.Sqrt(h)
	for _, t := range [2]float64{(mid - h) / l, (mid + h) / l} {
		if t >= 0 && t <= tMax {
			n := r.At(t).Sub(o.ball.Center)
			return Hit{T: t, Normal: n.Mul(1 / n.Len()), Triangle: ballPiece, ID: o.ID}, true
		}
	}
	return Hit{}, false
}

func finite(p Vec3) bool {
	s := p[0] + p[1] + p[2]
	return s-s == 0
}
