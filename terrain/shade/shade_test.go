package shade

import (
	"context"
	"errors"
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

func rough(t testing.TB, cols, rows int, spacing, height float64) *terrain.Field {
	h := make([]float32, cols*rows)
	state := uint32(7)
	for i := range h {
		state = state*1664525 + 1013904223
		x, z := float64(i%cols), float64(i/cols)
		h[i] = float32(height * (math.Sin(x/9)*math.Cos(z/7) + float64(state>>24)/1000))
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	return f.WithOrigin(300, 40)
}

func TestSunDirection(t *testing.T) {
	for _, c := range []struct {
		az, el float64
		want   mgl64.Vec3
	}{
		{0, 0, mgl64.Vec3{0, 0, -1}},
		{math.Pi / 2, 0, mgl64.Vec3{1, 0, 0}},
		{math.Pi, 0, mgl64.Vec3{0, 0, 1}},
		{1, math.Pi / 2, mgl64.Vec3{0, 1, 0}},
	} {
		if got := SunDirection(c.az, c.el); !(got.Sub(c.want).Len() < 1e-12) {
			t.Errorf("azimuth %g, elevation %g: %v, expected %v", c.az, c.el, got, c.want)
		}
	}
}

func TestSRGB(t *testing.T) {
	for i := range 256 {
		if got := SRGB(Linear(uint8(i))); int(got) != i {
			t.Errorf("%d there and back is %d", i, got)
		}
	}
	if SRGB(float32(math.NaN())) != 0 || SRGB(-1) != 0 || SRGB(7) != 255 || SRGB(float32(math.Inf(1))) != 255 {
		t.Error("values out of range")
	}
	if got := SRGB(0.5); got != 188 {
		t.Errorf("0.5 is %d, expected 188", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float32Range(0, 1).Draw(t, "v")
		e := float64(v) * 12.92
		if v > 0.0031308 {
			e = 1.055*math.Pow(float64(v), 1/2.4) - 0.055
		}
		if d := math.Abs(float64(SRGB(v)) - 255*e); !(d <= 0.5+1e-3) {
			t.Fatalf("%g is %d, exactly %g", v, SRGB(v), 255*e)
		}
	})
}

func TestNormalsAreTheFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(2, 200).Draw(t, "cols"), rapid.IntRange(2, 140).Draw(t, "rows")
		spacing := rapid.SampledFrom([]float64{0.001, 0.5, 30}).Draw(t, "spacing")
		h := make([]float32, cols*rows)
		state := rapid.Uint32().Draw(t, "seed")
		for i := range h {
			state = state*1664525 + 1013904223
			h[i] = float32(state>>16) / 4096 * float32(spacing)
		}
		f, err := terrain.FromHeights(cols, rows, spacing, h)
		if err != nil {
			t.Fatal(err)
		}
		x0, y0 := rapid.IntRange(0, cols-1).Draw(t, "x0"), rapid.IntRange(0, rows-1).Draw(t, "y0")
		rect := image.Rect(x0, y0, rapid.IntRange(x0+1, cols).Draw(t, "x1"), rapid.IntRange(y0+1, rows).Draw(t, "y1"))
		n8 := make([]uint8, 3*rect.Dx()*rect.Dy())
		xz := make([]int16, 2*rect.Dx()*rect.Dy())
		Normals8(n8, f, rect)
		NormalsXZ(xz, f, rect)
		for y := rect.Min.Y; y < rect.Max.Y; y++ {
			for x := rect.Min.X; x < rect.Max.X; x++ {
				n := f.Normal(x, y)
				i := (y-rect.Min.Y)*rect.Dx() + x - rect.Min.X
				for k := range 3 {
					if d := math.Abs(float64(n8[3*i+k]) - (127.5 + 127.5*n[k])); !(d <= 0.51) {
						t.Fatalf("sample %d,%d of %v: bytes %v, normal %v", x, y, rect, n8[3*i:3*i+3], n)
					}
				}
				for k, c := range [2]float64{n[0], n[2]} {
					if d := math.Abs(float64(xz[2*i+k]) - 32767*c); !(d <= 0.6) {
						t.Fatalf("sample %d,%d of %v: %v, normal %v", x, y, rect, xz[2*i:2*i+2], n)
					}
				}
			}
		}
	})
	Normals8(nil, rough(t, 5, 5, 1, 1), image.Rectangle{})
}

