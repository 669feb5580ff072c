package hull

import (
	"math"
	"slices"

	"ridgeline/occluders/geom"
)

// finishing is what turns facets into a hull.
//
// Facets are triangles, and points that are off by rounding make many where a solid has
// one face, with vertices in the middle of faces and edges. First those vertices are
// left out and the hull grown again; then triangles are joined to the greatest triangle
// beside them while they lie in its plane, but for merged grains, and the face stays
// convex.
type finishing struct {
	kept    []bool  // by point: a vertex that must stay
	sharp   []int32 // by point: how many sharp edges it has
	corners []int32 // points that are vertices
	without []int32 // points that were left out in any round
	name    []int32 // by point: its vertex

	loop   []edge // by side
	parent []int32
	size   []float64 // of a face, by its root facet: the area of its greatest triangle
	grand  []int32   // that triangle
	count  []int32   // corners
	some   []int32   // a side of the face
	flat   []int32   // sides between facets in one plane
	heap   []jutting
	bucket []int32
	faces  []int32 // roots
}

// edge is a side of a face on its way around it.
type edge struct {
	next, prev int32
	gone       bool
}

// finish makes the hull of the facets.
func (b *builder) finish() (*Hull, error) {
	b.kept = sized(b.kept, len(b.points))
	b.sharp = sized(b.sharp, len(b.points))
	b.name = sized(b.name, len(b.points))
	// Each round leaves points out, or puts some back for ever: few are needed.
	b.without = b.without[:0]
	pruned := false
	for round := 0; b.measure() && round < 8; round++ {
		if round == 0 {
			clear(b.kept)
		}
		if !b.prune() {
			break
		}
		pruned = true
	}
	if pruned {
		b.recover()
		b.measure()
	}
	return b.write(), nil
}

// measure lists the vertices and counts the sharp edges of each; it reports whether an
// edge is flat.
func (b *builder) measure() bool {
	b.flat, b.corners = b.flat[:0], b.corners[:0]
	for i := range b.facets {
		if f := &b.facets[i]; f.state != removed {
			for _, v := range f.corner {
				b.sharp[v] = -1
			}
		}
	}
	limit := -merged * b.frame.grain
	for i := range b.facets {
		f := &b.facets[i]
		if f.state == removed {
			continue
		}
		for e, side := range f.across {
			v := f.corner[e]
			if b.sharp[v] < 0 {
				b.sharp[v] = 0
				b.corners = append(b.corners, v)
			}
			g := &b.facets[side>>2]
			if f.above(&b.local[g.corner[(side&3+2)%3]]) >= limit || g.above(&b.local[f.corner[(e+2)%3]]) >= limit {
				if int32(i) < side>>2 {
					b.flat = append(b.flat, int32(i)*4+int32(e))
				}
				continue
			}
			b.sharp[v]++
		}
	}
	return len(b.flat) > 0
}

// prune grows the hull again without the vertices that have less than three sharp
// edges, unless they are needed; it reports whether anything changed.
func (b *builder) prune() bool {
	before := len(b.without)
	// Those in the middle of a face first: without the thin facets around them it shows
	// what the others are.
	most := int32(2)
	for _, v := range b.corners {
		if b.sharp[v] == 0 && !b.kept[v] {
			most = 0
		}
	}
	b.ids = b.ids[:0]
	for _, v := range b.corners {
		if b.sharp[v] <= most && !b.kept[v] {
			b.without = append(b.without, v)
		} else {
			b.ids = append(b.ids, v)
		}
	}
	if len(b.without) == before {
		return false
	}
	if len(b.ids) >= 4 && b.grow() == nil {
		b.restore(b.without)
		return true
	}
	// Too much was left out: all are needed.
	b.ids = b.ids[:0]
	for _, v := range b.corners {
		b.kept[v] = true
		b.ids = append(b.ids, v)
	}
	if err := b.grow(); err != nil {
		panic("hull: vertices of a hull have none: " + err.Error())
	}
	return true
}

