package problems

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

// WallDepth is how far behind the face of a cell something solid must stand for the
// cell not to leak there, in metres: as thick as walls are that doors go through.
const WallDepth = document.PortalReach

// How closely cells are looked at with rays.
const (
	leakPoints  = 96   // on the faces of a cell
	leakEyes    = 5    // in a piece, from which each is looked at
	leakSteep   = 0.3  // least cosine between a line of sight and the face's normal
	crack       = 2e-3 // metres: what is narrower is a seam between triangles, not a leak
	thinPiece   = 0.1  // metres: in a piece that is thinner no eye stands
	portalEdge  = 0.01 // metres by which a line of sight may miss a portal
	unseenTries = 48   // triangles of a thing that are looked at
)

// piece is one of a cell's, in which an eye may stand.
type piece struct {
	h    *hull.Hull
	eyes []geom.Vec3
}

// room is a cell as rays see it.
type room struct {
	index  int
	pieces []piece
	doors  []door // portals near it
	box    geom.Box
	sound  bool // no model near it is missing
}

type door struct {
	polygon []geom.Vec3
	plane   geom.Plane
}

func grown(b geom.Box, d float64) geom.Box {
	by := geom.Vec3{d, d, d}
	return geom.Box{Min: b.Min.Sub(by), Max: b.Max.Add(by)}
}

// room prepares a cell for rays.
func (f *finder) room(cell int) room {
	c := &f.v.Cells[cell]
	r := room{index: cell, box: grown(c.Box, WallDepth), sound: true}
	for _, h := range c.Pieces {
		size := h.Bounds().Size()
		if min(size[0], size[1], size[2]) < thinPiece {
			continue
		}
		p := piece{h: h, eyes: []geom.Vec3{h.Center()}}
		n := len(h.Vertices)
		for i := range min(n, leakEyes-1) {
			v := h.Vertices[i*n/min(n, leakEyes-1)]
			p.eyes = append(p.eyes, h.Center().Add(v).Mul(0.5))
		}
		r.pieces = append(r.pieces, p)
	}
	for i := range f.v.Portals {
		p := &f.v.Portals[i]
		if plane, ok := hull.PolygonPlane(p.Polygon); ok && p.Box.Overlaps(r.box) {
			r.doors = append(r.doors, door{p.Polygon, plane})
		}
	}
	items := f.s.Items()
	for i := range items {
		if it := &items[i]; it.ID != 0 && it.Missing && !it.Hidden && it.Box.Overlaps(r.box) {
			r.sound = false
		}
	}
	return r
}

// throughDoor reports whether the line from a to b goes through a portal, open or not.
func (r *room) throughDoor(a, b geom.Vec3) bool {
	for i := range r.doors {
		d := &r.doors[i]
		x, y := d.plane.Distance(a), d.plane.Distance(b)
		if x > portalEdge && y > portalEdge || x < -portalEdge && y < -portalEdge {
			continue
		}
		p := a
		if x != y {
			p = a.Add(b.Sub(a).Mul(min(max(x/(x-y), 0), 1)))
		}
		if hull.PolygonContains(d.polygon, d.plane, p, 2*portalEdge) {
			return true
		}
	}
	return false
}

// leaks looks out of each cell through its faces.
func (f *finder) leaks() {
	for cell := range f.v.Cells {
		if f.ctx.Err() != nil {
			return
		}
		if f.first[cell] != cell {
			continue // looked at already
		}
		if r := f.room(cell); r.sound {
			f.leak(&r)
			f.bareIn(&r)
		}
	}
}

func (f *finder) leak(r *room) {
	id := f.v.Cells[r.index].ID
	f.onFaces(r, func(k int, p, n geom.Vec3) bool {
		to, leaks := f.leaksAt(r, k, p, n)
		if !leaks {
			return true
		}
		text := fmt.Sprintf(textLeak, f.subject(id), place(p), metres(WallDepth))
		ids := []document.ID{id}
		if to != portal.Outside {
			text = fmt.Sprintf(textLeakTo, f.subject(id), place(p), f.cellName(to))
			ids = append(ids, f.v.Cells[to].ID)
		}
		f.add(Problem{Kind: Leak, Severity: Error, Entities: ids, At: p, Text: text})
		return false
	})
}

