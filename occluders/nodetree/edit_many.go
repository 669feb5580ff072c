package nodetree

import (
	"math/bits"
	"slices"

	"ridgeline/occluders/geom"
)

// MoveAll gives items other boxes, items[i] that of boxes[i], as Move does one after the
// other, but looks at each node only once. So it takes time in proportion to the items
// given and those that share a node with them, where one by one it would be their
// product. If an item is given twice the last box counts.
func (t *Tree) MoveAll(items []int32, boxes []geom.Box) {
	switch len(items) {
	case 0:
		return
	case 1:
		t.Move(int(items[0]), boxes[0])
		return
	}
	s, gone := t.borrow(len(t.items.boxes)), t.borrow(len(t.items.boxes))
	defer t.scratch.Put(s)
	defer t.scratch.Put(gone)
	e := t.editor(&t.items, &s.marks)
	for _, i := range items {
		if t.items.state[i] == placed {
			gone.marks.add(i)
		}
	}
	if list := gone.marks.list(nil); len(list) > 0 {
		e.removeAll(list, &gone.marks)
		gone.marks.clear()
	}
	for k, i := range items {
		if t.items.state[i] != absent {
			t.items.boxes[i], t.items.state[i] = boxes[k], hidden
		}
	}
	for _, i := range items {
		if t.items.state[i] == hidden && properBox(&t.items.boxes[i]) {
			s.marks.add(i)
			t.items.state[i] = placed
		}
	}
	list := s.marks.drain(nil)
	if len(list) == 0 {
		return
	}
	if len(t.nodes) == 0 {
		t.Fit()
		return
	}
	e.insertAll(list)
	if t.outside > t.maxItems && t.outside > int(t.nodes[0].items) {
		t.Fit()
	}
}

// list appends the members, ascending.
func (m *marks) list(dst []int32) []int32 {
	for s, sum := range m.summary {
		for ; sum != 0; sum &= sum - 1 {
			w := s<<6 + bits.TrailingZeros64(sum)
			for word := m.words[w]; word != 0; word &= word - 1 {
				dst = append(dst, int32(w<<6+bits.TrailingZeros64(word)))
			}
		}
	}
	return dst
}

// within gives the items that are within the root's cell, in the slice's memory, and
// how many are not.
func (e *editor) within(items []int32) (in []int32, out int) {
	in = slices.DeleteFunc(items, func(i int32) bool { b := e.shapes.box(i); return !e.holds(&b) })
	return in, len(items) - len(in)
}

// handOut is how a node shares items among its children.
type handOut struct {
	masks  []uint8
	spread int32 // what they add to the node's spread
	stay   int   // those that stay in the node
}

func (e *editor) handOut(c *cell, items []int32) (h handOut) {
	h.masks = make([]uint8, len(items))
	if c.depth >= e.deepest {
		h.stay = len(items)
		return h
	}
	cut := cut{&e.lattice, e.cellSize(c.depth), e.middle(c)}
	e.shapes.sort(items, &cut, h.masks)
	for _, mask := range h.masks {
		if mask == 0 {
			h.stay++
		}
		h.spread += int32(bits.OnesCount8(mask))
	}
	h.spread += int32(h.stay)
	return h
}

// part is what child k gets, in memory of its own.
func (h *handOut) part(items []int32, k int) (part []int32) {
	for i, mask := range h.masks {
		if mask>>k&1 != 0 {
			part = append(part, items[i])
		}
	}
	return part
}

// insertAll adds items, whose shapes have their boxes already.
func (e *editor) insertAll(items []int32) {
	all := items
	items, outside := e.within(slices.Clone(items))
	if len(items) > 0 {
		e.insertManyAt(0, items)
	}
	if outside > 0 {
		e.outside += outside
		for _, i := range all {
			if box := e.shapes.box(i); !e.holds(&box) {
				e.push(&e.nodes[0], i)
				widen(&e.nodes[0].box, &box)
			}
		}
	}
	e.compact()
}

func (e *editor) insertManyAt(self int32, items []int32) {
	n := &e.nodes[self]
	c := n.cell
	h := e.handOut(&c, items)
	n.items += int32(len(items))
	n.spread += h.spread
	inner := n.kids >= 0
	if inner != e.splits(n) {
		e.rebuild(self, append(e.gather(self), items...))
		return
	}
	for k, i := range items {
		if !inner || h.masks[k] == 0 {
			e.push(n, i)
		}
	}
	if inner && h.stay < len(items) {
		kids := n.kids
		for k := range e.fan() {
			part := h.part(items, k)
			if len(part) == 0 {
				continue
			}
			child := e.kids[int(kids)+k]
			if child < 0 {
				child = e.newNode(self, c.child(k))
				e.kids[int(kids)+k] = child
				e.corners.around(e.grove, self)
			}
			e.insertManyAt(child, part)
		}
		n = &e.nodes[self]
	}
	box, cell := e.shapes.unite(items), e.lattice.box(&c)
	clip(&box, &cell)
	widen(&n.box, &box)
}

// removeAll takes items out, whose shapes still have the boxes with which they went in.
// gone has the same items.
func (e *editor) removeAll(items []int32, gone *marks) {
	items, outside := e.within(items)
	e.outside -= outside
	if outside > 0 {
		e.strip(0, gone)
	}
	if len(items) > 0 {
		e.removeManyAt(0, items, gone)
	} else {
		e.measure(0)
	}
	if n := &e.nodes[0]; n.items == 0 && e.outside == 0 {
		*e.store = store{}
	}
	e.compact()
}

func (e *editor) removeManyAt(self int32, items []int32, gone *marks) {
	n := &e.nodes[self]
	h := e.handOut(&n.cell, items)
	n.items -= int32(len(items))
	n.spread -= h.spread
	inner := n.kids >= 0
	if inner != e.splits(n) {
		e.rebuild(self, slices.DeleteFunc(e.gather(self), gone.has))
		return
	}
	if !inner || h.stay > 0 {
		e.strip(self, gone)
	}
	if inner && h.stay < len(items) {
		kids := n.kids
		for k := range e.fan() {
			part := h.part(items, k)
			if len(part) == 0 {
				continue
			}
			slot := int(kids) + k
			if child := e.kids[slot]; int(e.nodes[child].items) == len(part) {
				e.free(child)
				e.kids[slot] = -1
			} else {
				e.removeManyAt(child, part, gone)
			}
		}
	}
	e.measure(self)
}

// strip takes what is gone from the items that a node holds itself.
func (e *editor) strip(self int32, gone *marks) {
	n := &e.nodes[self]
	n.list.len = int32(len(slices.DeleteFunc(e.held(n), gone.has)))
}
