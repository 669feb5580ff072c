package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

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
