package runtime

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/export/visibility"
	"ridgeline/terrain/fault"
)

// readNodes reads the nodes of the file.
func (l *Level) readNodes() error {
	doc := l.file.doc
	root, err := l.findRoot()
	if err != nil {
		return err
	}
	l.Nodes = make([]Node, len(doc.Nodes))
	for i, n := range doc.Nodes {
		out := &l.Nodes[i]
		*out = Node{Name: n.Name, Parent: -1, Mesh: -1, World: mgl64.Ident4()}
		if n.Mesh != nil {
			out.Mesh = *n.Mesh
		}
		if n.Extras != nil {
			if out.Extras, err = json.Marshal(n.Extras); err != nil {
				return placed(fmt.Sprintf("nodes[%d].extras", i), err)
			}
		}
	}
	var stack []int
	for i := range l.Nodes {
		for _, c := range doc.Nodes[i].Children {
			l.Nodes[c].Parent = i
		}
	}
	for i := range l.Nodes {
		if l.Nodes[i].Parent < 0 {
			stack = append(stack, i)
		}
		q := doc.Nodes[i].Rotation
		if size := (mgl64.Quat{W: q[3], V: mgl64.Vec3{q[0], q[1], q[2]}}).Len(); !(size > 1e-9 && size < 1e9) {
			return &fault.Error{Place: fmt.Sprintf("nodes[%d].rotation", i), Found: fmt.Sprint(q), Want: "a quaternion of the length 1"}
		}
	}
	if root >= 0 && l.Nodes[root].Parent >= 0 {
		return &fault.Error{Place: visibility.Extension + ".root", Found: fmt.Sprintf("node %d, which stands below node %d", root, l.Nodes[root].Parent), Want: "a node at the top"}
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &l.Nodes[i]
		if local := l.file.gltf.Local(i); i == root {
			l.Root = local
		} else if n.World = local; n.Parent >= 0 {
			n.World = l.Nodes[n.Parent].World.Mul4(local)
		}
		for _, v := range n.World {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &fault.Error{Place: fmt.Sprintf("nodes[%d]", i), Found: "a place out of range", Want: "finite numbers"}
			}
		}
		stack = append(stack, doc.Nodes[i].Children...)
	}
	for i := range l.Nodes {
		if l.Nodes[i].Instances, err = l.file.gltf.Instances(i, l.file.view); err != nil {
			return placed(fmt.Sprintf("nodes[%d]", i), err)
		}
		if l.Nodes[i].Instances != nil && l.Nodes[i].Mesh < 0 {
			return &fault.Error{Place: fmt.Sprintf("nodes[%d]", i), Found: fmt.Sprintf("%d instances of no mesh", len(l.Nodes[i].Instances)), Want: "a mesh"}
		}
	}
	return nil
}

// findRoot is the node that turns or scales the level; −1 if none does.
func (l *Level) findRoot() (int, error) {
	var value struct {
		Root *int `json:"root,omitempty"`
	}
	place := visibility.Extension + ".root"
	if _, err := extension(l.file.doc.Extensions, visibility.Extension, &value); err != nil {
		return 0, below(visibility.Extension, err)
	}
	if value.Root == nil {
		return -1, nil
	}
	if *value.Root < 0 || *value.Root >= len(l.file.doc.Nodes) {
		return 0, &fault.Error{Place: place, Found: fmt.Sprintf("node %d", *value.Root), Want: fmt.Sprintf("one of %d", len(l.file.doc.Nodes))}
	}
	return *value.Root, nil
}

// shown are the nodes that hang below the scene, by node.
func shown(doc *gltf.Document) []bool {
	out := make([]bool, len(doc.Nodes))
	if len(doc.Scenes) == 0 {
		return out
	}
	scene := 0
	if doc.Scene != nil {
		scene = *doc.Scene
	}
	stack := append([]int(nil), doc.Scenes[scene].Nodes...)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !out[i] {
			out[i] = true
			stack = append(stack, doc.Nodes[i].Children...)
		}
	}
	return out
}
