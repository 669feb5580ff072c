package widgets

import (
	"fmt"
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

// ParseNumber reads a finite decimal number, with the unit behind it or not.
// One comma stands for the decimal point when there is no point. The error is
// a sentence for the user.
func ParseNumber(s, unit string) (float64, error) {
	t := strings.TrimSpace(s)
	if unit != "" && len(t) > len(unit) && strings.EqualFold(t[len(t)-len(unit):], unit) {
		t = strings.TrimSpace(t[:len(t)-len(unit)])
	}
	if strings.Count(t, ",") == 1 && !strings.Contains(t, ".") {
		t = strings.Replace(t, ",", ".", 1)
	}
	t = strings.Replace(t, "−", "-", 1)
	if t == "" {
		return 0, fmt.Errorf("a number is expected")
	}
	if strings.Trim(t, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("“%s” is not a number", s)
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("“%s” is not a number", s)
	}
	return v, nil
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
