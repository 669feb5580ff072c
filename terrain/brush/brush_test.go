package brush

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain"
)

// hills is a field of smooth and rough parts whose origin is off zero.
func hills(t testing.TB, cols, rows int, spacing float64) *terrain.Field {
	h := make([]float32, cols*rows)
	state := uint32(1)
	for i := range h {
		state = state*1664525 + 1013904223
		x, z := float64(i%cols), float64(i/cols)
		h[i] = float32(20*math.Sin(x/9)*math.Cos(z/7)) + float32(state>>24)/64
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	return f.WithOrigin(1000, -500)
}

func heightsOf(f *terrain.Field) []float32 {
	cols, rows := f.Size()
	h := make([]float32, cols*rows)
	f.CopyHeights(h, cols, f.Bounds())
	return h
}

func splatsOf(f *terrain.Field) []terrain.Splat {
	cols, rows := f.Size()
	s := make([]terrain.Splat, cols*rows)
	f.CopySplats(s, cols, f.Bounds())
	return s
}

// naive is what a dab of a brush does to heights, by the book in float64.
func naive(h []float32, cols int, spacing float64, b Brush, x, z, level float64) []float32 {
	out := make([]float32, len(h))
	rows := len(h) / cols
	for i := range h {
		c, r := i%cols, i/cols
		f := Falloff(b, math.Hypot(float64(c)*spacing-x, float64(r)*spacing-z))
		v := float64(h[i])
		switch b.Op {
		case Raise:
			v += b.Strength * f
		case Lower:
			v -= b.Strength * f
		case Flatten:
			v += (level - v) * min(b.Strength, 1) * f
		case Smooth:
			var sum, n float64
			for dr := max(r-1, 0); dr <= min(r+1, rows-1); dr++ {
				for dc := max(c-1, 0); dc <= min(c+1, cols-1); dc++ {
					sum += float64(h[dr*cols+dc])
					n++
				}
			}
			v += (sum/n - v) * min(b.Strength, 1) * f
		}
		out[i] = float32(min(max(v, -terrain.MaxHeight), terrain.MaxHeight))
	}
	return out
}

func drawBrush(t *rapid.T, spacing float64) Brush {
	b := Brush{
		Op:       rapid.SampledFrom([]Op{Raise, Lower, Smooth, Flatten}).Draw(t, "op"),
		Strength: rapid.Float64Range(0, 3).Draw(t, "strength"),
		Hardness: rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.9}).Draw(t, "hardness"),
		Radius:   spacing * rapid.SampledFrom([]float64{0.3, 1, 2.5, 7, 31.25, 64, 90, 400}).Draw(t, "radius"),
	}
	if b.Op == Flatten && rapid.Bool().Draw(t, "useLevel") {
		b.UseLevel, b.Level = true, rapid.Float64Range(-50, 50).Draw(t, "level")
	}
	return b
}

func TestDabMatchesTheBook(t *testing.T) {
	const spacing = 0.5
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(2, 200).Draw(t, "cols"), rapid.IntRange(2, 140).Draw(t, "rows")
		f := hillsFor(t, cols, rows, spacing)
		b := drawBrush(t, spacing)
		// Multiples of 1/64 sample, so that no centre is moved.
		x := float64(rapid.IntRange(-64*50, 64*(cols+50)).Draw(t, "x")) / 64 * spacing
		z := float64(rapid.IntRange(-64*50, 64*(rows+50)).Draw(t, "z")) / 64 * spacing
		level := b.Level
		if !b.UseLevel {
			level = surface(f, 1000+x, -500+z)
		}
		d := f.Draft()
		if _, err := Begin(d, b, 1000+x, -500+z); err != nil {
			t.Fatal(err)
		}
		g, _ := d.Field()
		before := heightsOf(f)
		got, want := heightsOf(g), naive(before, cols, spacing, b, x, z, level)
		for i := range got {
			if diff := math.Abs(float64(got[i] - want[i])); !(diff <= 1e-4) {
				t.Fatalf("column %d row %d: %v, by the book %v, before %v", i%cols, i/cols, got[i], want[i], before[i])
			}
			if c, r := i%cols, i/cols; math.Hypot(float64(c)*spacing-x, float64(r)*spacing-z) >= b.Radius && got[i] != before[i] {
				t.Fatalf("column %d row %d outside the disc changed from %v to %v", c, r, before[i], got[i])
			}
		}
	})
}

