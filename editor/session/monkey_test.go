package session

import (
	"context"
	"flag"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/editor/internal/xcall"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/editor/keymap"
	"ridgeline/editor/settings"
	"ridgeline/editor/tool"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// heldModels is a library that has what another has at the moment, and reads nothing.
type heldModels struct{ *library }

func (h heldModels) Model(a *document.Asset) *scene.Model {
	if st := h.models[a.File]; st != nil {
		return st.model
	}
	return nil
}

// standing lists what a scene holds, in an order that does not depend on slots.
func standing(s *scene.Scene) []string {
	var out []string
	cols, rows := s.ChunkGrid()
	for i := range cols * rows {
		out = append(out, fmt.Sprintf("chunk %d %v", i, s.Tree().Box(i)))
	}
	for i, it := range s.Items() {
		if it.ID != 0 {
			out = append(out, fmt.Sprintf("%d/%d %p %v %v %v %v %v %v %v %v %v %v", it.ID, it.Point, it.Model, it.World, it.Radius, it.Hidden,
				it.Locked, it.Missing, it.Geometry, it.Collision, it.Billboard, it.Box, s.Tree().Box(cols*rows+i)))
		}
	}
	for e := range s.Level().Entities() {
		if m, ok := s.Mark(e.ID); ok {
			out = append(out, fmt.Sprintf("mark %d %v %v %v %v %v %v", m.ID, m.Points, m.Name, m.Color, m.Shape, m.Hidden, m.Locked))
		}
	}
	slices.Sort(out)
	return out
}

// monkey plays with a session.
type monkey struct {
	*rig
	*rapid.T
	dir      string
	clock    time.Duration
	at       mgl64.Vec2
	down     Buttons
	revision int
	base     *document.Level // before the first step of the document
	pressed  *document.Level // when the drag began
	log      []string
}

func (m *monkey) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

func (m *monkey) failed(format string, args ...any) {
	m.T.Helper()
	m.T.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(m.log, "\n"))
}

// one draws one of several, all as likely.
func one[V any](m *monkey, what string, vs ...V) V { return rapid.SampledFrom(vs).Draw(m.T, what) }

// pixels draws a distance on the screen. Ranges would give small ones far too often.
func (m *monkey) pixels(lo, hi int, what string) float64 {
	const step = 3.7
	list := make([]float64, int(float64(hi-lo)/step))
	for i := range list {
		list[i] = float64(lo) + step*float64(i)
	}
	return one(m, what, list...)
}

