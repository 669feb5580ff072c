package tool

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/viewport/camera"
	"ridgeline/viewport/overlay"
)

// draft is a tool for drawing on a bench, with what it draws shown.
func (b *bench) draft(what document.Kind, form Form) *Draft {
	o := DefaultOccluding()
	if what != document.KindOccluder {
		o = DefaultRooms()
	}
	o.What, o.Form = what, form
	snap := &Snapping{Grid: 1, Angle: math.Pi / 12, Scale: 0.5}
	return &Draft{Name: "draft", Options: &o, Snapping: snap, Handles: &Handles{Env: b.env, Snapping: snap}}
}

// show has everything be shown to a pointer.
func show(in Input) Input {
	in.Shown = Occluders | Cells | Portals
	return in
}

// over is the pointer over a place, with everything shown.
func (b *bench) over(x, y, z float64, mods ...Modifiers) Input {
	b.Helper()
	return show(b.at(x, y, z, mods...))
}

// click presses and lets go.
func (b *bench) click(t Tool, in Input) {
	b.Helper()
	b.gesture(t, in)
}

// last is the thing that was made last, which is selected.
func (b *bench) last() *document.Entity {
	b.Helper()
	if n := len(b.env.View.Selection); n != 1 {
		b.Fatalf("%d things are selected", n)
	}
	return b.entity(b.env.View.Selection[0])
}

// occluder is an occluder as it stands in the world.
func (b *bench) corners(id document.ID) []mgl64.Vec3 {
	b.Helper()
	list := shapesOf(b.scene, id)
	if len(list) == 0 {
		b.Fatalf("%d has no shape", id)
	}
	return list[0].points
}

func (b *bench) bounds(id document.ID, lo, hi mgl64.Vec3) {
	b.Helper()
	box := b.scene.BoundsOf(id)
	if box.Min.Sub(lo).Len() > 2e-3 || box.Max.Sub(hi).Len() > 2e-3 {
		b.Fatalf("it reaches from %v to %v, expected %v to %v", box.Min, box.Max, lo, hi)
	}
}

func TestBoxIsDrawnOnTheGroundAndPulled(t *testing.T) {
	b := newBench(t)
	d := b.draft(document.KindOccluder, FormBox)
	d.Snapping.On = true
	b.gesture(d, b.over(60.2, 0, 70.1), b.over(66.1, 0, 64.8))
	if d.Pending() != 4 || !d.Pulling() || d.Height() != 3 {
		t.Fatalf("%d corners, pulling %v to %g m", d.Pending(), d.Pulling(), d.Height())
	}
	if b.env.Doc.Level().Len() != 0 {
		t.Fatal("something was made before the height was clicked")
	}
	d.Hover(b.env.Doc.Level(), b.over(66.1, 0, 64.8))
	p := d.Hover(b.env.Doc.Level(), b.over(66, 2.1, 65))
	if p.Pull != 5 {
		t.Fatalf("pulled to %g m, expected 3 m and 2 m more", p.Pull)
	}
	b.click(d, b.over(66, 2.1, 65))
	e := b.last()
	if e.Kind != document.KindOccluder || d.Pending() != 0 {
		t.Fatalf("made %+v, with %d corners left", e, d.Pending())
	}
	b.bounds(e.ID, mgl64.Vec3{60, 0, 65}, mgl64.Vec3{66, 5, 70})
	b.run("undo")
	if b.env.Doc.Level().Len() != 0 {
		t.Error("one step back leaves something")
	}
}

func TestDraftIsTakenBackAndGivenUp(t *testing.T) {
	b := newBench(t)
	d := b.draft(document.KindOccluder, FormBox)
	b.gesture(d, b.over(60, 0, 70), b.over(66, 0, 65))
	if !d.Back() || d.Pending() != 0 || d.Back() {
		t.Errorf("a rectangle leaves %d corners", d.Pending())
	}
	d.Options.Form = FormPolygon
	for _, p := range [][2]float64{{60, 70}, {66, 70}, {66, 64}, {60, 64}} {
		b.click(d, b.over(p[0], 0, p[1]))
	}
	if d.Pending() != 4 || d.Pulling() {
		t.Fatalf("%d corners, pulling %v", d.Pending(), d.Pulling())
	}
	d.Back()
	if d.Pending() != 3 {
		t.Fatalf("%d corners", d.Pending())
	}
	if err := d.Finish(b.env); err != nil || !d.Pulling() {
		t.Fatalf("pulling %v, %v", d.Pulling(), err)
	}
	d.Back()
	if d.Pending() != 3 || d.Pulling() {
		t.Errorf("%d corners, pulling %v", d.Pending(), d.Pulling())
	}
	if !d.Abandon() || d.Pending() != 0 || d.Abandon() {
		t.Error("it is not given up")
	}
	if b.env.Doc.Level().Len() != 0 {
		t.Error("something was made")
	}
}

