package packed

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(1, 40).Draw(t, "cols"), rapid.IntRange(1, 40).Draw(t, "rows")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		want := make([]int16, cols*rows)
		for i := range want {
			want[i] = int16(r.Uint32() >> r.IntN(32))
		}
		data, err := Encode(want, cols)
		if err != nil {
			t.Fatal(err)
		}
		got, c, err := Decode(data)
		if err != nil || c != cols || !slices.Equal(got, want) {
			t.Fatalf("%d columns of %v, %v; want %d of %v", c, got, err, cols, want)
		}
	})
}

func FuzzDecode(f *testing.F) {
	data, err := Encode([]int16{1, 2, 3, 4, 5, 6}, 3)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		h, cols, err := Decode(data)
		if err == nil && (cols < 1 || len(h)%cols != 0) {
			t.Fatalf("%d heights in %d columns", len(h), cols)
		}
	})
}
