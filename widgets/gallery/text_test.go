package gallery

import (
	"image"
	"testing"

	"gioui.org/layout"
	"gioui.org/text"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// Centred text is drawn on whole pixels: the same letters wherever they stand.
func TestCentredTextStandsOnPixels(t *testing.T) {
	const w, h = 240, 30
	th := widgets.NewTheme()
	room := 0
	hs := widgettest.New(t, w, h, 1, func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, th.Color.Gap)
		l := th.Label("Nothing matches “village”, and so on, beyond a run of letters.")
		l.Align, l.Lines = text.Middle, 1
		gtx.Constraints = layout.Constraints{Min: image.Pt(room, 0), Max: image.Pt(max(room, 1), h)}
		if room == 0 {
			gtx.Constraints.Max.X = w
		}
		l.Size = 8
		l.Layout(gtx)
		return layout.Dimensions{Size: image.Pt(w, h)}
	})
	cam, err := NewCamera(w, h)
	if err != nil {
		t.Fatal(err)
	}
	defer cam.Release()
	ink := func(width int) *image.RGBA {
		room = width
		hs.Frame()
		p, err := cam.Picture(&hs.Ops)
		if err != nil {
			t.Fatal(err)
		}
		ground := p.RGBAAt(w-1, h-1)
		var box image.Rectangle
		for y := range h {
			for x := range w {
				if p.RGBAAt(x, y) != ground {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		out := image.NewRGBA(image.Rectangle{Max: box.Size()})
		for y := range box.Dy() {
			for x := range box.Dx() {
				out.SetRGBA(x, y, p.RGBAAt(box.Min.X+x, box.Min.Y+y))
			}
		}
		return out
	}
	want := ink(0)
	if want.Rect.Dx() < 100 {
		t.Fatalf("the text is %v", want.Rect)
	}
	for width := 228; width < 236; width++ {
		if n := widgettest.Difference(ink(width), want); n > 0 {
			t.Errorf("in %d pixels: %d pixels differ from the text at the left", width, n)
		}
	}
}
