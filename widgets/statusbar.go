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

// StatusSegment is one piece of a status bar.
type StatusSegment struct {
	Label string // what it is: semantic label and tooltip
	Text  string
	Icon  icons.Name
	// Color of the text, zero for the theme's.
	Color color.NRGBA
	// Width keeps room for the longest text, so that neighbours stand still;
	// 0 is as wide as the text.
	Width unit.Dp
	// Mono uses the fixed-width font, for numbers that change.
	Mono bool
	// Button makes the segment clickable.
	Button *Button
	// Widget draws the segment instead of Text, in a space of Width.
	Widget layout.Widget
}

// StatusBarStyle draws segments at both ends of a bar.
type StatusBarStyle struct {
	Left, Right []StatusSegment
	th          *Theme
}

// StatusBar draws a status bar. When space is short the right end wins.
func (th *Theme) StatusBar(left, right []StatusSegment) StatusBarStyle {
	return StatusBarStyle{left, right, th}
}

// Layout draws the bar over the width of the constraints.
func (s StatusBarStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Status))
	defer clip.Rect(image.Rectangle{Max: size}).Push(gtx.Ops).Pop()
	fillRect(gtx.Ops, th.Color.Bar, image.Rectangle{Max: size})
	end := size.X - gtx.Dp(4)
	for i := len(s.Right) - 1; i >= 0; i-- {
		w := s.width(gtx, &s.Right[i])
		if end-w < 0 {
			break
		}
		end -= w
		s.segment(gtx, &s.Right[i], image.Rect(end, 0, end+w, size.Y), true)
	}
	x := gtx.Dp(4)
	for i := range s.Left {
		w := s.width(gtx, &s.Left[i])
		right := min(x+w, end)
		if right-x < gtx.Dp(24) {
			break
		}
		s.segment(gtx, &s.Left[i], image.Rect(x, 0, right, size.Y), i+1 < len(s.Left))
		x += w
	}
	return layout.Dimensions{Size: size}
}

func (s StatusBarStyle) label(g *StatusSegment) LabelStyle {
	l := s.th.Dim(g.Text)
	l.Size = s.th.Size.Small
	if g.Mono {
		l.Font = s.th.Mono
	}
	if g.Color != (color.NRGBA{}) {
		l.Color = g.Color
	}
	return l
}

// statusPad is the space at both sides of a segment's text.
const statusPad = 8

func (s StatusBarStyle) width(gtx layout.Context, g *StatusSegment) int {
	w := 2 * gtx.Dp(statusPad)
	if g.Icon != icons.None {
		w += gtx.Dp(14) + gtx.Dp(5)
	}
	if g.Width > 0 {
		return w + gtx.Dp(g.Width)
	}
	return w + s.label(g).width(gtx)
}

func (s StatusBarStyle) segment(gtx layout.Context, g *StatusSegment, r image.Rectangle, line bool) {
	th := s.th
	at(gtx, r.Min, func(gtx layout.Context) layout.Dimensions {
		box := image.Rectangle{Max: r.Size()}
		defer clip.Rect(box).Push(gtx.Ops).Pop()
		l := s.label(g)
		if b := g.Button; b != nil {
			b.add(gtx, th, g.Label, semantic.Button, false)
			if lk := b.look(gtx); lk.hovered {
				fillRect(gtx.Ops, th.Color.Hover, box)
				l.Color = th.Color.Text
			}
			th.tooltip(gtx, &b.sense, &b.tip, Tip{Title: g.Label}, "", box)
		} else {
			semantic.LabelOp(g.Label).Add(gtx.Ops)
		}
		semantic.DescriptionOp(g.Text).Add(gtx.Ops)
		x := gtx.Dp(statusPad)
		if g.Icon != icons.None {
			px := gtx.Dp(14)
			th.drawIconIn(gtx, g.Icon, l.Color, image.Rect(x, 0, x+px, box.Max.Y), px)
			x += px + gtx.Dp(5)
		}
		end := box.Max.X - gtx.Dp(statusPad)
		if g.Widget != nil {
			wg := gtx
			wg.Constraints = layout.Exact(image.Pt(max(0, end-x), box.Max.Y))
			at(wg, image.Pt(x, 0), g.Widget)
		} else {
			l.drawIn(gtx, image.Rect(x, 0, end+1, box.Max.Y))
		}
		if line {
			fillRect(gtx.Ops, th.Color.Border, image.Rect(box.Max.X-hairline(gtx), gtx.Dp(6), box.Max.X, box.Max.Y-gtx.Dp(6)))
		}
		return layout.Dimensions{Size: box.Max}
	})
}
