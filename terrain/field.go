package terrain

import (
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"
)

// Field is an immutable height field. Copying the pointer is all it takes to
// keep one; any number of goroutines may read it.
type Field struct {
	cols, rows int
	spacing    float64
	origin     mgl64.Vec2 // world x and z of sample (0, 0)

	tiles   [][]Tile   // by tile row, then tile column
	chunks  [][]*Chunk // by chunk row, then chunk column
	pyramid []mip      // [0] stands on the chunks, halved until 1×1
	root    *node      // the tree that rays walk, over the chunks
	depth   int        // the number of its levels

	extent extent
}

// CheckSize tells why a field cannot have this size; nil when it can.
func CheckSize(cols, rows int) error {
	if cols < MinSize || rows < MinSize || cols > MaxSize || rows > MaxSize {
		return fmt.Errorf("a terrain of %d×%d samples is out of range, expected %d×%d to %d×%d",
			cols, rows, MinSize, MinSize, MaxSize, MaxSize)
	}
	return nil
}

// CheckSpacing tells why samples cannot be this many metres apart.
func CheckSpacing(spacing float64) error {
	if !(spacing >= MinSpacing && spacing <= MaxSpacing) {
		return fmt.Errorf("a sample spacing of %g m is out of range, expected %g to %g", spacing, MinSpacing, MaxSpacing)
	}
	return nil
}

// MaxOrigin bounds both coordinates of a field's first sample, in metres: there,
// float64 still tells two micrometres apart.
const MaxOrigin = 1e10

// CheckOrigin tells why the first sample cannot lie there.
func CheckOrigin(x, z float64) error {
	if !(math.Abs(x) <= MaxOrigin && math.Abs(z) <= MaxOrigin) {
		return fmt.Errorf("an origin of %g, %g m is out of range, expected -%g to %g", x, z, MaxOrigin, MaxOrigin)
	}
	return nil
}

// The range of sample spacings, in metres.
const (
	MinSpacing = 0.001
	MaxSpacing = 100_000.0
)

// MaxHeight bounds the size of a height, in metres. Beyond it float32 has steps
// that no level could use.
const MaxHeight = 1e6

// Flat is a field of cols×rows samples, spacing metres apart, all at height 0.
// Its origin is (0, 0).
func Flat(cols, rows int, spacing float64) (*Field, error) {
	if err := CheckSize(cols, rows); err != nil {
		return nil, err
	}
	if err := CheckSpacing(spacing); err != nil {
		return nil, err
	}
	f := &Field{cols: cols, rows: rows, spacing: spacing}
	tc, tr := f.TileGrid()
	f.tiles = make([][]Tile, tr)
	for y := range f.tiles {
		f.tiles[y] = make([]Tile, tc)
		for x := range f.tiles[y] {
			f.tiles[y][x] = blankTile
		}
	}
	f.buildPyramid(true)
	return f, nil
}

// FromTiles builds a field whose tiles tile gives; it is called once for each
// tile of the grid, from several goroutines. Heights must be finite: the first
// that is not, or exceeds MaxHeight, is an error naming its sample.
func FromTiles(cols, rows int, spacing float64, tile func(tx, ty int) Tile) (*Field, error) {
	f, err := Flat(cols, rows, spacing)
	if err != nil {
		return nil, err
	}
	parallelRows(len(f.tiles), func(y int) {
		for x := range f.tiles[y] {
			f.tiles[y][x] = tile(x, y)
		}
	})
	if err := f.checkHeights(); err != nil {
		return nil, err
	}
	f.buildPyramid(false)
	return f, nil
}

// FromHeights builds a field from cols×rows heights in metres, row by row. The
// slice is copied.
func FromHeights(cols, rows int, spacing float64, heights []float32) (*Field, error) {
	if err := CheckSize(cols, rows); err != nil {
		return nil, err
	}
	if len(heights) != cols*rows {
		return nil, fmt.Errorf("%d heights for a terrain of %d×%d samples, expected %d", len(heights), cols, rows, cols*rows)
	}
	return FromTiles(cols, rows, spacing, func(tx, ty int) Tile {
		t := blankTile
		t.Heights = new(Heights)
		w := min(TileSize, cols-tx*TileSize)
		for r := range min(TileSize, rows-ty*TileSize) {
			from := (ty*TileSize+r)*cols + tx*TileSize
			copy(t.Heights[r*TileSize:r*TileSize+w], heights[from:from+w])
		}
		return t
	})
}

