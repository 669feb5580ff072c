package widgets_test

import (
	"math"
	"slices"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// several is an inspector of one number of several things, as a caller writes it.
type several struct {
	n      widgets.Number
	values []float64
	before []float64 // while a drag lasts
	phases string
}

func (s *several) update(gtx layout.Context) {
	for {
		c, ok := s.n.Update(gtx)
		if !ok {
			break
		}
		s.phases += [...]string{"p", "c", "x"}[c.Phase]
		if s.before == nil {
			s.before = slices.Clone(s.values)
		}
		for i, v := range s.before {
			s.values[i] = c.Of(v)
		}
		if c.Phase != widgets.Preview {
			s.before = nil
		}
	}
	if !s.n.Dragging() {
		s.n.Value = s.values[0]
		s.n.Mixed = slices.ContainsFunc(s.values, func(v float64) bool { return v != s.values[0] })
	}
}

func severalWindow(t *testing.T, s *several) *widgettest.Harness {
	th := widgets.NewTheme()
	return widgettest.New(t, 800, 800, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		s.update(gtx)
		st := th.Number(&s.n, "m")
		st.Label = "Height"
		return st.Layout(gtx)
	}))
}

func TestMixedNumber(t *testing.T) {
	s := several{values: []float64{1, 2, 30}}
	h := severalWindow(t, &s)
	want := func(phases string, values ...float64) {
		t.Helper()
		if !slices.Equal(s.values, values) || s.phases != phases {
			t.Errorf("values %v after %q, want %v after %q", s.values, s.phases, values, phases)
		}
		s.phases = ""
	}
	if d := h.Find("Height").Description; d != "several values" {
		t.Errorf("mixed is told as %q", d)
	}
	// Nothing typed, nothing changed.
	h.Click("Height")
	h.Key(key.NameReturn, 0)
	h.Click("Height")
	h.ClickAt(5, 5)
	want("", 1, 2, 30)

	h.Drag("Height", 16, 0)
	want("ppppc", 3, 4, 32)
	h.Press("Height")
	h.DragBy(-32, 0)
	if d := h.Find("Height").Description; d != "-4" {
		t.Errorf("the drag shows %q", d)
	}
	h.Key(key.NameEscape, 0)
	h.Release()
	want("ppppx", 3, 4, 32)
	h.Click("Height")
	h.Type("+=2")
	h.Key(key.NameReturn, 0)
	want("c", 5, 6, 34)
	h.Click("Height")
	h.Type("*0.5")
	h.Key(key.NameReturn, 0)
	want("c", 2.5, 3, 17)
	h.Key(key.NameUpArrow, 0)
	want("c", 3.5, 4, 18)
	h.Click("Height")
	h.Type("7")
	h.Key(key.NameReturn, 0)
	want("c", 7, 7, 7)
	if s.n.Mixed {
		t.Error("equal values are no longer mixed")
	}
	h.Click("Height")
	h.Type("-=2")
	h.Key(key.NameReturn, 0)
	want("c", 5, 5, 5)
	h.Drag("Height", 8, 0)
	want("pppc", 6, 6, 6) // the first step is within the slop
}

func TestMixedNumberKeepsEachValueInItsRange(t *testing.T) {
	s := several{n: widgets.Number{Min: 0, Max: 10}, values: []float64{1, 9}}
	h := severalWindow(t, &s)
	h.Drag("Height", 32, 0)
	if !slices.Equal(s.values, []float64{5, 10}) {
		t.Errorf("values %v", s.values)
	}
	s = several{n: widgets.Number{Log: true}, values: []float64{1, 9}}
	h = severalWindow(t, &s)
	h.Drag("Height", 200, 0)
	if !slices.Equal(s.values, []float64{10, 90}) {
		t.Errorf("values %v", s.values)
	}
	h.Click("Height")
	h.Type("-=20") // what would not be above 0 stays
	h.Key(key.NameReturn, 0)
	if !slices.Equal(s.values, []float64{10, 70}) {
		t.Errorf("values %v", s.values)
	}
	s = several{n: widgets.Number{Integer: true}, values: []float64{3, 8}}
	h = severalWindow(t, &s)
	h.Drag("Height", 20, 0)
	if !slices.Equal(s.values, []float64{6, 11}) {
		t.Errorf("values %v", s.values)
	}
}

