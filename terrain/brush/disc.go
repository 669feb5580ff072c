package brush

import (
	"image"
	"math"

	"ridgeline/terrain"
)

const side = terrain.TileSize

// disc is the ground under a dab, in samples.
type disc struct {
	x, z, r float64
	rect    image.Rectangle // the samples that may lie inside, clipped to the field
}

// reach is the rectangle of samples within the disc's square.
func (d *disc) reach(f *terrain.Field) image.Rectangle {
	cols, rows := f.Size()
	span := func(c float64, n int) (int, int) {
		return int(max(math.Ceil(c-d.r), 0)), int(min(math.Floor(c+d.r)+1, float64(n)))
	}
	x0, x1 := span(d.x, cols)
	z0, z1 := span(d.z, rows)
	if x0 >= x1 || z0 >= z1 {
		return image.Rectangle{}
	}
	return image.Rectangle{Min: image.Pt(x0, z0), Max: image.Pt(x1, z1)}
}

// touches reports whether a sample of the rectangle lies in the disc.
func (d *disc) touches(r image.Rectangle) bool {
	near := func(c float64, lo, hi int) float64 {
		return min(max(math.Round(c), float64(lo)), float64(hi-1)) - c
	}
	x, z := near(d.x, r.Min.X, r.Max.X), near(d.z, r.Min.Y, r.Max.Y)
	return x*x+z*z < d.r*d.r
}

// tiles is the rectangle of tiles that hold the disc's samples.
func (d *disc) tiles() image.Rectangle {
	return image.Rect(d.rect.Min.X/side, d.rect.Min.Y/side, (d.rect.Max.X-1)/side+1, (d.rect.Max.Y-1)/side+1)
}

// columns gives the samples of a row that may lie in the disc; outside it the
// falloff is 0, so a few too many do no harm.
func (d *disc) columns(row int) (from, to int) {
	z := float64(row) - d.z
	half := math.Sqrt(max(d.r*d.r-z*z, 0))
	return max(d.rect.Min.X, int(max(d.x-half, 0))), min(d.rect.Max.X, int(min(d.x+half+2, 1<<30)))
}

// run is a part of a tile's row.
type run struct {
	row      int     // in the tile
	from, to int     // columns in the tile
	v2       float32 // the square of the row's distance from the centre, in radii
}

// lanes is what kernels take at a time; runs are widened to it where the field
// allows.
const lanes = 8

// runs writes the runs of tile (tx, ty), which ends at limit columns, to buf.
func (d *disc) runs(buf *[side]run, sh *shape, tx, ty, limit int) []run {
	dst := buf[:0]
	y0, y1 := max(d.rect.Min.Y, ty*side), min(d.rect.Max.Y, (ty+1)*side)
	for y := y0; y < y1; y++ {
		from, to := d.columns(y)
		from, to = max(from-tx*side, 0)&^(lanes-1), min((to-tx*side+lanes-1)&^(lanes-1), limit)
		if from < to {
			dst = append(dst, run{y - ty*side, from, to, sh.square(float64(y) - d.z)})
		}
	}
	return dst
}

// shape is the falloff as the kernels use it.
type shape struct {
	inv  float32 // 1/radius, radius in samples
	edge float32 // 1/(1 − hardness²)
}

func shapeOf(b Brush, radius float64) shape {
	return shape{inv: float32(1 / radius), edge: float32(b.edge())}
}

func (sh *shape) square(v float64) float32 {
	u := float32(v) * sh.inv
	return u * u
}

// at is the falloff at u0+i samples from the centre along the row, with v2 as in
// run. Conversions keep the compiler from fusing operations, here and in the
// kernels.
func (sh *shape) at(u0 float32, i int, v2 float32) float32 {
	u := float32(float32(u0+float32(i)) * sh.inv)
	q := float32(u*u) + v2
	t := float32(1-q) * sh.edge
	if t < 0 {
		t = 0
	}
	if t > 1 {
		t = 1
	}
	return float32(t*t) * float32(3-float32(2*t))
}
