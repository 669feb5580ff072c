package widgets

import (
	"image"
	"image/color"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/text"
	"gioui.org/unit"

	"ridgeline/icons"
)

// Button is the state of anything that is clicked: text buttons, icon buttons
// and toggles.
type Button struct{ pressable }

// Update returns the next click.
func (b *Button) Update(gtx layout.Context) (Click, bool) { return b.update(gtx) }

// Clicked handles all events and reports whether there was a click.
func (b *Button) Clicked(gtx layout.Context) bool {
	clicked := false
	for {
		if _, ok := b.update(gtx); !ok {
			return clicked
		}
		clicked = true
	}
}

// Importance is how much a button asks to be pressed.
type Importance uint8

const (
	// Normal is an ordinary button.
	Normal Importance = iota
	// Primary is the one button that goes on with the user's task.
	Primary
	// Danger deletes or gives up something.
	Danger
	// Quiet has no background until the pointer is on it.
	Quiet
)

// ButtonStyle draws a button with a title and, optionally, an icon.
type ButtonStyle struct {
	Title      string
	Icon       icons.Name
	Importance Importance
	Tip        Tip
	// Reason disables the button when it isn't empty, and is what the tooltip
	// then says.
	Reason string

	state *Button
	th    *Theme
}

// Button draws b with a title.
func (th *Theme) Button(b *Button, title string) ButtonStyle {
	return ButtonStyle{Title: title, state: b, th: th}
}

// Layout draws the button as wide as its content or the minimum constraint.
func (s ButtonStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	l := th.Label(s.Title)
	pad, gap, px := gtx.Dp(10), gtx.Dp(6), gtx.Dp(th.Size.IconSize)
	content := l.width(gtx)
	if s.Icon != icons.None {
		content += px
		if s.Title != "" {
			content += gap
		}
	}
	size := image.Pt(max(content+2*pad, gtx.Constraints.Min.X), gtx.Dp(th.Size.Row))
	size.X = min(size.X, gtx.Constraints.Max.X)
	box := image.Rectangle{Max: size}
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	s.state.add(gtx, th, s.Title, semantic.Button, s.Reason != "")
	lk := s.state.look(gtx)

	fill, fg := s.colors(lk)
	radius := gtx.Dp(th.Size.Radius)
	fillRound(gtx.Ops, fill, box, radius)
	x := max((size.X-content)/2, min(pad, size.X/4))
	if s.Icon != icons.None {
		th.drawIconIn(gtx, s.Icon, fg, image.Rect(x, 0, x+px, size.Y), px)
		x += px + gap
	}
	l.Color = fg
	l.drawIn(gtx, image.Rect(x, 0, size.X-min(pad, size.X/4)+1, size.Y))
	if lk.focused {
		th.focusRing(gtx, box.Inset(hairline(gtx)), radius)
	}
	th.tooltip(gtx, &s.state.sense, &s.state.tip, s.Tip, s.Reason, box)
	return layout.Dimensions{Size: size}
}

func (s ButtonStyle) colors(lk look) (fill, fg color.NRGBA) {
	c := &s.th.Color
	if !lk.enabled {
		if s.Importance == Quiet {
			return color.NRGBA{}, c.Disabled
		}
		return c.Bar, c.Disabled
	}
	switch s.Importance {
	case Primary:
		fill, fg = c.Accent, c.OnAccent
		if lk.pressed {
			fill = mix(fill, c.Gap, 0.25)
		} else if lk.hovered {
			fill = mix(fill, c.OnAccent, 0.06)
		}
	case Danger:
		fill, fg = c.ErrorField, c.Error
		if lk.pressed {
			fill = mix(fill, c.Gap, 0.3)
		} else if lk.hovered {
			fill = mix(fill, c.Error, 0.12)
		}
	default:
		fill, fg = c.Raised, c.Text
		if s.Importance == Quiet {
			fill = color.NRGBA{}
		}
		if lk.pressed {
			fill = c.Pressed
		} else if lk.hovered {
			fill = c.Hover
		}
	}
	return fill, fg
}

