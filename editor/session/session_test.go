package session

import (
	"context"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/keymap"
	"ridgeline/editor/settings"
	"ridgeline/editor/tool"
	"ridgeline/terrain"
)

// rig is a session whose background tasks report to a queue, as a window's do.
type rig struct {
	*Session
	t    testing.TB
	mu   sync.Mutex
	todo []func()
	more chan struct{}
	quit int
}

func flat(t testing.TB) *document.Level {
	t.Helper()
	f, err := terrain.Flat(129, 129, 1)
	if err != nil {
		t.Fatal(err)
	}
	return document.NewLevel(f)
}

func start(t testing.TB, home string) *rig {
	t.Helper()
	r := &rig{t: t, more: make(chan struct{}, 1)}
	dirs := settings.Dirs{Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}
	r.Session = New(flat(t), Options{Dirs: dirs, Post: r.post, Quit: func() { r.quit++ }})
	t.Cleanup(func() { r.Close() })
	return r
}

func (r *rig) post(fn func()) {
	r.mu.Lock()
	r.todo = append(r.todo, fn)
	r.mu.Unlock()
	select {
	case r.more <- struct{}{}:
	default:
	}
}

func (r *rig) drain() {
	r.mu.Lock()
	todo := r.todo
	r.todo = nil
	r.mu.Unlock()
	for _, fn := range todo {
		fn()
	}
}

// until runs what background tasks post until ok.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	deadline := time.After(20 * time.Second)
	for r.drain(); !ok(); r.drain() {
		select {
		case <-r.more:
		case <-deadline:
			r.t.Fatalf("waited in vain for: %s; messages: %v", what, r.TakeNotices())
		}
	}
}

func (r *rig) idle() {
	r.t.Helper()
	r.until("all tasks to end", func() bool { return !r.Busy() })
}

// quiet fails on errors that were told.
func (r *rig) quiet() {
	r.t.Helper()
	for _, n := range r.TakeNotices() {
		if n.Severity == Error {
			r.t.Errorf("told: %s", n.Text)
		}
	}
}

func (r *rig) answer(title string) {
	r.t.Helper()
	q := r.Question()
	if q == nil {
		r.t.Fatalf("no question, expected one with %q", title)
	}
	for i, a := range q.Answers {
		if a.Title == title {
			r.Answer(i)
			return
		}
	}
	r.t.Fatalf("%q has no answer %q", q.Title, title)
}

func (r *rig) raise() {
	r.t.Helper()
	r.Run("terrain.stroke op=raise at=64,64 radius=10 strength=5")
	r.quiet()
}

func (r *rig) height() float64 {
	y, _ := r.Level().Terrain.Height(64, 64)
	return y
}

func TestSaveOpenAndSaveAs(t *testing.T) {
	dir := t.TempDir()
	r := start(t, t.TempDir())
	r.raise()
	if !r.Document().Dirty() {
		t.Fatal("a stroke leaves the level clean")
	}
	first := filepath.Join(dir, "first.ridge")
	r.Run("file.saveas " + first)
	r.idle()
	r.quiet()
	if r.Path() != first || r.Document().Dirty() || r.Memory.Recent[0] != first {
		t.Errorf("path %q, dirty %v, recent %v", r.Path(), r.Document().Dirty(), r.Memory.Recent)
	}
	r.raise()
	r.Run("app.save")
	r.idle()
	second := filepath.Join(dir, "second") // gets the extension
	r.Run("file.saveas " + second)
	r.idle()
	r.quiet()
	if want := second + Extension; r.Path() != want {
		t.Errorf("path %q, expected %q", r.Path(), want)
	}
	want := r.height()
	r.Run("undo")
	r.Run("file.open " + first)
	r.answer("Don't save")
	r.idle()
	r.quiet()
	if r.Path() != first || r.height() != want || r.ReadOnly() {
		t.Errorf("%q has height %v, expected %v", r.Path(), r.height(), want)
	}
	r.raise()
	r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
	r.Run("file.open " + first) // again, while it is ours
	r.answer("Don't save")
	r.idle()
	r.quiet()
	if r.ReadOnly() || r.Question() != nil || r.height() != want {
		t.Errorf("opened again: read-only %v, question %v, height %v", r.ReadOnly(), r.Question(), r.height())
	}
}

