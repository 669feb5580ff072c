package terrain

// Slopes bound how much the triangles of chunk (cx, cy) rise along +X and along +Z,
// in metres a metre. It reads all samples of the chunk.
func (f *Field) Slopes(cx, cy int) (lo, hi [2]float64) {
	r := f.ChunkRect(cx, cy)
	var x, z MinMax
	x.Min, z.Min = f.Sample(r.Min.X+1, r.Min.Y)-f.Sample(r.Min.X, r.Min.Y), f.Sample(r.Min.X, r.Min.Y+1)-f.Sample(r.Min.X, r.Min.Y)
	x.Max, z.Max = x.Min, z.Min
	var rows [2][TileSize + 1]float32
	n := r.Dx() + 1
	for row := r.Min.Y; row <= r.Max.Y; row++ {
		above, here := &rows[row&1], &rows[row&1^1]
		f.copyRow(here[:n], r.Min.X, row)
		for i := 1; i < n; i++ {
			d := here[i] - here[i-1]
			x = x.add(d)
		}
		if row == r.Min.Y {
			continue
		}
		for i := range n {
			d := here[i] - above[i]
			z = z.add(d)
		}
	}
	// Differences of float32 are off by less than a ten-millionth of the heights.
	of := func(v float32, sign float64) float64 {
		return (float64(v) + sign*1e-7*float64(max(f.Chunk(cx, cy).Max, -f.Chunk(cx, cy).Min))) / f.spacing
	}
	return [2]float64{of(x.Min, -1), of(z.Min, -1)}, [2]float64{of(x.Max, 1), of(z.Max, 1)}
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
