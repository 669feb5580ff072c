package terrain

import (
	"image"
	"math"
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
				r := f.ChunkRect(cx, cy)
				if cx == 1 { // some more than a chunk
					r = r.Inset(-7).Intersect(image.Rect(0, 0, size[0]-1, size[1]-1))
				}
				lo, hi := f.Slopes(r)
				wantLo, wantHi := [2]float64{1e9, 1e9}, [2]float64{-1e9, -1e9}
				widen := func(axis int, a, b float32) {
					d := (float64(b) - float64(a)) / 1.5
					wantLo[axis], wantHi[axis] = min(wantLo[axis], d), max(wantHi[axis], d)
				}
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
				slopes := [4][2]float64{lo, hi, {lo[0], hi[1]}, {0, 0}}
				low := f.Lowest(r, slopes)
				for k, s := range slopes {
					want := math.Inf(1)
					for y := r.Min.Y; y <= r.Max.Y; y++ {
						for x := r.Min.X; x <= r.Max.X; x++ {
							want = min(want, float64(f.Sample(x, y))-1.5*(s[0]*float64(x-r.Min.X)+s[1]*float64(y-r.Min.Y)))
						}
					}
					if !(low[k] <= want+1e-9 && low[k] > want-1e-6) {
						t.Errorf("%v, chunk %d, %d: lowest over %v is %v, expected %v", size, cx, cy, s, low[k], want)
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
		lo, hi := f.Slopes(f.ChunkRect(0, 0))
		f.Lowest(f.ChunkRect(0, 0), [4][2]float64{lo, hi})
	}
}
