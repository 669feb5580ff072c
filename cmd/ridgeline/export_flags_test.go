package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ridgeline/document/mesh"
)

// Values that an option cannot have name the flag, the value and what was expected;
// nothing is written.
func TestExportFlags(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	ok(t, "run", "a.ridge", "-e", "asset.import testdata/crate.glb; object.place asset=crate at=1,1 name=One; object.place asset=crate at=2,2 name=Two; object.place asset=crate at=3,3 name=Two")
	for args, want := range map[string]string{
		"--chunk 33":            `"33" for "--chunk" flag: expected 32, 64 or 128`,
		"--chunk 0":             `"0" for "--chunk" flag: expected 32, 64 or 128`,
		"--lods 6":              `"6" for "--lods" flag: expected 1 to 5`,
		"--lods 1.5":            `"1.5" for "--lods" flag: expected 1 to 5`,
		"--bake 100":            `"100" for "--bake" flag: expected a power of two, 64 to 2048`,
		"--heights 8":           `"8" for "--heights" flag: expected one of float, 16, none`,
		"--scale -1":            `"-1" for "--scale" flag: expected 0.0001 to 10000`,
		"--scale NaN":           `"NaN" for "--scale" flag: expected 0.0001 to 10000`,
		"--scale 1e300":         `"1e300" for "--scale" flag: expected 0.0001 to 10000`,
		"--mesh-lods 0.5,0.6":   `"0.5,0.6" for "--mesh-lods" flag: expected falling numbers between 0 and 1, such as 0.5,0.25,0.1`,
		"--mesh-lods 0.5,,0.25": `"0.5,,0.25" for "--mesh-lods" flag: expected falling numbers`,
	} {
		r := cli(t, "", append([]string{"export", "a.ridge", "-o", "x.glb"}, strings.Fields(args)...)...)
		if r.code != exitUsage || !strings.Contains(r.errs, want) {
			t.Errorf("%s: %+v, expected %q", args, r, want)
		}
	}
	for args, want := range map[string]string{
		"x.glb --only Two":      `--only: found "Two", the name of 2 things, expected an id, such as 2`,
		"x.glb --only One,Four": `--only: found "Four", expected the id or name of a thing of the level`,
		"x.glb --only=":         "--only: found no thing, expected ids or names",
		"x.png --unlit":         "x.png: --unlit: found an option of glTF and packs, expected none",
		"x.glb --min 3":         "x.glb: --min --max: found a range of heights, expected none",
	} {
		r := cli(t, "", append([]string{"export", "a.ridge", "-o"}, strings.Fields(args)...)...)
		if r.code != exitFailed || !strings.Contains(r.errs, want) {
			t.Errorf("%s: %+v, expected %q", args, r, want)
		}
	}
	if list, _ := filepath.Glob("x*"); len(list) != 0 {
		t.Errorf("left over: %v", list)
	}
	ok(t, "export", "a.ridge", "-o", "x.glb", "--only", "One,3", "--instancing", "--quantize", "--z-up", "--scale", "100", "--sun", "--cameras", "--chunk", "32", "--lods", "2", "--unlit", "--heights", "16", "--no-visibility")
	text := snapshotOf(t, "x.glb")
	for _, want := range []string{"EXT_mesh_gpu_instancing", "KHR_mesh_quantization", `"up":"z","units_per_metre":100`, "KHR_lights_punctual", `"perspective"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no %s", want)
		}
	}
	if strings.Contains(text, `"terrain"`) || strings.Contains(text, "RIDGELINE_visibility") {
		t.Error("a selection has ground")
	}
}

// A .gltf and the files beside it show what the .glb shows. Another export to the same
// name leaves none of the older files.
func TestExportApart(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "33x33")
	ok(t, "run", "a.ridge", "-e", "asset.import testdata/tent.obj; object.place asset=tent at=1,1; object.place asset=tent at=5,5 scale=-1,2,1")
	ok(t, "export", "a.ridge", "-o", "a.glb")
	if err := os.Mkdir("out folder", 0o755); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join("out folder", "a b.gltf")
	ok(t, "export", "a.ridge", "-o", out)
	one := snapshot(t, "out folder")
	load := func(file string) *mesh.Model {
		b, err := mesh.Load(t.Context(), os.DirFS(filepath.Dir(file)), filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := load("a.glb"), load(out)
	if a.Triangles() != b.Triangles() || a.Bounds != b.Bounds || len(a.Images) != len(b.Images) || len(a.Nodes) != len(b.Nodes) {
		t.Errorf("%d triangles in %v, with files apart %d in %v", a.Triangles(), a.Bounds, b.Triangles(), b.Bounds)
	}
	var doc struct {
		Buffers []struct{ URI string }
		Images  []struct{ URI string }
	}
	if err := json.Unmarshal([]byte(snapshotOf(t, out)), &doc); err != nil || len(doc.Buffers) != 1 || len(doc.Images)+3 != len(one) {
		t.Errorf("%v, %d files", doc, len(one))
	}
	ok(t, "export", "a.ridge", "-o", out)
	if again := snapshot(t, "out folder"); len(again) != len(one) || again["a b.gltf"] != one["a b.gltf"] {
		t.Error("the same level gave other files")
	}
	write(t, "out folder/a b.mine.bin", "mine")
	ok(t, "run", "a.ridge", "-e", "terrain.stroke op=raise at=5,5 radius=3 strength=1")
	ok(t, "export", "a.ridge", "-o", out)
	if other := snapshot(t, "out folder"); len(other) != len(one)+1 || other["a b.mine.bin"] == "" || other["a b.gltf"] == one["a b.gltf"] {
		t.Errorf("%d files became %d", len(one), len(other))
	}
}
