package session

import (
	"image"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/keymap"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// pointer moves, presses and lets go over places of the level.
type pointer struct {
	*rig
	now time.Duration
}

// drafting is a session on flat ground that is looked at from above and the south.
func drafting(t testing.TB, lines ...string) *pointer {
	r := start(t, t.TempDir())
	r.Resize(image.Pt(1280, 720), 1)
	p := &pointer{rig: r}
	for _, line := range append(lines, "camera.set eye=64,40,110 look=64,0,64", "select.none") {
		r.Run(line)
	}
	p.tick()
	r.quiet()
	return p
}

func (p *pointer) tick() {
	p.now += 20 * time.Millisecond
	p.Tick(p.now)
	p.Ring()
}

func (p *pointer) do(kind PointerKind, x, y, z float64) {
	p.t.Helper()
	at, _, ok := p.View.Rig.Camera.Project(mgl64.Vec3{x, y, z}, p.View.sizeVec())
	if !ok {
		p.t.Fatalf("%g, %g, %g is not in sight", x, y, z)
	}
	p.now += 10 * time.Millisecond
	p.Pointer(Pointer{Kind: kind, X: at[0], Y: at[1], Button: Left, Time: p.now})
	p.tick()
}

func (p *pointer) move(x, y, z float64) { p.t.Helper(); p.do(PointerMove, x, y, z) }
func (p *pointer) click(x, y, z float64) {
	p.t.Helper()
	p.do(PointerPress, x, y, z)
	p.do(PointerRelease, x, y, z)
}

func (p *pointer) drag(from, to mgl64.Vec3) {
	p.t.Helper()
	p.move(from[0], from[1], from[2])
	p.do(PointerPress, from[0], from[1], from[2])
	mid := from.Add(to).Mul(0.5)
	p.move(mid[0], mid[1], mid[2])
	p.move(to[0], to[1], to[2])
	p.do(PointerRelease, to[0], to[1], to[2])
}

func (p *pointer) count(want int) {
	p.t.Helper()
	if n := p.Level().Len(); n != want {
		p.t.Fatalf("%d things stand in the level, expected %d; told %v", n, want, p.TakeNotices())
	}
}

func (p *pointer) shapes() *overlay.Shapes {
	var s overlay.Shapes
	f := p.View.Rig.Camera.Frustum(p.View.sizeVec())
	p.AppendShapes(&s, &f)
	return &s
}

func TestOccluderIsDrawn(t *testing.T) {
	p := drafting(t)
	p.Key(keymap.Chord{Key: "C"})
	if p.Mode != ModeOccluder {
		t.Fatalf("the mode is %s", p.Mode)
	}
	p.drag(mgl64.Vec3{60, 0, 70}, mgl64.Vec3{66, 0, 65})
	p.count(0)
	if !p.Draft().Pulling() {
		t.Fatal("it is not pulled")
	}
	p.move(66, 2, 65)
	if !p.View.TakeDirty() && p.Draft().Height() == 3 {
		t.Error("the pointer does not pull it")
	}
	p.click(66, 2, 65)
	p.count(1)
	if e := p.Entities(); len(e) != 1 || e[0].Kind != document.KindOccluder {
		t.Fatalf("%v are selected", e)
	}
	p.quiet()

	// Ctrl+Z takes back what is drawn, and what was made only when nothing is.
	p.drag(mgl64.Vec3{70, 0, 70}, mgl64.Vec3{76, 0, 65})
	p.Key(keymap.Chord{Key: "Z", Ctrl: true})
	p.count(1)
	if p.Draft().Pending() != 0 {
		t.Error("the rectangle is still there")
	}
	p.Key(keymap.Chord{Key: "Z", Ctrl: true})
	p.count(0)
	p.Key(keymap.Chord{Key: "Z", Ctrl: true, Shift: true})
	p.count(1)

	// Esc gives up, and so does another mode, which is told.
	p.drag(mgl64.Vec3{70, 0, 70}, mgl64.Vec3{76, 0, 65})
	p.Key(keymap.Chord{Key: "Esc"})
	if p.Draft().Pending() != 0 {
		t.Error("Esc does not give it up")
	}
	p.drag(mgl64.Vec3{70, 0, 70}, mgl64.Vec3{76, 0, 65})
	p.TakeNotices()
	p.Run("mode name=select")
	if n := p.TakeNotices(); len(n) != 1 || !strings.Contains(n[0].Text, "occluder") {
		t.Errorf("told %v", n)
	}
	p.count(1)

	// Enter makes it as high as it is.
	p.Run("mode name=occluder; draft.set height=2.5")
	p.drag(mgl64.Vec3{70, 0, 70}, mgl64.Vec3{76, 0, 65})
	p.Key(keymap.Chord{Key: "Enter"})
	p.count(2)
	if b := p.Scene().BoundsOf(p.Selection()...); b.Size()[1] < 2.49 || b.Size()[1] > 2.51 {
		t.Errorf("it is %g m high", b.Size()[1])
	}
}

func TestVisibilityIsDrawnInItsModes(t *testing.T) {
	p := drafting(t,
		"occluder.box min=60,0,60 max=64,4,64",
		"cell.box min=70,0,60 max=74,3,64",
		`portal.add points="71,0,64; 72,0,64; 72,2,64; 71,2,64" name=Door`,
	)
	count := func() int { return len(p.shapes().Segments) }
	if n := count(); n != 0 {
		t.Errorf("%d lines are drawn in the mode select", n)
	}
	p.Run("mode name=occluder")
	if n := count(); n != 12 {
		t.Errorf("%d lines are drawn of a box", n)
	}
	p.Run("mode name=portal")
	if n := count(); n != 12+4 {
		t.Errorf("%d lines are drawn of a cell and a portal", n)
	}
	p.Run("mode name=select; view.overlay name=occluders; view.overlay name=portals")
	if n := count(); n != 12+4 {
		t.Errorf("%d lines are drawn of an occluder and a portal", n)
	}
	p.Run("view.overlay name=occluders; view.overlay name=portals")
	// What is selected is drawn in any case, with its name.
	p.Select(3)
	if n := count(); n == 0 {
		t.Error("a selected portal is not drawn")
	}
	if l := p.Labels(); len(l) != 1 || l[0].Text != "Door" {
		t.Errorf("the labels are %v", l)
	}
	// Dashes tell of what does not count.
	p.Run("occluder.set id=1 off=yes; mode name=occluder; select.none")
	if n := count(); n < 24 {
		t.Errorf("%d lines are drawn of an occluder that is off", n)
	}
}

func TestCornersAreBent(t *testing.T) {
	p := drafting(t, "occluder.box min=60,0,60 max=64,4,64", "mode name=occluder")
	p.Select(1)
	p.drag(mgl64.Vec3{64, 4, 64}, mgl64.Vec3{66, 4.5, 65})
	p.quiet()
	b := p.Scene().BoundsOf(1)
	if b.Max[0] < 65 {
		t.Fatalf("the corner stays: %v", b)
	}
	if h := p.Document().History(); h[len(h)-1].Name == "" || len(h) != 2 {
		t.Errorf("history has %v", h)
	}
	// The corner is still chosen: Delete takes it away, and not the occluder.
	if !p.Draft().Chosen() {
		t.Fatal("no corner is chosen")
	}
	p.Key(keymap.Chord{Key: "Delete"})
	p.count(1)
	if v := p.Scene().Visibility(); len(v.Occluders) != 1 || len(v.Occluders[0].Hull.Vertices) != 7 {
		t.Errorf("%d corners are left", len(v.Occluders[0].Hull.Vertices))
	}
	p.Run("undo")
	// A drag that is taken back changes nothing.
	before := p.Level()
	p.move(60, 4, 64)
	p.do(PointerPress, 60, 4, 64)
	p.move(50, 4, 70)
	p.Key(keymap.Chord{Key: "Z", Ctrl: true})
	p.do(PointerRelease, 50, 4, 70)
	if p.Level() != before {
		t.Error("a drag that was undone has changed the level")
	}
	p.Key(keymap.Chord{Key: "Esc"})
	if p.Draft().Chosen() {
		t.Error("a corner is still chosen")
	}
	p.Key(keymap.Chord{Key: "Delete"})
	p.count(0)
}

func TestVisibilityOutOfSightCostsNothing(t *testing.T) {
	p := drafting(t, "occluder.box min=60,0,60 max=64,4,64", "view.overlay name=occluders")
	var s overlay.Shapes
	away := geom.Frustum{}
	for i := range away.Planes {
		away.Planes[i] = geom.Plane{N: mgl64.Vec3{0, 1, 0}, D: -1000}
	}
	p.AppendShapes(&s, &away)
	if len(s.Segments) != 0 {
		t.Errorf("%d lines are drawn out of sight", len(s.Segments))
	}
}
