package sample

import (
	_ "embed"
	"fmt"
	"math"
	"runtime"
	"sync"

	"ridgeline/terrain"
	"ridgeline/terrain/sample/internal/packed"
)

//go:embed pyrenees.bin
var pyrenees []byte

// The level's size in samples and the distance between them in metres.
const (
	Size    = 513
	Spacing = 40.0
)

// Attribution says where the heights come from.
const Attribution = "SRTM3 tile N42E001, NASA/USGS, public domain"

// The distances in metres between the samples of the source, at 42.5° N on the
// WGS 84 ellipsoid.
const (
	sourceEast  = 68.50
	sourceSouth = 92.57
)

// Field makes the ground of the sample level: 513×513 samples 40 m apart, painted
// with the layers of a new level (0 grass, 1 rock, 2 dirt, 3 snow), light white.
// It is the same every time.
func Field() (*terrain.Field, error) {
	source, cols, err := packed.Decode(pyrenees)
	if err != nil {
		return nil, fmt.Errorf("the sample level: %w", err)
	}
	g := grid{source, cols, len(source) / cols}
	// The field lies in the middle of the source.
	x0 := (float64(g.cols-1) - (Size-1)*Spacing/sourceEast) / 2
	y0 := (float64(g.rows-1) - (Size-1)*Spacing/sourceSouth) / 2
	heights := make([]float32, Size*Size)
	parallel(Size, func(row int) {
		for col := range Size {
			heights[row*Size+col] = float32(g.at(x0+float64(col)*Spacing/sourceEast, y0+float64(row)*Spacing/sourceSouth))
		}
	})
	f, err := terrain.FromHeights(Size, Size, Spacing, heights)
	if err != nil {
		return nil, fmt.Errorf("the sample level: %w", err)
	}
	return paint(f), nil
}

// parallel calls do for 0 … n−1 on all processors.
func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}

// grid is the source, row by row.
type grid struct {
	h          []int16
	cols, rows int
}

// at interpolates between the 4×4 samples around (x, y). Beyond the rim its
// samples go on.
func (g *grid) at(x, y float64) float64 {
	i, j := math.Floor(x), math.Floor(y)
	wx, wy := cubic(x-i), cubic(y-j)
	var sum float64
	for b := range 4 {
		row := min(max(int(j)+b-1, 0), g.rows-1) * g.cols
		var line float64
		for a := range 4 {
			line += wx[a] * float64(g.h[row+min(max(int(i)+a-1, 0), g.cols-1)])
		}
		sum += wy[b] * line
	}
	return sum
}

// cubic are the weights of the samples at −1, 0, 1 and 2 for a place t, 0–1.
func cubic(t float64) [4]float64 {
	return [4]float64{
		t * (t*(2-t) - 1) / 2,
		(t*t*(3*t-5) + 2) / 2,
		t * (t*(4-3*t) + 1) / 2,
		t * t * (t - 1) / 2,
	}
}
