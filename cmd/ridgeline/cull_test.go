package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newYard makes a level with a hall that has a door to the south, a crate in it, one
// before it and one behind it, and an occluder in the hall's north wall.
func newYard(t *testing.T) {
	t.Helper()
	inDataDir(t)
	ok(t, "new", "yard.ridge", "--no-terrain")
	ok(t, "run", "yard.ridge", "-e", strings.Join([]string{
		"asset.import testdata/crate.glb",
		"object.place asset=crate at=0,0.2,0 name=Inside",
		"object.place asset=crate at=3,0.2,10 name=Before",
		"object.place asset=crate at=-2,0.2,-10 name=Behind",
		"object.place asset=crate at=0,0.2,40 name=Past",
		"cell.box min=-3,0,-3 max=3,3,3 name=Hall",
		`portal.add points="-1,0,3;1,0,3;1,2,3;-1,2,3" name=Door state=closed`,
		"occluder.box min=-4,-1,-3.4 max=4,4,-3.1 name=Wall",
		"camera.bookmark name=south eye=0,1,20 look=0,1,0",
		"camera.bookmark name=north eye=0,1,-20 look=0,1,0",
	}, "; "))
}

// verdicts are those of a report, by name.
func (r *cullReport) verdicts() map[string]string {
	m := map[string]string{}
	for _, v := range r.Verdicts {
		m[v.Name] = strings.Join(append([]string{v.Verdict}, v.By...), " ")
	}
	return m
}

func TestCull(t *testing.T) {
	newYard(t)
	before := snapshot(t, ".")
	south := cullOf(t, "yard.ridge", "--camera", "south")
	door, wall := idOf(t, "Door"), idOf(t, "Wall")
	want := map[string]string{"Before": "drawn", "Inside": "portal " + door, "Behind": "occluder " + wall, "Past": "frustum"}
	got := south.verdicts()
	got["Past"], _, _ = strings.Cut(got["Past"], " ") // by one of the sides
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if south.Objects != 4 || south.Drawn != 1 || south.Hidden != nil || south.Efficiency != nil || len(south.Tests) != 5 {
		t.Errorf("%+v", south)
	}
	for i, name := range []string{"frustum", "backface", "portal", "terrain", "occluder"} {
		if s := south.Tests[i]; s.Name != name || s.Ns < 0 || s.Tried > 4 {
			t.Errorf("%+v", s)
		}
	}
	// The same by where and whereto, and on a picture of another size.
	for _, more := range [][]string{{"--eye", "0,1,20", "--look", "0,1,0"}, {"--camera", "south", "--size", "300x500", "--fov", "80"}} {
		r := cullOf(t, append([]string{"yard.ridge"}, more...)...)
		got := r.verdicts()
		got["Past"], _, _ = strings.Cut(got["Past"], " ")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%v: %s", more, d)
		}
	}
	// A test that is off removes nothing and is not listed; a door that is open lets one
	// look in.
	r := cullOf(t, "yard.ridge", "--camera", "south", "--do", "cull.set portal=no")
	if got := r.verdicts(); got["Inside"] != "drawn" || got["Behind"] != want["Behind"] || len(r.Tests) != 4 {
		t.Errorf("%+v", r)
	}
	r = cullOf(t, "yard.ridge", "--camera", "south", "--do", "cull.set frustum=no occluder=no; portal.set id=Door state=open")
	if got := r.verdicts(); got["Inside"] != "drawn" || got["Behind"] != "drawn" || len(r.Tests) != 3 {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(before, snapshot(t, ".")); d != "" {
		t.Error(d)
	}
}

// idOf is the id of a thing of the yard.
func idOf(t *testing.T, name string) string {
	t.Helper()
	for e := range read(t, "yard.ridge").Entities() {
		if e.Name == name {
			return fmt.Sprint(uint64(e.ID))
		}
	}
	t.Fatalf("there is no %s", name)
	return ""
}

// The oracle finds what is gone and can be seen: in this yard nothing stands where the
// door and the wall are said to be.
func TestCullOracle(t *testing.T) {
	newYard(t)
	r := cullOf(t, "yard.ridge", "--camera", "south", "--oracle", "--size", "640x360")
	if *r.Hidden != 0 || *r.Efficiency != 1 || len(r.FalseCulls) != 2 || r.FalseCulls[0].Verdict+" "+r.FalseCulls[1].Verdict != "portal occluder" {
		t.Errorf("%+v, %d hidden, %g", r.FalseCulls, *r.Hidden, *r.Efficiency)
	}
}

