package problems_test

import (
	"context"
	"errors"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/problems/problemtest"
)

// Of a rock that hides lamps, a house whose hull would seal its door and a rock that
// hides nothing, the first is suggested first, and nothing that lies outside a mesh.
func TestSuggest(t *testing.T) {
	doc := problemtest.Level(t, false)
	ids := problemtest.Put(t, doc,
		document.Entity{Name: "Rock", Translation: mgl64.Vec3{0, 0, 0}, Data: document.Object{Asset: "rock"}},
		document.Entity{Name: "House", Translation: mgl64.Vec3{-12, -2, 0}, Data: document.Object{Asset: "hall"}},
		document.Entity{Name: "Idle", Translation: mgl64.Vec3{60, 0, -60}, Data: document.Object{Asset: "rock"}},
		document.Entity{Translation: mgl64.Vec3{0, 0, -5}, Data: document.Object{Asset: "lamp"}},
		document.Entity{Translation: mgl64.Vec3{0.5, 0, -6}, Data: document.Object{Asset: "lamp"}},
	)
	problemtest.Edit(t, doc, func(tx *document.Tx) error {
		return tx.SetBookmark("front", document.Camera{Eye: mgl64.Vec3{0, 0, 20}, Look: mgl64.Vec3{0, 0, 0}})
	})
	done := 0.0
	list, err := problems.Suggest(context.Background(), problemtest.Stage(doc.Level(), problemtest.Models()), problems.SuggestOptions{Progress: func(d float64) {
		if d < done {
			t.Errorf("progress went from %v to %v", done, d)
		}
		done = d
	}})
	if err != nil || len(list) != 1 || list[0].Object != ids[0] || list[0].Gain != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if v := list[0].Hull.Volume(); v < 63.9 || v > 64.1 {
		t.Errorf("the hull has %v m³, expected those of the rock", v)
	}
	// With an occluder of its own nothing is suggested for it.
	problemtest.Put(t, doc, document.Entity{Parent: ids[0], Data: document.Occluder{Points: list[0].Hull.Vertices}})
	if list, err = problems.Suggest(context.Background(), problemtest.Stage(doc.Level(), problemtest.Models()), problems.SuggestOptions{}); err != nil || len(list) != 0 {
		t.Errorf("once more: %+v, %v", list, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := problems.Suggest(ctx, problemtest.Stage(doc.Level(), problemtest.Models()), problems.SuggestOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A slab of a house is found where the hull of the house would seal the door.
func TestSuggestPart(t *testing.T) {
	doc := problemtest.Level(t, false)
	ids := problemtest.Put(t, doc,
		document.Entity{Name: "House", Data: document.Object{Asset: "hall"}},
		document.Entity{Translation: mgl64.Vec3{0, -2, 4}, Data: document.Object{Asset: "lamp"}},
	)
	list, err := problems.Suggest(context.Background(), problemtest.Stage(doc.Level(), problemtest.Models()), problems.SuggestOptions{
		Cameras: []document.Camera{{Eye: mgl64.Vec3{0, 30, 5}, Look: mgl64.Vec3{0, 0, 4}}},
	})
	if err != nil || len(list) != 1 || list[0].Object != ids[0] || list[0].Gain != 0.5 {
		t.Fatalf("%+v, %v", list, err) // the level's own camera sees the lamp
	}
	if b := list[0].Hull.Bounds().Size(); b[1] > 0.51 || b[0] < 8 || b[2] < 6 {
		t.Errorf("no floor is %v", b)
	}
}
