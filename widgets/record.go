package widgets

import (
	"image"

	"gioui.org/layout"
	"gioui.org/op"
)

// recorded is a widget that was laid out but not drawn yet.
type recorded struct {
	call op.CallOp
	size image.Point
}

// record lays w out and keeps its drawing for later.
func record(gtx layout.Context, w layout.Widget) recorded {
	m := op.Record(gtx.Ops)
	d := w(gtx)
	return recorded{m.Stop(), d.Size}
}

// add draws what was recorded, moved by p.
func (r recorded) add(gtx layout.Context, p image.Point) {
	defer op.Offset(p).Push(gtx.Ops).Pop()
	r.call.Add(gtx.Ops)
}
