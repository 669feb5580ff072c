package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

func identify(t testing.TB, r *Renderer, v *View, w, h int) *Sight {
	t.Helper()
	s := new(Sight)
	if err := r.Identify(v, image.Pt(w, h), s); err != nil {
		t.Fatal(err)
	}
	if e := gl.GetError(); e != gl.NO_ERROR {
		t.Fatalf("OpenGL error 0x%x", e)
	}
	return s
}

// board is a quadrilateral with one side, lattice one with two and big square holes.
func board(t testing.TB) *mesh.Model {
	return build("board", matter(color.NRGBA{90, 90, 200, 255})).quad(0, mgl32.Vec3{-2, 0, 0}, mgl32.Vec3{4, 0, 0.5}, mgl32.Vec3{0, 3, 0}).done(t)
}

func lattice(t testing.TB) *mesh.Model {
	m := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for y := range 4 {
		for x := range 4 {
			m.SetNRGBA(x, y, color.NRGBA{200, 100, 50, uint8(255 * ((x*x + y) % 2))})
		}
	}
	mat := matter(color.NRGBA{255, 255, 255, 255})
	mat.Image, mat.Alpha, mat.DoubleSided, mat.Nearest = 0, mesh.Mask, true, true
	mat.WrapS, mat.WrapT = mesh.Clamp, mesh.Clamp
	return build("lattice", mat).picture(m).quad(0, mgl32.Vec3{-latticeSide / 2, 0, 0}, mgl32.Vec3{latticeSide, 0, 0}, mgl32.Vec3{0, latticeSide, 0}).done(t)
}

const latticeSide = 7

// pane is a box that blends, with a solid foot.
func pane(t testing.TB) *mesh.Model {
	g := matter(color.NRGBA{100, 200, 220, 90})
	g.Alpha = mesh.Blend
	return build("pane", matter(color.NRGBA{50, 50, 50, 255}), g).
		box(0, mgl32.Vec3{-1, -1, -0.3}, mgl32.Vec3{1, 0.5, 0.3}).
		box(1, mgl32.Vec3{-1.5, 0.6, -0.2}, mgl32.Vec3{1.5, 3, 0.2}).done(t)
}

// solidTriangle is a triangle of a scene in the world.
type solidTriangle struct {
	a, b, c  mgl64.Vec3
	uv       [3]mgl64.Vec2
	instance int
	material *mesh.Material
	picture  *image.NRGBA
	mirrored bool
	texel    float64 // metres, the least side
}

// rayScene is what rays find, tried one by one.
type rayScene struct {
	field     *terrain.Field
	list      []solidTriangle
	boxes     []geom.Box // by instance
	starts    []int      // by instance, where its triangles begin
	instances int

	pixel  float64 // metres, at one metre's distance unless ortho
	ortho  bool
	unsure bool // the last ray met a mask whose texels are smaller than pixels
}

func rayed(f *terrain.Field, list []Instance) *rayScene {
	s := &rayScene{field: f, instances: len(list)}
	for i, n := range list {
		m := n.Model
		s.starts = append(s.starts, len(s.list))
		box := geom.EmptyBox()
		at := func(k uint32) mgl64.Vec3 {
			p := m.Positions[k]
			q := mgl64.TransformCoordinate(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, n.World)
			box = box.Add(q)
			return q
		}
		for _, p := range m.Parts {
			for k := p.First; k < p.First+p.Count; k += 3 {
				x, y, z := m.Indices[k], m.Indices[k+1], m.Indices[k+2]
				tr := solidTriangle{a: at(x), b: at(y), c: at(z), instance: i, material: &m.Materials[p.Material], mirrored: n.World.Mat3().Det() < 0}
				if im := tr.material.Image; im >= 0 {
					tr.picture = m.Images[im].Pixels
					for j, v := range []uint32{x, y, z} {
						tr.uv[j] = mgl64.Vec2{float64(m.UVs[v][0]), float64(m.UVs[v][1])}
					}
					tr.texel = min(n.World.Col(0).Len(), n.World.Col(1).Len()) * latticeSide / 4
				}
				s.list = append(s.list, tr)
			}
		}
		s.boxes = append(s.boxes, box)
	}
	s.starts = append(s.starts, len(s.list))
	return s
}

