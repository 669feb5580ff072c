package nodetree

import (
	"math"

	"ridgeline/occluders/geom"
)

// corners are the corners of a quadtree's cells, seen from above. Cells of all depths
// share them, and so a frustum query works out only once how far a corner is from
// each plane, but for the height, which each node adds.
type corners struct {
	index map[uint64]int32 // by place among the finest cells
	at    [][2]float64     // x, z
}

// lay numbers the corners of all cells.
func (c *corners) lay(g *grove) {
	if g.split != Quad {
		return
	}
	c.index, c.at = make(map[uint64]int32), nil
	if len(g.nodes) == 0 {
		return
	}
	root := &g.nodes[0]
	for k := range root.corner {
		root.corner[k] = c.number(g, &root.cell, uint32(k&1), uint32(k>>1))
	}
	c.below(g, 0)
}

// below numbers the corners of the cells below a node.
func (c *corners) below(g *grove, i int32) {
	if n := &g.nodes[i]; g.split == Quad && n.kids >= 0 {
		c.around(g, i)
		for _, child := range g.children(n) {
			if child >= 0 {
				c.below(g, child)
			}
		}
	}
}

// around numbers the corners of a node's children.
func (c *corners) around(g *grove, i int32) {
	if g.split != Quad {
		return
	}
	n := &g.nodes[i]
	// The node's corners, the middles between them and its centre, row by row.
	half := n.cell.child(0)
	var grid [9]int32
	for k := range grid {
		x, z := k%3, k/3
		if x != 1 && z != 1 {
			grid[k] = n.corner[x/2+z]
		} else {
			grid[k] = c.number(g, &half, uint32(x), uint32(z))
		}
	}
	for k, child := range g.children(n) {
		if child >= 0 {
			first := k&1 + k>>1*3
			g.nodes[child].corner = [4]int32{grid[first], grid[first+1], grid[first+3], grid[first+4]}
		}
	}
}

// number is the number of the corner that lies so many cells beyond a cell's first.
func (c *corners) number(g *grove, at *cell, dx, dz uint32) int32 {
	x, z := at.at[0]+dx, at.at[2]+dz
	shift := levels - at.depth
	key := uint64(x)<<shift<<32 | uint64(z)<<shift
	if i, ok := c.index[key]; ok {
		return i
	}
	i := int32(len(c.at))
	c.index[key] = i
	c.at = append(c.at, [2]float64{g.border(0, x, at.depth), g.border(2, z, at.depth)})
	return i
}

// bytes is what the corners take; a map has about two places for each entry.
func (c *corners) bytes() int { return 16*cap(c.at) + 2*16*len(c.index) }

// memo remembers how far corners are from the planes of one frustum.
type memo struct {
	stamp []uint32
	value [][6]float64
	now   uint32
}

// begin forgets everything.
func (m *memo) begin(corners int) {
	if corners > len(m.stamp) {
		m.stamp = append(m.stamp, make([]uint32, corners-len(m.stamp))...)
		m.value = append(m.value, make([][6]float64, corners-len(m.value))...)
	}
	if m.now++; m.now == 0 {
		clear(m.stamp)
		m.now = 1
	}
}

// planeSet is a set of a frustum's planes, as bits.
type planeSet uint8

const allPlanes planeSet = 1<<6 - 1

// view is a frustum made ready for a grove.
type view struct {
	*geom.Frustum
	margin   [6]float64 // what a distance may be off by
	farthest [6]uint8   // the corner of a square that is furthest along a plane's normal
}

// look makes a frustum ready.
func (g *grove) look(f *geom.Frustum) (v view) {
	v.Frustum = f
	b := g.nodes[0].box.Union(g.flat())
	var reach geom.Vec3
	for i := range reach {
		reach[i] = max(math.Abs(b.Min[i]), math.Abs(b.Max[i]))
	}
	for i := range f.Planes {
		p := &f.Planes[i]
		v.margin[i] = 1e-14 * (math.Abs(p.N[0])*reach[0] + math.Abs(p.N[1])*reach[1] + math.Abs(p.N[2])*reach[2] + math.Abs(p.D))
		if p.N[0] >= 0 {
			v.farthest[i] |= 1
		}
		if p.N[2] >= 0 {
			v.farthest[i] |= 2
		}
	}
	return v
}

// flat is the root's cell at the height of its box.
func (g *grove) flat() geom.Box {
	b := g.lattice.box(&cell{})
	if g.split == Quad {
		b.Min[1], b.Max[1] = g.nodes[0].box.Min[1], g.nodes[0].box.Max[1]
	}
	return b
}

// side tells how a node's cell, between its true least and greatest heights, stands to
// the planes of a set, and which of them cross it. It errs towards Crossing.
func (g *grove) side(n *node, v *view, planes planeSet, m *memo) (geom.Side, planeSet) {
	if g.split == Oct {
		return sideOf(&n.box, v, planes)
	}
	for p := range planeSet(6) {
		if planes>>p&1 == 0 {
			continue
		}
		plane := &v.Planes[p]
		far := n.corner[v.farthest[p]]
		near := n.corner[v.farthest[p]^3]
		low, high := plane.N[1]*n.box.Min[1], plane.N[1]*n.box.Max[1]
		if low > high {
			low, high = high, low
		}
		if g.recall(far, v, m)[p]+high < -v.margin[p] {
			return geom.Outside, planes
		}
		if g.recall(near, v, m)[p]+low > v.margin[p] {
			planes &^= 1 << p
		}
	}
	if planes == 0 {
		return geom.Inside, 0
	}
	return geom.Crossing, planes
}

// recall gives a·x + c·z + d of a corner for each plane a, b, c, d.
func (g *grove) recall(corner int32, v *view, m *memo) *[6]float64 {
	d := &m.value[corner]
	if m.stamp[corner] != m.now {
		m.stamp[corner] = m.now
		at := &g.corners.at[corner]
		for i := range v.Planes {
			p := &v.Planes[i]
			d[i] = p.N[0]*at[0] + p.N[2]*at[1] + p.D
		}
	}
	return d
}

// sideOf is the plain test of a box.
func sideOf(b *geom.Box, v *view, planes planeSet) (geom.Side, planeSet) {
	for i := range planeSet(6) {
		if planes>>i&1 == 0 {
			continue
		}
		p := &v.Planes[i]
		far, near := extremes(b, p)
		if p.Distance(far) < -v.margin[i] {
			return geom.Outside, planes
		}
		if p.Distance(near) > v.margin[i] {
			planes &^= 1 << i
		}
	}
	if planes == 0 {
		return geom.Inside, 0
	}
	return geom.Crossing, planes
}

// extremes are the corners of a box that are furthest and least far along a plane's
// normal.
func extremes(b *geom.Box, p *geom.Plane) (far, near geom.Vec3) {
	far, near = b.Max, b.Min
	for a := range far {
		if p.N[a] < 0 {
			far[a], near[a] = near[a], far[a]
		}
	}
	return far, near
}