// hillsFor is hills for a property test.
func hillsFor(t *rapid.T, cols, rows int, spacing float64) *terrain.Field {
	h := make([]float32, cols*rows)
	seed := rapid.Uint32().Draw(t, "seed")
	for i := range h {
		seed = seed*1664525 + 1013904223
		h[i] = float32(20*math.Sin(float64(i%cols)/9)*math.Cos(float64(i/cols)/7)) + float32(seed>>24)/64
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	return f.WithOrigin(1000, -500)
}

func TestStrokeIsTheSameHoweverItIsCut(t *testing.T) {
	f := hills(t, 150, 100, 1)
	rapid.Check(t, func(t *rapid.T) {
		b := Brush{
			Op:       rapid.SampledFrom([]Op{Raise, Lower, Smooth, Flatten, Paint}).Draw(t, "op"),
			Radius:   rapid.SampledFrom([]float64{0.4, 1, 4, 10.3, 40}).Draw(t, "radius"),
			Strength: rapid.Float64Range(0.01, 1).Draw(t, "strength"),
			Spacing:  rapid.SampledFrom([]float64{0, 0.1, 0.25, 1, 1.7}).Draw(t, "spacing"),
			Layer:    3,
		}
		n := rapid.IntRange(2, 5).Draw(t, "points")
		var pts [][2]float64
		for range n {
			pts = append(pts, [2]float64{
				1000 + rapid.Float64Range(-60, 220).Draw(t, "x"),
				-500 + rapid.Float64Range(-60, 160).Draw(t, "z"),
			})
		}
		if rapid.Bool().Draw(t, "whole") {
			for i := range pts {
				pts[i] = [2]float64{math.Round(pts[i][0]), math.Round(pts[i][1])}
			}
		}
		whole, cut := f.Draft(), f.Draft()
		a, err := Begin(whole, b, pts[0][0], pts[0][1])
		if err != nil {
			t.Fatal(err)
		}
		c, err := Begin(cut, b, pts[0][0], pts[0][1])
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < n; i++ {
			p, q := pts[i-1], pts[i]
			mustTo(t, a, q[0], q[1])
			cuts := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 6).Draw(t, "cuts")
			last := 0.0
			for _, u := range cuts {
				u = last + (1-last)*u
				last = u
				mustTo(t, c, p[0]+(q[0]-p[0])*u, p[1]+(q[1]-p[1])*u)
			}
			mustTo(t, c, q[0], q[1])
		}
		fa, _ := whole.Field()
		fc, _ := cut.Field()
		ha, hc := heightsOf(fa), heightsOf(fc)
		for i := range ha {
			if ha[i] != hc[i] {
				t.Fatalf("sample %d: %v whole, %v cut", i, ha[i], hc[i])
			}
		}
		sa, sc := splatsOf(fa), splatsOf(fc)
		for i := range sa {
			if sa[i] != sc[i] {
				t.Fatalf("sample %d: %v whole, %v cut", i, sa[i], sc[i])
			}
		}
	})
}

// Dabs that fall between two steps of the lattice, or just on the end of the line,
// are the same too.
func TestCutsNeverTipTheBalance(t *testing.T) {
	f := hills(t, 100, 100, 1)
	rapid.Check(t, func(t *rapid.T) {
		// Along a slope of 3:4, this step is an odd number of 1/2048 in x.
		b := Brush{Op: Raise, Radius: 4, Strength: 1, Spacing: 5 * 1001.0 / (3 * 2048) / 4}
		length := 70.0
		if rapid.Bool().Draw(t, "ends on a dab") {
			b.Radius, b.Spacing = 3, 0.1
			length = 0.3 * float64(rapid.IntRange(1, 230).Draw(t, "dabs"))
		}
		for _, sign := range []float64{1, -1} {
			at := func(s float64) (x, z float64) {
				s -= length / 2
				return 1050 + sign*0.6*s, -450 + sign*0.8*s
			}
			whole, cut := f.Draft(), f.Draft()
			x, z := at(0)
			a, err := Begin(whole, b, x, z)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Begin(cut, b, x, z)
			if err != nil {
				t.Fatal(err)
			}
			last := 0.0
			for _, u := range rapid.SliceOfN(rapid.IntRange(1, 996), 1, 8).Draw(t, "cuts") {
				last += (1 - last) * float64(u) / 997 // rounding all along the way
				x, z = at(last * length)
				mustTo(t, c, x, z)
			}
			x, z = at(length)
			mustTo(t, a, x, z)
			mustTo(t, c, x, z)
			ha, hc := heightsOf(whole.View()), heightsOf(cut.View())
			for i := range ha {
				if ha[i] != hc[i] {
					t.Fatalf("sample %d: %v whole, %v cut", i, ha[i], hc[i])
				}
			}
		}
	})
}

