package widgets_test

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

type colorWindow struct {
	h   *widgettest.Harness
	th  *widgets.Theme
	c   widgets.ColorField
	log []string
}

func newColorWindow(t *testing.T) *colorWindow {
	w := &colorWindow{th: widgets.NewTheme()}
	w.c.Value = color.NRGBA{R: 0x40, G: 0x80, B: 0xc0, A: 255}
	var under widgets.Button
	w.h = widgettest.New(t, 400, 400, 1, func(gtx layout.Context) layout.Dimensions {
		return w.th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			for {
				ch, ok := w.c.Update(gtx)
				if !ok {
					break
				}
				w.log = append(w.log, fmt.Sprint([...]string{"p", "c", "x"}[ch.Phase], widgets.FormatColor(ch.Value)))
			}
			if under.Clicked(gtx) {
				w.log = append(w.log, "under")
			}
			gtx.Constraints = layout.Constraints{Max: image.Pt(60, 40)}
			off := op.Offset(image.Pt(300, 10)).Push(gtx.Ops)
			w.th.Button(&under, "under").Layout(gtx)
			off.Pop()
			defer op.Offset(image.Pt(20, 360)).Push(gtx.Ops).Pop()
			gtx.Constraints = layout.Constraints{Max: image.Pt(200, 40)}
			return w.th.ColorField(&w.c, "Tint").Layout(gtx)
		})
	})
	return w
}

func (w *colorWindow) want(t *testing.T, events ...string) {
	t.Helper()
	if !slices.Equal(w.log, events) {
		t.Errorf("events %q, want %q", w.log, events)
	}
	w.log = nil
}

func TestColorField(t *testing.T) {
	w := newColorWindow(t)
	h := w.h
	if d := h.Find("Tint").Description; d != "#4080c0" {
		t.Errorf("told as %q", d)
	}
	h.Click("Tint")
	if !w.c.IsOpen() || !w.th.Modal() {
		t.Fatal("the picker isn't open")
	}
	if b := h.Find("Pick Tint").Bounds; !b.In(image.Rect(0, 0, 400, 360)) {
		t.Errorf("the picker is at %v: it leaves the window or covers its field", b)
	}
	plane := h.Find("Saturation and value").Bounds
	corner := func(x, y int) { h.PressAt(float32(x), float32(y)) }

	// A press on the corner of full colour, then a drag to white.
	corner(plane.Max.X-1, plane.Min.Y)
	w.want(t, "p#0080ff")
	h.DragBy(float32(-plane.Dx()), 0)
	if !w.c.Dragging() {
		t.Error("not dragging")
	}
	h.Release()
	if n := len(w.log); n < 3 || w.log[n-1] != "c#ffffff" {
		t.Errorf("events %q", w.log)
	}
	w.log = nil
	// White has no hue, but the picker has kept it.
	corner(plane.Max.X-1, plane.Min.Y)
	h.Key(key.NameEscape, 0)
	h.DragBy(-40, 0)
	h.Release()
	w.want(t, "p#0080ff", "x#ffffff")
	if !w.c.IsOpen() {
		t.Error("Esc ends a drag, not the picker")
	}

	strip := h.Find("Hue").Bounds
	corner(strip.Min.X, strip.Min.Y+5) // white stays white: only the picker knows the hue
	h.Key(key.NameEscape, 0)
	h.Release()
	w.want(t, "x#ffffff")
	corner(plane.Max.X-1, plane.Min.Y)
	h.Release()
	corner(strip.Min.X, strip.Min.Y+5)
	h.Release()
	w.want(t, "p#0080ff", "c#0080ff", "p#ff0000", "c#ff0000")

	h.Click("Tint hex")
	h.Key("A", key.ModShortcut)
	h.Type("#12")
	h.Key(key.NameReturn, 0)
	w.want(t)
	h.Key("A", key.ModShortcut)
	h.Type("1a2B3c")
	h.Key(key.NameReturn, 0)
	w.want(t, "c#1a2b3c")
	h.Drag("Tint green", 16, 0)
	if n := len(w.log); n < 2 || w.log[n-1] != "c#1a2d3c" {
		t.Errorf("events %q", w.log)
	}
	w.log = nil
	h.Press("Tint green")
	h.DragBy(80, 0)
	h.Key(key.NameEscape, 0)
	h.Release()
	if n := len(w.log); n < 2 || w.log[n-1] != "x#1a2d3c" || !w.c.IsOpen() {
		t.Errorf("events %q, open %v", w.log, w.c.IsOpen())
	}
	w.log = nil
	h.Key(key.NameEscape, 0) // with the number having the keyboard
	if w.c.IsOpen() {
		t.Error("Esc must close the picker")
	}

	h.Click("Tint")
	h.Click("under")
	w.want(t)
	if w.c.IsOpen() {
		t.Error("a press beside the picker must close it")
	}
	h.Click("under")
	w.want(t, "under")
	h.Click("Tint")
	for _, want := range []string{"Tint hex", "Tint red", "Tint green", "Tint blue"} {
		h.Key(key.NameTab, 0)
		h.Type("7")
		if w.c.Value == (color.NRGBA{}) || !h.Has(want) {
			t.Errorf("Tab doesn't lead to %s", want)
		}
	}
	h.Key(key.NameReturn, 0)
	if n := len(w.log); n == 0 || w.log[n-1] != "c#070707" {
		t.Errorf("events %q after typing into each number", w.log)
	}
	h.Key(key.NameEscape, 0)
	if w.c.IsOpen() || w.th.Modal() {
		t.Error("the picker is still there")
	}
}

func TestMixedColor(t *testing.T) {
	w := newColorWindow(t)
	w.c.Mixed = true
	w.h.Frame()
	if d := w.h.Find("Tint").Description; d != "several values" {
		t.Errorf("told as %q", d)
	}
	w.h.Click("Tint")
	w.h.Click("Tint hex")
	w.h.Key(key.NameReturn, 0)
	w.want(t)
	w.h.Press("Hue")
	w.h.Key(key.NameEscape, 0)
	w.h.Release()
	if !w.c.Mixed {
		t.Error("a drag that was cancelled has changed something")
	}
	w.log = nil
	w.h.Click("Hue")
	if w.c.Mixed || len(w.log) == 0 {
		t.Errorf("mixed %v, events %q", w.c.Mixed, w.log)
	}
}
