package render

import (
	"image"
	"testing"

	"ridgeline/terrain"
)

func TestChunksAreCountedOnce(t *testing.T) {
	f, err := terrain.Flat(64*5+10, 64*3+2, 1)
	if err != nil {
		t.Fatal(err)
	}
	var s seenChunks
	for range 2 {
		s.begin(f)
		s.mark(image.Rect(0, 0, 128, 128))     // four
		s.mark(image.Rect(128, 0, 144, 16))    // a block of a fifth
		s.mark(image.Rect(144, 16, 160, 32))   // another of it
		s.mark(image.Rect(64, 64, 128, 128))   // one of the four
		s.mark(image.Rect(320, 192, 329, 193)) // the corner
		if s.count != 6 {
			t.Errorf("%d chunks, expected 6", s.count)
		}
	}
}
