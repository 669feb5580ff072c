package simplify

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Collapse collapses all edges of a mesh that may be, the cheapest first. The error is
// that of a mesh that is not valid, or of the context.
func Collapse(ctx context.Context, m Mesh, o Options) (*Sequence, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	c := newCollapser(&m, o)
	if err := c.run(ctx, o.Progress); err != nil {
		return nil, err
	}
	return c.sequence, nil
}

// collapser is a mesh while it is simplified. Corner 3·t + k is the k-th of triangle t.
type collapser struct {
	options  Options
	pos      []mgl64.Vec3 // of points, from the mesh's middle
	wedge    []int32      // the vertex of each corner
	point    []int32      // the point of each corner
	material []uint16     // of triangles; nil for one
	normal   []mgl64.Vec3 // of triangles, unit length; 0 for none
	dead     []bool       // triangles

	// The corners at each point, a list; those of dead triangles are skipped.
	head, tail []int32 // by point
	next       []int32 // by corner

	quadrics []quadric
	off      []float64 // how far what went into a point may lie from the surface
	locked   []bool
	heap     *heap
	left     int // triangles
	sequence *Sequence

	ring, other, tried []edge
	order              []int32
	mark               []int32 // by point
	stamp              int32
	moves              []move
}

// edge is one from a point u to a neighbour.
type edge struct {
	p        int32 // the neighbour
	n        int32 // triangles
	tri      [2]int32
	atU, atP [2]int32 // the vertices of each triangle
	out      [2]bool  // whether it goes from u to p
	kept     bool     // a line that is kept
	bad      bool     // shared by too many triangles, or by two that are turned apart
	cost     float64
}

// move says to which vertex one of u goes.
type move struct{ from, to int32 }

func newCollapser(m *Mesh, o Options) *collapser {
	n, tris := len(m.Positions), len(m.Indices)/3
	of := m.points(o.Weld)
	c := &collapser{
		options: o, pos: make([]mgl64.Vec3, n), wedge: make([]int32, 3*tris), point: make([]int32, 3*tris), material: m.Materials,
		normal: make([]mgl64.Vec3, tris), dead: make([]bool, tris), head: make([]int32, n), tail: make([]int32, n), next: make([]int32, 3*tris),
		off: make([]float64, n), locked: make([]bool, n), heap: newHeap(n), mark: make([]int32, n), left: tris,
		sequence: newSequence(m),
	}
	var middle mgl64.Vec3
	for _, p := range m.Positions {
		for a := range p {
			middle[a] += float64(p[a]) / float64(n)
		}
	}
	for i, p := range m.Positions {
		for a := range p {
			c.pos[i][a] = float64(p[a]) - middle[a]
		}
		c.head[i], c.tail[i] = -1, -1
		if m.Locked != nil && m.Locked[i] {
			c.locked[of[i]] = true
		}
	}
	for i, v := range m.Indices {
		c.wedge[i], c.point[i] = int32(v), of[v]
	}
	for t := range tris {
		p := c.point[3*t : 3*t+3]
		c.normal[t] = c.normalOf(p[0], p[1], p[2])
		if p[0] == p[1] || p[1] == p[2] || p[2] == p[0] || c.normal[t] == (mgl64.Vec3{}) {
			c.kill(int32(t)) // it shows nothing
			c.sequence.death[t] = -1
			continue
		}
		for k := range 3 {
			c.link(p[k], int32(3*t+k))
		}
	}
	if o.Cost == Quadric {
		c.weigh()
	}
	return c
}

// link puts a corner into the list of a point.
func (c *collapser) link(p, corner int32) {
	c.next[corner] = -1
	if c.tail[p] < 0 {
		c.head[p] = corner
	} else {
		c.next[c.tail[p]] = corner
	}
	c.tail[p] = corner
}

func (c *collapser) kill(t int32) {
	c.dead[t] = true
	c.left--
	c.sequence.death[t] = int32(len(c.sequence.steps))
}

// cross is twice the area of a triangle of points, along its normal.
func (c *collapser) cross(a, b, d int32) mgl64.Vec3 {
	p, q, r := &c.pos[a], &c.pos[b], &c.pos[d]
	ux, uy, uz := q[0]-p[0], q[1]-p[1], q[2]-p[2]
	vx, vy, vz := r[0]-p[0], r[1]-p[1], r[2]-p[2]
	return mgl64.Vec3{uy*vz - uz*vy, uz*vx - ux*vz, ux*vy - uy*vx}
}

