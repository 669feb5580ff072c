package problems

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// bigger tells of occluders that hide what nothing solid hides: those that belong to an
// object and do not lie inside its mesh, and others around which there is nothing.
func (f *finder) bigger() {
	for i := range f.v.Occluders {
		if f.ctx.Err() != nil {
			return
		}
		o := &f.v.Occluders[i]
		if o.Off || o.Fault != nil || o.Hull == nil && o.Polygon == nil {
			continue
		}
		at, text, bad := f.exposed(o, o.Shape.Hull, o.Polygon)
		if !bad || f.ctx.Err() != nil {
			continue
		}
		ids := []document.ID{o.ID}
		if o.Owner != 0 && o.Owner != o.ID {
			ids = append(ids, o.Owner)
		}
		p := Problem{Kind: TooBig, Severity: Error, Entities: ids, At: at, Text: text}
		if e, ok := f.l.Entity(o.ID); ok && e.Kind == document.KindOccluder {
			p.Fix = f.smaller(o)
		}
		f.add(p)
	}
}

// exposed reports whether a hull or polygon in the place of an occluder hides what can
// be seen, where, and how to say so.
func (f *finder) exposed(o *scene.Occluder, h *hull.Hull, polygon []mgl64.Vec3) (at mgl64.Vec3, text string, bad bool) {
	name := f.subject(o.ID)
	if o.Owner == 0 {
		if at, bad = f.bare(h, polygon, o.Hole, 0); bad {
			text = fmt.Sprintf(textAlone, name, place(at))
		}
		return at, text, bad
	}
	owner := f.object(o.Owner)
	slots := f.s.Of(o.Owner)
	if len(slots) == 0 {
		return at, "", false
	}
	it := &f.s.Items()[slots[0]]
	if it.Missing || it.Hidden {
		return at, "", false // nothing is known of it
	}
	if h == nil {
		if at, bad = f.bare(nil, polygon, o.Hole, o.Owner); bad {
			text = fmt.Sprintf(textTooBig, name, owner, place(at))
		}
		return at, text, bad
	}
	inv, ok := it.Inverse()
	if !ok {
		return at, "", false
	}
	local, err := h.Transform(inv)
	if err != nil {
		return at, "", false
	}
	mesh := solidOf(it.Model)
	r, err := hull.CheckSolid(f.ctx, local, mesh)
	switch {
	case err != nil || r.Safe():
		return at, "", false
	case len(r.Leaks) > 0:
		at = mgl64.TransformCoordinate(r.Leaks[0], it.World)
		return at, fmt.Sprintf(textTooBig, name, owner, place(at)), true
	case !r.Inside && len(r.Crossing) == 0:
		return h.Center(), fmt.Sprintf(textHollow, name, owner), true
	}
	if at, bad = dented(local, mesh, r.Crossing); bad {
		at = mgl64.TransformCoordinate(at, it.World)
		return at, fmt.Sprintf(textCrossed, name, owner, place(at)), true
	}
	return at, "", false
}

// How closely triangles inside a hull are looked at.
const (
	dentTriangles = 256 // at most
	dentRays      = 24
)

// dented reports whether one of the triangles that pass through a hull, in the mesh's
// own space, can be seen from outside of the mesh. Solids that are joined have faces
// within each other, which nobody sees.
func dented(h *hull.Hull, mesh hull.Mesh, crossing []int32) (at geom.Vec3, bad bool) {
	size := h.Bounds().Size()
	off := 1e-5 * max(size[0], size[1], size[2])
	step := max(1, len(crossing)/dentTriangles)
	for i := 0; i < len(crossing); i += step {
		c := mesh.Corners(crossing[i])
		part := c[:]
		for _, p := range h.Planes {
			part = hull.ClipPolygon(nil, part, geom.Plane{N: p.N.Mul(-1), D: -p.D})
		}
		if len(part) == 0 {
			continue
		}
		for _, p := range part {
			at = at.Add(p)
		}
		at = at.Mul(1 / float64(len(part)))
		for k := range dentRays {
			d := around(k, dentRays, i)
			if _, hit := mesh.Nearest(geom.Ray{Origin: at.Add(d.Mul(off)), Dir: d}, math.Inf(1), nil); !hit {
				return at, true
			}
		}
		at = geom.Vec3{}
	}
	return at, false
}

