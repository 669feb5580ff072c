package glb

import (
	"encoding/binary"
	"image"
	"math"
	"slices"

	"ridgeline/terrain"
)

// level is one level of detail of a chunk.
type level struct {
	off     float64 // the largest vertical distance from the full ground, metres, or more for its paint
	parts   []primitive
	picture []byte // of the full level, a PNG file, where the layers are baked
}

// primitive is the triangles of a level that show one set of layers.
type primitive struct {
	set      layerSet
	layers   []uint8
	count    int // vertices
	corners  int // of triangles
	min, max [3]float32
	vertices []byte // interleaved, see vertexFormat
	indices  []byte // uint16
}

// size is the number of bytes of the vertices and of the indices.
func (p *primitive) size(f vertexFormat) (vertices, indices int) {
	return p.count * f.size(len(p.layers)), 2 * p.corners
}

// builder has the scratch memory for one chunk after another.
type builder struct {
	ground
	counting bool // vertices and indices are only counted
	err      error
	stride   int // samples along a chunk's edge

	heights []float32
	splats  []terrain.Splat
	light   []terrain.RGB
	sets    []layerSet
	absent  []bool // by cell: a hole, or beyond the field
	detail  *detail
	forced  []bool        // by vertex: every level keeps it
	painted [MaxLODs]bool // levels whose weights or light differ from the full one's

	halves    []uint8 // by cell: the triangles that are half of it
	triangles []int32 // three vertices each
	owner     []int32 // the primitive of each triangle
	vertex    []int   // index in the primitive being built, −1
}

func (g ground) newBuilder(counting bool) *builder {
	n := g.edge + 1
	return &builder{
		ground: g, counting: counting, stride: n,
		heights: make([]float32, n*n), splats: make([]terrain.Splat, n*n), light: make([]terrain.RGB, n*n),
		sets: make([]layerSet, n*n), absent: make([]bool, n*n), forced: make([]bool, n*n), vertex: make([]int, n*n), halves: make([]uint8, g.edge*g.edge),
		detail: newDetail(g.edge),
	}
}

// build makes the levels of chunk (cx, cy), the full one first; none when it is all
// holes. Levels that would hardly be simpler than the one before are left out.
func (b *builder) build(cx, cy int) []level {
	cells := b.chunkRect(cx, cy)
	samples := image.Rect(cells.Min.X, cells.Min.Y, cells.Max.X+1, cells.Max.Y+1)
	b.field.CopyHeights(b.heights, b.stride, samples)
	b.field.CopySplats(b.splats, b.stride, samples)
	b.field.CopyLight(b.light, b.stride, samples)
	b.findAbsent(cells)
	b.full(cells)
	if len(b.triangles) == 0 {
		return nil
	}
	for y := range cells.Dy() + 1 {
		for x := range cells.Dx() + 1 {
			i := y*b.stride + x
			b.sets[i] = b.shown(b.splats[i])
		}
	}
	levels := []level{{off: b.rounding(), parts: b.primitives(cells)}}
	if cols, _ := b.grid(); b.bake > 0 && (b.counting || b.repaint(cy*cols+cx)) {
		if levels[0].picture, b.err = encode(b.baker.paint(cx, cy)); b.err != nil {
			return nil
		}
	}
	if b.lods == 1 {
		return levels
	}
	b.simplify(cells)
	last := len(b.triangles)
	for k := 1; k < b.lods; k++ {
		b.coarse(uint8(k))
		if len(b.triangles)*3 > last*2 {
			continue
		}
		last = len(b.triangles)
		off := b.detail.off(b.heights, b.triangles) + b.rounding()
		if b.painted[k] {
			off = max(off, heightOff[k]*b.field.Spacing())
		}
		levels = append(levels, level{off: off, parts: b.primitives(cells)})
	}
	return levels
}

// shown is the set of layers that a splat shows; with baked textures there is but one.
func (b *builder) shown(s terrain.Splat) layerSet {
	if b.bake > 0 {
		return layerSet{}
	}
	return shown(s)
}

// findAbsent notes which cells of the square have no ground.
func (b *builder) findAbsent(cells image.Rectangle) {
	n := b.edge
	for y := range n {
		for x := range n {
			c, r := cells.Min.X+x, cells.Min.Y+y
			b.absent[y*n+x] = x >= cells.Dx() || y >= cells.Dy() || b.field.IsHole(c, r)
		}
	}
}

