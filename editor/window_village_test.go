package editor

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gioui.org/io/pointer"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// village is an editor that shows a small level with a house, and its twin, which
// does what the editor does. The tests of things share one, as it takes its time to
// come up: each leaves it in the mode select with nothing selected, no message on
// the screen and the pointer away.
type village struct {
	*running
	w      *twin
	path   string // of the level
	meshes string // the folder that the meshes came from

	away        image.Point // where the pointer points at nothing but ground
	house, tree image.Point // the middles of the cards
}

// The things of a new village and where the first of them stands, on level ground.
const (
	barnID  document.ID = 1
	houseID document.ID = 2 // placed by the tests
	treeID  document.ID = 3
)

// newVillage makes the level: the assets House and Pine, imported from copies of
// files, and of House a large one, Barn, before the camera.
func newVillage(t *testing.T) (path, meshes string) {
	t.Helper()
	dir := t.TempDir()
	meshes = filepath.Join(dir, "meshes")
	if err := os.CopyFS(meshes, os.DirFS("../testdata/meshes")); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"building-small-a.glb": "House.glb", "grass-trees.glb": "Pine.glb"} {
		if err := os.Rename(filepath.Join(meshes, from), filepath.Join(meshes, to)); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(dir, "village.ridge")
	cli(t, "new", path, "--size", "65x65", "--spacing", "1")
	cli(t, "run", path, "-e", strings.Join([]string{
		"asset.import " + filepath.Join(meshes, "House.glb"), "asset.import " + filepath.Join(meshes, "Pine.glb"),
		"terrain.stroke op=raise at=50,16 radius=20 strength=3", "terrain.stroke op=raise at=20,44 radius=14 strength=1",
		"object.place asset=House at=32,30 scale=6 name=Barn", "camera.set eye=32,5,52 look=32,0,42",
	}, "; "))
	return path, meshes
}

// openVillage opens the level.
func openVillage(t *testing.T) *village {
	t.Helper()
	d := newDesk(t)
	v := &village{}
	v.path, v.meshes = newVillage(t)
	level, _ := load(t, v.path, false)
	v.w = newTwin(t, level, v.path, windowSize)
	v.running = d.open(v.path)
	v.titled("village – Ridgeline")
	v.away = v.w.spot(0.5, 0.97)
	v.w.picture()
	v.house, v.tree = v.w.middle("House"), v.w.middle("Pine")
	v.do("mousemove", v.away.X, v.away.Y)
	// Whatever is drawn of a selected thing has been drawn once: where letters stand to
	// a part of a pixel follows from where they were drawn first.
	v.clickBoth(v.row("Barn"), v.away)
	v.looks()
	v.alone()
	v.looks()
	return v
}

// both does one thing in the editor by the keyboard and the same in the twin by
// commands.
func (v *village) both(keys string, line string) {
	v.t.Helper()
	args := []any{}
	for _, k := range strings.Fields(keys) {
		args = append(args, "key", k)
	}
	v.do(args...)
	v.w.run(line)
	v.w.settle()
}

// alone leaves what a test did: nothing is selected and the pointer is away.
func (v *village) alone() {
	v.t.Helper()
	v.both("v ctrl+shift+a", "mode name=select; select.none")
	v.do("mousemove", v.away.X, v.away.Y)
	v.w.mouse(pointer.Move, v.away, 0)
	v.w.settle()
}

// clickBoth clicks on something in the editor and the twin, and has the pointer
// rest somewhere.
func (v *village) clickBoth(p, rest image.Point) {
	v.t.Helper()
	v.click(p)
	v.do("mousemove", rest.X, rest.Y)
	v.w.click(p, rest)
}

// pulled are the words for xdotool that drag along a way.
func pulled(way ...image.Point) []any {
	args := []any{"mousemove", way[0].X, way[0].Y, "mousedown", 1}
	for _, p := range way[1:] {
		args = append(args, "mousemove", p.X, p.Y)
	}
	return append(args, "mouseup", 1)
}

