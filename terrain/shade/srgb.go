package shade

import "math"

// decode is the linear value of each 8-bit sRGB step.
var decode = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(toLinear(float64(i) / 255))
	}
	return t
}()

// border[i] is the least linear value that rounds to step i.
var border = func() (t [257]float32) {
	for i := range t {
		t[i] = float32(toLinear((float64(i) - 0.5) / 255))
	}
	t[256] = float32(math.Inf(1))
	return t
}()

// encodeFrom has, for each 1/4096, the step to begin looking from.
var encodeFrom = func() (t [4097]uint8) {
	n := 0
	for i := range t {
		for n < 255 && float32(i)/4096 >= border[n+1] {
			n++
		}
		t[i] = uint8(n)
	}
	return t
}()

func toLinear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Linear is the linear value, 0–1, of an 8-bit sRGB value.
func Linear(srgb uint8) float32 { return decode[srgb] }

// SRGB is the nearest 8-bit sRGB value of a linear one, which is clamped to 0–1;
// NaN gives 0.
func SRGB(linear float32) uint8 {
	if !(linear > 0) {
		return 0
	}
	if linear >= 1 {
		return 255
	}
	n := encodeFrom[int(linear*4096)]
	for linear >= border[int(n)+1] {
		n++
	}
	return n
}
