package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
	"ridgeline/viewport/overlay"
	"ridgeline/viewport/render/twin"
)

func wide(v mgl32.Vec3) twin.Colour {
	return twin.Colour{float64(v[0]), float64(v[1]), float64(v[2])}
}

// A triangle under any matrix, mirrored ones too, has the colour that the formula
// gives: that of package twin for the material times the vertices' colour.
func TestObjectColours(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	f, err := terrain.Flat(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	withGL(t, func(r *Renderer) {
		mirrored, shaded := 0, 0
		for round := range 60 {
			m := mesh.Material{
				BaseColor: [4]float32{rng.Float32(), rng.Float32(), rng.Float32(), 1}, Image: -1, UV: mgl32.Ident3(),
				DoubleSided: round%3 == 0, Unlit: round%7 == 3, Cutoff: 0.5,
				Emissive: [3]float32{0.1 * rng.Float32(), 0, 0.1 * rng.Float32()},
			}
			b := build("triangle", m)
			// A smooth normal, unlike the triangle's own.
			n := mgl32.Vec3{0.4*rng.Float32() - 0.2, 0.4*rng.Float32() - 0.2, 1}.Normalize()
			c := [4]uint8{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255}
			for _, p := range []mgl32.Vec3{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}} {
				b.m.Positions = append(b.m.Positions, p)
				b.m.Normals = append(b.m.Normals, n)
				b.m.Colors = append(b.m.Colors, c)
			}
			b.part(0, 0, 1, 2)
			model := b.done(t)
			world := mgl64.Translate3D(40+rng.Float64(), 30, 50).
				Mul4(mgl64.QuatRotate(6*rng.Float64(), mgl64.Vec3{rng.Float64() - 0.5, rng.Float64() - 0.5, rng.Float64() - 0.5}.Normalize()).Mat4()).
				Mul4(mgl64.Scale3D(0.3+rng.Float64(), 0.3+rng.Float64(), 0.3+3*rng.Float64())).
				Mul4(mgl64.ShearX3D(rng.Float64(), rng.Float64()))
			if rng.IntN(2) == 0 {
				world = world.Mul4(mgl64.Scale3D(1, 1, -1))
			}
			at := world.Col(3).Vec3()
			// The front is where the normal of the turned triangle points.
			front := world.Mat3().Inv().Transpose().Mul3x1(mgl64.Vec3{0, 0, 1}).Normalize()
			normal := world.Mat3().Inv().Transpose().Mul3x1(mgl64.Vec3{float64(n[0]), float64(n[1]), float64(n[2])}).Normalize()
			side := 1.0
			if m.DoubleSided && rng.IntN(2) == 0 {
				side = -1
				normal = normal.Mul(-1)
			}
			w := World{Field: f, Sun: afternoon, Models: []*mesh.Model{model}}
			w.Sun.Baked = round%2 == 0
			w.Sun.Direction = normal.Add(mgl64.Vec3{rng.Float64() - 0.5, rng.Float64() - 0.5, rng.Float64() - 0.5}.Mul(2.5))
			update1(t, r, w)
			v := look(at.Add(front.Mul(2*side)), at, 16, 16, 0.1, 100)
			v.Sky = magentaSky
			v.Instances = []Instance{{Model: model, World: world}}
			if round%5 == 4 {
				v.Instances[0].Tint = color.NRGBA{uint8(rng.IntN(256)), 40, 200, uint8(rng.IntN(256))}
			}
			shot, _ := shoot(t, r, 16, 16, &v)
			got := shot.NRGBAAt(8, 8)

			albedo := twin.Colour{}
			for k := range albedo {
				albedo[k] = float64(m.BaseColor[k]) * float64(c[k]) / 255
			}
			want := albedo
			if !m.Unlit {
				want = twin.Lit(albedo, normal, w.Sun.Direction.Normalize(), wide(w.Sun.Light), wide(w.Sun.Ambient))
			}
			tint := v.Instances[0].Tint
			to := twin.Linear(terrain.RGB{R: tint.R, G: tint.G, B: tint.B})
			for k := range want {
				a := float64(tint.A) / 255
				want[k] = (want[k]+float64(m.Emissive[k]))*(1-a) + to[k]*a
			}
			if e := twin.Encode(want); far(got.R, e.R) || far(got.G, e.G) || far(got.B, e.B) {
				t.Errorf("round %d: %v, expected %v (mirrored %v, unlit %v, from behind %v)", round, got, e, world.Mat3().Det() < 0, m.Unlit, side < 0)
			}
			if world.Mat3().Det() < 0 {
				mirrored++
			}
			if normal.Dot(w.Sun.Direction) < 0 {
				shaded++
			}
			if !m.DoubleSided { // and from behind there is nothing
				v.Eye = at.Sub(front.Mul(2))
				u := look(v.Eye, at, 16, 16, 0.1, 100)
				v.ViewProj = u.ViewProj
				if shot, _ := shoot(t, r, 16, 16, &v); shot.NRGBAAt(8, 8) != magenta {
					t.Errorf("round %d: seen from behind", round)
				}
			}
		}
		if mirrored < 10 || shaded < 3 {
			t.Errorf("%d mirrored, %d in the shade: too few to prove anything", mirrored, shaded)
		}
	})
}