// pull drags with the left button over the window.
func (w *twin) pull(way ...image.Point) {
	w.t.Helper()
	w.stamp += 1e9 // never a double click
	w.mouse(pointer.Move, way[0], 0)
	w.mouse(pointer.Press, way[0], pointer.ButtonPrimary)
	for _, p := range way[1:] {
		w.mouse(pointer.Move, p, pointer.ButtonPrimary)
	}
	w.mouse(pointer.Release, way[len(way)-1], 0)
	w.settle()
}

// dismissed takes the message away that the editor shows. text is that of the twin,
// whose place is the same.
func (v *village) dismissed(text string) {
	v.t.Helper()
	v.w.s.Say(text)
	v.w.settle()
	v.clickBoth(v.w.middle("Dismiss"), v.away)
}

// newest is the level as the editor has it, by its autosave.
func (v *village) newest() *document.Level {
	v.t.Helper()
	v.rest()
	l, _ := load(v.t, v.path, true)
	return l
}

// entity is a thing of the level as the editor has it.
func (v *village) entity(id document.ID) document.Entity {
	v.t.Helper()
	e, ok := v.newest().Entity(id)
	if !ok {
		v.t.Fatalf("the level has no thing %d%s", id, v.evidence("missing.png"))
	}
	return *e
}

// described writes what a level has, to be compared.
func described(l *document.Level) string {
	var b strings.Builder
	for e := range l.Entities() {
		fmt.Fprintf(&b, "%d %s %q in %d at %v turned %v × %v hidden %v: %+v\n", e.ID, e.Kind, e.Name, e.Parent, e.Translation, e.Rotation, e.Scale, e.Hidden, e.Data)
	}
	return b.String()
}

// agrees checks that the level has what the twin's has.
func (v *village) agrees(after string) {
	v.t.Helper()
	if got, want := described(v.newest()), described(v.w.s.Level()); got != want {
		v.wrong("after %s the level has\n%sexpected\n%s", after, got, want)
	}
}

// looks waits until the window looks like the twin.
func (v *village) looks() {
	v.t.Helper()
	v.shows(v.w.picture(), v.w.aboveStatus())
}

// body is where a thing is seen in the window.
func (v *village) body(ids ...document.ID) image.Rectangle {
	v.t.Helper()
	return v.w.project(v.w.s.Scene().BoundsOf(ids...))
}

// changedWithin checks by two pictures that the level looks otherwise in a place
// and nowhere else.
func (v *village) changedWithin(what string, before, after *image.NRGBA, place image.Rectangle) {
	v.t.Helper()
	view := v.w.shell.Viewport()
	if d := differing(before, after, view, tolerance, place); d.n > 0 {
		v.wrong("%s: beside %v, where it is seen, %v", what, place, d)
	}
	if d, least := differing(before, after, place.Intersect(view), tolerance), place.Dx()*place.Dy()/8; d.n < least {
		v.wrong("%s: %d pixels changed within %v, expected at least %d", what, d.n, place, least)
	}
}

// rendered is the level as it is saved, drawn by the program without a window.
func rendered(t *testing.T, path string, size image.Point, args ...string) *image.NRGBA {
	t.Helper()
	out := filepath.Join(t.TempDir(), "rendered.png")
	cli(t, append([]string{"render", path, "-o", out, "--size", fmt.Sprintf("%dx%d", size.X, size.Y)}, args...)...)
	return readPicture(t, out)
}

// showsRendered waits until the viewport shows what the program draws without a
// window, but for the places of but.
func (e *running) showsRendered(w *twin, m *image.NRGBA, but ...image.Rectangle) {
	e.t.Helper()
	view := w.shell.Viewport()
	whole := image.NewNRGBA(image.Rectangle{Max: w.size})
	for y := range m.Rect.Dy() {
		copy(whole.Pix[whole.PixOffset(view.Min.X, view.Min.Y+y):], m.Pix[m.PixOffset(0, y):][:4*m.Rect.Dx()])
	}
	e.shows(whole, view, but...)
}

// TestThingsInWindow works on a village as a user does.
func TestThingsInWindow(t *testing.T) {
	v := openVillage(t)
	part := func(name string, do func()) {
		t.Helper()
		ok := t.Run(name, func(inner *testing.T) {
			v.desk.t, v.w.t = inner, inner
			defer func() { v.desk.t, v.w.t = t, t }()
			do()
		})
		if !ok {
			t.FailNow() // what follows begins with what this leaves
		}
	}
	part("place", v.testPlace)
	part("move", v.testMove)
	part("drop", v.testDrop)
	part("outliner", v.testOutliner)
	part("inspector", v.testInspector)
	part("walk", v.testWalk)
	part("source", v.testSource)
	part("scatter", v.testScatter)
}

