package widgets_test

import (
	"image"
	"testing"

	"gioui.org/layout"
	"gioui.org/op"
	"pgregory.net/rapid"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// Every title of tabs is shown whole, as long as the longest fits, and the tabs lie side
// by side without a gap or overlap; one row serves where it does.
func TestTabsShowTheirTitles(t *testing.T) {
	th := widgets.NewTheme()
	titles := []string{"Inspector", "Layers", "World", "History", "Culling", "Problems", "Moraine"}
	width, n := 0, 0
	var tabs widgets.Tabs
	var size image.Point
	words := make([]int, len(titles))
	h := widgettest.New(t, 800, 400, 1, func(gtx layout.Context) layout.Dimensions {
		for i, title := range titles {
			m := op.Record(gtx.Ops)
			g := gtx
			g.Constraints.Min = image.Point{}
			words[i] = th.Label(title).Layout(g).Size.X
			m.Stop()
		}
		g := gtx
		g.Constraints = layout.Constraints{Max: image.Pt(width, 400)}
		size = th.Tabs(&tabs, titles[:n]...).Layout(g).Size
		return layout.Dimensions{Size: gtx.Constraints.Max}
	})
	rapid.Check(t, func(rt *rapid.T) {
		width, n = rapid.IntRange(80, 800).Draw(rt, "width"), rapid.IntRange(1, len(titles)).Draw(rt, "tabs")
		h.Frame()
		rows, x, y, all := 1, 0, 0, 0
		for i, title := range titles[:n] {
			r := h.Find(title).Bounds
			all += words[i] + 2*4
			if r.Dx() < words[i]+2*3 {
				rt.Fatalf("%s has %d pixels, its title %d", title, r.Dx(), words[i])
			}
			if r.Min.Y != y {
				rows, x, y = rows+1, 0, r.Min.Y
			}
			if r.Min.X != x || r.Max.X > width || r.Max.Y > size.Y {
				rt.Fatalf("%s is at %v of %v, after %d", title, r, size, x)
			}
			x = r.Max.X
		}
		if rows > 1 && all <= width {
			rt.Fatalf("%d rows in %d pixels for %d", rows, width, all)
		}
	})
	width, n = 288, 6
	h.Frame()
	h.Click("Problems")
	if tabs.Selected != 5 {
		t.Errorf("tab %d is chosen", tabs.Selected)
	}
}
