package widgets

import (
	"image"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
)

// ButtonArea makes an area of the given size react as b, and paints its ground: for
// rows of any height, over which the caller draws what stands in them. Buttons that
// are laid out over it take their own clicks.
func (th *Theme) ButtonArea(gtx layout.Context, b *Button, label string, selected bool, size image.Point) layout.Dimensions {
	box := image.Rectangle{Max: size}
	radius := gtx.Dp(th.Size.Radius)
	defer clip.UniformRRect(box, radius).Push(gtx.Ops).Pop()
	b.add(gtx, th, label, semantic.Button, false)
	semantic.SelectedOp(selected).Add(gtx.Ops)
	lk := b.look(gtx)
	ground := th.Color.Field
	switch {
	case selected:
		ground = th.Color.AccentLow
	case lk.pressed:
		ground = th.Color.Pressed
	case lk.hovered:
		ground = th.Color.Hover
	}
	fillRound(gtx.Ops, ground, box, radius)
	if lk.focused {
		th.focusRing(gtx, box.Inset(hairline(gtx)), radius)
	}
	return layout.Dimensions{Size: size}
}
