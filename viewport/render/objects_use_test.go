package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// extent is the rectangle of the pixels that are not the sky, and their mean colour.
func extent(m *image.NRGBA) (box image.Rectangle, mean [3]float64) {
	n := 0.0
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if c := m.NRGBAAt(x, y); c != magenta {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				n++
				mean[0], mean[1], mean[2] = mean[0]+float64(c.R), mean[1]+float64(c.G), mean[2]+float64(c.B)
			}
		}
	}
	for k := range mean {
		mean[k] /= max(n, 1)
	}
	return box, mean
}

// A picture that stands in for a model is where the model was, as big and as bright, from
// all around and under any matrix, and is painted once.
func TestBillboards(t *testing.T) {
	y := newYard(t)
	rng := rand.New(rand.NewPCG(11, 2))
	withGL(t, func(r *Renderer) {
		w := y.world
		w.Sun.Baked = true
		update1(t, r, w)
		for round := range 24 {
			yaw := 2 * math.Pi * float64(round) / 16
			world := stand(5, 60, 3, 7*rng.Float64()).Mul4(mgl64.Scale3D(1+rng.Float64(), 1+rng.Float64(), 1+rng.Float64()))
			if round%2 == 1 {
				world = world.Mul4(mgl64.Scale3D(-1, 1, 1))
			}
			if round >= 16 {
				world = world.Mul4(mgl64.HomogRotate3DX(0.3))
			}
			at := mgl64.TransformCoordinate(mgl64.Vec3{0, 2.5, 0}, world)
			sin, cos := math.Sincos(yaw)
			v := look(at.Add(mgl64.Vec3{60 * sin, 3, 60 * cos}), at, 720, 720, 1, 200)
			v.Sky, v.Chunks = magentaSky, lod.NewMask(w.Field)
			v.Instances = []Instance{{Model: y.tree, World: world}}
			model, s0 := shoot(t, r, 720, 720, &v)
			v.Instances[0].Billboard = 40
			picture, s1 := shoot(t, r, 720, 720, &v)
			v.Instances[0].Billboard = 90
			again, s2 := shoot(t, r, 720, 720, &v)
			if s0.Billboards != 0 || s1.Billboards != 1 || s2.Billboards != 0 || s1.InstanceTriangles != 2 {
				t.Fatalf("%d, %d and %d pictures", s0.Billboards, s1.Billboards, s2.Billboards)
			}
			if share, _, _ := compare(model, again, 0); share > 0 {
				t.Error("near enough, the model is not itself")
			}
			a, ca := extent(model)
			b, cb := extent(picture)
			for _, d := range []int{a.Min.Y - b.Min.Y, a.Max.Y - b.Max.Y} {
				if d < -2 || d > 2 {
					t.Errorf("round %d: the model covers %v, its picture %v: %s %s", round, a, b, save(t, model, "-model"), save(t, picture, "-picture"))
				}
			}
			// From between the eight views the second ball may stand out less or more.
			if d := a.Dx() - b.Dx(); d < -10 || d > 10 {
				t.Errorf("round %d: the model is %d pixels wide, its picture %d", round, a.Dx(), b.Dx())
			}
			for k := range ca {
				if math.Abs(ca[k]-cb[k]) > 12 {
					t.Errorf("round %d: the model's mean is %.0f, its picture's %.0f: %s %s", round, ca, cb, save(t, model, "-model"), save(t, picture, "-picture"))
					break
				}
			}
		}
		was := r.bodies.of[y.tree].impostor
		update1(t, r, w)
		v := yardView(32, 18)
		v.Instances = []Instance{{Model: y.tree, World: mgl64.Ident4(), Billboard: 1}}
		shoot(t, r, 32, 18, &v)
		if now := r.bodies.of[y.tree].impostor; now == nil || now != was {
			t.Error("the pictures were painted again")
		}
		// From above, and in views without perspective, there is something as well.
		for _, eye := range []mgl64.Vec3{{0.01, 60, 0}, {0, 0, 60}} {
			m := mgl64.LookAtV(mgl64.Vec3{}, eye.Mul(-1), mgl64.Vec3{0, 0.1, -1})
			if eye[1] == 0 {
				m = mgl64.LookAtV(mgl64.Vec3{}, eye.Mul(-1), mgl64.Vec3{0, 1, 0})
			}
			v := View{Eye: eye.Add(mgl64.Vec3{0, 2, 0}), ViewProj: mgl64.Ortho(-6, 6, -6, 6, 1, 100).Mul4(m), Sky: magentaSky, Chunks: lod.NewMask(w.Field)}
			v.Instances = []Instance{{Model: y.tree, World: mgl64.Ident4()}}
			model, _ := shoot(t, r, 128, 128, &v)
			v.Instances[0].Billboard = 10
			picture, s := shoot(t, r, 128, 128, &v)
			a, _ := extent(model)
			b, _ := extent(picture)
			if s.Billboards != 1 || !b.In(a.Inset(-2)) || !a.In(b.Inset(-2)) {
				t.Errorf("from %v the model covers %v, its picture %v: %s", eye, a, b, save(t, picture, "-ortho"))
			}
			v.Instances[0].Billboard = 11 // 12 m are seen, as from 10.4 m away
			if _, s := shoot(t, r, 128, 128, &v); s.Billboards != 0 {
				t.Errorf("from %v a picture stands in for what seems near", eye)
			}
		}
	})
}

