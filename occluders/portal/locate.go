package portal

import (
	"math"
	"slices"

	"ridgeline/occluders/geom"
)

// Cell gives the cell in which a point is, the first of several; ok is false when it
// is in none, that is Outside. Faces belong to cells.
func (g *Graph) Cell(eye geom.Vec3) (cell int, ok bool) {
	cell = Outside
	it := g.tree.walk(grow(geom.Box{Min: eye, Max: eye}, g.tol))
	for i, more := it.next(); more; i, more = it.next() {
		b := &g.items[i]
		if b.cells[1] < 0 && (!ok || int(b.cells[0]) < cell) && b.contains(eye, g.tol) {
			cell, ok = int(b.cells[0]), true
		}
	}
	return cell, ok
}

// AppendCells appends the cells that a box touches, each once and sorted: Outside
// first, unless the box lies wholly inside one piece. A box in a portal's opening
// belongs to both its cells. An empty box is in no cell.
func (g *Graph) AppendCells(dst []int32, box geom.Box) []int32 {
	if box.IsEmpty() {
		return dst
	}
	n := len(dst)
	outside := true
	it := g.tree.walk(grow(box, g.tol))
	for i, more := it.next(); more; i, more = it.next() {
		b := &g.items[i]
		touches, inside := b.box3(box, g.tol)
		if !touches {
			continue
		}
		dst = append(dst, g.name(b.cells[0]))
		if b.cells[1] >= 0 {
			dst = append(dst, g.name(b.cells[1]))
		} else if inside {
			outside = false
		}
	}
	if outside {
		dst = append(dst, Outside)
	}
	slices.Sort(dst[n:])
	return dst[:n+len(slices.Compact(dst[n:]))]
}

func grow(b geom.Box, d float64) geom.Box {
	v := geom.Vec3{d, d, d}
	return geom.Box{Min: b.Min.Sub(v), Max: b.Max.Add(v)}
}

// contains reports whether p is inside or closer than tol; NaN is.
func (it *item) contains(p geom.Vec3, tol float64) bool {
	for i := range it.planes {
		if it.planes[i].Distance(p) > tol {
			return false
		}
	}
	return true
}

// box3 tells whether the box may touch the item, and whether it is wholly inside.
func (it *item) box3(b geom.Box, tol float64) (touches, inside bool) {
	inside = true
	for i := range it.planes {
		p := &it.planes[i]
		low, high := p.D, p.D
		for a, n := range p.N {
			if n >= 0 {
				low += n * b.Min[a]
				high += n * b.Max[a]
			} else {
				low += n * b.Max[a]
				high += n * b.Min[a]
			}
		}
		if low > tol {
			return false, false
		}
		if !(high <= tol) {
			inside = false
		}
	}
	return true, inside
}

// tree finds the items near a box: a binary tree of boxes, split in the middle item
// along the longest axis.
type tree struct {
	nodes []treeNode
	order []int32
}

type treeNode struct {
	box         geom.Box
	first, last int32 // of order, in a leaf
	right       int32 // 0 in a leaf; the left child is the next node
}

func (t *tree) build(items []item) {
	t.order = make([]int32, len(items))
	s := splitter{tree: t, items: items, centers: make([]geom.Vec3, len(items))}
	for i := range items {
		t.order[i] = int32(i)
		if s.centers[i] = items[i].box.Center(); !finite(s.centers[i]) {
			s.centers[i] = nowhere
		}
	}
	if len(items) > 0 {
		t.nodes = make([]treeNode, 0, len(items))
		s.split(0, len(items))
	}
}

// splitter builds a tree.
type splitter struct {
	tree    *tree
	items   []item
	centers []geom.Vec3 // of the items' boxes
}

// nowhere is the center of what is everywhere.
var nowhere = geom.Vec3{-math.MaxFloat64, -math.MaxFloat64, -math.MaxFloat64}

func (s *splitter) split(first, last int) {
	t := s.tree
	at := len(t.nodes)
	t.nodes = append(t.nodes, treeNode{first: int32(first), last: int32(last)})
	if last-first <= 4 {
		box := geom.EmptyBox()
		for _, i := range t.order[first:last] {
			box = box.Union(s.items[i].box)
		}
		t.nodes[at].box = box
		return
	}
	mid := geom.EmptyBox()
	for _, i := range t.order[first:last] {
		c := &s.centers[i]
		if *c == nowhere {
			continue
		}
		for a, x := range c {
			mid.Min[a], mid.Max[a] = min(mid.Min[a], x), max(mid.Max[a], x)
		}
	}
	axis := 0
	for a, l := range mid.Size() {
		if l > mid.Size()[axis] {
			axis = a
		}
	}
	half := (first + last) / 2
	s.halve(first, last, half, axis)
	s.split(first, half)
	right := len(t.nodes)
	s.split(half, last)
	t.nodes[at].right = int32(right)
	t.nodes[at].box = t.nodes[at+1].box.Union(t.nodes[right].box)
}

// before is the order along an axis: the same whatever the order was before.
func (s *splitter) before(a, b int32, axis int) bool {
	x, y := s.centers[a][axis], s.centers[b][axis]
	return x < y || x == y && a < b
}

// halve sorts part of the order so far that those before half come before the others
// (Hoare, "Algorithm 65: Find", 1961).
func (s *splitter) halve(first, last, half, axis int) {
	order := s.tree.order
	for last-first > 1 {
		// The median of three, since what is built is often sorted already.
		x, y, z := order[first], order[(first+last)/2], order[last-1]
		if s.before(y, x, axis) {
			x, y = y, x
		}
		if s.before(z, y, axis) {
			if y = z; s.before(y, x, axis) {
				y = x
			}
		}
		i, j := first, last-1
		for i <= j {
			for s.before(order[i], y, axis) {
				i++
			}
			for s.before(y, order[j], axis) {
				j--
			}
			if i <= j {
				order[i], order[j] = order[j], order[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case half <= j:
			last = j + 1
		case half >= i:
			first = i
		default:
			return
		}
	}
}

// walk lists the items whose boxes overlap b. A box with NaN overlaps all.
func (t *tree) walk(b geom.Box) walk {
	w := walk{tree: t, box: b}
	if len(t.nodes) > 0 {
		w.stack[0], w.depth = 0, 1
	}
	return w
}

// walk is a query under way. The tree is halved at each level and has fewer than 2³²
// items, so the stack suffices.
type walk struct {
	tree        *tree
	box         geom.Box
	stack       [40]int32
	depth       int
	first, last int32
}

func (w *walk) next() (item int32, ok bool) {
	for {
		if w.first < w.last {
			w.first++
			return w.tree.order[w.first-1], true
		}
		if w.depth == 0 {
			return 0, false
		}
		w.depth--
		i := w.stack[w.depth]
		n := &w.tree.nodes[i]
		if apart(&n.box, &w.box) {
			continue
		}
		if n.right == 0 {
			w.first, w.last = n.first, n.last
			continue
		}
		w.stack[w.depth], w.stack[w.depth+1] = n.right, i+1
		w.depth += 2
	}
}

func apart(a, b *geom.Box) bool {
	for i := range a.Min {
		if a.Min[i] > b.Max[i] || b.Min[i] > a.Max[i] {
			return true
		}
	}
	return false
}
