package widgets

import (
	"image"

	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/text"
	"gioui.org/unit"
)

// CardsStyle draws Cards.
type CardsStyle struct {
	// Label names the grid for semantics.
	Label string
	// Size is the side of the pictures. The cards share the width, so that there
	// may be more room around them.
	Size unit.Dp
	// Drags lets cards be dragged.
	Drags bool
	// HideGhost leaves out the picture beside the pointer, while the caller shows
	// at the place itself what a drop would do.
	HideGhost bool
	// Empty is shown when there are no cards.
	Empty string

	state *Cards
	th    *Theme
}

// Cards draws c.
func (th *Theme) Cards(c *Cards, label string) CardsStyle {
	return CardsStyle{Label: label, Size: 80, state: c, th: th}
}

// Layout draws n cards over the whole of the constraints. card tells what a card
// shows. It is kept until the next Layout and called for the cards in view, and for
// others when the keyboard comes to them.
func (s CardsStyle) Layout(gtx layout.Context, n int, card func(i int) Card) layout.Dimensions {
	th, c := s.th, s.state
	size := gtx.Constraints.Max
	c.sense.th, c.view, c.drags = th, size.Y, s.Drags
	c.pad, c.caption = gtx.Dp(6), gtx.Dp(20)
	side := gtx.Dp(s.Size)
	// The scrollbar has its room whether it is there or not: it would change the
	// number of columns, and with it whether it is needed.
	c.width = size.X - gtx.Dp(scrollbarWidth)
	room := max(1, c.width-2*c.pad)
	c.columns = max(1, room/(side+2*gtx.Dp(4)))
	c.cell = image.Pt(max(1, room/c.columns), side+c.caption+2*gtx.Dp(4))
	c.total = (n+c.columns-1)/c.columns*c.cell.Y + 2*c.pad
	c.settle(n, card)
	th.focusable(c)
	c.events(gtx)
	c.scroller.update(gtx)
	if c.show {
		c.show = false
		top := c.cur.at / c.columns * c.cell.Y
		c.reveal(top, top+c.cell.Y+2*c.pad)
		c.clamp()
	}
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	c.gesture.Add(gtx.Ops)
	if s.Label != "" {
		semantic.LabelOp(s.Label).Add(gtx.Ops)
	}
	under := clip.Rect{Max: size}.Push(gtx.Ops)
	event.Op(gtx.Ops, c)
	if c.dragging {
		pointer.CursorGrabbing.Add(gtx.Ops)
	}
	under.Pop()
	if n == 0 && s.Empty != "" {
		th.emptyText(gtx, s.Empty)
	}
	over, hovered := c.cardAt(c.local)
	hovered = hovered && c.hovered && !c.dragging && gtx.Enabled()
	focused := gtx.Focused(c)
	off := int(c.pos + 0.5)
	for i := max(0, (off-c.pad)/c.cell.Y) * c.columns; i < n; i++ {
		r := s.rect(i, off)
		if r.Min.Y >= size.Y {
			break
		}
		cd := card(i)
		at(gtx, r.Min, func(gtx layout.Context) layout.Dimensions {
			s.card(gtx, &cd, side, hovered && i == over, focused && i == c.cur.at)
			return layout.Dimensions{}
		})
	}
	s.tooltip(gtx, over, hovered, off)
	if c.dragging && !s.HideGhost {
		s.ghost(gtx)
	}
	c.drawBar(gtx, th, size.X)
	return layout.Dimensions{Size: size}
}

// rect is where a card is, in the grid's frame.
func (s CardsStyle) rect(i, off int) image.Rectangle {
	c := s.state
	p := image.Pt(c.pad+i%c.columns*c.cell.X, c.pad+i/c.columns*c.cell.Y-off)
	return image.Rectangle{Min: p, Max: p.Add(c.cell)}
}

