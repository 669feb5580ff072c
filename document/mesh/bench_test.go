package mesh

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// gridDoc is a document of 2·n·n triangles, a wave, with normals and coordinates.
func gridDoc(n int) *gltf.Document {
	var positions, normals [][3]float32
	var uvs [][2]float32
	var indices []uint32
	for y := range n + 1 {
		for x := range n + 1 {
			positions = append(positions, [3]float32{float32(x), float32(math.Sin(float64(x+y) / 9)), float32(y)})
			normals = append(normals, [3]float32{0, 1, 0})
			uvs = append(uvs, [2]float32{float32(x) / float32(n), float32(y) / float32(n)})
		}
	}
	for y := range n {
		for x := range n {
			a := uint32(y*(n+1) + x)
			c := a + uint32(n) + 1
			indices = append(indices, a, c, a+1, a+1, c, c+1)
		}
	}
	doc := gltf.NewDocument()
	doc.Meshes = []*gltf.Mesh{{Primitives: []*gltf.Primitive{{
		Attributes: gltf.PrimitiveAttributes{
			gltf.POSITION:   modeler.WritePosition(doc, positions),
			gltf.NORMAL:     modeler.WriteNormal(doc, normals),
			gltf.TEXCOORD_0: modeler.WriteTextureCoord(doc, uvs),
		},
		Indices: gltf.Index(modeler.WriteIndices(doc, indices)),
	}}}}
	doc.Nodes = []*gltf.Node{{Mesh: gltf.Index(0), Rotation: [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}}}
	doc.Scenes[0].Nodes = []int{0}
	return doc
}

// gridOBJ is the same as an OBJ file.
func gridOBJ(n int) []byte {
	var b bytes.Buffer
	for y := range n + 1 {
		for x := range n + 1 {
			fmt.Fprintf(&b, "v %d %.6f %d\nvt %.6f %.6f\n", x, math.Sin(float64(x+y)/9), y, float64(x)/float64(n), float64(y)/float64(n))
		}
	}
	b.WriteString("vn 0 1 0\n")
	for y := range n {
		for x := range n {
			a := y*(n+1) + x + 1
			c := a + n + 1
			fmt.Fprintf(&b, "f %d/%d/1 %d/%d/1 %d/%d/1 %d/%d/1\n", a, a, c, c, c+1, c+1, a+1, a+1)
		}
	}
	return b.Bytes()
}

func benchmarkLoad(b *testing.B, data []byte, ext string) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		m, err := LoadBytes(b.Context(), data, ext)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Triangles()), "triangles")
	}
}

func BenchmarkGLB(b *testing.B) { benchmarkLoad(b, encode(b, gridDoc(224)), ".glb") } // 100 352 triangles

func BenchmarkGLBFlat(b *testing.B) {
	doc := gridDoc(224)
	delete(doc.Meshes[0].Primitives[0].Attributes, gltf.NORMAL)
	benchmarkLoad(b, encode(b, doc), ".glb")
}

func BenchmarkOBJ(b *testing.B) { benchmarkLoad(b, gridOBJ(224), ".obj") }

// BenchmarkFiles reads the models below the folder that RIDGELINE_DATA names.
func BenchmarkFiles(b *testing.B) {
	dir := os.Getenv("RIDGELINE_DATA")
	if dir == "" {
		b.Skip("RIDGELINE_DATA names no folder of models")
	}
	for _, name := range []string{"mesh/capsule.obj", "mesh/sphere.obj", "gltf/kenney_city/building-small-a.glb"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				b.Fatal(err)
			}
			benchmarkLoad(b, data, filepath.Ext(name))
		})
	}
}