// hit gives how far along a ray a triangle is, with the sides and holes of its material.
func (s *rayScene) hit(t *solidTriangle, ray geom.Ray) (float64, bool) {
	e1, e2 := t.b.Sub(t.a), t.c.Sub(t.a)
	n := e1.Cross(e2)
	facing := n.Dot(ray.Dir)
	if facing == 0 || !t.material.DoubleSided && (facing < 0) == t.mirrored {
		return 0, false
	}
	p := ray.Dir.Cross(e2)
	det := e1.Dot(p)
	o := ray.Origin.Sub(t.a)
	u := o.Dot(p) / det
	q := o.Cross(e1)
	v := ray.Dir.Dot(q) / det
	d := e2.Dot(q) / det
	if u < 0 || v < 0 || u+v > 1 || d <= 0 {
		return 0, false
	}
	if t.material.Alpha == mesh.Mask {
		uv := t.uv[0].Mul(1 - u - v).Add(t.uv[1].Mul(u)).Add(t.uv[2].Mul(v))
		pixel := s.pixel
		if !s.ortho {
			pixel *= d
		}
		s.unsure = s.unsure || pixel*n.Len() > 0.7*t.texel*math.Abs(facing)
		size := t.picture.Rect.Size()
		x, y := int(uv[0]*float64(size.X)), int(uv[1]*float64(size.Y))
		if t.picture.NRGBAAt(min(x, size.X-1), min(y, size.Y-1)).A < 128 {
			return 0, false
		}
	}
	return d, true
}

// see gives the number of the solid thing that a ray meets first, and adds to passed the
// faces that blend before it.
func (s *rayScene) see(ray geom.Ray, near, far float64, passed []int) uint32 {
	s.unsure = false
	best, id := far, uint32(0)
	chunks := 0
	if s.field != nil {
		cols, rows := s.field.ChunkGrid()
		chunks = cols * rows
		for at := ray; ; {
			hit, ok := s.field.Raycast(at)
			d := at.Origin.Sub(ray.Origin).Len() + hit.T
			if !ok || d >= best {
				break
			}
			if d > near && (s.ortho || hit.Normal.Dot(ray.Dir) < 0) {
				best, id = d, uint32(1+hit.Row/terrain.TileSize*cols+hit.Col/terrain.TileSize)
				break
			}
			at.Origin = at.Origin.Add(at.Dir.Mul(hit.T + 1e-7*(1+hit.T)))
		}
	}
	for i, b := range s.boxes {
		if _, _, ok := ray.Box(b); !ok {
			continue
		}
		for k := s.starts[i]; k < s.starts[i+1]; k++ {
			if t := &s.list[k]; t.material.Alpha != mesh.Blend {
				if d, ok := s.hit(t, ray); ok && d > near && d < best {
					best, id = d, uint32(1+chunks+i)
				}
			}
		}
	}
	for i, b := range s.boxes {
		if passed == nil {
			break
		}
		if _, _, ok := ray.Box(b); !ok {
			continue
		}
		for k := s.starts[i]; k < s.starts[i+1]; k++ {
			if t := &s.list[k]; t.material.Alpha == mesh.Blend {
				if d, ok := s.hit(t, ray); ok && d > near && d < best {
					passed[i]++
				}
			}
		}
	}
	return id
}

