package nodetree

import (
	"math"
	"math/bits"
	"slices"
)

// A key is the Morton code of a triangle's middle (Morton, "A Computer Oriented
// Geodetic Data Base and a New Technique in File Sequencing", 1966), the bits of
// its cell in an octree from the root down, and below it the number of the
// triangle. No two keys are equal, and keys with a common prefix lie in a common
// cell.
type coder struct {
	low   [3]float32 // twice the lowest middle
	scale float32    // cells per twice a metre
	cells int32      // along an axis
	shift int        // bits of the number
	bits  int        // of the code
}

// axisBits is the most that a code has per axis: cells for four million triangles on a
// surface. Where more share a cell, they get a curve of their own.
const axisBits = 11

// coderOf makes the coder for n triangles whose middles lie in b, which holds
// twice the middles. ok is false when all are in one place, or so near each other
// that float32 has no number for the cells in a metre.
func coderOf(b *bounds, n int) (c coder, ok bool) {
	size := max(b.extent(0), b.extent(1), b.extent(2))
	if !(size > 1<<axisBits/math.MaxFloat32) {
		return c, false
	}
	c.shift = bits.Len(uint(n))
	axis := min(axisBits, (64-c.shift)/3)
	c.cells = 1 << axis
	c.scale = float32(c.cells) / size
	c.low = [3]float32{b[0], b[1], b[2]}
	c.bits = 3 * axis
	return c, true
}

func (c *coder) key(b *bounds, number int) uint64 {
	return c.code(b)<<c.shift | uint64(number)
}

func (c *coder) code(b *bounds) uint64 {
	x := min(int32((b.middle(0)-c.low[0])*c.scale), c.cells-1)
	y := min(int32((b.middle(1)-c.low[1])*c.scale), c.cells-1)
	z := min(int32((b.middle(2)-c.low[2])*c.scale), c.cells-1)
	return spread(x)<<2 | spread(y)<<1 | spread(z)
}

// spread puts two zero bits between the bits of v.
func spread(v int32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ff0000ff
	x = (x | x<<8) & 0x00f00f00f00f
	x = (x | x<<4) & 0x0c30c30c30c3
	x = (x | x<<2) & 0x249249249249
	return x
}

// number is the triangle's number in a key.
func (c *coder) number(key uint64) int { return int(key & (1<<c.shift - 1)) }

// digit is the width of a pass of the radix sort.
const digit = 11

// sortGrain is the part of the keys that one processor scatters at a time.
const sortGrain = 1 << 16

// sort puts keys in order of their codes, keys of one code as they were; tmp is as
// long as keys. It is a radix sort from the lowest digit up.
func (c *coder) sort(keys, tmp []uint64) {
	if len(keys) < 1024 {
		slices.Sort(keys)
		return
	}
	parts := (len(keys) + sortGrain - 1) / sortGrain
	count := make([][1 << digit]int32, parts)
	from, to := keys, tmp
	for shift := c.shift; shift < c.shift+c.bits; shift += digit {
		parallel(len(from), sortGrain, func(part, lo, hi int) {
			n := &count[part]
			*n = [1 << digit]int32{}
			for _, k := range from[lo:hi] {
				n[k>>shift&(1<<digit-1)]++
			}
		})
		at := int32(0)
		for d := range 1 << digit {
			for p := range count {
				at, count[p][d] = at+count[p][d], at
			}
		}
		parallel(len(from), sortGrain, func(part, lo, hi int) {
			n := &count[part]
			for _, k := range from[lo:hi] {
				d := k >> shift & (1<<digit - 1)
				to[n[d]] = k
				n[d]++
			}
		})
		from, to = to, from
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
	}
}