// restore puts points back into the hull that stick out of it, the farthest first, so
// that of several near each other, or on an edge, it takes those that matter. They are
// kept from now on.
func (b *builder) restore(points []int32) {
	b.heap = b.heap[:0]
	limit := merged * b.frame.grain
	for _, v := range points {
		if d, _ := b.highest(v); d > limit {
			b.heap = append(b.heap, jutting{d, v})
		}
	}
	// A hull that grows leaves none farther outside than it was.
	by := func(p, q jutting) int {
		switch {
		case p.d > q.d:
			return -1
		case p.d < q.d:
			return 1
		case b.before(p.v, q.v):
			return -1
		}
		return 1
	}
	slices.SortFunc(b.heap, by)
	for len(b.heap) > 0 {
		top := b.heap[0]
		d, f := b.highest(top.v)
		b.heap = b.heap[1:]
		if !(d > limit) {
			continue
		}
		if top.d = d; len(b.heap) > 0 && by(b.heap[0], top) < 0 {
			at, _ := slices.BinarySearchFunc(b.heap, top, by)
			b.heap = slices.Insert(b.heap, at, top)
			continue
		}
		// Of those as high, but for rounding, the one farthest from the middle is no
		// point between others.
		at := -1
		far, plane := b.fromMiddle(top.v), &b.facets[f]
		for i, o := range b.heap {
			if o.d < d-limit {
				break
			}
			if plane.above(&b.local[o.v]) >= d-limit {
				if r := b.fromMiddle(o.v); r > far {
					far, at = r, i
				}
			}
		}
		v := top.v
		if at >= 0 {
			v = b.heap[at].v
			b.heap[at] = top
			slices.SortFunc(b.heap[:at+1], by)
		}
		b.kept[v] = true
		plane.far = v
		b.stamp++
		b.insert(f, b.stamp)
	}
}

// fromMiddle is the square of a point's distance from the middle of all.
func (b *builder) fromMiddle(v int32) float64 { return b.local[v].Sub(b.frame.middle).LenSqr() }

// jutting is a point that sticks out by d.
type jutting struct {
	d float64
	v int32
}

// highest is the facet above whose plane a point stands highest, and how high.
func (b *builder) highest(v int32) (height float64, facet int32) {
	p := &b.local[v]
	height, facet = math.Inf(-1), -1
	for i := range b.facets {
		if f := &b.facets[i]; f.state != removed {
			if d := f.above(p); d > height {
				height, facet = d, int32(i)
			}
		}
	}
	return height, facet
}

// recover puts back what sticks out of what prune left: in thin hulls leaving a vertex
// out may uncover what was near it. It looks at no more pairs of points and facets than
// take a tenth of a second.
func (b *builder) recover() {
	if len(b.points) > 1<<25/len(b.facets) {
		return
	}
	b.without = b.without[:0]
	for i := range b.local {
		b.without = append(b.without, int32(i))
	}
	b.restore(b.without)
}

// write puts the hull into memory of its own.
func (b *builder) write() *Hull {
	b.flatten()
	// The vertices in their order.
	slices.SortFunc(b.corners, func(i, k int32) int {
		if b.before(i, k) {
			return -1
		}
		return 1
	})
	h := &Hull{Vertices: make([]geom.Vec3, len(b.corners))}
	for i, v := range b.corners {
		b.name[v] = int32(i)
		p := b.points[v]
		h.Vertices[i] = geom.Vec3{p[0] + 0, p[1] + 0, p[2] + 0} // minus zero becomes zero
	}
	h.box = geom.BoxOf(h.Vertices...)
	b.order()
	corners := 0
	for _, root := range b.faces {
		corners += int(b.count[root])
	}
	memory := make([]int32, 0, corners)
	h.Faces = make([][]int32, len(b.faces))
	h.Planes = make([]geom.Plane, len(b.faces))
	for i, root := range b.faces {
		from := len(memory)
		for s := b.some[root]; ; {
			memory = append(memory, b.name[b.origin(s)])
			if s = b.after(s); s == b.some[root] {
				break
			}
		}
		face := memory[from:len(memory):len(memory)]
		h.Faces[i] = face
		h.Planes[i] = supporting(b.facets[b.grand[root]].n, h.Vertices, face)
	}
	return h
}

// supporting is the plane of a normal on which the highest corner of a face lies.
func supporting(n geom.Vec3, vertices []geom.Vec3, face []int32) geom.Plane {
	n[0], n[1], n[2] = n[0]+0, n[1]+0, n[2]+0
	top := n.Dot(vertices[face[0]])
	for _, v := range face[1:] {
		top = max(top, n.Dot(vertices[v]))
	}
	return geom.Plane{N: n, D: 0 - top}
}

// order lists the faces by their corners, from the lowest, and starts each with that.
func (b *builder) order() {
	// Sorted by the first corner by counting, then by the second: no two faces have the
	// same edge in the same direction.
	b.bucket = sized(b.bucket, len(b.corners)+1)
	clear(b.bucket)
	for _, root := range b.faces {
		best := b.some[root]
		if b.count[root] == 3 && !b.joined() {
			for e := root * 4; e < root*4+3; e++ {
				if b.name[b.origin(e)] < b.name[b.origin(best)] {
					best = e
				}
			}
		} else {
			for s := b.after(best); s != b.some[root]; s = b.after(s) {
				if b.name[b.origin(s)] < b.name[b.origin(best)] {
					best = s
				}
			}
		}
		b.some[root] = best
		b.bucket[b.name[b.origin(best)]+1]++
	}
	for i := range b.corners {
		b.bucket[i+1] += b.bucket[i]
	}
	sorted := sized(b.parent, len(b.facets))[:len(b.faces)]
	second := func(root int32) int32 { return b.name[b.origin(b.after(b.some[root]))] }
	for _, root := range b.faces {
		k := b.name[b.origin(b.some[root])]
		sorted[b.bucket[k]] = root
		b.bucket[k]++
	}
	from := int32(0)
	for i := range b.corners {
		run := sorted[from:b.bucket[i]]
		from = b.bucket[i]
		for k := 1; k < len(run); k++ {
			for j := k; j > 0 && second(run[j]) < second(run[j-1]); j-- {
				run[j], run[j-1] = run[j-1], run[j]
			}
		}
	}
	b.parent, b.faces = b.faces, sorted
}

