package session

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/editor/internal/xcall"
	"ridgeline/editor/internal/xlevel"
)

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

// thingsRig is an editor with the level of xlevel.Rich.
func thingsRig(t testing.TB, l *document.Level, selected document.ID) *rig {
	r := &rig{t: t, more: make(chan struct{}, 1)}
	r.Session = New(l, Options{Temporary: true, Post: r.post})
	r.Env.Files.AddAsset, r.Env.Files.Model = anyAsset, xlevel.Model
	r.Env.View.Selection = []document.ID{selected}
	return r
}

// edits are the commands that change the level.
func (r *rig) edits() (list []*command.Command) {
	for _, c := range r.Env.Registry.All() {
		if c.Class == command.Edit {
			list = append(list, c)
		}
	}
	return list
}

// backAndForth holds that undoing everything gives the files as they were, and redoing
// it those that they became.
func (r *rig) backAndForth(t rapid.TB, want map[string][]byte) {
	t.Helper()
	doc := r.Document()
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
}

// Each edit works once, and can be undone and redone to the byte.
func TestEachEditUndoesToTheByte(t *testing.T) {
	first := xlevel.Rich(t)
	want := saved(t, first)
	probe := thingsRig(t, first, 2)
	defer probe.Close()
	for _, c := range probe.edits() {
		if c.ID == "occluder.accept" {
			continue // it needs meshes that can be read, which TestSuggestions has
		}
		t.Run(c.ID, func(t *testing.T) {
			for lines := range xcall.Sure(c, first) {
				r := thingsRig(t, first, 2)
				worked := true
				r.Env.Away = nil // the next line builds on it
				for _, line := range lines {
					worked = worked && r.run(line) == nil
				}
				r.idle()
				if worked {
					r.backAndForth(t, want)
				}
				r.Close()
				if worked {
					return
				}
			}
			t.Error("never worked, so it was not tested")
		})
	}
}

// Whatever edits are made in the editor, those in the background included, undoing
// them all gives the files as they were, and redoing them the files they became.
func TestEditsUndoToTheByte(t *testing.T) {
	first := xlevel.Rich(t)
	want := saved(t, first)
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		r := thingsRig(outer, first, rapid.SampledFrom([]document.ID{2, 8}).Draw(t, "selected"))
		defer r.Close()
		edits, doc := r.edits(), r.Document()
		for range rapid.IntRange(1, 10).Draw(t, "edits") {
			c := rapid.SampledFrom(edits).Draw(t, "command")
			if c.ID == "history.goto" && rapid.Bool().Draw(t, "near") {
				c, _ = r.Env.Registry.Lookup("undo") // most steps are not there
			}
			if doc.Position() < len(doc.History()) && rapid.Bool().Draw(t, "redo") {
				c, _ = r.Env.Registry.Lookup("redo") // it has few occasions
			}
			call := xcall.Draw(t, c, r.Level())
			before, steps := r.Level(), doc.Position()
			if err := r.run(call.String()); err != nil && (r.Level() != before || doc.Position() != steps) {
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
		r.backAndForth(t, want)
	})
}

// anyAsset takes any file for a mesh.
func anyAsset(_ context.Context, file string) (command.Imported, error) {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	ref := fmt.Sprintf("asset:%032x.glb", len(file))
	return command.Imported{Asset: document.Asset{Name: name, File: ref, Source: "/" + file}, Triangles: 12}, nil
}
