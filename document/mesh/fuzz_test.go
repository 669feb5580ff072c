package mesh

import (
	"image/color"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// seeds adds the samples with an extension, and calls add with each.
func seeds(f *testing.F, ext string, add func(data []byte)) {
	f.Helper()
	err := filepath.WalkDir("testdata/models", func(p string, e fs.DirEntry, err error) error {
		if err != nil || path.Ext(p) != ext {
			return err
		}
		data, err := os.ReadFile(p)
		if err == nil && len(data) < 4<<10 {
			add(data)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

// sound fails unless there is a good model or an error.
func sound(t *testing.T, m *Model, err error) {
	t.Helper()
	if err != nil {
		if m != nil || err.Error() == "" {
			t.Fatalf("model %v with error %q", m, err)
		}
		return
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	for i := range min(m.Triangles(), 50) {
		m.Opaque(i, 0.25, 0.5)
	}
}

// beside is a folder with files of the names that the seeds refer to.
func beside(tb testing.TB) fstest.MapFS {
	png := picture(tb, 4, 4, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(y), 9, uint8(x * 80)} })
	bin := instancesBin()
	for len(bin) < 4096 {
		bin = append(bin, bin[:44]...)
	}
	return fstest.MapFS{
		"t.bin": {Data: bin}, "Box0.bin": {Data: bin}, "a.png": {Data: png}, "uv0.png": {Data: png},
		"a.mtl": {Data: []byte("newmtl a\nKd 1 0 0\nmap_Kd -s 2 2 a.png\nmap_d a.png\n")},
	}
}

// withFile is a folder with one more file.
func withFile(folder fstest.MapFS, name string, data []byte) fstest.MapFS {
	more := fstest.MapFS{}
	for k, v := range folder {
		more[k] = v
	}
	more[name] = &fstest.MapFile{Data: data}
	return more
}

func FuzzGLB(f *testing.F) {
	seeds(f, ".glb", func(data []byte) { f.Add(data) })
	doc := cubeDoc(true)
	p := doc.Meshes[0].Primitives[0]
	p.Attributes[gltf.COLOR_0] = modeler.WriteColor(doc, make([][4]uint8, 8))
	doc.Nodes[0].Scale = [3]float64{-1, 2, 0}
	f.Add(encode(f, doc))
	instanced(doc, 0, map[string]any{"TRANSLATION": [][3]float32{{1, 2, 3}, {}}, "ROTATION": [][4]int16{{1, 2, 3, 32767}, {0, 32767}}, "_ID": []uint16{1, 2}})
	f.Add(encode(f, doc))
	folder := beside(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Load(t.Context(), withFile(folder, "m.glb", data), "m.glb")
		sound(t, m, err)
	})
}

func FuzzGLTF(f *testing.F) {
	seeds(f, ".gltf", func(data []byte) { f.Add(data) })
	f.Add([]byte(good))
	f.Add([]byte(goodInstances))
	folder := beside(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Load(t.Context(), withFile(folder, "m.gltf", data), "m.gltf")
		sound(t, m, err)
	})
}

func FuzzOBJ(f *testing.F) {
	seeds(f, ".obj", func(data []byte) { f.Add(data) })
	f.Add([]byte("mtllib a.mtl\r\n" + objCube + "usemtl a\no x\ng y z\ns 1\n" + objSides + "f 1 2 3 4 5 6 7 8\nl 1 2\nvt 0 1\nvn 1 0 0\nf 1/1/1 2/-1/-1 \\\n3//1\n"))
	f.Add([]byte("v 0 0 0 1 0 0\nv 2 0 0\nv .5 .5 0\nv 0 2e0 0\nf 1 2 3 4\n"))
	folder := beside(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Load(t.Context(), withFile(folder, "m.obj", data), "m.obj")
		sound(t, m, err)
	})
}

func FuzzMTL(f *testing.F) {
	f.Add([]byte("newmtl a\nKd 1 0.5 0\nKe 1\nd -halo 0.5\nTr 0.2\nmap_Kd -clamp on -o 1 2 -s 1 1 1 -mm 0 1 -blendu off a.png\nmap_d a.png\nbump -bm 1 b.png\n"))
	f.Add([]byte("# x\r\nnewmtl a\r\nKd spectral x\r\nKd xyz 1 1 1\r\nmap_Kd C:\\x\\a.png\r\nillum 2\r\n"))
	const model = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl a\nf 1/1 2/2 3/3\n"
	folder := withFile(beside(f), "m.obj", []byte(model))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Load(t.Context(), withFile(folder, "a.mtl", data), "m.obj")
		if err != nil {
			t.Fatalf("the model isn't shown for its materials: %v", err)
		}
		sound(t, m, err)
	})
}

func FuzzBundle(f *testing.F) {
	for _, s := range [][2]string{{"Box", "Box.gltf"}, {"kenney_city", "pavement.glb"}, {"Triangle", "Triangle.gltf"}} {
		data, _, err := Bundle(f.Context(), sample(s[0]), s[1])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(archiveOf(f, 0, "m.glb", "x/y"))
	f.Add(archiveOf(f, 8, "m.glb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := LoadBytes(t.Context(), data, ".zip")
		sound(t, m, err)
		if err != nil {
			return
		}
		again, ext, err := Bundle(t.Context(), fstest.MapFS{"b.zip": {Data: data}}, "b.zip")
		if err != nil || ext != ".zip" || len(again) != len(data) {
			t.Fatalf("the bundle of a bundle: %q, %v", ext, err)
		}
	})
}
