package gallery

import (
	"image/color"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

func TestHistogramAndProperties(t *testing.T) {
	for _, sc := range scales {
		th := widgets.NewTheme()
		var (
			h      [4]widgets.Histogram
			p, off widgets.Properties
		)
		list := []widgets.Property{{Key: "health", Value: "100"}, {Key: "team", Mixed: true}, {Key: "respawn", Value: "30 s"}}
		many := make([]float64, 300)
		for i := range many {
			many[i] = float64((i*i)%77) + float64(i)/3
		}
		shoot(t, "histogram-"+sc.name, 560, 392, sc.v, th, func(gtx layout.Context) layout.Dimensions {
			return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
				widgets.Fill(gtx, th.Color.Panel)
				depth := th.Histogram(&h[0], "Nodes", []float64{1, 4, 16, 61, 220, 804, 2950, 9120, 4410, 12})
				depth.XLabel, depth.YLabel, depth.Selected = "Depth", "nodes", 6
				log := th.Histogram(&h[1], "Polygons", []float64{1, 4, 16, 61, 220, 0, 804, 2950, 9120, 4410, 12})
				log.XLabel, log.YLabel, log.Log = "Depth", "polygons", true
				log.Color = func(i int) color.NRGBA {
					return color.NRGBA{R: uint8(60 + 18*i), G: 150, B: uint8(230 - 18*i), A: 255}
				}
				fine := th.Histogram(&h[2], "Fine", many)
				fine.XLabel, fine.YLabel = "m", "samples"
				none := th.Histogram(&h[3], "None", nil)
				none.YLabel = "nothing"
				locked := th.Properties(&off)
				locked.Reason = "Locked"
				return column(gtx, 8, 8,
					row(12, depth.Layout, log.Layout),
					row(12, fine.Layout, none.Layout),
					row(12, func(gtx layout.Context) layout.Dimensions {
						return th.Properties(&p).Layout(gtx, list)
					}, func(gtx layout.Context) layout.Dimensions {
						return locked.Layout(gtx, list[:1])
					}),
				)
			})
		}, func(hs *widgettest.Harness) {
			hs.Hover("Nodes 7")
		})
	}
}

func TestPropertyThatExists(t *testing.T) {
	th := widgets.NewTheme()
	var p widgets.Properties
	shoot(t, "properties-bad", 260, 130, 1, th, func(gtx layout.Context) layout.Dimensions {
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			widgets.Fill(gtx, th.Color.Panel)
			return column(gtx, 8, 8, func(gtx layout.Context) layout.Dimensions {
				return th.Properties(&p).Layout(gtx, []widgets.Property{{Key: "health", Value: "100"}})
			})
		})
	}, func(h *widgettest.Harness) {
		h.Click("New property")
		h.Type("health")
		h.Key(key.NameReturn, 0)
	})
}
