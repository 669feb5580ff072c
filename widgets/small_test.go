package widgets_test

import (
	"fmt"
	"image"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// A panel can be dragged to nothing: no widget may mind.
func TestWidgetsInNoRoom(t *testing.T) {
	for _, size := range []image.Point{{}, {X: 1, Y: 1}, {X: 9, Y: 400}, {X: 400, Y: 3}, {X: 30, Y: 30}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			th := widgets.NewTheme()
			var (
				tree  widgets.Tree
				cards widgets.Cards
				vec   widgets.Vector
				col   widgets.ColorField
				hist  widgets.Histogram
				props widgets.Properties
				entry widgets.Entry
				slide widgets.Slider
				sc    widgets.Scroll
			)
			slide.Number = widgets.Number{Max: 5, Integer: true}
			all := map[string]layout.Widget{
				"tree": func(gtx layout.Context) layout.Dimensions {
					s := th.Tree(&tree, "tree")
					s.Toggles, s.Drop = outlineToggles, func(int, widgets.DropWhere) bool { return true }
					return s.Layout(gtx, 50, func(i int) widgets.TreeRow {
						return widgets.TreeRow{ID: uint64(i + 1), Depth: i, Label: "row", Badge: icons.Warning, Detail: "detail"}
					})
				},
				"cards": func(gtx layout.Context) layout.Dimensions {
					s := th.Cards(&cards, "cards")
					s.Drags = true
					return s.Layout(gtx, 50, func(i int) widgets.Card { return widgets.Card{ID: uint64(i + 1), Title: "card"} })
				},
				"vector":    th.Vector(&vec, "Position", "m").Layout,
				"color":     th.ColorField(&col, "Tint").Layout,
				"histogram": th.Histogram(&hist, "Nodes", []float64{1, 2, 3}).Layout,
				"entry":     th.Entry(&entry, "Name").Layout,
				"slider":    th.Slider(&slide, "Depth", "m").Layout,
				"properties": func(gtx layout.Context) layout.Dimensions {
					return th.Properties(&props).Layout(gtx, []widgets.Property{{Key: "k"}})
				},
				"scroll": func(gtx layout.Context) layout.Dimensions { return th.Scroll(gtx, &sc, th.Body("text").Layout) },
			}
			for name, w := range all {
				h := widgettest.New(t, 400, 400, 1, func(gtx layout.Context) layout.Dimensions {
					return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
						gtx.Constraints = layout.Exact(size)
						return w(gtx)
					})
				})
				h.PressAt(0, 0)
				h.DragBy(20, 20)
				h.Release()
				h.ClickAt(0, 0)
				for _, k := range []key.Name{key.NameDownArrow, key.NameEnd, key.NameF2, key.NameReturn, key.NameEscape} {
					h.Key(k, 0)
				}
				if t.Failed() {
					t.Fatal(name)
				}
			}
		})
	}
}

// What has no room in a status bar is left out, and not drawn over what has.
func TestStatusBarInLittleRoom(t *testing.T) {
	th := widgets.NewTheme()
	left := []widgets.StatusSegment{{Label: "one", Width: 200}, {Label: "two", Width: 200}, {Label: "three", Width: 200}}
	right := []widgets.StatusSegment{{Label: "last", Width: 200}}
	h := widgettest.New(t, 400, 100, 1, func(gtx layout.Context) layout.Dimensions { return th.StatusBar(left, right).Layout(gtx) })
	h.Frame()
	if !h.Has("one") || !h.Has("last") || h.Has("two") || h.Has("three") {
		t.Errorf("it shows %v", h.Labels())
	}
}
