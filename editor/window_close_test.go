package editor

import (
	"encoding/json"
	"image"
	"syscall"
	"testing"
)

// edited opens a level in an editor and makes a stroke; it returns the editor, a
// twin without the stroke, and the point of the ground in the stroke's middle.
func edited(t *testing.T, path string) (e *running, w *twin, at [3]float64) {
	t.Helper()
	d := newDesk(t)
	level, _ := load(t, path, false)
	w = newTwin(t, level, path, windowSize)
	w.sculpt()
	e = d.open(path)
	e.titled("pyrenees – Ridgeline")
	e.sculpt()
	e.stroke(w.spot(0.5, 0.6), w.spot(0.52, 0.6))
	e.titled("• pyrenees – Ridgeline")
	e.rest()
	at = w.ground(w.spot(0.51, 0.6))
	at[1] = heightAt(t, path, at[0], at[2])
	return e, w, at
}

// autosave is what info tells of it.
func autosave(t *testing.T, path string) string {
	t.Helper()
	var facts struct{ Autosave string }
	if err := json.Unmarshal(cli(t, "info", path, "--json"), &facts); err != nil {
		t.Fatal(err)
	}
	return facts.Autosave
}

// A window with changes asks before it closes, and does what is answered.
func TestClosingWindowAsks(t *testing.T) {
	path := newLevel(t)
	e, w, at := edited(t, path)
	asleep := e.shot()

	w.s.Run("terrain.stroke op=raise at=5000,5000 radius=500 strength=10")
	if w.s.Closing() {
		t.Fatal("the twin may close")
	}
	question := w.picture()
	dialog := w.find("Dialog: Save changes to “pyrenees”?")
	asks := func(how string) {
		t.Helper()
		e.shows(question, dialog)
		if !e.alive() {
			t.Fatalf("%s closed the window", how)
		}
		e.keep("question.png")
	}
	stays := func(how string) {
		t.Helper()
		if d := differing(asleep, e.shot(), w.aboveStatus(), tolerance); d.n > 0 {
			t.Errorf("after %s, the window looks otherwise: %v", how, d)
		}
	}
	away := w.spot(0.5, 0.6) // where the pointer was

	e.do("key", "ctrl+q")
	asks("Ctrl+Q")
	e.do("key", "Escape")
	stays("Esc")
	if err := e.x.RequestClose(e.window); err != nil {
		t.Fatal(err)
	}
	asks("the window's cross")
	e.click(w.middle("Cancel"))
	e.do("mousemove", away.X, away.Y)
	stays("Cancel")

	e.do("key", "ctrl+q")
	asks("Ctrl+Q again")
	e.click(w.middle("Don't save"))
	if code := e.exit(); code != 0 {
		t.Errorf("exit code %d, expected 0", code)
	}
	if got := heightAt(t, path, at[0], at[2]); got != at[1] {
		t.Errorf("the level has %v m there, expected %v m as before", got, at[1])
	}
	if a := autosave(t, path); a != "none" {
		t.Errorf("the autosave of what was given up is %s, expected none", a)
	}
}

// click presses the left button somewhere.
func (e *running) click(p image.Point) {
	e.t.Helper()
	e.do("mousemove", p.X, p.Y, "click", 1)
}

func TestClosingWindowSaves(t *testing.T) {
	path := newLevel(t)
	e, _, at := edited(t, path)
	e.do("key", "ctrl+q")
	e.rest()
	e.do("key", "Return")
	if code := e.exit(); code != 0 {
		t.Errorf("exit code %d, expected 0", code)
	}
	if got := heightAt(t, path, at[0], at[2]); got <= at[1] {
		t.Errorf("the saved level has %v m there, expected more than %v m", got, at[1])
	}
	if a := autosave(t, path); a != "none" {
		t.Errorf("the autosave is %s, expected none", a)
	}
}

// An editor that is told to end does so without asking. What was not saved is in
// the autosave, without the stroke that was open.
func TestTerminatedEditorKeepsAutosave(t *testing.T) {
	path := newLevel(t)
	e, w, at := edited(t, path)
	p := w.spot(0.4, 0.63)
	open := w.ground(p)
	open[1] = heightAt(t, path, open[0], open[2])
	e.do("mousemove", p.X, p.Y, "mousedown", 1, "sleep", 0.3)
	if err := e.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := e.exit(); code != 0 && code != 1 {
		t.Errorf("exit code %d, expected 0 or 1", code)
	}
	if got := heightAt(t, path, at[0], at[2]); got != at[1] {
		t.Errorf("the level has %v m there, expected %v m as before", got, at[1])
	}
	if got := heightAt(t, path, at[0], at[2], "--recover"); got <= at[1] {
		t.Errorf("the autosave has %v m there, expected more than %v m", got, at[1])
	}
	if got := heightAt(t, path, open[0], open[2], "--recover"); got != open[1] {
		t.Errorf("under the open stroke the autosave has %v m, expected %v m as before it", got, open[1])
	}
}
