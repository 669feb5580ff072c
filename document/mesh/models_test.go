package mesh

import (
	"bufio"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/google/go-cmp/cmp"

	"ridgeline/occluders/geom"
)

// sample is the folder of the models that came from elsewhere.
func sample(dir string) fs.FS { return os.DirFS("testdata/models/" + dir) }

// opened loads a sample and fails the test if that doesn't give a good model.
func opened(t *testing.T, dir, name string) *Model {
	t.Helper()
	m, err := Load(t.Context(), sample(dir), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSamples(t *testing.T) {
	unit := geom.Box{Min: geom.Vec3{-0.5, -0.5, -0.5}, Max: geom.Vec3{0.5, 0.5, 0.5}}
	for _, c := range []struct {
		dir, name         string
		triangles, images int
		bounds            geom.Box // zero: not checked
		volume            float64  // of closed ones
		notes             []string
	}{
		{"Box", "Box.glb", 12, 0, unit, 1, nil},
		{"Box", "Box.gltf", 12, 0, unit.Translate(geom.Vec3{0, 0, 2}), 1, nil}, // moved by a matrix
		{"Box With Spaces", "Box With Spaces.gltf", 12, 1, geom.Box{}, 8, []string{
			"Textures for metal and roughness are not supported; they are not shown.",
			"Textures for normal are not supported; they are not shown."}},
		{"BoxVertexColors", "BoxVertexColors.glb", 12, 0, geom.Box{}, 1, nil},
		{"BoxVertexColors", "BoxVertexColors.gltf", 12, 0, geom.Box{}, 1, nil},
		{"Cameras", "Cameras.gltf", 2, 0, geom.Box{}, 0, []string{
			"2 cameras were not imported.",
			"Node 0 has a rotation that isn't a unit quaternion; it was made one."}},
		{"SimpleSparseAccessor", "SimpleSparseAccessor.gltf", 12, 0, geom.Box{Max: geom.Vec3{6, 4, 0}}, 0, nil},
		{"TextureTransformTest", "TextureTransformTest.gltf", 24, 5, geom.Box{}, 0, nil},
		{"Triangle", "Triangle.gltf", 1, 0, geom.Box{Max: geom.Vec3{1, 1, 0}}, 0, nil},
		{"Triangle", "Triangle_identity_matrix.gltf", 1, 0, geom.Box{Max: geom.Vec3{1, 1, 0}}, 0, nil},
		{"TriangleWithoutIndices", "TriangleWithoutIndices.gltf", 1, 0, geom.Box{Max: geom.Vec3{1, 1, 0}}, 0, nil},
		{"VertexColorTest", "VertexColorTest.gltf", 36, 2, geom.Box{}, 0, nil},
		{"kenney_city", "building-small-a.glb", 440, 1, geom.Box{}, 0, []string{"12 triangles without area were left out."}},
		{"kenney_city", "pavement.glb", 20, 1, geom.Box{}, 0, nil},
		{"meshopt-fallback", "meshopt-fallback.gltf", 60, 0, geom.Box{}, 0, []string{
			"The extension EXT_meshopt_compression is not supported; the uncompressed data was read."}},
		{"mirror", "one_face_123.gltf", 1, 0, geom.Box{}, 0, nil},
		{"obj", "cube_att.obj", 12, 0, geom.Box{}, 1, nil},
		{"obj", "cube_quads.obj", 12, 0, geom.Box{}, 1, nil},
		{"obj", "multiple_tetrahedrons.obj", 20, 0, geom.Box{}, 0, nil},
		{"obj", "sphere.obj", 224, 0, geom.Box{}, 0, []string{
			`The material file "sphere.mtl" was not read: found the name "sphere.mtl", expected a file in the model's folder: no such file or folder.`,
			`Material "default" is not defined; it is shown plain.`}},
		{"obj", "test_nm.obj", 170, 0, geom.Box{}, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := opened(t, c.dir, c.name)
			if m.Triangles() != c.triangles || len(m.Images) != c.images {
				t.Errorf("%d triangles and %d images, expected %d and %d", m.Triangles(), len(m.Images), c.triangles, c.images)
			}
			if c.bounds != (geom.Box{}) && m.Bounds != c.bounds {
				t.Errorf("bounds %v, expected %v", m.Bounds, c.bounds)
			}
			if v := volume(m); c.volume > 0 && !(v > 0.99*c.volume && v < 1.01*c.volume) {
				t.Errorf("volume %v, expected %v", v, c.volume)
			}
			if d := cmp.Diff(c.notes, m.Notes); d != "" {
				t.Error(d)
			}
			if want := strings.TrimSuffix(c.name, path.Ext(c.name)); m.Name != want {
				t.Errorf("name %q, expected %q", m.Name, want)
			}
		})
	}
}

func TestSamplesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ dir, name, place, found string }{
		{"Box", "Box_Draco.glb", "extensionsRequired[0]", `the extension "KHR_draco_mesh_compression", which is not supported`},
		{"CubeScaledInstances", "cube_att.gltf", "nodes[2].children[0]", "node 5, which nodes[1] has for a child"},
		{"ZeroLengthBufferView", "ZeroLengthBufferView.gltf", "bufferViews[2].byteLength", "0"},
	} {
		_, err := Load(t.Context(), sample(c.dir), c.name)
		if f := wantFault(t, err, c.place); f.Found != c.found || f.File != c.name {
			t.Errorf("%s: found %q in %q, expected %q", c.name, f.Found, f.File, c.found)
		}
	}
}

