package terrain

import (
	"image"
	"math"

	"ridgeline/occluders/geom"
)

// Levels is the number of levels of detail of a chunk: level k draws every 2ᵏth
// sample, from all of them (0) to the chunk's corners alone (6).
const Levels = 7

// blockSize is the number of cells along a block's edge; chunkBlocks of them
// make a chunk's.
const (
	blockSize   = 8
	chunkBlocks = TileSize / blockSize
)

// MinMax is the range of heights over some part of the field, in metres.
type MinMax struct{ Min, Max float32 }

// Chunk is what is known of 64×64 cells (fewer at the right and lower rim)
// without looking at their samples.
type Chunk struct {
	MinMax
	// Error bounds, for each level of detail, how far the surface drawn at that
	// level lies above or below the full one, in metres. Error[0] is 0 and errors
	// never fall from one level to the next.
	Error [Levels]float32
	// Holes says whether any cell of the chunk is open.
	Holes bool

	// What rays need: the ranges of the blocks, and the samples of the chunk's tile
	// and of those to the right, below, and right below.
	blocks  bounds
	heights [4]*Heights
	flags   *Flags
}

// mip is one level of the min/max pyramid over the chunks.
type mip struct {
	cols, rows int
	nodes      []MinMax
}

// Chunk gives chunk (cx, cy) of the chunk grid, for reading only.
func (f *Field) Chunk(cx, cy int) *Chunk { return f.chunks[cy][cx] }

// ChunkRect is the rectangle of cells of chunk (cx, cy). The samples it draws
// reach one further to the right and down.
func (f *Field) ChunkRect(cx, cy int) image.Rectangle {
	return image.Rect(cx*TileSize, cy*TileSize, (cx+1)*TileSize, (cy+1)*TileSize).
		Intersect(image.Rect(0, 0, f.cols-1, f.rows-1))
}

// ChunkBox is the box around chunk (cx, cy) in world coordinates.
func (f *Field) ChunkBox(cx, cy int) geom.Box {
	r, c := f.ChunkRect(cx, cy), f.chunks[cy][cx]
	return f.boxOf(r, c.MinMax)
}

func (f *Field) boxOf(cells image.Rectangle, m MinMax) geom.Box {
	return geom.Box{
		Min: geom.Vec3{f.origin[0] + float64(cells.Min.X)*f.spacing, float64(m.Min), f.origin[1] + float64(cells.Min.Y)*f.spacing},
		Max: geom.Vec3{f.origin[0] + float64(cells.Max.X)*f.spacing, float64(m.Max), f.origin[1] + float64(cells.Max.Y)*f.spacing},
	}
}

// PyramidLevels is the number of levels of the min/max pyramid; level 0 has one
// node a chunk and the last one node in all.
func (f *Field) PyramidLevels() int { return len(f.pyramid) }

// PyramidNode gives the cells and the box of a node of the min/max pyramid. Node
// (x, y) of level k covers the chunks from (x·2ᵏ, y·2ᵏ) to ((x+1)·2ᵏ, (y+1)·2ᵏ).
func (f *Field) PyramidNode(level, x, y int) (cells image.Rectangle, box geom.Box) {
	s := TileSize << level
	cells = image.Rect(x*s, y*s, (x+1)*s, (y+1)*s).Intersect(image.Rect(0, 0, f.cols-1, f.rows-1))
	m := &f.pyramid[level]
	return cells, f.boxOf(cells, m.nodes[y*m.cols+x])
}

// PyramidGrid is the number of nodes of a pyramid level along X and Z.
func (f *Field) PyramidGrid(level int) (cols, rows int) {
	return f.pyramid[level].cols, f.pyramid[level].rows
}

// buildPyramid makes all chunks and the pyramid above. With flat, all chunks are
// level ground at height 0 without holes and share one value.
func (f *Field) buildPyramid(flat bool) {
	cc, cr := f.ChunkGrid()
	f.chunks = make([][]*Chunk, cr)
	level := &Chunk{heights: [4]*Heights{zeroHeights, zeroHeights, zeroHeights, zeroHeights}, flags: zeroFlags}
	parallelRows(cr, func(y int) {
		f.chunks[y] = make([]*Chunk, cc)
		for x := range f.chunks[y] {
			if flat {
				f.chunks[y][x] = level
			} else {
				f.chunks[y][x] = f.measureChunk(x, y)
			}
		}
	})
	f.buildTree()
	f.pyramid = nil
	for w, h := cc, cr; ; w, h = (w+1)/2, (h+1)/2 {
		f.pyramid = append(f.pyramid, mip{w, h, make([]MinMax, w*h)})
		if w == 1 && h == 1 {
			break
		}
	}
	for k := range f.pyramid {
		m := &f.pyramid[k]
		for y := range m.rows {
			for x := range m.cols {
				f.gatherNode(k, x, y)
			}
		}
	}
}

// gatherNode computes a pyramid node from the level below.
func (f *Field) gatherNode(k, x, y int) {
	m := &f.pyramid[k]
	if k == 0 {
		m.nodes[y*m.cols+x] = f.chunks[y][x].MinMax
		return
	}
	lower := &f.pyramid[k-1]
	v := lower.nodes[2*y*lower.cols+2*x]
	for j := 2 * y; j < min(2*y+2, lower.rows); j++ {
		for i := 2 * x; i < min(2*x+2, lower.cols); i++ {
			v = v.union(lower.nodes[j*lower.cols+i])
		}
	}
	m.nodes[y*m.cols+x] = v
}

