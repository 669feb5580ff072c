package terrain

import (
	"image"
	"math"
)

// Slopes bound how much the triangles of some cells rise along +X and along +Z, in
// metres a metre. It reads all samples of the cells, of which there must be at least
// one.
func (f *Field) Slopes(cells image.Rectangle) (lo, hi [2]float64) {
	var x, z MinMax
	x.Min = f.Sample(cells.Min.X+1, cells.Min.Y) - f.Sample(cells.Min.X, cells.Min.Y)
	z.Min = f.Sample(cells.Min.X, cells.Min.Y+1) - f.Sample(cells.Min.X, cells.Min.Y)
	x.Max, z.Max = x.Min, z.Min
	n := cells.Dx() + 1
	above, here := make([]float32, n), make([]float32, n)
	high := 0.0
	for y := cells.Min.Y / TileSize; y <= (cells.Max.Y-1)/TileSize; y++ {
		for x := cells.Min.X / TileSize; x <= (cells.Max.X-1)/TileSize; x++ {
			m := f.Chunk(x, y).MinMax
			high = max(high, float64(m.Max), -float64(m.Min))
		}
	}
	for row := cells.Min.Y; row <= cells.Max.Y; row++ {
		above, here = here, above
		f.copyRow(here, cells.Min.X, row)
		for i := 1; i < n; i++ {
			x = x.add(here[i] - here[i-1])
		}
		if row == cells.Min.Y {
			continue
		}
		for i := range n {
			z = z.add(here[i] - above[i])
		}
	}
	// Differences of float32 are off by less than a ten-millionth of the heights.
	of := func(v float32, sign float64) float64 { return (float64(v) + sign*1e-7*high) / f.spacing }
	return [2]float64{of(x.Min, -1), of(z.Min, -1)}, [2]float64{of(x.Max, 1), of(z.Max, 1)}
}

// Lowest gives, for each of four slopes along +X and +Z, how far at least the samples of
// some cells lie above the plane of that slope through the origin of the world's heights
// at the cells' first sample, in metres.
func (f *Field) Lowest(cells image.Rectangle, slopes [4][2]float64) (low [4]float64) {
	n := cells.Dx() + 1
	here := make([]float32, n)
	for k := range low {
		low[k] = math.Inf(1)
	}
	for row := cells.Min.Y; row <= cells.Max.Y; row++ {
		f.copyRow(here, cells.Min.X, row)
		for k, s := range slopes {
			step := s[0] * f.spacing
			rise := s[1] * f.spacing * float64(row-cells.Min.Y)
			least := low[k]
			for _, h := range here {
				if y := float64(h) - rise; y < least {
					least = y
				}
				rise += step
			}
			low[k] = least
		}
	}
	for k, s := range slopes { // what the sums above are off
		low[k] -= 1e-12 * (math.Abs(s[0])*float64(cells.Dx()) + math.Abs(s[1])*float64(cells.Dy())) * f.spacing
	}
	return low
}

// add widens a range; heights are finite, so that two comparisons do.
func (m MinMax) add(v float32) MinMax {
	if v < m.Min {
		m.Min = v
	}
	if v > m.Max {
		m.Max = v
	}
	return m
}

// copyRow copies samples of a row, from column col on.
func (f *Field) copyRow(dst []float32, col, row int) {
	for i := 0; i < len(dst); {
		x, y := (col+i)%TileSize, row%TileSize
		h := f.Tile((col+i)/TileSize, row/TileSize).Heights
		i += copy(dst[i:], h[y*TileSize+x:(y+1)*TileSize])
	}
}