func (f *Field) checkHeights() error {
	bad := make([]image.Point, len(f.tiles))
	parallelRows(len(f.tiles), func(y int) {
		bad[y] = image.Pt(-1, -1)
		for x := range f.tiles[y] {
			h := f.tiles[y][x].Heights
			if h == zeroHeights {
				continue
			}
			w, n := min(TileSize, f.cols-x*TileSize), min(TileSize, f.rows-y*TileSize)
			for r := range n {
				for c, v := range h[r*TileSize : r*TileSize+w] {
					if !(v >= -MaxHeight && v <= MaxHeight) {
						bad[y] = image.Pt(x*TileSize+c, y*TileSize+r)
						return
					}
				}
			}
		}
	})
	for _, p := range bad {
		if p.X >= 0 {
			return fmt.Errorf("the height at column %d, row %d is %g, expected a number between %g and %g",
				p.X, p.Y, f.Sample(p.X, p.Y), -MaxHeight, MaxHeight)
		}
	}
	return nil
}

// WithOrigin gives the same field with sample (0, 0) at world x, z, which CheckOrigin
// must allow.
func (f *Field) WithOrigin(x, z float64) *Field {
	g := *f
	g.origin = mgl64.Vec2{x, z}
	return &g
}

// Size is the number of samples along X and Z.
func (f *Field) Size() (cols, rows int) { return f.cols, f.rows }

// Spacing is the distance between neighbouring samples in metres.
func (f *Field) Spacing() float64 { return f.spacing }

// Origin is the world x and z of sample (0, 0).
func (f *Field) Origin() (x, z float64) { return f.origin[0], f.origin[1] }

// Extent is the size of the field in metres along X and Z.
func (f *Field) Extent() (x, z float64) {
	return float64(f.cols-1) * f.spacing, float64(f.rows-1) * f.spacing
}

// TileGrid is the number of tiles along X and Z.
func (f *Field) TileGrid() (cols, rows int) {
	return (f.cols + TileSize - 1) / TileSize, (f.rows + TileSize - 1) / TileSize
}

// ChunkGrid is the number of chunks along X and Z.
func (f *Field) ChunkGrid() (cols, rows int) {
	return (f.cols - 2 + TileSize) / TileSize, (f.rows - 2 + TileSize) / TileSize
}

// Tile gives tile (tx, ty) of the tile grid, for reading only.
func (f *Field) Tile(tx, ty int) Tile { return f.tiles[ty][tx] }

// Bounds is the rectangle of all samples: from (0, 0) to Size.
func (f *Field) Bounds() image.Rectangle { return image.Rect(0, 0, f.cols, f.rows) }

// Sample is the height at sample (col, row), which must be inside Bounds.
func (f *Field) Sample(col, row int) float32 {
	return f.tiles[row/TileSize][col/TileSize].Heights[row%TileSize*TileSize+col%TileSize]
}

// SplatAt is the splat at sample (col, row), which must be inside Bounds.
func (f *Field) SplatAt(col, row int) Splat {
	return f.tiles[row/TileSize][col/TileSize].Splats[row%TileSize*TileSize+col%TileSize]
}

// LightAt is the baked light at sample (col, row), which must be inside Bounds.
func (f *Field) LightAt(col, row int) RGB {
	return f.tiles[row/TileSize][col/TileSize].Light[row%TileSize*TileSize+col%TileSize]
}

// IsHole reports whether the cell to the right of and below sample (col, row) is
// open.
func (f *Field) IsHole(col, row int) bool {
	return f.tiles[row/TileSize][col/TileSize].Flags[row%TileSize*TileSize+col%TileSize]&Hole != 0
}

// CopyHeights writes the heights of rect, which must lie within Bounds, to dst,
// whose rows are stride apart.
func (f *Field) CopyHeights(dst []float32, stride int, rect image.Rectangle) {
	copyRect(f, dst, stride, rect, func(t *Tile) []float32 { return t.Heights[:] })
}

// AppendRow appends the heights of a row. A field is so what package heightmap writes.
func (f *Field) AppendRow(dst []float32, row int) []float32 {
	n := len(dst)
	dst = slices.Grow(dst, f.cols)[:n+f.cols]
	f.CopyHeights(dst[n:], f.cols, image.Rect(0, row, f.cols, row+1))
	return dst
}

// CopySplats is CopyHeights for splats.
func (f *Field) CopySplats(dst []Splat, stride int, rect image.Rectangle) {
	copyRect(f, dst, stride, rect, func(t *Tile) []Splat { return t.Splats[:] })
}

// CopyLight is CopyHeights for baked light.
func (f *Field) CopyLight(dst []RGB, stride int, rect image.Rectangle) {
	copyRect(f, dst, stride, rect, func(t *Tile) []RGB { return t.Light[:] })
}

// CopyFlags is CopyHeights for flags.
func (f *Field) CopyFlags(dst []uint8, stride int, rect image.Rectangle) {
	copyRect(f, dst, stride, rect, func(t *Tile) []uint8 { return t.Flags[:] })
}

