package session

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// near reports whether two places of the camera are the same but for rounding.
func near(a, b place) bool {
	return a.eye.Sub(b.eye).Len() < 1e-6 && mgl64.Vec2{a.yaw - b.yaw, a.pitch - b.pitch}.Len() < 1e-6
}

// Where the camera was when the level was saved, it is when it is opened again, although
// to fly is no edit: it makes nothing unsaved and there is nothing to undo.
func TestSavedLevelIsSeenFromWhereItWasLeft(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "a.ridge")
	r := start(t, home)
	r.Run("file.saveas " + path)
	r.idle()
	untouched, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	r.View.Place(mgl64.Vec3{10, 80, 120}, mgl64.Vec3{70, 5, 20})
	r.Tick(0)
	left := r.View.place()
	if d := r.Document(); d.Dirty() || len(d.History()) != 0 {
		t.Error("to fly is an edit")
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, untouched) {
		t.Errorf("to fly writes the file: %v", err)
	}
	r.Run("file.save")
	r.idle()
	r.quiet()
	if d := r.Document(); d.Dirty() || len(d.History()) != 0 {
		t.Error("to keep the camera is an edit")
	}
	seen, err := os.ReadFile(path)
	if err != nil || bytes.Equal(seen, untouched) {
		t.Fatalf("the camera was not written: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}

	again := start(t, filepath.Join(home, "2"))
	again.Open(path)
	again.idle()
	if got := again.View.place(); !near(got, left) {
		t.Errorf("the camera is at %v, and was left at %v", got, left)
	}
	// Nobody looked around, so the file stays as it is, to the byte.
	again.Run("file.save")
	again.idle()
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, seen) {
		t.Errorf("saving a level that was not touched writes another: %v", err)
	}

	// Under another name, too.
	again.View.Place(mgl64.Vec3{-10, 30, 40}, mgl64.Vec3{0, 0, 0})
	left = again.View.place()
	other := filepath.Join(home, "b.ridge")
	again.Run("file.saveas " + other)
	again.idle()
	again.quiet()
	again.Run("file.open " + path)
	again.idle()
	if got := again.View.place(); near(got, left) {
		t.Error("the camera did not go with the level")
	}
	again.Run("file.open " + other)
	again.idle()
	if got := again.View.place(); !near(got, left) {
		t.Errorf("the camera is at %v, and was left at %v", got, left)
	}
}

// What is recovered is seen from where the last edit was seen from.
func TestRecoveredLevelIsSeenFromWhereItWasLeft(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.View.Place(mgl64.Vec3{10, 80, 120}, mgl64.Vec3{70, 5, 20})
	left := r.View.place()
	r.Run("layer.add name=Moor")
	r.until("the autosave", func() bool { s, _ := r.SaveState(); return s == "Autosaved" })
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again := start(t, home)
	again.OfferUnsaved()
	again.answer("Recover")
	again.idle()
	if got := again.View.place(); !near(got, left) {
		t.Errorf("the camera is at %v, and was left at %v", got, left)
	}
}