// A line that comes from afar in an odd direction is rounded by far more than the
// last bits of the samples; that the dabs lie on a lattice keeps it from them.
// The lines are the same in every run: the farther they come, the less unlikely it
// is that one lies on the border between two steps.
func TestCutsFarAwayChangeNothing(t *testing.T) {
	f := hills(t, 100, 100, 1)
	b := Brush{Op: Raise, Radius: 4, Strength: 1, Spacing: 0.1}
	rng := rand.New(rand.NewPCG(1, 2))
	for line := range 200 {
		turn, way := 2*math.Pi*rng.Float64(), 1e5+1e6*rng.Float64()
		dx, dz := math.Cos(turn), math.Sin(turn)
		at := func(u float64) (x, z float64) {
			s := (u - 1) * way
			return 1050 + dx*(s+60), -450 + dz*(s+60)
		}
		whole, cut := f.Draft(), f.Draft()
		x, z := at(0)
		a, err := Begin(whole, b, x, z)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Begin(cut, b, x, z)
		if err != nil {
			t.Fatal(err)
		}
		last := 0.0
		for range 3 {
			last += (1 - last) * rng.Float64()
			x, z = at(last)
			mustTo(t, c, x, z)
		}
		x, z = at(1)
		mustTo(t, a, x, z)
		mustTo(t, c, x, z)
		ha, hc := heightsOf(whole.View()), heightsOf(cut.View())
		for i := range ha {
			if ha[i] != hc[i] {
				t.Fatalf("line %d, sample %d: %v whole, %v cut", line, i, ha[i], hc[i])
			}
		}
	}
}

