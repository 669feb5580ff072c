package editor

import (
	"fmt"
	"image"
	"testing"
	"time"
)

// The window shows what the same program draws without one, however the picture
// gets into it, and in every size. While nothing happens, it draws nothing and takes
// no time of the processor.
func TestWindowLooksLikeTwin(t *testing.T) {
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			d := newDesk(t)
			w := sampleTwin(t)
			e := d.open("--viewport=" + mode)
			e.titled("Sample – Ridgeline")
			e.shows(w.picture(), w.aboveStatus())
			for _, size := range []image.Point{{X: 960, Y: 600}, {X: 1600, Y: 1000}} {
				if err := e.x.Resize(e.window, size); err != nil {
					t.Fatal(err)
				}
				w.resize(size)
				e.shows(w.picture(), w.aboveStatus())
				keepPicture(t, e.shot(), fmt.Sprintf("%dx%d.png", size.X, size.Y))
			}
			e.do("key", "b", "mousemove", w.spot(0.5, 0.7).X, w.spot(0.5, 0.7).Y)
			w.sculpt()
			w.point(w.spot(0.5, 0.7))
			e.shows(w.picture(), w.aboveStatus())
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
