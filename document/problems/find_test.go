package problems_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/problems/problemtest"
)

func find(t testing.TB, doc *document.Document) []problems.Problem {
	t.Helper()
	list, err := problems.Find(context.Background(), problemtest.Stage(doc.Level(), problemtest.Models()), problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// kinds are those of problems, sorted.
func kinds(list []problems.Problem) (out []problems.Kind) {
	for _, p := range list {
		out = append(out, p.Kind)
	}
	return out
}

// Each kind has a level in which it is the only problem, and near which there is one
// without any.
func TestKinds(t *testing.T) {
	told := map[problems.Kind]bool{}
	for name, c := range problemtest.Cases() {
		t.Run(name, func(t *testing.T) {
			doc := problemtest.Level(t, false)
			problemtest.Put(t, doc, c.List...)
			list := find(t, doc)
			if got := kinds(list); !slices.Equal(got, c.Want) {
				t.Errorf("problems %v, expected %v", got, c.Want)
				for _, p := range list {
					t.Log(p.Severity, p.Text, p.At, p.Fix)
				}
			}
			for _, p := range list {
				told[p.Kind] = true
			}
			if c.Text != "" && !slices.ContainsFunc(list, func(p problems.Problem) bool { return strings.Contains(p.Text, c.Text) }) {
				t.Errorf("nothing says %q: %v", c.Text, list)
			}
		})
	}
	if len(told) != 15 {
		t.Errorf("only %d kinds have a case: %v", len(told), told)
	}
}

// The hull of a house seals its door; a smaller one inside a wall does not. What is
// attached is checked against its own mesh.
func TestAttached(t *testing.T) {
	doc := problemtest.Level(t, true)
	ids := problemtest.Put(t, doc, document.Entity{Name: "House", Translation: mgl64.Vec3{60, 1, 60}, Data: document.Object{Asset: "hall"}})
	own := problemtest.Put(t, doc, document.Entity{Parent: ids[0], Name: "Sealed", Data: document.Occluder{Points: problemtest.Corners(problemtest.Box(-5.5, -0.5, -0.5, 5.5, 4.5, 8.5))}})
	problemtest.Put(t, doc, document.Entity{Name: "Behind", Translation: mgl64.Vec3{57, 2, 62}, Data: document.Object{Asset: "lamp"}})
	list := find(t, doc)
	if len(list) != 1 || list[0].Kind != problems.TooBig || !slices.Equal(list[0].Entities, []document.ID{own[0], ids[0]}) || list[0].Severity != problems.Error {
		t.Fatalf("the sealed house: %v", list)
	}
	e, _ := doc.Level().Entity(own[0])
	c := e.Clone()
	c.Data = document.Occluder{Points: problemtest.Corners(problemtest.Box(-5.5, 0, 0, -5, 4, 8))} // in the wall
	problemtest.Edit(t, doc, func(tx *document.Tx) error { return tx.Put(c) })
	if list := find(t, doc); len(list) != 0 {
		t.Fatalf("the wall: %v", list)
	}
}

// Nothing is told of what a missing model may hide.
func TestMissingModels(t *testing.T) {
	doc := problemtest.Level(t, false)
	problemtest.Put(t, doc, problemtest.House()[:2]...)
	s := problemtest.Stage(doc.Level(), problemtest.Shelf{})
	list, err := problems.Find(context.Background(), s, problems.Options{})
	if err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
}

// Fixes of what is locked are not offered.
func TestLocked(t *testing.T) {
	doc := problemtest.Level(t, false)
	e := problemtest.House()
	e[2].Data = document.Portal{Points: problemtest.Quad(-1, 0, 1, 3, 8.25)}
	e[2].Locked = true
	problemtest.Put(t, doc, e...)
	list := find(t, doc)
	if len(list) != 1 || list[0].Kind != problems.OffFace || list[0].Fix.Exists() {
		t.Fatal(list)
	}
}

func TestCancelled(t *testing.T) {
	doc := problemtest.Level(t, true)
	problemtest.Put(t, doc, problemtest.House()...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if list, err := problems.Find(ctx, problemtest.Stage(doc.Level(), problemtest.Models()), problems.Options{}); !errors.Is(err, context.Canceled) || list != nil {
		t.Fatal(list, err)
	}
	n := 0
	stop, halt := context.WithCancel(context.Background())
	_, err := problems.Find(stop, problemtest.Stage(doc.Level(), problemtest.Models()), problems.Options{Progress: func(float64) {
		if n++; n == 2 {
			halt()
		}
	}})
	if !errors.Is(err, context.Canceled) || n != 2 {
		t.Fatal(n, err)
	}
}

// Whatever a level holds, the search ends, tells of things that exist, says the same
// again, and has sentences.
func TestAnyLevel(t *testing.T) {
	lib := problemtest.Models()
	rapid.Check(t, func(t *rapid.T) {
		nowhere, err := document.NoTerrain()
		if err != nil {
			t.Fatal(err)
		}
		doc := document.New(document.NewLevel(nowhere), document.Options{})
		num := func(lo, hi float64) float64 {
			if rapid.Bool().Draw(t, "whole") {
				return float64(rapid.IntRange(int(lo), int(hi)).Draw(t, "n"))
			}
			return rapid.Float64Range(lo, hi).Draw(t, "x")
		}
		point := func(r float64) mgl64.Vec3 { return mgl64.Vec3{num(-r, r), num(-r, r), num(-r, r)} }
		points := func(least int, r float64) (out []mgl64.Vec3) {
			for range rapid.IntRange(least, least+4).Draw(t, "points") {
				out = append(out, point(r))
			}
			return out
		}
		err = doc.Do("all", func(tx *document.Tx) error {
			if err := tx.SetAssets([]document.Asset{{Name: "hall", File: "asset:a.glb"}, {Name: "rock", File: "asset:b.glb"}}); err != nil {
				return err
			}
			var ids []document.ID
			for range rapid.IntRange(0, 8).Draw(t, "things") {
				e := document.Entity{ID: tx.NewID(), Translation: point(9), Rotation: mgl64.QuatRotate(num(-3, 3), mgl64.Vec3{0.6, 0.8, 0}), Scale: mgl64.Vec3{num(1, 2), num(1, 2), -num(1, 2)}, Locked: rapid.IntRange(0, 5).Draw(t, "locked") == 0}
				if rapid.Bool().Draw(t, "straight") {
					e.Rotation, e.Scale = mgl64.QuatIdent(), mgl64.Vec3{1, 1, 1}
				}
				switch rapid.IntRange(0, 5).Draw(t, "kind") {
				case 0:
					e.Data = document.Object{Asset: rapid.SampledFrom([]string{"hall", "rock", "gone"}).Draw(t, "asset")}
				case 1:
					e.Data = document.Occluder{Points: points(4, 4)}
				case 2:
					e.Data = document.Occluder{Points: points(3, 4), Polygon: true, Hole: points(3, 1)}
				case 3:
					e.Data = document.Cell{Pieces: [][]mgl64.Vec3{points(4, 6), points(4, 6)}}
				case 4:
					e.Data = document.Cell{Pieces: [][]mgl64.Vec3{problemtest.Corners(problemtest.Box(-5, 0, 0, 5, 4, 8))}}
				case 5:
					e.Data = document.Portal{Points: points(3, 3), Reach: num(0, 4)}
				}
				e.Kind = e.Data.Kind()
				if len(ids) > 0 && rapid.IntRange(0, 2).Draw(t, "child") == 0 {
					e.Parent = rapid.SampledFrom(ids).Draw(t, "parent")
				}
				ids = append(ids, e.ID)
				if err := tx.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var first []problems.Problem
		for turn := range 2 {
			list, err := problems.Find(context.Background(), problemtest.Stage(doc.Level(), lib), problems.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				if len(p.Entities) == 0 || !strings.HasSuffix(p.Text, ".") || strings.Contains(p.Text, "%!") || p.Fix.Exists() != (p.Fix.Title != "") {
					t.Fatalf("%+v", p)
				}
				for _, id := range p.Entities {
					if _, ok := doc.Level().Entity(id); !ok {
						t.Fatalf("%+v is about nothing", p)
					}
				}
			}
			if turn == 0 {
				first = list
			} else if !slices.EqualFunc(first, list, func(a, b problems.Problem) bool {
				return a.Kind == b.Kind && a.Text == b.Text && a.At == b.At && a.Fix == b.Fix && slices.Equal(a.Entities, b.Entities)
			}) {
				t.Fatalf("first %v, then %v", first, list)
			}
		}
	})
}
