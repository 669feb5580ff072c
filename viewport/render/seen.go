package render

import (
	"image"

	"ridgeline/terrain"
)

// seenChunks counts the chunks that patches of a frame cover, each once: several
// patches may lie in one chunk, and one may cover many.
type seenChunks struct {
	cols  int
	bits  []uint64 // by chunk
	count int
}

func (s *seenChunks) begin(f *terrain.Field) {
	cols, rows := f.ChunkGrid()
	words := (cols*rows + 63) / 64
	if len(s.bits) != words {
		s.bits = make([]uint64, words)
	} else {
		clear(s.bits)
	}
	s.cols, s.count = cols, 0
}

// mark counts the chunks under a rectangle of cells.
func (s *seenChunks) mark(cells image.Rectangle) {
	const t = terrain.TileSize
	for y := cells.Min.Y / t; y*t < cells.Max.Y; y++ {
		for x := cells.Min.X / t; x*t < cells.Max.X; x++ {
			i := y*s.cols + x
			if bit := uint64(1) << (i % 64); s.bits[i/64]&bit == 0 {
				s.bits[i/64] |= bit
				s.count++
			}
		}
	}
}