// shadowed asks the field's ray, from a little above the sample.
func shadowed(f *terrain.Field, sun mgl64.Vec3, col, row int, lift float64) bool {
	ox, oz := f.Origin()
	s := f.Spacing()
	ray := geom.Ray{Origin: mgl64.Vec3{ox + float64(col)*s, float64(f.Sample(col, row)) + lift, oz + float64(row)*s}, Dir: sun}
	_, ok := f.Raycast(ray)
	return ok
}

func TestShadowsAreWhereTheSunIsHidden(t *testing.T) {
	f := rough(t, 150, 100, 2, 15)
	// A hole lets the sun through.
	d := f.Draft()
	flags := d.Flags(0, 0)
	for i := range flags {
		if i%3 == 0 {
			flags[i] = terrain.Hole
		}
	}
	holed, _ := d.Field()
	// Low ground and a few towers, so that rays pass over whole chunks.
	h := make([]float32, 300*200)
	for i := range h {
		h[i] = float32(i%7) / 8
		if x, z := i%300, i/300; x%97 < 3 && z%61 < 5 {
			h[i] = float32(40 + x/3)
		}
	}
	towers, err := terrain.FromHeights(300, 200, 2, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*terrain.Field{f, holed, towers} {
		cols, rows := f.Size()
		rapid.Check(t, func(t *rapid.T) {
			az := rapid.OneOf(rapid.Float64Range(0, 7), rapid.SampledFrom([]float64{0, math.Pi / 2, math.Pi, 3 * math.Pi / 2, math.Pi / 4, 5 * math.Pi / 4, 7 * math.Pi / 4})).Draw(t, "azimuth")
			if f == holed {
				// Along the edge of a hole either answer is right.
				az = 0.05 + 0.1*math.Floor(az*10)
			}
			el := rapid.Float64Range(0.02, 1.5).Draw(t, "elevation")
			sun := SunDirection(az, el)
			c, err := newCaster(context.Background(), f, sun)
			if err != nil {
				t.Fatal(err)
			}
			for row := rapid.IntRange(0, 3).Draw(t, "row"); row < rows; row += 4 {
				col := rapid.IntRange(0, cols-1).Draw(t, "col")
				got := c.hidden(col, row)
				// A ray just above and one just below decide, where they agree.
				// What leaves the terrain at once is lit, also where the field's rays,
				// which have some width, graze the rim.
				if c.dx > 0 && col == cols-1 || c.dx < 0 && col == 0 || c.dz > 0 && row == rows-1 || c.dz < 0 && row == 0 {
					if got {
						t.Fatalf("sample %d,%d on the rim is hidden from azimuth %g", col, row, az)
					}
					continue
				}
				low, high := shadowed(f, sun, col, row, 1e-7), shadowed(f, sun, col, row, 1e-4)
				if low == high && got != low {
					t.Fatalf("sample %d,%d, azimuth %g, elevation %g: hidden is %v, the ray says %v", col, row, az, el, got, low)
				}
			}
		})
	}
}

func TestBakeIsTheFormula(t *testing.T) {
	f := rough(t, 150, 100, 2, 15)
	sun := Sun{Azimuth: 2, Elevation: 0.5, Color: mgl64.Vec3{1, 0.8, 0.5}, Intensity: 0.9, Ambient: mgl64.Vec3{0.1, 0.15, 0.3}}
	for _, shadows := range []bool{false, true} {
		last := 0
		g, err := Bake(context.Background(), f, sun, Options{Shadows: shadows, Progress: func(done, total int) {
			if done != last+1 || total != 6 {
				t.Errorf("%d of %d after %d", done, total, last)
			}
			last = done
		}})
		if err != nil {
			t.Fatal(err)
		}
		if last != 6 {
			t.Errorf("progress ended at %d", last)
		}
		dir := SunDirection(sun.Azimuth, sun.Elevation)
		dark := 0
		for row := range 100 {
			for col := range 150 {
				cos := max(f.Normal(col, row).Dot(dir), 0)
				if shadows && shadowed(f, dir, col, row, 1e-5) {
					cos = 0
				}
				if cos == 0 {
					dark++
				}
				l := g.LightAt(col, row)
				for i, got := range [3]uint8{l.R, l.G, l.B} {
					want := SRGB(float32(sun.Ambient[i] + sun.Color[i]*sun.Intensity*cos))
					if d := int(got) - int(want); d < -1 || d > 1 {
						t.Fatalf("shadows %v, sample %d,%d: light %v, part %d should be %d", shadows, col, row, l, i, want)
					}
				}
			}
		}
		if dark == 0 || dark > 14000 {
			t.Errorf("shadows %v: %d samples are dark", shadows, dark)
		}
		for i, l := range g.Tile(2, 1).Light {
			if i%64 >= 150-128 && l != f.Tile(2, 1).Light[i] {
				t.Fatal("light beyond the field was written")
			}
		}
	}
}

func TestBakeKeepsOtherTiles(t *testing.T) {
	f := rough(t, 200, 200, 1, 10)
	sun := Sun{Elevation: 0.7, Color: mgl64.Vec3{1, 1, 1}, Intensity: 1}
	g, err := Bake(context.Background(), f, sun, Options{Tiles: []image.Point{{X: 1, Y: 2}}, Shadows: true})
	if err != nil {
		t.Fatal(err)
	}
	changes, _ := terrain.AppendChanges(nil, f, g)
	if len(changes) != 1 || changes[0] != (terrain.TileChange{X: 1, Y: 2, Planes: terrain.PlaneLight}) {
		t.Errorf("changes %v", changes)
	}
	// The same again changes nothing.
	h, err := Bake(context.Background(), g, sun, Options{Tiles: []image.Point{{X: 1, Y: 2}}, Shadows: true})
	if err != nil {
		t.Fatal(err)
	}
	if changes, _ := terrain.AppendChanges(nil, g, h); len(changes) != 0 {
		t.Errorf("baking again changed %v", changes)
	}
}

func TestSunBelowTheHorizonGivesNothing(t *testing.T) {
	f := rough(t, 70, 70, 1, 10)
	sun := Sun{Elevation: -0.1, Color: mgl64.Vec3{1, 1, 1}, Intensity: 1, Ambient: mgl64.Vec3{0.2, 0.2, 0.2}}
	g, err := Bake(context.Background(), f, sun, Options{Shadows: true})
	if err != nil {
		t.Fatal(err)
	}
	want := terrain.RGB{R: SRGB(0.2), G: SRGB(0.2), B: SRGB(0.2)}
	for i := range 70 {
		if l := g.LightAt(i, i); l != want {
			t.Fatalf("light %v, expected %v", l, want)
		}
	}
	sun.Elevation = math.Pi / 2
	if _, err := Bake(context.Background(), f, sun, Options{Shadows: true}); err != nil {
		t.Errorf("sun overhead: %v", err)
	}
}

func TestBakeErrors(t *testing.T) {
	f := rough(t, 70, 70, 1, 10)
	good := Sun{Elevation: 1, Color: mgl64.Vec3{1, 1, 1}, Intensity: 1}
	nan := math.NaN()
	for name, change := range map[string]func(*Sun){
		"azimuth":   func(s *Sun) { s.Azimuth = math.Inf(1) },
		"elevation": func(s *Sun) { s.Elevation = 2 },
		"intensity": func(s *Sun) { s.Intensity = -1 },
		"colour":    func(s *Sun) { s.Color[1] = nan },
		"ambient":   func(s *Sun) { s.Ambient[2] = 1.5 },
	} {
		s := good
		change(&s)
		if _, err := Bake(context.Background(), f, s, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Bake(context.Background(), f, good, Options{Tiles: []image.Point{{X: 2, Y: 0}}}); err == nil {
		t.Error("a tile off the grid: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Bake(ctx, rough(t, 500, 500, 1, 10), good, Options{Progress: func(done, total int) {
		calls++
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || calls > 8 {
		t.Errorf("after cancelling: %v, %d tiles", err, calls)
	}
}

func BenchmarkNormals8(b *testing.B) {
	f := rough(b, 1025, 1025, 1, 10)
	for _, r := range []int{8, 128, 500} {
		rect := image.Rect(512-r, 512-r, 513+r, 513+r)
		dst := make([]uint8, 3*rect.Dx()*rect.Dy())
		xz := make([]int16, 2*rect.Dx()*rect.Dy())
		b.Run("rgb8/"+image.Pt(rect.Dx(), rect.Dy()).String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Normals8(dst, f, rect)
			}
		})
		b.Run("xz16/"+image.Pt(rect.Dx(), rect.Dy()).String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NormalsXZ(xz, f, rect)
			}
		})
	}
}

func BenchmarkBake(b *testing.B) {
	f := rough(b, 1025, 1025, 1, 40)
	sun := Sun{Azimuth: 2, Elevation: 0.5, Color: mgl64.Vec3{1, 1, 1}, Intensity: 1}
	for _, shadows := range []bool{false, true} {
		name := "open"
		if shadows {
			name = "shadows"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Bake(context.Background(), f, sun, Options{Shadows: shadows}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