// mix blends t of b into a, in sRGB.
func mix(a, b color.NRGBA, t float32) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8(float32(x) + (float32(y)-float32(x))*t + 0.5) }
	return color.NRGBA{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B), A: a.A}
}

// IconButtonStyle draws a square button with only an icon.
type IconButtonStyle struct {
	Icon  icons.Name
	Title string // the semantic label, and the tooltip's title when Tip has none
	Tip   Tip
	// Reason disables the button when it isn't empty.
	Reason string
	// Selected shows the button as switched on.
	Selected bool
	// Size is the side of the button, IconSize that of the icon.
	Size, IconSize unit.Dp
	// Color is the icon's colour at rest; zero for the theme's.
	Color color.NRGBA

	state *Button
	th    *Theme
}

// IconButton draws b as a small icon, as used in rows.
func (th *Theme) IconButton(b *Button, icon icons.Name, title string) IconButtonStyle {
	return IconButtonStyle{Icon: icon, Title: title, Size: th.Size.Row, IconSize: th.Size.IconSize, state: b, th: th}
}

// ToolButton draws b as a toolbar button.
func (th *Theme) ToolButton(b *Button, icon icons.Name, title string) IconButtonStyle {
	s := th.IconButton(b, icon, title)
	s.Size, s.IconSize = th.Size.Tool, th.Size.ToolIcon
	return s
}

// Layout draws the button.
func (s IconButtonStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	side := gtx.Dp(s.Size)
	box := image.Rectangle{Max: image.Pt(side, side)}
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	s.state.add(gtx, th, s.Title, semantic.Button, s.Reason != "")
	semantic.SelectedOp(s.Selected).Add(gtx.Ops)
	lk := s.state.look(gtx)
	lk.selected = s.Selected

	fg := th.Color.Dim
	if s.Color != (color.NRGBA{}) {
		fg = s.Color
	}
	fill := color.NRGBA{}
	switch {
	case lk.selected && lk.enabled:
		fill, fg = th.Color.Accent, th.Color.OnAccent
		if lk.hovered {
			fill = mix(fill, th.Color.OnAccent, 0.06)
		}
	case lk.selected:
		fill, fg = th.Color.Raised, th.Color.Disabled
	case !lk.enabled:
		fg = th.Color.Disabled
	case lk.pressed:
		fill, fg = th.Color.Pressed, th.Color.Text
	case lk.hovered:
		fill, fg = th.Color.Hover, th.Color.Text
	}
	radius := gtx.Dp(th.Size.Radius)
	fillRound(gtx.Ops, fill, box, radius)
	th.drawIconIn(gtx, s.Icon, fg, box, gtx.Dp(s.IconSize))
	if lk.focused {
		th.focusRing(gtx, box.Inset(hairline(gtx)), radius)
	}
	tip := s.Tip
	if tip.Title == "" {
		tip.Title = s.Title
	}
	th.tooltip(gtx, &s.state.sense, &s.state.tip, tip, s.Reason, box)
	return layout.Dimensions{Size: box.Max}
}

// Choices is the state of a row of buttons of which one is chosen.
type Choices struct {
	// Selected is the index of the chosen button, -1 for none.
	Selected int
	buttons  []Button
}

// Update returns the index that the user has chosen, and changes Selected.
func (c *Choices) Update(gtx layout.Context) (int, bool) {
	for i := range c.buttons {
		if c.buttons[i].Clicked(gtx) && c.Selected != i {
			c.Selected = i
			return i, true
		}
	}
	return 0, false
}

// ChoiceItem is one button of a toolbar group.
type ChoiceItem struct {
	Icon   icons.Name
	Title  string
	Keys   string
	Help   string
	Reason string // why it cannot be chosen now
}

