package session

import (
	"context"
	"image"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/keymap"
	"ridgeline/editor/tool"
	"ridgeline/viewport/overlay"
)

const boxFile = "../../document/mesh/testdata/models/Box/Box.glb"

// stocked is a session over a flat level with the asset Box, seen from above at an
// angle in a viewport of 800 × 600 pixels.
func stocked(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, more: make(chan struct{}, 1)}
	r.Session = New(flat(t), Options{Temporary: true, Post: r.post, Path: filepath.Join(t.TempDir(), "level.ridge")})
	t.Cleanup(func() { r.Close() })
	file, err := filepath.Abs(boxFile)
	if err != nil {
		t.Fatal(err)
	}
	r.Run("asset.import file=" + file)
	r.LoadModels(context.Background())
	r.idle()
	r.Resize(image.Pt(800, 600), 1)
	r.View.Place(mgl64.Vec3{64, 40, 120}, mgl64.Vec3{64, 0, 64})
	r.quiet()
	return r
}

// pixel is where a point of the world is seen.
func (r *rig) pixel(p mgl64.Vec3) (x, y float64) {
	r.t.Helper()
	at, _, ok := r.View.Rig.Camera.Project(p, r.View.sizeVec())
	if !ok {
		r.t.Fatalf("%v is not in view", p)
	}
	return at[0], at[1]
}

func TestDropAsset(t *testing.T) {
	r := stocked(t)
	steps := r.Document().Position()
	at := mgl64.Vec3{60, 0, 70}
	x, y := r.pixel(at)
	r.Place.ScaleMin, r.Place.ScaleMax, r.Place.RandomYaw = 1, 3, true
	if !r.DragAsset("Box", x, y) {
		t.Fatal("a drop on the ground would place nothing")
	}
	ring, on := r.Ring()
	if !on || ring.Ghost.Asset != "Box" || ring.Ghost.World.Col(3).Vec3().Sub(at).Len() > 0.01 {
		t.Errorf("the ghost is %+v", ring)
	}
	if r.Document().Position() != steps || r.Doing() != Carrying {
		t.Error("dragging changed the level, or is not told")
	}
	if r.DragAsset("Box", -5, y) {
		t.Error("a drop beside the viewport would place something")
	}
	if _, on := r.Ring(); on {
		t.Error("the ghost stays beside the viewport")
	}
	r.DragAsset("Box", x, y)
	r.CancelDropAsset()
	if ring, _ := r.Ring(); ring.Ghost.Asset != "" {
		t.Error("the ghost stays after giving up")
	}
	if r.DropAsset("Box", -5, y) || r.Document().Position() != steps {
		t.Error("a drop beside the viewport places something")
	}

	r.DragAsset("Box", x, y)
	ring, _ = r.Ring()
	if !r.DropAsset("Box", x, y) {
		t.Fatal("nothing was placed")
	}
	if n := r.Document().Position() - steps; n != 1 {
		t.Errorf("%d steps, expected 1", n)
	}
	sel := r.Selection()
	if len(sel) != 1 {
		t.Fatalf("selected %v", sel)
	}
	e, _ := r.Level().Entity(sel[0])
	if o, _ := document.ObjectOf(e); o.Asset != "Box" || !e.Local().ApproxEqualThreshold(ring.Ghost.World, 1e-9) {
		t.Errorf("placed %+v at\n%v, the ghost was at\n%v", e, e.Local(), ring.Ghost.World)
	}
	if r.Mode != ModeSelect || r.Place.Asset == "Box" && r.Strewing {
		t.Error("a drop changed the mode")
	}
	// The next is drawn anew.
	r.DragAsset("Box", x, y)
	if again, _ := r.Ring(); again.Ghost.World.ApproxEqualThreshold(ring.Ghost.World, 1e-3) {
		t.Error("the next one is turned and scaled alike")
	}
	r.CancelDropAsset()
	r.Run("undo")
	if r.Level().Len() != 0 {
		t.Error("undo leaves the object")
	}
	r.quiet()
	if r.DropAsset("Nothing", x, y) {
		t.Error("an asset that is not there was placed")
	}
	if len(r.TakeNotices()) != 1 {
		t.Error("nothing was told of the asset that is not there")
	}
}

