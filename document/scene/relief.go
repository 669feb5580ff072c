package scene

import (
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/horizon"
)

// relief is what culling needs to know of the ground.
type relief struct {
	field *terrain.Field // that ground and holes are of
	// ground hides what is behind it.
	ground *horizon.Ground
	holes  bool

	cols, rows int
	own        []cull.Slopes // of each chunk by itself; without reach if not measured
	slopes     []cull.Slopes // of each and those around it
	todo       []int32       // chunks to measure
}

// chunksAtOnce is how many chunks are measured before a picture: some three
// milliseconds' worth.
const chunksAtOnce = 96

func (r *relief) restart(chunks int) {
	r.field = nil
	r.own, r.slopes = make([]cull.Slopes, chunks), make([]cull.Slopes, chunks)
	r.todo = r.todo[:0]
	for i := range chunks {
		r.todo = append(r.todo, int32(i))
	}
}

// touch notes that a chunk differs.
func (r *relief) touch(chunk int32) {
	if r.own[chunk].Reach > 0 {
		r.own[chunk].Reach = 0
		r.todo = append(r.todo, chunk)
	}
	r.around(chunk, func(i int32) { r.slopes[i].Reach = 0 })
}

// around calls f for a chunk and those beside it.
func (r *relief) around(chunk int32, f func(int32)) {
	if r.cols == 0 {
		return // nothing is known of any
	}
	x, y := int(chunk)%r.cols, int(chunk)/r.cols
	for j := max(0, y-1); j <= min(r.rows-1, y+1); j++ {
		for i := max(0, x-1); i <= min(r.cols-1, x+1); i++ {
			f(int32(j*r.cols + i))
		}
	}
}

// measure measures some of the chunks that are to be, and tells those around them.
func (r *relief) measure(f *terrain.Field, most int) {
	r.cols, r.rows = f.ChunkGrid()
	for ; most > 0 && len(r.todo) > 0; most-- {
		chunk := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		cx, cy := int(chunk)%r.cols, int(chunk)/r.cols
		s := &r.own[chunk]
		s.Min, s.Max = f.Slopes(cx, cy)
		cells := f.ChunkRect(cx, cy)
		s.Reach = float64(min(cells.Dx(), cells.Dy())) * f.Spacing()
		r.around(chunk, r.unite)
	}
}

// unite gives a chunk the slopes of all around it, if they are known.
func (r *relief) unite(chunk int32) {
	x, y := int(chunk)%r.cols, int(chunk)/r.cols
	if x == 0 || y == 0 || x == r.cols-1 || y == r.rows-1 {
		return // the ground does not go on
	}
	all := r.own[chunk]
	r.around(chunk, func(i int32) { all = all.Union(r.own[i]) })
	r.slopes[chunk] = all
}

// horizonOf is the ground of a field as what hides.
func (r *relief) horizonOf(f *terrain.Field) *horizon.Ground {
	if r.field == f {
		return r.ground
	}
	r.field, r.ground, r.holes = f, horizon.Of(f), false
	cols, rows := f.ChunkGrid()
	for y := range rows {
		for x := range cols {
			r.holes = r.holes || f.Chunk(x, y).Holes
		}
	}
	return r.ground
}

// above reports whether an eye is above ground that has no holes.
func (r *relief) above(eye geom.Vec3) bool {
	if r.field == nil || r.holes {
		return false
	}
	h, ok := r.field.Height(eye[0], eye[2])
	return ok && eye[1] > h
}
