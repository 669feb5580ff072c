package terrain

import (
	"math"
	"math/bits"

	"ridgeline/occluders/geom"
)

// walker carries one ray down the tree. It measures along x and z in cells from
// sample (0, 0), along y in metres, and along the ray by s, which grows by 1 a cell
// along the one of x and z that the ray crosses faster. Its origin is where the ray
// enters the field.
//
// A node of the tree has 8×8 children, and all are tested at once (kernel): a child
// remains when the ray passes over it, not always higher than its ground. The bits
// of the children that remain are then met in the order of the ray. Of a block's
// 8×8 cells the bounds are not stored: the kernel takes them from the samples.
type walker struct {
	px, py, pz float64 // where the ray enters the field
	dx, dy, dz float64 // by s
	ix, iz     float64 // 1/dx and 1/dz, or ±parallel
	bx, bz     float64 // how much further it is over a cell for rounding, by s
	mx, mz     float64 // dx and dz, both with their signs changed when turned
	across     float64 // 1/(mx+mz), never negative
	end        float64 // the s where the ray ends
	base, unit float64 // T = (base + s)·unit
	offY, offG float64 // rounding of the ray's height over a plane: metres, and by its slope
	spacing    float64

	cols, rows   int  // of cells
	nearX, nearZ int  // 0 or 1: the side through which the ray enters a cell
	back         bool // towards smaller columns
	swap         bool // along one of x and z up, along the other down
	flip         int  // what swap makes of a child's number
	turned       bool // the ray meets the triangle (b, c, d) before (a, c, b)
	scalar       bool // the kernel must not use vectors
	under        bool // the kernel asks for a ray below the ground
	side         int8 // 1 above the ground, -1 below it, 0 not known yet
	careful      bool // cells may come out of order, so each decides on its own
	any          bool // careful found a hit

	// The hit, at s, and the slope of the triangle in metres a cell.
	hit      float64
	gx, gz   float64
	col, row int

	k kernel
}

// parallel is 1/dx for a ray along z: great, but not so that float32 overflows when
// the field's size multiplies it.
const parallel = 1e30

// rounding is what float64 may add up to on the way from a ray to its height over a
// triangle, as a part of the numbers involved.
const rounding = 0x1p-50

// farthest bounds the coordinates of what is taken for a ray: float32 must not
// overflow.
const farthest = 1e30

// Along x and z a direction is taken for 0, when it comes to which cells the ray
// passes, below these parts of the greater of the two: leastAcross is what rounding
// leaves of 0, as in the cosine of a right angle, and leastAlong what it makes of it
// in the turning of a vector. A ray that begins on a row or column of samples runs
// along it then, and along the rim does not leave the field. A ray of which less than
// leastSlant is not up or down is vertical.
const (
	leastAcross = 0x1p-50
	leastAlong  = 1e-12
	leastSlant  = 1e-18
)

// cast looks for the first hit up to tMax and reports whether there is one.
func (w *walker) cast(f *Field, ray *geom.Ray, tMax float64) bool {
	dy := math.Abs(ray.Dir[1])
	m := max(math.Abs(ray.Dir[0]), math.Abs(ray.Dir[2]))
	if !(tMax >= 0) {
		return false
	}
	if big := max(m, dy); !(big >= 1e-100 && big <= 1e100) {
		return w.castScaled(f, ray, tMax, big)
	}
	if m <= leastSlant*dy {
		return w.drop(f, ray, tMax)
	}
	return w.begin(f, ray, tMax) &&
		(w.node(f.root, f.depth, 0, 0, float32(-w.px*w.ix), float32(-w.pz*w.iz)) || w.any)
}

