package lod

import (
	"image"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// Snapped draws the ground at the coarsest levels that the view allows and joins
// parts by snapping their edges. A chunk is either closed and has one level, or open,
// and each of its blocks has one. A block is no coarser than a closed chunk beside it,
// which is no coarser than a block can be. Groups of 2×2, 4×4 … blocks or chunks that
// share a level and whose sides each have one level are drawn as one patch.
//
// The zero value is ready for Update. Once warm it allocates nothing. As long as
// only the frustum changes, the levels of the last view are kept.
type Snapped struct {
	field      *terrain.Field
	cols, rows int // chunks

	joints []joints   // by chunk, row by row
	nodes  [][]errors // by pyramid level; [0] are the chunks' errors, above it the greatest below
	groups [][]group  // by pyramid level; [0] are the chunks themselves

	ranges []terrain.MinMax // of the chunks' heights
	levels []uint8          // by chunk, row by row; isOpen of open ones
	queue  []int32          // chunks, or blocks of open ones, whose neighbours may have become too coarse
	queued []bool           // by chunk, if it is closed
	meter  meter
	relief relief

	opened []*opened
	most   int     // that may be opened, mostOpen
	places []int32 // in opened, by chunk
	hand   int     // the place that was given away last
	view   uint64  // number of the last view

	last  View // whose levels stand in levels
	fresh bool // last and levels are valid
}

// errors are bounds in metres for the levels 1 … MaxLevel.
type errors [MaxLevel]float32

// coarsest is the greatest level whose error is within what is allowed.
func (e *errors) coarsest(allowed float32) uint8 {
	var l uint8
	for l < MaxLevel && e[l] <= allowed {
		l++
	}
	return l
}

func (e *errors) raise(o *errors) {
	for i, v := range o {
		e[i] = max(e[i], v)
	}
}

// group is a node of the pyramid as it would be drawn in one patch.
type group struct {
	whole bool // it can be: one level, and one on each side
	level uint8
	edges [4]uint8
}

// Update implements Scheme.
func (s *Snapped) Update(f *terrain.Field, tiles []image.Point) {
	s.fresh = false
	if s.field == nil || tiles == nil || !sameGrid(s.field, f) {
		s.field = f
		s.rebuild()
		return
	}
	s.field = f
	for _, t := range tiles {
		// A tile's first column and row are the last of the chunk before it.
		for _, p := range [4]image.Point{t, t.Sub(image.Pt(1, 0)), t.Sub(image.Pt(0, 1)), t.Sub(image.Pt(1, 1))} {
			if p.X >= 0 && p.Y >= 0 && p.X < s.cols && p.Y < s.rows {
				s.readChunk(p.X, p.Y)
				for k := 1; k < len(s.nodes); k++ {
					p = p.Div(2)
					s.gather(k, p.X, p.Y)
				}
			}
		}
	}
}

func sameGrid(a, b *terrain.Field) bool {
	ac, ar := a.Size()
	bc, br := b.Size()
	ax, az := a.Origin()
	bx, bz := b.Origin()
	return ac == bc && ar == br && ax == bx && az == bz && a.Spacing() == b.Spacing()
}

func (s *Snapped) rebuild() {
	f := s.field
	s.cols, s.rows = f.ChunkGrid()
	n := s.cols * s.rows
	s.joints = make([]joints, n)
	s.ranges = make([]terrain.MinMax, n)
	s.levels = make([]uint8, n)
	s.queued = make([]bool, n)
	s.queue = make([]int32, 0, n)
	s.opened, s.hand = nil, 0
	if s.most == 0 {
		s.most = mostOpen
	}
	s.places = make([]int32, n)
	for i := range s.places {
		s.places[i] = nowhere
	}
	s.nodes = make([][]errors, f.PyramidLevels())
	s.groups = make([][]group, f.PyramidLevels())
	for k := range s.groups {
		w, h := f.PyramidGrid(k)
		s.groups[k] = make([]group, w*h)
		s.nodes[k] = make([]errors, w*h)
		for y := range h {
			for x := range w {
				if k == 0 {
					s.readChunk(x, y)
				} else {
					s.gather(k, x, y)
				}
			}
		}
	}
}

func (s *Snapped) readChunk(x, y int) {
	i := y*s.cols + x
	c := s.field.Chunk(x, y)
	s.nodes[0][i], s.ranges[i] = errors(c.Error[1:]), c.MinMax
	s.joints[i].forget()
	if k := s.places[i]; k >= 0 {
		s.opened[k].known = false
	}
}

// gather computes a node's errors from the level below.
func (s *Snapped) gather(k, x, y int) {
	w, h := s.field.PyramidGrid(k - 1)
	var e errors
	for j := 2 * y; j < min(2*y+2, h); j++ {
		for i := 2 * x; i < min(2*x+2, w); i++ {
			e.raise(&s.nodes[k-1][j*w+i])
		}
	}
	w, _ = s.field.PyramidGrid(k)
	s.nodes[k][y*w+x] = e
}

// AppendPatches implements Scheme.
func (s *Snapped) AppendPatches(dst []Patch, v View) []Patch {
	if s.field == nil {
		return dst
	}
	if !s.fresh || s.last.Eye != v.Eye || s.last.ScreenScale != v.ScreenScale ||
		s.last.MaxError != v.MaxError || s.last.Ortho != v.Ortho {
		s.last = v
		s.view++
		s.choose(len(s.groups)-1, 0, 0)
		s.settle()
		s.join()
		s.fresh = true
	}
	s.last.Frustum, s.last.Chunks = v.Frustum, v.Chunks
	return s.appendNode(dst, len(s.groups)-1, 0, 0, false)
}

// box is the box around chunk (x, y) in world coordinates, as the field has it.
func (s *Snapped) box(x, y int) geom.Box {
	return s.boxOf(s.field.ChunkRect(x, y), s.ranges[y*s.cols+x])
}

// boxOf is the box around cells whose heights lie in a range.
func (s *Snapped) boxOf(cells image.Rectangle, m terrain.MinMax) geom.Box {
	d := s.field.Spacing()
	ox, oz := s.field.Origin()
	return geom.Box{
		Min: geom.Vec3{ox + float64(cells.Min.X)*d, float64(m.Min), oz + float64(cells.Min.Y)*d},
		Max: geom.Vec3{ox + float64(cells.Max.X)*d, float64(m.Max), oz + float64(cells.Max.Y)*d},
	}
}

// choose sets the levels below a node to the coarsest that each chunk's or block's own
// error allows, and gives the finest of the chunks'. Where that makes few triangles, all of the
// node's chunks take it, so that they can be drawn in one patch.
func (s *Snapped) choose(k, x, y int) (finest uint8) {
	if k == 0 {
		i := y*s.cols + x
		l := s.nodes[0][i].coarsest(s.last.allowed(s.box(x, y).DistanceTo(s.last.Eye)))
		s.levels[i] = l
		if l < openBelow {
			s.open(i)
		}
		return l
	}
	w, _ := s.field.PyramidGrid(k)
	_, box := s.field.PyramidNode(k, x, y)
	if s.nodes[k][y*w+x][MaxLevel-1] <= s.last.allowed(box.DistanceTo(s.last.Eye)) {
		s.fill(k, x, y, MaxLevel)
		return MaxLevel
	}
	w, h := s.field.PyramidGrid(k - 1)
	finest = MaxLevel
	for j := 2 * y; j < min(2*y+2, h); j++ {
		for i := 2 * x; i < min(2*x+2, w); i++ {
			finest = min(finest, s.choose(k-1, i, j))
		}
	}
	if int(finest) >= k+cheap {
		s.fill(k, x, y, finest)
	}
	return finest
}

// cheap is log₂ of how many quads along its side a patch may have to be drawn
// finer, or further out of sight, than it must, for the sake of fewer patches,
// counted down from 64.
const cheap = 3

// fill gives all chunks below a node one level.
func (s *Snapped) fill(k, x, y int, level uint8) {
	for j := y << k; j < min((y+1)<<k, s.rows); j++ {
		row := s.levels[j*s.cols:][x<<k : min((x+1)<<k, s.cols)]
		for i := range row {
			row[i] = level
		}
	}
}

// neighbour is the index of the chunk beside chunk i on a side; ok is false at
// the field's rim.
func (s *Snapped) neighbour(i, side int) (n int, ok bool) {
	switch side {
	case Left:
		return i - 1, i%s.cols > 0
	case Top:
		return i - s.cols, i >= s.cols
	case Right:
		return i + 1, i%s.cols < s.cols-1
	default:
		return i + s.cols, i+s.cols < len(s.levels)
	}
}

// settle refines chunks and blocks until none has an edge that is snapped further than
// its error allows. Whether something at level l bears a neighbour at level e depends
// on l and e alone, and a finer neighbour is always borne, so the answer does not
// depend on the order.
func (s *Snapped) settle() {
	for y := range s.rows {
		for x := range s.cols {
			i := y*s.cols + x
			l := s.levels[i]
			if l == isOpen {
				o := s.opened[s.places[i]]
				s.temper(o)
				for by := range o.rows {
					for bx := range o.cols {
						s.limitBlock(o, bx, by)
					}
				}
			} else if x > 0 && s.levels[i-1] > l || x < s.cols-1 && s.levels[i+1] > l ||
				y > 0 && s.levels[i-s.cols] > l || y < s.rows-1 && s.levels[i+s.cols] > l {
				s.limit(i)
			}
		}
	}
	for len(s.queue) > 0 {
		q := int(s.queue[len(s.queue)-1])
		s.queue = s.queue[:len(s.queue)-1]
		i, part := q>>(2*tiers), q&(1<<(2*tiers)-1)
		if s.levels[i] != isOpen {
			s.queued[i] = false
			s.limit(i)
			continue
		}
		o := s.opened[s.places[i]]
		o.blocks[part].queued = false
		s.limitBlock(o, part%blockSide, part/blockSide)
	}
}

func (s *Snapped) enqueue(i int) {
	if !s.queued[i] {
		s.queued[i] = true
		s.queue = append(s.queue, int32(i)<<(2*tiers))
	}
}

func (s *Snapped) enqueueBlock(o *opened, x, y int) {
	part := y*blockSide + x
	if b := &o.blocks[part]; !b.queued {
		b.queued = true
		s.queue = append(s.queue, o.chunk<<(2*tiers)|int32(part))
	}
}

// limit refines the neighbours of the closed chunk i that are too coarse for it and
// queues them, as they may now find others too coarse.
func (s *Snapped) limit(i int) {
	for side := range 4 {
		n, ok := s.neighbour(i, side)
		if !ok || s.levels[n] <= s.levels[i] {
			continue
		}
		if s.levels[n] == isOpen {
			s.restrain(s.opened[s.places[n]], side^2, s.levels[i])
			continue
		}
		if e := s.bearable(i, side, s.levels[n]); e != s.levels[n] {
			s.levels[n] = e
			s.enqueue(n)
		}
	}
}

// join finds the level of every edge and which groups can be drawn whole.
func (s *Snapped) join() {
	for i := range s.levels {
		l := s.levels[i]
		if l == isOpen {
			s.groups[0][i] = s.joinBlocks(s.opened[s.places[i]])
			continue
		}
		g := group{true, l, [4]uint8{l, l, l, l}}
		for side := range g.edges {
			if n, ok := s.neighbour(i, side); ok && s.levels[n] != isOpen {
				g.edges[side] = max(l, s.levels[n])
			}
		}
		s.groups[0][i] = g
	}
	for k := 1; k < len(s.groups); k++ {
		w, h := s.field.PyramidGrid(k)
		lw, lh := s.field.PyramidGrid(k - 1)
		below := s.groups[k-1]
		for y := range h {
			for x := range w {
				x1, y1 := min(2*x+1, lw-1), min(2*y+1, lh-1)
				s.groups[k][y*w+x] = unite(&below[2*y*lw+2*x], &below[2*y*lw+x1], &below[y1*lw+2*x], &below[y1*lw+x1], k)
			}
		}
	}
}

// unite tries to make one group of four, of which some are the same at the rim. The
// level must be at least a number, so that the group has no more quads than a patch
// may have.
func unite(a, b, c, d *group, least int) group {
	if !a.whole || !b.whole || !c.whole || !d.whole || int(a.level) < least ||
		b.level != a.level || c.level != a.level || d.level != a.level ||
		a.edges[Left] != c.edges[Left] || a.edges[Top] != b.edges[Top] ||
		b.edges[Right] != d.edges[Right] || c.edges[Bottom] != d.edges[Bottom] {
		return group{}
	}
	return group{true, a.level, [4]uint8{a.edges[Left], a.edges[Top], b.edges[Right], c.edges[Bottom]}}
}

// appendNode appends what is to be drawn of a node, children nearer to the eye
// first. With inside, the node is known to lie within the frustum.
func (s *Snapped) appendNode(dst []Patch, k, x, y int, inside bool) []Patch {
	if s.last.Chunks != nil {
		r := image.Rect(x, y, x+1, y+1)
		r = image.Rectangle{r.Min.Mul(1 << k), r.Max.Mul(1 << k)}.Intersect(image.Rect(0, 0, s.cols, s.rows))
		if !s.last.Chunks.Any(s.cols, r) {
			return dst
		}
	}
	cells, box := s.field.PyramidNode(k, x, y)
	if !inside {
		switch s.last.Frustum.Box(box) {
		case geom.Outside:
			return dst
		case geom.Inside:
			inside = true
		}
	}
	w, _ := s.field.PyramidGrid(k)
	// A group that reaches out of sight is still drawn whole when it is cheap.
	if g := &s.groups[k][y*w+x]; g.whole && (inside || k == 0 && s.levels[y*s.cols+x] != isOpen || int(g.level) >= k+cheap) {
		return append(dst, Patch{Cells: cells, Level: g.level, Edges: g.edges})
	}
	if k == 0 {
		return s.appendBlocks(dst, s.opened[s.places[y*s.cols+x]], tiers, 0, 0, inside)
	}
	w, h := s.field.PyramidGrid(k - 1)
	nearX, nearY := s.nearer(box.Center())
	for i := range 4 {
		cx, cy := 2*x+(i&1^nearX), 2*y+(i>>1^nearY)
		if cx < w && cy < h {
			dst = s.appendNode(dst, k-1, cx, cy, inside)
		}
	}
	return dst
}

// nearer tells on which side of a point the eye is: 1 for the greater X or Z.
func (s *Snapped) nearer(c geom.Vec3) (x, z int) {
	if s.last.Eye[0] > c[0] {
		x = 1
	}
	if s.last.Eye[2] > c[2] {
		z = 1
	}
	return x, z
}
