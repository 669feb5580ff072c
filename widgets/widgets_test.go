package widgets_test

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// window puts one widget into a window, inset so that there is room around it.
func window(th *widgets.Theme, w layout.Widget, layers ...layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			defer op.Offset(image.Pt(50, 100)).Push(gtx.Ops).Pop()
			gtx.Constraints = layout.Constraints{Max: image.Pt(200, 200)}
			return w(gtx)
		}, layers...)
	}
}

func TestButton(t *testing.T) {
	th := widgets.NewTheme()
	var b widgets.Button
	clicks, reason := 0, ""
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		if b.Clicked(gtx) {
			clicks++
		}
		s := th.Button(&b, "Save")
		s.Reason = reason
		s.Tip = widgets.Tip{Title: "Save the level", Keys: "Ctrl+S"}
		return s.Layout(gtx)
	}))
	h.Click("Save")
	h.Tab()
	h.Key(key.NameReturn, 0)
	h.Key(key.NameSpace, 0)
	if clicks != 3 {
		t.Errorf("%d clicks, want 3: pointer, Enter and Space", clicks)
	}
	h.RightClick("Save")
	// Pressed, but let go elsewhere.
	h.Drag("Save", 0, 100)
	if clicks != 3 {
		t.Error("a right click or an abandoned press clicked")
	}
	reason = "Nothing has changed"
	h.Frame()
	h.Click("Save")
	h.Key(key.NameReturn, 0)
	if clicks != 3 {
		t.Error("a disabled button clicked")
	}
	if !h.Find("Save").Disabled {
		t.Error("the button isn't marked as disabled")
	}
}

func TestTooltip(t *testing.T) {
	th := widgets.NewTheme()
	var a, b widgets.Button
	h := widgettest.New(t, 300, 200, 1, func(gtx layout.Context) layout.Dimensions {
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			defer op.Offset(image.Pt(200, 170)).Push(gtx.Ops).Pop()
			x := th.IconButton(&a, icons.Save, "First")
			x.Reason = "Because of the long and winding reason for it"
			x.Layout(gtx)
			defer op.Offset(image.Pt(40, 0)).Push(gtx.Ops).Pop()
			return th.IconButton(&b, icons.Open, "Second").Layout(gtx)
		})
	})
	h.Hover("First")
	if h.Has("Tooltip: First") {
		t.Error("the tooltip came at once")
	}
	h.Wait(600 * time.Millisecond)
	tip := h.Find("Tooltip: First")
	if !tip.Bounds.In(image.Rect(0, 0, 300, 200)) {
		t.Errorf("the tooltip leaves the window: %v", tip.Bounds)
	}
	if tip.Bounds.Overlaps(h.Find("First").Bounds) {
		t.Error("the tooltip covers its button")
	}
	if tip.Description == "" {
		t.Error("the tooltip doesn't tell the reason")
	}
	h.Hover("Second")
	if h.Has("Tooltip: First") || !h.Has("Tooltip: Second") {
		t.Error("the neighbour's tooltip must come at once")
	}
	h.Click("Second")
	if h.Has("Tooltip: Second") {
		t.Error("the tooltip stays after a press")
	}
}

// A pointer that only lies there while the user types brings up no tooltip over
// what is typed next.
func TestNoTooltipForWhoTypes(t *testing.T) {
	th := widgets.NewTheme()
	n := widgets.Number{Value: 1}
	h := widgettest.New(t, 300, 200, 1, func(gtx layout.Context) layout.Dimensions {
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			s := th.Number(&n, "m")
			s.Label = "Height"
			return s.Layout(gtx)
		})
	})
	h.Click("Height")
	h.Type("12")
	h.Key(key.NameReturn, 0)
	h.Wait(time.Second)
	if h.Has("Tooltip: Height") {
		t.Error("the tooltip came though the pointer didn't move")
	}
	h.MoveTo(20, 10)
	h.Wait(time.Second)
	if !h.Has("Tooltip: Height") {
		t.Error("no tooltip for a pointer that has come again")
	}
}

func TestToolGroup(t *testing.T) {
	th := widgets.NewTheme()
	var c widgets.Choices
	var got []int
	items := []widgets.ChoiceItem{{Title: "A", Icon: icons.Select}, {Title: "B", Icon: icons.Paint}, {Title: "C", Icon: icons.Walk, Reason: "no"}}
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			i, ok := c.Update(gtx)
			if !ok {
				break
			}
			got = append(got, i)
		}
		return th.ToolGroup(&c, items).Layout(gtx)
	}))
	h.Click("B")
	h.Click("B")
	h.Click("C")
	h.Click("A")
	if !slices.Equal(got, []int{1, 0}) {
		t.Errorf("chosen %v", got)
	}
	if !h.Find("A").Selected || h.Find("B").Selected {
		t.Error("exactly one button must be on")
	}
}

