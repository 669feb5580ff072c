package heightmap

import (
	"context"
	"math"
	"math/bits"
)

// Voids are filled with the solution of the discrete Laplace equation whose
// boundary is the rim of known samples: every filled sample is the mean of its
// neighbours, so that there is no peak, pit or step inside. At the edge of the
// raster the missing neighbours are left out, which lets the surface run out level.
//
// A first guess comes from a pyramid of means (known samples averaged up, then
// spread down into the voids); multigrid V-cycles then converge in a number of
// cycles that does not depend on the size of the void.

const (
	fillCycles    = 24   // at most; a cycle gains about a digit of four
	fillSweeps    = 2    // Gauss-Seidel sweeps before and after each correction
	fillTolerance = 1e-5 // of the range of heights: the last change that matters
	guessSweeps   = 4
)

// grid is one level: values u, and which of them are unknown.
type grid struct {
	cols, rows int
	u          []float32
	unknown    *Mask
	rhs        []float32 // right side of the equation; nil: zero
}

// fillVoids replaces the values of z that are in voids.
func fillVoids(ctx context.Context, z []float32, voids *Mask, progress func(float64)) error {
	lo, hi := knownRange(z, voids)
	fine := &grid{cols: voids.cols, rows: voids.rows, u: z, unknown: voids}
	if err := guess(ctx, fine); err != nil {
		return err
	}
	// Below the resolution of the heights themselves nothing changes any more.
	scale := max(math.Abs(float64(lo)), math.Abs(float64(hi)))
	tolerance := float32(max(fillTolerance*float64(hi-lo), 2e-7*scale))
	levels := correctionLevels(fine)
	for cycle := range fillCycles {
		if progress != nil {
			progress(float64(cycle) / fillCycles)
		}
		change, err := vCycle(ctx, levels)
		if err != nil {
			return err
		}
		if change <= tolerance {
			break
		}
	}
	clampUnknown(fine, lo, hi)
	return nil
}