// The outline runs around a box, outside it, two pixels wide, and is fainter where the
// box is hidden.
func TestOutlines(t *testing.T) {
	f, err := terrain.Flat(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	black := matter(color.NRGBA{0, 0, 0, 255})
	pane := build("pane", black).quad(0, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}).done(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, World{Field: f, Models: []*mesh.Model{pane}})
		for _, scale := range []float32{1, 2} {
			v := look(mgl64.Vec3{0, 50, 2 * math.Sqrt(3)}, mgl64.Vec3{0, 50, 0}, 64, 64, 0.1, 100)
			v.Sky = Sky{Zenith: color.NRGBA{0, 0, 0, 255}, Flat: true}
			v.Accent = color.NRGBA{255, 255, 255, 255}
			v.Instances = []Instance{{Model: pane, World: stand(0, 50, 0, 0), Outline: Selected}}
			c := newCanvas(t, 64, 64)
			defer c.free()
			c.Scale = scale
			shot := func() *image.NRGBA {
				st, err := r.Draw(c.Target, &v)
				if err != nil {
					t.Fatal(err)
				}
				// What is outlined counts once.
				if n := len(v.Instances); st.Instances != n || st.InstanceTriangles != 2*n {
					t.Errorf("scale %g: %d instances and %d triangles were drawn", scale, st.Instances, st.InstanceTriangles)
				}
				return c.picture()
			}
			m := shot()
			for x := range 64 { // the pane covers 16…47
				d := max(16-x, x-47)
				want := d >= 1 && d <= int(2*scale)
				if got := m.NRGBAAt(x, 32).G; want && got != 255 || !want && got != 0 && d != int(2*scale)+1 {
					t.Errorf("scale %g: pixel %d is %d", scale, x, got)
				}
			}
			// Behind another pane its left half is hidden.
			v.Instances = append(v.Instances, Instance{Model: pane, World: stand(-0.3, 50, 2.6, 0).Mul4(mgl64.Scale3D(0.3, 0.3, 1))})
			half := shot()
			full, faint := half.NRGBAAt(48, 32).G, half.NRGBAAt(15, 32).G
			if full != 255 || !(faint > 60 && faint < 200) {
				t.Errorf("scale %g: the outline is %d where it is seen, %d where it is hidden: %s", scale, full, faint, save(t, half, ""))
			}
			// Hovered ones are weaker, and none has none.
			v.Instances = v.Instances[:1]
			v.Instances[0].Outline = Hovered
			if got := shot().NRGBAAt(15, 32).G; !(got > 100 && got < 255) {
				t.Errorf("scale %g: hovered it is %d", scale, got)
			}
			v.Instances[0].Outline = NoOutline
			if got := shot().NRGBAAt(15, 32).G; got != 0 {
				t.Errorf("scale %g: without an outline it is %d", scale, got)
			}
		}
	})
}