func TestNodesOfAMesh(t *testing.T) {
	r := stocked(t)
	r.Run("object.place asset=Box at=64,64 scale=8 yaw=30; object.place asset=Box at=20,20; select ids=1")
	r.quiet()
	if n := r.Nodes.Stats(); n.Items != r.Scene().Tree().Stats().Items {
		t.Errorf("the level's tree has %+v", n)
	}
	r.Run("nodes.show of=mesh")
	if err := r.Nodes.Why(); err != nil {
		t.Fatal(err)
	}
	st := r.Nodes.Stats()
	if st.Items != 12 {
		t.Errorf("the box's tree has %d triangles, expected 12", st.Items)
	}
	r.Show("overlay nodes", true)
	f := r.View.Rig.Camera.Frustum(r.View.sizeVec())
	var shapes overlay.Shapes
	r.Nodes.append(&shapes, &f)
	box := r.Scene().BoundsOf(1)
	if len(shapes.Segments) == 0 {
		t.Fatal("no node is drawn")
	}
	for _, s := range shapes.Segments {
		if box.DistanceTo(s.A) > 1e-3 || box.DistanceTo(s.B) > 1e-3 {
			t.Fatalf("a node reaches to %v, the object only over %v", s.A, box)
		}
	}
	// Under the pointer.
	x, y := r.pixel(mgl64.Vec3{64, box.Max[1], 64})
	r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y})
	if _, ok := r.Nodes.Under(); !ok {
		t.Fatal("no node is under the pointer")
	}
	list := r.Nodes.UnderEntries()
	total := 0
	for _, e := range list {
		total += e.Count
	}
	if len(list) == 0 || total == 0 {
		t.Errorf("entries %+v", list)
	}
	r.Pointer(Pointer{Kind: PointerMove, X: 20, Y: 580})
	if _, ok := r.Nodes.Under(); ok {
		t.Error("a node of the box is under a pointer beside it")
	}
	r.Run("select ids=1,2")
	if r.Nodes.Why() == nil || r.Nodes.Stats().Items != 0 {
		t.Error("the tree of two objects is shown")
	}
	shapes.Reset()
	r.Nodes.append(&shapes, &f)
	if !shapes.Empty() {
		t.Error("something is drawn where there is no tree")
	}
}

func TestNodeUnderThePointerStays(t *testing.T) {
	r := stocked(t)
	r.Run("object.place asset=Box at=64,64 scale=8; object.place asset=Box at=70,64 scale=2; nodes.set size=8 items=1")
	r.Show("overlay nodes", true)
	x, y := r.pixel(mgl64.Vec3{64, 4, 64})
	r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y})
	first, ok := r.Nodes.Under()
	if !ok {
		t.Fatal("no node is under the pointer")
	}
	list := slices.Clone(r.Nodes.UnderEntries())
	if !slices.ContainsFunc(list, func(e NodeEntry) bool { return e.ID == 1 && e.Title == "Box" }) {
		t.Errorf("entries %+v", list)
	}
	r.Pointer(Pointer{Kind: PointerLeave})
	if n, ok := r.Nodes.Under(); !ok || n.Index != first.Index {
		t.Error("the node goes when the pointer leaves the level")
	}
	if !slices.Equal(r.Nodes.UnderEntries(), list) {
		t.Error("its entries go when the pointer leaves the level")
	}
	fx, fy := r.pixel(mgl64.Vec3{100, 0, 30})
	r.Pointer(Pointer{Kind: PointerMove, X: fx, Y: fy})
	if n, ok := r.Nodes.Under(); ok && n.Index == first.Index {
		t.Error("the node stays when the pointer goes elsewhere")
	}
	r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y})
	r.Run("nodes.pin")
	r.Pointer(Pointer{Kind: PointerMove, X: fx, Y: fy})
	if n, ok := r.Nodes.Under(); !ok || n.Index != first.Index {
		t.Error("a pinned node does not stay")
	}
	r.Run("nodes.pin")
	if n, ok := r.Nodes.Under(); ok && n.Index == first.Index {
		t.Error("the pin stays")
	}
	r.quiet()
	r.Show("overlay nodes", false)
	if r.Why("nodes.pin") == nil {
		t.Error("a node can be pinned while the tree is not shown")
	}
}

