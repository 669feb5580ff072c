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

// collapser is a mesh while it is simplified. What belongs to a triangle or to a point
// lies together, as they are visited in no order. Corner 4·t + k is the k-th of triangle
// t.
type collapser struct {
	options  Options
	tris     []tri
	points   []point
	keys     []float64 // of each point; see passes.go
	marks    []int32   // of each point
	left     int       // triangles
	parts    bool      // there are materials
	sequence *Sequence

	ring  []edge
	stamp int32
	moves []move
}

// tri is a triangle, in 64 bytes.
type tri struct {
	point    [3]int32
	wedge    [3]int32   // the vertices
	next     [3]int32   // for each corner the next one at its point
	normal   [3]float32 // unit length; 0 for none
	material uint16
	dead     bool
	_        [3]uint32
}

// point is a place where vertices are, in 128 bytes.
type point struct {
	pos        mgl64.Vec3 // from the mesh's middle
	own        float64    // the quadric at pos
	head, tail int32      // the list of its corners; those of dead triangles are skipped
	off        float32    // how far what went into it may lie from the surface
	locked     bool
	quadric    quadric
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
		options: o, tris: make([]tri, tris), points: make([]point, n), parts: m.Materials != nil,
		keys: make([]float64, n), marks: make([]int32, n), left: tris,
		sequence: newSequence(m),
	}
	var middle mgl64.Vec3
	for _, p := range m.Positions {
		for a := range p {
			middle[a] += float64(p[a]) / float64(n)
		}
	}
	for i, p := range m.Positions {
		q := &c.points[i]
		for a := range p {
			q.pos[a] = float64(p[a]) - middle[a]
		}
		q.head, q.tail = -1, -1
		if m.Locked != nil && m.Locked[i] {
			c.points[of[i]].locked = true
		}
	}
	for t := range c.tris {
		f := &c.tris[t]
		for k := range 3 {
			v := m.Indices[3*t+k]
			f.wedge[k], f.point[k] = int32(v), of[v]
		}
		if m.Materials != nil {
			f.material = m.Materials[t]
		}
		p := f.point
		f.normal = c.normalOf(p[0], p[1], p[2])
		if p[0] == p[1] || p[1] == p[2] || p[2] == p[0] || f.normal == ([3]float32{}) {
			c.kill(int32(t)) // it shows nothing
			c.sequence.death[t] = -1
			continue
		}
		for k := range int32(3) {
			c.link(p[k], int32(4*t)+k)
		}
	}
	if o.Cost == Quadric {
		c.weigh()
	}
	return c
}

// link puts a corner into the list of a point.
func (c *collapser) link(p, corner int32) {
	c.tris[corner>>2].next[corner&3] = -1
	q := &c.points[p]
	if q.tail < 0 {
		q.head = corner
	} else {
		c.tris[q.tail>>2].next[q.tail&3] = corner
	}
	q.tail = corner
}

func (c *collapser) kill(t int32) {
	c.tris[t].dead = true
	c.left--
	c.sequence.death[t] = int32(len(c.sequence.steps))
}

// cross is twice the area of a triangle of points, along its normal.
func (c *collapser) cross(a, b, d int32) mgl64.Vec3 {
	p, q, r := &c.points[a].pos, &c.points[b].pos, &c.points[d].pos
	ux, uy, uz := q[0]-p[0], q[1]-p[1], q[2]-p[2]
	vx, vy, vz := r[0]-p[0], r[1]-p[1], r[2]-p[2]
	return mgl64.Vec3{uy*vz - uz*vy, uz*vx - ux*vz, ux*vy - uy*vx}
}

// normalOf is the normal of a triangle; 0 if it has no area to speak of.
func (c *collapser) normalOf(a, b, d int32) [3]float32 {
	n := c.cross(a, b, d)
	l := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	longest := max(c.distance2(a, b), c.distance2(b, d), c.distance2(d, a))
	if !(l > thinnest*longest) {
		return [3]float32{}
	}
	return [3]float32{float32(n[0] / l), float32(n[1] / l), float32(n[2] / l)}
}

