package command

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
	for _, part := range []any{l.Layers, l.Settings} {
		b, err := json.Marshal(part)
		if err != nil {
			panic(err)
		}
		d.Write(b)
	}
	for e := range l.Entities() {
		fmt.Fprintf(d, "%+v", *e)
	}
	return d.Sum64()
}

// draw makes up an argument: mostly one that the parameter takes.
func draw(t *rapid.T, p *Param, l *document.Level) string {
	if rapid.IntRange(0, 19).Draw(t, "wild") == 0 {
		return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"nan", "inf", "-1", "1e300", "", "0", "1,1", "#"})).Draw(t, p.Name)
	}
	point := func() string {
		x, z := rapid.Float64Range(-40, 90).Draw(t, "x"), rapid.Float64Range(-10, 120).Draw(t, "z")
		if rapid.Bool().Draw(t, "height") {
			return Point{x, rapid.Float64Range(-50, 50).Draw(t, "y"), z}.String()
		}
		return Point{x, math.NaN(), z}.String()
	}
	switch p.Kind {
	case Number:
		lo, hi, _ := p.limits()
		if rapid.IntRange(0, 4).Draw(t, "extreme") > 0 {
			hi = min(hi, 20) // most of the time something that fits the level
		}
		return ftoa(rapid.Float64Range(lo, hi).Draw(t, p.Name))
	case Int:
		lo, hi, _ := p.limits()
		return strconv.Itoa(rapid.IntRange(int(lo), int(hi)).Draw(t, p.Name))
	case Bool:
		return rapid.SampledFrom([]string{"yes", "no", "true", "0"}).Draw(t, p.Name)
	case Choice:
		return rapid.SampledFrom(p.Choices).Draw(t, p.Name)
	case Ground:
		return point()
	case Points:
		var pts []string
		for range rapid.IntRange(1, 4).Draw(t, "points") {
			pts = append(pts, point())
		}
		return strings.Join(pts, ";")
	case Layer:
		return strconv.Itoa(rapid.IntRange(0, len(l.Layers)-1).Draw(t, p.Name))
	case IDs:
		return rapid.SampledFrom([]string{"1", "2,3", "door", ""}).Draw(t, p.Name)
	case Color:
		return fmt.Sprintf("#%06x", rapid.IntRange(0, 0xffffff).Draw(t, p.Name))
	case Text:
		if p.Name == "texture" {
			return rapid.SampledFrom(document.Builtins).Draw(t, p.Name)
		}
		return rapid.StringMatching(`[a-z]{1,3} ?[é"']?`).Draw(t, p.Name)
	}
	t.Fatalf("no values for a %s", p.Kind)
	return ""
}

// drawCall makes up a call of a command.
func drawCall(t *rapid.T, c *Command, l *document.Level) Call {
	call := Call{ID: c.ID}
	for i := range c.Params {
		p := &c.Params[i]
		if p.Required && rapid.IntRange(0, 19).Draw(t, "forget") > 0 || !p.Required && rapid.Bool().Draw(t, "optional") {
			call.Args = append(call.Args, Arg{p.Name, draw(t, p, l)})
		}
	}
	return call
}

// Whatever edits are made, undoing them all gives the level as it was, redoing
// them the level as it became, and one that fails changes nothing.
func TestEditsUndo(t *testing.T) {
	first := level(t)
	want := fingerprint(first)
	worked := map[string]int{}
	var edits []*Command
	for _, c := range Standard().All() {
		if c.Class == Edit {
			edits = append(edits, c)
			worked[c.ID] = 0
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		e := NewEnv(Standard(), document.New(first, document.Options{}), nil)
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			c := rapid.SampledFrom(edits).Draw(t, "command")
			if e.Doc.Position() < len(e.Doc.History()) && rapid.Bool().Draw(t, "redo") {
				c, _ = e.Registry.Lookup("redo") // it has few occasions
			}
			call := drawCall(t, c, e.Doc.Level())
			line := call.String()
			back, err := Parse(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			before, steps := e.Doc.Level(), e.Doc.Position()
			err = e.Registry.Run(t.Context(), e, back)
			switch {
			case err == nil:
				worked[c.ID]++
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
	})
	for id, n := range worked {
		if n == 0 && !testing.Short() {
			t.Errorf("%s never worked, so it was not tested", id)
		}
	}
}

// FuzzScript runs arbitrary text as a script: it may fail, but then with a message,
// and undo still gives the level as it was.
func FuzzScript(f *testing.F) {
	for _, s := range []string{
		"terrain.stroke op=raise at=10,40 to='20,40;30,3,50' radius=5 strength=2\nundo;redo",
		"layer.add name=Mud; paint.stroke layer=Mud at=0,20 radius=9 strength=.5 hardness=1 spacing=10",
		"sun.set azimuth=-10 color=#123456; camera.bookmark name=a eye=1,2,3 look=0,0; camera.goto a; undo; redo",
		"select 1,door; help; help undo; layer.set layer=0 name=x uv=1e6",
	} {
		f.Add(s)
	}
	first := level(f)
	want := fingerprint(first)
	f.Fuzz(func(t *testing.T, script string) {
		var out strings.Builder
		e := NewEnv(Standard(), document.New(first, document.Options{}), &out)
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