// What follows the pointer without being a brush has the picture drawn anew.
func TestPictureFollowsThePointer(t *testing.T) {
	r := stocked(t)
	r.Run("object.place asset=Box at=64,64 scale=8; nodes.set size=8 items=1; select.none; mode measure")
	settle := func() {
		for range 4 {
			r.Tick(time.Second)
			r.Nodes.Under()
		}
		r.View.TakeDirty()
	}
	move := func(p mgl64.Vec3, k PointerKind, b Buttons) {
		x, y := r.pixel(p)
		r.Pointer(Pointer{Kind: k, X: x, Y: y, Button: b})
	}
	move(mgl64.Vec3{40, 0, 60}, PointerMove, 0)
	move(mgl64.Vec3{40, 0, 60}, PointerPress, Left)
	settle()
	move(mgl64.Vec3{50, 0, 60}, PointerMove, 0)
	if !r.View.TakeDirty() {
		t.Error("the measured line does not follow")
	}
	move(mgl64.Vec3{50, 0, 60}, PointerRelease, Left)
	r.Run("mode select")
	r.Show("overlay nodes", true)
	move(mgl64.Vec3{64, 4, 64}, PointerMove, 0)
	settle()
	move(mgl64.Vec3{100, 0, 30}, PointerMove, 0)
	r.Nodes.Under()
	if !r.View.TakeDirty() {
		t.Error("the marked node does not follow")
	}
	settle()
	r.Nodes.Under()
	if r.View.TakeDirty() {
		t.Error("the picture is drawn anew though nothing moved")
	}
}

func TestOptionCommands(t *testing.T) {
	r := stocked(t)
	r.Run("place.set align=0.5 random=yes scale=3,2 geometry=yes")
	if p := r.Place; p.Align != 0.5 || !p.RandomYaw || p.ScaleMin != 2 || p.ScaleMax != 3 || !p.Geometry {
		t.Errorf("place %+v", p)
	}
	r.Run("place.set yaw=90")
	if p := r.Place; math.Abs(p.Yaw-math.Pi/2) > 1e-12 || p.RandomYaw {
		t.Errorf("place %+v", p)
	}
	r.Place.Asset = "Box"
	r.Run("place.with brush")
	if !r.Strewing || r.Mode != ModeObject || !slices.Equal(r.Strew.Assets, []string{"Box"}) {
		t.Errorf("scattering %v of %v in the mode %s", r.Strewing, r.Strew.Assets, r.Mode)
	}
	r.Run("strew.asset Box; strew.asset Box on=no")
	if len(r.Strew.Assets) != 0 {
		t.Errorf("strews %v", r.Strew.Assets)
	}
	r.Run("strew.asset Box; strew.set density=5 slope=30,10 height=5,50 turn=no seed=7 billboard=80 spacing=2 align=1 scale=1,2")
	w := r.Strew
	if math.Abs(w.Density-0.05) > 1e-12 || math.Abs(w.Slope[0]-math.Pi/18) > 1e-12 || !w.Limits.Slope || !w.Limits.Height ||
		w.Height != [2]float64{5, 50} || w.Turn || w.Seed != 7 || w.Billboard != 80 || w.Spacing != 2 || w.Align != 1 || w.Scale != [2]float64{1, 2} {
		t.Errorf("strew %+v", w)
	}
	r.Run("strew.set steepness=no heights=no; marker.look color=#ff0000 layer=Roads; walk.set speed=2 step=1 eye=1.5 gravity=5 jump=3")
	if r.Strew.Limits.Slope || r.Strew.Limits.Height {
		t.Errorf("limits %+v", r.Strew.Limits)
	}
	if m := r.Marking; m.Color != (mgl64.Vec3{1, 0, 0}) || m.Layer != "Roads" {
		t.Errorf("marking %+v", m)
	}
	if w := r.Settings.Walk; w.Speed != 2 || w.StepUp != 1 || w.EyeHeight != 1.5 || w.Gravity != 5 || w.Jump != 3 {
		t.Errorf("walk %+v", w)
	}
	r.quiet()
	for _, line := range []string{"strew.asset Nothing", "strew.set into=99", "walk.set speed=1000", "select.asset Box", "place.set scale=0,1"} {
		if r.Execute(line) == nil {
			t.Errorf("%s: expected an error", line)
		}
	}
	r.Run("object.place asset=Box at=5,5; object.place asset=Box at=9,9; object.set id=2 hidden=yes; select.none; select.asset Box")
	if !slices.Equal(r.Selection(), []document.ID{1}) {
		t.Errorf("selected %v", r.Selection())
	}
}

