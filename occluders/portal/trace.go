package portal

import (
	"math"

	"ridgeline/occluders/geom"
)

// Bounds of a trace. When one is reached more is seen, never less.
const (
	MaxWindows = 8       // of a cell, before they are united
	MaxPlanes  = 16      // of a window
	maxSteps   = 1 << 16 // looks through a portal, or 8 for each portal if that is more
)

// View is a camera.
type View struct {
	Eye     geom.Vec3    // world, metres; of an orthographic view any point near it
	Frustum geom.Frustum // world
	Near    float64      // metres to the near plane
	Ortho   bool         // all lines of sight run along one direction
}

// Tracer traces one view at a time and keeps what it found until the next. The zero
// value is ready. It takes no memory once it has met views like those to come. It is
// not safe for concurrent use; the graph is.
type Tracer struct {
	g      *Graph
	ortho  bool
	eye    geom.Vec3
	dir    geom.Vec3 // of sight, in an orthographic view
	ahead  geom.Vec3 // normal of the near plane
	sides  [4]geom.Plane
	near   geom.Plane
	rect   [4]geom.Vec3 // the near plane's part in the picture
	reach  float64      // from the eye to the furthest corner of rect
	all    bool         // all is seen
	steps  int
	limit  int // of steps, where a test sets one
	united int // how often windows were united, for tests

	nodes   []node
	cells   []found
	corners []geom.Vec3 // of all windows, relative to the eye
	planes  []geom.Plane
	views   []sight // of each gate
	turn    uint32  // marks what belongs to this trace

	a, b   ring        // scratch of clipping
	rest   []geom.Vec3 // scratch of what of the near rectangle is in no cell
	ends   []int32
	restTo []geom.Vec3
	endsTo []int32
	out    arena
	queue  []int32
}

// node is a window.
type node struct {
	cell   int32
	parent int32 // the window through which this one is seen, or -1
	gate   int32 // the portal between, or -1
	depth  int32
	next   int32 // the cell's next window, or -1
	first  int32 // of corners and planes; plane i is that of edge i to i+1
	n      int32
	whole  bool // the whole frustum: no corners
	dead   bool // another window holds it
	loose  bool // not inside its parent's cone
}

// found is what a trace knows of a cell.
type found struct {
	turn  uint32
	head  int32 // first window
	n     int32 // windows alive
	many  int32 // how often they were united
	depth int32
}

// sight is a gate as this view sees it.
type sight struct {
	turn   uint32
	shown  bool // some of it may be in the frustum
	within bool // all of it is
	open   bool // it does not clip
	front  bool // light may cross it from the side of its normal
	behind bool // and from the other
	first  int32
	n      int32     // corners in the frustum, -1 before they are known
	center geom.Vec3 // relative to the eye
	radius float64
	margin float64 // metres it is cut too wide
	off    float64 // on which side of its plane the eye is
}

// Trace finds the windows of a view. Use Sees, Reached and AppendFound after it.
func (t *Tracer) Trace(g *Graph, v *View) {
	t.begin(g, v)
	if !t.all {
		t.enter()
	}
	limit := t.limit
	if limit == 0 {
		limit = max(maxSteps, 8*len(g.gates))
	}
	for i := 0; i < len(t.nodes) && !t.all; i++ {
		if t.nodes[i].dead {
			continue
		}
		links := g.links[t.nodes[i].cell]
		if t.steps += len(links); t.steps > limit {
			t.flood(i)
			break
		}
		for k := range links {
			t.look(int32(i), links[k])
			if t.nodes[i].dead { // what took its place looks further
				break
			}
		}
	}
}

// begin resets the trace and turns the view into the eye's frame.
func (t *Tracer) begin(g *Graph, v *View) {
	t.g = g
	t.turn++
	if t.turn == 0 { // after 2³² traces old marks would look new
		clear(t.cells)
		clear(t.views)
		t.turn = 1
	}
	if len(t.cells) < g.cells+1 {
		t.cells = append(t.cells, make([]found, g.cells+1-len(t.cells))...)
	}
	if len(t.views) < len(g.gates) {
		t.views = append(t.views, make([]sight, len(g.gates)-len(t.views))...)
	}
	t.nodes, t.corners, t.planes = t.nodes[:0], t.corners[:0], t.planes[:0]
	t.eye, t.ortho, t.all, t.steps, t.united = v.Eye, v.Ortho, false, 0, 0

	ok := finite(v.Eye)
	for i := range t.sides {
		t.sides[i] = v.Frustum.Planes[i].Relative(t.eye)
		ok = ok && finite(t.sides[i].N) && t.sides[i].D-t.sides[i].D == 0
		// The planes of a perspective view pass through the eye; what their D has lost
		// 100 km from the origin is put back.
		if !t.ortho && math.Abs(t.sides[i].D) < 1e-6 {
			t.sides[i].D = 0
		}
	}
	t.near = v.Frustum.Planes[4].Relative(t.eye)
	t.ahead = t.near.N
	ok = ok && t.nearRect(v.Near)
	if ok && t.ortho {
		d := t.sides[0].N.Cross(t.sides[2].N)
		l := d.Len()
		ok = l > 1e-6
		t.dir = d.Mul(1 / l)
		if t.dir.Dot(t.ahead) < 0 {
			t.dir = t.dir.Mul(-1)
		}
	}
	if !ok {
		t.all = true
	}
	for _, i := range g.loose {
		if g.states[i] != Closed {
			t.all = true
		}
	}
}

