package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

func level(t testing.TB) *document.Level { return xlevel.Rich(t) }

// addAsset takes any file for a mesh, but for those called none.
func addAsset(_ context.Context, file string) (Imported, error) {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if name == "none" {
		return Imported{}, &fault.Error{Op: "import the mesh", File: file, Found: "nothing"}
	}
	ref := fmt.Sprintf("asset:%032x.glb", len(file))
	return Imported{Asset: document.Asset{Name: name, File: ref, Source: "/" + file}, Triangles: 12, Size: mgl64.Vec3{1, 2, 3.25}, Notes: []string{"It has no colours."}}, nil
}

func env(t testing.TB, out io.Writer) *Env {
	e := NewEnv(Standard(), document.New(level(t), document.Options{}), out)
	e.Files.AddAsset, e.Files.Model = addAsset, xlevel.Model
	return e
}

// must runs a line that has to work.
func must(t testing.TB, e *Env, line string) {
	t.Helper()
	if err := e.Registry.RunScript(t.Context(), e, "", strings.NewReader(line)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

func TestBadArguments(t *testing.T) {
	for line, want := range map[string]string{
		"terain.stroke":  `terain.stroke: no command of this name; did you mean terrain.stroke?`,
		"stroke":         `stroke: no command of this name; did you mean terrain.stroke?`,
		"frobnicate":     `frobnicate: no command of this name`,
		"terrain.stroke": `terrain.stroke: op: found no value, expected one of raise, lower, smooth, flatten`,
		"terrain.stroke op=raise at=1,1 radius=-3 strength=1":           `terrain.stroke: radius: found "-3", expected a number from 0.01 to 1000000 m`,
		"terrain.stroke op=raise at=1,1 radius=nan strength=1":          `terrain.stroke: radius: found "nan", expected a number from 0.01 to 1000000 m`,
		"terrain.stroke op=raise at=1,1 radius=1e400 strength=1":        `terrain.stroke: radius: found "1e400", expected a number from 0.01 to 1000000 m`,
		"terrain.stroke op=raise at=1 radius=3 strength=1":              `terrain.stroke: at: found "1", expected a point as x,z or x,y,z in metres, each within ±1e+10`,
		"terrain.stroke op=raise at=1,1 radius=3 strength=inf":          `terrain.stroke: strength: found "inf", expected a number from 0 to 2000000`,
		"terrain.stroke op=erode at=1,1 radius=3 strength=1":            `terrain.stroke: op: found "erode", which comes with a later version, expected one of raise, lower, smooth, flatten`,
		"terrain.stroke op=dig at=1,1 radius=3 strength=1":              `terrain.stroke: op: found "dig", expected one of raise, lower, smooth, flatten`,
		"terrain.stroke op=raise at=1,1 radius=3 strength=1 mask=slope": `terrain.stroke: mask: an argument that comes with a later version`,
		"terrain.stroke op=raise at=1,1 radus=3 strength=1":             `terrain.stroke: radus: no argument of this name; did you mean radius?`,
		"terrain.stroke op=raise at=1,1 radius=3 radius=4 strength=1":   `terrain.stroke: radius: found the argument twice, expected it once`,
		"terrain.stroke raise":                                          `terrain.stroke: found "raise", expected arguments as name=value; the command takes op= at= to= radius= strength= hardness= spacing=`,
		`terrain.stroke op=raise at=1,1 to="2,2;x" radius=3 strength=1`: `terrain.stroke: to: found "x", expected points as x,z or x,y,z joined by ;`,
		"paint.stroke layer=Lava at=1,1 radius=3 strength=1":            `paint.stroke: layer: found "Lava", expected one of the layers Grass, Rock, Dirt, Snow`,
		"paint.stroke layer=4 at=1,1 radius=3 strength=1":               `paint.stroke: layer: found "4", expected a layer from 0 to 3`,
		"layer.add name=Rock":                                           `layer.add: name: found "Rock", expected another name, as layer 1 has this one`,
		"layer.add name=7":                                              `layer.add: name: found "7", expected a name that is not a number, as numbers select layers by index`,
		"layer.add name=":                                               `layer.add: name: found "", expected a name`,
		"layer.add name=Lava texture=lava":                              `layer.add: texture: found "lava", expected a PNG or JPEG file, or one of grass, dirt, sand, rock, gravel, snow, forest, mud`,
		"layer.set layer=0":                                             `layer.set: found nothing to change, expected name=, texture= or uv=`,
		"sun.set":                                                       `sun.set: found nothing to change, expected azimuth=, elevation=, color=, intensity= or ambient=`,
		"sun.set elevation=91":                                          `sun.set: elevation: found "91", expected a number from -90 to 90 °`,
		"sun.set color=red":                                             `sun.set: color: found "red", expected a colour as #rrggbb`,
		"camera.set eye=1,2,3 look=1,2,3":                               `camera.set: look: found 1,2,3, expected a point other than the eye`,
		"camera.bookmark name=a eye=1,2,3":                              `camera.bookmark: found only one of eye= and look=, expected both or neither`,
		"camera.goto nowhere":                                           `camera.goto: no bookmarks in the level`,
		"select ids=tree":                                               `select: ids: found "tree", expected an id, as 2 and 3 have this name`,
		"select 9":                                                      `select: ids: found "9", expected the id of something in the level`,
		"select house":                                                  `select: ids: found "house", expected an id or a name in the level`,
		"undo":                                                          `undo: there is nothing to undo`,
		"undo 3":                                                        `undo: found "3", expected arguments as name=value; the command takes none`,
		"redo":                                                          `redo: there is nothing to redo`,
		"file.save":                                                     `file.save: not available here`,
		"file.open":                                                     `file.open: file: found no value, expected a file`,
		"help terrain.strokes":                                          `help: terrain.strokes: no command of this name; did you mean terrain.stroke?`,
		"terrain.stroke op=raise at=9e9,0 radius=3 strength=1 to=1e11,0": `terrain.stroke: to: found "1e11,0", expected coordinates from -1e+10 to 1e+10 m`,
	} {
		e := env(t, nil)
		before := e.Doc.Level()
		call, err := Parse(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		err = e.Registry.Run(t.Context(), e, call)
		if err == nil {
			t.Errorf("%s: passed", line)
		} else if err.Error() != want {
			t.Errorf("%s:\n got %s\nwant %s", line, err, want)
		}
		if e.Doc.Level() != before || e.Doc.Position() != 0 {
			t.Errorf("%s: changed the level", line)
		}
	}
}

func TestStrokesShowInHistory(t *testing.T) {
	var out strings.Builder
	e := env(t, &out)
	must(t, e, "terrain.stroke op=raise at=10,40 radius=6 strength=2; terrain.stroke op=flatten at=10,40 to='20,40;20,50' radius=6 strength=1\n"+
		"paint.stroke layer=rock at=0,30 radius=9 strength=1; layer.add name=Mud; layer.set layer=Mud uv=2 name=Wet; sun.set azimuth=90\n"+
		"undo; redo; select ids='3, door'")
	var names []string
	for _, h := range e.Doc.History() {
		names = append(names, h.Name)
	}
	want := "Raise ground|Flatten ground|Paint Rock|Add layer Mud|Change layer Mud|Set the sun"
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("history %s, want %s", got, want)
	}
	if got := out.String(); got != "4\nundone: Set the sun\nredone: Set the sun\n" {
		t.Errorf("printed %q", got)
	}
	if l := e.Doc.Level().Layers[4]; l.Name != "Wet" || l.Texture != "builtin:mud" || l.UVScale != 2 {
		t.Errorf("layer %+v", l)
	}
	if s := e.View.Selection; len(s) != 2 || s[0] != 1 || s[1] != 3 {
		t.Errorf("selection %v", s)
	}
	if sp := e.Doc.Level().Terrain.SplatAt(20, 20); sp.Base == 0 && sp.Alpha == 0 {
		t.Errorf("nothing painted: %+v", sp)
	}
}

// One dab raises its centre by the strength, off the origin too.
func TestRaiseByMetres(t *testing.T) {
	e := env(t, nil)
	before, _ := e.Doc.Level().Terrain.Height(10, 40)
	must(t, e, "terrain.stroke op=raise at=10,40 radius=6 strength=2.5")
	after, _ := e.Doc.Level().Terrain.Height(10, 40)
	if d := after - before; !(d > 2.4999 && d < 2.5001) {
		t.Errorf("raised by %g m, want 2.5", d)
	}
}

func TestBakedSunChanges(t *testing.T) {
	e := env(t, nil)
	s := e.Doc.Level().Settings.Sun
	s.Baked = true
	if err := e.Doc.Do("bake", func(tx *document.Tx) error { return tx.SetSun(s) }); err != nil {
		t.Fatal(err)
	}
	must(t, e, "sun.set intensity=1")
	if !e.Doc.Level().Settings.Sun.Baked {
		t.Error("the same sun made the baked light stale")
	}
	must(t, e, "sun.set elevation=10 color=#ff8000")
	now := e.Doc.Level().Settings.Sun
	if now.Baked {
		t.Error("another sun left the baked light valid")
	}
	if c := now.Color; c[0] != 1 || !(c[1] > 0.2158 && c[1] < 0.2159) || c[2] != 0 {
		t.Errorf("#ff8000 is %v in linear light", c)
	}
}

func TestScriptStopsAtTheFailure(t *testing.T) {
	e := env(t, nil)
	err := e.Registry.RunScript(t.Context(), e, "fix.txt", strings.NewReader("layer.add name=A\n\n# fine\nlayer.add name=Rock; layer.add name=B\n"))
	if err == nil || err.Error() != `fix.txt: line 4: layer.add: name: found "Rock", expected another name, as layer 1 has this one` {
		t.Errorf("error %v", err)
	}
	if n := e.Doc.Position(); n != 1 {
		t.Errorf("%d edits, want the one before the failure", n)
	}
}

// What can be known to be wrong is found before anything runs.
func TestScriptIsCheckedFirst(t *testing.T) {
	for script, want := range map[string]string{
		"layer.add name=A\nlayer.ad name=B":    "s: line 2: layer.ad: no command of this name; did you mean layer.add?",
		"layer.add name=A\nlayer.add uv=1":     "s: line 2: layer.add: name: found no value, expected text",
		"layer.add name=A\nlayer.add name='B":  "s: line 2: column 16: found a quote that is not closed, expected a closing '",
		"layer.add name=A\n" + "layer.add\xff": "s: line 2: found bytes that are not UTF-8, expected UTF-8 text",
	} {
		e := env(t, nil)
		err := e.Registry.RunScript(t.Context(), e, "s", strings.NewReader(script))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", script, err, want)
		}
		if e.Doc.Position() != 0 {
			t.Errorf("%q: something ran", script)
		}
	}
	long := "layer.add name=" + strings.Repeat("x", maxLine)
	if err := Standard().CheckScript("s", strings.NewReader(long)); err == nil || !strings.Contains(err.Error(), "line 1: found a line of more than 4 MiB") {
		t.Errorf("a long line: %v", err)
	}
}

func TestScriptHoldsSavesBack(t *testing.T) {
	type saved struct {
		path   string
		layers int
	}
	var got []saved
	e := env(t, nil)
	e.Files.Save = func(_ context.Context, q SaveRequest) error {
		got = append(got, saved{q.Path, len(q.Level.Layers)})
		return nil
	}
	run := func(s string) error { return e.Registry.RunScript(t.Context(), e, "", strings.NewReader(s)) }
	if run("layer.add name=A; file.save; layer.add name=A") == nil {
		t.Fatal("a name was taken twice")
	}
	if len(got) != 0 {
		t.Fatalf("a failing script saved %v", got)
	}
	if err := run("file.saveas b.ridge; layer.add name=B; file.save"); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0] != (saved{"b.ridge", 5}) || got[1] != (saved{"", 6}) {
		t.Fatalf("saved %v", got)
	}
	e.Files.Save = func(context.Context, SaveRequest) error { return errors.New("full") }
	if err := run("\nfile.save"); err == nil || err.Error() != "line 2: file.save: full" && err.Error() != "line 2: full" {
		t.Fatalf("a failing save gives %v", err)
	}
}

