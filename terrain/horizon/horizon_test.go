package horizon

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// ground makes ground of one of several kinds, with holes or without.
func ground(r *rand.Rand, cols, rows int, spacing float64) *terrain.Field {
	kind := r.IntN(7)
	size := spacing * math.Pow(2, 6*r.Float64()-1)
	p, q, s := r.Float64()*0.3, r.Float64()*0.3, 1+r.Float64()*9
	h := make([]float32, cols*rows)
	for z := range rows {
		for x := range cols {
			fx, fz := float64(x), float64(z)
			v := 0.0
			switch kind {
			case 0: // noise
				v = r.Float64()
			case 1: // ridges
				v = 1 - math.Abs(math.Sin(p*fx+q*fz))
			case 2: // terraces
				v = math.Floor(s*(math.Sin(p*fx)+math.Sin(q*fz))) / s
			case 3: // a cliff
				if fx*p+fz*q > float64(cols)*0.2 {
					v = 1
				}
			case 4: // spikes
				if r.IntN(40) == 0 {
					v = 1
				}
			case 5: // hills with noise on them
				v = math.Sin(p*fx)*math.Cos(q*fz) + 0.1*r.Float64()
			}
			h[z*cols+x] = float32(v * size)
		}
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		panic(err)
	}
	if r.IntN(3) == 0 {
		f = pierced(f, r)
	}
	return f.WithOrigin([]float64{0, -1e5, 12.5}[r.IntN(3)], []float64{0, 1e5}[r.IntN(2)])
}

// pierced opens some cells of a field.
func pierced(f *terrain.Field, r *rand.Rand) *terrain.Field {
	cols, rows := f.Size()
	d := f.Draft()
	for range 1 + r.IntN(4) {
		c, w := r.IntN(cols), r.IntN(6)+1
		z, n := r.IntN(rows), r.IntN(6)+1
		for y := z; y < min(z+n, rows); y++ {
			for x := c; x < min(c+w, cols); x++ {
				open(d, x, y)
			}
		}
	}
	out, _ := d.Field()
	return out
}

// scene is a field and a view of it as it is drawn.
type scene struct {
	field *terrain.Field
	view  cull.View
	full  []triangle
	drawn []triangle
}

type triangle struct {
	a, u, v geom.Vec3 // a corner and the sides from it, from the eye
	n       geom.Vec3
	lo, hi  [2]float64
}

func side(r *rand.Rand) int {
	if r.IntN(3) == 0 {
		return []int{2, 3, 17, 64, 65, 66, 97}[r.IntN(7)]
	}
	return 2 + r.IntN(60)
}

func newScene(r *rand.Rand) *scene {
	cols, rows := side(r), side(r)
	long := r.IntN(40)
	switch long { // so that far rings take runs of samples
	case 0:
		cols = 700 + r.IntN(200)
	case 1:
		rows = 700 + r.IntN(200)
	}
	s := &scene{field: ground(r, cols, rows, []float64{0.5, 1, 30}[r.IntN(3)])}
	f := s.field
	w, d := f.Extent()
	x, z := f.Origin()
	lo, hi := f.MinMax()
	tall := float64(hi-lo) + f.Spacing()
	eye := geom.Vec3{x + w*r.Float64(), 0, z + d*r.Float64()}
	switch r.IntN(6) {
	case 0: // outside, or anywhere
		eye[0], eye[2] = x+w*(3*r.Float64()-1), z+d*(3*r.Float64()-1)
	case 1: // exactly over a sample
		c, n := f.Size()
		eye[0], eye[2] = x+float64(r.IntN(c))*f.Spacing(), z+float64(r.IntN(n))*f.Spacing()
	case 2, 3: // at an end of what is long
		switch long {
		case 0:
			eye[0] = x + w*0.1*r.Float64()
		case 1:
			eye[2] = z + d*(1-0.1*r.Float64())
		}
	case 4: // far away
		if r.IntN(3) == 0 {
			a := r.Float64() * 7
			eye[0], eye[2] = x+1e5*math.Cos(a), z+1e5*math.Sin(a)
		}
	}
	y, over := f.Height(eye[0], eye[2])
	if !over {
		y = float64(lo) + tall*r.Float64()
	}
	switch r.IntN(8) {
	case 0:
		y -= tall * r.Float64()
	case 1:
		y += tall * (1 + 2*r.Float64())
	case 2:
		y += 1e-3
	default:
		y += tall * (0.02 + 0.3*r.Float64())
	}
	eye[1] = y

	look := mgl64.HomogRotate3DX(r.Float64()*2 - 1).Mul4(mgl64.HomogRotate3DY(r.Float64() * 7))
	const height = 600
	fov := 0.2 + r.Float64()*1.5
	near := []float64{1e-3, 0.1, 1}[r.IntN(3)] * f.Spacing()
	lv := lod.View{Eye: eye, MaxError: []float64{0, 1, 3, 30}[r.IntN(4)]}
	if r.IntN(4) == 0 {
		half := (w + d) * (0.1 + r.Float64())
		if r.IntN(4) > 0 {
			near = -3 * (w + d + tall)
		}
		s.view = cull.ViewOf(eye, mgl64.Ortho(-half, half, -half, half, near, 4*(w+d+tall)).Mul4(look))
		lv.Ortho, lv.ScreenScale = true, height/(2*half)
	} else {
		s.view = cull.ViewOf(eye, mgl64.Perspective(fov, 1.3, near, 10*(w+d+tall)).Mul4(look))
		lv.ScreenScale = height / (2 * math.Tan(fov/2))
	}
	s.view.Slack = s.view.PixelSlack(lv.MaxError, height)
	var l lod.Snapped
	l.Update(f, nil)
	s.drawn = s.mesh(l.AppendPatches(nil, lv))
	lv.MaxError = 0
	cc, cr := f.ChunkGrid()
	var all []lod.Patch
	for cy := range cr {
		for cx := range cc {
			all = append(all, lod.Patch{Cells: f.ChunkRect(cx, cy)})
		}
	}
	s.full = s.mesh(all)
	return s
}

