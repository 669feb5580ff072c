package panel

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/io/semantic"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/terrain/brush"
	"ridgeline/widgets/widgettest"
)

// stroke is an edit to undo.
const stroke = "terrain.stroke op=raise at=20,20 to=60,60 radius=10 strength=1"

// TestMenusRunCommands checks that every item of every menu is a line that can run.

func TestMenusRunCommands(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.Memory.Recent = []string{"/levels/alps.ridge", "/old levels/alps.ridge"}
	r.Frame()
	for _, m := range r.shell.menus.build() {
		items := m.Items
		for _, it := range m.Items {
			items = append(items, it.Items...)
		}
		for _, it := range items {
			if it.Separator || len(it.Items) > 0 || strings.HasPrefix(it.ID, "window:") {
				continue
			}
			call, err := command.Parse(it.ID)
			if err == nil {
				_, err = r.s.Env.Registry.Check(call)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", m.Title, it.Title, err)
			}
		}
	}
}

func TestMenuItems(t *testing.T) {
	for _, c := range []struct {
		path   []string
		before string
		check  func(r *rig) string // what is wrong
	}{
		{path: []string{sFile, "New level…"}, check: func(r *rig) string { return want(r.s.Maker() != nil, "the dialog") }},
		{path: []string{sFile, "Open…"}, check: func(r *rig) string { return want(r.s.Prompt() != nil, "the prompt") }},
		{path: []string{sFile, "Save"}, check: func(r *rig) string { return want(r.s.Prompt() != nil, "the prompt") }},
		{path: []string{sFile, "Save as…"}, check: func(r *rig) string { return want(r.s.Prompt() != nil, "the prompt") }},
		{path: []string{sFile, "Import a heightmap…"}, check: func(r *rig) string { return want(r.s.Prompt() != nil, "the prompt") }},
		{path: []string{sFile, "Export…"}, check: func(r *rig) string { return want(r.s.Prompt() != nil, "the prompt") }},
		{path: []string{sFile, "Quit"}, before: stroke, check: func(r *rig) string { return want(r.s.Question() != nil, "a question") }},
		{path: []string{sEdit, "Undo “Raise ground”"}, before: stroke, check: func(r *rig) string { return want(r.s.Document().Position() == 0, "undone") }},
		{path: []string{sEdit, "Redo “Raise ground”"}, before: stroke + "; undo", check: func(r *rig) string { return want(r.s.Document().Position() == 1, "redone") }},
		{path: []string{sView, sWire}, check: func(r *rig) string { return want(r.s.Shown("overlay wire"), "shown") }},
		{path: []string{sView, sBounds}, check: func(r *rig) string { return want(r.s.Shown("overlay bounds"), "shown") }},
		{path: []string{sView, sTop}, check: func(r *rig) string { return want(viewOf(r.s) == viewTop, "from the top") }},
		{path: []string{sView, sFront}, check: func(r *rig) string { return want(viewOf(r.s) == viewFront, "from the front") }},
		{path: []string{sView, sSide}, check: func(r *rig) string { return want(viewOf(r.s) == viewSide, "from the side") }},
		{path: []string{sView, sPersp}, before: "view.from name=top", check: func(r *rig) string { return want(viewOf(r.s) == viewPerspective, "perspective") }},
		{path: []string{sView, sDetail, detailTitle(5)}, check: func(r *rig) string { return want(r.s.Settings.View.MaxError == 5, "5 px") }},
		{path: []string{sView, sPanels, sHistory}, check: func(r *rig) string { return want(!r.s.Shown(panelHistory) && !r.Has("12:00"), "hidden") }},
		{path: []string{sView, sPanels, sConsole}, check: func(r *rig) string { return want(r.Has("Console input"), "shown") }},
		{path: []string{sTerrain, "Paint"}, check: func(r *rig) string { return want(r.s.Mode == session.ModePaint, "the mode paint") }},
		{path: []string{sTerrain, "Flatten"}, check: func(r *rig) string {
			return want(r.s.Mode == session.ModeSculpt && r.s.Sculpt.Op == brush.Flatten, "flatten")
		}},
		{path: []string{sTerrain, sBake}, check: func(r *rig) string {
			r.settle()
			return want(r.s.Level().Settings.Sun.Baked, "baked light")
		}},
		{path: []string{sHelp, sPalette}, check: func(r *rig) string { return want(r.shell.palette.view.IsOpen(), "the palette") }},
		{path: []string{sHelp, sKeyList}, check: func(r *rig) string { return want(r.Has("Dialog: "+sKeyList), "the list") }},
		{path: []string{sHelp, sAboutTitle}, check: func(r *rig) string { return want(r.Has("Dialog: "+sProgram), "the dialog") }},
	} {
		t.Run(strings.Join(c.path, "/"), func(t *testing.T) {
			r := newRig(t, 1280, 720, 1)
			if c.before != "" {
				r.s.Run(c.before)
				r.Frame()
			}
			r.menu(c.path...)
			if bad := c.check(r); bad != "" {
				t.Error(bad)
			}
			r.noErrors()
		})
	}
}

