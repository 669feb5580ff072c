package nodetree

import (
	"iter"
	"slices"

	"ridgeline/occluders/geom"
)

// Tree holds boxes, called items and named by their index. Queries may run from
// several goroutines at once; edits need the tree for themselves.
type Tree struct {
	boxes []geom.Box
	live  []bool
	free  []int32
	box   geom.Box
	items []int32
}

// Build sorts boxes into a tree; item i is boxes[i]. The slice is copied.
func Build(boxes []geom.Box, o Options) *Tree {
	t := &Tree{box: geom.EmptyBox()}
	for _, b := range boxes {
		t.boxes = append(t.boxes, b)
		t.live = append(t.live, true)
	}
	t.refresh()
	return t
}

func (t *Tree) refresh() {
	t.box = geom.EmptyBox()
	t.items = t.items[:0]
	for i, b := range t.boxes {
		if t.live[i] && !b.IsEmpty() {
			t.box = t.box.Union(b)
			t.items = append(t.items, int32(i))
		}
	}
}

// Move gives item another box.
func (t *Tree) Move(item int, b geom.Box) {
	t.boxes[item] = b
	t.refresh()
}

// Add makes a new item and returns its index, which may be that of a removed one.
func (t *Tree) Add(b geom.Box) int {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		t.boxes[i], t.live[i] = b, true
		t.refresh()
		return int(i)
	}
	t.boxes = append(t.boxes, b)
	t.live = append(t.live, true)
	t.refresh()
	return len(t.boxes) - 1
}

// Remove takes an item out. Its index is free for Add.
func (t *Tree) Remove(item int) {
	t.live[item] = false
	t.boxes[item] = geom.EmptyBox()
	t.free = append(t.free, int32(item))
	t.refresh()
}

// Box is the box of an item.
func (t *Tree) Box(item int) geom.Box { return t.boxes[item] }

// Bounds holds all items.
func (t *Tree) Bounds() geom.Box { return t.box }

// Nodes gives all nodes, parents before their children.
func (t *Tree) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if len(t.items) > 0 {
			yield(t.Node(0))
		}
	}
}

// Node gives a node by its index.
func (t *Tree) Node(index int) Node {
	return Node{Index: index, Parent: -1, Box: t.box, Items: t.items, Leaf: true}
}

// NodeAt finds the deepest node that holds p.
func (t *Tree) NodeAt(p geom.Vec3) (index int, ok bool) { return 0, t.box.Contains(p) }

// AppendVerdicts appends how each node, by index, stands to the frustum.
func (t *Tree) AppendVerdicts(dst []geom.Side, f *geom.Frustum) []geom.Side {
	if len(t.items) == 0 {
		return dst
	}
	return append(dst, f.Box(t.box))
}

// AppendVisible appends the items whose box the frustum does not exclude, each
// once, ascending.
func (t *Tree) AppendVisible(dst []int32, f *geom.Frustum) []int32 {
	for _, i := range t.items {
		if f.Box(t.boxes[i]) != geom.Outside {
			dst = append(dst, i)
		}
	}
	return dst
}

// AppendOverlapping appends the items whose box shares a point with b, each once,
// ascending.
func (t *Tree) AppendOverlapping(dst []int32, b geom.Box) []int32 {
	for _, i := range t.items {
		if t.boxes[i].Overlaps(b) {
			dst = append(dst, i)
		}
	}
	return dst
}

// AppendHit appends the items whose box the ray meets between 0 and tMax, each
// once, ascending.
func (t *Tree) AppendHit(dst []int32, r geom.Ray, tMax float64) []int32 {
	for _, i := range t.items {
		if enter, _, ok := r.Box(t.boxes[i]); ok && enter <= tMax {
			dst = append(dst, i)
		}
	}
	return dst
}

// Walk calls visit for the items whose box the ray meets between 0 and tMax, each
// once, nearer nodes first. visit returns the tMax from then on: the distance of
// the nearest hit so far, or the tMax it was given.
func (t *Tree) Walk(r geom.Ray, tMax float64, visit func(item int, enter float64) (tMax float64)) {
	type at struct {
		item  int32
		enter float64
	}
	var hits []at
	for _, i := range t.items {
		if enter, _, ok := r.Box(t.boxes[i]); ok {
			hits = append(hits, at{i, enter})
		}
	}
	slices.SortFunc(hits, func(a, b at) int {
		switch {
		case a.enter < b.enter:
			return -1
		case a.enter > b.enter:
			return 1
		}
		return int(a.item - b.item)
	})
	for _, h := range hits {
		if h.enter > tMax {
			return
		}
		tMax = visit(int(h.item), h.enter)
	}
}

// Stats counts the tree.
func (t *Tree) Stats() Stats {
	if len(t.items) == 0 {
		return Stats{}
	}
	return Stats{Nodes: 1, Leaves: 1, Items: len(t.items), Listings: len(t.items), Depths: []int{1}, Bytes: 48 * len(t.boxes)}
}
