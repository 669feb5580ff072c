package scanline

import (
	"math"

	"ridgeline/occluders/hull"
)

// spot is a point of the picture.
type spot struct{ x, y float64 }

// edge is an edge of a surface on the picture, from top to bottom: y0 < y1.
type edge struct {
	x0, y0, x1, y1, m float64
	kind              uint8
}

// Kinds of edges. A convex surface has left and right ones, a polygon the others.
const (
	leftEdge uint8 = iota
	rightEdge
	rimEdge
	holeEdge
)

// at is where the edge is at y, which is within it. Equal edges give equal numbers,
// and the ends are exact.
func (e *edge) at(y float64) float64 {
	switch y {
	case e.y0:
		return e.x0
	case e.y1:
		return e.x1
	}
	return min(max(e.x0+(y-e.y0)*e.m, min(e.x0, e.x1)), max(e.x0, e.x1))
}

// surface is what an occluder covers of the picture: a convex part of it or, when flat,
// a polygon with holes.
type surface struct {
	owner          int32
	flat           bool
	ready          bool // edges and slopes are made
	hull           *hull.Hull
	corner         int32 // of a hull that is not ready, its first corner on the picture
	edge, edges    int32
	slope, slopes  int32
	x0, x1, y0, y1 float64
	nearest        float64 // depth
	reach          float64 // how far from the eye it reaches at most, metres
	margin         float64 // pixels by which an edge may be off
}

// bounds starts the bounds of a surface.
func (s *surface) bounds() {
	s.x0, s.x1, s.y0, s.y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
}

func (s *surface) hold(x, y float64) {
	s.x0, s.x1 = min(s.x0, x), max(s.x1, x)
	s.y0, s.y1 = min(s.y0, y), max(s.y1, y)
}

// worth reports whether enough of the surface is on the picture.
func (b *Buffer) worth(s *surface) bool {
	w := min(s.x1, b.view.width) - max(s.x0, 0)
	h := min(s.y1, b.view.height) - max(s.y0, 0)
	if !(w > 0 && h > 0) {
		b.stats.Outside++
		return false
	}
	if w*h < b.minOccluder() {
		b.stats.Small++
		return false
	}
	return true
}

// addHull adds a hull no corner of which is nearer than the near plane, or gives
// crossing.
func (b *Buffer) addHull(owner int32, h *hull.Hull) (used, crossing bool) {
	v := &b.view
	s := surface{owner: owner, hull: h, corner: int32(len(b.corners))}
	s.bounds()
	least, reach := math.Inf(1), 0.0
	for _, at := range h.Vertices {
		p := vec3{at[0] - v.eye[0], at[1] - v.eye[1], at[2] - v.eye[2]}
		x, y, w := v.project(p)
		if !(w >= v.near) {
			b.corners = b.corners[:s.corner]
			return false, true
		}
		s.hold(x, y)
		least = min(least, w)
		reach = max(reach, math.Abs(p[0])+math.Abs(p[1])+math.Abs(p[2]))
		b.corners = append(b.corners, spot{x, y})
	}
	if !b.worth(&s) {
		b.corners = b.corners[:s.corner]
		return false, false
	}
	s.nearest, s.reach = v.depth(least), reach
	s.margin = v.err(reach, least)
	b.surfaces = append(b.surfaces, s)
	return true, false
}

// front reports whether a face is seen from before, for certain, and gives a bound of
// its depth. Its points are those of b.face, up to reach from the eye.
func (b *Buffer) front(n vec3, reach float64) (s slope, ok bool) {
	v := &b.view
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range b.face {
		d := n[0]*p[0] + n[1]*p[1] + n[2]*p[2]
		if d < least {
			least = d
		}
		if d > most {
			most = d
		}
	}
	if v.ortho {
		ok = -n.Dot(v.along) > 0x1p-40
	} else {
		ok = -most > 0x1p-46*reach
	}
	if !ok {
		return s, false
	}
	return v.slopeOf(n, least, reach), true
}

// turned reports whether a face may be seen from before: at is one of its points.
func (b *Buffer) turned(n, at vec3) bool {
	v := &b.view
	if v.ortho {
		return n.Dot(v.along) < 0
	}
	return n[0]*(at[0]-v.eye[0])+n[1]*(at[1]-v.eye[1])+n[2]*(at[2]-v.eye[2]) < 0
}

// reach is how far the points of b.face are from the eye at most.
func (b *Buffer) reach() (reach float64) {
	for _, p := range b.face {
		reach = max(reach, math.Abs(p[0])+math.Abs(p[1])+math.Abs(p[2]))
	}
	return reach
}

// faceOf puts the corners of a face into b.face, relative to the eye.
func (b *Buffer) faceOf(h *hull.Hull, face []int32) {
	b.face = b.face[:0]
	for _, i := range face {
		b.face = append(b.face, h.Vertices[i].Sub(b.view.eye))
	}
}

