package terrain

import (
	"math"
	"math/bits"

	"ridgeline/occluders/geom"
)

// walker takes one ray down the tree.
//
// A node of the tree has 8×8 children, and all are tested at once (kernel): a child
// remains when the ray passes over it, not always higher than its ground. The bits
// of the children that remain are then met in the order of the ray. Of a block's
// 8×8 cells the bounds are not stored: the kernel takes them from the samples.
type walker struct {
	trip
	order
	scalar bool // the kernel must not use vectors
	under  bool // the kernel asks for a ray below the ground
	k      kernel
}

// order is that in which a ray meets the children of a node.
type order struct {
	back bool // towards smaller columns
	swap bool // along one of x and z up, along the other down
	flip int  // what swap makes of a child's number
}

func orderOf(nearX, nearZ int) (o order) {
	o.back = nearX != 0
	if nearX != nearZ {
		o.swap, o.flip = true, fan*fan-fan
	}
	return o
}

// of turns a mask so that first can take the children one by one.
func (o *order) of(mask uint64) uint64 {
	if o.swap {
		return bits.ReverseBytes64(mask)
	}
	return mask
}

// first gives the child of an ordered mask that the ray meets first, and the mask
// without it. Rows and columns are met in rising or falling order, so children are
// met in the order of their bits, from either end.
func (o *order) first(mask uint64) (child int, rest uint64) {
	if o.back {
		i := 63 - bits.LeadingZeros64(mask)
		return (i ^ o.flip) & 63, mask &^ (1 << i)
	}
	return (bits.TrailingZeros64(mask) ^ o.flip) & 63, mask & (mask - 1)
}

// cast looks for the first hit up to tMax and reports whether there is one.
func (w *walker) cast(f *Field, ray *geom.Ray, tMax float64) bool {
	m, dy, mz := math.Abs(ray.Dir[0]), math.Abs(ray.Dir[1]), math.Abs(ray.Dir[2])
	sum := m + dy + mz
	if mz > m {
		m = mz
	}
	switch {
	case !(tMax >= 0):
		return false
	case !(sum >= 1e-100 && sum <= 1e100):
		return w.castScaled(f, ray, tMax)
	case m <= leastSlant*dy:
		return w.drop(f, ray, tMax)
	}
	return w.begin(f, ray, tMax) && w.walk(f)
}

// castScaled is cast for a direction whose squares might not be finite or not above
// 0. Scaling by a power of two changes nothing else.
func (w *walker) castScaled(f *Field, ray *geom.Ray, tMax float64) bool {
	big := max(math.Abs(ray.Dir[0]), math.Abs(ray.Dir[1]), math.Abs(ray.Dir[2]))
	if !(big > 0 && big <= math.MaxFloat64) {
		return false
	}
	_, e := math.Frexp(big)
	scaled := *ray
	for i, d := range ray.Dir {
		scaled.Dir[i] = math.Ldexp(d, -e)
	}
	if !w.cast(f, &scaled, math.Ldexp(tMax, e)) {
		return false
	}
	w.unit = math.Ldexp(w.unit, -e)
	return true
}

// walk looks for the first hit of a ray that has begun.
func (w *walker) walk(f *Field) bool {
	w.order = orderOf(w.nearX, w.nearZ)
	w.k.set(w, &f.extent)
	return w.node(f.root, f.depth, 0, 0, float32(-w.px*w.ix), float32(-w.pz*w.iz)) || w.any
}

// turn has the kernel ask for the side of the ground on which the ray is: that leaves
// out more, but never what might be hit.
func (w *walker) turn() {
	w.under = w.side < 0
	w.k.turn(w)
}

// bound is what the kernel compares a ray with.
func (w *walker) bound(b *bounds) *[fan * fan]float32 {
	if w.under {
		return &b.deep
	}
	return &b.high
}

// node looks below a node of the given level, whose first cell is (x0, z0) and whose
// sides there lie at sx and sz on the ray, and reports whether there is a hit.
func (w *walker) node(n *node, level, x0, z0 int, sx, sz float32) bool {
	var below sides
	shift := 3 * (level + 1)
	mask := w.of(w.k.children(sx, sz, float32(int(1)<<shift), w.bound(&n.bounds), &below))
	for mask != 0 {
		var i int
		i, mask = w.first(mask)
		x, z := x0+i%fan<<shift, z0+i/fan<<shift
		if level > 1 {
			if w.node(n.nodes[i], level-1, x, z, below.x[i%fan], below.z[i/fan]) {
				return true
			}
		} else if w.chunk(n.chunks[i], x, z, below.x[i%fan], below.z[i/fan]) {
			return true
		}
	}
	return false
}

// chunk looks at the blocks of a chunk.
func (w *walker) chunk(c *Chunk, x0, z0 int, sx, sz float32) bool {
	var below sides
	mask := w.of(w.k.children(sx, sz, blockSize, w.bound(&c.blocks), &below))
	for mask != 0 {
		var i int
		i, mask = w.first(mask)
		lx, lz := i%fan*blockSize, i/fan*blockSize
		cells := w.of(w.cells(c, i, lx, lz, below.x[i%fan], below.z[i/fan]))
		for cells != 0 {
			var i int
			i, cells = w.first(cells)
			if w.cell(c, x0, z0, lx+i%fan, lz+i/fan) {
				return true
			}
			if w.side < 0 != w.under && !w.careful {
				w.turn()
			}
		}
	}
	return false
}

// cells gives the cells of block i of a chunk that the ray may meet.
func (w *walker) cells(c *Chunk, i, lx, lz int, sx, sz float32) uint64 {
	if w.under {
		var below sides
		return w.k.children(sx, sz, 1, &everywhere, &below)
	}
	// The last row of samples may lie in the tile below.
	at := lz*TileSize + lx
	h, last := c.heights[0], c.heights[0]
	end := at + blockSize*TileSize
	if end >= tileArea {
		last, end = c.heights[2], lx
	}
	if lx == TileSize-blockSize {
		return w.k.seam(sx, sz, (*seamRows)(h[at:]), (*seamRow)(last[end:]), c.blocks.high[i])
	}
	return w.k.cells(sx, sz, (*blockRows)(h[at:]), (*blockRow)(last[end:]))
}

// everywhere is a bound that keeps every child on the ray's way.
var everywhere = func() (b [fan * fan]float32) {
	for i := range b {
		b[i] = math.MaxFloat32
	}
	return b
}()
