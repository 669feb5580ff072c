package session

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ridgeline/document"
)

// tent is a mesh of one triangle and its material.
const (
	tent    = "mtllib tent.mtl\nusemtl cloth\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nf 1 2 3\n"
	tentMTL = "newmtl cloth\nKd 1 0 0\n"
)

// write writes a file that is younger than all before.
func write(t *testing.T, path, text string, age *time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	*age = age.Add(time.Second)
	if err := os.Chtimes(path, *age, *age); err != nil {
		t.Fatal(err)
	}
}

// An asset is read again when its file changes, or one that came with it, also when
// the file was away meanwhile; what merely was opened is not.
func TestSourcesAreReadAgain(t *testing.T) {
	r := start(t, t.TempDir())
	folder, age := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	obj, mtl := filepath.Join(folder, "tent.obj"), filepath.Join(folder, "tent.mtl")
	write(t, obj, tent, &age)
	write(t, mtl, tentMTL, &age)
	r.Run("asset.import file=" + obj + "; object.place asset=tent at=10,10")
	r.idle()
	r.quiet()

	file := func() string {
		t.Helper()
		r.watchOnce()
		r.idle()
		r.quiet()
		a, ok := r.Level().Asset("tent")
		if !ok {
			t.Fatal("the asset is gone")
		}
		return a.File
	}
	triangles := func() int {
		t.Helper()
		items := r.scene.Items()
		if len(items) != 1 || items[0].Missing {
			t.Fatalf("the scene has %d items", len(items))
		}
		return items[0].Model.Triangles()
	}
	first := file()
	steps := r.Document().Position()
	if again := file(); again != first || triangles() != 1 {
		t.Fatal("a file that did not change is another asset")
	}
	if r.Document().Position() != steps {
		t.Error("a file that did not change was read again")
	}

	write(t, mtl, "newmtl cloth\nKd 0 1 0\n", &age)
	green := file()
	if green == first {
		t.Error("another material did not make another asset")
	}
	if c := r.scene.Items()[0].Model.Materials[0].BaseColor; c[1] != 1 {
		t.Errorf("the object's colour is %v", c)
	}

	if err := os.Remove(obj); err != nil {
		t.Fatal(err)
	}
	if file() != green || triangles() != 1 {
		t.Error("without the file the asset is another")
	}
	write(t, obj, tent+"f 2 3 4\n", &age)
	if file() == green || triangles() != 2 {
		t.Errorf("the file came back, and the object has %d triangles, expected 2", triangles())
	}

	// In another document what is seen first is noted, also if no file changed.
	r.replace(r.Level(), r.file)
	second := file()
	write(t, obj, tent, &age)
	if file() == second || triangles() != 1 {
		t.Error("after the level was opened again a change is missed")
	}
}

// In a session without a loop nothing runs beside the caller: tasks do their work at
// once, and finish at the next tick.
func TestSessionWithoutALoop(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "level.ridge")
	obj, age := filepath.Join(home, "tent.obj"), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	write(t, obj, tent, &age)
	s := New(flat(t), Options{Temporary: true, Path: path})
	defer s.Close()
	done := ""
	s.Start("A task", func(_ context.Context, _ func(float64)) (func() error, error) {
		done += "worked "
		return func() error { done += "finished"; return nil }, nil
	}, nil)
	if done != "worked " || !s.Busy() {
		t.Errorf("before the tick: %q", done)
	}
	if again := s.Tick(0); !again || done != "worked finished" || s.Busy() {
		t.Errorf("after the tick: %q", done)
	}
	if s.Tick(0) {
		t.Error("another frame is asked for, but nothing happens")
	}

	if err := s.Execute("asset.import file=" + obj + "; object.place asset=tent at=10,10"); err != nil {
		t.Fatal(err)
	}
	if s.Busy() || !s.scene.Items()[0].Missing {
		t.Error("a model was not left to LoadModels")
	}
	s.LoadModels(t.Context())
	if it := s.scene.Items()[0]; it.Missing || it.Model.Triangles() != 1 {
		t.Errorf("the object shows %d triangles", it.Model.Triangles())
	}

	// A missing asset shows a placeholder and loses nothing.
	a, _ := s.Level().Asset("tent")
	if err := os.Remove(filepath.Join(path+".d", "assets", a.File[len(document.AssetPrefix):])); err != nil {
		t.Fatal(err)
	}
	s.library.models = nil
	s.scene.Update(s.Level(), nil)
	s.LoadModels(t.Context())
	if got := s.MissingAssets(); len(got) != 1 || got[0] != "tent" || !s.scene.Items()[0].Missing {
		t.Errorf("missing are %v", got)
	}
	if err := s.Execute("asset.relink name=tent file=" + obj); err != nil {
		t.Fatal(err)
	}
	s.LoadModels(t.Context())
	if got := s.MissingAssets(); len(got) != 0 || s.scene.Items()[0].Missing {
		t.Errorf("after relinking missing are %v", got)
	}
}

// What changed while the level was closed is offered when it is opened again, and
// only that.
func TestSourceChangedMeanwhile(t *testing.T) {
	state, folder, age := t.TempDir(), t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	obj, mtl, level := filepath.Join(folder, "tent.obj"), filepath.Join(folder, "tent.mtl"), filepath.Join(folder, "camp.ridge")
	write(t, obj, tent, &age)
	write(t, mtl, tentMTL, &age)
	r := start(t, state)
	r.Run("asset.import file=" + obj + "; object.place asset=tent at=10,10; file.saveas " + level)
	r.idle()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	offers := func() (n int, run string) {
		t.Helper()
		r := start(t, state)
		defer r.Close()
		r.Open(level)
		r.idle()
		for _, notice := range r.TakeNotices() {
			if notice.Action == "Reload" {
				n, run = n+1, notice.Run
			}
		}
		return n, run
	}
	if n, _ := offers(); n != 0 {
		t.Fatalf("%d offers to reload what has not changed", n)
	}
	write(t, obj, tent+"f 2 3 4\n", &age)
	if n, run := offers(); n != 1 || run != "app.reload name=tent" {
		t.Fatalf("%d offers, the last would run %q", n, run)
	}
	if err := os.Remove(obj); err != nil {
		t.Fatal(err)
	}
	if n, _ := offers(); n != 0 {
		t.Fatalf("%d offers to reload what is gone", n)
	}
}
