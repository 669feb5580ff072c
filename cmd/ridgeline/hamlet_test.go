package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ridgeline/document"
	"ridgeline/document/store"
)

// inDataDir goes to a fresh folder that has a copy of testdata.
func inDataDir(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(inDir(t), "testdata"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// hamletFacts is what the tests look at of info --json.
type hamletFacts struct {
	Terrain bool
	Objects int
	contents
}

func infoOf(t *testing.T, path string) (f hamletFacts) {
	t.Helper()
	if err := json.Unmarshal([]byte(ok(t, "info", path, "--json")), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// A level with ground, 513 objects, a scatter and markers is saved, opened and saved
// again: not a byte differs, nor in what is exported.
func TestHamlet(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "257x257")
	out := ok(t, "run", "a.ridge", "testdata/hamlet.txt")
	if want := "crate: 12 triangles, 1 × 0.8 × 1 m\nMarket tent: 8 triangles, 2 × 1.5 × 3 m\n"; !strings.HasPrefix(out, want) {
		t.Errorf("printed\n%.200s", out)
	}
	f := infoOf(t, "a.ridge")
	if f.Objects-f.Groups != 513 || !f.Terrain || f.Kinds["marker"] != 3 || f.Scatters != 1 || f.ScatterPoints < 100 || f.Groups != 64 || f.Geometry != 64 {
		t.Errorf("%+v", f)
	}
	if len(f.Assets) != 2 || f.Assets[0].Name != "Crate" || f.Assets[0].Missing || f.Assets[0].Objects != 320+64 || len(f.Unknown) != 0 {
		t.Errorf("%+v", f.Assets)
	}
	if out := ok(t, "check", "a.ridge"); !strings.HasPrefix(out, "a.ridge: no problems\n") {
		t.Error(out)
	}
	ok(t, "run", "a.ridge", "-o", "b.ridge", "-e", "select.all")
	files := func(level string) map[string]string {
		m := snapshot(t, level+".d")
		delete(m, "lock")
		data, err := os.ReadFile(level)
		if err != nil {
			t.Fatal(err)
		}
		m["manifest"] = string(data)
		return m
	}
	a, b := files("a.ridge"), files("b.ridge")
	if len(a) < 4 {
		t.Errorf("only %d files", len(a))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files became %d", len(a), len(b))
	}
	for _, x := range []string{"a", "b"} {
		ok(t, "export", x+".ridge", "-o", x+".r32")
	}
	if d := cmp.Diff(snapshotOf(t, "a.r32"), snapshotOf(t, "b.r32")); d != "" {
		t.Error(d)
	}
	// The same script on the same ground gives the same level.
	ok(t, "new", "c.ridge", "--size", "257x257")
	ok(t, "run", "c.ridge", "testdata/hamlet.txt")
	if c := files("c.ridge"); c["manifest"] != a["manifest"] {
		t.Error("the script gives another level the second time")
	}
}

func snapshotOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A mesh that a script imports lies with the level when it is saved, and only then.
func TestImportedMeshes(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--no-terrain")
	if out := ok(t, "info", "a.ridge"); !strings.Contains(out, "  terrain   none\n") {
		t.Error(out)
	}
	assets := func(level string) int {
		list, _ := filepath.Glob(filepath.Join(level+".d", "assets", "*"))
		return len(list)
	}
	if r := cli(t, "", "run", "a.ridge", "-e", "asset.import testdata/crate.glb; nonsense"); r.code != exitFailed || assets("a.ridge") != 0 {
		t.Errorf("%+v, %d assets", r, assets("a.ridge"))
	}
	ok(t, "run", "a.ridge", "-e", "asset.import testdata/crate.glb; asset.import testdata/tent.obj; object.place asset=crate at=1,2,3 geometry=yes")
	if out := ok(t, "run", "a.ridge", "-e", "asset.import testdata/crate.glb"); out != "crate: 12 triangles, 1 × 0.8 × 1 m\n" || assets("a.ridge") != 2 {
		t.Errorf("%q, %d assets", out, assets("a.ridge"))
	}
	l := read(t, "a.ridge")
	source, _ := filepath.Abs("testdata/crate.glb")
	if a, found := l.Asset("crate"); !found || a.Source != source || l.HasTerrain() {
		t.Errorf("%+v", l.Assets)
	}

	// Another file behind the name is another content; the objects stay.
	before := l.Assets
	write(t, "testdata/crate.glb", snapshotOf(t, "testdata/crate.glb")) // the same
	if out := ok(t, "run", "a.ridge", "-e", "asset.reload crate"); !strings.HasPrefix(out, "crate: the same as before\n") {
		t.Error(out)
	}
	ok(t, "run", "a.ridge", "-e", "asset.relink name=crate file=testdata/tent.obj")
	if l = read(t, "a.ridge"); l.Assets[0].File != before[1].File || l.Len() != 1 {
		t.Errorf("%+v", l.Assets)
	}

	// The level is whole without the files that it was made of.
	ok(t, "run", "a.ridge", "-o", "b.ridge", "-e", "select.none")
	if err := os.RemoveAll("testdata"); err != nil {
		t.Fatal(err)
	}
	if assets("b.ridge") != 2 {
		t.Errorf("%d assets in the copy", assets("b.ridge"))
	}
	ok(t, "check", "b.ridge")
	if r := cli(t, "", "run", "b.ridge", "-e", "asset.reload crate"); r.code != exitFailed || !strings.Contains(r.errs, "tent.obj: no such file or folder") {
		t.Errorf("%+v", r)
	}
}

// What is missing or no mesh is told, by info and check.
func TestMissingAssets(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	ok(t, "run", "a.ridge", "-e", "asset.import testdata/crate.glb; asset.import testdata/tent.obj; object.place asset=crate at=1,1; object.place asset=tent at=2,2; "+
		"object.scatter assets=tent at=4,4 radius=3 density=1; asset.remove tent force=yes")
	f := infoOf(t, "a.ridge")
	if len(f.Unknown) != 1 || f.Unknown[0].Name != "tent" || f.Unknown[0].Objects != 1 || f.Unknown[0].Points != f.ScatterPoints || f.ScatterPoints == 0 {
		t.Errorf("%+v", f)
	}
	out := ok(t, "check", "a.ridge")
	if want := `note: a.ridge: asset "tent": The level does not have it; a placeholder stands for it in 1 object and 1 scatter`; !strings.HasPrefix(out, want) {
		t.Error(out)
	}
	// The name is there again when a file is linked to it.
	ok(t, "run", "a.ridge", "-e", "asset.relink name=tent file=testdata/tent.obj")
	if f = infoOf(t, "a.ridge"); len(f.Unknown) != 0 || len(f.Assets) != 2 {
		t.Errorf("%+v", f)
	}

	// A file of an asset that goes missing is damage, and so is one that is no mesh.
	file := filepath.Join("a.ridge.d", "assets", strings.TrimPrefix(f.Assets[0].File, document.AssetPrefix))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if f = infoOf(t, "a.ridge"); !f.Assets[0].Missing || f.Assets[1].Missing {
		t.Errorf("%+v", f.Assets)
	}
	if r := cli(t, "", "check", "a.ridge"); r.code != exitFailed || !strings.Contains(r.out, "damage: ") || !strings.Contains(r.out, "the file is missing") {
		t.Errorf("%+v", r)
	}
	ref, err := store.AddAsset("a.ridge", []byte("no mesh"), "glb")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(snapshotOf(t, "a.ridge"), f.Assets[0].File, ref)
	write(t, "a.ridge", text)
	if r := cli(t, "", "check", "a.ridge", "--json"); r.code != exitFailed || !strings.Contains(r.out, `"place": "asset \"crate\""`) {
		t.Errorf("%+v", r)
	}
}

// Files that are no meshes, or that lead out of their folder, are one clear error, and
// the level stays as it is.
func TestBadMeshFiles(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	write(t, "bad.glb", "hello")
	write(t, "out.obj", "mtllib ../secret.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
	before := snapshot(t, ".")
	for file, want := range map[string]string{
		"none.glb": "none.glb: no such file or folder", "testdata": "testdata: found a folder, expected a .glb, .gltf or .obj file",
		"bad.glb": "bad.glb: ", "out.obj": "out.obj: ", "testdata/tent.mtl": "testdata/tent.mtl: found the extension",
	} {
		r := cli(t, "", "run", "a.ridge", "-e", "asset.import "+file)
		if r.code != exitFailed || !strings.HasPrefix(r.errs, "ridgeline: ") || !strings.Contains(r.errs, want) || strings.Count(r.errs, "\n") != 1 {
			t.Errorf("%s: %+v, expected %q", file, r, want)
		}
	}
	if d := cmp.Diff(before, snapshot(t, ".")); d != "" {
		t.Error(d)
	}
}
