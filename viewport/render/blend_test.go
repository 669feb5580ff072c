package render

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/terrain"
	"ridgeline/viewport/render/twin"
)

// above looks straight down on a field of cells×cells cells, pixels pixels each,
// without perspective: the upper left pixel is at the first sample.
func above(f *terrain.Field, cells, pixels int) (View, int) {
	x, z := f.Extent()
	ox, oz := f.Origin()
	m := mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, -1})
	p := mgl64.Ortho(-x/2, x/2, -z/2, z/2, -2000, 2000)
	return View{
		Eye: mgl64.Vec3{ox + x/2, 0, oz + z/2}, ViewProj: p.Mul4(m),
		Sky: Sky{Zenith: color.NRGBA{255, 0, 255, 255}, Flat: true},
	}, cells * pixels
}

// The test that the design states: ids 0 and 1 with the vertex diffuse 0x77ff0000
// give (t1·0.467 + t0·0.533)·red.
func TestVertexDiffuse(t *testing.T) {
	f, err := terrain.Flat(9, 9, 1)
	if err != nil {
		t.Fatal(err)
	}
	f = paint(f, func(c, r int) (terrain.Splat, terrain.RGB) {
		return terrain.Splat{Base: 0, Over: 1, Alpha: 0x77}, terrain.RGB{R: 0xff}
	})
	t0, t1 := color.NRGBA{0x40, 0xc0, 0x80, 255}, color.NRGBA{0xe0, 0x20, 0x90, 255}
	want := twin.Encode(twin.Colour{float64(linearOf[t1.R])*0.467 + float64(linearOf[t0.R])*0.533, 0, 0})
	withGL(t, func(r *Renderer) {
		if err := r.Update(World{Field: f, Layers: []LayerTexture{{plain(t0), 4}, {plain(t1), 4}}, Sun: Sun{Baked: true}}); err != nil {
			t.Fatal(err)
		}
		v, n := above(f, 8, 8)
		m, _ := shoot(t, r, n, n, &v)
		for y := range n {
			for x := range n {
				got := m.NRGBAAt(x, y)
				if d := int(got.R) - int(want.R); d < -1 || d > 1 || got.G != 0 || got.B != 0 {
					t.Fatalf("pixel %d,%d is %v, expected %v", x, y, got, want)
				}
			}
		}
	})
}