// An asset that is chosen is placed where the ground is clicked, and the saved level
// has it.
func (v *village) testPlace() {
	w := v.w
	before := v.shot()
	at := w.spot(0.3, 0.75)
	v.both("o", "mode name=object")
	v.clickBoth(v.house, at)
	v.looks() // with what would be placed
	v.keep("1-ghost.png")
	v.click(at)
	w.pull(at)
	v.looks()
	v.keep("2-placed.png")
	v.titled("• village – Ridgeline")
	v.agrees("placing")

	v.alone()
	v.looks()
	after := v.shot()
	keepPicture(v.t, after, "3-after.png")
	body := v.body(houseID).Inset(-3)
	v.changedWithin("a placed house", before, after, body)
	if !at.In(body) {
		v.wrong("the click was at %v, but the house is seen at %v", at, body)
	}
	// Around the level, only what tells of the level, of edits and of the asset.
	column := image.Rect(w.shell.Viewport().Max.X, w.shell.Viewport().Min.Y, w.size.X, w.size.Y)
	title := image.Rect(w.find("Help").Max.X, 0, w.size.X, w.find("Help").Max.Y)
	assets := image.Rect(0, w.find("Search the assets").Min.Y, w.shell.Viewport().Min.X, w.size.Y)
	if d := differing(before, after, w.aboveStatus(), tolerance, w.shell.Viewport(), column, title, assets, w.find("Undo")); d.n > 0 {
		v.wrong("a placed house: around the level, %v", d)
	}

	v.saveLevel(v.path)
	v.titled("village – Ridgeline")
	ground := w.ground(at)
	l, _ := load(v.t, v.path, false)
	e, ok := l.Entity(houseID)
	if !ok || l.Len() != 2 {
		v.t.Fatalf("the saved level has %d things, expected the barn and the house:\n%s", l.Len(), described(l))
	}
	if d := e.Translation.Sub(ground).Len(); d > 1e-6 {
		v.wrong("the house stands at %v, expected %v, where the click was", e.Translation, ground)
	}
	if y := heightAt(v.t, v.path, e.Translation[0], e.Translation[2]); mgl64.Abs(e.Translation[1]-y) > 1e-4 {
		v.wrong("the house stands at the height %v, but the ground there at %v", e.Translation[1], y)
	}
	var facts struct{ Objects, Entities int }
	if err := json.Unmarshal(cli(v.t, "info", v.path, "--json"), &facts); err != nil {
		v.t.Fatal(err)
	}
	if facts.Objects != 2 || facts.Entities != 2 {
		v.wrong("info counts %+v, expected 2 objects", facts)
	}
	w.s.Document().MarkSaved(w.s.Document().State())
	v.dismissed("Saved village: 1.2 kB in 1 file.")
	v.looks()
	v.showsRendered(w, rendered(v.t, v.path, w.shell.Viewport().Size()))
}

// grip is a pixel of the arm of a thing's handles along X, and how many pixels a
// metre along X is there.
func (v *village) grip(id document.ID) (p image.Point, metre float64) {
	v.t.Helper()
	e, ok := v.w.s.Level().Entity(id)
	if !ok {
		v.t.Fatalf("the twin has no thing %d", id)
	}
	rig := &v.w.s.View.Rig
	project := func(p mgl64.Vec3) mgl64.Vec2 {
		at, _, ok := rig.Project(p, rig.Size)
		if !ok {
			v.t.Fatalf("%v is not in view", p)
		}
		return at
	}
	metre = project(e.Translation.Add(mgl64.Vec3{1, 0, 0})).Sub(project(e.Translation)).Len()
	const along = 55 // pixels, of the arm's 84
	return v.w.pixel(e.Translation.Add(mgl64.Vec3{along / metre, 0, 0})), metre
}

