package portal

import (
	"errors"
	"math"
	"slices"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// MaxCount is how many cells, pieces or portals a graph may have.
const MaxCount = 1 << 20

// ErrTooMany says that there are more cells, pieces or portals than MaxCount.
var ErrTooMany = errors.New("too many cells or portals")

// Graph is cells and the portals between them. It is immutable: several tracers may
// use one at once.
type Graph struct {
	// Faults are what is wrong with the portals and cells, in their order.
	Faults []Fault

	cells  int
	gates  []gate
	states []State
	links  [][]link // of each cell, and of Outside as the last
	items  []item   // pieces of cells and openings of portals
	tree   tree     // over the items
	loose  []int32  // portals to cells that do not exist
	tol    float64  // metres; what is closer touches
}

// gate is a portal ready for the trace.
type gate struct {
	shape
	from, to int32 // cells; Outside is Graph.cells
	reason   Reason
	inset    float64 // metres by which it stands within a cell, off the cell's face
	used     bool    // it joins two cells that exist and differ
	space    bool    // it makes one open space of them, whatever its shape
	both     bool    // its faces are not known: light may cross it from either side
	item     int32   // its opening among the items + 1, or 0
}

// link is a portal as its cell sees it.
type link struct {
	gate  int32
	other int32
	front bool // the cell is the one into which the normal points: From
}

// item is a convex body that belongs to one or two cells.
type item struct {
	cells  [2]int32 // the second is -1 for a piece of a cell
	planes []geom.Plane
	box    geom.Box
	thin   bool // an opening without depth
}

// Build makes the graph of the cells, each of one or several convex pieces that may
// touch or overlap, and the portals. Whatever the portals are, it gives a graph with
// which traces end and see all that can be seen; what is wrong with them is in Faults.
// The only error is ErrTooMany. The graph keeps the pieces' planes, which must not be
// changed.
func Build(cells [][]*hull.Hull, portals []Portal) (*Graph, error) {
	return build(cells, portals, nil, nil)
}

// Rebuild makes the graph that Build makes of cells and portals, in less time if most of
// the portals are those of g: was has for each portal the index that it had there, or −1
// if it is another one, has another polygon, or a piece of one of its two cells differs.
// Its state may differ, and the indices of its cells. g stays as it is.
func (g *Graph) Rebuild(cells [][]*hull.Hull, portals []Portal, was []int) (*Graph, error) {
	return build(cells, portals, g, was)
}

func build(cells [][]*hull.Hull, portals []Portal, before *Graph, was []int) (*Graph, error) {
	if len(cells) > MaxCount || len(portals) > MaxCount {
		return nil, ErrTooMany
	}
	total := 0
	for _, hulls := range cells {
		total += len(hulls)
	}
	g := &Graph{cells: len(cells), items: make([]item, 0, min(total, MaxCount)+len(portals))}
	pieces := make([][]int32, len(cells)) // items of each cell
	numbers := make([]int32, 0, min(total, MaxCount))
	scale := 0.0
	for c, hulls := range cells {
		bad := len(hulls) == 0
		first := len(numbers)
		for _, h := range hulls {
			if len(g.items) >= MaxCount {
				return nil, ErrTooMany
			}
			it, ok := pieceOf(h)
			bad = bad || !ok
			if it == nil {
				continue
			}
			it.cells = [2]int32{int32(c), -1}
			numbers = append(numbers, int32(len(g.items)))
			g.items = append(g.items, *it)
			if ok {
				scale = max(scale, reach(it.box.Min), reach(it.box.Max))
			}
		}
		pieces[c] = numbers[first:len(numbers):len(numbers)]
		if bad {
			g.Faults = append(g.Faults, Fault{-1, c, BadCell})
		}
	}
	for _, p := range portals {
		for _, q := range p.Polygon {
			if finite(q) && reach(q) < 1e12 {
				scale = max(scale, reach(q))
			}
		}
	}
	g.tol = 1e-9 + 1e-12*scale

	g.gates = make([]gate, len(portals))
	g.states = make([]State, len(portals))
	for i := range portals {
		if before == nil || before.tol != g.tol || was[i] < 0 || !g.again(i, &portals[i], before, was[i]) {
			g.add(i, &portals[i], pieces)
		}
	}
	g.link()
	g.doubled()
	g.tree.build(g.items)
	return g, nil
}

// again takes gate i as it was in another graph; ok is false where something is said of
// it that must be said anew.
func (g *Graph) again(i int, p *Portal, before *Graph, was int) (ok bool) {
	old := &before.gates[was]
	if old.reason != 0 || p.State > OneWay || !old.used || p.From >= g.cells || p.To >= g.cells || p.From == p.To {
		return false
	}
	t := &g.gates[i]
	*t = *old
	t.from, t.to = g.index(p.From), g.index(p.To)
	g.states[i] = p.State
	if t.item > 0 {
		it := before.items[t.item-1]
		it.cells = [2]int32{t.from, t.to}
		g.items = append(g.items, it)
		t.item = int32(len(g.items))
	}
	return true
}

// link lists the gates of each cell.
func (g *Graph) link() {
	g.links = make([][]link, g.cells+1)
	count := make([]int32, g.cells+1)
	n := 0
	for i := range g.gates {
		if t := &g.gates[i]; t.used {
			count[t.from]++
			count[t.to]++
			n += 2
		}
	}
	all := make([]link, n)
	for c, k := range count {
		if k > 0 {
			g.links[c], all = all[:0:k], all[k:]
		}
	}
	for i := range g.gates {
		if t := &g.gates[i]; t.used {
			g.links[t.from] = append(g.links[t.from], link{int32(i), t.to, true})
			g.links[t.to] = append(g.links[t.to], link{int32(i), t.from, false})
		}
	}
}

func reach(p geom.Vec3) float64 { return max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2])) }

