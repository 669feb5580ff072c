package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ridgeline/editor/village"

	"ridgeline/document"
)

// newVillage saves the Village as a level.
func newVillage(t testing.TB, path string) {
	t.Helper()
	if err := village.Save(context.Background(), path); err != nil {
		t.Fatal(err)
	}
}

// The Village has what it is to show, by the script as well as as it comes with the
// program; it is saved, opened, saved again and exported without a byte's difference.
func TestVillage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := inDir(t)
	if err := os.CopyFS(filepath.Join(dir, "testdata/village"), os.DirFS(filepath.Join(root, "testdata/village"))); err != nil {
		t.Fatal(err)
	}
	newVillage(t, "a.ridge")
	f := infoOf(t, "a.ridge")
	if f.Objects < 300 || f.Kinds["occluder"] < 12 || f.Kinds["cell"] < 9 || f.Kinds["portal"] < 12 || f.Scatters < 1 || len(f.Unknown) != 0 {
		t.Errorf("%+v", f)
	}
	if out := ok(t, "check", "a.ridge"); !strings.HasPrefix(out, "a.ridge: no problems\n") {
		t.Error(out)
	}
	l := read(t, "a.ridge")
	if n := len(l.Settings.Bookmarks); n < 6 {
		t.Errorf("%d bookmarks", n)
	}
	ok(t, "run", "a.ridge", "-o", "b.ridge", "-e", "select.all")
	files := func(level string) map[string]string {
		m := snapshot(t, level+".d")
		delete(m, "lock")
		m["manifest"] = snapshotOf(t, level)
		return m
	}
	a := files("a.ridge")
	if d := cmp.Diff(a, files("b.ridge")); d != "" || len(a) < 30 {
		t.Errorf("%d files: %s", len(a), d)
	}
	for _, x := range []string{"a.ridge", "b.ridge", "village"} {
		ok(t, "export", x, "-o", x+".glb")
	}
	if a := snapshotOf(t, "a.ridge.glb"); a != snapshotOf(t, "b.ridge.glb") || a != snapshotOf(t, "village.glb") {
		t.Error("what is exported differs")
	}

	// The script in the repository makes the same level, which then knows where its
	// meshes came from.
	ok(t, "import", "testdata/village/ground.png", "-o", "c.ridge", "--spacing", "1.5", "--min", "0", "--max", "90", "--nodata", "0", "--void", "hole")
	ok(t, "run", "c.ridge", "testdata/village/village.txt")
	c := read(t, "c.ridge")
	if c.Len() != l.Len() || len(c.Assets) != len(l.Assets) {
		t.Errorf("%d things of %d assets, and %d of %d", c.Len(), len(c.Assets), l.Len(), len(l.Assets))
	}
	for e := range l.Entities() {
		if o, _ := c.Entity(e.ID); o == nil || cmp.Diff(*e, *o) != "" {
			t.Fatalf("%+v\nby the script is\n%+v", e, o)
		}
	}
	ok(t, "export", "c.ridge", "-o", "c.r32")
	ok(t, "export", "a.ridge", "-o", "a.r32")
	if snapshotOf(t, "a.r32") != snapshotOf(t, "c.r32") {
		t.Error("the ground differs")
	}
}

// What is kept of the Village is what its program writes.
func TestVillageIsWritten(t *testing.T) {
	to := t.TempDir()
	cmd := exec.Command("go", "run", "./testdata/village/gen", to)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kept := snapshot(t, "../../testdata/village")
	for name, hash := range snapshot(t, to) {
		if kept[name] != hash {
			t.Errorf("%s differs from what is kept", name)
		}
	}
}

// cullReport is what the tests look at of cull --json.
type cullReport struct {
	Objects, Drawn int
	Tests          []struct {
		Name           string
		Tried, Removed int
		Ns             int64
	}
	Verdicts []struct {
		ID, Name, Verdict string
		By                []string
	}
	Hidden     *int
	FalseCulls []struct{ ID, Name, Verdict string }
	Efficiency *float64
	ByItself   []struct {
		Name       string
		Removed    int
		Efficiency float64
	}
	PerTest []struct {
		Name            string
		Hidden, Removed int
		Efficiency      float64
	}
}

