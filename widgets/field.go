package widgets

import (
	"image"
	"image/color"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/widget"

	"ridgeline/icons"
)

// FieldEvent tells what happened in a text field.
type FieldEvent struct {
	Kind FieldEventKind
	Text string // the field's text at that moment
}

// FieldEventKind says what a FieldEvent is about.
type FieldEventKind uint8

const (
	// FieldChanged: the text has changed.
	FieldChanged FieldEventKind = iota
	// FieldSubmitted: the user pressed Enter.
	FieldSubmitted
	// FieldCancelled: the user pressed Esc. The field has given up the keyboard.
	FieldCancelled
	// FieldBlurred: the keyboard went elsewhere.
	FieldBlurred
)

// Field is the state of a single-line text field.
type Field struct {
	sense
	ed      widget.Editor
	inited  bool
	focused bool
	wants   bool // focus at the next chance
	all     bool // … and select everything
	part    bool // … and select from selFrom to selTo
	selFrom int
	selTo   int
	tip     tipState
	clear   Button
}

func (f *Field) init() {
	if !f.inited {
		f.inited = true
		f.ed.SingleLine, f.ed.Submit = true, true
	}
}

// Text is the field's content.
func (f *Field) Text() string { return f.ed.Text() }

// SetText replaces the content and puts the caret at its end.
func (f *Field) SetText(s string) {
	f.init()
	f.ed.SetText(s)
	n := f.ed.Len()
	f.ed.SetCaret(n, n)
}

// CutStart removes letters from the beginning. The caret stays where it is in the
// rest.
func (f *Field) CutStart(letters int) {
	f.init()
	start, end := f.ed.Selection()
	text := []rune(f.ed.Text())
	f.ed.SetText(string(text[min(letters, len(text)):]))
	f.ed.SetCaret(max(0, start-letters), max(0, end-letters))
}

// Focus gives the keyboard to the field at the next Update or Layout.
func (f *Field) Focus() { f.wants, f.focused = true, false }

// SelectAll is Focus that also selects the whole text.
func (f *Field) SelectAll() {
	f.Focus()
	f.all = true
}

// Select is Focus that also selects the letters from one to before another.
func (f *Field) Select(from, to int) {
	f.Focus()
	f.part, f.selFrom, f.selTo = true, from, to
}

// grab takes the keyboard if Focus has asked for it.
func (f *Field) grab(gtx layout.Context) {
	if !f.wants || !gtx.Enabled() {
		return
	}
	gtx.Execute(key.FocusCmd{Tag: &f.ed})
	f.wants = false
	if f.all {
		f.all = false
		f.ed.SetCaret(f.ed.Len(), 0)
	}
	if f.part {
		f.part = false
		f.ed.SetCaret(f.selTo, f.selFrom)
	}
}

// Focused reports whether the field has the keyboard.
func (f *Field) Focused(gtx layout.Context) bool { return gtx.Focused(&f.ed) }

// Update returns the next event of the field.
func (f *Field) Update(gtx layout.Context) (FieldEvent, bool) {
	f.init()
	f.grab(gtx)
	for {
		e, ok := f.next(gtx, &f.sense)
		if !ok {
			break
		}
		if e.Kind == pointer.Press && f.th != nil {
			f.th.win.claimed = true
			f.tip.hush()
			// Beside the letters, too, a press is for the text.
			gtx.Execute(key.FocusCmd{Tag: &f.ed})
		}
	}
	for {
		ev, ok := f.ed.Update(gtx)
		if !ok {
			break
		}
		switch ev := ev.(type) {
		case widget.ChangeEvent:
			return FieldEvent{FieldChanged, f.ed.Text()}, true
		case widget.SubmitEvent:
			return FieldEvent{FieldSubmitted, ev.Text}, true
		}
	}
	for {
		ev, ok := gtx.Event(key.Filter{Focus: &f.ed, Name: key.NameEscape})
		if !ok {
			break
		}
		if e, ok := ev.(key.Event); ok && e.State == key.Press {
			gtx.Execute(key.FocusCmd{})
			f.focused = false
			return FieldEvent{FieldCancelled, f.ed.Text()}, true
		}
	}
	if is := gtx.Focused(&f.ed); is != f.focused {
		f.focused = is
		if !is {
			return FieldEvent{FieldBlurred, f.ed.Text()}, true
		}
	}
	return FieldEvent{}, false
}

// FieldStyle draws a text field.
type FieldStyle struct {
	Label string // semantic label
	Hint  string // shown while the field is empty
	Icon  icons.Name
	Tip   Tip
	// Problem marks the text as wrong and says why.
	Problem string
	// Clear shows a button that empties the field.
	Clear bool
	Mono  bool
	// Reason disables the field when it isn't empty.
	Reason string

	state *Field
	th    *Theme
}

// Field draws f. The label is not shown.
func (th *Theme) Field(f *Field, label string) FieldStyle {
	return FieldStyle{Label: label, state: f, th: th}
}

