package relief

import (
	"image"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/horizon"
)

// Relief is what culling needs to know of the ground. The zero value knows of no
// chunk: Restart it first. It belongs to one goroutine, but for what a Scene that it
// was put into asks of it.
type Relief struct {
	field *terrain.Field // that ground and holes are of
	// ground hides what is behind it.
	ground *horizon.Ground
	// opened are the holes of each chunk, openings those of the field for culling.
	opened   []opened
	openings []geom.Box

	cols, rows int
	slopes     []cull.Slopes // of each chunk; without reach if not measured
	todo       []int32       // chunks to measure
}

// ChunksAtOnce is how many chunks are measured before a picture: some three
// milliseconds' worth.
const ChunksAtOnce = 48

// slopeReach is how many cells around a chunk are measured with it: as many as drawn
// ground may take to rise before a line of sight.
const slopeReach = 4

// Of knows all of a field.
func Of(f *terrain.Field) *Relief {
	r := new(Relief)
	cols, rows := f.ChunkGrid()
	r.Restart(cols * rows)
	r.Horizon(f)
	r.Measure(f, cols*rows)
	return r
}

// Restart forgets everything, for ground with so many chunks.
func (r *Relief) Restart(chunks int) {
	r.field, r.cols, r.rows = nil, 0, 0
	r.opened, r.openings = nil, nil
	r.slopes = make([]cull.Slopes, chunks)
	r.todo = r.todo[:0]
	for i := range chunks {
		r.todo = append(r.todo, int32(i))
	}
}

// Touch notes that a chunk differs: it is measured with those around it.
func (r *Relief) Touch(chunk int32) {
	if r.cols == 0 {
		return // nothing is known of any
	}
	x, y := int(chunk)%r.cols, int(chunk)/r.cols
	for j := max(0, y-1); j <= min(r.rows-1, y+1); j++ {
		for i := max(0, x-1); i <= min(r.cols-1, x+1); i++ {
			if s := &r.slopes[j*r.cols+i]; s.Reach > 0 {
				s.Reach = 0
				r.todo = append(r.todo, int32(j*r.cols+i))
			}
		}
	}
}

// Measure measures at most so many of the chunks that are to be.
func (r *Relief) Measure(f *terrain.Field, most int) {
	r.cols, r.rows = f.ChunkGrid()
	cols, rows := f.Size()
	for ; most > 0 && len(r.todo) > 0; most-- {
		chunk := int(r.todo[len(r.todo)-1])
		r.todo = r.todo[:len(r.todo)-1]
		cells := f.ChunkRect(chunk%r.cols, chunk/r.cols)
		s := &r.slopes[chunk]
		s.Min, s.Max = f.Slopes(cells.Inset(-slopeReach).Intersect(image.Rect(0, 0, cols-1, rows-1)))
		s.Low = f.Lowest(cells, s.Corners())
		x, z := f.Origin()
		s.At = [2]float64{x + float64(cells.Min.X)*f.Spacing(), z + float64(cells.Min.Y)*f.Spacing()}
		s.Reach = slopeReach * f.Spacing()
	}
}

// Slopes are those of each chunk; without reach where they are not measured.
func (r *Relief) Slopes() []cull.Slopes { return r.slopes }

// Horizon is the ground of a field as what hides. Above and Openings are about that
// field from then on.
func (r *Relief) Horizon(f *terrain.Field) *horizon.Ground {
	if r.field != f {
		r.field, r.ground = f, horizon.Of(f)
		r.open(f)
	}
	return r.ground
}

// Above reports whether an eye is above ground, where it has no hole.
func (r *Relief) Above(eye geom.Vec3) bool {
	if r.field == nil {
		return false
	}
	h, ok := r.field.Height(eye[0], eye[2])
	return ok && eye[1] > h
}
