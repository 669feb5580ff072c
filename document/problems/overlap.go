package problems

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

// How many overlaps are looked at.
const (
	mostOverlaps = 1 << 20 // pairs of cells that are counted
	mostApart    = 16      // that one fix cuts apart
	sameRoom     = 1e-6    // of its size: what differs by less is the same room
)

// same finds cells that are one and the same room, and gives for each the first of
// those: what is wrong with the room is told of that one alone.
func (f *finder) same() {
	f.first = make([]int, len(f.v.Cells))
	near := map[[6]float64][]int{} // the first of each room, by its box
	for i := range f.v.Cells {
		c := &f.v.Cells[i]
		f.first[i] = i
		if c.Fault != nil || len(c.Pieces) == 0 {
			continue
		}
		var key [6]float64
		for a := range 3 {
			key[a], key[3+a] = math.Round(c.Box.Min[a]*1e3), math.Round(c.Box.Max[a]*1e3)
		}
		k := slices.IndexFunc(near[key], func(k int) bool { return samePieces(f.v.Cells[k].Pieces, c.Pieces) })
		if k < 0 {
			near[key] = append(near[key], i)
			continue
		}
		f.first[i] = near[key][k]
	}
}

// samePieces reports whether two cells have the same pieces, in whatever order.
func samePieces(a, b []*hull.Hull) bool {
	if len(a) != len(b) {
		return false
	}
	sorted := func(list []*hull.Hull) []*hull.Hull {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b *hull.Hull) int {
			p, q := a.Bounds().Min, b.Bounds().Min
			return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]), cmp.Compare(p[2], q[2]))
		})
		return list
	}
	return slices.EqualFunc(sorted(a), sorted(b), func(h, o *hull.Hull) bool {
		size := h.Bounds().Size()
		tol := max(h.Tolerance(), sameRoom*max(size[0], size[1], size[2]))
		holds := func(h, o *hull.Hull) bool {
			return !slices.ContainsFunc(o.Vertices, func(p geom.Vec3) bool { return !h.Contains(p, tol) })
		}
		return holds(h, o) && holds(o, h)
	})
}

// overlaps tells of cells that share space: of those that are one and the same room in
// one line, of others in one line for each.
func (f *finder) overlaps() {
	rooms := map[int][]document.ID{}
	cells := make([][]*hull.Hull, len(f.cells))
	for i, k := range f.first {
		if k == i {
			cells[i] = f.cells[i]
		} else {
			rooms[k] = append(rooms[k], f.v.Cells[i].ID)
		}
	}
	for k := range f.v.Cells {
		if more := rooms[k]; len(more) > 0 {
			id := f.v.Cells[k].ID
			text := fmt.Sprintf(textSameRoom, f.subject(more[0]), f.object(id))
			if len(more) > 1 {
				text = fmt.Sprintf(textSameRooms, len(more)+1, f.names(append([]document.ID{id}, more...), len(more)+1))
			}
			f.add(Problem{
				Kind: Overlap, Severity: Warning, Entities: append(more, id), At: f.v.Cells[k].Box.Center(),
				Text: text, Fix: f.deleteAll(more),
			})
		}
	}
	pairs, whole, err := portal.CheckCells(f.ctx, cells, mostOverlaps)
	if err != nil {
		return
	}
	f.tellOverlaps(pairs, whole)
}

// tellOverlaps tells of pairs of cells, of all those of one cell in one line. The cells
// with the most come first, so that there are few lines.
func (f *finder) tellOverlaps(pairs []portal.Overlap, whole bool) {
	with := map[int][]int{}
	for _, o := range pairs {
		with[o.A] = append(with[o.A], o.B)
		with[o.B] = append(with[o.B], o.A)
	}
	order := make([]int, 0, len(with))
	for i := range with {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(len(with[b]), len(with[a])), cmp.Compare(a, b)) })
	told := make(map[int]bool, len(order))
	for _, i := range order {
		if f.ctx.Err() != nil {
			return
		}
		told[i] = true
		left := slices.DeleteFunc(slices.Clone(with[i]), func(k int) bool { return told[k] })
		if len(left) > 0 {
			f.overlap(i, left, len(with[i]), whole)
		}
	}
}

