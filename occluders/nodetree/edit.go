package nodetree

import (
	"math/bits"
	"slices"

	"ridgeline/occluders/geom"
)

// editor changes a grove item by item. A node is split or joined as soon as its counts
// say so, and then sorted anew, so that the nodes are always those that would be built
// from the same items in the same root.
type editor struct {
	builder
	marks *marks
}

func (g *grove) editor(s shapes, m *marks) *editor {
	return &editor{builder{g, &g.store, s, nil}, m}
}

// insert adds an item, whose shape has its box already.
func (e *editor) insert(item int32) {
	box := e.shapes.box(item)
	if len(e.nodes) == 0 {
		e.newNode(-1, cell{})
		e.corners.lay(e.grove)
	}
	if !e.holds(&box) {
		root := &e.nodes[0]
		e.outside++
		e.push(root, item)
		widen(&root.box, &box)
	} else {
		e.insertAt(0, item, &box)
	}
	e.compact()
}

func (e *editor) insertAt(self, item int32, box *geom.Box) {
	n := &e.nodes[self]
	share, mask := e.share(box, &n.cell)
	n.items++
	n.spread += share
	switch inner := n.kids >= 0; {
	case inner != e.splits(n):
		e.rebuild(self, append(e.gather(self), item))
		return
	case !inner || mask == 0:
		e.push(n, item)
	default:
		kids, c := n.kids, n.cell
		for ; mask != 0; mask &= mask - 1 {
			k := bits.TrailingZeros8(mask)
			child := e.kids[int(kids)+k]
			if child < 0 {
				child = e.newNode(self, c.child(k))
				e.kids[int(kids)+k] = child
				e.corners.around(e.grove, self)
			}
			e.insertAt(child, item, box)
		}
		n = &e.nodes[self]
	}
	part, cell := *box, e.lattice.box(&n.cell)
	clip(&part, &cell)
	widen(&n.box, &part)
}

// remove takes an item out, whose shape still has the box with which it went in.
func (e *editor) remove(item int32) {
	box := e.shapes.box(item)
	if !e.holds(&box) {
		e.outside--
		e.pull(0, item)
		e.measure(0)
	} else {
		e.removeAt(0, item, &box)
	}
	if n := &e.nodes[0]; n.items == 0 && e.outside == 0 {
		*e.store = store{}
	}
	e.compact()
}

func (e *editor) removeAt(self, item int32, box *geom.Box) {
	n := &e.nodes[self]
	share, mask := e.share(box, &n.cell)
	n.items--
	n.spread -= share
	inner := n.kids >= 0
	if inner != e.splits(n) {
		items := e.gather(self)
		i := slices.Index(items, item)
		e.rebuild(self, slices.Delete(items, i, i+1))
		return
	}
	if !inner || mask == 0 {
		e.pull(self, item)
	} else {
		for ; mask != 0; mask &= mask - 1 {
			slot := int(n.kids) + bits.TrailingZeros8(mask)
			child := e.kids[slot]
			if e.nodes[child].items == 1 {
				e.free(child)
				e.kids[slot] = -1
				continue
			}
			e.removeAt(child, item, box)
		}
	}
	e.measure(self)
}

// measure works out a node's box from what it holds.
func (e *editor) measure(self int32) {
	n := &e.nodes[self]
	n.box = geom.EmptyBox()
	if held := e.held(n); len(held) > 0 {
		n.box = e.shapes.unite(held)
		if self != 0 || e.outside == 0 {
			cell := e.lattice.box(&n.cell)
			clip(&n.box, &cell)
		}
	}
	if n.kids < 0 {
		return
	}
	for _, k := range e.children(n) {
		if k >= 0 {
			widen(&n.box, &e.nodes[k].box)
		}
	}
}

// gather lists the items in a node and below, each once; of the root's only those
// within its cell.
func (e *editor) gather(self int32) []int32 {
	e.collect(self)
	return e.marks.drain(nil)
}

func (e *editor) collect(self int32) {
	n := &e.nodes[self]
	for _, i := range e.held(n) {
		if b := e.shapes.box(i); self != 0 || e.holds(&b) {
			e.marks.add(i)
		}
	}
	if n.kids < 0 {
		return
	}
	for _, k := range e.children(n) {
		if k >= 0 {
			e.collect(k)
		}
	}
}

// rebuild sorts a node's items anew.
func (e *editor) rebuild(self int32, items []int32) {
	var outside []int32
	if self == 0 && e.outside > 0 {
		for _, i := range e.held(&e.nodes[0]) {
			if b := e.shapes.box(i); !e.holds(&b) {
				outside = append(outside, i)
			}
		}
	}
	e.clearNode(self)
	e.fill(self, items)
	e.corners.below(e.grove, self)
	for _, i := range outside {
		n, b := &e.nodes[0], e.shapes.box(i)
		e.push(n, i)
		widen(&n.box, &b)
	}
}

// clearNode frees what a node has.
func (e *editor) clearNode(self int32) {
	n := &e.nodes[self]
	e.waste += int(n.list.cap)
	if n.kids >= 0 {
		kids := n.kids
		for _, k := range e.children(n) {
			if k >= 0 {
				e.free(k)
			}
		}
		e.freeKids = append(e.freeKids, kids)
	}
	n.kids, n.list = -1, list{}
}

// free gives up a node and all below it.
func (e *editor) free(self int32) {
	e.clearNode(self)
	e.nodes[self] = node{parent: dead, kids: -1}
	e.freeNodes = append(e.freeNodes, self)
}

// push adds an item to those that a node holds itself.
func (e *editor) push(n *node, item int32) {
	if n.list.len == n.list.cap {
		old := e.held(n)
		e.waste += len(old)
		n.list.at = int32(len(e.lists))
		n.list.cap = max(4, 2*n.list.cap)
		e.lists = append(e.lists, old...)
		e.lists = append(e.lists, make([]int32, int(n.list.cap)-len(old))...)
	}
	e.lists[n.list.at+n.list.len] = item
	n.list.len++
}

// pull takes an item from those that a node holds itself.
func (e *editor) pull(self, item int32) {
	n := &e.nodes[self]
	held := e.held(n)
	i := slices.Index(held, item)
	held[i] = held[len(held)-1]
	n.list.len--
}

// compact moves the lists together once most of them is waste.
func (e *editor) compact() {
	if e.waste < 1024 || e.waste < len(e.lists)/2 {
		return
	}
	lists := make([]int32, 0, len(e.lists)-e.waste)
	for i := range e.nodes {
		if n := &e.nodes[i]; n.parent != dead {
			held := e.held(n)
			n.list = list{int32(len(lists)), n.list.len, n.list.len}
			lists = append(lists, held...)
		}
	}
	e.lists, e.waste = lists, 0
}
