package render

import (
	"image/color"
	"math"
	"os"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// Colours of the tests that remove things, as an inspector may have them.
var (
	ghostRed    = color.NRGBA{255, 90, 70, 140}
	ghostBlue   = color.NRGBA{80, 160, 255, 140}
	ghostYellow = color.NRGBA{255, 210, 60, 140}
)

// ghostYard shows ghosts behind a wall and a hill, beside them, and before all.
func (y *yard) ghostYard(v *View) {
	v.Instances = []Instance{
		{Model: y.crate, World: stand(1, 0, 0, 0.4).Mul4(mgl64.Scale3D(2, 1.2, 0.4))},
		{Model: y.tree, World: stand(9, 0, -3, 0)},
	}
	v.Ghosts = []Ghost{
		{Model: y.crate, World: stand(1, 0, -4, 0.2), Colour: ghostRed},
		{Model: y.crate, World: stand(3, 0, -4, 0.2).Mul4(mgl64.Scale3D(-1, 1.4, 1)), Colour: ghostBlue},
		{Model: y.tree, World: stand(-7, 0, -5, 0), Colour: ghostYellow},
		{Model: y.fence, World: stand(6, 0, 3, 0.4), Colour: ghostYellow},
		{Model: y.glass, World: stand(-2.5, 0, 5, 0.4), Colour: ghostRed},
		{Model: y.tree, World: stand(-9, 0, 3, 0), Colour: ghostBlue},
	}
}

// ghostValley leaves out the chunks of a quarter and some more, and shows them as ghosts.
func ghostValley(f *terrain.Field, v *View) {
	cols, rows := f.ChunkGrid()
	v.Chunks = lod.NewMask(f)
	for i := range cols * rows {
		x, y := i%cols, i/cols
		switch {
		case x >= 4:
			v.GhostChunks = append(v.GhostChunks, GhostChunk{i, ghostRed})
		case y == 3 && x > 0:
			v.GhostChunks = append(v.GhostChunks, GhostChunk{i, ghostBlue})
		default:
			v.Chunks.Set(i)
		}
	}
}

func heatValley(v *View) {
	h := &HeatMap{Min: mgl64.Vec2{60, 15}, Max: mgl64.Vec2{700, 560}, Cols: 24, Rows: 18}
	for y := range h.Rows {
		for x := range h.Cols {
			n := float32(0.5 + 0.5*math.Sin(float64(x)/4)*math.Cos(float64(y)/3))
			if x > 9 && x < 14 && y > 8 && y < 12 {
				n = float32(math.NaN())
			}
			h.Values = append(h.Values, n)
		}
	}
	v.HeatMap = h
}

func valleyView(w, h int) View {
	return look(mgl64.Vec3{300, 95, 30}, mgl64.Vec3{380, 20, 320}, w, h, 0.5, 3000)
}

func TestGoldenOverlays(t *testing.T) {
	y, w := newYard(t), valley(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		v := yardView(320, 180)
		y.ghostYard(&v)
		golden(t, r, "ghosts", 320, 180, &v)

		update1(t, r, w)
		v = valleyView(320, 180)
		ghostValley(w.Field, &v)
		golden(t, r, "chunks", 320, 180, &v)

		v = valleyView(320, 180)
		heatValley(&v)
		golden(t, r, "heat", 320, 180, &v)
	})
}

// TestLookOverlays writes big pictures for looking at, where RIDGELINE_LOOK names a folder.
func TestLookOverlays(t *testing.T) {
	if os.Getenv("RIDGELINE_LOOK") == "" {
		t.Skip("RIDGELINE_LOOK names no folder")
	}
	y, w := newYard(t), valley(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		v := yardView(960, 540)
		y.ghostYard(&v)
		m, _ := shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, "-ghosts"))
		update1(t, r, w)
		v = valleyView(960, 540)
		ghostValley(w.Field, &v)
		m, _ = shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, "-chunks"))
		v = valleyView(960, 540)
		heatValley(&v)
		m, _ = shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, "-heat"))
	})
}