// overlap tells of a cell that overlaps n others, and of some of them.
func (f *finder) overlap(cell int, others []int, n int, whole bool) {
	a := &f.v.Cells[cell]
	ids := make([]document.ID, 0, min(len(others), mostListed))
	for _, k := range others[:min(len(others), mostListed)] {
		ids = append(ids, f.v.Cells[k].ID)
	}
	p := Problem{Kind: Overlap, Severity: Warning, Entities: append([]document.ID{a.ID}, ids...), Fix: f.cutApart(a, others)}
	b := f.v.Cells[others[0]].Box
	for i := range 3 {
		p.At[i] = (max(a.Box.Min[i], b.Min[i]) + min(a.Box.Max[i], b.Max[i])) / 2
	}
	switch {
	case n == 1:
		p.Text = fmt.Sprintf(textOverlap, f.subject(a.ID), f.object(ids[0]))
	case whole:
		p.Text = fmt.Sprintf(textOverlaps, f.subject(a.ID), n, f.names(ids, n))
	default:
		p.Text = fmt.Sprintf(textManyOverlaps, f.subject(a.ID), n, f.names(ids, n))
	}
	f.add(p)
}

// mostCut is the part of a piece that cutting cells apart may cost.
const mostCut = 0.5

// cutApart cuts the pieces of a cell and of others that it overlaps along faces of each
// other, each where it costs least. Others that it cannot be cut from stay as they are:
// those of which one lies mostly in the other. Of many others it is the first ones.
func (f *finder) cutApart(a *scene.Cell, others []int) Fix {
	if !f.mayCut(a) {
		return Fix{}
	}
	var lines []string
	pa := a.Pieces
	for _, k := range others[:min(len(others), mostApart)] {
		b := &f.v.Cells[k]
		if !f.mayCut(b) {
			continue
		}
		if left, cuts, ok := cutFrom(a.ID, pa, b.ID, b.Pieces); ok {
			pa = left
			lines = append(lines, cuts...)
		}
	}
	if lines == nil {
		return Fix{}
	}
	return Fix{fixApart, strings.Join(lines, "\n")}
}

// mayCut reports whether a cell may be changed, and its pieces are numbered as those of
// the entity.
func (f *finder) mayCut(c *scene.Cell) bool { return c.Fault == nil && !f.locked(c.ID) }

// cutFrom cuts the pieces of two cells apart, and gives what is left of those of the
// first, and the commands. ok is false where that would cost too much.
func cutFrom(a document.ID, pa []*hull.Hull, b document.ID, pb []*hull.Hull) (left []*hull.Hull, lines []string, ok bool) {
	pa, pb = slices.Clone(pa), slices.Clone(pb)
	for i := range pa {
		for k := range pb {
			if !pa[i].Overlaps(pb[k]) {
				continue
			}
			left, plane, share := cheapest(pa[i], pb[k])
			left2, plane2, share2 := cheapest(pb[k], pa[i])
			id, piece := a, i
			if share2 < share {
				left, plane, share, id, piece = left2, plane2, share2, b, k
				pb[k] = left
			} else {
				pa[i] = left
			}
			if left == nil || share > mostCut {
				return nil, nil, false
			}
			point := plane.N.Mul(-plane.D)
			lines = append(lines, fmt.Sprintf("cell.cut id=%s piece=%d point=%s normal=%s", idText(id), piece+1, pointText(point), pointText(plane.N)))
		}
	}
	return pa, lines, true
}

// cheapest cuts a hull along a face of another so that the least is lost, and gives
// what is left: what lies behind the plane. share is the part that is lost.
func cheapest(h, other *hull.Hull) (left *hull.Hull, plane geom.Plane, share float64) {
	share = 1
	whole := h.Volume()
	for _, p := range other.Planes {
		_, before, err := h.Cut(p)
		if err != nil || before == nil {
			continue
		}
		if lost := 1 - before.Volume()/whole; lost < share {
			left, plane, share = before, geom.Plane{N: p.N.Mul(-1), D: -p.D}, lost
		}
	}
	return left, plane, share
}
