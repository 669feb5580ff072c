package widgettest

import (
	"image"
	"image/color"
	"testing"
)

func TestDifference(t *testing.T) {
	a, b := image.NewRGBA(image.Rect(0, 0, 4, 3)), image.NewRGBA(image.Rect(0, 0, 4, 3))
	if n := Difference(a, b); n != 0 {
		t.Errorf("%d pixels differ between equal pictures", n)
	}
	b.SetRGBA(1, 1, color.RGBA{R: maxStep, A: 255})
	if n := Difference(a, b); n != 0 {
		t.Errorf("%d pixels differ though one is off by a little only", n)
	}
	for _, c := range []color.RGBA{{R: maxStep + 1}, {G: maxStep + 1}, {B: maxStep + 1}} {
		b.SetRGBA(1, 1, c)
		if n := Difference(a, b); n != 1 {
			t.Errorf("%d pixels differ with %v, want 1", n, c)
		}
	}
	if n := Difference(a, image.NewRGBA(image.Rect(0, 0, 3, 4))); n != 12 {
		t.Errorf("%d pixels differ between pictures of different size, want all 12", n)
	}
}
