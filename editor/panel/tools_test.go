package panel

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/f32"
	"gioui.org/io/input"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/widgets"
	"ridgeline/widgets/gallery"
	"ridgeline/widgets/widgettest"
)

// hamlet is a level with meshes, markers and a scatter.
var hamlet = []string{
	`object.place asset=House at=40,40 yaw=30 scale=4 name="Town hall"`, // 1
	`object.place asset=House at=60,44 yaw=75 scale=4 name=Bakery`,
	`object.place asset=Barrel at=52,60 scale=2 name=Barrel`,
	`marker.add kind=point points=80,70 name=Spawn`, // 4
	`marker.add kind=area points="20,80;44,80;44,100;20,100" name="Safe zone"`,
	`object.scatter assets=Pine,Barrel at=90,40 radius=20 density=0.05 spacing=1 seed=7 name="Pine wood"`, // 6
	`outline.layer name=Props`,
	`select.none`,
}

// hamletRig opens the whole window on the hamlet, with pictures of its assets.
func hamletRig(t testing.TB, w, h int, scale float32, lines ...string) *rig {
	t.Helper()
	r := newThings(t, append(slices.Clone(hamlet), lines...)...)
	r.s.Memory.Folded = []string{panelLayers} // whose textures take a second to make
	r.paintThumbnails()
	r.open(w, h, scale)
	r.settle()
	return r
}

// paintThumbnails gives every asset a picture, as a renderer would.
func (r *rig) paintThumbnails() {
	for i := 0; ; i++ {
		_, keep, ok := r.s.WantedThumbnail()
		if !ok {
			return
		}
		p := image.NewNRGBA(image.Rect(0, 0, session.ThumbnailSize, session.ThumbnailSize))
		for y := range session.ThumbnailSize {
			for x := range session.ThumbnailSize {
				dx, dy := float64(x-96)/96, float64(y-96)/96
				if d := math.Hypot(dx, dy); d < 0.8 {
					v := uint8(220 - 120*d)
					p.SetNRGBA(x, y, [...]color.NRGBA{{v, v / 2, 60, 255}, {60, v, v / 2, 255}, {v / 2, 80, v, 255}}[i%3])
				}
			}
		}
		keep(p)
	}
}

// over moves the pointer to a point of the level's ground.
func (r *rig) over(x, z float64) (px, py float32) {
	r.T.Helper()
	y, ok := r.s.Level().Terrain.Height(x, z)
	if !ok {
		r.T.Fatalf("no ground at %g, %g", x, z)
	}
	size, _ := r.s.View.Size()
	p, _, ok := r.s.View.Rig.Camera.Project(mgl64.Vec3{x, y, z}, mgl64.Vec2{float64(size.X), float64(size.Y)})
	if !ok {
		r.T.Fatalf("%g, %g is not in view", x, z)
	}
	r.pointerAt(pointer.Move, float32(p[0]), float32(p[1]), 0, 0)
	return float32(p[0]), float32(p[1])
}

// tap clicks on a point of the ground.
func (r *rig) tap(x, z float64) {
	r.T.Helper()
	px, py := r.over(x, z)
	r.pointerAt(pointer.Press, px, py, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Release, px, py, 0, 0)
}

// card is the middle of an asset's card.
func (r *rig) card(name string) f32.Point {
	r.T.Helper()
	var found []widgettest.Node
	below := r.Find(sAssets).Bounds.Max.Y
	for _, n := range r.Nodes() {
		if n.Label == name && n.Bounds.Min.Y >= below && n.Bounds.Max.X <= r.shell.viewport.Min.X {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		r.T.Fatalf("no card %q among %q", name, r.Labels())
	}
	b := found[0].Bounds
	for _, n := range found {
		if n.Bounds.Dy() > b.Dy() {
			b = n.Bounds
		}
	}
	return f32.Pt(float32(b.Min.X+b.Max.X)/2, float32(b.Min.Y+b.Max.Y)/2)
}

func (r *rig) clickCard(name string) {
	r.T.Helper()
	p := r.card(name)
	r.ClickAt(p.X, p.Y)
}

// offer opens the menu of a card.
func (r *rig) offer(name string) {
	r.T.Helper()
	p := r.card(name)
	stamp := time.Hour // after all other events
	for _, k := range []pointer.Kind{pointer.Move, pointer.Press, pointer.Release} {
		e := pointer.Event{Kind: k, Source: pointer.Mouse, Position: p, Time: stamp}
		if k == pointer.Press {
			e.Buttons = pointer.ButtonSecondary
		}
		r.Router.Queue(e)
		r.Frame()
	}
}

// carried is a card under way.
type carried struct {
	r  *rig
	at f32.Point
}

// carry takes hold of a card.
func (r *rig) carry(name string) *carried {
	r.T.Helper()
	c := &carried{r, r.card(name)}
	r.PressAt(c.at.X, c.at.Y)
	return c
}

func (c *carried) to(p f32.Point) {
	c.r.DragBy(p.X-c.at.X, p.Y-c.at.Y)
	c.at = p
}

func TestDragAssetIntoTheLevel(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1)
	before, steps := r.s.Level().Len(), r.s.Document().Position()
	c := r.carry("House")
	c.to(r.pixelOf(80, 90))
	if r.s.Doing() != session.Carrying || !r.Has(sHintCarrying) {
		t.Errorf("doing %d; labels %q", r.s.Doing(), r.Labels())
	}
	ring, on := r.s.Ring()
	if !on || ring.Ghost.Asset != "House" {
		t.Errorf("the ghost is %+v", ring)
	}
	c.to(r.pixelOf(70, 90))
	at := f32.Pt(0, 0)
	if again, _ := r.s.Ring(); again.Ghost.World == ring.Ghost.World {
		t.Error("the ghost does not follow the pointer")
	} else {
		at = f32.Pt(float32(again.Ghost.World[12]), float32(again.Ghost.World[14]))
	}
	r.Release()
	if n := r.s.Document().Position() - steps; n != 1 || r.s.Level().Len() != before+1 {
		t.Fatalf("%d steps and %d more things, expected one of each", n, r.s.Level().Len()-before)
	}
	e := r.s.Entities()[0]
	if o, _ := document.ObjectOf(e); o.Asset != "House" || math.Hypot(e.Translation[0]-float64(at.X), e.Translation[2]-float64(at.Y)) > 1e-3 {
		t.Errorf("placed %+v", e)
	}
	if r.s.Mode != session.ModeSelect {
		t.Errorf("the mode is %s", r.s.Mode)
	}
	if r.s.Doing() != session.Idle {
		t.Error("something is still carried")
	}

	// Esc gives up, and so does letting go elsewhere.
	c = r.carry("Barrel")
	c.to(r.pixelOf(80, 90))
	r.Key(key.NameEscape, 0)
	if _, on := r.s.Ring(); on && r.s.Doing() == session.Carrying {
		t.Error("the ghost stays after Esc")
	}
	r.Release()
	c = r.carry("Barrel")
	c.to(r.pixelOf(80, 90))
	away := r.card("House")
	c.to(away)
	if ring, _ := r.s.Ring(); ring.Ghost.Asset != "" {
		t.Error("the ghost stays beside the level")
	}
	r.Release()
	if r.s.Level().Len() != before+1 {
		t.Error("something was placed after giving up")
	}
	r.noErrors()
}