// normalOf is the normal of a triangle; 0 if it has no area to speak of.
func (c *collapser) normalOf(a, b, d int32) mgl64.Vec3 {
	n := c.cross(a, b, d)
	l := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	longest := max(c.distance2(a, b), c.distance2(b, d), c.distance2(d, a))
	if !(l > thinnest*longest) {
		return mgl64.Vec3{}
	}
	return mgl64.Vec3{n[0] / l, n[1] / l, n[2] / l}
}

// thinnest is the least height of a triangle, as a part of its longest side.
const thinnest = 1e-7

func (c *collapser) distance2(a, b int32) float64 {
	p, q := &c.pos[a], &c.pos[b]
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return x*x + y*y + z*z
}

// around lists the edges at a point, and drops the corners of dead triangles from its list.
func (c *collapser) around(u int32, dst []edge) []edge {
	dst = dst[:0]
	last := int32(-1)
	for k := c.head[u]; k >= 0; k = c.next[k] {
		t := k / 3
		if c.dead[t] {
			continue
		}
		if last < 0 {
			c.head[u] = k
		} else {
			c.next[last] = k
		}
		last = k
		first := 3 * t
		a, b := first+(k-first+1)%3, first+(k-first+2)%3
		dst = c.addEdge(dst, t, k, a, true)
		dst = c.addEdge(dst, t, k, b, false)
	}
	if c.tail[u] = last; last < 0 {
		c.head[u] = -1
	} else {
		c.next[last] = -1
	}
	for i := range dst {
		e := &dst[i]
		switch {
		case e.n == 1:
			e.kept = true
		case e.n > 2 || e.out[0] == e.out[1]:
			e.bad, e.kept = true, true
		default:
			e.kept = e.atU[0] != e.atU[1] || e.atP[0] != e.atP[1] || c.material != nil && c.material[e.tri[0]] != c.material[e.tri[1]]
		}
	}
	return dst
}

func (c *collapser) addEdge(dst []edge, t, atU, atP int32, out bool) []edge {
	p := c.point[atP]
	for i := range dst {
		if e := &dst[i]; e.p == p {
			if e.n < 2 {
				e.tri[e.n], e.atU[e.n], e.atP[e.n], e.out[e.n] = t, c.wedge[atU], c.wedge[atP], out
			}
			e.n++
			return dst
		}
	}
	return append(dst, edge{p: p, n: 1, tri: [2]int32{t, -1}, atU: [2]int32{c.wedge[atU]}, atP: [2]int32{c.wedge[atP]}, out: [2]bool{out}})
}

// weigh makes the quadrics.
func (c *collapser) weigh() {
	c.quadrics = make([]quadric, len(c.pos))
	for t := range c.normal {
		if c.dead[t] {
			continue
		}
		p := c.point[3*t : 3*t+3]
		n := c.normal[t]
		d := -n.Dot(c.pos[p[0]])
		area := c.cross(p[0], p[1], p[2]).Len() / 2
		for _, v := range p {
			c.quadrics[v].plane(n, d, area)
		}
	}
	for u := range c.pos {
		if c.head[u] < 0 {
			continue
		}
		c.ring = c.around(int32(u), c.ring)
		for i := range c.ring {
			e := &c.ring[i]
			if !e.kept || e.p < int32(u) {
				continue
			}
			along := c.pos[e.p].Sub(c.pos[u])
			weight := along.Dot(along)
			for k := range min(e.n, 2) {
				n := along.Cross(c.normal[e.tri[k]])
				if l := n.Len(); l > 0 {
					n = n.Mul(1 / l)
					d := -n.Dot(c.pos[u])
					c.quadrics[u].plane(n, d, weight)
					c.quadrics[e.p].plane(n, d, weight)
				}
			}
		}
	}
}

// evenly weighs the length of an edge against distances, so that flat parts get even
// triangles.
const evenly = 1e-7

