package editor

import (
	"fmt"
	"image"
	"testing"
	"time"
)

// The window shows what the same program draws without one, however the picture
// gets into it, and in every size: ground with a brush over it, and things with
// outlines and handles. While nothing happens, it draws nothing and takes no time of
// the processor.
func TestWindowLooksLikeTwin(t *testing.T) {
	sizes := []image.Point{{X: 960, Y: 600}, {X: 1600, Y: 1000}}
	resized := func(e *running, w *twin, size image.Point) {
		t := e.t
		t.Helper()
		if err := e.x.Resize(e.window, size); err != nil {
			t.Fatal(err)
		}
		w.resize(size)
		e.shows(w.picture(), w.aboveStatus())
		keepPicture(t, e.shot(), fmt.Sprintf("%dx%d.png", size.X, size.Y))
	}
	t.Run("direct", func(t *testing.T) {
		d := newDesk(t)
		w := sampleTwin(t)
		e := d.open("--viewport=direct")
		e.titled("Sample – Ridgeline")
		e.shows(w.picture(), w.aboveStatus())
		for _, size := range sizes {
			resized(e, w, size)
		}
		at := w.spot(0.5, 0.7)
		e.do("key", "b", "mousemove", at.X, at.Y)
		w.sculpt()
		w.point(at)
		e.shows(w.picture(), w.aboveStatus())
		e.idle()
	})
	t.Run("copy", func(t *testing.T) {
		d := newDesk(t)
		path, _ := newVillage(t)
		level, _ := load(t, path, false)
		w := newTwin(t, level, path, windowSize)
		e := d.open("--viewport=copy", path)
		e.titled("village – Ridgeline")
		e.shows(w.picture(), w.aboveStatus())
		for _, size := range sizes {
			resized(e, w, size)
			e.showsRendered(w, rendered(t, path, w.shell.Viewport().Size()))
		}
		barn := w.project(w.s.Scene().BoundsOf(barnID))
		middle := barn.Min.Add(barn.Size().Div(2))
		e.click(middle)
		w.click(middle, middle)
		e.shows(w.picture(), w.aboveStatus())
		e.keep("selected.png")
		e.idle()
	})
}

// idle checks that an editor at rest stays so. A frame may be due that was ordered
// before: the one in which a message goes.
func (e *running) idle() {
	e.t.Helper()
	for due := true; ; due = false {
		e.rest()
		before := e.work()
		time.Sleep(2 * time.Second)
		after := e.work()
		ticks, n := after.ticks-before.ticks, after.drawn-before.drawn
		if n == 1 && due {
			continue
		}
		if ticks > 1 || n > 0 {
			e.wrong("the idle editor took %d hundredths of a second and drew %d times", ticks, n)
		}
		return
	}
}