// pixelOf is where a point of the ground is in the window.
func (r *rig) pixelOf(x, z float64) f32.Point {
	y, _ := r.s.Level().Terrain.Height(x, z)
	size, _ := r.s.View.Size()
	p, _, _ := r.s.View.Rig.Camera.Project(mgl64.Vec3{x, y, z}, mgl64.Vec2{float64(size.X), float64(size.Y)})
	v := r.shell.Viewport()
	return f32.Pt(float32(p[0])+float32(v.Min.X), float32(p[1])+float32(v.Min.Y))
}

func TestChooseAssets(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1)
	r.clickCard("House")
	if r.s.Place.Asset != "House" || r.s.Mode != session.ModeSelect {
		t.Errorf("chosen %q in the mode %s", r.s.Place.Asset, r.s.Mode)
	}
	p := r.card("Barrel")
	for i, k := range []pointer.Kind{pointer.Press, pointer.Release, pointer.Press, pointer.Release} {
		e := pointer.Event{Kind: k, Source: pointer.Mouse, Position: p, Time: time.Hour + time.Duration(i)*20*time.Millisecond}
		if k == pointer.Press {
			e.Buttons = pointer.ButtonPrimary
		}
		r.Router.Queue(e)
		r.Frame()
	}
	if r.s.Place.Asset != "Barrel" || r.s.Mode != session.ModeObject || r.s.Strewing {
		t.Errorf("a double click chose %q in the mode %s", r.s.Place.Asset, r.s.Mode)
	}
	r.tap(90, 90)
	if o, _ := document.ObjectOf(r.s.Entities()[0]); o.Asset != "Barrel" {
		t.Errorf("placed %+v", o)
	}
	r.Click(sScatterIt)
	if !r.s.Strewing || !slices.Equal(r.s.Strew.Assets, []string{"Barrel"}) {
		t.Errorf("scatters %v", r.s.Strew.Assets)
	}
	r.clickCard("House")
	if !slices.Equal(r.s.Strew.Assets, []string{"Barrel", "House"}) {
		t.Errorf("scatters %v", r.s.Strew.Assets)
	}
	// A drag is no choice.
	r.carry("Pine").to(r.pixelOf(90, 100))
	r.Release()
	if !slices.Equal(r.s.Strew.Assets, []string{"Barrel", "House"}) {
		t.Errorf("after a drag, it scatters %v", r.s.Strew.Assets)
	}
	r.clickCard("Barrel")
	if !slices.Equal(r.s.Strew.Assets, []string{"House"}) {
		t.Errorf("scatters %v", r.s.Strew.Assets)
	}
	r.Click(sOneByOne)
	if r.s.Strewing {
		t.Error("still scattering")
	}
	r.noErrors()
}

func TestAssetMenu(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1)
	r.offer("House")
	if n := r.Find(sRemoveIt); !n.Disabled || n.Description != fmt.Sprintf(sManyShow, "2") {
		t.Errorf("remove: %+v", n)
	}
	r.Click(sSelectShowing)
	if !slices.Equal(r.s.Selection(), []document.ID{1, 2}) {
		t.Errorf("selected %v", r.s.Selection())
	}
	r.offer("House")
	r.Click(sRename)
	r.Type("Barrel")
	if n := r.Find(sRename); !n.Disabled {
		t.Error("a name that is taken can be given")
	}
	r.Key("A", key.ModShortcut)
	r.Type(`Old "house"`)
	r.Key(key.NameReturn, 0)
	if _, ok := r.s.Level().Asset(`Old "house"`); !ok {
		t.Errorf("assets %+v", r.s.Level().Assets)
	}
	if o, _ := document.ObjectOf(r.entity(1)); o.Asset != `Old "house"` {
		t.Errorf("the object shows %q", o.Asset)
	}
	r.s.Run("undo")
	r.Frame()
	r.offer("House")
	r.Click(sPlaceIt)
	if r.s.Place.Asset != "House" || r.s.Mode != session.ModeObject {
		t.Errorf("placing %q in the mode %s", r.s.Place.Asset, r.s.Mode)
	}
	r.offer("House")
	r.Click(sReloadIt + " House.obj")
	r.settle()
	r.offer("House")
	r.Click(sLinkTo)
	if p := r.s.Prompt(); p == nil || !strings.Contains(p.Title, "House") {
		t.Errorf("asked %+v", p)
	}
	r.s.CancelPrompt()
	r.s.Run("object.delete id=3; scatter.erase id=6 at=90,40 radius=60; object.delete id=6")
	r.Frame()
	r.offer("Barrel")
	r.Click(sRemoveIt)
	if _, ok := r.s.Level().Asset("Barrel"); ok {
		t.Error("the asset is still there")
	}
	r.noErrors()
}

