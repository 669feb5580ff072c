package session

import (
	"strings"
	"testing"
	"time"

	"ridgeline/document"
)

// What takes long is done in the background, and changes the level when it is through.
func TestAway(t *testing.T) {
	posts := make(chan func(), 64)
	s := troubled(t, Options{Post: func(fn func()) { posts <- fn }},
		document.Entity{Name: "Rock", Data: document.Object{Asset: "rock"}})
	settle := func() {
		for s.Busy() {
			select {
			case fn := <-posts:
				fn()
			case <-time.After(30 * time.Second):
				t.Fatal("a task does not end")
			}
		}
	}
	settle()
	s.TakeNotices()
	occluders := func() (n int) {
		for e := range s.Level().Entities() {
			if e.Kind == document.KindOccluder {
				n++
			}
		}
		return n
	}
	const line = "occluder.from object=Rock check=off"
	s.Run(line)
	if !s.Busy() || occluders() != 0 {
		t.Fatalf("busy %v with %d occluders while it is made", s.Busy(), occluders())
	}
	settle()
	if occluders() != 1 || s.Document().Position() != 1 || len(s.Selection()) != 1 {
		t.Fatalf("%d occluders after %d steps, %d selected", occluders(), s.Document().Position(), len(s.Selection()))
	}

	// During a drag it waits for the end.
	s.Run(line)
	open := s.Document().Begin("Drag")
	settle()
	if occluders() != 1 {
		t.Error("it came in the middle of a drag")
	}
	open.Cancel()
	s.Tick(0)
	settle()
	if occluders() != 2 {
		t.Errorf("%d occluders after the drag", occluders())
	}

	// What it was made of must be as it was.
	for _, edit := range []string{"object.move ids=Rock by=1,0,0", "select ids=Rock; edit.delete"} {
		s.Run(line)
		if err := s.Execute(edit); err != nil {
			t.Fatal(err)
		}
		had := occluders()
		settle()
		notices := s.TakeNotices()
		if occluders() != had || len(notices) != 1 || !strings.Contains(notices[0].Text, "meanwhile") {
			t.Errorf("%s: %d occluders where there were %d; told %v", edit, occluders(), had, notices)
		}
		s.Document().Undo()
	}

	// The next command of a line builds on it.
	had := occluders()
	if err := s.Execute(line + "; camera.set eye=0,0,20 look=0,0,0"); err != nil || s.Busy() || occluders() != had+1 {
		t.Errorf("in a line of two: %v, busy %v, %d occluders where there were %d", err, s.Busy(), occluders(), had)
	}
	// It can be cancelled.
	s.Run(line)
	s.Tasks()[0].Cancel()
	settle()
	if occluders() > had+2 {
		t.Error("cancelled, and yet made twice")
	}
}