func copyRect[T any](f *Field, dst []T, stride int, rect image.Rectangle, plane func(*Tile) []T) {
	for y := rect.Min.Y; y < rect.Max.Y; {
		ty, oy := y/TileSize, y%TileSize
		ny := min(TileSize-oy, rect.Max.Y-y)
		for x := rect.Min.X; x < rect.Max.X; {
			tx, ox := x/TileSize, x%TileSize
			nx := min(TileSize-ox, rect.Max.X-x)
			src := plane(&f.tiles[ty][tx])
			for r := range ny {
				to := (y-rect.Min.Y+r)*stride + x - rect.Min.X
				from := (oy+r)*TileSize + ox
				copy(dst[to:to+nx], src[from:from+nx])
			}
			x += nx
		}
		y += ny
	}
}

// TileRect is the rectangle of samples of tile (tx, ty), clipped to the field.
func (f *Field) TileRect(tx, ty int) image.Rectangle {
	return image.Rect(tx*TileSize, ty*TileSize, (tx+1)*TileSize, (ty+1)*TileSize).Intersect(f.Bounds())
}

// TileChange names a tile and the planes of it that changed.
type TileChange struct {
	X, Y   int
	Planes Planes
}

// AppendChanges appends what differs between two fields of the same size, tile
// by tile in row order, and reports whether they have the same size, spacing and
// origin. When they do not, nothing is appended: everything changed.
func AppendChanges(dst []TileChange, a, b *Field) (_ []TileChange, comparable bool) {
	if a.cols != b.cols || a.rows != b.rows || a.spacing != b.spacing || a.origin != b.origin {
		return dst, false
	}
	for y := range a.tiles {
		ra, rb := a.tiles[y], b.tiles[y]
		if &ra[0] == &rb[0] {
			continue // the whole row is shared
		}
		for x := range ra {
			if p := ra[x].Differ(rb[x]); p != 0 {
				dst = append(dst, TileChange{x, y, p})
			}
		}
	}
	return dst, true
}

// MinMax is the lowest and highest height of the field, holes included.
func (f *Field) MinMax() (lo, hi float32) {
	top := f.pyramid[len(f.pyramid)-1].nodes[0]
	return top.Min, top.Max
}

// Height is the height of the surface at world x, z; ok is false off the field
// and over a hole.
func (f *Field) Height(x, z float64) (y float64, ok bool) {
	c, r, u, v, ok := f.Cell(x, z)
	if !ok || f.IsHole(c, r) {
		return 0, false
	}
	return f.cellHeight(c, r, u, v), true
}

// Cell finds the cell under world x, z and the place in it, u along X and v
// along Z, both 0–1. The field's far rims belong to its last cells.
func (f *Field) Cell(x, z float64) (col, row int, u, v float64, ok bool) {
	gx, gz := (x-f.origin[0])/f.spacing, (z-f.origin[1])/f.spacing
	if !(gx >= 0 && gz >= 0 && gx <= float64(f.cols-1) && gz <= float64(f.rows-1)) {
		return 0, 0, 0, 0, false
	}
	col, row = min(int(gx), f.cols-2), min(int(gz), f.rows-2)
	return col, row, gx - float64(col), gz - float64(row), true
}

// cellHeight interpolates on the triangles (a, c, b) and (b, c, d).
func (f *Field) cellHeight(c, r int, u, v float64) float64 {
	hb, hc := float64(f.Sample(c+1, r)), float64(f.Sample(c, r+1))
	if u+v <= 1 {
		ha := float64(f.Sample(c, r))
		return ha + (hb-ha)*u + (hc-ha)*v
	}
	hd := float64(f.Sample(c+1, r+1))
	return hd + (hc-hd)*(1-u) + (hb-hd)*(1-v)
}

// Normal is the unit normal at sample (col, row) from the central differences
// of its neighbours; at the rim one-sided.
func (f *Field) Normal(col, row int) mgl64.Vec3 {
	x0, x1 := max(col-1, 0), min(col+1, f.cols-1)
	z0, z1 := max(row-1, 0), min(row+1, f.rows-1)
	dx := float64(f.Sample(x1, row)-f.Sample(x0, row)) / (float64(x1-x0) * f.spacing)
	dz := float64(f.Sample(col, z1)-f.Sample(col, z0)) / (float64(z1-z0) * f.spacing)
	return mgl64.Vec3{-dx, 1, -dz}.Normalize()
}

// Slope is the steepness of the triangle at world x, z in radians from level.
func (f *Field) Slope(x, z float64) (slope float64, ok bool) {
	c, r, u, v, ok := f.Cell(x, z)
	if !ok || f.IsHole(c, r) {
		return 0, false
	}
	hb, hc := float64(f.Sample(c+1, r)), float64(f.Sample(c, r+1))
	var dx, dz float64
	if u+v <= 1 {
		ha := float64(f.Sample(c, r))
		dx, dz = hb-ha, hc-ha
	} else {
		hd := float64(f.Sample(c+1, r+1))
		dx, dz = hd-hc, hd-hb
	}
	return math.Atan(math.Hypot(dx, dz) / f.spacing), true
}

// parallelRows calls do for 0 … n−1 on all processors and waits.
func parallelRows(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}
