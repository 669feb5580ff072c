package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/export/pack/packer"
	"ridgeline/export/runtime"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// exportPack writes a level as a pack of one file, with what export shows.
func exportPack(t testing.TB, l *document.Level, o glb.Options) string {
	t.Helper()
	textures := make([]*image.NRGBA, len(l.Layers))
	for i := range textures {
		textures[i] = image.NewNRGBA(image.Rect(0, 0, 2, 2))
	}
	m := cube()
	var b bytes.Buffer
	_, err := packer.Write(context.Background(), &b, glb.Scene{
		Level: l, Textures: textures, Options: o,
		Models: func(*document.Asset) (*mesh.Model, error) { return m, nil },
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "level.pack")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// meaning is what JSON says, whatever the order of its keys.
func meaning(t *testing.T, text json.RawMessage) (value any) {
	t.Helper()
	if text != nil {
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
	}
	return value
}

// same compares two levels: all that they list, every vertex and index, every height, and
// what is drawn from some places.
func same(t *testing.T, l *document.Level, got, want *runtime.Level) {
	t.Helper()
	if !reflect.DeepEqual(got.Cameras, want.Cameras) || got.Root != want.Root {
		t.Errorf("cameras %v and root %v, expected %v and %v", got.Cameras, got.Root, want.Cameras, want.Root)
	}
	if len(got.Nodes) != len(want.Nodes) || len(got.Meshes) != len(want.Meshes) {
		t.Fatalf("%d nodes and %d meshes, expected %d and %d", len(got.Nodes), len(got.Meshes), len(want.Nodes), len(want.Meshes))
	}
	for i := range got.Nodes {
		g, w := &got.Nodes[i], &want.Nodes[i]
		if g.Name != w.Name || g.Parent != w.Parent || g.Mesh != w.Mesh || g.World != w.World || !reflect.DeepEqual(g.Instances, w.Instances) || !reflect.DeepEqual(meaning(t, g.Extras), meaning(t, w.Extras)) {
			t.Fatalf("node %d is %+v, expected %+v", i, g, w)
		}
	}
	if !reflect.DeepEqual(got.Materials, want.Materials) || !reflect.DeepEqual(got.Pictures, want.Pictures) {
		t.Errorf("materials %+v, expected %+v", got.Materials, want.Materials)
	}
	for i := range got.Meshes {
		g, w := &got.Meshes[i], &want.Meshes[i]
		if g.Name != w.Name || g.Bounds != w.Bounds || g.Triangles != w.Triangles || !reflect.DeepEqual(g.LODs, w.LODs) || len(g.Primitives) != len(w.Primitives) {
			t.Fatalf("mesh %d is %+v, expected %+v", i, g, w)
		}
		for k := range g.Primitives {
			a, err := got.Geometry(i, k)
			if err != nil {
				t.Fatal(err)
			}
			b, err := want.Geometry(i, k)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a, b) || g.Primitives[k].Material != w.Primitives[k].Material {
				t.Fatalf("primitive %d of mesh %s differs", k, g.Name)
			}
		}
	}
	for i := range got.Pictures {
		a, err := got.Picture(i)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := want.Picture(i); err != nil || !bytes.Equal(a, b) {
			t.Errorf("picture %d differs, %v", i, err)
		}
	}
	if (got.Ground == nil) != (want.Ground == nil) {
		t.Fatalf("ground %v, expected %v", got.Ground, want.Ground)
	}
	if got.Ground != nil {
		a, b := got.Ground.Field(), want.Ground.Field()
		cols, rows := a.Size()
		for r := range rows {
			for c := range cols {
				// Those of 16 bits may be rounded otherwise.
				if d := float64(a.Sample(c, r) - b.Sample(c, r)); !(d*d <= 1e-10) {
					t.Fatalf("sample %d, %d is %g, expected %g", c, r, a.Sample(c, r), b.Sample(c, r))
				}
				if c < cols-1 && r < rows-1 && a.IsHole(c, r) != b.IsHole(c, r) {
					t.Fatalf("cell %d, %d: a hole %v", c, r, a.IsHole(c, r))
				}
			}
		}
	}
	mine, theirs := got.Culler(), want.Culler()
	for _, v := range views(l, few(40)) {
		a, b := mine.Run(v), theirs.Run(v)
		if !reflect.DeepEqual(a.Verdicts, b.Verdicts) || !reflect.DeepEqual(a.Draws, b.Draws) {
			t.Fatalf("from %v the verdicts differ", v.Eye)
		}
	}
}

// A pack is the same level as a .glb, with any options.
func TestPackIsTheSameLevel(t *testing.T) {
	l := level(t, 200, 150, 40)
	d := l.Terrain.Draft()
	d.Flags(0, 0)[31*terrain.TileSize+30] = terrain.Hole
	l.Terrain, _ = d.Field()
	for name, o := range map[string]glb.Options{
		"plain":      {},
		"quantized":  {Quantize: true, Instancing: true, ZUp: true, Scale: 100, Heights: glb.Heights16, MeshLODs: []float64{0.5}},
		"baked":      {Bake: 64, Unlit: true, Sun: true, Cameras: true, LODs: 1},
		"no heights": {Heights: glb.HeightsNone},
		"only":       {Only: []document.ID{1, 3}},
		"blind":      {NoVisibility: true},
	} {
		t.Run(name, func(t *testing.T) {
			path := exportPack(t, l, o)
			if o.NoVisibility {
				// A .glb has its heights beside what hides what.
				blind := open(t, path)
				if blind.Visibility != nil || blind.Ground == nil || blind.Ground.Field().Sample(70, 80) != l.Terrain.Sample(70, 80) || !blind.Ground.Field().IsHole(30, 31) {
					t.Errorf("without visibility the ground is %v", blind.Ground)
				}
				return
			}
			same(t, l, open(t, path), open(t, export(t, l, o)))
			p, err := pack.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if err := p.Verify(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Packs that are cut off or whose files are not what they should be are refused with one
// error that names the file.
func TestBadPacks(t *testing.T) {
	good, err := os.ReadFile(exportPack(t, level(t, 20, 20, 2), glb.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.pack")
	for _, n := range []int{0, 16, 100, len(good) / 2, len(good) - 1} {
		if err := os.WriteFile(path, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := runtime.Open(t.Context(), path)
		var e *fault.Error
		if !errors.As(err, &e) || e.File != path || e.Op == "" {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for what, change := range map[string][2]string{
		"no number":     {`"origin":[1000,-2000]`, `"origin":[1000,"a"]`},
		"tree":          {`"split":"quad"`, `"split":"duet"`},
		"cell":          {`"from":`, `"fron":`},
		"hull":          {`"faces":[[0`, `"faces":[[9`},
		"no quaternion": {`"rotation":[`, `"rotatiom":[`}, // which is left out, as a key of somebody else
	} {
		if !bytes.Contains(good, []byte(change[0])) {
			t.Errorf("%s: the pack has no %s", what, change[0])
		}
		if err := os.WriteFile(path, bytes.Replace(good, []byte(change[0]), []byte(change[1]), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := runtime.Open(t.Context(), path)
		if err == nil {
			l.Close()
		}
		var e *fault.Error
		if wrong := what != "no quaternion"; wrong && (!errors.As(err, &e) || e.File != path) || !wrong && err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := runtime.Open(t.Context(), t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// FuzzPack opens packs with any index, boxes and occluders, and uses what an opened one
// has.
func FuzzPack(f *testing.F) {
	p, err := pack.Open(exportPack(f, level(f, 5, 5, 1), glb.Options{}))
	if err != nil {
		f.Fatal(err)
	}
	defer p.Close()
	names := []string{pack.IndexFile}
	good := map[string][]byte{}
	for _, file := range p.Index.Files {
		names = append(names, file.Name)
	}
	for _, name := range names {
		if good[name], err = p.ReadFile(name); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(good[pack.IndexFile], good["visibility.bin"], good["occluders.json"], good["portals.json"])
	path := filepath.Join(f.TempDir(), "x.pack")
	f.Fuzz(func(t *testing.T, index, boxes, occluders, portals []byte) {
		var out bytes.Buffer
		w := pack.NewWriter(&out)
		for _, name := range names {
			data := good[name]
			switch name {
			case pack.IndexFile:
				data = index
			case "visibility.bin":
				data = boxes
			case "occluders.json":
				data = occluders
			case "portals.json":
				data = portals
			}
			to, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			to.Write(data)
			to.Close()
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := runtime.Open(context.Background(), path); err == nil {
			use(l)
			l.Close()
		}
	})
}