func TestAssetSearchAndTrouble(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1, "asset.remove name=Pine force=yes")
	if n := len(r.shell.options.assets.list); n != 3 {
		t.Fatalf("%d cards, expected that of the missing one too", n)
	}
	c := r.shell.options.assets.card(slices.Index(r.shell.options.assets.list, "Pine"))
	if c.BadgeTip != sNotOfLevel || !c.Fixed {
		t.Errorf("the missing one is %+v", c)
	}
	r.offer("Pine")
	if !r.Find(sPlaceIt).Disabled || r.Find(sLinkTo).Disabled {
		t.Error("what is missing can be placed, or not be linked")
	}
	r.Key(key.NameEscape, 0)
	r.Click(sSearchAssets)
	r.Type("hou")
	if got := r.shell.options.assets.list; !slices.Equal(got, []string{"House"}) {
		t.Errorf("found %q", got)
	}
	r.Type("xx")
	if !r.Has(fmt.Sprintf(sNotFound, "houxx")) {
		t.Errorf("labels %q", r.Labels())
	}
	r.Key(key.NameEscape, 0)
	if n := len(r.shell.options.assets.list); n != 3 {
		t.Errorf("%d cards after Esc", n)
	}

	empty := newRig(t, 1280, 720, 1)
	if !empty.Has(sNoAssets) {
		t.Error("nothing is said of having no assets")
	}
	empty.Click(sImportMesh)
	if empty.s.Prompt() == nil {
		t.Error("the button does not ask for a mesh")
	}
	empty.s.CancelPrompt()
	empty.s.Run("view.panel name=assets")
	empty.Frame()
	if empty.Has(sImportMesh) {
		t.Error("the assets cannot be hidden")
	}
}

// left shows the left column alone.
func (r *rig) left(w, h int, scale float32) {
	th := widgets.NewTheme()
	r.shell = New(r.s, th)
	r.Harness = widgettest.New(r.T, int(float32(w)*scale), int(float32(h)*scale), scale, func(gtx layout.Context) layout.Dimensions {
		sh := r.shell
		sh.again = false
		d := th.Window(gtx, sh.options.layout, sh.options.dialogs)
		if sh.again {
			gtx.Execute(op.InvalidateCmd{})
		}
		return d
	})
}

// write types a number into a field.
func (r *rig) write(label, text string) {
	r.T.Helper()
	r.Click(label)
	r.Key("A", key.ModShortcut)
	r.Type(text)
	r.Key(key.NameReturn, 0)
}

