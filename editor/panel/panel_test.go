package panel

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/keymap"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/terrain/brush"
	"ridgeline/widgets/widgettest"
)

// stroke is an edit to undo.
const stroke = "terrain.stroke op=raise at=20,20 to=60,60 radius=10 strength=1"

func TestKeysOfTheTableRunCommands(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	m, err := keymap.Parse("keys.toml", keymap.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range m.Actions() {
		call, err := command.Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if _, err := r.s.Env.Registry.Check(call); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, c := range m.Controls() {
		if controlTitles[c] == "" {
			t.Errorf("the list of keys has no words for the control %q", c)
		}
	}
}

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
		if is := r.s.Mode == m.Mode; is == m.Later {
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
	if r.Has(sOpposite) || hasFact(r, "Ctrl") || !r.Has(sWeight) {
		t.Error("flatten is offered an opposite or a strength in m/s")
	}
	r.Click("Raise")
	if !hasFact(r, "Ctrl") {
		t.Error("raise is not offered its opposite")
	}
	was := r.s.Brush.Radius
	r.Drag(sRadius+" slider", 20, 0)
	if r.s.Brush.Radius <= was {
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

func TestSunDragIsOneStep(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
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
}

func TestConsole(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("~", key.ModShift)
	if !r.s.Shown(panelConsole) {
		t.Fatal("~ does not open the console")
	}
	r.Type("sun.set elev")
	r.Key(key.NameTab, 0)
	r.Type("12")
	r.Key(key.NameReturn, 0)
	if got := degrees(r.s.Level().Settings.Sun.Elevation); got != 12 {
		t.Errorf("elevation %g", got)
	}
	r.Type("sun.set elevation=95")
	r.Key(key.NameReturn, 0)
	inputs, errs := 0, 0
	for _, l := range r.Labels() {
		if l == "sun.set elevation=95" {
			inputs++
		}
		if strings.Contains(l, "expected a number from") {
			errs++
		}
	}
	if inputs != 1 || errs != 1 {
		t.Errorf("the console shows the line %d times and its error %d times", inputs, errs)
	}
	// Keys are text here, and Ctrl+Z is the field's.
	r.Type("vbn")
	r.Key("V", 0)
	r.Key("Z", key.ModCtrl)
	if r.s.Mode != session.ModeSelect || r.s.Document().Position() != 1 {
		t.Error("typing reached the level")
	}
	r.Key(key.NameEscape, 0)
	r.Key("Z", key.ModCtrl)
	if r.s.Document().Position() != 0 {
		t.Error("after Esc, Ctrl+Z does not undo")
	}
}

func TestCompletion(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	for _, c := range []struct{ in, out string }{
		{"terrain.st", "terrain.stroke "},
		{"undo; paint.st", "undo; paint.stroke "},
		{"terrain.stroke op=smo", "terrain.stroke op=smooth "},
		{"terrain.stroke str", "terrain.stroke strength="},
		{"mode sc", "mode sculpt "},
		{"mode na", "mode name="},
		{"paint.stroke layer=Gr", "paint.stroke layer=Grass "},
		{"app.bake shadows=n", "app.bake shadows=no "},
		{"app.save", "app.save"},
		{"nonsense fo", ""},
		{`layer.add name="a; un`, ""},
		{"terrain.stroke radius=1", ""},
	} {
		if got := complete(r.s, c.in).Text; got != c.out {
			t.Errorf("%q becomes %q, expected %q", c.in, got, c.out)
		}
	}
	if got := complete(r.s, "view.from name=").Candidates; len(got) != 4 {
		t.Errorf("candidates %q", got)
	}
}

func TestPalette(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("P", key.ModCtrl)
	r.Type("mode sculpt")
	r.Key(key.NameReturn, 0)
	if r.s.Mode != session.ModeSculpt || r.s.Shown(panelPalette) {
		t.Errorf("mode %s, palette shown: %v", r.s.Mode, r.s.Shown(panelPalette))
	}
	// Esc closes it, and the next time it opens again.
	r.Key("P", key.ModCtrl)
	r.Key(key.NameEscape, 0)
	if r.s.Shown(panelPalette) {
		t.Error("Esc leaves the palette open")
	}
	// A command with arguments asks for them.
	r.Key("P", key.ModCtrl)
	r.Type("add a layer")
	r.Key(key.NameReturn, 0)
	r.Type("Scree")
	r.Click(sRun)
	layers := r.s.Level().Layers
	if last := layers[len(layers)-1].Name; last != "Scree" {
		t.Errorf("the last layer is %q", last)
	}
	// One that cannot run says why and does not.
	r.s.Run("undo")
	r.Frame()
	r.Key("P", key.ModCtrl)
	r.Type("undo")
	if n := r.Find("Undo"); !n.Disabled || n.Description == "" {
		t.Errorf("found %+v", n)
	}
	r.Key(key.NameEscape, 0)
	r.noErrors()
}

func TestPaletteListsTheRegistry(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	listed := map[string]bool{}
	for _, it := range r.shell.palette.items() {
		id, _, _ := strings.Cut(it.ID, " ")
		listed[id] = true
		call, err := command.Parse(it.ID)
		if err != nil {
			t.Errorf("%s: %v", it.ID, err)
			continue
		}
		c, err := r.s.Env.Registry.Find(call.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(call.Args) > 0 || !needs(c) {
			if _, err := r.s.Env.Registry.Check(call); err != nil {
				t.Errorf("%s: %v", it.ID, err)
			}
		}
	}
	for _, c := range r.s.Env.Registry.All() {
		if stand, ok := standIns[c.ID]; ok != !listed[c.ID] || stand != "" && !listed[stand] {
			t.Errorf("%s is listed: %v", c.ID, listed[c.ID])
		}
	}
}

func TestForm(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	c, _ := r.s.Env.Registry.Lookup("paint.stroke")
	r.shell.form.open(c)
	r.Frame()
	r.Type("1,2") // the first field that is typed has the keyboard
	if got := r.Find("at").Description; got != "1,2" {
		t.Errorf("at is %q", got)
	}
	for range "1,2" {
		r.Key(key.NameDeleteBackward, 0)
	}
	if n := r.Find(sRun); !n.Disabled {
		t.Error("a command that lacks its arguments can be run")
	}
	r.Click("layer")
	r.Click("Snow")
	for _, f := range [...]struct{ name, value string }{{"at", "64,64"}, {"radius", "10"}, {"strength", "1"}} {
		r.Click(f.name)
		r.Type(f.value)
	}
	if n := r.Find(sRun); n.Disabled {
		t.Fatalf("it cannot be run: %s", r.Labels())
	}
	r.Click(sRun)
	if got := r.s.Level().Terrain.SplatAt(32, 32); got.Base != 3 && got.Over != 3 && got.Third != 3 {
		t.Errorf("not painted: %+v", got)
	}
	r.noErrors()
}

func TestNewLevelDialog(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("N", key.ModCtrl)
	r.Click("257²")
	r.Click(sRows)
	r.Type("1")
	r.Key(key.NameReturn, 0) // outside the range: refused
	r.Key(key.NameDeleteBackward, 0)
	r.Type("129")
	r.Key(key.NameReturn, 0)
	r.Click(sMake)
	cols, rows := r.s.Level().Terrain.Size()
	if cols != 257 || rows != 129 {
		t.Errorf("%d × %d", cols, rows)
	}
	r.Key("N", key.ModCtrl)
	r.Key(key.NameEscape, 0)
	if r.s.Maker() != nil {
		t.Error("Esc leaves the dialog open")
	}
	r.noErrors()
}

func TestQuestion(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	answered := ""
	ask := func() {
		r.s.Ask(session.Question{Title: "Which?", Body: "Choose.", Answers: []session.Answer{
			{Title: "This", Enter: true, Do: func() { answered += "this " }},
			{Title: "That", Danger: true, Do: func() { answered += "that " }},
			{Title: "Neither", Cancel: true, Do: func() { answered += "neither " }},
		}})
		r.Frame()
	}
	ask()
	r.Click("That")
	ask()
	r.Key(key.NameReturn, 0)
	ask()
	r.Key("V", 0) // no shortcut reaches the level meanwhile
	r.Key(key.NameEscape, 0)
	if answered != "that this neither " || r.s.Question() != nil || r.Has("Dialog: Which?") {
		t.Errorf("answered %q", answered)
	}
}

func TestImportDialog(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.BeginImport("../../terrain/heightmap/testdata/west_bijou_gully.asc")
	r.settle()
	info := r.s.Importer().Info
	for _, want := range []string{fmt.Sprintf("%d × %d", info.Cols, info.Rows), "ASC, 32 bits, floating point"} {
		if !slices.ContainsFunc(r.Nodes(), func(n widgettest.Node) bool { return n.Description == want }) {
			t.Errorf("%q is not shown", want)
		}
	}
	r.Click(sSpacing)
	r.Type("2.5")
	r.Key(key.NameReturn, 0)
	r.Click(sImport)
	r.settle()
	f := r.s.Level().Terrain
	if cols, rows := f.Size(); cols != info.Cols || rows != info.Rows || f.Spacing() != 2.5 {
		t.Errorf("%d × %d at %g m", cols, rows, f.Spacing())
	}
	lo, hi := f.MinMax()
	if lo != float32(info.SampleMin) || hi != float32(info.SampleMax) {
		t.Errorf("heights %g to %g, expected %g to %g", lo, hi, info.SampleMin, info.SampleMax)
	}
	r.noErrors()
}

func TestImportAsksForTheSizeOfRawFiles(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.BeginImport(rawFile(t))
	r.settle()
	if n := r.Find(sImport); !n.Disabled || !strings.Contains(n.Description+strings.Join(r.Labels(), "|"), "6144 bytes") {
		t.Errorf("found %+v", n)
	}
	for _, f := range [...]struct{ name, value string }{{sColumns, "64"}, {sRows, "48"}} {
		r.Click(f.name)
		r.Type(f.value)
		r.Key(key.NameReturn, 0)
	}
	r.settle()
	if err := r.s.Importer().Ready(); err != nil {
		t.Fatal(err)
	}
	r.Click(sImport)
	r.settle()
	if cols, rows := r.s.Level().Terrain.Size(); cols != 64 || rows != 48 {
		t.Errorf("%d × %d", cols, rows)
	}
}

func TestPathPrompt(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "maps"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	r := newRig(t, 1280, 720, 1)
	r.s.Run(stroke)
	r.Key("S", key.ModCtrl|key.ModShift)
	r.Click("maps")
	if got := r.Find(sPath).Description; !strings.HasSuffix(got, filepath.Join("maps", "Untitled.ridge")) {
		t.Fatalf("the field has %q", got)
	}
	for range len("Untitled.ridge") {
		r.Key(key.NameDeleteBackward, 0)
	}
	r.Type("nowhere/x")
	r.Key(key.NameReturn, 0)
	if r.s.Prompt() == nil || r.shell.prompt.problem == "" {
		t.Fatalf("a folder that does not exist was taken: %v %q %q", r.s.Prompt() != nil, r.shell.prompt.problem, r.shell.prompt.field.Text())
	}
	for range len("nowhere/x") {
		r.Key(key.NameDeleteBackward, 0)
	}
	r.Type("alps")
	r.Key(key.NameReturn, 0)
	r.settle()
	if _, err := os.Stat(filepath.Join(dir, "maps", "alps.ridge")); err != nil {
		t.Error(err)
	}
	if r.s.Prompt() != nil || r.Has("Dialog: Save the level as") {
		t.Error("the prompt stays")
	}
	r.Key("O", key.ModCtrl)
	r.Type("q") // the field has the keyboard from the start
	if got := r.Find(sPath).Description; !strings.HasSuffix(got, "q") {
		t.Errorf("the field has %q", got)
	}
	r.Key(key.NameEscape, 0)
	if r.s.Prompt() != nil {
		t.Error("Esc leaves the prompt open")
	}
}

func TestKeysReachTheLevelOnlyFromTheLevel(t *testing.T) {
	r := openRig(t, 1280, 720, 1)
	r.s.Run(stroke)
	r.Frame()
	r.DoubleClick("Rock") // renames: a text field has the keyboard
	r.Type("x")
	r.Key("Z", key.ModCtrl)
	if r.s.Document().Position() != 1 {
		t.Error("Ctrl+Z in a text field undid the level")
	}
	r.Key(key.NameEscape, 0)
	r.Key("Z", key.ModCtrl)
	if r.s.Document().Position() != 0 {
		t.Error("Ctrl+Z does not undo")
	}
	r.Key("Z", key.ModCtrl|key.ModShift)
	if r.s.Document().Position() != 1 {
		t.Error("Ctrl+Shift+Z does not redo")
	}
	was := r.s.Brush.Hardness
	r.Key("}", key.ModShift)
	if r.s.Brush.Hardness <= was {
		t.Error("} does not harden the brush")
	}
}

func TestChords(t *testing.T) {
	for _, c := range []struct {
		name key.Name
		mods key.Modifiers
		want string
	}{
		{"Z", key.ModCtrl | key.ModShift, "Ctrl+Shift+Z"},
		{"{", key.ModShift, "{"},
		{"~", key.ModShift, "~"},
		{"`", 0, "`"},
		{"1", key.ModCtrl, "Ctrl+1"},
		{"+", key.ModShift, "Plus"},
		{key.NameEscape, 0, "Esc"},
		{key.NameF3, 0, "F3"},
		{key.NameSpace, 0, "Space"},
		{"é", 0, "É"},
	} {
		got, ok := chord(key.Event{Name: c.name, Modifiers: c.mods})
		if !ok || got.String() != c.want {
			t.Errorf("%q with %v is %v, expected %s", c.name, c.mods, got, c.want)
		}
		if back, err := keymap.ParseChord(got.String()); err != nil || back != got {
			t.Errorf("%v parses back to %v, %v", got, back, err)
		}
	}
	if _, ok := chord(key.Event{Name: key.NameShift}); ok {
		t.Error("Shift alone is a chord")
	}
}

// pointerAt sends a pointer event at a place of the viewport.
func (r *rig) pointerAt(k pointer.Kind, x, y float32, b pointer.Buttons, scroll float32) {
	v := r.shell.Viewport()
	r.Router.Queue(pointer.Event{
		Kind: k, Source: pointer.Mouse, Buttons: b, Scroll: f32.Pt(0, scroll),
		Position: f32.Pt(float32(v.Min.X)+x, float32(v.Min.Y)+y),
	})
	r.Frame()
}

func TestStrokeInTheViewport(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("B", 0)
	v := r.shell.Viewport()
	x, y := float32(v.Dx())/2, float32(v.Dy())/2
	before := r.s.Level()
	r.pointerAt(pointer.Move, x, y, 0, 0)
	if _, _, ok := r.s.Under(); !ok {
		t.Fatal("the middle of the viewport is not over the ground")
	}
	r.pointerAt(pointer.Press, x, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+60, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+60, float32(v.Dy())+400, pointer.ButtonPrimary, 0) // outside: the drag goes on
	r.pointerAt(pointer.Release, x+60, y, 0, 0)
	if got := r.s.Document().Position(); got != 1 {
		t.Errorf("%d steps, expected 1", got)
	}
	if r.s.Level() == before {
		t.Error("the stroke changed nothing")
	}

	// Esc takes an open stroke back.
	r.pointerAt(pointer.Press, x, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+40, y, pointer.ButtonPrimary, 0)
	r.Key(key.NameEscape, 0)
	r.pointerAt(pointer.Release, x+40, y, 0, 0)
	if got := len(r.s.Document().History()); got != 1 {
		t.Errorf("%d steps after Esc, expected 1", got)
	}
	r.noErrors()
}

func TestCameraInTheViewport(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	yaw := r.s.View.Rig.Yaw
	r.pointerAt(pointer.Move, 300, 300, 0, 0)
	r.pointerAt(pointer.Press, 300, 300, pointer.ButtonSecondary, 0)
	r.pointerAt(pointer.Move, 380, 300, pointer.ButtonSecondary, 0)
	if r.s.View.Rig.Yaw == yaw {
		t.Error("right drag does not look around")
	}
	if r.Cursor() == pointer.CursorDefault {
		t.Error("the pointer does not show the drag")
	}
	eye := r.s.View.Rig.Eye
	r.Router.Queue(key.Event{Name: "W", State: key.Press})
	for range 10 {
		r.Wait(30e6)
	}
	if r.s.View.Rig.Eye == eye {
		t.Error("W does not fly")
	}
	// The window loses the focus: nothing is held any more.
	r.Router.Queue(key.FocusEvent{Focus: false})
	for range 60 {
		r.Wait(50e6)
	}
	eye = r.s.View.Rig.Eye
	r.Wait(100e6)
	if r.s.View.Rig.Eye != eye {
		t.Error("it flies on after the window lost the focus")
	}
	r.pointerAt(pointer.Release, 380, 300, 0, 0)
	far := r.s.View.Rig.Eye
	r.pointerAt(pointer.Scroll, 380, 300, 0, -120)
	for range 30 {
		r.Wait(50e6)
	}
	if r.s.View.Rig.Eye == far {
		t.Error("the wheel does not move the camera")
	}
	r.pointerAt(pointer.Move, -20, 300, 0, 0)
	if _, _, ok := r.s.Under(); ok {
		t.Error("there is ground under a pointer that has left")
	}
}

func TestButtonsAndModifiers(t *testing.T) {
	if got := buttons(pointer.ButtonPrimary | pointer.ButtonTertiary); got != session.Left|session.Middle {
		t.Errorf("buttons %b", got)
	}
	if got := modifiers(key.ModCtrl | key.ModAlt); got != tool.Ctrl|tool.Alt {
		t.Errorf("modifiers %b", got)
	}
}

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
