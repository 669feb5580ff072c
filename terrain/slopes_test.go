package terrain

import (
	"math/rand/v2"
	"testing"
)

func TestSlopesHoldAllTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{2, 2}, {65, 65}, {70, 130}, {129, 3}} {
		h := make([]float32, size[0]*size[1])
		for i := range h {
			h[i] = float32(rng.NormFloat64() * 50)
		}
		f, err := FromHeights(size[0], size[1], 1.5, h)
		if err != nil {
			t.Fatal(err)
		}
		cols, rows := f.ChunkGrid()
		for cy := range rows {
			for cx := range cols {
				lo, hi := f.Slopes(cx, cy)
				wantLo, wantHi := [2]float64{1e9, 1e9}, [2]float64{-1e9, -1e9}
				widen := func(axis int, a, b float32) {
					d := (float64(b) - float64(a)) / 1.5
					wantLo[axis], wantHi[axis] = min(wantLo[axis], d), max(wantHi[axis], d)
				}
				r := f.ChunkRect(cx, cy)
				for y := r.Min.Y; y < r.Max.Y; y++ {
					for x := r.Min.X; x < r.Max.X; x++ {
						a, b, c, d := f.Sample(x, y), f.Sample(x+1, y), f.Sample(x, y+1), f.Sample(x+1, y+1)
						widen(0, a, b) // of a, c, b
						widen(1, a, c)
						widen(0, c, d) // of b, c, d
						widen(1, b, d)
					}
				}
				for i := range 2 {
					if !(lo[i] <= wantLo[i] && wantLo[i]-lo[i] < 1e-3) || !(hi[i] >= wantHi[i] && hi[i]-wantHi[i] < 1e-3) {
						t.Errorf("%v, chunk %d, %d: slopes %v to %v, expected %v to %v", size, cx, cy, lo, hi, wantLo, wantHi)
					}
				}
			}
		}
	}
}

func BenchmarkSlopes(b *testing.B) {
	f, err := Flat(65, 65, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Slopes(0, 0)
	}
}
