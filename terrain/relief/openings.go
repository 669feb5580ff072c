package relief

import (
	"image"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// mostOpenings is how many boxes of holes are kept apart. The backface test looks at
// each of them for each chunk that faces away, so where there are more, one box is
// around all.
const mostOpenings = 64

// opened is where a chunk has holes.
type opened struct {
	of     *terrain.Chunk  // that it is known of; another one after an edit
	cells  image.Rectangle // around the holes
	lo, hi float32         // of the samples around them, metres
}

// Openings are boxes around all holes of the field that Horizon was given last, with the
// heights that the ground would have there, each wider than its holes by a cell. The
// list is valid until Horizon is given another field.
func (r *Relief) Openings() []geom.Box { return r.openings }

// open finds the holes of a field, again only in chunks that were edited.
func (r *Relief) open(f *terrain.Field) {
	cols, rows := f.ChunkGrid()
	if len(r.opened) != cols*rows {
		r.opened = make([]opened, cols*rows)
	}
	r.openings = r.openings[:0]
	all := geom.EmptyBox()
	for y := range rows {
		for x := range cols {
			c := f.Chunk(x, y)
			if !c.Holes {
				continue
			}
			o := &r.opened[y*cols+x]
			if o.of != c {
				*o = openedIn(f, x, y)
			}
			b := o.box(f)
			all = all.Union(b)
			r.openings = append(r.openings, b)
		}
	}
	if len(r.openings) > mostOpenings {
		r.openings = append(r.openings[:0], all)
	}
}

func openedIn(f *terrain.Field, x, y int) opened {
	o := opened{of: f.Chunk(x, y)}
	cells := f.ChunkRect(x, y)
	for r := cells.Min.Y; r < cells.Max.Y; r++ {
		for c := cells.Min.X; c < cells.Max.X; c++ {
			if f.IsHole(c, r) {
				o.cells = o.cells.Union(image.Rect(c, r, c+1, r+1))
			}
		}
	}
	o.lo, o.hi = f.Sample(o.cells.Min.X, o.cells.Min.Y), f.Sample(o.cells.Min.X, o.cells.Min.Y)
	for r := o.cells.Min.Y; r <= o.cells.Max.Y; r++ {
		for c := o.cells.Min.X; c <= o.cells.Max.X; c++ {
			o.lo, o.hi = min(o.lo, f.Sample(c, r)), max(o.hi, f.Sample(c, r))
		}
	}
	return o
}

// box is in the world. The cell around it is more than what is lost by rounding when
// lines of sight are compared with it.
func (o *opened) box(f *terrain.Field) geom.Box {
	x, z := f.Origin()
	s, c := f.Spacing(), o.cells.Inset(-1)
	return geom.Box{
		Min: geom.Vec3{x + float64(c.Min.X)*s, float64(o.lo), z + float64(c.Min.Y)*s},
		Max: geom.Vec3{x + float64(c.Max.X)*s, float64(o.hi), z + float64(c.Max.Y)*s},
	}
}
