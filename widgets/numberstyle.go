package widgets

import (
	"image"
	"image/color"

	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/text"
)

// NumberStyle draws a Number.
type NumberStyle struct {
	// Label names the number; it stands at the left inside the field.
	Label string
	// Bare keeps the label for semantics and the tooltip only.
	Bare bool
	// Letter is drawn in place of the label, in a colour of its own, and the unit
	// is left out: for numbers in narrow columns.
	Letter      string
	LetterColor color.NRGBA
	// Bar shades the field up to the value's place between Min and Max.
	Bar  bool
	Unit string
	Tip  Tip
	// Reason disables the number when it isn't empty.
	Reason string

	state *Number
	th    *Theme
}

// Number draws n with a unit behind the value.
func (th *Theme) Number(n *Number, unit string) NumberStyle {
	return NumberStyle{Unit: unit, state: n, th: th}
}

// Layout draws the number over the width of the constraints.
func (s NumberStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, n := s.th, s.state
	n.unit, n.th, n.disabled, n.modal = s.Unit, th, s.Reason != "", th.win.trap != nil
	n.field.th = th
	for {
		if _, ok := n.Update(gtx); !ok {
			break
		}
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	if n.editing {
		f := th.Field(&n.field, s.Label)
		f.Problem = n.problem
		if n.Mixed {
			f.Hint = mixedText
		}
		th.win.innerNow = true
		if n.problem != "" {
			m := image.Rectangle{Max: size}
			th.showTip(gtx, Tip{}, n.problem, m, sideBelow, n.origin, n.placed)
		}
		return f.Layout(gtx)
	}
	box := image.Rectangle{Max: size}
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, n)
	if !n.disabled {
		th.focusable(n)
	}
	if n.keyed && gtx.Focused(n) {
		th.win.typingNow = true
	}
	semantic.LabelOp(s.Label).Add(gtx.Ops)
	semantic.Editor.Add(gtx.Ops)
	semantic.EnabledOp(gtx.Enabled() && !n.disabled).Add(gtx.Ops)
	val := n.text()
	semantic.DescriptionOp(said(val)).Add(gtx.Ops)
	on := gtx.Enabled() && !n.disabled
	lk := look{enabled: on, hovered: on && n.hovered, pressed: n.dragging, focused: on && gtx.Focused(n)}
	if on {
		pointer.CursorColResize.Add(gtx.Ops)
	}
	s.draw(gtx, box, lk, val)
	tip := s.Tip
	tip.Title = firstOf(tip.Title, s.Label)
	if tip.Help == "" && n.bounded() {
		tip.Help = n.rangeText() + ". Drag, or click to type."
	}
	th.tooltip(gtx, &n.sense, &n.tip, tip, s.Reason, box)
	return layout.Dimensions{Size: size}
}

func (s NumberStyle) draw(gtx layout.Context, box image.Rectangle, lk look, val string) {
	th, n := s.th, s.state
	th.fieldBox(gtx, box, lk, false)
	line := hairline(gtx)
	if s.Bar && n.bounded() && val != mixedText {
		in := box.Inset(line)
		in.Max.X = in.Min.X + int(float64(in.Dx())*n.fraction()+0.5)
		c := th.Color.AccentLow
		if !lk.enabled {
			c = th.Color.Raised
		} else if lk.hovered || lk.pressed {
			c = mix(c, th.Color.Accent, 0.3)
		}
		st := clip.UniformRRect(box.Inset(line), gtx.Dp(th.Size.Radius)-line).Push(gtx.Ops)
		fillRect(gtx.Ops, c, in)
		st.Pop()
	}
	label, value, unit := th.Dim(s.Label), th.Label(val), th.Dim(s.Unit)
	if s.Bar && lk.enabled {
		label.Color, unit.Color = th.Color.Text, th.Color.Text
	}
	if s.Letter != "" {
		label.Text, label.Color, unit.Text = s.Letter, s.LetterColor, ""
	}
	if !lk.enabled {
		label.Color, value.Color, unit.Color = th.Color.Disabled, th.Color.Disabled, th.Color.Disabled
	}
	pad := gtx.Dp(8)
	if s.Letter != "" {
		pad = gtx.Dp(6)
	}
	r := image.Rect(pad, 0, box.Max.X-pad, box.Max.Y)
	if unit.Text != "" {
		w := unit.width(gtx)
		unit.drawIn(gtx, image.Rect(r.Max.X-w, 0, r.Max.X+1, r.Max.Y))
		r.Max.X -= w + gtx.Dp(4)
	}
	if s.Letter != "" { // the letter stays, the value is cut
		r.Min.X += label.drawIn(gtx, r) + gtx.Dp(4)
		label.Text = ""
	}
	w := min(value.width(gtx), r.Dx())
	value.Align = text.End
	value.drawIn(gtx, image.Rect(r.Max.X-w, 0, r.Max.X, r.Max.Y))
	if label.Text != "" && !s.Bare {
		label.drawIn(gtx, image.Rect(r.Min.X, 0, r.Max.X-w-pad, r.Max.Y))
	}
}

// said is how a value is told to screen readers.
func said(val string) string {
	if val == mixedText {
		return "several values"
	}
	return val
}