func TestUnsavedChangesAreAskedAbout(t *testing.T) {
	r := start(t, t.TempDir())
	if !r.Closing() {
		t.Fatal("a clean level may not close")
	}
	r.raise()
	if r.Closing() {
		t.Fatal("a changed level closes without a question")
	}
	r.answer("Cancel")
	if r.quit != 0 {
		t.Fatal("closed after Cancel")
	}
	r.Closing()
	r.answer("Save")
	if r.Prompt() == nil {
		t.Fatal("no name is asked for")
	}
	path := filepath.Join(t.TempDir(), "kept.ridge")
	if err := r.AnswerPrompt(path); err != nil {
		t.Fatal(err)
	}
	r.until("the window to close", func() bool { return r.quit == 1 })
	if _, err := os.Stat(path); err != nil || !r.Closing() {
		t.Errorf("closing after saving: %v", err)
	}
}

// What is edited while another level is being read is not replaced unasked.
func TestEditsWhileOpeningAreAskedAbout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.ridge")
	if _, _, err := store.Save(t.Context(), path, flat(t), nil, nil); err != nil {
		t.Fatal(err)
	}
	heights := filepath.Join(t.TempDir(), "h.r32")
	if err := os.WriteFile(heights, make([]byte, 4*9*9), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string]func(*rig){
		"open":   func(r *rig) { r.Open(path) },
		"sample": func(r *rig) { r.Run("app.sample") },
		"import": func(r *rig) { r.BeginImport(heights); r.idle(); r.Import() },
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, t.TempDir())
			begin(r)
			r.raise() // before what was read arrives
			revision := r.Revision()
			r.idle()
			if r.Revision() != revision || r.height() == 0 {
				t.Fatal("the edit was replaced")
			}
			r.answer("Cancel")
			r.idle()
			if r.Revision() != revision || r.height() == 0 {
				t.Fatal("the edit was replaced after Cancel")
			}
			if name == "open" {
				lock, err := store.TakeLock(path)
				if err != nil {
					t.Fatal("the other level stays locked:", err)
				}
				lock.Release()
			}
			r.Run("undo")
			begin(r)
			r.raise()
			r.idle()
			r.answer("Don't save")
			r.idle()
			r.quiet()
			if r.Revision() == revision || r.Question() != nil || r.ReadOnly() {
				t.Errorf("after Don't save: revision %d, question %v", r.Revision(), r.Question())
			}
		})
	}
}

func TestDontSaveLeavesNothingToRecover(t *testing.T) {
	for _, named := range []bool{true, false} {
		home := t.TempDir()
		r := start(t, home)
		path := filepath.Join(t.TempDir(), "a.ridge")
		if named {
			r.Run("file.saveas " + path)
			r.idle()
		}
		r.raise()
		r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
		r.Closing()
		r.answer("Don't save")
		if err := r.Close(); err != nil || r.quit != 1 {
			t.Fatal(err, r.quit)
		}
		again := start(t, home)
		again.OfferUnsaved()
		if named {
			again.Open(path)
			again.idle()
		}
		if q := again.Question(); q != nil {
			t.Errorf("named %v: asked %q about changes that were given up", named, q.Title)
		}
	}
}

func TestBadUserKeysAreTold(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "config", "keys.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "[keys]\n\"nonsense.cmd\" = [\"Ctrl+K\"]\n\"sun.set elevation=999\" = [\"F9\"]\n\"gone\" = []\n\"undo\" = [\"Ctrl+U\"]\n[hold]\n\"jump\" = [\"J\"]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := start(t, home)
	n := r.TakeNotices()
	if len(n) != 3 {
		t.Fatalf("told %v, expected three messages", n)
	}
	for _, want := range []string{"nonsense.cmd", "elevation", "jump"} {
		if !slices.ContainsFunc(n, func(n Notice) bool { return strings.Contains(n.Text, want) && strings.Contains(n.Text, file) }) {
			t.Errorf("nothing tells of %s: %v", want, n)
		}
	}
	r.raise()
	r.Key(keymap.Chord{Ctrl: true, Key: "U"})
	if r.height() != 0 {
		t.Error("the good lines of the table do not hold")
	}
}

