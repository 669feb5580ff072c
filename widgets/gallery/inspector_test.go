package gallery

import (
	"testing"

	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// inspector shows one thing and several at once.
type inspector struct {
	th                   *widgets.Theme
	locked, several, one form
}

// form is what an object of a level has.
type form struct {
	name               widgets.Entry
	place, turn, scale widgets.Vector
	radius             widgets.Number
	hidden, locked     widgets.Check
	layer              widgets.Choice
	depth              widgets.Slider
}

func newInspector() *inspector {
	i := &inspector{th: widgets.NewTheme()}
	for _, f := range []*form{&i.one, &i.locked} {
		f.name.Value = "Rock 12"
		f.place.Show([3]float64{1204.5, 87.25, -341}, [3]bool{})
		f.turn.Show([3]float64{0, 45, 0}, [3]bool{})
		f.scale.Show([3]float64{1, 1, 1}, [3]bool{})
		f.hidden.Value = true
	}
	i.several.name.Mixed = true
	i.several.place.Show([3]float64{0, 12, 0}, [3]bool{true, false, true})
	i.several.turn.Show([3]float64{0, 45, 0}, [3]bool{false, true, false})
	i.several.scale.Show([3]float64{1, 1, 1}, [3]bool{true, true, true})
	i.several.radius.Mixed = true
	i.several.hidden.Mixed = true
	i.several.layer.Mixed = true
	i.several.depth.Mixed = true
	for _, f := range []*form{&i.one, &i.several, &i.locked} {
		f.radius.Value, f.radius.Max = 2.5, 10
		f.depth.Integer, f.depth.Value, f.depth.Max = true, 6, 10
	}
	return i
}

func (f *form) layout(th *widgets.Theme, reason string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, th.Color.Panel)
		place, turn, scale := th.Vector(&f.place, "Position", "m"), th.Vector(&f.turn, "Rotation", "°"), th.Vector(&f.scale, "Scale", "")
		turn.Reason = reason
		radius := th.Number(&f.radius, "m")
		radius.Label, radius.Bar = "Collision radius", true
		return column(gtx, 8, 6,
			th.Entry(&f.name, "Name").Layout,
			place.Layout, turn.Layout, scale.Layout,
			radius.Layout,
			row(6, tight(th.Check(&f.hidden, "Hidden").Layout), tight(th.Check(&f.locked, "Locked").Layout)),
			th.Choice(&f.layer, "Layer", "Ground", "Trees").Layout,
			th.Slider(&f.depth, "Depth", "").Layout,
		)
	}
}

func (i *inspector) layout(gtx layout.Context) layout.Dimensions {
	return i.th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
		return row(1, row(1, i.locked.layout(i.th, "Locked"), i.several.layout(i.th, "")), i.one.layout(i.th, ""))(gtx)
	})
}

func TestInspector(t *testing.T) {
	for _, sc := range scales {
		i := newInspector()
		shoot(t, "inspector-"+sc.name, 1160, 312, sc.v, i.th, i.layout, nil)
	}
	i := newInspector()
	shoot(t, "inspector-drag", 1160, 312, 1, i.th, i.layout, func(h *widgettest.Harness) {
		for _, n := range h.Nodes() {
			if n.Label == "Position X" && n.Description == "several values" {
				h.PressAt(float32(n.Bounds.Min.X+20), float32(n.Bounds.Min.Y+10))
				h.DragBy(40, 0)
			}
		}
	})
}
