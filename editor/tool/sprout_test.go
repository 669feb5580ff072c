package tool

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

func shifted(in Input) Input {
	in.Modifiers |= Shift
	return in
}

// Shift pulls a new corner out of an edge or the middle of a face; without it the edge
// and the face move themselves.
func TestACornerIsPulledOut(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	b.gesture(d, shifted(b.over(62, 4, 62)), shifted(b.over(62, 4.5, 62)), shifted(b.over(62, 7, 62)))
	if c := b.corners(1); len(c) != 9 {
		t.Fatalf("%d corners out of the roof: %v", len(c), c)
	}
	if d.chosen.kind != cornerGrip || b.corners(1)[d.chosen.index][1] < 5 {
		t.Errorf("chosen is %+v", d.chosen)
	}
	// A click without a movement makes none.
	b.gesture(d, shifted(b.over(64, 2, 64)), shifted(b.over(64, 2, 64)))
	if c := b.corners(1); len(c) != 9 || b.env.Doc.Position() != 2 {
		t.Errorf("%d corners, %d steps", len(c), b.env.Doc.Position())
	}
	// Out of an upright edge of the box.
	d.Unchoose()
	b.gesture(d, shifted(b.over(64, 2, 64)), shifted(b.over(65, 2, 65)), shifted(b.over(67, 2, 66)))
	if c := b.corners(1); len(c) != 10 {
		t.Errorf("%d corners out of an edge: %v", len(c), c)
	}
}

// In a polygon it goes between the corners of its edge, also of that which closes it.
func TestACornerIsPulledOutOfAPolygon(t *testing.T) {
	square := []mgl64.Vec3{{60, 0.5, 60}, {60, 0.5, 68}, {68, 0.5, 68}, {68, 0.5, 60}}
	for i := range square {
		b, d := bent(t, document.KindOccluder, `occluder.plane points="60,0.5,60;60,0.5,68;68,0.5,68;68,0.5,60"`)
		m := square[i].Add(square[(i+1)%4]).Mul(0.5)
		out := m.Sub(mgl64.Vec3{64, 0.5, 64}).Mul(0.5)
		to := m.Add(out)
		b.gesture(d, shifted(b.over(m[0], m[1], m[2])), shifted(b.over(to[0], to[1], to[2])))
		c := b.corners(1)
		if len(c) != 5 {
			t.Fatalf("edge %d: %d corners: %v", i, len(c), c)
		}
		area := 0.0
		for k := range c {
			p, q := c[k], c[(k+1)%5]
			area += p[2]*q[0] - p[0]*q[2]
		}
		if got := math.Abs(area / 2); math.Abs(got-72) > 1.5 {
			t.Errorf("edge %d: an outline of %.2f m² with a new corner at %v: %v", i, got, to, c)
		}
	}
}

// A hole is drawn in the flat occluder that is selected, and must lie in it.
func TestAHoleIsDrawn(t *testing.T) {
	b, d := bent(t, document.KindOccluder, `occluder.plane points="60,0.5,60;60,0.5,68;68,0.5,68;68,0.5,60"`)
	d.Options.Form = FormHole
	b.gesture(d, b.over(62, 0.5, 62), b.over(65, 0.5, 65))
	e, _ := b.env.Doc.Level().Entity(1)
	o := e.Data.(document.Occluder)
	if len(o.Hole) != 4 || b.env.Doc.Position() != 2 {
		t.Fatalf("hole %v after %d steps", o.Hole, b.env.Doc.Position())
	}
	// By clicks another takes its place.
	for _, p := range [][2]float64{{61, 61}, {61, 64}, {64, 62}} {
		b.click(d, b.over(p[0], 0.5, p[1]))
	}
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	e, _ = b.env.Doc.Level().Entity(1)
	if o = e.Data.(document.Occluder); len(o.Hole) != 3 {
		t.Errorf("hole %v", o.Hole)
	}
	// One that reaches over the rim is refused.
	drag, err := d.Press(b.env, b.over(65, 0.5, 66))
	if err != nil || drag == nil {
		t.Fatal(err)
	}
	if err := drag.Move(b.over(72, 0.5, 72)); err != nil {
		t.Fatal(err)
	}
	if err := drag.End(0); err == nil || !strings.Contains(err.Error(), "hole") {
		t.Errorf("a hole beyond the rim: %v", err)
	}
	// Without one that is selected there is nothing to draw on.
	b.env.View.Selection = nil
	drag, _ = d.Press(b.env, b.over(63, 0.5, 65))
	if err := drag.Move(b.over(65, 0.5, 66)); err != nil {
		t.Fatal(err)
	}
	if err := drag.End(0); err == nil || !strings.Contains(err.Error(), "selected") {
		t.Errorf("a hole in nothing: %v", err)
	}
}

// A cell that is drawn becomes a further piece of the one that is selected.
func TestAFurtherPiece(t *testing.T) {
	b, d := bent(t, document.KindCell, "cell.box min=60,0,60 max=64,4,64")
	d.Options.Piece = true
	b.gesture(d, b.over(70, 0, 70), b.over(74, 0, 74))
	d.SetHeight(3)
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	e, _ := b.env.Doc.Level().Entity(1)
	if c := e.Data.(document.Cell); len(c.Pieces) != 2 {
		t.Errorf("%d pieces", len(c.Pieces))
	}
	b.env.View.Selection = nil
	b.gesture(d, b.over(80, 0, 70), b.over(84, 0, 74))
	d.SetHeight(3)
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	if e := b.last(); e.ID == 1 || e.Kind != document.KindCell {
		t.Errorf("made %+v", e)
	}
}
