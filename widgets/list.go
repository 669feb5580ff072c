package widgets

import (
	"image"
	"time"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/unit"

	"ridgeline/icons"
)

// ListEventKind says what happened to a row.
type ListEventKind uint8

const (
	// ListSelect: the row was clicked or reached with the arrow keys.
	ListSelect ListEventKind = iota
	// ListActivate: double click or Enter.
	ListActivate
	// ListContext: right click; a ContextArea around the list opens the menu.
	ListContext
	// ListRename: the row's name was edited; Text is the new one.
	ListRename
	// ListDelete: the Delete key.
	ListDelete
)

// ListEvent is one thing that happened in a list.
type ListEvent struct {
	Kind      ListEventKind
	Row       int
	Modifiers key.Modifiers
	Text      string
}

// List is the state of a scrolling list of rows of one height. Only visible
// rows are laid out, so that a list may have any number of them.
type List struct {
	scroller
	sense
	// Current is the row that the keyboard is on, -1 for none. The zero value
	// is row 0.
	Current int
	// Near leaves Home and End to others: for lists in which going somewhere does more
	// than look there.
	Near bool

	n        int
	rowH     int
	lastRow  int
	lastDown time.Duration
	pending  []ListEvent
	show     bool

	renaming int // row + 1
	name     Field
}

// ScrollTo brings a row into view at the next Layout.
func (l *List) ScrollTo(row int) {
	l.Current = row
	l.show = true
}

// Rename starts editing the name of a row in place. A ListRename event tells
// the new name, which may be the old one, when Enter is pressed or the keyboard goes
// elsewhere; Esc gives up.
func (l *List) Rename(row int, name string) {
	l.renaming = row + 1
	l.name.SetText(name)
	l.name.SelectAll()
}

// Renaming returns the row whose name is being edited.
func (l *List) Renaming() (row int, ok bool) { return l.renaming - 1, l.renaming > 0 }

// Update returns the next event.
func (l *List) Update(gtx layout.Context) (ListEvent, bool) {
	l.events(gtx)
	if len(l.pending) == 0 {
		return ListEvent{}, false
	}
	e := l.pending[0]
	l.pending = l.pending[:copy(l.pending, l.pending[1:])]
	return e, true
}

func (l *List) events(gtx layout.Context) {
	for l.renaming > 0 {
		ev, ok := l.name.Update(gtx)
		if !ok {
			break
		}
		switch ev.Kind {
		case FieldSubmitted, FieldBlurred:
			l.pending = append(l.pending, ListEvent{Kind: ListRename, Row: l.renaming - 1, Text: ev.Text})
			l.renaming = 0
		case FieldCancelled:
			l.renaming = 0
		}
		if l.renaming == 0 && ev.Kind != FieldBlurred {
			gtx.Execute(key.FocusCmd{Tag: l})
		}
	}
	filters := [...]event.Filter{
		pointer.Filter{Target: l, Kinds: pointerKinds},
		key.FocusFilter{Target: l},
		key.Filter{Focus: l, Name: key.NameUpArrow, Optional: key.ModShift | key.ModCtrl},
		key.Filter{Focus: l, Name: key.NameDownArrow, Optional: key.ModShift | key.ModCtrl},
		key.Filter{Focus: l, Name: key.NamePageUp}, key.Filter{Focus: l, Name: key.NamePageDown},
		key.Filter{Focus: l, Name: key.NameReturn}, key.Filter{Focus: l, Name: key.NameEnter},
		key.Filter{Focus: l, Name: key.NameDeleteForward},
		key.Filter{Focus: l, Name: key.NameHome}, key.Filter{Focus: l, Name: key.NameEnd},
	}
	heard := filters[:]
	if l.Near {
		heard = filters[:len(filters)-2]
	}
	for {
		ev, ok := gtx.Event(heard...)
		if !ok {
			return
		}
		switch e := ev.(type) {
		case pointer.Event:
			l.note(e)
			if e.Kind == pointer.Press {
				l.press(gtx, e)
			}
		case key.Event:
			if e.State == key.Press && l.n > 0 {
				l.key(e)
			}
		}
	}
}

