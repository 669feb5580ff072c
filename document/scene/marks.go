package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
)

// Mark is a marker in the world.
type Mark struct {
	ID             document.ID
	Shape          document.MarkerShape
	Points         []mgl64.Vec3 // world
	Color          mgl64.Vec3   // linear; zero for none of its own
	Name           string
	Hidden, Locked bool
	Box            geom.Box
}

// marks is a quadtree of markers: each stands in the smallest node that wholly
// contains it, seen from above, edges included, and what lies outside the root
// stays in the root. (An idea of the quadtree of primitives in classic engine
// writing; nodes are squares of x and z, the root doubles until it holds what is
// put in.)
type marks struct {
	byID map[document.ID]*markAt
	root *markNode
}

type markAt struct {
	mark Mark
	node *markNode // nil: out of document.Reach, so that it is not drawn
	at   int       // index in node.marks
}

type markNode struct {
	// Its square, from x0 to x1 and z0 to z1, and where it is cut: children share
	// these numbers with their parent, to the bit.
	x0, xm, x1, z0, zm, z1 float64

	parent   *markNode
	children [4]*markNode
	marks    []*markAt
	lo, hi   float64 // heights of all that stands here and below
	count    int     // of marks here and below
}

// newMarkNode is an empty node, cut in the middle.
func newMarkNode(x0, x1, z0, z1 float64, parent *markNode) *markNode {
	n := &markNode{x0: x0, xm: x0 + (x1-x0)/2, x1: x1, z0: z0, zm: z0 + (z1-z0)/2, z1: z1, parent: parent}
	n.empty()
	return n
}

func (n *markNode) side() float64 { return n.x1 - n.x0 }

const (
	leastMarkNode = 4.0 // metres; squares are not cut into smaller ones
	// Beyond this a root grows no further; what is outside stays in it.
	mostMarkNode = 1e8
)

func (m *marks) reset() { m.byID, m.root = map[document.ID]*markAt{}, nil }

// put adds a marker or replaces it.
func (m *marks) put(l *document.Level, e *document.Entity) {
	m.drop(e.ID)
	d, ok := e.Data.(document.Marker)
	if !ok {
		return
	}
	world, _ := l.World(e.ID)
	k := Mark{ID: e.ID, Shape: d.Shape, Color: d.Color, Name: e.Name, Points: make([]mgl64.Vec3, len(d.Points)), Box: geom.EmptyBox()}
	k.Hidden, k.Locked = l.Effective(e)
	for i, p := range d.Points {
		k.Points[i] = mgl64.TransformCoordinate(p, world)
		k.Box = k.Box.Add(k.Points[i])
	}
	at := &markAt{mark: k}
	m.byID[e.ID] = at
	if inReach(k.Box) {
		m.insert(at)
	} else {
		at.mark.Box = geom.EmptyBox()
	}
}

func (m *marks) insert(at *markAt) {
	b := at.mark.Box
	if m.root == nil {
		c := b.Center()
		r := 2 * max(leastMarkNode, b.Size()[0], b.Size()[2])
		m.root = newMarkNode(c[0]-r, c[0]+r, c[2]-r, c[2]+r, nil)
	}
	for !m.root.contains(b) && m.root.side() < mostMarkNode {
		m.grow(b)
	}
	n := m.root
	for n.side() > leastMarkNode && n.contains(b) {
		i := n.quarter(b)
		if i < 0 {
			break
		}
		if n.children[i] == nil {
			x0, x1, z0, z1 := n.x0, n.xm, n.z0, n.zm
			if i&1 != 0 {
				x0, x1 = n.xm, n.x1
			}
			if i&2 != 0 {
				z0, z1 = n.zm, n.z1
			}
			n.children[i] = newMarkNode(x0, x1, z0, z1, n)
		}
		n = n.children[i]
	}
	at.node, at.at = n, len(n.marks)
	n.marks = append(n.marks, at)
	for p := n; p != nil; p = p.parent {
		p.count++
		p.lo, p.hi = min(p.lo, b.Min[1]), max(p.hi, b.Max[1])
	}
}

// grow doubles the root towards b.
func (m *marks) grow(b geom.Box) {
	r := m.root
	w := r.side()
	n := newMarkNode(r.x0, r.x1+w, r.z0, r.z1+w, nil)
	n.xm, n.zm = r.x1, r.z1
	i := 0
	if b.Min[0] < r.x0 {
		n.x0, n.xm, n.x1, i = r.x0-w, r.x0, r.x1, i|1
	}
	if b.Min[2] < r.z0 {
		n.z0, n.zm, n.z1, i = r.z0-w, r.z0, r.z1, i|2
	}
	n.children[i] = r
	n.count, n.lo, n.hi = r.count, r.lo, r.hi
	r.parent = n
	m.root = n
}