// The shader and its double agree on any splats, lights and heights, with every
// program.
func TestBlendTwin(t *testing.T) {
	colours := make([]color.NRGBA, 9)
	w := World{}
	for i := range colours {
		colours[i] = color.NRGBA{uint8(40 + 83*i%200), uint8(250 - 51*i%230), uint8(30 + 137*i%220), 255}
		w.Layers = append(w.Layers, LayerTexture{plain(colours[i]), float64(1 + i)})
	}
	layer := func(id uint8) twin.Colour {
		c := color.NRGBA{0x80, 0x80, 0x80, 255}
		if int(id) < len(colours) {
			c = colours[id]
		}
		return twin.Linear(terrain.RGB{R: c.R, G: c.G, B: c.B})
	}
	const cells, pixels = 5, 6
	seen := map[string]bool{}
	withGL(t, func(r *Renderer) {
		rapid.Check(t, func(rt *rapid.T) {
			heights := rapid.SliceOfN(rapid.Float32Range(-1, 1), (cells+1)*(cells+1), (cells+1)*(cells+1)).Draw(rt, "heights")
			f, err := terrain.FromHeights(cells+1, cells+1, 1, heights)
			if err != nil {
				rt.Fatal(err)
			}
			ids := rapid.SliceOfN(rapid.Uint8Range(0, 10), 1, 9).Draw(rt, "ids")
			id := rapid.SampledFrom(ids)
			weight := rapid.OneOf(rapid.Just(uint8(0)), rapid.Just(uint8(255)), rapid.Uint8())
			white := rapid.Bool().Draw(rt, "white")
			f = paint(f, func(c, row int) (terrain.Splat, terrain.RGB) {
				l := terrain.RGB{R: 255, G: 255, B: 255}
				if !white {
					l = terrain.RGB{R: rapid.Uint8().Draw(rt, "r"), G: rapid.Uint8().Draw(rt, "g"), B: rapid.Uint8().Draw(rt, "b")}
				}
				return terrain.Splat{Base: id.Draw(rt, "base"), Over: id.Draw(rt, "over"), Third: id.Draw(rt, "third"),
					Alpha: weight.Draw(rt, "α"), Alpha2: weight.Draw(rt, "α2")}, l
			})
			if rapid.Bool().Draw(rt, "hole") {
				d := f.Draft()
				d.Flags(0, 0)[rapid.IntRange(0, cells-1).Draw(rt, "x")+terrain.TileSize*rapid.IntRange(0, cells-1).Draw(rt, "y")] |= terrain.Hole
				f, _ = d.Field()
			}
			w.Field = f
			w.Sun = Sun{Direction: mgl64.Vec3{rapid.Float64Range(-1, 1).Draw(rt, "sun x"), 0.7, rapid.Float64Range(-1, 1).Draw(rt, "sun z")},
				Light: mgl32.Vec3{0.6, 0.5, 0.4}, Ambient: mgl32.Vec3{0.2, 0.3, 0.4}, Baked: rapid.Bool().Draw(rt, "baked")}
			if err := r.Update(w); err != nil {
				rt.Fatal(err)
			}
			v, n := above(f, cells, pixels)
			m, _ := shoot(t, r, n, n, &v)
			for _, c := range r.classes {
				l := r.items[c.first].material
				seen[fmt.Sprint(l.surface, l.flags, l.holes)] = true
			}
			dir, sun, ambient := w.Sun.light()
			for y := range n {
				for x := range n {
					wx, wz := (float64(x)+0.5)/pixels, (float64(y)+0.5)/pixels
					p, _ := twin.Find(f, wx, wz)
					want := twin.Encode(twin.Lit(twin.Blend(f, p, w.Sun.Baked, layer), twin.Normal(f, p), dir, wide(sun), wide(ambient)))
					got := m.NRGBAAt(x, y)
					if f.IsHole(p.Cell.X, p.Cell.Y) {
						if got != (color.NRGBA{255, 0, 255, 255}) {
							rt.Fatalf("pixel %d,%d is %v, expected a hole", x, y, got)
						}
						continue
					}
					if far(got.R, want.R) || far(got.G, want.G) || far(got.B, want.B) {
						rt.Fatalf("pixel %d,%d is %v, expected %v", x, y, got, want)
					}
				}
			}
		})
	})
	if len(seen) < 8 {
		t.Errorf("only %d kinds of surface were tried: %v", len(seen), seen)
	}
}

// far allows for rounding: textures are filtered in eight bits and dark sRGB has
// steep steps.
func far(a, b uint8) bool {
	d := int(a) - int(b)
	return !(d >= -2 && d <= 2)
}

// Textures stand where they should: a texture of four colours, one metre to a
// quarter, seen from straight above.
func TestTexturePlace(t *testing.T) {
	quarters := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	colours := [2][2]color.NRGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 0, 255}}}
	for y := range 2 {
		for x := range 2 {
			quarters.SetNRGBA(x, y, colours[y][x])
		}
	}
	f, err := terrain.Flat(9, 9, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, origin := range []float64{0, 100_000.3} {
		withGL(t, func(r *Renderer) {
			f := f.WithOrigin(origin, -origin)
			if err := r.Update(World{Field: f, Layers: []LayerTexture{{quarters, 2}}, Sun: Sun{Baked: true}}); err != nil {
				t.Fatal(err)
			}
			v, n := above(f, 8, 8)
			m, _ := shoot(t, r, n, n, &v)
			for y := range 8 {
				for x := range 8 {
					// The middle of a texel is the middle of a metre.
					if got, want := m.NRGBAAt(x*8+4, y*8+4), colours[y%2][x%2]; far(got.R/40, want.R/40) || far(got.G/40, want.G/40) || far(got.B/40, want.B/40) {
						t.Errorf("metre %d,%d is %v, expected %v", x, y, got, want)
					}
				}
			}
		})
	}
}
