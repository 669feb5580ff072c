package lod

import (
	"image"
	"math/bits"

	"ridgeline/terrain"
)

// Mask is a set of a field's chunks: bit cy·cols + cx of its words, 64 to a word, is
// that of chunk (cx, cy). A nil mask, where one is asked for, stands for all chunks.
type Mask []uint64

// NewMask gives an empty mask for a field's chunks.
func NewMask(f *terrain.Field) Mask {
	cols, rows := f.ChunkGrid()
	return make(Mask, (cols*rows+63)/64)
}

// Has tells whether chunk i is in the mask. Chunks past its end are not.
func (m Mask) Has(i int) bool { return i>>6 < len(m) && m[i>>6]>>(i&63)&1 != 0 }

// Set adds chunk i, which the mask must be long enough for.
func (m Mask) Set(i int) { m[i>>6] |= 1 << (i & 63) }

// Count is the number of chunks in the mask.
func (m Mask) Count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// Any tells whether a rectangle of chunks, in rows of cols, has one in the mask.
func (m Mask) Any(cols int, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		first, end := y*cols+r.Min.X, min(y*cols+r.Max.X, len(m)*64)
		for first < end {
			w := m[first>>6] >> (first & 63)
			if n := end - first; n < 64 {
				w &= 1<<n - 1
			}
			if w != 0 {
				return true
			}
			first = first&^63 + 64
		}
	}
	return false
}