// solidOf is a model as what hides: its opaque triangles.
func solidOf(m *scene.Model) hull.Mesh {
	through := make([]bool, len(m.Materials))
	any := false
	for i := range m.Materials {
		through[i] = m.Materials[i].Alpha != mesh.Opaque
		any = any || through[i]
	}
	out := hull.Mesh{Tree: m.Tree(), Positions: m.Positions, Indices: m.Indices}
	if any {
		clear := make([]bool, m.Triangles())
		for _, p := range m.Parts {
			for t := p.First / 3; t < (p.First+p.Count)/3; t++ {
				clear[t] = through[p.Material]
			}
		}
		out.Opaque = func(t int) bool { return !clear[t] }
	}
	return out
}

// How closely occluders are looked at that are not checked against one mesh.
const (
	barePoints = 64   // on the surface
	bareRays   = 16   // from each
	behind     = 2e-3 // metres behind the surface from which rays start, so that they meet what lies in it
	bareReach  = 1.0  // metres, and
	bareShare  = 0.05 // of the size: how far off the surface something solid must be
)

// bare looks for a point of a hull's or polygon's surface off which there is nothing
// solid near by, in some direction. of is the object whose mesh alone counts, 0 for
// all, and the ground counts in any case.
func (f *finder) bare(h *hull.Hull, polygon, hole []mgl64.Vec3, of document.ID) (at mgl64.Vec3, bad bool) {
	var skip func(*scene.Item) bool
	if of != 0 {
		skip = func(it *scene.Item) bool { return it.ID != of }
	}
	box := geom.BoxOf(polygon...)
	if h != nil {
		box = h.Bounds()
	}
	reach := bareReach + bareShare*box.Size().Len()
	if f.missingIn(grown(box, reach)) {
		return at, false
	}
	turn := 0
	test := func(p geom.Vec3, n geom.Vec3, sides int) bool {
		turn++
		for i := range bareRays {
			d := around(i, bareRays, turn)
			c := d.Dot(n)
			if sides == 1 && c < 0 {
				d, c = d.Mul(-1), -c
			}
			if math.Abs(c) < 0.1 {
				continue
			}
			hit, ok := f.s.Pick(geom.Ray{Origin: p.Sub(d.Mul(behind / math.Abs(c))), Dir: d}, skip)
			// Deep inside of something solid, its faces are met from behind.
			if !ok || hit.Distance > reach && !(hit.Normal.Dot(d) > 0) {
				return true
			}
		}
		return false
	}
	if h == nil {
		plane, _ := hull.PolygonPlane(polygon)
		var holePlane geom.Plane
		if hole != nil {
			holePlane, _ = hull.PolygonPlane(hole)
		}
		for p := range spread(polygon, plane, barePoints) {
			if f.ctx.Err() != nil {
				return at, false
			}
			if hole != nil && hull.PolygonContains(hole, holePlane, p, math.Inf(1)) {
				continue
			}
			if test(p, plane.N, 2) {
				return p, true
			}
		}
		return at, false
	}
	area := h.Area()
	var corners []geom.Vec3
	for face := range h.Faces {
		corners = h.AppendFace(corners[:0], face)
		n := max(2, int(barePoints*hull.PolygonArea(corners)/area))
		for p := range spread(corners, h.Planes[face], n) {
			if f.ctx.Err() != nil {
				return at, false
			}
			if test(p, h.Planes[face].N, 1) {
				return p, true
			}
		}
	}
	return at, false
}

