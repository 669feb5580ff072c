package nodetree

import (
	"iter"
	"math"
	"math/bits"

	"ridgeline/occluders/geom"
)

// Tree sorts boxes, called items and named by their index. Queries may run from
// several goroutines at once and allocate nothing once warm, but for what they append;
// an edit needs the tree for itself.
//
// A box that is empty, or has a coordinate that is not a number or beyond 10¹⁰⁰, is an
// item that no query finds.
type Tree struct {
	*grove
	options Options
	items   boxItems
	free    []int32
}

// boxItems are the boxes of a tree's items.
type boxItems struct {
	boxes []geom.Box
	state []uint8 // of the items: absent, hidden or placed
}

const (
	absent = iota // removed; its number is free
	hidden        // without a place
	placed        // in the grove
)

func (b *boxItems) box(i int32) geom.Box { return b.boxes[i] }

func (b *boxItems) unite(items []int32) geom.Box {
	u := geom.EmptyBox()
	for _, i := range items {
		widen(&u, &b.boxes[i])
	}
	return u
}

func (b *boxItems) sort(items []int32, c *cut, masks []uint8) {
	for k, i := range items {
		masks[k] = c.sort(&b.boxes[i])
	}
}

func (b *boxItems) beyond(i int32, f *geom.Frustum, planes planeSet) bool {
	for p := range planeSet(6) {
		if planes>>p&1 == 0 {
			continue
		}
		if far, _ := extremes(&b.boxes[i], &f.Planes[p]); f.Planes[p].Distance(far) < 0 {
			return true
		}
	}
	return false
}

// Build sorts boxes into a tree; item i is boxes[i]. The slice is copied. It takes
// time in proportion to n log n.
func Build(boxes []geom.Box, o Options) *Tree {
	t := &Tree{options: o}
	t.options.Materials = nil
	t.items.boxes = append(t.items.boxes, boxes...)
	t.items.state = make([]uint8, len(boxes))
	for i := range boxes {
		t.items.state[i] = hidden
		if properBox(&boxes[i]) {
			t.items.state[i] = placed
		}
	}
	t.Fit()
	return t
}

// Fit builds the tree anew around the items as they are. Add and Move do so when more
// items lie outside the root than within.
func (t *Tree) Fit() {
	b := geom.EmptyBox()
	var items []int32
	for i, s := range t.items.state {
		if s == placed {
			b = b.Union(t.items.boxes[i])
			items = append(items, int32(i))
		}
	}
	t.grove = plant(t.options, b)
	t.grow(&t.items, items)
}

// Len is the number of items that there have been at once; their indices are less.
func (t *Tree) Len() int { return len(t.items.boxes) }

// Box is the box of an item; empty after Remove.
func (t *Tree) Box(item int) geom.Box { return t.items.boxes[item] }

// Bounds holds all items that queries find.
func (t *Tree) Bounds() geom.Box {
	if len(t.nodes) == 0 {
		return geom.EmptyBox()
	}
	return t.nodes[0].box
}

// Move gives an item another box. What leaves the root's cell stays in the root.
func (t *Tree) Move(item int, b geom.Box) {
	if t.items.state[item] == absent {
		return
	}
	t.set(int32(item), b)
}

// Add makes a new item and returns its index, which may be that of a removed one.
func (t *Tree) Add(b geom.Box) int {
	i := int32(len(t.items.boxes))
	if n := len(t.free); n > 0 {
		i = t.free[n-1]
		t.free = t.free[:n-1]
	} else {
		t.items.boxes = append(t.items.boxes, geom.EmptyBox())
		t.items.state = append(t.items.state, absent)
	}
	t.set(i, b)
	return int(i)
}

// Remove takes an item out. Its index is free for Add.
func (t *Tree) Remove(item int) {
	if t.items.state[item] == absent {
		return
	}
	t.set(int32(item), geom.EmptyBox())
	t.items.state[item] = absent
	t.free = append(t.free, int32(item))
}

// set gives an item a box.
func (t *Tree) set(i int32, b geom.Box) {
	s := t.borrow(len(t.items.boxes))
	defer t.grove.scratch.Put(s)
	e := t.editor(&t.items, &s.marks)
	if t.items.state[i] == placed {
		e.remove(i)
	}
	t.items.boxes[i], t.items.state[i] = b, hidden
	if !properBox(&b) {
		return
	}
	t.items.state[i] = placed
	if len(t.nodes) == 0 || t.outside > t.maxItems && t.outside > int(t.nodes[0].items) {
		t.Fit()
		return
	}
	e.insert(i)
}

// AppendVisible appends the items that the frustum may hold, each once, ascending: of
// the boxes that Frustum.Box does not find Outside all but those that are beyond one
// plane or another in each node that they cross.
func (t *Tree) AppendVisible(dst []int32, f *geom.Frustum) []int32 {
	s := t.borrow(len(t.items.boxes))
	t.visible(f, &t.items, s)
	dst = s.marks.drain(dst)
	t.scratch.Put(s)
	return dst
}

