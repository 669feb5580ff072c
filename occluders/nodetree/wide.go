package nodetree

import (
	"math"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// lanes is the number of boxes or triangles that are tested at once.
const lanes = 8

// row is a number of each lane.
type row [lanes]float32

// wide is a tree whose nodes have up to eight children and whose leaves have up to
// eight triangles, each triangle in one leaf. All coordinates in it are less center.
type wide struct {
	center geom.Vec3 // float32 values; the subtraction is exact
	reach  float64   // the greatest coordinate of a vertex, either sign
	pad    float64   // what a coordinate may be off by, but for the ray's own
	box    geom.Box  // in the mesh's frame
	nodes  []wideNode
	leaves []wideLeaf
	sizes  [sizeClasses]row
}

// wideNode is an inner node: the boxes of its children, one in each lane.
type wideNode struct {
	bound [6]row // least x, y, z, then greatest x, y, z
	child [lanes]ref
}

// wideLeaf holds a triangle in each lane, NaN where there is none.
type wideLeaf struct {
	corner   [9]row // x, y, z of A, then of B and C
	triangle [lanes]int32
}

// ref is the index of a node, or leafBit with the index of a leaf and the class of
// its greatest triangle's size.
type ref uint32

const (
	leafBit     = 1 << 31
	sizeShift   = 26
	sizeClasses = 32
	indexMask   = 1<<sizeShift - 1
	none        = ref(0) // no child: the root is nobody's child
)

func (r ref) leaf() bool       { return r&leafBit != 0 }
func (r ref) index() int       { return int(r & indexMask) }
func (r ref) class() int       { return int(r >> sizeShift & (sizeClasses - 1)) }
func leafRef(i, class int) ref { return leafBit | ref(class)<<sizeShift | ref(i) }

// bins is the number of places at which a split is tried along each axis.
const bins = 16

// A part of more than longAxis clusters is only split along its longest axis, which is
// nearly always the best one.
const longAxis = 64

// Below splitDepth ranges are halved without looking for a good place, so that no
// input makes the tree deep.
const splitDepth = 12

// A subtree of at most taskGrain clusters is built by one processor.
const taskGrain = 2048

// buildWide makes the tree over the triangles whose bounds are boxes, which lie in
// whole; triangle i of boxes is triangle names[i] of the mesh.
func buildWide(positions []mgl32.Vec3, indices []uint32, boxes []bounds, whole *bounds, names []int32) *wide {
	w := &wide{box: geom.EmptyBox()}
	if len(boxes) == 0 {
		return w
	}
	list, order := clusters(boxes, whole)
	b := wideBuilder{w: w, list: list}
	w.place(whole)
	b.build()
	w.fill(positions, indices, list, order, names)
	return w
}

// place chooses the center: per axis the middle if it is so far away that the
// difference of any vertex to it is exact (Sterbenz, "Floating-Point Computation",
// 1974), and 0 if not.
func (w *wide) place(whole *bounds) {
	w.box = whole.box()
	for i := range 3 {
		lo, hi := w.box.Min[i], w.box.Max[i]
		c := float64(float32(lo + (hi-lo)/2))
		if hi-lo < math.Abs(c)/2 {
			w.center[i] = c
		}
		w.reach = max(w.reach, math.Abs(lo-w.center[i]), math.Abs(hi-w.center[i]))
	}
	away := max(math.Abs(w.center[0]), math.Abs(w.center[1]), math.Abs(w.center[2]))
	w.pad = w.reach*pad32 + away*pad64
	for k := range w.sizes {
		for i := range w.sizes[k] {
			w.sizes[k][i] = float32(math.Ldexp(2*w.reach, -k) * (1 + 1e-6))
		}
	}
}

// class is the class of sizes, up to size, of which the greatest is smallest.
func (w *wide) class(size float32) int {
	_, e := math.Frexp(float64(size) / (2 * w.reach))
	return min(max(-e, 0), sizeClasses-1)
}

// fill copies the corners of all triangles to their leaves.
func (w *wide) fill(positions []mgl32.Vec3, indices []uint32, list []cluster, order []uint32, names []int32) {
	nan := float32(math.NaN())
	c := mgl32.Vec3{float32(w.center[0]), float32(w.center[1]), float32(w.center[2])}
	w.leaves = make([]wideLeaf, len(list))
	parallel(len(list), 1024, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			l := &w.leaves[i]
			for j, k := range order[list[i].first:][:list[i].count] {
				n := names[k]
				l.triangle[j] = n
				for v, p := range indices[3*n:][:3] {
					q := &positions[p]
					l.corner[3*v][j] = q[0] - c[0]
					l.corner[3*v+1][j] = q[1] - c[1]
					l.corner[3*v+2][j] = q[2] - c[2]
				}
			}
			for j := int(list[i].count); j < lanes; j++ {
				l.triangle[j] = -1
				for v := range l.corner {
					l.corner[v][j] = nan
				}
			}
		}
	})
}

