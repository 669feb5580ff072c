package session

import (
	"errors"
	"fmt"
	"image/color"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
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
	// Pinned keeps the node that Under tells, wherever the pointer goes.
	Pinned bool

	stats   nodetree.Stats
	version int
	of      anyTree
	sides   []geom.Side
	under   underNode
	marked  underNode // that the last picture marks
	entries []NodeEntry
	listed  underNode // that entries are of
}

// anyTree is a tree that can be looked at.
type anyTree interface {
	Nodes() iter.Seq[nodetree.Node]
	Node(index int) nodetree.Node
	NodeAt(p geom.Vec3) (index int, ok bool)
	Bounds() geom.Box
	Stats() nodetree.Stats
	AppendVerdicts(dst []geom.Side, f *geom.Frustum) []geom.Side
}

// underNode is a node of a tree.
type underNode struct {
	of      anyTree
	version int
	index   int
	ok      bool
}

var (
	errOneObject = errors.New("select one object to see the tree over its triangles")
	errNoModel   = errors.New("this object has no mesh, or it is still being loaded")
)

// shown is the tree that is shown; of a mesh also the object's item.
func (n *Nodes) shown() (t anyTree, it *scene.Item, err error) {
	if !n.Mesh {
		return n.s.scene.Tree(), nil, nil
	}
	sel := n.s.Selection()
	if len(sel) != 1 {
		return nil, nil, errOneObject
	}
	e, ok := n.s.Level().Entity(sel[0])
	if !ok || e.Kind != document.KindObject {
		return nil, nil, errOneObject
	}
	slots := n.s.scene.Of(e.ID)
	if len(slots) != 1 || n.s.scene.Items()[slots[0]].Missing {
		return nil, nil, errNoModel
	}
	it = &n.s.scene.Items()[slots[0]]
	return it.Model.Tree(), it, nil
}

// Why tells why no tree is shown; nil when one is.
func (n *Nodes) Why() error {
	_, _, err := n.shown()
	return err
}

// Stats counts the tree that is shown. It is empty where none is.
func (n *Nodes) Stats() nodetree.Stats {
	t, _, err := n.shown()
	if err != nil {
		return nodetree.Stats{}
	}
	if n.of != t || n.version != n.s.scene.Version() {
		n.stats, n.of, n.version = t.Stats(), t, n.s.scene.Version()
	}
	return n.stats
}

// Under is the deepest node at the ground or thing under the pointer. While the
// pointer is not over the level, and while the node is pinned, it is the last one.
func (n *Nodes) Under() (nodetree.Node, bool) {
	t, it, err := n.shown()
	if err != nil {
		return nodetree.Node{}, false
	}
	u := &n.under
	defer n.follow()
	same := u.of == t && u.version == n.s.scene.Version()
	switch {
	case same && (n.Pinned || !n.s.View.over):
	case !n.s.View.over:
		*u = underNode{}
	default:
		*u = underNode{of: t, version: n.s.scene.Version()}
		if hit, ok := n.s.UnderHit(); ok {
			p := hit.Point
			if it != nil {
				if hit.ID != it.ID {
					break
				}
				p = mgl64.TransformCoordinate(p, it.World.Inv())
			}
			u.index, u.ok = t.NodeAt(within(t.Bounds(), p))
		}
	}
	if !u.ok {
		return nodetree.Node{}, false
	}
	return t.Node(u.index), true
}

// follow has the picture drawn anew when it marks another node.
func (n *Nodes) follow() {
	if n.under != n.marked {
		n.marked = n.under
		n.s.View.touch()
	}
}

// within moves a point on the rim of a box, which rounding may have put outside, a
// little inwards.
func within(b geom.Box, p mgl64.Vec3) mgl64.Vec3 {
	size := b.Size()
	for i := range p {
		in := min(size[i], size.Len()*1e-6) / 2
		if p[i] > b.Min[i]-in && p[i] < b.Max[i]+in {
			p[i] = min(max(p[i], b.Min[i]+in), b.Max[i]-in)
		}
	}
	return p
}

// NodeEntry is what is listed in a node: a thing, points of a scatter, a chunk of
// the ground, or triangles of a mesh.
type NodeEntry struct {
	Title string
	ID    document.ID // of the thing, 0 for none
	Count int         // of points or triangles; 0 where it is one thing
}

// maxNodeEntries bounds the entries that are listed.
const maxNodeEntries = 200

