package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/document/store"
)

// asProgram makes the test binary behave as ridgeline itself, for the tests that
// need a process of its own.
const asProgram = "RIDGELINE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	dir, err := os.MkdirTemp("", "ridgeline-cli")
	if err != nil {
		panic(err)
	}
	for _, v := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		os.Setenv(v, filepath.Join(dir, v))
	}
	xdg.Reload()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// result is what a call of the program leaves.
type result struct {
	code      int
	out, errs string
}

func cli(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	var out, errs strings.Builder
	code := run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return result{code, out.String(), errs.String()}
}

// ok runs what has to work.
func ok(t testing.TB, args ...string) string {
	t.Helper()
	r := cli(t, "", args...)
	if r.code != exitDone || r.errs != "" {
		t.Fatalf("ridgeline %s: code %d: %s", strings.Join(args, " "), r.code, r.errs)
	}
	return r.out
}

func read(t testing.TB, path string) *document.Level {
	t.Helper()
	l, _, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// snapshot is every file below dir and a hash of its content.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if !d.Type().IsRegular() {
			m[rel] = d.Type().String()
			return nil
		}
		data, err := os.ReadFile(path)
		m[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// inDir goes to a fresh folder, so that messages have short names.
func inDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	return dir
}

func write(t testing.TB, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestUsage(t *testing.T) {
	inDir(t)
	for args, want := range map[string]string{
		"frobnicate":                    `there is no verb "frobnicate"; see ridgeline help`,
		"exprot a.ridge":                `there is no verb "exprot"; did you mean export?`,
		"new":                           `new: expected the file to make, such as hills.ridge after the verb, found nothing`,
		"new a b":                       `new: expected the file to make, such as hills.ridge after the verb, found "b" too`,
		"new a.ridge --size 5":          `invalid argument "5" for "--size" flag: expected WIDTHxHEIGHT, such as 513x513 (see ridgeline new --help)`,
		"new a.ridge --spacing wide":    `invalid argument "wide" for "--spacing" flag: expected a number (see ridgeline new --help)`,
		"new a.ridge --colour red":      `unknown flag: --colour (see ridgeline new --help)`,
		"import a.png":                  `import: expected -o LEVEL, or --info to look only`,
		"import a.png -o b --endian x":  `invalid argument "x" for "--endian" flag: expected one of little, big (see ridgeline import --help)`,
		"import a.png -o b --void pit":  `invalid argument "pit" for "--void" flag: expected one of fill, hole (see ridgeline import --help)`,
		"import a.png -o b --format x":  `import: --format is "x", expected png, raw, r8, r16, r32, hgt or asc`,
		"import a.png -o b --nodata no": `invalid argument "no" for "--nodata" flag: expected a number (see ridgeline import --help)`,
		"run a.ridge":                   `run: expected a script, - for standard input, or -e 'COMMAND; COMMAND'`,
		"export a.ridge":                `export: expected -o FILE`,
		"help paint":                    `there is no verb "paint"; see ridgeline help`,
		"import a.png --bits many -o b": `invalid argument "many" for "--bits" flag: expected a whole number (see ridgeline import --help)`,
		"info a.ridge --at here":        `invalid argument "here" for "--at" flag: expected x,z in metres, each within ±1e10, such as 12.5,40 (see ridgeline info --help)`,
	} {
		r := cli(t, "", strings.Fields(args)...)
		if r.code != exitUsage || r.errs != "ridgeline: "+want+"\n" || r.out != "" {
			t.Errorf("%s: code %d, printed %q\n got %swant ridgeline: %s", args, r.code, r.out, r.errs, want)
		}
	}
	for _, args := range []string{"help", "--help", "help import", "run --help"} {
		if r := cli(t, "", strings.Fields(args)...); r.code != exitDone || !strings.Contains(r.out, "Usage:") || r.errs != "" {
			t.Errorf("%s: code %d, %q, %q", args, r.code, r.out, r.errs)
		}
	}
}

func TestInfo(t *testing.T) {
	inDir(t)
	ok(t, "new", "a.ridge", "--size", "90x40", "--spacing", "2")
	ok(t, "run", "a.ridge", "-e", "terrain.stroke op=raise at=60,40 radius=20 strength=3; camera.bookmark name=b eye=1,2,3 look=4,5,6")
	var m map[string]any
	if err := json.Unmarshal([]byte(ok(t, "info", "a.ridge", "--json", "--at", "60,40")), &m); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"format": "ridgeline level", "width": 90.0, "height": 40.0, "spacing": 2.0, "min": 0.0, "max": 3.0, "voids": 0.0,
		"objects": 0.0, "occluders": 0.0, "cells": 0.0, "portals": 0.0, "autosave": "none",
		"at": map[string]any{"x": 60.0, "z": 40.0, "height": 3.0, "slope": m["at"].(map[string]any)["slope"], "inside": true},
	} {
		if d := cmp.Diff(want, m[key]); d != "" {
			t.Errorf("%s: %s", key, d)
		}
	}
	if n := len(m["layers"].([]any)); n != 4 {
		t.Errorf("%d layers", n)
	}
	if out := ok(t, "info", "a.ridge", "--json", "--at", "-1,5"); !strings.Contains(out, `"inside": false`) || !strings.Contains(out, `"height": null`) {
		t.Errorf("off the terrain: %s", out)
	}
	if out := ok(t, "info", "a.ridge", "--at", "500,5"); !strings.Contains(out, "at 500,5 outside the terrain") {
		t.Errorf("off the terrain: %s", out)
	}
}

