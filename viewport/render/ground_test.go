package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
	"ridgeline/terrain/lod"
	"ridgeline/viewport/render/twin"
)

var (
	magenta    = color.NRGBA{255, 0, 255, 255}
	magentaSky = Sky{Zenith: magenta, Flat: true}
)

func grass(f *terrain.Field) World {
	return World{Field: f, Layers: []LayerTexture{{plain(color.NRGBA{96, 120, 64, 255}), 4}}, Sun: afternoon}
}

func update1(t testing.TB, r *Renderer, w World) {
	t.Helper()
	if err := r.Update(w); err != nil {
		t.Fatal(err)
	}
}

// Every program compiles, and a broken one says where.
func TestShaders(t *testing.T) {
	withGL(t, func(*Renderer) {
		all := append([]recipe{skyRecipe, lineRecipe, facetRecipe, edgeRecipe, ghostRecipe}, meshRecipes[:]...)
		all = append(all, impostorRecipes[:]...)
		for _, use := range objectRecipes {
			for _, r := range use {
				if r.vertex != "" {
					all = append(all, r)
				}
			}
		}
		for _, pair := range surfaceRecipes {
			all = append(all, pair[:]...)
		}
		for _, r := range all {
			p, err := ready(r)
			if err != nil {
				t.Error(err)
				continue
			}
			gl.DeleteProgram(p)
		}
		for _, bad := range []recipe{
			{groundVertex, "place.frag.glsl", []string{"HOLES", "discard nonsense"}},
			{screenVertex, "no.glsl", nil},
		} {
			if p, err := bad.build(); err == nil {
				t.Errorf("%v: no error", bad)
				gl.DeleteProgram(p)
			} else {
				t.Log(err)
			}
		}
	})
}

// A dab uploads the samples it changed and those whose normals it changed, and the
// picture is the same, bit for bit, as after uploading everything.
func TestDabUploads(t *testing.T) {
	f := hills(t, 700, 300, 1, 30, 0.5, 9)
	rng := rand.New(rand.NewPCG(1, 2))
	withGL(t, func(r *Renderer) {
		update1(t, r, manyLayers(f, 3))
		f = r.world.Field
		v, _ := above(f, 1, 1)
		shoot(t, r, 699, 299, &v)
		for round, at := range []image.Point{{300, 100}, {512, 150}, {64, 64}, {0, 0}, {690, 290}, {575, 191}} {
			d := f.Draft()
			rect := image.Rectangle{at, at.Add(image.Pt(9, 7))}.Intersect(f.Bounds())
			heights := round%3 != 1
			for y := rect.Min.Y; y < rect.Max.Y; y++ {
				for x := rect.Min.X; x < rect.Max.X; x++ {
					i := y%terrain.TileSize*terrain.TileSize + x%terrain.TileSize
					if heights {
						d.Heights(x/terrain.TileSize, y/terrain.TileSize)[i] += 5 + rng.Float32()
					}
					if round%3 != 0 {
						d.Splats(x/terrain.TileSize, y/terrain.TileSize)[i] = terrain.Splat{Over: 2, Alpha: uint8(1 + rng.IntN(254))}
						d.Light(x/terrain.TileSize, y/terrain.TileSize)[i] = terrain.RGB{R: uint8(rng.IntN(255))}
					}
				}
			}
			f, _ = d.Field()
			w := r.world
			w.Field = f
			update1(t, r, w)
			m, s := shoot(t, r, 699, 299, &v)
			// Each tile's part grows by a sample on every side, and the border of pages
			// stands in two.
			most := 0
			for ty := rect.Min.Y / 64; ty*64 < rect.Max.Y; ty++ {
				for tx := rect.Min.X / 64; tx*64 < rect.Max.X; tx++ {
					part := rect.Intersect(f.TileRect(tx, ty))
					if heights {
						part = part.Inset(-1).Intersect(f.Bounds())
					}
					for _, page := range r.ground.pages {
						in := part.Intersect(page.samples())
						for k := 0; k < pageLevels && !in.Empty(); k++ { // coarser levels
							most += (in.Dx()>>k + 2) * (in.Dy()>>k + 2)
						}
					}
				}
			}
			if s.UploadedBytes == 0 || s.UploadedBytes > most*texelBytes {
				t.Errorf("dab %d uploads %d bytes, expected up to %d", round, s.UploadedBytes, most*texelBytes)
			}
			fresh, err := New()
			if err != nil {
				t.Fatal(err)
			}
			update1(t, fresh, w)
			whole, _ := shoot(t, fresh, 699, 299, &v)
			fresh.Release()
			if share, worst, _ := compare(m, whole, 0); share > 0 {
				t.Errorf("dab %d: %.3f %% of the picture differ from one of a full upload, up to %d", round, share*100, worst)
			}
		}
		// The same world again costs nothing.
		update1(t, r, r.world)
		if _, s := shoot(t, r, 32, 18, &v); s.UploadedBytes != 0 {
			t.Errorf("an unchanged world uploads %d bytes", s.UploadedBytes)
		}
	})
}

