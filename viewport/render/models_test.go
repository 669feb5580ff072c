package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// matter is a material of a colour, without a picture.
func matter(c color.NRGBA) mesh.Material {
	l := rgb(c)
	return mesh.Material{
		Name: "matter", BaseColor: [4]float32{l[0], l[1], l[2], float32(c.A) / 255},
		Image: -1, UV: mgl32.Ident3(), Cutoff: 0.5,
	}
}

// builder puts models together.
type builder struct{ m mesh.Model }

func build(name string, materials ...mesh.Material) *builder {
	return &builder{mesh.Model{Name: name, Materials: materials, Nodes: []mesh.Node{{Name: name, Parent: -1}}}}
}

func (b *builder) picture(m *image.NRGBA) *builder {
	opaque := true
	for i := 3; i < len(m.Pix); i += 4 {
		opaque = opaque && m.Pix[i] == 255
	}
	b.m.Images = append(b.m.Images, mesh.Image{Name: "picture", Pixels: m, Opaque: opaque})
	return b
}

// quad adds a quadrilateral: a corner, its edges, and its normal's side by the right
// hand. The picture's upper left is at the corner + v.
func (b *builder) quad(material int, at, u, v mgl32.Vec3) *builder {
	m := &b.m
	first := uint32(len(m.Positions))
	n := u.Cross(v).Normalize()
	for i, p := range []mgl32.Vec3{at, at.Add(u), at.Add(u).Add(v), at.Add(v)} {
		m.Positions = append(m.Positions, p)
		m.Normals = append(m.Normals, n)
		m.UVs = append(m.UVs, []mgl32.Vec2{{0, 1}, {1, 1}, {1, 0}, {0, 0}}[i])
	}
	return b.part(material, first, first+1, first+2, first, first+2, first+3)
}

func (b *builder) part(material int, indices ...uint32) *builder {
	m := &b.m
	if k := len(m.Parts) - 1; k >= 0 && m.Parts[k].Material == material {
		m.Parts[k].Count += len(indices)
	} else {
		m.Parts = append(m.Parts, mesh.Part{First: len(m.Indices), Count: len(indices), Material: material})
	}
	m.Indices = append(m.Indices, indices...)
	return b
}

// box adds the six sides of a box.
func (b *builder) box(material int, lo, hi mgl32.Vec3) *builder {
	d := hi.Sub(lo)
	x, y, z := mgl32.Vec3{d[0], 0, 0}, mgl32.Vec3{0, d[1], 0}, mgl32.Vec3{0, 0, d[2]}
	b.quad(material, lo.Add(z), x, y)
	b.quad(material, lo.Add(x), x.Mul(-1), y)
	b.quad(material, hi.Sub(y), z.Mul(-1), y)
	b.quad(material, lo, z, y)
	b.quad(material, lo.Add(y).Add(z), x, z.Mul(-1))
	return b.quad(material, lo, x, z)
}

// ball adds a sphere of n×2n quads.
func (b *builder) ball(material int, centre mgl32.Vec3, radius float32, n int) *builder {
	m := &b.m
	first := uint32(len(m.Positions))
	for i := range n + 1 {
		for j := range 2*n + 1 {
			st, ct := math.Sincos(math.Pi * float64(i) / float64(n))
			sp, cp := math.Sincos(math.Pi * float64(j%(2*n)) / float64(n))
			d := mgl32.Vec3{float32(st * cp), float32(ct), float32(-st * sp)}
			m.Positions = append(m.Positions, centre.Add(d.Mul(radius)))
			m.Normals = append(m.Normals, d)
			m.UVs = append(m.UVs, mgl32.Vec2{float32(j) / float32(2*n), float32(i) / float32(n)})
		}
	}
	var list []uint32
	w := uint32(2*n + 1)
	for i := range uint32(n) {
		for j := range uint32(2 * n) {
			a := first + i*w + j
			if i > 0 {
				list = append(list, a, a+w, a+1)
			}
			if int(i) < n-1 {
				list = append(list, a+1, a+w, a+w+1)
			}
		}
	}
	return b.part(material, list...)
}