// SearchField draws f with a magnifier and a button to clear it.
func (th *Theme) SearchField(f *Field, hint string) FieldStyle {
	return FieldStyle{Label: hint, Hint: hint, Icon: icons.Search, Clear: true, state: f, th: th}
}

// Layout draws the field over the width of the constraints.
func (s FieldStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	box := image.Rectangle{Max: size}
	outer := gtx
	if s.Reason != "" {
		gtx = gtx.Disabled()
	}
	f := s.state
	for {
		if _, ok := f.Update(gtx); !ok {
			break
		}
	}
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	f.th = th
	event.Op(gtx.Ops, &f.sense)
	if gtx.Enabled() {
		th.focusable(&f.ed)
		pointer.CursorText.Add(gtx.Ops)
	}
	lk := look{enabled: gtx.Enabled(), hovered: f.hovered, focused: gtx.Focused(&f.ed)}
	if lk.focused {
		th.win.typingNow = true
	}
	th.fieldBox(gtx, box, lk, s.Problem != "")

	left, right := gtx.Dp(8), gtx.Dp(8)
	if s.Icon != icons.None {
		px := gtx.Dp(th.Size.IconSize)
		th.drawIconIn(gtx, s.Icon, th.Color.Dim, image.Rect(gtx.Dp(6), 0, gtx.Dp(6)+px, size.Y), px)
		left = gtx.Dp(6) + px + gtx.Dp(6)
	}
	if s.Clear && f.ed.Len() > 0 && lk.enabled {
		b := th.IconButton(&f.clear, icons.Close, "Clear "+s.Label)
		b.Size, b.IconSize = th.Size.Row-6, 12
		if f.clear.Clicked(gtx) {
			f.SetText("")
			f.Focus()
			gtx.Execute(op.InvalidateCmd{})
		}
		side := gtx.Dp(b.Size)
		at(gtx, image.Pt(size.X-side-gtx.Dp(3), (size.Y-side)/2), b.Layout)
		right = side + gtx.Dp(6)
	}
	s.text(gtx, image.Rect(left, 0, size.X-right, size.Y), lk)
	th.tooltip(outer, &f.sense, &f.tip, s.Tip, firstOf(s.Reason, s.Problem), box)
	return layout.Dimensions{Size: size}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// fieldBox draws the sunken background of text and number fields.
func (th *Theme) fieldBox(gtx layout.Context, box image.Rectangle, lk look, bad bool) {
	edge, fill := th.Color.Border, th.Color.Field
	switch {
	case bad:
		edge, fill = th.Color.Error, th.Color.ErrorField
	case lk.focused:
		edge = th.Color.AccentHigh
	case !lk.enabled:
		edge, fill = th.Color.Raised, th.Color.Panel
	case lk.hovered:
		edge = th.Color.Disabled
	}
	outline(gtx.Ops, edge, fill, box, gtx.Dp(th.Size.Radius), hairline(gtx))
}

// text draws the editor inside r, on the common baseline.
func (s FieldStyle) text(gtx layout.Context, r image.Rectangle, lk look) {
	th, f := s.th, s.state
	l := th.Label(s.Hint)
	if s.Mono {
		l.Font, l.Size = th.Mono, th.Size.Small
	}
	l.Color = th.Color.Hint
	if !lk.enabled {
		l.Color = th.Color.Disabled
	}
	if f.ed.Len() == 0 && s.Hint != "" {
		l.drawIn(gtx, r)
	}
	fg := th.Color.Text
	if !lk.enabled {
		fg = th.Color.Disabled
	}
	f.ed.LineHeightScale = 1.3
	m := th.metric(gtx, l.Font, l.Size)
	y := r.Min.Y + (r.Dy()-m.cap+1)/2 + m.cap - m.base
	egtx := gtx
	egtx.Constraints = layout.Constraints{Min: image.Pt(r.Dx(), 0), Max: image.Pt(max(r.Dx(), 0), r.Dy())}
	defer op.Offset(image.Pt(r.Min.X, y)).Push(gtx.Ops).Pop()
	// The clip carries the semantics; the editor's own node lies inside it.
	defer clip.Rect(image.Rect(-4, -y, r.Dx()+4, r.Dy()-y)).Push(gtx.Ops).Pop()
	semantic.LabelOp(s.Label).Add(gtx.Ops)
	semantic.Editor.Add(gtx.Ops)
	semantic.EnabledOp(lk.enabled).Add(gtx.Ops)
	semantic.DescriptionOp(f.ed.Text()).Add(gtx.Ops)
	f.ed.Layout(egtx, th.Shaper, l.Font, l.Size, th.material(gtx, fg), th.material(gtx, alpha(th.Color.Accent, 0xa0)))
}

// material records a colour for Gio's editor.
func (th *Theme) material(gtx layout.Context, c color.NRGBA) op.CallOp {
	m := op.Record(gtx.Ops)
	paint.ColorOp{Color: c}.Add(gtx.Ops)
	return m.Stop()
}
