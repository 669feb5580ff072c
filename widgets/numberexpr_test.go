package widgets

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseSums(t *testing.T) {
	for _, c := range []struct {
		in, unit string
		want     float64
	}{
		{"12/4", "m", 3}, {"2*(3+4)", "", 14}, {"2+3*4", "", 14}, {"8/2/2", "", 2}, {"8-2-2", "", 4},
		{" 1,5 + 2,5 ", "", 4}, {"2*-3", "", -6}, {"-(1+2)", "", -3}, {"-2*-2", "", 4}, {"1e3/1e2", "", 10},
		{"30 cm", "m", 0.3}, {"1.5km+20", "m", 1520}, {"5 mm", "m", 0.005}, {"(1+2) cm", "m", 0.03},
		{"3 m + 20 cm", "m", 3.2}, {"90 deg", "°", 90}, {"45°*2", "°", 90}, {"0.5 RAD", "°", 90 / math.Pi},
		{"3×4", "", 12}, {"12÷4", "", 3}, {"5−2", "", 3}, {"4 m/s", "m/s", 4}, {"2e", "e", 2},
	} {
		if got, err := ParseNumber(c.in, c.unit); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q in %q: %v, %v; want %v", c.in, c.unit, got, err, c.want)
		}
	}
	for _, in := range []string{
		"1/0", "1/(2-2)", "0/0", "1+", "*", "/", "(1", "1)", "()", "1 2", "2(3)", "1,2.3", "1..2", "e3", "m", "+", "-", "++1",
		"2mmm", "1km2", "3 ft", "1e308*10", strings.Repeat("(", 1e4) + "1" + strings.Repeat(")", 1e4),
	} {
		if got, err := ParseNumber(in, "m"); err == nil {
			t.Errorf("%q was taken for %v", in, got)
		}
	}
}

func TestParseEntry(t *testing.T) {
	for _, c := range []struct {
		in  string
		op  Op
		arg float64
	}{
		{"5", OpSet, 5}, {"-5", OpSet, -5}, {"+5", OpSet, 5}, {"12/4", OpSet, 3},
		{"+=2", OpAdd, 2}, {"-= 2 + 1", OpAdd, -3}, {"+=20 cm", OpAdd, 0.2}, {"−=1", OpAdd, -1},
		{"*1.5", OpMultiply, 1.5}, {" *= 2", OpMultiply, 2}, {"/4", OpMultiply, 0.25}, {"/=4", OpMultiply, 0.25}, {"×3", OpMultiply, 3},
	} {
		op, arg, err := ParseEntry(c.in, "m")
		if err != nil || op != c.op || arg != c.arg {
			t.Errorf("%q: %v %v, %v; want %v %v", c.in, op, arg, err, c.op, c.arg)
		}
	}
	for _, in := range []string{"", "+=", "*", "/0", "/=0", "+=x", "==2", "**2", "*2 m", "/5e-324", "=2"} {
		if op, arg, err := ParseEntry(in, "m"); err == nil {
			t.Errorf("%q was taken for %v %v", in, op, arg)
		}
	}
}

// What is made of random sums is what Go makes of them.
func TestSumsAgreeWithGo(t *testing.T) {
	type node struct {
		text  string
		value float64
	}
	var gen func(t *rapid.T, depth int) node
	gen = func(t *rapid.T, depth int) node {
		if depth == 0 || rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			v := float64(rapid.IntRange(0, 1000).Draw(t, "n")) / 8
			return node{fmt.Sprint(v), v}
		}
		a, b := gen(t, depth-1), gen(t, depth-1)
		n := node{}
		switch op := rapid.SampledFrom([]string{"+", "-", "*", "/"}).Draw(t, "op"); op {
		case "+":
			n.value = a.value + b.value
			n.text = "(" + a.text + " + " + b.text + ")"
		case "-":
			n.value = a.value - b.value
			n.text = "(" + a.text + "-" + b.text + ")"
		case "*":
			n.value = a.value * b.value
			n.text = "(" + a.text + " *" + b.text + ")"
		case "/":
			n.value = a.value / b.value
			n.text = "(" + a.text + "/ " + b.text + ")"
		}
		return n
	}
	rapid.Check(t, func(t *rapid.T) {
		n := gen(t, 5)
		got, err := ParseNumber(n.text, "")
		if math.IsInf(n.value, 0) || math.IsNaN(n.value) {
			if err == nil {
				t.Fatalf("%s was taken for %v", n.text, got)
			}
			return
		}
		if err != nil && strings.Contains(n.text, "/ ") && strings.Contains(err.Error(), "divided") {
			return // something inside divides by zero
		}
		if err != nil || got != n.value {
			t.Fatalf("%s = %v, %v; want %v", n.text, got, err, n.value)
		}
	})
}

func FuzzParseEntry(f *testing.F) {
	for _, s := range []string{"12/4", "+=2", "*1.5", "3 m + 20 cm", "((1))", "−2", "1e9"} {
		f.Add(s, "m")
	}
	f.Fuzz(func(t *testing.T, s, unit string) {
		_, v, err := ParseEntry(s, unit)
		if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Fatalf("%q: %v", s, v)
		}
	})
}