func TestField(t *testing.T) {
	th := widgets.NewTheme()
	var f, g widgets.Field
	var log []string
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			e, ok := f.Update(gtx)
			if !ok {
				break
			}
			log = append(log, fmt.Sprint(e.Kind, e.Text))
		}
		th.Field(&g, "Other").Layout(gtx)
		defer op.Offset(image.Pt(0, 50)).Push(gtx.Ops).Pop()
		return th.SearchField(&f, "Search").Layout(gtx)
	}))
	h.Click("Search")
	if !th.Typing() {
		t.Error("a focused field must count as typing")
	}
	h.Type("ab")
	h.Key(key.NameReturn, 0)
	h.Click("Clear Search")
	if f.Text() != "" {
		t.Errorf("text %q after clearing", f.Text())
	}
	h.Type("c")
	h.ClickAt(5, 5) // beside everything
	if th.Typing() {
		t.Error("a press elsewhere must take the keyboard away")
	}
	want := []string{"0a", "0ab", "1ab", "0c", "3c"}
	if !slices.Equal(log, want) {
		t.Errorf("events %q, want %q", log, want)
	}
	if h.Cursor() != pointer.CursorDefault {
		t.Error("cursor outside a field")
	}
	h.Hover("Search")
	if h.Cursor() != pointer.CursorText {
		t.Errorf("cursor over a field: %v", h.Cursor())
	}
}

func TestSplitter(t *testing.T) {
	th := widgets.NewTheme()
	var s widgets.Splitter
	for _, end := range []bool{false, true} {
		s = widgets.Splitter{}
		h := widgettest.New(t, 1000, 400, 2, func(gtx layout.Context) layout.Dimensions {
			return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
				sp := th.Split(&s, 200)
				sp.End, sp.Label = end, "border"
				return sp.Layout(gtx, nil, nil)
			})
		})
		dir := float32(1)
		if end {
			dir = -1
		}
		h.Drag("border", 60*dir, 0)
		if s.Size != 230 {
			t.Errorf("end %v: size %v after 30 dp, want 230", end, s.Size)
		}
		h.Drag("border", -900*dir, 0)
		if s.Size != 80 {
			t.Errorf("end %v: size %v, want the least, 80", end, s.Size)
		}
		h.Drag("border", 5000*dir, 0)
		if s.Size != 500-80-1 && s.Size != 500-80-0.5 {
			t.Errorf("end %v: size %v, want what leaves 80 for the rest", end, s.Size)
		}
		h.DoubleClick("border")
		if s.Size != 0 {
			t.Errorf("end %v: size %v after a double click, want none of its own", end, s.Size)
		}
		h.Drag("border", 60*dir, 0)
		if s.Size != 230 {
			t.Errorf("end %v: size %v after 30 dp from the default, want 230", end, s.Size)
		}
	}
}

func TestListPointerAndKeys(t *testing.T) {
	th := widgets.NewTheme()
	var (
		l   widgets.List
		eye [1000]widgets.Button
		log []string
		hid = -1
	)
	laid := 0
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		for {
			e, ok := l.Update(gtx)
			if !ok {
				break
			}
			log = append(log, fmt.Sprintf("%d %d %s", e.Kind, e.Row, e.Text))
		}
		for i := range eye {
			if eye[i].Clicked(gtx) {
				hid = i
			}
		}
		laid = 0
		return th.List(&l, "list").Layout(gtx, len(eye), func(gtx layout.Context, r widgets.Row) layout.Dimensions {
			laid++
			e := th.IconButton(&eye[r.Index], icons.Eye, fmt.Sprint("Hide ", r.Index))
			return th.Row(icons.File, fmt.Sprint("Row ", r.Index)).Layout(gtx, &l, r, e.Layout)
		})
	}))
	take := func(want ...string) {
		t.Helper()
		if !slices.Equal(log, want) {
			t.Errorf("events %q, want %q", log, want)
		}
		log = nil
	}
	if laid > 10 {
		t.Errorf("%d rows were laid out for a view of 9", laid)
	}
	h.Click("Row 3")
	take("0 3 ")
	h.Click("Hide 4")
	if hid != 4 {
		t.Error("the button in the row wasn't clicked")
	}
	take() // and the row wasn't selected by it
	h.Key(key.NameDownArrow, 0)
	h.Key(key.NameReturn, 0)
	h.Key(key.NameEnd, 0)
	take("0 4 ", "1 4 ", "0 999 ")
	if !h.Has("Row 999") {
		t.Error("the last row isn't in view")
	}
	h.Key(key.NameHome, 0)
	h.Key(key.NameUpArrow, 0)
	h.Key(key.NameDeleteForward, 0)
	take("0 0 ", "4 0 ")
	h.DoubleClick("Row 2")
	take("0 2 ", "1 2 ")
	h.RightClick("Row 5")
	take("2 5 ")
	h.Scroll("list", 240)
	if h.Has("Row 9") || !h.Has("Row 10") {
		t.Errorf("scrolled to %v", h.Labels())
	}
	l.Rename(12, "Row 12")
	h.Frame()
	h.Type("Moraine")
	h.Key(key.NameReturn, 0)
	take("3 12 Moraine")
	l.Rename(12, "Row 12")
	h.Frame()
	h.Type("x")
	h.Key(key.NameEscape, 0)
	take()
	if _, ok := l.Renaming(); ok {
		t.Error("Esc must give renaming up")
	}
}