// The keys of the report stay as they are.
func TestCullKeys(t *testing.T) {
	newYard(t)
	keys := func(v any) []string { return slices.Sorted(maps.Keys(v.(map[string]any))) }
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "drawn objects tests verdicts"},
		{[]string{"--oracle", "--size", "320x180"}, "byItself drawn efficiency falseCulls hidden objects perTest tests verdicts"},
	} {
		var r any
		out := ok(t, append([]string{"cull", "yard.ridge", "--camera", "north", "--json"}, c.args...)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil || strings.Count(out, "\n") != 1 {
			t.Fatalf("%v: %s", err, out)
		}
		if got := strings.Join(keys(r), " "); got != c.want {
			t.Errorf("the keys are %s, expected %s", got, c.want)
		}
		m := r.(map[string]any)
		if got := strings.Join(keys(m["tests"].([]any)[0]), " "); got != "name ns removed tried" {
			t.Error(got)
		}
		for _, list := range []string{"verdicts", "falseCulls"} {
			if v, _ := m[list].([]any); len(v) > 0 {
				if got := strings.Join(keys(v[0]), " "); got != "by id name verdict" {
					t.Errorf("%s: %s", list, got)
				}
			}
		}
	}
	// For people there are the figures.
	out := ok(t, "cull", "yard.ridge", "--camera", "north", "--oracle", "--size", "320x180")
	for _, part := range []string{"4 things and tiles, ", "frustum ", "occluder ", "hidden inside the view", "portal by itself: ", "false culls\n"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in\n%s", part, out)
		}
	}
}

// What makes no sense is one clear error.
func TestCullErrors(t *testing.T) {
	newYard(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"cull"}, exitUsage, "a level"},
		{[]string{"cull", "none.ridge"}, exitFailed, "none.ridge: no such file or folder"},
		{[]string{"cull", "yard.ridge", "--camera", "west"}, exitFailed, `--camera: found "west", expected a bookmark of the level: north, south`},
		{[]string{"cull", "sample", "--camera", "west"}, exitFailed, "it has none"},
		{[]string{"cull", "yard.ridge", "--camera", "south", "--eye", "0,0,0"}, exitFailed, "--camera: found a bookmark as well as --eye or --look"},
		{[]string{"cull", "yard.ridge", "--eye", "1,2,3", "--look", "1,2,3"}, exitFailed, "--look: found the place of the eye itself"},
		{[]string{"cull", "yard.ridge", "--eye", "1,2"}, exitUsage, "--eye"},
		{[]string{"cull", "yard.ridge", "--fov", "0"}, exitFailed, "--fov: found 0, expected 0.1 to 170"},
		{[]string{"cull", "yard.ridge", "--fov", "nan"}, exitFailed, "--fov: found NaN"},
		{[]string{"cull", "yard.ridge", "--size", "8x8"}, exitFailed, "--size: found 8×8"},
		{[]string{"cull", "yard.ridge", "--do", "cull.set portals=no"}, exitFailed, "portals"},
		{[]string{"cull", "yard.ridge", "--do", "nonsense"}, exitFailed, "nonsense"},
	} {
		r := cli(t, "", c.args...)
		if r.code != c.code || r.out != "" || !strings.HasPrefix(r.errs, "ridgeline: ") || !strings.Contains(r.errs, c.want) || strings.Count(r.errs, "\n") != 1 {
			t.Errorf("%v: %+v, expected %q", c.args, r, c.want)
		}
	}
}

// Where nothing is hidden no share of it is told.
func TestCullOfNothingHidden(t *testing.T) {
	inDir(t)
	ok(t, "new", "flat.ridge", "--size", "9x9")
	out := ok(t, "cull", "flat.ridge", "--eye", "4,20,4", "--look", "4,0,4.1", "--oracle")
	if !strings.Contains(out, "nothing inside the view is hidden") || strings.Contains(out, "%") || !strings.Contains(out, "0 false culls\n") {
		t.Error(out)
	}
}
