package tool

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/terrain"
	"ridgeline/viewport/camera"
	"ridgeline/viewport/overlay"
)

// cubes is a library in which every asset is a cube of a metre.
type cubes struct{ model *scene.Model }

func (c cubes) Model(*document.Asset) *scene.Model { return c.model }

// bench is a level with things, seen from above and the south.
type bench struct {
	*testing.T
	env    *command.Env
	scene  *scene.Scene
	camera camera.Camera
	now    time.Duration
}

// solidCube is a closed cube of a metre whose foot stands at 0.
func solidCube() *scene.Model {
	m := mesh.Placeholder()
	c := *m
	c.Positions, c.Normals, c.Indices, c.UVs, c.Colors = nil, nil, nil, nil, nil
	for i := range 8 {
		p := [3]float32{float32(i&1) - 0.5, float32(i >> 1 & 1), float32(i>>2) - 0.5}
		c.Positions = append(c.Positions, p)
		c.Normals = append(c.Normals, [3]float32{0, 1, 0})
	}
	for _, q := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}} {
		c.Indices = append(c.Indices, q[0], q[1], q[2], q[0], q[2], q[3])
	}
	c.Parts = []mesh.Part{{Count: len(c.Indices)}}
	c.Bounds.Min, c.Bounds.Max = mgl64.Vec3{-0.5, 0, -0.5}, mgl64.Vec3{0.5, 1, 0.5}
	return scene.NewModel(&c)
}

