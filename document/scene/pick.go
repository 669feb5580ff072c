package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// Hit is where a ray meets the level first.
type Hit struct {
	ID       document.ID // 0: the ground
	Item     int32       // slot; -1: the ground
	Point    mgl64.Vec3
	Normal   mgl64.Vec3 // unit, outwards, whatever side the ray came from
	Distance float64    // in lengths of the ray's direction
	Triangle int        // of the item's model
	U, V     float64    // P = A + U(B−A) + V(C−A)
}

// Pick finds what a ray meets first: triangles exactly, through the holes of alpha
// masks, and the ground. Things that are hidden are not there, and neither is what
// skip, which may be nil, reports true for. Triangles count from both sides.
func (s *Scene) Pick(r geom.Ray, skip func(*Item) bool) (Hit, bool) {
	best, ok := Hit{Distance: math.Inf(1), Item: -1}, false
	if h, hit := s.level.Terrain.Raycast(r); hit {
		best = Hit{Item: -1, Point: h.Point, Normal: h.Normal, Distance: h.T}
		ok = true
	}
	chunks := s.cols * s.rows
	s.tree.Walk(r, best.Distance, func(entry int, _ float64) float64 {
		if entry < chunks {
			return best.Distance
		}
		it := &s.items[entry-chunks]
		if skip != nil && skip(it) {
			return best.Distance
		}
		if h, hit := it.Raycast(r, best.Distance); hit {
			h.Item = int32(entry - chunks)
			best, ok = h, true
		}
		return best.Distance
	})
	return best, ok
}

// Raycast finds where a ray of the world meets the item nearer than tMax.
func (it *Item) Raycast(r geom.Ray, tMax float64) (Hit, bool) {
	inv, ok := it.Inverse()
	if !ok {
		return Hit{}, false
	}
	local := geom.Ray{Origin: mgl64.TransformCoordinate(r.Origin, inv), Dir: inv.Mat3().Mul3x1(r.Dir)}
	if it.Missing {
		return it.raycastBox(r, local, tMax)
	}
	accept := func(h nodetree.TriangleHit) bool { return it.Model.Opaque(h.Triangle, h.U, h.V) }
	h, ok := it.Model.Tree().Nearest(local, tMax, accept)
	if !ok {
		return Hit{}, false
	}
	return Hit{ID: it.ID, Point: r.At(h.T), Normal: it.normal(h.Triangle), Distance: h.T, Triangle: h.Triangle, U: h.U, V: h.V}, true
}

// raycastBox meets the box of a placeholder as if it were solid: its bars alone
// would be hard to hit.
func (it *Item) raycastBox(r, local geom.Ray, tMax float64) (Hit, bool) {
	b := it.Model.Bounds
	t, _, ok := local.Box(b)
	if !ok || t > tMax {
		return Hit{}, false
	}
	// The face that is met is the one that the point is farthest out on.
	p := local.At(t).Sub(b.Center())
	axis, out := 0, -1.0
	for i, size := range b.Size() {
		if d := math.Abs(p[i]) / max(size, 1e-300); d > out {
			axis, out = i, d
		}
	}
	var n mgl64.Vec3
	n[axis] = math.Copysign(1, p[axis])
	normal := it.World.Inv().Mat3().Transpose().Mul3x1(n)
	if l := normal.Len(); l > 0 {
		normal = normal.Mul(1 / l)
	}
	return Hit{ID: it.ID, Point: r.At(t), Normal: normal, Distance: t}, true
}

// Corners are the corners of a triangle in the world, counter-clockwise seen from
// outside.
func (it *Item) Corners(triangle int) (c [3]mgl64.Vec3) {
	for k := range 3 {
		p := it.Model.Positions[it.Model.Indices[3*triangle+k]]
		c[k] = mgl64.TransformCoordinate(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, it.World)
	}
	if it.Mirrored() {
		c[1], c[2] = c[2], c[1]
	}
	return c
}

