package geom

import "math"

// Ray starts at Origin and runs along Dir. Distances along it are in multiples
// of Dir's length, so a unit Dir gives metres.
type Ray struct{ Origin, Dir Vec3 }

// At is the point at distance t.
func (r Ray) At(t float64) Vec3 { return r.Origin.Add(r.Dir.Mul(t)) }

// Box gives the interval of the ray, from t = 0 on, that lies inside b; ok is
// false when there is none. A ray within a face's plane counts as inside.
func (r Ray) Box(b Box) (enter, leave float64, ok bool) {
	enter, leave = 0, math.Inf(1)
	for i := range r.Origin {
		if r.Dir[i] == 0 {
			if r.Origin[i] < b.Min[i] || r.Origin[i] > b.Max[i] {
				return 0, 0, false
			}
			continue
		}
		inv := 1 / r.Dir[i]
		t0, t1 := (b.Min[i]-r.Origin[i])*inv, (b.Max[i]-r.Origin[i])*inv
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		enter, leave = max(enter, t0), min(leave, t1)
	}
	return enter, leave, enter <= leave
}

// Triangle gives the distance at which the ray meets the triangle a, b, c from
// either side (Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle
// Intersection", 1997). Edges belong to the triangle.
func (r Ray) Triangle(a, b, c Vec3) (t float64, ok bool) {
	e1, e2 := b.Sub(a), c.Sub(a)
	p := r.Dir.Cross(e2)
	det := e1.Dot(p)
	if det == 0 {
		return 0, false
	}
	inv := 1 / det
	s := r.Origin.Sub(a)
	u := s.Dot(p) * inv
	if !(u >= 0 && u <= 1) {
		return 0, false
	}
	q := s.Cross(e1)
	v := r.Dir.Dot(q) * inv
	if !(v >= 0 && u+v <= 1) {
		return 0, false
	}
	t = e2.Dot(q) * inv
	return t, t >= 0
}

// Plane gives the distance at which the ray crosses p; ok is false when it runs
// along p or away from it.
func (r Ray) Plane(p Plane) (t float64, ok bool) {
	d := p.N.Dot(r.Dir)
	if d == 0 {
		return 0, false
	}
	t = -p.Distance(r.Origin) / d
	return t, t >= 0
}