// card draws one card with its corner at the origin.
func (s CardsStyle) card(gtx layout.Context, cd *Card, side int, hovered, focused bool) {
	th, c := s.th, s.state
	box := image.Rectangle{Max: c.cell}
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	semantic.LabelOp(cd.Title).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	semantic.SelectedOp(cd.Selected).Add(gtx.Ops)
	if said := firstOf(cd.BadgeTip, cd.Detail); said != "" {
		semantic.DescriptionOp(said).Add(gtx.Ops)
	}
	line, radius := hairline(gtx), gtx.Dp(th.Size.Radius)
	in := box.Inset(gtx.Dp(2))
	switch {
	case cd.Selected:
		fillRound(gtx.Ops, th.Color.AccentLow, in, radius)
	case hovered:
		fillRound(gtx.Ops, mix(th.Color.Panel, th.Color.Hover, 0.5), in, radius)
	}
	pic := image.Rect(0, 0, side, side).Add(image.Pt((c.cell.X-side)/2, gtx.Dp(4)))
	fillRound(gtx.Ops, th.Color.Field, pic, radius)
	if cd.Picture != nil {
		area := clip.UniformRRect(pic, radius).Push(gtx.Ops)
		pg := gtx
		pg.Constraints = layout.Exact(pic.Size())
		at(pg, pic.Min, cd.Picture)
		area.Pop()
	} else {
		th.drawIconIn(gtx, cd.Icon, th.Color.Disabled, pic, gtx.Dp(40))
	}
	if cd.Dim {
		fillRound(gtx.Ops, alpha(th.Color.Panel, 0xa0), pic, radius)
	}
	if cd.Badge != "" {
		px := gtx.Dp(th.Size.IconSize)
		b := image.Rect(pic.Max.X-px-gtx.Dp(6), pic.Max.Y-px-gtx.Dp(6), pic.Max.X-gtx.Dp(2), pic.Max.Y-gtx.Dp(2))
		fillRound(gtx.Ops, alpha(th.Color.Gap, 0xe0), b, radius)
		th.drawIconIn(gtx, cd.Badge, th.Color.Warn, b, px)
	}
	l := th.Label(cd.Title)
	l.Size = th.Size.Small
	if cd.Dim && !cd.Selected {
		l.Color = th.Color.Dim
	}
	pad := gtx.Dp(5)
	l.Align = text.Middle
	if l.width(gtx) > box.Dx()-2*pad { // cut at its end, not in the middle
		l.Align = text.Start
	}
	l.drawIn(gtx, image.Rect(pad, pic.Max.Y, box.Max.X-pad+1, pic.Max.Y+c.caption))
	if focused {
		th.focusRing(gtx, in.Inset(line), radius)
	}
}

// tooltip tells the whole title of the card under the pointer, and what its badge
// warns of.
func (s CardsStyle) tooltip(gtx layout.Context, over int, hovered bool, off int) {
	th, c := s.th, s.state
	if !hovered {
		over = -1
	}
	if over != c.tipCard-1 {
		c.tipCard = over + 1
		c.tip = tipState{}
		if th.win.tipOwner == &c.tip {
			th.win.tipOwner = nil
		}
	}
	var (
		tip    Tip
		reason string
		r      image.Rectangle
	)
	if over >= 0 {
		cd := c.card(over)
		tip, reason, r = Tip{Title: cd.Title, Help: cd.Detail}, cd.BadgeTip, s.rect(over, off)
	}
	th.tooltip(gtx, &c.sense, &c.tip, tip, reason, r)
}

// ghost draws the card that is dragged, small, beside the pointer.
func (s CardsStyle) ghost(gtx layout.Context) {
	th, c := s.th, s.state
	cd := c.card(c.pressed.at)
	if cd.Picture == nil {
		th.ghost(gtx, c.dragAt.Round(), cd.Icon, cd.Title)
		return
	}
	popup(gtx, c.dragAt.Round().Add(image.Pt(gtx.Dp(14), gtx.Dp(6))), func(gtx layout.Context) layout.Dimensions {
		box := image.Rectangle{Max: image.Pt(gtx.Dp(56), gtx.Dp(56))}
		th.popupBox(gtx, box)
		in := box.Inset(gtx.Dp(3))
		defer clip.UniformRRect(in, gtx.Dp(2)).Push(gtx.Ops).Pop()
		gtx.Constraints = layout.Exact(in.Size())
		return at(gtx, in.Min, cd.Picture)
	})
}
