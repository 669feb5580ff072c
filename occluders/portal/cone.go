package portal

import (
	"math"

	"ridgeline/occluders/geom"
)

const (
	// cutSlack is how much too wide cones are cut, as a part of the distance. It is far
	// above what edge planes lose by rounding and far below a pixel.
	cutSlack = 1e-10
	// boxSlack is the same for boxes. It is above what some cuts in a row may lose.
	boxSlack = 1e-9
	// edgeOn is the sine under which an edge points at the eye: its plane is unknown.
	edgeOn = 1e-6
)

// ring is a polygon relative to the eye that is being clipped. Edge i, from corner i to
// the next, lies in plane i, whose positive side is inside.
type ring struct {
	n       int
	corners [2 * MaxPlanes]geom.Vec3
	planes  [2 * MaxPlanes]geom.Plane
	d       [2 * MaxPlanes]float64 // scratch of cut
}

func (r *ring) load(corners []geom.Vec3, planes []geom.Plane) {
	r.n = copy(r.corners[:], corners)
	copy(r.planes[:], planes)
}

// What a cut left.
const (
	cutAll  = iota // the ring is as it was
	cutPart        // the rest is in to
	cutNone        // nothing
	cutFull        // to has no room
)

// cut keeps what is not more than margin metres before the plane.
func (r *ring) cut(to *ring, p *geom.Plane, margin float64) int {
	in := 0
	for i := range r.n {
		r.d[i] = dist(p, &r.corners[i]) + margin
		if r.d[i] >= 0 {
			in++
		}
	}
	switch {
	case in == r.n:
		return cutAll
	case in == 0:
		return cutNone
	case in+2 > len(to.corners):
		return cutFull
	}
	n := 0
	for i := range r.n {
		j := i + 1
		if j == r.n {
			j = 0
		}
		u, v := r.d[i], r.d[j]
		if u >= 0 {
			to.corners[n], to.planes[n] = r.corners[i], r.planes[i]
			n++
		}
		if (u >= 0) != (v >= 0) {
			a, b, f := &r.corners[i], &r.corners[j], u/(u-v)
			for k := range a {
				to.corners[n][k] = a[k] + (b[k]-a[k])*f
			}
			if u >= 0 {
				to.planes[n] = *p // out of the plane, along it
			} else {
				to.planes[n] = r.planes[i]
			}
			n++
		}
	}
	to.n = n
	return cutPart
}

// dist is p.Distance(c) without copies.
func dist(p *geom.Plane, c *geom.Vec3) float64 {
	return p.N[0]*c[0] + p.N[1]*c[1] + p.N[2]*c[2] + p.D
}

// sight places the gate in this view: which way light may cross it, and whether the
// ball around it is in the frustum. Its polygon is cut when first asked for.
func (t *Tracer) sight(gate int32) *sight {
	s := &t.views[gate]
	if s.turn == t.turn {
		return s
	}
	g := &t.g.gates[gate]
	s.turn, s.front, s.behind, s.shown, s.open, s.n = t.turn, true, true, true, g.space, -1
	if g.space {
		return s
	}
	for a := range s.center {
		s.center[a] = g.center[a] - t.eye[a]
	}
	s.radius = g.radius
	s.margin = cutSlack * (math.Abs(s.center[0]) + math.Abs(s.center[1]) + math.Abs(s.center[2]) + s.radius)
	// off is where the eye is: its distance from the plane, or of parallel light the
	// sine under which it falls in, both positive on the normal's side.
	n := &g.plane.N
	near := max(t.reach, 1e-6, t.g.tol) + g.inset
	if t.ortho {
		s.off = -(n[0]*t.dir[0] + n[1]*t.dir[1] + n[2]*t.dir[2])
		near = edgeOn
	} else {
		s.off = -(n[0]*s.center[0] + n[1]*s.center[1] + n[2]*s.center[2])
		s.open = math.Abs(s.off) <= near
	}
	if !g.both {
		s.front, s.behind = s.off >= -near, s.off <= near
	}
	slack := s.margin
	if s.open {
		slack += t.reach + g.inset
	}
	s.within = true
	for i := range t.sides {
		d := dist(&t.sides[i], &s.center)
		if d < -s.radius-slack {
			s.shown = false
			return s
		}
		s.within = s.within && d >= s.radius
	}
	if t.ortho && dist(&t.near, &s.center) < -s.radius-s.margin {
		s.shown = false // the light begins beyond it
	}
	return s
}

// outline cuts the polygon of a gate, of a sight that clips, by the frustum.
func (t *Tracer) outline(gate int32, s *sight) {
	g := &t.g.gates[gate]
	r, to := &t.a, &t.b
	r.n = len(g.points)
	sign := 1.0
	if s.off < 0 {
		sign = -1
	}
	for i := range g.points {
		r.corners[i] = g.points[i].Sub(t.eye)
	}
	for i := range r.n {
		a, b := &r.corners[i], &r.corners[0]
		if i+1 < r.n {
			b = &r.corners[i+1]
		}
		q := geom.Vec3{b[0] - a[0], b[1] - a[1], b[2] - a[2]}
		line := a
		if t.ortho {
			line = &t.dir
		}
		m := geom.Vec3{q[1]*line[2] - q[2]*line[1], q[2]*line[0] - q[0]*line[2], q[0]*line[1] - q[1]*line[0]}
		square := m[0]*m[0] + m[1]*m[1] + m[2]*m[2]
		full := (q[0]*q[0] + q[1]*q[1] + q[2]*q[2]) * (line[0]*line[0] + line[1]*line[1] + line[2]*line[2])
		p := &r.planes[i]
		*p = geom.Plane{} // of no normal: nothing is before it
		if square > edgeOn*edgeOn*full {
			f := sign / math.Sqrt(square)
			p.N = geom.Vec3{m[0] * f, m[1] * f, m[2] * f}
			if t.ortho {
				p.D = -p.N.Dot(*a)
			}
		}
	}
	if !s.within {
		for i := range t.sides {
			if dist(&t.sides[i], &s.center) >= s.radius {
				continue
			}
			switch r.cut(to, &t.sides[i], s.margin) {
			case cutNone:
				s.shown = false
				return
			case cutPart:
				r, to = to, r
			}
		}
	}
	s.first, s.n = int32(len(t.corners)), int32(r.n)
	t.corners = append(t.corners, r.corners[:r.n]...)
	t.planes = append(t.planes, r.planes[:r.n]...)
}
