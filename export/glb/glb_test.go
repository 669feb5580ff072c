package glb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/terrain"
)

func testScene(t testing.TB, cols, rows int, seed uint64) Scene {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	h := make([]float32, cols*rows)
	for i := range h {
		h[i] = float32(r.Float64()*20 - 5)
	}
	f, err := terrain.FromHeights(cols, rows, 2.5, h)
	if err != nil {
		t.Fatal(err)
	}
	f = f.WithOrigin(1000.25, -77)
	d := f.Draft()
	tc, tr := f.TileGrid()
	for ty := range tr {
		for tx := range tc {
			splats, light, flags := d.Splats(tx, ty), d.Light(tx, ty), d.Flags(tx, ty)
			block := terrain.Splat{}
			for i := range splats {
				if i%7 == 0 {
					block = terrain.Splat{
						Base: uint8(r.IntN(4)), Over: uint8(r.IntN(4)), Third: uint8(r.IntN(4)),
						Alpha: uint8(r.IntN(3) * 127), Alpha2: uint8(r.IntN(3) * 127),
					}
				}
				splats[i] = block
				light[i] = terrain.RGB{R: uint8(r.IntN(256)), G: uint8(r.IntN(256)), B: uint8(r.IntN(256))}
				if r.IntN(50) == 0 {
					flags[i] = terrain.Hole
				}
			}
		}
	}
	g, _ := d.Field()
	l := document.NewLevel(g)
	l.Layers = nil
	s := Scene{Level: l}
	for i, n := range []string{"grass", "rock", "sand", "snow"} {
		l.Layers = append(l.Layers, document.Layer{Name: n, Texture: "builtin:" + n, UVScale: float64(3 + i)})
		s.Textures = append(s.Textures, picture(uint8(40*i), 4, 4))
	}
	return s
}

// picture is an opaque picture of its own.
func picture(seed uint8, w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for k := range img.Pix {
		img.Pix[k] = seed + uint8(k)
	}
	for k := 3; k < len(img.Pix); k += 4 {
		img.Pix[k] = 255
	}
	return img
}

// vertexAt reads attribute values of one vertex as floats.
func vertexAt(t testing.TB, doc *gltf.Document, accessor, i int) []float64 {
	t.Helper()
	a := doc.Accessors[accessor]
	v := doc.BufferViews[*a.BufferView]
	step := max(v.ByteStride, gltf.SizeOfElement(a.ComponentType, a.Type))
	at := doc.Buffers[0].Data[v.ByteOffset+a.ByteOffset+i*step:]
	out := make([]float64, a.Type.Components())
	for k := range out {
		if a.ComponentType == gltf.ComponentFloat {
			out[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(at[4*k:])))
		} else {
			out[k] = float64(binary.LittleEndian.Uint16(at[2*k:]))
			if a.Normalized {
				out[k] /= 65535
			}
		}
	}
	return out
}

// The file alone gives back every cell once, with its heights, weights and light.
func TestFileHoldsTheTerrain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := testScene(t, rapid.IntRange(2, 90).Draw(rt, "cols"), rapid.IntRange(2, 70).Draw(rt, "rows"), rapid.Uint64().Draw(rt, "seed"))
		var file bytes.Buffer
		stats, err := Write(context.Background(), &file, s, nil)
		if err != nil {
			if strings.Contains(err.Error(), "all holes") || strings.Contains(err.Error(), "neither ground") {
				return
			}
			rt.Fatal(err)
		}
		if int64(file.Len()) != stats.Bytes {
			rt.Fatalf("wrote %d bytes, announced %d", file.Len(), stats.Bytes)
		}
		doc := new(gltf.Document)
		if err := gltf.NewDecoder(&file).Decode(doc); err != nil {
			rt.Fatal(err)
		}
		f := s.Level.Terrain
		cols, rows := f.Size()
		seen := make([]int, 2*cols*rows) // by triangle
		root := doc.Nodes[0]
		for _, n := range root.Children {
			node := doc.Nodes[n]
			for _, prim := range doc.Meshes[*node.Mesh].Primitives {
				layers := doc.Materials[*prim.Material].Extras.(map[string]any)["layers"].([]any)
				indices := doc.Accessors[*prim.Indices]
				var tri [3]image.Point
				for k := range indices.Count {
					v := int(vertexAt(t, doc, *prim.Indices, k)[0])
					p := vertexAt(t, doc, prim.Attributes[gltf.POSITION], v)
					c := int(math.Round((p[0] + node.Translation[0]) / f.Spacing()))
					r := int(math.Round((p[2] + node.Translation[2]) / f.Spacing()))
					if float32(p[1]) != f.Sample(c, r) {
						rt.Fatalf("sample (%d, %d) is at %v, expected %v", c, r, p[1], f.Sample(c, r))
					}
					tri[k%3] = image.Pt(c, r)
					checkVertex(t, rt, doc, prim, v, f, c, r, layers)
					if k%3 == 2 {
						if tri[0].X == tri[1].X && tri[0].Y+1 == tri[1].Y && tri[2] == tri[0].Add(image.Pt(1, 0)) {
							seen[2*(tri[0].Y*cols+tri[0].X)]++
						} else if tri[1] == tri[0].Add(image.Pt(-1, 1)) && tri[2] == tri[0].Add(image.Pt(0, 1)) {
							seen[2*(tri[0].Y*cols+tri[0].X-1)+1]++
						} else {
							rt.Fatalf("triangle %v is not one of the terrain's", tri)
						}
					}
				}
			}
		}
		for r := range rows - 1 {
			for c := range cols - 1 {
				want := 1
				if f.IsHole(c, r) {
					want = 0
				}
				for k := range 2 {
					if n := seen[2*(r*cols+c)+k]; n != want {
						rt.Fatalf("triangle %d of cell (%d, %d) stands %d times in the file, expected %d", k, c, r, n, want)
					}
				}
			}
		}
	})
}