// look looks out of window i through a portal.
func (t *Tracer) look(i int32, l link) {
	if !t.g.passes(l) {
		return
	}
	if f := &t.cells[l.other]; f.turn == t.turn && f.head >= 0 && t.nodes[f.head].whole {
		return // all of it is seen already
	}
	how, cut := t.shows(i, l)
	if how != nothing && !t.onPath(i, l.gate) {
		t.pass(i, l, how, cut)
	}
}

// onPath reports whether the way to window i leads through the gate.
func (t *Tracer) onPath(i, gate int32) bool {
	for i >= 0 {
		n := &t.nodes[i]
		if n.gate == gate && !n.loose {
			return true
		}
		if n.loose {
			return false
		}
		i = n.parent
	}
	return false
}

// What a window shows of a gate.
type part uint8

const (
	nothing  part = iota
	asWindow      // the gate does not clip: as wide as the window
	asGate        // all of the gate that is in the frustum
	spilling      // the same, though it reaches out of the window
	clipped       // the ring
)

// shows cuts the gate of l by the cone of window i.
func (t *Tracer) shows(i int32, l link) (part, *ring) {
	s := t.sight(l.gate)
	if !s.shown || !(l.front && s.front || !l.front && s.behind) {
		return nothing, nil
	}
	n := &t.nodes[i]
	if t.g.gates[l.gate].space {
		return asWindow, nil
	}
	planes := t.planes[n.first : n.first+n.n]
	slack := s.margin
	if s.open {
		slack += t.reach + t.g.gates[l.gate].inset
	}
	straddle := false
	for k := range planes {
		d := dist(&planes[k], &s.center)
		if d < -s.radius-slack {
			return nothing, nil
		}
		straddle = straddle || d < s.radius
	}
	if s.open {
		return asWindow, nil
	}
	if s.n < 0 {
		if t.outline(l.gate, s); !s.shown {
			return nothing, nil
		}
	}
	if !straddle {
		return asGate, nil
	}
	planes = t.planes[n.first : n.first+n.n]
	t.a.load(t.corners[s.first:s.first+s.n], t.planes[s.first:s.first+s.n])
	from, to := &t.a, &t.b
	did := asGate
	for k := range planes {
		if dist(&planes[k], &s.center) >= s.radius {
			continue
		}
		switch from.cut(to, &planes[k], s.margin) {
		case cutNone:
			return nothing, nil
		case cutPart:
			from, to = to, from
			did = clipped
		case cutFull:
			return spilling, nil
		}
	}
	if did == clipped && from.n > MaxPlanes {
		did = spilling
	}
	return did, from
}

// pass adds the window that window i gives through l.
func (t *Tracer) pass(i int32, l link, how part, cut *ring) {
	n, s := &t.nodes[i], &t.views[l.gate]
	c := node{cell: l.other, parent: i, gate: l.gate, depth: n.depth + 1, next: -1}
	switch how {
	case asWindow:
		c.first, c.n, c.whole = n.first, n.n, n.whole
	case asGate, spilling:
		c.first, c.n, c.loose = s.first, s.n, how == spilling
	case clipped:
		c.first, c.n = int32(len(t.corners)), int32(cut.n)
		t.corners = append(t.corners, cut.corners[:cut.n]...)
		t.planes = append(t.planes, cut.planes[:cut.n]...)
	}
	t.add(c)
}

// holds reports whether the cone of a holds all that of b.
func (t *Tracer) holds(a, b *node) bool {
	if a.whole {
		return true
	}
	if b.whole {
		return false
	}
	planes := t.planes[a.first : a.first+a.n]
	corners := t.corners[b.first : b.first+b.n]
	for j := range corners {
		c := &corners[j]
		margin := -2 * cutSlack * (math.Abs(c[0]) + math.Abs(c[1]) + math.Abs(c[2]))
		for k := range planes {
			if !(dist(&planes[k], c) >= margin) {
				return false
			}
		}
	}
	return true
}

