package command

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/document"
)

// plain is what names.find tells, from looking at everything.
func plain(l *document.Level, base string, number int) (taken bool, next int) {
	for e := range l.Entities() {
		if b, i := numbered(e.Name); e.Name != "" && b == base {
			taken, next = taken || i == number, max(next, i+1)
		}
	}
	return taken, next
}

// Names that are kept while the document changes, goes back and forth and is dragged
// are those that it has.
func TestNamesFollowTheDocument(t *testing.T) {
	first := level(t)
	rapid.Check(t, func(t *rapid.T) {
		e := NewEnv(Standard(), document.New(first, document.Options{}), nil)
		name := rapid.SampledFrom([]string{"", "a", "a 2", "a 3", "a 7", "a 01", "a 2 2", " 2", "tree", "tree 2"})
		edit := func(tx *document.Tx) error {
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				id := document.ID(rapid.IntRange(1, 20).Draw(t, "id"))
				old, ok := tx.Level().Entity(id)
				switch {
				case !ok:
					if err := tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindObject, Name: name.Draw(t, "name")}); err != nil {
						return err
					}
				case rapid.Bool().Draw(t, "delete"):
					if err := tx.Delete(id, document.TakeChildren); err != nil {
						return err
					}
				default:
					c := old.Clone()
					c.Name = name.Draw(t, "name")
					if err := tx.Put(c); err != nil {
						return err
					}
				}
			}
			return nil
		}
		for range rapid.IntRange(1, 30).Draw(t, "edits") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				e.Doc.Undo()
			case 1:
				e.Doc.Redo()
			case 2:
				e.Doc = document.New(e.Doc.Level(), document.Options{})
			default:
				if err := e.Doc.Do("edit", edit); err != nil {
					t.Fatal(err)
				}
			}
			if rapid.Bool().Draw(t, "ask") {
				base, number := numbered(name.Draw(t, "asked"))
				taken, next := e.names().find(base, number)
				if wantTaken, want := plain(e.Doc.Level(), base, number); base != "" && (taken != wantTaken || next != want) {
					t.Fatalf("%q %d: taken %v, next %d, expected %v and %d", base, number, taken, next, wantTaken, want)
				}
			}
		}
	})
}

// A script reads the names of the level once, and not for each thing that it places.
func TestNamesAreReadOnce(t *testing.T) {
	e := env(t, nil)
	must(t, e, "object.place asset=Box at=0,20")
	of := fmt.Sprintf("%p", e.names().of)
	must(t, e, "object.place asset=Box at=0,20; object.scatter assets=Tree at=20,40 radius=8 density=0.2; undo; object.place asset=Box at=0,20")
	if now := fmt.Sprintf("%p", e.names().of); now != of {
		t.Error("the names were read anew")
	}
}

// A script of 10 000 lines that each place something.
func BenchmarkPlaceScript(b *testing.B) {
	for _, n := range []int{2500, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			script := strings.Repeat("object.place asset=Box at=10,40\n", n)
			for b.Loop() {
				e := env(b, nil)
				if err := e.Registry.RunScript(b.Context(), e, "", strings.NewReader(script)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