func cullOf(t testing.TB, args ...string) (r cullReport) {
	t.Helper()
	out := ok(t, append(append([]string{"cull"}, args...), "--json")...)
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// From each of the Village's views nothing is removed that can be seen, and of what
// cannot be seen more than seven tenths are; each test removes something somewhere.
func TestVillageCulls(t *testing.T) {
	inDir(t)
	newVillage(t, "v.ridge")
	cameras := read(t, "v.ridge").Settings.Bookmarks
	removed, perTest := map[string]int{}, map[string][2]int{}
	for name := range cameras {
		r := cullOf(t, "v.ridge", "--camera", name, "--oracle")
		if r.Hidden == nil || r.Efficiency == nil {
			t.Fatalf("%s: %+v", name, r)
		}
		t.Logf("%s: %d of %d drawn, %d hidden in view, %.0f %% of them removed; %+v", name, r.Drawn, r.Objects, *r.Hidden, 100**r.Efficiency, r.ByItself)
		for _, f := range r.FalseCulls {
			t.Errorf("%s: %s %s can be seen, but was removed by %s", name, f.ID, f.Name, f.Verdict)
		}
		if *r.Efficiency <= 0.7 || *r.Hidden < 50 {
			t.Errorf("%s: %.0f %% of %d hidden things were removed", name, 100**r.Efficiency, *r.Hidden)
		}
		for _, p := range r.PerTest {
			own := perTest[p.Name]
			own[0] += p.Removed
			own[1] += p.Hidden
			perTest[p.Name] = own
			if p.Name != "terrain" && p.Efficiency < 0.7 {
				t.Errorf("%s: %s removes %.0f %% of %d that its own blockers hide", name, p.Name, 100*p.Efficiency, p.Hidden)
			}
		}
		sum := 0
		for _, s := range r.Tests {
			removed[s.Name] += s.Removed
			sum += s.Removed
		}
		if r.Drawn+sum != r.Objects || len(r.Verdicts) != r.Objects {
			t.Errorf("%s: %d drawn and %d removed of %d, with %d verdicts", name, r.Drawn, sum, r.Objects, len(r.Verdicts))
		}
	}
	for _, test := range []string{"portal", "terrain", "occluder"} {
		if n := perTest[test]; n[1] == 0 || float64(n[0]) < 0.7*float64(n[1]) {
			t.Errorf("%s removes %d of %d that its own blockers hide", test, n[0], n[1])
		}
	}
	t.Logf("of what their own blockers hide the tests remove %v", perTest)
	// There is a way below ground, so the ground's backs are left to the other tests.
	for _, test := range []string{"frustum", "portal", "terrain", "occluder"} {
		if removed[test] == 0 {
			t.Errorf("no view has anything removed by %s", test)
		}
	}
}

// A sample has nothing to find fault with, not even a note, from where its bookmarks look;
// and what lists problems and proposes occluders prints wherever commands run.
func TestVillageHasNoProblems(t *testing.T) {
	inDir(t)
	if out := ok(t, "run", "village", "-o", "v.ridge", "-e", "problem.list"); out != "No problems found.\n" {
		t.Error(out)
	}
	for _, verb := range [][]string{{"cull", "village", "--do"}, {"render", "village", "-o", "x.png", "--size", "64x64", "--do"}} {
		if out := ok(t, append(verb, "problem.list")...); !strings.HasPrefix(out, "No problems found.\n") {
			t.Errorf("%v: %s", verb, out)
		}
	}
	for name := range read(t, "v.ridge").Settings.Bookmarks {
		if out := ok(t, "run", "v.ridge", "-e", "camera.goto \""+name+"\"; problem.list"); out != "No problems found.\n" {
			t.Errorf("%s: %s", name, out)
		}
	}
	// The Village needs no more occluders; without its own there are some to propose.
	var without []string
	for e := range read(t, "v.ridge").Entities() {
		if e.Kind == document.KindOccluder {
			without = append(without, fmt.Sprintf("object.delete id=%d", e.ID))
		}
	}
	ok(t, "run", "v.ridge", "-e", strings.Join(without, "; "))
	r := cli(t, "", "cull", "v.ridge", "--json", "--do", "occluder.suggest 1")
	if r.code != 0 || !json.Valid([]byte(r.out)) || !strings.HasPrefix(r.errs, "1 Object ") {
		t.Errorf("%d: %.200s, %.300s", r.code, r.errs, r.out)
	}
	out := ok(t, "run", "v.ridge", "-e", "occluder.suggest 1")
	_, script, _ := strings.Cut(out, "\n  ")
	if !strings.HasPrefix(out, "1 Object ") || !strings.HasPrefix(script, "occluder.") {
		t.Fatal(out)
	}
	had := infoOf(t, "v.ridge").Kinds["occluder"]
	write(t, "accept.txt", script)
	ok(t, "run", "v.ridge", "accept.txt")
	if n := infoOf(t, "v.ridge").Kinds["occluder"]; n != had+1 {
		t.Errorf("%d occluders became %d", had, n)
	}
}

// Levels that come with the program are known to every verb that reads a level.
func TestBuiltInLevels(t *testing.T) {
	inDir(t)
	for _, name := range []string{"sample", "village"} {
		for _, args := range [][]string{{"info", name}, {"check", name}, {"check", name, "--json"}, {"export", name, "-o", name + ".r32"}, {"run", name, "-o", name + "-2.ridge", "-e", "select.none"}} {
			if out := ok(t, args...); args[0] == "check" && (!strings.Contains(out, name) || strings.Contains(out, os.TempDir())) {
				t.Error(out)
			}
		}
		if r := cli(t, "", "run", name, "-e", "select.none"); r.code != exitFailed || !strings.Contains(r.errs, "comes with the program") || !strings.Contains(r.errs, "-o") {
			t.Errorf("%+v", r)
		}
	}
}
