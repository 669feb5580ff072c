package gallery

import (
	"image"
	"image/color"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// tool is a window as a tool would build it from the widgets.
type tool struct {
	th       *widgets.Theme
	bar      widgets.MenuBar
	modes    widgets.Choices
	ops      widgets.Choices
	seg      widgets.Choices
	split    [3]widgets.Splitter
	sec      [4]widgets.Section
	tabs     widgets.Tabs
	s        [3]widgets.Slider
	check    [3]widgets.Check
	swatch   [5]widgets.Button
	b        [8]widgets.Button
	eyes     [16]widgets.Button
	list     widgets.List
	choice   widgets.Choice
	scroll   widgets.Scroll
	console  widgets.Console
	palette  widgets.Palette
	toasts   widgets.Toasts
	dialog   widgets.Dialog
	progress [2]widgets.Progress
	spacing  widgets.Number
	offset   widgets.Number
}

func newTool() *tool {
	t := &tool{th: widgets.NewTheme()}
	t.modes.Selected = 1
	t.s[0].Number = widgets.Number{Value: 32, Min: 0.1, Max: 1000, Log: true}
	t.s[1].Number = widgets.Number{Value: 4, Min: 0, Max: 20, Step: 1}
	t.s[2].Number = widgets.Number{Value: 0.6, Min: 0, Max: 1, Step: 0.1}
	t.check[0].Value = true
	t.spacing = widgets.Number{Value: 30.87, Min: 0.01, Max: 10000, Log: true}
	t.offset = widgets.Number{Value: 0}
	t.list.Current = 2
	t.console.Print(widgets.LineInput, "terrain.stroke op=raise at=10,10 to=200,200 radius=20 strength=2")
	t.console.Print(widgets.LineOutput, "stroke: 38 dabs, 4 tiles")
	t.console.Print(widgets.LineInput, "terrain.stroke op=rise at=0,0")
	t.console.Print(widgets.LineError, "terrain.stroke: op: “rise” is none of raise lower smooth flatten")
	t.console.Print(widgets.LineWarn, "autosave is older than the level")
	return t
}

func (t *tool) layout(gtx layout.Context) layout.Dimensions {
	th := t.th
	return th.Window(gtx, t.content,
		func(gtx layout.Context) layout.Dimensions {
			ts := th.Toasts(&t.toasts)
			ts.Bottom = gtx.Dp(th.Size.Status)
			return ts.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			return th.Dialog(&t.dialog, "Import heightmap",
				"N46E007.hgt: 3601 × 3601 samples of 16 bits, from 372 to 4556 m, 212 voids.",
				widgets.DialogButton{ID: "cancel", Title: "Cancel", Cancel: true},
				widgets.DialogButton{ID: "ok", Title: "Import", Importance: widgets.Primary, Default: true},
			).Layout(gtx, t.importBody)
		},
		th.Palette(&t.palette, "Find a command").Layout,
	)
}

func (t *tool) importBody(gtx layout.Context) layout.Dimensions {
	th := t.th
	sp := th.Number(&t.spacing, "m")
	sp.Label = "Spacing"
	of := th.Number(&t.offset, "m")
	of.Label = "Lowest height"
	gtx.Constraints.Max.Y = gtx.Dp(62)
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(sp.Layout),
		layout.Rigid(layout.Spacer{Height: 6}.Layout),
		layout.Rigid(of.Layout),
		layout.Rigid(layout.Spacer{Height: 6}.Layout),
	)
}

func (t *tool) content(gtx layout.Context) layout.Dimensions {
	th := t.th
	surface := func(c color.NRGBA, w layout.Widget) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			return widgets.Surface(gtx, c, func(gtx layout.Context) layout.Dimensions {
				full := gtx.Constraints.Max.X
				gtx.Constraints.Min = image.Point{}
				d := w(gtx)
				d.Size.X = full
				return d
			})
		}
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(surface(th.Color.Bar, th.MenuBar(&t.bar, menus()).Layout)),
		layout.Rigid(th.HLine),
		layout.Rigid(surface(th.Color.Bar, func(gtx layout.Context) layout.Dimensions {
			return layout.UniformInset(4).Layout(gtx, th.ToolGroup(&t.modes, modes()).Layout)
		})),
		layout.Rigid(th.HLine),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			return th.Split(&t.split[0], 232).Layout(gtx, t.options, func(gtx layout.Context) layout.Dimensions {
				sp := th.Split(&t.split[1], 240)
				sp.End = true
				return sp.Layout(gtx, t.middle, t.side)
			})
		}),
		layout.Rigid(th.HLine),
		layout.Rigid(t.status),
	)
}