// TestValidatorSamples holds every sample of the Khronos validator against what
// should become of it. Where the validator finds an error that doesn't touch what is
// shown, the model is imported; buffers that only a program could fill are missing.
func TestValidatorSamples(t *testing.T) {
	f, err := os.Open("testdata/models/validator.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		n++
		field := strings.Split(s.Text(), "\t")
		file, want := field[0], field[2]
		errors, err := strconv.Atoi(field[1])
		if err != nil || errors == 0 && want != "ok" && want != "buffers[0]" {
			t.Errorf("%s: the expectation is wrong: %s", file, s.Text())
		}
		m, err := Load(t.Context(), sample("validator"), file)
		if want != "ok" {
			wantFault(t, err, want)
		} else if err != nil {
			t.Error(err)
		} else if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if n != 136 {
		t.Errorf("%d samples", n)
	}
}

func TestMirroredSampleFacesTheSameWay(t *testing.T) {
	plain, mirrored := opened(t, "mirror", "one_face_123.gltf"), opened(t, "mirror", "one_face_123_mirror.gltf")
	// The node's scale is −1 on all axes: every point goes to its opposite, and so
	// does the direction that the face looks to.
	a, b := plain.Normals[0], mirrored.Normals[0]
	if !(a.Add(b).Len() < 1e-5) {
		t.Errorf("the mirrored face looks along %v, the other along %v", b, a)
	}
	for _, m := range []*Model{plain, mirrored} {
		p := [3]mgl32.Vec3{}
		for k := range 3 {
			p[k] = m.Positions[m.Indices[k]]
		}
		if !(faceNormal(p[0], p[1], p[2]).Dot(m.Normals[m.Indices[0]]) > 0.99) {
			t.Error("a triangle turns against its normal")
		}
	}
}

// TestTextureTransformSample checks where the extension's test model wants the tip
// of its arrow, which is at (0.7778, 0.7778) of the picture: where its green marker
// is.
func TestTextureTransformSample(t *testing.T) {
	m := opened(t, "TextureTransformTest", "TextureTransformTest.gltf")
	for _, c := range []struct {
		material  string
		x, y      float32 // of the marker, from the quad's centre
		tolerance float32
	}{{"Rotation", -0.07904822, -0.51626748, 0.001}, {"Scale", 0.01854497, -0.01854497, 0.001}, {"All", -0.07, -0.25, 0.05}} {
		for _, mat := range m.Materials {
			if mat.Name != c.material {
				continue
			}
			uv := mat.UV.Mul3x1(mgl32.Vec3{0.5 + c.x, 0.5 - c.y, 1})
			if d := uv.Vec2().Sub(mgl32.Vec2{0.7778, 0.7778}).Len(); !(d <= c.tolerance) {
				t.Errorf("%s: the marker shows %v of the picture", c.material, uv)
			}
		}
	}
	for _, mat := range m.Materials {
		if mat.Name == "Offset UV" && mat.UV != mgl32.Translate2D(0.5, 0.5) {
			t.Errorf("the offset is %v", mat.UV)
		}
		if mat.Name == "Rotation" && (mat.WrapS != Clamp || mat.WrapT != Clamp) {
			t.Error("the sampler clamps, the material doesn't")
		}
	}
}

func TestVertexColorsOfSample(t *testing.T) {
	m := opened(t, "BoxVertexColors", "BoxVertexColors.glb")
	if len(m.Colors) != 24 {
		t.Fatalf("%d colours", len(m.Colors))
	}
	for i, p := range m.Positions {
		if p == (mgl32.Vec3{0.5, 0.5, -0.5}) && m.Normals[i][1] > 0.9 {
			if want := [4]uint8{205, 205, 205, 255}; m.Colors[i] != want {
				t.Errorf("a corner has the colour %v, expected %v", m.Colors[i], want)
			}
			return
		}
	}
	t.Error("a corner is missing")
}