// candidates keeps of a ring the edges along which u may collapse, with their costs.
func (c *collapser) candidates(u int32, ring []edge) []edge {
	if c.locked[u] {
		return ring[:0]
	}
	kept := 0
	for i := range ring {
		e := &ring[i]
		if e.bad || c.options.LockBorder && e.n == 1 {
			return ring[:0]
		}
		if e.kept {
			kept++
		}
	}
	if kept != 0 && kept != 2 {
		return ring[:0]
	}
	out := ring[:0]
	for i := range ring {
		e := ring[i]
		if kept == 2 && !e.kept {
			continue
		}
		if c.options.Cost == Quadric {
			q := &c.quadrics[u]
			v := &c.pos[e.p]
			e.cost = max(q.at(v)+c.quadrics[e.p].at(v), 0) + evenly*c.distance2(u, e.p)*(q.xx+q.yy+q.zz)
		} else {
			e.cost = c.melax(u, &e)
		}
		out = append(out, e)
	}
	if kept == 2 && c.options.Cost == Melax && len(out) == 2 {
		// The bend of the line.
		a, b := c.pos[out[0].p].Sub(c.pos[u]), c.pos[out[1].p].Sub(c.pos[u])
		if l := a.Len() * b.Len(); l > 0 {
			bend := (1 + a.Dot(b)/l) / 2
			for i := range out {
				out[i].cost += bend * math.Sqrt(c.distance2(u, out[i].p))
			}
		}
	}
	return out
}

// melax is the cost of a collapse after Melax.
func (c *collapser) melax(u int32, e *edge) float64 {
	worst := 0.0
	for k := c.head[u]; k >= 0; k = c.next[k] {
		f := k / 3
		if c.dead[f] {
			continue
		}
		least := 1.0
		for i := range min(e.n, 2) {
			n, m := &c.normal[f], &c.normal[e.tri[i]]
			least = min(least, (1-(n[0]*m[0]+n[1]*m[1]+n[2]*m[2]))/2)
		}
		worst = max(worst, least)
	}
	return math.Sqrt(c.distance2(u, e.p)) * worst
}

// consider finds what the cheapest collapse of u costs.
func (c *collapser) consider(u int32) {
	c.other = c.around(u, c.other)
	best := math.Inf(1)
	c.tried = append(c.tried[:0], c.other...)
	for _, e := range c.candidates(u, c.tried) {
		best = min(best, e.cost)
	}
	if math.IsInf(best, 1) {
		c.heap.remove(u)
	} else {
		c.heap.set(u, best)
	}
}

func (c *collapser) run(ctx context.Context, progress func(float64)) error {
	for u := range c.pos {
		if u%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c.head[u] >= 0 {
			c.consider(int32(u))
		}
	}
	total := max(len(c.heap.list), 1)
	for n := 0; len(c.heap.list) > 0; n++ {
		if n%4096 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if progress != nil {
				progress(min(1, float64(len(c.sequence.steps))/float64(total)))
			}
		}
		c.collapseNext()
	}
	c.sequence.finish()
	return nil
}