func (s *scene) mesh(patches []lod.Patch) (out []triangle) {
	x, z := s.field.Origin()
	var v []mgl32.Vec3
	var ids []uint32
	for _, p := range patches {
		v, ids = lod.AppendMesh(v, ids, s.field, p)
	}
	at := func(i uint32) geom.Vec3 {
		p := v[i]
		return geom.Vec3{x + float64(p[0]), float64(p[1]), z + float64(p[2])}.Sub(s.view.Eye)
	}
	for i := 0; i < len(ids); i += 3 {
		a, b, c := at(ids[i]), at(ids[i+1]), at(ids[i+2])
		t := triangle{a: a, u: b.Sub(a), v: c.Sub(a)}
		t.n = t.u.Cross(t.v)
		box := geom.BoxOf(a, b, c)
		t.lo, t.hi = [2]float64{box.Min[0], box.Min[2]}, [2]float64{box.Max[0], box.Max[2]}
		out = append(out, t)
	}
	return out
}

// sees tells whether nothing that is drawn stands before a point.
func (s *scene) sees(p geom.Vec3, ground []triangle) bool {
	to := p.Sub(s.view.Eye)
	depth := to.Dot(s.view.Forward)
	from := geom.Vec3{}
	if s.view.Ortho {
		if depth < s.view.Near {
			return false
		}
		from = to.Sub(s.view.Forward.Mul(depth - s.view.Near))
	}
	dir := to.Sub(from)
	lo := [2]float64{min(from[0], to[0]), min(from[2], to[2])}
	hi := [2]float64{max(from[0], to[0]), max(from[2], to[2])}
	const eps = 1e-9
	for i := range ground {
		t := &ground[i]
		if t.lo[0] > hi[0] || t.lo[1] > hi[1] || t.hi[0] < lo[0] || t.hi[1] < lo[1] {
			continue
		}
		det := -dir.Dot(t.n)
		if det <= 0 {
			continue // from behind it is not drawn
		}
		o := from.Sub(t.a)
		k := o.Dot(t.n) / det
		if k < 0 || k > 1-eps {
			continue
		}
		at := o.Cross(dir)
		b, c := t.v.Dot(at)/det, -t.u.Dot(at)/det
		if b < -eps || c < -eps || b+c > 1+eps {
			continue
		}
		hit := from.Add(dir.Mul(k))
		if !s.view.Ortho && hit.Dot(s.view.Forward) < s.view.Near && s.inView(to) {
			continue // the near plane cuts it away
		}
		if s.solid(hit.Add(s.view.Eye)) {
			return false
		}
	}
	return true
}