// A pixel of a ghost is its tint mixed into the picture, as much as its opacity says, less
// where it is hidden; the nearest ghost counts, in any order, and once.
func TestGhostColours(t *testing.T) {
	box := build("box", matter(color.NRGBA{255, 255, 255, 255})).box(0, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}).done(t)
	wall := matter(color.NRGBA{120, 120, 120, 255})
	wall.Unlit, wall.DoubleSided = true, true
	screen := build("wall", wall).quad(0, mgl32.Vec3{-50, -50, 0}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 100, 0}).done(t)
	f, err := terrain.Flat(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	mix := func(tint color.NRGBA, much float64) color.NRGBA {
		var c [3]uint8
		for i, k := range [3]uint8{tint.R, tint.G, tint.B} {
			a := much * float64(tint.A) / 255
			c[i] = encode8(float64(linearOf[k])*a + float64(linearOf[120])*(1-a))
		}
		return color.NRGBA{c[0], c[1], c[2], 255}
	}
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(f.WithOrigin(500, 500)))
		v := look(mgl64.Vec3{0, 0, 20}, mgl64.Vec3{}, 33, 33, 0.5, 300)
		v.Sky = magentaSky
		v.Instances = []Instance{{Model: screen, World: mgl64.Ident4()}}
		at := func(z float64, c color.NRGBA) Ghost {
			return Ghost{Model: box, World: mgl64.Translate3D(0, 0, z).Mul4(mgl64.Scale3D(4, 4, 1)), Colour: c}
		}
		for name, c := range map[string]struct {
			ghosts []Ghost
			want   color.NRGBA
		}{
			"before":        {[]Ghost{at(5, ghostRed)}, mix(ghostRed, 1)},
			"behind":        {[]Ghost{at(-5, ghostRed)}, mix(ghostRed, ghostHidden)},
			"nearest first": {[]Ghost{at(7, ghostBlue), at(4, ghostRed)}, mix(ghostBlue, 1)},
			"nearest last":  {[]Ghost{at(4, ghostRed), at(7, ghostBlue)}, mix(ghostBlue, 1)},
			"both sides":    {[]Ghost{at(-4, ghostRed), at(7, ghostBlue)}, mix(ghostBlue, 1)},
			"many":          {[]Ghost{at(5, ghostRed), at(5, ghostRed), at(3, ghostRed)}, mix(ghostRed, 1)},
			"none":          {nil, mix(ghostRed, 0)},
		} {
			v.Ghosts = c.ghosts
			m, s := shoot(t, r, 33, 33, &v)
			got := m.NRGBAAt(16, 16)
			if far(got.R, c.want.R) || far(got.G, c.want.G) || far(got.B, c.want.B) {
				t.Errorf("%s: %v, expected %v", name, got, c.want)
			}
			if s.Instances != 1 || s.InstanceTriangles != 2 {
				t.Errorf("%s: ghosts count as %d instances, %d triangles", name, s.Instances-1, s.InstanceTriangles-2)
			}
			if got := m.NRGBAAt(1, 1); got != mix(ghostRed, 0) {
				t.Errorf("%s: beside it %v", name, got)
			}
		}
	})
}

// A box in the place of a small ghost stands where the ghost does, under any matrix.
func TestSmallGhosts(t *testing.T) {
	y := newYard(t)
	model := build("block", matter(color.NRGBA{255, 255, 255, 255})).box(0, mgl32.Vec3{-3, 1, 2}, mgl32.Vec3{5, 2, 4}).done(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		shot := func(scale, away float64) (n, x0, y0, x1, y1 int) {
			v := look(mgl64.Vec3{0, 2000, away}, mgl64.Vec3{0, 2000, 0}, 320, 180, 0.5, 3000)
			v.Sky = magentaSky
			v.Ghosts = []Ghost{{Model: model, World: stand(1, 2000, 0, 0.7).Mul4(mgl64.Scale3D(-scale, scale, 2*scale)), Colour: color.NRGBA{0, 255, 0, 255}}}
			m, _ := shoot(t, r, 320, 180, &v)
			x0, y0 = 1000, 1000
			for y := range 180 {
				for x := range 320 {
					if m.NRGBAAt(x, y) != magenta {
						n++
						x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
					}
				}
			}
			if boxed := r.objects.ghosts[0].body.model != model; boxed != (away > 100) {
				t.Errorf("from %g metres a box is drawn: %v", away, boxed)
			}
			return n, x0, y0, x1, y1
		}
		// From twice as far, all is half as big.
		n, x0, y0, x1, y1 := shot(1, 65)
		m, u0, v0, u1, v1 := shot(1, 130)
		near := func(a, b int) bool { return max(a-2*b, 2*b-a) <= 3 }
		if n < 30 || max(n-4*m, 4*m-n) > n/2 || !near(x0-160, u0-160) || !near(y0-90, v0-90) || !near(x1-160, u1-160) || !near(y1-90, v1-90) {
			t.Errorf("the model covers %d pixels, %d to %d by %d to %d; its box %d, %d to %d by %d to %d", n, x0, x1, y0, y1, m, u0, u1, v0, v1)
		}
	})
}

