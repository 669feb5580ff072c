package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ridgeline/document/mesh"
)

// The whole hamlet is exported: the same bytes on any number of processors and
// after it was saved and opened, with every mesh where the level has it.
func TestExportHamlet(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "257x257")
	ok(t, "run", "a.ridge", "testdata/hamlet.txt")
	ok(t, "run", "a.ridge", "-o", "b.ridge", "-e", "select.all")
	old := runtime.GOMAXPROCS(1)
	out := ok(t, "export", "a.ridge", "-o", "a.glb")
	runtime.GOMAXPROCS(4)
	ok(t, "export", "a.ridge", "-o", "a4.glb")
	runtime.GOMAXPROCS(old)
	ok(t, "export", "b.ridge", "-o", "b.glb")
	a := snapshotOf(t, "a.glb")
	if a != snapshotOf(t, "a4.glb") || a != snapshotOf(t, "b.glb") {
		t.Error("the files differ")
	}
	f := infoOf(t, "a.ridge")
	if want := "a.glb: 16 chunks, 581 things, 253 scattered meshes, 2 meshes, "; !strings.HasPrefix(out, want) {
		t.Errorf("%q, expected %q", out, want)
	}
	m, err := mesh.LoadBytes(t.Context(), []byte(a), ".glb")
	if err != nil {
		t.Fatal(err)
	}
	want := 2 * 256 * 256
	for _, asset := range f.Assets {
		want += map[string]int{"Crate": 12, "Market tent": 8}[asset.Name] * (asset.Objects + asset.Points)
	}
	if m.Triangles() != want || len(m.Notes) != 0 {
		t.Errorf("%d triangles, expected %d; %q", m.Triangles(), want, m.Notes)
	}
	names := map[string]int{}
	for _, n := range m.Nodes {
		names[n.Name]++
	}
	if names["terrain"] != 1 || names["Spawn"] != 1 || names["Lonely"] != 1 || names["Tent crate"] != 1 {
		t.Errorf("%v", names)
	}
}

// A level of meshes alone is exported whole, but has no heights to export.
func TestExportWithoutTerrain(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--no-terrain")
	if out := ok(t, "export", "a.ridge", "-o", "a.glb"); !strings.HasPrefix(out, "a.glb: 0 triangles, ") {
		t.Error(out)
	}
	ok(t, "run", "a.ridge", "-e", "asset.import testdata/crate.glb; object.place asset=crate at=1,2,3 geometry=yes; object.place asset=crate at=5,2,3 scale=-1,1,1")
	if out := ok(t, "export", "a.ridge", "-o", "a.glb"); !strings.HasPrefix(out, "a.glb: 2 things, 1 mesh, 12 triangles, ") || !strings.HasSuffix(out, " kB\n") {
		t.Error(out)
	}
	m, err := mesh.LoadBytes(t.Context(), []byte(snapshotOf(t, "a.glb")), ".glb")
	if err != nil || m.Triangles() != 24 || m.Bounds.Min != [3]float64{0.5, 2, 2.5} || m.Bounds.Max[0] != 5.5 {
		t.Errorf("%v, %v", m, err)
	}
	before := snapshot(t, ".")
	for _, ext := range []string{".png", ".r16", ".r32", ".asc"} {
		r := cli(t, "", "export", "a.ridge", "-o", "h"+ext)
		if r.code != exitFailed || r.errs != "ridgeline: h"+ext+": found a level without terrain, which has no heights, expected .glb, which holds everything else\n" {
			t.Errorf("%+v", r)
		}
	}
	if after := snapshot(t, "."); len(after) != len(before) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
}

// Meshes that are missing are told; the rest is exported.
func TestExportWithMissingAssets(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	ok(t, "run", "a.ridge", "-e", "asset.import testdata/crate.glb; asset.import testdata/tent.obj; object.place asset=crate at=1,1; object.place asset=tent at=2,2; "+
		"object.scatter assets=tent at=4,4 radius=3 density=1; asset.remove tent force=yes")
	r := cli(t, "", "export", "a.ridge", "-o", "a.glb")
	if r.code != 0 || !strings.HasPrefix(r.errs, "warning: The level has no asset \"tent\"; 1 object and ") || !strings.HasSuffix(r.errs, " scatter points stand in the file as a box.\n") {
		t.Errorf("%+v", r)
	}
	if r := cli(t, "", "export", "a.ridge", "-o", "none.glb", "--strict"); r.code != exitFailed || r.errs != "ridgeline: none.glb: the level has no asset \"tent\"\n" {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat("none.glb"); err == nil {
		t.Error("a strict export wrote a file")
	}
	if data := snapshotOf(t, "a.glb"); !strings.Contains(data, `"missing":"tent"`) {
		t.Error("the file does not say what is missing")
	}
	list, err := filepath.Glob("a.ridge.d/assets/*.glb")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := os.Remove(list[0]); err != nil {
		t.Fatal(err)
	}
	if r := cli(t, "", "export", "a.ridge", "-o", "b.glb"); r.code != 0 || !strings.HasPrefix(r.errs, "warning: The asset \"crate\" cannot be read; 1 object stands in the file as a box: ") || !strings.Contains(r.errs, "no such file or folder.\n") {
		t.Errorf("%+v", r)
	}
	if bytes.Contains([]byte(snapshotOf(t, "b.glb")), []byte(`"name":"crate","primitives"`)) {
		t.Error("a mesh that is missing was written")
	}
}
