package widgets_test

import (
	"image"
	"math"
	"testing"

	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

func TestHistogram(t *testing.T) {
	th := widgets.NewTheme()
	var (
		hist widgets.Histogram
		got  []int
	)
	bars := []float64{1, 4, 0, math.NaN(), 1234567}
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			i, ok := hist.Update(gtx)
			if !ok {
				break
			}
			got = append(got, i)
		}
		s := th.Histogram(&hist, "Nodes", bars)
		s.XLabel, s.YLabel, s.Log = "Depth", "nodes", true
		return s.Layout(gtx)
	}))
	if d := h.Find("Nodes 4").Description; d != "1\u202f234\u202f567" {
		t.Errorf("the value is told as %q", d)
	}
	h.Click("Nodes 1")
	h.Click("Nodes 2") // without a bar, too
	if len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("clicked %v", got)
	}
	h.Hover("Nodes 4")
	if i, ok := hist.Hovered(); !ok || i != 4 {
		t.Errorf("hovered %d, %v", i, ok)
	}
	h.MoveTo(5, 5)
	if _, ok := hist.Hovered(); ok {
		t.Error("still hovered")
	}
	for _, b := range [][]float64{nil, {0, 0}, {math.Inf(1), 1}, make([]float64, 5000)} {
		bars = b
		h.Frame()
		h.MoveTo(100, 150)
		h.MoveTo(100, 151)
	}
	if b := h.Find("Nodes").Bounds; b.Size() != (image.Pt(200, 18+80+16)) {
		t.Errorf("size %v", b.Size())
	}
}

func TestFormatCount(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 999: "999", 1000: "1\u202f000", -1234: "-1\u202f234", -999: "-999", 12345678: "12\u202f345\u202f678", 0.6: "1", 1e15: "1e+15",
	} {
		if got := widgets.FormatCount(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