// Ground hides boxes and boxes hide ground, as rays say, at full detail of the ground.
func TestOcclusionBothWays(t *testing.T) {
	f := hills(t, 129, 129, 0.5, 6, 0.5, 31)
	paint := matter(color.NRGBA{255, 0, 255, 255})
	paint.Unlit = true
	box := build("box", paint).box(0, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}).done(t)
	rng := rand.New(rand.NewPCG(5, 6))
	withGL(t, func(r *Renderer) {
		w := grass(f)
		w.Models = []*mesh.Model{box}
		update1(t, r, w)
		v := look(mgl64.Vec3{10, 14, -3}, mgl64.Vec3{32, 0, 34}, 200, 120, 0.5, 300)
		v.MaxError = 0
		var boxes []geom.Box
		for range 60 {
			x, z, s := 64*rng.Float64(), 64*rng.Float64(), 0.5+2*rng.Float64()
			y, _ := f.Height(x, z)
			at := mgl64.Vec3{x, y + 2*rng.Float64() - 1, z}
			v.Instances = append(v.Instances, Instance{Model: box, World: mgl64.Translate3D(at[0], at[1], at[2]).Mul4(mgl64.Scale3D(s, s, s))})
			boxes = append(boxes, geom.Box{Min: at.Sub(mgl64.Vec3{s, s, s}), Max: at.Add(mgl64.Vec3{s, s, s})})
		}
		m, s := shoot(t, r, 200, 120, &v)
		if s.Instances != 60 || s.InstanceDraws != 1 || s.InstanceTriangles != 60*12 {
			t.Errorf("drew %d instances, %d triangles, in %d draws", s.Instances, s.InstanceTriangles, s.InstanceDraws)
		}
		inverse := v.ViewProj.Inv()
		bad, shown, ground := 0, 0, 0
		for y := range 120 {
			for x := range 200 {
				p := mgl64.TransformCoordinate(mgl64.Vec3{(float64(x)+0.5)/100 - 1, 1 - (float64(y)+0.5)/60, 1}, inverse)
				ray := geom.Ray{Origin: v.Eye, Dir: p.Normalize()}
				near := math.Inf(1)
				for _, b := range boxes {
					if enter, _, ok := ray.Box(b); ok && enter > 0 {
						near = min(near, enter)
					}
				}
				d := math.Inf(1)
				if hit, ok := f.Raycast(ray); ok {
					d = hit.T
				}
				if math.Abs(d-near) < 0.05 {
					continue
				}
				got := m.NRGBAAt(x, y) == magenta
				switch {
				case got != (near < d):
					bad++
				case got:
					shown++
				case near < math.Inf(1):
					ground++
				}
			}
		}
		if bad > 60 { // pixels at the rims of boxes
			t.Errorf("%d pixels are wrong: %s", bad, save(t, m, ""))
		}
		if shown < 1000 || ground < 1000 {
			t.Errorf("boxes are seen in %d pixels and hidden in %d: too few", shown, ground)
		}
	})
}

// A level 100 km away draws the same objects, outlines, pictures and shapes, also from
// a hand's breadth before them, where millimetres are pixels.
func TestFarObjects(t *testing.T) {
	y := newYard(t)
	const dx, dz = 100_000.3, -131_072.57
	to := mgl64.Vec3{dx, 0, dz}
	withGL(t, func(r *Renderer) {
		for name, change := range y.scenes() {
			for i, camera := range []View{yardView(320, 180), look(mgl64.Vec3{1.903, 1.207, 1.411}, mgl64.Vec3{0.4, 0.8, 0.3}, 320, 180, 0.02, 300)} {
				update1(t, r, y.world)
				v := camera
				change(&v)
				if v.Shapes != nil { // one that the camera nearly touches
					v.Shapes.Polygon([]mgl64.Vec3{{1.1, 1, 0.9}, {1.6, 1.1, 1.1}, {1.4, 0.9, 0.6}, {1.2, 1.3, 0.8}}, overlay.Pen{Colour: color.NRGBA{255, 0, 255, 255}, Depth: overlay.OnTop})
				}
				near, _ := shoot(t, r, 320, 180, &v)
				w := y.world
				w.Field = w.Field.WithOrigin(dx-32, dz-32)
				update1(t, r, w)
				v.Eye = v.Eye.Add(to)
				for i := range v.Instances {
					v.Instances[i].World = mgl64.Translate3D(dx, 0, dz).Mul4(v.Instances[i].World)
				}
				if v.Shapes != nil {
					for i := range v.Shapes.Segments {
						s := &v.Shapes.Segments[i]
						s.A, s.B = s.A.Add(to), s.B.Add(to)
					}
					for i := range v.Shapes.Facets {
						for k := range v.Shapes.Facets[i].P {
							v.Shapes.Facets[i].P[k] = v.Shapes.Facets[i].P[k].Add(to)
						}
					}
				}
				far, _ := shoot(t, r, 320, 180, &v)
				if share, worst, _ := compare(near, far, 2); share > 0.0005 {
					t.Errorf("%s %d: %.3f %% of the pixels differ, up to %d: %s %s", name, i, share*100, worst, save(t, near, "-"+name+"-near"), save(t, far, "-"+name+"-far"))
				}
			}
		}
	})
}