// aim chooses where the pointer goes: anywhere, or to a thing, or to the handles of
// what is selected.
func (m *monkey) aim() {
	at := mgl64.Vec2{m.pixels(-60, 860, "x"), m.pixels(-60, 660, "y")}
	ids := m.Selection()
	if len(ids) > 0 && one(m, "handle", true, false) {
		p, _, ok := m.View.Rig.Camera.Project(command.Pivot(m.Level(), ids), m.View.sizeVec())
		first := rapid.IntRange(0, 400).Draw(m.T, "first")
		for i := range 60 {
			sin, cos := math.Sincos(float64(first+i) * 2.4)
			at := p.Add(mgl64.Vec2{cos, sin}.Mul(float64((first + i) % 130)))
			if ok && m.onHandle(Pointer{X: at[0], Y: at[1]}) {
				m.at = at
				return
			}
		}
	}
	if len(ids) == 0 || one(m, "thing", true, false) {
		ids = nil
		for e := range m.Level().Entities() {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) > 0 && rapid.IntRange(0, 3).Draw(m.T, "near") > 0 {
		id := one(m, "aim", ids...)
		if p, _, ok := m.View.Rig.Camera.Project(command.Pivot(m.Level(), []document.ID{id}), m.View.sizeVec()); ok {
			at = p
			if one(m, "beside", true, false) {
				at = at.Add(mgl64.Vec2{m.pixels(-110, 110, "dx"), m.pixels(-110, 110, "dy")})
			}
		}
	}
	m.at = at
}

func (m *monkey) pass() time.Duration {
	m.clock += one(m, "passes", 0, time.Millisecond, 16*time.Millisecond, 300*time.Millisecond, 3*time.Second, time.Hour, -time.Second)
	return m.clock
}

func (m *monkey) mods() tool.Modifiers {
	return tool.Modifiers(one(m, "mods", 0, 0, 0, 1, 2, 3, 4, 6))
}

func (m *monkey) pointer(k PointerKind, b Buttons) {
	p := Pointer{Kind: k, X: m.at[0], Y: m.at[1], Button: b, Mods: m.mods(), Time: m.pass()}
	if k == PointerScroll {
		p.Scroll = one(m, "scroll", 1., -1, 0.1, 40, -40, 1000, -1000)
	}
	m.note("pointer %+v in the mode %s", p, m.Mode)
	free := m.drag == nil
	before := m.Level()
	m.Pointer(p)
	if free && m.drag != nil {
		m.pressed = before
	}
}

// frame is what the window asks in each frame.
func (m *monkey) frame() {
	now := m.pass()
	m.note("tick %v", now)
	m.Tick(now)
	m.Ring()
	f := m.View.Rig.Camera.Frustum(m.View.sizeVec())
	var shapes overlay.Shapes
	m.AppendShapes(&shapes, &f)
	m.Labels()
	m.Marquee()
	m.Cursor()
	m.Under()
	m.Doing()
	m.Count()
	m.MissingAssets()
	m.SaveState()
	if m.Shown("overlay nodes") {
		m.Nodes.Stats()
		m.Nodes.Under()
		m.Nodes.UnderEntries()
	}
	for _, id := range m.Selection() {
		m.Highlight(id)
	}
	m.Fixed(m.Selection())
	for _, c := range m.Env.Registry.All() {
		_ = m.Why(c.ID)
	}
}

// lines are commands that matter during drags, and short forms of what is rare
// among all.
var monkeyLines = []string{
	"undo", "undo", "undo", "redo", "redo", "history.goto 0", "edit.delete", "edit.duplicate", "edit.group", "edit.ungroup",
	"edit.hide", "edit.lock", "edit.showall", "edit.ground", "edit.unparent", "edit.mirror x", "select.all", "select.none",
	"select.similar", "gizmo move", "gizmo rotate", "gizmo scale", "gizmo.space other", "snap.toggle",
	"snap.set grid=1 vertex=yes surface=yes align=yes", "mode select", "mode select", "mode sculpt", "mode paint", "mode object",
	"mode marker", "mode measure", "mode walk", "place.with brush", "place.with click", "place.asset Box", "strew.asset Box",
	"marker.shape line", "marker.shape area", "marker.shape point", "marker.finish", "marker.giveup", "walk.collision",
	"view.overlay nodes", "view.overlay bounds", "nodes.pin", "nodes.show of=mesh", "nodes.show of=level", "nodes.show colour=verdict",
	"view.from top", "view.from front", "view.from perspective", "view.selection", "app.bake", "app.reload Box", "asset.import box.glb",
	"asset.import tent.obj", "asset.reload Box", "asset.relink name=Box file=tent.obj", "asset.remove Box", "asset.import bad.glb",
	"object.place asset=Box at=30,30", "object.place asset=Box at=40,20,30 scale=1,-1,1", "terrain.resize", "app.save", "app.new",
	"app.saveas", "app.open", "app.import", "app.assets", "app.relink Box", "app.quit", "file.open other.ridge", "file.open locked.ridge",
	"file.open none.ridge", "file.open bad.ridge", "file.saveas saved", "app.exportto out.glb",
}

// skipped are commands that take too long for what they test here.
var skipped = []string{"app.sample"}

func (m *monkey) run(line string) {
	m.note("run %s", line)
	if err := m.Execute(line); err != nil {
		m.note("  %v", err)
	}
}

func (m *monkey) anyCommand() {
	var all []*command.Command
	for _, c := range m.Env.Registry.All() {
		if !slices.Contains(skipped, c.ID) {
			all = append(all, c)
		}
	}
	call := xcall.Draw(m.T, one(m, "command", all...), m.Level())
	m.run(call.String())
}

// files changes what lies on the disk.
func (m *monkey) files() {
	what := one(m, "file", "box as tent", "bad", "gone", "back", "watch", "assets gone", "tent")
	m.note("files: %s", what)
	path := filepath.Join(m.dir, "box.glb")
	box, err := os.ReadFile(filepath.Join(m.dir, "folder", "box.glb"))
	if err != nil {
		m.failed("%v", err)
	}
	switch what {
	case "bad":
		err = os.WriteFile(path, box[:len(box)/2], 0o666)
	case "gone":
		if err = os.Remove(path); os.IsNotExist(err) {
			err = nil
		}
	case "back":
		err = os.WriteFile(path, box, 0o666)
	case "box as tent":
		err = os.WriteFile(path, append(slices.Clone(box), 0, 0, 0, 0), 0o666)
	case "tent":
		err = os.WriteFile(filepath.Join(m.dir, "tent.obj"), fmt.Appendf(nil, "v 0 0 0\nv 1 0 0\nv 0 %d 1\nf 1 2 3\n", rapid.IntRange(0, 9).Draw(m.T, "height")), 0o666)
	case "watch":
		m.watchOnce()
	case "assets gone":
		if home := m.assetHome(); home != "" {
			err = os.RemoveAll(filepath.Join(store.Folder(home), "assets"))
		}
	}
	if err != nil {
		m.failed("%v", err)
	}
}

// dialogs answers what the editor asks.
func (m *monkey) dialogs() {
	if q := m.Question(); q != nil {
		i := rapid.IntRange(-1, len(q.Answers)).Draw(m.T, "answer")
		m.note("%q: answer %d", q.Title, i)
		m.Answer(i)
	}
	if p := m.Prompt(); p != nil {
		text := one(m, "path", "box.glb", "tent.obj", "new", "other.ridge", "none.glb", "", ".", "h.asc", "\x00")
		m.note("%q: %q", p.Title, text)
		p.Completions(text)
		if err := m.AnswerPrompt(text); err != nil {
			m.note("  %v", err)
		}
		if one(m, "give up", true, false) {
			m.CancelPrompt()
		}
	}
	if k := m.Maker(); k != nil {
		k.Cols, k.Rows, k.Spacing = one(m, "cols", 2, 65, 0), 33, one(m, "spacing", 1., math.NaN(), 1e-9)
		m.note("make %+v", *k)
		m.Make()
		if one(m, "close", true, false) {
			m.CancelMaker()
		}
	}
	if im := m.Importer(); im != nil {
		m.note("import %+v", *im)
		m.Import()
		if one(m, "close", true, false) {
			m.CancelImport()
		}
	}
}

// act does one thing.
func (m *monkey) act() {
	switch rapid.IntRange(0, 19).Draw(m.T, "act") {
	case 0, 1, 2:
		if one(m, "aim", true, true, false) {
			m.aim()
			m.pointer(PointerMove, 0)
		}
		b := one(m, "button", Left, Left, Left, Left, Right, Middle, Left|Right)
		m.down |= b
		m.pointer(PointerPress, b)
	case 3, 4:
		m.aim()
		m.pointer(PointerMove, 0)
	case 5:
		m.pointer(PointerRelease, m.down)
		m.down = 0
	case 6:
		m.pointer(one(m, "kind", PointerScroll, PointerLeave, PointerCancel), 0)
	case 7, 8:
		m.frame()
	case 9, 10, 11, 12:
		m.run(one(m, "line", monkeyLines...))
	case 13, 14:
		m.anyCommand()
	case 15:
		if one(m, "bound", true, false) {
			line := one(m, "action", m.Keys.Actions()...)
			for _, c := range m.Keys.Chords(line) {
				m.note("key %+v", c)
				m.Key(c)
			}
			break
		}
		c := keymap.Chord{Key: one(m, "key", "Esc", "Enter", "Tab", "Backspace", "1", "-", ".", "9", "F", "W", "X", "", "é"), Ctrl: one(m, "ctrl", false, false, true)}
		m.note("key %+v", c)
		dragged, from := m.drag != nil, m.pressed
		m.Key(c)
		if c == (keymap.Chord{Key: "Esc"}) {
			switch {
			case m.drag != nil || m.Document().Editing():
				m.failed("an edit is open after Esc")
			case dragged && m.Level() != from:
				m.failed("Esc does not give back the level from before the drag")
			}
		}
	case 16:
		if m.Doing() == Handling && one(m, "type", true, false) {
			for range rapid.IntRange(1, 5).Draw(m.T, "keys") {
				k := one(m, "typed", "1", "0", "9", "-", ".", "Tab", "Backspace", "Enter", "X", "Y", "e")
				m.note("key %s", k)
				m.Key(keymap.Chord{Key: k})
			}
			break
		}
		if one(m, "all", true, false) {
			lines := []string{one(m, "first", monkeyLines...), one(m, "second", monkeyLines...)}
			m.note("run as one: %q", lines)
			m.RunAll("Both", lines...)
			m.ChoosePoint(MarkerPoint{Marker: document.ID(rapid.IntRange(0, 9).Draw(m.T, "marker")), Point: rapid.IntRange(-1, 3).Draw(m.T, "point")})
			break
		}
		k, down := one(m, "control", "W", "A", "S", "D", "E", "Q", "F", "?"), one(m, "down", true, false)
		m.note("hold %s %v", k, down)
		m.Hold(k, down)
		if one(m, "focus", true, true, true, false) {
			break
		}
		m.ReleaseHeld()
	case 17:
		m.files()
	case 18:
		name := one(m, "drop", "Box", "tent", "Tree", "Lost", "nothing")
		m.aim()
		m.note("drop %s at %v", name, m.at)
		switch one(m, "dropping", "drag", "drop", "cancel", "import") {
		case "drag":
			m.DragAsset(name, m.at[0], m.at[1])
		case "drop":
			m.DropAsset(name, m.at[0], m.at[1])
		case "cancel":
			m.CancelDropAsset()
		case "import":
			m.ImportAsset(filepath.Join(m.dir, one(m, "which", "box.glb", "tent.obj", "bad.glb")), func(name string) { m.DropAsset(name, m.at[0], m.at[1]) })
		}
	case 19:
		if one(m, "small", true, true, true, false) {
			m.dialogs()
			break
		}
		size := one(m, "size", image.Pt(800, 600), image.Pt(0, 0), image.Pt(1, 900), image.Pt(5000, 2))
		m.note("resize %v", size)
		m.Resize(size, one(m, "scale", float32(1), 2, 0.5))
	}
	m.dialogs()
	switch one(m, "background", "waits", "waits", "one", "all") {
	case "one":
		m.mu.Lock()
		var fn func()
		if len(m.todo) > 0 {
			fn, m.todo = m.todo[0], m.todo[1:]
		}
		m.mu.Unlock()
		if fn != nil {
			m.note("something in the background ends")
			fn()
		}
	case "all":
		m.note("everything in the background ends")
		m.idle()
	}
}

// check holds what must be true at any moment.
func (m *monkey) check() {
	doc := m.Document()
	if m.Revision() != m.revision {
		m.revision, m.base, m.pressed = m.Revision(), m.Level(), nil
		if doc.Position() != 0 {
			m.failed("a level begins with steps")
		}
	}
	for _, n := range m.TakeNotices() {
		m.note("  told: %s", n.Text)
		if strings.Contains(n.Text, "inside the editor") || strings.Contains(n.Text, "panic") {
			m.failed("%s", n.Text)
		}
	}
	for _, l := range m.log {
		if strings.Contains(l, "inside the editor") {
			m.failed("%s", l)
		}
	}
	if err := m.Level().Validate(); err != nil {
		m.failed("the level is invalid: %v", err)
	}
	if m.drag == nil && doc.Editing() {
		m.failed("an edit is open without a drag")
	}
	sel := m.Selection()
	for i, id := range sel {
		if _, ok := m.Level().Entity(id); !ok || i > 0 && sel[i-1] >= id {
			m.failed("the selection is %v", sel)
		}
	}
	fresh := scene.New(heldModels{&m.library})
	fresh.Update(m.Level(), nil)
	if m.scene.Level() != m.Level() && !doc.Editing() { // a step of a drag that changes nothing is not told
		m.failed("the scene is of another level")
	}
	got, want := standing(m.scene), standing(fresh)
	if !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				m.failed("the scene holds\n%s\nexpected\n%s", got[i], want[i])
			}
		}
		m.failed("the scene holds %d things, expected %d", len(got), len(want))
	}
	if m.scene.Counts() != fresh.Counts() || m.scene.Bounds() != fresh.Bounds() {
		m.failed("the scene counts %+v in %v, expected %+v in %v", m.scene.Counts(), m.scene.Bounds(), fresh.Counts(), fresh.Bounds())
	}
	e := m.View.Rig.Eye
	if !document.InReach(e[:]...) || math.IsNaN(m.View.Rig.Yaw+m.View.Rig.Pitch) {
		m.failed("the camera is at %v, turned %v, %v", e, m.View.Rig.Yaw, m.View.Rig.Pitch)
	}
	c := m.View.Rig.Camera
	f, middle := c.Frustum(m.View.sizeVec()), e.Add(m.View.Rig.Forward().Mul((c.Near+c.Far)/2))
	if f.Box(geom.BoxOf(middle)) == geom.Outside {
		m.failed("the camera does not see what is in front of it: %+v", c)
	}
}