func TestRun(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "65x65")
	write(t, "ridge.txt", "# a ridge\nterrain.stroke op=raise at=10,10 to=50,50 radius=6 strength=2\n")
	before := snapshot(t, dir)
	ok(t, "run", "a.ridge", "ridge.txt", "-e", "layer.add name=Mud", "-o", "b.ridge")
	if after := snapshot(t, dir); after["a.ridge"] != before["a.ridge"] {
		t.Error("-o changed the level that was read")
	}
	if y, _ := read(t, "b.ridge").Terrain.Height(30, 30); y < 1 {
		t.Errorf("the height is %g", y)
	}
	r := cli(t, "terrain.stroke op=raise at=10,10 to=50,50 radius=6 strength=2\nlayer.add name=Mud", "run", "a.ridge", "-")
	if r.code != exitDone || r.out != "4\n" {
		t.Errorf("from standard input: %+v", r)
	}
	// The same commands give the same bytes.
	after := snapshot(t, dir)
	if after["a.ridge"] != after["b.ridge"] {
		t.Error("the same commands gave two levels")
	}
	// Nothing that changes the level: nothing is written.
	ok(t, "run", "a.ridge", "-e", "layer.add name=X; undo; help")
	if d := cmp.Diff(after, snapshot(t, dir)); d != "" {
		t.Error(d)
	}
	ok(t, "run", "a.ridge", "-e", "camera.set eye=1,2,3 look=0,0,0")
	if c := read(t, "a.ridge").Settings.Camera; c.Eye != [3]float64{1, 2, 3} {
		t.Errorf("the camera is at %v", c.Eye)
	}
}

func TestSample(t *testing.T) {
	dir := inDir(t)
	ok(t, "export", "sample", "-o", "a.r16")
	ok(t, "run", "sample", "-e", "terrain.stroke op=raise at=7000,5000 to=12000,8000 radius=1500 strength=60; paint.stroke layer=snow at=7000,5000 radius=1200 strength=.5", "-o", "a.ridge")
	sample, _, err := (&shell{}).openLevel(t.Context(), "sample", false)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := sample.Terrain.Height(7000, 5000)
	if after, _ := read(t, "a.ridge").Terrain.Height(7000, 5000); !(after > before+50) {
		t.Errorf("the height went from %g to %g", before, after)
	}
	list := snapshot(t, dir)
	if r := cli(t, "", "run", "sample", "-e", "undo"); r.code != exitFailed || !strings.HasPrefix(r.errs, "ridgeline: sample: found a level that comes with the program") {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(list, snapshot(t, dir)); d != "" {
		t.Error(d)
	}
	// A file of that name goes first.
	ok(t, "new", "sample", "--size", "9x9")
	if out := ok(t, "info", "sample"); !strings.Contains(out, "9×9") {
		t.Error(out)
	}
}

func TestRunSavesAs(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "65x65")
	ok(t, "run", "a.ridge", "-e", "layer.add name=A; file.saveas b.ridge; layer.add name=B; file.saveas file=c.ridge; layer.add name=C")
	for name, want := range map[string]int{"a.ridge": 7, "b.ridge": 5, "c.ridge": 6} {
		if n := len(read(t, name).Layers); n != want {
			t.Errorf("%s has %d layers, want %d", name, n, want)
		}
	}
	before := snapshot(t, dir)
	r := cli(t, "", "run", "a.ridge", "-e", "layer.add name=D; file.save; file.saveas d.ridge", "-e", "layer.add name=D")
	if r.code != exitFailed || r.errs != "ridgeline: -e: line 1: layer.add: name: found \"D\", expected another name, as layer 7 has this one\n" {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("a failing script saved: %s", d)
	}
}