func (n *markNode) empty() { n.lo, n.hi = math.Inf(1), math.Inf(-1) }

func (n *markNode) contains(b geom.Box) bool {
	return b.Min[0] >= n.x0 && b.Max[0] <= n.x1 && b.Min[2] >= n.z0 && b.Max[2] <= n.z1
}

// quarter is the child that wholly contains b; -1 for none.
func (n *markNode) quarter(b geom.Box) int {
	i := 0
	switch {
	case b.Max[0] <= n.xm:
	case b.Min[0] >= n.xm:
		i |= 1
	default:
		return -1
	}
	switch {
	case b.Max[2] <= n.zm:
	case b.Min[2] >= n.zm:
		i |= 2
	default:
		return -1
	}
	return i
}

// drop removes a marker; one that is not there is fine.
func (m *marks) drop(id document.ID) {
	at, ok := m.byID[id]
	if !ok {
		return
	}
	delete(m.byID, id)
	n := at.node
	if n == nil {
		return
	}
	last := len(n.marks) - 1
	n.marks[at.at] = n.marks[last]
	n.marks[at.at].at = at.at
	n.marks = n.marks[:last]
	for n != nil {
		n.count--
		n.measure()
		p := n.parent
		if n.count == 0 {
			if p == nil {
				m.root = nil
				return
			}
			for i := range p.children {
				if p.children[i] == n {
					p.children[i] = nil
				}
			}
		}
		n = p
	}
}

// measure finds the heights of what stands in a node anew.
func (n *markNode) measure() {
	n.empty()
	for _, at := range n.marks {
		n.lo, n.hi = min(n.lo, at.mark.Box.Min[1]), max(n.hi, at.mark.Box.Max[1])
	}
	for _, c := range n.children {
		if c != nil {
			n.lo, n.hi = min(n.lo, c.lo), max(n.hi, c.hi)
		}
	}
}

// box is the node's square with the heights of what stands in it. What lies
// outside the root is not in it.
func (n *markNode) box() geom.Box {
	return geom.Box{Min: geom.Vec3{n.x0, n.lo, n.z0}, Max: geom.Vec3{n.x1, n.hi, n.z1}}
}

// visit calls see for the markers that may be in the frustum and are not hidden.
// Those below a node that is wholly inside are not tested. The root is never
// dropped as a whole, as it keeps what lies outside it.
func (m *marks) visit(f *geom.Frustum, see func(*Mark)) {
	if m.root == nil {
		return
	}
	var walk func(n *markNode, inside bool)
	walk = func(n *markNode, inside bool) {
		here := inside
		if !inside {
			switch f.Box(n.box()) {
			case geom.Outside:
				if n != m.root {
					return
				}
			case geom.Inside:
				inside, here = true, n != m.root // the root keeps strangers
			}
		}
		for _, at := range n.marks {
			if k := &at.mark; !k.Hidden && (here || f.Box(k.Box) != geom.Outside) {
				see(k)
			}
		}
		for _, c := range n.children {
			if c != nil {
				walk(c, inside)
			}
		}
	}
	walk(m.root, false)
}

func (m *marks) appendInside(dst []document.ID, f *geom.Frustum) []document.ID {
	m.visit(f, func(k *Mark) {
		if k.touches(f) {
			dst = append(dst, k.ID)
		}
	})
	return dst
}

// touches reports whether a part of the marker that is drawn is in the frustum.
func (k *Mark) touches(f *geom.Frustum) bool {
	for i, p := range k.Points {
		if f.Point(p) {
			return true
		}
		var q mgl64.Vec3
		switch {
		case k.Shape == document.MarkerPoint:
			continue
		case i+1 < len(k.Points):
			q = k.Points[i+1]
		case k.Shape == document.MarkerArea:
			q = k.Points[0]
		default:
			continue
		}
		if clipped(f, []mgl64.Vec3{p, q}) {
			return true
		}
	}
	return false
}

// AppendMarks appends the markers that may be seen in a frustum.
func (s *Scene) AppendMarks(dst []*Mark, f *geom.Frustum) []*Mark {
	s.marks.visit(f, func(k *Mark) { dst = append(dst, k) })
	return dst
}

// Mark finds a marker.
func (s *Scene) Mark(id document.ID) (*Mark, bool) {
	at, ok := s.marks.byID[id]
	if !ok {
		return nil, false
	}
	return &at.mark, true
}