// end gives everything up and undoes and redoes it all.
func (m *monkey) end() {
	m.idle()
	for m.Question() != nil {
		m.Ask(Question{Answers: []Answer{{}}})
		m.Answer(0)
	}
	for range 3 {
		m.Key(keymap.Chord{Key: "Esc"})
	}
	m.idle()
	m.check()
	doc := m.Document()
	if m.drag != nil || doc.Editing() || m.Busy() || m.marker.Pending() != 0 {
		m.failed("something is open at the end")
	}
	after, steps := saved(m.T, m.Level()), doc.Position()
	all := len(doc.History())
	for doc.Position() > 0 {
		if _, ok := doc.Undo(); !ok {
			m.failed("cannot undo")
		}
	}
	m.check()
	if names := differ(saved(m.T, m.Level()), saved(m.T, m.base)); len(names) > 0 {
		m.failed("undoing everything does not give the level as it was: %q differ", names)
	}
	for doc.Position() < all {
		if _, ok := doc.Redo(); !ok {
			m.failed("cannot redo")
		}
	}
	m.check()
	doc.JumpTo(steps)
	m.check()
	if names := differ(saved(m.T, m.Level()), after); len(names) > 0 {
		m.failed("redoing everything does not give the level as it became: %q differ", names)
	}
}