func TestPendingCorners(t *testing.T) {
	r := stocked(t)
	r.Run("marker.shape line")
	if r.Why("marker.giveup") == nil {
		t.Error("there is something to give up")
	}
	click := func(p mgl64.Vec3) {
		x, y := r.pixel(p)
		for _, k := range []PointerKind{PointerMove, PointerPress, PointerRelease} {
			r.Pointer(Pointer{Kind: k, X: x, Y: y, Button: Left, Time: time.Second})
		}
	}
	click(mgl64.Vec3{50, 0, 60})
	click(mgl64.Vec3{70, 0, 60})
	if r.PendingCorners() != 2 {
		t.Errorf("%d corners", r.PendingCorners())
	}
	r.Run("undo")
	if r.PendingCorners() != 1 {
		t.Errorf("%d corners after undo, expected 1", r.PendingCorners())
	}
	r.Run("marker.giveup")
	if r.PendingCorners() != 0 || r.Level().Len() != 0 {
		t.Error("not given up")
	}
	click(mgl64.Vec3{50, 0, 60})
	click(mgl64.Vec3{70, 0, 60})
	r.Key(keymap.Chord{Key: "Enter"})
	if r.PendingCorners() != 0 || r.Level().Len() != 1 {
		t.Error("not finished")
	}
	r.quiet()
}

// Whoever adds to a scatter goes on by its rules, and what is then set replaces them.
func TestBrushTakesOverTheRulesOfAScatter(t *testing.T) {
	r := stocked(t)
	r.Run("object.scatter assets=Box at=40,40 radius=10 density=0.2 spacing=1 slope=0,20 height=-5,5 scale=2,3 align=0.5 turn=no seed=9 billboard=70 name=Wood")
	id := r.Selection()[0]
	rules := func() command.ScatterRules {
		e, _ := r.Level().Entity(id)
		return command.RulesOf(e.Data.(document.Scatter))
	}
	before := rules()
	r.Run("place.with brush; brush.set name=radius value=8; strew.set into=" + strconv.Itoa(int(id)))
	w := r.Strew
	if !slices.Equal(w.Assets, []string{"Box"}) || w.Density != 0.2 || w.Spacing != 1 || w.Slope != *before.Slope || w.Height != [2]float64{-5, 5} ||
		!w.Limits.Slope || !w.Limits.Height || w.Scale != [2]float64{2, 3} || w.Align != 0.5 || w.Turn || w.Seed != 9 || w.Billboard != 70 || w.Into != id {
		t.Fatalf("the brush has %+v", w)
	}
	stroke := func() {
		x, y := r.pixel(mgl64.Vec3{70, 0, 60})
		for _, k := range []PointerKind{PointerMove, PointerPress, PointerRelease} {
			r.Pointer(Pointer{Kind: k, X: x, Y: y, Button: Left, Time: time.Second})
		}
	}
	stroke()
	r.quiet()
	if after := rules(); !cmp.Equal(after, before) {
		t.Errorf("a stroke made %+v of the rules %+v", after, before)
	}
	r.Run("strew.set steepness=no heights=no density=50")
	stroke()
	r.quiet()
	if after := rules(); after.Density != 0.5 || *after.Slope != tool.AnySlope || *after.Height != tool.AnyHeight {
		t.Errorf("without limits the rules are %+v", after)
	}
	r.Run("strew.set into=0")
	r.Run("strew.set into=" + strconv.Itoa(int(id)))
	if r.Strew.Limits.Slope || r.Strew.Limits.Height {
		t.Errorf("limits %+v of a scatter that has none", r.Strew.Limits)
	}
}

