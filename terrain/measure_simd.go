//go:build goexperiment.simd && amd64

package terrain

import "simd/archsimd"

// ranges has the range of each block of a chunk, in the first of eight lanes.
type ranges struct {
	lo, hi [chunkBlocks * chunkBlocks]lanes
}

// measureWhole is measureRange for a chunk of 64×64 cells, with vectors; ok is false
// when the processor has none.
func (c *Chunk) measureWhole(h *measured) (ok bool) {
	if !archsimd.X86.AVX2() {
		return false
	}
	var r ranges
	r.measure(h)
	c.MinMax = MinMax{h[0], h[0]}
	for i := range r.lo {
		m := MinMax{r.lo[i][0], r.hi[i][0]}
		c.blocks.set(i, m)
		c.MinMax = c.MinMax.union(m)
	}
	return true
}

// turns moves lanes by four, two and one.
var turns = [3][fan]uint32{{4, 5, 6, 7, 0, 1, 2, 3}, {2, 3, 4, 5, 6, 7, 0, 1}, {1, 2, 3, 4, 5, 6, 7, 0}}

func (r *ranges) measure(h *measured) {
	four, two, one := archsimd.LoadUint32x8(&turns[0]), archsimd.LoadUint32x8(&turns[1]), archsimd.LoadUint32x8(&turns[2])
	for i := range r.lo {
		at := i/chunkBlocks*blockSize*chunkStride + i%chunkBlocks*blockSize
		b := (*[blockSize*chunkStride + blockSize + 1]float32)(h[at:])
		lo := row8(b[0:])
		hi := lo
		for y := 0; y <= blockSize*chunkStride; y += chunkStride {
			left, right := row8(b[y:y+blockSize]), row8(b[y+1:y+1+blockSize])
			lo, hi = lo.Min(left).Min(right), hi.Max(left).Max(right)
		}
		lo, hi = lo.Min(lo.Permute(four)), hi.Max(hi.Permute(four))
		lo, hi = lo.Min(lo.Permute(two)), hi.Max(hi.Permute(two))
		lo.Min(lo.Permute(one)).Store(&r.lo[i])
		hi.Max(hi.Permute(one)).Store(&r.hi[i])
	}
	archsimd.ClearAVXUpperBits()
}
