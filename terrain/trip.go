package terrain

import (
	"math"

	"ridgeline/occluders/geom"
)

// trip is the way of one ray over a field. It measures along x and z in cells from
// sample (0, 0), along y in metres, and along the ray by s, which grows by 1 a cell
// along the one of x and z that the ray crosses faster. Its origin is where the ray
// enters the field.
type trip struct {
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
	turned       bool // the ray meets the triangle (b, c, d) before (a, c, b)
	careful      bool // cells may come out of order, so each decides on its own
	any          bool // careful found a hit
	side         int8 // 1 above the ground, -1 below it, 0 not known yet

	// The hit, at s, and the slope of the triangle in metres a cell.
	hit      float64
	gx, gz   float64
	col, row int
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

// begin takes a ray that is not vertical to where it enters the field; ok is false
// when it can be seen to miss.
func (w *trip) begin(f *Field, ray *geom.Ray, tMax float64) (ok bool) {
	e := &f.extent
	ox, oy, oz := ray.Origin[0]-f.origin[0], ray.Origin[1], ray.Origin[2]-f.origin[1]
	dx, dy, dz := ray.Dir[0], ray.Dir[1], ray.Dir[2]
	if oy > e.highest && dy >= 0 || oy < e.lowest && dy <= 0 {
		return false
	}
	if e.inverse != 0 {
		ox, oz = ox*e.inverse, oz*e.inverse
	} else {
		ox, oz = ox/f.spacing, oz/f.spacing
	}
	mx, mz := math.Abs(dx), math.Abs(dz)
	m, ix, iz := mx, math.Copysign(1, dx), 0.0
	if mz > mx {
		m, ix, iz = mz, mz/dx, math.Copysign(1, dz)
		if mx < leastAlong*m && (mx < leastAcross*m || ox == math.Floor(ox)) {
			ix = parallel
		}
	} else {
		iz = m / dz
		if mz < leastAlong*m && (mz < leastAcross*m || oz == math.Floor(oz)) {
			iz = parallel
		}
	}
	per := 1 / m
	w.unit = f.spacing * per
	dx, dy, dz = dx*per, dy*w.unit, dz*per

	// Where it enters and leaves the field's rectangle, a little wider for rounding of
	// what is computed in cells.
	offG := (math.Abs(ox) + math.Abs(oz) + 2*e.size) * rounding
	bx, bz := math.Abs(ix)*offG, math.Abs(iz)*offG
	enterX, leaveX := -ox*ix, (e.width-ox)*ix
	if ix < 0 {
		enterX, leaveX = leaveX, enterX
		w.nearX = 1
	}
	enterZ, leaveZ := -oz*iz, (e.depth-oz)*iz
	if iz < 0 {
		enterZ, leaveZ = leaveZ, enterZ
		w.nearZ = 1
	}
	base, leave := 0.0, leaveX+bx
	if enterX -= bx; enterX > base {
		base = enterX
	}
	if enterZ -= bz; enterZ > base {
		base = enterZ
	}
	if leaveZ += bz; leaveZ < leave {
		leave = leaveZ
	}
	w.end = math.Inf(1)
	if tMax < w.end {
		w.end = tMax/w.unit - base
		leave = min(leave, base+w.end)
	}
	if !(base <= leave) {
		return false
	}
	tall := math.Abs(oy)
	y0, y1 := oy+base*dy, oy+leave*dy
	off := (tall + math.Abs(leave*dy)) * rounding
	if y0-off > e.highest && y1-off > e.highest || y0+off < e.lowest && y1+off < e.lowest {
		return false
	}

	w.offG, w.offY = offG, (tall+math.Abs(base*dy)+e.tallest)*rounding
	w.bx, w.bz = bx, bz
	w.careful = bx > 1.0/16 || bz > 1.0/16 // several cells on either side of a line
	w.cols, w.rows = f.cols-1, f.rows-1
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
	return true
}

// lowest gives the least height of the ray at a place that the kernel computes from
// its height at the origin, allowing for the rounding of float32; from under the
// ground, the negative of the greatest.
func (w *trip) lowest(under bool) (low, slope float32) {
	y, d := w.py, w.dy
	if under {
		y, d = -y, -d
	}
	off := (math.Abs(y) + 2*float64(max(w.cols, w.rows))*math.Abs(d)) * 0x1p-22
	return float32(y - off), float32(d)
}

// report tells of the hit that was found.
func (w *trip) report(hit *Hit, ray *geom.Ray) {
	t := (w.base + w.hit) * w.unit
	hit.T = t
	hit.Point[0] = ray.Origin[0] + t*ray.Dir[0]
	hit.Point[1] = ray.Origin[1] + t*ray.Dir[1]
	hit.Point[2] = ray.Origin[2] + t*ray.Dir[2]
	n := 1 / math.Sqrt(w.gx*w.gx+w.gz*w.gz+w.spacing*w.spacing)
	hit.Normal[0], hit.Normal[1], hit.Normal[2] = -w.gx*n, w.spacing*n, -w.gz*n
	hit.Col, hit.Row = w.col, w.row
}