func TestNumberTakesSums(t *testing.T) {
	n := widgets.Number{Value: 10, Min: 0, Max: 20}
	var log changes
	h := numberWindow(t, &n, &log, 1)
	for _, s := range []string{"12/4", "+=2", "*1.5", "/3", "150 cm"} {
		h.Click("Height")
		h.Type(s)
		h.Key(key.NameReturn, 0)
	}
	log.want(t, "c3", "c5", "c7.5", "c2.5", "c1.5")
	h.Click("Height")
	h.Type("*100")
	h.Key(key.NameReturn, 0)
	if !n.Editing() {
		t.Error("a product outside the range was taken")
	}
}

// A value that changes while the user is about to type is not changed back by
// leaving the field untouched.
func TestNumberThatChangesUnderTheUser(t *testing.T) {
	n := widgets.Number{Value: 10}
	var log changes
	h := numberWindow(t, &n, &log, 1)
	h.Click("Height")
	n.Value = 20
	h.ClickAt(5, 5)
	log.want(t)
	if n.Value != 20 {
		t.Errorf("value %v", n.Value)
	}
}

func TestVector(t *testing.T) {
	th := widgets.NewTheme()
	var (
		v   widgets.Vector
		got []widgets.VectorChange
	)
	v.Show([3]float64{1, 2, 3}, [3]bool{false, true, false})
	h := widgettest.New(t, 800, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Max.X = 330
		for {
			c, ok := v.Update(gtx)
			if !ok {
				break
			}
			got = append(got, c)
		}
		return th.Vector(&v, "Position", "m").Layout(gtx)
	}))
	h.Click("Position Z")
	h.Type("-7.5 m")
	h.Key(key.NameReturn, 0)
	h.Click("Position Y")
	h.Type("+=1")
	h.Key(key.NameReturn, 0)
	if len(got) != 2 || got[0].Axis != 2 || got[0].Value != -7.5 || got[1].Axis != 1 || got[1].Of(10) != 11 {
		t.Errorf("changes %+v", got)
	}
	x, label := h.Find("Position X").Bounds, h.Find("Position Z").Bounds
	if x.Min.Y != label.Min.Y || x.Min.X < 120 {
		t.Errorf("X at %v, Z at %v: want them side by side, right of the label", x, label)
	}
	h.Press("Position X")
	h.DragBy(20, 0)
	if !v.Dragging() {
		t.Error("not dragging")
	}
	v.Show([3]float64{9, 9, 9}, [3]bool{})
	if v.Axes[0].Value == 9 || v.Axes[1].Value != 9 {
		t.Error("a number that is being dragged must keep its value, and the others must not")
	}
	h.Release()
}

func TestMixedCheckAndChoice(t *testing.T) {
	th := widgets.NewTheme()
	var log []int
	c := widgets.Check{Mixed: true}
	o := widgets.Choice{Mixed: true}
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		if i, ok := o.Update(gtx); ok {
			log = append(log, i)
		}
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(th.Check(&c, "Locked").Layout),
			layout.Rigid(th.Choice(&o, "Layer", "Ground", "Trees").Layout))
	}))
	if h.Find("Locked").Selected || h.Find("Locked").Description == "" {
		t.Error("a mixed checkbox is neither on nor plainly off")
	}
	h.Click("Locked")
	if !c.Value || c.Mixed {
		t.Error("the first click must switch all on")
	}
	h.Click("Locked")
	if c.Value {
		t.Error("the second click must switch all off")
	}
	c.Value, c.Mixed = true, true // as the first of several has it
	h.Click("Locked")
	if !c.Value || c.Mixed {
		t.Error("the first click must switch all on, whatever the first has")
	}
	h.Click("Layer")
	h.Click("Ground") // what Selected says, but not what all have
	h.Click("Layer")
	h.Click("Ground")
	h.Click("Layer")
	h.Click("Trees")
	if !slices.Equal(log, []int{0, 1}) || o.Mixed {
		t.Errorf("chosen %v, mixed %v", log, o.Mixed)
	}
}

