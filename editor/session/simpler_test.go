package session

import (
	"testing"
	"time"

	"ridgeline/document"
)

// An asset is drawn with a part of its triangles until the part is 1 again; the level and
// its history stay as they are.
func TestSimplerPreview(t *testing.T) {
	posts := make(chan func(), 64)
	s := troubled(t, Options{Post: func(fn func()) { posts <- fn }}, document.Entity{Name: "Rock", Data: document.Object{Asset: "rock"}})
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
	info, _ := s.Asset("rock")
	m := info.Model.Model
	if err := s.Execute("view.simpler 0.5"); err == nil {
		t.Error("it needs no object")
	}
	s.Select(1)
	before := s.Level()
	s.Run("view.simpler 0.5")
	if s.Simpler.Subset(m) != nil {
		t.Error("something is drawn before it is there")
	}
	settle()
	sub := s.Simpler.Subset(m)
	n, off, ok, err := s.Simpler.Level()
	if sub == nil || !ok || err != nil {
		t.Fatalf("no preview: %v", err)
	}
	if len(sub.Indices) != 3*n || 2*n > m.Triangles() || n == 0 {
		t.Errorf("%d triangles drawn, %d told, of %d", len(sub.Indices)/3, n, m.Triangles())
	}
	count := 0
	for _, p := range sub.Parts {
		if p.First != count {
			t.Errorf("part at %d, expected %d", p.First, count)
		}
		count += p.Count
	}
	if count != len(sub.Indices) {
		t.Errorf("parts of %d indices of %d", count, len(sub.Indices))
	}
	// Further shares are cut from the same sequence.
	s.Run("view.simpler 0.1 asset=rock")
	settle()
	if fewer, more, _, _ := s.Simpler.Level(); fewer > n || more < off {
		t.Errorf("%d triangles off by %g, after %d off by %g", fewer, more, n, off)
	}
	s.Run("view.simpler 1")
	settle()
	if name, share := s.Simpler.Of(); s.Simpler.Subset(m) != nil || name != "" || share != 1 {
		t.Error("the preview goes on")
	}
	if s.Level() != before || s.Document().Position() != 0 {
		t.Error("the level has changed")
	}
	// Cancelled by the user, it is off.
	s.Run("view.simpler 0.5")
	if tasks := s.Tasks(); len(tasks) == 1 {
		tasks[0].Cancel()
	}
	settle()
	if name, _ := s.Simpler.Of(); name != "" && s.Simpler.Subset(m) == nil {
		t.Error("neither on nor off after it was cancelled")
	}
}
