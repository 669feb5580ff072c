package tool

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/gizmo"
)

// Kinds is a set of the kinds of things that make visibility.
type Kinds uint8

// The kinds.
const (
	Occluders Kinds = 1 << iota
	Cells
	Portals
)

// shape is a part of an occluder, a cell or a portal in the world: a hull, or a flat
// polygon.
type shape struct {
	id    document.ID
	kind  document.Kind
	piece int  // of a cell
	hole  bool // of a polygon

	hull   *hull.Hull // nil for a polygon, and for what makes no hull
	points []mgl64.Vec3
	plane  geom.Plane // of a polygon
	inner  []mgl64.Vec3
}

// flat tells that it is a polygon.
func (s *shape) flat() bool { return s.plane.N != (mgl64.Vec3{}) }

// eachShape calls see for the parts of what is shown, neither hidden nor locked, whose
// box passes.
func eachShape(sc *scene.Scene, kinds Kinds, see func(*shape), near func(geom.Box) bool) {
	if sc == nil || kinds == 0 {
		return
	}
	v := sc.Visibility()
	if kinds&Occluders != 0 {
		for i := range v.Occluders {
			if o := &v.Occluders[i]; !o.Hidden && !o.Locked && o.Fault == nil && near(o.Box) {
				shapesOfOccluder(o, see)
			}
		}
	}
	if kinds&Cells != 0 {
		for i := range v.Cells {
			if c := &v.Cells[i]; !c.Hidden && !c.Locked && near(c.Box) {
				shapesOfCell(c, see)
			}
		}
	}
	if kinds&Portals != 0 {
		for i := range v.Portals {
			if p := &v.Portals[i]; !p.Hidden && !p.Locked && near(p.Box) {
				shapesOfPortal(p, see)
			}
		}
	}
}

func shapesOfOccluder(o *scene.Occluder, see func(*shape)) {
	if o.Hull != nil {
		see(&shape{id: o.ID, kind: document.KindOccluder, hull: o.Hull, points: o.Hull.Vertices})
		return
	}
	plane, ok := hull.PolygonPlane(o.Polygon)
	if !ok {
		return
	}
	see(&shape{id: o.ID, kind: document.KindOccluder, points: o.Polygon, plane: plane, inner: o.Hole})
	if o.Hole != nil {
		see(&shape{id: o.ID, kind: document.KindOccluder, hole: true, points: o.Hole, plane: plane})
	}
}

func shapesOfCell(c *scene.Cell, see func(*shape)) {
	if c.Fault != nil && len(c.Pieces) == 0 {
		return
	}
	for i, h := range c.Pieces {
		see(&shape{id: c.ID, kind: document.KindCell, piece: i, hull: h, points: h.Vertices})
	}
}

func shapesOfPortal(p *scene.Portal, see func(*shape)) {
	if plane, ok := hull.PolygonPlane(p.Polygon); ok {
		see(&shape{id: p.ID, kind: document.KindPortal, points: p.Polygon, plane: plane})
	}
}

// shapesOf are the parts of one entity, whether it is shown or not.
func shapesOf(sc *scene.Scene, id document.ID) (out []shape) {
	v := sc.Visibility()
	see := func(s *shape) { out = append(out, *s) }
	if i, ok := v.Occluder(id); ok && v.Occluders[i].Fault == nil {
		shapesOfOccluder(&v.Occluders[i], see)
	}
	if i, ok := v.Cell(id); ok && v.Cells[i].Fault == nil { // else the pieces have other numbers
		shapesOfCell(&v.Cells[i], see)
	}
	if i, ok := v.Portal(id); ok {
		shapesOfPortal(&v.Portals[i], see)
	}
	return out
}

// edges calls see for each edge.
func (s *shape) edges(see func(i, a, b int)) {
	if s.hull == nil {
		for i := range s.points {
			see(i, i, (i+1)%len(s.points))
		}
		return
	}
	i := 0
	for e := range s.hull.Edges() {
		see(i, int(e.From), int(e.To))
		i++
	}
}

// Reaches of the pointer, in dp.
const (
	edgeRadius   = 6
	cornerRadius = 8
)

// shapeUnder is the thing that makes visibility under the pointer: the one with the
// nearest edge on the screen, else, if faces count, the one whose face the ray meets
// first. Cells, which fill the picture from inside, come after what lies on them.
func shapeUnder(in Input, kinds Kinds, faces bool) (document.ID, bool) {
	if id, ok := edgeUnder(in, kinds); ok || !faces {
		return id, ok
	}
	found, best, ok := faceOf(in, kinds&^Cells)
	if cell, at, is := faceOf(in, kinds&Cells); is && !(ok && best*(1-1e-3) <= at) {
		return cell, true
	}
	return found, ok
}