// missingIn reports whether a model is missing in a box, so that nothing can be told.
func (f *finder) missingIn(b geom.Box) bool {
	items := f.s.Items()
	for i := range items {
		if it := &items[i]; it.ID != 0 && it.Missing && !it.Hidden && it.Box.Overlaps(b) {
			return true
		}
	}
	return false
}

// around is one of n directions all around, others at each turn (Fibonacci's lattice on
// the sphere; Swinbank and Purser, "Fibonacci Grids", 2006).
func around(i, n, turn int) geom.Vec3 {
	const golden = 2.39996322972865332
	y := 1 - 2*(float64(i)+0.5)/float64(n)
	r := math.Sqrt(max(0, 1-y*y))
	sin, cos := math.Sincos(golden * float64(i+turn))
	d := geom.Vec3{r * cos, y, r * sin}
	sin, cos = math.Sincos(golden * float64(turn))
	return geom.Vec3{d[0], d[1]*cos - d[2]*sin, d[1]*sin + d[2]*cos}
}

// spread gives n points spread evenly over a polygon, fewer where it fills little of
// the rectangle around it (the additive sequence of Roberts, "The Unreasonable
// Effectiveness of Quasirandom Sequences", 2018).
func spread(polygon []geom.Vec3, plane geom.Plane, n int) func(func(geom.Vec3) bool) {
	return func(yield func(geom.Vec3) bool) {
		if len(polygon) < 3 {
			return
		}
		// Along its longest edge.
		var u geom.Vec3
		for i, p := range polygon {
			if e := polygon[(i+1)%len(polygon)].Sub(p); e.Len() > u.Len() {
				u = e
			}
		}
		u = u.Normalize()
		w := plane.N.Cross(u)
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		from := polygon[0]
		for _, p := range polygon {
			for k, v := range [2]float64{u.Dot(p.Sub(from)), w.Dot(p.Sub(from))} {
				lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
			}
		}
		given := 0
		for i := range 8 * n {
			if given >= n {
				return
			}
			x := math.Mod(0.5+0.7548776662466927*float64(i), 1)
			y := math.Mod(0.5+0.5698402909980532*float64(i), 1)
			p := from.Add(u.Mul(lo[0] + x*(hi[0]-lo[0]))).Add(w.Mul(lo[1] + y*(hi[1]-lo[1])))
			if !hull.PolygonContains(polygon, plane, p, 1e-6) {
				continue
			}
			given++
			if !yield(p) {
				return
			}
		}
	}
}

// smaller finds a fix for an occluder that is too big: the least shrinking that makes it
// safe, or else it is switched off.
func (f *finder) smaller(o *scene.Occluder) Fix {
	off := offFix(o.ID)
	if o.Hull == nil {
		center := middle(o.Polygon)
		for _, by := range [...]float64{0.98, 0.95, 0.9, 0.8, 0.6} {
			points := make([]mgl64.Vec3, len(o.Polygon))
			for i, p := range o.Polygon {
				points[i] = center.Add(p.Sub(center).Mul(by))
			}
			if o.Hole != nil {
				break // the hole may not stay inside
			}
			if _, _, bad := f.exposed(o, nil, points); !bad && f.ctx.Err() == nil {
				return setPoints(fixShrink, "occluder.set", o.ID, points)
			}
		}
		return off
	}
	size := o.Hull.Bounds().Size()
	for _, d := range [...]float64{0.002, 0.01, 0.03, 0.1, 0.3, 1} {
		if d > 0.45*min(size[0], size[1], size[2]) {
			break
		}
		h, err := o.Hull.Shrink(d)
		if err != nil {
			break
		}
		if _, _, bad := f.exposed(o, h, nil); !bad && f.ctx.Err() == nil {
			return setPoints(fixShrink, "occluder.set", o.ID, h.Vertices)
		}
	}
	return off
}
