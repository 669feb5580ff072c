package brush

import (
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain"
)

func drawSplat(t *rapid.T) terrain.Splat {
	id := rapid.Uint8Range(0, 4)
	w := rapid.OneOf(rapid.Uint8(), rapid.SampledFrom([]uint8{0, 1, 127, 254, 255}))
	return terrain.Splat{
		Base: id.Draw(t, "base"), Over: id.Draw(t, "over"), Third: id.Draw(t, "third"),
		Alpha: w.Draw(t, "alpha"), Alpha2: w.Draw(t, "alpha2"),
	}
}

// byLayer adds the weights of a splat by layer, in 1/65025.
func byLayer(s terrain.Splat) (w [256]int) {
	b, o, t := weights(s)
	w[s.Base] += b
	w[s.Over] += o
	w[s.Third] += t
	return w
}

// step is 1/255 in the unit of byLayer.
const step = 255

func TestMix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplat(t)
		layer := rapid.Uint8Range(0, 6).Draw(t, "layer")
		keep := rapid.OneOf(rapid.Float32Range(0, 1), rapid.Float32Range(0.99, 1)).Draw(t, "keep")
		before := byLayer(s)
		m := mix(s, layer, keep)
		after := byLayer(m)
		if keep > startAt {
			if m != s {
				t.Fatalf("%v changed to %v at %v", s, m, keep)
			}
			return
		}
		sum := 0
		for _, w := range after {
			sum += w
		}
		if sum != 255*255 {
			t.Fatalf("weights of %v add up to %d", m, sum)
		}
		swapped := before[layer] == 0 && s.Base != layer && s.Over != layer && s.Third != layer
		if !swapped {
			for l := range after {
				// Where equal ids were merged, the merged weight was rounded.
				if d := after[l] - before[l]; uint8(l) != layer && d > 0 && distinct(s) {
					t.Fatalf("%v → %v: layer %d gained %d", s, m, l, d)
				}
				want := float64(before[l]) * float64(keep)
				if uint8(l) == layer {
					want += 255 * 255 * (1 - float64(keep))
				}
				if d := float64(after[l]) - want; !(d <= 3*step && d >= -3*step) {
					t.Fatalf("%v → %v, keep %v: layer %d has %d, expected %.0f", s, m, keep, l, after[l], want)
				}
			}
		}
		if distinct(s) && before[layer] < 255*255 && !(after[layer] > before[layer]) {
			t.Fatalf("%v → %v: layer %d did not gain", s, m, layer)
		}
		if keep < 1.0/512 && (after[layer] != 255*255 || m != (terrain.Splat{Base: layer, Over: layer, Third: layer})) {
			t.Fatalf("%v → %v at %v", s, m, keep)
		}
		checkTidy(t, m)
	})
}

func distinct(s terrain.Splat) bool {
	return s.Base != s.Over && s.Base != s.Third && s.Over != s.Third
}

// checkTidy checks the canonical form.
func checkTidy(t rapid.TB, s terrain.Splat) {
	b, o, th := weights(s)
	if o == 0 && s.Over != s.Base || th == 0 && s.Third != s.Base {
		t.Fatalf("%v: a place without weight has an id of its own", s)
	}
	if b == 0 && (o == 0 || th == 0) {
		t.Fatalf("%v: one layer that is not the base", s)
	}
	if th > 0 && (s.Third == s.Base || s.Third == s.Over) || o > 0 && s.Over == s.Base {
		t.Fatalf("%v: equal ids", s)
	}
}

// Whatever the rounding, no layer gains but the painted one.
func TestOthersNeverGain(t *testing.T) {
	for _, layer := range []uint8{0, 1, 2} {
		for a := range 256 {
			for a2 := 0; a2 < 256; a2 += 3 {
				s := terrain.Splat{Base: 0, Over: 1, Third: 2, Alpha: uint8(a), Alpha2: uint8(a2)}
				before := byLayer(s)
				for _, keep := range []float32{startAt, 0.997, 0.99, 0.97, 0.8, 0.5, 0.1} {
					after := byLayer(mix(s, layer, keep))
					for l := range uint8(3) {
						if l != layer && after[l] > before[l] {
							t.Fatalf("%v with layer %d, keep %v: layer %d rose from %d to %d", s, layer, keep, l, before[l], after[l])
						}
					}
				}
			}
		}
	}
}

// More of the same layer never lowers it, and the others never rise by more than
// a rounding.
func TestMixIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplat(t)
		layer := rapid.Uint8Range(0, 6).Draw(t, "layer")
		last := byLayer(mix(s, layer, startAt))
		for k := float32(startAt); k > 0; k -= 0.003 {
			w := byLayer(mix(s, layer, k))
			for l := range w {
				if uint8(l) == layer && w[l] < last[l] {
					t.Fatalf("%v: layer %d fell from %d to %d at %v", s, l, last[l], w[l], k)
				}
				if uint8(l) != layer && w[l] > last[l]+step {
					t.Fatalf("%v: layer %d rose from %d to %d at %v", s, l, last[l], w[l], k)
				}
			}
			last = w
		}
	})
}