func newBench(t *testing.T, lines ...string) *bench {
	f, err := terrain.Flat(129, 129, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := document.NewLevel(f)
	l.Assets = []document.Asset{{Name: "Cube", File: "asset:00000000000000000000000000000001.glb"}}
	b := &bench{T: t, env: command.NewEnv(command.Standard(), document.New(l, document.Options{}), nil)}
	b.scene = scene.New(cubes{solidCube()})
	b.scene.Update(l, nil)
	b.env.Doc.Subscribe(func(l *document.Level, c document.Change) { b.scene.Update(l, &c) })
	b.camera = camera.Look(mgl64.Vec3{64, 40, 110}, mgl64.Vec3{64, 0, 64})
	b.camera.FitDepth(b.scene.Bounds(), 10)
	for _, line := range lines {
		b.run(line)
	}
	b.env.View.Selection = nil
	return b
}

func (b *bench) run(line string) {
	b.Helper()
	if err := b.env.Registry.RunScript(b.Context(), b.env, "", strings.NewReader(line)); err != nil {
		b.Fatalf("%s: %v", line, err)
	}
}

// at is the pointer over a point of the world.
func (b *bench) at(x, y, z float64, mods ...Modifiers) Input {
	b.Helper()
	size := mgl64.Vec2{1280, 720}
	px, _, ok := b.camera.Project(mgl64.Vec3{x, y, z}, size)
	if !ok {
		b.Fatalf("%g, %g, %g is not in sight", x, y, z)
	}
	b.now += 10 * time.Millisecond
	in := Input{Ray: b.camera.Ray(px, size), Time: b.now, Pixel: px, Camera: b.camera, Size: size, Scale: 1, Scene: b.scene}
	for _, m := range mods {
		in.Modifiers |= m
	}
	return in
}

// drag presses, moves and lets go.
func (b *bench) drag(t Tool, path ...Input) Drag {
	b.Helper()
	d, err := t.Press(b.env, path[0])
	if err != nil {
		b.Fatal(err)
	}
	if d == nil {
		return nil
	}
	for _, in := range path[1:] {
		if err := d.Move(in); err != nil {
			b.Fatal(err)
		}
		if err := d.Tick(in.Time); err != nil {
			b.Fatal(err)
		}
	}
	return d
}

func (b *bench) gesture(t Tool, path ...Input) {
	b.Helper()
	if d := b.drag(t, path...); d != nil {
		if err := d.End(b.now); err != nil {
			b.Fatal(err)
		}
	}
}

func (b *bench) selected(want ...document.ID) {
	b.Helper()
	if got := b.env.View.Selection; !slices.Equal(got, want) {
		b.Fatalf("%v are selected, expected %v", got, want)
	}
}

func (b *bench) entity(id document.ID) *document.Entity {
	b.Helper()
	e, ok := b.env.Doc.Level().Entity(id)
	if !ok {
		b.Fatalf("entity %d is gone", id)
	}
	return e
}

func (b *bench) near(got, want mgl64.Vec3, tolerance float64) {
	b.Helper()
	if !(got.Sub(want).Len() <= tolerance) {
		b.Fatalf("%v, expected %v", got, want)
	}
}

func (b *bench) selectTool() *Select {
	return &Select{Handles: Handles{Env: b.env, Snapping: &Snapping{Grid: 1, Angle: math.Pi / 12, Scale: 0.5}}}
}

func TestClicksSelect(t *testing.T) {
	b := newBench(t,
		"object.place asset=Cube at=60,64 scale=4", // 1
		"object.place asset=Cube at=68,64 scale=4", // 2
		"object.place asset=Cube at=60,54 scale=4", // 3, behind 1
		"object.place asset=Cube at=76,64 scale=4", // 4
		"object.set id=4 locked=yes",
		"marker.add kind=point points=64,80 name=Start", // 5
	)
	s := b.selectTool()
	click := func(in Input) { b.Helper(); b.gesture(s, in) }
	click(b.at(60, 2, 64))
	b.selected(1)
	if p := s.Hover(b.env.Doc.Level(), b.at(68, 2, 64)); p.Entity != 2 {
		t.Errorf("hovering over 2 tells %d", p.Entity)
	}
	click(b.at(68, 2, 64, Shift))
	b.selected(1, 2)
	click(b.at(60, 2, 64, Ctrl))
	b.selected(2)
	click(b.at(76, 2, 64)) // locked: what is behind it, which is the ground
	b.selected()
	click(b.at(64, 0, 80))
	b.selected(5)
	click(b.at(30, 0, 60))
	b.selected()
}

func TestClicksGoIntoGroups(t *testing.T) {
	b := newBench(t,
		"object.place asset=Cube at=60,64 scale=4", // 1
		"object.place asset=Cube at=68,64 scale=4", // 2
		"object.group ids=1,2 name=Pair",           // 3
		"object.place asset=Cube at=76,64 scale=4", // 4
		"object.group ids=3,4 name=All",            // 5
	)
	s := b.selectTool()
	for _, want := range []document.ID{5, 3, 1} {
		b.gesture(s, b.at(60, 2, 64))
		b.selected(want)
	}
	b.gesture(s, b.at(68, 2, 64)) // inside the same group, as it was entered
	if got := b.env.View.Selection; len(got) != 1 || got[0] == 4 {
		t.Fatalf("%v are selected", got)
	}
}

func TestRectangleSelects(t *testing.T) {
	b := newBench(t,
		"object.place asset=Cube at=60,64 scale=2",
		"object.place asset=Cube at=64,64 scale=2",
		"object.place asset=Cube at=80,64 scale=2",
		"marker.add kind=line points='62,70;66,70' name=Line",
	)
	s := b.selectTool()
	d := b.drag(s, b.at(57, 0, 76), b.at(67, 6, 62))
	if m, ok := d.(interface{ Marquee() (Marquee, bool) }).Marquee(); !ok || m.From == m.To {
		t.Errorf("the rectangle is %v, %v", m, ok)
	}
	if err := d.End(b.now); err != nil {
		t.Fatal(err)
	}
	b.selected(1, 2, 4)
	b.gesture(s, b.at(77, 0, 70, Shift), b.at(84, 5, 62, Shift))
	b.selected(1, 2, 3, 4)
	b.gesture(s, b.at(57, 0, 66, Ctrl), b.at(61.9, 4, 62, Ctrl))
	b.selected(2, 3, 4)
}

// The arrow of an axis moves along it, in one step of history; what is below the
// selection moves along, and Cancel leaves nothing.
func TestHandlesMove(t *testing.T) {
	b := newBench(t,
		"object.place asset=Cube at=60,64 scale=2",
		"object.place asset=Cube at=60,60 scale=2 parent=1",
	)
	s := b.selectTool()
	b.env.View.Selection = []document.ID{1, 2}
	arm := metresAt(b.at(60, 0, 64), mgl64.Vec3{60, 0, 64}, 60) // somewhere on the arrow
	steps := b.env.Doc.Position()
	child, _ := b.env.Doc.Level().World(2)
	b.gesture(s, b.at(60+arm, 0, 64), b.at(63+arm, 0, 64), b.at(65+arm, 0, 64))
	b.near(b.entity(1).Translation, mgl64.Vec3{65, 0, 64}, 1e-6)
	moved, _ := b.env.Doc.Level().World(2)
	b.near(moved.Col(3).Vec3().Sub(child.Col(3).Vec3()), mgl64.Vec3{5, 0, 0}, 1e-6)
	if got := b.env.Doc.Position() - steps; got != 1 {
		t.Fatalf("%d steps of history, expected 1", got)
	}
	d := b.drag(s, b.at(65+arm, 0, 64), b.at(70+arm, 0, 64))
	d.Cancel()
	b.near(b.entity(1).Translation, mgl64.Vec3{65, 0, 64}, 1e-6)
	if got := b.env.Doc.Position() - steps; got != 1 {
		t.Fatalf("%d steps of history after Cancel, expected 1", got)
	}
	b.run("undo")
	b.near(b.entity(1).Translation, mgl64.Vec3{60, 0, 64}, 0)
}

func TestHandlesSnapAndTakeNumbers(t *testing.T) {
	b := newBench(t, "object.place asset=Cube at=60.3,64 scale=2")
	s := b.selectTool()
	b.env.View.Selection = []document.ID{1}
	arm := metresAt(b.at(60.3, 0, 64), mgl64.Vec3{60.3, 0, 64}, 60)
	s.Handles.Snapping.On = true
	b.gesture(s, b.at(60.3+arm, 0, 64), b.at(63.4+arm, 0, 64))
	if x := b.entity(1).Translation[0]; x != math.Round(x) {
		t.Fatalf("x is %g, expected a whole metre", x)
	}
	// Ctrl turns snapping round.
	x := b.entity(1).Translation[0]
	b.gesture(s, b.at(x+arm, 0, 64), b.at(x+arm+0.3, 0, 64, Ctrl))
	b.near(b.entity(1).Translation, mgl64.Vec3{x + 0.3, 0, 64}, 1e-6)
	// A typed number counts instead of the pointer.
	x = b.entity(1).Translation[0]
	d := b.drag(s, b.at(x+arm, 0, 64), b.at(x+arm+2, 0, 64))
	for _, r := range "7.5" {
		if !d.(Typer).Type(r) {
			t.Fatalf("the drag has no use for %q", r)
		}
	}
	if err := d.End(b.now); err != nil {
		t.Fatal(err)
	}
	b.near(b.entity(1).Translation, mgl64.Vec3{x + 7.5, 0, 64}, 1e-9)
}

func TestHandlesTurnAndScale(t *testing.T) {
	b := newBench(t, "object.place asset=Cube at=64,64 scale=2", "object.place asset=Cube at=70,64 scale=2")
	s := b.selectTool()
	b.env.View.Selection = []document.ID{1}
	if err := s.Handles.SetMode("rotate"); err != nil {
		t.Fatal(err)
	}
	if s.Handles.SetMode("fly") == nil {
		t.Error("there are handles that fly")
	}
	centre := mgl64.Vec3{64, 0, 64}
	ring := metresAt(b.at(64, 0, 64), centre, 76)
	on := func(a float64) Input {
		sin, cos := math.Sincos(a)
		return b.at(64+ring*cos, 0, 64-ring*sin)
	}
	b.gesture(s, on(-0.8), on(-0.6), on(-0.3))
	if yaw := command.AnglesOf(b.entity(1).Rotation).Yaw; !(math.Abs(yaw-0.5) < 0.02) {
		t.Fatalf("turned by %g, expected 0.5", yaw)
	}
	if err := s.Handles.SetMode("scale"); err != nil {
		t.Fatal(err)
	}
	b.env.View.Selection = []document.ID{1, 2}
	// The middle scales evenly, about the middle of both.
	d := b.drag(s, b.at(67, 0, 64), b.at(67, 0, 64))
	for _, r := range "2" {
		d.(Typer).Type(r)
	}
	if err := d.End(b.now); err != nil {
		t.Fatal(err)
	}
	b.near(b.entity(1).Scale, mgl64.Vec3{4, 4, 4}, 1e-9)
	b.near(b.entity(1).Translation, mgl64.Vec3{61, 0, 64}, 1e-6)
	b.near(b.entity(2).Translation, mgl64.Vec3{73, 0, 64}, 1e-6)
}

func TestPlacing(t *testing.T) {
	b := newBench(t, "terrain.stroke op=raise at=64,64 radius=30 strength=10")
	o := Place{ScaleMin: 2, ScaleMax: 3, RandomYaw: true}
	p := &Placing{Options: &o, Snapping: &Snapping{Grid: 1, Angle: math.Pi / 12}}
	if _, err := p.Press(b.env, b.at(64, 10, 64)); err == nil {
		t.Fatal("nothing is chosen, and something is placed")
	}
	o.Asset = "Cube"
	in := b.at(64, 10, 64)
	ghost := p.Hover(b.env.Doc.Level(), in).Ghost
	steps := b.env.Doc.Position()
	b.gesture(p, in)
	e := b.entity(1)
	world, _ := b.env.Doc.Level().World(1)
	if ghost.Asset != "Cube" || !world.ApproxEqualThreshold(ghost.World, 1e-9) {
		t.Errorf("the ghost stood at %v, the object at %v", ghost.World, world)
	}
	if y, _ := b.env.Doc.Level().Terrain.Height(e.Translation[0], e.Translation[2]); math.Abs(y-e.Translation[1]) > 1e-6 || e.Scale[0] < 2 || e.Scale[0] > 3 {
		t.Errorf("it stands at %v, scaled by %v", e.Translation, e.Scale)
	}
	if b.env.Doc.Position()-steps != 1 {
		t.Errorf("%d steps of history, expected 1", b.env.Doc.Position()-steps)
	}
	b.selected(1)
	// On top of the first one, and turned by a drag.
	o.RandomYaw, o.ScaleMin, o.ScaleMax = false, 1, 1
	top := world.Mul4x1(mgl64.Vec4{0, 1, 0, 1}).Vec3()
	on := b.at(top[0], top[1], top[2])
	turned := on
	turned.Pixel = turned.Pixel.Add(mgl64.Vec2{90, 0})
	b.gesture(p, on, turned)
	b.near(b.entity(2).Translation, top, 1e-4)
	if yaw := command.AnglesOf(b.entity(2).Rotation).Yaw; !(math.Abs(yaw-math.Pi/2) < 1e-9) {
		t.Errorf("turned by %g", yaw)
	}
	// Leaning with the slope.
	o.Align = 1
	slope := b.at(64, 5, 78)
	hit, _ := b.scene.Pick(slope.Ray, nil)
	b.gesture(p, slope)
	b.near(b.entity(3).Rotation.Rotate(mgl64.Vec3{0, 1, 0}), hit.Normal, 1e-6)
	// Cancel takes it back, and the selection with it.
	d := b.drag(p, b.at(50, 0, 90))
	d.Cancel()
	if b.env.Doc.Level().Len() != 3 {
		t.Errorf("%d things after Cancel", b.env.Doc.Level().Len())
	}
	b.selected(3)
}

func TestMarkers(t *testing.T) {
	b := newBench(t)
	o := Marking{Shape: document.MarkerPoint, Color: mgl64.Vec3{1, 0, 0}}
	m := &Marker{Options: &o}
	b.gesture(m, b.at(60, 0, 64))
	if k := b.entity(1).Data.(document.Marker); k.Shape != document.MarkerPoint || !(k.Color.Sub(o.Color).Len() < 0.01) {
		t.Errorf("the marker is %+v", k)
	}
	o.Shape = document.MarkerArea
	for _, x := range []float64{50, 70, 60} {
		b.gesture(m, b.at(x, 0, 70+x/10))
	}
	if m.Pending() != 3 || b.env.Doc.Level().Len() != 1 {
		t.Fatalf("%d corners are pending", m.Pending())
	}
	var shapes overlay.Shapes
	m.AppendShapes(&shapes, b.env.Doc.Level(), b.at(55, 0, 80))
	if shapes.Empty() {
		t.Error("the corners are not drawn")
	}
	b.gesture(m, b.at(50, 0, 75)) // the first corner closes it
	if k := b.entity(2).Data.(document.Marker); len(k.Points) != 3 || m.Pending() != 0 {
		t.Errorf("the area is %+v", k)
	}
	o.Shape = document.MarkerLine
	b.gesture(m, b.at(50, 0, 60))
	if err := m.Finish(b.env); err == nil || m.Pending() != 1 {
		t.Errorf("a line of one point: %v", err)
	}
	if !m.Abandon() || m.Abandon() {
		t.Error("giving up twice")
	}
	// A click at the sky says why nothing comes of it.
	sky := b.at(60, 0, 64)
	sky.Ray.Dir = mgl64.Vec3{0, 1, 0}
	if _, err := m.Press(b.env, sky); !errors.Is(err, errNoGround) || m.Pending() != 0 {
		t.Errorf("a click at the sky: %v", err)
	}
}

// A marker is selected by a click near it, before the ground or a floor that it lies
// on; but a thing that stands before it is what the user sees there.
func TestClickOnCoveredMarker(t *testing.T) {
	b := newBench(t,
		`object.place asset=Cube at=64,64 scale=8,8,8`,
		`object.place asset=Cube at=90,64 scale=8,1,8`,
		`marker.add kind=line points="40,55; 90,1,64; 90,1,67" name=Road`)
	s := &Select{}
	click := func(in Input, want ...document.ID) {
		t.Helper()
		b.env.View.Selection = nil
		b.gesture(s, in, in)
		b.selected(want...)
	}
	for _, ortho := range []bool{false, true} {
		b.camera.Ortho, b.camera.Height = ortho, 60
		at := func(k float64) Input { return b.at(40+50*k, k, 55+9*k) }
		click(at(0.1), 3) // on open ground
		click(at(0.45), 1)
		click(b.at(90, 1, 66), 3) // on a flat thing
		click(b.at(92, 1, 66), 2)
	}
	b.run("object.set id=1 locked=yes")
	click(b.at(62.5, 0.45, 59.05), 3)
}

func TestScatterBrush(t *testing.T) {
	b := newBench(t)
	o := DefaultStrew()
	o.Assets, o.Density, o.Spacing = []string{"Cube"}, 0.2, 1
	brush := DefaultBrush()
	brush.Radius = 6
	s := &Scatter{Options: &o, Brush: &brush}
	count := func(id document.ID) int { return len(b.entity(id).Data.(document.Scatter).Points) }
	steps := b.env.Doc.Position()
	b.gesture(s, b.at(50, 0, 64), b.at(60, 0, 64), b.at(70, 0, 64))
	n := count(1)
	if n < 20 || b.env.Doc.Position()-steps != 1 || o.Into != 1 {
		t.Fatalf("%d points in %d steps into %d", n, b.env.Doc.Position()-steps, o.Into)
	}
	b.gesture(s, b.at(50, 0, 64), b.at(70, 0, 64)) // the same again adds nothing
	if got := count(1); got != n {
		t.Errorf("%d points after the same stroke again, expected %d", got, n)
	}
	b.gesture(s, b.at(80, 0, 64), b.at(85, 0, 64))
	m := count(1)
	b.gesture(s, b.at(50, 0, 64, Ctrl), b.at(60, 0, 64, Ctrl))
	if got := count(1); m <= n || got >= m {
		t.Errorf("%d points, then %d, then %d", n, m, got)
	}
	b.run("undo")
	if got := count(1); got != m {
		t.Errorf("%d points after undo, expected %d", got, m)
	}
	if len(b.scene.Of(1)) != m {
		t.Errorf("the scene has %d points, expected %d", len(b.scene.Of(1)), m)
	}
	o.Into = 0
	d := b.drag(s, b.at(64, 0, 90), b.at(66, 0, 90))
	d.Cancel()
	if b.env.Doc.Level().Len() != 1 || o.Into != 0 {
		t.Errorf("%d things after Cancel, into %d", b.env.Doc.Level().Len(), o.Into)
	}
}

func TestMeasure(t *testing.T) {
	b := newBench(t, "terrain.stroke op=raise at=64,64 radius=20 strength=10 hardness=1")
	var m Measure
	b.gesture(&m, b.at(64, 0, 100), b.at(64, 10, 64))
	if !(math.Abs(m.Flat()-36) < 0.2 && math.Abs(m.Height()-10) < 0.1 && math.Abs(m.Slope()-math.Atan2(10, 36)) < 0.01) {
		t.Errorf("measured %s", m.Text())
	}
	if got := m.Text(); !strings.Contains(got, "height +") || !strings.Contains(got, "°") {
		t.Errorf("it says %q", got)
	}
}
