package widgets

import (
	"image"

	"gioui.org/font"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// Section is the state of a collapsible part of a panel. The zero value is
// open.
type Section struct {
	Closed bool
	pressable
}

// Update reports whether the user has opened or closed the section.
func (s *Section) Update(gtx layout.Context) bool {
	if _, ok := s.update(gtx); ok {
		s.Closed = !s.Closed
		return true
	}
	return false
}

// SectionStyle draws the header of a Section and, while it is open, its body.
type SectionStyle struct {
	Title string
	state *Section
	th    *Theme
}

// Section draws s under a title.
func (th *Theme) Section(s *Section, title string) SectionStyle {
	return SectionStyle{title, s, th}
}

// Layout draws the header over the width of the constraints, body below it,
// and actions at the header's right end, the first one outermost.
func (s SectionStyle) Layout(gtx layout.Context, body layout.Widget, actions ...layout.Widget) layout.Dimensions {
	th, st := s.th, s.state
	for st.Update(gtx) {
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Bar))
	head := image.Rectangle{Max: size}
	area := clip.Rect(head).Push(gtx.Ops)
	under := clip.Rect(head).Push(gtx.Ops)
	st.add(gtx, th, s.Title, semantic.Button, false)
	semantic.SelectedOp(!st.Closed).Add(gtx.Ops)
	under.Pop()
	lk := st.look(gtx)
	fill := th.Color.Bar
	if lk.hovered {
		fill = mix(fill, th.Color.Hover, 0.5)
	}
	fillRect(gtx.Ops, fill, head)
	px := gtx.Dp(th.Size.IconSize)
	x := gtx.Dp(6)
	icon := icons.ChevronDown
	if st.Closed {
		icon = icons.ChevronRight
	}
	th.drawIconIn(gtx, icon, th.Color.Dim, image.Rect(x, 0, x+px, size.Y), px)
	right := size.X - gtx.Dp(4)
	for _, w := range actions {
		ag := gtx
		ag.Constraints = layout.Constraints{Max: image.Pt(max(0, right), size.Y)}
		m := record(ag, w)
		right -= m.size.X
		m.add(gtx, image.Pt(right, (size.Y-m.size.Y)/2))
	}
	l := th.Heading(s.Title)
	l.drawIn(gtx, image.Rect(x+px+gtx.Dp(6), 0, right, size.Y))
	if lk.focused {
		th.focusRing(gtx, head.Inset(hairline(gtx)), 0)
	}
	area.Pop()
	if st.Closed || body == nil {
		return layout.Dimensions{Size: size}
	}
	bg := gtx
	bg.Constraints.Min.Y = 0
	bg.Constraints.Max.Y = max(0, gtx.Constraints.Max.Y-size.Y)
	d := at(bg, image.Pt(0, size.Y), body)
	size.Y += d.Size.Y
	return layout.Dimensions{Size: size}
}

// Tabs is the state of a row of tabs of which one is shown.
type Tabs struct{ Choices }

// TabsStyle draws Tabs.
type TabsStyle struct {
	Titles []string
	state  *Tabs
	th     *Theme
}

// Tabs draws t with its titles. The caller draws the content of the selected
// one below.
func (th *Theme) Tabs(t *Tabs, titles ...string) TabsStyle {
	return TabsStyle{titles, t, th}
}

// Layout draws the tabs over the width of the constraints.
func (s TabsStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, t := s.th, s.state
	if len(t.buttons) != len(s.Titles) {
		t.buttons = make([]Button, len(s.Titles))
	}
	for {
		if _, ok := t.Update(gtx); !ok {
			break
		}
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Bar))
	defer clip.Rect(image.Rectangle{Max: size}).Push(gtx.Ops).Pop()
	fillRect(gtx.Ops, th.Color.Gap, image.Rectangle{Max: size})
	pad := gtx.Dp(12)
	total := 0
	for _, title := range s.Titles {
		total += th.Label(title).width(gtx) + 2*pad
	}
	// Tabs that don't fit stand closer together, and then share the width instead of
	// leaving it.
	if n := len(s.Titles); n > 0 && total > size.X {
		less := min(pad-gtx.Dp(4), (total-size.X+2*n-1)/(2*n))
		pad -= less
		total -= 2 * n * less
	}
	squeeze := float32(1)
	if total > size.X {
		squeeze = float32(size.X) / float32(total)
	}
	x := float32(0)
	for i, title := range s.Titles {
		w := float32(th.Label(title).width(gtx)+2*pad) * squeeze
		s.tab(gtx, i, title, image.Rect(int(x), 0, int(x+w), size.Y), pad)
		x += w
	}
	return layout.Dimensions{Size: size}
}

func (s TabsStyle) tab(gtx layout.Context, i int, title string, r image.Rectangle, pad int) {
	th, b := s.th, &s.state.buttons[i]
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	b.add(gtx, th, title, semantic.RadioButton, false)
	on := i == s.state.Selected
	semantic.SelectedOp(on).Add(gtx.Ops)
	lk := b.look(gtx)
	l := th.Dim(title)
	switch {
	case on:
		l.Color = th.Color.Text
		l.Font.Weight = font.Normal
		fillRect(gtx.Ops, th.Color.Panel, r)
		fillRect(gtx.Ops, th.Color.AccentHigh, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+gtx.Dp(2)))
	case lk.hovered:
		l.Color = th.Color.Text
		fillRect(gtx.Ops, mix(th.Color.Gap, th.Color.Hover, 0.4), r)
	}
	pad = min(pad, r.Dx()/10)
	if free := r.Dx() - l.width(gtx); free > 2*pad {
		pad = free / 2
	}
	l.drawIn(gtx, image.Rect(r.Min.X+pad, r.Min.Y, r.Max.X-pad+1, r.Max.Y))
	if lk.focused {
		th.focusRing(gtx, r.Inset(hairline(gtx)), 0)
	}
}