// The picture of a mirrored crate is the mirrored picture of the crate.
func TestMirroredInstance(t *testing.T) {
	y := newYard(t)
	flat, _ := terrain.Flat(9, 9, 8)
	withGL(t, func(r *Renderer) {
		w := grass(flat.WithOrigin(-32, -32))
		w.Sun = Sun{Direction: mgl64.Vec3{0, 1, 0.5}, Light: mgl32.Vec3{0.8, 0.8, 0.8}, Ambient: mgl32.Vec3{0.3, 0.3, 0.3}}
		w.Models = y.world.Models
		update1(t, r, w)
		v := look(mgl64.Vec3{0, 4, 7}, mgl64.Vec3{0, 1, 0}, 200, 200, 0.2, 300)
		v.Sky = magentaSky
		v.Instances = []Instance{{Model: y.crate, World: stand(-1.5, 0, 0, 0.3)}, {Model: y.tree, World: stand(2, 0, -2, 1), Billboard: 1}}
		one, _ := shoot(t, r, 200, 200, &v)
		for i := range v.Instances {
			v.Instances[i].World = mgl64.Scale3D(-1, 1, 1).Mul4(v.Instances[i].World)
		}
		two, _ := shoot(t, r, 200, 200, &v)
		turned := image.NewNRGBA(two.Rect)
		for y := range 200 {
			for x := range 200 {
				turned.SetNRGBA(199-x, y, two.NRGBAAt(x, y))
			}
		}
		if share, worst, _ := compare(one, turned, 3); share > 0.003 {
			t.Errorf("%.2f %% differ, up to %d: %s %s", share*100, worst, save(t, one, "-one"), save(t, turned, "-two"))
		}
	})
}

// The order of instances does not matter, nor in how many rounds the ground is drawn;
// drawing what is left out as subsets neither.
func TestOrderAndSubsets(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		for name, change := range y.scenes() {
			if name == "outlines" || name == "billboards" {
				continue // subsets are never pictures
			}
			v := yardView(320, 180)
			change(&v)
			want, s := shoot(t, r, 320, 180, &v)
			for i := range v.Instances {
				m := v.Instances[i].Model
				v.Instances[i].Subset = &Subset{m.Indices, m.Parts}
			}
			got, sub := shoot(t, r, 320, 180, &v)
			if share, worst, _ := compare(want, got, 0); share > 0 {
				t.Errorf("%s: subsets of all triangles differ in %.3f %%, up to %d", name, share*100, worst)
			}
			if s.InstanceTriangles != sub.InstanceTriangles || sub.Instances != len(v.Instances) {
				t.Errorf("%s: %d triangles, %d as subsets", name, s.InstanceTriangles, sub.InstanceTriangles)
			}
			slices.Reverse(v.Instances)
			for i := range v.Instances {
				if i%2 == 0 {
					v.Instances[i].Subset = nil
				}
			}
			r.atOnce = 1
			got, _ = shoot(t, r, 320, 180, &v)
			r.atOnce = maxClasses
			if share, worst, _ := compare(want, got, 0); share > 0 {
				t.Errorf("%s: in another order %.3f %% differ, up to %d", name, share*100, worst)
			}
		}
		// A subset shows its triangles and no others: the crate's top alone.
		v := look(mgl64.Vec3{0, 3, 4}, mgl64.Vec3{0, 2, 0}, 64, 64, 0.1, 100)
		v.Sky, v.Chunks = magentaSky, lod.NewMask(y.world.Field)
		top := &Subset{y.crate.Indices[24:30], []mesh.Part{{Count: 3}, {First: 3, Count: 3}}}
		v.Instances = []Instance{{Model: y.crate, World: mgl64.Ident4(), Subset: top}}
		m, s := shoot(t, r, 64, 64, &v)
		if s.InstanceTriangles != 2 || s.InstanceDraws != 1 || s.Chunks != 0 || s.Patches != 0 {
			t.Errorf("drew %+v", s)
		}
		if m.NRGBAAt(32, 32) == magenta || m.NRGBAAt(32, 40) != magenta && m.NRGBAAt(32, 50) != magenta {
			t.Errorf("not the top alone: %s", save(t, m, "-top"))
		}
	})
}