// onFaces gives points on the faces of a cell's pieces, evenly over their area, with the
// piece and the face's normal, until see reports false.
func (f *finder) onFaces(r *room, see func(piece int, p, n geom.Vec3) bool) {
	area := 0.0
	for _, p := range r.pieces {
		area += p.h.Area()
	}
	turn, due := 1, 0.0 // the first point of the sequence lies on an edge
	var corners []geom.Vec3
	for k := range r.pieces {
		h := r.pieces[k].h
		for face := range h.Faces {
			n := h.Planes[face].N
			corners = h.AppendFace(corners[:0], face)
			for t := 2; t < len(corners); t++ {
				a, u, v := corners[0], corners[t-1].Sub(corners[0]), corners[t].Sub(corners[0])
				due += u.Cross(v).Len() / 2 / area * leakPoints
				for ; due > 0; due-- {
					if f.ctx.Err() != nil {
						return
					}
					// Evenly over the triangle (the additive sequence of Roberts, "The
					// Unreasonable Effectiveness of Quasirandom Sequences", 2018).
					x := math.Mod(0.5+0.7548776662466927*float64(turn), 1)
					y := math.Mod(0.5+0.5698402909980532*float64(turn), 1)
					if x+y > 1 {
						x, y = 1-x, 1-y
					}
					turn++
					if !see(k, a.Add(u.Mul(x)).Add(v.Mul(y)), n) {
						return
					}
				}
			}
		}
	}
}

// leaksAt reports whether something can be seen past a point on a face, and in which
// cell that is.
func (f *finder) leaksAt(r *room, k int, p, n geom.Vec3) (to int, leaks bool) {
	if f.cellAt(p, r.index, crack) != portal.Outside {
		return portal.Outside, false // from where cells overlap both are seen whole
	}
	for _, eye := range r.pieces[k].eyes {
		d := p.Sub(eye)
		l := d.Len()
		if !(l > 0) {
			continue
		}
		d = d.Mul(1 / l)
		c := d.Dot(n)
		if c < leakSteep {
			continue
		}
		reach := WallDepth / c
		if f.seesOut(r, k, eye, d, l, reach) && f.seesOut(r, k, eye.Add(geom.Vec3{crack, -crack / 2, crack / 3}), d, l, reach) {
			return f.cellAt(p.Add(d.Mul(reach)), r.index, 0), true
		}
	}
	return portal.Outside, false
}

// cellAt is the first cell but one that a point is in, depth metres at least;
// portal.Outside if there is none.
func (f *finder) cellAt(p geom.Vec3, but int, depth float64) int {
	f.found = f.tree.AppendOverlapping(f.found[:0], geom.Box{Min: p, Max: p})
	first := portal.Outside
	for _, i := range f.found {
		if i := int(i); i != but && (first == portal.Outside || i < first) && slices.ContainsFunc(f.cells[i], func(h *hull.Hull) bool { return h.Contains(p, -depth) }) {
			first = i
		}
	}
	return first
}

// seesOut reports whether a line of sight goes on for reach metres after it left its
// piece of the cell, neither into another one nor through a portal nor up to anything.
func (f *finder) seesOut(r *room, k int, eye, dir geom.Vec3, l, reach float64) bool {
	out := geom.Ray{Origin: eye.Add(dir.Mul(l)), Dir: dir}
	for i, h := range f.cells[r.index] {
		if h == r.pieces[k].h {
			continue
		}
		if t, _, ok := f.cells[r.index][i].Ray(out); ok && t <= reach {
			return false
		}
	}
	if r.throughDoor(eye, eye.Add(dir.Mul(l+reach))) {
		return false
	}
	hit, ok := f.s.Pick(geom.Ray{Origin: eye, Dir: dir}, nil)
	return !ok || hit.Distance > l+reach
}

// sight is a thing as it is seen from a cell that it does not touch.
type sight struct {
	cell int
	at   geom.Vec3
	box  geom.Box // of the thing; of a scatter's point
}

