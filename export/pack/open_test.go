package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/export/pack/packer"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// files are the files of a small level with one of everything.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	f, err := terrain.FromHeights(3, 2, 1, []float32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	d.Flags(0, 0)[0] = terrain.Hole
	f, _ = d.Field()
	l := document.NewLevel(f)
	l.Layers = nil
	l.Assets = []document.Asset{{Name: "box", File: "box.glb"}}
	add := func(id document.ID, parent document.ID, data document.Data) document.Entity {
		return document.Entity{ID: id, Parent: parent, Kind: data.Kind(), Data: data, Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}}
	}
	box := func(lo, hi float64) (out []mgl64.Vec3) {
		for i := range 8 {
			p := mgl64.Vec3{lo, lo, lo}
			for a := range p {
				if i>>a&1 == 1 {
					p[a] = hi
				}
			}
			out = append(out, p)
		}
		return out
	}
	l.Layers = []document.Layer{{Name: "grass", UVScale: 1}}
	list := []document.Entity{
		add(1, 0, document.Object{Asset: "box"}), add(2, 1, document.Object{Asset: "box"}), add(3, 1, document.Object{Asset: "box"}),
		add(4, 0, document.Occluder{Points: box(0, 1)}), add(5, 0, document.Cell{Pieces: [][]mgl64.Vec3{box(2, 5)}}),
		add(6, 0, document.Portal{Points: []mgl64.Vec3{{2, 3, 3}, {2, 3, 4}, {2, 4, 4}, {2, 4, 3}}}),
	}
	if l, err = l.WithEntities(list); err != nil {
		t.Fatal(err)
	}
	out := memory{}
	m := mesh.Placeholder()
	_, err = packer.WriteFiles(context.Background(), out, glb.Scene{
		Level: l, Models: func(*document.Asset) (*mesh.Model, error) { return m, nil },
		Textures: []*image.NRGBA{image.NewNRGBA(image.Rect(0, 0, 1, 1))}, Options: glb.Options{Instancing: true, Sun: true, Heights: glb.Heights16, ZUp: true},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// memory keeps files.
type memory map[string][]byte

type memoryFile struct {
	bytes.Buffer
	of   memory
	name string
}

func (m memory) Create(name string) (io.WriteCloser, error) {
	return &memoryFile{of: m, name: name}, nil
}

func (f *memoryFile) Close() error {
	f.of[f.name] = f.Bytes()
	return nil
}

// save writes files below a new folder.
func save(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Each index that is wrong is refused with one error that says where.
func TestBadIndexes(t *testing.T) {
	good := files(t)
	if p, err := pack.Open(save(t, good)); err != nil {
		t.Fatal(err)
	} else if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	// holder is what has the last of some keys, which lead into a document.
	holder := func(doc map[string]any, keys []any) any {
		var at any = doc
		for _, k := range keys[:len(keys)-1] {
			if i, ok := k.(int); ok {
				at = at.([]any)[i]
			} else {
				at = at.(map[string]any)[k.(string)]
			}
		}
		return at
	}
	set := func(value any, keys ...any) func(map[string]any) {
		return func(doc map[string]any) {
			switch at := holder(doc, keys).(type) {
			case []any:
				at[keys[len(keys)-1].(int)] = value
			case map[string]any:
				at[keys[len(keys)-1].(string)] = value
			}
		}
	}
	left := func(keys ...any) func(map[string]any) { // out
		return func(doc map[string]any) {
			delete(holder(doc, keys).(map[string]any), keys[len(keys)-1].(string))
		}
	}
	both := func(list ...func(map[string]any)) func(map[string]any) {
		return func(doc map[string]any) {
			for _, change := range list {
				change(doc)
			}
		}
	}
	camera := map[string]any{"name": "a", "yfov": 1, "near": 0.1, "node": 0}
	for i, c := range []struct {
		change func(map[string]any)
		place  string
	}{
		{set("zip", "format"), "format"},
		{set(2, "version"), "version"},
		{set("x", "frame", "up"), "frame.up"},
		{set("left", "frame", "handedness"), "frame.handedness"},
		{set(0, "frame", "units_per_metre"), "frame.units_per_metre"},
		{set(99, "frame", "root"), "frame.root"},
		{set("../../etc/passwd", "files", 0, "name"), "files[0]"},
		{set("/etc/passwd", "files", 0, "name"), "files[0]"},
		{set("gone.bin", "files", 0, "name"), "files[0]"},
		{set(7, "files", 0, "size"), "files[0]"},
		{set(1, "ground", "columns"), "ground"},
		{set(4, "ground", "columns"), "ground.heights.file"},
		{set(16385, "ground", "rows"), "ground.heights.file"},
		{set(-1, "ground", "spacing"), "ground.spacing"},
		{set("int7", "ground", "heights", "type"), "ground.heights.type"},
		{set(1e30, "ground", "heights", "scale"), "ground.heights"},
		{set(0, "ground", "points", "scale"), "ground.points"},
		{set("../x.png", "ground", "layers", 0, "weights"), "ground.layers[0].weights"},
		{set(5, "ground", "layers", 0, "texture"), "ground.layers[0].texture"},
		{set("x.json", "ground", "holes"), "ground.holes"},
		{set("level.json", "pictures", 0, "file"), "pictures[0].file"},
		{set(9, "textures", 0, "picture"), "textures[0].picture"},
		{set("bend", "textures", 0, "wrap", 1), "textures[0].wrap"},
		{set("odd", "materials", 0, "alpha"), "materials[0].alpha"},
		{set([]int{3}, "materials", 0, "layers"), "materials[0].layers"},
		{set(6, "formats", 0, "stride"), "formats[0].stride"},
		{set("float64", "formats", 0, "attributes", 0, "type"), "formats[0].attributes[0].type"},
		{set(9, "formats", 0, "attributes", 0, "components"), "formats[0].attributes[0].components"},
		{set(250, "formats", 0, "attributes", 0, "offset"), "formats[0].attributes[0].offset"},
		{set("NORMAL", "formats", 0, "attributes", 0, "name"), "formats[0].attributes[1].name"},
		{set(9, "meshes", 0, "primitives", 0, "material"), "meshes[0].primitives[0].material"},
		{set(9, "meshes", 0, "primitives", 0, "vertices", "format"), "meshes[0].primitives[0].vertices.format"},
		{set(1<<40, "meshes", 0, "primitives", 0, "vertices", "count"), "meshes[0].primitives[0].vertices"},
		{set(-4, "meshes", 0, "primitives", 0, "vertices", "offset"), "meshes[0].primitives[0].vertices"},
		{set(int64(9e15), "meshes", 0, "primitives", 0, "vertices", "offset"), "meshes[0].primitives[0].vertices"},
		{set(4, "meshes", 0, "primitives", 0, "indices", "count"), "meshes[0].primitives[0].indices.count"},
		{set("int8", "meshes", 0, "primitives", 0, "indices", "type"), "meshes[0].primitives[0].indices.type"},
		{set(99, "nodes", 0, "parent"), "nodes[0].parent"},
		{set(99, "nodes", 0, "mesh"), "nodes[0].mesh"},
		{set(0, "nodes", 0, "parent"), "nodes[0].parent"},
		{set(99, "lights", 0, "node"), "lights[0].node"},
		{set(1<<30, "visibility", "entries", "count"), "visibility.entries.boxes"},
		{set(0, "visibility", "entries", "count"), "visibility.entries.count"},
		{set(1<<20, "visibility", "pyramid", "offset"), "visibility.pyramid"},
		{set("y", "visibility", "occluders"), "visibility.occluders"},
		{set("y", "nodes"), "nodes"},
		{set(nil, "nodes"), "nodes"},
		{left("lights"), "lights"},
		{left("frame"), "frame"},
		{left("version"), "version"},
		{set(1.5, "version"), "version"},
		{left("frame", "root"), "frame"},
		{both(left("frame", "root"), set("y", "frame", "up"), set(2, "frame", "units_per_metre")), "frame"},
		{set(1, "frame", "root"), "frame.root"},
		{set([]int{1}, "ground", "origin"), "ground.origin"},
		{set([]int{1, 2, 3}, "ground", "origin"), "ground.origin"},
		{left("ground", "points"), "ground.points"},
		{set(1e9, "ground", "lowest"), "ground"},
		{set(-1e9, "ground", "highest"), "ground"},
		{set(-1, "ground", "points", "error"), "ground.points.error"},
		{set(-1, "ground", "heights", "error"), "ground.heights.error"},
		{set([]int{1, 1}, "ground", "layers", 0, "tint"), "ground.layers[0].tint"},
		{set([]int{1, -1, 1}, "ground", "layers", 0, "tint"), "ground.layers[0].tint"},
		{set([]any{"repeat"}, "textures", 0, "wrap"), "textures[0].wrap"},
		{set([]float64{1, 1, 1}, "materials", 0, "base_color"), "materials[0].base_color"},
		{set([]float64{1, 1, 1, 2}, "materials", 0, "base_color"), "materials[0].base_color"},
		{set([]float64{-1, 1, 1}, "materials", 0, "emissive"), "materials[0].emissive"},
		{set(-1, "materials", 0, "cutoff"), "materials[0].cutoff"},
		{set([]int{}, "materials", 0, "layers"), "materials[0].layers"},
		{set([]int{0, 0}, "materials", 0, "layers"), "materials[0].layers"},
		{set([]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "materials", 0, "layers"), "materials[0].layers"},
		{set(2, "formats", 0, "attributes", 0, "components"), "formats[0].attributes[0]"},
		{set("COLOR_1", "formats", 0, "attributes", 2, "name"), "formats[0].attributes[2]"},
		{set(false, "formats", 0, "attributes", 3, "normalized"), "formats[0].attributes[3]"},
		{set("int16", "formats", 0, "attributes", 1, "type"), "formats[0].attributes[1]"},
		{set([]any{}, "meshes", 0, "primitives"), "meshes[0].primitives"},
		{set([]any{nil}, "meshes", 0, "primitives"), "meshes[0].primitives[0]"},
		{set(-1, "meshes", 0, "error"), "meshes[0].error"},
		{set([]any{map[string]any{"mesh": 0, "error": 1}}, "meshes", 0, "lods"), "meshes[0].lods"},
		{set([]any{map[string]any{"mesh": 1, "error": -1}}, "meshes", 0, "lods"), "meshes[0].lods"},
		{set([]any{map[string]any{"mesh": 1}}, "meshes", 0, "lods"), "meshes[0].lods[0].error"},
		{set([]int{9, 9, 9}, "meshes", 0, "primitives", 0, "min"), "meshes[0].primitives[0]"},
		{set([]int{9, 9}, "meshes", 0, "primitives", 0, "max"), "meshes[0].primitives[0].max"},
		{left("meshes", 0, "primitives", 0, "vertices", "count"), "meshes[0].primitives[0].vertices.count"},
		{set([]int{0, 0, 0, 0}, "nodes", 0, "rotation"), "nodes[0].rotation"},
		{set([]int{0, 0, 2, 0}, "nodes", 0, "rotation"), "nodes[0].rotation"},
		{set([]int{0, 0, 1}, "nodes", 0, "rotation"), "nodes[0].rotation"},
		{set([]int{0, 0, 1, 1}, "nodes", 0, "translation"), "nodes[0].translation"},
		{set([]any{1, nil, 1}, "nodes", 0, "scale"), "nodes[0].scale[1]"},
		{set(map[string]any{"count": 1}, "nodes", 1, "instances"), "nodes[1].instances"},
		{set(map[string]any{"count": 0, "scale": map[string]any{"file": "visibility.bin", "offset": 0, "size": 0}}, "nodes", 1, "instances"), "nodes[1].instances"},
		{set(map[string]any{"count": 2, "scale": map[string]any{"file": "visibility.bin", "offset": 0, "size": 12}}, "nodes", 1, "instances"), "nodes[1].instances.scale"},
		{set(map[string]any{"count": 1, "scale": map[string]any{"file": "visibility.bin", "offset": 0, "size": 12}}, "nodes", 0, "instances"), "nodes[0].instances"},
		{set("point", "lights", 0, "type"), "lights[0].type"},
		{set([]int{1, 1}, "lights", 0, "color"), "lights[0].color"},
		{set([]int{1, 1, 2}, "lights", 0, "color"), "lights[0].color"},
		{set(-1, "lights", 0, "intensity"), "lights[0].intensity"},
		{func(doc map[string]any) { l := doc["lights"].([]any); doc["lights"] = append(l, l[0]) }, "lights[1].node"},
		{set([]any{map[string]any{"name": "a", "yfov": 4, "near": 0.1, "node": 0}}, "cameras"), "cameras[0].yfov"},
		{set([]any{camera, map[string]any{"name": "a", "yfov": 1, "near": 0, "node": 0}}, "cameras"), "cameras[1].near"},
		{set([]any{camera, map[string]any{"name": "a", "yfov": 1, "near": 1, "node": 99}}, "cameras"), "cameras[1].node"},
		{set(map[string]any{"a": map[string]any{"eye": []int{1}, "look": []int{0, 0, 0}}}, "bookmarks"), `bookmarks["a"].eye`},
		{set(map[string]any{"a": map[string]any{"eye": []int{1, 2, 3}}}, "bookmarks"), `bookmarks["a"].look`},
		{set(map[string]any{"a": map[string]any{"eye": []int{1, 2, 3}, "look": nil}}, "bookmarks"), `bookmarks["a"].look`},
		{set(map[string]any{"a": map[string]any{"eye": []int{1, 2, 3}, "look": []int{1, 2, 3}}}, "bookmarks"), `bookmarks["a"]`},
		{set(map[string]any{"a": map[string]any{"eye": []float64{1, 2, 3e20}, "look": []int{1, 2, 3}}}, "bookmarks"), `bookmarks["a"]`},
		{set(map[string]any{"": map[string]any{"eye": []int{1, 2, 3}, "look": []int{0, 0, 0}}}, "bookmarks"), `bookmarks[""]`},
		{set([]any{}, "bookmarks"), "bookmarks"},
		{set(-1, "visibility", "off"), "visibility.off"},
		{left("visibility", "portals"), "visibility.portals"},
		{left("visibility", "tree"), "visibility.tree"},
	} {
		var doc map[string]any
		if err := json.Unmarshal(good["level.json"], &doc); err != nil {
			t.Fatal(err)
		}
		c.change(doc)
		data, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		bad := memory{}
		for name, data := range good {
			bad[name] = data
		}
		bad["level.json"] = data
		dir := save(t, bad)
		p, err := pack.Open(dir)
		if err == nil {
			p.Close()
			t.Errorf("%d: %s: it is opened", i, c.place)
			continue
		}
		var e *fault.Error
		if !errors.As(err, &e) || e.File != dir || e.Op == "" || e.Found == "" && e.Err == nil || e.Place != "level.json, "+c.place && !strings.HasPrefix(e.Place, "level.json, "+c.place+", ") {
			t.Errorf("%d: %v, expected the place %s", i, err, c.place)
		}
	}
}

// What hides what has lists, and holes are in the ground.
func TestBadParts(t *testing.T) {
	good := files(t)
	for _, c := range []struct{ file, text, place string }{
		{"occluders.json", `{}`, "occluders.json, occluders"},
		{"occluders.json", `{"occluders":null}`, "occluders.json, occluders"},
		{"occluders.json", `{"occluders":{}}`, "occluders.json, occluders"},
		{"occluders.json", `{"occluders":[]`, "occluders.json, byte 15"},
		{"occluders.json", `[]`, "occluders.json"},
		{"portals.json", `{"cells":[]}`, "portals.json, portals"},
		{"portals.json", `{"portals":[]}`, "portals.json, cells"},
		{"holes.json", `{"columns":2,"rows":1}`, "holes.json, runs"},
		{"holes.json", `{"columns":2,"rows":1,"runs":[[0,0]]}`, "holes.json, runs[0]"},
		{"holes.json", `{"columns":2,"rows":1,"runs":[[0,0,1,1]]}`, "holes.json, runs[0]"},
		{"holes.json", `{"columns":2,"rows":1,"runs":[null]}`, "holes.json, runs[0]"},
		{"holes.json", `{"columns":2,"rows":1,"runs":[[0,0,3]]}`, "holes.json, runs[0]"},
		{"holes.json", `{"columns":3,"rows":1,"runs":[]}`, "holes.json"},
	} {
		var doc map[string]any
		if err := json.Unmarshal(good["level.json"], &doc); err != nil {
			t.Fatal(err)
		}
		for _, f := range doc["files"].([]any) {
			if f := f.(map[string]any); f["name"] == c.file {
				f["size"] = len(c.text)
			}
		}
		bad := maps.Clone(good)
		bad[c.file] = []byte(c.text)
		bad["level.json"], _ = json.Marshal(doc)
		dir := save(t, bad)
		p, err := pack.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.HoleBits(); err == nil {
			_, err = p.Hidden()
		}
		p.Close()
		var e *fault.Error
		if !errors.As(err, &e) || e.File != dir || e.Place != c.place || e.Found == "" || e.Want == "" {
			t.Errorf("%s %s: %v, expected the place %s", c.file, c.text, err, c.place)
		}
	}
}

// A folder's links lead nowhere else, and files that have become shorter are an error.
func TestFilesElsewhere(t *testing.T) {
	good := files(t)
	dir := save(t, good)
	away := filepath.Join(t.TempDir(), "points.bin")
	if err := os.Rename(filepath.Join(dir, "points.bin"), away); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(away, filepath.Join(dir, "points.bin")); err != nil {
		t.Fatal(err)
	}
	if p, err := pack.Open(dir); err == nil {
		p.Close()
		t.Error("a link out of the pack is followed")
	}
	dir = save(t, good)
	p, err := pack.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := os.Truncate(filepath.Join(dir, "points.bin"), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadFile("points.bin"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that is cut off: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "points.bin"), make([]byte, len(good["points.bin"])), 0o666); err != nil {
		t.Fatal(err)
	}
	var e *fault.Error
	if err := p.Verify(t.Context()); !errors.As(err, &e) || e.Place != "points.bin" {
		t.Errorf("other bytes: %v", err)
	}
	if _, err := p.ReadFile("../points.bin"); err == nil {
		t.Error("a file beside the pack is read")
	}
}

// More files than stay open are read in any order, by many at once.
func TestManyFiles(t *testing.T) {
	good := files(t)
	var doc map[string]any
	if err := json.Unmarshal(good["level.json"], &doc); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		name := fmt.Sprintf("more/%d", i)
		good[name] = []byte{byte(i)}
		doc["files"] = append(doc["files"].([]any), map[string]any{"name": name, "size": 1, "crc32": 0})
	}
	good["level.json"], _ = json.Marshal(doc)
	p, err := pack.Open(save(t, good))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var readers sync.WaitGroup
	for from := range 4 {
		readers.Go(func() {
			for i := range 500 {
				k := (i*37 + from) % 200
				if data, err := p.ReadFile(fmt.Sprintf("more/%d", k)); err != nil || data[0] != byte(k) {
					t.Errorf("%d: %v, %v", k, data, err)
				}
			}
		})
	}
	readers.Wait()
}

// FuzzIndex opens packs with any index, and reads what an opened one has.
func FuzzIndex(f *testing.F) {
	good := files(f)
	f.Add(good["level.json"], good["holes.json"])
	f.Add([]byte("{}"), []byte("{}"))
	path := filepath.Join(f.TempDir(), "a.pack")
	names := slices.Sorted(maps.Keys(good))
	f.Fuzz(func(t *testing.T, index, holes []byte) {
		var out bytes.Buffer
		w := pack.NewWriter(&out)
		for _, name := range names {
			data := good[name]
			switch name {
			case "level.json":
				data = index
			case "holes.json":
				data = holes
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
		p, err := pack.Open(path)
		if err != nil {
			var e *fault.Error
			if !errors.As(err, &e) || e.File != path {
				t.Errorf("not told as a fault: %v", err)
			}
			return
		}
		defer p.Close()
		for _, file := range p.Index.Files {
			if data, err := p.ReadFile(file.Name); err != nil || int64(len(data)) != file.Size {
				t.Errorf("%s: %v", file.Name, err)
			}
		}
		if bits, err := p.HoleBits(); err == nil && bits != nil && len(bits) > len(out.Bytes()) {
			t.Errorf("%d bytes of holes", len(bits))
		}
		if p.Index.Visibility != nil {
			p.Hidden()
		}
	})
}