// wideBuilder sorts clusters into nodes. A leaf has the index of its cluster.
type wideBuilder struct {
	w     *wide
	list  []cluster
	tasks []wideTask
}

// wideTask is a subtree to be built: the clusters lo … hi−1 are the child in a lane
// of a node.
type wideTask struct {
	node, lane    int
	lo, hi, depth int
}

// build makes the top of the tree, then all subtrees at once, and joins them.
func (b *wideBuilder) build() {
	nodes := b.node(make([]wideNode, 0, len(b.list)/4+1), 0, len(b.list), 0, true)
	subtrees := make([][]wideNode, len(b.tasks))
	parallel(len(b.tasks), 1, func(_, i, _ int) {
		t := b.tasks[i]
		subtrees[i] = b.node(make([]wideNode, 0, (t.hi-t.lo)/4+1), t.lo, t.hi, t.depth, false)
	})
	for i, s := range subtrees {
		base := ref(len(nodes))
		nodes[b.tasks[i].node].child[b.tasks[i].lane] = base
		for j := range s {
			for k, c := range s[j].child {
				if c != none && !c.leaf() {
					s[j].child[k] += base
				}
			}
		}
		nodes = append(nodes, s...)
	}
	b.w.nodes = nodes
}

// part is a range of clusters that becomes a child.
type part struct {
	bounds
	lo, hi int
}

// node appends a node over the clusters lo … hi−1 and, unless they become tasks, the
// nodes below it. It starts with one part and splits the largest until there are as
// many as lanes (Wald, Benthin and Boulos, "Getting Rid of Packets", 2008).
func (b *wideBuilder) node(nodes []wideNode, lo, hi, depth int, top bool) []wideNode {
	var parts [lanes]part
	parts[0] = part{b.unite(lo, hi), lo, hi}
	n := 1
	for n < lanes {
		widest, area := -1, float32(-1)
		for i := range n {
			if p := &parts[i]; p.hi-p.lo > lanes && p.area() > area {
				widest, area = i, p.area()
			}
		}
		if widest < 0 {
			break
		}
		parts[widest], parts[n] = b.split(&parts[widest], depth)
		n++
	}
	for n < lanes {
		widest, area := -1, float32(-1)
		for i := range n {
			if p := &parts[i]; p.hi-p.lo > 1 && n-1+p.hi-p.lo <= lanes && p.area() > area {
				widest, area = i, p.area()
			}
		}
		if widest < 0 {
			break
		}
		p := parts[widest]
		parts[widest] = part{b.list[p.lo].bounds, p.lo, p.lo + 1}
		for i := p.lo + 1; i < p.hi; i++ {
			parts[n] = part{b.list[i].bounds, i, i + 1}
			n++
		}
	}
	self := len(nodes)
	nodes = append(nodes, wideNode{})
	for i := range lanes {
		node := &nodes[self]
		if i >= n {
			for a := range 3 {
				node.bound[a][i], node.bound[a+3][i] = float32(math.Inf(1)), float32(math.Inf(-1))
			}
			continue
		}
		p := &parts[i]
		for a := range 3 {
			c := float32(b.w.center[a])
			// The centre is exact to subtract from a vertex, and bounds are made of those.
			node.bound[a][i], node.bound[a+3][i] = p.bounds[a]-c, -p.bounds[a+3]-c
		}
		switch count := p.hi - p.lo; {
		case count == 1:
			size := max(p.extent(0), p.extent(1), p.extent(2))
			node.child[i] = leafRef(p.lo, b.w.class(size))
		case top && count <= taskGrain:
			b.tasks = append(b.tasks, wideTask{self, i, p.lo, p.hi, depth + 1})
		default:
			node.child[i] = ref(len(nodes))
			nodes = b.node(nodes, p.lo, p.hi, depth+1, top)
		}
	}
	return nodes
}

