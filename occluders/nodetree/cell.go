package nodetree

import (
	"math"

	"ridgeline/occluders/geom"
)

// levels bounds the depth of a tree.
const levels = 24

// lattice is the root's cell, a square or cube, which is cut in halves along each axis
// again and again. Where two cells meet, all of any depth have the same number for it.
//
// A box lies in a cell where they share more than a border; one that is flat and lies
// on a border is in the cell below it. So of the points of a box each is in a cell, or
// on the border of one, in which the box lies.
type lattice struct {
	split Split
	low   geom.Vec3
	size  float64
}

// cell is a place among the cells of a depth.
type cell struct {
	at    [3]uint32
	depth uint8
}

// farthestBox is the greatest coordinate that a box may have, m.
const farthestBox = 1e100

// properBox reports whether a box has a place: it is not empty, and all its coordinates
// are numbers of a sensible size.
func properBox(b *geom.Box) bool {
	for i := range b.Min {
		if !(b.Min[i] <= b.Max[i] && b.Min[i] >= -farthestBox && b.Max[i] <= farthestBox) {
			return false
		}
	}
	return true
}

// latticeOf is the smallest cell around b that begins at its least corner.
func latticeOf(split Split, b geom.Box) lattice {
	l := lattice{split: split, low: b.Min}
	for i := range b.Min {
		if l.cuts(i) {
			l.size = max(l.size, b.Max[i]-b.Min[i])
		}
	}
	for i := range b.Min { // low + size may have been rounded down
		for l.cuts(i) && l.low[i]+l.size < b.Max[i] {
			l.size = math.Nextafter(l.size, math.Inf(1))
		}
	}
	return l
}

// cuts reports whether cells are cut along an axis.
func (l *lattice) cuts(axis int) bool { return axis != 1 || l.split == Oct }

// fan is the number of children of a node.
func (l *lattice) fan() int {
	if l.split == Oct {
		return 8
	}
	return 4
}

// border is where cell i of a depth begins along an axis.
func (l *lattice) border(axis int, i uint32, depth uint8) float64 {
	return l.low[axis] + l.size*(float64(i)/float64(uint32(1)<<depth))
}

// cellSize is the size of a cell of a depth.
func (l *lattice) cellSize(depth uint8) float64 { return l.size / float64(uint32(1)<<depth) }

// box is a cell; that of a quadtree has all heights.
func (l *lattice) box(c *cell) (b geom.Box) {
	for i := range b.Min {
		if l.cuts(i) {
			b.Min[i], b.Max[i] = l.border(i, c.at[i], c.depth), l.border(i, c.at[i]+1, c.depth)
		} else {
			b.Min[i], b.Max[i] = math.Inf(-1), math.Inf(1)
		}
	}
	return b
}

// middle is where a cell is cut.
func (l *lattice) middle(c *cell) (m geom.Vec3) {
	for i := range m {
		m[i] = l.border(i, 2*c.at[i]+1, c.depth+1)
	}
	return m
}

// holds reports whether b lies within the root's cell.
func (l *lattice) holds(b *geom.Box) bool {
	for i := range b.Min {
		if l.cuts(i) && !(b.Min[i] >= l.low[i] && b.Max[i] <= l.low[i]+l.size) {
			return false
		}
	}
	return true
}

// large reports whether an item is as large as a cell. It then stays in a node there
// and is not handed to its children, which bounds the nodes that it is in to 9, or 27
// in an octree: it came from a cell of twice the size that was larger than the item.
func (l *lattice) large(b *geom.Box, size float64) bool {
	return b.Max[0]-b.Min[0] >= size || b.Max[2]-b.Min[2] >= size || l.split == Oct && b.Max[1]-b.Min[1] >= size
}

// children gives the children in which an item lies of a cell that is cut at middle, as
// bits: bit 0 of a child's number is its half in x, bit 1 in z, and bit 2 in y.
func (l *lattice) children(b *geom.Box, middle *geom.Vec3) (mask uint8) {
	x := halves(b.Min[0], b.Max[0], middle[0])
	z := halves(b.Min[2], b.Max[2], middle[2])
	mask = [4]uint8{0, 0b0101, 0b1010, 0b1111}[x] & [4]uint8{0, 0b0011, 0b1100, 0b1111}[z]
	if l.split == Oct {
		y := halves(b.Min[1], b.Max[1], middle[1])
		mask = mask&-(y&1) | (mask&-(y>>1))<<4
	}
	return mask
}

// cut is a cell of a size, cut at middle.
type cut struct {
	*lattice
	size   float64
	middle geom.Vec3
}

// sort gives the children to which an item goes, as bits, or 0 if it stays.
func (c *cut) sort(b *geom.Box) uint8 {
	if c.large(b, c.size) {
		return 0
	}
	return c.children(b, &c.middle)
}

// halves tells in which halves of a cell lo … hi lies: bit 0 the lower, bit 1 the
// upper.
func halves(lo, hi, middle float64) (h uint8) {
	if hi > middle {
		h = 2
	}
	if lo < middle || hi <= middle {
		h |= 1
	}
	return h
}

// child is the cell of a child.
func (c cell) child(k int) cell {
	return cell{
		[3]uint32{2*c.at[0] + uint32(k&1), 2*c.at[1] + uint32(k>>2&1), 2*c.at[2] + uint32(k>>1&1)},
		c.depth + 1,
	}
}

// clip cuts a box to its part in a cell.
func clip(b, cell *geom.Box) {
	for i := range b.Min {
		b.Min[i] = max(b.Min[i], cell.Min[i])
		b.Max[i] = min(b.Max[i], cell.Max[i])
	}
}

// widen grows a box to hold another that is not empty.
func widen(b, o *geom.Box) {
	for i := range b.Min {
		if o.Min[i] < b.Min[i] {
			b.Min[i] = o.Min[i]
		}
		if o.Max[i] > b.Max[i] {
			b.Max[i] = o.Max[i]
		}
	}
}
