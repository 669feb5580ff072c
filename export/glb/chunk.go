package glb

import (
	"encoding/binary"
	"image"
	"math"
	"slices"

	"ridgeline/terrain"
	"ridgeline/terrain/shade"
)

const stride = terrain.TileSize + 1

// primitive is the triangles of a chunk that show one set of layers.
type primitive struct {
	set      layerSet
	layers   []uint8
	count    int // vertices
	corners  int // of triangles
	min, max [3]float32
	vertices []byte // interleaved: POSITION, NORMAL, TEXCOORD_0, COLOR_0 …
	indices  []byte // uint16
}

// colorSets is the number of COLOR_n attributes that n layers need.
func colorSets(n int) int { return 1 + (max(n-2, 0)+3)/4 }

// vertexSize is the number of bytes of a vertex that weighs n layers.
func vertexSize(n int) int { return 12 + 12 + 8 + 8*colorSets(n) }

// size is the number of bytes of the vertices and of the indices.
func (p *primitive) size() (vertices, indices int) {
	return p.count * vertexSize(len(p.layers)), 2 * p.corners
}

// builder has the scratch memory for one chunk after another.
type builder struct {
	field    *terrain.Field
	scales   []float64 // metres a repeat, by layer
	counting bool      // vertices and indices are only counted

	heights [stride * stride]float32
	splats  [stride * stride]terrain.Splat
	light   [stride * stride]terrain.RGB
	sets    [stride * stride]layerSet
	cells   [2 * terrain.TileSize * terrain.TileSize]int // primitive of each triangle, −1 for a hole
	vertex  [stride * stride]int                         // index in the primitive being built, −1
}

// build makes the primitives of chunk (cx, cy); none when it is all holes.
func (b *builder) build(cx, cy int) []primitive {
	cells := b.field.ChunkRect(cx, cy)
	samples := image.Rect(cells.Min.X, cells.Min.Y, cells.Max.X+1, cells.Max.Y+1)
	b.field.CopyHeights(b.heights[:], stride, samples)
	b.field.CopySplats(b.splats[:], stride, samples)
	b.field.CopyLight(b.light[:], stride, samples)
	prims := b.classify(cells)
	for i := range prims {
		b.fill(&prims[i], i, cells)
	}
	return prims
}

// classify finds the set of layers of each triangle and orders the sets.
func (b *builder) classify(cells image.Rectangle) []primitive {
	w, h := cells.Dx(), cells.Dy()
	for y := range h + 1 {
		for x := range w + 1 {
			b.sets[y*stride+x] = shown(b.splats[y*stride+x])
		}
	}
	var found []layerSet
	last := -1
	index := func(s layerSet) int {
		if last < 0 || found[last] != s {
			last = slices.Index(found, s)
			if last < 0 {
				last = len(found)
				found = append(found, s)
			}
		}
		return last
	}
	holes := b.field.Chunk(cells.Min.X/terrain.TileSize, cells.Min.Y/terrain.TileSize).Holes
	for y := range h {
		for x := range w {
			i, t := y*stride+x, 2*(y*terrain.TileSize+x)
			if holes && b.field.IsHole(cells.Min.X+x, cells.Min.Y+y) {
				b.cells[t], b.cells[t+1] = -1, -1
				continue
			}
			bc := b.sets[i+1].union(b.sets[i+stride])
			b.cells[t] = index(bc.union(b.sets[i]))
			b.cells[t+1] = index(bc.union(b.sets[i+stride+1]))
		}
	}
	sorted := slices.Clone(found)
	slices.SortFunc(sorted, layerSet.before)
	rank := make([]int, len(found))
	prims := make([]primitive, len(found))
	for i, s := range sorted {
		rank[slices.Index(found, s)] = i
		prims[i] = primitive{set: s, layers: s.appendLayers(nil)}
	}
	for y := range h {
		row := b.cells[2*y*terrain.TileSize:][:2*w]
		for t, p := range row {
			if p >= 0 {
				row[t] = rank[p]
			}
		}
	}
	return prims
}

// fill writes the vertices, in the order of their first use, and the indices.
func (b *builder) fill(p *primitive, number int, cells image.Rectangle) {
	for i := range b.vertex {
		b.vertex[i] = -1
	}
	inf := float32(math.Inf(1))
	p.min, p.max = [3]float32{inf, inf, inf}, [3]float32{-inf, -inf, -inf}
	corner := func(x, y int) {
		i := y*stride + x
		if b.vertex[i] < 0 {
			b.vertex[i] = p.count
			p.count++
			b.addVertex(p, x, y, cells)
		}
		p.corners++
		if b.counting {
			return
		}
		p.indices = binary.LittleEndian.AppendUint16(p.indices, uint16(b.vertex[i]))
	}
	for y := range cells.Dy() {
		for x := range cells.Dx() {
			t := 2 * (y*terrain.TileSize + x)
			if b.cells[t] == number {
				corner(x, y)
				corner(x, y+1)
				corner(x+1, y)
			}
			if b.cells[t+1] == number {
				corner(x+1, y)
				corner(x, y+1)
				corner(x+1, y+1)
			}
		}
	}
}

func (b *builder) addVertex(p *primitive, x, y int, cells image.Rectangle) {
	i := y*stride + x
	s := b.field.Spacing()
	pos := [3]float32{float32(float64(x) * s), b.heights[i], float32(float64(y) * s)}
	for a, v := range pos {
		p.min[a], p.max[a] = min(p.min[a], v), max(p.max[a], v)
	}
	if b.counting {
		return
	}
	for _, v := range pos {
		p.vertices = appendFloat(p.vertices, float64(v))
	}
	for _, v := range b.field.Normal(cells.Min.X+x, cells.Min.Y+y) {
		p.vertices = appendFloat(p.vertices, v)
	}
	// Whole repeats before the chunk are left out, so that float32 keeps the
	// texel.
	scale := b.scales[p.layers[0]]
	for _, v := range [2][2]int{{cells.Min.X, x}, {cells.Min.Y, y}} {
		_, from := math.Modf(float64(v[0]) * s / scale)
		p.vertices = appendFloat(p.vertices, from+float64(v[1])*s/scale)
	}
	l := b.light[i]
	for _, v := range [3]uint8{l.R, l.G, l.B} {
		p.vertices = binary.LittleEndian.AppendUint16(p.vertices, linear16[v])
	}
	slots := 4*colorSets(len(p.layers)) - 3
	for k := range slots {
		var w float64
		if k+1 < len(p.layers) {
			w = weight(b.splats[i], p.layers[k+1])
		}
		p.vertices = binary.LittleEndian.AppendUint16(p.vertices, uint16(math.Round(min(w, 1)*65535)))
	}
}

func appendFloat(dst []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v)))
}

// linear16 takes 8-bit sRGB to 16-bit linear light.
var linear16 = func() (t [256]uint16) {
	for i := range t {
		t[i] = uint16(math.Round(float64(shade.Linear(uint8(i))) * 65535))
	}
	return t
}()
