package heightmap

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func sameAsStrconv(t interface{ Fatalf(string, ...any) }, s string) {
	want, err := strconv.ParseFloat(s, 32)
	got, ok := parseFloat32([]byte(s))
	if ok != (err == nil || err.(*strconv.NumError).Err == strconv.ErrRange) {
		t.Fatalf("%q: ok %v, strconv says %v", s, ok, err)
	}
	if ok && math.Float32bits(got) != math.Float32bits(float32(want)) {
		t.Fatalf("%q: got %v, want %v", s, got, float32(want))
	}
}

func TestParseFloat32(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "+1", "1.", ".5", "-.5e3", "1e5", "1E+05", "12345678901234567890", "0.00000000000000000000000000001",
		"16777217", "16777219", "16777217.0000001", "33554434.0000000001", "1e-45", "7e-46", "1.17549435e-38",
		"3.4028235e38", "3.4028236e38", "1e39", "-1e400", "1e-400", "9007199254740993", "2.001899999999999977e+02",
		"", "-", ".", "e5", "1e", "1e+", "1..2", "1.2.3", "--1", "1a", "1 ",
	} {
		sameAsStrconv(t, s)
	}
	// What strconv takes and a grid must not hold.
	for _, s := range []string{"inf", "nan", "Infinity", "0x1p4", "1_000"} {
		if v, ok := parseFloat32([]byte(s)); ok {
			t.Errorf("%q was read as %v", s, v)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		sameAsStrconv(t, rapid.StringMatching(`[+-]?[0-9]{1,12}(\.[0-9]{0,12})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "s"))
	})
	// Decimals on and beside the middle between two float32, where rounding
	// twice goes wrong.
	rapid.Check(t, func(t *rapid.T) {
		v := math.Float32frombits(rapid.Uint32Range(1, 0x7f7ffffe).Draw(t, "bits"))
		mid := (float64(v) + float64(math.Nextafter32(v, math.MaxFloat32))) / 2
		s := strconv.FormatFloat(mid, 'e', rapid.IntRange(8, 25).Draw(t, "digits"), 64)
		sameAsStrconv(t, s)
	})
	// The same within the fast path: sixteen digits that round to the middle
	// as float64 without being it.
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float32Range(1, 9).Draw(t, "v")
		mid := (float64(v) + float64(math.Nextafter32(v, 10))) / 2
		sameAsStrconv(t, strconv.FormatFloat(mid, 'f', 15, 64))
	})
}

func TestAppendFloat32(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
		if v-v != 0 {
			return
		}
		s := appendFloat32(nil, v)
		if back, ok := parseFloat32(s); !ok || math.Float32bits(back) != math.Float32bits(v) {
			t.Fatalf("%v was written %s and read %v", v, s, back)
		}
		if best := strconv.FormatFloat(float64(v), 'e', -1, 32); len(s) > len(best)+9 {
			t.Fatalf("%s is longer than %s", s, best)
		}
	})
}

func BenchmarkParseFloat32(b *testing.B) {
	s := []byte("1234.56")
	for b.Loop() {
		parseFloat32(s)
	}
}
