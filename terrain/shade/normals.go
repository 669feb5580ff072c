package shade

import (
	"image"
	"math"

	"ridgeline/terrain"
)

const side = terrain.TileSize

// window is a piece of a row of heights with a sample more on each side: column i
// is element i+1.
type window [side + 2]float32

// lane is one component of a row of normals.
type lane [side]float32

// Normals8 writes the normals of the samples of rect, row by row, three bytes
// each: x, y, z with −1–1 as 0–255, for a normalised RGB8 texture. rect must lie
// within the field's Bounds and dst hold 3·rect.Dx()·rect.Dy() bytes.
func Normals8(dst []uint8, f *terrain.Field, rect image.Rectangle) {
	r := normalRows{f: f, rect: rect}
	for r.next() {
		at := 3 * ((r.row-rect.Min.Y)*rect.Dx() + r.col - rect.Min.X)
		pack8(dst[at:at+3*r.n], &r.x, &r.y, &r.z, r.n)
	}
}

// NormalsXZ writes the x and z of the normals of the samples of rect, row by row,
// two values each, −1–1 as −32767–32767, for a signed normalised RG16 texture; y
// is √(1 − x² − z²). rect must lie within the field's Bounds and dst hold
// 2·rect.Dx()·rect.Dy() values.
func NormalsXZ(dst []int16, f *terrain.Field, rect image.Rectangle) {
	r := normalRows{f: f, rect: rect}
	for r.next() {
		at := 2 * ((r.row-rect.Min.Y)*rect.Dx() + r.col - rect.Min.X)
		packXZ(dst[at:at+2*r.n], &r.x, &r.z, r.n)
	}
}

// normalRows computes the normals of rect in strips of up to 64 columns, from left
// to right, each from top to bottom. Strips end where tiles do, so that a row is
// read from at most three.
type normalRows struct {
	f    *terrain.Field
	rect image.Rectangle

	x, y, z lane // the normals of n samples from (col, row) on
	col, n  int
	row     int

	rows               [3]window
	above, here, below uint8 // which of rows, by their place to row
}

// next goes to the next row; false when there is none.
func (r *normalRows) next() bool {
	cols, rows := r.f.Size()
	if r.n > 0 && r.row+1 < r.rect.Max.Y {
		r.row++
		r.above, r.here, r.below = r.here, r.below, r.above
	} else {
		r.col = max(r.col+r.n, r.rect.Min.X)
		if r.rect.Empty() || r.col >= r.rect.Max.X {
			return false
		}
		r.n = min((r.col/side+1)*side, r.rect.Max.X) - r.col
		r.row = r.rect.Min.Y
		r.above, r.here, r.below = 0, 1, 2
		r.read(&r.rows[r.here], r.row)
		if r.row > 0 {
			r.read(&r.rows[r.above], r.row-1)
		}
	}
	// At the rim the difference is one-sided, over half the distance.
	kx := float32(1 / (2 * r.f.Spacing()))
	kz := kx
	up, here, down := &r.rows[r.above], &r.rows[r.here], &r.rows[r.below]
	if r.row+1 < rows {
		r.read(down, r.row+1)
	} else {
		down, kz = here, 2*kx
	}
	if r.row == 0 {
		up, kz = here, 2*kx
	}
	normals(&r.x, &r.y, &r.z, up, here, down, r.n, kx, kz)
	if r.col == 0 {
		r.rim(0, up, here, down, kx, kz)
	}
	if r.col+r.n == cols {
		r.rim(r.n-1, up, here, down, kx, kz)
	}
	return true
}

// read copies the heights of the strip in a row, with a column on each side where
// there is one.
func (r *normalRows) read(w *window, row int) {
	cols, _ := r.f.Size()
	from, to := max(r.col-1, 0), min(r.col+r.n+1, cols)
	r.f.CopyHeights(w[from-r.col+1:], 0, image.Rect(from, row, to, row+1))
}

// rim computes the normal of a column that has a neighbour on one side only.
func (r *normalRows) rim(i int, above, here, below *window, kx, kz float32) {
	b := *here
	if r.col+i == 0 {
		b[i] = b[i+1]
	} else {
		b[i+2] = b[i+1]
	}
	normalsScalar(&r.x, &r.y, &r.z, above, &b, below, i, i+1, 2*kx, kz)
}

// normalsScalar computes the normals from first to n; kx and kz turn the differences
// of heights into slopes.
func normalsScalar(x, y, z *lane, above, here, below *window, first, n int, kx, kz float32) {
	for i := first; i < n; i++ {
		dx := float32(here[i+2]-here[i]) * kx
		dz := float32(below[i+1]-above[i+1]) * kz
		s := 1 / float32(math.Sqrt(float64(float32(dx*dx)+float32(dz*dz)+1)))
		x[i], y[i], z[i] = float32(-dx*s), s, float32(-dz*s)
	}
}

// pack8Scalar writes the normals from first to n as bytes.
func pack8Scalar(dst []uint8, x, y, z *lane, first, n int) {
	for i := first; i < n; i++ {
		dst[3*i] = unorm(x[i])
		dst[3*i+1] = unorm(y[i])
		dst[3*i+2] = unorm(z[i])
	}
}

// packXZScalar writes x and z of the normals from first to n.
func packXZScalar(dst []int16, x, z *lane, first, n int) {
	for i := first; i < n; i++ {
		dst[2*i], dst[2*i+1] = snorm(x[i]), snorm(z[i])
	}
}

func snorm(v float32) int16 { return int16(int32(float32(v*32767)+32768.5) - 32768) }

func unorm(v float32) uint8 { return uint8(min(int32(float32(v*127.5)+128), 255)) }