// full lists all triangles of the chunk: the terrain's own.
func (b *builder) full(cells image.Rectangle) {
	b.triangles = b.triangles[:0]
	for y := range cells.Dy() {
		for x := range cells.Dx() {
			if b.absent[y*b.edge+x] {
				continue
			}
			v := int32(y*b.stride + x)
			s := int32(b.stride)
			b.triangles = append(b.triangles, v, v+s, v+1, v+1, v+s, v+s+1)
		}
	}
}

// Levels above the full one keep a vertex whose height is off by more than this part of
// the spacing from the middle between its neighbours, a layer's weight by more than this,
// or light by more than this. Where weights or light differ at all from the full level, it
// is taken for off by as much as its heights may be: level ground would else be shown
// with its coarsest paint from near by.
var (
	heightOff = [MaxLODs]float64{0, 1. / 16, 1. / 4, 1, 4}
	weightOff = [MaxLODs]float64{0, 0.1, 0.25, 0.5, 0.8}
	lightOff  = [MaxLODs]float64{0, 16, 40, 80, 160}
)

// simplify finds what each level keeps. The chunk's border stays as it is at all
// levels, so that neighbours meet without a crack whatever their levels, and so do the
// edges of holes.
func (b *builder) simplify(cells image.Rectangle) {
	n, last := b.edge, uint8(b.lods-1)
	clear(b.forced)
	b.painted = [MaxLODs]bool{}
	for i := range n + 1 {
		for _, v := range [4]point{{i, 0}, {i, cells.Dy()}, {0, i}, {cells.Dx(), i}} {
			if v.x <= cells.Dx() && v.y <= cells.Dy() {
				b.forced[v.y*b.stride+v.x] = true
			}
		}
	}
	for y := range cells.Dy() {
		for x := range cells.Dx() {
			if !b.absent[y*n+x] {
				continue
			}
			for _, v := range [4]point{{x, y}, {x + 1, y}, {x, y + 1}, {x + 1, y + 1}} {
				b.forced[v.y*b.stride+v.x] = true
			}
		}
	}
	spacing := b.field.Spacing()
	w, h := cells.Dx(), cells.Dy()
	inside := func(v int32) bool { return int(v)%b.stride <= w && int(v)/b.stride <= h }
	b.detail.need(func(m, p, q int32) uint8 {
		if b.forced[m] {
			return last
		}
		if !inside(m) || !inside(p) || !inside(q) {
			return 0 // no triangle with ground has them: the rim is forced
		}
		height := math.Abs(float64(b.heights[m])-(float64(b.heights[p])+float64(b.heights[q]))/2) / spacing
		height = max(height, b.turnOff(int(m), cells)/spacing)
		paint, light := b.paintOff(m, p, q), b.lightOff(m, p, q)
		k := uint8(0)
		for k < last && (height > heightOff[k+1] || paint > weightOff[k+1] || light > lightOff[k+1]) {
			k++
		}
		if paint > 0 || light > 0 {
			for j := k + 1; j <= last; j++ {
				b.painted[j] = true
			}
		}
		return k
	})
}

// turnOff is how far the middles of the cells around a vertex are off that would be cut
// along their other diagonal without it.
func (b *builder) turnOff(m int, cells image.Rectangle) float64 {
	x, y := m%b.stride, m/b.stride
	if (x+y)%2 == 0 {
		return 0 // diagonals end here
	}
	off := func(x, y int) float64 {
		if x < 0 || y < 0 || x >= cells.Dx() || y >= cells.Dy() {
			return 0
		}
		h := b.heights[y*b.stride+x:]
		return math.Abs(float64(h[0])+float64(h[b.stride+1])-float64(h[1])-float64(h[b.stride])) / 2
	}
	return max(off(x-1, y), off(x, y-1))
}

// paintOff is how much the weights of layers at a vertex differ from the middle between
// two others.
func (b *builder) paintOff(m, p, q int32) float64 {
	s, t, u := b.splats[m], b.splats[p], b.splats[q]
	if s == t && s == u {
		return 0
	}
	worst := 0.0
	for _, l := range [...]uint8{s.Base, s.Over, s.Third, t.Base, t.Over, t.Third, u.Base, u.Over, u.Third} {
		worst = max(worst, math.Abs(s.Weight(l)-(t.Weight(l)+u.Weight(l))/2))
	}
	return worst
}

