package portal

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Overlap is two cells whose insides meet. What is in both belongs to both, and an eye
// in both sees both whole.
type Overlap struct{ A, B int }

// CheckCells finds the pairs of cells that overlap, sorted; cells that only touch do
// not. Pieces of one cell may overlap. When there are more than most pairs, some are
// left out and whole is false; each cell that overlaps another one is in a pair even
// then. The error is that of the context.
func CheckCells(ctx context.Context, cells [][]*hull.Hull, most int) (pairs []Overlap, whole bool, err error) {
	type piece struct {
		cell int
		hull *hull.Hull
		box  geom.Box
	}
	var all []piece
	for c, hulls := range cells {
		for _, h := range hulls {
			if it, ok := pieceOf(h); ok {
				all = append(all, piece{c, h, it.box})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b piece) int { return cmp.Compare(a.box.Min[0], b.box.Min[0]) })
	found := map[Overlap]struct{}{}
	told := make([]bool, len(cells))
	whole = true
	for i := range all {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		p := &all[i]
		for j := i + 1; j < len(all) && all[j].box.Min[0] <= p.box.Max[0]; j++ {
			q := &all[j]
			if p.cell == q.cell || !p.box.Overlaps(q.box) {
				continue
			}
			if len(found) >= most && told[p.cell] && told[q.cell] {
				whole = false // perhaps
				continue
			}
			o := Overlap{min(p.cell, q.cell), max(p.cell, q.cell)}
			if _, ok := found[o]; !ok && p.hull.Overlaps(q.hull) {
				found[o] = struct{}{}
				told[p.cell], told[q.cell] = true, true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b Overlap) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }), whole, nil
}

// Report is what CheckPortal finds.
type Report struct {
	// Faults are those that Build would list for this portal, Doubled aside.
	Faults []Fault
	// Off is how far the polygon is from the face of the nearer of its two cells, in
	// metres: a portal that is drawn on a face of one of them has 0. Infinite when it is
	// at neither.
	Off float64
	// Gap is the depth of the opening between the two cells, the thickness of the wall,
	// in metres; 0 to Outside.
	Gap float64
}

// CheckPortal tells what is wrong with a portal by itself: how far it is off the faces
// of its cells, and whether it is between them. The faults are of portal 0.
func CheckPortal(cells [][]*hull.Hull, p *Portal) Report {
	r := Report{Off: math.Inf(1)}
	g, pieces := bare(cells, p.Polygon)
	g.gates, g.states = make([]gate, 1), make([]State, 1)
	g.add(0, p, pieces)
	r.Faults = g.Faults
	s := &g.gates[0]
	if s.points == nil || !s.used {
		return r
	}
	for _, c := range [2]int32{s.from, s.to} {
		if int(c) == g.cells {
			continue
		}
		for _, i := range pieces[c] {
			if _, d, ok := g.items[i].face(&s.shape); ok {
				r.Off = min(r.Off, d)
			}
		}
		front, back := g.probe(&s.shape, pieces[c], max(s.size, 1))
		switch {
		case front.before(back):
			r.Gap += front.gap
		case back.before(front):
			r.Gap += back.gap
		}
	}
	if s.from == int32(g.cells) || s.to == int32(g.cells) {
		r.Gap = 0
	}
	return r
}

// bare is a graph of pieces without portals, and its items by cell.
func bare(cells [][]*hull.Hull, polygon []geom.Vec3) (*Graph, [][]int32) {
	g := &Graph{cells: len(cells)}
	pieces := make([][]int32, len(cells))
	scale := 0.0
	for _, p := range polygon {
		if finite(p) {
			scale = max(scale, reach(p))
		}
	}
	for c, hulls := range cells {
		for _, h := range hulls {
			it, ok := pieceOf(h)
			if !ok {
				continue
			}
			it.cells = [2]int32{int32(c), -1}
			pieces[c] = append(pieces[c], int32(len(g.items)))
			g.items = append(g.items, *it)
			scale = max(scale, reach(it.box.Min), reach(it.box.Max))
		}
	}
	g.tol = 1e-9 + 1e-12*min(scale, 1e12)
	return g, pieces
}

// near is a graph of those pieces, without portals, that a line of some length from the
// shape may meet.
func near(cells [][]*hull.Hull, s *shape, length float64) *Graph {
	box := geom.BoxOf(s.points...)
	more := length + 1e-3*s.size + 1e-9*reach(s.center) + 1e-6
	for i := range box.Min {
		box.Min[i] -= more
		box.Max[i] += more
	}
	g := &Graph{cells: len(cells)}
	scale := 0.0
	for _, p := range s.points {
		scale = max(scale, reach(p))
	}
	for c, hulls := range cells {
		for _, h := range hulls {
			if h == nil || !h.Bounds().Overlaps(box) {
				continue
			}
			if it, ok := pieceOf(h); ok {
				it.cells = [2]int32{int32(c), -1}
				g.items = append(g.items, *it)
				scale = max(scale, reach(it.box.Min), reach(it.box.Max))
			}
		}
	}
	g.tol = 1e-9 + 1e-12*min(scale, 1e12)
	return g
}

// face finds the face of a piece that lies along the polygon and nearest to it: how far
// it is, at the polygon's most distant corner. ok is false when none lies along it
// within 45°.
func (it *item) face(s *shape) (plane int, d float64, ok bool) {
	d = math.Inf(1)
	for i := range it.planes {
		p := &it.planes[i]
		if math.Abs(p.N.Dot(s.plane.N)) < math.Sqrt2/2 {
			continue
		}
		var far float64
		for _, q := range s.points {
			far = max(far, math.Abs(p.Distance(q)))
		}
		if far < d {
			plane, d, ok = i, far, true
		}
	}
	return plane, d, ok
}

// Link finds the two cells that a portal joins from where it stands: it looks from
// points spread over the polygon along its normal to both sides, up to reach metres.
// The first cell met is that of the side, or Outside. From is the side into which the
// normal points. A polygon that stands within a cell, less than reach from its border,
// joins it with what is beyond that border. Of overlapping cells the one that goes on
// for longer is taken. ok is false when the polygon has no plane, or both sides are the
// same.
func Link(cells [][]*hull.Hull, polygon []geom.Vec3, reach float64) (from, to int, ok bool) {
	s, _ := shapeOf(polygon)
	if s.points == nil || !(reach >= 0) {
		return Outside, Outside, false
	}
	return between(near(cells, &s, 2*reach), &s, reach)
}

// between is Link among the pieces of g.
func between(g *Graph, s *shape, reach float64) (from, to int, ok bool) {
	// A portal drawn in a face is not exactly in it: a cell must be there a little way
	// beyond the polygon to count for a side.
	l := linker{g: g, s: s, reach: reach, skin: max(1e-3*s.size, 4*g.tol)}
	ahead, back := s.plane.N, s.plane.N.Mul(-1)
	from, fromEnd := l.look(ahead, 0, Outside)
	to, toEnd := l.look(back, 0, Outside)
	if from == to && from != Outside {
		if within := min(fromEnd, toEnd); within <= reach && fromEnd <= toEnd {
			from, _ = l.look(ahead, within, from)
		} else if within <= reach {
			to, _ = l.look(back, within, to)
		}
	}
	return from, to, from != to
}

type linker struct {
	g           *Graph
	s           *shape
	reach, skin float64
}

// look finds the cell that most points of the polygon meet first along n, beyond the
// distance after, other than not, and the least distance at which it ends.
func (l *linker) look(n geom.Vec3, after float64, not int) (cell int, end float64) {
	votes := map[int]int{}
	ends := map[int]float64{}
	points := 0
	l.s.samples(func(p geom.Vec3) {
		points++
		cell, near, far := Outside, math.Inf(1), 0.0
		for i := range l.g.items {
			it := &l.g.items[i]
			if c := int(it.cells[0]); c == not {
				continue
			}
			t0, t1 := it.along(p, n, l.reach+after+l.s.size, l.g.tol)
			t0 = max(t0, after)
			if t1-t0 <= l.skin || t0 > l.reach+after {
				continue
			}
			// Of cells that begin together the one that goes further.
			if t0 < near-l.skin || t0 < near+l.skin && t1 > far {
				cell, near, far = int(it.cells[0]), t0, t1
			}
		}
		if cell == Outside {
			return
		}
		if e, ok := ends[cell]; !ok || far < e {
			ends[cell] = far
		}
		votes[cell]++
	})
	cell = Outside
	for c, n := range votes {
		// A corner of the polygon that looks into the room beside it is no link.
		if 8*n < points {
			continue
		}
		if cell == Outside || n > votes[cell] || n == votes[cell] && c < cell {
			cell = c
		}
	}
	return cell, ends[cell]
}

// SnapToFace moves a polygon along its normal onto the plane of the nearest face of a
// cell that lies along it within 45°, no further than within metres, and gives how far
// its furthest point went. ok is false when there is no such face, or the polygon has
// no plane; it is then given back as it was.
func SnapToFace(cells [][]*hull.Hull, polygon []geom.Vec3, within float64) (snapped []geom.Vec3, moved float64, ok bool) {
	s, _ := shapeOf(polygon)
	if s.points == nil {
		return polygon, 0, false
	}
	g, _ := bare(cells, polygon)
	var plane *geom.Plane
	best := math.Inf(1)
	around := grow(geom.BoxOf(s.points...), max(within, 0))
	for i := range g.items {
		it := &g.items[i]
		if !it.box.Overlaps(around) {
			continue
		}
		k, d, found := it.face(&s)
		// The face, not its plane alone, must be next to the polygon.
		if found && d < best && it.contains(foot(&it.planes[k], s.center), g.tol+0.01*s.size) {
			best, plane = d, &it.planes[k]
		}
	}
	if plane == nil || !(best <= within) {
		return polygon, 0, false
	}
	snapped = make([]geom.Vec3, len(polygon))
	for i, p := range polygon {
		t := -plane.Distance(p) / plane.N.Dot(s.plane.N)
		snapped[i] = p.Add(s.plane.N.Mul(t))
		moved = max(moved, math.Abs(t))
	}
	return snapped, moved, true
}

// foot is the point of the plane nearest to q.
func foot(p *geom.Plane, q geom.Vec3) geom.Vec3 { return q.Sub(p.N.Mul(p.Distance(q))) }