// unseen looks from each cell at what is near it and does not touch it, and tells of
// each thing in one line.
func (f *finder) unseen() {
	if f.v.Scene.Portals == nil {
		return
	}
	cols, rows := f.s.ChunkGrid()
	items := f.s.Items()
	var near []int32
	seen := map[document.ID][]sight{}
	for cell := range f.v.Cells {
		if f.first[cell] != cell {
			continue // looked from already
		}
		r := f.room(cell)
		if len(r.pieces) == 0 {
			continue
		}
		near = f.s.Tree().AppendOverlapping(near[:0], r.box)
		slices.Sort(near)
		for _, entry := range near {
			if f.ctx.Err() != nil {
				return
			}
			slot := int(entry) - cols*rows
			if slot < 0 {
				continue
			}
			it := &items[slot]
			s := seen[it.ID]
			if it.Missing || len(s) > 0 && s[len(s)-1].cell == cell || slices.Contains(f.v.Scene.Cells.Of(entry), int32(cell)) {
				continue
			}
			if at, ok := f.seenFrom(&r, int32(slot)); ok {
				seen[it.ID] = append(s, sight{cell, at, it.Box})
			}
		}
	}
	for id, list := range seen {
		f.tellUnseen(id, list)
	}
}

// tellUnseen tells of a thing that vanishes. The fix adds it to the cells, to the first
// ones of many.
func (f *finder) tellUnseen(id document.ID, list []sight) {
	p := Problem{Kind: Unseen, Severity: Error, Entities: []document.ID{id}, At: list[0].at}
	var lines []string
	for _, s := range list[:min(len(list), mostListed)] {
		c := &f.v.Cells[s.cell]
		p.Entities = append(p.Entities, c.ID)
		if !f.locked(c.ID) {
			lines = append(lines, touch(c.ID, c.Box, s.box))
		}
	}
	if lines != nil {
		p.Fix = Fix{fixTouch, strings.Join(lines, "\n")}
	}
	p.Text = fmt.Sprintf(textUnseen, f.subject(id), f.object(p.Entities[1]))
	if n := len(list); n > 1 {
		p.Text = fmt.Sprintf(textUnseenBy, f.subject(id), n, f.names(p.Entities[1:], n))
	}
	f.add(p)
}

// seenFrom finds a point of an item, near a cell, that can be seen from inside it and
// not through a portal.
func (f *finder) seenFrom(r *room, slot int32) (at geom.Vec3, ok bool) {
	it := &f.s.Items()[slot]
	n := it.Model.Triangles()
	step := max(1, n/unseenTries)
	for t := 0; t < n; t += step {
		c := it.Corners(t)
		p := c[0].Add(c[1]).Add(c[2]).Mul(1.0 / 3)
		if !r.box.Contains(p) {
			continue
		}
		for k := range r.pieces {
			for _, eye := range r.pieces[k].eyes {
				hit, met := f.s.Pick(geom.Ray{Origin: eye, Dir: p.Sub(eye)}, nil)
				if met && hit.Item == slot && hit.Distance <= 1+1e-9 && !r.throughDoor(eye, hit.Point) {
					return hit.Point, true
				}
			}
		}
	}
	return at, false
}

// touchBy is how far into a thing the piece reaches with which a cell touches it, in
// metres: no eye ever is there.
const touchBy = 1e-3

// touch adds to a cell a thin piece at the side of a thing that faces it, so that the
// thing is in the cell.
func touch(cell document.ID, room, thing geom.Box) string {
	gap := 0.0
	for i := range 3 {
		gap = max(gap, thing.Min[i]-room.Max[i], room.Min[i]-thing.Max[i])
	}
	near := grown(room, gap+touchBy)
	b := thing
	for i := range 3 {
		b.Min[i], b.Max[i] = max(b.Min[i], near.Min[i]), min(b.Max[i], near.Max[i])
		if b.Max[i]-b.Min[i] < touchBy {
			c := (b.Max[i] + b.Min[i]) / 2
			b.Min[i], b.Max[i] = c-touchBy/2, c+touchBy/2
		}
	}
	corners := make([]mgl64.Vec3, 8)
	for i := range corners {
		corners[i] = b.Corner(i)
	}
	return "cell.add id=" + idText(cell) + " " + pointsArg("points", corners)
}