func TestIntegerSlider(t *testing.T) {
	th := widgets.NewTheme()
	var log changes
	s := widgets.Slider{Number: widgets.Number{Value: 2, Min: 0, Max: 10, Integer: true}}
	h := widgettest.New(t, 600, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Max.X = 80 + 212 + 6 + 72 // a way of 200 for the handle
		for {
			c, ok := s.Update(gtx)
			if !ok {
				break
			}
			log.take(c)
		}
		return th.Slider(&s, "Depth", "").Layout(gtx)
	}))
	h.Drag("Depth slider", 44, 0)
	log.want(t, "p5", "p6", "p7", "c7")
	if s.Value != math.Trunc(s.Value) {
		t.Errorf("value %v", s.Value)
	}
	h.Hold(key.ModShift)
	h.Drag("Depth slider", -60, 0)
	h.Hold(0)
	if s.Value != math.Trunc(s.Value) {
		t.Errorf("value %v", s.Value)
	}
	log = nil
	h.Tab()
	h.Key(key.NameUpArrow, key.ModShift)
	if s.Value != math.Trunc(s.Value) {
		t.Errorf("value %v", s.Value)
	}
}

func TestEntry(t *testing.T) {
	th := widgets.NewTheme()
	e := widgets.Entry{Value: "rock"}
	var got []string
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		if s, ok := e.Update(gtx); ok {
			got = append(got, s)
		}
		s := th.Entry(&e, "Name")
		s.Check = func(s string) string {
			if s == "" {
				return "A name is needed"
			}
			return ""
		}
		return s.Layout(gtx)
	}))
	want := func(s ...string) {
		t.Helper()
		if !slices.Equal(got, s) {
			t.Errorf("took %q, want %q", got, s)
		}
		got = nil
	}
	text := func() string { return h.Find("Name").Description }
	all := func() { h.Key("A", key.ModShortcut) }
	h.Click("Name")
	h.Key(key.NameReturn, 0)
	want() // nothing typed
	h.Click("Name")
	all()
	h.Type("stone")
	h.Key(key.NameEscape, 0)
	want()
	if text() != "rock" {
		t.Errorf("Esc brought back %q", text())
	}
	h.Click("Name")
	all()
	h.Type("stone")
	h.Key(key.NameReturn, 0)
	want("stone")
	if th.Typing() {
		t.Error("after Enter letters must be shortcuts again")
	}
	h.Click("Name")
	all()
	h.Key(key.NameDeleteBackward, 0)
	h.Key(key.NameReturn, 0)
	want()
	if !th.Typing() {
		t.Error("a text that cannot be taken must stay in the field")
	}
	h.ClickAt(5, 5)
	want()
	if text() != "stone" {
		t.Errorf("leaving the field with a bad text left %q", text())
	}
	h.Click("Name")
	h.Type("s")
	h.ClickAt(5, 5)
	if len(got) != 1 {
		t.Error("leaving the field must take what was typed")
	}
	got = nil
	e.Value = "changed elsewhere"
	h.Frame()
	if text() != e.Value {
		t.Errorf("shows %q", text())
	}
	e.Mixed = true
	h.Frame()
	h.Click("Name")
	h.ClickAt(5, 5)
	want()
	if text() != "" {
		t.Errorf("mixed shows %q", text())
	}
	h.Click("Name")
	h.Type("all")
	h.Key(key.NameReturn, 0)
	want("all")
}