func mustTo(t rapid.TB, s *Stroke, x, z float64) image.Rectangle {
	r, err := s.To(x, z)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A stroke's dabs are those of dabs made one by one.
func TestStrokeIsDabsAtSpacing(t *testing.T) {
	f := hills(t, 150, 100, 1)
	b := Brush{Op: Raise, Radius: 8, Strength: 1, Spacing: 0.5}
	d, e := f.Draft(), f.Draft()
	s, err := Begin(d, b, 1010, -490)
	if err != nil {
		t.Fatal(err)
	}
	mustTo(t, s, 1050, -490) // 10 more dabs
	for i := range 11 {
		if _, err := Begin(e, b, 1010+4*float64(i), -490); err != nil {
			t.Fatal(err)
		}
	}
	fd, _ := d.Field()
	fe, _ := e.Field()
	hd, he := heightsOf(fd), heightsOf(fe)
	for i := range hd {
		if hd[i] != he[i] {
			t.Fatalf("sample %d: %v by the stroke, %v by dabs", i, hd[i], he[i])
		}
	}
}

func TestReportedSamplesHoldAllChanges(t *testing.T) {
	f := hills(t, 150, 100, 2)
	rapid.Check(t, func(t *rapid.T) {
		b := drawBrush(t, 2)
		d := f.Draft()
		at := func() (float64, float64) {
			return 1000 + rapid.Float64Range(-200, 500).Draw(t, "x"), -500 + rapid.Float64Range(-200, 400).Draw(t, "z")
		}
		x, z := at()
		s, err := Begin(d, b, x, z)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := d.Field()
		rect := mustTo(t, s, 1100, -400)
		hold, err := s.Hold(2)
		if err != nil {
			t.Fatal(err)
		}
		rect = rect.Union(hold)
		if !rect.In(s.Bounds()) || !s.Bounds().In(f.Bounds()) {
			t.Fatalf("%v of %v is not in the field", rect, s.Bounds())
		}
		after, _ := d.Field()
		old, now := heightsOf(before), heightsOf(after)
		for i := range old {
			if old[i] != now[i] && !image.Pt(i%150, i/150).In(rect) {
				t.Fatalf("sample %d,%d changed outside %v", i%150, i/150, rect)
			}
		}
	})
}

func TestStrokesThatReachNothingTouchNothing(t *testing.T) {
	f := hills(t, 130, 130, 1)
	for name, c := range map[string]struct {
		b              Brush
		x0, z0, x1, z1 float64
	}{
		"beside":          {Brush{Op: Raise, Radius: 10, Strength: 1}, 980, -500, 980, 0},
		"between samples": {Brush{Op: Raise, Radius: 0.1, Strength: 1}, 1010.5, -500, 1010.5, -380},
		"far and long":    {Brush{Op: Paint, Radius: 0.01, Strength: 1, Spacing: MinSpacing}, -1e9, -1e9, 1e9, -1e9},
		"no strength":     {Brush{Op: Smooth, Radius: 10}, 1010, -490, 1050, -490},
		"before the edge": {Brush{Op: Flatten, Radius: 5, Strength: 1, Hardness: 1}, 995, -450, 995, -440},
	} {
		t.Run(name, func(t *testing.T) {
			d := f.Draft()
			s, err := Begin(d, c.b, c.x0, c.z0)
			if err != nil {
				t.Fatal(err)
			}
			if r := mustTo(t, s, c.x1, c.z1); !r.Empty() && name == "far and long" {
				t.Errorf("samples %v", r)
			}
			if _, tiles := d.Field(); len(tiles) != 0 {
				t.Errorf("tiles %v were touched", tiles)
			}
		})
	}
}

// A disc whose square reaches into a tile, but which has no sample there, leaves
// the tile alone.
func TestCornersOfTheSquareTouchNothing(t *testing.T) {
	f := hills(t, 130, 130, 1)
	for _, op := range []Op{Raise, Smooth, Flatten, Paint} {
		d := f.Draft()
		// The square around sample 57,57 ends at 65,65, but 64,64 is 9.9 away.
		if _, err := Begin(d, Brush{Op: op, Radius: 8.5, Strength: 1, Layer: 1}, 1057, -443); err != nil {
			t.Fatal(err)
		}
		_, tiles := d.Field()
		if len(tiles) != 3 {
			t.Errorf("%v touched tiles %v, expected three", op, tiles)
		}
		for _, p := range tiles {
			if p == image.Pt(1, 1) {
				t.Errorf("%v touched tile %v", op, p)
			}
		}
	}
}

// A line across the world with the smallest brush visits only dabs that reach a
// sample.
func TestHugeStrokesEnd(t *testing.T) {
	f, err := terrain.Flat(terrain.MaxSize, 65, 100)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	s, err := Begin(d, Brush{Op: Raise, Radius: MinRadius, Strength: 1, Spacing: 0.1, Hardness: 0.5}, -1e9, 3200)
	if err != nil {
		t.Fatal(err)
	}
	mustTo(t, s, 1e9, 3200)
	g, _ := d.Field()
	raised := 0
	for c := range terrain.MaxSize {
		if g.Sample(c, 32) > 0 {
			raised++
		}
	}
	if raised != terrain.MaxSize {
		t.Errorf("%d samples on the line were raised, expected all %d", raised, terrain.MaxSize)
	}
	if _, err := Begin(d, Brush{Op: Raise, Radius: MaxRadius, Strength: 2}, 0, 0); err != nil {
		t.Fatal(err)
	}
	if h, _ := d.View().Height(800000, 3200); h < 0.1 {
		t.Errorf("height %g under a giant brush", h)
	}
}

func TestLegVisitsEveryDabThatReaches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-40, 60)
		x0, z0, x1, z1 := f.Draw(t, "x0"), f.Draw(t, "z0"), f.Draw(t, "x1"), f.Draw(t, "z1")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			x1 = x0
		case 1:
			z0, z1 = math.Round(z0), math.Round(z0)
		}
		length := math.Hypot(x1-x0, z1-z0)
		if length < 0.1 {
			t.Skip("too short")
		}
		r := rapid.SampledFrom([]float64{0.01, 0.3, 0.49, 0.5, 2, 100}).Draw(t, "r")
		l := leg{x: x0, z: z0, dx: (x1 - x0) / length, dz: (z1 - z0) / length, step: r * rapid.Float64Range(0.05, 3).Draw(t, "step")}
		l.first = l.step * rapid.Float64Range(0, 1).Draw(t, "first")
		l.count = int64((length-l.first)/l.step) + 1
		if length < l.first {
			l.count = 0
		}
		const w, h = 30, 20
		seen := make(map[int64]bool)
		last := int64(-1)
		l.each(r, w, h, func(i int64) {
			if i <= last || i >= l.count {
				t.Fatalf("dab %d after %d of %d", i, last, l.count)
			}
			last = i
			seen[i] = true
		})
		for i := range l.count {
			x, z := l.at(i)
			near := func(c, end float64) float64 { return min(max(math.Round(c), 0), end) - c }
			if math.Hypot(near(x, w), near(z, h)) < r && !seen[i] {
				t.Fatalf("dab %d at %g,%g was left out", i, x, z)
			}
		}
	})
}