// An outline knows nothing of what was outlined beside it in the picture before.
func TestOutlinesForgetThoseBefore(t *testing.T) {
	f, err := terrain.Flat(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	pane := build("pane", matter(color.NRGBA{0, 0, 0, 255})).quad(0, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}).done(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, World{Field: f, Models: []*mesh.Model{pane}})
		v := look(mgl64.Vec3{0, 50, 2 * math.Sqrt(3)}, mgl64.Vec3{0, 50, 0}, 64, 64, 0.1, 100)
		v.Sky = Sky{Zenith: color.NRGBA{0, 0, 0, 255}, Flat: true}
		v.Accent = color.NRGBA{255, 255, 255, 255}
		for end := 6; end < 16; end++ { // the small pane covers 8 pixels up to there
			v.Instances = []Instance{{Model: pane, World: stand(0, 50, 0, 0), Outline: Selected}} // covers 16…47
			shoot(t, r, 64, 64, &v)
			small := stand(float64(end-4-32)/16, 50, 0, 0).Mul4(mgl64.Scale3D(0.25, 0.25, 1))
			v.Instances = []Instance{{Model: pane, World: small, Outline: Selected}}
			m, _ := shoot(t, r, 64, 64, &v)
			if got := m.NRGBAAt(end, 32).G; got != 255 {
				t.Errorf("beside the pane that ends before pixel %d, the outline is %d", end, got)
			}
			for x := end + 3; x < 64; x++ {
				if got := m.NRGBAAt(x, 32).G; got != 0 {
					t.Errorf("beside the pane that ends before pixel %d, pixel %d is %d, though it has no outline: %s", end, x, got, save(t, m, ""))
				}
			}
		}
	})
}

// Once warm, frames with all kinds of objects and shapes allocate nothing.
func TestObjectsAllocateNothing(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		v := yardView(64, 36)
		for name, change := range y.scenes() {
			if name == "shapes" {
				change(&v)
			}
		}
		for name, change := range y.scenes() {
			if name != "shapes" {
				var u View
				change(&u)
				v.Instances = append(v.Instances, u.Instances...)
			}
		}
		v.Instances = append(v.Instances, Instance{Model: y.crate, World: stand(3, 0, 3, 1), Subset: &Subset{y.crate.Indices, y.crate.Parts}})
		c := newCanvas(t, 64, 36)
		defer c.free()
		if n := testing.AllocsPerRun(20, func() {
			v.Eye[0] += 0.03
			if _, err := r.Draw(c.Target, &v); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("a frame allocates %g times", n)
		}
	})
}

