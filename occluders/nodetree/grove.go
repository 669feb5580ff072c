package nodetree

import (
	"math/bits"
	"sync"
	"unsafe"

	"ridgeline/occluders/geom"
)

// shapes are the items of a grove.
type shapes interface {
	// box is the box of an item.
	box(item int32) geom.Box
	// unite is the box around some items.
	unite(items []int32) geom.Box
	// sort gives the children to which each of some items goes, as cut.sort does.
	sort(items []int32, c *cut, masks []uint8)
	// beyond reports whether an item lies wholly beyond one of the frustum's planes
	// in the set.
	beyond(item int32, f *geom.Frustum, planes planeSet) bool
}

// node is a node of a grove.
type node struct {
	box    geom.Box // of the items' parts in its cell
	cell   cell
	parent int32 // -1 at the root, dead where there is no node
	kids   int32 // of its children's indices in store.kids; -1 for a leaf
	list   list  // items that lie in the node itself
	items  int32 // that lie in the node or below
	spread int32 // what the sum of items of its children would be or is
	corner [4]int32
}

const dead = -2

// list is a part of store.lists, with room to grow.
type list struct{ at, len, cap int32 }

// store holds nodes in flat arrays. A node without items does not exist: its place
// among its parent's children is -1.
type store struct {
	nodes []node
	kids  []int32 // fan for each inner node
	lists []int32

	freeNodes, freeKids []int32
	waste               int // of lists, no longer used
}

// grove is a tree over items, quadtree or octree. Its root, if any, is node 0.
type grove struct {
	store
	lattice
	maxItems int
	deepest  uint8 // nodes of this depth are no larger than the least size, and are leaves
	outside  int   // items that the root holds although they are not within its cell
	corners  corners
	scratch  sync.Pool // of *scratch
}

// plant makes an empty grove for items within b.
func plant(o Options, b geom.Box) *grove {
	g := &grove{maxItems: o.MaxItems}
	if g.maxItems <= 0 {
		g.maxItems = DefaultMaxItems
	}
	size := o.MinSize
	if !(size > 0) {
		size = DefaultMinSize
	}
	if b.IsEmpty() {
		b = geom.Box{}
	}
	g.lattice = latticeOf(o.Split, b)
	for g.deepest < levels-1 && g.cellSize(g.deepest) > size {
		g.deepest++
	}
	g.scratch.New = func() any { return new(scratch) }
	return g
}

// splits tells whether a node has children: if it is larger than the least size, has
// more than the most items, and each would go to no more than half of the children
// on average. Only what it counts of itself matters, so that a tree that was edited
// is the tree that would be built.
func (g *grove) splits(n *node) bool {
	return n.cell.depth < g.deepest && int(n.items) > g.maxItems && int(n.spread) <= int(n.items)*g.fan()/2
}

// share is what an item adds to the spread of a node, and the children that it goes to.
// A node of the greatest depth has neither.
func (g *grove) share(b *geom.Box, c *cell) (n int32, mask uint8) {
	if c.depth >= g.deepest {
		return 0, 0
	}
	cut := cut{&g.lattice, g.cellSize(c.depth), g.middle(c)}
	if mask = cut.sort(b); mask == 0 {
		return 1, 0
	}
	return int32(bits.OnesCount8(mask)), mask
}

// held is what lies in a node itself.
func (s *store) held(n *node) []int32 { return s.lists[n.list.at:][:n.list.len] }

// children are the slots of an inner node.
func (g *grove) children(n *node) []int32 { return g.kids[n.kids:][:g.fan()] }

// bytes is what the arrays take.
func (g *grove) bytes() int {
	return cap(g.nodes)*int(unsafe.Sizeof(node{})) + 4*(cap(g.kids)+cap(g.lists)+cap(g.freeNodes)+cap(g.freeKids)) + g.corners.bytes()
}