// origin is the point where a side begins.
func (b *builder) origin(side int32) int32 { return b.facets[side>>2].corner[side&3] }

// joined reports whether facets were joined to faces.
func (b *builder) joined() bool { return len(b.loop) > 0 }

// after is the side that follows around the face.
func (b *builder) after(side int32) int32 {
	if len(b.loop) > 0 {
		return b.loop[side].next
	}
	if side&3 == 2 {
		return side - 2
	}
	return side + 1
}

// flatten joins facets to faces across the flat edges.
func (b *builder) flatten() {
	n := len(b.facets)
	b.loop = b.loop[:0]
	b.count, b.some, b.grand = sized(b.count, n), sized(b.some, n), sized(b.grand, n)
	b.faces = b.faces[:0]
	for i := range b.facets {
		if b.facets[i].state != removed {
			b.faces = append(b.faces, int32(i))
			b.count[i], b.some[i], b.grand[i] = 3, int32(i)*4, int32(i)
		}
	}
	if len(b.flat) == 0 {
		return
	}
	b.loop, b.parent, b.size = sized(b.loop, 4*n), sized(b.parent, n), sized(b.size, n)
	for _, v := range b.corners {
		b.sharp[v] = 0 // now: all edges
	}
	for _, i := range b.faces {
		f := &b.facets[i]
		b.parent[i] = i
		b.size[i] = b.area(f)
		for e := range int32(3) {
			b.loop[i*4+e] = edge{i*4 + (e+1)%3, i*4 + (e+2)%3, false}
			b.sharp[f.corner[e]]++
		}
	}
	for changed := true; changed; {
		changed = false
		for _, side := range b.flat {
			if !b.loop[side].gone && b.join(side) {
				changed = true
			}
		}
	}
	b.faces = slices.DeleteFunc(b.faces, func(i int32) bool { return b.parent[i] != i })
}

// area is twice the area of a facet, in the frame.
func (b *builder) area(f *facet) float64 {
	p := b.local[f.corner[0]]
	return b.local[f.corner[1]].Sub(p).Cross(b.local[f.corner[2]].Sub(p)).Len()
}

// root is the facet that stands for a face.
func (b *builder) root(i int32) int32 {
	for b.parent[i] != i {
		b.parent[i] = b.parent[b.parent[i]]
		i = b.parent[i]
	}
	return i
}

// join makes the faces on both sides of an edge one, if that is a proper face.
func (b *builder) join(side int32) bool {
	back := b.facets[side>>2].across[side&3]
	p, q := b.root(side>>2), b.root(back>>2)
	if p == q {
		return false
	}
	if b.size[q] > b.size[p] {
		p, q = q, p
		side, back = back, side
	}
	// Each vertex keeps three faces.
	u, v := b.origin(side), b.origin(back)
	if b.sharp[u] <= 3 || b.sharp[v] <= 3 {
		return false
	}
	plane := &b.facets[b.grand[p]]
	for s := b.loop[back].next; s != back; s = b.loop[s].next {
		if plane.above(&b.local[b.origin(s)]) < -merged*b.frame.grain {
			return false
		}
		// What is convex in its own plane may not be in the other.
		if next := b.loop[s].next; next != back && !b.turns(s, b.origin(next), b.loop[next].next, plane) {
			return false
		}
	}
	before, after := b.loop[side].prev, b.loop[back].next
	if !b.turns(before, u, b.loop[after].next, plane) {
		return false
	}
	before2, after2 := b.loop[back].prev, b.loop[side].next
	if !b.turns(before2, v, b.loop[after2].next, plane) {
		return false
	}
	b.loop[before].next, b.loop[after].prev = after, before
	b.loop[before2].next, b.loop[after2].prev = after2, before2
	b.loop[side].gone, b.loop[back].gone = true, true
	b.sharp[u]--
	b.sharp[v]--
	b.parent[q] = p
	b.count[p] += b.count[q] - 2
	b.some[p] = before
	return true
}

// turns reports whether a way in a plane, from where the side before begins over v to
// where the side after begins, turns left.
func (b *builder) turns(before, v, after int32, plane *facet) bool {
	o, p, q := b.local[b.origin(before)], b.local[v], b.local[b.origin(after)]
	return p.Sub(o).Cross(q.Sub(p)).Dot(plane.n) > 0
}
