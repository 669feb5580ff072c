package glb

import (
	"encoding/binary"
	"image"
	"math"

	"github.com/qmuntal/gltf"

	"ridgeline/terrain/shade"
)

// vertexFormat is how a vertex of the ground is written: interleaved POSITION, NORMAL,
// TEXCOORD_0, COLOR_0 and further colours.
type vertexFormat struct {
	small bool // 16-bit positions and normals
}

// colorSets is the number of COLOR_n attributes that n layers need.
func colorSets(n int) int { return 1 + (max(n-2, 0)+3)/4 }

// size is the number of bytes of a vertex that weighs n layers.
func (f vertexFormat) size(n int) int {
	if f.small {
		return 8 + 8 + 8 + 8*colorSets(n)
	}
	return 12 + 12 + 8 + 8*colorSets(n)
}

// smallScale is how the ground's positions are written in 16 bits: in steps of a metre,
// heights from a middle.
type smallScale struct {
	step   float64 // metres; the spacing divided by a power of two
	cell   int     // steps a cell
	middle float64 // metres
}

// smallScaleOf finds the finest steps for chunks of so many cells and heights between
// two; ok is false if a step would be more than a cell.
func smallScaleOf(spacing float64, edge int, lo, hi float32) (s smallScale, ok bool) {
	s.middle = (float64(lo) + float64(hi)) / 2
	reach := max(float64(hi)-s.middle, s.middle-float64(lo))
	for s.cell = 1; s.cell*2*edge <= math.MaxInt16 && reach*float64(s.cell*2)/spacing <= math.MaxInt16-1; {
		s.cell *= 2
	}
	s.step = spacing / float64(s.cell)
	return s, reach/s.step <= math.MaxInt16-1
}

// rounding is how far a written height may be off.
func (g *ground) rounding() float64 {
	if g.format.small {
		return g.small.step / 2
	}
	return 0
}

func (b *builder) addVertex(p *primitive, x, y int, cells image.Rectangle) {
	i := y*b.stride + x
	s := b.field.Spacing()
	pos := [3]float32{float32(float64(x) * s), b.heights[i], float32(float64(y) * s)}
	if b.format.small {
		q := &b.small
		pos = [3]float32{float32(x * q.cell), float32(math.Round((float64(b.heights[i]) - q.middle) / q.step)), float32(y * q.cell)}
	}
	for a, v := range pos {
		p.min[a], p.max[a] = min(p.min[a], v), max(p.max[a], v)
	}
	if b.counting {
		return
	}
	normal := b.field.Normal(cells.Min.X+x, cells.Min.Y+y)
	if b.format.small {
		for _, v := range pos {
			p.vertices = appendShort(p.vertices, float64(v))
		}
		p.vertices = appendShort(p.vertices, 0)
		for _, v := range normal {
			p.vertices = appendShort(p.vertices, v*math.MaxInt16)
		}
		p.vertices = appendShort(p.vertices, 0)
	} else {
		for _, v := range pos {
			p.vertices = appendFloat(p.vertices, float64(v))
		}
		for _, v := range normal {
			p.vertices = appendFloat(p.vertices, v)
		}
	}
	for a, v := range [2][2]int{{cells.Min.X, x}, {cells.Min.Y, y}} {
		p.vertices = appendFloat(p.vertices, b.coordinate(p, a, v[0], v[1]))
	}
	l := b.light[i]
	for _, v := range [3]uint8{l.R, l.G, l.B} {
		p.vertices = binary.LittleEndian.AppendUint16(p.vertices, linear16[v])
	}
	if b.bake > 0 {
		p.vertices = binary.LittleEndian.AppendUint16(p.vertices, math.MaxUint16)
		return
	}
	slots := 4*colorSets(len(p.layers)) - 3
	for k := range slots {
		var w float64
		if k+1 < len(p.layers) {
			w = b.splats[i].Weight(p.layers[k+1])
		}
		p.vertices = binary.LittleEndian.AppendUint16(p.vertices, uint16(math.Round(min(w, 1)*65535)))
	}
}

// coordinate is a texture coordinate of a sample, so many samples from the chunk's
// first.
func (b *builder) coordinate(p *primitive, axis, first, sample int) float64 {
	s := b.field.Spacing()
	if b.bake > 0 {
		return b.bakedAt(sample)
	}
	// Whole repeats before the chunk are left out, so that float32 keeps the texel.
	scale := b.layers[p.layers[0]].scale
	_, from := math.Modf(float64(first) * s / scale)
	return from + float64(sample)*s/scale
}

// attributesOf adds the accessors of a primitive's vertices.
func (p *plan) attributesOf(g *ground, prim *primitive) gltf.PrimitiveAttributes {
	vertices, _ := prim.size(g.format)
	a := p.attributes(vertices, prim.count, g.format.size(len(prim.layers)))
	kind := gltf.ComponentFloat
	if g.format.small {
		kind = gltf.ComponentShort // three take eight bytes
	}
	position := a.add(kind, gltf.AccessorVec3)
	at := p.doc.Accessors[position]
	at.Normalized = false
	at.Min, at.Max = doubles(prim.min), doubles(prim.max)
	out := gltf.PrimitiveAttributes{gltf.POSITION: position, gltf.NORMAL: a.add(kind, gltf.AccessorVec3)}
	out[gltf.TEXCOORD_0] = a.add(gltf.ComponentFloat, gltf.AccessorVec2)
	for k := range colorSets(len(prim.layers)) {
		out[colorNames[k]] = a.add(gltf.ComponentUshort, gltf.AccessorVec4)
	}
	return out
}

// A triangle has at most nine layers: three sets.
var colorNames = [3]string{"COLOR_0", "COLOR_1", "COLOR_2"}

func appendFloat(dst []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v)))
}

func appendShort(dst []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint16(dst, uint16(int16(math.Round(v))))
}

// linear16 takes 8-bit sRGB to 16-bit linear light.
var linear16 = func() (t [256]uint16) {
	for i := range t {
		t[i] = uint16(math.Round(float64(shade.Linear(uint8(i))) * 65535))
	}
	return t
}()