func want(ok bool, what string) string {
	if ok {
		return ""
	}
	return "expected " + what
}

func TestToolbar(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	for _, m := range session.Modes {
		r.Click(m.Title)
		if r.s.Mode != m.Mode {
			t.Errorf("%s: the mode is %s", m.Title, r.s.Mode)
		}
	}
	r.s.Run(stroke)
	r.Frame()
	r.Click(sUndo)
	if r.s.Document().Position() != 0 {
		t.Error("not undone")
	}
	r.Click(sRedo)
	if r.s.Document().Position() != 1 {
		t.Error("not redone")
	}
	r.Click(sWire)
	r.Click(sBounds)
	if !r.s.Shown("overlay wire") || !r.s.Shown("overlay bounds") {
		t.Error("the overlays are not shown")
	}
	r.Click(sConsole)
	if !r.s.Shown(panelConsole) {
		t.Error("no console")
	}
	r.noErrors()
	r.Click(sSave)
	if r.s.Prompt() == nil {
		t.Error("saving a level without a file asks for none")
	}
}

func TestDisabledItemsSayWhy(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	if n := r.Find(sUndo); !n.Disabled {
		t.Error("undo can be pressed with nothing to undo")
	}
	r.Click(sEdit)
	n := r.Find(sUndo)
	if !n.Disabled || n.Description != "There is nothing to undo" {
		t.Errorf("found %+v", n)
	}
}

func TestSculptOptions(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Click("Sculpt")
	for _, op := range session.SculptOps {
		r.Click(opTitle(op))
		if r.s.Sculpt.Op != op {
			t.Errorf("%s does not choose itself", op)
		}
	}
	// Flatten has a weight and no opposite; the hints must not promise one.
	if r.Has(sOpposite) || hasFact(r, "Ctrl") || !r.Has(sStrength) {
		t.Error("flatten is offered an opposite or a strength in m/s")
	}
	r.Click("Raise")
	if !hasFact(r, "Ctrl") {
		t.Error("raise is not offered its opposite")
	}
	was := r.s.Brush.Radius
	r.Drag(sRadius+" slider", 20, 0)
	if r.s.Brush.Radius == was {
		t.Errorf("the radius stays %g", r.s.Brush.Radius)
	}
	r.Click(sRadius)
	r.Type("2500")
	r.Key(key.NameReturn, 0)
	if r.s.Brush.Radius != 2500 {
		t.Errorf("the radius is %g, though 2500 was typed", r.s.Brush.Radius)
	}
	if r.s.Document().Position() != 0 {
		t.Error("the options went into the history")
	}
}

func hasFact(r *rig, name string) bool {
	return slices.ContainsFunc(r.Nodes(), func(n widgettest.Node) bool { return n.Label == name && n.Class == semantic.Unknown })
}

func TestLayers(t *testing.T) {
	r := openRig(t, 1280, 720, 1)
	r.Click(sLayers)
	names := func() (out []string) {
		for _, l := range r.s.Level().Layers {
			out = append(out, l.Name)
		}
		return out
	}
	r.Click("Rock")
	if r.s.Paint.Layer != 1 || r.s.Mode != session.ModeSelect {
		t.Errorf("layer %d, mode %s", r.s.Paint.Layer, r.s.Mode)
	}
	r.DoubleClick("Dirt")
	r.Type("Wet \"dirt\"; deep")
	r.Key(key.NameReturn, 0)
	if got := names()[2]; got != "Wet \"dirt\"; deep" {
		t.Errorf("renamed to %q", got)
	}
	r.DoubleClick("Snow")
	r.Type("Ice")
	r.Click("Grass") // what was typed is kept
	if got := names()[3]; got != "Ice" {
		t.Errorf("renamed to %q", got)
	}
	r.s.Run("undo")
	r.Frame()
	r.Click(sAddLayer)
	r.Click("Rock")
	if got := names(); len(got) != 5 || got[4] != "Rock 2" || r.s.Level().Layers[4].Texture != "builtin:rock" {
		t.Errorf("layers %q", got)
	}
	if r.s.Paint.Layer != 4 {
		t.Errorf("the new layer is not chosen, but %d", r.s.Paint.Layer)
	}
	r.Click(sTexture)
	r.Click("Mud")
	if got := r.s.Level().Layers[4].Texture; got != "builtin:mud" {
		t.Errorf("texture %s", got)
	}
	r.Click(sRepeat)
	r.Type("12.5")
	r.Key(key.NameReturn, 0)
	if got := r.s.Level().Layers[4].UVScale; got != 12.5 {
		t.Errorf("scale %g", got)
	}
	r.Click("Paint")
	r.Click("Snow") // a picture in the options, or a row: either chooses
	if r.s.Paint.Layer != 3 || r.s.Mode != session.ModePaint {
		t.Errorf("layer %d, mode %s", r.s.Paint.Layer, r.s.Mode)
	}
	if n := r.s.Document().Position(); n != 4 {
		t.Errorf("%d steps, expected 4", n)
	}
	r.noErrors()
}

