package panel

import (
	"image"
	"image/color"

	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/unit"
)

// in lays w out with exact constraints inside r and cuts off what does not fit.
func in(gtx layout.Context, r image.Rectangle, w layout.Widget) {
	if r.Dx() <= 0 || r.Dy() <= 0 {
		return
	}
	defer op.Offset(r.Min).Push(gtx.Ops).Pop()
	defer clip.Rect{Max: r.Size()}.Push(gtx.Ops).Pop()
	gtx.Constraints = layout.Exact(r.Size())
	w(gtx)
}

// loose lays w out at p with no smallest size.
func loose(gtx layout.Context, p, most image.Point, w layout.Widget) image.Point {
	defer op.Offset(p).Push(gtx.Ops).Pop()
	gtx.Constraints = layout.Constraints{Max: most}
	return w(gtx).Size
}

// sizeOf is the size that w would take.
func sizeOf(gtx layout.Context, most image.Point, w layout.Widget) (image.Point, op.CallOp) {
	m := op.Record(gtx.Ops)
	gtx.Constraints = layout.Constraints{Max: most}
	d := w(gtx)
	return d.Size, m.Stop()
}

func fill(gtx layout.Context, c color.NRGBA, r image.Rectangle) {
	if !r.Empty() {
		paint.FillShape(gtx.Ops, c, clip.Rect(r).Op())
	}
}

// stack puts widgets below each other over the width of the constraints, with a
// gap between them and pad around. Those of no height take no gap.
func stack(gtx layout.Context, pad, gap unit.Dp, widgets ...layout.Widget) layout.Dimensions {
	p, g := gtx.Dp(pad), gtx.Dp(gap)
	w := max(0, gtx.Constraints.Max.X-2*p)
	y := p
	for _, it := range widgets {
		cg := gtx
		cg.Constraints = layout.Constraints{Min: image.Pt(w, 0), Max: image.Pt(w, max(0, gtx.Constraints.Max.Y-y-p))}
		t := op.Offset(image.Pt(p, y)).Push(gtx.Ops)
		h := it(cg).Size.Y
		t.Pop()
		if h > 0 {
			y += h + g
		}
	}
	if y > p {
		y -= g
	}
	return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, y+p)}
}

// nothing is a widget that isn't there.
func nothing(layout.Context) layout.Dimensions { return layout.Dimensions{} }

// columns shares the width of the constraints among widgets, with a gap between
// them. All are as high as the highest.
func columns(gap unit.Dp, widgets ...layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		g, n := gtx.Dp(gap), len(widgets)
		free := gtx.Constraints.Max.X - g*(n-1)
		h := 0
		for i, it := range widgets {
			a, b := free*i/n+g*i, free*(i+1)/n+g*i
			cg := gtx
			cg.Constraints = layout.Constraints{Min: image.Pt(b-a, 0), Max: image.Pt(b-a, gtx.Constraints.Max.Y)}
			t := op.Offset(image.Pt(a, 0)).Push(gtx.Ops)
			h = max(h, it(cg).Size.Y)
			t.Pop()
		}
		return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, h)}
	}
}