func (m MinMax) union(o MinMax) MinMax {
	if o.Min < m.Min {
		m.Min = o.Min
	}
	if o.Max > m.Max {
		m.Max = o.Max
	}
	return m
}

// measured has a chunk's samples, row by row, chunkStride apart.
type measured [chunkStride * chunkStride]float32

const chunkStride = TileSize + 1

// measureChunk looks at every sample of a chunk.
func (f *Field) measureChunk(cx, cy int) *Chunk {
	var h measured
	cells := f.ChunkRect(cx, cy)
	w, n := cells.Dx(), cells.Dy()
	f.CopyHeights(h[:], chunkStride, image.Rect(cells.Min.X, cells.Min.Y, cells.Max.X+1, cells.Max.Y+1))
	c := new(Chunk)
	for i := range c.heights {
		tx, ty := min(cx+i&1, len(f.tiles[0])-1), min(cy+i>>1, len(f.tiles)-1)
		c.heights[i] = f.tiles[ty][tx].Heights
	}
	c.flags = f.tiles[cy][cx].Flags
	if !(w == TileSize && n == TileSize && c.measureWhole(&h)) {
		c.measureRange(&h, w, n)
	}
	c.measureError(&h, w, n)
	if flags := f.tiles[cy][cx].Flags; flags != zeroFlags {
		for r := range n {
			for _, b := range flags[r*TileSize : r*TileSize+w] {
				if b&Hole != 0 {
					c.Holes = true
				}
			}
		}
	}
	return c
}

func (c *Chunk) measureRange(h *measured, w, n int) {
	c.MinMax = MinMax{h[0], h[0]}
	c.blocks = noBounds
	for by := 0; by*blockSize < n; by++ {
		for bx := 0; bx*blockSize < w; bx++ {
			x0, y0 := bx*blockSize, by*blockSize
			x1, y1 := min(x0+blockSize, w), min(y0+blockSize, n)
			lo, hi := h[y0*chunkStride+x0], h[y0*chunkStride+x0]
			for y := y0; y <= y1; y++ {
				for _, v := range h[y*chunkStride+x0 : y*chunkStride+x1+1] {
					if v < lo {
						lo = v
					}
					if v > hi {
						hi = v
					}
				}
			}
			m := MinMax{lo, hi}
			c.blocks.set(by*chunkBlocks+bx, m)
			c.MinMax = c.MinMax.union(m)
		}
	}
}

// measureError fills c.Error. A coarse cell that lies wholly inside the chunk
// adds its own deviation from the level below to the greatest of its four
// children; one that the rim cuts has another shape than its children, so there
// the range of its heights is the bound.
func (c *Chunk) measureError(h *measured, w, n int) {
	var errs [2][tileArea / 4]float32 // bounds per cell of the last and this level
	last, this := errs[0][:], errs[1][:]
	for k := 1; k < Levels; k++ {
		s, side := 1<<k, TileSize>>k
		worst := float32(0)
		for y := 0; y < n; y += s {
			row := this[y/s*side:][:side]
			whole := 0 // cells that lie wholly inside
			if y+s <= n {
				whole = w / s
				deviations(row[:whole], h, y, s)
				if k > 1 {
					addChildren(row[:whole], last[2*(y/s)*2*side:][:4*side])
				}
			}
			for x := whole * s; x < w; x += s {
				row[x/s] = heightRange(h, x, y, min(x+s, w), min(y+s, n))
			}
			for _, e := range row[:(w+s-1)/s] {
				if e > worst {
					worst = e
				}
			}
		}
		c.Error[k] = max(worst, c.Error[k-1])
		last, this = this, last
	}
}

// addChildren adds to each cell's bound the greatest of its four children, whose
// bounds are two rows.
func addChildren(row, children []float32) {
	upper, lower := children[:len(children)/2], children[len(children)/2:]
	for i := range row {
		e := upper[2*i]
		if v := upper[2*i+1]; v > e {
			e = v
		}
		if v := lower[2*i]; v > e {
			e = v
		}
		if v := lower[2*i+1]; v > e {
			e = v
		}
		row[i] += e
	}
}

// deviations gives, for each cell of s samples in a row of cells that begins at
// sample row y, the greatest distance between it and its four children, at the five
// points that the children add.
func deviations(dst []float32, h *measured, y, s int) {
	half := s / 2
	top := h[y*chunkStride:][:chunkStride]
	middle := h[(y+half)*chunkStride:][:chunkStride]
	bottom := h[(y+s)*chunkStride:][:chunkStride]
	a, c := top[0], bottom[0]
	left := abs(middle[0] - (a+c)/2)
	for i := range dst {
		x := i * s
		b, d := top[x+s], bottom[x+s]
		right := abs(middle[x+s] - (b+d)/2)
		e := left
		if right > e {
			e = right
		}
		if v := abs(top[x+half] - (a+b)/2); v > e {
			e = v
		}
		if v := abs(middle[x+half] - (b+c)/2); v > e {
			e = v
		}
		if v := abs(bottom[x+half] - (c+d)/2); v > e {
			e = v
		}
		dst[i] = e
		a, c, left = b, d, right
	}
}

func heightRange(h *measured, x0, y0, x1, y1 int) float32 {
	m := MinMax{h[y0*chunkStride+x0], h[y0*chunkStride+x0]}
	for y := y0; y <= y1; y++ {
		for _, v := range h[y*chunkStride+x0 : y*chunkStride+x1+1] {
			m = m.union(MinMax{v, v})
		}
	}
	return m.Max - m.Min
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