// rowAt is the row at a height of the list's frame.
func (l *List) rowAt(y int) (int, bool) {
	if l.rowH == 0 || y < 0 || y >= l.view {
		return 0, false
	}
	row := (y + int(l.pos+0.5)) / l.rowH
	return row, row < l.n
}

func (l *List) press(gtx layout.Context, e pointer.Event) {
	gtx.Execute(key.FocusCmd{Tag: l})
	if l.sense.th != nil {
		l.sense.th.win.claimed = true // a field that had the keyboard loses it to the list
	}
	row, ok := l.rowAt(e.Position.Round().Y)
	if !ok {
		return
	}
	l.Current = row
	ev := ListEvent{Kind: ListSelect, Row: row, Modifiers: e.Modifiers}
	if e.Buttons == pointer.ButtonSecondary {
		ev.Kind = ListContext
	} else if row == l.lastRow && e.Time-l.lastDown < doubleClick && l.lastDown != 0 {
		ev.Kind = ListActivate
	}
	l.lastRow, l.lastDown = row, e.Time
	l.pending = append(l.pending, ev)
}

func (l *List) key(e key.Event) {
	page := max(1, l.view/max(1, l.rowH)-1)
	row := l.Current
	switch e.Name {
	case key.NameUpArrow:
		row--
	case key.NameDownArrow:
		row++
	case key.NamePageUp:
		row -= page
	case key.NamePageDown:
		row += page
	case key.NameHome:
		row = 0
	case key.NameEnd:
		row = l.n - 1
	case key.NameReturn, key.NameEnter:
		l.pending = append(l.pending, ListEvent{Kind: ListActivate, Row: l.Current})
		return
	case key.NameDeleteForward:
		l.pending = append(l.pending, ListEvent{Kind: ListDelete, Row: l.Current})
		return
	}
	row = max(0, min(row, l.n-1))
	if row == l.Current {
		return
	}
	l.Current, l.show = row, true
	l.pending = append(l.pending, ListEvent{Kind: ListSelect, Row: row, Modifiers: e.Modifiers})
}

// Row is what a list tells about the row being drawn.
type Row struct {
	Index    int
	Selected bool
	Hovered  bool
	Renaming bool // the row's name is being edited; draw nothing in its place
}

// ListStyle draws a List.
type ListStyle struct {
	// Label names the list for semantics.
	Label string
	// Selected tells which rows are selected; nil selects the Current one.
	Selected func(row int) bool
	RowSize  unit.Dp

	state *List
	th    *Theme
}

// List draws l.
func (th *Theme) List(l *List, label string) ListStyle {
	return ListStyle{Label: label, RowSize: th.Size.Row, state: l, th: th}
}

// Layout draws n rows over the whole of the constraints. row is called with
// exact constraints for each visible one, inside an area of its own, so that a
// semantic label it adds is the row's.
func (s ListStyle) Layout(gtx layout.Context, n int, row func(gtx layout.Context, r Row) layout.Dimensions) layout.Dimensions {
	th, l := s.th, s.state
	size := gtx.Constraints.Max
	l.sense.th, l.n, l.view = th, n, size.Y
	th.focusable(l)
	if l.renaming > 0 {
		th.win.innerNow = true
	}
	l.rowH = gtx.Dp(s.RowSize)
	l.total = n * l.rowH
	l.events(gtx)
	l.scroller.update(gtx)
	if l.show {
		l.show = false
		l.reveal(l.Current*l.rowH, (l.Current+1)*l.rowH)
		l.clamp()
	}
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	l.gesture.Add(gtx.Ops)
	if s.Label != "" {
		semantic.LabelOp(s.Label).Add(gtx.Ops)
	}
	// The rows' handler lies beneath the rows, so that buttons in a row keep
	// their presses to themselves.
	under := clip.Rect{Max: size}.Push(gtx.Ops)
	event.Op(gtx.Ops, l)
	under.Pop()

	width := size.X
	if l.total > l.view {
		width -= gtx.Dp(scrollbarWidth)
	}
	off := int(l.pos + 0.5)
	focused := gtx.Focused(l)
	hoverRow, over := l.rowAt(l.local.Y)
	over = over && l.hovered && gtx.Enabled()
	for i := off / max(1, l.rowH); i < n && i*l.rowH-off < size.Y; i++ {
		r := Row{Index: i, Selected: i == l.Current, Hovered: over && hoverRow == i, Renaming: l.renaming == i+1}
		if s.Selected != nil {
			r.Selected = s.Selected(i)
		}
		s.row(gtx, image.Rect(0, i*l.rowH-off, width, (i+1)*l.rowH-off), r, focused && i == l.Current, row)
	}
	l.drawBar(gtx, th, size.X)
	return layout.Dimensions{Size: size}
}

