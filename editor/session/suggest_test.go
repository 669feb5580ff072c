package session

import (
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/overlay"
)

// What is proposed is added when it is accepted, as one step that undo takes back.
func TestSuggestions(t *testing.T) {
	posts := make(chan func(), 64)
	s := troubled(t, Options{Post: func(fn func()) { posts <- fn }},
		document.Entity{Name: "Rock", Data: document.Object{Asset: "rock"}},
		document.Entity{Name: "Lamp", Translation: mgl64.Vec3{0, 0, -5}, Data: document.Object{Asset: "lamp"}},
	)
	s.Run("camera.set eye=0,0,20 look=0,0,0")
	if err := s.Execute("occluder.accept 1"); err == nil {
		t.Error("accepted what was not proposed")
	}
	s.Run("occluder.suggest")
	for s.Busy() {
		select {
		case fn := <-posts:
			fn()
		case <-time.After(30 * time.Second):
			t.Fatal("the task does not end")
		}
	}
	if n := len(s.Suggestions.List()); n != 1 || s.Suggestions.Busy() {
		lines, _ := s.Lines()
		t.Fatalf("%d proposals: %v", n, lines)
	}
	// What is chosen or under the pointer is drawn.
	drawn := func() int {
		var shapes overlay.Shapes
		f := geom.Frustum{}
		s.Suggestions.append(&shapes, &f)
		return len(shapes.Segments)
	}
	if drawn() != 0 {
		t.Error("drawn before it was looked at")
	}
	s.Run("occluder.preview 1")
	if drawn() == 0 || s.Suggestions.Previewed() != 0 {
		t.Error("the preview is not drawn")
	}
	s.Run("occluder.preview 0")
	if drawn() != 0 {
		t.Error("still drawn")
	}
	if s.Suggestions.Point(0); drawn() == 0 {
		t.Error("what is under the pointer is not drawn")
	}
	s.Suggestions.Point(-1)
	if err := s.Execute("occluder.preview 2"); err == nil {
		t.Error("previewed what is not in the list")
	}
	list := slices.Clone(s.Suggestions.List())
	s.Run("occluder.preview 1; occluder.dismiss 1")
	if len(s.Suggestions.List()) != 0 || s.Suggestions.Previewed() != -1 || drawn() != 0 {
		t.Error("still there after it was dismissed")
	}
	s.Suggestions.tell(s.Level(), list)
	steps := s.Document().Position()
	if err := s.Execute("occluder.accept 1"); err != nil {
		t.Fatal(err)
	}
	v := s.Scene().Visibility()
	if len(v.Occluders) != 1 || v.Occluders[0].Owner != 1 || s.Document().Position() != steps+1 || len(s.Suggestions.List()) != 0 {
		t.Errorf("occluders %+v", v.Occluders)
	}
	s.Document().Undo()
	if n := len(s.Scene().Visibility().Occluders); n != 0 {
		t.Errorf("%d occluders after undo", n)
	}
	if n := len(s.Suggestions.List()); n != 1 {
		t.Errorf("%d proposals after undo", n)
	}
	// Something else in its place does as well, and what is switched off does not.
	s.Run("occluder.box min=-1,-1,-1 max=1,1,1")
	if n := len(s.Suggestions.List()); n != 0 {
		t.Errorf("%d proposals where an occluder stands", n)
	}
	s.Run("occluder.set off=yes")
	if n := len(s.Suggestions.List()); n != 1 {
		t.Errorf("%d proposals where an occluder is switched off", n)
	}
}

// A proposal for an object that moves or goes is one no longer.
func TestSuggestionsGoStale(t *testing.T) {
	s := troubled(t, Options{}, document.Entity{Name: "Rock", Data: document.Object{Asset: "rock"}})
	s.Suggestions.tell(s.Level(), []problems.Suggestion{{Object: 1, Hull: &hull.Hull{}}})
	s.Run("sun.set azimuth=10 elevation=10")
	if len(s.Suggestions.List()) != 1 {
		t.Fatal("gone with the sun")
	}
	s.Run("select ids=1; object.move by=1,0,0")
	if w, _ := s.Level().World(1); w.Col(3)[0] != 1 {
		t.Fatalf("not moved: %v", w)
	}
	if len(s.Suggestions.List()) != 0 {
		t.Error("still proposed")
	}
	s.Document().Undo()
	if len(s.Suggestions.List()) != 1 {
		t.Error("not proposed after undo")
	}
}