// Turning to something else keeps the corners that were clicked.
func TestModeFinishesTheMarker(t *testing.T) {
	r := stocked(t)
	click := func(x, z float64) {
		px, py := r.pixel(mgl64.Vec3{x, 0, z})
		for _, k := range []PointerKind{PointerMove, PointerPress, PointerRelease} {
			r.Pointer(Pointer{Kind: k, X: px, Y: py, Button: Left, Time: time.Second})
		}
	}
	told := func() string {
		n := r.TakeNotices()
		if len(n) != 1 {
			t.Fatalf("told %+v, expected one message", n)
		}
		return n[0].Text
	}
	points := func() int {
		if e := r.Entities(); len(e) == 1 {
			m, _ := e[0].Data.(document.Marker)
			return len(m.Points)
		}
		return 0
	}
	for i, turn := range []string{"mode select", "mode sculpt", "gizmo rotate", "place.with brush", "marker.shape area"} {
		r.Run("select.none; marker.shape line")
		click(50, 60)
		click(70, 60)
		click(70, 80)
		r.Key(keymap.Chord{Key: "M"}) // the mode that it is: nothing ends
		r.Run("marker.shape line")
		if r.PendingCorners() != 3 {
			t.Fatalf("%d corners, expected 3", r.PendingCorners())
		}
		r.TakeNotices()
		steps := r.Document().Position()
		r.Run(turn)
		if r.PendingCorners() != 0 || r.Document().Position() != steps+1 || points() != 3 {
			t.Errorf("%s: %d corners pending, %d steps, a marker of %d points", turn, r.PendingCorners(), r.Document().Position()-steps, points())
		}
		if text := told(); !strings.Contains(text, "finished with 3 corners") {
			t.Errorf("%s: told %q", turn, text)
		}
		if r.Level().Len() != i+1 {
			t.Errorf("%s: %d markers, expected %d", turn, r.Level().Len(), i+1)
		}
	}
	n := r.Level().Len()
	for _, few := range []string{"line", "area"} {
		r.Run("marker.shape " + few)
		click(50, 60)
		r.Run("mode walk")
		if text := told(); !strings.Contains(text, "given up") || r.Level().Len() != n || r.PendingCorners() != 0 {
			t.Errorf("%s: told %q; %d markers", few, text, r.Level().Len())
		}
	}
}