func (b *builder) done(t testing.TB) *mesh.Model {
	t.Helper()
	b.m.Bounds = geom.EmptyBox()
	for _, p := range b.m.Positions {
		b.m.Bounds = b.m.Bounds.Add(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	if err := b.m.Validate(); err != nil {
		t.Fatal(err)
	}
	return &b.m
}

// letter is a picture that is like none of its mirror images: an F on a chequered ground.
func letter() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	f := func(x, y int) bool {
		x, y = x/8, y/8
		return x == 2 && y >= 1 && y <= 6 || y == 1 && x >= 2 && x <= 5 || y == 3 && x >= 2 && x <= 4
	}
	for y := range 64 {
		for x := range 64 {
			c := color.NRGBA{200, 180, 150, 255}
			if (x/8+y/8)%2 == 0 {
				c = color.NRGBA{170, 150, 120, 255}
			}
			if f(x, y) {
				c = color.NRGBA{150, 30, 30, 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

// leaves is a picture full of holes.
func leaves(size int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	k := 128 / float64(size)
	for y := range size {
		for x := range size {
			v := noise(float64(x)*k/9, float64(y)*k/9, 12)
			c := color.NRGBA{uint8(60 + 40*v), uint8(130 + 60*v), 50, 255}
			if v < 0 {
				c = color.NRGBA{255, 0, 255, 0}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func crate(t testing.TB) *mesh.Model {
	m := matter(color.NRGBA{255, 255, 255, 255})
	m.Image = 0
	return build("crate", m).picture(letter()).box(0, mgl32.Vec3{-1, 0, -1}, mgl32.Vec3{1, 2, 1}).done(t)
}

func fence(t testing.TB) *mesh.Model {
	m := matter(color.NRGBA{255, 255, 255, 255})
	m.Image, m.Alpha, m.DoubleSided = 0, mesh.Mask, true
	return build("fence", m).picture(leaves(128)).quad(0, mgl32.Vec3{-1.5, 0, 0}, mgl32.Vec3{3, 0, 0}, mgl32.Vec3{0, 3, 0}).done(t)
}

func glass(t testing.TB, c color.NRGBA) *mesh.Model {
	m := matter(c)
	m.Alpha = mesh.Blend
	return build("glass", m).box(0, mgl32.Vec3{-1, 0, -0.1}, mgl32.Vec3{1, 2, 0.1}).done(t)
}

// tree is a trunk with a crown of two balls, not alike from all sides.
func tree(t testing.TB) *mesh.Model {
	return build("tree", matter(color.NRGBA{110, 80, 50, 255}), matter(color.NRGBA{70, 130, 50, 255}), matter(color.NRGBA{150, 160, 60, 255})).
		box(0, mgl32.Vec3{-0.2, 0, -0.2}, mgl32.Vec3{0.2, 2.5, 0.2}).
		ball(1, mgl32.Vec3{0, 3.5, 0}, 1.5, 10).
		ball(2, mgl32.Vec3{1, 2.6, 0.3}, 0.8, 8).done(t)
}

func stand(x, y, z, yaw float64) mgl64.Mat4 {
	return mgl64.Translate3D(x, y, z).Mul4(mgl64.HomogRotate3DY(yaw))
}

// yard is a ground with a bump, and the models that stand on it in the pictures.
type yard struct {
	world                            World
	crate, fence, glass, green, tree *mesh.Model
}

func newYard(t testing.TB) *yard {
	f, err := terrain.Flat(129, 129, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	h := make([]float32, 129*129)
	for r := range 129 {
		for c := range 129 {
			x, z := float64(c)*0.5-32, float64(r)*0.5-32
			h[r*129+c] = float32(2.5*math.Exp(-((x+6)*(x+6)+z*z)/9) + 0.1*noise(x, z, 3))
		}
	}
	if f, err = terrain.FromHeights(129, 129, 0.5, h); err != nil {
		t.Fatal(err)
	}
	y := &yard{crate: crate(t), fence: fence(t), glass: glass(t, color.NRGBA{220, 60, 50, 110}),
		green: glass(t, color.NRGBA{40, 200, 90, 110}), tree: tree(t)}
	y.world = World{
		Field:  f.WithOrigin(-32, -32),
		Layers: []LayerTexture{{noisy(color.NRGBA{110, 120, 80, 255}, 4), 8}},
		Sun:    afternoon,
		Models: []*mesh.Model{y.crate, y.fence, y.glass, y.green, y.tree},
	}
	return y
}