// ToolGroupStyle draws Choices as toolbar icons.
type ToolGroupStyle struct {
	Items []ChoiceItem
	Axis  layout.Axis
	// Tool makes toolbar-sized buttons instead of row-sized ones.
	Tool bool

	state *Choices
	th    *Theme
}

// ToolGroup draws c as a row of toolbar icons of which one is on.
func (th *Theme) ToolGroup(c *Choices, items []ChoiceItem) ToolGroupStyle {
	return ToolGroupStyle{Items: items, Tool: true, state: c, th: th}
}

// Layout draws the group.
func (s ToolGroupStyle) Layout(gtx layout.Context) layout.Dimensions {
	c := s.state
	if len(c.buttons) != len(s.Items) {
		c.buttons = make([]Button, len(s.Items))
	}
	for {
		if _, ok := c.Update(gtx); !ok {
			break
		}
	}
	gap := gtx.Dp(2)
	var end image.Point
	for i, it := range s.Items {
		b := s.th.IconButton(&c.buttons[i], it.Icon, it.Title)
		if s.Tool {
			b = s.th.ToolButton(&c.buttons[i], it.Icon, it.Title)
		}
		b.Tip = Tip{Title: it.Title, Keys: it.Keys, Help: it.Help}
		b.Reason = it.Reason
		b.Selected = i == c.Selected
		p := image.Pt(end.X, 0)
		if s.Axis == layout.Vertical {
			p = image.Pt(0, end.Y)
		}
		if i > 0 {
			p = p.Add(s.Axis.Convert(image.Pt(gap, 0)))
		}
		d := at(gtx, p, b.Layout)
		end = p.Add(d.Size)
	}
	return layout.Dimensions{Size: end}
}

// SegmentStyle draws Choices as joined text buttons.
type SegmentStyle struct {
	Titles []string
	Reason string

	state *Choices
	th    *Theme
}

// Segments draws c as a row of joined titles, sharing the width.
func (th *Theme) Segments(c *Choices, titles ...string) SegmentStyle {
	return SegmentStyle{Titles: titles, state: c, th: th}
}

// Layout draws the segments over the width of the constraints.
func (s SegmentStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, c := s.th, s.state
	if len(c.buttons) != len(s.Titles) {
		c.buttons = make([]Button, len(s.Titles))
	}
	for {
		if _, ok := c.Update(gtx); !ok {
			break
		}
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	radius := gtx.Dp(th.Size.Radius)
	fillRound(gtx.Ops, th.Color.Field, image.Rectangle{Max: size}, radius)
	n := len(s.Titles)
	for i, t := range s.Titles {
		r := image.Rect(size.X*i/n, 0, size.X*(i+1)/n, size.Y)
		s.segment(gtx, i, t, r, radius)
	}
	return layout.Dimensions{Size: size}
}

func (s SegmentStyle) segment(gtx layout.Context, i int, title string, r image.Rectangle, radius int) {
	th, b := s.th, &s.state.buttons[i]
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	b.add(gtx, th, title, semantic.RadioButton, s.Reason != "")
	on := i == s.state.Selected
	semantic.SelectedOp(on).Add(gtx.Ops)
	lk := b.look(gtx)
	l := th.Dim(title)
	l.Align = text.Middle
	inner := r.Inset(hairline(gtx))
	switch {
	case on && lk.enabled:
		l.Color = th.Color.OnAccent
		fillRound(gtx.Ops, th.Color.Accent, inner, radius-1)
	case on:
		l.Color = th.Color.Disabled
		fillRound(gtx.Ops, th.Color.Raised, inner, radius-1)
	case !lk.enabled:
		l.Color = th.Color.Disabled
	case lk.hovered:
		l.Color = th.Color.Text
		fillRound(gtx.Ops, th.Color.Hover, inner, radius-1)
	}
	l.drawIn(gtx, r.Inset(gtx.Dp(2)))
	if lk.focused {
		th.focusRing(gtx, inner, radius)
	}
	th.tooltip(gtx, &b.sense, &b.tip, Tip{}, s.Reason, r)
}
