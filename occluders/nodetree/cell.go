package nodetree

import (
	"math"

	"ridgeline/occluders/geom"
)

// The root's cell is a square, for quadtrees, or a cube, and is cut in halves along
// each axis again and again, down to 1 << levels cells. A node's place is a whole
// number along each axis, as are those of an item's ends, in the finest cells: what
// lies where is decided by shifting whole numbers.
const levels = 24

// span is the range of finest cells of an item along x, y and z. A quadtree's y is 0.
type span struct{ lo, hi [3]uint32 }

// cell is a node's place among the cells of its depth.
type cell struct {
	at    [3]uint32
	depth uint8
}

// lattice is the root's cell and what it is cut into.
type lattice struct {
	split Split
	low   geom.Vec3
	size  float64
}

// farthestBox is the greatest coordinate that a box may have, m.
const farthestBox = 1e100

// proper reports whether a box has a place: it is not empty, and all its coordinates
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
		if split == Quad && i == 1 {
			continue
		}
		l.size = max(l.size, b.Max[i]-b.Min[i])
	}
	if l.size == 0 {
		l.size = 1
	}
	for i := range b.Min { // low + size may have been rounded down
		for (split == Oct || i != 1) && l.low[i]+l.size < b.Max[i] {
			l.size = math.Nextafter(l.size, math.Inf(1))
		}
	}
	return l
}

// fan is the number of children of a node.
func (l *lattice) fan() int {
	if l.split == Oct {
		return 8
	}
	return 4
}

// border is where cell i of a depth begins along an axis. It is the same number for
// all cells, of all depths, that meet there.
func (l *lattice) border(axis int, i uint32, depth uint8) float64 {
	return l.low[axis] + l.size*(float64(i)/float64(uint32(1)<<depth))
}

// cellSize is the size of a cell of a depth.
func (l *lattice) cellSize(depth uint8) float64 { return l.size / float64(uint32(1)<<depth) }

// holds reports whether b lies within the root's cell.
func (l *lattice) holds(b *geom.Box) bool {
	for i := range b.Min {
		if l.split == Quad && i == 1 {
			continue
		}
		if !(b.Min[i] >= l.low[i] && b.Max[i] <= l.low[i]+l.size) {
			return false
		}
	}
	return true
}

// span finds the cells of a box. A box that ends on a border does not reach the cell
// beyond it.
func (l *lattice) span(b *geom.Box) (s span) {
	for i := range b.Min {
		if l.split == Quad && i == 1 {
			continue
		}
		const last = 1<<levels - 1
		lo := int64((b.Min[i] - l.low[i]) / l.size * (1 << levels))
		end := (b.Max[i] - l.low[i]) / l.size * (1 << levels)
		hi := int64(end)
		if float64(hi) == end {
			hi--
		}
		lo = min(max(lo, 0), last)
		s.lo[i], s.hi[i] = uint32(lo), uint32(min(max(hi, lo), last))
	}
	return s
}

// large reports whether an item is larger than a cell of a depth. It then stays in a
// node there and is not handed to its children, which bounds the nodes that it is in
// to 9, or 27 in an octree.
func (s *span) large(depth uint8) bool {
	size := uint32(1) << (levels - depth)
	return s.hi[0]-s.lo[0] > size || s.hi[1]-s.lo[1] > size || s.hi[2]-s.lo[2] > size
}

// children gives the children of a cell that an item reaches, as bits: bit 0 of a
// child's number is its half in x, bit 1 in z, and bit 2 in y.
func (s *span) children(c *cell, split Split) (mask uint8) {
	shift := levels - c.depth - 1
	x := halves(s.lo[0]>>shift, s.hi[0]>>shift, 2*c.at[0]+1)
	z := halves(s.lo[2]>>shift, s.hi[2]>>shift, 2*c.at[2]+1)
	mask = [4]uint8{0, 0b0101, 0b1010, 0b1111}[x] & [4]uint8{0, 0b0011, 0b1100, 0b1111}[z]
	if split == Oct {
		y := halves(s.lo[1]>>shift, s.hi[1]>>shift, 2*c.at[1]+1)
		mask = mask&-(y&1) | (mask&-(y>>1))<<4
	}
	return mask
}

// halves tells which halves of a cell lo … hi reaches: bit 0 the lower, bit 1 the
// upper, which begins at middle.
func halves(lo, hi, middle uint32) (h uint8) {
	if lo < middle {
		h = 1
	}
	if hi >= middle {
		h |= 2
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

// clip cuts an item's box to its part in a cell.
func (l *lattice) clip(b *geom.Box, s *span, c *cell) {
	shift := levels - c.depth
	for i := range b.Min {
		if l.split == Quad && i == 1 {
			continue
		}
		if s.lo[i]>>shift < c.at[i] {
			b.Min[i] = l.border(i, c.at[i], c.depth)
		}
		if s.hi[i]>>shift > c.at[i] {
			b.Max[i] = l.border(i, c.at[i]+1, c.depth)
		}
	}
}

// box is the cell itself; a quadtree's cell has no y.
func (l *lattice) box(c *cell) (b geom.Box) {
	for i := range b.Min {
		if l.split == Quad && i == 1 {
			continue
		}
		b.Min[i], b.Max[i] = l.border(i, c.at[i], c.depth), l.border(i, c.at[i]+1, c.depth)
	}
	return b
}
