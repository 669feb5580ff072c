package widgets

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFormatNumber(t *testing.T) {
	for _, c := range []struct {
		v    float64
		d    int
		want string
	}{
		{0, 3, "0"}, {-0.0001, 3, "-0.0001"}, {math.Copysign(0, -1), 3, "0"}, {1.5, 3, "1.5"},
		{100, 0, "100"}, {2.0005, 3, "2.001"}, {-341.25, 2, "-341.25"}, {1e15, 2, "1e+15"},
		{0.00001234, 3, "1.234e-05"},
	} {
		if got := FormatNumber(c.v, c.d); got != c.want {
			t.Errorf("%v with %d decimals: %q, want %q", c.v, c.d, got, c.want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for in, want := range map[string]float64{
		"12": 12, " 12.5 m": 12.5, "12,5": 12.5, "-3M": -3, "1e3": 1000, "+.5": 0.5, "−2": -2,
	} {
		if got, err := ParseNumber(in, "m"); err != nil || got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "m", "x", "NaN", "Inf", "1e999", "0x10", "1_000", "1.2.3", "1,2,3", "--2", "5 ft"} {
		if got, err := ParseNumber(in, "m"); err == nil {
			t.Errorf("%q was taken for %v", in, got)
		}
	}
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e9, 1e9).Draw(t, "v")
		s := FormatNumber(v, 3)
		got, err := ParseNumber(s, "")
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got-v) <= 0.000501) {
			t.Fatalf("%v → %q → %v", v, s, got)
		}
	})
}

func TestSnapDecade(t *testing.T) {
	for in, want := range map[float64]float64{1.2: 1, 1.9: 2, 4: 5, 8: 10, 0.03: 0.02, 700: 500, 10: 10} {
		if got := snapDecade(in); got != want {
			t.Errorf("%v: %v, want %v", in, got, want)
		}
	}
}

func TestRoundSignificant(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{{12345, 12300}, {0.0123456, 0.0123}, {-9.999, -10}, {0, 0}, {1e20, 1e20}} {
		if got := roundSignificant(c.in, 3); got != c.want {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}
