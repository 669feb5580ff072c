package widgets

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// hsv is a colour by hue, saturation and value, each from 0 to 1, over sRGB
// components (A. R. Smith, "Color Gamut Transform Pairs", 1978).
type hsv struct{ h, s, v float64 }

// hsvOf takes a colour apart. Greys have no hue and black has no saturation: they
// keep those of before.
func hsvOf(c color.NRGBA, before hsv) hsv {
	r, g, b := float64(c.R)/255, float64(c.G)/255, float64(c.B)/255
	hi, lo := max(r, g, b), min(r, g, b)
	out := hsv{before.h, before.s, hi}
	if hi == 0 {
		return out
	}
	d := hi - lo
	if out.s = d / hi; d == 0 {
		return out
	}
	switch hi {
	case r:
		out.h = (g - b) / d
	case g:
		out.h = 2 + (b-r)/d
	default:
		out.h = 4 + (r-g)/d
	}
	if out.h /= 6; out.h < 0 {
		out.h++
	}
	return out
}

// rgb is the nearest opaque 8-bit colour.
func (c hsv) rgb() color.NRGBA {
	f := func(n float64) uint8 {
		k := math.Mod(n+c.h*6, 6)
		return uint8(255*(c.v-c.v*c.s*max(0, min(k, 4-k, 1))) + 0.5)
	}
	return color.NRGBA{R: f(5), G: f(3), B: f(1), A: 255}
}

// FormatColor writes a colour as six hexadecimal digits behind a #.
func FormatColor(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// ParseColor reads an opaque colour of three or six hexadecimal digits, with a #
// before them or not. The error is a sentence for the user.
func ParseColor(s string) (color.NRGBA, error) {
	t := strings.TrimPrefix(strings.TrimSpace(s), "#")
	v, err := strconv.ParseUint(t, 16, 32)
	switch {
	case err == nil && len(t) == 3:
		return color.NRGBA{R: uint8(v>>8) * 0x11, G: uint8(v>>4&15) * 0x11, B: uint8(v&15) * 0x11, A: 255}, nil
	case err == nil && len(t) == 6:
		return rgb(uint32(v)), nil
	}
	return color.NRGBA{}, fmt.Errorf("“%s” is not a colour like #1a2b3c", s)
}
