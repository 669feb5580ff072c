//go:build goexperiment.simd && amd64

package terrain

import (
	"math"
	"math/bits"
	"simd/archsimd"
)

// wide is the wide line that holds the rays of a pack: over the place q along x, or
// along z, the rays lie between lo and hi on the other of the two, and no lower than
// y. The least of several straight lines lies above, and the greatest below, a
// straight line through its ends, so three lines do.
type wide struct {
	alongZ bool
	rising bool

	// The lines, as q·slope + at.
	lo, loSlope, hi, hiSlope, y, ySlope float32

	// The rays, one a lane, as the kernel sees them, and the sides of a cell through
	// which they enter and leave it.
	x, ix, z, iz, low, slope, from lanes
	nearX, farX, nearZ, farZ       float32
}

// The rays of a pack go together while at their start they are within joinWidth
// cells, and drift apart by less than joinDrift cells a cell. Along the axis that is
// chosen, none may be slower than joinSlow of the other one.
const (
	joinWidth = 6
	joinDrift = 0.2
	joinSlow  = 0.25
)

// join reports whether the live rays can go together, and makes their wide line.
func (p *pack) join(f *Field) bool {
	if !(archsimd.X86.AVX2() && archsimd.X86.FMA()) {
		return false
	}
	first := &p.trips[bits.TrailingZeros8(p.live)]
	slowX, slowZ := 1.0, 1.0
	for m := p.live; m != 0; m &= m - 1 {
		t := &p.trips[bits.TrailingZeros8(m)]
		if t.careful || t.nearX != first.nearX || t.nearZ != first.nearZ || t.dy > 0 != (first.dy > 0) {
			return false
		}
		slowX, slowZ = min(slowX, math.Abs(t.dx)), min(slowZ, math.Abs(t.dz))
	}
	p.alongZ = slowZ > slowX
	if max(slowX, slowZ) < joinSlow {
		return false
	}
	p.order = orderOf(first.nearX, first.nearZ)
	return p.widen(&f.extent)
}

// edge is where the outermost rays are at some q.
type edge struct{ lo, hi, y float64 }

// hold makes the edge hold a ray.
func (e *edge) hold(side, y float64) {
	if side < e.lo {
		e.lo = side
	}
	if side > e.hi {
		e.hi = side
	}
	if y < e.y {
		e.y = y
	}
}

// widen makes the wide line; ok is false when it is too wide.
func (p *pack) widen(e *extent) (ok bool) {
	first := &p.trips[bits.TrailingZeros8(p.live)]
	rim, down := e.width, first.nearX != 0
	if p.alongZ {
		rim, down = e.depth, first.nearZ != 0
	}
	// From where the first ray enters to the rim towards which they go.
	q0, q1 := rim, rim
	if down {
		q0, q1 = 0, 0
	}
	for m := p.live; m != 0; m &= m - 1 {
		i := bits.TrailingZeros8(m)
		t := &p.trips[i]
		p.take(i, t, e)
		q := t.px
		if p.alongZ {
			q = t.pz
		}
		if q < q0 != down {
			q0 = q
		}
	}
	if math.Abs(q1-q0) < 1 {
		return false
	}
	var ends [2]edge
	for k, q := range [2]float64{q0, q1} {
		end := edge{math.Inf(1), math.Inf(-1), math.Inf(1)}
		for m := p.live; m != 0; m &= m - 1 {
			t := &p.trips[bits.TrailingZeros8(m)]
			if p.alongZ {
				s := (q - t.pz) * t.iz
				end.hold(t.px+s*t.dx, t.py+s*t.dy)
			} else {
				s := (q - t.px) * t.ix
				end.hold(t.pz+s*t.dz, t.py+s*t.dy)
			}
		}
		ends[k] = end
	}
	near, far := &ends[0], &ends[1]
	per := 1 / (q1 - q0)
	if near.hi-near.lo > joinWidth || (far.hi-far.lo-near.hi+near.lo)*math.Abs(per) > joinDrift {
		return false
	}
	pad := e.size * 0x1p-17
	off := (math.Abs(near.y) + math.Abs((far.y-near.y)*per)*e.size*2) * 0x1p-21
	line := func(y0, y1, off float64) (at, slope float32) {
		m := (y1 - y0) * per
		return float32(y0 - q0*m + off), float32(m)
	}
	p.lo, p.loSlope = line(near.lo, far.lo, -pad)
	p.hi, p.hiSlope = line(near.hi, far.hi, pad)
	p.y, p.ySlope = line(near.y, far.y, -off)
	return true
}

