package nodetree

import (
	"math/bits"

	"ridgeline/occluders/geom"
)

// A subtree with at most subtreeGrain items is built by one processor.
const subtreeGrain = 4096

// builder sorts items into nodes from the top down: at each node the items are handed
// to the children in which they lie, so that each level costs as much as there are
// items, and no node looks at an item that is not its own.
type builder struct {
	*grove
	*store // to which nodes are added
	shapes shapes
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

// grow fills a grove with items, which are within its cell.
func (g *grove) grow(s shapes, items []int32) {
	if len(items) == 0 {
		return
	}
	var tasks []task
	b := &builder{g, &store{lists: make([]int32, 0, len(items)+len(items)/8)}, s, &tasks}
	b.add(-1, cell{}, items)
	parts := make([]store, len(tasks))
	parallel(len(tasks), 1, func(_, k, _ int) {
		parts[k].lists = make([]int32, 0, len(tasks[k].items)+len(tasks[k].items)/4)
		sub := &builder{g, &parts[k], s, nil}
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
	cut := cut{&b.lattice, b.cellSize(c.depth), b.middle(&c)}
	b.shapes.sort(items, &cut, masks)
	var count [8]int32
	stay := int32(0)
	for _, mask := range masks {
		if mask == 0 {
			stay++
		}
		for ; mask != 0; mask &= mask - 1 {
			count[bits.TrailingZeros8(mask)]++
		}
	}
	n.spread = stay
	for _, c := range count {
		n.spread += c
	}
	if !b.splits(n) {
		b.keep(n, items)
		return
	}
	// Each child's items, and after them those that stay.
	sorted := make([]int32, n.spread)
	var next [9]int32
	for k, c := range count {
		next[k+1] = next[k] + c
	}
	from := next
	for k, i := range items {
		if masks[k] == 0 {
			sorted[next[8]] = i
			next[8]++
		}
		for m := masks[k]; m != 0; m &= m - 1 {
			j := bits.TrailingZeros8(m)
			sorted[next[j]] = i
			next[j]++
		}
	}
	b.keep(n, sorted[from[8]:])
	kids := b.newKids()
	n.kids = kids
	for k := range b.fan() {
		part := sorted[from[k]:from[k+1]]
		if len(part) == 0 {
			continue
		}
		if b.tasks != nil && len(part) <= subtreeGrain {
			*b.tasks = append(*b.tasks, task{self, int32(k), c.child(k), part})
			continue
		}
		child := b.add(self, c.child(k), part)
		b.kids[kids+int32(k)] = child
		widen(&b.nodes[self].box, &b.nodes[child].box)
	}
}

// keep lets a node hold items itself.
func (b *builder) keep(n *node, items []int32) {
	n.list = list{int32(len(b.lists)), int32(len(items)), int32(len(items))}
	b.lists = append(b.lists, items...)
	if len(items) > 0 {
		box, cell := b.shapes.unite(items), b.lattice.box(&n.cell)
		clip(&box, &cell)
		widen(&n.box, &box)
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
