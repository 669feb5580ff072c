package mesh

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// checkNodes checks what nodes refer to and that they are trees: every node has at
// most one parent and none is its own ancestor. It takes time in proportion to the
// file and doesn't recurse, however deep the trees are.
func (d *document) checkNodes() error {
	parents := make([]int32, len(d.Nodes))
	for i := range parents {
		parents[i] = -1
	}
	for i, n := range d.Nodes {
		place := func(what string) string { return fmt.Sprintf("nodes[%d].%s", i, what) }
		if n.Mesh != nil && (*n.Mesh < 0 || *n.Mesh >= len(d.Meshes)) {
			return ref(place("mesh"), *n.Mesh, len(d.Meshes), "mesh")
		}
		if n.Skin != nil && (*n.Skin < 0 || *n.Skin >= len(d.Skins)) {
			return ref(place("skin"), *n.Skin, len(d.Skins), "skin")
		}
		if n.Camera != nil && (*n.Camera < 0 || *n.Camera >= len(d.Cameras)) {
			return ref(place("camera"), *n.Camera, len(d.Cameras), "camera")
		}
		if err := d.checkTransform(i); err != nil {
			return err
		}
		for k, c := range n.Children {
			if c < 0 || c >= len(d.Nodes) {
				return ref(place(fmt.Sprintf("children[%d]", k)), c, len(d.Nodes), "node")
			}
			if parents[c] >= 0 {
				return bad(place(fmt.Sprintf("children[%d]", k)), fmt.Sprintf("node %d, which nodes[%d] has for a child", c, parents[c]), "one parent for each node")
			}
			parents[c] = int32(i)
		}
	}
	return d.checkCycles(parents)
}

// checkCycles walks up from each node until it meets one that is known to hang below
// a root. Scenes may only name roots.
func (d *document) checkCycles(parents []int32) error {
	const onPath, good = 1, 2
	state := make([]uint8, len(parents))
	var path []int32
	for i := range parents {
		path = path[:0]
		n := int32(i)
		for n >= 0 && state[n] == 0 {
			state[n] = onPath
			path = append(path, n)
			n = parents[n]
		}
		if n >= 0 && state[n] == onPath {
			return bad(fmt.Sprintf("nodes[%d]", n), "a node that is its own ancestor", "a tree")
		}
		for _, p := range path {
			state[p] = good
		}
	}
	for i, s := range d.Scenes {
		for k, n := range s.Nodes {
			// Bad references are for checkScenes.
			if n >= 0 && n < len(parents) && parents[n] >= 0 {
				return bad(fmt.Sprintf("scenes[%d].nodes[%d]", i, k), fmt.Sprintf("node %d, a child of nodes[%d]", n, parents[n]), "nodes without parent")
			}
		}
	}
	return nil
}

// checkTransform checks the length of what makes up a node's transform, and that a
// matrix only moves, turns, scales and shears.
func (d *document) checkTransform(i int) error {
	w := &d.written.Nodes[i]
	for _, f := range [...]struct {
		name   string
		values []float64
		want   int
	}{{"matrix", w.Matrix, 16}, {"translation", w.Translation, 3}, {"rotation", w.Rotation, 4}, {"scale", w.Scale, 3}} {
		if f.values != nil && len(f.values) != f.want {
			return bad(fmt.Sprintf("nodes[%d].%s", i, f.name), count(len(f.values), "number"), "%d", f.want)
		}
	}
	if w.Matrix == nil {
		return nil
	}
	if w.Translation != nil || w.Rotation != nil || w.Scale != nil {
		return bad(fmt.Sprintf("nodes[%d]", i), "a matrix beside translation, rotation or scale", "one or the other")
	}
	m := w.Matrix
	for k, want := range [4]float64{0, 0, 0, 1} {
		if !(math.Abs(m[4*k+3]-want) <= 1e-6) {
			return bad(fmt.Sprintf("nodes[%d].matrix", i), fmt.Sprintf("the last row %g %g %g %g", m[3], m[7], m[11], m[15]), "0 0 0 1")
		}
	}
	return nil
}