// castScaled is cast for a direction whose squares might not be finite or not above
// 0. Scaling by a power of two changes nothing else.
func (w *walker) castScaled(f *Field, ray *geom.Ray, tMax, big float64) bool {
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

// begin takes a ray that is not vertical to where it enters the field; ok is false
// when it can be seen to miss.
func (w *walker) begin(f *Field, ray *geom.Ray, tMax float64) (ok bool) {
	ox, oy, oz := ray.Origin[0]-f.origin[0], ray.Origin[1], ray.Origin[2]-f.origin[1]
	dx, dy, dz := ray.Dir[0], ray.Dir[1], ray.Dir[2]
	if oy > f.highest && dy >= 0 || oy < f.lowest && dy <= 0 {
		return false
	}
	if f.inverse != 0 {
		ox, oz = ox*f.inverse, oz*f.inverse
	} else {
		ox, oz = ox/f.spacing, oz/f.spacing
	}
	mx, mz := math.Abs(dx), math.Abs(dz)
	m, ix, iz := mx, math.Copysign(1, dx), 0.0
	if mz > mx {
		m, ix, iz = mz, mz/dx, math.Copysign(1, dz)
	} else {
		iz = m / dz
	}
	per := 1 / m
	w.unit = f.spacing * per
	dx, dy, dz = dx*per, dy*w.unit, dz*per
	if mx < leastAlong*m && (mx < leastAcross*m || ox == math.Floor(ox)) {
		ix = parallel
	}
	if mz < leastAlong*m && (mz < leastAcross*m || oz == math.Floor(oz)) {
		iz = parallel
	}

	// Where it enters and leaves the field's rectangle.
	w.cols, w.rows = f.cols-1, f.rows-1
	width, depth := float64(w.cols), float64(w.rows)
	size := max(width, depth)
	reach := math.Abs(ox) + math.Abs(oz) + 2*size // in cells, of what is computed
	w.offG = reach * rounding
	w.bx, w.bz = math.Abs(ix)*w.offG, math.Abs(iz)*w.offG
	w.careful = max(w.bx, w.bz) > 1.0/16 // several cells on either side of a line
	enterX, leaveX := -ox*ix, (width-ox)*ix
	if ix < 0 {
		enterX, leaveX = leaveX, enterX
		w.nearX, w.back = 1, true
	}
	enterZ, leaveZ := -oz*iz, (depth-oz)*iz
	if iz < 0 {
		enterZ, leaveZ = leaveZ, enterZ
		w.nearZ = 1
	}
	if w.nearX != w.nearZ {
		w.swap, w.flip = true, fan*fan-fan
	}
	base, leave := max(0, enterX-w.bx, enterZ-w.bz), min(leaveX+w.bx, leaveZ+w.bz)
	w.end = math.Inf(1)
	if tMax < w.end {
		w.end = tMax / w.unit
		leave = min(leave, w.end)
		w.end -= base
	}
	if !(base <= leave) {
		return false
	}
	slope := math.Abs(dy)
	y0, y1 := oy+base*dy, oy+leave*dy
	w.offY = (math.Abs(oy) + slope*base + max(math.Abs(f.lowest), math.Abs(f.highest))) * rounding
	if off := (math.Abs(oy) + slope*leave) * rounding; min(y0, y1)-off > f.highest || max(y0, y1)+off < f.lowest {
		return false
	}

	w.px, w.py, w.pz = ox+base*dx, y0, oz+base*dz
	if !(math.Abs(w.px)+math.Abs(w.py)+math.Abs(w.pz) <= farthest) {
		return false
	}
	w.dx, w.dy, w.dz, w.ix, w.iz = dx, dy, dz, ix, iz
	w.base, w.spacing = base, f.spacing
	w.mx, w.mz = dx, dz
	if dx+dz < 0 {
		w.turned = true
		w.mx, w.mz = -dx, -dz
	}
	w.across = math.MaxFloat64
	if d := w.mx + w.mz; d > 0 {
		w.across = 1 / d
	}
	w.k.set(w, size)
	return true
}

// lowest gives the least height of the ray at a place that the kernel computes from
// its height at the origin, allowing for the rounding of float32; from below, the
// negative of the greatest.
func (w *walker) lowest(size float64) (low, slope float32) {
	y, d := w.py, w.dy
	if w.under {
		y, d = -y, -d
	}
	off := (math.Abs(y) + 2*size*math.Abs(d)) * 0x1p-22
	return float32(y - off), float32(d)
}

// setSide notes on which side of the ground the ray is, and has the kernel ask
// accordingly: that leaves out more, but never what might be hit.
func (w *walker) setSide(side int8) {
	w.side = side
	if under := side < 0; under != w.under {
		w.under = under
		w.k.turn(w, float64(max(w.cols, w.rows)))
	}
}

// bound is what the kernel compares a ray with.
func (w *walker) bound(b *bounds) *[fan * fan]float32 {
	if w.under {
		return &b.deep
	}
	return &b.high
}

// order turns a mask so that first can take the children one by one.
func (w *walker) order(mask uint64) uint64 {
	if w.swap {
		return bits.ReverseBytes64(mask)
	}
	return mask
}

// first gives the child of an ordered mask that the ray meets first, and the mask
// without it. Rows and columns are met in rising or falling order, so children are
// met in the order of their bits, from either end.
func (w *walker) first(mask uint64) (child int, rest uint64) {
	if w.back {
		i := 63 - bits.LeadingZeros64(mask)
		return (i ^ w.flip) & 63, mask &^ (1 << i)
	}
	return (bits.TrailingZeros64(mask) ^ w.flip) & 63, mask & (mask - 1)
}

// node looks below a node of the given level, whose first cell is (x0, z0) and whose
// sides there lie at sx and sz on the ray, and reports whether there is a hit.
func (w *walker) node(n *node, level, x0, z0 int, sx, sz float32) bool {
	var below sides
	shift := 3 * (level + 1)
	mask := w.order(w.k.children(sx, sz, float32(int(1)<<shift), w.bound(&n.bounds), &below))
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
	mask := w.order(w.k.children(sx, sz, blockSize, w.bound(&c.blocks), &below))
	for mask != 0 {
		var i int
		i, mask = w.first(mask)
		lx, lz := i%fan*blockSize, i/fan*blockSize
		cells := w.order(w.cells(c, i, lx, lz, below.x[i%fan], below.z[i/fan]))
		for cells != 0 {
			var i int
			i, cells = w.first(cells)
			if w.cell(c, x0, z0, lx+i%fan, lz+i/fan) {
				return true
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