func TestScriptCanBeStopped(t *testing.T) {
	e := env(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	e.View.Changed = cancel
	err := e.Registry.RunScript(ctx, e, "s", strings.NewReader("select door; layer.add name=A"))
	if !errors.Is(err, context.Canceled) || e.Doc.Position() != 0 {
		t.Errorf("error %v after %d edits", err, e.Doc.Position())
	}
}

func TestCameraAndBookmarks(t *testing.T) {
	e := env(t, nil)
	changes := 0
	e.View.Changed = func() { changes++ }
	must(t, e, "camera.set eye=-20,10 look=0,0,0; camera.bookmark name=corner; camera.set eye=1,2,3 look=4,5,6; camera.goto corner")
	if c := e.View.Camera; c.Eye[0] != -20 || c.Eye[1] != 0 || c.Eye[2] != 10 || c.Look != [3]float64{} {
		t.Errorf("camera %v", c)
	}
	if changes != 3 || e.Doc.Position() != 1 {
		t.Errorf("%d changes of the view, %d edits", changes, e.Doc.Position())
	}
}

func TestRegistryRefusesContradictions(t *testing.T) {
	run := func(context.Context, *Env, Args) error { return nil }
	for name, c := range map[string]Command{
		"no run":             {ID: "a", Title: "A", Help: "A."},
		"bad id":             {ID: "a b", Title: "A", Help: "A.", Run: run},
		"taken":              {ID: "undo", Title: "A", Help: "A.", Run: run},
		"two arguments":      {ID: "a", Title: "A", Help: "A.", Run: run, Params: []Param{{Name: "x", Help: "x", Kind: Text}, {Name: "x", Help: "x", Kind: Text}}},
		"default outside":    {ID: "a", Title: "A", Help: "A.", Run: run, Params: []Param{{Name: "x", Help: "x", Kind: Number, Min: 1, Max: 2, Default: "3"}}},
		"choice of nothing":  {ID: "a", Title: "A", Help: "A.", Run: run, Params: []Param{{Name: "x", Help: "x", Kind: Choice}}},
		"reserved and taken": {ID: "a", Title: "A", Help: "A.", Run: run, Reserved: []string{"x"}, Params: []Param{{Name: "x", Help: "x", Kind: Text}}},
		"late positional":    {ID: "a", Title: "A", Help: "A.", Run: run, Params: []Param{{Name: "x", Help: "x", Kind: Text}, {Name: "y", Help: "y", Kind: Text, Positional: true}}},
	} {
		r := Standard()
		n := len(r.All())
		if err := r.Add(Command{ID: "fine", Title: "A", Help: "A.", Run: run}, c); err == nil {
			t.Errorf("%s: accepted", name)
		} else if len(r.All()) != n {
			t.Errorf("%s: half of it was added", name)
		}
	}
}

func TestReferenceIsCurrent(t *testing.T) {
	var b strings.Builder
	if err := Standard().WriteReference(&b); err != nil {
		t.Fatal(err)
	}
	const file = "COMMANDS.md"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Error(file + " is not what the registry says; run the test with -update")
	}
	for _, c := range Standard().All() {
		if !strings.Contains(b.String(), "`"+c.Usage()+"`") {
			t.Errorf("%s is missing from the reference", c.ID)
		}
	}
}