// make makes the edges and slopes of a hull.
func (b *Buffer) make(s *surface) {
	h := s.hull
	s.ready = true
	s.slope = int32(len(b.slopes))
	s.edge = int32(len(b.edges))
	b.seen = grown(b.seen, len(h.Vertices))
	clear(b.seen)
	b.outline = b.outline[:0]
	for f, face := range h.Faces {
		if !b.turned(h.Planes[f].N, h.Vertices[face[0]]) {
			continue
		}
		b.faceOf(h, face)
		line, ok := b.front(h.Planes[f].N, s.reach)
		if !ok {
			continue
		}
		b.slopes = append(b.slopes, line)
		for _, i := range face {
			if !b.seen[i] {
				b.seen[i] = true
				b.outline = append(b.outline, b.corners[int(s.corner)+int(i)])
			}
		}
	}
	s.slopes = int32(len(b.slopes)) - s.slope
	// A face that is edge-on is left out, and with it the hair by which its far end may
	// rise above the others or fall below: no edge goes there.
	s.y0, s.y1 = math.Inf(1), math.Inf(-1)
	for _, p := range b.outline {
		s.y0, s.y1 = min(s.y0, p.y), max(s.y1, p.y)
	}
	b.convexEdges()
	s.edges = int32(len(b.edges)) - s.edge
}

// addFaces adds each front face of a hull, clipped at the near plane, as a surface.
func (b *Buffer) addFaces(owner int32, h *hull.Hull) (used bool) {
	for f, face := range h.Faces {
		b.faceOf(h, face)
		line, ok := b.front(h.Planes[f].N, b.reach())
		if !ok {
			continue
		}
		s := surface{owner: owner, ready: true}
		b.outline = b.outline[:0]
		if !b.clip(&s, b.face) || !b.worth(&s) {
			continue
		}
		s.slope, s.slopes = int32(len(b.slopes)), 1
		b.slopes = append(b.slopes, line)
		s.edge = int32(len(b.edges))
		b.convexEdges()
		s.edges = int32(len(b.edges)) - s.edge
		b.surfaces = append(b.surfaces, s)
		used = true
	}
	return used
}

// clip puts what of a polygon is not nearer than the near plane into b.outline,
// projected, and sets the bounds of s; ok is false if nothing is left.
func (b *Buffer) clip(s *surface, loop []vec3) (ok bool) {
	v := &b.view
	s.bounds()
	least, reach := math.Inf(1), 0.0
	put := func(p vec3) {
		x, y, w := v.project(p)
		w = max(w, v.near)
		s.hold(x, y)
		least = min(least, w)
		reach = max(reach, math.Abs(p[0])+math.Abs(p[1])+math.Abs(p[2]))
		b.outline = append(b.outline, spot{x, y})
	}
	for i, p := range loop {
		q := loop[(i+1)%len(loop)]
		pw, qw := v.w.Dot(p), v.w.Dot(q)
		if pw >= v.near {
			put(p)
		}
		if (pw >= v.near) != (qw >= v.near) {
			if before(q, p) { // the same point from both sides of the edge
				p, q, pw, qw = q, p, qw, pw
			}
			t := (v.near - pw) / (qw - pw)
			put(p.Add(q.Sub(p).Mul(t)))
		}
	}
	s.nearest = v.depth(least)
	// A point that was made by clipping can be off along the edge too.
	s.margin = 8 * v.err(reach, least)
	return len(b.outline) >= 3
}

// before orders points.
func before(a, b vec3) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// convexEdges makes edges around the points of b.outline. (Andrew, "Another Efficient
// Algorithm for Convex Hulls in Two Dimensions", 1979.)
func (b *Buffer) convexEdges() {
	o := b.outline
	for i := 1; i < len(o); i++ {
		p := o[i]
		j := i
		for ; j > 0 && (p.y < o[j-1].y || p.y == o[j-1].y && p.x < o[j-1].x); j-- {
			o[j] = o[j-1]
		}
		o[j] = p
	}
	for kind := leftEdge; kind <= rightEdge; kind++ {
		c := b.chain[:0]
		for _, p := range o {
			for len(c) >= 2 {
				a, m := c[len(c)-2], c[len(c)-1]
				side := (m.x-a.x)*(p.y-a.y) - (p.x-a.x)*(m.y-a.y)
				if kind == leftEdge && side < 0 || kind == rightEdge && side > 0 {
					break
				}
				c = c[:len(c)-1]
			}
			c = append(c, p)
		}
		for i := 1; i < len(c); i++ {
			b.addEdge(c[i-1], c[i], kind)
		}
		b.chain = c
	}
}

// addEdge adds an edge unless it is level.
func (b *Buffer) addEdge(p, q spot, kind uint8) {
	if p.y > q.y {
		p, q = q, p
	}
	if p.y < q.y {
		b.edges = append(b.edges, edge{p.x, p.y, q.x, q.y, (q.x - p.x) / (q.y - p.y), kind})
	}
}

// grown gives s with length n.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