func TestEveryEditIsAutosavedAndCanBeRecovered(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.raise()
	r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
	want := r.height()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}

	again := start(t, home)
	again.OfferUnsaved()
	again.answer("Recover")
	again.idle()
	again.quiet()
	if again.height() != want || !again.Document().Dirty() {
		t.Errorf("recovered height %v, expected %v, dirty %v", again.height(), want, again.Document().Dirty())
	}
	again.Run("file.saveas " + filepath.Join(t.TempDir(), "a.ridge"))
	again.idle()
	again.quiet()
	if left, _ := filepath.Glob(filepath.Join(home, "state", "unsaved", "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestLockedLevelIsReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	if _, _, err := store.Save(t.Context(), path, flat(t), nil, nil); err != nil {
		t.Fatal(err)
	}
	lock, err := store.TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, t.TempDir())
	r.Open(path)
	r.idle()
	if !r.ReadOnly() {
		t.Fatal("the level is not read-only")
	}
	r.TakeNotices()
	r.Run("terrain.stroke op=raise at=64,64 radius=10 strength=5")
	if n := r.TakeNotices(); len(n) != 1 || !strings.Contains(n[0].Text, "read-only") || r.height() != 0 {
		t.Errorf("told %v, height %v", n, r.height())
	}
	r.SetMode(ModeSculpt)
	r.Pointer(Pointer{Kind: PointerPress, X: 640, Y: 400, Button: Left})
	if n := r.TakeNotices(); len(n) != 1 || r.drag != nil {
		t.Errorf("a stroke on a read-only level told %v", n)
	}
	r.Run("file.saveas " + filepath.Join(t.TempDir(), "copy.ridge"))
	r.idle()
	r.quiet()
	if r.ReadOnly() {
		t.Error("the copy is read-only too")
	}
	r.raise()
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestAutosaveIsOfferedOnOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	r := start(t, t.TempDir())
	r.Run("file.saveas " + path)
	r.idle()
	r.raise()
	r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
	r.Abandon()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again := start(t, t.TempDir())
	again.Open(path)
	again.idle()
	if again.Path() != "" {
		t.Error("the level was opened without a question")
	}
	again.answer("Cancel")
	again.Open(path)
	again.idle()
	again.answer("Recover")
	again.idle()
	again.quiet()
	if again.height() == 0 || !again.Document().Dirty() {
		t.Errorf("height %v, dirty %v", again.height(), again.Document().Dirty())
	}
	again.Abandon()
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	last := start(t, t.TempDir())
	last.Open(path)
	last.idle()
	last.answer("Discard it")
	last.idle()
	last.quiet()
	if last.height() != 0 || last.Document().Dirty() || last.Path() != path {
		t.Errorf("height %v, dirty %v, path %q after discarding", last.height(), last.Document().Dirty(), last.Path())
	}
}

