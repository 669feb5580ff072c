package glb

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
)

// globe is a sphere of n×2n quads with shared vertices.
func globe(t testing.TB, n int) *mesh.Model {
	t.Helper()
	m := testModel(t, 1, plain("a"))
	m.Positions, m.Normals, m.Indices, m.UVs, m.Colors = nil, nil, nil, nil, nil
	for i := range n + 1 {
		for k := range 2 * n {
			st, ct := math.Sincos(math.Pi * (0.02 + 0.96*float64(i)/float64(n)))
			sp, cp := math.Sincos(math.Pi * float64(k) / float64(n))
			p := mgl32.Vec3{float32(st * cp), float32(ct), float32(st * sp)}
			m.Positions, m.Normals = append(m.Positions, p), append(m.Normals, p)
		}
	}
	for i := range n {
		for k := range 2 * n {
			a, b := uint32(i*2*n+k), uint32(i*2*n+(k+1)%(2*n))
			m.Indices = append(m.Indices, a, b, a+uint32(2*n), b, b+uint32(2*n), a+uint32(2*n))
		}
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	m.Bounds = geom.EmptyBox()
	for i, p := range m.Positions {
		m.Normals[i] = p.Normalize()
		m.Bounds = m.Bounds.Add(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// Further levels of a mesh are meshes of fewer triangles on its own vertices, listed on it
// with errors that grow, near the sphere, in the mesh's unit.
func TestMeshLevels(t *testing.T) {
	for _, quantize := range []bool{false, true} {
		models := map[string]*mesh.Model{"globe": globe(t, 24)}
		s := Scene{
			Models: library(models), Options: Options{MeshLODs: []float64{0.5, 0.25, 0.05}, Quantize: quantize},
			Level: withThings(t, noTerrain(t), models, document.Entity{ID: 1, Kind: document.KindObject, Data: document.Object{Asset: "globe"}}),
		}
		data, stats := write(t, s)
		doc := new(gltf.Document)
		if err := gltf.NewDecoder(bytes.NewReader(data)).Decode(doc); err != nil {
			t.Fatal(err)
		}
		if stats.Meshes != 1 || len(doc.Meshes) != 4 {
			t.Fatalf("%d meshes with %d levels", stats.Meshes, len(doc.Meshes))
		}
		info := lodInfoOf(t, doc.Meshes[0])
		if len(info.Levels) != 3 {
			t.Fatalf("%+v", info)
		}
		whole := doc.Accessors[*doc.Meshes[0].Primitives[0].Indices].Count / 3
		last := 0.0
		for i, l := range info.Levels {
			part := s.Options.MeshLODs[i]
			n := doc.Accessors[*doc.Meshes[l.Mesh].Primitives[0].Indices].Count / 3
			if float64(n) > part*float64(whole) || float64(n) < 0.8*part*float64(whole) {
				t.Errorf("level %d has %d triangles of %d", i, n, whole)
			}
			if !(l.Error > last && l.Error < 0.3) {
				t.Errorf("level %d is %g off after %g", i, l.Error, last)
			}
			last = l.Error
			if a, b := doc.Meshes[0].Primitives[0].Attributes[gltf.POSITION], doc.Meshes[l.Mesh].Primitives[0].Attributes[gltf.POSITION]; *doc.Accessors[a].BufferView != *doc.Accessors[b].BufferView {
				t.Errorf("level %d has vertices of its own", i)
			}
		}
		validate(t, data)
	}
}
