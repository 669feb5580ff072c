package widgets_test

import (
	"fmt"
	"image"
	"math"
	"slices"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"
	"pgregory.net/rapid"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// changes records what a number reports.
type changes []string

func (c *changes) take(ch widgets.Change) {
	*c = append(*c, fmt.Sprintf("%s%g", [...]string{"p", "c", "x"}[ch.Phase], ch.Value))
}

func (c *changes) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(*c, want) {
		t.Errorf("changes %q, want %q", *c, want)
	}
	*c = nil
}

func numberWindow(t *testing.T, n *widgets.Number, log *changes, scale float32) *widgettest.Harness {
	th := widgets.NewTheme()
	return widgettest.New(t, 800, 800, scale, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			c, ok := n.Update(gtx)
			if !ok {
				break
			}
			log.take(c)
		}
		s := th.Number(n, "m")
		s.Label = "Height"
		return s.Layout(gtx)
	}))
}

func TestNumberDrag(t *testing.T) {
	n := widgets.Number{Value: 10, Min: 0, Max: 20}
	var log changes
	h := numberWindow(t, &n, &log, 2)
	h.Press("Height")
	h.DragBy(4, 0) // within the slop: still a click
	log.want(t)
	h.DragBy(28, 0) // 32 px are 16 dp are two steps
	h.Release()
	log.want(t, "p10.7", "p11.1", "p11.6", "p12", "c12")

	h.Hold(key.ModCtrl)
	h.Drag("Height", 48, 0)
	h.Hold(0)
	log.want(t, "p13", "p14", "p15", "c15")

	h.Hold(key.ModShift)
	h.Drag("Height", 64, 0)
	h.Hold(0)
	log.want(t, "p15.1", "p15.2", "p15.3", "p15.4", "c15.4")

	h.Press("Height")
	h.DragBy(-64, 0)
	h.Key(key.NameEscape, 0)
	h.DragBy(-64, 0)
	h.Release()
	log.want(t, "p14.4", "p13.4", "p12.4", "p11.4", "x15.4")
	if n.Value != 15.4 || n.Editing() {
		t.Errorf("value %v after giving up, editing %v", n.Value, n.Editing())
	}

	h.Drag("Height", 4000, 0)
	if n.Value != 20 {
		t.Errorf("value %v leaves the range", n.Value)
	}
}

func TestNumberLogDrag(t *testing.T) {
	n := widgets.Number{Value: 1, Min: 0.01, Max: 1000, Log: true}
	var log changes
	h := numberWindow(t, &n, &log, 1)
	h.Drag("Height", 200, 0)
	if n.Value != 10 {
		t.Errorf("200 dp made %v of 1, want 10", n.Value)
	}
	h.Hold(key.ModCtrl)
	h.Drag("Height", 40, 0)
	h.Hold(0)
	if n.Value != 20 {
		t.Errorf("snapped to %v, want 20", n.Value)
	}
}

func TestNumberTyping(t *testing.T) {
	n := widgets.Number{Value: 10, Min: 0, Max: 20}
	var log changes
	h := numberWindow(t, &n, &log, 1)
	h.Click("Height")
	if !n.Editing() {
		t.Fatal("a click must let the user type")
	}
	h.Type("12.5 m")
	h.Key(key.NameReturn, 0)
	log.want(t, "c12.5")

	for _, bad := range []string{"abc", "21", "", "1e999"} {
		h.Click("Height")
		h.Type(bad)
		if bad == "" {
			h.Key(key.NameDeleteBackward, 0)
		}
		h.Key(key.NameReturn, 0)
		if !n.Editing() {
			t.Errorf("%q was accepted", bad)
		}
		h.Key(key.NameEscape, 0)
		if n.Editing() {
			t.Error("Esc must end typing")
		}
	}
	log.want(t)

	h.Click("Height")
	h.Type("3")
	h.ClickAt(5, 5)
	log.want(t, "c3") // leaving the field takes what is valid
	h.Click("Height")
	h.Type("x")
	h.ClickAt(5, 5)
	log.want(t)
	if n.Value != 3 || n.Editing() {
		t.Errorf("value %v, editing %v", n.Value, n.Editing())
	}
}

func TestNumberKeys(t *testing.T) {
	n := widgets.Number{Value: 10, Min: 0, Max: 20, Step: 2}
	var log changes
	h := numberWindow(t, &n, &log, 1)
	h.Tab()
	h.Key(key.NameUpArrow, 0)
	h.Key(key.NameDownArrow, key.ModShift)
	h.Key(key.NameReturn, 0)
	h.Type("1")
	h.Key(key.NameReturn, 0)
	h.Key(key.NameUpArrow, 0) // the keyboard is back on the number
	log.want(t, "c12", "c11.8", "c1", "c3")
}

