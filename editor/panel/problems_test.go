package panel

import (
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/problems/problemtest"
	"ridgeline/occluders/geom"
)

// openTroubles opens the list of problems on a level that has some, without meshes.
func openTroubles(t *testing.T) *rig {
	t.Helper()
	r := openRig(t, 1280, 720, 1, panelLayers)
	doc := document.New(testLevel(t), document.Options{})
	block := func(x, y, z float64) geom.Box { return problemtest.Box(x, y, z, x+8, y+5, z+8) }
	wall := []mgl64.Vec3{{60, 45, 30}, {70, 45, 30}, {70, 52, 30}, {60, 52, 30}}
	door := problemtest.Quad(23, 40, 25, 43, 28.25)
	problemtest.Put(t, doc,
		document.Entity{Name: "Kitchen", Data: document.Cell{Pieces: [][]mgl64.Vec3{problemtest.Corners(block(20, 40, 20))}}},
		document.Entity{Name: "Pantry", Data: document.Cell{Pieces: [][]mgl64.Vec3{problemtest.Corners(block(26, 40, 20))}}},
		document.Entity{Name: "Back door", Data: document.Portal{Points: door}},
		document.Entity{Name: "Old back door", Data: document.Portal{Points: door}},
		document.Entity{Name: "Fallen wall", Data: document.Occluder{Points: wall}},
		document.Entity{Name: "Billboard", Data: document.Occluder{Polygon: true, Points: wall}, Locked: true},
	)
	r.s.NewLevel(doc.Level(), "")
	r.settle()
	r.s.TakeNotices()
	r.s.Run("view.panel name=problems")
	r.look()
	return r
}

// look waits until the level has been looked at.
func (r *rig) look() {
	r.T.Helper()
	for range 3 {
		r.Frame()
		r.Wait(time.Second)
		r.Frame()
		r.settle()
	}
	if r.s.Problems.Busy() {
		r.T.Fatal("still looking")
	}
}

func TestProblemsPanel(t *testing.T) {
	r := openTroubles(t)
	list := r.s.Problems.List()
	at := func(k problems.Kind) int {
		for i, p := range r.s.Problems.List() {
			if p.Kind == k {
				return i
			}
		}
		t.Fatalf("no %s in %v", k, list)
		return 0
	}
	if n := len(list); n < 6 {
		t.Fatalf("%d problems", n)
	}
	r.shoot("problems-panel")

	r.open(1280, 1600, 1) // in which all are in sight
	r.Frame()

	// A click selects what a problem is about.
	dup := list[at(problems.Duplicate)]
	r.Click(dup.Text)
	if sel := r.s.Selection(); len(sel) != 2 {
		t.Errorf("selected: %v", sel)
	}
	// The button does what is proposed, as one step.
	cut := list[at(problems.Overlap)]
	steps := r.s.Document().Position()
	r.Click(cut.Fix.Title)
	if n := r.s.Document().Position(); n != steps+1 {
		t.Errorf("%d steps", n-steps)
	}
	if !r.s.Problems.Busy() || !r.Has(problemCount(len(list))+sLookingAgain) {
		t.Error("it does not say that it looks again")
	}
	r.look()
	for _, q := range r.s.Problems.List() {
		if q.Kind == problems.Overlap {
			t.Errorf("still there: %s", q.Text)
		}
	}
	// The status bar tells how many there are, and leads to the list.
	r.s.Run("view.panel name=problems")
	r.Frame()
	if r.Has(list[0].Text) {
		t.Error("the list is still shown")
	}
	r.Click(sShowProblems)
	if !r.Has(r.s.Problems.List()[0].Text) {
		t.Error("the list is not shown")
	}
	r.noErrors()
}

func TestNoProblems(t *testing.T) {
	r := openRig(t, 1280, 720, 1, panelLayers)
	r.s.Run("view.panel name=problems")
	r.look()
	if !r.Has(sNoProblems) {
		t.Error("the empty list says nothing")
	}
}
