package shade

import (
	"context"
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// blockSize is the number of cells along the edge of the blocks that a ray steps
// over.
const blockSize = 8

// caster tells which samples lie in shadow. Lengths along the ground are counted
// in cells.
type caster struct {
	f          *terrain.Field
	cols, rows int
	dx, dz     float64 // unit direction to the sun along the ground
	rise       float64 // metres that the ray rises per cell
	top        float64 // the terrain's highest sample
	slack      float64 // metres that the ray begins above its sample
	blocks     []float32
	stride     int // blocks in a row
}

// newCaster prepares shadows for the direction to the sun, which must be above
// the horizon. There is no caster when the sun stands overhead.
func newCaster(ctx context.Context, f *terrain.Field, sun mgl64.Vec3) (*caster, error) {
	flat := math.Hypot(sun[0], sun[2])
	if flat < 1e-9 {
		return nil, nil
	}
	c := &caster{f: f, dx: sun[0] / flat, dz: sun[2] / flat, rise: sun[1] / flat * f.Spacing()}
	// Straight along an axis, rounding must not lead into the next row.
	if math.Abs(c.dx) < 1e-12 {
		c.dx, c.dz = 0, math.Copysign(1, c.dz)
	}
	if math.Abs(c.dz) < 1e-12 {
		c.dz, c.dx = 0, math.Copysign(1, c.dx)
	}
	c.cols, c.rows = f.Size()
	lo, hi := f.MinMax()
	c.top = float64(hi)
	c.slack = 1e-6*f.Spacing() + 1e-12*max(math.Abs(float64(lo)), math.Abs(c.top))
	c.stride = (c.cols - 2 + blockSize) / blockSize
	n := (c.rows - 2 + blockSize) / blockSize
	c.blocks = make([]float32, c.stride*n)
	err := inParallel(ctx, n, func(by int) { c.measure(by) })
	return c, err
}

// measure finds the highest sample of each block of a row of blocks.
func (c *caster) measure(by int) {
	row := make([]float32, c.cols)
	out := c.blocks[by*c.stride : (by+1)*c.stride]
	for i := range out {
		out[i] = float32(math.Inf(-1))
	}
	for y := by * blockSize; y <= min((by+1)*blockSize, c.rows-1); y++ {
		c.f.CopyHeights(row, 0, image.Rect(0, y, c.cols, y+1))
		for i := range out {
			m := out[i]
			for _, h := range row[i*blockSize : min((i+1)*blockSize+1, c.cols)] {
				m = max(m, h)
			}
			out[i] = m
		}
	}
}

// walk is a ray on its way.
type walk struct {
	*caster
	x0, z0, y0 float64 // where it began, in cells and metres
	c, r       int     // the cell it is in
	t          float64 // how far it has come
	under      bool    // whether it is below the ground, having come through a hole
}

// hidden reports whether the ground hides the sun from a sample.
func (c *caster) hidden(col, row int) bool {
	w := walk{caster: c, x0: float64(col), z0: float64(row), c: col, r: row}
	w.y0 = float64(c.f.Sample(col, row)) + c.slack
	if c.dx < 0 || c.dx == 0 && col == c.cols-1 {
		w.c--
	}
	if c.dz < 0 || c.dz == 0 && row == c.rows-1 {
		w.r--
	}
	open := false // the last cell was a hole
	for w.inside() {
		y := w.y0 + w.t*c.rise
		if y >= c.top {
			return false
		}
		if float64(c.blocks[w.r/blockSize*c.stride+w.c/blockSize]) <= y {
			if float64(c.f.Chunk(w.c/side, w.r/side).Max) <= y {
				w.leave(side)
			} else {
				w.leave(blockSize)
			}
			w.under, open = false, false
			continue
		}
		from, c0, r0 := w.t, w.c, w.r
		w.leave(1)
		if c.f.IsHole(c0, r0) {
			open = true
			continue
		}
		if open {
			w.under, open = w.below(c0, r0, from), false
		}
		if w.crosses(c0, r0, from, w.t) {
			return true
		}
	}
	return false
}

func (w *walk) inside() bool {
	return w.c >= 0 && w.r >= 0 && w.c < w.cols-1 && w.r < w.rows-1
}

// leave goes on to where the ray leaves the square of n cells it is in. It never
// goes back, whatever the rounding.
func (w *walk) leave(n int) {
	c0, r0 := w.c/n*n, w.r/n*n
	tx, nc := exit(w.x0, w.dx, c0, n)
	tz, nr := exit(w.z0, w.dz, r0, n)
	if tx <= tz {
		w.t = max(w.t, tx)
		w.c = nc
		w.r = along(w.r, w.z0+w.t*w.dz, w.dz, r0, n)
	} else {
		w.t = max(w.t, tz)
		w.r = nr
		w.c = along(w.c, w.x0+w.t*w.dx, w.dx, c0, n)
	}
}

// exit gives where a ray leaves the cells from first to first+n along one axis,
// and the cell behind.
func exit(from, d float64, first, n int) (t float64, next int) {
	switch {
	case d > 0:
		return (float64(first+n) - from) / d, first + n
	case d < 0:
		return (float64(first) - from) / d, first - 1
	}
	return math.Inf(1), first
}

// along gives the cell of a coordinate within first to first+n, not before the
// present one.
func along(now int, at, d float64, first, n int) int {
	switch {
	case d > 0:
		return min(max(int(math.Floor(at)), now), first+n-1)
	case d < 0:
		return max(min(int(math.Ceil(at))-1, now), first)
	}
	return now
}

// crosses reports whether the ray goes through the ground of a cell between t0
// and t1, where it enters and leaves the cell.
func (w *walk) crosses(c, r int, t0, t1 float64) bool {
	// The diagonal is u + v = 1.
	if d := w.dx + w.dz; d != 0 {
		if t := (float64(c+r+1) - w.x0 - w.z0) / d; t > t0 && t < t1 && w.below(c, r, t) != w.under {
			return true
		}
	}
	return w.below(c, r, t1) != w.under
}

// below reports whether the ray, within a cell, is below the ground.
func (w *walk) below(c, r int, t float64) bool {
	f := w.f
	u := min(max(w.x0+t*w.dx-float64(c), 0), 1)
	v := min(max(w.z0+t*w.dz-float64(r), 0), 1)
	hb, hc := float64(f.Sample(c+1, r)), float64(f.Sample(c, r+1))
	var h float64
	if u+v <= 1 {
		ha := float64(f.Sample(c, r))
		h = ha + (hb-ha)*u + (hc-ha)*v
	} else {
		hd := float64(f.Sample(c+1, r+1))
		h = hd + (hc-hd)*(1-u) + (hb-hd)*(1-v)
	}
	return h > w.y0+t*w.rise
}
