package lod

import (
	"image"
	"math"
	"math/rand/v2"
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
	step, noisy := r.Float64()*20, r.Float64()*2
	h := make([]float32, cols*rows)
	for z := range rows {
		for x := range cols {
			var v float64
			for _, w := range waves {
				v += w.size * math.Sin(w.x*float64(x)+w.z*float64(z)+w.phase)
			}
			// The amplitude differs from chunk to chunk.
			v *= float64((x/64*7+z/64*3+int(seed))%5) / 4 * spacing
			if x > cols/2 && z > rows/3 {
				v += step
			}
			if (x/40+z/70)%3 == 0 {
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

func drawField(t *rapid.T) *terrain.Field {
	side := rapid.OneOf(rapid.IntRange(2, 450), rapid.SampledFrom([]int{2, 3, 64, 65, 66, 97, 129, 257, 513}))
	cols, rows := side.Draw(t, "cols"), side.Draw(t, "rows")
	spacing := rapid.SampledFrom([]float64{0.5, 1, 30}).Draw(t, "spacing")
	f := rough(cols, rows, spacing, rapid.Uint64Range(0, 1000).Draw(t, "seed"))
	return f.WithOrigin(rapid.SampledFrom([]float64{0, -1e5, 12.5}).Draw(t, "x"), 100)
}

func drawView(t *rapid.T, f *terrain.Field) View {
	w, d := f.Extent()
	x, z := f.Origin()
	lo, hi := f.MinMax()
	around := rapid.Float64Range(-0.5, 1.5)
	eye := geom.Vec3{
		x + w*around.Draw(t, "eyeX"),
		float64(lo) + (float64(hi-lo)+w)*rapid.Float64Range(0, 1).Draw(t, "eyeY"),
		z + d*around.Draw(t, "eyeZ"),
	}
	v := View{
		Eye:         eye,
		ScreenScale: rapid.Float64Range(50, 2000).Draw(t, "scale"),
		Ortho:       rapid.IntRange(0, 5).Draw(t, "ortho") == 0,
		MaxError:    rapid.SampledFrom([]float64{0, 0.5, 3, 8, 100}).Draw(t, "error"),
	}
	if v.Ortho {
		v.ScreenScale = rapid.Float64Range(0.01, 50).Draw(t, "perMetre")
	}
	look := mgl64.HomogRotate3DX(rapid.Float64Range(-1.5, 1.5).Draw(t, "pitch")).
		Mul4(mgl64.HomogRotate3DY(rapid.Float64Range(-3, 3).Draw(t, "yaw")))
	v.Frustum = geom.FrustumOf(eye, mgl64.Perspective(1, 1.5, 0.1, 10*(w+d)).Mul4(look))
	return v
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
		f := drawField(t)
		v := drawView(t, f)
		var s Snapped
		s.Update(f, nil)
		patches := s.AppendPatches(nil, everything(v))
		checkWatertight(t, f, patches)

		// What a frustum leaves is some of the same triangles, and all within it.
		seen := make(map[[3]image.Point]bool)
		for _, tri := range triangles(patches) {
			seen[tri] = true
		}
		visible := triangles(s.AppendPatches(nil, v))
		kept := make(map[[3]image.Point]bool)
		for _, tri := range visible {
			if !seen[tri] {
				t.Fatalf("triangle %v is drawn only because of the frustum", tri)
			}
			kept[tri] = true
		}
		for tri := range seen {
			if !kept[tri] && v.Frustum.Point(world(f, tri[0])) {
				t.Fatalf("triangle %v has a corner in sight and is not drawn", tri)
			}
		}
	})
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
	type edge [2]image.Point
	edges := make(map[edge]int)
	area := 0
	for _, tri := range triangles(patches) {
		// (a, c, b) runs counter-clockwise from above with Z down the page.
		twice := -cross(tri[1].Sub(tri[0]), tri[2].Sub(tri[0]))
		if twice < 0 {
			t.Fatalf("triangle %v is turned over", tri)
		}
		area += twice
		for i := range 3 {
			edges[edge{tri[i], tri[(i+1)%3]}]++
		}
	}
	if area != 2*(cols-1)*(rows-1) {
		t.Fatalf("triangles cover %g cells of %d", float64(area)/2, (cols-1)*(rows-1))
	}
	for e, n := range edges {
		if n != 1 {
			t.Fatalf("edge %v belongs to %d triangles on one side", e, n)
		}
		rim := e[0].X == e[1].X && (e[0].X == 0 || e[0].X == cols-1) ||
			e[0].Y == e[1].Y && (e[0].Y == 0 || e[0].Y == rows-1)
		if edges[edge{e[1], e[0]}] == 0 && !rim {
			t.Fatalf("edge %v has nothing on its other side", e)
		}
	}
}

func TestErrorIsWithinPixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		v := drawView(t, f)
		var s Snapped
		s.Update(f, nil)
		for _, tri := range triangles(s.AppendPatches(nil, everything(v))) {
			forSamples(tri, func(p image.Point, w [3]float64) {
				drawn := 0.0
				for i, c := range tri {
					drawn += w[i] * float64(f.Sample(c.X, c.Y))
				}
				at := world(f, p)
				// Heights of some 100 m are float32, and so is what was measured.
				px := max(0, math.Abs(drawn-at[1])-2e-5) * v.ScreenScale
				if !v.Ortho {
					px /= at.Sub(v.Eye).Len()
				}
				if !(px <= v.MaxError*1.0001) {
					t.Fatalf("%g px at sample %v in %v, allowed %g", px, p, tri, v.MaxError)
				}
			})
		}
	})
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