func TestNewAndForce(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "65x33", "--spacing", "0.5")
	l := read(t, "a.ridge")
	if w, h := l.Terrain.Size(); w != 65 || h != 33 || l.Terrain.Spacing() != 0.5 {
		t.Errorf("%d×%d at %g", w, h, l.Terrain.Spacing())
	}
	ok(t, "run", "a.ridge", "-e", "terrain.stroke op=raise at=3,3 radius=2 strength=1")
	before := snapshot(t, dir)
	if r := cli(t, "", "new", "a.ridge"); r.code != exitFailed || !strings.Contains(r.errs, "--force") {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Error(d)
	}
	ok(t, "new", "a.ridge", "--size", "20x20", "--force")
	if w, _ := read(t, "a.ridge").Terrain.Size(); w != 20 {
		t.Errorf("width %d", w)
	}
	if out := ok(t, "check", "a.ridge"); out != "a.ridge: no problems\n" {
		t.Errorf("after --force: %s", out)
	}
}

func TestRecover(t *testing.T) {
	inDir(t)
	ok(t, "new", "a.ridge", "--size", "33x33")
	l, info, err := store.Open(t.Context(), "a.ridge", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	more := *l
	more.Layers = append(more.Layers[:4:4], document.Layer{Name: "Extra", Texture: "builtin:mud", UVScale: 1})
	if _, _, err := store.Autosave(t.Context(), "a.ridge", &more, 1, info.Saved, nil); err != nil {
		t.Fatal(err)
	}
	if out := ok(t, "info", "a.ridge"); strings.Contains(out, "Extra") || !strings.Contains(out, "autosave  newer") {
		t.Errorf("without --recover: %s", out)
	}
	if out := ok(t, "info", "a.ridge", "--recover"); !strings.Contains(out, "Extra") {
		t.Errorf("with --recover: %s", out)
	}
	if out := ok(t, "check", "a.ridge"); !strings.Contains(out, "note: ") {
		t.Errorf("check: %s", out)
	}
	ok(t, "run", "a.ridge", "--recover", "-e", "layer.add name=After")
	if n := len(read(t, "a.ridge").Layers); n != 6 {
		t.Errorf("%d layers, want the recovered one and a new one", n)
	}
	if r := cli(t, "", "info", "a.ridge", "--recover"); r.code != exitFailed || r.errs != "ridgeline: a.ridge: found no autosave that differs from the level, expected one, or no --recover\n" {
		t.Errorf("%+v", r)
	}
}

// What is no level is called what it is, and not damaged.
func TestCheckOfOtherFiles(t *testing.T) {
	inDir(t)
	write(t, "a.glb", "glTF\x02\x00\x00\x00")
	for _, verb := range []string{"check", "info"} {
		if r := cli(t, "", verb, "a.glb"); r.code != exitFailed || !strings.Contains(r.errs, "a.glb: found a .glb") || strings.Contains(r.errs, "damage") || r.out != "" {
			t.Errorf("%s: %+v", verb, r)
		}
	}
}

func TestCheckFindsDamage(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(t *testing.T, blob string)
		want   string
	}{
		"missing blob": {func(t *testing.T, blob string) { os.Remove(blob) }, "no such file or folder"},
		"bad checksum": {func(t *testing.T, blob string) { flip(t, blob) }, "checksum"},
		"sizes":        {func(t *testing.T, _ string) { edit(t, `"cols": 300`, `"cols": 200`) }, "expected"},
		"id repeats": {func(t *testing.T, _ string) {
			edit(t, `"entities": []`, `"entities": [{"id": 1, "kind": "marker"}, {"id": 1, "kind": "marker"}]`)
		}, "entities[1].id"},
	} {
		t.Run(name, func(t *testing.T) {
			inDir(t)
			ok(t, "new", "a.ridge", "--size", "300x280")
			ok(t, "run", "a.ridge", "-e", "terrain.stroke op=raise at=3,3 radius=9 strength=1")
			blobs, _ := filepath.Glob("a.ridge.d/height_00_00.*")
			if len(blobs) != 1 {
				t.Fatalf("blobs %v", blobs)
			}
			test.damage(t, blobs[0])
			r := cli(t, "", "check", "a.ridge")
			if r.code != exitFailed || !strings.Contains(r.out, test.want) || !strings.HasPrefix(r.errs, "ridgeline: a.ridge is damaged") || strings.Count(r.errs, "\n") != 1 {
				t.Errorf("%+v", r)
			}
			var j struct {
				OK       bool
				Problems []finding
			}
			if err := json.Unmarshal([]byte(cli(t, "", "check", "a.ridge", "--json").out), &j); err != nil || j.OK || len(j.Problems) == 0 {
				t.Errorf("as JSON: %v, %+v", err, j)
			}
			if r := cli(t, "", "info", "a.ridge"); r.code != exitFailed {
				t.Errorf("a damaged level opens: %+v", r)
			}
		})
	}
}

