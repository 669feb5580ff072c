package scanline

import (
	"math"

	"ridgeline/occluders/geom"
)

// Hidden reports whether no point of the box that is on the picture can be seen past
// the occluders. It is false for a box that is off the picture, reaches nearer than
// the near plane or is empty, and whenever it is not certain.
func (b *Buffer) Hidden(box geom.Box) bool {
	r, ok := b.rectOf(&box)
	return ok && b.covers(&r)
}

// AppendHidden appends for each box whether it is Hidden. It is faster than asking one
// by one, and may miss a box that is hidden by a hair.
func (b *Buffer) AppendHidden(dst []bool, boxes []geom.Box) []bool {
	return b.appendHidden(dst, boxes)
}

// appendScalar is AppendHidden without vectors.
func (b *Buffer) appendScalar(dst []bool, boxes []geom.Box) []bool {
	for i := range boxes {
		r, ok := b.rectOf(&boxes[i])
		dst = append(dst, ok && b.covers(&r))
	}
	return dst
}

// rectOf gives the rectangle around a box on the picture; ok is false when the box
// cannot be hidden.
func (b *Buffer) rectOf(box *geom.Box) (r rect, ok bool) {
	v := &b.view
	if !b.done || len(b.surfaces) == 0 || box.IsEmpty() {
		return r, false
	}
	lo, hi := box.Min.Sub(v.eye), box.Max.Sub(v.eye)
	// Each of x, y and w is a sum of a term for each axis.
	var xs, ys, ws [3][2]float64
	for a := range 3 {
		xs[a] = [2]float64{v.x[a] * lo[a], v.x[a] * hi[a]}
		ys[a] = [2]float64{v.y[a] * lo[a], v.y[a] * hi[a]}
		ws[a] = [2]float64{v.w[a] * lo[a], v.w[a] * hi[a]}
	}
	least := min(ws[0][0], ws[0][1]) + min(ws[1][0], ws[1][1]) + min(ws[2][0], ws[2][1])
	reach := max(math.Abs(lo[0]), math.Abs(hi[0])) + max(math.Abs(lo[1]), math.Abs(hi[1])) + max(math.Abs(lo[2]), math.Abs(hi[2]))
	least -= reach * 0x1p-48 * (math.Abs(v.w[0]) + math.Abs(v.w[1]) + math.Abs(v.w[2]))
	if !(least >= v.near) {
		return r, false
	}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range 8 {
		ix, iy, iz := i&1, i>>1&1, i>>2
		x := xs[0][ix] + xs[1][iy] + xs[2][iz]
		y := ys[0][ix] + ys[1][iy] + ys[2][iz]
		if v.ortho {
			x, y = x+v.xt, y+v.yt
		} else {
			s := 1 / (ws[0][ix] + ws[1][iy] + ws[2][iz])
			x, y = x*s, y*s
		}
		x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
	}
	e := v.err(reach, least) + b.slack
	if b.MinOccludee > 0 && (x1-x0)*(y1-y0) < b.MinOccludee {
		return r, false
	}
	return b.clamp(x0-e, x1+e, y0-e, y1+e, v.depth(least))
}

// covers reports whether the rectangle is hidden: by the grid, or where that does not
// tell by the spans.
func (b *Buffer) covers(r *rect) bool {
	g := &b.grid
	if r.from < g.first || r.to >= g.last {
		return false
	}
	c0, c1 := g.column(r.x0-0x1p-20), g.column(r.x1+0x1p-20)
	depth := above(r.depth)
	for k := r.from; k <= r.to; k++ {
		lo, hi := g.row(k)
		lo, hi = lo[c0:c1+1], hi[c0:c1+1]
		for c := range lo {
			if lo[c] >= depth {
				continue
			}
			if hi[c] < depth {
				return false
			}
			if !rowHides(b.main.rows[k], r.x0, r.x1, r.depth) {
				return false
			}
			break
		}
	}
	return true
}
