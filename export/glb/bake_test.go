package glb

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/qmuntal/gltf"

	"ridgeline/terrain"
	"ridgeline/terrain/shade"
)

// bakedOf writes a scene with baked textures and gives the texture of each chunk by name.
func bakedOf(t *testing.T, s Scene) (*gltf.Document, map[string]*image.NRGBA) {
	t.Helper()
	data, _ := write(t, s)
	validate(t, data)
	doc := new(gltf.Document)
	if err := gltf.NewDecoder(bytes.NewReader(data)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]*image.NRGBA{}
	for _, n := range doc.Nodes[0].Children {
		node := doc.Nodes[n]
		m := doc.Materials[*doc.Meshes[*node.Mesh].Primitives[0].Material]
		v := doc.BufferViews[*doc.Images[*doc.Textures[m.PBRMetallicRoughness.BaseColorTexture.Index].Source].BufferView]
		picture, err := png.Decode(bytes.NewReader(doc.Buffers[0].Data[v.ByteOffset:][:v.ByteLength]))
		if err != nil {
			t.Fatal(err)
		}
		p := image.NewNRGBA(picture.Bounds())
		for y := range p.Rect.Dy() {
			for x := range p.Rect.Dx() {
				p.Set(x, y, picture.At(x, y))
			}
		}
		out[node.Name] = p
	}
	return doc, out
}

// Neighbours' textures are the same on both sides of their common edge, in every mipmap
// down to a sixteenth of the size.
func TestBakedWithoutSeams(t *testing.T) {
	s := testScene(t, 129, 65, 3)
	s.Options = Options{Bake: 64, LODs: 1}
	_, pictures := bakedOf(t, s)
	left, right := pictures["chunk_00_00"], pictures["chunk_01_00"]
	for size := 64; size >= 16; size /= 2 { // as long as a texel of the border is left
		edge, other := size-size/16, size/16
		for y := range size {
			for d := -size / 16; d < size/16; d++ {
				a, b := left.NRGBAAt(edge+d, y), right.NRGBAAt(other+d, y)
				for _, k := range [3][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}} {
					if math.Abs(float64(k[0])-float64(k[1])) > 1 {
						t.Fatalf("size %d: texel %d of row %d from the edge is %v and %v", size, d, y, a, b)
					}
				}
			}
		}
		left, right = mip(left), mip(right)
	}
	if left.Rect.Dx() > 8 {
		t.Errorf("only down to %d", left.Rect.Dx())
	}
}

func mip(m *image.NRGBA) *image.NRGBA {
	n := m.Rect.Dx() / 2
	out := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			var sum [3]float32
			for i := range 4 {
				c := m.NRGBAAt(2*x+i%2, 2*y+i/2)
				sum[0] += shade.Linear(c.R) / 4
				sum[1] += shade.Linear(c.G) / 4
				sum[2] += shade.Linear(c.B) / 4
			}
			out.SetNRGBA(x, y, color.NRGBA{shade.SRGB(sum[0]), shade.SRGB(sum[1]), shade.SRGB(sum[2]), 255})
		}
	}
	return out
}

// Two layers half and half are their mean in linear light; light stays in COLOR_0, and
// texture coordinates take a chunk's edge to that of the texture's middle part.
func TestBakedBlend(t *testing.T) {
	f, err := terrain.Flat(65, 65, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	splats, light := d.Splats(0, 0), d.Light(0, 0)
	for i := range splats {
		splats[i] = terrain.Splat{Base: 0, Over: 1, Alpha: 51} // a fifth
		light[i] = terrain.RGB{R: 100, G: 150, B: 200}
	}
	s := testScene(t, 3, 3, 1)
	s.Level.Terrain, _ = d.Field()
	uniform := func(c color.NRGBA) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 4, 4))
		for i := range 16 {
			m.SetNRGBA(i%4, i/4, c)
		}
		return m
	}
	s.Textures[0], s.Textures[1] = uniform(color.NRGBA{200, 40, 0, 255}), uniform(color.NRGBA{0, 240, 90, 255})
	s.Options = Options{Bake: 64}
	doc, pictures := bakedOf(t, s)
	got := pictures["chunk_00_00"].NRGBAAt(20, 30)
	for k, v := range [3][3]uint8{{200, 0, got.R}, {40, 240, got.G}, {0, 90, got.B}} {
		want := shade.SRGB(0.8*shade.Linear(v[0]) + 0.2*shade.Linear(v[1]))
		if math.Abs(float64(v[2])-float64(want)) > 1 {
			t.Errorf("channel %d is %d, expected %d", k, v[2], want)
		}
	}
	prim := doc.Meshes[*doc.Nodes[doc.Nodes[0].Children[0]].Mesh].Primitives[0]
	for v := range doc.Accessors[prim.Attributes[gltf.POSITION]].Count {
		p, uv, c := vertexAt(t, doc, prim.Attributes[gltf.POSITION], v), vertexAt(t, doc, prim.Attributes[gltf.TEXCOORD_0], v), vertexAt(t, doc, prim.Attributes[gltf.COLOR_0], v)
		if c[3] != 1 || math.Abs(uv[0]-(4+p[0]/64*56)/64) > 1e-6 || math.Abs(uv[1]-(4+p[2]/64*56)/64) > 1e-6 {
			t.Fatalf("vertex at %v has %v and weight %g", p, uv, c[3])
		}
	}
}

// The file is the same when textures are not kept from the first pass to the second.
func TestBakedTwice(t *testing.T) {
	s := testScene(t, 150, 90, 6)
	s.Options = Options{Bake: 64}
	var files [2]bytes.Buffer
	for i, k := range []keep{{models: 1 << 20, pictures: 64 << 20}, {}} {
		if _, err := writeKeeping(context.Background(), &files[i], s, nil, k); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the files differ")
	}
}
