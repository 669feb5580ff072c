package editor

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"
	"time"

	"ridgeline/terrain"
)

// heights are all heights of a level.
func heights(f *terrain.Field) []float32 {
	cols, rows := f.Size()
	h := make([]float32, cols*rows)
	f.CopyHeights(h, cols, f.Bounds())
	return h
}

// state is what the disk has of a level.
type state struct {
	saved, newest []float32 // newest: what is recovered
	recoverable   bool
}

func stateOf(t *testing.T, path string) (s state) {
	t.Helper()
	saved, info := load(t, path, false)
	newest, _ := load(t, path, true)
	s.saved, s.newest = heights(saved.Terrain), heights(newest.Terrain)
	s.recoverable = info.Autosave != 0
	return s
}

// isOne checks that a level is one of those that it may be, the one before and the
// one after.
func isOne(t *testing.T, what string, h []float32, of ...[]float32) {
	t.Helper()
	i := slices.IndexFunc(of, func(o []float32) bool { return slices.Equal(o, h) })
	if i < 0 {
		t.Errorf("%s is neither the level before nor the one after", what)
		return
	}
	t.Logf("%s is the %s", what, [...]string{"one before", "one after"}[i])
}

// An editor that is killed at any moment leaves a level that opens again, as it was
// before or after what was going on, and offers to recover what was not saved.
func TestKilledEditorLosesNothing(t *testing.T) {
	d := newDesk(t)
	path := newLevel(t)
	level, _ := load(t, path, false)
	w := newTwin(t, level, path, windowSize)

	// reopen opens what the last kill left, and recovers it where that is offered.
	reopen := func(s state) *running {
		t.Helper()
		e := d.open(path)
		if !s.recoverable {
			e.titled("pyrenees – Ridgeline")
			return e
		}
		e.keep("offer.png")
		e.do("key", "Return")
		e.titled("• pyrenees – Ridgeline")
		e.rest()
		return e
	}
	// killDuring begins to do something with the mouse or the keyboard and kills the
	// editor a moment later.
	killDuring := func(e *running, most time.Duration, args ...any) {
		t.Helper()
		words := make([]string, len(args))
		for i, a := range args {
			words[i] = fmt.Sprint(a)
		}
		hands := exec.Command("xdotool", words...)
		hands.Env, hands.SysProcAttr = d.env, dieWithUs
		if err := hands.Start(); err != nil {
			t.Fatal(err)
		}
		wait := rand.N(most)
		time.Sleep(wait)
		e.kill()
		hands.Wait() // its window may be gone
		d.do("mouseup", 1, "keyup", "ctrl", "keyup", "shift")
		cli(t, "check", path)
		t.Logf("killed after %v", wait)
	}

	a, b := w.spot(0.4, 0.6), w.spot(0.6, 0.58)
	for round := range 2 {
		p := a.Add(image.Pt(20*round, 0))

		before := stateOf(t, path)
		e := reopen(before)
		e.sculpt()
		killDuring(e, 400*time.Millisecond, "mousemove", p.X, p.Y, "mousedown", 1, "sleep", 0.1, "mousemove", b.X, b.Y, "sleep", 0.3)
		after := stateOf(t, path)
		isOne(t, "the level", after.saved, before.saved)
		isOne(t, "the autosave of an open stroke", after.newest, before.newest)

		before = after
		e = reopen(before)
		e.sculpt()
		e.stroke(p, b)
		e.rest()
		after = stateOf(t, path)
		if slices.Equal(after.newest, before.newest) {
			t.Fatal("a stroke is not autosaved")
		}
		e.do("key", "ctrl+z")
		e.rest()
		isOne(t, "the autosave after undo", stateOf(t, path).newest, before.newest)
		killDuring(e, 120*time.Millisecond, "key", "ctrl+shift+z")
		killed := stateOf(t, path)
		isOne(t, "the level", killed.saved, before.saved)
		isOne(t, "the autosave", killed.newest, before.newest, after.newest)

		before = killed
		e = reopen(before)
		e.sculpt()
		e.stroke(b, p)
		e.rest()
		after = stateOf(t, path)
		killDuring(e, 120*time.Millisecond, "key", "ctrl+s")
		killed = stateOf(t, path)
		isOne(t, "the level being saved", killed.saved, before.saved, after.newest)
		isOne(t, "what is recovered", killed.newest, after.newest)
	}
	reopen(stateOf(t, path))
}