// The ring of a brush goes with the mode, also while its size is being changed, and
// so does what stood out under the pointer when that leaves.
func TestRingGoesWithTheMode(t *testing.T) {
	r := stocked(t)
	r.Run("object.place asset=Box at=60,60; select.none; mode sculpt")
	x, y := r.pixel(mgl64.Vec3{60, 0, 60})
	r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y, Time: time.Second})
	for _, turn := range []string{"mode select", "mode measure", "mode walk"} {
		r.Run("mode sculpt")
		r.Hold("F", true)
		r.Pointer(Pointer{Kind: PointerMove, X: x + 40, Y: y, Time: time.Second})
		if ring, on := r.Ring(); !on || ring.Radius != r.Brush.Radius {
			t.Fatalf("no ring of the brush: %+v", ring)
		}
		radius := r.Brush.Radius
		r.View.TakeDirty()
		r.Run(turn)
		if ring, _ := r.Ring(); ring.Radius == radius {
			t.Errorf("%s: the ring stays: %+v", turn, ring)
		}
		if !r.View.TakeDirty() {
			t.Errorf("%s: the picture is not drawn anew", turn)
		}
		if r.Brush.Radius != radius {
			t.Errorf("%s: the new size is lost", turn)
		}
		r.Hold("F", false)
	}
	r.Run("mode select")
	r.View.frameLevel()
	x, y = r.pixel(r.Scene().BoundsOf(1).Center())
	r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y, Time: time.Second})
	r.Ring()
	if r.Highlight(1) != Hovered {
		t.Fatal("what is under the pointer does not stand out")
	}
	r.Pointer(Pointer{Kind: PointerLeave, X: x, Y: y, Time: time.Second})
	r.Ring()
	if r.Highlight(1) != Plain {
		t.Error("it stands out when the pointer has left")
	}
}

func TestDoing(t *testing.T) {
	r := stocked(t)
	if r.Doing() != Idle {
		t.Error("something is done at rest")
	}
	x, y := r.pixel(mgl64.Vec3{50, 0, 60})
	drag := func() {
		r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y})
		r.Pointer(Pointer{Kind: PointerPress, X: x, Y: y, Button: Left})
		r.Pointer(Pointer{Kind: PointerMove, X: x + 40, Y: y + 30})
	}
	for _, c := range []struct {
		line string
		want Doing
	}{
		{"mode select", Framing}, {"place.asset Box", Turning}, {"place.with brush", Strewing}, {"mode measure", Measuring}, {"mode sculpt", Pressing},
	} {
		r.Run(c.line)
		drag()
		if got := r.Doing(); got != c.want {
			t.Errorf("%s: doing %d, expected %d", c.line, got, c.want)
		}
		r.CancelDrag()
	}
	r.Run("mode select; object.place asset=Box at=64,64")
	r.Tick(time.Second)
	x, y = r.pixel(mgl64.Vec3{64, 0, 64})
	drag()
	if r.Doing() != Handling {
		t.Errorf("doing %d with a handle", r.Doing())
	}
	r.CancelDrag()
	r.quiet()
}

func TestEditsDuringADrag(t *testing.T) {
	r := stocked(t)
	r.Run("object.place asset=Box at=64,64; select ids=1")
	r.Tick(time.Second)
	x, y := r.pixel(mgl64.Vec3{64, 0, 64})
	drag := func() {
		r.Pointer(Pointer{Kind: PointerMove, X: x, Y: y})
		r.Pointer(Pointer{Kind: PointerPress, X: x, Y: y, Button: Left})
		r.Pointer(Pointer{Kind: PointerMove, X: x + 40, Y: y + 30})
		if r.Doing() != Handling {
			t.Fatalf("doing %d, expected a handle", r.Doing())
		}
	}
	steps := len(r.Document().History())
	drag()
	r.Key(keymap.Chord{Key: "Z", Ctrl: true})
	if r.Doing() != Idle {
		t.Error("the drag goes on after undo")
	}
	if e, ok := r.Level().Entity(1); !ok || e.Translation[0] != 64 || len(r.Document().History()) != steps {
		t.Errorf("undo did not take the drag back, or more than that: %+v", e)
	}
	r.Pointer(Pointer{Kind: PointerRelease, X: x, Y: y})
	drag()
	r.Key(keymap.Chord{Key: "Delete"})
	if r.Doing() != Idle || r.Level().Len() != 0 {
		t.Errorf("doing %d, %d things: expected the drag ended and the thing deleted", r.Doing(), r.Level().Len())
	}
	r.Pointer(Pointer{Kind: PointerRelease, X: x, Y: y})
	r.Run("undo")
	if e, ok := r.Level().Entity(1); !ok || e.Translation[0] == 64 {
		t.Errorf("one undo gives %+v, expected the thing where it was dragged to", e)
	}
	r.quiet()
}