// AppendVerdicts appends how each node, by index, stands to the frustum. Below a node
// that is Outside or Inside all nodes are as it is; in one that is Crossing the items
// themselves decide.
func (t *Tree) AppendVerdicts(dst []geom.Side, f *geom.Frustum) []geom.Side {
	return t.appendVerdicts(dst, f)
}

// AppendOverlapping appends the items whose box shares a point with b, each once,
// ascending.
func (t *Tree) AppendOverlapping(dst []int32, b geom.Box) []int32 {
	s := t.borrow(len(t.items.boxes))
	t.overlapping(&b, &t.items, s)
	dst = s.marks.drain(dst)
	t.scratch.Put(s)
	return dst
}

// AppendHit appends the items whose box the ray meets between 0 and tMax, each once,
// ascending.
func (t *Tree) AppendHit(dst []int32, r geom.Ray, tMax float64) []int32 {
	s := t.borrow(len(t.items.boxes))
	t.walk(&r, tMax, &t.items, s, func(int32, float64) float64 { return tMax })
	dst = s.marks.drain(dst)
	t.scratch.Put(s)
	return dst
}

// Walk calls visit for the items whose box the ray meets between 0 and tMax, each
// once, those of nearer nodes first; enter is where the ray enters the item's box.
// visit returns the tMax from then on: the distance of the nearest hit so far, the
// tMax that it had, or a negative number to end the walk. It may query the tree but
// not edit it.
func (t *Tree) Walk(r geom.Ray, tMax float64, visit func(item int, enter float64) (tMax float64)) {
	s := t.borrow(len(t.items.boxes))
	t.walk(&r, tMax, &t.items, s, func(i int32, enter float64) float64 { return visit(int(i), enter) })
	s.marks.clear()
	t.scratch.Put(s)
}

// Nodes gives all nodes, parents before their children.
func (t *Tree) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) { t.each(func(i int32) bool { return yield(t.Node(int(i))) }) }
}

// Node gives the node of an index below Stats.Slots. Where an edit left none, its
// Parent is -2.
func (t *Tree) Node(index int) Node { return t.describe(int32(index)) }

// NodeAt finds the deepest node whose cell holds p: a leaf, or where an inner node has
// no child, since nothing is there, that. A quadtree's cells hold all heights.
func (t *Tree) NodeAt(p geom.Vec3) (index int, ok bool) { return t.find(p) }

// Stats counts the tree.
func (t *Tree) Stats() Stats {
	s := t.count()
	for _, state := range t.items.state {
		if state == placed {
			s.Items++
		}
	}
	s.Bytes += 49*cap(t.items.boxes) + 4*cap(t.free)
	return s
}

// each calls do for the nodes, parents before their children, until it is false.
func (g *grove) each(do func(i int32) bool) {
	if len(g.nodes) > 0 {
		g.eachBelow(0, do)
	}
}

func (g *grove) eachBelow(i int32, do func(i int32) bool) bool {
	if !do(i) {
		return false
	}
	n := &g.nodes[i]
	if n.kids < 0 {
		return true
	}
	for _, k := range g.children(n) {
		if k >= 0 && !g.eachBelow(k, do) {
			return false
		}
	}
	return true
}

func (g *grove) describe(i int32) Node {
	n := &g.nodes[i]
	c := g.lattice.box(&n.cell)
	if g.split == Quad {
		c.Min[1], c.Max[1] = n.box.Min[1], n.box.Max[1]
	}
	return Node{
		Index: int(i), Parent: int(n.parent), Depth: int(n.cell.depth),
		Box: n.box, Cell: c, Items: g.held(n), Leaf: n.kids < 0,
	}
}

func (g *grove) find(p geom.Vec3) (index int, ok bool) {
	b := geom.Box{Min: p, Max: p}
	if len(g.nodes) == 0 || math.IsNaN(p[0]+p[1]+p[2]) || !g.holds(&b) {
		return 0, false
	}
	i := int32(0)
	for {
		n := &g.nodes[i]
		if n.kids < 0 {
			return int(i), true
		}
		middle := g.middle(&n.cell)
		k := bits.TrailingZeros8(g.lattice.children(&b, &middle))
		child := g.kids[int(n.kids)+k]
		if child < 0 {
			return int(i), true
		}
		i = child
	}
}

func (g *grove) count() (s Stats) {
	s.Slots = len(g.nodes)
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.parent == dead {
			continue
		}
		s.Nodes++
		if n.kids < 0 {
			s.Leaves++
		}
		s.Listings += int(n.list.len)
		for int(n.cell.depth) >= len(s.Depths) {
			s.Depths = append(s.Depths, 0)
		}
		s.Depths[n.cell.depth]++
	}
	s.Bytes = g.bytes()
	return s
}
