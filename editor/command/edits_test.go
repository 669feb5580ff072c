package command_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/internal/xcall"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/terrain"
)

// fingerprint is the same for two levels that save to the same bytes.
func fingerprint(l *document.Level) uint64 {
	d := xxhash.New()
	f := l.Terrain
	cols, rows := f.Size()
	x, z := f.Origin()
	fmt.Fprintln(d, cols, rows, f.Spacing(), x, z)
	var (
		heights = make([]float32, cols*rows)
		splats  = make([]terrain.Splat, cols*rows)
		light   = make([]terrain.RGB, cols*rows)
		flags   = make([]uint8, cols*rows)
	)
	f.CopyHeights(heights, cols, f.Bounds())
	f.CopySplats(splats, cols, f.Bounds())
	f.CopyLight(light, cols, f.Bounds())
	f.CopyFlags(flags, cols, f.Bounds())
	var word []byte
	for i, h := range heights {
		word = strconv.AppendUint(word[:0], uint64(math.Float32bits(h)), 16)
		s, c := splats[i], light[i]
		d.Write(append(word, s.Base, s.Over, s.Third, s.Alpha, s.Alpha2, c.R, c.G, c.B, flags[i]))
	}
	for _, part := range []any{l.Layers, l.Assets, l.Settings, l.NextID} {
		b, err := json.Marshal(part)
		if err != nil {
			panic(err)
		}
		d.Write(b)
	}
	for e := range l.Entities() {
		b, err := document.EncodeEntity(e)
		if err != nil {
			panic(err)
		}
		d.Write(b)
	}
	return d.Sum64()
}