// monkeyFiles makes the files that the monkey plays with.
func monkeyFiles(t rapid.TB, dir string, box []byte, l *document.Level) *store.Lock {
	t.Helper()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"box.glb", "tree.glb", "folder/tree.glb", "folder/box.glb"} {
		write(name, box)
	}
	write("bad.glb", box[:len(box)/2])
	write("bad.ridge", []byte("{"))
	write("h.asc", []byte("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n4 5 6\n"))
	write("tent.obj", []byte("v 0 0 0\nv 1 0 0\nv 0 1 1\nf 1 2 3\n"))
	for _, name := range []string{"other.ridge", "locked.ridge"} {
		if _, _, err := store.Save(context.Background(), filepath.Join(dir, name), l, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := store.TakeLock(filepath.Join(dir, "locked.ridge"))
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

// Whatever is pressed, typed, run and opened in whatever order, the editor goes on:
// nothing panics, no edit stays open, everything can be undone to the byte, and what
// stands in the scene is what the level says.
func TestMonkey(t *testing.T) {
	box, err := os.ReadFile(boxFile)
	if err != nil {
		t.Fatal(err)
	}
	soak := os.Getenv("RIDGELINE_SOAK") != ""
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "30"} {
		f := flag.Lookup(name)
		if soak && name == "rapid.seed" || f.Value.String() != f.DefValue {
			continue // another seed each time
		}
		if soak {
			value = "5000"
		} else if testing.Short() && name == "rapid.checks" {
			value = "10"
		}
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Value.Set(before) })
	}
	first := xlevel.Rich(t)
	t.Chdir(t.TempDir())
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(outer.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Chdir(dir); err != nil {
			t.Fatal(err)
		}
		lock := monkeyFiles(t, dir, box, first)
		defer lock.Release()
		m := &monkey{rig: &rig{t: outer, more: make(chan struct{}, 1)}, T: t, dir: dir, at: mgl64.Vec2{400, 300}}
		home := filepath.Join(dir, "home")
		dirs := settings.Dirs{Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}
		o := Options{Dirs: dirs, Post: m.post}
		if one(m, "temporary", true, true, false) { // which writes far less
			o.Temporary, o.Path = true, filepath.Join(dir, "level.ridge")
		}
		m.Session = New(first, o)
		defer m.Close()
		m.revision, m.base = m.Revision(), first
		m.Resize(image.Pt(800, 600), 1)
		m.View.Place(mgl64.Vec3{30, 60, 120}, mgl64.Vec3{30, 0, 50})
		m.Execute("asset.import box.glb")
		m.idle()
		m.frame()
		for range rapid.IntRange(1, 60).Draw(t, "acts") {
			m.act()
			m.check()
		}
		m.end()
	})
}
