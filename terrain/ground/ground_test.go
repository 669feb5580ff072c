package ground

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
)

func generate(tb testing.TB, name string, size int) *image.NRGBA {
	tb.Helper()
	m, err := Generate(name, size)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// texture is a texture of 256 pixels, made once for all tests.
func texture(name string) *image.NRGBA { return textures()[name] }

var textures = sync.OnceValue(func() map[string]*image.NRGBA {
	all := make(map[string]*image.NRGBA)
	for _, name := range Names() {
		all[name], _ = Generate(name, 256)
	}
	return all
})

// The textures of a level must not change from one run or release to the next.
func TestTexturesStayAsTheyAre(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may fuse a multiplication and an addition, which changes last bits")
	}
	want := map[string]uint64{
		"grass": 0x2fd4c66d15b6f331, "dirt": 0x6e22af953878b770, "sand": 0xa3136226005baf76, "rock": 0x72cde3b8e421eb24,
		"gravel": 0xf423d84c74889dde, "snow": 0xbe0c86f673ef1b6, "forest": 0x7b7532c9dfb7a22, "mud": 0x8793acc4c75394b3,
	}
	for _, name := range Names() {
		if first, again := generate(t, name, 64), generate(t, name, 64); !bytes.Equal(first.Pix, again.Pix) {
			t.Errorf("%s differs from one call to the next", name)
		}
		got := xxhash.Sum64(texture(name).Pix)
		if got != want[name] {
			t.Errorf("%s has the hash %#x, want %#x", name, got, want[name])
		}
	}
}

// Across the seam, neighbouring pixels differ no more than they do inside.
func TestTexturesTile(t *testing.T) {
	const n = 256
	for _, name := range Names() {
		m := texture(name)
		for _, across := range []bool{true, false} {
			// difference between line k and the next, wrapping around.
			difference := func(k int) float64 {
				var sum float64
				for i := range n {
					p, q := m.NRGBAAt(k, i), m.NRGBAAt((k+1)%n, i)
					if !across {
						p, q = m.NRGBAAt(i, k), m.NRGBAAt(i, (k+1)%n)
					}
					sum += math.Abs(brightness(p) - brightness(q))
				}
				return sum / n
			}
			var mean, most float64
			for k := range n - 1 {
				d := difference(k)
				mean += d / (n - 1)
				most = max(most, d)
			}
			if seam := difference(n - 1); !(seam <= most && seam <= 1.6*mean) {
				t.Errorf("%s: the seam differs by %.2f, lines inside by %.2f on average and %.2f at most", name, seam, mean, most)
			}
		}
	}
}

// From afar a texture is one even colour: its means over a quarter of its edge
// hardly differ.
func TestTexturesAreEven(t *testing.T) {
	const n, parts = 256, 4
	for _, name := range Names() {
		m := texture(name)
		lo, hi := math.Inf(1), 0.0
		for i := range parts * parts {
			r := image.Rect(0, 0, n/parts, n/parts).Add(image.Pt(i%parts, i/parts).Mul(n / parts))
			b := brightness(Average(m.SubImage(r).(*image.NRGBA)))
			lo, hi = min(lo, b), max(hi, b)
		}
		if !(hi-lo <= 0.12*hi) {
			t.Errorf("%s: parts have brightnesses from %.1f to %.1f", name, lo, hi)
		}
	}
}

func brightness(c color.NRGBA) float64 {
	return 0.3*float64(c.R) + 0.59*float64(c.G) + 0.11*float64(c.B)
}

func TestTexturesAreOpaqueAndDistinct(t *testing.T) {
	seen := make(map[color.NRGBA]string)
	for _, name := range Names() {
		m := generate(t, name, 64)
		if !m.Opaque() || m.Rect != image.Rect(0, 0, 64, 64) {
			t.Errorf("%s: %v, opaque %v", name, m.Rect, m.Opaque())
		}
		c := Average(m)
		if other, ok := seen[c]; ok {
			t.Errorf("%s and %s have the same colour", name, other)
		}
		seen[c] = name
	}
	if len(seen) < 8 {
		t.Errorf("only %d textures", len(seen))
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		want string
	}{
		{"lava", 64, `there is no ground texture "lava", expected one of grass, dirt, sand, rock, gravel, snow, forest, mud`},
		{"grass", 15, "a ground texture of 15 pixels is out of range, expected 16 to 4096"},
		{"grass", 4097, "a ground texture of 4097 pixels is out of range, expected 16 to 4096"},
	} {
		if m, err := Generate(c.name, c.size); err == nil || err.Error() != c.want || m != nil {
			t.Errorf("%s at %d: %v", c.name, c.size, err)
		}
	}
	for _, name := range Names() { // the smallest and an odd one
		generate(t, name, MinSize)
		generate(t, name, 37)
	}
}

func TestAverage(t *testing.T) {
	m := image.NewNRGBA(image.Rect(3, 3, 5, 4))
	m.SetNRGBA(3, 3, color.NRGBA{255, 80, 0, 255})
	m.SetNRGBA(4, 3, color.NRGBA{0, 80, 0, 255})
	if got, want := Average(m), (color.NRGBA{188, 80, 0, 255}); got != want {
		t.Errorf("half of full light is %v, want %v", got, want)
	}
	if got, want := Average(new(image.NRGBA)), (color.NRGBA{A: 255}); got != want {
		t.Errorf("no pixels are %v, want %v", got, want)
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				generate(b, name, 512)
			}
		})
	}
}
