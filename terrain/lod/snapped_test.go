package lod

import (
	"cmp"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// rough makes ground of waves, steps, noise and level parts, so that chunks of
// all levels meet.
func rough(cols, rows int, spacing float64, seed uint64) *terrain.Field {
	r := rand.New(rand.NewPCG(seed, 1))
	type wave struct{ x, z, size, phase float64 }
	waves := make([]wave, 6)
	for i := range waves {
		k := math.Pow(2, -float64(i)) / 8
		waves[i] = wave{(r.Float64() - 0.5) * k, (r.Float64() - 0.5) * k, r.Float64() * math.Pow(2, float64(i)-1), r.Float64() * 7}
	}
	step, noisy := r.Float64()*20*float64(seed%2), r.Float64()*2
	h := make([]float32, cols*rows)
	for z := range rows {
		for x := range cols {
			var v float64
			for _, w := range waves {
				v += w.size * math.Sin(w.x*float64(x)+w.z*float64(z)+w.phase)
			}
			// The amplitude differs from place to place, smoothly.
			v *= math.Pow(2, -3-3*math.Sin(float64(x)/60+step)*math.Sin(float64(z)/80+noisy)) * spacing
			if seed%2 == 0 {
				// Chunks that are rough inside and level at their borders find others
				// of very different levels beside them.
				fade := math.Sin(float64(x)/64*math.Pi) * math.Sin(float64(z)/64*math.Pi)
				v *= fade * math.Pow(2, float64((x/64*5+z/64*3)%7))
			}
			if x > cols*3/4 && z > rows*2/3 {
				v += step
			}
			if (x/70+z/70)%13 == 5 {
				v += noisy * r.Float64()
			}
			h[z*cols+x] = float32(v)
		}
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		panic(err)
	}
	return f
}

// scene is a field and a view of it. They come from a plain seed, since rapid
// itself prefers small numbers, that is small fields at one level.
func scene(t *rapid.T) (*terrain.Field, View) {
	seed := rapid.Uint64().Draw(t, "seed")
	r := rand.New(rand.NewPCG(seed, 2))
	sizes := []int{2, 3, 64, 65, 66, 97, 129, 257}
	side := func() int {
		if r.IntN(3) == 0 {
			return sizes[r.IntN(len(sizes))]
		}
		return 2 + r.IntN(220)
	}
	f := rough(side(), side(), []float64{0.5, 1, 30}[r.IntN(3)], seed)
	f = f.WithOrigin([]float64{0, -1e5, 12.5}[r.IntN(3)], 100)

	w, d := f.Extent()
	x, z := f.Origin()
	lo, hi := f.MinMax()
	v := View{
		Eye: geom.Vec3{
			x + w*(2*r.Float64()-0.5),
			float64(lo) + (float64(hi-lo)+w)*r.Float64()/2,
			z + d*(2*r.Float64()-0.5),
		},
		Ortho:       r.IntN(5) == 0,
		MaxError:    []float64{0, 0.5, 3, 8, 100, 1}[r.IntN(6)],
		ScreenScale: 500,
	}
	// The scale that allows some share of the field's height at a distance of its
	// size, so that all levels occur.
	if hi > lo && v.MaxError > 0 {
		v.ScreenScale = v.MaxError / (math.Pow(2, -11*r.Float64()) * float64(hi-lo))
		if !v.Ortho {
			v.ScreenScale *= w + d
		}
	}
	look := mgl64.HomogRotate3DX(3*r.Float64() - 1.5).Mul4(mgl64.HomogRotate3DY(6 * r.Float64()))
	v.Frustum = geom.FrustumOf(v.Eye, mgl64.Perspective(1, 1.5, 0.1, 10*(w+d)).Mul4(look))
	return f, v
}

// triangles expands patches to triangles of samples, without those that have two
// equal corners.
func triangles(patches []Patch) [][3]image.Point {
	var out [][3]image.Point
	for _, p := range patches {
		nx, nz := p.Quads()
		v := p.AppendSamples(nil)
		add := func(a, b, c image.Point) {
			if a != b && b != c && c != a {
				out = append(out, [3]image.Point{a, b, c})
			}
		}
		for j := range nz {
			for i := range nx {
				k := j*(nx+1) + i
				add(v[k], v[k+nx+1], v[k+1])
				add(v[k+1], v[k+nx+1], v[k+nx+2])
			}
		}
	}
	return out
}

func everything(v View) View {
	v.Frustum = geom.Frustum{}
	return v
}

func TestPatchesAreWatertight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, v := scene(t)
		var s Snapped
		s.Update(f, nil)
		patches := s.AppendPatches(nil, everything(v))
		checkWatertight(t, f, patches)

		// What a frustum leaves is some of the same triangles, and all within it.
		all, kept := triangles(patches), triangles(s.AppendPatches(nil, v))
		slices.SortFunc(all, compare)
		slices.SortFunc(kept, compare)
		for _, tri := range all {
			if len(kept) > 0 && kept[0] == tri {
				kept = kept[1:]
			} else if v.Frustum.Point(world(f, tri[0])) {
				t.Fatalf("triangle %v has a corner in sight and is not drawn", tri)
			}
		}
		if len(kept) > 0 {
			t.Fatalf("triangle %v is drawn only because of the frustum", kept[0])
		}
	})
}

