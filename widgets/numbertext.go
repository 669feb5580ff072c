package widgets

import (
	"math"
	"strconv"
	"strings"
)

// FormatNumber writes v with at most the given number of decimals and without
// trailing zeros. Numbers too large or too small for that are written with an
// exponent.
func FormatNumber(v float64, decimals int) string {
	a := math.Abs(v)
	if math.IsNaN(v) || math.IsInf(v, 0) || a >= 1e12 || a != 0 && a < 0.5*math.Pow(10, -float64(decimals)) {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.TrimRight(s, "0")
		s = strings.TrimSuffix(s, ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// snapDecade moves v to the nearest of 1, 2 and 5 times a power of ten.
func snapDecade(v float64) float64 {
	if !(v > 0) {
		return v
	}
	p := math.Pow(10, math.Floor(math.Log10(v)))
	best := p
	for _, c := range [...]float64{2 * p, 5 * p, 10 * p} {
		if math.Abs(math.Log(v/c)) < math.Abs(math.Log(v/best)) {
			best = c
		}
	}
	return tidy(best)
}

// roundTo moves v to the nearest multiple of step.
func roundTo(v, step float64) float64 {
	if !(step > 0) {
		return v
	}
	return tidy(math.Round(v/step) * step)
}

// roundSignificant keeps n significant digits of v.
func roundSignificant(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	p := float64(n-1) - math.Floor(math.Log10(math.Abs(v)))
	if p >= 0 {
		m := math.Pow(10, p)
		return tidy(math.Round(v*m) / m)
	}
	m := math.Pow(10, -p)
	return math.Round(v/m) * m
}

// tidy removes the noise of binary arithmetic from a decimal value.
func tidy(v float64) float64 {
	t, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return t
}
