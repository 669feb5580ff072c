package widgets

import (
	"image"
	"image/color"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/unit"

	"ridgeline/icons"
)

// Check is the state of a checkbox.
type Check struct {
	Value bool
	// Mixed stands for several values that differ, and shows a dash. The first
	// click sets all of them.
	Mixed bool
	pressable
}

// Update returns the value that the user has set, and changes Value.
func (c *Check) Update(gtx layout.Context) (bool, bool) {
	if _, ok := c.update(gtx); ok {
		c.Value, c.Mixed = c.Mixed || !c.Value, false
		return c.Value, true
	}
	return c.Value, false
}

// CheckStyle draws a checkbox with its title.
type CheckStyle struct {
	Title  string
	Tip    Tip
	Reason string // disables the checkbox when it isn't empty

	state *Check
	th    *Theme
}

// Check draws c with a title at its right.
func (th *Theme) Check(c *Check, title string) CheckStyle {
	return CheckStyle{Title: title, state: c, th: th}
}

// Layout draws the checkbox; box and title together take the click.
func (s CheckStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, c := s.th, s.state
	for {
		if _, ok := c.Update(gtx); !ok {
			break
		}
	}
	l := th.Label(s.Title)
	side := gtx.Dp(16)
	x := side + gtx.Dp(8)
	size := image.Pt(x+l.width(gtx)+gtx.Dp(4), gtx.Dp(th.Size.Row))
	size.X = min(max(size.X, gtx.Constraints.Min.X), gtx.Constraints.Max.X)
	r := image.Rectangle{Max: size}
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	c.add(gtx, th, s.Title, semantic.CheckBox, s.Reason != "")
	on := c.Value || c.Mixed
	semantic.SelectedOp(c.Value && !c.Mixed).Add(gtx.Ops)
	icon := icons.Check
	if c.Mixed {
		icon = icons.Minus
		semantic.DescriptionOp(said(mixedText)).Add(gtx.Ops)
	}
	lk := c.look(gtx)
	box := centred(image.Rect(0, 0, side, size.Y), side)
	edge, fill, mark := th.Color.Border, th.Color.Field, th.Color.OnAccent
	switch {
	case !lk.enabled:
		edge, fill, mark, l.Color = th.Color.Raised, th.Color.Panel, th.Color.Disabled, th.Color.Disabled
	case on:
		edge, fill = th.Color.Accent, th.Color.Accent
	case lk.hovered:
		edge = th.Color.Disabled
	}
	outline(gtx.Ops, edge, fill, box, gtx.Dp(3), hairline(gtx))
	if on {
		th.drawIconIn(gtx, icon, mark, box, gtx.Dp(12))
	}
	if lk.focused {
		th.focusRing(gtx, box.Inset(-hairline(gtx)), gtx.Dp(4))
	}
	l.drawIn(gtx, image.Rect(x, 0, size.X, size.Y))
	th.tooltip(gtx, &c.sense, &c.tip, s.Tip, s.Reason, r)
	return layout.Dimensions{Size: size}
}

// SwatchStyle draws a colour that can be clicked.
type SwatchStyle struct {
	Title    string // semantic label and tooltip
	Color    color.NRGBA
	Selected bool
	Size     unit.Dp
	Reason   string // disables the swatch when it isn't empty

	state *Button
	th    *Theme
}

// Swatch draws b as a patch of colour.
func (th *Theme) Swatch(b *Button, c color.NRGBA, title string) SwatchStyle {
	return SwatchStyle{Title: title, Color: c, Size: th.Size.Row, state: b, th: th}
}

// Layout draws the swatch. Transparency shows over a chequered ground.
func (s SwatchStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	side := gtx.Dp(s.Size)
	box := image.Rectangle{Max: image.Pt(side, side)}
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	s.state.add(gtx, th, s.Title, semantic.Button, s.Reason != "")
	semantic.SelectedOp(s.Selected).Add(gtx.Ops)
	lk := s.state.look(gtx)
	edge := th.Color.Border
	switch {
	case s.Selected || lk.focused:
		edge = th.Color.AccentHigh
	case lk.hovered:
		edge = th.Color.Text
	}
	line := hairline(gtx)
	if s.Selected {
		line *= 2
	}
	radius := gtx.Dp(th.Size.Radius)
	outline(gtx.Ops, edge, th.Color.Field, box, radius, line)
	in := box.Inset(line + hairline(gtx))
	area := clip.UniformRRect(in, max(0, radius-2*hairline(gtx))).Push(gtx.Ops)
	if s.Color.A < 255 {
		th.chequer(gtx, in)
	}
	fillRect(gtx.Ops, s.Color, in)
	area.Pop()
	th.tooltip(gtx, &s.state.sense, &s.state.tip, Tip{Title: s.Title}, s.Reason, box)
	return layout.Dimensions{Size: box.Max}
}

func (th *Theme) chequer(gtx layout.Context, r image.Rectangle) {
	fillRect(gtx.Ops, th.Color.Dim, r)
	step := max(1, gtx.Dp(4))
	for y := r.Min.Y; y < r.Max.Y; y += step {
		for x := r.Min.X + ((y-r.Min.Y)/step%2)*step; x < r.Max.X; x += 2 * step {
			fillRect(gtx.Ops, th.Color.Disabled, image.Rect(x, y, x+step, y+step).Intersect(r))
		}
	}
}