// A level that stands 100 km away draws the same picture. No number here is one of
// float32, so that whoever takes a difference in float32 is off by millimetres,
// which show in a picture from a hand's breadth above the ground.
func TestFarOrigin(t *testing.T) {
	f := hills(t, 257, 257, 1, 40, 0.5, 11)
	ground, _ := f.Height(100.503, 20.137)
	for _, c := range []struct {
		name    string
		eye, at mgl64.Vec3
		near    float64
		ring    Ring
	}{
		{"all", mgl64.Vec3{100.503, 60.257, -20.137}, mgl64.Vec3{128, 10, 128}, 0.5, Ring{X: 128, Z: 90, Radius: 20}},
		{"close", mgl64.Vec3{100.503, ground + 0.15, 20.137}, mgl64.Vec3{100.503, ground, 20.137}, 0.01, Ring{X: 100.503, Z: 20.137, Radius: 0.05}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withGL(t, func(r *Renderer) {
				w := manyLayers(f, 3)
				update1(t, r, w)
				v := look(c.eye, c.at, 320, 180, c.near, 2000)
				v.Rings = []Ring{c.ring}
				v.Rings[0].Colour = color.NRGBA{255, 255, 255, 255}
				near, _ := shoot(t, r, 320, 180, &v)
				const dx, dz = 100_000.3, -131_072.57
				w = r.world
				w.Field = w.Field.WithOrigin(dx, dz)
				update1(t, r, w)
				v.Eye = v.Eye.Add(mgl64.Vec3{dx, 0, dz})
				v.Rings[0].X += dx
				v.Rings[0].Z += dz
				far, _ := shoot(t, r, 320, 180, &v)
				if share, worst, _ := compare(near, far, 1); share > 0.0005 {
					t.Errorf("%.3f %% of the pixels differ, up to %d: %s %s", share*100, worst, save(t, near, "-near"), save(t, far, "-far"))
				}
			})
		})
	}
}

// Shading does not depend on the mesh: seen from straight above, where no height
// moves a place, the finest and the coarsest mesh give the same colours.
func TestShadingDoesNotPop(t *testing.T) {
	f := hills(t, 257, 257, 1, 20, 0.6, 13)
	withGL(t, func(r *Renderer) {
		update1(t, r, manyLayers(f, 3))
		v, n := above(f, 256, 1)
		fine, s0 := shoot(t, r, n, n, &v)
		v.MaxError = 1e6
		coarse, s1 := shoot(t, r, n, n, &v)
		if s0.Levels[0] == 0 || s1.Levels[lod.MaxLevel] == 0 {
			t.Fatalf("levels %v and %v", s0.Levels, s1.Levels)
		}
		if share, worst, _ := compare(fine, coarse, 2); share > 0.002 {
			t.Errorf("%.2f %% of the pixels differ, up to %d: %s %s", share*100, worst, save(t, fine, "-fine"), save(t, coarse, "-coarse"))
		}
		lo, hi := spread(fine)
		if hi-lo < 40 {
			t.Errorf("the picture's greens are %d to %d, too even to prove anything", lo, hi)
		}
	})
}

func spread(m *image.NRGBA) (lo, hi uint8) {
	lo = 255
	for y := m.Rect.Dy() / 2; y < m.Rect.Dy(); y++ {
		for x := range m.Rect.Dx() {
			g := m.NRGBAAt(x, y).G
			lo, hi = min(lo, g), max(hi, g)
		}
	}
	return lo, hi
}

// Holes show the sky at every level of detail, exactly at their cells.
func TestHoles(t *testing.T) {
	f, err := terrain.Flat(130, 130, 1)
	if err != nil {
		t.Fatal(err)
	}
	open := []image.Point{{0, 0}, {5, 3}, {63, 63}, {64, 64}, {128, 128}, {70, 10}}
	d := f.Draft()
	for _, p := range open {
		d.Flags(p.X/64, p.Y/64)[p.Y%64*64+p.X%64] |= terrain.Hole
	}
	f, _ = d.Field()
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(f))
		v, n := above(f, 129, 4)
		v.Sky = magentaSky
		for _, e := range []float64{0, 1e6} {
			v.MaxError = e
			m, _ := shoot(t, r, n, n, &v)
			for y := range 129 {
				for x := range 129 {
					for _, o := range []image.Point{{1, 1}, {2, 2}, {1, 2}} {
						got := m.NRGBAAt(x*4+o.X, y*4+o.Y) == magenta
						if want := slices.Contains(open, image.Pt(x, y)); got != want {
							t.Fatalf("error %g: cell %d,%d is open: %v, expected %v", e, x, y, got, want)
						}
					}
				}
			}
		}
	})
}

