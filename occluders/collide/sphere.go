package collide

import (
	"math"

	"ridgeline/occluders/geom"
)

// Overlap tells whether two spheres overlap and the shortest way by which a must
// move to touch b only. Spheres that touch do not overlap. Of two with one centre, a
// moves up.
func Overlap(a, b geom.Sphere) (way Vec3, ok bool) {
	d := a.Center.Sub(b.Center)
	l := d.Len()
	if gap := a.Radius + b.Radius - l; gap > 0 {
		if l == 0 {
			return Vec3{0, gap, 0}, true
		}
		return d.Mul(gap / l), true
	}
	return Vec3{}, false
}

// Pair is two bodies whose balls overlap: A < B, and Way is the shortest way by
// which A must move to touch B only.
type Pair struct {
	A, B int
	Way  Vec3
}

// AppendOverlaps appends the bodies of kind KindSphere whose balls s overlaps, in the
// order of their index.
func (w *World) AppendOverlaps(dst []int32, s geom.Sphere) []int32 {
	if !finite(s.Center) || !(s.Radius > 0) {
		return dst
	}
	from := len(dst)
	dst = w.tree.AppendOverlapping(dst, ballBox(s))
	kept := dst[:from]
	for _, i := range dst[from:] {
		if o := &w.bodies[i]; o.Kind == KindSphere {
			if _, ok := Overlap(s, o.ball); ok {
				kept = append(kept, i)
			}
		}
	}
	return kept
}

// AppendPairs appends every pair of bodies of kind KindSphere whose balls overlap, once.
// scratch is memory for the search, which is returned for the next; nil will do.
func (w *World) AppendPairs(dst []Pair, scratch []int32) ([]Pair, []int32) {
	for i := range w.bodies {
		o := &w.bodies[i]
		if !o.live || o.Kind != KindSphere {
			continue
		}
		scratch = w.AppendOverlaps(scratch[:0], o.ball)
		for _, j := range scratch {
			if int(j) > i {
				way, _ := Overlap(o.ball, w.bodies[j].ball)
				dst = append(dst, Pair{i, int(j), way})
			}
		}
	}
	return dst, scratch
}

// pushRounds bounds the rounds of PushApart.
const pushRounds = 32

// PushApart gives the way by which a sphere must move to overlap no ball of the
// world. It is pushed out of the ball it is deepest in, time and again; ok is false
// when there is no end to it, as between balls that leave no room, and then way is
// as far as it came. scratch is as for AppendPairs.
func (w *World) PushApart(s geom.Sphere, scratch []int32) (way Vec3, ok bool, _ []int32) {
	from := s.Center
	for range pushRounds {
		scratch = w.AppendOverlaps(scratch[:0], s)
		deepest, push := 0.0, Vec3{}
		for _, i := range scratch {
			if v, _ := Overlap(s, w.bodies[i].ball); v.Len() > deepest {
				deepest, push = v.Len(), v
			}
		}
		// Rounding leaves a sphere that was pushed out in touch with the ball.
		if deepest <= 1e-12*(s.Radius+math.Abs(s.Center[0])+math.Abs(s.Center[1])+math.Abs(s.Center[2])) {
			return s.Center.Sub(from), true, scratch
		}
		s.Center = s.Center.Add(push.Mul(1 + 1e-12))
	}
	return s.Center.Sub(from), false, scratch
}

func ballBox(s geom.Sphere) geom.Box {
	r := Vec3{s.Radius, s.Radius, s.Radius}
	return geom.Box{Min: s.Center.Sub(r), Max: s.Center.Add(r)}
}