// take puts ray i into its lane.
func (p *pack) take(i int, t *trip, e *extent) {
	p.x[i], p.ix[i] = float32(-t.px*t.ix), float32(t.ix)
	p.z[i], p.iz[i] = float32(-t.pz*t.iz), float32(t.iz)
	p.low[i], p.slope[i] = t.lowest(false)
	p.from[i] = -e.pad
	p.rising = t.dy > 0
	p.nearX, p.farX, p.nearZ, p.farZ = -e.pad, 1+e.pad, -e.pad, 1+e.pad
	if t.nearX != 0 {
		p.nearX, p.farX = p.farX, p.nearX
	}
	if t.nearZ != 0 {
		p.nearZ, p.farZ = p.farZ, p.nearZ
	}
}

// node looks below a node of the given level, whose first cell is (x0, z0).
func (p *pack) node(n *node, level, x0, z0 int) {
	shift := 3 * (level + 1)
	mask := p.of(p.children(float32(x0), float32(z0), float32(int(1)<<shift), &n.high))
	for mask != 0 && p.live != 0 {
		var i int
		i, mask = p.first(mask)
		x, z := x0+i%fan<<shift, z0+i/fan<<shift
		if level > 1 {
			p.node(n.nodes[i], level-1, x, z)
		} else {
			p.chunk(n.chunks[i], x, z)
		}
	}
}

// chunk looks at the blocks of a chunk.
func (p *pack) chunk(c *Chunk, x0, z0 int) {
	var high [fan * fan]float32
	mask := p.of(p.children(float32(x0), float32(z0), blockSize, &c.blocks.high))
	for mask != 0 && p.live != 0 {
		var i int
		i, mask = p.first(mask)
		lx, lz := i%fan*blockSize, i/fan*blockSize
		at := lz*TileSize + lx
		h, last := c.heights[0], c.heights[0]
		end := at + blockSize*TileSize
		if end >= tileArea {
			last, end = c.heights[2], lx
		}
		if lx == TileSize-blockSize {
			seamHighs(&high, (*seamRows)(h[at:]), (*seamRow)(last[end:]), c.blocks.high[i])
		} else {
			cellHighs(&high, (*blockRows)(h[at:]), (*blockRow)(last[end:]))
		}
		cells := p.of(p.children(float32(x0+lx), float32(z0+lz), 1, &high))
		for cells != 0 && p.live != 0 {
			var i int
			i, cells = p.first(cells)
			p.cell(c, x0, z0, lx+i%fan, lz+i/fan, high[i])
		}
	}
}

// cell has the rays that pass a cell lower than high look at it.
func (p *pack) cell(c *Chunk, x0, z0, lx, lz int, high float32) {
	x, z := float32(x0+lx), float32(z0+lz)
	for m := p.over(x+p.nearX, x+p.farX, z+p.nearZ, z+p.farZ, high) & p.live; m != 0; m &= m - 1 {
		i := bits.TrailingZeros8(m)
		if p.trips[i].cell(c, x0, z0, lx, lz) {
			p.hits |= 1 << i
			p.live &^= 1 << i
		}
	}
}