func compare(a, b [3]image.Point) int {
	for i := range a {
		if c := cmp.Or(a[i].Y-b[i].Y, a[i].X-b[i].X); c != 0 {
			return c
		}
	}
	return 0
}

func world(f *terrain.Field, p image.Point) geom.Vec3 {
	x, z := f.Origin()
	return geom.Vec3{x + float64(p.X)*f.Spacing(), float64(f.Sample(p.X, p.Y)), z + float64(p.Y)*f.Spacing()}
}

func checkWatertight(t *rapid.T, f *terrain.Field, patches []Patch) {
	t.Helper()
	cols, rows := f.Size()
	covered := 0
	for _, p := range patches {
		if nx, nz := p.Quads(); nx > 64 || nz > 64 || nx < 1 || nz < 1 {
			t.Fatalf("%+v has %d×%d quads", p, nx, nz)
		}
		for _, e := range p.Edges {
			if e < p.Level || e > MaxLevel {
				t.Fatalf("%+v: bad edge", p)
			}
		}
		covered += p.Cells.Dx() * p.Cells.Dy()
	}
	if covered != (cols-1)*(rows-1) {
		t.Fatalf("patches have %d cells of %d", covered, (cols-1)*(rows-1))
	}
	var edges []uint64 // directed: from and to as indices of samples
	id := func(p image.Point) uint64 { return uint64(p.Y*cols + p.X) }
	area := 0
	for _, tri := range triangles(patches) {
		// (a, c, b) runs counter-clockwise from above with Z down the page.
		twice := -cross(tri[1].Sub(tri[0]), tri[2].Sub(tri[0]))
		if twice < 0 {
			t.Fatalf("triangle %v is turned over", tri)
		}
		area += twice
		for i := range 3 {
			edges = append(edges, id(tri[i])<<32|id(tri[(i+1)%3]))
		}
	}
	if area != 2*(cols-1)*(rows-1) {
		t.Fatalf("triangles cover %g cells of %d", float64(area)/2, (cols-1)*(rows-1))
	}
	slices.Sort(edges)
	for i, e := range edges {
		from, to := int(e>>32), int(e&(1<<32-1))
		p, q := image.Pt(from%cols, from/cols), image.Pt(to%cols, to/cols)
		if i > 0 && edges[i-1] == e {
			t.Fatalf("edge %v–%v belongs to two triangles on one side", p, q)
		}
		rim := p.X == q.X && (p.X == 0 || p.X == cols-1) || p.Y == q.Y && (p.Y == 0 || p.Y == rows-1)
		if _, twin := slices.BinarySearch(edges, e<<32|e>>32); !twin && !rim {
			t.Fatalf("edge %v–%v has nothing on its other side", p, q)
		}
	}
}

func TestErrorIsWithinPixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, v := scene(t)
		var s Snapped
		s.Update(f, nil)
		checkError(t, f, v, s.AppendPatches(nil, everything(v)))
	})
}

func checkError(t *rapid.T, f *terrain.Field, v View, patches []Patch) {
	t.Helper()
	for _, tri := range triangles(patches) {
		forSamples(tri, func(p image.Point, w [3]float64) {
			drawn := 0.0
			for i, c := range tri {
				drawn += w[i] * float64(f.Sample(c.X, c.Y))
			}
			at := world(f, p)
			// Heights of some 100 m are float32, and so is what was measured.
			px := max(0, math.Abs(drawn-at[1])-2e-5) * v.ScreenScale
			if px > 0 && !v.Ortho {
				px /= at.Sub(v.Eye).Len()
			}
			if !(px <= v.MaxError*1.0001) {
				t.Fatalf("%g px at sample %v in %v, allowed %g", px, p, tri, v.MaxError)
			}
		})
	}
}

// forSamples calls do for the samples within a triangle, with the weights of its
// corners.
func forSamples(tri [3]image.Point, do func(p image.Point, w [3]float64)) {
	a, b, c := tri[0], tri[1], tri[2]
	area := cross(b.Sub(a), c.Sub(a))
	if area == 0 {
		return
	}
	for z := min(a.Y, b.Y, c.Y); z <= max(a.Y, b.Y, c.Y); z++ {
		for x := min(a.X, b.X, c.X); x <= max(a.X, b.X, c.X); x++ {
			p := image.Pt(x, z)
			w := [3]float64{
				float64(cross(b.Sub(p), c.Sub(p))) / float64(area),
				float64(cross(c.Sub(p), a.Sub(p))) / float64(area),
				float64(cross(a.Sub(p), b.Sub(p))) / float64(area),
			}
			if min(w[0], w[1], w[2]) >= 0 {
				do(p, w)
			}
		}
	}
}

// One that may open few chunks draws the others at one level each, and forgets what
// it knew of some when the eye moves on.
func TestFewChunksMayBeOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, v := scene(t)
		s := Snapped{most: rapid.IntRange(1, 3).Draw(t, "most")}
		s.Update(f, nil)
		for range 3 {
			checkWatertight(t, f, s.AppendPatches(nil, everything(v)))
			if len(s.opened) > s.most {
				t.Fatalf("%d chunks are remembered, at most %d may be", len(s.opened), s.most)
			}
			for k, o := range s.opened {
				if s.places[o.chunk] != int32(k) {
					t.Fatalf("chunk %d is at place %d, expected %d", o.chunk, s.places[o.chunk], k)
				}
			}
			v.Eye = v.Eye.Add(geom.Vec3{50, 3, 40})
		}
	})
}

// Blocks are worth their trouble: ground of two kinds in one chunk takes no more than
// the rough part needs.
func TestBlocksSaveTriangles(t *testing.T) {
	h := make([]float32, 65*65)
	r := rand.New(rand.NewPCG(1, 1))
	for z := range 15 {
		for x := range 15 {
			h[z*65+x] = r.Float32() * 10
		}
	}
	f, err := terrain.FromHeights(65, 65, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	var s Snapped
	s.Update(f, nil)
	patches := s.AppendPatches(nil, View{ScreenScale: 1, Ortho: true, MaxError: 0.5})
	count := 0
	for _, p := range patches {
		nx, nz := p.Quads()
		count += 2 * nx * nz
	}
	// The rough block has 512 triangles and its neighbours no fewer than two.
	if count < 512+2*15-15 || count > 2*512 {
		t.Fatalf("%d triangles in %v", count, patches)
	}
}
