package problems

import (
	"fmt"
	"slices"
	"strconv"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
)

// insetBy is how far the face of a cell is moved in so that what fills the cell stands in
// what is outside too, in metres.
const insetBy = 0.01

// bareIn looks at a cell from outside: what is wholly inside is drawn only when light comes
// in through a portal, so that nothing of it may be the first that is met on the way to a
// face. What a cell was made of, and fills it up to its faces, is such a thing.
func (f *finder) bareIn(r *room) {
	if f.v.Scene.Portals == nil {
		return
	}
	cols, rows := f.s.ChunkGrid()
	items := f.s.Items()
	members := map[*scene.Item]bool{}
	for _, entry := range f.s.Tree().AppendOverlapping(nil, r.box) {
		if slot := int(entry) - cols*rows; slot >= 0 && fully(f.v.Scene.Cells.Of(entry), int32(r.index)) {
			members[&items[slot]] = true
		}
	}
	if len(members) == 0 {
		return
	}
	inside := func(it *scene.Item) bool { return members[it] }
	f.onFaces(r, func(k int, p, n geom.Vec3) bool {
		if f.cellAt(p, r.index, crack) != portal.Outside || r.covered(k, p) {
			return true
		}
		from := p.Add(n.Mul(WallDepth))
		if r.throughDoor(from, p) {
			return true
		}
		seen := document.ID(0)
		for _, by := range [...]geom.Vec3{{}, {crack, -crack / 2, crack / 3}} {
			ray := geom.Ray{Origin: from.Add(by), Dir: n.Mul(-1)}
			const reach = WallDepth + 2*crack
			// What else is there covers it, be it in the same plane.
			if hit, ok := f.s.Pick(ray, inside); ok && hit.Distance <= reach {
				return true
			}
			hit, ok := f.s.Pick(ray, nil)
			if !ok || hit.Distance > reach || hit.Item < 0 {
				return true
			}
			seen = items[hit.Item].ID
		}
		f.tellBare(r, k, seen, p, n)
		return false
	})
}

// fully reports whether a thing is in a cell and not outside.
func fully(cells []int32, cell int32) bool {
	in := false
	for _, c := range cells {
		if c == portal.Outside {
			return false
		}
		in = in || c == cell
	}
	return in
}

// covered reports whether a point on a piece's face lies in another piece of the cell.
func (r *room) covered(k int, p geom.Vec3) bool {
	for i := range r.pieces {
		if i != k && r.pieces[i].h.Contains(p, crack) {
			return true
		}
	}
	return false
}

// tellBare tells of a thing that is seen from outside of its cell through a face of a
// piece. The fix moves the face in a little, so that the thing stands out of it.
func (f *finder) tellBare(r *room, k int, thing document.ID, at, n geom.Vec3) {
	c := &f.v.Cells[r.index]
	p := Problem{Kind: Bare, Severity: Error, Entities: []document.ID{thing, c.ID}, At: at, Text: fmt.Sprintf(textBare, f.subject(thing), f.object(c.ID), place(at))}
	piece := r.pieces[k].h
	left, _, err := piece.Cut(geom.Plane{N: n, D: insetBy - n.Dot(at)})
	if i := slices.Index(c.Pieces, piece); err == nil && left != nil && i >= 0 && c.Fault == nil && !f.locked(c.ID) {
		p.Fix = Fix{fixInset, "cell.set id=" + idText(c.ID) + " piece=" + strconv.Itoa(i+1) + " " + pointsArg("points", left.Vertices)}
	}
	f.add(p)
}