func (b *builder) lightOff(m, p, q int32) float64 {
	s, t, u := b.light[m], b.light[p], b.light[q]
	if s == t && s == u {
		return 0
	}
	one := func(s, t, u uint8) float64 { return math.Abs(float64(s) - (float64(t)+float64(u))/2) }
	return max(one(s.R, t.R, u.R), one(s.G, t.G, u.G), one(s.B, t.B, u.B))
}

// coarse lists the triangles of a level of detail that have ground.
func (b *builder) coarse(k uint8) {
	all := b.detail.appendTriangles(b.triangles[:0], k)
	kept := all[:0]
	for t := 0; t < len(all); t += 3 {
		// A triangle is all ground or none: one that is not would have a corner of an
		// absent cell within it, and be halved there.
		x, y := 0, 0
		for _, v := range all[t : t+3] {
			x += int(v) % b.stride
			y += int(v) / b.stride
		}
		if !b.absent[y/3*b.edge+x/3] {
			kept = append(kept, all[t], all[t+1], all[t+2])
		}
	}
	b.triangles = b.turned(kept)
}

// turned cuts cells along the terrain's diagonal where both halves are there, so that
// what is at full detail is the full ground.
func (b *builder) turned(triangles []int32) []int32 {
	cell := func(t []int32) (cell int, half bool) {
		x0, y0, x1, y1 := b.stride, b.stride, 0, 0
		for _, v := range t {
			x, y := int(v)%b.stride, int(v)/b.stride
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
		return y0*b.edge + x0, x1-x0 == 1 && y1-y0 == 1
	}
	clear(b.halves)
	for t := 0; t < len(triangles); t += 3 {
		if c, half := cell(triangles[t : t+3]); half {
			b.halves[c]++
		}
	}
	for t := 0; t < len(triangles); t += 3 {
		c, half := cell(triangles[t : t+3])
		if !half || b.halves[c] < 2 {
			continue
		}
		v, s := int32(c/b.edge*b.stride+c%b.edge), int32(b.stride)
		if b.halves[c]++; b.halves[c] == 3 {
			copy(triangles[t:], []int32{v, v + s, v + 1})
		} else {
			copy(triangles[t:], []int32{v + 1, v + s, v + s + 1})
		}
	}
	return triangles
}

// primitives sorts the triangles by the layers that they show.
func (b *builder) primitives(cells image.Rectangle) []primitive {
	var found []layerSet
	last := -1
	b.owner = b.owner[:0]
	for t := 0; t < len(b.triangles); t += 3 {
		s := b.sets[b.triangles[t]].union(b.sets[b.triangles[t+1]]).union(b.sets[b.triangles[t+2]])
		if last < 0 || found[last] != s {
			last = slices.Index(found, s)
			if last < 0 {
				last = len(found)
				found = append(found, s)
			}
		}
		b.owner = append(b.owner, int32(last))
	}
	sorted := slices.Clone(found)
	slices.SortFunc(sorted, layerSet.before)
	rank := make([]int32, len(found))
	prims := make([]primitive, len(found))
	for i, s := range sorted {
		rank[slices.Index(found, s)] = int32(i)
		prims[i] = primitive{set: s, layers: s.appendLayers(nil)}
	}
	for i, o := range b.owner {
		b.owner[i] = rank[o]
	}
	for i := range prims {
		b.fill(&prims[i], int32(i), cells)
	}
	return prims
}

// fill writes the vertices, in the order of their first use, and the indices.
func (b *builder) fill(p *primitive, number int32, cells image.Rectangle) {
	for i := range b.vertex {
		b.vertex[i] = -1
	}
	inf := float32(math.Inf(1))
	p.min, p.max = [3]float32{inf, inf, inf}, [3]float32{-inf, -inf, -inf}
	for t, o := range b.owner {
		if o != number {
			continue
		}
		for _, i := range b.triangles[3*t : 3*t+3] {
			if b.vertex[i] < 0 {
				b.vertex[i] = p.count
				p.count++
				b.addVertex(p, int(i)%b.stride, int(i)/b.stride, cells)
			}
			p.corners++
			if !b.counting {
				p.indices = binary.LittleEndian.AppendUint16(p.indices, uint16(b.vertex[i]))
			}
		}
	}
}
