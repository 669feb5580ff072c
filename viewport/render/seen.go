package render

import (
	"image"

	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// seenChunks counts the chunks that patches of a frame cover, each once: several
// patches may lie in one chunk, and one may cover many, also such that are not to be
// drawn and only come along.
type seenChunks struct {
	cols  int
	bits  []uint64 // by chunk
	may   lod.Mask // chunks that count; nil is all
	count int
}

func (s *seenChunks) begin(f *terrain.Field, may lod.Mask) {
	cols, rows := f.ChunkGrid()
	words := (cols*rows + 63) / 64
	if len(s.bits) != words {
		s.bits = make([]uint64, words)
	} else {
		clear(s.bits)
	}
	s.cols, s.may, s.count = cols, may, 0
}

// mark counts the chunks under a rectangle of cells.
func (s *seenChunks) mark(cells image.Rectangle) {
	const t = terrain.TileSize
	for y := cells.Min.Y / t; y*t < cells.Max.Y; y++ {
		for x := cells.Min.X / t; x*t < cells.Max.X; x++ {
			i := y*s.cols + x
			if bit := uint64(1) << (i % 64); s.bits[i/64]&bit == 0 {
				s.bits[i/64] |= bit
				if s.may == nil || s.may.Has(i) {
					s.count++
				}
			}
		}
	}
}
