package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// floors says how high each top-level room stands. A package imports from its own
// room and from lower floors only.
var floors = map[string]int{
	"cmd": 6, "editor": 5, "viewport": 4, "export": 4, "document": 3,
	"terrain": 2, "widgets": 2, "occluders": 1, "icons": 1,
}

// walls says what the packages below a path must not reach, directly or through
// others, in their tests too.
var walls = []struct {
	room   string
	closed []string
}{
	{"ridgeline/terrain", []string{gio, openGL}},
	{"ridgeline/occluders", []string{gio, openGL}},
	{"ridgeline/icons", []string{gio, openGL}},
	{"ridgeline/document", []string{gio, openGL}},
	{"ridgeline/export", []string{gio, openGL}},
	{"ridgeline/editor/tool", []string{gio, openGL, "ridgeline/editor/panel"}},
	{"ridgeline/editor/command", []string{gio, openGL, "ridgeline/editor/panel"}},
	{"ridgeline/editor/session", []string{gio, openGL, "ridgeline/editor/panel"}},
	{"ridgeline/viewport/camera", []string{gio, openGL}},
	{"ridgeline/viewport/gizmo", []string{gio, openGL}},
	{"ridgeline/viewport/overlay", []string{gio, openGL}},
	{"ridgeline/widgets", []string{openGL}},
}

const (
	gio    = "gioui.org"
	openGL = "github.com/go-gl/gl"
)

type listed struct {
	ImportPath, ForTest                      string
	Imports, TestImports, XTestImports, Deps []string
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,ForTest,Imports,TestImports,XTestImports,Deps"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
}

func below(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

func TestFloors(t *testing.T) {
	room := func(path string) string {
		rest, ok := strings.CutPrefix(path, "ridgeline/")
		if !ok {
			return ""
		}
		top, _, _ := strings.Cut(rest, "/")
		return top
	}
	packages := list(t, "./...")
	if len(packages) < 10 {
		t.Fatalf("only %d packages were looked at", len(packages))
	}
	for _, p := range packages {
		own := room(p.ImportPath)
		if floors[own] == 0 {
			t.Errorf("%s stands in no known room", p.ImportPath)
		}
		for _, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			for _, i := range imports {
				if other := room(i); other != "" && other != own && floors[other] >= floors[own] {
					t.Errorf("%s imports %s, which is not on a lower floor", p.ImportPath, i)
				}
			}
		}
	}
}

func TestWalls(t *testing.T) {
	for _, p := range list(t, "-test", "./...") {
		path, _, _ := strings.Cut(p.ImportPath, " ")
		path = strings.TrimSuffix(strings.TrimSuffix(path, ".test"), "_test")
		for _, w := range walls {
			if !below(path, w.room) {
				continue
			}
			for _, d := range p.Deps {
				for _, c := range w.closed {
					if below(d, c) {
						t.Errorf("%s reaches %s", p.ImportPath, d)
					}
				}
			}
		}
	}
}