// cell is what is known of a cell, reset for this trace.
func (t *Tracer) cell(i int32) *found {
	f := &t.cells[i]
	if f.turn != t.turn {
		*f = found{turn: t.turn, head: -1, depth: math.MaxInt32}
	}
	return f
}

// add adds a window to its cell, unless the cell has one that holds it.
func (t *Tracer) add(c node) {
	f := t.cell(c.cell)
	f.depth = min(f.depth, c.depth)
	for i := f.head; i >= 0; i = t.nodes[i].next {
		if t.holds(&t.nodes[i], &c) {
			return
		}
	}
	t.drop(f, &c)
	if f.n >= MaxWindows {
		t.united++
		f.many++
		c.loose = true
		if f.many > 1 || !t.around(f, &c) {
			c.whole, c.first, c.n = true, 0, 0
		}
		t.drop(f, nil)
	}
	c.next = f.head
	f.head = int32(len(t.nodes))
	f.n++
	t.nodes = append(t.nodes, c)
}

// drop takes the windows that c holds from the cell; all of them when c is nil.
func (t *Tracer) drop(f *found, c *node) {
	last := &f.head
	for i := f.head; i >= 0; i = t.nodes[i].next {
		n := &t.nodes[i]
		if c == nil || t.holds(c, n) {
			n.dead = true
			*last = n.next
			f.n--
			continue
		}
		last = &n.next
	}
}

// flood sees all cells that the windows from i on may reach, whole.
func (t *Tracer) flood(i int) {
	for ; i < len(t.nodes); i++ {
		n := t.nodes[i]
		if n.dead {
			continue
		}
		if !n.whole {
			t.addWhole(n.cell, n.parent, n.gate, n.depth)
			continue // it is looked at as the last of the list
		}
		for _, l := range t.g.links[n.cell] {
			if t.g.passes(l) {
				t.addWhole(l.other, int32(i), l.gate, n.depth+1)
			}
		}
	}
}

func (t *Tracer) addWhole(cell, parent, gate, depth int32) {
	t.add(node{cell: cell, parent: parent, gate: gate, depth: depth, next: -1, whole: true, loose: true})
}

// around makes c a rectangle around itself and the windows of the cell, square to the
// picture; ok is false where there is none.
func (t *Tracer) around(f *found, c *node) (ok bool) {
	ahead := t.ahead
	if t.ortho {
		ahead = t.dir
	}
	right := ahead.Cross(axisAcross(ahead)).Normalize()
	up := right.Cross(ahead)
	inf := math.Inf(1)
	lo, hi, deep := [2]float64{inf, inf}, [2]float64{-inf, -inf}, 0.0
	take := func(n *node) bool {
		for _, p := range t.corners[n.first : n.first+n.n] {
			z := ahead.Dot(p)
			x, y := right.Dot(p), up.Dot(p)
			if !t.ortho {
				if !(z > 1e-6*p.Len()) {
					return false
				}
				x, y = x/z, y/z
			}
			deep = max(deep, z)
			lo = [2]float64{min(lo[0], x), min(lo[1], y)}
			hi = [2]float64{max(hi[0], x), max(hi[1], y)}
		}
		return !n.whole && n.n > 0
	}
	ok = take(c)
	for i := f.head; i >= 0 && ok; i = t.nodes[i].next {
		ok = take(&t.nodes[i])
	}
	if !ok {
		return false
	}
	for a := range lo {
		d := 1e-9 * (1 + max(math.Abs(lo[a]), math.Abs(hi[a])))
		lo[a] -= d
		hi[a] += d
	}
	c.first, c.n = int32(len(t.corners)), 4
	edges := [4]struct {
		n  geom.Vec3
		at float64
	}{{up, lo[1]}, {right.Mul(-1), -hi[0]}, {up.Mul(-1), -hi[1]}, {right, lo[0]}}
	for i, xy := range [4][2]float64{{lo[0], lo[1]}, {hi[0], lo[1]}, {hi[0], hi[1]}, {lo[0], hi[1]}} {
		p := right.Mul(xy[0]).Add(up.Mul(xy[1]))
		e := edges[i]
		q := geom.Plane{N: e.n, D: -e.at}
		if t.ortho {
			p = p.Add(ahead.Mul(deep))
		} else {
			p = p.Add(ahead).Mul(deep)
			q = geom.Plane{N: e.n.Sub(ahead.Mul(e.at)).Normalize()}
		}
		t.corners = append(t.corners, p)
		t.planes = append(t.planes, q)
	}
	return true
}