func TestStrokeWithThePointer(t *testing.T) {
	r := start(t, t.TempDir())
	r.Resize(image.Pt(800, 600), 1)
	r.Tick(0)
	r.SetMode(ModeSculpt)
	p := func(kind PointerKind, x float64, at time.Duration) {
		r.Pointer(Pointer{Kind: kind, X: x, Y: 300, Button: Left, Time: at})
		r.Tick(at)
	}
	p(PointerMove, 400, 0)
	if _, _, ok := r.Under(); !ok {
		t.Fatal("there is no ground under the middle of the view")
	}
	if ring, ok := r.Ring(); !ok || ring.Radius != r.Brush.Radius {
		t.Errorf("ring %v %v", ring, ok)
	}
	p(PointerPress, 400, time.Millisecond)
	p(PointerMove, 420, 20*time.Millisecond)
	if r.height() <= 0 || r.Document().Position() != 0 {
		t.Errorf("height %v during the stroke, history %d", r.height(), r.Document().Position())
	}
	if at, _, ok := r.Under(); !ok || math.Abs(at[1]-float64(r.Level().Terrain.Sample(int(at[0]), int(at[2])))) > 5 {
		t.Errorf("under the pointer during the stroke: %v", at)
	}
	p(PointerRelease, 420, 40*time.Millisecond)
	if h := r.Document().History(); len(h) != 1 || r.drag != nil {
		t.Fatalf("history %v", h)
	}
	raised := r.height()
	p(PointerPress, 400, 50*time.Millisecond)
	r.Key(keymap.Chord{Ctrl: true, Key: "Z"}) // cancels the stroke, not the last one
	p(PointerMove, 420, 60*time.Millisecond)
	p(PointerRelease, 420, 70*time.Millisecond)
	if r.height() != raised || r.Document().Position() != 1 {
		t.Errorf("height %v, expected %v; position %d", r.height(), raised, r.Document().Position())
	}
	p(PointerPress, 400, 80*time.Millisecond)
	r.Key(keymap.Chord{Key: "Esc"})
	if r.height() != raised {
		t.Error("Esc keeps the stroke")
	}
	r.Key(keymap.Chord{Ctrl: true, Key: "Z"})
	if r.height() != 0 {
		t.Error("undo keeps the stroke")
	}
	r.quiet()
}

func TestBrushIsResizedByDragging(t *testing.T) {
	r := start(t, t.TempDir())
	r.Resize(image.Pt(800, 600), 1)
	r.Tick(0)
	r.SetMode(ModeSculpt)
	r.Brush.Set(tool.Radius, 10)
	r.Pointer(Pointer{Kind: PointerMove, X: 400, Y: 300})
	r.Hold("F", true)
	r.Hold("F", true) // the key repeats
	r.Pointer(Pointer{Kind: PointerMove, X: 500, Y: 300})
	if r.Brush.Radius < 19.9 || r.Brush.Radius > 20.1 {
		t.Errorf("radius %v after 100 dp, expected 20", r.Brush.Radius)
	}
	r.Pointer(Pointer{Kind: PointerMove, X: 533, Y: 300})
	if r.Brush.Radius != 25.1 {
		t.Errorf("radius %v after 133 dp, expected the readable 25.1", r.Brush.Radius)
	}
	r.Key(keymap.Chord{Key: "Esc"})
	eye := r.View.Rig.Eye
	r.Hold("F", false)
	r.Tick(time.Second)
	r.Tick(2 * time.Second)
	if r.Brush.Radius != 10 || r.View.Rig.Eye != eye {
		t.Errorf("radius %v after Esc, eye %v, expected 10 and %v", r.Brush.Radius, r.View.Rig.Eye, eye)
	}
	r.View.Rig.Eye = mgl64.Vec3{5000, 5000, 5000}
	r.Hold("F", true)
	r.Hold("F", false)
	r.Tick(3 * time.Second)
	r.Tick(4 * time.Second)
	if r.View.Rig.Eye == (mgl64.Vec3{5000, 5000, 5000}) {
		t.Error("tapping F does not frame the level")
	}
}

func TestBakeMergesWithLaterEdits(t *testing.T) {
	r := start(t, t.TempDir())
	r.Run("sun.set elevation=20")
	r.Run("app.bake shadows=no")
	r.raise() // while it bakes
	r.idle()
	r.quiet()
	if r.height() == 0 {
		t.Error("the stroke is gone")
	}
	if l := r.Level().Terrain.LightAt(10, 10); l == (terrain.RGB{R: 255, G: 255, B: 255}) || r.Level().Settings.Sun.Baked {
		t.Errorf("light %v, baked %v", l, r.Level().Settings.Sun.Baked)
	}
	r.Run("app.bake shadows=no")
	r.idle()
	if !r.Level().Settings.Sun.Baked {
		t.Error("a bake at rest does not count")
	}
}