// A ground of several pages, one of them never touched, has no seams: it is as
// bright on both sides of every border.
func TestPages(t *testing.T) {
	f, err := terrain.Flat(1100, 600, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	d.Heights(1, 1)[5] = 3
	f, _ = d.Field()
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(f))
		g := &r.ground
		if len(g.pages) != 6 || g.pages[0].texture == g.blank || g.pages[1].texture != g.blank {
			t.Fatalf("%d pages, blank %v", len(g.pages), g.blank)
		}
		v := look(mgl64.Vec3{505, 30, 480}, mgl64.Vec3{540, 0, 530}, 320, 180, 0.5, 3000)
		v.Sky = magentaSky
		m, _ := shoot(t, r, 320, 180, &v)
		for y := 100; y < 180; y++ {
			for x := range 320 {
				if d := int(m.NRGBAAt(x, y).G) - int(m.NRGBAAt(0, 100).G); d < -1 || d > 1 {
					t.Fatalf("pixel %d,%d is %v, others %v: %s", x, y, m.NRGBAAt(x, y), m.NRGBAAt(0, 100), save(t, m, ""))
				}
			}
		}
		// Touch the blank one across the border.
		d := f.Draft()
		d.Heights(8, 2)[0] = 2 // sample (512, 128)
		f2, _ := d.Field()
		update1(t, r, grass(f2))
		if g.pages[1].texture == g.blank {
			t.Error("a page that was touched is still blank")
		}
		fresh, err := New()
		if err != nil {
			t.Fatal(err)
		}
		defer fresh.Release()
		update1(t, fresh, grass(f2))
		v = look(mgl64.Vec3{505, 30, 80}, mgl64.Vec3{512, 0, 128}, 320, 180, 0.5, 3000)
		a, _ := shoot(t, r, 320, 180, &v)
		b, _ := shoot(t, fresh, 320, 180, &v)
		if share, _, _ := compare(a, b, 0); share > 0 {
			t.Errorf("%.3f %% differ from a full upload", share*100)
		}
	})
}

// More classes than the stencil can count are drawn in rounds, with the same
// picture.
func TestRounds(t *testing.T) {
	f := hills(t, 577, 577, 1, 30, 0.5, 17)
	f = paint(f, func(c, r int) (terrain.Splat, terrain.RGB) {
		chunk := c/64 + r/64*9
		return terrain.Splat{Base: uint8(chunk % 23), Over: uint8(chunk / 23), Alpha: 128}, terrain.RGB{R: 255, G: 255, B: 255}
	})
	w := World{Field: f, Sun: afternoon}
	for i := range 24 {
		w.Layers = append(w.Layers, LayerTexture{plain(color.NRGBA{uint8(10 * i), uint8(255 - 9*i), 100, 255}), 4})
	}
	withGL(t, func(r *Renderer) {
		update1(t, r, w)
		v, _ := above(f, 576, 1)
		r.atOnce = 20
		const n = 1152 // pixels, two a cell
		m, _ := shoot(t, r, n, n, &v)
		if len(r.classes) < 3*r.atOnce {
			t.Fatalf("only %d classes", len(r.classes))
		}
		dir, sun, ambient := w.Sun.light()
		layer := func(id uint8) twin.Colour {
			c := w.Layers[id].Pixels.NRGBAAt(0, 0)
			return twin.Linear(terrain.RGB{R: c.R, G: c.G, B: c.B})
		}
		bad := 0
		for y := 3; y < n; y += 11 {
			for x := 5; x < n; x += 11 {
				p, _ := twin.Find(f, (float64(x)+0.5)/2, (float64(y)+0.5)/2)
				want := twin.Encode(twin.Lit(twin.Blend(f, p, w.Sun.Baked, layer), twin.Normal(f, p), dir, wide(sun), wide(ambient)))
				if got := m.NRGBAAt(x, y); far(got.R, want.R) || far(got.G, want.G) || far(got.B, want.B) {
					bad++
				}
			}
		}
		if bad > 0 {
			t.Errorf("%d pixels are not what they should be: %s", bad, save(t, m, ""))
		}
		v = look(mgl64.Vec3{300, 35, -20}, mgl64.Vec3{320, 0, 300}, 320, 180, 0.5, 3000)
		r.atOnce = maxClasses
		few, _ := shoot(t, r, 320, 180, &v)
		r.atOnce = 5
		many, _ := shoot(t, r, 320, 180, &v)
		if share, worst, _ := compare(few, many, 0); share > 0 {
			t.Errorf("in many rounds %.2f %% of the picture differ, up to %d: %s", share*100, worst, save(t, many, "-many"))
		}
	})
}

