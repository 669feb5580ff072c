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

// surface is a plane on which something is drawn, with axes of its own.
type surface struct {
	plane  geom.Plane // its normal points to the viewer
	origin mgl64.Vec3 // where the axes begin: on the plane, nearest to the world's origin
	u, v   mgl64.Vec3 // unit; u × v is the normal
	owner  document.ID
	rim    []geom.Plane // positive sides in: what is drawn must stay within
	depth  float64      // how thick the thing is below the point where drawing began; 0 unknown
	beside bool         // there is a terrain, and it is not here
}

// surfaceOf finds the plane that the ray meets: a face of a thing, or level ground at
// the height where it is met. Where nothing is, the level of the world's origin.
func surfaceOf(in Input, snap *Snapping) (s surface, at mgl64.Vec3, ok bool) {
	hit, found := in.Scene.Pick(in.Ray, nil)
	normal := mgl64.Vec3{0, 1, 0}
	side := mgl64.Vec3{1, 0, 0}
	switch {
	case found && hit.ID == 0:
		at = hit.Point
	case found:
		at, s.owner = hit.Point, hit.ID
		normal = hit.Normal
		if normal.Dot(in.Ray.Dir) > 0 {
			normal = normal.Mul(-1) // the inside of a room
		}
		side = in.Scene.Items()[hit.Item].World.Col(0).Vec3()
		s.depth = thickness(in.Scene, &hit, normal)
	case in.Ray.Dir[1] < -1e-6:
		t := -in.Ray.Origin[1] / in.Ray.Dir[1]
		if t <= 0 || t*in.Ray.Dir.Len() > emptyReach {
			return s, at, false
		}
		at = in.Ray.At(t)
		s.beside = in.Scene.Level().HasTerrain()
	default:
		return s, at, false
	}
	if s.owner == 0 && snap.On && snap.Grid > 0 {
		at[1] = math.Round(at[1]/snap.Grid) * snap.Grid
	}
	s.stand(normal, side, at)
	return s, at, true
}

// stand makes the plane through a point. On what leans, one axis is level; on what is
// level, it goes with the side of the thing.
func (s *surface) stand(normal, side, at mgl64.Vec3) {
	up := mgl64.Vec3{0, 1, 0}
	if math.Abs(normal[1]) > 0.999 {
		normal = mgl64.Vec3{0, math.Copysign(1, normal[1]), 0}
		side[1] = 0
		if side.Len() < 1e-9 {
			side = mgl64.Vec3{1, 0, 0}
		}
		s.u = side.Normalize()
	} else {
		if math.Abs(normal[1]) < 1e-6 {
			normal[1] = 0
		}
		normal = normal.Normalize()
		s.u = up.Cross(normal).Normalize()
	}
	s.v = normal.Cross(s.u).Normalize()
	s.plane = geom.Plane{N: normal, D: -normal.Dot(at)}
	s.origin = normal.Mul(-s.plane.D)
}

// thickness is how far it is from a hit on a thing inwards to where the thing ends; 0
// when it doesn't.
func thickness(sc *scene.Scene, hit *scene.Hit, normal mgl64.Vec3) float64 {
	it := &sc.Items()[hit.Item]
	size := it.Box.Size().Len()
	in := geom.Ray{Origin: hit.Point.Sub(normal.Mul(1e-4 * size)), Dir: normal.Mul(-1)}
	back, ok := it.Raycast(in, 2*size)
	if !ok {
		return 0
	}
	return back.Point.Sub(hit.Point).Len()
}

// faceUnder finds the face of a cell that the ray meets first, from outside or inside.
// A pointer that is just beside a cell counts as on it: doors stand on floors.
func faceUnder(in Input) (s surface, at mgl64.Vec3, ok bool) {
	const beside = edgeRadius
	for _, by := range [...]mgl64.Vec2{{}, {0, -beside}, {0, beside}, {beside, 0}, {-beside, 0}} {
		r := in.Ray
		if by != (mgl64.Vec2{}) {
			r = in.Camera.Ray(in.Pixel.Add(by.Mul(in.Scale)), in.Size)
		}
		if s, at, ok = faceAlong(in, r); ok {
			if p, met := s.meet(in); met {
				at = p
			}
			return s, at, true
		}
	}
	return s, at, false
}