// pieceOf makes the item of a piece: nil for none, everywhere for one that cannot be
// measured.
func pieceOf(h *hull.Hull) (it *item, ok bool) {
	if h == nil || len(h.Vertices) == 0 || len(h.Planes) == 0 {
		return nil, false
	}
	inf := math.Inf(1)
	everywhere := &item{box: geom.Box{Min: geom.Vec3{-inf, -inf, -inf}, Max: geom.Vec3{inf, inf, inf}}}
	it = &item{planes: h.Planes, box: geom.BoxOf(h.Vertices...)}
	for _, v := range h.Vertices {
		if !finite(v) {
			return everywhere, false
		}
	}
	for _, p := range h.Planes {
		if !finite(p.N) || p.D-p.D != 0 || math.Abs(p.N.Len()-1) > 1e-3 {
			return everywhere, false
		}
	}
	return it, true
}

// add makes gate i.
func (g *Graph) add(i int, p *Portal, pieces [][]int32) {
	t := &g.gates[i]
	fault := func(r Reason, cell int) {
		if t.reason == 0 {
			t.reason = r
		}
		g.Faults = append(g.Faults, Fault{i, cell, r})
	}
	g.states[i] = p.State
	if p.State > OneWay {
		g.states[i] = Open
		fault(BadState, -2)
	}
	var reason Reason
	t.shape, reason = shapeOf(p.Polygon)
	t.space = t.points == nil
	if reason != 0 {
		fault(reason, -2)
	}
	for _, c := range [2]int{p.From, p.To} {
		if c < Outside || c >= g.cells {
			fault(NoCell, c)
			t.from, t.to = -1, -1
			g.loose = append(g.loose, int32(i))
			return
		}
	}
	t.from, t.to = g.index(p.From), g.index(p.To)
	if t.from == t.to {
		fault(SameCell, p.From)
		return
	}
	t.used = true
	if !t.space {
		g.face(t, pieces, fault)
	}
}

// index is a cell's index in links: Outside is the last.
func (g *Graph) index(cell int) int32 {
	if cell == Outside {
		return int32(g.cells)
	}
	return int32(cell)
}

// name is the inverse of index.
func (g *Graph) name(index int32) int32 {
	if int(index) == g.cells {
		return Outside
	}
	return index
}

