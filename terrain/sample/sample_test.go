package sample

import (
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"github.com/cespare/xxhash/v2"

	"ridgeline/terrain"
	"ridgeline/terrain/sample/internal/packed"
)

func TestField(t *testing.T) {
	f, err := Field()
	if err != nil {
		t.Fatal(err)
	}
	if c, r := f.Size(); c != Size || r != Size || f.Spacing() != Spacing {
		t.Fatalf("%d×%d samples %g m apart", c, r, f.Spacing())
	}
	// The summits and the valley floor are where the survey has them, give or take
	// what resampling rounds.
	if lo, hi := f.MinMax(); !(lo > 1000 && lo < 1050 && hi > 2890 && hi < 2910) {
		t.Errorf("heights from %g to %g", lo, hi)
	}
	var weights [4]float64
	digest := xxhash.New()
	for row := range Size {
		for col := range Size {
			s := f.SplatAt(col, row)
			if s.Base > snow || s.Over > snow || s.Third > snow {
				t.Fatalf("sample %d, %d has the splat %+v", col, row, s)
			}
			if f.LightAt(col, row) != (terrain.RGB{R: 255, G: 255, B: 255}) {
				t.Fatalf("sample %d, %d is not white", col, row)
			}
			a, b := float64(s.Alpha)/255, float64(s.Alpha2)/255
			weights[s.Base] += (1 - a) * (1 - b)
			weights[s.Over] += a * (1 - b)
			weights[s.Third] += b
			var bytes [9]byte
			binary.LittleEndian.PutUint32(bytes[:], math.Float32bits(f.Sample(col, row)))
			copy(bytes[4:], []byte{s.Base, s.Over, s.Third, s.Alpha, s.Alpha2})
			digest.Write(bytes[:])
		}
	}
	for layer, w := range weights {
		if share := w / (Size * Size); !(share > 0.05 && share < 0.7) {
			t.Errorf("layer %d covers %.0f %%", layer, 100*share)
		}
	}
	const want = 0x8fa17ee47ffdb87f
	if got := digest.Sum64(); got != want && runtime.GOARCH == "amd64" {
		t.Errorf("the level's hash is %#x, want %#x", got, uint64(want))
	}
}

// Neighbouring samples blend: no weight jumps where the third layer changes.
func TestPaintHasNoSeams(t *testing.T) {
	f, err := Field()
	if err != nil {
		t.Fatal(err)
	}
	for row := range Size {
		for col := range Size - 1 {
			a, b := f.SplatAt(col, row), f.SplatAt(col+1, row)
			if a.Third != b.Third && a.Alpha2 > 0 && b.Alpha2 > 0 && min(a.Alpha2, b.Alpha2) > 60 {
				t.Fatalf("between columns %d and %d of row %d: %+v and %+v", col, col+1, row, a, b)
			}
		}
	}
}

func TestCubicConvolution(t *testing.T) {
	source, cols, err := packed.Decode(pyrenees)
	if err != nil {
		t.Fatal(err)
	}
	g := grid{source, cols, len(source) / cols}
	for i := 0; i < len(source); i += 97 {
		if got := g.at(float64(i%cols), float64(i/cols)); got != float64(source[i]) {
			t.Fatalf("at its sample %d the surface is at %g, want %d", i, got, source[i])
		}
	}
	for _, x := range []float64{0, 0.25, 0.5, 0.9} {
		w := cubic(x)
		// Flat, sloping and evenly curved ground come out exactly.
		var one, line, square float64
		for k, v := range w {
			p := float64(k - 1)
			one += v
			line += v * p
			square += v * p * p
		}
		if math.Abs(one-1) > 1e-12 || math.Abs(line-x) > 1e-12 || math.Abs(square-x*x) > 1e-12 {
			t.Errorf("at %g the weights %v give %g, %g, %g", x, w, one, line, square)
		}
	}
}

func BenchmarkField(b *testing.B) {
	for b.Loop() {
		if _, err := Field(); err != nil {
			b.Fatal(err)
		}
	}
}
