package store

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"ridgeline/document"
)

func TestAutosaver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l := flat(t, 600, 600)
	saved, _, err := Save(background, path, l, nil, nil)
	must(t, err)
	d := document.New(l, document.Options{})
	var mu sync.Mutex
	writes := 0
	a := NewAutosaver(path, saved, func(r AutosaveResult) {
		mu.Lock()
		defer mu.Unlock()
		writes++
		if r.Err != nil || r.Stats.Leftovers != nil {
			t.Error(r.Err, r.Stats.Leftovers)
		}
	})
	d.Subscribe(func(l *document.Level, c document.Change) {
		if c.Committed {
			a.Update(l)
		}
	})
	edit := func(seed uint64) {
		must(t, d.Do("edit", func(tx *document.Tx) error {
			return tx.SetTerrain(paint(tx.Level().Terrain, image.Rect(0, 0, 500, 10), seed))
		}))
	}
	const edits = 40
	for i := range edits {
		edit(uint64(i))
	}
	must(t, a.Wait(background))
	mu.Lock()
	if writes < 1 || writes > edits {
		t.Errorf("%d autosaves of %d edits", writes, edits)
	}
	mu.Unlock()
	got, info, err := Open(background, path, Options{Recover: true})
	must(t, err)
	equal(t, got, d.Level())
	if info.Autosave != AutosaveNewer || info.Edits != edits || info.Regions != 2 {
		t.Errorf("info is %+v", info)
	}

	// A save of a level that is no longer the newest leaves the newest autosaved.
	older := d.Level()
	edit(1000)
	_, err = a.Save(background, older, nil)
	must(t, err)
	must(t, a.Wait(background))
	got, _ = reopen(t, path)
	equal(t, got, older)
	got, info, err = Open(background, path, Options{Recover: true})
	must(t, err)
	equal(t, got, d.Level())
	if info.Autosave != AutosaveNewer {
		t.Errorf("info is %+v", info)
	}

	_, err = a.Save(background, d.Level(), nil)
	must(t, err)
	must(t, a.Wait(background))
	if _, info = reopen(t, path); info.Autosave != AutosaveNone {
		t.Errorf("info is %+v", info)
	}
	edit(2000)
	must(t, a.Wait(background))
	must(t, a.Discard())
	must(t, a.Close(background))
	edit(3000) // not taken any more
	must(t, a.Wait(background))
	if _, info = reopen(t, path); info.Autosave != AutosaveNone {
		t.Errorf("info is %+v", info)
	}
	problems, err := Check(background, path, nil)
	must(t, err)
	if len(problems) > 0 {
		t.Error(problems)
	}
}

func TestAutosaverTellsOfErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ridge")
	must(t, os.WriteFile(Folder(path), nil, 0o666)) // a file where the folder should be
	var got error
	a := NewAutosaver(path, nil, func(r AutosaveResult) { got = r.Err })
	a.Update(flat(t, 65, 65))
	must(t, a.Wait(background))
	if got == nil {
		t.Fatal("no error")
	}
	if _, err := a.Save(background, flat(t, 65, 65), nil); err == nil {
		t.Error("saved")
	}
	must(t, os.Remove(Folder(path)))
	got = errors.New("not called")
	a.Update(flat(t, 65, 65))
	must(t, a.Wait(background))
	if got != nil {
		t.Error(got)
	}
}

// Levels are written with the camera that was told last, and not for its sake.
func TestAutosaverKeepsTheCamera(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l := flat(t, 65, 65)
	writes := 0
	a := NewAutosaver(path, nil, func(r AutosaveResult) {
		if writes++; r.Level != l || r.Err != nil {
			t.Errorf("%p was written, not %p: %v", r.Level, l, r.Err)
		}
	})
	camera := document.Camera{Eye: [3]float64{1, 2, 3}, Look: [3]float64{4, 5, 6}}
	a.Look(camera)
	must(t, a.Wait(background))
	if writes != 0 {
		t.Error("a camera has a level written")
	}
	a.Update(l)
	must(t, a.Wait(background))
	got, _, err := Open(background, path, Options{Recover: true})
	must(t, err)
	if got.Settings.Camera != camera || l.Settings.Camera == camera {
		t.Errorf("autosaved with %v, and the level has %v", got.Settings.Camera, l.Settings.Camera)
	}
	camera.Eye[0] = 9
	a.Look(camera)
	_, err = a.Save(background, l, nil)
	must(t, err)
	must(t, a.Close(background))
	if got, info := reopen(t, path); got.Settings.Camera != camera || info.Autosave != AutosaveNone {
		t.Errorf("saved with %v, autosave %v", got.Settings.Camera, info.Autosave)
	}
	if a.Look(document.Camera{}); SeenFrom(l, document.Camera{}) != l || SeenFrom(l, l.Settings.Camera) != l || writes != 1 {
		t.Errorf("a level with its own camera is another; %d autosaves", writes)
	}
}