func (b *wideBuilder) unite(lo, hi int) bounds {
	u := emptyBounds()
	for i := lo; i < hi; i++ {
		u.unite(&b.list[i].bounds)
	}
	return u
}

// bin collects the clusters whose middle lies in a slice of a part.
type bin struct {
	bounds
	count int32
}

// split sorts the clusters of p into two parts where the sum of area × clusters is
// least among the borders of bins (Wald, "On fast Construction of SAH-based Bounding
// Volume Hierarchies", 2007).
func (b *wideBuilder) split(p *part, depth int) (left, right part) {
	list := b.list[p.lo:p.hi]
	halves := func() (left, right part) {
		m := p.lo + len(list)/2
		return part{b.unite(p.lo, m), p.lo, m}, part{b.unite(m, p.hi), m, p.hi}
	}
	if len(list) == 2 || depth > splitDepth {
		return halves()
	}
	from, to := 0, 3 // the axes to try
	if len(list) > longAxis {
		for a := 1; a < 3; a++ {
			if p.extent(a) > p.extent(from) {
				from = a
			}
		}
		to = from + 1
	}
	count := min(bins, 4+len(list)/4)
	bestCost, bestAxis, bestAt := float32(math.Inf(1)), -1, 0
	var bestLeft, bestRight bounds
	var bestScale float32
	for a := from; a < to; a++ {
		scale := float32(count) * (1 - 1e-5) / (2 * p.extent(a)) // middles are twice what they should be
		if !(scale <= math.MaxFloat32) {
			continue
		}
		empty := bin{bounds: emptyBounds()}
		var table, rights [bins]bin
		for i := range count {
			table[i] = empty
		}
		for i := range list {
			c := &list[i].bounds
			t := &table[place(c.middle(a), 2*p.bounds[a], scale)]
			t.unite(c)
			t.count++
		}
		sum := empty
		for i := count - 1; i > 0; i-- {
			sum.unite(&table[i].bounds)
			sum.count += table[i].count
			rights[i] = sum
		}
		sum = empty
		for i := 1; i < count; i++ {
			sum.unite(&table[i-1].bounds)
			sum.count += table[i-1].count
			r := &rights[i]
			if sum.count == 0 || r.count == 0 {
				continue
			}
			if cost := sum.area()*float32(sum.count) + r.area()*float32(r.count); cost < bestCost {
				bestCost, bestAxis, bestAt, bestScale = cost, a, i, scale
				bestLeft, bestRight = sum.bounds, r.bounds
			}
		}
	}
	if bestAxis < 0 {
		return halves()
	}
	i, j := 0, len(list)
	for i < j {
		if place(list[i].middle(bestAxis), 2*p.bounds[bestAxis], bestScale) < bestAt {
			i++
		} else {
			j--
			list[i], list[j] = list[j], list[i]
		}
	}
	m := p.lo + i
	return part{bestLeft, p.lo, m}, part{bestRight, m, p.hi}
}

// place is the bin of a middle.
func place(middle, low, scale float32) int {
	return int(int32((middle-low)*scale)) & (bins - 1)
}

// bytes is what the arrays take.
func (w *wide) bytes() int {
	return cap(w.nodes)*int(unsafe.Sizeof(wideNode{})) + cap(w.leaves)*int(unsafe.Sizeof(wideLeaf{})) + int(unsafe.Sizeof(*w))
}