func TestPolygonIsPulledToASolid(t *testing.T) {
	b := newBench(t)
	d := b.draft(document.KindOccluder, FormPolygon)
	for _, p := range [][2]float64{{60, 70}, {66, 70}, {63, 64}, {60, 70}} { // back at the first
		b.click(d, b.over(p[0], 0, p[1]))
	}
	if !d.Pulling() {
		t.Fatal("a click on the first corner does not end it")
	}
	d.SetHeight(2)
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	e := b.last()
	if c := b.corners(e.ID); len(c) != 6 {
		t.Errorf("%d corners: %v", len(c), c)
	}
	b.bounds(e.ID, mgl64.Vec3{60, 0, 64}, mgl64.Vec3{66, 2, 70})

	// One with a dent is no solid, and stays to be changed.
	for _, p := range [][2]float64{{70, 70}, {76, 70}, {73, 68}, {76, 64}} {
		b.click(d, b.over(p[0], 0, p[1]))
	}
	if err := d.Finish(b.env); err == nil || !strings.Contains(err.Error(), "convex") || d.Pending() != 4 {
		t.Errorf("%v, %d corners", err, d.Pending())
	}
	// Flat it may be.
	d.Options.Form = FormFlat
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	if o, ok := b.last().Data.(document.Occluder); !ok || !o.Polygon || len(o.Points) != 4 {
		t.Errorf("made %+v", b.last().Data)
	}
}

func TestOccluderGoesIntoTheThingItIsDrawnOn(t *testing.T) {
	b := newBench(t, "object.place asset=Cube at=64,64 scale=8 yaw=0")
	d := b.draft(document.KindOccluder, FormBox)
	d.Options.Attach = true
	// On the south side, which the camera sees.
	b.gesture(d, b.over(62, 1, 68), b.over(66, 5, 68))
	if math.Abs(d.Height()+8) > 1e-6 {
		t.Fatalf("it goes %g m into a wall 8 m thick", d.Height())
	}
	b.click(d, b.over(66, 5, 68))
	e := b.last()
	if e.Parent != 1 {
		t.Errorf("it is part of %d", e.Parent)
	}
	b.bounds(e.ID, mgl64.Vec3{62, 1, 60}, mgl64.Vec3{66, 5, 68})
	if math.Abs(e.Rotation.W) < 0.99 {
		t.Errorf("it is turned: %v", e.Rotation)
	}
}

func TestBoxIsTurnedWithTheFace(t *testing.T) {
	b := newBench(t, "object.place asset=Cube at=64,64 scale=8 yaw=30")
	d := b.draft(document.KindOccluder, FormBox)
	var on surface
	in := b.over(64, 4, 69)
	on, _, ok := surfaceOf(in, d.Snapping)
	if !ok || on.owner != 1 {
		t.Fatalf("%+v", on)
	}
	mid := in.Ray.At(0)
	mid, _ = on.meet(in)
	a, c := mid.Sub(on.u).Sub(on.v), mid.Add(on.u).Add(on.v)
	b.gesture(d, b.over(a[0], a[1], a[2]), b.over(c[0], c[1], c[2]))
	d.SetHeight(-1)
	lo, hi, yaw, ok := d.box()
	if !ok || math.Abs(math.Abs(yaw)-30) > 1e-4 {
		t.Fatalf("it is turned by %g°", yaw)
	}
	for i, want := range [3]float64{2, 2, 1} {
		if got := hi[i] - lo[i]; math.Abs(got-want) > 2e-3 {
			t.Errorf("side %d is %g m long, expected %g", i, got, want)
		}
	}
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	// All of it lies in the cube.
	for _, p := range b.corners(b.last().ID) {
		q := mgl64.Rotate3DY(-math.Pi / 6).Mul3x1(p.Sub(mgl64.Vec3{64, 0, 64}))
		if math.Abs(q[0]) > 4.001 || math.Abs(q[2]) > 4.001 {
			t.Errorf("the corner %v lies outside the cube, at %v", p, q)
		}
	}
}

// room is a bench with a cell, looked at from the south.
func room(t *testing.T) *bench {
	b := newBench(t, "cell.box min=60,0,60 max=68,3,68 name=Kitchen")
	b.camera = camera.Look(mgl64.Vec3{64, 6, 90}, mgl64.Vec3{64, 1, 64})
	b.camera.FitDepth(b.scene.Bounds(), 5)
	return b
}

func TestPortalsAreDrawnOnFacesOfCells(t *testing.T) {
	b := room(t)
	d := b.draft(document.KindPortal, FormBox)
	d.Options.State, d.Options.Reach = document.PortalOneWay, 0.5
	b.gesture(d, b.over(63, 0, 68), b.over(64, 2, 68))
	e := b.last()
	p, ok := e.Data.(document.Portal)
	if !ok || p.State != document.PortalOneWay || p.Reach != 0.5 || len(p.Points) != 4 {
		t.Fatalf("made %+v", e)
	}
	b.bounds(e.ID, mgl64.Vec3{63, 0, 68}, mgl64.Vec3{64, 2, 68})
	v := b.scene.Visibility()
	if len(v.Portals) != 1 || v.Portals[0].From != -1 || v.Portals[0].To != 0 {
		t.Fatalf("it joins %+v", v.Portals)
	}

	// What reaches beyond the face is cut off.
	b.env.View.Selection = nil
	b.gesture(d, b.over(66, 1, 68), b.over(72, 2, 68))
	b.bounds(b.last().ID, mgl64.Vec3{66, 1, 68}, mgl64.Vec3{68, 2, 68})

	n := b.env.Doc.Level().Len()
	drag, err := d.Press(b.env, b.over(80, 0, 60))
	if err == nil {
		drag.Move(b.over(82, 0, 64))
		err = drag.End(b.now)
	}
	if err == nil || !strings.Contains(err.Error(), "no cell") || b.env.Doc.Level().Len() != n {
		t.Errorf("beside the cell: %v", err)
	}
}