// seeing compares what Identify says with rays through the pixels. Where they differ, the
// number must be that of a ray through the same pixel.
func (s *rayScene) seeing(t *testing.T, v *View, got *Sight) (wrong int) {
	t.Helper()
	w, h := got.Size.X, got.Size.Y
	inverse := v.ViewProj.Inv()
	s.ortho = v.ViewProj.Row(3).Vec3() == mgl64.Vec3{}
	s.pixel = 2 / v.ViewProj.Row(1).Vec3().Len() / float64(h)
	passed := make([]int, s.instances)
	at := func(x, y float64, passed []int) uint32 {
		nx, ny := x/float64(w)*2-1, 1-y/float64(h)*2
		a := mgl64.TransformCoordinate(mgl64.Vec3{nx, ny, -1}, inverse)
		b := mgl64.TransformCoordinate(mgl64.Vec3{nx, ny, 1}, inverse)
		dir := b.Sub(a).Normalize()
		near, origin := a.Len(), v.Eye
		if s.ortho {
			near, origin = 0, v.Eye.Add(a)
		}
		return s.see(geom.Ray{Origin: origin, Dir: dir}, near, b.Len(), passed)
	}
	pixels, chunkPixels := make([]int, s.instances), 0
	for y := range h {
		for x := range w {
			id := got.IDs[y*w+x]
			chunk, instance := got.At(x, y)
			switch {
			case instance >= 0:
				pixels[instance]++
			case chunk >= 0:
				chunkPixels++
			}
			fx, fy := float64(x)+0.5, float64(y)+0.5
			if at(fx, fy, passed) == id || s.unsure {
				continue
			}
			wrong++
			rim := false
			for k := 0; k < 32 && !rim; k++ {
				sin, cos := math.Sincos(float64(k) * math.Pi / 4)
				far := 0.02 * math.Pow(3, float64(k/8))
				rim = at(fx+far*cos, fy+far*sin, nil) == id
			}
			if !rim {
				t.Errorf("pixel (%d, %d) shows %d, a ray %d", x, y, id, at(fx, fy, nil))
				if wrong > 50 {
					return wrong
				}
			}
		}
	}
	if share := float64(wrong) / float64(w*h); share > 0.001 {
		t.Errorf("%.3f %% of the pixels are not what rays say", 100*share)
	}
	for _, n := range got.Chunks {
		chunkPixels -= n
	}
	if chunkPixels != 0 {
		t.Errorf("the chunks' pixels are wrong by %d", chunkPixels)
	}
	for i := range passed {
		want := pixels[i] + passed[i]
		if d := got.Instances[i] - want; max(d, -d) > 4+want/20 || want > 4 && got.Instances[i] == 0 {
			t.Errorf("instance %d is seen in %d, by rays in %d", i, got.Instances[i], want)
		}
		if passed[i] == 0 && got.Instances[i] > pixels[i]+2 {
			t.Errorf("instance %d: %d fragments that blend are seen, by rays none", i, got.Instances[i]-pixels[i])
		}
	}
	return wrong
}

// randomScene is a field with holes and objects of all kinds upon it.
func randomScene(t testing.TB, rng *rand.Rand, models []*mesh.Model, at mgl64.Vec3) (*terrain.Field, []Instance) {
	f := hills(t, 150+rng.IntN(50), 140, 0.4, 6, 0.5, rng.Uint32())
	d := f.Draft()
	for range 200 {
		c, r := rng.IntN(100), rng.IntN(100)
		d.Flags(c/terrain.TileSize, r/terrain.TileSize)[r%terrain.TileSize*terrain.TileSize+c%terrain.TileSize] |= terrain.Hole
	}
	f, _ = d.Field()
	var list []Instance
	for i := range 60 {
		x, z := 58*rng.Float64(), 50*rng.Float64()
		y, _ := f.Height(x, z)
		m := mgl64.Translate3D(at[0]+x, y+3*rng.Float64()-2, at[2]+z).
			Mul4(mgl64.QuatRotate(6*rng.Float64(), mgl64.Vec3{0.2 * rng.Float64(), 1, 0.2 * rng.Float64()}.Normalize()).Mat4()).
			Mul4(mgl64.Scale3D(0.6+2*rng.Float64(), 0.6+2*rng.Float64(), 0.6+2*rng.Float64()))
		if rng.IntN(2) == 0 {
			m = m.Mul4(mgl64.Scale3D(1, 1, -1))
		}
		n := Instance{Model: models[i%len(models)], World: m}
		switch rng.IntN(4) { // none of which counts
		case 0:
			n.Billboard = 1
		case 1:
			n.Subset = &Subset{}
		case 2:
			n.Tint, n.Outline = color.NRGBA{1, 2, 3, 200}, Selected
		}
		list = append(list, n)
	}
	return f.WithOrigin(at[0], at[2]), list
}