// What cannot be drawn is an error that names it, and leaves no OpenGL error behind.
func TestBadInstances(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		c := newCanvas(t, 32, 18)
		defer c.free()
		broken := *y.crate
		broken.Indices = append([]uint32{5000}, broken.Indices[1:]...)
		w := y.world
		w.Models = []*mesh.Model{y.crate, crate(t), &broken}
		if err := r.Update(w); err == nil {
			t.Error("took a model with an index that is not there")
		}
		if n := len(r.bodies.of); n != len(y.world.Models) {
			t.Errorf("after an error there are %d models", n)
		}
		w.Models = []*mesh.Model{nil}
		if err := r.Update(w); err == nil {
			t.Error("took no model")
		}
		nan := mgl64.Ident4()
		nan[5] = math.NaN()
		inf := mgl64.Ident4()
		inf[12], inf[13] = math.Inf(1), math.Inf(-1)
		mask := lod.NewMask(y.world.Field)
		for name, change := range map[string]func(v *View){
			"none":     func(v *View) { v.Instances[1].Model = nil },
			"broken":   func(v *View) { v.Instances[1].Model = &broken },
			"NaN":      func(v *View) { v.Instances[1].World = nan },
			"Inf":      func(v *View) { v.Instances[1].World = inf },
			"part":     func(v *View) { v.Instances[1].Subset = &Subset{nil, []mesh.Part{{Count: 3}}} },
			"negative": func(v *View) { v.Instances[1].Subset = &Subset{make([]uint32, 9), []mesh.Part{{First: -3, Count: 3}}} },
			"material": func(v *View) {
				v.Instances[1].Subset = &Subset{make([]uint32, 9), []mesh.Part{{Count: 3, Material: 7}}}
			},
			"mask": func(v *View) { v.Chunks = append(mask, 0) },
		} {
			v := yardView(32, 18)
			v.Instances = []Instance{{Model: y.crate, World: mgl64.Ident4()}, {Model: y.tree, World: mgl64.Ident4()}}
			change(&v)
			if _, err := r.Draw(c.Target, &v); err == nil {
				t.Errorf("%s: no error", name)
			}
			if e := gl.GetError(); e != 0 {
				t.Errorf("%s: OpenGL error 0x%x", name, e)
			}
		}
		// A scale of nothing, and matrices beyond float32, draw nothing and break nothing.
		for _, m := range []mgl64.Mat4{mgl64.Scale3D(0, 0, 0), mgl64.Scale3D(1, 0, 1), mgl64.Scale3D(1e200, 1, 1), mgl64.Translate3D(1e300, 0, 0)} {
			v := yardView(32, 18)
			v.Instances = []Instance{{Model: y.tree, World: m, Outline: Selected}, {Model: y.tree, World: m, Billboard: 1}}
			if _, err := r.Draw(c.Target, &v); err != nil {
				t.Error(err)
			}
			if e := gl.GetError(); e != 0 {
				t.Errorf("OpenGL error 0x%x", e)
			}
		}
	})
}

// Models go when the world has them no longer, and come when a view needs them.
func TestModelsComeAndGo(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		tree := r.bodies.of[y.tree]
		w := y.world
		w.Models = []*mesh.Model{y.tree, y.tree}
		update1(t, r, w)
		if len(r.bodies.of) != 1 || r.bodies.of[y.tree] != tree {
			t.Errorf("%d models, the tree is the same: %v", len(r.bodies.of), r.bodies.of[y.tree] == tree)
		}
		v := yardView(32, 18)
		v.Instances = []Instance{{Model: y.crate, World: mgl64.Ident4()}}
		if _, s := shoot(t, r, 32, 18, &v); s.Instances != 1 || r.bodies.of[y.crate] == nil {
			t.Error("a model that the world did not announce is not drawn")
		}
		update1(t, r, w)
		if len(r.bodies.of) != 1 {
			t.Errorf("%d models are kept", len(r.bodies.of))
		}
		w.Models = nil
		update1(t, r, w)
		if len(r.bodies.of) != 0 {
			t.Errorf("%d models are kept", len(r.bodies.of))
		}
	})
}

// Only chunks that a view allows are drawn and counted.
func TestChunkMask(t *testing.T) {
	f, err := terrain.Flat(64*4+1, 64*4+1, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	for y := range 4 {
		for x := range 4 {
			d.Heights(x, y)[32*64+32] = 9 // so that chunks are not drawn together
		}
	}
	f, _ = d.Field()
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(f))
		v, n := above(f, 256, 1)
		v.Sky, v.MaxError = magentaSky, 0
		_, all := shoot(t, r, n, n, &v)
		v.Chunks = lod.NewMask(f)
		v.Chunks.Set(1*4 + 2)
		v.Chunks.Set(3*4 + 3)
		m, s := shoot(t, r, n, n, &v)
		if all.Chunks != 16 || s.Chunks != 2 {
			t.Errorf("%d chunks are drawn, then %d", all.Chunks, s.Chunks)
		}
		for y := range 4 {
			for x := range 4 {
				want := x == 2 && y == 1 || x == 3 && y == 3
				if got := m.NRGBAAt(x*64+32, y*64+30) != magenta; got != want {
					t.Errorf("chunk %d,%d is drawn: %v", x, y, got)
				}
			}
		}
	})
}
