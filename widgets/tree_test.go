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

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// outline is a small model of a level's objects under a Tree, as a caller writes it.
type outline struct {
	t        *testing.T
	h        *widgettest.Harness
	tree     widgets.Tree
	th       *widgets.Theme
	rows     []widgets.TreeRow // all, in order
	open     map[uint64]bool
	selected map[uint64]bool
	hidden   map[uint64]bool
	drop     func(row int, where widgets.DropWhere) bool
	shown    []int // indices of rows that are shown
	log      []string
	asked    int  // rows asked for in a frame
	stubborn bool // doesn't open or close rows
}

var outlineToggles = []widgets.TreeToggle{
	{Title: "Hide", TitleOn: "Show", Off: icons.Eye, On: icons.EyeOff},
	{Title: "Lock", TitleOn: "Unlock", Off: icons.Unlock, On: icons.Lock, Quiet: true},
}

// newOutline makes rows of text: leading dots are the depth.
func newOutline(t *testing.T, text string) *outline {
	o := &outline{
		t: t, th: widgets.NewTheme(), open: map[uint64]bool{}, selected: map[uint64]bool{}, hidden: map[uint64]bool{},
		drop: func(int, widgets.DropWhere) bool { return true },
	}
	for i, f := range strings.Fields(text) {
		label := strings.TrimLeft(f, ".")
		o.rows = append(o.rows, widgets.TreeRow{ID: uint64(i + 1), Depth: len(f) - len(label), Label: label})
	}
	for i := range o.rows {
		o.rows[i].Expandable = i+1 < len(o.rows) && o.rows[i+1].Depth > o.rows[i].Depth
		o.open[o.rows[i].ID] = true
	}
	o.h = widgettest.New(t, 400, 400, 1, window(o.th, func(gtx layout.Context) layout.Dimensions {
		for {
			e, ok := o.tree.Update(gtx)
			if !ok {
				break
			}
			o.event(e)
		}
		o.flatten()
		o.asked = 0
		s := o.th.Tree(&o.tree, "tree")
		s.Toggles, s.Renames, s.Drop = outlineToggles, true, o.drop
		s.Empty = "Nothing here"
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		return s.Layout(gtx, len(o.shown), o.row)
	}))
	return o
}

func (o *outline) flatten() {
	o.shown = o.shown[:0]
	hide := 1 << 30
	for i, r := range o.rows {
		if r.Depth > hide {
			continue
		}
		hide = 1 << 30
		if r.Expandable && !o.open[r.ID] {
			hide = r.Depth
		}
		o.shown = append(o.shown, i)
	}
}

func (o *outline) row(i int) widgets.TreeRow {
	o.asked++
	r := o.rows[o.shown[i]]
	r.Expanded, r.Selected = o.open[r.ID], o.selected[r.ID]
	r.Toggles = [widgets.MaxTreeToggles]widgets.ToggleState{widgets.ToggleOff, widgets.ToggleOff}
	if o.hidden[r.ID] {
		r.Toggles[0] = widgets.ToggleOn
	}
	if r.Fixed {
		r.Toggles[0] = widgets.ToggleAbsent
	}
	return r
}

func (o *outline) name(row int) string {
	if row < 0 {
		return "-"
	}
	return o.rows[o.shown[row]].Label
}