// faceOf is the thing whose face the ray meets first, and how far away.
func faceOf(in Input, kinds Kinds) (found document.ID, at float64, ok bool) {
	at = math.Inf(1)
	eachShape(in.Scene, kinds, func(s *shape) {
		if t, ok := s.meets(in.Ray); ok && t < at && !s.hole {
			at, found = t, s.id
		}
	}, func(b geom.Box) bool { _, _, ok := in.Ray.Box(b); return ok })
	return found, at, found != 0
}

// shapesInside are the things of what is shown of which a corner, or an edge, is in a
// frustum.
func shapesInside(in Input, f *geom.Frustum) (out []document.ID) {
	eachShape(in.Scene, in.Shown, func(s *shape) {
		if n := len(out); n > 0 && out[n-1] == s.id {
			return
		}
		inside := false
		s.edges(func(_, a, b int) { inside = inside || crosses(f, s.points[a], s.points[b]) })
		if inside {
			out = append(out, s.id)
		}
	}, func(b geom.Box) bool { return f.Box(b) != geom.Outside })
	return out
}

// crosses reports whether a part of a line from a to b is in a frustum.
func crosses(f *geom.Frustum, a, b mgl64.Vec3) bool {
	from, to := 0.0, 1.0
	for _, p := range f.Planes {
		da, db := p.Distance(a), p.Distance(b)
		switch {
		case da < 0 && db < 0:
			return false
		case da < 0:
			from = max(from, da/(da-db))
		case db < 0:
			to = min(to, da/(da-db))
		}
	}
	return from <= to
}

func edgeUnder(in Input, kinds Kinds) (found document.ID, ok bool) {
	f := in.Camera.Frustum(in.Size)
	best := edgeRadius * in.Scale
	pad := mgl64.Vec2{best + 1, best + 1}
	around := gizmo.Marquee(in.Pixel.Sub(pad), in.Pixel.Add(pad), viewOf(in))
	eachShape(in.Scene, kinds, func(s *shape) {
		s.edges(func(_, a, b int) {
			if d, ok := toEdge(in, &f, s.points[a], s.points[b]); ok && d < best {
				best, found = d, s.id
			}
		})
	}, func(b geom.Box) bool { return around.Box(b) != geom.Outside })
	return found, found != 0
}

// toEdge is the distance of the pointer, in pixels, from the part of an edge that is
// before the eye.
func toEdge(in Input, f *geom.Frustum, a, b mgl64.Vec3) (float64, bool) {
	near := f.Planes[4]
	da, db := near.Distance(a), near.Distance(b)
	switch {
	case da < 0 && db < 0:
		return 0, false
	case da < 0:
		a = a.Add(b.Sub(a).Mul(da / (da - db) * (1 + 1e-9)))
	case db < 0:
		b = b.Add(a.Sub(b).Mul(db / (db - da) * (1 + 1e-9)))
	}
	p, _, ok := in.Camera.Project(a, in.Size)
	q, _, also := in.Camera.Project(b, in.Size)
	if !ok || !also {
		return 0, false
	}
	return toSegment(in.Pixel, p, q), true
}

// meets is where a ray meets the shape: of a hull around the eye, where it leaves.
func (s *shape) meets(r geom.Ray) (float64, bool) {
	if s.hull != nil {
		enter, leave, ok := s.hull.Ray(r)
		if ok && enter <= 0 {
			return leave, leave > 0
		}
		return enter, ok
	}
	t, ok := r.Plane(s.plane)
	if !ok || t <= 0 {
		return 0, false
	}
	p, tol := r.At(t), hull.PolygonTolerance(s.points)
	return t, hull.PolygonContains(s.points, s.plane, p, tol) &&
		(s.inner == nil || !hull.PolygonContains(s.inner, s.plane, p, tol))
}

// appendCorners appends the corners of what is shown that lie in a frustum, but those
// of entities that skip, which may be nil, reports true for.
func appendCorners(dst []geom.Vec3, in *Input, f *geom.Frustum, skip func(document.ID) bool) []geom.Vec3 {
	eachShape(in.Scene, in.Shown, func(s *shape) {
		if skip != nil && skip(s.id) {
			return
		}
		for _, p := range s.points {
			if f.Point(p) {
				dst = append(dst, p)
			}
		}
	}, func(b geom.Box) bool { return f.Box(b) != geom.Outside })
	return dst
}
