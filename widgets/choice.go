package widgets

import (
	"image"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// Choice is the state of a drop-down list of which one entry is chosen.
type Choice struct {
	Selected int
	// Mixed stands for several choices that differ, and shows a dash. Choosing
	// any entry clears it.
	Mixed bool
	pressable
	tree  menuTree
	items []MenuItem
	box   image.Rectangle
}

// Update returns the index that the user has chosen, and changes Selected.
func (c *Choice) Update(gtx layout.Context) (int, bool) {
	c.events(gtx)
	if _, i, ok := c.tree.take(); ok && (i != c.Selected || c.Mixed) {
		c.Selected, c.Mixed = i, false
		return i, true
	}
	return c.Selected, false
}

func (c *Choice) events(gtx layout.Context) {
	for {
		if _, ok := c.update(gtx); !ok {
			break
		}
		c.tree.open(gtx, c.items, c.box, &c.sense)
		if c.Selected >= 0 && c.Selected < len(c.items) && !c.Mixed {
			c.tree.levels[0].hot = c.Selected
		}
	}
	c.tree.run(gtx)
}

// ChoiceStyle draws a Choice.
type ChoiceStyle struct {
	Label  string // semantic label
	Titles []string
	Tip    Tip
	Reason string // disables the choice when it isn't empty

	state *Choice
	th    *Theme
}

// Choice draws c as a field that opens a menu of titles.
func (th *Theme) Choice(c *Choice, label string, titles ...string) ChoiceStyle {
	return ChoiceStyle{Label: label, Titles: titles, state: c, th: th}
}

// Layout draws the choice over the width of the constraints.
func (s ChoiceStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, c := s.th, s.state
	if len(c.items) != len(s.Titles) {
		c.items = make([]MenuItem, len(s.Titles))
	}
	for i, t := range s.Titles {
		c.items[i].Title, c.items[i].Checked = t, i == c.Selected && !c.Mixed
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	box := image.Rectangle{Max: size}
	c.box = box
	c.events(gtx)

	area := clip.Rect(box).Push(gtx.Ops)
	c.add(gtx, th, s.Label, semantic.Button, s.Reason != "")
	title := ""
	switch {
	case c.Mixed:
		title = mixedText
	case c.Selected >= 0 && c.Selected < len(s.Titles):
		title = s.Titles[c.Selected]
	}
	semantic.DescriptionOp(said(title)).Add(gtx.Ops)
	lk := c.look(gtx)
	fill := th.Color.Raised
	l, icon := th.Label(title), th.Color.Dim
	switch {
	case !lk.enabled:
		fill, l.Color, icon = th.Color.Bar, th.Color.Disabled, th.Color.Disabled
	case lk.pressed || c.tree.isOpen():
		fill = th.Color.Pressed
	case lk.hovered:
		fill = th.Color.Hover
	}
	radius := gtx.Dp(th.Size.Radius)
	fillRound(gtx.Ops, fill, box, radius)
	px := gtx.Dp(th.Size.IconSize)
	end := size.X - gtx.Dp(4)
	th.drawIconIn(gtx, icons.ChevronDown, icon, image.Rect(end-px, 0, end, size.Y), px)
	l.drawIn(gtx, image.Rect(gtx.Dp(8), 0, end-px, size.Y))
	if lk.focused {
		th.focusRing(gtx, box.Inset(hairline(gtx)), radius)
	}
	th.tooltip(gtx, &c.sense, &c.tip, s.Tip, s.Reason, box)
	area.Pop()
	c.tree.layout(gtx, th)
	return layout.Dimensions{Size: size}
}
