package gallery

import (
	"image/color"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

func TestColor(t *testing.T) {
	for _, c := range []struct {
		name  string
		scale float32
		drive func(h *widgettest.Harness)
	}{
		{"color-1x", 1, nil}, {"color-2x", 2, nil},
		{"color-drag", 1, func(h *widgettest.Harness) {
			h.PressAt(60, 120)
			h.DragBy(60, 30)
		}},
		{"color-bad", 1, func(h *widgettest.Harness) {
			h.Click("Tint hex")
			h.Key("A", key.ModShortcut)
			h.Type("#12")
			h.Key(key.NameReturn, 0)
		}},
	} {
		th := widgets.NewTheme()
		var f [4]widgets.ColorField
		f[0].Value = color.NRGBA{R: 0xd0, G: 0x80, B: 0x30}
		f[1].Value = color.NRGBA{R: 0x40, G: 0x90, B: 0x60}
		f[2].Mixed = true
		f[3].Value = color.NRGBA{R: 0x40, G: 0x90, B: 0x60}
		shoot(t, c.name, 260, 304, c.scale, th, func(gtx layout.Context) layout.Dimensions {
			return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
				widgets.Fill(gtx, th.Color.Panel)
				off := th.ColorField(&f[3], "Off")
				off.Reason = "Locked"
				small := th.ColorField(&f[1], "Small")
				small.Compact = true
				return column(gtx, 8, 6,
					row(6, off.Layout, small.Layout),
					row(6, th.ColorField(&f[0], "Tint").Layout, th.ColorField(&f[2], "Mixed").Layout),
				)
			})
		}, func(h *widgettest.Harness) {
			h.Click("Tint")
			if c.drive != nil {
				c.drive(h)
			}
		})
	}
}