// A layer can be made of a picture file, and an existing one can be given one.
func TestLayersFromFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewNRGBA(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("moss.png", data.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	r := openRig(t, 1280, 720, 1)
	r.s.Run("app.save")
	r.Frame()
	r.Key(key.NameReturn, 0)
	r.settle()
	r.Click(sLayers)
	for _, click := range [][2]string{{sAddLayer, sFromFile}, {sTexture, sFromFile}} {
		r.Click(click[0])
		r.Click(click[1])
		r.Click("moss.png")
		r.Key(key.NameReturn, 0)
		if click[0] == sAddLayer {
			r.Click("Grass")
		}
	}
	r.settle()
	list := r.s.Level().Layers
	if len(list) != 5 || list[4].Name != "moss" || list[4].UVScale != 8 || !strings.HasPrefix(list[4].Texture, document.AssetPrefix) {
		t.Errorf("layers %+v", list)
	}
	if list[0].Texture != list[len(list)-1].Texture {
		t.Errorf("the grass has the texture %s", list[0].Texture)
	}
	r.noErrors()
}

func TestSunDragIsOneStep(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Click(sWorld)
	was := r.s.Level().Settings.Sun
	r.Press(sElevation)
	r.DragBy(-40, 0)
	if r.s.Level().Settings.Sun.Elevation == was.Elevation {
		t.Error("the drag does not show")
	}
	if n := len(r.s.Document().History()); n != 0 {
		t.Errorf("%d steps during the drag", n)
	}
	r.Release()
	if n := len(r.s.Document().History()); n != 1 {
		t.Errorf("%d steps after the drag, expected 1", n)
	}
	r.s.Run("undo")
	r.Frame()
	if got := r.s.Level().Settings.Sun; got.Elevation != was.Elevation {
		t.Errorf("undone to %v", got)
	}

	// Undo in the middle of a drag takes the drag back, and the rest of the drag
	// begins anew.
	r.Press(sElevation)
	r.DragBy(-40, 0)
	r.s.Run("undo")
	r.Frame()
	if got := r.s.Level().Settings.Sun; got.Elevation != was.Elevation {
		t.Error("undo did not take the drag back")
	}
	r.Release()

	r.Click(sAzimuth)
	r.Type("120")
	r.Key(key.NameReturn, 0)
	if got := degrees(r.s.Level().Settings.Sun.Azimuth); got != 120 {
		t.Errorf("azimuth %g, though 120 was typed", got)
	}
	r.Click(sBake)
	r.settle()
	if !r.s.Level().Settings.Sun.Baked || !r.Has(sBaked) {
		t.Error("the light is not baked")
	}
	r.noErrors()
}

func TestHistoryClick(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.work()
	r.Frame()
	r.Click(sHistory)
	r.Click("Smooth ground")
	if n := r.s.Document().Position(); n != 2 {
		t.Errorf("at step %d, expected 2", n)
	}
	if !r.Find("Smooth ground").Selected {
		t.Error("the step is not highlighted")
	}
	r.Click(sCreated)
	if r.s.Document().Position() != 0 || len(r.s.Document().History()) != 6 {
		t.Error("the first row does not go to the beginning")
	}
	r.Click("Flatten ground")
	if n := r.s.Document().Position(); n != 6 {
		t.Errorf("at step %d, expected 6", n)
	}
	// Home is the view's also after a click here: it does not undo everything.
	r.Key(key.NameHome, 0)
	if n := r.s.Document().Position(); n != 6 {
		t.Errorf("Home went to step %d", n)
	}
	r.Key(key.NameUpArrow, 0)
	if n := r.s.Document().Position(); n != 5 {
		t.Errorf("the arrow went to step %d, expected 5", n)
	}
}

// pointerAt sends a pointer event at a place of the viewport.

// TestNothingOverlaps lays the window out at many sizes: the viewport lies inside,

// is never painted over by a column, and never vanishes.

func TestNothingOverlaps(t *testing.T) {
	for _, scale := range []float32{1, 1.25, 2} {
		for _, size := range [][2]int{{960, 600}, {1280, 720}, {1920, 1080}, {700, 500}, {400, 300}} {
			r := newRig(t, size[0], size[1], scale)
			r.s.Run("view.panel name=console; mode name=sculpt")
			r.Frame()
			v := r.shell.Viewport()
			if v.Empty() || v.Min.X < 0 || v.Min.Y < 0 || v.Max.X > r.Size.X || v.Max.Y > r.Size.Y {
				t.Errorf("%v at %g: the viewport is %v", size, scale, v)
			}
			if size[0] >= 960 && (v.Dx() < int(400*scale) || !r.Has(sHistory)) {
				t.Errorf("%v at %g: the viewport is %v", size, scale, v)
			}
			for _, name := range []string{"Console input", sHistory, "Sculpt"} {
				if n, ok := r.Lookup(name); ok && n.Bounds.Overlaps(v) {
					t.Errorf("%v at %g: %s at %v lies over the viewport %v", size, scale, name, n.Bounds, v)
				}
			}
			if got := r.Find("Viewport").Bounds; got != v {
				t.Errorf("%v at %g: Viewport says %v and lies at %v", size, scale, v, got)
			}
		}
	}
}

func TestPanelsAreRemembered(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.Run("view.panel name=sun")
	r.Frame()
	r.Drag("Width of the panels", -50, 0)
	if !slices.Contains(r.s.Memory.Folded, panelSun) || r.s.Memory.Panels["side"] != sideWidth+50 {
		t.Errorf("remembered %+v", r.s.Memory)
	}
	again := New(r.s, r.shell.th)
	if r.s.Shown(panelSun) || again.side.Size != sideWidth+50 {
		t.Error("a new window forgets it")
	}
}

func TestOpenTabsAreRemembered(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Click(sHistory)
	r.Click(sByLayer)
	r.open(1280, 720, 1)
	r.Frame()
	if !r.Find(sHistory).Selected || !r.Find(sByLayer).Selected {
		t.Errorf("a new window forgets the tabs: %+v", r.s.Memory.Tabs)
	}
	r.Click(sInspector)
	r.Click(sAsTree)
	r.open(1280, 720, 1)
	r.Frame()
	if !r.Find(sInspector).Selected || !r.Find(sAsTree).Selected {
		t.Errorf("the first tabs are not remembered: %+v", r.s.Memory.Tabs)
	}
	// What no version of the program wrote does no harm.
	r.s.Memory.Tabs = map[string]string{tabsSide: "nothing", tabsOutliner: "nothing"}
	r.open(1280, 720, 1)
	r.Frame()
	if !r.Find(sInspector).Selected || !r.Find(sAsTree).Selected {
		t.Error("no tab is open")
	}
}

func TestToasts(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.Tell(session.Notice{Severity: session.Error, Text: "It failed.", Action: "Try again", Run: stroke})
	r.Frame()
	r.Click("Try again")
	if r.s.Document().Position() != 1 || r.Has("It failed.") {
		t.Error("the message's button does not run its line")
	}
}

func TestTaskCanBeCancelled(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	began := make(chan struct{})
	task := r.s.Start("Counting sheep", func(ctx context.Context, progress func(float64)) (func() error, error) {
		progress(0.25)
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}, nil)
	<-began
	r.Frame()
	if got, ok := task.Progress(); !ok || got != 0.25 {
		t.Errorf("progress %g", got)
	}
	r.Click("Cancel Counting sheep")
	r.settle()
	if r.Has("Counting sheep") {
		t.Error("the task is still shown")
	}
	r.noErrors()
}

func TestFrameTimeFits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		900 * time.Microsecond: "0.9 ms", 99900 * time.Microsecond: "99.9 ms", 808600 * time.Microsecond: "808 ms",
	} {
		if got := frameText(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestLongNamesAreCut(t *testing.T) {
	if got := clipText(strings.Repeat("ä", 100), 20); len([]rune(got)) != 20 {
		t.Errorf("%q", got)
	}
	if got := freeName([]document.Layer{{Name: "Rock"}, {Name: "Rock 2"}}, "Rock"); got != "Rock 3" {
		t.Errorf("%q", got)
	}
}

func TestIdleWindowAsksForNoFrame(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.work()
	r.Wait(10e9)
	r.Wait(10e9)
	if at, ok := r.Router.WakeupTime(); ok {
		t.Errorf("the next frame is wanted at %v", at)
	}
}

// BenchmarkLayout is the cost of laying out the whole window when nothing happens.
func BenchmarkLayout(b *testing.B) {
	r := openRig(b, 1920, 1080, 1)
	r.work()
	r.s.Run("mode name=sculpt; view.panel name=console")
	r.Frame()
	b.ReportAllocs()
	for b.Loop() {
		r.Frame()
	}
}