// thinnest is the least height of a triangle, as a part of its longest side.
const thinnest = 1e-7

func (c *collapser) distance2(a, b int32) float64 {
	p, q := &c.points[a].pos, &c.points[b].pos
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return x*x + y*y + z*z
}

// around lists the edges at a point, and drops the corners of dead triangles from its list.
func (c *collapser) around(u int32, dst []edge) []edge {
	dst = dst[:0]
	q := &c.points[u]
	last := int32(-1)
	for k := q.head; k >= 0; {
		t, i := k>>2, k&3
		f := &c.tris[t]
		next := f.next[i]
		if !f.dead {
			if last < 0 {
				q.head = k
			} else {
				c.tris[last>>2].next[last&3] = k
			}
			last = k
			a, b := following[i], following[i+1]
			dst = addEdge(dst, t, f, i, a, true)
			dst = addEdge(dst, t, f, i, b, false)
		}
		k = next
	}
	if q.tail = last; last < 0 {
		q.head = -1
	} else {
		c.tris[last>>2].next[last&3] = -1
	}
	for i := range dst {
		e := &dst[i]
		switch {
		case e.n == 1:
			e.kept = true
		case e.n > 2 || e.out[0] == e.out[1]:
			e.bad, e.kept = true, true
		default:
			e.kept = e.atU[0] != e.atU[1] || e.atP[0] != e.atP[1] || c.parts && c.tris[e.tri[0]].material != c.tris[e.tri[1]].material
		}
	}
	return dst
}

// following[i] is the corner after corner i of a triangle, following[i+1] the one after
// that.
var following = [4]int32{1, 2, 0, 1}

func addEdge(dst []edge, t int32, f *tri, atU, atP int32, out bool) []edge {
	p := f.point[atP]
	for i := range dst {
		if e := &dst[i]; e.p == p {
			if e.n < 2 {
				e.tri[e.n], e.atU[e.n], e.atP[e.n], e.out[e.n] = t, f.wedge[atU], f.wedge[atP], out
			}
			e.n++
			return dst
		}
	}
	return append(dst, edge{p: p, n: 1, tri: [2]int32{t, -1}, atU: [2]int32{f.wedge[atU]}, atP: [2]int32{f.wedge[atP]}, out: [2]bool{out}})
}

// weigh makes the quadrics.
func (c *collapser) weigh() {
	for t := range c.tris {
		f := &c.tris[t]
		if f.dead {
			continue
		}
		p := f.point
		n := c.cross(p[0], p[1], p[2])
		l := n.Len()
		n = n.Mul(1 / l)
		d := -n.Dot(c.points[p[0]].pos)
		for _, v := range p {
			c.points[v].quadric.plane(n, d, l/2)
		}
	}
	for u := range c.points {
		a := &c.points[u]
		if a.head < 0 {
			continue
		}
		c.ring = c.around(int32(u), c.ring)
		for i := range c.ring {
			e := &c.ring[i]
			if !e.kept || e.p < int32(u) {
				continue
			}
			b := &c.points[e.p]
			along := b.pos.Sub(a.pos)
			weight := along.Dot(along)
			for k := range min(e.n, 2) {
				m := c.tris[e.tri[k]].normal
				n := along.Cross(mgl64.Vec3{float64(m[0]), float64(m[1]), float64(m[2])})
				if l := n.Len(); l > 0 {
					n = n.Mul(1 / l)
					d := -n.Dot(a.pos)
					a.quadric.plane(n, d, weight)
					b.quadric.plane(n, d, weight)
				}
			}
		}
	}
	for u := range c.points {
		p := &c.points[u]
		p.own = p.quadric.at(&p.pos)
	}
}

// evenly weighs the length of an edge against distances, so that flat parts get even
// triangles.
const evenly = 1e-7