func TestCheckSectionTabs(t *testing.T) {
	th := widgets.NewTheme()
	var (
		c widgets.Check
		s widgets.Section
		b widgets.Tabs
	)
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(th.Check(&c, "Wireframe").Layout),
			layout.Rigid(th.Tabs(&b, "Layers", "History").Layout),
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return th.Section(&s, "Brush").Layout(gtx, th.Label("inside").Layout)
			}),
		)
	}))
	h.Click("Wireframe")
	if !c.Value || !h.Find("Wireframe").Selected {
		t.Error("the checkbox isn't on")
	}
	h.Click("History")
	if b.Selected != 1 {
		t.Error("the tab isn't selected")
	}
	if !h.Has("inside") {
		t.Error("a section starts open")
	}
	h.Click("Brush")
	if h.Has("inside") {
		t.Error("the section didn't close")
	}
}

func TestScrollPanel(t *testing.T) {
	th := widgets.NewTheme()
	var s widgets.Scroll
	b := make([]widgets.Button, 20)
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		return th.Scroll(gtx, &s, func(gtx layout.Context) layout.Dimensions {
			size := image.Pt(100, 0)
			for i := range b {
				st := op.Offset(image.Pt(0, size.Y)).Push(gtx.Ops)
				th.Button(&b[i], fmt.Sprint("B", i)).Layout(gtx)
				st.Pop()
				size.Y += 24
			}
			return layout.Dimensions{Size: size}
		})
	}))
	top := h.Find("B0").Bounds.Min.Y
	h.Scroll("B0", 10000)
	if got := h.Find("B0").Bounds.Min.Y; got != top-(20*24-200) {
		t.Errorf("scrolled by %d", top-got)
	}
	if got := h.Find("B19").Bounds.Max.Y; got != 300 {
		t.Errorf("the last button ends at %d, want 300", got)
	}
	// A step of the wheel goes equally far, whatever the window system calls it.
	h.Scroll("B19", -10000)
	th.WheelStep = 10
	h.Scroll("B0", 10)
	if got := top - h.Find("B0").Bounds.Min.Y; got != 60 {
		t.Errorf("a step of the wheel scrolled by %d, want 60", got)
	}
}

// After a few frames a window must not allocate for what it already knows.
func TestSteadyFrameAllocatesLittle(t *testing.T) {
	th := widgets.NewTheme()
	var (
		b [8]widgets.Button
		n [8]widgets.Number
		l widgets.List
	)
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		y := 0
		put := func(w layout.Widget) {
			st := op.Offset(image.Pt(0, y)).Push(gtx.Ops)
			y += w(gtx).Size.Y
			st.Pop()
		}
		for i := range b {
			put(th.Button(&b[i], "Button").Layout)
			put(th.Number(&n[i], "m").Layout)
		}
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		return th.List(&l, "list").Layout(gtx, 20, func(gtx layout.Context, r widgets.Row) layout.Dimensions {
			return th.Row(icons.File, "Row").Layout(gtx, &l, r)
		})
	}))
	per := testing.AllocsPerRun(20, h.Frame)
	t.Logf("%.0f allocations for about 25 widgets", per)
	if per > 500 {
		t.Errorf("%.0f allocations a frame", per)
	}
}

func TestLongLabelIsCut(t *testing.T) {
	var th = widgets.NewTheme()
	h := widgettest.New(t, 200, 200, 1, window(th, th.Label("a label that is much too long to be shown as a whole").Layout))
	n := h.Find("a label that is much too long to be shown as a whole")
	if n.Bounds.Dx() > 200 || strings.Contains(n.Label, "…") {
		t.Errorf("the label is %v wide", n.Bounds)
	}
}
