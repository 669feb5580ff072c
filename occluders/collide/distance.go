package collide

import "math"

// piece is something convex that a moving capsule meets: a triangle, or a ball when
// ball is set (its centre is a, its radius ball). Coordinates are relative to the
// Slider's base.
type piece struct {
	a, b, c  Vec3 // counter-clockwise about n
	n        Vec3 // unit normal of the triangle
	lo, hi   Vec3 // its box
	ball     float64
	body     int32 // -1 is the ground
	triangle int32
}

// ballPiece, as the triangle number of a piece, says that it is a ball.
const ballPiece = -1

func (p *piece) isBall() bool { return p.triangle == ballPiece }

// closest is how a segment stands to a piece.
type closest struct {
	d  float64 // the distance; negative within a ball
	n  Vec3    // unit, from the piece to the segment
	at Vec3    // the nearest point of the piece
}

// closestTo finds the nearest points of the segment from p to q and the piece.
func (t *piece) closestTo(p, q Vec3) closest {
	if t.isBall() {
		on := nearestOnSegment(t.a, p, q)
		out := on.Sub(t.a)
		l := out.Len()
		n := Vec3{0, 1, 0}
		if l > 0 {
			n = out.Mul(1 / l)
		}
		return closest{l - t.ball, n, t.a.Add(n.Mul(t.ball))}
	}
	sp, sq := t.n.Dot(p.Sub(t.a)), t.n.Dot(q.Sub(t.a))
	inP, inQ := t.covers(p), t.covers(q)
	if sp < 0 != (sq < 0) {
		x := p.Add(q.Sub(p).Mul(sp / (sp - sq)))
		if t.covers(x) {
			return t.pierced(sp, sq, x)
		}
	}
	best := math.Inf(1)
	var out, at Vec3 // out leads from the piece to the segment
	if inP {
		best, out = sp*sp, t.n.Mul(sp)
		at = p.Sub(out)
	}
	if inQ && sq*sq < best {
		best, out = sq*sq, t.n.Mul(sq)
		at = q.Sub(out)
	}
	if inP && inQ { // then all of the segment lies over the triangle
		return t.finish(best, out, at, sp+sq)
	}
	for _, e := range [3][2]*Vec3{{&t.a, &t.b}, {&t.b, &t.c}, {&t.c, &t.a}} {
		x, y := nearestOfSegments(p, q, *e[0], *e[1])
		d := x.Sub(y)
		if l := d.Dot(d); l < best {
			best, out, at = l, d, y
		}
	}
	return t.finish(best, out, at, sp+sq)
}

// finish makes a closest of a squared distance; side tells the side of the triangle
// on which most of the segment lies, for when the two touch.
func (t *piece) finish(square float64, out, at Vec3, side float64) closest {
	d := math.Sqrt(square)
	if d < 1e-12 {
		n := t.n
		if side < 0 {
			n = n.Mul(-1)
		}
		return closest{d, n, at}
	}
	return closest{d, out.Mul(1 / d), at}
}

// pierced is the answer for a segment that runs through the triangle at x: a
// distance as far below zero as the segment must be moved, along the normal of the
// side on which most of it lies, to leave the triangle.
func (t *piece) pierced(sp, sq float64, x Vec3) closest {
	if sp+sq >= 0 {
		return closest{min(sp, sq), t.n, x}
	}
	return closest{-max(sp, sq), t.n.Mul(-1), x}
}

// covers reports whether p, moved along the normal, falls into the triangle.
func (t *piece) covers(p Vec3) bool {
	d := p.Sub(t.a)
	ab, ac := t.b.Sub(t.a), t.c.Sub(t.a)
	if t.n.Dot(ab.Cross(d)) < 0 || t.n.Dot(d.Cross(ac)) < 0 {
		return false
	}
	return t.n.Dot(t.c.Sub(t.b).Cross(p.Sub(t.b))) >= 0
}

// nearestOnSegment is the point of the segment from a to b nearest to p.
func nearestOnSegment(p, a, b Vec3) Vec3 {
	ab := b.Sub(a)
	l := ab.Dot(ab)
	if l == 0 {
		return a
	}
	return a.Add(ab.Mul(clamp01(p.Sub(a).Dot(ab) / l)))
}

func clamp01(v float64) float64 { return min(max(v, 0), 1) }

// nearestOfSegments gives the nearest points x of the segment p–q and y of a–b
// (Ericson 2005, 5.1.9). Of nearly parallel segments all four ends are tried too,
// since there the solution of the two lines is lost in rounding.
func nearestOfSegments(p, q, a, b Vec3) (x, y Vec3) {
	d1, d2, r := q.Sub(p), b.Sub(a), p.Sub(a)
	e1, e2 := d1.Dot(d1), d2.Dot(d2)
	if e1 == 0 {
		return p, nearestOnSegment(p, a, b)
	}
	if e2 == 0 {
		return nearestOnSegment(a, p, q), a
	}
	mix, c, f := d1.Dot(d2), d1.Dot(r), d2.Dot(r)
	det := e1*e2 - mix*mix
	s := 0.0
	if det > 0 {
		s = clamp01((mix*f - c*e2) / det)
	}
	t := (mix*s + f) / e2
	if t < 0 {
		t, s = 0, clamp01(-c/e1)
	} else if t > 1 {
		t, s = 1, clamp01((mix-c)/e1)
	}
	x, y = p.Add(d1.Mul(s)), a.Add(d2.Mul(t))
	if det > 1e-4*e1*e2 {
		return x, y
	}
	gap := x.Sub(y)
	best := gap.Dot(gap)
	try := func(u, v Vec3) {
		d := u.Sub(v)
		if l := d.Dot(d); l < best {
			best, x, y = l, u, v
		}
	}
	try(p, nearestOnSegment(p, a, b))
	try(q, nearestOnSegment(q, a, b))
	try(nearestOnSegment(a, p, q), a)
	try(nearestOnSegment(b, p, q), b)
	return x, y
}
