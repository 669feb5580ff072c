package nodetree

import (
	"iter"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// Triangles is a tree over the triangles of a mesh, in the mesh's own frame: nodes for
// culling, and beside them a tree of tight boxes for rays and small regions. Queries
// may run from several goroutines at once and allocate nothing once warm, but for what
// they append.
type Triangles struct {
	mesh
	grove *grove
	wide  *wide
}

// mesh is what the items of the grove are: its triangles, by material.
type mesh struct {
	positions []mgl32.Vec3
	indices   []uint32
	materials []int32
	name      []int32  // of the grove's items: their triangles
	bounds    []bounds // of the grove's items, while it is built
}

// TriangleHit is where a ray meets triangle A, B, C: at distance T, in multiples of
// the ray's direction, at A + U(B−A) + V(C−A).
type TriangleHit struct {
	Triangle int
	T, U, V  float64
}

// Group is a run of triangles of one material.
type Group struct {
	Material     int32
	First, Count int // in the slice that was appended to
}

// BuildTriangles sorts a mesh's triangles: three indices each. It keeps the slices,
// o.Materials too, which must not change any more, and takes time in proportion to
// n log n. Triangles without area are skipped, and those that have an index out of
// range or a coordinate that is not a number or beyond 10¹⁵ m.
func BuildTriangles(positions []mgl32.Vec3, indices []uint32, o Options) *Triangles {
	t := &Triangles{mesh: mesh{positions: positions, indices: indices, materials: o.Materials}}
	names, boxes, whole := t.proper()
	done := make(chan *wide)
	go func() { done <- buildWide(positions, indices, boxes, &whole, names) }()
	t.number(names, boxes)
	items := make([]int32, len(t.name))
	for i := range items {
		items[i] = int32(i)
	}
	box := geom.EmptyBox()
	if len(boxes) > 0 {
		box = whole.box()
	}
	t.grove = plant(o, box)
	t.grove.grow(t, items)
	t.bounds = nil
	t.wide = <-done
	return t
}

// proper lists the triangles that are fit to be in a tree, their bounds, and the bounds
// of them all.
func (m *mesh) proper() (names []int32, boxes []bounds, whole bounds) {
	n := len(m.indices) / 3
	names, boxes = make([]int32, n), make([]bounds, n)
	type part struct {
		bounds
		found int
	}
	parts := make([]part, (n+sortGrain-1)/sortGrain)
	parallel(n, sortGrain, func(k, lo, hi int) {
		u, at := emptyBounds(), lo
		for i := lo; i < hi; i++ {
			if b := &boxes[at]; m.boundsOf(i, b) {
				names[at] = int32(i)
				u.unite(b)
				at++
			}
		}
		parts[k] = part{u, at - lo}
	})
	at, whole := 0, emptyBounds()
	for k := range parts {
		p := &parts[k]
		from := k * sortGrain
		if at < from {
			copy(names[at:], names[from:from+p.found])
			copy(boxes[at:], boxes[from:from+p.found])
		}
		at += p.found
		whole.unite(&p.bounds)
	}
	return names[:at], boxes[:at], whole
}

// farthest is the greatest coordinate that a triangle may have, m. Far beyond it
// float32 could not hold the products of two.
const farthest = 1e15

// boundsOf bounds a triangle; ok is false where it is not fit to be in a tree.
func (m *mesh) boundsOf(i int, b *bounds) (ok bool) {
	k := m.indices[3*i:][:3]
	if n := uint32(len(m.positions)); k[0] >= n || k[1] >= n || k[2] >= n {
		return false
	}
	p, q, s := &m.positions[k[0]], &m.positions[k[1]], &m.positions[k[2]]
	*b = boundsOf(p, q, s)
	for _, v := range b {
		if !(v >= -farthest && v <= farthest) {
			return false
		}
	}
	ux, uy, uz := float64(q[0])-float64(p[0]), float64(q[1])-float64(p[1]), float64(q[2])-float64(p[2])
	vx, vy, vz := float64(s[0])-float64(p[0]), float64(s[1])-float64(p[1]), float64(s[2])-float64(p[2])
	return uy*vz != uz*vy || uz*vx != ux*vz || ux*vy != uy*vx
}

// number numbers the items of the grove: the triangles by material, within each in their
// order, without those that are never visible.
func (m *mesh) number(names []int32, boxes []bounds) {
	m.name, m.bounds = names, boxes
	if m.materials == nil {
		return
	}
	order := make([]int32, 0, len(names))
	sorted := true
	for i, n := range names {
		if m.materials[n] < 0 {
			sorted = false
			continue
		}
		if k := len(order); k > 0 && m.materials[n] < m.materials[names[order[k-1]]] {
			sorted = false
		}
		order = append(order, int32(i))
	}
	if sorted {
		return
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return int(m.materials[names[a]]) - int(m.materials[names[b]])
	})
	m.name, m.bounds = make([]int32, len(order)), make([]bounds, len(order))
	for i, k := range order {
		m.name[i], m.bounds[i] = names[k], boxes[k]
	}
}