func TestPolygonPortal(t *testing.T) {
	b := room(t)
	d := b.draft(document.KindPortal, FormPolygon)
	for _, p := range [][2]float64{{62, 0}, {64, 0}, {63, 2}} {
		b.click(d, b.over(p[0], p[1], 68))
	}
	if err := d.Finish(b.env); err != nil {
		t.Fatal(err)
	}
	if p, ok := b.last().Data.(document.Portal); !ok || len(p.Points) != 3 {
		t.Errorf("made %+v", b.last().Data)
	}
}

func TestClicksSelectWhatIsShown(t *testing.T) {
	b := room(t)
	b.run("occluder.box min=70,0,60 max=76,4,66 name=Wall") // 2
	b.run("portal.add points='63,0,68; 64,0,68; 64,2,68; 63,2,68' name=Door")
	b.env.View.Selection = nil
	s := b.selectTool()
	b.click(s, b.over(73, 2, 66))
	b.selected(2)
	b.env.View.Selection = nil // no handles are in the way
	b.click(s, b.over(63.5, 1, 68))
	b.selected(3)
	b.env.View.Selection = nil
	b.click(s, b.over(66, 1, 68)) // the middle of a cell's face: what is behind it
	b.selected()
	b.click(s, b.over(60, 1.5, 68)) // its edge
	b.selected(1)
	b.click(s, b.at(73, 2, 66)) // not shown
	b.selected()

	d := b.draft(document.KindPortal, FormBox)
	b.click(d, b.over(66, 1, 68))
	b.selected(1)
	b.env.View.Selection = nil
	b.click(d, b.over(63.5, 1, 68))
	b.selected(3)
	b.env.View.Selection = nil
	b.click(d, b.over(73, 2, 66)) // an occluder, in the mode for portals
	b.selected()
	if p := d.Hover(b.env.Doc.Level(), b.over(66, 1, 68)); p.Entity != 1 {
		t.Errorf("hovering tells %+v", p)
	}

	b.gesture(s, b.over(69, 0, 68), b.over(77, 6, 59))
	b.selected(2)
}

func TestHandlesMoveOccluders(t *testing.T) {
	b := newBench(t, "occluder.box min=60,0,60 max=64,4,64")
	b.env.View.Selection = []document.ID{1}
	s := b.selectTool()
	g, _, ok := s.Handles.gizmo(b.env.Doc.Level())
	if !ok {
		t.Fatal("it has no handles")
	}
	b.near(g.Origin, mgl64.Vec3{62, 2, 62}, 1e-9)
	// The plane of X and Z.
	in := b.over(g.Origin[0], g.Origin[1], g.Origin[2])
	dp := metresAt(in, g.Origin, 36)
	from := b.over(g.Origin[0]+dp, g.Origin[1], g.Origin[2]+dp)
	to := b.over(g.Origin[0]+dp+5, g.Origin[1], g.Origin[2]+dp+3)
	b.gesture(s, from, to)
	b.bounds(1, mgl64.Vec3{65, 0, 63}, mgl64.Vec3{69, 4, 67})
	s.Handles.SetMode("scale")
	if _, _, ok := s.Handles.gizmo(b.env.Doc.Level()); !ok {
		t.Error("it cannot be scaled")
	}
}

func TestDraftDraws(t *testing.T) {
	b := newBench(t, "occluder.box min=60,0,60 max=64,4,64")
	d := b.draft(document.KindOccluder, FormBox)
	var s overlay.Shapes
	d.AppendShapes(&s, b.env.Doc.Level(), b.over(90, 0, 60))
	if !s.Empty() {
		t.Error("something is drawn without anything selected")
	}
	b.env.View.Selection = []document.ID{1}
	d.AppendShapes(&s, b.env.Doc.Level(), b.over(90, 0, 60))
	if s.Empty() {
		t.Error("no corners are drawn")
	}
	b.gesture(d, b.over(70, 0, 70), b.over(76, 0, 65))
	s.Reset()
	d.AppendShapes(&s, b.env.Doc.Level(), b.over(76, 0, 65))
	if len(s.Segments) != 12 || len(s.Labels) != 1 || s.Labels[0].Text != "6.00 m × 3.00 m × 5.00 m" {
		t.Errorf("%d lines, %v", len(s.Segments), s.Labels)
	}
}
