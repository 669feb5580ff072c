package editor

import (
	"fmt"
	"image"
	"testing"
	"time"
)

// The window shows what the same program draws without one, however the picture
// gets into it, and in every size.
func TestWindowLooksLikeTwin(t *testing.T) {
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			d := newDesk(t)
			path := newLevel(t)
			level, _ := load(t, path, false)
			w := newTwin(t, level, path, windowSize)
			e := d.open(path, "--viewport="+mode)
			e.titled("pyrenees – Ridgeline")
			keepPicture(t, w.picture(), "twin.png")
			e.shows(w.picture(), w.aboveStatus())
			keepPicture(t, e.shot(), "window.png")
			for _, size := range []image.Point{{X: 960, Y: 600}, {X: 1600, Y: 1000}} {
				if err := e.x.Resize(e.window, size); err != nil {
					t.Fatal(err)
				}
				w.resize(size)
				e.shows(w.picture(), w.aboveStatus())
				keepPicture(t, e.shot(), fmt.Sprintf("%dx%d.png", size.X, size.Y))
			}
		})
	}
}

// A window in which nothing happens draws nothing and takes no time of the
// processor: neither when it has come up nor when it has been worked in.
func TestIdleWindowTakesNoTime(t *testing.T) {
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			d := newDesk(t)
			w := sampleTwin(t)
			e := d.open("--viewport=" + mode)
			e.shows(w.picture(), w.aboveStatus())
			e.idle()
			e.sculpt()
			e.stroke(w.spot(0.4, 0.7), w.spot(0.5, 0.7))
			e.titled("• Sample – Ridgeline")
			e.rest()
			e.idle()
		})
	}
}

// idle checks that an editor at rest stays so.
func (e *running) idle() {
	e.t.Helper()
	e.rest()
	before := e.work()
	time.Sleep(2 * time.Second)
	after := e.work()
	if ticks := after.ticks - before.ticks; ticks > 1 {
		e.t.Errorf("the idle editor took %d hundredths of a second", ticks)
	}
	if n := after.drawn - before.drawn; n > 0 {
		e.t.Errorf("the idle editor drew %d times", n)
	}
}