// Every control of the tools' options sets what it says.
func TestToolOptions(t *testing.T) {
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	rad := math.Pi / 180
	for _, c := range []struct {
		name, lines string
		do          func(r *rig)
		ok          func(s *session.Session) bool
	}{
		{"rotate", "", func(r *rig) { r.Click(sRotate) }, func(s *session.Session) bool { return s.Picking.Handles.ModeName() == "rotate" }},
		{"scale", "", func(r *rig) { r.Click(sResizeIt) }, func(s *session.Session) bool { return s.Picking.Handles.ModeName() == "scale" }},
		{"local", "", func(r *rig) { r.Click(sLocalAxes) }, func(s *session.Session) bool { return s.Picking.Handles.Local }},
		{"snap", "", func(r *rig) { r.Click(sSnap) }, func(s *session.Session) bool { return s.Snapping.On }},
		{"grid", "", func(r *rig) { r.write(sGrid, "2.5") }, func(s *session.Session) bool { return s.Snapping.Grid == 2.5 }},
		{"angle", "", func(r *rig) { r.write(sAngle, "30") }, func(s *session.Session) bool { return same(s.Snapping.Angle, 30*rad) }},
		{"vertex", "", func(r *rig) { r.Click(sSnapVertex) }, func(s *session.Session) bool { return s.Snapping.Vertex }},
		{"surface", "", func(r *rig) { r.Click(sSnapSurface) }, func(s *session.Session) bool { return s.Snapping.Surface }},
		{"align", "", func(r *rig) { r.Click(sSnapAlign) }, func(s *session.Session) bool { return s.Snapping.Align }},
		{"duplicate", "select ids=1", func(r *rig) { r.Click(sDuplicate) }, func(s *session.Session) bool { return s.Level().Len() == 7 }},
		{"group", "select ids=1,2", func(r *rig) { r.Click(sGroup) }, func(s *session.Session) bool { return document.IsGroup(s.Entities()[0]) }},
		{"ungroup", "select ids=1,2; object.group", func(r *rig) { r.Click(sUngroup) }, func(s *session.Session) bool { return s.Level().Len() == 6 }},
		{"similar", "select ids=1", func(r *rig) { r.Click(sSimilarTo) }, func(s *session.Session) bool { return len(s.Selection()) == 2 }},
		{"ground", "select ids=1; object.move by=0,9,0", func(r *rig) { r.Click(sToGround) }, func(s *session.Session) bool { return s.Entities()[0].Translation[1] < 20 }},
		{"mirror", "select ids=1", func(r *rig) { r.Click(sMirror + " X") }, func(s *session.Session) bool {
			return s.Entities()[0].Scale[0]*s.Entities()[0].Scale[1]*s.Entities()[0].Scale[2] < 0
		}},

		{"scattering", "mode object", func(r *rig) { r.Click(sScatterIt) }, func(s *session.Session) bool { return s.Strewing }},
		{"lean", "mode object", func(r *rig) { r.write(sLean, "40") }, func(s *session.Session) bool { return same(s.Place.Align, 0.4) }},
		{"turn", "mode object", func(r *rig) { r.write(sYaw, "45") }, func(s *session.Session) bool { return same(s.Place.Yaw, 45*rad) }},
		{"random", "mode object", func(r *rig) { r.Click(sRandomYaw) }, func(s *session.Session) bool { return s.Place.RandomYaw }},
		{"least", "mode object", func(r *rig) { r.write(sSmallest, "2") }, func(s *session.Session) bool { return s.Place.ScaleMin == 2 && s.Place.ScaleMax == 2 }},
		{"most", "mode object", func(r *rig) { r.write(sLargest, "3") }, func(s *session.Session) bool { return s.Place.ScaleMin == 1 && s.Place.ScaleMax == 3 }},
		{"geometry", "mode object", func(r *rig) { r.Click(sLevelMesh) }, func(s *session.Session) bool { return s.Place.Geometry }},

		{"radius", "place.with brush", func(r *rig) { r.write(sRadius, "12") }, func(s *session.Session) bool { return s.Brush.Radius == 12 }},
		{"density", "place.with brush", func(r *rig) { r.write(sPer100, "7") }, func(s *session.Session) bool { return same(s.Strew.Density, 0.07) }},
		{"spacing", "place.with brush", func(r *rig) { r.write(sApartBy, "1.5") }, func(s *session.Session) bool { return s.Strew.Spacing == 1.5 }},
		{"strewn lean", "place.with brush", func(r *rig) { r.write(sLean, "50") }, func(s *session.Session) bool { return same(s.Strew.Align, 0.5) }},
		{"sizes", "place.with brush", func(r *rig) { r.write(sLargest, "4") }, func(s *session.Session) bool { return s.Strew.Scale == [2]float64{0.8, 4} }},
		{"no slopes", "place.with brush", func(r *rig) { r.Click(sLimitSlope) }, func(s *session.Session) bool { return !s.Strew.Limits.Slope }},
		{"heights", "place.with brush", func(r *rig) { r.Click(sLimitHeight) }, func(s *session.Session) bool { return s.Strew.Limits.Height }},
		{"steepness", "place.with brush; strew.set height=0,9", func(r *rig) { r.write(sSteepest, "20") }, func(s *session.Session) bool { return same(s.Strew.Slope[1], 20*rad) }},
		{"height", "place.with brush; strew.set height=0,9", func(r *rig) { r.write(sLowest, "5") }, func(s *session.Session) bool { return s.Strew.Height == [2]float64{5, 9} }},
		{"turned", "place.with brush", func(r *rig) { r.Click(sTurnEach) }, func(s *session.Session) bool { return !s.Strew.Turn }},
		{"seed", "place.with brush", func(r *rig) { r.write(sSeed, "77") }, func(s *session.Session) bool { return s.Strew.Seed == 77 }},
		{"dice", "place.with brush; strew.set seed=2000000", func(r *rig) { r.Click(sNewSeed) }, func(s *session.Session) bool { return s.Strew.Seed < 10_000 }},
		{"billboard", "place.with brush", func(r *rig) { r.write(sBillboard, "90") }, func(s *session.Session) bool { return s.Strew.Billboard == 90 }},
		{"add to", "place.with brush", func(r *rig) { r.Click(sAddTo); r.Click("Pine wood") }, func(s *session.Session) bool { return s.Strew.Into == 6 }},

		{"line", "mode marker", func(r *rig) { r.Click(sShapeLine) }, func(s *session.Session) bool { return s.Marking.Shape == document.MarkerLine }},
		{"layer", "mode marker", func(r *rig) { r.Click(sLayer); r.Click("Props") }, func(s *session.Session) bool { return s.Marking.Layer == "Props" }},
		{"no layer", "mode marker; marker.look layer=Other", func(r *rig) { r.Click(sLayer); r.Click(sNoLayer) }, func(s *session.Session) bool { return s.Marking.Layer == "" }},
		{"usual", "mode marker; marker.look color=#ff0000", func(r *rig) { r.Click(sUsualColour) }, func(s *session.Session) bool { return s.Marking.Color == mgl64.Vec3{} }},

		{"collision", "mode walk", func(r *rig) { r.Click(sCollision) }, func(s *session.Session) bool { _, on, _ := s.Walking(); return !on }},
		{"speed", "mode walk", func(r *rig) { r.write(sSpeed, "8") }, func(s *session.Session) bool { return s.Settings.Walk.Speed == 8 }},
		{"step", "mode walk", func(r *rig) { r.write(sStepUp, "1") }, func(s *session.Session) bool { return s.Settings.Walk.StepUp == 1 }},
		{"eye", "mode walk", func(r *rig) { r.write(sEyeHeight, "1.2") }, func(s *session.Session) bool { return s.Settings.Walk.EyeHeight == 1.2 }},
		{"jump", "mode walk", func(r *rig) { r.write(sJump, "6") }, func(s *session.Session) bool { return s.Settings.Walk.Jump == 6 }},
		{"gravity", "mode walk", func(r *rig) { r.write(sGravity, "3") }, func(s *session.Session) bool { return s.Settings.Walk.Gravity == 3 }},

		{"mesh", "view.overlay nodes; select ids=1", func(r *rig) { r.Click(sTreeMesh) }, func(s *session.Session) bool { return s.Nodes.Mesh }},
		{"verdict", "view.overlay nodes", func(r *rig) { r.Click(sByVerdict) }, func(s *session.Session) bool { return s.Nodes.Verdict }},
		{"depth", "view.overlay nodes; nodes.set size=8 items=2", func(r *rig) { r.write(sDeepest, "1") }, func(s *session.Session) bool { return s.Nodes.Deepest == 1 }},
		{"all depths", "view.overlay nodes; nodes.set size=8 items=2; nodes.show depth=1", func(r *rig) { r.write(sDeepest, fmt.Sprint(len(r.s.Nodes.Stats().Depths)-1)) }, func(s *session.Session) bool { return s.Nodes.Deepest == -1 }},
		{"bar", "view.overlay nodes; nodes.set size=8 items=2", func(r *rig) { r.Click(sNodesByDepth + " 1") }, func(s *session.Session) bool { return s.Nodes.Deepest == 1 }},
		{"split", "view.overlay nodes", func(r *rig) { r.Click(sSplitOct) }, func(s *session.Session) bool { return s.Level().Settings.Nodes.Split == document.SplitOct }},
		{"auto", "view.overlay nodes; nodes.set split=oct", func(r *rig) { r.Click(sSplitAuto) }, func(s *session.Session) bool { return s.Level().Settings.Nodes.Split == document.SplitAuto }},
		{"size", "view.overlay nodes", func(r *rig) { r.write(sNodeSize, "16") }, func(s *session.Session) bool { return s.Level().Settings.Nodes.Size == 16 }},
		{"items", "view.overlay nodes", func(r *rig) { r.write(sNodeItems, "5") }, func(s *session.Session) bool { return s.Level().Settings.Nodes.Items == 5 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newThings(t, hamlet...)
			if c.lines != "" {
				r.s.Run(c.lines)
			}
			r.left(256, 1600, 1)
			if c.ok(r.s) {
				t.Fatal("it is so before")
			}
			c.do(r)
			if !c.ok(r.s) {
				t.Errorf("it is not so: place %+v, strew %+v, snapping %+v, nodes %+v", r.s.Place, r.s.Strew, r.s.Snapping, r.s.Level().Settings.Nodes)
			}
			r.noErrors()
		})
	}
}