// eachBit calls f for every set bit of one row.
func eachBit(words []uint64, f func(col int)) {
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

func knownRange(z []float32, voids *Mask) (lo, hi float32) {
	lo, hi = math.MaxFloat32, -math.MaxFloat32
	for row := range voids.rows {
		line := z[row*voids.cols:][:voids.cols]
		for i, w := range voids.row(row) {
			for k, v := range line[i<<6 : min(i<<6+64, len(line))] {
				if w>>k&1 == 0 {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	return lo, hi
}

// clampUnknown makes the maximum principle hold to the last bit, also where
// heights are so large that a float32 correction overflowed.
func clampUnknown(g *grid, lo, hi float32) {
	for row := range g.rows {
		line := g.u[row*g.cols:][:g.cols]
		eachBit(g.unknown.row(row), func(col int) {
			if v := line[col]; v > hi {
				line[col] = hi
			} else if !(v >= lo) {
				line[col] = lo
			}
		})
	}
}

// guess fills the unknown values from a pyramid of means.
func guess(ctx context.Context, g *grid) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	coarse := &grid{cols: (g.cols + 1) / 2, rows: (g.rows + 1) / 2}
	coarse.u = make([]float32, coarse.cols*coarse.rows)
	coarse.unknown = newMask(coarse.cols, coarse.rows)
	left := false
	for row := range coarse.rows {
		for col := range coarse.cols {
			sum, n := 0.0, 0
			for r := 2 * row; r < min(2*row+2, g.rows); r++ {
				for c := 2 * col; c < min(2*col+2, g.cols); c++ {
					if !g.unknown.At(c, r) {
						sum += float64(g.u[r*g.cols+c])
						n++
					}
				}
			}
			if n == 0 {
				coarse.unknown.set(col, row)
				left = true
				continue
			}
			coarse.u[row*coarse.cols+col] = float32(sum / float64(n))
		}
	}
	if left {
		if err := guess(ctx, coarse); err != nil {
			return err
		}
	}
	for row := range g.rows {
		line := g.u[row*g.cols:][:g.cols]
		eachBit(g.unknown.row(row), func(col int) { line[col] = coarse.between(col, row) })
	}
	for range guessSweeps {
		g.sweep()
	}
	return nil
}

// between interpolates a coarse grid at the centre of a sample of the grid twice
// as fine.
func (g *grid) between(col, row int) float32 {
	c, r := col/2, row/2
	c2 := min(max(c+col&1*2-1, 0), g.cols-1)
	r2 := min(max(r+row&1*2-1, 0), g.rows-1)
	near, far := g.u[r*g.cols:], g.u[r2*g.cols:]
	return 9./16*near[c] + 3./16*near[c2] + 3./16*far[c] + 1./16*far[c2]
}

// sweep is one red-black Gauss-Seidel sweep; it returns the largest change.
func (g *grid) sweep() (change float32) {
	for colour := range 2 {
		for row := range g.rows {
			checker := uint64(0x5555555555555555)
			if (row+colour)&1 != 0 {
				checker <<= 1
			}
			for i, w := range g.unknown.row(row) {
				for w &= checker; w != 0; w &= w - 1 {
					col := i<<6 + bits.TrailingZeros64(w)
					at := row*g.cols + col
					sum, n := g.around(col, row)
					if g.rhs != nil {
						sum += float64(g.rhs[at])
					}
					v := float32(sum / n)
					change = max(change, v-g.u[at], g.u[at]-v)
					g.u[at] = v
				}
			}
		}
	}
	return change
}

// around sums the neighbours that exist, and counts them. In float64, because
// float32 sums are rounded to the same side all over a slope, and that bias is
// what would limit a wide void.
func (g *grid) around(col, row int) (sum, n float64) {
	at := row*g.cols + col
	u := g.u
	if col > 0 && row > 0 && col < g.cols-1 && row < g.rows-1 {
		return float64(u[at-1]) + float64(u[at+1]) + float64(u[at-g.cols]) + float64(u[at+g.cols]), 4
	}
	if col > 0 {
		sum, n = sum+float64(u[at-1]), n+1
	}
	if col < g.cols-1 {
		sum, n = sum+float64(u[at+1]), n+1
	}
	if row > 0 {
		sum, n = sum+float64(u[at-g.cols]), n+1
	}
	if row < g.rows-1 {
		sum, n = sum+float64(u[at+g.cols]), n+1
	}
	return sum, n
}

// correctionLevels builds the coarser grids on which corrections are sought. A
// coarse sample is unknown where all of its fine ones are, so that corrections
// are zero along the rim.
func correctionLevels(fine *grid) []*grid {
	levels := []*grid{fine}
	for g := fine; ; {
		c := &grid{cols: (g.cols + 1) / 2, rows: (g.rows + 1) / 2}
		c.unknown = newMask(c.cols, c.rows)
		any := false
		for row := range c.rows {
			r2 := min(2*row+1, g.rows-1)
			eachBit(g.unknown.row(2*row), func(col int) {
				c2 := min(col+1, g.cols-1)
				if col&1 == 0 && g.unknown.At(c2, 2*row) && g.unknown.At(col, r2) && g.unknown.At(c2, r2) {
					c.unknown.set(col/2, row)
					any = true
				}
			})
		}
		if !any {
			return levels
		}
		c.u = make([]float32, c.cols*c.rows)
		c.rhs = make([]float32, c.cols*c.rows)
		levels = append(levels, c)
		g = c
	}
}

// vCycle improves the solution on levels[0] and returns the largest change that
// its last sweep still made.
func vCycle(ctx context.Context, levels []*grid) (change float32, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	g := levels[0]
	if len(levels) == 1 {
		for range 4 * fillSweeps {
			change = g.sweep()
		}
		return change, nil
	}
	for range fillSweeps {
		g.sweep()
	}
	c := levels[1]
	clear(c.u)
	c.restrict(g)
	if _, err := vCycle(ctx, levels[1:]); err != nil {
		return 0, err
	}
	for row := range g.rows {
		line := g.u[row*g.cols:][:g.cols]
		eachBit(g.unknown.row(row), func(col int) {
			e := c.between(col, row)
			change = max(change, e, -e)
			line[col] += e
		})
	}
	for range fillSweeps {
		change = max(change, g.sweep())
	}
	return change, nil
}

// restrict makes the right side of c the sum of the fine residuals. The sum and
// not the mean, because the five-point operator grows by the square of the step.
func (c *grid) restrict(g *grid) {
	for row := range c.rows {
		eachBit(c.unknown.row(row), func(col int) {
			var sum float64
			for r := 2 * row; r < min(2*row+2, g.rows); r++ {
				for k := 2 * col; k < min(2*col+2, g.cols); k++ {
					at := r*g.cols + k
					s, n := g.around(k, r)
					sum += s - n*float64(g.u[at])
					if g.rhs != nil {
						sum += float64(g.rhs[at])
					}
				}
			}
			c.rhs[row*c.cols+col] = float32(sum)
		})
	}
}