func (s ListStyle) row(gtx layout.Context, box image.Rectangle, r Row, focused bool, w func(layout.Context, Row) layout.Dimensions) {
	th := s.th
	at(gtx, box.Min, func(gtx layout.Context) layout.Dimensions {
		in := image.Rectangle{Max: box.Size()}
		defer clip.Rect(in).Push(gtx.Ops).Pop()
		semantic.SelectedOp(r.Selected).Add(gtx.Ops)
		switch {
		case r.Selected:
			fillRect(gtx.Ops, th.Color.AccentLow, in)
		case r.Hovered:
			fillRect(gtx.Ops, mix(th.Color.Panel, th.Color.Hover, 0.5), in)
		}
		if focused {
			fillRect(gtx.Ops, th.Color.AccentHigh, image.Rect(0, 0, gtx.Dp(2), in.Max.Y))
		}
		gtx.Constraints = layout.Exact(in.Max)
		return w(gtx, r)
	})
}

// RowStyle draws the usual content of a list row: an icon, a title, and
// widgets at the right end.
type RowStyle struct {
	Title  string
	Icon   icons.Name
	Dim    bool // show the title as hidden or past
	Detail string
	// Indent moves the row in by that many levels.
	Indent int

	th *Theme
}

// Row draws a row with a title.
func (th *Theme) Row(icon icons.Name, title string) RowStyle {
	return RowStyle{Title: title, Icon: icon, th: th}
}

// Layout draws the row. end are widgets at the right end, the first one
// outermost. list may be nil; it lets the title be renamed in place.
func (s RowStyle) Layout(gtx layout.Context, list *List, r Row, end ...layout.Widget) layout.Dimensions {
	th := s.th
	size := gtx.Constraints.Max
	semantic.LabelOp(s.Title).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	right := size.X - gtx.Dp(2)
	for _, w := range end {
		eg := gtx
		eg.Constraints = layout.Constraints{Max: image.Pt(max(0, right), size.Y)}
		m := record(eg, w)
		right -= m.size.X
		m.add(gtx, image.Pt(right, (size.Y-m.size.Y)/2))
	}
	x := gtx.Dp(8) + s.Indent*gtx.Dp(16)
	fg, ic := th.Color.Text, th.Color.Dim
	if s.Dim && !r.Selected {
		fg, ic = th.Color.Dim, th.Color.Disabled
	}
	if s.Icon != icons.None {
		px := gtx.Dp(th.Size.IconSize)
		th.drawIconIn(gtx, s.Icon, ic, image.Rect(x, 0, x+px, size.Y), px)
		x += px + gtx.Dp(6)
	}
	if r.Renaming && list != nil {
		fg := gtx
		fg.Constraints = layout.Exact(image.Pt(max(0, right-x), size.Y))
		at(fg, image.Pt(x-gtx.Dp(4), 0), th.Field(&list.name, "Rename "+s.Title).Layout)
		return layout.Dimensions{Size: size}
	}
	if s.Detail != "" {
		d := th.Dim(s.Detail)
		d.Size = th.Size.Small
		w := d.width(gtx)
		right -= w + gtx.Dp(6)
		d.drawIn(gtx, image.Rect(right, 0, right+w+1, size.Y))
	}
	l := th.Label(s.Title)
	l.Color = fg
	l.drawIn(gtx, image.Rect(x, 0, right-gtx.Dp(4), size.Y))
	return layout.Dimensions{Size: size}
}
