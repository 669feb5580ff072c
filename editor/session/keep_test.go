package session

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/keymap"
)

// boxPath is the absolute path of a mesh.
func boxPath(t testing.TB) string {
	t.Helper()
	file, err := filepath.Abs(boxFile)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// shows fails unless the level's asset has its file, whole, and its model.
func (r *rig) shows(name string) {
	r.t.Helper()
	r.idle()
	a, ok := r.Level().Asset(name)
	if !ok {
		r.t.Fatalf("the level has no asset %s", name)
	}
	if _, err := store.ReadAsset(r.assetHome(), a.File); err != nil {
		r.t.Errorf("the file of %s: %v", name, err)
	}
	r.until("the model of "+name, func() bool { i, _ := r.Asset(name); return i.Model != nil || i.Err != nil })
	if i, _ := r.Asset(name); i.Err != nil {
		r.t.Errorf("%s is missing: %v", name, i.Err)
	}
}

// A level without a file that is recovered has the meshes that were imported into it,
// there and wherever it is saved then.
func TestRecoveredLevelKeepsItsAssets(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.Run("asset.import " + boxPath(t))
	r.Run("object.place asset=Box at=10,10")
	r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
	r.quiet()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}

	// Killed again before anything else, and again recovered.
	for range 2 {
		again := start(t, home)
		again.OfferUnsaved()
		again.answer("Recover")
		again.shows("Box")
		again.quiet()
		if !again.Document().Dirty() {
			t.Error("the recovered level counts as saved")
		}
		if n, _ := filepath.Glob(filepath.Join(home, "state", "unsaved", "*.d")); len(n) != 1 {
			t.Errorf("folders of unsaved levels: %v, expected one", n)
		}
		again.Abandon()
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}

	last := start(t, home)
	last.OfferUnsaved()
	last.answer("Recover")
	last.idle()
	last.Run("file.saveas " + filepath.Join(t.TempDir(), "a.ridge"))
	last.shows("Box")
	last.quiet()
	if left, _ := filepath.Glob(filepath.Join(home, "state", "unsaved", "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// Saving a level without a file takes its meshes along, also when that is the next
// thing done after importing them.
func TestSaveTakesAssetsAlong(t *testing.T) {
	for range 8 { // the autosave is a race
		r := start(t, t.TempDir())
		r.Run("asset.import " + boxPath(t) + "; file.saveas " + filepath.Join(t.TempDir(), "a.ridge"))
		r.shows("Box")
		if r.Path() == "" {
			t.Error("not saved")
		}
		r.quiet()
	}
}

// A mesh that is missing is shown again when the same file is linked, imported or
// reloaded.
func TestSameFileRestoresAMissingAsset(t *testing.T) {
	for _, line := range []string{"asset.relink name=Box file=" + boxPath(t), "asset.reload Box", "asset.import " + boxPath(t)} {
		path := filepath.Join(t.TempDir(), "a.ridge")
		r := start(t, t.TempDir())
		r.Run("asset.import " + boxPath(t) + "; object.place asset=Box at=10,10; file.saveas " + path)
		r.shows("Box")
		a, _ := r.Level().Asset("Box")
		if err := os.Remove(filepath.Join(r.Assets(), strings.TrimPrefix(a.File, document.AssetPrefix))); err != nil {
			t.Fatal(err)
		}
		r.Open(path)
		r.idle()
		r.until("the asset to be missing", func() bool { return len(r.MissingAssets()) == 1 })
		r.TakeNotices()
		r.Run(line)
		r.shows("Box")
		if it := r.Scene().Items()[0]; it.Missing {
			t.Errorf("%s: the object still shows a placeholder", line)
		}
		r.quiet()
	}
}

// A mesh that arrives while something is dragged is no part of the drag: neither does
// it end it, nor is it taken back with it.
func TestReloadIsNoPartOfADrag(t *testing.T) {
	source := filepath.Join(t.TempDir(), "thing.glb")
	data, err := os.ReadFile(boxFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, data, 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile("../../cmd/ridgeline/testdata/crate.glb")
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"cancelled", "kept", "undone"} {
		if err := os.WriteFile(source, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r := start(t, t.TempDir())
		r.Resize(image.Pt(800, 600), 1)
		r.Run("asset.import " + source)
		r.idle()
		before, _ := r.Level().Asset("thing")
		r.SetMode(ModeSculpt)
		r.Pointer(Pointer{Kind: PointerPress, X: 400, Y: 400, Button: Left, Time: time.Second})
		r.Tick(2 * time.Second)
		if r.drag == nil {
			t.Fatal("no drag")
		}
		if err := os.WriteFile(source, other, 0o600); err != nil {
			t.Fatal(err)
		}
		steps := r.Document().Position()
		r.ReloadAsset("thing")
		r.idle()
		if r.drag == nil {
			t.Error("the reload ended the drag")
		}
		want := steps + 1
		switch end {
		case "cancelled":
			r.Key(keymap.Chord{Key: "Esc"})
		case "undone":
			r.Run("undo")
			r.Pointer(Pointer{Kind: PointerMove, X: 410, Y: 400, Time: 3 * time.Second})
			r.Tick(3 * time.Second)
		default:
			r.Pointer(Pointer{Kind: PointerRelease, X: 400, Y: 400, Button: Left, Time: 3 * time.Second})
			want++
		}
		r.idle()
		r.quiet()
		if now, _ := r.Level().Asset("thing"); now.File == before.File {
			t.Errorf("%s: the reload is lost", end)
		}
		if n := r.Document().Position(); n != want {
			t.Errorf("%s: %d steps, expected %d: %v", end, n, want, r.Document().History())
		}
	}
}

// Sources are watched from the moment at which their level is opened, also when it
// is opened again.
func TestWatchFollowsTheLevel(t *testing.T) {
	source := filepath.Join(t.TempDir(), "thing.glb")
	write := func(file string, age time.Duration) {
		data, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(source, data, 0o600)
		}
		if err == nil {
			err = os.Chtimes(source, time.Time{}, time.Now().Add(-age))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(boxFile, time.Hour)
	r := start(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "a.ridge")
	r.Run("asset.import " + source + "; file.saveas " + path)
	r.idle()
	r.watchOnce()
	r.drain()
	r.Open(path)
	r.idle()
	r.watchOnce()
	r.drain()
	before, _ := r.Level().Asset("thing")
	write("../../cmd/ridgeline/testdata/crate.glb", 0)
	r.watchOnce()
	r.drain()
	r.idle()
	if now, _ := r.Level().Asset("thing"); now.File == before.File {
		t.Error("a change after the level was opened again is not seen")
	}
	// A change while the one before has not been taken up is not lost.
	write(boxFile, 2*time.Hour)
	r.watchOnce()
	write("../../cmd/ridgeline/testdata/crate.glb", 3*time.Hour)
	r.watchOnce()
	write(boxFile, 4*time.Hour)
	r.watchOnce()
	r.drain()
	r.idle()
	r.watchOnce()
	r.drain()
	r.idle()
	if now, _ := r.Level().Asset("thing"); now.File != before.File {
		t.Error("the last of several changes is lost")
	}
	r.quiet()
}

// What is read-only cannot be moved by its handles either.
func TestHandlesOfAReadOnlyLevel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l := flat(t)
	l.NextID = 2
	l, err := l.WithEntities([]document.Entity{{ID: 1, Kind: document.KindObject, Translation: mgl64.Vec3{64, 0, 64}, Data: document.Object{Asset: "none"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Save(t.Context(), path, l, nil, nil); err != nil {
		t.Fatal(err)
	}
	lock, err := store.TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	r := start(t, t.TempDir())
	r.Open(path)
	r.idle()
	r.Resize(image.Pt(800, 600), 1)
	r.View.Place(mgl64.Vec3{64, 40, 120}, mgl64.Vec3{64, 0, 64})
	r.Run("select 1")
	r.Tick(time.Second)
	r.TakeNotices()
	was := r.Level()
	found := false
	for dx := -150.0; dx <= 150; dx += 10 {
		for dy := -150.0; dy <= 150; dy += 10 {
			x, y := r.pixel(mgl64.Vec3{64, 0, 64})
			r.Pointer(Pointer{Kind: PointerMove, X: x + dx, Y: y + dy, Time: time.Second})
			if p, _ := r.Ring(); p.Handle == 0 {
				continue
			}
			found = true
			r.Pointer(Pointer{Kind: PointerPress, X: x + dx, Y: y + dy, Button: Left, Time: time.Second})
			r.Pointer(Pointer{Kind: PointerMove, X: x + dx + 60, Y: y + dy + 30, Time: 2 * time.Second})
			r.Tick(2 * time.Second)
			r.Pointer(Pointer{Kind: PointerRelease, X: x + dx + 60, Y: y + dy + 30, Button: Left, Time: 2 * time.Second})
		}
	}
	if !found {
		t.Fatal("no handles")
	}
	if r.Level() != was || r.Document().Dirty() {
		t.Error("a handle moved a thing of a read-only level")
	}
	if len(r.TakeNotices()) == 0 {
		t.Error("nothing was told")
	}
}

// A mesh whose import ends only after the level was saved elsewhere comes along.
func TestImportAcrossSaveAs(t *testing.T) {
	r := start(t, t.TempDir())
	// The save is faster than what takes the mesh up, which waits for a drag.
	open := r.Document().Begin("a drag")
	r.ImportAsset(boxPath(t), nil)
	r.until("the mesh to be read", func() bool { return len(r.waiting) > 0 })
	path := filepath.Join(t.TempDir(), "a.ridge")
	r.Run("file.saveas " + path)
	r.idle()
	if _, ok := r.Level().Asset("Box"); ok {
		t.Fatal("the import did not wait for the drag")
	}
	open.Cancel()
	r.Tick(time.Second)
	r.idle()
	r.Tick(2 * time.Second)
	r.shows("Box")
	if r.assetHome() != path {
		t.Errorf("the level's files lie with %s", r.assetHome())
	}
	r.quiet()

	// Imported while the level is written: after its files were copied.
	r = start(t, t.TempDir())
	next := filepath.Join(t.TempDir(), "b.ridge")
	r.Run("file.saveas " + next)
	r.Run("asset.import " + boxPath(t))
	r.until("the save", func() bool { return r.Path() == next })
	r.shows("Box")
	r.quiet()
}

// Models that are on their way while the level is saved elsewhere arrive.
func TestModelsArriveAcrossSaveAs(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.Run("asset.import " + boxPath(t) + "; object.place asset=Box at=10,10")
	r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
	a, _ := r.Level().Asset("Box")
	r.library.reset(r.Level())
	r.scene.Reload("Box")
	st := r.library.models[a.File]
	if st == nil || st.model != nil {
		t.Fatal("the model is not on its way")
	}
	old := r.assetHome()
	r.Run("file.saveas " + filepath.Join(t.TempDir(), "a.ridge"))
	r.until("the save", func() bool { return r.Path() != "" })
	r.idle()
	// As if it had been read only now, where nothing is any more.
	st.model = nil
	_, err := readModel(t.Context(), old, a.File)
	if err == nil {
		t.Fatal("the files of the untitled level are still there")
	}
	r.library.arrived(st, old, a.File, nil, err)
	r.shows("Box")
	r.quiet()
}

// A mesh that cannot be read does not keep the level from being saved elsewhere; it is
// told, and of a level without a file nothing is removed.
func TestUnreadableAssetDoesNotStopSaving(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.Run("asset.import " + boxPath(t) + "; object.place asset=Box at=10,10")
	r.idle()
	a, _ := r.Level().Asset("Box")
	file := filepath.Join(r.Assets(), strings.TrimPrefix(a.File, document.AssetPrefix))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	folder := r.Assets()
	path := filepath.Join(t.TempDir(), "a.ridge")
	r.Run("file.saveas " + path)
	r.idle()
	if r.Path() != path {
		t.Error("the level was not saved")
	}
	told := r.TakeNotices()
	found := false
	for _, n := range told {
		found = found || n.Severity == Error && strings.Contains(n.Text, "could not be taken along")
	}
	if !found {
		t.Errorf("told %v", told)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error("what could not be copied was removed")
	}
}

// Neither reloads without end nor levels opened one after the other keep all models.
func TestModelsAreForgotten(t *testing.T) {
	r := start(t, t.TempDir())
	r.Run("asset.import " + boxPath(t))
	r.idle()
	for i := range 30 {
		file := filepath.Join(t.TempDir(), "a.obj")
		text := "v 0 0 0\nv 1 0 0\nv 0 1 " + strings.Repeat("1", i/10) + string(rune('0'+i%10)) + "\nf 1 2 3\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Run("asset.relink name=Box file=" + file)
		r.Asset("Box")
		r.shows("Box")
	}
	if n := len(r.library.models); n > mostUnused+1 {
		t.Errorf("%d models are kept", n)
	}
	for range 30 {
		r.Run("undo")
		r.Asset("Box")
		r.shows("Box")
	}
	if n := len(r.library.models); n > mostUnused+1 {
		t.Errorf("%d models are kept after undoing", n)
	}
	r.NewLevel(flat(t), "")
	if n := len(r.library.models); n != 0 {
		t.Errorf("%d models of another level are kept", n)
	}
	r.quiet()
}