func (o *outline) event(e widgets.TreeEvent) {
	if e.Row >= 0 && e.ID != o.rows[o.shown[e.Row]].ID {
		o.t.Errorf("event %+v names the wrong ID", e)
	}
	switch e.Kind {
	case widgets.TreeSelect:
		o.log = append(o.log, fmt.Sprint([...]string{"only ", "toggle ", "range ", "more "}[e.Mode], o.name(e.Row)))
		if e.Mode == widgets.SelectOnly || e.Mode == widgets.SelectRange {
			clear(o.selected)
		}
		switch {
		case e.Row < 0:
		case e.Mode == widgets.SelectToggle:
			o.selected[e.ID] = !o.selected[e.ID]
		default:
			for i := e.First; i <= e.Last; i++ {
				o.selected[o.rows[o.shown[i]].ID] = true
			}
		}
	case widgets.TreeActivate:
		o.log = append(o.log, "activate "+o.name(e.Row))
	case widgets.TreeExpand:
		o.log = append(o.log, fmt.Sprint("expand ", o.name(e.Row), " ", e.Open, " ", e.All))
		if !o.stubborn {
			o.open[e.ID] = e.Open
		}
	case widgets.TreeRename:
		o.log = append(o.log, "rename "+o.name(e.Row)+" "+e.Text)
	case widgets.TreeToggled:
		s := fmt.Sprint("set ", e.Column, " ", e.On)
		for k, i := range e.Rows {
			if o.rows[o.shown[i]].ID != e.IDs[k] {
				o.t.Errorf("event %+v names the wrong IDs", e)
			}
			s += " " + o.name(i)
			if e.Column == 0 {
				o.hidden[e.IDs[k]] = e.On
			}
		}
		o.log = append(o.log, s)
	case widgets.TreeDrop:
		o.log = append(o.log, fmt.Sprint("drop ", [...]string{"into ", "before ", "after ", "empty "}[e.Where], o.name(e.Row)))
	case widgets.TreeContext:
		o.log = append(o.log, fmt.Sprint("context ", o.name(e.Row), " ", e.Pos))
	}
}

func (o *outline) want(events ...string) {
	o.t.Helper()
	if !slices.Equal(o.log, events) {
		o.t.Errorf("events %q, want %q", o.log, events)
	}
	o.log = nil
}

func (o *outline) chosen() string {
	var s []string
	for _, r := range o.rows {
		if o.selected[r.ID] {
			s = append(s, r.Label)
		}
	}
	return strings.Join(s, " ")
}

// The window puts the tree at 50,100. Its rows are 24 high.
const treeX, treeY, treeRow = 50, 100, 24

func TestTreeSelects(t *testing.T) {
	o := newOutline(t, "a .b .c ..d e f")
	for _, c := range []struct {
		label    string
		mods     key.Modifiers
		event    string
		selected string
	}{
		{"b", 0, "only b", "b"},
		{"d", key.ModShift, "range d", "b c d"},
		{"a", key.ModShift, "range a", "a b"}, // from where the range began
		{"e", key.ModCtrl, "toggle e", "a b e"},
		{"f", key.ModCtrl | key.ModShift, "more f", "a b e f"},
		{"a", key.ModCtrl, "toggle a", "b e f"},
		{"e", 0, "only e", "e"}, // by release, as a drag could have begun
	} {
		o.h.Hold(c.mods)
		o.h.Click(c.label)
		o.h.Hold(0)
		o.want(c.event)
		if got := o.chosen(); got != c.selected {
			t.Errorf("%s: %q is selected, want %q", c.event, got, c.selected)
		}
	}
	o.h.ClickAt(treeX+20, treeY+190) // below the last row
	o.want("only -")
	o.h.DoubleClick("c")
	o.want("only c", "activate c")
	o.h.RightClick("d")
	o.want("only d", fmt.Sprint("context d ", image.Pt(100, 3*treeRow+12)))
	o.h.RightClick("d")
	o.want(fmt.Sprint("context d ", image.Pt(100, 3*treeRow+12)))
	if !o.h.Find("d").Selected || o.h.Find("c").Selected {
		t.Error("the semantics don't tell what is selected")
	}
}

