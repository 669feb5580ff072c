package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ridgeline/document/mesh"
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