// collapseNext makes the cheapest collapse that is allowed of the first point, or finds
// that another point comes first.
func (c *collapser) collapseNext() {
	u, key := c.heap.list[0].point, c.heap.list[0].cost
	c.ring = c.around(u, c.ring)
	list := c.candidates(u, c.ring)
	for range list {
		best := -1
		for i := range list {
			if !math.IsInf(list[i].cost, 1) && (best < 0 || list[i].cost < list[best].cost || list[i].cost == list[best].cost && list[i].p < list[best].p) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		e := &list[best]
		if !c.allowed(u, e) {
			e.cost = math.Inf(1)
			continue
		}
		if e.cost > key {
			c.heap.set(u, e.cost)
			return
		}
		c.collapse(u, e)
		return
	}
	c.heap.remove(u) // until something around it changes
}

// mostTurn is the least cosine between a triangle before and after: that of 75°.
const mostTurn = 0.2588

// allowed tells whether u may go to the other end of an edge, and finds where its
// vertices go.
func (c *collapser) allowed(u int32, e *edge) bool {
	v := e.p
	c.moves = c.moves[:0]
	for i := range e.n {
		for _, m := range c.moves {
			if m.from == e.atU[i] && m.to != e.atP[i] {
				return false
			}
		}
		c.moves = append(c.moves, move{e.atU[i], e.atP[i]})
	}
	// The neighbours in common are those of the edge's triangles alone.
	c.stamp++
	for k := c.head[v]; k >= 0; k = c.next[k] {
		if t := k / 3; !c.dead[t] {
			for _, p := range c.point[3*t : 3*t+3] {
				c.mark[p] = c.stamp
			}
		}
	}
	c.mark[v] = 0
	common := int32(0)
	for k := c.head[u]; k >= 0; k = c.next[k] {
		t := k / 3
		if c.dead[t] {
			continue
		}
		p := c.point[3*t : 3*t+3]
		for _, q := range p {
			if q != u && c.mark[q] == c.stamp {
				c.mark[q] = 0
				common++
			}
		}
		if p[0] == v || p[1] == v || p[2] == v {
			continue
		}
		// A triangle that stays.
		w := c.wedge[k]
		goes := false
		for _, m := range c.moves {
			goes = goes || m.from == w
		}
		if !goes {
			return false
		}
		i := k - 3*t
		n := c.normalOf(v, p[(i+1)%3], p[(i+2)%3])
		if o := &c.normal[t]; !(n[0]*o[0]+n[1]*o[1]+n[2]*o[2] > mostTurn) {
			return false
		}
	}
	return common == e.n
}

// collapse moves u to the other end of an edge.
func (c *collapser) collapse(u int32, e *edge) {
	v := e.p
	s := c.sequence
	at, nearest := c.pos[u], math.Inf(1)
	for k := c.head[u]; k >= 0; {
		next := c.next[k]
		t := k / 3
		p := c.point[3*t : 3*t+3]
		switch {
		case c.dead[t]:
		case p[0] == v || p[1] == v || p[2] == v:
			c.kill(t)
		default:
			for _, m := range c.moves {
				if m.from == c.wedge[k] {
					c.wedge[k] = m.to
					break
				}
			}
			c.point[k] = v
			c.normal[t] = c.normalOf(p[0], p[1], p[2])
			c.link(v, k)
			nearest = min(nearest, distanceTo(&at, &c.pos[p[0]], &c.pos[p[1]], &c.pos[p[2]]))
		}
		k = next
	}
	if math.IsInf(nearest, 1) {
		nearest = math.Sqrt(c.distance2(u, v))
	}
	c.off[v] = max(c.off[v], c.off[u]+nearest)
	if c.quadrics != nil {
		c.quadrics[v].add(&c.quadrics[u])
	}
	c.head[u], c.tail[u] = -1, -1
	c.heap.remove(u)
	for _, m := range c.moves {
		s.to[m.from], s.gone[m.from] = m.to, int32(len(s.steps))
	}
	s.add(c.left, c.off[v])
	if c.options.Cost == Quadric {
		c.reconsiderLater(v)
	} else {
		c.reconsider(v)
	}
}

// reconsider finds anew what collapses of a point and of all around it cost.
func (c *collapser) reconsider(v int32) {
	c.order = append(c.order[:0], v)
	c.stamp++
	c.mark[v] = c.stamp
	for k := c.head[v]; k >= 0; k = c.next[k] {
		if t := k / 3; !c.dead[t] {
			for _, p := range c.point[3*t : 3*t+3] {
				if c.mark[p] != c.stamp {
					c.mark[p] = c.stamp
					c.order = append(c.order, p)
				}
			}
		}
	}
	for _, p := range c.order {
		c.consider(p)
	}
}

// reconsiderLater is reconsider for quadrics, which only grow: around v costs can be
// less only of collapses onto v itself, which may be a new neighbour. So what is in the
// heap is no more than the cost, which is found when it is the least.
func (c *collapser) reconsiderLater(v int32) {
	c.consider(v)
	at, q := &c.pos[v], &c.quadrics[v]
	own := q.at(at)
	for _, e := range c.other { // of v
		cost, in := c.heap.has(e.p)
		if !in {
			c.order = append(c.order, e.p)
		} else if onto := max(c.quadrics[e.p].at(at)+own, 0); onto < cost {
			c.heap.set(e.p, onto)
		}
	}
	for _, p := range c.order {
		c.consider(p)
	}
	c.order = c.order[:0]
}