// candidates keeps of a ring the edges along which u may collapse, with their costs.
func (c *collapser) candidates(u int32, ring []edge) []edge {
	at := &c.points[u]
	if at.locked {
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
			q, v := &at.quadric, &c.points[e.p]
			e.cost = max(q.at(&v.pos)+v.own, 0) + evenly*c.distance2(u, e.p)*(q.xx+q.yy+q.zz)
		} else {
			e.cost = c.melax(u, &e)
		}
		out = append(out, e)
	}
	if kept == 2 && c.options.Cost == Melax && len(out) == 2 {
		// The bend of the line.
		a, b := c.points[out[0].p].pos.Sub(at.pos), c.points[out[1].p].pos.Sub(at.pos)
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
	worst := float32(0)
	for k := c.points[u].head; k >= 0; k = c.tris[k>>2].next[k&3] {
		f := &c.tris[k>>2]
		if f.dead {
			continue
		}
		least := float32(1)
		for i := range min(e.n, 2) {
			n, m := &f.normal, &c.tris[e.tri[i]].normal
			least = min(least, (1-(n[0]*m[0]+n[1]*m[1]+n[2]*m[2]))/2)
		}
		worst = max(worst, least)
	}
	return math.Sqrt(c.distance2(u, e.p)) * float64(worst)
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
	c.markAround(v)
	c.marks[v] = 0
	common := int32(0)
	for k := c.points[u].head; k >= 0; k = c.tris[k>>2].next[k&3] {
		f := &c.tris[k>>2]
		if f.dead {
			continue
		}
		for _, q := range f.point {
			if q != u && c.marks[q] == c.stamp {
				c.marks[q] = 0
				common++
			}
		}
		if f.point[0] == v || f.point[1] == v || f.point[2] == v {
			continue
		}
		// A triangle that stays.
		i := k & 3
		goes := false
		for _, m := range c.moves {
			goes = goes || m.from == f.wedge[i]
		}
		if !goes {
			return false
		}
		n := c.normalOf(v, f.point[following[i]], f.point[following[i+1]])
		if o := &f.normal; !(n[0]*o[0]+n[1]*o[1]+n[2]*o[2] > mostTurn) {
			return false
		}
	}
	return common == e.n
}

// markAround marks a point and its neighbours with a new stamp.
func (c *collapser) markAround(v int32) {
	c.stamp++
	for k := c.points[v].head; k >= 0; k = c.tris[k>>2].next[k&3] {
		if f := &c.tris[k>>2]; !f.dead {
			for _, p := range f.point {
				c.marks[p] = c.stamp
			}
		}
	}
}

// collapse moves u to the other end of an edge. bound is what collapses of that end cost at
// least then; unknown if nothing is known of that.
func (c *collapser) collapse(u int32, e *edge, bound float64) {
	v := e.p
	s := c.sequence
	a, b := &c.points[u], &c.points[v]
	nearest := math.Inf(1)
	for k := a.head; k >= 0; {
		t, i := k>>2, k&3
		f := &c.tris[t]
		next := f.next[i]
		switch {
		case f.dead:
		case f.point[0] == v || f.point[1] == v || f.point[2] == v:
			c.kill(t)
		default:
			for _, m := range c.moves {
				if m.from == f.wedge[i] {
					f.wedge[i] = m.to
					break
				}
			}
			f.point[i] = v
			p := f.point
			f.normal = c.normalOf(p[0], p[1], p[2])
			c.link(v, k)
			nearest = min(nearest, distanceTo(&a.pos, &c.points[p[0]].pos, &c.points[p[1]].pos, &c.points[p[2]].pos))
		}
		k = next
	}
	if math.IsInf(nearest, 1) {
		nearest = math.Sqrt(c.distance2(u, v))
	}
	b.off = max(b.off, a.off+float32(nearest))
	b.quadric.add(&a.quadric)
	b.own = b.quadric.at(&b.pos)
	a.head, a.tail = -1, -1
	c.keys[u] = frozen
	for _, m := range c.moves {
		s.to[m.from], s.gone[m.from] = m.to, int32(len(s.steps))
	}
	s.add(c.left, float64(b.off))
	c.reconsider(v, bound)
}