// Whoever comes by Tab can type at once, and letters are no shortcuts then; after
// a drag they are.
func TestNumberTypingOver(t *testing.T) {
	a, b := widgets.Number{Value: 10}, widgets.Number{Value: 20}
	var log changes
	th := widgets.NewTheme()
	h := widgettest.New(t, 400, 200, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			c, ok := b.Update(gtx)
			if !ok {
				break
			}
			log.take(c)
		}
		first, second := th.Number(&a, "m"), th.Number(&b, "m")
		first.Label, second.Label = "First", "Second"
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx, layout.Rigid(first.Layout), layout.Rigid(second.Layout))
	}))
	h.Click("First")
	h.Type("1")
	h.Tab()
	if a.Value != 1 || !th.Typing() {
		t.Fatalf("Tab: value %v, typing %v", a.Value, th.Typing())
	}
	h.Type("3100")
	if !b.Editing() {
		t.Fatal("a digit must begin to type")
	}
	h.Key(key.NameReturn, 0)
	log.want(t, "c3100")
	if th.Typing() {
		t.Error("after Enter letters must be shortcuts again")
	}
	h.Drag("First", 20, 0)
	h.Type("7")
	if a.Editing() || th.Typing() {
		t.Error("after a drag letters must be shortcuts")
	}
}

// However a number is dragged, it stays in its range, the last word is one
// Commit or Cancel, and Cancel brings back what was before.
func TestNumberPhases(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := widgets.Number{
			Value: rapid.Float64Range(1, 100).Draw(rt, "value"), Min: 0.5, Max: 200,
			Log: rapid.Bool().Draw(rt, "log"),
		}
		before := n.Value
		th := widgets.NewTheme()
		var got []widgets.Change
		h := widgettest.New(t, 400, 200, 1, func(gtx layout.Context) layout.Dimensions {
			return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
				gtx.Constraints = layout.Constraints{Max: image.Pt(200, 100)}
				for {
					c, ok := n.Update(gtx)
					if !ok {
						break
					}
					got = append(got, c)
				}
				s := th.Number(&n, "")
				s.Label = "n"
				return s.Layout(gtx)
			})
		})
		h.Press("n")
		for range rapid.IntRange(1, 4).Draw(rt, "moves") {
			h.Hold(rapid.SampledFrom([]key.Modifiers{0, key.ModShift, key.ModCtrl}).Draw(rt, "mods"))
			h.DragBy(float32(rapid.IntRange(-300, 300).Draw(rt, "dx")), 0)
		}
		cancel := rapid.Bool().Draw(rt, "cancel")
		if cancel {
			h.Key(key.NameEscape, 0)
		}
		h.Release()
		last := widgets.Preview
		for i, c := range got {
			if i < len(got)-1 && c.Phase != widgets.Preview {
				rt.Fatalf("%v before the end of %v", c.Phase, got)
			}
			if !(c.Value >= 0.5 && c.Value <= 200) {
				rt.Fatalf("value %v outside the range", c.Value)
			}
			last = c.Phase
		}
		if len(got) > 0 && last == widgets.Preview {
			rt.Fatalf("no end: %v", got)
		}
		if last == widgets.Cancel && math.Float64bits(n.Value) != math.Float64bits(before) {
			rt.Fatalf("cancelled to %v, was %v", n.Value, before)
		}
	})
}

func TestSlider(t *testing.T) {
	th := widgets.NewTheme()
	var log changes
	s := widgets.Slider{Number: widgets.Number{Value: 1, Min: 1, Max: 100, Log: true}}
	h := widgettest.New(t, 600, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Max.X = 80 + 212 + 6 + 72 // a way of 200 for the handle
		for {
			c, ok := s.Update(gtx)
			if !ok {
				break
			}
			log.take(c)
		}
		return th.Slider(&s, "Radius", "m").Layout(gtx)
	}))
	h.Click("Radius slider")
	log.want(t, "p10", "c10")
	h.Drag("Radius slider", 100, 0)
	if s.Value != 100 {
		t.Errorf("value %v at the right end", s.Value)
	}
	log = nil
	h.Press("Radius slider")
	h.DragBy(-400, 0)
	if s.Value != 1 {
		t.Errorf("value %v beyond the left end", s.Value)
	}
	h.Key(key.NameEscape, 0)
	h.Release()
	if s.Value != 100 {
		t.Errorf("value %v after giving up", s.Value)
	}
	log = nil
	h.Click("Radius")
	h.Type("25")
	h.Key(key.NameReturn, 0)
	log.want(t, "c25")
}