// What Identify says is what rays through the pixels say.
func TestIdentify(t *testing.T) {
	models := []*mesh.Model{crate(t), tree(t), board(t), lattice(t), pane(t), glass(t, color.NRGBA{200, 60, 50, 100})}
	rng := rand.New(rand.NewPCG(41, 42))
	withGL(t, func(r *Renderer) {
		seen, blended, all, wrong := 0, 0, 0, 0
		for round := range 12 {
			at := mgl64.Vec3{}
			if round%3 == 1 {
				at = mgl64.Vec3{100_000.3, 0, -131_072.57}
			}
			f, list := randomScene(t, rng, models, at)
			w := grass(f)
			w.Models = models[:4] // the others are not announced
			update1(t, r, w)
			const width, height = 160, 90
			eye := at.Add(mgl64.Vec3{70*rng.Float64() - 5, 9 + 5*rng.Float64(), -6 + 3*rng.Float64()})
			v := look(eye, at.Add(mgl64.Vec3{30, -2, 26}), width, height, 0.5, 120)
			if round%4 == 3 {
				m := mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0.3, -0.5, 1}, mgl64.Vec3{0, 1, 0})
				v.ViewProj = mgl64.Ortho(-24, 24, -13.5, 13.5, 0.5, 120).Mul4(m)
				v.Eye = at.Add(mgl64.Vec3{15, 40, -40})
			}
			v.MaxError, v.Instances = 0, list
			v.Chunks = make([]uint64, 0) // does not count
			got := identify(t, r, &v, width, height)
			wrong += rayed(f, list).seeing(t, &v, got)
			for i, n := range got.Instances {
				all++
				if n > 0 {
					seen++
					if i%6 >= 4 {
						blended++
					}
				}
			}
			again := identify(t, r, &v, width, height)
			for i := range got.IDs {
				if got.IDs[i] != again.IDs[i] {
					t.Fatal("drawn again it differs")
				}
			}
		}
		t.Logf("%d of %d instances are seen, %d with parts that blend; %d pixels of %d are other than rays say", seen, all, blended, wrong, 12*160*90)
		if seen < all/4 || seen > all*9/10 || blended < 10 {
			t.Error("too few to prove anything")
		}
	})
}

// What a picture shows is what Identify says, pixel by pixel, also at a coarse level of
// detail, through masks far away and from near by.
func TestIdentifyIsThePicture(t *testing.T) {
	models := []*mesh.Model{crate(t), tree(t), board(t), lattice(t), fence(t)}
	rng := rand.New(rand.NewPCG(51, 52))
	withGL(t, func(r *Renderer) {
		for round := range 8 {
			f, list := randomScene(t, rng, models, mgl64.Vec3{})
			w := grass(f)
			w.Layers[0].Pixels, w.Models = plain(color.NRGBA{}), models
			update1(t, r, w)
			const width, height = 320, 180
			v := look(mgl64.Vec3{20 + 20*rng.Float64(), 12, -4}, mgl64.Vec3{30, 0, 30}, width, height, []float64{0.5, 0.02}[round%2], 300)
			v.MaxError, v.Sky, v.Instances = float64(round/2)*3, magentaSky, list
			code := func(i int) color.NRGBA {
				return color.NRGBA{uint8(40 + 25*(i%8)), uint8(40 + 25*(i/8)), 255, 255}
			}
			for i := range list {
				list[i] = Instance{Model: list[i].Model, World: list[i].World, Tint: code(i)}
			}
			m, _ := shoot(t, r, width, height, &v)
			got := identify(t, r, &v, width, height)
			bad, shown := 0, 0
			for y := range height {
				for x := range width {
					want := magenta
					switch chunk, instance := got.At(x, y); {
					case chunk >= 0:
						want = color.NRGBA{A: 255}
					case instance >= 0:
						want = code(instance)
						shown++
					}
					if c := m.NRGBAAt(x, y); far(c.R, want.R) || far(c.G, want.G) || far(c.B, want.B) {
						bad++
					}
				}
			}
			if bad > 0 || shown < width*height/20 {
				t.Errorf("round %d: %d pixels differ from the picture: %s; %d show instances", round, bad, save(t, m, fmt.Sprint(round)), shown)
			}
		}
	})
}

// Chunks have numbers of their own where one patch covers many, and across pages.
func TestIdentifyChunks(t *testing.T) {
	flat, err := terrain.Flat(700, 560, 1)
	if err != nil {
		t.Fatal(err)
	}
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(flat))
		v := look(mgl64.Vec3{350, 90, -90}, mgl64.Vec3{350, 0, 200}, 320, 180, 0.5, 2000)
		got := identify(t, r, &v, 320, 180)
		if len(r.items) >= len(got.Chunks) {
			t.Fatalf("%d parts of patches for %d chunks: none covers many", len(r.items), len(got.Chunks))
		}
		rayed(flat, nil).seeing(t, &v, got)
		seen := 0
		for _, n := range got.Chunks {
			if n > 0 {
				seen++
			}
		}
		if seen < 50 {
			t.Errorf("%d chunks are seen", seen)
		}
	})
}