// The handles move what is selected along one axis: by the pointer or by a number,
// and not at all after Esc. Each is one step of the history.
func (v *village) testMove() {
	w := v.w
	before := v.shot()
	body := v.body(houseID)
	middle := body.Min.Add(body.Size().Div(2))
	v.click(middle)
	w.pull(middle)
	w.mouse(pointer.Move, middle, 0)
	v.looks()
	selected := v.shot()
	keepPicture(v.t, selected, "1-selected.png")
	if d := differing(before, selected, body.Inset(-4), tolerance); d.n < body.Dx() {
		v.wrong("the selected house does not stand out: %v", d)
	}
	v.both("w", "gizmo name=move")

	start := v.entity(houseID)
	grip, metre := v.grip(houseID)
	const by = 90
	way := []image.Point{grip, grip.Add(image.Pt(by/3, 0)), grip.Add(image.Pt(by, 0))}
	v.do(pulled(way...)...)
	w.pull(way...)
	v.titled("• village – Ridgeline")
	v.agrees("dragging the arrow")
	v.looks()
	v.keep("2-moved.png")
	moved := v.entity(houseID)
	d := moved.Translation.Sub(start.Translation)
	if d[1] != 0 || d[2] != 0 || mgl64.Abs(d[0]*metre-by) > 2 {
		v.wrong("the arrow was dragged by %d pixels of %v m, and the house moved by %v m", by, 1/metre, d)
	}
	if moved.Rotation != start.Rotation || moved.Scale != start.Scale {
		v.wrong("moving turned or scaled the house: %+v, before %+v", moved, start)
	}

	// back checks that a step, and no more, is taken back.
	back := func(how string) {
		v.t.Helper()
		v.both("ctrl+z", "undo")
		v.titled("village – Ridgeline")
		if now := v.entity(houseID); now.Translation != start.Translation {
			v.wrong("after %s and undo, the house is at %v, expected %v", how, now.Translation, start.Translation)
		}
	}
	back("dragging")
	v.looks()

	v.do("mousemove", grip.X, grip.Y, "mousedown", 1, "mousemove", grip.X+20, grip.Y,
		"key", "7", "key", "period", "key", "5", "key", "Return", "mouseup", 1)
	v.titled("• village – Ridgeline")
	want := start.Translation.Add(mgl64.Vec3{7.5, 0, 0})
	if now := v.entity(houseID); now.Translation.Sub(want).Len() > 1e-12 {
		v.wrong("after typing 7.5, the house is at %v, expected %v", now.Translation, want)
	}
	v.keep("3-typed.png")
	w.run("object.move by=7.5,0,0")
	back("typing")

	asleep := v.shot()
	v.do("mousemove", grip.X, grip.Y, "mousedown", 1, "mousemove", grip.X+by, grip.Y)
	v.eventually("the house does not follow the pointer", func() error {
		now, err := v.x.Capture(v.window)
		if err == nil && differing(asleep, now, body, tolerance).n < body.Dx() {
			err = fmt.Errorf("where it was, nothing changed")
		}
		return err
	})
	v.keep("4-held.png")
	v.do("key", "Escape", "mouseup", 1)
	if now := v.entity(houseID); now.Translation != start.Translation {
		v.wrong("after Esc, the house is at %v, expected %v", now.Translation, start.Translation)
	}
	v.titled("village – Ridgeline")
	v.alone()
	v.looks()
}

