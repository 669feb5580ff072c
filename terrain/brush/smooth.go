package brush

import (
	"image"
)

// margin is the number of elements before a buffered row's first tile; it holds
// the sample to the left of it.
const margin = 8

// band is some rows of a dab that one goroutine smooths from top to bottom. It
// keeps the rows around the one in work as they were before the dab, so no copy of
// the whole disc is needed. The rows next to the band, which others change, are
// read before any starts.
type band struct {
	from, to int // rows of the field
	rows     [3][]float32
	below    []float32 // row to
}

// divide prepares the bands of a dab.
func (s *Stroke) divide() (bands int) {
	s.gather()
	d := &s.now
	n := d.workers()
	for len(s.work.bands) < n {
		s.work.bands = append(s.work.bands, band{})
	}
	s.work.bands = s.work.bands[:n]
	size := margin + s.work.grid.Dx()*side + margin
	for i := range s.work.bands {
		b := &s.work.bands[i]
		b.from = d.rect.Min.Y + d.rect.Dy()*i/n
		b.to = d.rect.Min.Y + d.rect.Dy()*(i+1)/n
		for _, row := range [4]*[]float32{&b.rows[0], &b.rows[1], &b.rows[2], &b.below} {
			if cap(*row) < size {
				*row = make([]float32, size)
			}
			*row = (*row)[:size]
		}
		s.readRow(b.rows[0], b.from-1)
		s.readRow(b.below, b.to)
	}
	return n
}

// readRow copies what the dab reads of a row; a row off the field is left alone.
func (s *Stroke) readRow(dst []float32, row int) {
	d, f := &s.now, s.draft.View()
	cols, rows := f.Size()
	if row < 0 || row >= rows {
		return
	}
	x0 := max(d.rect.Min.X&^(lanes-1)-1, 0)
	x1 := min((d.rect.Max.X+lanes-1)&^(lanes-1)+1, cols)
	f.CopyHeights(dst[x0-s.work.grid.Min.X*side+margin:], 0, image.Rect(x0, row, x1, row+1))
}

func (s *Stroke) smooth(from, to int) {
	for i := from; i < to; i++ {
		b := &s.work.bands[i]
		above, here, below := b.rows[0], b.rows[1], b.rows[2]
		s.readRow(here, b.from)
		for y := b.from; y < b.to; y++ {
			if y+1 == b.to {
				below = b.below
			} else {
				s.readRow(below, y+1)
			}
			s.smoothRow(y, above, here, below)
			above, here, below = here, below, above
		}
	}
}

// smoothRow smooths a row of the dab; the rows around it are from before the dab.
func (s *Stroke) smoothRow(y int, above, here, below []float32) {
	cols, rows := s.draft.View().Size()
	d, grid := &s.now, s.work.grid
	strength := float32(s.brush.Strength)
	v2 := s.shape.square(float64(y) - d.z)
	from, to := d.columns(y)
	for tx := from / side; tx*side < to; tx++ {
		h := s.work.heights[(y/side-grid.Min.Y)*grid.Dx()+tx-grid.Min.X]
		if h == nil {
			continue
		}
		x := tx * side
		at := x - grid.Min.X*side + margin - 1
		n := run{y % side, max(from-x, 0) &^ (lanes - 1), min((to-x+lanes-1)&^(lanes-1), side, cols-x), v2}
		u0 := float32(float64(x) - d.x)
		r := rim{
			row: (*[side]float32)(h[n.row*side:]),
			a:   (*[side + 2]float32)(above[at:]), b: (*[side + 2]float32)(here[at:]), c: (*[side + 2]float32)(below[at:]),
			above: y > 0, below: y < rows-1, x: x, cols: cols,
		}
		if y == 0 || y == rows-1 {
			for i := n.from; i < n.to; i++ {
				r.smooth(i, strength*s.shape.at(u0, i, v2))
			}
			continue
		}
		if x+n.from == 0 {
			r.smooth(0, strength*s.shape.at(u0, 0, v2))
			n.from++
		}
		if x+n.to == cols && n.from < n.to {
			n.to--
			r.smooth(n.to, strength*s.shape.at(u0, n.to, v2))
		}
		smoothRun(r.row, n, r.a, r.b, r.c, &s.shape, u0, strength)
	}
}

// rim smooths samples that lack neighbours.
type rim struct {
	row          *[side]float32
	a, b, c      *[side + 2]float32
	above, below bool
	x, cols      int // the tile's first column, and the field's width
}

func (r *rim) smooth(i int, w float32) {
	h := r.b[i+1]
	var sum, count float32
	add := func(row *[side + 2]float32) {
		for k := i; k <= i+2; k++ {
			if x := r.x + k - 1; x >= 0 && x < r.cols {
				sum += row[k] - h
				count++
			}
		}
	}
	if r.above {
		add(r.a)
	}
	add(r.b)
	if r.below {
		add(r.c)
	}
	r.row[i] = h + float32(sum/count)*w
}
