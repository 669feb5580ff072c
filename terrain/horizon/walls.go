package horizon

import (
	"image"
	"slices"

	"ridgeline/terrain"
)

const (
	size  = terrain.TileSize
	run   = 8          // cells
	lines = size / run // in a chunk, and runs in a line
)

// walls are the least heights of runs of samples in a chunk: of its columns and rows
// 0, 8, 16 … each eight runs of nine samples, of which neighbours share one. A test
// keeps them with the chunk that they belong to, so a stroke makes those of the chunks
// alone that it changed out of date.
type walls struct {
	chunk *terrain.Chunk
	least [2][lines * lines]float32 // of columns and rows, line by line
	most  [2][lines]float32         // the greatest of each line
}

// wallsOf gives a chunk's walls.
func (t *Test) wallsOf(cx, cy int) *walls {
	f := t.ground.field
	w := &t.walls[cy*t.cols+cx]
	c := f.Chunk(cx, cy)
	if *w == nil {
		*w = new(walls)
	}
	if (*w).chunk != c {
		(*w).build(f, cx, cy, &t.scratch)
		(*w).chunk = c
	}
	return *w
}

type scratch [(size + 1) * (size + 1)]float32

func (w *walls) build(f *terrain.Field, cx, cy int, h *scratch) {
	const stride = size + 1
	cells := f.ChunkRect(cx, cy)
	f.CopyHeights(h[:], stride, image.Rectangle{cells.Min, cells.Max.Add(image.Pt(1, 1))})
	for line := range lines {
		for k := range lines {
			a, b := line*run, k*run
			if a <= cells.Dx() && b <= cells.Dy() {
				v := h[b*stride+a]
				for r := b + 1; r <= min(b+run, cells.Dy()); r++ {
					v = min(v, h[r*stride+a])
				}
				w.least[0][line*lines+k] = v
			}
			if a <= cells.Dy() && b <= cells.Dx() {
				v := h[a*stride+b]
				for _, x := range h[a*stride+b : a*stride+min(b+run, cells.Dx())+1] {
					v = min(v, x)
				}
				w.least[1][line*lines+k] = v
			}
		}
	}
	for axis := range w.least {
		for line := range w.most[axis] {
			w.most[axis][line] = slices.Max(w.least[axis][line*lines:][:lines])
		}
	}
}

// runs reads the runs from r0, the first of a chunk, to r1 or some more of a column
// (axis 0) or row, whose number run must divide, and gives the greatest of them.
func (t *Test) runs(axis, at, r0, r1 int) (runs []float32, most float32) {
	t.line = t.line[:0]
	line, most := at%size/run, -inf
	for r := r0; r <= r1; r += lines {
		var w *walls
		if axis == 0 {
			w = t.wallsOf(at/size, r/lines)
		} else {
			w = t.wallsOf(r/lines, at/size)
		}
		t.line = append(t.line, w.least[axis][line*lines:][:lines]...)
		most = max(most, w.most[axis][line])
	}
	return t.line, most
}

// samples reads the heights r0 … r1 of a column (axis 0) or row.
func (t *Test) samples(axis, at, r0, r1 int) []float32 {
	f := t.ground.field
	t.line = t.line[:0]
	for r := r0; r <= r1; {
		end := min(r|(size-1), r1)
		if axis == 1 {
			h := f.Tile(r/size, at/size).Heights
			row := h[at%size*size:][:size]
			t.line = append(t.line, row[r%size:end%size+1]...)
		} else {
			h := f.Tile(at/size, r/size).Heights
			for j := r % size; j <= end%size; j++ {
				t.line = append(t.line, h[j*size+at%size])
			}
		}
		r = end + 1
	}
	return t.line
}

// most is a bound of the heights r0 … r1 of a column (axis 0) or row.
func (t *Test) most(axis, at, r0, r1 int) float32 {
	f := t.ground.field
	most := -inf
	// The last sample of a chunk is the first of the next one.
	for c := r0 / size; c <= (r1-1)/size; c++ {
		x, y := at/size, c
		if axis == 1 {
			x, y = y, x
		}
		cols, rows := t.cols, len(t.walls)/t.cols
		if v := f.Chunk(min(x, cols-1), min(y, rows-1)).Max; v > most {
			most = v
		}
	}
	return most
}