func (t *tool) options(gtx layout.Context) layout.Dimensions {
	th := t.th
	widgets.Fill(gtx, th.Color.Panel)
	ops := []widgets.ChoiceItem{
		{Icon: icons.Raise, Title: "Raise"}, {Icon: icons.Lower, Title: "Lower"},
		{Icon: icons.Smooth, Title: "Smooth"}, {Icon: icons.Flatten, Title: "Flatten"},
	}
	narrow := func(label, unit string, s *widgets.Slider) layout.Widget {
		sl := th.Slider(s, label, unit)
		sl.LabelWidth, sl.ValueWidth = 60, 68
		return sl.Layout
	}
	brush := func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Max.Y = gtx.Dp(138)
		return column(gtx, 8, 6,
			tight(th.ToolGroup(&t.ops, ops).Layout),
			narrow("Radius", "m", &t.s[0]),
			narrow("Strength", "m/s", &t.s[1]),
			narrow("Hardness", "", &t.s[2]),
		)
	}
	more := func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Max.Y = gtx.Dp(160)
		return column(gtx, 8, 6,
			th.Segments(&t.seg, "Smooth", "Linear", "Sharp").Layout,
			tight(th.Check(&t.check[0], "Stay inside the selection").Layout),
			tight(th.Check(&t.check[1], "Pressure").Layout),
			th.Choice(&t.choice, "Mask", "No mask", "Slope", "Height").Layout,
			tight(func(gtx layout.Context) layout.Dimensions {
				cs := []color.NRGBA{{R: 0x5a, G: 0x7a, B: 0x3c, A: 255}, {R: 0x7d, G: 0x74, B: 0x6a, A: 255}, {R: 0xd8, G: 0xde, B: 0xe6, A: 255}, {R: 0xc8, G: 0xa8, B: 0x6b, A: 255}, {R: 0x40, G: 0x60, B: 0x90, A: 128}}
				var ch []layout.FlexChild
				for i, c := range cs {
					s := th.Swatch(&t.swatch[i], c, "Layer colour")
					s.Selected = i == 1
					ch = append(ch, layout.Rigid(s.Layout), layout.Rigid(layout.Spacer{Width: 4}.Layout))
				}
				return layout.Flex{}.Layout(gtx, ch...)
			}),
		)
	}
	return th.Scroll(gtx, &t.scroll, func(gtx layout.Context) layout.Dimensions {
		add := th.IconButton(&t.b[0], icons.Plus, "Add")
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return th.Section(&t.sec[0], "Brush").Layout(gtx, brush, add.Layout)
			}),
			layout.Rigid(th.HLine),
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return th.Section(&t.sec[1], "Falloff and mask").Layout(gtx, more)
			}),
			layout.Rigid(th.HLine),
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				t.sec[2].Closed = true
				return th.Section(&t.sec[2], "Symmetry").Layout(gtx, nil)
			}),
		)
	})
}

func (t *tool) middle(gtx layout.Context) layout.Dimensions {
	th := t.th
	sp := th.Split(&t.split[2], 130)
	sp.Axis, sp.End = layout.Vertical, true
	return sp.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return widgets.Fill(gtx, color.NRGBA{R: 0x3a, G: 0x44, B: 0x50, A: 255})
	}, th.Console(&t.console).Layout)
}

