package session

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/editor/internal/xcall"
	"ridgeline/terrain"
)

// richLevel has something of everything that a file can hold, also what this
// version does not know.
func richLevel(t testing.TB) *document.Level {
	t.Helper()
	const n = 65
	h := make([]float32, n*n)
	for i := range h {
		h[i] = float32(i%n)/8 + float32(i/n*7%13)
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	l, err := document.NewLevel(f.WithOrigin(-20, 10)).WithEntities([]document.Entity{
		{ID: 1, Kind: document.KindMarker, Name: "door", Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}},
		{ID: 2, Kind: document.KindObject, Name: "tree", Extra: document.Extra{"later": []byte(`{"a":[1,2]}`)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	later := document.Extra{"later": []byte(`[1,"two"]`)}
	rich := *l
	rich.Extra, rich.TerrainExtra, rich.Settings.Extra, rich.Settings.Sun.Extra = later, later, later, later
	rich.Layers = slices.Clone(rich.Layers)
	rich.Layers[0].Extra = later
	return &rich
}

// saved is the level as files: their contents by name.
func saved(t rapid.TB, l *document.Level) map[string][]byte {
	t.Helper()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if _, _, err := store.Save(context.Background(), filepath.Join(dir, "level.ridge"), l, nil, nil); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[name], err = os.ReadFile(filepath.Join(dir, name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// differ names the files in which two levels differ.
func differ(a, b map[string][]byte) []string {
	names := maps.Clone(a)
	maps.Copy(names, b)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool {
		x, ok := a[name]
		y, too := b[name]
		return ok && too && bytes.Equal(x, y)
	})
}

// Whatever edits are made in the editor, those in the background included, undoing
// them all gives the files as they were, and redoing them the files they became.
func TestEditsUndoToTheByte(t *testing.T) {
	first := richLevel(t)
	want := saved(t, first)
	worked := map[string]int{}
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		r := &rig{t: outer, more: make(chan struct{}, 1)}
		r.Session = New(first, Options{Temporary: true, Post: r.post})
		defer r.Close()
		var edits []*command.Command
		for _, c := range r.Env.Registry.All() {
			if c.Class == command.Edit {
				edits = append(edits, c)
				worked[c.ID] += 0
			}
		}
		doc := r.Document()
		for range rapid.IntRange(1, 10).Draw(t, "edits") {
			c := rapid.SampledFrom(edits).Draw(t, "command")
			if c.ID == "history.goto" && rapid.Bool().Draw(t, "near") {
				c, _ = r.Env.Registry.Lookup("undo") // most steps are not there
			}
			call := xcall.Draw(t, c, r.Level())
			before, steps := r.Level(), doc.Position()
			if err := r.run(call.String()); err == nil {
				worked[c.ID]++
			} else if r.Level() != before || doc.Position() != steps {
				t.Fatalf("%s: failed (%v) and changed the level", call, err)
			}
			if rapid.Bool().Draw(t, "wait") {
				r.idle()
			}
		}
		r.idle()
		if r.Document() != doc {
			t.Fatal("an edit put another document in place")
		}
		after, steps := saved(t, r.Level()), doc.Position()
		for doc.Position() > 0 {
			r.Run("undo")
		}
		if names := differ(saved(t, r.Level()), want); len(names) > 0 {
			t.Fatalf("undoing everything does not give the level as it was: %q differ", names)
		}
		for doc.Position() < steps {
			r.Run("redo")
		}
		if names := differ(saved(t, r.Level()), after); len(names) > 0 {
			t.Fatalf("redoing everything does not give the level as it became: %q differ", names)
		}
	})
	for id, n := range worked {
		if n == 0 && !testing.Short() {
			t.Errorf("%s never worked, so it was not tested", id)
		}
	}
}