// normal is the unit normal of a triangle, outwards also where the item is
// mirrored.
func (it *Item) normal(triangle int) mgl64.Vec3 {
	c := it.Corners(triangle)
	n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0]))
	if l := n.Len(); l > 0 {
		return n.Mul(1 / l)
	}
	return mgl64.Vec3{0, 1, 0}
}

// AppendInside appends the entities of which a part is in a frustum that is not
// hidden, each once, in ascending order: items of which a triangle is, and markers
// of which a point is. A frustum that holds a whole item takes it untested.
func (s *Scene) AppendInside(dst []document.ID, f *geom.Frustum) []document.ID {
	first := len(dst)
	chunks := int32(s.cols * s.rows)
	s.hits = s.tree.AppendVisible(s.hits[:0], f)
	found := map[document.ID]struct{}{}
	for _, e := range s.hits {
		if e < chunks {
			continue
		}
		it := &s.items[e-chunks]
		if _, ok := found[it.ID]; ok {
			continue
		}
		if f.Box(it.Box) == geom.Inside || it.touches(f) {
			found[it.ID] = struct{}{}
			dst = append(dst, it.ID)
		}
	}
	dst = s.marks.appendInside(dst, f)
	slices.Sort(dst[first:])
	return dst[:first+len(slices.Compact(dst[first:]))]
}

// touches reports whether a triangle of the item is in the frustum, by clipping.
func (it *Item) touches(f *geom.Frustum) bool {
	local := localFrustum(f, it.World)
	for _, t := range it.Model.Tree().AppendVisible(nil, &local) {
		c := it.Corners(int(t))
		if clipped(f, c[:]) {
			return true
		}
	}
	return false
}

// clipped reports whether something of a convex polygon is left in the frustum.
func clipped(f *geom.Frustum, poly []mgl64.Vec3) bool {
	a := append(make([]mgl64.Vec3, 0, 16), poly...)
	b := make([]mgl64.Vec3, 0, 16)
	for _, p := range f.Planes {
		b = b[:0]
		for i, v := range a {
			w := a[(i+1)%len(a)]
			dv, dw := p.Distance(v), p.Distance(w)
			if dv >= 0 {
				b = append(b, v)
			}
			if dv >= 0 != (dw >= 0) {
				b = append(b, v.Add(w.Sub(v).Mul(dv/(dv-dw))))
			}
		}
		a, b = b, a
		if len(a) == 0 {
			return false
		}
	}
	return true
}

// Clearance is the distance from a point to the nearest item's box that is closer
// than most; most where none is.
func (s *Scene) Clearance(p mgl64.Vec3, most float64) float64 {
	r := mgl64.Vec3{most, most, most}
	chunks := int32(s.cols * s.rows)
	s.hits = s.tree.AppendOverlapping(s.hits[:0], geom.Box{Min: p.Sub(r), Max: p.Add(r)})
	for _, e := range s.hits {
		if e >= chunks {
			most = min(most, s.items[e-chunks].Box.DistanceTo(p))
		}
	}
	return most
}

// AppendVertices appends the vertices of items in a frustum, in the world, but of
// those that skip reports true for.
func (s *Scene) AppendVertices(dst []mgl64.Vec3, f *geom.Frustum, skip func(*Item) bool) []mgl64.Vec3 {
	chunks := int32(s.cols * s.rows)
	s.hits = s.tree.AppendVisible(s.hits[:0], f)
	var triangles []int32
	for _, e := range s.hits {
		if e < chunks {
			continue
		}
		it := &s.items[e-chunks]
		if skip != nil && skip(it) {
			continue
		}
		local := localFrustum(f, it.World)
		triangles = it.Model.Tree().AppendVisible(triangles[:0], &local)
		for _, t := range triangles {
			for _, p := range it.Corners(int(t)) {
				if f.Point(p) {
					dst = append(dst, p)
				}
			}
		}
	}
	return dst
}