// Panes are laid over each other from the far one to the near one, whatever order they
// are given in, and solid things hide them.
func TestBlending(t *testing.T) {
	f, err := terrain.Flat(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	colours := []color.NRGBA{{200, 30, 40, 128}, {20, 220, 60, 77}, {30, 60, 240, 200}}
	var panes []*mesh.Model
	for _, c := range colours {
		m := matter(c)
		m.Unlit, m.Alpha, m.DoubleSided = true, mesh.Blend, true
		panes = append(panes, build("pane", m).quad(0, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}).done(t))
	}
	solid := matter(color.NRGBA{90, 90, 90, 255})
	solid.Unlit = true
	wall := build("wall", solid).box(0, mgl32.Vec3{-9, -9, -1}, mgl32.Vec3{9, 9, 0}).done(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, World{Field: f, Models: append(slices.Clone(panes), wall)})
		rng := rand.New(rand.NewPCG(1, 9))
		for range 12 {
			v := look(mgl64.Vec3{0, 50, 10}, mgl64.Vec3{0, 50, 0}, 8, 8, 0.1, 100)
			order := rng.Perm(3)
			place := rng.Perm(3)
			sum := twin.Linear(terrain.RGB{R: 90, G: 90, B: 90})
			for depth := range 3 { // place[i] is how near pane i is
				i := slices.Index(place, depth)
				c := twin.Linear(terrain.RGB{R: colours[i].R, G: colours[i].G, B: colours[i].B})
				a := float64(colours[i].A) / 255
				sum = c.Mul(a).Add(sum.Mul(1 - a))
			}
			for _, i := range order {
				v.Instances = append(v.Instances, Instance{Model: panes[i], World: stand(0, 50, float64(place[i]), 0)})
			}
			v.Instances = append(v.Instances, Instance{Model: wall, World: stand(0, 50, -1, 0)})
			v.Instances = append(v.Instances, Instance{Model: panes[0], World: stand(0, 50, -5, 0)}) // behind the wall
			got, _ := shoot(t, r, 8, 8, &v)
			want := twin.Encode(sum)
			if c := got.NRGBAAt(4, 4); far(c.R, want.R) || far(c.G, want.G) || far(c.B, want.B) {
				t.Errorf("panes at %v, in order %v: %v, expected %v", place, order, c, want)
			}
		}
	})
}

// An alpha mask covers the same share of the picture from near and from far.
func TestMaskKeepsCoverage(t *testing.T) {
	f, err := terrain.Flat(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := matter(color.NRGBA{255, 255, 255, 255})
	m.Image, m.Alpha, m.DoubleSided, m.Unlit = 0, mesh.Mask, true, true
	// Small leaves: a fifth of the picture.
	pic := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			if noise(float64(x)/2.5, float64(y)/2.5, 4) > 0.3 {
				pic.SetNRGBA(x, y, color.NRGBA{60, 160, 50, 255})
			}
		}
	}
	leaf := build("leaves", m).picture(pic).quad(0, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}).done(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, World{Field: f, Models: []*mesh.Model{leaf}})
		var first float64
		// Turned a little, so that pixels of the picture and of the screen meet by chance.
		for _, n := range []int{512, 203, 128, 75, 33} {
			v := look(mgl64.Vec3{0, 50, 2 * math.Sqrt(3)}, mgl64.Vec3{0, 50, 0}, n, n, 0.1, 100)
			v.Sky = magentaSky
			v.Instances = []Instance{{Model: leaf, World: stand(0, 50, 0, 0).Mul4(mgl64.HomogRotate3DZ(0.4))}}
			shot, _ := shoot(t, r, n, n, &v)
			covered := 0
			for i := 0; i < len(shot.Pix); i += 4 {
				if shot.Pix[i] != 255 {
					covered++
				}
			}
			share := 4 * float64(covered) / float64(n*n)
			if first == 0 {
				first = share
			}
			if !(math.Abs(share-first) < 0.07) {
				t.Errorf("at %d pixels %.3f is covered, at 512 %.3f: %s", n, share, first, save(t, shot, ""))
			}
		}
	})
}

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
				if _, err := r.Draw(c.Target, &v); err != nil {
					t.Fatal(err)
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