// Instances are seen without ground: none at all, or nothing but holes. Here are more of
// them than sixteen bits can number, each on four pixels.
func TestIdentifyManyWithoutGround(t *testing.T) {
	model := build("tile", matter(color.NRGBA{255, 255, 255, 255})).quad(0, mgl32.Vec3{0, 0, 1}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -1}).done(t)
	const side = 270
	var list []Instance
	for i := range side * side {
		list = append(list, Instance{Model: model, World: mgl64.Translate3D(float64(i%side), 1, float64(i/side))})
	}
	open, err := terrain.Flat(3, 3, 200)
	if err != nil {
		t.Fatal(err)
	}
	d := open.Draft()
	for i := range d.Flags(0, 0) {
		d.Flags(0, 0)[i] = terrain.Hole
	}
	open, _ = d.Field()
	m := mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, -1})
	v := View{Eye: mgl64.Vec3{side / 2, 50, side / 2}, ViewProj: mgl64.Ortho(-side/2, side/2, -side/2, side/2, 1, 100).Mul4(m), Instances: list}
	withGL(t, func(r *Renderer) {
		for _, chunks := range []int{0, 1} {
			if chunks == 1 {
				update1(t, r, grass(open))
			}
			got := identify(t, r, &v, 2*side, 2*side)
			if len(got.Chunks) != chunks || chunks == 1 && got.Chunks[0] != 0 {
				t.Errorf("chunks: %d", got.Chunks)
			}
			for i, n := range got.Instances {
				x, y := 2*(i%side), 2*(i/side)
				if _, k := got.At(x, y); n != 4 || k != i {
					t.Fatalf("instance %d is seen in %d pixels; %d is in its place", i, n, k)
				}
			}
		}
	})
}

// Nothing is allocated once warm, sizes may change, what cannot be drawn is an error and
// changes nothing, and the framebuffer that was bound stays bound.
func TestIdentifyState(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		c := newCanvas(t, 64, 36)
		defer c.free()
		gl.BindFramebuffer(gl.FRAMEBUFFER, c.Framebuffer)
		v := yardView(64, 36)
		y.scenes()["blend"](&v)
		y.scenes()["mask"](&v)
		s := new(Sight)
		do := func(w, h int) error { return r.Identify(&v, image.Pt(w, h), s) }
		for _, size := range [][2]int{{64, 36}, {1, 1}, {1920, 3}, {64, 36}} {
			if err := do(size[0], size[1]); err != nil || len(s.IDs) != size[0]*size[1] {
				t.Fatal(err)
			}
		}
		var bound int32
		if gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &bound); uint32(bound) != c.Framebuffer {
			t.Errorf("framebuffer %d is bound, expected %d", bound, c.Framebuffer)
		}
		if n := testing.AllocsPerRun(20, func() {
			v.Eye[0] += 0.05
			if err := do(64, 36); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("it allocates %g times", n)
		}
		was := *s
		for name, bad := range map[string]func() error{
			"no size": func() error { return do(0, 36) },
			"too big": func() error { return do(1<<24, 36) },
			"no model": func() error {
				u := v
				u.Instances = append([]Instance{{}}, v.Instances...)
				return r.Identify(&u, image.Pt(64, 36), s)
			},
			"nowhere": func() error {
				u := v
				u.Instances = []Instance{{Model: y.crate, World: mgl64.Translate3D(math.NaN(), 0, 0)}}
				return r.Identify(&u, image.Pt(64, 36), s)
			},
		} {
			if bad() == nil {
				t.Errorf("%s: no error", name)
			}
			if s.Size != was.Size || &s.IDs[0] != &was.IDs[0] || len(s.Instances) != len(was.Instances) {
				t.Errorf("%s: what was seen changed", name)
			}
			if e := gl.GetError(); e != 0 {
				t.Errorf("%s: OpenGL error 0x%x", name, e)
			}
		}
		// A picture in between is none the worse for it, nor makes it anything worse.
		a, _ := shoot(t, r, 64, 36, &v)
		if err := do(64, 36); err != nil {
			t.Error(err)
		}
		b, _ := shoot(t, r, 64, 36, &v)
		if share, _, _ := compare(a, b, 0); share > 0 {
			t.Error("pictures before and after differ")
		}
	})
}
