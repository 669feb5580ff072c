package session

import (
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
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
}