func TestTreeKeys(t *testing.T) {
	o := newOutline(t, "a .b .c ..d e f")
	o.h.Click("c")
	o.h.Key(key.NameRightArrow, 0) // into it
	o.h.Key(key.NameRightArrow, 0) // no further
	o.h.Key(key.NameLeftArrow, 0)  // to the parent
	o.h.Key(key.NameLeftArrow, 0)  // closes it
	o.want("only c", "only d", "only c", "expand c false false")
	if o.h.Has("d") {
		t.Error("d is still shown")
	}
	o.h.Key(key.NameRightArrow, key.ModShift)
	o.h.Key(key.NameDownArrow, 0)
	o.h.Key(key.NameDownArrow, key.ModShift)
	o.h.Key(key.NameDownArrow, key.ModShift)
	o.h.Key(key.NameDownArrow, key.ModShift) // at the end
	o.want("expand c true true", "only d", "range e", "range f")
	if got := o.chosen(); got != "d e f" {
		t.Errorf("%q is selected", got)
	}
	o.h.Key(key.NameHome, 0)
	o.h.Key(key.NameReturn, 0)
	o.h.Key(key.NameEnd, 0)
	o.want("only a", "activate a", "only f")
	o.h.Key(key.NameF2, 0)
	o.h.Type("roof")
	o.h.Key(key.NameReturn, 0)
	o.want("rename f roof")
	o.h.Key(key.NameF2, 0)
	o.h.Type("x")
	o.h.Key(key.NameEscape, 0)
	o.want()
	o.h.Key(key.NameUpArrow, 0) // the keyboard is back on the tree
	o.want("only e")
	o.rows[4].Fixed = true
	o.h.Key(key.NameF2, 0)
	if _, ok := o.tree.Renaming(); ok {
		t.Error("a fixed row is being renamed")
	}
}

// The keyboard stays on its row when rows come and go above it.
func TestTreeFollowsItsRow(t *testing.T) {
	o := newOutline(t, "a .b .c d e f")
	o.h.Click("d")
	o.open[1] = false // a closes
	o.h.Frame()
	o.h.Key(key.NameDownArrow, 0)
	o.want("only d", "only e")
	o.open[1] = true
	o.h.Frame()
	o.h.Key(key.NameUpArrow, key.ModShift)
	o.want("range d")
	if got := o.chosen(); got != "d e" {
		t.Errorf("%q is selected: the range doesn't begin at e", got)
	}
	o.tree.Rename(o.tree.Current())
	o.h.Frame()
	o.open[1] = false
	o.h.Frame()
	o.h.Key(key.NameReturn, 0)
	o.want("rename d d")
	o.rows = o.rows[:1]
	o.rows[0].Expandable = false
	o.h.Frame()
	if got := o.tree.Current(); got != 0 {
		t.Errorf("the keyboard is on row %d of 1", got)
	}
	o.rows = nil
	o.h.Frame()
	if !o.h.Has("Nothing here") {
		t.Error("an empty tree must say so")
	}
	o.h.Key(key.NameDownArrow, 0)
	o.want()
}

func TestTreeArrowsAndToggles(t *testing.T) {
	o := newOutline(t, "a .b .c ..d e f")
	o.h.Click("Close a")
	o.h.Click("Open a")
	o.want("expand a false false", "expand a true false")
	o.h.Click("Hide b")
	o.want("set 0 true b")
	if !o.h.Find("Show b").Selected {
		t.Error("the toggle isn't told as on")
	}
	// Over several rows, of which one is hidden already and one has no toggle.
	o.rows[3].Fixed = true
	o.h.Frame()
	o.h.Press("Hide a")
	o.h.DragBy(0, 5*treeRow)
	o.h.DragBy(-150, -treeRow) // back, and to the side
	if !o.h.Has("Show c") || o.hidden[3] {
		t.Error("a sweep shows what it will do, and does it at its end")
	}
	o.h.Release()
	o.want("set 0 true a c e")
	o.h.Press("Show c")
	o.h.DragBy(0, -2*treeRow)
	o.h.Key(key.NameEscape, 0)
	o.h.Release()
	o.want()
	o.h.Press("Lock f")
	o.h.DragBy(0, 3*treeRow) // beyond the last row
	o.h.Release()
	o.want("set 1 true f")
	if o.chosen() != "" {
		t.Error("toggles and arrows must not select")
	}
	o.h.Hover("Lock e")
	o.h.Wait(time.Second)
	if !o.h.Has("Tooltip: Lock") {
		t.Error("no tooltip for a toggle")
	}
}