// Draw allocates nothing once warm.
func TestDrawAllocatesNothing(t *testing.T) {
	f := hills(t, 321, 321, 1, 40, 0.5, 19)
	withGL(t, func(r *Renderer) {
		update1(t, r, manyLayers(f, 5))
		v := look(mgl64.Vec3{100, 60, -20}, mgl64.Vec3{128, 10, 128}, 64, 36, 0.5, 2000)
		v.Overlays = Wire | Bounds
		v.Rings = []Ring{{X: 128, Z: 90, Radius: 20, Inner: 10, Colour: color.NRGBA{255, 255, 255, 255}}}
		c := newCanvas(t, 64, 36)
		defer c.free()
		if n := testing.AllocsPerRun(20, func() {
			v.Eye[0] += 0.3
			if _, err := r.Draw(c.Target, &v); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("a frame allocates %g times", n)
		}
	})
}

// Views that cannot be drawn are errors, and leave no OpenGL error behind.
func TestBadViews(t *testing.T) {
	f := hills(t, 65, 65, 1, 10, 0.5, 19)
	withGL(t, func(r *Renderer) {
		c := newCanvas(t, 32, 18)
		defer c.free()
		good := look(mgl64.Vec3{10, 60, -20}, mgl64.Vec3{32, 0, 32}, 32, 18, 0.5, 2000)
		if _, err := r.Draw(c.Target, &good); err == nil {
			t.Error("drew without a world")
		}
		if err := r.Update(World{}); err == nil {
			t.Error("took a world without a field")
		}
		update1(t, r, grass(f))
		if err := r.Update(World{Field: f, Layers: make([]LayerTexture, MaxLayers+1)}); err == nil {
			t.Error("took too many layers")
		}
		for name, change := range map[string]func(v *View, t *Target){
			"NaN":        func(v *View, _ *Target) { v.ViewProj[3] = math.NaN() },
			"flat":       func(v *View, _ *Target) { v.ViewProj = mgl64.Mat4{} },
			"eye":        func(v *View, _ *Target) { v.Eye[2] = math.Inf(1) },
			"error":      func(v *View, _ *Target) { v.MaxError = math.NaN() },
			"style":      func(v *View, _ *Target) { v.Style = 200 },
			"size":       func(_ *View, t *Target) { t.Size.Y = 0 },
			"big":        func(_ *View, t *Target) { t.Size.X = 1 << 24 },
			"no buffers": func(_ *View, t *Target) { t.Framebuffer = 0 },
		} {
			v, target := good, c.Target
			change(&v, &target)
			if _, err := r.Draw(target, &v); err == nil {
				t.Errorf("%s: no error", name)
			}
			if e := gl.GetError(); e != 0 {
				t.Errorf("%s: OpenGL error 0x%x", name, e)
			}
		}
		if _, err := r.Draw(c.Target, &good); err != nil {
			t.Error(err)
		}
		for _, eye := range []mgl64.Vec3{{1e11, 0, 0}, {-1e9, 1e9, 5}, {32, 1e-3, 32}} {
			v := look(eye, mgl64.Vec3{32, 0, 31}, 32, 18, 0.5, 2000)
			if _, err := r.Draw(c.Target, &v); err != nil {
				t.Error(err)
			}
		}
	})
}

// Distant ground is near what it would be if every pixel looked at all the cells it
// covers. Without coarser levels the deviation is 0.14; some of it is the silhouettes'.
func TestDistantGround(t *testing.T) {
	f := hills(t, 1025, 1025, 1, 60, 0.5, 23)
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(f))
		v := look(mgl64.Vec3{512, 250, -300}, mgl64.Vec3{512, 0, 512}, 160, 90, 1, 5000)
		v.MaxError = 0.5
		m, _ := shoot(t, r, 160, 90, &v)
		const fine = 6
		big, _ := shoot(t, r, 160*fine, 90*fine, &v)
		var sum float64
		n := 0
		for y := 40; y < 90; y++ {
			for x := range 160 {
				var mean float64
				for dy := range fine {
					for dx := range fine {
						mean += float64(linearOf[big.NRGBAAt(x*fine+dx, y*fine+dy).G])
					}
				}
				mean /= fine * fine
				d := (float64(linearOf[m.NRGBAAt(x, y).G]) - mean) / mean
				sum += d * d
				n++
			}
		}
		rms := math.Sqrt(sum / float64(n))
		if !(rms < 0.12) {
			t.Errorf("pixels deviate by %.3f of what they should be: %s", rms, save(t, m, ""))
		}
	})
}