func TestMarkerColour(t *testing.T) {
	r := newThings(t, hamlet...)
	r.s.Run("mode marker")
	r.left(256, 900, 1)
	r.Click(sColour)
	r.Click(sColour + " hex")
	r.Key("A", key.ModShortcut)
	r.Type("ff0000")
	r.Key(key.NameReturn, 0)
	if c := r.s.Marking.Color; math.Abs(c[0]-1) > 1e-6 || c[1] != 0 || c[2] != 0 {
		t.Errorf("colour %v", c)
	}
}

// Dragging the size of nodes is one step of the history, and Esc takes it back.
func TestNodeSizeDragIsOneStep(t *testing.T) {
	r := newThings(t, hamlet...)
	r.s.Run("view.overlay nodes; nodes.set size=64")
	r.left(256, 1600, 1)
	steps := r.steps()
	r.Press(sNodeSize)
	r.DragBy(-60, 0)
	if got := r.s.Level().Settings.Nodes.Size; got >= 64 {
		t.Errorf("the drag does not show: %g", got)
	}
	r.Release()
	if r.steps() != steps+1 {
		t.Errorf("%d steps, expected 1", r.steps()-steps)
	}
	r.s.Run("undo")
	if got := r.s.Level().Settings.Nodes.Size; got != 64 {
		t.Errorf("undone to %g", got)
	}
	r.Frame()
	r.Press(sNodeSize)
	r.DragBy(-60, 0)
	r.Key(key.NameEscape, 0)
	r.Release()
	if got := r.s.Level().Settings.Nodes.Size; got != 64 {
		t.Errorf("Esc leaves %g", got)
	}
	r.noErrors()
}

func TestArrayDialog(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1, "select ids=3")
	r.Click(sArray)
	r.write(sArrayCount, "4")
	r.write(sArrayStep+" X", "3")
	r.Click(sArrayMake)
	if r.s.Level().Len() != 9 || len(r.s.Selection()) != 3 {
		t.Fatalf("%d things, %d selected", r.s.Level().Len(), len(r.s.Selection()))
	}
	first, last := r.entity(3).Translation, r.s.Entities()[2].Translation
	if math.Abs(last[0]-first[0]-9) > 1e-9 {
		t.Errorf("from %v to %v", first, last)
	}
	r.s.Run("undo; select ids=3")
	r.Frame()
	r.Click(sArray)
	r.Click(sArrayToEnd)
	r.write(sArrayCount, "3")
	r.write(sArrayEnd+" X", "72")
	r.write(sArrayEnd+" Z", "60")
	r.Click(sArrayMake)
	if got := r.s.Entities(); len(got) != 2 || math.Abs(got[1].Translation[0]-72) > 1e-9 {
		t.Errorf("%+v", got)
	}
	r.s.Run("undo; select ids=3")
	r.Frame()
	r.Click(sArray)
	r.Click(sArrayByStep)
	r.write(sArrayStep+" X", "0")
	if !r.Find(sArrayMake).Disabled {
		t.Error("a step of nothing can be repeated")
	}
	r.Click(sCancel)
	if r.Has("Dialog: "+sArrayTitle) || r.s.Level().Len() != 6 {
		t.Error("not cancelled")
	}
	r.noErrors()
}

func TestMarkersInTheViewport(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1, "marker.shape area")
	r.tap(90, 80)
	if !r.Find(sFinish).Disabled {
		t.Error("one corner can be finished")
	}
	r.Click(sGiveUp)
	if r.s.PendingCorners() != 0 || r.Has(sFinish) {
		t.Error("not given up")
	}
	for _, p := range [][2]float64{{90, 80}, {110, 80}, {110, 100}} {
		r.tap(p[0], p[1])
	}
	if want := cornersText(3) + " · " + sHintLine; !r.Has(want) {
		t.Errorf("no hint %q among %q", want, r.Labels())
	}
	r.Click(sFinish)
	m, ok := r.s.Entities()[0].Data.(document.Marker)
	if !ok || m.Shape != document.MarkerArea || len(m.Points) != 3 {
		t.Errorf("made %+v", r.s.Entities())
	}
	r.noErrors()
}