// Whatever edits are made, undoing them all gives the level as it was, redoing
// them the level as it became, and one that fails changes nothing.
func TestEditsUndo(t *testing.T) {
	first := command.Level(t)
	want := fingerprint(first)
	edits := edits()
	rapid.Check(t, func(t *rapid.T) {
		e := command.NewEnv(command.Standard(), document.New(first, document.Options{}), nil)
		e.Files.AddAsset, e.Files.Model = command.AddAsset, xlevel.Model
		for range rapid.IntRange(10, 30).Draw(t, "edits") {
			c := rapid.SampledFrom(edits).Draw(t, "command")
			if e.Doc.Position() < len(e.Doc.History()) && rapid.Bool().Draw(t, "redo") {
				c, _ = e.Registry.Lookup("redo") // it has few occasions
			}
			call := xcall.Draw(t, c, e.Doc.Level())
			line := call.String()
			back, err := command.Parse(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			before, steps := e.Doc.Level(), e.Doc.Position()
			err = e.Registry.Run(t.Context(), e, back)
			switch {
			case err == nil:
				if err := e.Doc.Level().Validate(); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				if moved := e.Doc.Position() - steps; moved > 1 || moved < 0 && c.ID != "undo" {
					t.Fatalf("%s: moved %d steps", line, moved)
				}
			case e.Doc.Level() != before || e.Doc.Position() != steps:
				t.Fatalf("%s: failed (%v) and changed the level", line, err)
			}
		}
		backAndForth(t, e, want)
	})
}

// edits are the commands that change the level.
func edits() (list []*command.Command) {
	for _, c := range command.Standard().All() {
		if c.Class == command.Edit {
			list = append(list, c)
		}
	}
	return list
}

// backAndForth holds that undoing everything gives the level with a fingerprint, and
// redoing it the level as it is.
func backAndForth(t rapid.TB, e *command.Env, want uint64) {
	t.Helper()
	after, steps := fingerprint(e.Doc.Level()), e.Doc.Position()
	for e.Doc.Position() > 0 {
		if _, ok := e.Doc.Undo(); !ok {
			t.Fatal("undo stopped")
		}
	}
	if got := fingerprint(e.Doc.Level()); got != want {
		t.Fatal("undoing everything does not give the level as it was")
	}
	for range steps {
		if _, ok := e.Doc.Redo(); !ok {
			t.Fatal("redo stopped")
		}
	}
	if got := fingerprint(e.Doc.Level()); got != after {
		t.Fatal("redoing everything does not give the level as it became")
	}
}

// Each edit works once, and can be undone and redone.
func TestEachEditUndoes(t *testing.T) {
	first := command.Level(t)
	want := fingerprint(first)
	for _, c := range edits() {
		t.Run(c.ID, func(t *testing.T) {
			for lines := range xcall.Sure(c, first) {
				e := command.NewEnv(command.Standard(), document.New(first, document.Options{}), nil)
				e.Files.AddAsset, e.Files.Model = command.AddAsset, xlevel.Model
				if e.Registry.RunScript(t.Context(), e, "", strings.NewReader(strings.Join(lines, "\n"))) == nil {
					if err := e.Doc.Level().Validate(); err != nil {
						t.Fatalf("%q: %v", lines, err)
					}
					backAndForth(t, e, want)
					return
				}
			}
			t.Error("never worked, so it was not tested")
		})
	}
}

// FuzzScript runs arbitrary text as a script: it may fail, but then with a message,
// and undo still gives the level as it was.
func FuzzScript(f *testing.F) {
	for _, s := range []string{
		"terrain.stroke op=raise at=10,40 to='20,40;30,3,50' radius=5 strength=2\nundo;redo",
		"layer.add name=Mud; paint.stroke layer=Mud at=0,20 radius=9 strength=.5 hardness=1 spacing=10",
		"sun.set azimuth=-10 color=#123456; camera.bookmark name=a eye=1,2,3 look=0,0; camera.goto a; undo; redo",
		"asset.import a.glb; object.place asset=a at=1,30 align=1 parent=4; object.array count=3 to=9,9; object.group; object.mirror axis=x; object.ungroup",
		"marker.add kind=area points='1,2;3,4;5,6' name=zone; marker.set kind=line; property.set key=a value=b; object.duplicate by=1,0,0; object.snap grid=2",
		"outline.layer x locked=yes; object.set id=4 layer=x; select.all; object.delete id=2 children=lift; select.similar kind; level.noterrain; terrain.new size=9x9",
		"occluder.box min=1,0,20 max=5,3,22 yaw=9 object=4; occluder.cut point=2,20 normal=1,0,0; occluder.merge; occluder.shrink by=.1; occluder.set points='1,2,3;4,5,6;7,9,8;1,1,1' object=0",
		"occluder.plane points='0,0,20;4,0,20;4,4,20;0,4,20' hole='1,1,20;2,1,20;2,2,20'; occluder.set hole=none off=yes; occluder.from object=4 check=warn faces=4; occluder.hull points='1,2;3,4;5,6'",
		"cell.box min=0,0,20 max=9,3,30 name=hall; portal.add points='1,0,30;2,0,30;2,2,30' state=oneway; portal.snap; portal.flip; portal.set reach=2; object.set id=4 name=room; cell.rooms; cull.set portal=no",
		"select 1,door; help; help undo; layer.set layer=0 name=x uv=1e6",
	} {
		f.Add(s)
	}
	first := command.Level(f)
	want := fingerprint(first)
	f.Fuzz(func(t *testing.T, script string) {
		var out strings.Builder
		e := command.NewEnv(command.Standard(), document.New(first, document.Options{}), &out)
		e.Files.AddAsset, e.Files.Model = command.AddAsset, xlevel.Model
		if err := e.Registry.RunScript(t.Context(), e, "script", strings.NewReader(script)); err != nil {
			if m := err.Error(); m == "" || strings.ContainsAny(m, "\n\r") {
				t.Fatalf("the message %q is not one line", m)
			}
		}
		if err := e.Doc.Level().Validate(); err != nil {
			t.Fatal(err)
		}
		if !e.Doc.JumpTo(0) || fingerprint(e.Doc.Level()) != want {
			t.Fatal("undoing everything does not give the level as it was")
		}
	})
}
