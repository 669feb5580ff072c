package widgets

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// contrast is the contrast ratio of WCAG 2.1.
func contrast(a, b color.NRGBA) float64 {
	lum := func(c color.NRGBA) float64 {
		f := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*f(c.R) + 0.7152*f(c.G) + 0.0722*f(c.B)
	}
	x, y := lum(a), lum(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestTextContrast(t *testing.T) {
	c := darkColors()
	const aa, big = 4.5, 3
	for _, p := range []struct {
		name    string
		fg, bg  color.NRGBA
		atLeast float64
	}{
		{"text on gap", c.Text, c.Gap, aa}, {"text on field", c.Text, c.Field, aa},
		{"text on panel", c.Text, c.Panel, aa}, {"text on bar", c.Text, c.Bar, aa},
		{"text on raised", c.Text, c.Raised, aa}, {"text on hover", c.Text, c.Hover, aa},
		{"text on popup", c.Text, c.Popup, aa}, {"text on accent low", c.Text, c.AccentLow, aa},
		{"text on error field", c.Text, c.ErrorField, aa},
		{"dim on gap", c.Dim, c.Gap, aa}, {"dim on field", c.Dim, c.Field, aa},
		{"dim on panel", c.Dim, c.Panel, aa}, {"dim on bar", c.Dim, c.Bar, aa},
		{"dim on popup", c.Dim, c.Popup, aa}, {"dim on accent low", c.Dim, c.AccentLow, big},
		{"on accent", c.OnAccent, c.Accent, aa},
		{"on accent, hovered", c.OnAccent, mix(c.Accent, c.OnAccent, 0.06), aa},
		{"error on its field", c.Error, c.ErrorField, aa}, {"error on popup", c.Error, c.Popup, aa},
		{"warn on popup", c.Warn, c.Popup, aa}, {"good on bar", c.Good, c.Bar, aa},
		{"accent text on field", c.AccentHigh, c.Field, aa},
		{"accent line on panel", c.AccentHigh, c.Panel, big},
		{"x on field", c.AxisX, c.Field, aa}, {"y on field", c.AxisY, c.Field, aa}, {"z on field", c.AxisZ, c.Field, aa},
		{"hint on field", c.Hint, c.Field, aa},
		{"disabled on panel", c.Disabled, c.Panel, 3}, {"disabled on popup", c.Disabled, c.Popup, 3},
	} {
		if got := contrast(p.fg, p.bg); !(got >= p.atLeast) {
			t.Errorf("%s: contrast %.2f, want %.1f", p.name, got, p.atLeast)
		}
	}
}

// A pop-up never leaves the window when it fits, and never covers its anchor
// when there is room on either side.
func TestPlaceStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		win := image.Pt(rapid.IntRange(50, 2000).Draw(t, "w"), rapid.IntRange(50, 2000).Draw(t, "h"))
		p := image.Pt(rapid.IntRange(0, win.X-1).Draw(t, "x"), rapid.IntRange(0, win.Y-1).Draw(t, "y"))
		anchor := image.Rectangle{Min: p, Max: p.Add(image.Pt(rapid.IntRange(0, 100).Draw(t, "aw"), rapid.IntRange(0, 40).Draw(t, "ah")))}
		size := image.Pt(rapid.IntRange(1, 800).Draw(t, "sw"), rapid.IntRange(1, 800).Draw(t, "sh"))
		sd := side(rapid.IntRange(0, 1).Draw(t, "side"))
		at := place(anchor, size, win, sd)
		r := image.Rectangle{Min: at, Max: at.Add(size)}
		if at.X < 0 || at.Y < 0 {
			t.Fatalf("corner outside: %v", r)
		}
		if size.X <= win.X && r.Max.X > win.X || size.Y <= win.Y && r.Max.Y > win.Y {
			t.Fatalf("%v leaves the window %v", r, win)
		}
		room := anchor.Min.Y >= size.Y || win.Y-anchor.Max.Y >= size.Y
		if sd == sideRight {
			room = anchor.Min.X >= size.X || win.X-anchor.Max.X >= size.X
		}
		if room && r.Overlaps(anchor) {
			t.Fatalf("%v covers the anchor %v although there is room in %v", r, anchor, win)
		}
	})
}

func TestSplitKeys(t *testing.T) {
	for in, want := range map[string]int{"": 0, "A": 1, "Ctrl+Shift+Z": 3, "+": 1, "Ctrl++": 2} {
		if got := SplitKeys(in); len(got) != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
