package session

import (
	"image/color"
	"math"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
	"ridgeline/viewport/overlay"
)

// Nodes is the view of the node tree.
type Nodes struct {
	s *Session

	Deepest int  // the deepest level that is shown; below 0 is all
	Verdict bool // nodes are coloured by what the frustum says, not by their depth
	// Mesh shows the tree over the triangles of the one selected object instead of
	// the level's.
	Mesh bool

	stats   nodetree.Stats
	version int
	of      any
	sides   []geom.Side
}

// tree is the tree that is shown and the matrix from its space to the world.
func (n *Nodes) nodes() (visit func(yield func(nodetree.Node) bool), stats func() nodetree.Stats, verdicts func(*geom.Frustum), of any) {
	t := n.s.scene.Tree()
	return t.Nodes(), t.Stats, func(f *geom.Frustum) { n.sides = t.AppendVerdicts(n.sides[:0], f) }, t
}

// Stats counts the tree that is shown.
func (n *Nodes) Stats() nodetree.Stats {
	_, stats, _, of := n.nodes()
	if n.of != of || n.version != n.s.scene.Version() {
		n.stats, n.of, n.version = stats(), of, n.s.scene.Version()
	}
	return n.stats
}

// Under is the deepest node at the ground or thing under the pointer, and the
// entries that are listed in it.
func (n *Nodes) Under() (nodetree.Node, bool) {
	p, _, ok := n.s.Under()
	if !ok {
		return nodetree.Node{}, false
	}
	t := n.s.scene.Tree()
	i, ok := t.NodeAt(p)
	if !ok {
		return nodetree.Node{}, false
	}
	return t.Node(i), true
}

// depthColours are those of nodes by their depth, the root first, repeating.
var depthColours = [...]color.NRGBA{
	{0xe8, 0x6a, 0x5c, 0xff}, {0xf0, 0xa0, 0x4b, 0xff}, {0xf2, 0xd1, 0x5f, 0xff}, {0x8f, 0xce, 0x6b, 0xff},
	{0x5a, 0xc8, 0xc0, 0xff}, {0x6a, 0x9f, 0xf0, 0xff}, {0xa8, 0x86, 0xe8, 0xff}, {0xe0, 0x7f, 0xc0, 0xff},
}

// DepthColour is the colour of nodes at a depth.
func DepthColour(depth int) color.NRGBA { return depthColours[depth%len(depthColours)] }

// VerdictColours are the colours of nodes by what a frustum says: outside,
// crossing, inside.
var VerdictColours = [...]color.NRGBA{
	geom.Outside:  {0xe8, 0x6a, 0x5c, 0xff},
	geom.Crossing: {0xf2, 0xd1, 0x5f, 0xff},
	geom.Inside:   {0x8f, 0xce, 0x6b, 0xff},
}

// maxNodesDrawn bounds the boxes that are drawn in one picture; the deepest are
// left out first.
const maxNodesDrawn = 20000

func (n *Nodes) append(dst *overlay.Shapes, f *geom.Frustum) {
	visit, _, verdicts, _ := n.nodes()
	verdicts(f)
	deepest := n.Deepest
	if deepest < 0 {
		deepest = math.MaxInt
	}
	under, hasUnder := n.Under()
	drawn := 0
	for node := range visit {
		if node.Depth > deepest || drawn >= maxNodesDrawn || !n.Verdict && n.sides[node.Index] == geom.Outside {
			continue
		}
		if !node.Leaf && node.Depth != deepest && len(node.Items) == 0 {
			continue // its children show where it is
		}
		pen := overlay.Pen{Colour: DepthColour(node.Depth), Width: 1, Depth: overlay.Faint}
		if n.Verdict {
			pen.Colour = VerdictColours[n.sides[node.Index]]
		}
		if hasUnder && under.Index == node.Index {
			pen.Width, pen.Colour = 2.5, accentColour
		}
		dst.Box(node.Box, pen)
		drawn++
	}
}