func TestFlattenTakesTheHeightUnderTheFirstPoint(t *testing.T) {
	f := hills(t, 100, 100, 1)
	for _, p := range [][2]float64{{1040.25, -460.5}, {900, -460}, {2000, 2000}} {
		want := surface(f, p[0], p[1])
		d := f.Draft()
		s, err := Begin(d, Brush{Op: Flatten, Radius: 20, Strength: 1, Hardness: 1}, p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		mustTo(t, s, 1050, -450)
		for _, q := range [][2]float64{{1050, -450}, {1060, -455}} {
			if h, _ := d.View().Height(q[0], q[1]); math.Abs(h-want) > 1e-5 {
				t.Errorf("first point %v: height %g at %v, expected %g", p, h, q, want)
			}
		}
	}
	// Off the terrain it is the height of the nearest point.
	if got, want := surface(f, 900, -460), float64(f.Sample(0, 40)); got != want {
		t.Errorf("nearest height %g, expected %g", got, want)
	}
}

func TestSmoothKeepsLevelGroundAndExtremes(t *testing.T) {
	h := make([]float32, 130*130)
	for i := range h {
		h[i] = 123.456
	}
	f, err := terrain.FromHeights(130, 130, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	s, err := Begin(d, Brush{Op: Smooth, Radius: 100, Strength: 1}, 60, 60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hold(20); err != nil {
		t.Fatal(err)
	}
	g, _ := d.Field()
	if lo, hi := g.MinMax(); lo != 123.456 || hi != 123.456 {
		t.Errorf("level ground became %g to %g", lo, hi)
	}
}

// A row that a dab of smoothing reads ends a sample beyond the columns it changes,
// also when those end with a tile or with what a kernel takes at a time. The tiles
// around would give another row's heights if that sample were not read.
func TestSmoothReadsTheSamplesBeside(t *testing.T) {
	const spacing = 0.5
	cols, rows := 300, 40
	h := make([]float32, cols*rows)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range h {
		h[i] = float32(rng.Float64() * 1000)
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	f = f.WithOrigin(1000, -500)
	for _, radius := range []float64{3.5, 9.25, 16, 64.5} {
		b := Brush{Op: Smooth, Strength: 1, Hardness: 0.9, Radius: radius * spacing}
		for _, edge := range []int{64, 72, 128, 136, 192, 256} {
			// The disc's first or last column is at edge, or beside it.
			for _, centre := range []float64{float64(edge) + radius, float64(edge) - radius} {
				for _, off := range []float64{-1.25, -0.75, -0.25, 0.25, 0.75, 1.25} {
					x, z := (centre+off)*spacing, 20*spacing
					d := f.Draft()
					if _, err := Begin(d, b, 1000+x, -500+z); err != nil {
						t.Fatal(err)
					}
					got, want := heightsOf(d.View()), naive(h, cols, spacing, b, x, z, 0)
					for i := range got {
						if diff := math.Abs(float64(got[i] - want[i])); !(diff <= 1e-3) {
							t.Fatalf("radius %g, centre %g: column %d row %d: %v, by the book %v, before %v", radius, centre+off, i%cols, i/cols, got[i], want[i], h[i])
						}
					}
				}
			}
		}
	}
}

func TestHeightsStayInRange(t *testing.T) {
	f := hills(t, 70, 70, 1)
	for _, op := range []Op{Raise, Lower} {
		d := f.Draft()
		s, err := Begin(d, Brush{Op: op, Radius: 50, Strength: MaxStrength}, 1030, -470)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Hold(3); err != nil {
			t.Fatal(err)
		}
		g, _ := d.Field()
		for _, h := range heightsOf(g) {
			if !(h >= -terrain.MaxHeight && h <= terrain.MaxHeight) {
				t.Fatalf("%v made a height of %g", op, h)
			}
		}
	}
}

// What lies in the tiles beyond the field stays zero.
func TestTilesKeepZerosBeyondTheField(t *testing.T) {
	f := hills(t, 70, 70, 1)
	for _, op := range []Op{Raise, Smooth, Flatten, Paint} {
		d := f.Draft()
		if _, err := Begin(d, Brush{Op: op, Radius: 50, Strength: 1, Layer: 2, UseLevel: true, Level: 9}, 1069, -431); err != nil {
			t.Fatal(err)
		}
		g, _ := d.Field()
		tile := g.Tile(1, 1)
		for i := range tile.Heights {
			if i%side < 6 && i/side < 6 {
				continue
			}
			if tile.Heights[i] != 0 || tile.Splats[i] != (terrain.Splat{}) {
				t.Fatalf("%v wrote sample %d of the last tile", op, i)
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	f := hills(t, 10, 10, 1)
	d := f.Draft()
	good := Brush{Op: Raise, Radius: 5, Strength: 1}
	nan, inf := math.NaN(), math.Inf(1)
	for name, change := range map[string]func(b *Brush){
		"op":           func(b *Brush) { b.Op = opCount },
		"radius 0":     func(b *Brush) { b.Radius = 0 },
		"radius nan":   func(b *Brush) { b.Radius = nan },
		"radius big":   func(b *Brush) { b.Radius = 2e6 },
		"strength nan": func(b *Brush) { b.Strength = nan },
		"strength inf": func(b *Brush) { b.Strength = inf },
		"strength -1":  func(b *Brush) { b.Strength = -1 },
		"smooth nan":   func(b *Brush) { b.Op, b.Strength = Smooth, nan },
		"hardness 2":   func(b *Brush) { b.Hardness = 2 },
		"hardness nan": func(b *Brush) { b.Hardness = nan },
		"spacing -1":   func(b *Brush) { b.Spacing = -1 },
		"spacing nan":  func(b *Brush) { b.Spacing = nan },
		"level nan":    func(b *Brush) { b.Op, b.UseLevel, b.Level = Flatten, true, nan },
	} {
		b := good
		change(&b)
		if _, err := Begin(d, b, 1005, -495); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, p := range [][2]float64{{nan, 0}, {0, inf}, {-inf, 0}, {1e300, 0}} {
		if _, err := Begin(d, good, p[0], p[1]); err == nil {
			t.Errorf("point %v: no error", p)
		}
	}
	if _, tiles := d.Field(); len(tiles) != 0 {
		t.Error("an error touched tiles")
	}
	s, err := Begin(d, good, 1005, -495)
	if err != nil {
		t.Fatal(err)
	}
	before := heightsOf(d.View())
	if _, err := s.To(nan, 3); err == nil {
		t.Error("a line to NaN: no error")
	}
	if _, err := s.Hold(-1); err == nil {
		t.Error("-1 dabs: no error")
	}
	for i, h := range heightsOf(d.View()) {
		if h != before[i] {
			t.Fatal("an error changed heights")
		}
	}
}

func TestOps(t *testing.T) {
	for _, name := range OpNames() {
		op, err := ParseOp(name)
		if err != nil || op.String() != name {
			t.Errorf("%s: %v, %v", name, op, err)
		}
	}
	for _, name := range []string{"erode", "nonsense", "paint", ""} {
		if _, err := ParseOp(name); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
}

func TestRingLiesOnTheTerrain(t *testing.T) {
	f := hills(t, 100, 100, 1)
	ring := AppendRing(nil, f, 1050, -450, 20, 64)
	if len(ring) != 65 || ring[0] != ring[64] {
		t.Fatalf("%d points, first %v, last %v", len(ring), ring[0], ring[len(ring)-1])
	}
	for _, p := range ring {
		if h, ok := f.Height(p[0], p[2]); !ok || math.Abs(h-p[1]) > 1e-9 {
			t.Errorf("%v lies at %g", p, h)
		}
		if d := math.Hypot(p[0]-1050, p[2]+450); math.Abs(d-20) > 1e-9 {
			t.Errorf("%v is %g m from the centre", p, d)
		}
	}
	if AppendRing(nil, f, math.NaN(), 0, 1, 8) != nil || AppendRing(nil, f, 0, 0, 1, 2) != nil {
		t.Error("a ring of nonsense")
	}
}

func TestFalloff(t *testing.T) {
	for _, h := range []float64{0, 0.3, 0.8, 1} {
		b := Brush{Radius: 10, Hardness: h}
		last := 1.0
		for d := 0.0; d < 12; d += 0.05 {
			f := Falloff(b, d)
			switch {
			case !(f >= 0 && f <= last):
				t.Errorf("hardness %g: %g at %g after %g", h, f, d, last)
			case d <= h*10-1e-9 && f < 1-1e-9:
				t.Errorf("hardness %g: %g at %g inside the core", h, f, d)
			case d >= 10 && f != 0:
				t.Errorf("hardness %g: %g at %g outside", h, f, d)
			}
			last = f
		}
	}
}
