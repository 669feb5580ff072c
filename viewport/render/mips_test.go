package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The means of a picture are the same at every level, in linear light, for any size.
func TestMipsKeepTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 37).Draw(t, "w"), rapid.IntRange(1, 21).Draw(t, "h")
		m := image.NewNRGBA(image.Rect(3, 5, 3+w, 5+h))
		for i := range m.Pix {
			m.Pix[i] = uint8(noise(float64(i)/3, float64(w), 4)*127 + 128)
		}
		from := premultiply(m, false)
		mean := func(p []light4) (out [4]float64) {
			for _, px := range p {
				for c, v := range px {
					out[c] += float64(v) / float64(len(p))
				}
			}
			return out
		}
		want := mean(from)
		for w > 1 || h > 1 {
			var nw, nh int
			from, nw, nh = half(from, w, h)
			if nw != max(w/2, 1) || nh != max(h/2, 1) {
				t.Fatalf("%d×%d becomes %d×%d", w, h, nw, nh)
			}
			w, h = nw, nh
			for i, v := range mean(from) {
				if !(math.Abs(v-want[i]) < 1e-4) {
					t.Fatalf("at %d×%d the mean is %v, expected %v", w, h, mean(from), want)
				}
			}
		}
	})
}

// A mask keeps its share of holes at every level that has pixels enough, and the first
// level keeps its alpha.
func TestMipsKeepCoverage(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	for y := range 128 {
		for x := range 128 {
			if noise(float64(x)/2.3, float64(y)/2.3, 8) > 0.25 { // small leaves, a quarter of all
				m.SetNRGBA(x, y, color.NRGBA{40, 160, 30, 255})
			} else {
				m.SetNRGBA(x, y, color.NRGBA{255, 0, 255, 0}) // never to be seen
			}
		}
	}
	chain := mipChain(m, alphaUse{alphaCut, 0.5}, 4096, 0)
	if len(chain) != 8 {
		t.Fatalf("%d levels", len(chain))
	}
	share := func(l level) float32 { return coverageOf(&l).share(alphaSteps / 2) }
	want := share(chain[0])
	plain := mipChain(m, alphaUse{kind: alphaBlend}, 4096, 0)
	for k, l := range chain[:5] {
		if got := share(l); !(math.Abs(float64(got-want)) < 0.03) {
			t.Errorf("level %d covers %.3f, expected %.3f; without care it is %.3f", k, got, want, share(plain[k]))
		}
		for i := 0; i < len(l.pix); i += 4 {
			if c := l.pix[i : i+3]; c[0] != 40 || c[1] != 160 || c[2] != 30 {
				t.Fatalf("level %d has a pixel of colour %v", k, c)
			}
		}
	}
	if got := share(plain[4]); math.Abs(float64(got-want)) < 0.2 {
		t.Errorf("without care level 4 covers %.3f: the test proves nothing", got)
	}
	for i := 3; i < len(m.Pix); i += 4 {
		if chain[0].pix[i] != m.Pix[i] {
			t.Fatal("the first level's alpha is not that of the picture")
		}
	}
}

func TestMipsOfBigPictures(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 100, 7))
	chain := mipChain(m, alphaUse{}, 30, 0)
	if chain[0].w != 25 || chain[0].h != 1 || chain[0].pix[3] != 255 {
		t.Errorf("the first level is %d×%d, alpha %d", chain[0].w, chain[0].h, chain[0].pix[3])
	}
	if chain = mipChain(m, alphaUse{}, 128, 3); len(chain) != 3 {
		t.Errorf("%d levels, expected 3", len(chain))
	}
}

func BenchmarkMips(b *testing.B) {
	m := noisy(color.NRGBA{90, 120, 60, 255}, 1)
	for b.Loop() {
		mipChain(m, alphaUse{}, 4096, 0)
	}
}