// Strokes of one weak dab each end at the layer alone.
func TestRepeatedStrokesFill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplat(t)
		layer := rapid.Uint8Range(0, 6).Draw(t, "layer")
		had := byLayer(s)[layer]
		for range 3 * 255 {
			s = mix(s, layer, 1-1.0/510)
			now := byLayer(s)[layer]
			if now < had {
				t.Fatalf("layer %d fell from %d to %d", layer, had, now)
			}
			had = now
		}
		want := terrain.Splat{Base: layer, Over: layer, Third: layer}
		if s != want {
			t.Fatalf("ended at %v, expected %v", s, want)
		}
		if again := mix(s, layer, 0.3); again != want {
			t.Fatalf("changed to %v when full", again)
		}
	})
}

func TestPlacesStay(t *testing.T) {
	for _, c := range []struct {
		s     terrain.Splat
		layer uint8
		keep  float32
		want  terrain.Splat
	}{
		{terrain.Splat{}, 0, 0.5, terrain.Splat{}},
		{terrain.Splat{}, 1, 0.5, terrain.Splat{Over: 1, Alpha: 127}},
		{terrain.Splat{Over: 1, Alpha: 127}, 2, 0.5, terrain.Splat{Over: 1, Third: 2, Alpha: 127, Alpha2: 127}},
		{terrain.Splat{Base: 1, Over: 1, Third: 1}, 2, 0, terrain.Splat{Base: 2, Over: 2, Third: 2}},
		// The weakest is the third; the other two keep their ratio.
		{terrain.Splat{Base: 1, Over: 2, Third: 3, Alpha: 100, Alpha2: 20}, 4, 0.5, terrain.Splat{Base: 1, Over: 2, Third: 4, Alpha: 100, Alpha2: 127}},
		// The weakest is the base.
		{terrain.Splat{Base: 1, Over: 2, Third: 3, Alpha: 250, Alpha2: 100}, 4, 0.5, terrain.Splat{Base: 4, Over: 2, Third: 3, Alpha: 96, Alpha2: 51}},
	} {
		got := mix(c.s, c.layer, c.keep)
		if d := int(got.Alpha) - int(c.want.Alpha); d >= -1 && d <= 1 {
			got.Alpha = c.want.Alpha
		}
		if d := int(got.Alpha2) - int(c.want.Alpha2); d >= -1 && d <= 1 {
			got.Alpha2 = c.want.Alpha2
		}
		if got != c.want {
			t.Errorf("%v with layer %d, keep %v: %v, expected %v", c.s, c.layer, c.keep, mix(c.s, c.layer, c.keep), c.want)
		}
	}
}

// Many dabs too weak for a step add up within a stroke; the ground outside the
// disc stays as it is.
func TestPaintAccumulates(t *testing.T) {
	f := hills(t, 150, 100, 1)
	d := f.Draft()
	s, err := Begin(d, Brush{Op: Paint, Radius: 20, Strength: 0.002, Layer: 7}, 1064, -436)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for range 50 {
		if _, err := s.Hold(100); err != nil {
			t.Fatal(err)
		}
		w := byLayer(d.View().SplatAt(64, 64))[7]
		if w < last {
			t.Fatalf("weight fell from %d to %d", last, w)
		}
		last = w
	}
	g, _ := d.Field()
	if got := g.SplatAt(64, 64); got != (terrain.Splat{Base: 7, Over: 7, Third: 7}) {
		t.Errorf("the centre is %v", got)
	}
	for i, p := range splatsOf(g) {
		x, z := i%150-64, i/150-64
		if x*x+z*z >= 400 && p != (terrain.Splat{}) {
			t.Fatalf("sample %d,%d outside is %v", i%150, i/150, p)
		}
	}
}

// A field published in the middle of a stroke makes no difference.
func TestPaintOverPublishing(t *testing.T) {
	f := hills(t, 150, 100, 1)
	b := Brush{Op: Paint, Radius: 20, Strength: 0.01, Layer: 7}
	a, c := f.Draft(), f.Draft()
	var strokes []*Stroke
	for _, d := range []*terrain.Draft{a, c} {
		// Another layer painted in the same draft first.
		if _, err := Begin(d, Brush{Op: Paint, Radius: 30, Strength: 0.4, Layer: 5}, 1050, -436); err != nil {
			t.Fatal(err)
		}
		s, err := Begin(d, b, 1040, -436)
		if err != nil {
			t.Fatal(err)
		}
		strokes = append(strokes, s)
	}
	for i := range 30 {
		for _, s := range strokes {
			mustTo(t, s, 1041+float64(i), -436)
		}
		a.Field()
	}
	fa, _ := a.Field()
	fc, _ := c.Field()
	sa, sc := splatsOf(fa), splatsOf(fc)
	for i := range sa {
		if sa[i] != sc[i] {
			t.Fatalf("sample %d: %v published, %v not", i, sa[i], sc[i])
		}
	}
}