// UnderEntries are the entries of the node under the pointer, at most a few
// hundred. The result is valid until the next call.
func (n *Nodes) UnderEntries() []NodeEntry {
	node, ok := n.Under()
	if !ok {
		return nil
	}
	if n.listed == n.under {
		return n.entries
	}
	n.listed = n.under
	n.entries = n.entries[:0]
	if _, it, err := n.shown(); err == nil && it != nil {
		n.listTriangles(it.Model, node.Items)
	} else {
		n.listThings(node.Items)
	}
	return n.entries
}

func (n *Nodes) listThings(items []int32) {
	at := map[document.ID]int{}
	l := n.s.Level()
	for _, entry := range items {
		chunk, slot, isChunk := n.s.scene.Entry(entry)
		e := NodeEntry{Title: fmt.Sprintf("Ground %d, %d", chunk.X, chunk.Y)}
		if !isChunk {
			it := &n.s.scene.Items()[slot]
			if i, ok := at[it.ID]; ok {
				n.entries[i].Count++
				continue
			}
			e = NodeEntry{ID: it.ID, Title: nameIn(l, it.ID)}
			if it.Point >= 0 {
				e.Count = 1
			}
		}
		if len(n.entries) == maxNodeEntries {
			continue
		}
		if !isChunk {
			at[e.ID] = len(n.entries)
		}
		n.entries = append(n.entries, e)
	}
}

// listTriangles counts the triangles of a node by their material.
func (n *Nodes) listTriangles(m *scene.Model, triangles []int32) {
	counts := make([]int, len(m.Parts))
	for _, t := range triangles {
		for i := range m.Parts {
			if p := &m.Parts[i]; int(t)*3 >= p.First && int(t)*3 < p.First+p.Count {
				counts[i]++
				break
			}
		}
	}
	at := map[string]int{}
	for i, c := range counts {
		if c == 0 {
			continue
		}
		title := "Material " + fmt.Sprint(m.Parts[i].Material)
		if k := m.Parts[i].Material; k >= 0 && k < len(m.Materials) && strings.TrimSpace(m.Materials[k].Name) != "" {
			title = m.Materials[k].Name
		}
		if k, ok := at[title]; ok {
			n.entries[k].Count += c
			continue
		}
		at[title] = len(n.entries)
		n.entries = append(n.entries, NodeEntry{Title: title, Count: c})
	}
	slices.SortStableFunc(n.entries, func(a, b NodeEntry) int { return b.Count - a.Count })
	n.entries = n.entries[:min(len(n.entries), maxNodeEntries)]
}

// nameIn is what a thing is called: its name, or else its number.
func nameIn(l *document.Level, id document.ID) string {
	if e, ok := l.Entity(id); ok && e.Name != "" {
		return e.Name
	}
	return fmt.Sprintf("Thing %d", id)
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
	t, it, err := n.shown()
	if err != nil {
		return
	}
	world := mgl64.Ident4()
	if it != nil {
		world = it.World
		local := localFrustum(f, world)
		f = &local
	}
	n.sides = t.AppendVerdicts(n.sides[:0], f)
	deepest := n.Deepest
	if deepest < 0 {
		deepest = math.MaxInt
	}
	under, hasUnder := n.Under()
	drawn := 0
	for node := range t.Nodes() {
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
			continue // last, over the others
		}
		n.draw(dst, it != nil, world, node.Box, pen)
		drawn++
	}
	if hasUnder {
		n.draw(dst, it != nil, world, under.Box, overlay.Pen{Colour: accentColour, Width: 2.5, Depth: overlay.Faint})
	}
}

func (n *Nodes) draw(dst *overlay.Shapes, local bool, world mgl64.Mat4, b geom.Box, pen overlay.Pen) {
	if local {
		dst.OrientedBox(world, b, pen)
	} else {
		dst.Box(b, pen)
	}
}

// localFrustum is a frustum in the space from which world leads: a plane p is
// worldᵀ·p there.
func localFrustum(f *geom.Frustum, world mgl64.Mat4) geom.Frustum {
	var out geom.Frustum
	t := world.Transpose()
	for i, p := range f.Planes {
		q := t.Mul4x1(p.N.Vec4(p.D))
		out.Planes[i] = geom.Plane{D: q[3]}
		if l := q.Vec3().Len(); l > 0 {
			out.Planes[i] = geom.Plane{N: q.Vec3().Mul(1 / l), D: q[3] / l}
		}
	}
	return out
}