func flip(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	write(t, path, string(data))
}

func edit(t *testing.T, old, new string) {
	t.Helper()
	data, err := os.ReadFile("a.ridge")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("no %s in the manifest", old)
	}
	text := strings.Replace(string(data), old, new, 1)
	text = strings.Replace(text, `"next_id": 1`, `"next_id": 9`, 1)
	write(t, "a.ridge", text)
}

// A panic is one line, a crash file and exit code 1.
func TestPanic(t *testing.T) {
	was := verbs
	defer func() { verbs = was }()
	verbs = append(was[:len(was):len(was)], func(*shell) *cobra.Command {
		return &cobra.Command{Use: "explode", RunE: func(*cobra.Command, []string) error { panic("boom") }}
	})
	r := cli(t, "", "explode")
	if r.code != exitFailed || !strings.HasPrefix(r.errs, "ridgeline: internal error: boom; ") || strings.Count(r.errs, "\n") != 1 {
		t.Fatalf("%+v", r)
	}
	path := strings.TrimSpace(r.errs[strings.LastIndex(r.errs, " ")+1:])
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "ridgeline explode") || !strings.Contains(string(data), "TestPanic") {
		t.Errorf("crash file %s: %v\n%s", path, err, data)
	}
}

func TestStopped(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "65x65")
	ok(t, "export", "a.ridge", "-o", "a.r32")
	before := snapshot(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{
		"new b.ridge", "import a.r32 -o b.ridge", "run a.ridge -e layer.add\tname=x", "run a.ridge -", "export a.ridge -o b.r32", "export a.ridge -o b.glb",
	} {
		var out, errs strings.Builder
		list := strings.Fields(args)
		if strings.Contains(args, "\t") {
			list = []string{"run", "a.ridge", "-e", "layer.add name=x"}
		}
		code := run(ctx, list, neverReads{}, &out, &errs)
		if code != exitFailed || errs.String() != "ridgeline: stopped; nothing was changed\n" {
			t.Errorf("%s: %d, %s", args, code, errs.String())
		}
		if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
			t.Errorf("%s: %s", args, d)
		}
	}
}

// neverReads is a terminal at which nobody types.
type neverReads struct{}

func (neverReads) Read([]byte) (int, error) { select {} }

func TestDefaultVerb(t *testing.T) {
	inDir(t)
	write(t, "plain", "")
	was := verbs
	defer func() { verbs = was }()
	// In place of the real one, which is the first.
	verbs = append(slices.Clone(was[1:]), func(sh *shell) *cobra.Command {
		c := &cobra.Command{Use: "edit", RunE: func(c *cobra.Command, args []string) error {
			_, err := fmt.Fprintf(sh.out, "edit %q", args)
			return err
		}}
		c.Flags().String("viewport", "", "")
		return c
	})
	for args, want := range map[string]string{
		"": `edit []`, "a.ridge": `edit ["a.ridge"]`, "./a": `edit ["./a"]`, "plain": `edit ["plain"]`, "sample": `edit ["sample"]`,
		"edit b": `edit ["b"]`, "--viewport=copy a.ridge": `edit ["a.ridge"]`, "--viewport=copy": `edit []`,
	} {
		if out := ok(t, strings.Fields(args)...); out != want {
			t.Errorf("%q: %s, want %s", args, out, want)
		}
	}
	for _, args := range []string{"edti", "other a.ridge"} {
		if r := cli(t, "", strings.Fields(args)...); r.code != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := cli(t, "", "--help"); r.code != exitDone || !strings.Contains(r.out, "import") {
		t.Errorf("help: %+v", r)
	}
}
