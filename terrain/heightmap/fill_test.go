package heightmap

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain/fault"
)

// disc marks the samples within radius of a centre, and one lone sample.
func disc(cols, rows int, cx, cy, radius float64) *Mask {
	m := newMask(cols, rows)
	for r := range rows {
		for c := range cols {
			if math.Hypot(float64(c)-cx, float64(r)-cy) <= radius {
				m.set(c, r)
			}
		}
	}
	m.set(cols-2, rows-2)
	return m
}

// TestFillIsExact: planes and saddles solve Laplace's equation on the grid too, so
// that a wide void must come back as it was.
func TestFillIsExact(t *testing.T) {
	for _, n := range []int{20, 100, 385} {
		for name, f := range map[string]func(x, y float64) float64{
			"plane":  func(x, y float64) float64 { return 1000 + 300*x - 170*y },
			"saddle": func(x, y float64) float64 { return -50 + 300*(x*x-y*y) + 50*x*y },
		} {
			cols, rows := n, n*3/4
			void := disc(cols, rows, float64(n)*0.45, float64(n)*0.38, float64(n)*0.3)
			at := func(i int) float64 { return f(float64(i%cols)/float64(n), float64(i/cols)/float64(n)) }
			z := make([]float32, cols*rows)
			for i := range z {
				z[i] = float32(at(i))
				if void.At(i%cols, i/cols) {
					z[i] = -32768
				}
			}
			if err := fillVoids(t.Context(), z, void, nil); err != nil {
				t.Fatal(err)
			}
			for i, h := range z {
				if !(math.Abs(float64(h)-at(i)) < 0.02) {
					t.Fatalf("%s of %d: sample %d is %v, want %v", name, n, i, h, at(i))
				}
			}
		}
	}
}

// TestFillHasNoPits: whatever the voids, known samples stay, filled ones lie
// within the known range, and none is lower or higher than all around it.
func TestFillHasNoPits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(2, 80).Draw(t, "cols"), rapid.IntRange(2, 30).Draw(t, "rows")
		z := rapid.SliceOfN(rapid.Float32Range(-1000, 9000), cols*rows, cols*rows).Draw(t, "z")
		share := rapid.IntRange(1, 99).Draw(t, "share")
		void := newMask(cols, rows)
		for i, p := range rapid.SliceOfN(rapid.IntRange(0, 99), cols*rows, cols*rows).Draw(t, "void") {
			if p < share {
				void.set(i%cols, i/cols)
			}
		}
		n := void.Count()
		if n == 0 || n == cols*rows {
			return
		}
		got := append([]float32(nil), z...)
		if err := fillVoids(context.Background(), got, void, nil); err != nil {
			t.Fatal(err)
		}
		lo, hi := knownRange(z, void)
		g := &grid{cols: cols, rows: rows, u: got}
		for i, h := range got {
			col, row := i%cols, i/cols
			if !void.At(col, row) {
				if h != z[i] {
					t.Fatalf("the known sample %d,%d changed", col, row)
				}
				continue
			}
			sum, k := g.around(col, row)
			if !(h >= lo && h <= hi) || !(math.Abs(float64(h)-sum/k) <= 0.003*float64(hi-lo)+0.01) {
				t.Fatalf("sample %d,%d is %v: known range %v to %v, mean around %v", col, row, h, lo, hi, sum/k)
			}
		}
	})
}

// TestFillRealTile: the voids of a tile lie in mountains; the filling must not
// leave their range nor step at their rim.
func TestFillRealTile(t *testing.T) {
	r := mustRead(t, "srtm/N42E001.hgt", Options{})
	z, holes, err := r.Heights(t.Context(), nil, Hole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if holes.Count() != 7652 {
		t.Errorf("%d holes", holes.Count())
	}
	g := &grid{cols: r.Cols, rows: r.Rows, u: z}
	for i, h := range z {
		col, row := i%r.Cols, i/r.Cols
		if !holes.At(col, row) {
			continue
		}
		sum, k := g.around(col, row)
		if !(h >= 349 && h <= 3100) || !(math.Abs(float64(h)-sum/k) < 0.1) {
			t.Fatalf("sample %d,%d is %v, mean around %v", col, row, h, sum/k)
		}
	}
}

func TestAllVoid(t *testing.T) {
	r, err := decodeBytes("a.r8", []byte{7, 7, 7, 7}, Options{Nodata: ptr(7)})
	if err != nil {
		t.Fatal(err)
	}
	var f *fault.Error
	if _, _, err := r.Heights(t.Context(), nil, Fill, nil); !errors.As(err, &f) {
		t.Errorf("got %v, want a fault", err)
	}
}

func TestExtremeFill(t *testing.T) {
	const big = math.MaxFloat32
	r, err := decodeBytes("a.r32", floatsLE(big, 1, -big, 1, 1, 1, big, 1, -big), Options{Nodata: ptr(1)})
	if err != nil {
		t.Fatal(err)
	}
	z, _, err := r.Heights(t.Context(), nil, Fill, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range z {
		if h-h != 0 {
			t.Errorf("sample %d is %v", i, h)
		}
	}
}
