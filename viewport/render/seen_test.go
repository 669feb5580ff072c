package render

import (
	"image"
	"testing"

	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

func TestChunksAreCountedOnce(t *testing.T) {
	f, err := terrain.Flat(64*5+10, 64*3+2, 1)
	if err != nil {
		t.Fatal(err)
	}
	var s seenChunks
	may := lod.NewMask(f)
	may.Set(1)     // one of the four
	may.Set(2)     // the fifth
	may.Set(6 + 5) // not drawn
	for round, want := range []int{6, 2, 6} {
		if round == 1 {
			s.begin(f, may)
		} else {
			s.begin(f, nil)
		}
		s.mark(image.Rect(0, 0, 128, 128))     // four
		s.mark(image.Rect(128, 0, 144, 16))    // a block of a fifth
		s.mark(image.Rect(144, 16, 160, 32))   // another of it
		s.mark(image.Rect(64, 64, 128, 128))   // one of the four
		s.mark(image.Rect(320, 192, 329, 193)) // the corner
		if s.count != want {
			t.Errorf("%d chunks, expected %d", s.count, want)
		}
	}
}
