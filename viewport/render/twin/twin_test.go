package twin

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain"
)

func TestWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := terrain.Splat{Alpha: rapid.Uint8().Draw(t, "α"), Alpha2: rapid.Uint8().Draw(t, "α2")}
		b, o, th := Weights(s)
		if d := b + o + th - 1; !(math.Abs(d) < 1e-12) || b < 0 || o < 0 || th < 0 {
			t.Fatalf("%v, %v, %v", b, o, th)
		}
	})
	if b, o, _ := Weights(terrain.Splat{Alpha: 0x77}); math.Abs(o-0.467) > 0.0005 || math.Abs(b-0.533) > 0.0005 {
		t.Errorf("0x77 gives %v and %v", o, b)
	}
}

// A place is the sum of its corners by their shares, and its triangle is one of the
// two of its cell, on the right side of the diagonal.
func TestFind(t *testing.T) {
	f, err := terrain.Flat(9, 7, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	f = f.WithOrigin(10, -3)
	rapid.Check(t, func(t *rapid.T) {
		x, z := 10+rapid.Float64Range(0, 4).Draw(t, "x"), -3+rapid.Float64Range(0, 3).Draw(t, "z")
		p, ok := Find(f, x, z)
		if !ok {
			t.Fatal("not found")
		}
		var px, pz, sum float64
		for i, c := range p.Corners {
			if !(p.Shares[i] >= 0) {
				t.Fatalf("share %v", p.Shares[i])
			}
			px += p.Shares[i] * (10 + 0.5*float64(c.X))
			pz += p.Shares[i] * (-3 + 0.5*float64(c.Y))
			sum += p.Shares[i]
		}
		if !(math.Abs(px-x) < 1e-9 && math.Abs(pz-z) < 1e-9 && math.Abs(sum-1) < 1e-12) {
			t.Fatalf("%v, %v, %v", px-x, pz-z, sum)
		}
	})
	if _, ok := Find(f, 9.9, 0); ok {
		t.Error("found a place off the field")
	}
}

// Encode inverts Linear.
func TestEncode(t *testing.T) {
	for i := range 256 {
		c := terrain.RGB{R: uint8(i), G: uint8(255 - i), B: uint8(i / 2)}
		if got := Encode(Linear(c)); got != c {
			t.Fatalf("%v became %v", c, got)
		}
	}
}