// over gives the rays that pass the cell between these sides lower than high.
func (w *wide) over(nearX, farX, nearZ, farZ, high float32) uint8 {
	xn, xf, zn, zf, top := spread(nearX), spread(farX), spread(nearZ), spread(farZ), spread(high)
	x, ix, z, iz := get(&w.x), get(&w.ix), get(&w.z), get(&w.iz)
	in := xn.MulAdd(ix, x).Max(zn.MulAdd(iz, z)).Max(get(&w.from))
	out := xf.MulAdd(ix, x).Min(zf.MulAdd(iz, z))
	lowest := out
	if w.rising {
		lowest = in
	}
	mask := in.LessEqual(out).And(lowest.MulAdd(get(&w.slope), get(&w.low)).LessEqual(top)).ToBits()
	archsimd.ClearAVXUpperBits()
	return mask
}

// each[j] takes lane j to all lanes.
var each = func() (each [fan][fan]uint32) {
	for j := range each {
		for i := range each[j] {
			each[j][i] = uint32(j)
		}
	}
	return each
}()

// children gives the children that the wide line passes lower than their high.
func (w *wide) children(x0, z0, size float32, high *[fan * fan]float32) (mask uint64) {
	s, x, z := spread(size), spread(x0), spread(z0)
	loAt, loSlope := spread(w.lo), spread(w.loSlope)
	hiAt, hiSlope := spread(w.hi), spread(w.hiSlope)
	yAt, ySlope := spread(w.y), spread(w.ySlope)
	count := get(&numbers[0])
	xs, zs := count.MulAdd(s, x), count.MulAdd(s, z) // lower sides of the columns and rows
	q := xs
	if w.alongZ {
		q = zs
	}
	end := q.Add(s)
	lo := q.MulAdd(loSlope, loAt).Min(end.MulAdd(loSlope, loAt))
	hi := q.MulAdd(hiSlope, hiAt).Max(end.MulAdd(hiSlope, hiAt))
	y := q.MulAdd(ySlope, yAt).Min(end.MulAdd(ySlope, yAt))
	if w.alongZ {
		xe := xs.Add(s)
		for j := range fan {
			k := archsimd.LoadUint32x8(&each[j])
			in := lo.Permute(k).LessEqual(xe).And(hi.Permute(k).GreaterEqual(xs))
			mask |= uint64(in.And(y.Permute(k).LessEqual(row8(high[j*fan:j*fan+fan]))).ToBits()) << (j * fan)
		}
	} else {
		row := z
		for j := range fan {
			next := row.Add(s)
			in := lo.LessEqual(next).And(hi.GreaterEqual(row))
			mask |= uint64(in.And(y.LessEqual(row8(high[j*fan:j*fan+fan]))).ToBits()) << (j * fan)
			row = next
		}
	}
	archsimd.ClearAVXUpperBits()
	return mask
}

// cellHighs gives the greatest heights of the cells of a block.
func cellHighs(high *[fan * fan]float32, h *blockRows, last *blockRow) {
	top := row8(h[0:]).Max(row8(h[1:]))
	for j := range fan - 1 {
		r := h[(j+1)*TileSize : (j+1)*TileSize+9]
		bottom := row8(r[0:]).Max(row8(r[1:]))
		top.Max(bottom).Store((*lanes)(high[j*fan:]))
		top = bottom
	}
	top.Max(row8(last[0:]).Max(row8(last[1:]))).Store((*lanes)(high[fan*fan-fan:]))
	archsimd.ClearAVXUpperBits()
}

// seamHighs is cellHighs for a seam block, whose last cells it takes to reach up to
// most.
func seamHighs(high *[fan * fan]float32, h *seamRows, last *seamRow, most float32) {
	lastHigh := spread(most).Add(get(&lastLane))
	left := archsimd.LoadUint32x8(&toLeft)
	top := shifted(row8(h[0:]), left)
	for j := range fan - 1 {
		bottom := shifted(row8(h[(j+1)*TileSize:(j+1)*TileSize+8]), left)
		top.Max(bottom).Max(lastHigh).Store((*lanes)(high[j*fan:]))
		top = bottom
	}
	top.Max(shifted(row8(last[:]), left)).Max(lastHigh).Store((*lanes)(high[fan*fan-fan:]))
	archsimd.ClearAVXUpperBits()
}
