package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ridgeline/document/mesh"
	"ridgeline/export/pack"
)

// A level that was never saved is exported with its meshes; what is missing is told.
func TestExportThings(t *testing.T) {
	r := start(t, t.TempDir())
	crate, err := filepath.Abs("../../cmd/ridgeline/testdata/crate.glb")
	if err != nil {
		t.Fatal(err)
	}
	r.Run(`asset.import "` + crate + `" name=crate`)
	r.Run("object.place asset=crate at=10,10")
	r.idle()
	r.quiet()
	file := filepath.Join(t.TempDir(), "a.glb")
	r.Run("app.exportto " + file)
	r.idle()
	n := r.TakeNotices()
	if len(n) != 1 || n[0].Severity != Info || !strings.Contains(n[0].Text, "1 thing, 1 mesh, ") {
		t.Fatalf("told %+v", n)
	}
	m, err := mesh.Load(t.Context(), os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil || m.Nodes[len(m.Nodes)-1].Name != "crate" || m.Triangles() != 2*128*128+12 {
		t.Errorf("%v, %v", m, err)
	}

	r.Run("asset.remove crate force=yes")
	r.idle()
	r.TakeNotices()
	r.Run("app.exportto " + file)
	r.idle()
	n = r.TakeNotices()
	if len(n) != 1 || n[0].Severity != Warning || !strings.Contains(n[0].Text, `1 thing, `) ||
		!strings.HasSuffix(n[0].Text, `MB. The level has no asset "crate"; 1 object stands in the file as a box.`) {
		t.Errorf("told %+v", n)
	}
}

// A name that ends in a slash exports a pack as a folder; folders with anything else are
// told while one is asked.
func TestExportFolder(t *testing.T) {
	s := start(t, t.TempDir())
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.askExport()
	for path, want := range map[string]string{
		dir + "/":        "a folder with other files",
		dir + "/note/":   "a file",
		dir + "/none/x/": "no such file",
		dir:              "a folder",
	} {
		if err := s.AnswerPrompt(path); err == nil || !strings.Contains(err.Error(), want) || s.Prompt() == nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := s.AnswerPrompt(dir + "/level/"); err != nil || s.Prompt() != nil || s.Exporter() == nil {
		t.Fatalf("%v", err)
	}
	s.Export()
	s.idle()
	s.TakeNotices()
	if !pack.Is(filepath.Join(dir, "level")) {
		t.Error("no pack was written")
	}
}
