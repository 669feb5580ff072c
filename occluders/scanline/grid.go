package scanline

import "math"

// grid holds, for each band and each column of the picture, between which depths the
// spans lie: lo is −Inf when they leave a gap, hi is when there are none.
type grid struct {
	columns     int
	inverse     float64 // columns a pixel
	width       float64 // of a column
	rim         float64 // the width of the picture
	first, last int     // the bands that have spans are from first to before last
	stride      int     // from band to band; lo is +Inf beyond the columns
	lo, hi      []float32
}

// gridPad is how many numbers there are at least beyond the columns of a band.
const gridPad = 8

// columnWidth is about how wide a column is, in pixels.
const columnWidth = 8

var far32, near32 = float32(math.Inf(-1)), float32(math.Inf(1))

// below and above give float32 numbers on either side of d.
func below(d float64) float32 { return float32(d - math.Abs(d)*0x1p-22) }
func above(d float64) float32 { return float32(d + math.Abs(d)*0x1p-22) }

// fillGrid makes the grid.
func (b *Buffer) fillGrid() {
	g := &b.grid
	rows := b.main.rows
	g.columns = max(int(math.Ceil(b.view.width/columnWidth)), 1)
	g.rim = b.view.width
	g.width = g.rim / float64(g.columns)
	g.inverse = 1 / g.width
	g.first, g.last = 0, len(rows)
	for g.first < g.last && len(rows[g.first]) == 0 {
		g.first++
	}
	for g.first < g.last && len(rows[g.last-1]) == 0 {
		g.last--
	}
	g.stride = (g.columns+7)&^7 + gridPad
	g.lo, g.hi = grown(g.lo, g.stride*(g.last-g.first)), grown(g.hi, g.stride*(g.last-g.first))
	for k := g.first; k < g.last; k++ {
		lo, hi := g.row(k)
		g.fillRow(lo[:g.columns], hi[:g.columns], rows[k])
		for i := g.columns; i < g.stride; i++ {
			lo[i], hi[i] = near32, near32
		}
	}
}

// row gives the cells of band k.
func (g *grid) row(k int) (lo, hi []float32) {
	k -= g.first
	return g.lo[k*g.stride : (k+1)*g.stride], g.hi[k*g.stride : (k+1)*g.stride]
}

// right is the right side of column c.
func (g *grid) right(c int) float64 {
	if c == g.columns-1 {
		return g.rim
	}
	return float64(c+1) * g.width
}

// fillRow makes the cells of one band.
func (g *grid) fillRow(lows, highs []float32, row []span) {
	for c, i := 0, 0; c < len(lows); {
		l, r := float64(c)*g.width, g.right(c)
		for i < len(row) && row[i].x1 <= l {
			i++
		}
		if i == len(row) {
			for ; c < len(lows); c++ {
				lows[c], highs[c] = far32, far32
			}
			return
		}
		s := &row[i]
		switch {
		case s.x0 >= r: // nothing up to the column of s
			for to := g.column(s.x0); ; {
				lows[c], highs[c] = far32, far32
				if c++; c >= to {
					break
				}
			}
		case s.x0 <= l && s.x1 >= r: // columns that s covers
			slope := 0.0
			if s.d0 != s.d1 {
				slope = (s.d1 - s.d0) / (s.x1 - s.x0)
			}
			d := s.d0 + (l-s.x0)*slope
			for c < len(lows) {
				if r = g.right(c); r > s.x1 {
					break
				}
				e := s.d0 + (r-s.x0)*slope
				if slope >= 0 {
					lows[c], highs[c] = below(d), above(e)
				} else {
					lows[c], highs[c] = below(e), above(d)
				}
				d = e
				c++
			}
		default: // ends of spans
			lo, hi, cur := math.Inf(1), math.Inf(-1), l
			for j := i; j < len(row) && row[j].x0 < r; j++ {
				s := &row[j]
				if s.x0 > cur {
					lo = math.Inf(-1)
				}
				d0, d1 := s.at(max(l, s.x0)), s.at(min(r, s.x1))
				lo, hi = min(lo, d0, d1), max(hi, d0, d1)
				cur = s.x1
			}
			if cur < r {
				lo = math.Inf(-1)
			}
			lows[c], highs[c] = below(lo), above(hi)
			c++
		}
	}
}

// column is the column that x is in, give or take one at its ends.
func (g *grid) column(x float64) int {
	return min(max(int(x*g.inverse), 0), g.columns-1)
}