func TestFirstView(t *testing.T) {
	r := start(t, t.TempDir())
	eye := r.View.Rig.Eye
	r.Resize(image.Pt(500, 900), 1) // narrow
	r.Tick(0)
	if r.View.Rig.Eye == eye {
		t.Error("a camera that nobody placed does not frame the level")
	}
	box := r.View.Rig.Scene
	for i := range 8 {
		if f := r.View.Rig.Frustum(mgl64.Vec2{500, 900}); !f.Point(box.Corner(i)) {
			t.Errorf("corner %d of the level is out of sight", i)
		}
	}
	placed := start(t, t.TempDir())
	placed.Run("camera.set eye=1,2,3 look=4,5,6")
	placed.Resize(image.Pt(500, 900), 1)
	placed.Tick(0)
	if placed.View.Rig.Eye != (mgl64.Vec3{1, 2, 3}) {
		t.Errorf("the camera was moved to %v", placed.View.Rig.Eye)
	}
}

func TestLookSettings(t *testing.T) {
	r := start(t, t.TempDir())
	r.Resize(image.Pt(800, 600), 2)
	r.Settings.View.LookSpeed, r.Settings.View.InvertLook = 0.5, true
	r.Tick(0)
	yaw, pitch := r.View.Rig.Yaw, r.View.Rig.Pitch
	r.Pointer(Pointer{Kind: PointerPress, X: 400, Y: 300, Button: Right})
	r.Pointer(Pointer{Kind: PointerMove, X: 440, Y: 320})
	// 40 px are 20 dp, so 10°; 20 px down look up by 5° when inverted.
	degree := math.Pi / 180
	if d := r.View.Rig.Yaw - yaw; !(math.Abs(d+10*degree) < 1e-9) {
		t.Errorf("turned by %v°", d/degree)
	}
	if d := r.View.Rig.Pitch - pitch; !(math.Abs(d-5*degree) < 1e-9) {
		t.Errorf("tilted by %v°", d/degree)
	}
}

func TestPanicInATaskIsToldWithACrashFile(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.Run("mode sculpt")
	r.Start("Counting", func(context.Context, func(float64)) (func() error, error) {
		var list []int
		list[len(list)]++
		return nil, nil
	}, nil)
	r.idle()
	n := r.TakeNotices()
	files, _ := filepath.Glob(filepath.Join(home, "state", "crashes", "*"))
	if len(n) != 1 || len(files) != 1 || !strings.Contains(n[0].Text, files[0]) {
		t.Fatalf("told %v, files %v", n, files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(text), "mode sculpt") || !strings.Contains(string(text), "index out of range") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestImportAndExport(t *testing.T) {
	r := start(t, t.TempDir())
	r.raise()
	file := filepath.Join(t.TempDir(), "h.r32")
	r.Run("app.exportto " + file)
	r.idle()
	r.quiet()
	want := r.height()
	r.Run("undo")
	r.BeginImport(file)
	r.idle()
	im := r.Importer()
	if im == nil || im.Err != nil || im.Info.Cols != 129 || float64(float32(im.Info.SampleMax)) != want {
		t.Fatalf("import dialog %+v, expected 129 columns up to %v", im, want)
	}
	im.Spacing = 1
	r.Import()
	r.idle()
	r.quiet()
	if r.height() != want || !r.Document().Dirty() || r.Path() != "" {
		t.Errorf("height %v, expected %v; dirty %v", r.height(), want, r.Document().Dirty())
	}
	r.BeginImport(filepath.Join(t.TempDir(), "none.png"))
	r.idle()
	if im := r.Importer(); im == nil || im.Err == nil || im.Ready() == nil {
		t.Errorf("a missing file gives %+v", im)
	}
}

// A temporary session has no file that it could save to.
func TestTemporarySessionsSaveNothing(t *testing.T) {
	r := stocked(t)
	r.Run("layer.add name=Mud")
	if err := r.Execute("file.save"); err == nil || strings.Contains(err.Error(), "inside the editor") || r.Busy() {
		t.Errorf("saving gives: %v", err)
	}
}