func (t *tool) side(gtx layout.Context) layout.Dimensions {
	th := t.th
	widgets.Fill(gtx, th.Color.Panel)
	names := []string{"Grass", "Rock", "Scree", "Snow", "Sand", "Forest floor with a very long name", "Gravel", "Dry earth", "Moss", "Clay", "Peat", "Ash", "Salt"}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(th.Tabs(&t.tabs, "Layers", "History", "Culling").Layout),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			return th.List(&t.list, "Layers").Layout(gtx, len(names), func(gtx layout.Context, r widgets.Row) layout.Dimensions {
				rs := th.Row(icons.Layers, names[r.Index])
				rs.Dim = r.Index == 4
				eye := th.IconButton(&t.eyes[r.Index], icons.Eye, "Hide "+names[r.Index])
				if rs.Dim {
					eye.Icon = icons.EyeOff
				}
				return rs.Layout(gtx, &t.list, r, eye.Layout)
			})
		}),
	)
}

func (t *tool) status(gtx layout.Context) layout.Dimensions {
	th := t.th
	return th.StatusBar(
		[]widgets.StatusSegment{
			{Label: "Position", Text: "x 1234.5  z -87.2", Mono: true, Width: 130},
			{Label: "Height", Text: "1204.33 m", Mono: true, Width: 72},
			{Label: "Slope", Text: "23.1°", Mono: true, Width: 40},
			{Label: "Selection", Text: "Nothing selected"},
		},
		[]widgets.StatusSegment{
			{Label: "Task", Width: 250, Widget: th.Progress(&t.progress[0], "Building level of detail", 0.42).Layout},
			{Label: "Saved", Text: "Autosaved", Icon: icons.Check, Color: th.Color.Good},
			{Label: "Frame", Text: "16.2 ms", Mono: true, Width: 50},
		}).Layout(gtx)
}

func paletteItems() []widgets.PaletteItem {
	return []widgets.PaletteItem{
		{ID: "file.save", Title: "Save", Help: "Write the level to its folder.", Keys: "Ctrl+S", Icon: icons.Save, Reason: "Nothing has changed since the last save"},
		{ID: "terrain.smooth", Title: "Smooth terrain", Help: "Level out small bumps under the brush.", Keys: "Shift", Icon: icons.Smooth},
		{ID: "file.saveas", Title: "Save as…", Help: "Write the level to another place.", Keys: "Ctrl+Shift+S", Icon: icons.Save},
		{ID: "select.all", Title: "Select all", Help: "Select every object of the level.", Keys: "Ctrl+A", Icon: icons.Select},
		{ID: "sun.set", Title: "Set sun", Help: "Direction and strength of the sun.", Icon: icons.Sun},
	}
}

func TestWindow(t *testing.T) {
	for _, sc := range scales {
		w := newTool()
		shoot(t, "window-"+sc.name, 1000, 600, sc.v, w.th, w.layout, func(h *widgettest.Harness) {
			w.toasts.Add(widgets.Toast{Text: "The level was exported to alps.glb."})
			w.toasts.Add(widgets.Toast{Severity: widgets.Error, Text: "alps.asc, line 7: found “x12”, expected a number. Nothing was imported.", Action: "Show file", ID: "show"})
		})
	}
}

func TestOverlays(t *testing.T) {
	scenes := []struct {
		name  string
		drive func(*tool, *widgettest.Harness)
	}{
		{"palette", func(w *tool, h *widgettest.Harness) {
			w.palette.Show(paletteItems())
			h.Frame()
			h.Type("s")
			h.Key(key.NameDownArrow, 0)
		}},
		{"dialog", func(w *tool, h *widgettest.Harness) {
			w.dialog.Open()
			h.Frame()
			h.Click("Spacing")
			h.Type("thirty")
			h.Key(key.NameReturn, 0)
		}},
		{"tooltip", func(w *tool, h *widgettest.Harness) {
			h.Hover("Sculpt")
			h.Wait(time.Second)
		}},
		{"reason", func(w *tool, h *widgettest.Harness) {
			h.Hover("Portal")
			h.Wait(time.Second)
		}},
		{"choice", func(w *tool, h *widgettest.Harness) {
			h.Click("Mask")
			h.Key(key.NameDownArrow, 0)
		}},
		{"submenu", func(w *tool, h *widgettest.Harness) {
			h.Click("File")
			h.Hover("Open recent")
			h.Key(key.NameRightArrow, 0)
		}},
	}
	for _, s := range scenes {
		w := newTool()
		shoot(t, s.name, 800, 440, 1, w.th, w.layout, func(h *widgettest.Harness) { s.drive(w, h) })
	}
}