func TestTreeDrops(t *testing.T) {
	o := newOutline(t, "a .b .c ..d e f")
	drag := func(label string, dy float32, release bool) {
		t.Helper()
		p := o.h.Find(label).Bounds.Min
		o.h.PressAt(float32(p.X+60), float32(p.Y+12))
		o.h.DragBy(10, dy)
		if release {
			o.h.Release()
		}
	}
	drag("e", -4*treeRow, true)
	o.want("only e", "drop into a")
	drag("e", -4*treeRow-11, true)
	o.want("drop before a")
	drag("f", -2*treeRow+11, true) // behind d
	o.want("only f", "drop after d")
	drag("f", -5*treeRow+11, true) // behind an open row is before its first child
	o.want("drop before b")
	drag("b", 5*treeRow, true) // below all
	o.want("only b", "drop empty -")

	// Nothing goes into itself.
	o.h.Click("a")
	o.log = nil
	drag("a", 2*treeRow, false) // c
	if o.h.Cursor() != pointer.CursorNotAllowed {
		t.Errorf("cursor %v over a place where nothing can be dropped", o.h.Cursor())
	}
	o.h.DragBy(0, treeRow) // d, a child of a child
	o.h.Release()
	o.want()
	o.h.Hold(key.ModCtrl)
	o.h.Click("e")
	o.h.Hold(0)
	o.log = nil
	drag("e", -2*treeRow, true) // a is selected, too
	o.want()
	if o.chosen() != "a e" {
		t.Errorf("%q is selected after a drag of several", o.chosen())
	}

	// What the caller refuses.
	o.drop = func(row int, where widgets.DropWhere) bool { return where == widgets.DropInto && row == 1 }
	drag("f", -4*treeRow+11, true)
	o.want("only f", "drop into b")
	drag("f", -1*treeRow, true)
	o.want()

	drag("f", -4*treeRow, false)
	if !o.tree.Dragging() || o.h.Cursor() != pointer.CursorGrabbing {
		t.Errorf("dragging %v, cursor %v", o.tree.Dragging(), o.h.Cursor())
	}
	o.h.Key(key.NameEscape, 0)
	o.h.Release()
	o.want()
	o.rows[5].Fixed = true
	drag("f", -4*treeRow, true)
	o.want()
	o.drop = nil
	drag("e", -3*treeRow, true)
	o.want("only e")
}

// While rows are dragged or toggles swept, other buttons do nothing.
func TestTreeHeedsOneButton(t *testing.T) {
	o := newOutline(t, "a b c")
	second := func() {
		t.Helper()
		o.h.Router.Queue(pointer.Event{
			Kind: pointer.Press, Source: pointer.Mouse, Position: o.h.Centre("a"),
			Buttons: pointer.ButtonPrimary | pointer.ButtonSecondary,
		})
		o.h.Router.Queue(pointer.Event{
			Kind: pointer.Press, Source: pointer.Mouse, Position: o.h.Centre("a"), Buttons: pointer.ButtonSecondary,
		})
		o.h.Frame()
	}
	o.h.Press("c")
	o.h.DragBy(0, -treeRow)
	second()
	o.h.Release()
	o.want("only c", "drop into b")
	o.h.Press("Hide a")
	second()
	o.h.Release()
	o.want("set 0 true a")
}

// A row that the caller doesn't open is asked for now and then, not in every frame.
func TestTreeAsksOnceToOpen(t *testing.T) {
	o := newOutline(t, "a .b c")
	o.open[1], o.stubborn = false, true
	o.h.Frame()
	o.h.Press("c")
	o.h.DragBy(0, -treeRow)
	o.h.Wait(750 * time.Millisecond)
	for range 5 {
		o.h.Wait(20 * time.Millisecond)
	}
	o.want("only c", "expand a true false")
	o.h.Release()
}

