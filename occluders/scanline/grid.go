package scanline

import "math"

// grid holds, for each band and each column of the picture, between which depths the
// spans lie: lo is −Inf when they leave a gap, hi is when there are none.
type grid struct {
	columns int
	inverse float64 // columns a pixel
	width   float64 // of a column
	rim     float64 // the width of the picture
	cells   []cell
}

type cell struct{ lo, hi float32 }

// columnWidth is about how wide a column is, in pixels.
const columnWidth = 8

var far32 = float32(math.Inf(-1))

// down and up give the float32 that is no greater or no less than d.
func down(d float64) float32 {
	f := float32(d)
	if float64(f) > d {
		f = math.Nextafter32(f, far32)
	}
	return f
}

func up(d float64) float32 { return -down(-d) }

// fillGrid makes the grid.
func (b *Buffer) fillGrid() {
	g := &b.grid
	g.columns = max(int(math.Ceil(b.view.width/columnWidth)), 1)
	g.width = b.view.width / float64(g.columns)
	g.rim = b.view.width
	g.inverse = 1 / g.width
	g.cells = grown(g.cells, g.columns*len(b.main.rows))
	for k, row := range b.main.rows {
		g.fillRow(g.cells[k*g.columns:(k+1)*g.columns], row)
	}
}

// fillRow makes the cells of one band.
func (g *grid) fillRow(cells []cell, row []span) {
	for i := range cells {
		cells[i] = cell{far32, far32}
	}
	i := 0
	for i < len(row) {
		// Spans without a gap between.
		j := i + 1
		for j < len(row) && row[j].x0 == row[j-1].x1 {
			j++
		}
		x0, x1 := row[i].x0, row[j-1].x1
		first := g.column(x0)
		last := g.column(x1)
		for c := first; c <= last; c++ {
			l, r := float64(c)*g.width, float64(c+1)*g.width
			if c == len(cells)-1 {
				r = g.rim
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			for row[i].x1 < l && i < j-1 {
				i++
			}
			for n := i; n < j && row[n].x0 <= r; n++ {
				s := &row[n]
				d0, d1 := s.at(max(l, s.x0)), s.at(min(r, s.x1))
				lo, hi = min(lo, d0, d1), max(hi, d0, d1)
			}
			if x0 > l || x1 < r {
				lo = math.Inf(-1)
			}
			q := &cells[c]
			q.lo = max(q.lo, down(lo))
			q.hi = max(q.hi, up(hi))
		}
		i = j
	}
}

// column is the column that x is in, give or take one at its ends.
func (g *grid) column(x float64) int {
	return min(max(int(x*g.inverse), 0), g.columns-1)
}
