package widgets

import (
	"image"
	"image/color"

	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
)

func fillRect(ops *op.Ops, c color.NRGBA, r image.Rectangle) {
	if r.Empty() || c.A == 0 {
		return
	}
	paint.FillShape(ops, c, clip.Rect(r).Op())
}

func fillRound(ops *op.Ops, c color.NRGBA, r image.Rectangle, radius int) {
	if r.Empty() || c.A == 0 {
		return
	}
	if radius <= 0 {
		fillRect(ops, c, r)
		return
	}
	paint.FillShape(ops, c, clip.UniformRRect(r, min(radius, r.Dx()/2, r.Dy()/2)).Op(ops))
}

// outline draws a frame of the given width inside r. Two fills instead of a
// stroke: the edges then stand exactly on pixels.
func outline(ops *op.Ops, edge, inside color.NRGBA, r image.Rectangle, radius, width int) {
	fillRound(ops, edge, r, radius)
	fillRound(ops, inside, r.Inset(width), radius-width)
}

// hairline is the width of the thinnest line: one pixel per whole scale step.
func hairline(gtx layout.Context) int {
	return max(1, int(gtx.Metric.PxPerDp))
}

// shadow darkens a soft margin around a pop-up.
func (th *Theme) shadow(gtx layout.Context, r image.Rectangle) {
	c := th.Color.Shadow
	step := hairline(gtx)
	radius := gtx.Dp(th.Size.Radius)
	for i := 3; i >= 1; i-- {
		grow := i * step
		c.A = uint8(int(th.Color.Shadow.A) * (4 - i) / 6)
		fillRound(gtx.Ops, c, r.Inset(-grow).Add(image.Pt(0, step)), radius+grow)
	}
}

// panelBox draws the body of a pop-up.
func (th *Theme) popupBox(gtx layout.Context, r image.Rectangle) {
	th.shadow(gtx, r)
	outline(gtx.Ops, th.Color.Border, th.Color.Popup, r, gtx.Dp(th.Size.Radius), hairline(gtx))
}

// focusRing marks what has the keyboard.
func (th *Theme) focusRing(gtx layout.Context, r image.Rectangle, radius int) {
	w := float32(hairline(gtx)) * 1.5
	path := clip.UniformRRect(r, min(radius, r.Dx()/2, r.Dy()/2)).Path(gtx.Ops)
	paint.FillShape(gtx.Ops, th.Color.AccentHigh, clip.Stroke{Path: path, Width: w}.Op())
}

// Fill paints the whole of the constraints' maximum in one colour.
func Fill(gtx layout.Context, c color.NRGBA) layout.Dimensions {
	fillRect(gtx.Ops, c, image.Rectangle{Max: gtx.Constraints.Max})
	return layout.Dimensions{Size: gtx.Constraints.Max}
}

// Surface draws w on a background of one colour that covers exactly what w
// takes up.
func Surface(gtx layout.Context, c color.NRGBA, w layout.Widget) layout.Dimensions {
	m := op.Record(gtx.Ops)
	d := w(gtx)
	call := m.Stop()
	fillRect(gtx.Ops, c, image.Rectangle{Max: d.Size})
	call.Add(gtx.Ops)
	return d
}

// HLine draws a horizontal hairline over the width of the constraints.
func (th *Theme) HLine(gtx layout.Context) layout.Dimensions {
	size := image.Pt(gtx.Constraints.Max.X, hairline(gtx))
	fillRect(gtx.Ops, th.Color.Line, image.Rectangle{Max: size})
	return layout.Dimensions{Size: size}
}

// VLine draws a vertical hairline over the height of the constraints.
func (th *Theme) VLine(gtx layout.Context) layout.Dimensions {
	size := image.Pt(hairline(gtx), gtx.Constraints.Max.Y)
	fillRect(gtx.Ops, th.Color.Line, image.Rectangle{Max: size})
	return layout.Dimensions{Size: size}
}

// at draws w moved by p.
func at(gtx layout.Context, p image.Point, w layout.Widget) layout.Dimensions {
	defer op.Offset(p).Push(gtx.Ops).Pop()
	return w(gtx)
}
