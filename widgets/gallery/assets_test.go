package gallery

import (
	"fmt"
	"image"
	"image/color"
	"testing"
	"time"

	"gioui.org/layout"
	"gioui.org/op/paint"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// thumbnail is a shaded ball, as a picture of a mesh would be.
func thumbnail(c color.NRGBA) layout.Widget {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			dx, dy := float64(x-32)/20, float64(y-24)/20
			if d := dx*dx + dy*dy; d < 1 {
				k := 1 - 0.7*((dx+0.4)*(dx+0.4)+(dy+0.4)*(dy+0.4))/2
				img.SetNRGBA(x, y, color.NRGBA{R: uint8(float64(c.R) * k), G: uint8(float64(c.G) * k), B: uint8(float64(c.B) * k), A: 255})
			}
		}
	}
	return widgets.Picture(paint.NewImageOp(img))
}

type assets struct {
	th     *widgets.Theme
	cards  widgets.Cards
	search widgets.Field
	list   []widgets.Card
}

func newAssets() *assets {
	a := &assets{th: widgets.NewTheme()}
	a.search.SetText("rock")
	for i := range 11 {
		a.list = append(a.list, widgets.Card{
			ID: uint64(i + 1), Title: fmt.Sprint("Rock ", i+1), Detail: "1 204 triangles, 2.1 × 1.4 × 1.9 m",
			Picture: thumbnail(color.NRGBA{R: uint8(120 + 12*i), G: 140, B: uint8(220 - 15*i), A: 255}),
		})
	}
	a.list[1].Selected = true
	a.list[2].Title = "A rock with a name that is long"
	a.list[3].Picture, a.list[3].Icon, a.list[3].Dim = nil, icons.Object, true
	a.list[3].Badge, a.list[3].BadgeTip = icons.Warning, "rock4.glb is missing"
	a.list[4].Picture, a.list[4].Icon = nil, icons.Object
	return a
}

func (a *assets) layout(gtx layout.Context) layout.Dimensions {
	th := a.th
	return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, th.Color.Panel)
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return layout.UniformInset(6).Layout(gtx, th.SearchField(&a.search, "Search assets").Layout)
			}),
			layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
				s := th.Cards(&a.cards, "Assets")
				s.Drags = true
				s.Empty = "No assets yet. Drop .glb, .gltf or .obj files here."
				return s.Layout(gtx, len(a.list), func(i int) widgets.Card { return a.list[i] })
			}),
		)
	})
}

func TestAssets(t *testing.T) {
	for _, sc := range scales {
		a := newAssets()
		shoot(t, "assets-"+sc.name, 300, 330, sc.v, a.th, a.layout, func(h *widgettest.Harness) { h.Hover("Rock 1") })
	}
	for _, c := range []struct {
		name  string
		drive func(a *assets, h *widgettest.Harness)
	}{
		{"drag", func(a *assets, h *widgettest.Harness) { h.Drag("Rock 2", 1, 1); h.Press("Rock 2"); h.DragBy(60, 60) }},
		{"missing", func(a *assets, h *widgettest.Harness) { h.Hover("Rock 4"); h.Wait(time.Second) }},
		{"empty", func(a *assets, h *widgettest.Harness) { a.list = nil; a.search.SetText("") }},
	} {
		a := newAssets()
		shoot(t, "assets-"+c.name, 300, 330, 1, a.th, a.layout, func(h *widgettest.Harness) { c.drive(a, h) })
	}
}