// faceAlong finds the face of a cell that a ray meets first.
func faceAlong(in Input, r geom.Ray) (s surface, at mgl64.Vec3, ok bool) {
	best := math.Inf(1)
	var h *hull.Hull
	eachShape(in.Scene, Cells, func(c *shape) {
		if t, ok := c.meets(r); ok && t < best && c.hull != nil {
			best, h, s.owner = t, c.hull, c.id
		}
	}, func(b geom.Box) bool { _, _, ok := r.Box(b); return ok })
	if h == nil {
		return s, at, false
	}
	at = r.At(best)
	// Of the planes near the point, the one that the ray goes through from the right
	// side.
	enters := !h.Contains(r.Origin, 0)
	face, nearest := 0, math.Inf(1)
	for i, p := range h.Planes {
		if d := math.Abs(p.Distance(at)); (p.N.Dot(r.Dir) < 0) == enters && d < nearest {
			face, nearest = i, d
		}
	}
	normal := h.Planes[face].N
	corners := h.AppendFace(nil, face)
	side, longest := mgl64.Vec3{}, 0.0
	for i, p := range corners {
		if e := corners[(i+1)%len(corners)].Sub(p); e.Len() > longest {
			side, longest = e, e.Len()
		}
	}
	if normal.Dot(r.Dir) > 0 {
		normal = normal.Mul(-1)
	}
	s.stand(normal, side, at)
	for i, p := range h.Planes {
		if i != face {
			s.rim = append(s.rim, p.Flip())
		}
	}
	return s, at, true
}

// meet is where the pointer is on the plane; ok is false when it looks along it or away.
func (s *surface) meet(in Input) (mgl64.Vec3, bool) {
	t, ok := in.Ray.Plane(s.plane)
	if !ok || !(t*in.Ray.Dir.Len() < emptyReach) {
		return mgl64.Vec3{}, false
	}
	return in.Ray.At(t), true
}

// snapped is a point of the plane where snapping puts it.
func (s *surface) snapped(in Input, snap *Snapping, p mgl64.Vec3) mgl64.Vec3 {
	if snap == nil || snap.On == (in.Modifiers&Ctrl != 0) {
		return p
	}
	if snap.Vertex {
		list := func(dst []geom.Vec3, near *geom.Frustum) []geom.Vec3 {
			return appendCorners(in.Scene.AppendVertices(dst, near, nil), &in, near, nil)
		}
		if q, ok := gizmo.NearestVertex(viewOf(in), in.Ray, cornerRadius+4, list); ok {
			return q.Sub(s.plane.N.Mul(s.plane.Distance(q)))
		}
	}
	if g := snap.Grid; g > 0 {
		d := p.Sub(s.origin)
		a, b := math.Round(d.Dot(s.u)/g)*g, math.Round(d.Dot(s.v)/g)*g
		return s.origin.Add(s.u.Mul(a)).Add(s.v.Mul(b))
	}
	return p
}

// rectangle is the one between two opposite corners, counter-clockwise seen from where
// the normal points.
func (s *surface) rectangle(a, c mgl64.Vec3) []mgl64.Vec3 {
	d := c.Sub(a)
	du, dv := d.Dot(s.u), d.Dot(s.v)
	r := []mgl64.Vec3{a, a.Add(s.u.Mul(du)), a.Add(s.u.Mul(du)).Add(s.v.Mul(dv)), a.Add(s.v.Mul(dv))}
	if du*dv < 0 {
		r[1], r[3] = r[3], r[1]
	}
	return r
}

// within is the part of a convex polygon that the rim leaves.
func (s *surface) within(points []mgl64.Vec3) []mgl64.Vec3 {
	for _, p := range s.rim {
		points = hull.ClipPolygon(nil, points, p)
	}
	return points
}
