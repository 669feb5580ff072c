package panel

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gioui.org/io/key"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// tall is a column in which all of the inspector is in view.
func tall(t testing.TB, lines ...string) *rig {
	t.Helper()
	return thingsRig(t, 288, 1500, 1, lines...)
}

// enter types into a field and presses Enter.
func (r *rig) enter(label, text string) {
	r.T.Helper()
	r.Click(label)
	r.Key("A", key.ModShortcut)
	r.Type(text)
	r.Key(key.NameReturn, 0)
}

// pick chooses an entry of a choice.
func (r *rig) pickFrom(label, entry string) {
	r.T.Helper()
	r.Click(label)
	r.Click(entry)
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Every field edits all that is selected, as one step, and undo takes it back.
func TestInspectorEditsAll(t *testing.T) {
	place := func(r *rig, id document.ID) mgl64.Vec3 {
		m, _ := r.s.Level().World(id)
		return m.Col(3).Vec3()
	}
	object := func(r *rig, id document.ID) document.Object { return r.entity(id).Data.(document.Object) }
	for _, c := range []struct {
		name  string
		sel   string
		do    func(r *rig)
		check func(r *rig, id document.ID) bool
	}{
		{"name", "1,3", func(r *rig) { r.enter(sName, "Thing") }, func(r *rig, id document.ID) bool { return r.entity(id).Name == "Thing" }},
		{"layer", "1,3", func(r *rig) { r.pickFrom(sLayer, "Walls") }, func(r *rig, id document.ID) bool { return r.entity(id).Layer == "Walls" }},
		{"new layer", "1,3", func(r *rig) { r.pickFrom(sLayer, sNewLayerDot) }, func(r *rig, id document.ID) bool { return r.entity(id).Layer == "Layer 4" }},
		{"hidden", "1,3", func(r *rig) { r.Click(sHidden) }, func(r *rig, id document.ID) bool { return r.entity(id).Hidden }},
		{"locked", "1,3", func(r *rig) { r.Click(sLocked) }, func(r *rig, id document.ID) bool { return r.entity(id).Locked }},
		{"x", "1,3", func(r *rig) { r.enter(sPlaceWorld+" X", "12.5") }, func(r *rig, id document.ID) bool { return near(place(r, id)[0], 12.5) }},
		{"yaw", "1,3", func(r *rig) { r.enter(sTurnParent+" Y", "45") }, func(r *rig, id document.ID) bool {
			return near(command.AnglesOf(r.entity(id).Rotation).Yaw, math.Pi/4)
		}},
		{"pitch", "1,3", func(r *rig) { r.enter(sTurnParent+" X", "20") }, func(r *rig, id document.ID) bool {
			return near(command.AnglesOf(r.entity(id).Rotation).Pitch, math.Pi/9)
		}},
		{"scale", "1,3", func(r *rig) { r.enter(sScaleParent+" Y", "3") }, func(r *rig, id document.ID) bool {
			return r.entity(id).Scale == mgl64.Vec3{3, 3, 3}
		}},
		{"asset", "1,3", func(r *rig) { r.pickFrom(sAsset, "Barrel") }, func(r *rig, id document.ID) bool { return object(r, id).Asset == "Barrel" }},
		{"geometry", "1,3", func(r *rig) { r.Click(sLevelMesh) }, func(r *rig, id document.ID) bool { return object(r, id).Geometry }},
		{"billboard", "1,3", func(r *rig) { r.enter(sBillboard, "80") }, func(r *rig, id document.ID) bool { return object(r, id).Billboard == 80 }},
		{"collision", "1,3", func(r *rig) { r.Click(sCollideBall) }, func(r *rig, id document.ID) bool {
			return object(r, id).Collision == document.CollideSphere
		}},
		{"radius", "1,3", func(r *rig) { r.enter(sBallRadius, "1.5") }, func(r *rig, id document.ID) bool { return object(r, id).CollisionRadius == 1.5 }},
		{"property", "1,3", func(r *rig) { r.enter("floors", "7") }, func(r *rig, id document.ID) bool { return r.entity(id).Properties["floors"] == "7" }},
		{"new property", "1,3", func(r *rig) {
			r.Click("New property")
			r.Type("owner")
			r.Click("Value of the new property")
			r.Type("the crown")
			r.Key(key.NameReturn, 0)
		}, func(r *rig, id document.ID) bool { return r.entity(id).Properties["owner"] == "the crown" }},
		{"property gone", "1,2", func(r *rig) { r.Click("Remove floors") }, func(r *rig, id document.ID) bool { return r.entity(id).Properties["floors"] == "" }},
		{"property renamed", "1,2", func(r *rig) { r.enter("Name of floors", "storeys") }, func(r *rig, id document.ID) bool {
			return r.entity(id).Properties["storeys"] != "" && r.entity(id).Properties["floors"] == ""
		}},
		{"shape", "9,10", func(r *rig) { r.Click(sShapePoint) }, func(r *rig, id document.ID) bool {
			return r.entity(id).Data.(document.Marker).Shape == document.MarkerPoint
		}},
		{"colour", "8,9", func(r *rig) {
			r.Click(sColour)
			r.Click(sColour + " hex")
			r.Key("A", key.ModShortcut)
			r.Type("#ff8000")
			r.Key(key.NameReturn, 0)
		}, func(r *rig, id document.ID) bool {
			c := session.MarkerColour(r.entity(id).Data.(document.Marker).Color)
			return widgets.FormatColor(c) == "#ff8000"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tall(t, append(village, "object.set id=10 layer=''", "select ids="+c.sel)...)
			was := r.s.Level()
			r.one("it", func() { c.do(r) })
			for _, id := range r.s.Selection() {
				if !c.check(r, id) {
					t.Errorf("%d was not changed: %+v", id, r.entity(id))
				}
			}
			r.s.Run("undo")
			for e := range was.Entities() {
				if now := r.entity(e.ID); now != e {
					t.Errorf("undo leaves %+v, expected %+v", now, e)
				}
			}
			r.noErrors()
		})
	}
}

// A number that is dragged shows at once, is one step, and Esc takes it back.
func TestInspectorDrags(t *testing.T) {
	for _, c := range []struct {
		label string
		value func(e *document.Entity) float64
	}{
		{sPlaceWorld + " X", func(e *document.Entity) float64 { return e.Translation[0] }},
		{sTurnLocal + " Y", func(e *document.Entity) float64 { return command.AnglesOf(e.Rotation).Yaw }},
		{sScaleLocal + " Z", func(e *document.Entity) float64 { return e.Scale[2] }},
		{sBillboard, func(e *document.Entity) float64 { return e.Data.(document.Object).Billboard }},
		{sBallRadius, func(e *document.Entity) float64 { return e.Data.(document.Object).CollisionRadius }},
	} {
		t.Run(c.label, func(t *testing.T) {
			r := tall(t, append(village, "select ids=3,4")...)
			was := r.s.Level()
			values := func() [2]float64 { return [2]float64{c.value(r.entity(3)), c.value(r.entity(4))} }
			before, n := values(), r.steps()
			r.Press(c.label)
			r.DragBy(40, 0)
			during := values()
			if during[0] == before[0] || during[1] == before[1] {
				t.Errorf("the drag does not show: %v", during)
			}
			if before[0] != before[1] && !near(during[0]-before[0], during[1]-before[1]) {
				t.Errorf("what differs is not changed by as much: %v, then %v", before, during)
			}
			if r.steps() != n {
				t.Errorf("%d steps during the drag", r.steps()-n)
			}
			r.Key(key.NameEscape, 0)
			if got := values(); got != before {
				t.Errorf("Esc leaves %v, expected %v", got, before)
			}
			r.Release()
			if r.steps() != n {
				t.Errorf("a drag that was given up made %d steps", r.steps()-n)
			}
			r.one("a drag", func() { r.Drag(c.label, 40, 0) })
			r.s.Run("undo")
			if r.s.Level() != was {
				for id := range 2 {
					if values()[id] != before[id] {
						t.Errorf("undo leaves %v, expected %v", values(), before)
					}
				}
			}
		})
	}
}

// What is typed may say what to do to each value.
func TestInspectorExpressions(t *testing.T) {
	r := tall(t, append(village, "select ids=3,4")...)
	x := func(id document.ID) float64 { return r.entity(id).Translation[0] }
	r.one("+=2", func() { r.enter(sPlaceWorld+" X", "+=2") })
	if x(3) != 44 || x(4) != 45 {
		t.Errorf("+=2 gives %g and %g", x(3), x(4))
	}
	r.one("*1.5", func() { r.enter(sPlaceWorld+" X", "*1.5") })
	if x(3) != 66 || x(4) != 67.5 {
		t.Errorf("*1.5 gives %g and %g", x(3), x(4))
	}
	// Both a thing and what it is part of: each moves by as much, and no more.
	r.s.Run("select ids=1,6")
	r.Frame()
	at := func(id document.ID) float64 { m, _ := r.s.Level().World(id); return m[12] }
	a, b := at(1), at(6)
	r.one("+=3", func() { r.enter(sPlaceWorld+" X", "+=3") })
	if !near(at(1), a+3) || !near(at(6), b+3) {
		t.Errorf("+=3 moves by %g and %g", at(1)-a, at(6)-b)
	}
	// A factor of zero is refused, with the reason.
	r.s.Run("select ids=3")
	r.Frame()
	n := r.steps()
	r.enter(sScaleLocal+" X", "0")
	if r.steps() != n || r.entity(3).Scale[0] != 0.5 {
		t.Errorf("a scale of zero was taken: %v", r.entity(3).Scale)
	}
	if lines, _ := r.s.Lines(); !strings.Contains(lines[len(lines)-1].Text, "scale") {
		t.Errorf("it says %q", lines[len(lines)-1].Text)
	}
}

func TestInspectorScalesEvenly(t *testing.T) {
	r := tall(t, append(village, "object.set id=3 scale=1,2,-4", "select ids=3")...)
	r.one("scaling", func() { r.enter(sScaleLocal+" X", "2") })
	if got := r.entity(3).Scale; got != (mgl64.Vec3{2, 4, -8}) {
		t.Errorf("scaled to %v", got)
	}
	r.Click(sUniform)
	r.one("scaling one axis", func() { r.enter(sScaleLocal+" X", "5") })
	if got := r.entity(3).Scale; got != (mgl64.Vec3{5, 4, -8}) {
		t.Errorf("scaled to %v", got)
	}
}

// Angles stay as they were typed, though a rotation has others as well.
func TestInspectorKeepsAngles(t *testing.T) {
	r := tall(t, append(village, "select ids=3")...)
	r.one("turning", func() { r.enter(sTurnLocal+" X", "120") })
	r.one("turning on", func() { r.enter(sTurnLocal+" Y", "30") })
	want := command.Angles{Pitch: radians(120), Yaw: radians(30)}.Quat()
	if got := r.entity(3).Rotation; !got.ApproxEqualThreshold(want, 1e-9) {
		t.Errorf("rotation %v, expected %v", got, want)
	}
	if n := r.Find(sTurnLocal + " X"); n.Description != "120" {
		t.Errorf("the pitch shows %q", n.Description)
	}
}

func TestInspectorShowsWhatDiffers(t *testing.T) {
	r := tall(t, append(village, "select ids=1,2,3")...)
	for label, want := range map[string]string{
		sPlaceWorld + " Z": "several values", sTurnParent + " X": "0", sTurnParent + " Y": "several values", sBillboard: "0",
	} {
		if got := r.Find(label).Description; got != want {
			t.Errorf("%s shows %q, expected %q", label, got, want)
		}
	}
	r.s.Run("select ids=1,8,11")
	r.Frame()
	for _, title := range []string{"Mesh (1 of 3)", "Marker (1 of 3)", "Scatter (1 of 3)"} {
		if !r.Has(title) {
			t.Errorf("no %s among %q", title, r.Labels())
		}
	}
	// What only some have is changed only there.
	r.one("setting the radius of the mesh", func() { r.enter(sBallRadius, "2") })
	if r.entity(1).Data.(document.Object).CollisionRadius != 2 {
		t.Error("not set")
	}
}

func TestInspectorOfWhatIsLocked(t *testing.T) {
	r := tall(t, append(village, "object.set id=3 locked=yes", "select ids=3")...)
	if n := r.Find(sName); !n.Disabled || !r.Has("Locked.") {
		t.Errorf("what is locked can be changed: %+v", n)
	}
	r.one("unlocking", func() { r.Click(sUnlockIt) })
	if r.entity(3).Locked || r.Find(sName).Disabled {
		t.Error("still locked")
	}
	r.s.Run("select ids=7")
	r.Frame()
	if !r.Find(sPlaceWorld+" X").Disabled || !r.Has("Locked by the layer Walls.") {
		t.Errorf("it says %q", r.Labels())
	}
	r.s.Run("select ids=3,7")
	r.Frame()
	if !r.Has("1 of 2 are locked.") {
		t.Errorf("it says %q", r.Labels())
	}
}

func TestInspectorMarkerPoints(t *testing.T) {
	r := tall(t, append(village, "select ids=9")...)
	points := func() []mgl64.Vec3 { return session.MarkerPoints(r.s.Level(), 9) }
	r.one("a coordinate", func() { r.enter("Point 2 X", "33") })
	if got := points(); !near(got[1][0], 33) || !near(got[0][0], 10) {
		t.Errorf("points %v", got)
	}
	r.one("adding to a coordinate", func() { r.enter("Point 2 Z", "+=4") })
	if got := points(); !near(got[1][2], 16) {
		t.Errorf("points %v", got)
	}
	was := points()
	r.Press("Point 3 Y")
	r.DragBy(40, 0)
	if got := points(); got[2][1] == was[2][1] {
		t.Error("a drag does not show")
	}
	r.Key(key.NameEscape, 0)
	r.Release()
	if got := points(); !slices.Equal(got, was) {
		t.Errorf("Esc leaves %v", got)
	}
	r.one("a drag", func() { r.Drag("Point 3 Y", 40, 0) })
	n := r.Find("Point 2 X").Bounds
	r.ClickAt(14, float32(n.Min.Y+n.Max.Y)/2) // the number of the row
	r.one("adding a point", func() { r.Click(sAddPoint) })
	if got := points(); len(got) != 5 || !near(got[2][0], (33+50)/2.0) {
		t.Errorf("points %v", got)
	}
	r.one("removing it", func() { r.Click(sRemovePoint) })
	if got := points(); len(got) != 4 || !near(got[2][0], 50) {
		t.Errorf("points %v", got)
	}
	r.one("removing another", func() { r.Click(sRemovePoint) })
	r.one("and another", func() { r.Click(sRemovePoint) })
	if n := r.Find(sRemovePoint); !n.Disabled || len(points()) != 2 {
		t.Errorf("a line of %d points can lose one", len(points()))
	}
	// The points of a marker that is turned and scaled are those in the world.
	r.s.Run("object.rotate ids=9 yaw=30; object.scale ids=9 by=2,1,0.001")
	r.Frame()
	r.one("a coordinate", func() { r.enter("Point 1 X", "7") })
	if got := points(); !near(got[0][0], 7) {
		t.Errorf("points %v", got)
	}
}

func TestMarkerSize(t *testing.T) {
	far := mgl64.Vec3{1e7, 0, 1e7}
	square := []mgl64.Vec3{far, far.Add(mgl64.Vec3{3, 0, 0}), far.Add(mgl64.Vec3{3, 0, 4}), far.Add(mgl64.Vec3{0, 0, 4})}
	for _, c := range []struct {
		shape        document.MarkerShape
		length, area float64
	}{{document.MarkerPoint, 0, 0}, {document.MarkerLine, 10, 0}, {document.MarkerArea, 14, 12}} {
		if l, a := session.MarkerSize(c.shape, square); !near(l, c.length) || !near(a, c.area) {
			t.Errorf("%s: %g m and %g m², expected %g and %g", c.shape, l, a, c.length, c.area)
		}
	}
}

func TestInspectorOfNothing(t *testing.T) {
	r := tall(t, village...)
	for name, want := range map[string]string{
		sObjects: "5", sGeometries: "1", sGroups: "1", sMarkers: "3", sAssets: "2",
	} {
		if !slices.ContainsFunc(r.Nodes(), func(n widgettest.Node) bool { return n.Label == name && n.Description == want }) {
			t.Errorf("it does not tell %s: %s", name, want)
		}
	}
	if !r.Has("Pine, shown by 2 things") {
		t.Errorf("it does not tell what is missing: %q", r.Labels())
	}
	r.Click(sLink)
	if r.s.Prompt() == nil {
		t.Error("no file is asked for")
	}
}

func TestInspectorLinksWhatIsMissing(t *testing.T) {
	r := tall(t, append(village, "select ids=5")...)
	if !r.Has("Pine has no file, so a box stands for it.") {
		t.Fatalf("it says %q", r.Labels())
	}
	r.Click(sLinkTo)
	if r.s.Prompt() == nil {
		t.Error("no file is asked for")
	}
}

func TestInspectorSelectsTheParent(t *testing.T) {
	r := tall(t, append(village, "select ids=1")...)
	r.Click(sSelectParent)
	if got := r.s.Selection(); !slices.Equal(got, []document.ID{6}) {
		t.Errorf("selected %d", got)
	}
}

func TestInspectorDropsScatters(t *testing.T) {
	r := tall(t, append(village, "object.move ids=11 by=0,5,0", "select ids=11")...)
	lowest := func() float64 { return r.s.Scene().BoundsOf(11).Min[1] }
	was := lowest()
	r.one("dropping to the ground", func() { r.Click(sAgain) })
	if got := lowest(); !near(got, was-5) {
		t.Errorf("the lowest was at %g m and is at %g m", was, got)
	}
	r.one("the billboards", func() { r.enter(sBillboard, "60") })
	if got := r.entity(11).Data.(document.Scatter).Billboard; got != 60 {
		t.Errorf("billboards beyond %g m", got)
	}
}

// A colour that is dragged shows at once, is one step, and Esc takes it back.
func TestInspectorDragsColours(t *testing.T) {
	r := tall(t, append(village, "select ids=8,9")...)
	color := func(id document.ID) mgl64.Vec3 { return r.entity(id).Data.(document.Marker).Color }
	was := [2]mgl64.Vec3{color(8), color(9)}
	r.Click(sColour)
	r.Press("Saturation and value")
	r.DragBy(20, 10)
	if n := r.steps(); color(8) == was[0] || color(8) != color(9) {
		t.Errorf("the drag does not show: %v and %v, %d steps", color(8), color(9), n)
	}
	r.Key(key.NameEscape, 0)
	if now := [2]mgl64.Vec3{color(8), color(9)}; now != was {
		t.Errorf("Esc leaves %v, expected %v", now, was)
	}
	r.Release()
	r.one("a drag", func() { r.Drag("Saturation and value", 30, 10) })
	r.Key(key.NameEscape, 0)
	r.one("the editor's own colour", func() { r.Click(sOwnColour) })
	if color(8) != (mgl64.Vec3{}) {
		t.Errorf("the colour is %v", color(8))
	}
}

// What is shown at rest asks for no frame.
func TestIdleInspectorAsksForNoFrame(t *testing.T) {
	for _, ids := range []string{"1,2,3", "9", "11", "5,6,7"} {
		r := tall(t, append(village, "select ids="+ids)...)
		r.Wait(10e9)
		r.Wait(10e9)
		if at, ok := r.Router.WakeupTime(); ok {
			t.Errorf("%s: the next frame is wanted at %v", ids, at)
		}
	}
}

// The inspector of a scatter takes up the brush that adds to it.
func TestAddToAScatterWithTheBrush(t *testing.T) {
	r := hamletRig(t, 1280, 1400, 1, "select ids=6")
	r.Click(sAddWithBrush)
	if r.s.Mode != session.ModeObject || !r.s.Strewing || r.s.Strew.Into != 6 || len(r.s.Strew.Assets) != 2 {
		t.Errorf("the mode is %s, the brush has %+v", r.s.Mode, r.s.Strew)
	}
	if !r.Has(sAddToRules) {
		t.Error("it does not say what a stroke does to the rules")
	}
	r.noErrors()
}