func TestMarqueeAndLabels(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1)
	a, b := r.pixelOf(28, 28), r.pixelOf(72, 72)
	v := r.shell.Viewport()
	lo := f32.Pt(min(a.X, b.X)-60, min(a.Y, b.Y)-60)
	hi := f32.Pt(max(a.X, b.X), max(a.Y, b.Y))
	at := func(k pointer.Kind, p f32.Point, buttons pointer.Buttons) {
		r.pointerAt(k, p.X-float32(v.Min.X), p.Y-float32(v.Min.Y), buttons, 0)
	}
	at(pointer.Move, lo, 0)
	at(pointer.Press, lo, pointer.ButtonPrimary)
	at(pointer.Move, hi, pointer.ButtonPrimary)
	want := image.Rect(int(lo.X), int(lo.Y), int(hi.X), int(hi.Y))
	if n, ok := r.Lookup(sMarquee); !ok || n.Bounds.Intersect(want).Dx() < want.Dx()-3 || n.Bounds.Intersect(want).Dy() < want.Dy()-3 {
		t.Errorf("the rectangle is %+v, expected %v", n, want)
	}
	if !r.Has(sHintFraming) {
		t.Error("nothing is said of the rectangle")
	}
	at(pointer.Release, hi, 0)
	sel := r.s.Selection()
	if !slices.Contains(sel, 1) || !slices.Contains(sel, 2) || !slices.Contains(sel, 3) {
		t.Errorf("selected %v", sel)
	}
	if r.Has(sMarquee) {
		t.Error("the rectangle stays")
	}
	// The label of a marker stands near it, inside the level.
	r.s.Run("select ids=4")
	r.Frame()
	found := false
	for _, n := range r.Nodes() {
		if n.Label == "Spawn" && n.Bounds.In(v) {
			found = true
			p := r.pixelOf(80, 70)
			if math.Abs(float64(n.Bounds.Min.X+n.Bounds.Max.X)/2-float64(p.X)) > 8 || float32(n.Bounds.Max.Y) > p.Y {
				t.Errorf("the label is at %v, the marker at %v", n.Bounds, p)
			}
		}
	}
	if !found {
		t.Errorf("no label among %q", r.Labels())
	}
	r.noErrors()
}

func TestTabWhileAHandleIsDragged(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1, "select ids=1")
	e := r.entity(1)
	from := e.Translation
	x, y := r.over(from[0], from[2])
	tab := func() {
		// As a window does: what nobody takes moves the focus.
		r.Router.WakeupTime()
		r.Router.Queue(input.SystemEvent{Event: key.Event{Name: key.NameTab, State: key.Press}})
		if _, handled := r.Router.WakeupTime(); !handled {
			t.Error("Tab moves the focus")
			r.Router.MoveFocus(key.FocusForward)
		}
		r.Frame()
	}
	r.pointerAt(pointer.Press, x, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+20, y+10, pointer.ButtonPrimary, 0)
	if r.s.Doing() != session.Handling {
		t.Fatalf("doing %d, expected a handle", r.s.Doing())
	}
	r.Key("5", 0)
	tab()
	r.Key("7", 0)
	r.Key(key.NameReturn, 0)
	r.pointerAt(pointer.Release, x+20, y+10, 0, 0)
	if d := r.entity(1).Translation.Sub(from); d[0] != 5 || d[1] != 7 {
		t.Errorf("moved by %v, expected 5 and 7", d)
	}
	r.noErrors()
}

func TestMeasureInTheViewport(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1, "mode measure")
	if !r.Has(sMeasureHelp) {
		t.Error("nothing is said before")
	}
	x, y := r.over(30, 100)
	r.pointerAt(pointer.Press, x, y, pointer.ButtonPrimary, 0)
	to := r.pixelOf(90, 100)
	v := r.shell.Viewport()
	r.pointerAt(pointer.Move, to.X-float32(v.Min.X), to.Y-float32(v.Min.Y), pointer.ButtonPrimary, 0)
	if !r.Has(r.s.Measure.Text()) {
		t.Errorf("no %q among %q", r.s.Measure.Text(), r.Labels())
	}
	r.pointerAt(pointer.Release, to.X-float32(v.Min.X), to.Y-float32(v.Min.Y), 0, 0)
	if d := r.s.Measure.Flat(); math.Abs(d-60) > 1 {
		t.Errorf("measured %g m", d)
	}
	if !r.Has(sDistance) {
		t.Error("the result is not shown")
	}
	r.Click(sClearIt)
	if r.s.Measure.On || !r.Has(sMeasureHelp) {
		t.Error("not cleared")
	}
	r.noErrors()
}

func TestNodeUnderThePointer(t *testing.T) {
	r := hamletRig(t, 1280, 960, 1, "nodes.set size=8 items=1; view.overlay nodes; view.panel assets")
	r.over(40, 40)
	n, ok := r.s.Nodes.Under()
	if !ok {
		t.Fatal("no node")
	}
	plate := fmt.Sprintf(sNodePlate, n.Depth, extent(n.Box.Size()), widgets.FormatCount(float64(len(n.Items))))
	if !r.Has(plate) {
		t.Errorf("no %q among %q", plate, r.Labels())
	}
	r.Key("2", key.ModCtrl)
	if !r.s.Nodes.Pinned {
		t.Fatal("the key does not keep the node")
	}
	for _, node := range r.Nodes() {
		if node.Label == "Town hall" && node.Bounds.Max.X < r.shell.viewport.Min.X {
			p := node.Bounds.Min.Add(node.Bounds.Size().Div(2))
			r.ClickAt(float32(p.X), float32(p.Y))
			break
		}
	}
	if !slices.Equal(r.s.Selection(), []document.ID{1}) {
		t.Errorf("selected %v among %q", r.s.Selection(), r.Labels())
	}
	r.Click(sPinNode)
	if r.s.Nodes.Pinned {
		t.Error("still kept")
	}
	r.noErrors()
}

func TestToolbarHandles(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1)
	bar := func(label string) {
		t.Helper()
		for _, n := range r.Nodes() {
			if n.Label == label && n.Bounds.Max.Y <= 72 {
				p := n.Bounds.Min.Add(n.Bounds.Size().Div(2))
				r.ClickAt(float32(p.X), float32(p.Y))
				return
			}
		}
		t.Fatalf("the toolbar has no %s", label)
	}
	bar(sRotate)
	bar(sLocalAxes)
	bar(sSnap)
	bar(sNodeTree)
	bar(sMarkers)
	if s := r.s; s.Picking.Handles.ModeName() != "rotate" || !s.Picking.Handles.Local || !s.Snapping.On || !s.Shown("overlay nodes") || s.Shown("overlay markers") {
		t.Errorf("handles %+v, snapping %v", s.Picking.Handles, s.Snapping.On)
	}
	// There is room for the modes first.
	r.open(700, 500, 1)
	for _, m := range session.Modes {
		if !r.Has(m.Title) {
			t.Errorf("no %s in a narrow window", m.Title)
		}
	}
}