// corners are the corners of a triangle.
func (m *mesh) corners(triangle int32) (p [3]geom.Vec3) {
	for k, i := range m.indices[3*triangle:][:3] {
		v := &m.positions[i]
		p[k] = geom.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
	}
	return p
}

func (m *mesh) box(item int32) geom.Box { return m.bounds[item].box() }

func (m *mesh) unite(items []int32) geom.Box {
	u := emptyBounds()
	for _, i := range items {
		u.unite(&m.bounds[i])
	}
	return u.box()
}

func (m *mesh) sort(items []int32, c *cut, masks []uint8) {
	for k, i := range items {
		box := m.bounds[i].box()
		masks[k] = c.sort(&box)
	}
}

// beyond reports whether all corners of a triangle are beyond one plane.
func (m *mesh) beyond(item int32, f *geom.Frustum, planes planeSet) bool {
	p := m.corners(m.name[item])
	for i := range planeSet(6) {
		if plane := &f.Planes[i]; planes>>i&1 != 0 && plane.Distance(p[0]) < 0 && plane.Distance(p[1]) < 0 && plane.Distance(p[2]) < 0 {
			return true
		}
	}
	return false
}

// Bounds holds all triangles.
func (t *Triangles) Bounds() geom.Box { return t.wide.box }

// Nearest finds the first triangle that the ray meets between 0 and tMax, from either
// side; of equally near ones the first in the mesh. accept, if not nil, is asked about
// hits, in any order, and may refuse them.
//
// It finds what asking every triangle finds, and no ray slips through an edge or a
// vertex that triangles share.
func (t *Triangles) Nearest(r geom.Ray, tMax float64, accept func(TriangleHit) bool) (TriangleHit, bool) {
	return t.wide.cast(&r, tMax, accept, false)
}

// Any reports whether the ray meets a triangle between 0 and tMax that accept, if not
// nil, does not refuse.
func (t *Triangles) Any(r geom.Ray, tMax float64, accept func(TriangleHit) bool) bool {
	_, ok := t.wide.cast(&r, tMax, accept, true)
	return ok
}

// AppendOverlapping appends the triangles whose box shares a point with b, each once,
// in no order.
func (t *Triangles) AppendOverlapping(dst []int32, b geom.Box) []int32 {
	return t.wide.appendOverlapping(dst, b)
}

// AppendVisible appends the triangles that the frustum may hold, each once, grouped by
// material, within a group in the mesh's order. A triangle is left out if each node that
// its box crosses is outside the frustum, or is crossed by planes of which one has all
// three corners beyond it.
func (t *Triangles) AppendVisible(dst []int32, f *geom.Frustum) []int32 {
	from := len(dst)
	s := t.grove.borrow(len(t.name))
	t.grove.visible(f, t, s)
	dst = s.marks.drain(dst)
	t.grove.scratch.Put(s)
	t.names(dst[from:])
	return dst
}

// AppendVisibleGroups is AppendVisible and tells where each material's triangles are.
func (t *Triangles) AppendVisibleGroups(dst []int32, groups []Group, f *geom.Frustum) ([]int32, []Group) {
	from := len(dst)
	dst = t.AppendVisible(dst, f)
	for i := from; i < len(dst); {
		g := Group{First: i}
		if t.materials != nil {
			g.Material = t.materials[dst[i]]
		}
		for i < len(dst) && (t.materials == nil || t.materials[dst[i]] == g.Material) {
			i++
		}
		g.Count = i - g.First
		groups = append(groups, g)
	}
	return dst, groups
}

// names replaces items by their triangles.
func (m *mesh) names(items []int32) {
	for k, i := range items {
		items[k] = m.name[i]
	}
}

// Nodes gives all nodes, parents before their children. Their items are triangles.
func (t *Triangles) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) { t.grove.each(func(i int32) bool { return yield(t.Node(int(i))) }) }
}

// Node gives the node of an index below Stats.Slots.
func (t *Triangles) Node(index int) Node {
	n := t.grove.describe(int32(index))
	n.Items = slices.Clone(n.Items)
	t.names(n.Items)
	return n
}

// NodeAt finds the deepest node whose cell holds p: a leaf, or where an inner node has
// no child, since nothing is there, that. A quadtree's cells hold all heights.
func (t *Triangles) NodeAt(p geom.Vec3) (index int, ok bool) { return t.grove.find(p) }

// AppendVerdicts appends how each node, by index, stands to the frustum.
func (t *Triangles) AppendVerdicts(dst []geom.Side, f *geom.Frustum) []geom.Side {
	return t.grove.appendVerdicts(dst, f)
}

// Stats counts the nodes; Bytes also holds the tree for rays, but not the mesh.
func (t *Triangles) Stats() Stats {
	s := t.grove.count()
	s.Items = len(t.name)
	s.Bytes += t.wide.bytes() + 4*cap(t.name)
	return s
}
