package editor

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"

	"ridgeline/editor/session"
)

// The mouse and the keys move the camera.
func TestCameraInWindow(t *testing.T) {
	d := newDesk(t)
	path := newLevel(t)
	level, _ := load(t, path, false)
	w := newTwin(t, level, path, windowSize)
	view := w.shell.Viewport()
	rival, err := d.x.Rival(screenSize.Sub(image.Pt(20, 20)))
	if err != nil {
		t.Fatal(err)
	}
	e := d.open(path)
	at := w.spot(0.5, 0.5)
	e.do("mousemove", at.X, at.Y)
	e.shows(w.picture(), view)
	last := e.shot()
	looksElsewhere := func(how string) {
		t.Helper()
		now := e.shot()
		keepPicture(t, now, strings.ReplaceAll(how, " ", "-")+".png")
		if d := differing(last, now, view, tolerance); d.n < view.Dx()*view.Dy()/50 {
			t.Errorf("%s: %v, expected far more", how, d)
		}
		if d := differing(last, now, w.aboveStatus(), tolerance, view); d.n > 0 {
			t.Errorf("%s: around the level %v", how, d)
		}
		last = now
	}

	way := []image.Point{at, at.Add(image.Pt(-90, 60))}
	e.do("mousemove", at.X, at.Y, "mousedown", 3, "mousemove", way[1].X, way[1].Y, "mouseup", 3)
	w.drag(session.Right, way...)
	looksElsewhere("right drag")
	e.shows(w.picture(), view)

	e.do("mousemove", at.X, at.Y, "mousedown", 2, "mousemove", way[1].X, way[1].Y, "mouseup", 2)
	w.drag(session.Middle, way...)
	looksElsewhere("middle drag")
	e.shows(w.picture(), view)

	// At the edge of the screen a turn goes on: here it goes round.
	edge, further := image.Pt(screenSize.X-3, at.Y), 1000
	e.do("mousemove", at.X, at.Y, "mousedown", 3, "mousemove", edge.X, edge.Y)
	looksElsewhere("right drag to the edge")
	e.eventually("the pointer does not come back", func() error {
		p, err := e.x.Pointer()
		if err == nil && !p.In(view) {
			err = fmt.Errorf("it is at %v", p)
		}
		return err
	})
	e.do("mousemove_relative", further, 0)
	looksElsewhere("right drag beyond the edge")
	e.do("mouseup", 3)
	w.drag(session.Right, at, edge, edge.Add(image.Pt(further, 0)))
	e.shows(w.picture(), view)

	e.do("key", "Home")
	looksElsewhere("framing")
	e.do("mousemove", at.X, at.Y, "click", "--repeat", 3, 4)
	looksElsewhere("wheel")

	// Flight goes on while a key is held, and ends when it is let go and when the
	// keyboard is taken away.
	standing := e.shot()
	e.do("key", "w")
	if d := differing(standing, e.shot(), view, 0); d.n > 0 {
		t.Errorf("a key moved the camera while the button was up: %v", d)
	}

	flies := func() {
		t.Helper()
		begun := e.work().drawn
		e.eventually("the camera does not fly", func() error {
			if n := e.work().drawn - begun; n < 6 {
				return fmt.Errorf("%d pictures were drawn", n)
			}
			return nil
		})
	}
	e.do("mousedown", 3, "keydown", "w")
	flies()
	e.do("keyup", "w")
	landed := e.shot()
	keepPicture(t, landed, "landed.png")
	if d := differing(standing, landed, view, tolerance); d.n < view.Dx()*view.Dy()/50 {
		t.Errorf("flying: %v, expected far more", d)
	}

	e.do("keydown", "d")
	flies()
	if err := e.x.Focus(rival); err != nil {
		t.Fatal(err)
	}
	stopped := e.shot() // it comes to rest although the key is down
	keepPicture(t, stopped, "stopped.png")
	e.do("keyup", "d", "mouseup", 3)
	if err := e.x.Focus(e.window); err != nil {
		t.Fatal(err)
	}
	e.do("mousedown", 3)
	if d := differing(stopped, e.shot(), view, 0); d.n > 0 {
		t.Errorf("the camera flew on: %v", d)
	}
	e.do("keydown", "d")
	flies()
	e.do("keyup", "d", "mouseup", 3)
	e.rest()
}

// A key that was pressed just before the keyboard was taken away does not stay down.
func TestLateKeyIsReleased(t *testing.T) {
	w := sampleTwin(t)
	at, now := w.spot(0.5, 0.5), time.Unix(0, 0)
	frames := func() {
		t.Helper()
		for range 8 { // the camera takes its time to stop
			now = now.Add(100 * time.Millisecond)
			if err := w.h.Draw(now); err != nil {
				t.Fatal(err)
			}
		}
	}
	fliesAfterKey := func() bool {
		t.Helper()
		w.h.Queue(key.Event{Name: "D", State: key.Press})
		frames()
		w.unfocused = false
		eye := w.s.View.Rig.Eye
		w.pointer(session.PointerPress, at, session.Right)
		frames()
		w.pointer(session.PointerRelease, at, session.Right)
		frames()
		return w.s.View.Rig.Eye != eye
	}
	if !fliesAfterKey() {
		t.Error("the camera does not fly while the key is down")
	}
	w.unfocused = true
	if fliesAfterKey() {
		t.Error("the camera flies although the keyboard was lost")
	}
}
