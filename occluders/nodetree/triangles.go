package nodetree

import (
	"iter"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// Triangles is a tree over the triangles of a mesh, in the mesh's own frame.
// Queries may run from several goroutines at once.
type Triangles struct {
	positions []mgl32.Vec3
	indices   []uint32
	materials []int32
	tree      *Tree
	wide      *wide
	item      []int32 // triangle of each item
}

// TriangleHit is where a ray meets triangle A, B, C: at distance T, in multiples
// of the ray's direction, at A + U(B−A) + V(C−A).
type TriangleHit struct {
	Triangle int
	T, U, V  float64
}

// BuildTriangles sorts a mesh's triangles. It keeps both slices, which must not
// change any more. Triangles without area, with positions that are not finite, or
// with indices out of range are skipped.
func BuildTriangles(positions []mgl32.Vec3, indices []uint32, o Options) *Triangles {
	t := &Triangles{positions: positions, indices: indices, materials: o.Materials}
	var boxes []geom.Box
	var small []bounds
	for i := range len(indices) / 3 {
		a, b, c, ok := t.corners(i)
		if !ok || !proper(a, b, c) {
			continue
		}
		boxes = append(boxes, geom.BoxOf(a, b, c))
		t.item = append(t.item, int32(i))
		k := indices[3*i:]
		small = append(small, boundsOf(&positions[k[0]], &positions[k[1]], &positions[k[2]]))
	}
	t.tree = Build(boxes, o)
	t.wide = buildWide(positions, indices, small, t.item)
	return t
}

// farthest is the greatest coordinate that a triangle may have, m. Beyond it float32
// cannot tell areas.
const farthest = 1e15

// proper reports whether a triangle has an area and can be told from others.
func proper(a, b, c geom.Vec3) bool {
	n := b.Sub(a).Cross(c.Sub(a))
	if n == (geom.Vec3{}) {
		return false
	}
	for i := range a {
		if !(max(math.Abs(a[i]), math.Abs(b[i]), math.Abs(c[i])) <= farthest) {
			return false
		}
	}
	return true
}

func (t *Triangles) corners(i int) (a, b, c geom.Vec3, ok bool) {
	var p [3]geom.Vec3
	for k := range p {
		v := t.indices[3*i+k]
		if int(v) >= len(t.positions) {
			return a, b, c, false
		}
		q := t.positions[v]
		p[k] = geom.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}
	}
	return p[0], p[1], p[2], true
}

// Bounds holds all triangles.
func (t *Triangles) Bounds() geom.Box { return t.tree.Bounds() }

// Nearest finds the first triangle that the ray meets between 0 and tMax, from
// either side. accept, if not nil, is asked about hits and may refuse them.
func (t *Triangles) Nearest(r geom.Ray, tMax float64, accept func(TriangleHit) bool) (TriangleHit, bool) {
	return t.wide.cast(&r, tMax, accept, false)
}

// Any reports whether the ray meets a triangle between 0 and tMax.
func (t *Triangles) Any(r geom.Ray, tMax float64, accept func(TriangleHit) bool) bool {
	_, ok := t.wide.cast(&r, tMax, accept, true)
	return ok
}

// AppendOverlapping appends the triangles whose box shares a point with b, each
// once.
func (t *Triangles) AppendOverlapping(dst []int32, b geom.Box) []int32 {
	return t.wide.appendOverlapping(dst, b)
}

// AppendVisible appends the triangles that the frustum does not exclude, each
// once, grouped by material.
func (t *Triangles) AppendVisible(dst []int32, f *geom.Frustum) []int32 {
	from := len(dst)
	for _, k := range t.tree.AppendVisible(nil, f) {
		if i := t.item[k]; t.material(i) >= 0 {
			dst = append(dst, i)
		}
	}
	slices.SortStableFunc(dst[from:], func(a, b int32) int { return int(t.material(a)) - int(t.material(b)) })
	return dst
}

func (t *Triangles) material(i int32) int32 {
	if t.materials == nil {
		return 0
	}
	return t.materials[i]
}

func (t *Triangles) name(dst, items []int32) []int32 {
	for _, k := range items {
		dst = append(dst, t.item[k])
	}
	return dst
}

// Nodes gives all nodes, parents before their children. Items are triangles.
func (t *Triangles) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for n := range t.tree.Nodes() {
			if n.Items = t.name(nil, n.Items); !yield(n) {
				return
			}
		}
	}
}

// Node gives a node by its index.
func (t *Triangles) Node(index int) Node {
	n := t.tree.Node(index)
	n.Items = t.name(nil, n.Items)
	return n
}

// NodeAt finds the deepest node that holds p.
func (t *Triangles) NodeAt(p geom.Vec3) (index int, ok bool) { return t.tree.NodeAt(p) }

// AppendVerdicts appends how each node, by index, stands to the frustum.
func (t *Triangles) AppendVerdicts(dst []geom.Side, f *geom.Frustum) []geom.Side {
	return t.tree.AppendVerdicts(dst, f)
}

// Stats counts the tree.
func (t *Triangles) Stats() Stats { return t.tree.Stats() }
