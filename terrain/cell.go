package terrain

import (
	"math"

	"ridgeline/occluders/geom"
)

// corners gives the samples of a cell, by its place in the chunk.
func (c *Chunk) corners(x, z int) (ha, hb, hc, hd float32) {
	at := func(x, z int) float32 {
		return c.heights[x/TileSize+z/TileSize*2][z%TileSize*TileSize+x%TileSize]
	}
	return at(x, z), at(x+1, z), at(x, z+1), at(x+1, z+1)
}

// hole reports whether a cell of the chunk is open.
func (c *Chunk) hole(x, z int) bool {
	return c.Holes && c.flags[(z*TileSize+x)%tileArea]&Hole != 0
}

// cell follows the ray over the two triangles of the cell at (lx, lz) of the chunk
// whose first cell is (x0, z0), and reports whether it hits one.
//
// The ray is known to be on one side of the ground, and each triangle is asked only
// whether the ray leaves it on the other side, or not farther from it than rounding
// explains. So there is no gap between triangles or cells to slip through: what one
// does not see, the next one must. Over a triangle the height of the ray above its
// plane is linear, a + b·s.
//
// A ray along a row of samples is over the cells on either side of it, which the tree
// gives one row after the other. Then each cell finds out itself on which side of the
// ground the ray comes in, and the nearest hit of all counts.
func (w *trip) cell(ch *Chunk, x0, z0, lx, lz int) bool {
	c, r := x0+lx, z0+lz
	if c >= w.cols || r >= w.rows {
		return false
	}
	if ch.hole(lx, lz) {
		w.side = 0 // through it, it may go to the other side
		return false
	}
	var ha, hb, hc, hd float32
	if lx == TileSize-1 || lz == TileSize-1 {
		ha, hb, hc, hd = ch.corners(lx, lz)
	} else {
		h := (*[TileSize + 2]float32)(ch.heights[0][lz*TileSize+lx:])
		ha, hb, hc, hd = h[0], h[1], h[TileSize], h[TileSize+1]
	}

	// From where to where the ray is over the cell.
	u, v := w.px-float64(c), w.pz-float64(r)
	in, out := -u*w.ix, (1-u)*w.ix
	if w.nearX != 0 {
		in, out = out, in
	}
	inZ, outZ := -v*w.iz, (1-v)*w.iz
	if w.nearZ != 0 {
		inZ, outZ = outZ, inZ
	}
	in, out = max(in-w.bx, inZ-w.bz), min(out+w.bx, outZ+w.bz)
	if in < 0 {
		in = 0
	}
	if out > w.end {
		out = w.end
	}
	if !(in <= out) {
		return false
	}

	// Turned so that the ray meets (h0, h1, h2) first, then (h1, h2, h3).
	h0, h1, h2, h3 := float64(ha), float64(hb), float64(hc), float64(hd)
	if w.turned {
		h0, h1, h2, h3 = h3, h2, h1, h0
		u, v = 1-u, 1-v
	}
	gx, gz := h1-h0, h2-h0
	a, b := w.py-(h0+gx*u+gz*v), w.dy-(gx*w.mx+gz*w.mz)
	off := w.offY + w.offG*(math.Abs(gx)+math.Abs(gz))
	cut := (1 - u - v) * w.across // the diagonal
	end := out
	if cut < out {
		end = cut
	}
	if cut > in {
		if (w.side == 0 || w.careful) && w.enter(a+b*in, off) {
			return w.found(in, gx, gz, c, r)
		}
		if w.leaves(a+b*end, off) {
			return w.found(within(-a/b, in, end), gx, gz, c, r)
		}
		if cut >= out {
			return false
		}
		in = cut
	}
	gx, gz = h3-h2, h3-h1
	a, b = w.py-(h3-gx*(1-u)-gz*(1-v)), w.dy-(gx*w.mx+gz*w.mz)
	off = w.offY + w.offG*(math.Abs(gx)+math.Abs(gz))
	if (w.side == 0 || w.careful) && w.enter(a+b*in, off) {
		return w.found(in, gx, gz, c, r)
	}
	if w.leaves(a+b*out, off) {
		return w.found(within(-a/b, in, out), gx, gz, c, r)
	}
	return false
}

// enter finds the side of the ground on which the ray, y above it, comes in, and
// reports whether it touches it.
func (w *trip) enter(y, off float64) bool {
	w.side = 1
	if y < 0 {
		w.side, y = -1, -y
	}
	return y <= off
}

// leaves reports whether the ray, y above the ground, has left the side from which it
// came.
func (w *trip) leaves(y, off float64) bool {
	if w.side < 0 {
		return -y <= off
	}
	return y <= off
}

// within is s, or the nearer of in and out.
func within(s, in, out float64) float64 {
	if !(s >= in) {
		return in
	}
	if s > out {
		return out
	}
	return s
}

// found notes a hit at s on a triangle of cell (c, r) with the given slope, and
// reports whether no other can be nearer.
func (w *trip) found(s, gx, gz float64, c, r int) bool {
	if w.turned {
		gx, gz = -gx, -gz
	}
	w.hit, w.gx, w.gz, w.col, w.row = s, gx, gz, c, r
	if w.careful {
		w.any, w.end = true, s
	}
	return !w.careful
}

// drop is cast for a vertical ray. A ray down an edge meets the ground when one of
// the cells there is not a hole.
func (w *trip) drop(f *Field, ray *geom.Ray, tMax float64) bool {
	x, z := (ray.Origin[0]-f.origin[0])/f.spacing, (ray.Origin[2]-f.origin[1])/f.spacing
	width, depth := float64(f.cols-1), float64(f.rows-1)
	off := (width + depth) * rounding
	if !(x >= -off && z >= -off && x <= width+off && z <= depth+off && math.Abs(ray.Origin[1]) <= farthest) {
		return false
	}
	w.unit, w.spacing = 1, f.spacing
	best := math.Inf(1)
	cells := func(p float64, n int) (first, last int) {
		return max(int(math.Floor(p-off)), 0), min(int(p+off), n-2)
	}
	c0, c1 := cells(x, f.cols)
	r0, r1 := cells(z, f.rows)
	for r := min(r0, r1); r <= r1; r++ {
		for c := min(c0, c1); c <= c1; c++ {
			ch := f.chunks[r/TileSize][c/TileSize]
			if ch.hole(c%TileSize, r%TileSize) {
				continue
			}
			a, b, cc, d := ch.corners(c%TileSize, r%TileSize)
			ha, hb, hc, hd := float64(a), float64(b), float64(cc), float64(d)
			u, v := x-float64(c), z-float64(r)
			gx, gz, y := hb-ha, hc-ha, 0.0
			if u+v <= 1 {
				y = ha + gx*u + gz*v
			} else {
				gx, gz = hd-hc, hd-hb
				y = hd - gx*(1-u) - gz*(1-v)
			}
			t := (y - ray.Origin[1]) / ray.Dir[1]
			slack := (math.Abs(y) + math.Abs(ray.Origin[1]) + (math.Abs(gx)+math.Abs(gz))*(width+depth)) * rounding
			if t < 0 && -t <= slack/math.Abs(ray.Dir[1]) {
				t = 0 // it begins on the ground
			}
			if t >= 0 && t <= tMax && t < best {
				best = t
				w.found(t, gx, gz, c, r)
			}
		}
	}
	return !math.IsInf(best, 1)
}
