package session

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/internal/xlevel"
)

// Several lines are one step, and nothing when one of them fails.
func TestRunAll(t *testing.T) {
	r := start(t, t.TempDir())
	r.NewLevel(xlevel.Rich(t), "")
	was := r.Level()
	if !r.RunAll("Hide two", "object.set id=2 hidden=yes", "object.set id=3 hidden=yes") {
		t.Error("it failed")
	}
	if h := r.Document().History(); len(h) != 1 || h[0].Name != "Hide two" {
		t.Errorf("history %+v", h)
	}
	r.Run("undo")
	if r.RunAll("Hide", "object.set id=2 hidden=yes", "object.set id=99 hidden=yes") {
		t.Error("a line that cannot run ran")
	}
	a, _ := was.Entity(2)
	if b, _ := r.Level().Entity(2); a != b {
		t.Error("what came before the line that failed stays")
	}
}

// The outliner's rows are made anew only when others are to be shown.
func TestOutlineVersion(t *testing.T) {
	r := start(t, t.TempDir())
	r.NewLevel(xlevel.Rich(t), "")
	for _, c := range []struct {
		line            string
		outline, things bool
	}{
		{"object.move ids=2 by=1,0,0", false, true},
		{"object.set id=2 hidden=yes", false, true},
		{"object.set id=2 name=other", true, true},
		{"object.set id=2 layer=attic", true, true},
		{"object.parent ids=3 to=1", true, true},
		{"object.delete id=3", true, true},
		{"undo", true, true},
		{"outline.layer name=attic hidden=no", false, true},
		{"outline.layer name=new", true, true},
		{"terrain.stroke op=raise at=20,40 radius=5 strength=1", false, false},
	} {
		outline, things := r.OutlineVersion(), r.ThingsVersion()
		r.Run(c.line)
		if got := r.OutlineVersion() != outline; got != c.outline {
			t.Errorf("%s: other rows %v, expected %v", c.line, got, c.outline)
		}
		if got := r.ThingsVersion() != things; got != c.things {
			t.Errorf("%s: other things %v, expected %v", c.line, got, c.things)
		}
	}
}

func TestFixed(t *testing.T) {
	r := start(t, t.TempDir())
	r.NewLevel(xlevel.Rich(t), "")
	for _, c := range []struct {
		ids  []document.ID
		want string
		own  bool
	}{
		{[]document.ID{1, 2}, "", false},
		{[]document.ID{6}, "locked", true},
		{[]document.ID{7}, "locked by the layer vault", false},
		{[]document.ID{6, 7}, "all of them are locked", false},
		{[]document.ID{1, 6}, "1 of 2 are locked", true},
	} {
		why, own := r.Fixed(c.ids)
		got := ""
		if why != nil {
			got = why.Error()
		}
		if got != c.want || own != c.own {
			t.Errorf("%d: %q, %v, expected %q, %v", c.ids, got, own, c.want, c.own)
		}
	}
	r.Run("object.set id=2 locked=yes")
	if why, _ := r.Fixed([]document.ID{4}); why == nil || why.Error() != "locked by its parent tree" {
		t.Errorf("below something locked: %v", why)
	}
}

// A coordinate that is set is the one in the world, whatever a thing is part of.
func TestPlacedAt(t *testing.T) {
	r := start(t, t.TempDir())
	r.NewLevel(xlevel.Rich(t), "")
	r.Run("object.set id=2 at=1,2,3 yaw=30 scale=2,0.5,1e-5")
	for axis := range 3 {
		e, ok := PlacedAt(r.Level(), 4, axis, 7.25)
		if !ok {
			t.Fatal("there is no 4")
		}
		was, _ := r.Level().World(4)
		err := r.Document().Do("x", func(tx *document.Tx) error { return tx.Put(e) })
		if err != nil {
			t.Fatal(err)
		}
		want := was.Col(3).Vec3()
		want[axis] = 7.25
		now, _ := r.Level().World(4)
		if got := now.Col(3).Vec3(); !got.ApproxEqualThreshold(want, 1e-6) {
			t.Errorf("axis %d: at %v, expected %v", axis, got, want)
		}
	}
	if _, ok := PlacedAt(r.Level(), 99, 0, 1); ok {
		t.Error("something that isn't there was placed")
	}
	m := mgl64.Mat3FromCols(mgl64.Vec3{1e-5, 0, 0}, mgl64.Vec3{1e-6, 2e-5, 0}, mgl64.Vec3{0, 0, 3e-5})
	v := mgl64.Vec3{1, 2, 3}
	if got := m.Mul3x1(solve(m, v)); !got.ApproxEqualThreshold(v, 1e-9) {
		t.Errorf("solved %v, expected %v", got, v)
	}
}

// What was selected may be gone when the level is drawn: undo was the last thing done.
func TestHighlightAfterUndo(t *testing.T) {
	s := New(xlevel.Rich(t), Options{Temporary: true})
	defer s.Close()
	s.Run("occluder.box min=0,0,0 max=1,1,1")
	id := s.Selection()[0]
	if h := s.Highlight(id); h != Selected {
		t.Fatalf("what was made is highlighted as %d", h)
	}
	s.Document().Undo()
	if h := s.Highlight(id); h != Plain {
		t.Errorf("what is gone is highlighted as %d", h)
	}
}
