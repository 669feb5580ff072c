package culltest

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Pad is by how much solids are taken for larger than they are, in metres.
const Pad = 1e-7

// Sight is a line of sight: From + t·Dir, where t is the depth in metres along the
// view, from the near plane on. No more than to Far of it is in the picture.
type Sight struct {
	From, Dir geom.Vec3
	Near, Far float64
}

// At is the point at depth t.
func (s *Sight) At(t float64) geom.Vec3 { return s.From.Add(s.Dir.Mul(t)) }

// body is the convex space behind all of its planes. It may be without depth.
type body []geom.Plane

// through gives the part of the whole line that is within pad of the body; t0 > t1
// for none.
func (b body) through(s *Sight, pad float64) (t0, t1 float64) {
	t0, t1 = math.Inf(-1), math.Inf(1)
	for i := range b {
		d, n := b[i].Distance(s.From)-pad, b[i].N.Dot(s.Dir)
		switch {
		case n < 0:
			t0 = max(t0, -d/n)
		case n > 0:
			t1 = min(t1, -d/n)
		case d > 0:
			return 1, 0
		}
	}
	return t0, t1
}

// holds reports whether p is inside, by margin.
func (b body) holds(p geom.Vec3, margin float64) bool {
	for i := range b {
		if b[i].Distance(p) > -margin {
			return false
		}
	}
	return true
}

// placed is the body after a matrix that may do anything but collapse it.
func (b body) placed(m mgl64.Mat4) body {
	inv := m.Inv().Transpose()
	out := make(body, len(b))
	for i, p := range b {
		q := inv.Mul4x1(p.N.Vec4(p.D))
		n := q.Vec3()
		l := 1 / n.Len()
		out[i] = geom.Plane{N: n.Mul(l), D: q[3] * l}
		// A point of the plane tells D better, far from the origin.
		at := mgl64.TransformCoordinate(p.N.Mul(-p.D), m)
		out[i].D = -out[i].N.Dot(at)
	}
	return out
}

// middle of some points.
func middle(points []geom.Vec3) geom.Vec3 {
	var c geom.Vec3
	for _, p := range points {
		c = c.Add(p.Mul(1 / float64(len(points))))
	}
	return c
}

func planeAt(n, p geom.Vec3) geom.Plane {
	n = n.Normalize()
	return geom.Plane{N: n, D: -n.Dot(p)}
}

// prism is the space behind the edges of a convex polygon, counter-clockwise seen
// against n, without ends.
func prism(polygon []geom.Vec3, n geom.Vec3) body {
	var b body
	for i, p := range polygon {
		b = append(b, planeAt(polygon[(i+1)%len(polygon)].Sub(p).Cross(n), p))
	}
	return b
}

// slab is what lies between two polygons with the same number of corners in parallel
// planes, of which the outer one is counter-clockwise seen against n and as large or
// larger. Both may be the same.
func slab(outer, inner []geom.Vec3, n geom.Vec3) body {
	b := body{planeAt(n, outer[0]), planeAt(n.Mul(-1), inner[0])}
	for i, p := range outer {
		q := outer[(i+1)%len(outer)]
		side := q.Sub(p).Cross(n)
		if d := inner[i].Sub(p); d.Len() > 1e-9 {
			side = q.Sub(p).Cross(d.Mul(-1))
		}
		b = append(b, planeAt(side, p))
	}
	return b
}

// wall is a solid with openings: convex prisms through it.
type wall struct {
	solid    body
	openings []body
}

// stop is the depth at which the line of sight ends at the wall. It passes through an
// opening if it is in that one all the way: from one into another that overlaps it counts as
// hidden, as no portal need be crossed on that way. If it begins inside of the wall, it
// leaves that part of it unhindered, as only front faces are drawn.
func (w *wall) stop(s *Sight) float64 {
	in, out := w.solid.through(s, Pad)
	if in > out || out < s.Near {
		return math.Inf(1)
	}
	begin := max(in, s.Near)
	ahead, stop := math.Inf(1), math.Inf(1)
	for _, o := range w.openings {
		t0, t1 := o.through(s, -Pad)
		switch {
		case t0 >= t1 || t1 <= begin:
		case t0 <= begin && t1 >= out:
			return math.Inf(1)
		case t0 <= begin: // it hits the opening's side, unless it is in another one
			stop = min(stop, t1)
		case t0 < ahead: // beyond some of the wall
			if ahead = t0; t1 < out {
				stop = min(stop, t1)
			}
		}
	}
	if in >= s.Near-Pad {
		return in
	}
	return stop
}

// sheet is a flat thing: a panel, or the leaf of a door.
type sheet struct {
	plane   geom.Plane
	outline body // prism
	// edges are the outline of one that is not convex.
	edges, hole []geom.Vec3
	oneWay      bool // light passes against the normal
}

// stop is the depth at which the line of sight ends at the sheet.
func (w *sheet) stop(s *Sight) float64 {
	n := w.plane.N.Dot(s.Dir)
	if n == 0 || w.oneWay && n < 0 {
		return math.Inf(1)
	}
	t := -w.plane.Distance(s.From) / n
	if t < s.Near-Pad {
		return math.Inf(1)
	}
	p := s.At(t)
	if w.outline != nil {
		if !w.outline.holds(p, -Pad) {
			return math.Inf(1)
		}
		return t
	}
	if !within(p, w.edges, w.plane.N, Pad) || w.hole != nil && within(p, w.hole, w.plane.N, -Pad) {
		return math.Inf(1)
	}
	return t - Pad
}

// within reports whether q, in the plane of a polygon, lies in it or less than pad
// outside; more than that inside for pad below 0.
func within(q geom.Vec3, points []geom.Vec3, n geom.Vec3, pad float64) bool {
	turn, nearest := 0.0, math.Inf(1)
	for i, a := range points {
		b := points[(i+1)%len(points)]
		u, v := a.Sub(q), b.Sub(q)
		turn += math.Atan2(n.Dot(u.Cross(v)), u.Dot(v))
		e := b.Sub(a)
		t := mgl64.Clamp(-u.Dot(e)/e.Dot(e), 0, 1)
		nearest = min(nearest, u.Add(e.Mul(t)).Len())
	}
	if math.Abs(turn) < 3 {
		nearest = -nearest
	}
	return nearest >= -pad
}

// stopHull is the depth at which the line of sight ends at the front of a solid hull.
func stopHull(planes body, s *Sight) float64 {
	t0, t1 := planes.through(s, Pad)
	if t0 > t1 || t0 < s.Near-Pad {
		return math.Inf(1)
	}
	return t0
}

func bodyOf(h *hull.Hull) body {
	b := make(body, len(h.Planes))
	for i, p := range h.Planes {
		b[i] = planeAt(p.N, h.Vertices[h.Faces[i][0]])
	}
	return b
}

// Within gives the depths between which the line of sight is in a box; t0 > t1 for
// none.
func Within(s *Sight, b geom.Box) (t0, t1 float64) {
	t0, t1 = s.Near, s.Far
	for a := range 3 {
		if s.Dir[a] == 0 {
			if s.From[a] < b.Min[a] || s.From[a] > b.Max[a] {
				return 1, 0
			}
			continue
		}
		u, v := (b.Min[a]-s.From[a])/s.Dir[a], (b.Max[a]-s.From[a])/s.Dir[a]
		t0, t1 = max(t0, min(u, v)), min(t1, max(u, v))
	}
	return t0, t1
}