func TestTreeDragScrollsAndOpens(t *testing.T) {
	o := newOutline(t, "a .b c "+strings.Repeat("x ", 40))
	o.open[1] = false
	o.h.Frame()
	o.h.Press("c")
	o.h.DragBy(0, -treeRow)
	o.h.Wait(500 * time.Millisecond)
	o.want("only c")
	o.h.Wait(300 * time.Millisecond)
	o.want("expand a true false")
	if !o.h.Has("b") {
		t.Fatal("a hasn't opened")
	}
	o.h.DragBy(0, 190-treeRow/2)
	for range 200 {
		o.h.Wait(20 * time.Millisecond)
	}
	o.h.Release()
	if len(o.log) != 1 || !strings.Contains(o.log[0], "x") {
		t.Errorf("events %q, want a drop on one of the last rows", o.log)
	}
	if o.h.Has("a") {
		t.Error("the tree didn't scroll at its lower edge")
	}
	o.log = nil
	o.h.PressAt(treeX+60, treeY+100)
	o.h.DragBy(0, -400)
	for range 200 {
		o.h.Wait(20 * time.Millisecond)
	}
	if !o.h.Has("a") {
		t.Error("the tree didn't scroll back at its upper edge")
	}
	o.h.Release() // outside
	o.want("only x")
}

// However long, a tree costs what is in view; and what leads from a row to the next
// is counted in a few rows.
func TestTreeIsVirtual(t *testing.T) {
	o := newOutline(t, "first "+strings.Repeat("x ", 99998)+"last")
	o.h.Frame()
	if o.asked > 40 {
		t.Errorf("%d rows were asked for, for a view of 9", o.asked)
	}
	o.h.Click("first")
	o.h.Key(key.NameEnd, 0)
	if !o.h.Has("last") {
		t.Error("the last row isn't in view")
	}
	o.h.Frame()
	if o.asked > 40 {
		t.Errorf("%d rows were asked for at the end", o.asked)
	}
	o.h.Click("last")
	o.want("only first", "only last", "only last") // by the key, and by the click
	o.tree.ScrollTo(5)
	o.h.Frame()
	if o.h.Has("last") || o.tree.Current() != 5 {
		t.Error("ScrollTo didn't go to row 5")
	}
}

func BenchmarkTree(b *testing.B) {
	th := widgets.NewTheme()
	var tree widgets.Tree
	h := widgettest.New(b, 400, 800, 1, func(gtx layout.Context) layout.Dimensions {
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			s := th.Tree(&tree, "tree")
			s.Toggles = outlineToggles
			return s.Layout(gtx, 100_000, func(i int) widgets.TreeRow {
				return widgets.TreeRow{ID: uint64(i), Depth: i % 5, Label: "Rock", Icon: icons.Object,
					Toggles: [4]widgets.ToggleState{widgets.ToggleOff, widgets.ToggleOff}}
			})
		})
	})
	for b.Loop() {
		h.Frame()
	}
}

// A right click selects its row before the menu of a ContextArea around the tree
// opens, so that the menu is about it.
func TestTreeContextMenu(t *testing.T) {
	th := widgets.NewTheme()
	var (
		tree     widgets.Tree
		menu     widgets.ContextMenu
		selected = 0
		picked   string
	)
	names := []string{"first", "second"}
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			e, ok := tree.Update(gtx)
			if !ok {
				break
			}
			if e.Kind == widgets.TreeSelect {
				selected = e.Row
			}
		}
		if id, ok := menu.Update(gtx); ok {
			picked = id + " " + names[selected]
		}
		items := []widgets.MenuItem{{ID: "del", Title: "Delete " + names[selected]}}
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		return th.ContextArea(gtx, &menu, items, func(gtx layout.Context) layout.Dimensions {
			return th.Tree(&tree, "tree").Layout(gtx, 2, func(i int) widgets.TreeRow {
				return widgets.TreeRow{ID: uint64(i + 1), Label: names[i], Selected: i == selected}
			})
		})
	}))
	h.RightClick("second")
	h.Click("Delete second")
	if picked != "del second" {
		t.Errorf("picked %q", picked)
	}
}