// transform is the matrix of a node relative to its parent.
func (d *document) transform(i int, notes *notes) mgl64.Mat4 {
	n := d.Nodes[i]
	if d.written.Nodes[i].Matrix != nil {
		m := mgl64.Mat4(n.Matrix)
		m[3], m[7], m[11], m[15] = 0, 0, 0, 1
		return m
	}
	if n.Translation == gltf.DefaultTranslation && n.Rotation == gltf.DefaultRotation && n.Scale == gltf.DefaultScale {
		return mgl64.Ident4()
	}
	q := mgl64.Quat{W: n.Rotation[3], V: mgl64.Vec3{n.Rotation[0], n.Rotation[1], n.Rotation[2]}}
	switch l := q.Len(); {
	case !(l > 1e-9 && l < 1e9):
		notes.add("Node %s has a rotation that is none; it is not turned.", d.nodeName(i))
		q = mgl64.QuatIdent()
	case math.Abs(l-1) > 1e-3:
		notes.add("Node %s has a rotation that isn't a unit quaternion; it was made one.", d.nodeName(i))
		fallthrough
	default:
		q = q.Scale(1 / l)
	}
	return compose(n.Translation, q, n.Scale)
}

// nodeName is a node's name for a message.
func (d *document) nodeName(i int) string {
	if name := d.Nodes[i].Name; name != "" {
		return fmt.Sprintf("%q", clip(name))
	}
	return fmt.Sprint(i)
}

// placed is a node of the scene with a mesh, or one of its instances.
type placed struct {
	node  int // of the document, or -1
	mesh  int
	out   int // of Model.Nodes
	world mgl64.Mat4
}

// scene walks the scene that is shown and gives its nodes, parents before children,
// and those of them that have meshes.
func (d *document) scene(ctx context.Context, notes *notes) ([]Node, []placed, error) {
	if len(d.Nodes) == 0 {
		return d.withoutNodes(notes)
	}
	type step struct {
		node, parent int
		above        *mgl64.Mat4 // the parent's world matrix, shared by siblings
	}
	var stack []step
	roots, top := d.roots(notes), mgl64.Ident4()
	for k := len(roots) - 1; k >= 0; k-- {
		stack = append(stack, step{roots[k], -1, &top})
	}
	var nodes []Node
	var meshes []placed
	visited := make([]bool, len(d.Nodes))
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if visited[s.node] { // a scene that names a node twice
			notes.add("The scene has node %s twice; it is shown once.", d.nodeName(s.node))
			continue
		}
		visited[s.node] = true
		if len(nodes)%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		n := d.Nodes[s.node]
		world := s.above.Mul4(d.transform(s.node, notes))
		out := len(nodes)
		name := n.Name
		if n.Mesh != nil {
			if name == "" {
				name = d.Meshes[*n.Mesh].Name
			}
			meshes = append(meshes, placed{s.node, *n.Mesh, out, world})
		} else if d.instances[s.node] != nil {
			notes.add("Node %s has instances but no mesh; they are not shown.", d.nodeName(s.node))
		}
		nodes = append(nodes, Node{Name: name, Parent: s.parent})
		for k := len(n.Children) - 1; k >= 0; k-- {
			stack = append(stack, step{n.Children[k], out, &world})
		}
	}
	return nodes, meshes, nil
}

// roots are the nodes at the top of the scene that is shown.
func (d *document) roots(notes *notes) []int {
	switch {
	case d.Scene != nil:
		if len(d.Scenes) > 1 {
			notes.add("The file has %d scenes; the default one is shown.", len(d.Scenes))
		}
		return d.Scenes[*d.Scene].Nodes
	case len(d.Scenes) > 0:
		if len(d.Scenes) > 1 {
			notes.add("The file has %d scenes; the first one is shown.", len(d.Scenes))
		}
		return d.Scenes[0].Nodes
	}
	notes.add("The file has no scene; all its nodes are shown.")
	child := make([]bool, len(d.Nodes))
	for _, n := range d.Nodes {
		for _, c := range n.Children {
			child[c] = true
		}
	}
	var roots []int
	for i := range d.Nodes {
		if !child[i] {
			roots = append(roots, i)
		}
	}
	return roots
}

// withoutNodes shows every mesh of a file that only lists them.
func (d *document) withoutNodes(notes *notes) ([]Node, []placed, error) {
	if len(d.Meshes) == 0 {
		notes.add("The file has no nodes and no meshes.")
		return nil, nil, nil
	}
	notes.add("The file has no nodes; every mesh is shown once, at the origin.")
	var nodes []Node
	var meshes []placed
	for i, m := range d.Meshes {
		nodes = append(nodes, Node{Name: m.Name, Parent: -1})
		meshes = append(meshes, placed{-1, i, i, mgl64.Ident4()})
	}
	return nodes, meshes, nil
}
