package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mesh whose file is gone from the level's folder, or is something else, is put
// right by linking, importing or reloading the same content, though the level itself
// does not change.
func TestSameContentRestoresAMesh(t *testing.T) {
	source, err := filepath.Abs("testdata/crate.glb")
	if err != nil {
		t.Fatal(err)
	}
	inDir(t)
	for _, line := range []string{"asset.relink name=crate file=" + source, "asset.import " + source, "asset.reload crate"} {
		for name, spoil := range map[string]func(string) error{
			"gone":    os.Remove,
			"damaged": func(file string) error { return os.WriteFile(file, []byte("no mesh"), 0o600) },
		} {
			ok(t, "new", "a.ridge", "--size", "9x9", "--force")
			ok(t, "run", "a.ridge", "-e", "asset.import "+source+"; object.place asset=crate at=1,1")
			before := snapshot(t, ".")
			l := read(t, "a.ridge")
			if err := spoil(filepath.Join("a.ridge.d", "assets", strings.TrimPrefix(l.Assets[0].File, "asset:"))); err != nil {
				t.Fatal(err)
			}
			if r := cli(t, "", "check", "a.ridge"); r.code != exitFailed {
				t.Fatalf("%s: check finds nothing: %s", name, r.out)
			}
			ok(t, "run", "a.ridge", "-e", line)
			ok(t, "check", "a.ridge")
			if after := snapshot(t, "."); len(after) != len(before) {
				t.Errorf("%s, %s: files %v, before %v", line, name, after, before)
			}
		}
	}
}

// What no picture can hold is noted: it is no damage, and the rest is shown.
func TestCheckNotesWhatIsOutOfReach(t *testing.T) {
	inDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	ok(t, "run", "a.ridge", "-e", "marker.add kind=point points=1,1,1 name=m; object.group ids=1; object.set id=2 scale=1000000; object.group ids=2; object.set id=3 scale=1000000")
	if out := ok(t, "check", "a.ridge"); !strings.Contains(out, "note: a.ridge: entity 1: What it stands below takes it beyond ±1e+11 m, so it is not shown.") {
		t.Errorf("check says %s", out)
	}
}