// A card that is dragged over the level shows what would be placed, and is placed
// where it is let go. Deleted things come back with their ids.
func (v *village) testDrop() {
	w := v.w
	at := w.spot(0.74, 0.72)
	before := described(v.newest())
	// As a hand does, in more than one frame.
	v.do("mousemove", v.tree.X, v.tree.Y, "mousedown", 1, "mousemove", v.tree.X+30, v.tree.Y-10, "sleep", 0.3,
		"mousemove", at.X-8, at.Y, "sleep", 0.3, "mousemove", at.X, at.Y)
	w.stamp += 1e9
	w.mouse(pointer.Move, v.tree, 0)
	w.mouse(pointer.Press, v.tree, pointer.ButtonPrimary)
	w.mouse(pointer.Move, v.tree.Add(image.Pt(30, -10)), pointer.ButtonPrimary)
	w.mouse(pointer.Move, at, pointer.ButtonPrimary)
	v.looks()
	v.keep("1-carried.png")
	if now := described(v.newest()); now != before {
		v.wrong("carrying a card changed the level:\n%sbefore\n%s", now, before)
	}
	v.do("mouseup", 1)
	w.mouse(pointer.Release, at, 0)
	w.settle()
	v.looks()
	v.keep("2-dropped.png")
	v.agrees("dropping a card")
	tree := v.entity(treeID)
	if o, ok := document.ObjectOf(&tree); !ok || o.Asset != "Pine" {
		v.wrong("the card of Pine made %+v", tree)
	}
	if ground := w.ground(at); tree.Translation.Sub(ground).Len() > 1e-6 {
		v.wrong("the tree stands at %v, expected %v, where it was dropped", tree.Translation, ground)
	}
	full := described(v.newest())

	v.both("Delete", "edit.delete")
	v.agrees("deleting")
	if now := described(v.newest()); now != before {
		v.wrong("after deleting what was placed, the level has\n%sexpected\n%s", now, before)
	}
	v.both("ctrl+z", "undo")
	if now := described(v.newest()); now != full {
		v.wrong("after undoing the deletion, the level has\n%sexpected\n%s", now, full)
	}
	v.alone()
	v.looks()
}

// A row selects, hides and renames its thing.
func (v *village) testOutliner() {
	w := v.w
	row := v.row("House")
	before := v.shot()
	v.clickBoth(row, v.away)
	v.looks()
	v.keep("1-selected.png")
	if got := w.s.Selection(); !slices.Equal(got, []document.ID{houseID}) {
		v.wrong("the row selects %v in the twin, expected the house", got)
	}

	body := v.body(houseID).Inset(-3)
	v.both("ctrl+shift+a", "select.none")
	v.clickBoth(w.middle("Hide House"), v.away)
	v.looks()
	hidden := v.shot()
	keepPicture(v.t, hidden, "2-hidden.png")
	v.changedWithin("the hidden house", before, hidden, body)
	if e := v.entity(houseID); !e.Hidden {
		v.wrong("the eye was clicked, but the level has the house as %+v", e)
	}
	v.clickBoth(w.middle("Show House"), v.away)
	v.looks()
	if d := differing(before, v.shot(), w.shell.Viewport(), 0); d.n > 0 {
		v.wrong("after hiding and showing the house %v", d)
	}

	v.clickBoth(row, v.away)
	v.do("key", "F2")
	v.typed("Cottage")
	v.keep("3-typed.png")
	v.do("key", "Return")
	w.run(fmt.Sprintf("object.set id=%d name=Cottage", houseID))
	v.agrees("renaming")
	v.looks()
	v.both("ctrl+z", "undo")
	v.agrees("undoing the name")
	v.alone()
	v.looks()
}

// row is the middle of a row of the outliner.
func (v *village) row(label string) image.Point {
	v.t.Helper()
	r := v.w.find("Hide " + label)
	return image.Pt(v.w.find("Outliner").Min.X+60, (r.Min.Y+r.Max.Y)/2)
}

// A drag on a number of the inspector changes what is selected as it goes, in one
// step of the history.
func (v *village) testInspector() {
	w := v.w
	v.clickBoth(v.row("House"), v.away)
	start := described(v.newest())
	number := w.middle("Position in the world X")
	way := []image.Point{number, number.Add(image.Pt(12, 0)), number.Add(image.Pt(40, 0))}
	v.do("mousemove", way[0].X, way[0].Y, "mousedown", 1, "mousemove", way[1].X, way[1].Y)
	v.rest() // so that it shows a value on the way
	v.keep("1-on-the-way.png")
	v.do("mousemove", way[2].X, way[2].Y, "mouseup", 1, "mousemove", v.away.X, v.away.Y)
	w.pull(way...)
	w.mouse(pointer.Move, v.away, 0)
	v.agrees("dragging a number")
	if now := described(v.newest()); now == start {
		v.wrong("dragging a number changed nothing")
	}
	v.looks()
	v.keep("2-dragged.png")
	v.both("ctrl+z", "undo")
	if now := described(v.newest()); now != start {
		v.wrong("after one undo the level has\n%sexpected\n%s", now, start)
	}
	v.alone()
	v.looks()
}
