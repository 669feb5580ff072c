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
}

func (r *ring) load(corners []geom.Vec3, planes []geom.Plane) {
	r.n = copy(r.corners[:], corners)
	copy(r.planes[:], planes)
}

func (r *ring) push(c geom.Vec3, p geom.Plane) {
	r.corners[r.n], r.planes[r.n] = c, p
	r.n++
}

// What a cut left.
const (
	cutAll  = iota // the ring is as it was
	cutPart        // the rest is in to
	cutNone        // nothing
	cutFull        // to has no room
)

// cut keeps what is not more than margin metres before the plane.
func (r *ring) cut(to *ring, p geom.Plane, margin float64) int {
	var d [len(r.corners)]float64
	in, out := 0, 0
	for i := range r.n {
		d[i] = p.Distance(r.corners[i]) + margin
		if d[i] < 0 {
			out++
		} else {
			in++
		}
	}
	switch {
	case out == 0:
		return cutAll
	case in == 0:
		return cutNone
	case in+2 > len(to.corners):
		return cutFull
	}
	to.n = 0
	for i := range r.n {
		j := i + 1
		if j == r.n {
			j = 0
		}
		if d[i] >= 0 {
			to.push(r.corners[i], r.planes[i])
		}
		if d[i] >= 0 != (d[j] >= 0) {
			at := r.corners[i].Add(r.corners[j].Sub(r.corners[i]).Mul(d[i] / (d[i] - d[j])))
			if d[i] >= 0 {
				to.push(at, p) // out of the plane, along it
			} else {
				to.push(at, r.planes[i])
			}
		}
	}
	return cutPart
}

// sight gives the gate as this view sees it: the polygon cut by the frustum, and which
// way light may cross it.
func (t *Tracer) sight(gate int32) *sight {
	s := &t.views[gate]
	if s.turn == t.turn {
		return s
	}
	g := &t.g.gates[gate]
	*s = sight{turn: t.turn, front: true, behind: true, shown: true}
	if g.space {
		s.open = true
		return s
	}
	s.center, s.radius = g.center.Sub(t.eye), g.radius
	n := g.plane.N
	// off is where the eye is: its distance from the plane, or of parallel light the
	// sine under which it falls in, both positive on the normal's side.
	off := -n.Dot(s.center)
	near := max(t.reach, 1e-6, t.g.tol)
	if t.ortho {
		off = -n.Dot(t.dir)
		near = edgeOn
	} else {
		s.open = math.Abs(off) <= near
	}
	if !g.both {
		s.front, s.behind = off >= -near, off <= near
	}
	margin := cutSlack * (s.center.Len() + s.radius)
	slack := margin
	if s.open {
		slack += t.reach
	}
	straddle := false
	for i := range t.sides {
		d := t.sides[i].Distance(s.center)
		if d < -s.radius-slack {
			s.shown = false
			return s
		}
		straddle = straddle || d < s.radius
	}
	if t.ortho && t.near.Distance(s.center) < -s.radius-margin {
		s.shown = false // the light begins beyond it
		return s
	}
	if s.open {
		return s
	}
	r, to := &t.a, &t.b
	r.n = 0
	sign := 1.0
	if off < 0 {
		sign = -1
	}
	for i, p := range g.points {
		a := p.Sub(t.eye)
		q := g.points[(i+1)%len(g.points)].Sub(p)
		line := a
		if t.ortho {
			line = t.dir
		}
		m := q.Cross(line)
		l, full := m.Len(), q.Len()*line.Len()
		var plane geom.Plane // of no normal: nothing is before it
		if l > edgeOn*full {
			plane.N = m.Mul(sign / l)
			if t.ortho {
				plane.D = -plane.N.Dot(a)
			}
		}
		r.push(a, plane)
	}
	if straddle {
		for i := range t.sides {
			switch r.cut(to, t.sides[i], margin) {
			case cutNone:
				s.shown = false
				return s
			case cutPart:
				r, to = to, r
			}
		}
	}
	s.first, s.n = int32(len(t.corners)), int32(r.n)
	t.corners = append(t.corners, r.corners[:r.n]...)
	t.planes = append(t.planes, r.planes[:r.n]...)
	return s
}