func checkVertex(t testing.TB, rt *rapid.T, doc *gltf.Document, prim *gltf.Primitive, v int, f *terrain.Field, c, r int, layers []any) {
	color := vertexAt(t, doc, prim.Attributes[gltf.COLOR_0], v)
	weights := []float64{0, color[3]}
	for _, name := range []string{"COLOR_1", "COLOR_2"} {
		if a, ok := prim.Attributes[name]; ok {
			weights = append(weights, vertexAt(t, doc, a, v)...)
		}
	}
	rest := 1.0
	for _, w := range weights {
		rest -= w
	}
	weights[0] = rest
	want := map[int]float64{}
	sp := f.SplatAt(c, r)
	a, a2 := float64(sp.Alpha)/255, float64(sp.Alpha2)/255
	want[int(sp.Base)] += (1 - a) * (1 - a2)
	want[int(sp.Over)] += a * (1 - a2)
	want[int(sp.Third)] += a2
	for i, l := range layers {
		id := int(l.(map[string]any)["texture"].(float64))
		if !(math.Abs(weights[i]-want[id]) < 1e-4) {
			rt.Fatalf("layer %d weighs %v at (%d, %d), expected %v of %+v", id, weights[i], c, r, want[id], sp)
		}
		delete(want, id)
	}
	for id, w := range want {
		if w > 1e-9 {
			rt.Fatalf("layer %d of %+v at (%d, %d) was dropped", id, sp, c, r)
		}
	}
	l := f.LightAt(c, r)
	for k, u := range [3]uint8{l.R, l.G, l.B} {
		if !(math.Abs(color[k]-float64(linear16[u])/65535) < 1e-6) {
			rt.Fatalf("light %v at (%d, %d) became %v", l, c, r, color)
		}
	}
}

func TestSameBytesOnAnyNumberOfProcessors(t *testing.T) {
	s := testScene(t, 300, 260, 5)
	var files [2]bytes.Buffer
	for i, n := range []int{1, 4} {
		old := runtime.GOMAXPROCS(n)
		_, err := Write(context.Background(), &files[i], s, nil)
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the files differ")
	}
}

func TestCancelAndBadScenes(t *testing.T) {
	s := testScene(t, 200, 200, 1)
	ctx, cancel := context.WithCancel(context.Background())
	var last float64
	_, err := Write(ctx, &bytes.Buffer{}, s, func(done float64) {
		last = done
		if done > 0.6 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || last > 0.9 {
		t.Errorf("cancelled at %v with %v", last, err)
	}
	few := s
	level := *s.Level
	level.Layers = level.Layers[:2]
	few.Level, few.Textures = &level, s.Textures[:2]
	if _, err := Write(context.Background(), &bytes.Buffer{}, few, nil); err == nil || !strings.Contains(err.Error(), "shows layer") {
		t.Errorf("a terrain with too few layers: %v", err)
	}
	if _, err := Write(context.Background(), failing{}, s, nil); err == nil {
		t.Error("a full disk went unnoticed")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestValidatorFindsNothing(t *testing.T) {
	data, _ := write(t, testScene(t, 131, 70, 3))
	validate(t, data)
}

func BenchmarkWrite1025(b *testing.B) { benchmark(b, testScene(b, 1025, 1025, 2)) }
