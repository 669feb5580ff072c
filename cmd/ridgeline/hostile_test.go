package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// unchanged runs what has to fail with a line, and wants the folder as it was.
func unchanged(t *testing.T, dir, stdin, want string, args ...string) {
	t.Helper()
	before := snapshot(t, dir)
	r := cli(t, stdin, args...)
	if r.code != exitFailed || r.errs != "ridgeline: "+want+"\n" {
		t.Errorf("%q: code %d\n got %swant ridgeline: %s", args, r.code, r.errs, want)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("%q changed files: %s", args, d)
	}
}

// No output replaces what it is made of, or what is no output of this program.
func TestOutputsSpareOtherFiles(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.png", "--size", "9x9") // a level may be called so
	ok(t, "new", "a.ridge", "--size", "9x9")
	write(t, "h.r16", strings.Repeat("ab", 64))
	write(t, "notes.txt", "notes")
	if err := os.Symlink("a.png", "link.png"); err != nil {
		t.Fatal(err)
	}
	own := "found the level itself, expected another name than the level's"
	for args, want := range map[string]string{
		"export a.png -o a.png":                                 "a.png: " + own,
		"export a.png -o ./a.png":                               "./a.png: " + own,
		"export a.png -o link.png":                              "link.png: " + own,
		"render a.png -o link.png":                              "link.png: " + own,
		"render a.ridge -o a.ridge":                             `a.ridge: found the extension ".ridge", expected .png`,
		"export a.ridge -o a.ridge.d/h.png":                     "a.ridge.d/h.png: found the folder of the level's own files, expected another folder",
		"import h.r16 -o h.r16 --force":                         "h.r16: found the heightmap itself, expected the name of a level",
		"run a.ridge -e undo -o notes.txt":                      "notes.txt: found a file that is no level, expected a new name, or a level to replace",
		"run a.ridge notes.txt -o notes.txt":                    "notes.txt: line 1: notes: no command of this name",
		"run a.ridge -e file.saveas=notes.txt -o b":             `-e: line 1: column 1: found "file.saveas=notes.txt", expected a command such as terrain.stroke`,
		"run a.ridge -e layer.add|name=x;file.saveas|notes.txt": "-e: line 1: notes.txt: found a file that is no level, expected a new name, or a level to replace",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "|", " ")
		}
		unchanged(t, dir, "", want, words...)
	}
	unchanged(t, dir, "", "x.r32: --min --max: found a range of heights, expected none, as only formats of 16 bits have one", "export", "a.ridge", "-o", "x.r32", "--min", "5")
	unchanged(t, dir, "", "h.r16: height range: found 7 to 3 m, expected the lower height first", "import", "h.r16", "--info", "--min", "7", "--max", "3")
	unchanged(t, dir, "", "h.r16: units: found a unit asked for r16, expected one only for asc", "import", "h.r16", "--info", "--units", "degrees")
	unchanged(t, dir, "", "cannot make a level: found an empty name, expected the name of a level", "new", "")
	// Levels may be replaced, damaged ones too.
	ok(t, "run", "a.ridge", "-e", "layer.add name=x", "-o", "a.png")
	write(t, "a.png", "{")
	ok(t, "run", "a.ridge", "-e", "layer.add name=x", "-o", "a.png")
	ok(t, "check", "a.png")
}

// Pipes and devices are neither replaced nor waited for.
func TestPipesAsFiles(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	for _, name := range []string{"pipe", "pipe.png", "pipe.asc"} {
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ino := func() uint64 {
		info, err := os.Lstat("pipe")
		if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Fatal("the pipe is gone:", err)
		}
		return info.Sys().(*syscall.Stat_t).Ino
	}
	was := ino()
	for args, want := range map[string]string{
		"info pipe": "a level", "check pipe": "", "export pipe -o x.r32": "a level", "render pipe -o x.png": "a level",
		"run pipe -e help": "a level", "import pipe.asc -o x.ridge": "a heightmap file", "export a.ridge -o pipe.png": "the name of a file",
		"new pipe --force": "the name of a level", "run a.ridge -e layer.add|name=x -o pipe": "the name of a level",
		"run a.ridge -e file.saveas|pipe": "the name of a level",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "|", " ")
		}
		r := cli(t, "", words...)
		if r.code != exitFailed || !strings.Contains(r.errs, "found a device or pipe, expected "+want) || strings.Count(r.errs, "\n") != 1 {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if ino() != was {
		t.Error("the pipe was replaced")
	}
	if list, err := filepath.Glob("*.d"); err != nil || len(list) != 1 {
		t.Errorf("left over: %v", list)
	}
	// A script may come through a pipe, and one that nobody fills does not hold up
	// whoever stops the program.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs strings.Builder
	if code := run(ctx, []string{"run", "a.ridge", "pipe"}, strings.NewReader(""), &errs, &errs); code != exitFailed || !strings.Contains(errs.String(), "stopped") {
		t.Errorf("code %d: %s", code, errs.String())
	}
	_ = dir
}

// A script that saves to several places begins none of them when one cannot be.
func TestSaveTargetsAreFoundFirst(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	unchanged(t, dir, "layer.add name=x\nfile.saveas b.ridge\nfile.saveas none/c.ridge\n", "standard input: line 3: none/c.ridge: no such file or folder", "run", "a.ridge", "-")
	ok(t, "run", "a.ridge", "-e", "layer.add name=x; file.saveas b.ridge; file.saveas ./b.ridge; file.saveas "+filepath.Join(dir, "a.ridge"))
	for _, name := range []string{"a.ridge", "b.ridge"} {
		if n := len(read(t, name).Layers); n != 5 {
			t.Errorf("%s has %d layers", name, n)
		}
	}
}

// notPlain are characters that do something to a terminal.
func notPlain(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Whatever a name is, what is printed of it stays on its line and does nothing to a
// terminal.
func TestNamesInMessagesArePlain(t *testing.T) {
	inDir(t)
	for name, want := range map[string]string{
		"a\nb": "a b", "a\x1b[31m": `a\x1b[31m`, "a\xffb": `a\xffb`, "a\u202eb": `a\u202eb`, "a\u0085b": `a\u0085b`, "Grün �": "Grün �", "a\tb": `a\tb`,
	} {
		r := cli(t, "", "info", name)
		if r.errs != "ridgeline: "+want+": no such file or folder\n" {
			t.Errorf("%q: %q", name, r.errs)
		}
	}
	ok(t, "new", "a.ridge", "--size", "9x9")
	ok(t, "run", "a.ridge", "-e", `layer.add name="x\ny" uv=2; layer.add name="`+"\x1b[2J"+`"`)
	// What is said of files and things is a line each.
	write(t, "b\x1b[31m.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n")
	for lines, args := range map[int][]string{
		1: {"new", "c\x1b[2J\u202e\nd.ridge", "--size", "9x9"},
		3: {"run", "a.ridge", "-e", `asset.import "b` + "\x1b" + `[31m.obj"; asset.rename name="b` + "\x1b" + `[31m" to="e\nf` + "\u202e" + `"; asset.list; undo`},
	} {
		said := ok(t, args...)
		if strings.Count(said, "\n") != lines || strings.ContainsFunc(strings.ReplaceAll(said, "\n", ""), notPlain) {
			t.Errorf("%q said %q, expected %d lines", args, said, lines)
		}
	}
	out := ok(t, "info", "a.ridge")
	for _, want := range []string{`x\ny (`, `\x1b[2J (`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if strings.ContainsFunc(strings.ReplaceAll(out, "\n", ""), unicode.IsControl) {
		t.Errorf("%q", out)
	}
}