func TestBakeLight(t *testing.T) {
	for _, elevation := range []string{"-90", "0", "35", "90"} {
		e := env(t, nil)
		must(t, e, "sun.set azimuth=270 elevation="+elevation+" ambient=.25 color=#ffffff intensity=1; light.bake")
		if h := e.Doc.History(); len(h) != 2 || h[1].Name != BakeName || !e.Doc.Level().Settings.Sun.Baked {
			t.Fatalf("history %+v", h)
		}
		f := e.Doc.Level().Terrain
		lo, hi := uint8(255), uint8(0)
		for r := range 97 {
			for c := range 97 {
				lo, hi = min(lo, f.LightAt(c, r).G), max(hi, f.LightAt(c, r).G)
			}
		}
		// 137 is a quarter of white in sRGB: the least that any ground gets.
		if night := elevation == "-90"; lo < 137 || night && hi != 137 || !night && elevation != "0" && hi < 200 {
			t.Errorf("a sun at %s° gives light from %d to %d", elevation, lo, hi)
		}
		must(t, e, "undo")
		if e.Doc.Level().Settings.Sun.Baked || e.Doc.Level().Terrain.LightAt(5, 5) != (terrain.RGB{R: 255, G: 255, B: 255}) {
			t.Error("undo leaves the light")
		}
	}
}
