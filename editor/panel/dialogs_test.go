package panel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"

	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/widgets/widgettest"
)

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

// The key that opens the console closes it, also while one types in it, and its letter is
// never part of a command.
func TestConsoleKeyCloses(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("`", 0)
	r.Type("`") // of the same press
	if !r.s.Shown(panelConsole) {
		t.Fatal("the letter of the key that opened it closed it")
	}
	r.Wait(time.Second)
	r.Type("sun.set elev`")
	if r.s.Shown(panelConsole) {
		t.Error("its key does not close it")
	}
	r.Key("`", 0)
	r.Type("ation=12")
	r.Key(key.NameReturn, 0)
	if got := degrees(r.s.Level().Settings.Sun.Elevation); got != 12 {
		t.Errorf("elevation %g", got)
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

func TestNewLevelWithoutGround(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("N", key.ModCtrl)
	if n := r.Find(sWithGround); !n.Selected {
		t.Error("a new level has no ground unless asked")
	}
	r.Click(sWithGround)
	for _, label := range []string{"257²", sColumns, sRows, sSpacing} {
		if n := r.Find(label); !n.Disabled {
			t.Errorf("%s can be set without ground", label)
		}
	}
	if !r.Has(sMeshesAlone) {
		t.Errorf("it does not say what comes: %q", r.Labels())
	}
	// What is wrong with the size of no ground does not matter.
	r.s.Maker().Cols = 1
	r.Frame()
	r.Click(sMake)
	if r.s.Maker() != nil || r.s.Level().HasTerrain() {
		t.Fatal("the level has ground")
	}
	r.noErrors()

	r.Key("N", key.ModCtrl)
	r.Click(sWithGround)
	r.Click(sWithGround)
	r.Click("257²")
	r.Click(sMake)
	if cols, rows := r.s.Level().Terrain.Size(); cols != 257 || rows != 257 {
		t.Errorf("%d × %d after switching off and on", cols, rows)
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
	// The first answer looks like that of Enter and is, unless it destroys something.
	for _, danger := range [...]bool{false, true} {
		r.s.Ask(session.Question{Title: "Which?", Answers: []session.Answer{
			{Title: "First", Danger: danger, Do: func() { answered += "first " }},
			{Title: "Neither", Cancel: true},
		}})
		r.Frame()
		r.Key(key.NameReturn, 0)
		r.Key(key.NameEscape, 0)
	}
	if answered != "that this neither first " || r.s.Question() != nil || r.Has("Dialog: Which?") {
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

// A value that stands for unknown heights can be given, and what was entered before
// stays when the file is looked at again.
func TestImportTakesTheNoDataValue(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.BeginImport("../../testdata/n42e001_257_16bit.png")
	r.settle()
	if !r.Has(sSteep) {
		t.Error("ground of 65 km is not remarked upon")
	}
	r.Click("Height of 0")
	r.Type("837")
	r.Tab()
	r.Type("900") // over the height of 65535
	r.Key(key.NameReturn, 0)
	if r.Has(sSteep) {
		t.Error("ground of 63 m is called steep")
	}
	r.Click(sNodata)
	r.Type("x")
	r.Key(key.NameReturn, 0)
	if r.shell.importd.nodataProblem == "" || r.s.Importer().Read.Nodata != nil {
		t.Error("no number was taken")
	}
	r.Key(key.NameDeleteBackward, 0)
	r.Type("0")
	r.Key(key.NameReturn, 0)
	r.settle()
	im := r.s.Importer()
	if im == nil || im.Info.Voids == 0 || im.Min != 837 {
		t.Fatalf("found %+v", im)
	}
	r.Click(sHoles)
	r.Key(key.NameReturn, 0)
	r.settle()
	if lo, _ := r.s.Level().Terrain.MinMax(); lo <= 837 {
		t.Errorf("the lowest height is %g", lo)
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
	if text := strings.Join(r.Labels(), "|"); strings.Contains(text, "WIDTH") {
		t.Errorf("the dialog speaks of what is not in it: %s", text)
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

// The proposed name is replaced by what is typed, a second slash or ~ begins a path
// anew, the list leads to the folder above, and the arrows go on from a clicked file.
func TestPathPromptByHand(t *testing.T) {
	dir := t.TempDir()
	for _, f := range [...]string{"a.ridge", "b.ridge", "c.ridge"} {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "maps"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "maps"))
	r := newRig(t, 1280, 720, 1)
	path := func() string { return r.Find(sPath).Description }
	r.Key("S", key.ModCtrl|key.ModShift)
	r.Type("alps")
	if got, want := path(), filepath.Join(dir, "maps", "alps.ridge"); got != want {
		t.Errorf("the field has %q, want %q", got, want)
	}
	r.Type(".ridge")
	if got, want := path(), filepath.Join(dir, "maps", "alps.ridge"); got != want {
		t.Errorf("with an extension the field has %q, want %q", got, want)
	}
	r.Key(key.NameEscape, 0)
	r.Key("E", key.ModCtrl)
	r.Type("alps.r16")
	if got, want := path(), filepath.Join(dir, "maps", "alps.r16"); got != want {
		t.Errorf("for an export the field has %q, want %q", got, want)
	}
	r.Key(key.NameEscape, 0)

	r.Key("O", key.ModCtrl)
	r.Click(sAbove)
	if got := path(); got != dir+"/" {
		t.Errorf("the folder above is %q", got)
	}
	r.Click("a.ridge")
	r.Key(key.NameDownArrow, 0)
	if got := path(); got != filepath.Join(dir, "b.ridge") {
		t.Errorf("the arrow leads to %q", got)
	}
	r.Click(sPath)
	r.Key(key.NameEnd, 0)
	r.Type("/")
	r.Type("/tmp")
	if got := path(); got != "/tmp" {
		t.Errorf("a path typed behind another is %q", got)
	}
	r.Type("/~/x")
	if got := path(); got != "~/x" {
		t.Errorf("a path from home is %q", got)
	}
	r.Key(key.NameEscape, 0)
	if r.s.Prompt() != nil {
		t.Error("Esc leaves the prompt open")
	}
}

// The button of a question for a path says what comes of it.
func TestPathButtonSaysWhatItDoes(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	for line, title := range map[string]string{"app.export": "Export", "app.assets": "Import", "app.saveas": sSave, "app.open": sOpen} {
		r.s.Run(line)
		r.Frame()
		if n, ok := r.Lookup(title); !ok || n.Disabled {
			t.Errorf("%s: no button %q among %q", line, title, r.Labels())
		}
		r.s.CancelPrompt()
		r.Frame()
	}
	r.noErrors()
}