func TestMenusOfThings(t *testing.T) {
	for _, c := range []struct {
		path  []string
		lines string
		check func(r *rig) string
	}{
		{path: []string{sThingsMenu, "Import a mesh…"}, check: func(r *rig) string { return want(r.s.Prompt() != nil, "the prompt") }},
		{path: []string{sThingsMenu, sScatterMeshes}, check: func(r *rig) string { return want(r.s.Mode == session.ModeObject && r.s.Strewing, "scattering") }},
		{path: []string{sThingsMenu, sNewMarker, sShapeLine}, check: func(r *rig) string { return want(r.s.Marking.Shape == document.MarkerLine, "lines") }},
		{path: []string{sThingsMenu, sHandles, sResizeIt}, check: func(r *rig) string { return want(r.s.Picking.Handles.ModeName() == "scale", "scale") }},
		{path: []string{sThingsMenu, sArray}, lines: "select ids=1", check: func(r *rig) string { return want(r.Has("Dialog: "+sArrayTitle), "the dialog") }},
		{path: []string{sThingsMenu, sParentTo}, lines: "select ids=1", check: func(r *rig) string { return want(r.shell.form.command != nil, "the form") }},
		{path: []string{sThingsMenu, "Hide"}, lines: "select ids=1", check: func(r *rig) string { return want(r.entity(1).Hidden, "hidden") }},
		{path: []string{sThingsMenu, sMirror, "Along Z"}, lines: "select ids=1", check: func(r *rig) string {
			return want(r.s.Document().Position() > 0 && r.entity(1).Scale[2] < 0, "mirrored")
		}},
		{path: []string{sEdit, "Delete"}, lines: "select ids=1", check: func(r *rig) string { return want(r.s.Level().Len() == 5, "deleted") }},
		{path: []string{sEdit, "Select all"}, check: func(r *rig) string { return want(len(r.s.Selection()) == 6, "all") }},
		{path: []string{sEdit, sSimilar, sByKind}, lines: "select ids=4", check: func(r *rig) string { return want(len(r.s.Selection()) == 2, "both markers") }},
		{path: []string{sView, sNodeTree}, check: func(r *rig) string { return want(r.s.Shown("overlay nodes"), "the overlay") }},
		{path: []string{sView, sModes, "Walk"}, check: func(r *rig) string { return want(r.s.Mode == session.ModeWalk, "walking") }},
		{path: []string{sView, sPanels, sAssets}, check: func(r *rig) string { return want(!r.s.Shown(panelAssets), "hidden") }},
	} {
		t.Run(strings.Join(c.path, "/"), func(t *testing.T) {
			r := hamletRig(t, 1280, 720, 1)
			if c.lines != "" {
				r.s.Run(c.lines)
			}
			r.Frame()
			r.menu(c.path...)
			if bad := c.check(r); bad != "" {
				t.Error(bad)
			}
			r.noErrors()
		})
	}
	r := hamletRig(t, 1280, 720, 1)
	r.Click(sThingsMenu)
	if n := r.Find("Group"); !n.Disabled || n.Description == "" {
		t.Errorf("group with nothing selected: %+v", n)
	}
}

func TestStatusOfThings(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1)
	r.shell.SetStats(Stats{Triangles: 1000, Chunks: 1, AllChunks: 1, Objects: 12, AllObjects: 63})
	hall, _ := r.s.Level().World(1)
	size, _ := r.s.View.Size()
	p, _, _ := r.s.View.Rig.Camera.Project(hall.Mul4x1(mgl64.Vec4{0, 1, 0, 1}).Vec3(), mgl64.Vec2{float64(size.X), float64(size.Y)})
	r.pointerAt(pointer.Move, float32(p[0]), float32(p[1]), 0, 0)
	r.s.Run("select ids=1,2")
	r.Frame()
	said := func(label string) string {
		n, ok := r.Lookup(label)
		if !ok {
			t.Errorf("the status bar has no %q", label)
		}
		return n.Description
	}
	if got := said(sUnder); got != "Town hall" {
		t.Errorf("under the pointer: %q", got)
	}
	if got := said(sSelected1); got != "2 selected" {
		t.Errorf("selected: %q", got)
	}
	if got := said(sDrawn); got != "12 of 63 objects, 1 of 1 chunks" {
		t.Errorf("drawn: %q", got)
	}
	r.over(100, 110)
	if got := said(sUnder); got != sGround {
		t.Errorf("under the pointer: %q", got)
	}
}

// Ungroup is for groups alone: it says so where there is none, and takes only the
// groups of what is selected.
func TestUngroupNeedsAGroup(t *testing.T) {
	r := hamletRig(t, 1280, 720, 1, "select ids=3")
	if n := r.Find(sUngroup); !n.Disabled {
		t.Error("what is no group can be ungrouped")
	}
	if why := r.shell.why("edit.ungroup"); why != "No group is selected" {
		t.Errorf("the reason is %q", why)
	}
	r.s.Run("select ids=1,2; object.group")
	group := r.s.Selection()[0]
	r.s.Run("select ids=3," + idWords(group))
	r.Frame()
	r.Click(sUngroup)
	if _, ok := r.s.Level().Entity(group); ok || !slices.Equal(r.s.Selection(), []document.ID{1, 2}) {
		t.Errorf("selected %v", r.s.Selection())
	}
	r.noErrors()
}