func encode8(v float64) uint8 {
	if v <= 0.0031308 {
		return uint8(255*12.92*v + 0.5)
	}
	return uint8(255*(1.055*math.Pow(v, 1/2.4)-0.055) + 0.5)
}

// A heat map mixes the colour of each value into the ground below its place, and into
// nothing else.
func TestHeatColours(t *testing.T) {
	f, err := terrain.Flat(65, 65, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 256; i++ { // as light as rising, so that it can be read without colours
		a, b := oklab(heatColours[i-1]), oklab(heatColours[i])
		if d := b[0] - a[0]; d < 0 || d > 0.008 {
			t.Errorf("colours %d and %d are %v and %v", i-1, i, heatColours[i-1], heatColours[i])
		}
	}
	withGL(t, func(r *Renderer) {
		box := build("box", matter(color.NRGBA{255, 255, 255, 255})).box(0, mgl32.Vec3{0, 0, 0}, mgl32.Vec3{2, 2, 2}).done(t)
		for _, origin := range []mgl64.Vec2{{}, {100_000.25, -70_000.5}} {
			w := grass(f.WithOrigin(origin[0], origin[1]))
			w.Models = []*mesh.Model{box}
			update1(t, r, w)
			v, n := above(w.Field, 64, 6)
			h := &HeatMap{Min: origin.Add(mgl64.Vec2{16, 8}), Max: origin.Add(mgl64.Vec2{48, 56}), Cols: 4, Rows: 3}
			for i := range 12 {
				h.Values = append(h.Values, float32(i)/11)
			}
			h.Values[6] = float32(math.NaN())
			v.Instances = []Instance{{Model: box, World: mgl64.Translate3D(origin[0]+19, 0, origin[1]+15)}}
			plain, _ := shoot(t, r, n, n, &v)
			v.HeatMap = h
			m, _ := shoot(t, r, n, n, &v)
			pixel := func(x, z float64) (was, is color.NRGBA) {
				px, py := int(x/64*float64(n)), int(z/64*float64(n))
				return plain.NRGBAAt(px, py), m.NRGBAAt(px, py)
			}
			for i, value := range h.Values {
				was, is := pixel(16+8*(float64(i%4)+0.5), 8+16*(float64(i/4)+0.5))
				want := was
				if c := HeatColour(value); c.A > 0 && i != 0 {
					mixed := func(a, b uint8) uint8 {
						return encode8(float64(linearOf[a])*(1-heatDensity) + float64(linearOf[b])*heatDensity)
					}
					want = color.NRGBA{mixed(was.R, c.R), mixed(was.G, c.G), mixed(was.B, c.B), 255}
				}
				if d := max(diff(is.R, want.R), diff(is.G, want.G), diff(is.B, want.B)); d > 3 {
					t.Errorf("value %d, %g: %v, expected %v", i, value, is, want)
				}
			}
			for _, p := range [][2]float64{{15.5, 30}, {48.5, 30}, {30, 7.5}, {30, 56.5}} {
				if was, is := pixel(p[0], p[1]); was != is {
					t.Errorf("outside, at %v, %v became %v", p, was, is)
				}
			}
		}
	})
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// Overlays are the same 100 km away, allocate nothing once warm, and what cannot be drawn
// is an error.
func TestOverlaysElsewhere(t *testing.T) {
	y, w := newYard(t), valley(t)
	const dx, dz = 100_000.3, -131_072.57
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		v := yardView(320, 180)
		y.ghostYard(&v)
		near, _ := shoot(t, r, 320, 180, &v)
		moved := y.world
		moved.Field = moved.Field.WithOrigin(dx-32, dz-32)
		update1(t, r, moved)
		v.Eye = v.Eye.Add(mgl64.Vec3{dx, 0, dz})
		for i := range v.Instances {
			v.Instances[i].World = mgl64.Translate3D(dx, 0, dz).Mul4(v.Instances[i].World)
		}
		for i := range v.Ghosts {
			v.Ghosts[i].World = mgl64.Translate3D(dx, 0, dz).Mul4(v.Ghosts[i].World)
		}
		there, _ := shoot(t, r, 320, 180, &v)
		if share, worst, _ := compare(near, there, 2); share > 0.0005 {
			t.Errorf("ghosts: %.3f %% of the pixels differ, up to %d", share*100, worst)
		}

		update1(t, r, w)
		shots := func(o mgl64.Vec3) {
			v = valleyView(320, 180)
			ghostValley(w.Field, &v)
			heatValley(&v)
			v.Eye = v.Eye.Add(o)
			v.HeatMap.Min, v.HeatMap.Max = v.HeatMap.Min.Add(mgl64.Vec2{o[0], o[2]}), v.HeatMap.Max.Add(mgl64.Vec2{o[0], o[2]})
		}
		shots(mgl64.Vec3{})
		near, _ = shoot(t, r, 320, 180, &v)
		// By whole cells, and pictures of the ground too.
		far := mgl64.Vec3{120_000, 0, -132_000}
		moved = w
		moved.Field = w.Field.WithOrigin(far[0], far[2])
		update1(t, r, moved)
		shots(far)
		there, _ = shoot(t, r, 320, 180, &v)
		if share, worst, _ := compare(near, there, 2); share > 0.0005 {
			t.Errorf("ground: %.3f %% of the pixels differ, up to %d", share*100, worst)
		}

		c := newCanvas(t, 64, 36)
		defer c.free()
		v.Ghosts = []Ghost{{Model: y.tree, World: stand(far[0]+330, 20, far[2]+150, 0), Colour: ghostRed}}
		draw := func() error { _, err := r.Draw(c.Target, &v); return err }
		if err := draw(); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(20, func() {
			v.Eye[0] += 0.3
			if err := draw(); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("a frame allocates %g times", n)
		}
		good := v
		for name, change := range map[string]func(v *View){
			"chunk":        func(v *View) { v.GhostChunks = []GhostChunk{{Chunk: 30}} },
			"chunk before": func(v *View) { v.GhostChunks = []GhostChunk{{Chunk: -1}} },
			"no model":     func(v *View) { v.Ghosts = []Ghost{{}} },
			"nowhere":      func(v *View) { v.Ghosts = []Ghost{{Model: y.tree, World: mgl64.Translate3D(math.Inf(1), 0, 0)}} },
			"empty map":    func(v *View) { v.HeatMap = &HeatMap{Max: mgl64.Vec2{1, 1}} },
			"values": func(v *View) {
				v.HeatMap = &HeatMap{Max: mgl64.Vec2{1, 1}, Cols: 2, Rows: 2, Values: make([]float32, 3)}
			},
			"corners": func(v *View) {
				v.HeatMap = &HeatMap{Max: mgl64.Vec2{1, 0}, Cols: 1, Rows: 1, Values: make([]float32, 1)}
			},
			"NaN corner": func(v *View) {
				v.HeatMap = &HeatMap{Max: mgl64.Vec2{math.NaN(), 1}, Cols: 1, Rows: 1, Values: make([]float32, 1)}
			},
		} {
			v = good
			change(&v)
			if draw() == nil {
				t.Errorf("%s: no error", name)
			}
			if e := gl.GetError(); e != 0 {
				t.Errorf("%s: OpenGL error 0x%x", name, e)
			}
		}
	})
}