// face finds on which side of the gate its cells are, turns it if need be, and adds
// the item of its opening.
func (g *Graph) face(t *gate, pieces [][]int32, fault func(Reason, int)) {
	// Cells further than the polygon's own size are not next to it.
	limit := max(t.size, 1)
	var front, back float64 // depth of the opening to both sides
	var sides [2]int        // of From and To: 1 before the polygon, -1 behind, 0 unknown
	for k, c := range [2]int32{t.from, t.to} {
		if int(c) == g.cells {
			continue
		}
		f, b := g.probe(&t.shape, pieces[c], limit)
		switch {
		case f.length == 0 && b.length == 0:
			fault(Adrift, int(c))
			t.space = true
		case f.before(b):
			sides[k] = 1
			front = max(front, f.gap)
			t.inset = max(t.inset, b.touch)
		case b.before(f):
			sides[k] = -1
			back = max(back, b.gap)
			t.inset = max(t.inset, f.touch)
		default:
			front, back = max(front, f.gap), max(back, b.gap)
		}
	}
	switch {
	case t.space:
	case sides[0] >= 0 && sides[1] <= 0 && sides[0] != sides[1]:
	case sides[0] <= 0 && sides[1] >= 0 && sides[0] != sides[1]:
		fault(WrongWay, -2)
		t.turn()
		front, back = back, front
	default:
		fault(NotBetween, -2)
		t.both = true
	}
	it := item{cells: [2]int32{t.from, t.to}, thin: front+back <= g.tol}
	it.planes, it.box = prism(&t.shape, front, back)
	g.items = append(g.items, it)
	t.item = int32(len(g.items))
}

// side is what a probe met on one side of a polygon.
type side struct {
	length float64 // metres of the cell that lines along the normal cross, summed
	first  float64 // the least metres from the polygon to the cell
	touch  float64 // metres of the cell on such a line that begin at the polygon itself
	gap    float64 // the most metres from the polygon to the cell
	votes  int     // lines that meet the cell earlier on this side
}

// before reports whether the cell is on this side rather than on the other: nearer, or
// where it is on both sides of the polygon on that where most of it is.
func (s side) before(o side) bool {
	switch {
	case s.length == 0 || o.length == 0:
		return s.length > 0
	case o.votes > 0: // in a corner, say, where the cell goes on beside the polygon
		return false
	case s.touch > 0 && o.touch > 0:
		return s.length > 2*o.length
	}
	return s.first < o.first
}

// probe looks from points of the polygon along its normal, limit metres to both sides.
func (g *Graph) probe(s *shape, pieces []int32, limit float64) (front, back side) {
	var gaps [2][]float64
	look := func(p geom.Vec3) {
		near := [2]float64{math.Inf(1), math.Inf(1)}
		for _, i := range pieces {
			t0, t1 := g.items[i].along(p, s.plane.N, limit, g.tol)
			if t1 > max(t0, g.tol) {
				front.length += t1 - max(t0, 0)
				near[0] = min(near[0], max(t0, 0))
				if t0 <= g.tol {
					front.touch = max(front.touch, t1)
				}
			}
			if min(t1, -g.tol) > t0 {
				back.length += min(t1, 0) - t0
				near[1] = min(near[1], max(-t1, 0))
				if t1 >= -g.tol {
					back.touch = max(back.touch, -t0)
				}
			}
		}
		for k := range near {
			if !math.IsInf(near[k], 1) {
				gaps[k] = append(gaps[k], near[k])
			}
		}
		switch {
		case near[0] < near[1]:
			front.votes++
		case near[1] < near[0]:
			back.votes++
		}
	}
	s.samples(look)
	for k, to := range [2]*side{&front, &back} {
		if len(gaps[k]) == 0 {
			continue
		}
		// A point beside the cell's face may look at another piece of it, further off.
		to.first = slices.Min(gaps[k])
		limit := to.first + 0.25*s.size
		for _, d := range gaps[k] {
			if d <= limit {
				to.gap = max(to.gap, d)
			}
		}
	}
	return front, back
}

// samples calls f with points spread over the polygon.
func (s *shape) samples(f func(geom.Vec3)) {
	f(s.center)
	for i, p := range s.points {
		d := p.Sub(s.center)
		f(s.center.Add(d.Mul(0.5)))
		f(s.center.Add(d.Mul(0.98)))
		mid := p.Add(s.points[(i+1)%len(s.points)]).Mul(0.5).Sub(s.center)
		f(s.center.Add(mid.Mul(0.9)))
	}
}

