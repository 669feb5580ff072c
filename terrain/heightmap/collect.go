package heightmap

import (
	"context"
	"math"
)

// collector receives the samples of one file from a reader, row by row or, for
// interlaced pictures, in strides; it keeps count of the range and the voids, and
// keeps the samples if wanted.
type collector struct {
	Info
	ctx  context.Context
	in   *input
	keep bool

	voidCodes []uint16 // integer samples that are voids, at most two
	flip      uint16   // 0x8000 makes signed codes sort like unsigned ones

	ints     []uint16
	floats   []float32
	voids    *Mask
	lowest   uint16 // flipped codes
	highest  uint16
	lowestF  float32
	highestF float32
}

// begin must be called once Info's size and kind of samples are known.
func (c *collector) begin() {
	c.lowest, c.highest = math.MaxUint16, 0
	c.lowestF, c.highestF = math.MaxFloat32, -math.MaxFloat32
	if c.Signed {
		c.flip = 0x8000
	}
}

// tick is called once per row.
func (c *collector) tick(row int) error {
	if row%64 == 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if c.in.progress != nil {
			c.in.progress(min(1, float64(c.in.read)/float64(c.in.size)))
		}
	}
	return nil
}

// room makes s long enough for n samples. It trusts a header no further than
// sixteen samples for each byte of the file, and beyond that grows with what was
// really decoded.
func room[T any](c *collector, s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	trust := 16 * int(min(c.in.size, MaxSide*MaxSide))
	grown := make([]T, min(c.Cols*c.Rows, max(n, trust, 4*len(s))))
	copy(grown, s)
	return grown
}

// addVoid makes an integer sample stand for voids. A value that no sample can
// have changes nothing.
func (c *collector) addVoid(v float64) {
	lo, hi := 0.0, math.Pow(2, float64(c.Bits))-1
	if c.Signed {
		lo, hi = -math.Pow(2, float64(c.Bits-1)), math.Pow(2, float64(c.Bits-1))-1
	}
	if v >= lo && v <= hi && v == math.Trunc(v) {
		c.voidCodes = append(c.voidCodes, uint16(int32(v)))
	}
}

// putInts takes the samples of a row at columns col, col+step, …
func (c *collector) putInts(row, col, step int, codes []uint16) {
	lowest, highest := c.lowest, c.highest
	if len(c.voidCodes) == 0 {
		for _, code := range codes {
			k := code ^ c.flip
			lowest, highest = min(lowest, k), max(highest, k)
		}
	} else {
		first, last := c.voidCodes[0], c.voidCodes[len(c.voidCodes)-1]
		for i, code := range codes {
			if code == first || code == last {
				c.void(row, col+i*step)
				continue
			}
			k := code ^ c.flip
			lowest, highest = min(lowest, k), max(highest, k)
		}
	}
	c.lowest, c.highest = lowest, highest
	if !c.keep {
		return
	}
	at := row*c.Cols + col
	c.ints = room(c, c.ints, at+(len(codes)-1)*step+1)
	if step == 1 {
		copy(c.ints[at:], codes)
		return
	}
	for i, code := range codes {
		c.ints[at+i*step] = code
	}
}

// putFloats takes one whole row of which voids are already reported by void and
// hold any value; skip tells them and may be nil where there are none.
func (c *collector) putFloats(row int, values []float32, skip []bool) {
	lowest, highest := c.lowestF, c.highestF
	for i, v := range values {
		if skip != nil && skip[i] {
			c.void(row, i)
			continue
		}
		if v < lowest {
			lowest = v
		}
		if v > highest {
			highest = v
		}
	}
	c.lowestF, c.highestF = lowest, highest
	if c.keep {
		at := row * c.Cols
		c.floats = room(c, c.floats, at+len(values))
		copy(c.floats[at:], values)
	}
}

func (c *collector) void(row, col int) {
	c.Voids++
	if !c.keep {
		return
	}
	if c.voids == nil {
		c.voids = newMask(c.Cols, c.Rows)
	}
	c.voids.set(col, row)
}

// finish completes the description and hands the raster over.
func (c *collector) finish() *Raster {
	all := c.Cols * c.Rows
	switch {
	case c.Voids == all:
		c.note("every sample is void")
	case c.Float:
		c.SampleMin, c.SampleMax = float64(c.lowestF), float64(c.highestF)
	case c.Signed:
		c.SampleMin, c.SampleMax = float64(int16(c.lowest^c.flip)), float64(int16(c.highest^c.flip))
	default:
		c.SampleMin, c.SampleMax = float64(c.lowest), float64(c.highest)
	}
	if c.Voids > 0 && c.Voids < all && c.Nodata != nil && *c.Nodata > c.SampleMin && *c.Nodata < c.SampleMax {
		c.note("the void value %s lies between the lowest and the highest height (%s to %s): real ground at that height would be taken for void",
			number(*c.Nodata), number(c.SampleMin), number(c.SampleMax))
	}
	if c.Voids < all {
		switch {
		case c.Bits == 8:
			c.note("8-bit samples have 256 steps: ground will look terraced until it is smoothed")
		case c.Float && c.SampleMin >= 0 && c.SampleMax <= 1 && c.SampleMax > c.SampleMin:
			c.note("all values lie between 0 and 1: give a height range, or the ground is at most 1 m high")
		}
	}
	return &Raster{Info: c.Info, ints: c.ints, floats: c.floats, voids: c.voids}
}
