package widgets

import (
	"image/color"
	"testing"

	"pgregory.net/rapid"
)

func TestHSV(t *testing.T) {
	for _, c := range []struct {
		rgb color.NRGBA
		hsv hsv
	}{
		{rgb(0xff0000), hsv{0, 1, 1}}, {rgb(0x00ff00), hsv{1.0 / 3, 1, 1}}, {rgb(0x0000ff), hsv{2.0 / 3, 1, 1}},
		{rgb(0xffff00), hsv{1.0 / 6, 1, 1}}, {rgb(0xff00ff), hsv{5.0 / 6, 1, 1}},
		{rgb(0xffffff), hsv{0.25, 0, 1}}, {rgb(0x000000), hsv{0.25, 0.5, 0}},
	} {
		if got := hsvOf(c.rgb, hsv{0.25, 0.5, 0.5}); got != c.hsv {
			t.Errorf("%v: %v, want %v", c.rgb, got, c.hsv)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rgb(rapid.Uint32Range(0, 0xffffff).Draw(t, "rgb"))
		h := hsvOf(c, hsv{rapid.Float64Range(0, 1).Draw(t, "h"), rapid.Float64Range(0, 1).Draw(t, "s"), 0})
		if got := h.rgb(); got != c {
			t.Fatalf("%v → %v → %v", c, h, got)
		}
	})
}

func TestParseColor(t *testing.T) {
	for in, want := range map[string]uint32{"#1a2b3c": 0x1a2b3c, " 1A2B3C ": 0x1a2b3c, "#f80": 0xff8800, "000": 0} {
		if got, err := ParseColor(in); err != nil || got != rgb(want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "#", "#12", "12345", "1234567", "#12345g", "-12345", "+12345", "0x1234", "red", "##123456"} {
		if got, err := ParseColor(in); err == nil {
			t.Errorf("%q was taken for %v", in, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rgb(rapid.Uint32Range(0, 0xffffff).Draw(t, "rgb"))
		if got, err := ParseColor(FormatColor(c)); err != nil || got != c {
			t.Fatalf("%v → %s → %v, %v", c, FormatColor(c), got, err)
		}
	})
}