// In a low window the options come before the assets, of which a row of cards stays.
func TestLowWindow(t *testing.T) {
	r := hamletRig(t, 960, 600, 1, "place.asset House; place.with brush")
	border := func() image.Rectangle { return r.Find(sAssetsHeight).Bounds }
	for _, label := range []string{sRadius, sHardness, sPer100, sApartBy, sLean} {
		if n := r.Find(label); n.Bounds.Max.Y > border().Min.Y {
			t.Errorf("%s is out of sight: %v below %v", label, n.Bounds, border())
		}
	}
	if y := r.card("House").Y; int(y) > r.Size.Y-60 {
		t.Errorf("no card is whole: the first is at %g", y)
	}
	if r.s.Memory.Panels["assets"] != 0 {
		t.Errorf("a size that nobody chose is remembered: %v", r.s.Memory.Panels)
	}
	r.Drag(sAssetsHeight, 0, -500)
	if y := r.Find(sScatterBrush).Bounds.Max.Y; y > border().Min.Y {
		t.Errorf("the options can be pushed away: %d below %v", y, border())
	}
	if r.s.Memory.Panels["assets"] == 0 {
		t.Error("the chosen size is not remembered")
	}
	r.DoubleClick(sAssetsHeight)
	r.Frame()
	if len(r.s.Memory.Panels) != 0 {
		t.Errorf("the chosen size is remembered after it was given up: %v", r.s.Memory.Panels)
	}
	r.noErrors()
}

// The columns of all modes, and windows with things.
func TestGoldenTools(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		h           int
		scale       float32
	}{
		{name: "select", lines: "select ids=1,2", h: 900},
		{name: "object", lines: "place.asset House", h: 740},
		{name: "scatter", lines: "place.asset House; place.with brush; strew.asset Pine; strew.set height=0,30", h: 1060},
		{name: "marker", lines: "marker.shape area; marker.look color=#e0a040 layer=Props", h: 420},
		{name: "measure", lines: "mode measure", h: 420},
		{name: "walk", lines: "mode walk", h: 420},
		{name: "nodes", lines: "mode marker; nodes.set size=8 items=2; view.overlay nodes", h: 640},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newThings(t, hamlet...)
			r.paintThumbnails()
			r.s.Resize(image.Pt(800, 600), 1)
			r.s.Tick(0)
			r.s.Run(c.lines)
			if c.name == "measure" {
				r.s.Measure.From, r.s.Measure.To, r.s.Measure.On = mgl64.Vec3{10, 4, 10}, mgl64.Vec3{60, 12.5, 40}, true
			}
			r.left(256, c.h, max(1, c.scale))
			r.picture("tools-" + c.name)
		})
	}
	for _, c := range []struct {
		name  string
		w, h  int
		scale float32
		lines string
		drive func(r *rig)
	}{
		{"window-1440", 1440, 900, 1, "select ids=1", func(r *rig) { r.over(80, 100) }},
		{"window-1280", 1280, 720, 1, "place.asset House", func(r *rig) { r.over(80, 100) }},
		{"window-narrow", 960, 600, 1, "place.asset House; place.with brush; strew.asset Pine", func(r *rig) { r.over(80, 100) }},
		{"window-2x", 1280, 720, 2, "marker.shape area", func(r *rig) { r.tap(90, 80); r.tap(110, 80); r.tap(110, 100) }},
		{"window-menu", 1280, 720, 1, "select ids=1", func(r *rig) { r.Click(sThingsMenu) }},
		{"window-array", 1280, 720, 1, "select ids=3", func(r *rig) { r.Click(sArray) }},
		{"window-marquee", 1280, 720, 1, "select ids=4; view.overlay nodes", func(r *rig) {
			r.pointerAt(pointer.Move, 200, 160, 0, 0)
			r.pointerAt(pointer.Press, 200, 160, pointer.ButtonPrimary, 0)
			r.pointerAt(pointer.Move, 460, 330, pointer.ButtonPrimary, 0)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := hamletRig(t, c.w, c.h, c.scale)
			r.s.Run(c.lines)
			r.Frame()
			c.drive(r)
			r.picture("tools-" + c.name)
		})
	}
}

// picture compares what is shown with a golden picture.
func (r *rig) picture(name string) {
	r.T.Helper()
	cam, err := gallery.NewCamera(r.Size.X, r.Size.Y)
	if err != nil {
		r.T.Fatal(err)
	}
	defer cam.Release()
	r.settle()
	r.Golden(cam, name, *update)
}

// No list of what the mouse does gives one gesture two meanings.
func TestHandlingIsUnambiguous(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	o := &r.shell.options
	lists := map[string][]hint{
		"sculpt": o.sculptHints(), "paint": o.paintHints(), "select": o.selectHints(), "camera": o.cameraHints(),
		"measure": o.measureHints(), "walk": o.walkHints(), "placing": o.placingHints(), "strewing": o.strewingHints(),
	}
	for _, line := range []string{"occluder.draw name=box", "occluder.draw name=hull", "occluder.draw name=polygon", "cell.draw name=hull", "portal.draw name=rectangle"} {
		r.s.Run(line)
		lists[line] = o.draftHints()
	}
	r.s.Run("mode name=marker")
	lists["marker"] = o.markingHints()
	for name, list := range lists {
		seen := map[string]string{}
		for _, h := range list {
			if was, twice := seen[h.keys]; twice && h.keys != "" {
				t.Errorf("%s: %s is %q and %q", name, h.keys, was, h.text)
			}
			seen[h.keys] = h.text
		}
	}
}

// Whatever of the view has a key stands in a menu, with the key beside it.
func TestMenusShowTheKeysOfTheView(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	shown := map[string]string{}
	var note func(items []widgets.MenuItem)
	note = func(items []widgets.MenuItem) {
		for _, it := range items {
			shown[it.ID] = it.Keys
			note(it.Items)
		}
	}
	for _, m := range r.shell.menus.build() {
		note(m.Items)
	}
	for _, line := range r.s.Keys.Actions() {
		if group, _, _ := strings.Cut(line, "."); group != "view" && group != "cull" {
			continue
		}
		if keys, ok := shown[line]; !ok || keys != r.s.Keys.Hint(line) {
			t.Errorf("%s has the key %s, and in the menus %q, %v", line, r.s.Keys.Hint(line), keys, ok)
		}
	}
}