// inView tells whether a line of sight from the eye is in the picture.
func (s *scene) inView(to geom.Vec3) bool {
	c := s.view.ViewProj.Mul4x1(to.Vec4(1))
	return math.Abs(c[0]) <= c[3] && math.Abs(c[1]) <= c[3]
}

// solid tells whether there is ground at a place, or within rounding of it.
func (s *scene) solid(p geom.Vec3) bool {
	f := s.field
	x, z := f.Origin()
	cols, rows := f.Size()
	const eps = 1e-6
	for i := range 4 {
		c := int(math.Floor((p[0]-x)/f.Spacing() + eps*float64(i&1*2-1)))
		r := int(math.Floor((p[2]-z)/f.Spacing() + eps*float64(i>>1*2-1)))
		if c >= 0 && r >= 0 && c < cols-1 && r < rows-1 && !f.IsHole(c, r) {
			return true
		}
	}
	return false
}

// boxes are those of the chunks and some others, on the ground and off it.
func (s *scene) boxes(r *rand.Rand) (out []geom.Box) {
	f := s.field
	cc, cr := f.ChunkGrid()
	for cy := range cr {
		for cx := range cc {
			out = append(out, f.ChunkBox(cx, cy))
		}
	}
	w, d := f.Extent()
	x, z := f.Origin()
	lo, hi := f.MinMax()
	for range 16 {
		p := geom.Vec3{x + w*(1.4*r.Float64()-0.2), float64(lo) + float64(hi-lo)*r.Float64(), z + d*(1.4*r.Float64()-0.2)}
		if y, ok := f.Height(p[0], p[2]); ok && r.IntN(3) > 0 {
			p[1] = y
		}
		size := f.Spacing() * math.Pow(2, 5*r.Float64()-3)
		out = append(out, geom.Box{Min: p, Max: p.Add(geom.Vec3{size * r.Float64(), size * r.Float64(), size * r.Float64()})})
	}
	return out
}

// points of a box: corners, along the edges of the top, on its faces.
func points(r *rand.Rand, b geom.Box) (out []geom.Vec3) {
	for i := range 8 {
		out = append(out, b.Corner(i))
	}
	mix := func(axis int, t float64) float64 { return b.Min[axis] + (b.Max[axis]-b.Min[axis])*t }
	for i := range 6 {
		t := (float64(i) + r.Float64()) / 6
		out = append(out,
			geom.Vec3{mix(0, t), b.Max[1], b.Min[2]}, geom.Vec3{mix(0, t), b.Max[1], b.Max[2]},
			geom.Vec3{b.Min[0], b.Max[1], mix(2, t)}, geom.Vec3{b.Max[0], b.Max[1], mix(2, t)})
	}
	for range 12 {
		p := geom.Vec3{mix(0, r.Float64()), mix(1, r.Float64()), mix(2, r.Float64())}
		axis := r.IntN(3)
		p[axis] = mix(axis, float64(r.IntN(2)))
		out = append(out, p)
	}
	return out
}

func TestNothingSeenIsHidden(t *testing.T) {
	var kept *Test
	hidden, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 3))
		s := newScene(r)
		test := Of(s.field).Begin(&s.view, nilIfNone(kept)).(*Test)
		kept = test
		for _, b := range s.boxes(r) {
			all++
			at, ok := test.Where(b)
			if ok != test.Hidden(b) {
				t.Fatalf("Where and Hidden differ for %v", b)
			}
			if !ok {
				continue
			}
			hidden++
			for _, p := range points(r, b) {
				for i, ground := range [][]triangle{s.full, s.drawn} {
					if s.sees(p, ground) {
						t.Fatalf("%v of the hidden box %v can be seen from %v, full or drawn ground: %d", p, b, s.view.Eye, i)
					}
				}
			}
			if y, on := s.field.Height(at[0], at[2]); on && !(math.Abs(y-at[1]) <= 1e-3) {
				t.Fatalf("the ground that hides it is at %v, where its height is %g", at, y)
			}
		}
	})
	t.Logf("%d of %d boxes hidden", hidden, all)
	if hidden < all/50 {
		t.Errorf("only %d of %d boxes are hidden", hidden, all)
	}
}

func nilIfNone(t *Test) cull.HorizonTest {
	if t == nil {
		return nil
	}
	return t
}

func open(d *terrain.Draft, c, r int) {
	tile := d.Flags(c/terrain.TileSize, r/terrain.TileSize)
	tile[r%terrain.TileSize*terrain.TileSize+c%terrain.TileSize] |= terrain.Hole
}