// along gives the part of the line p + t·n, |t| <= limit, that is inside; t0 > t1 for
// none.
func (it *item) along(p, n geom.Vec3, limit, tol float64) (t0, t1 float64) {
	t0, t1 = -limit, limit
	for i := range it.planes {
		q := &it.planes[i]
		d, slope := q.Distance(p), q.N.Dot(n)
		switch {
		case math.Abs(slope) < 1e-9:
			if d > tol {
				return 1, 0
			}
		case slope > 0:
			t1 = min(t1, -d/slope)
		default:
			t0 = max(t0, -d/slope)
		}
	}
	return t0, t1
}

// prism is the body swept by the polygon, front metres along its normal and back
// metres against it.
func prism(s *shape, front, back float64) ([]geom.Plane, geom.Box) {
	n := s.plane.N
	at := func(out, p geom.Vec3) geom.Plane { return geom.Plane{N: out, D: -out.Dot(p)} }
	planes := []geom.Plane{at(n, s.center.Add(n.Mul(front))), at(n.Mul(-1), s.center.Sub(n.Mul(back)))}
	box := geom.EmptyBox()
	for i, p := range s.points {
		e := s.points[(i+1)%len(s.points)].Sub(p)
		if l := e.Len(); l > 0 {
			planes = append(planes, at(e.Cross(n).Mul(1/l), p))
		}
		box = box.Add(p.Add(n.Mul(front))).Add(p.Sub(n.Mul(back)))
	}
	return planes, box
}

// doubled finds portals that stand in one place between the same cells.
func (g *Graph) doubled() {
	type key struct {
		a, b int32
		c    [3]float64
	}
	seen := map[key]bool{}
	var faults []Fault
	for i := range g.gates {
		t := &g.gates[i]
		if !t.used || t.points == nil {
			continue
		}
		k := key{a: min(t.from, t.to), b: max(t.from, t.to)}
		for a, x := range t.center {
			k.c[a] = math.Round(x * 1e3)
		}
		if seen[k] {
			faults = append(faults, Fault{i, -2, Doubled})
		}
		seen[k] = true
	}
	g.Faults = append(g.Faults, faults...)
	slices.SortStableFunc(g.Faults, func(a, b Fault) int { return a.Portal - b.Portal })
}

// Cells is the number of cells, without Outside.
func (g *Graph) Cells() int { return g.cells }

// Portals is the number of portals.
func (g *Graph) Portals() int { return len(g.gates) }

// State is the state of a portal; of an unknown one Closed.
func (g *Graph) State(portal int) State {
	if portal < 0 || portal >= len(g.states) {
		return Closed
	}
	return g.states[portal]
}

// SetState gives the graph with one portal in another state, as when a door opens. All
// else is shared with g, which stays as it is. An unknown portal changes nothing; an
// unknown state is Open.
func (g *Graph) SetState(portal int, s State) *Graph {
	if portal < 0 || portal >= len(g.states) {
		return g
	}
	if s > OneWay {
		s = Open
	}
	c := *g
	c.states = slices.Clone(g.states)
	c.states[portal] = s
	return &c
}

// AppendNeighbours appends the cells to which portals lead from the cell, whatever
// their state, each once and sorted.
func (g *Graph) AppendNeighbours(dst []int32, cell int) []int32 {
	if cell < Outside || cell >= g.cells {
		return dst
	}
	n := len(dst)
	for _, l := range g.links[g.index(cell)] {
		dst = append(dst, g.name(l.other))
	}
	slices.Sort(dst[n:])
	return dst[:n+len(slices.Compact(dst[n:]))]
}

// AppendPortals appends the portals of a cell that the trace uses, in order.
func (g *Graph) AppendPortals(dst []int32, cell int) []int32 {
	if cell < Outside || cell >= g.cells {
		return dst
	}
	for _, l := range g.links[g.index(cell)] {
		dst = append(dst, l.gate)
	}
	return dst
}

// passes reports whether light may go through the gate out of the cell of l.
func (g *Graph) passes(l link) bool {
	switch g.states[l.gate] {
	case Closed:
		return false
	case OneWay:
		return g.leavesFrom(l)
	}
	return true
}

// leavesFrom reports whether l leads from the portal's From to its To.
func (g *Graph) leavesFrom(l link) bool { return g.gates[l.gate].to == l.other }
