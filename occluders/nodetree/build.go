package nodetree

import (
	"math/bits"

	"ridgeline/occluders/geom"
)

// A subtree with at most subtreeGrain items is built by one processor.
const subtreeGrain = 4096

// builder sorts items into nodes from the top down: at each node the items are handed
// to the children that they reach, so that each level costs as much as there are
// items, and no node looks at an item that is not its own.
type builder struct {
	*grove
	*store // to which nodes are added
	shapes shapes
	spanOf func(item int32) span
	tasks  *[]task // where large builds leave their subtrees, or nil
}

// task is a subtree that is built by itself: what item lies in it, and whose child it
// is.
type task struct {
	parent int32
	slot   int32
	cell   cell
	items  []int32
}

// grow fills a grove with items 0 … n−1 that have a place.
func (g *grove) grow(s shapes, items []int32, n int) {
	if len(items) == 0 {
		return
	}
	spans := make([]span, n)
	parallel(len(items), sortGrain, func(_, lo, hi int) {
		for _, i := range items[lo:hi] {
			b := s.box(i)
			spans[i] = g.span(&b)
		}
	})
	var tasks []task
	b := &builder{g, &store{}, s, func(i int32) span { return spans[i] }, &tasks}
	b.add(-1, cell{}, items)
	parts := make([]store, len(tasks))
	parallel(len(tasks), 1, func(_, k, _ int) {
		sub := &builder{g, &parts[k], s, b.spanOf, nil}
		sub.add(-1, tasks[k].cell, tasks[k].items)
	})
	g.store = *b.store
	for k := range parts {
		g.graft(&parts[k], &tasks[k])
	}
	for i := len(g.nodes) - 1; i >= 0; i-- { // parents come before their children
		if n := &g.nodes[i]; n.parent >= 0 {
			widen(&g.nodes[n.parent].box, &n.box)
		}
	}
	g.corners.lay(g)
}

// graft appends a subtree that was built by itself.
func (g *grove) graft(s *store, t *task) {
	node0, kids0, lists0 := int32(len(g.nodes)), int32(len(g.kids)), int32(len(g.lists))
	for _, n := range s.nodes {
		if n.parent < 0 {
			n.parent = t.parent
		} else {
			n.parent += node0
		}
		if n.kids >= 0 {
			n.kids += kids0
		}
		n.list.at += lists0
		g.nodes = append(g.nodes, n)
	}
	for _, k := range s.kids {
		if k >= 0 {
			k += node0
		}
		g.kids = append(g.kids, k)
	}
	g.lists = append(g.lists, s.lists...)
	g.kids[g.nodes[t.parent].kids+t.slot] = node0
}

// add makes a node for items, and those below it.
func (b *builder) add(parent int32, c cell, items []int32) int32 {
	self := b.newNode(parent, c)
	b.fill(self, items)
	return self
}

// fill sorts items into a node that has none.
func (b *builder) fill(self int32, items []int32) {
	n := &b.nodes[self]
	c := n.cell
	n.kids, n.items, n.spread, n.box = -1, int32(len(items)), 0, geom.EmptyBox()
	if c.depth >= b.deepest {
		b.keep(n, items)
		return
	}
	masks := make([]uint8, len(items))
	var count [8]int32
	stay := int32(0)
	for k, i := range items {
		at := b.spanOf(i)
		share, mask := b.share(&at, &c)
		masks[k] = mask
		n.spread += share
		if mask == 0 {
			stay++
		}
		for ; mask != 0; mask &= mask - 1 {
			count[bits.TrailingZeros8(mask)]++
		}
	}
	if !b.splits(n) {
		b.keep(n, items)
		return
	}
	var parts [8][]int32
	for k := range b.fan() {
		parts[k] = make([]int32, 0, count[k])
	}
	own := make([]int32, 0, stay)
	for k, i := range items {
		if masks[k] == 0 {
			own = append(own, i)
		}
		for m := masks[k]; m != 0; m &= m - 1 {
			j := bits.TrailingZeros8(m)
			parts[j] = append(parts[j], i)
		}
	}
	b.keep(n, own)
	kids := b.newKids()
	n.kids = kids
	for k := range b.fan() {
		if len(parts[k]) == 0 {
			continue
		}
		if b.tasks != nil && len(parts[k]) <= subtreeGrain {
			*b.tasks = append(*b.tasks, task{self, int32(k), c.child(k), parts[k]})
			continue
		}
		child := b.add(self, c.child(k), parts[k])
		b.kids[kids+int32(k)] = child
		widen(&b.nodes[self].box, &b.nodes[child].box)
	}
}

// keep lets a node hold items itself.
func (b *builder) keep(n *node, items []int32) {
	n.list = list{int32(len(b.lists)), int32(len(items)), int32(len(items))}
	b.lists = append(b.lists, items...)
	for _, i := range items {
		at, part := b.spanOf(i), b.shapes.box(i)
		b.clip(&part, &at, &n.cell)
		widen(&n.box, &part)
	}
}

// widen grows a box to hold another that is not empty.
func widen(b, o *geom.Box) {
	for i := range b.Min {
		b.Min[i] = min(b.Min[i], o.Min[i])
		b.Max[i] = max(b.Max[i], o.Max[i])
	}
}

func (b *builder) newNode(parent int32, c cell) int32 {
	n := node{parent: parent, cell: c, kids: -1, box: geom.EmptyBox()}
	if k := len(b.freeNodes); k > 0 {
		i := b.freeNodes[k-1]
		b.freeNodes = b.freeNodes[:k-1]
		b.nodes[i] = n
		return i
	}
	b.nodes = append(b.nodes, n)
	return int32(len(b.nodes) - 1)
}

func (b *builder) newKids() int32 {
	fan := b.fan()
	at := int32(len(b.kids))
	if k := len(b.freeKids); k > 0 {
		at = b.freeKids[k-1]
		b.freeKids = b.freeKids[:k-1]
	} else {
		b.kids = append(b.kids, make([]int32, fan)...)
	}
	for i := range fan {
		b.kids[int(at)+i] = -1
	}
	return at
}
