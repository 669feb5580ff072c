package terrain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/collide"
	"ridgeline/occluders/geom"
)

// withHoles opens a part of the cells.
func withHoles(f *Field, r *rand.Rand, part float64) *Field {
	d := f.Draft()
	cols, rows := f.Size()
	for row := range rows - 1 {
		for col := range cols - 1 {
			if r.Float64() < part {
				d.Flags(col/TileSize, row/TileSize)[row%TileSize*TileSize+col%TileSize] |= Hole
			}
		}
	}
	f, _ = d.Field()
	return f
}

func TestSolidTrianglesAreThoseInTheBox(t *testing.T) {
	met, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		f := drawField(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "boxes"), 2))
		f = withHoles(f, r, 0.1)
		cols, rows := f.Size()
		whole := Solid{f}.Bounds()
		for range 8 {
			at := func(k int) float64 {
				return whole.Min[k] - 2 + r.Float64()*(whole.Max[k]-whole.Min[k]+4)
			}
			b := geom.BoxOf(mgl64.Vec3{at(0), at(1), at(2)}, mgl64.Vec3{at(0), at(1), at(2)})
			if r.IntN(3) == 0 { // on the samples, touching cells
				s := f.Spacing()
				b.Min[0] = f.origin[0] + float64(r.IntN(cols))*s
				b.Max[0] = b.Min[0] + float64(r.IntN(3))*s
			}
			want := map[int][3]mgl64.Vec3{}
			for row := range rows - 1 {
				for col := range cols - 1 {
					if f.IsHole(col, row) {
						continue
					}
					for i, tri := range triangles(f, col, row) {
						if geom.BoxOf(tri[:]...).Overlaps(b) {
							want[2*(row*(cols-1)+col)+i] = tri
						}
					}
				}
			}
			got := Solid{f}.AppendTriangles(nil, b)
			met += len(got)
			if len(got) != len(want) {
				t.Fatalf("%d triangles in %v, expected %d", len(got), b, len(want))
			}
			for _, g := range got {
				if want[g.Triangle] != g.P {
					t.Fatalf("triangle %d is %v, expected %v", g.Triangle, g.P, want[g.Triangle])
				}
			}
		}
	})
	if met < 10*runs {
		t.Errorf("only %d triangles in %d fields", met, runs)
	}
}

func TestSolidRaysTellTheTriangle(t *testing.T) {
	hits, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		f := drawRough(t)
		cols, _ := f.Size()
		ex, ez := f.Extent()
		ox, oz := f.Origin()
		lo, hi := f.MinMax()
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "rays"), 3))
		for range 20 {
			from := mgl64.Vec3{ox + r.Float64()*ex, float64(hi) + 1 + r.Float64(), oz + r.Float64()*ez}
			to := mgl64.Vec3{ox + r.Float64()*ex, float64(lo) - 1, oz + r.Float64()*ez}
			ray := geom.Ray{Origin: from, Dir: to.Sub(from)}
			h, ok := Solid{f}.Ray(ray, math.Inf(1))
			w, err := collide.NewWorld(Solid{f}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, far := range []float64{0, 0.3, 0.7, h.T * 0.999, h.T, 2} {
				near, okNear := Solid{f}.Ray(ray, far)
				if blocked := w.Any(ray, far, nil); blocked != okNear {
					t.Fatalf("up to %v a hit is %v, anything %v", far, okNear, blocked)
				}
				if okNear != (ok && h.T <= far) || okNear && near != h {
					t.Fatalf("up to %v: %+v %v, without end %+v %v", far, near, okNear, h, ok)
				}
			}
			if !ok {
				continue
			}
			hits++
			cell := h.Triangle / 2
			tri := triangles(f, cell%(cols-1), cell/(cols-1))[h.Triangle%2]
			p := tri[0].Add(tri[1].Sub(tri[0]).Mul(h.U)).Add(tri[2].Sub(tri[0]).Mul(h.V))
			if p.Sub(ray.At(h.T)).Len() > 1e-6*ray.Dir.Len() {
				t.Fatalf("%+v is at %v, the ray at %v", h, p, ray.At(h.T))
			}
			if h.U < -1e-6 || h.V < -1e-6 || h.U+h.V > 1+1e-6 {
				t.Fatalf("%+v is outside its triangle", h)
			}
			n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Normalize()
			if n.Sub(h.Normal).Len() > 1e-6 && h.U > 1e-6 && h.V > 1e-6 && h.U+h.V < 1-1e-6 {
				t.Fatalf("normal %v, expected %v", h.Normal, n)
			}
		}
	})
	if hits < 5*runs {
		t.Errorf("only %d hits in %d fields", hits, runs)
	}
}

// A walker follows real ground exactly, and comes back from a hole in it, wherever the
// field stands.
func TestWalkingOnAField(t *testing.T) {
	for _, origin := range []float64{0, 100_000} {
		t.Run(fmt.Sprint(origin), func(t *testing.T) {
			const n = 130
			h := make([]float32, n*n)
			for i := range h {
				x, z := float64(i%n), float64(i/n)
				h[i] = float32(8*math.Sin(x/9)*math.Cos(z/11) + 0.2*math.Sin(x*2))
			}
			f, err := FromHeights(n, n, 1, h)
			if err != nil {
				t.Fatal(err)
			}
			f = f.WithOrigin(origin, -origin)
			w, err := collide.NewWorld(Solid{f}, nil)
			if err != nil {
				t.Fatal(err)
			}
			k, err := collide.NewWalker(collide.Walk{})
			if err != nil {
				t.Fatal(err)
			}
			start := mgl64.Vec3{origin + 20, 100, -origin + 30}
			if !k.Place(w, start) {
				t.Fatal("nothing to stand on")
			}
			for i := range 15 * 60 {
				k.Update(w, collide.Input{X: 1, Z: 0.3}, time.Second/60)
				p := k.Feet()
				y, ok := f.Height(p[0], p[2])
				// The round end of the capsule touches a slope beside its lowest point.
				slope, _ := f.Slope(p[0], p[2])
				if !ok || k.State() != collide.Standing || p[1] < y-1e-3 || p[1] > y+0.1+0.35*(1/math.Cos(slope)-1) {
					t.Fatalf("frame %d: %v at %v, the ground at %v", i, k.State(), p, y)
				}
			}
			if k.Feet()[0] < start[0]+60 {
				t.Errorf("it came only to %v", k.Feet())
			}
			// A hole opens under it.
			d := f.Draft()
			c, r, _, _, _ := f.Cell(k.Feet()[0], k.Feet()[2])
			for dr := -2; dr <= 2; dr++ {
				for dc := -2; dc <= 2; dc++ {
					d.Flags((c+dc)/TileSize, (r+dr)/TileSize)[(r+dr)%TileSize*TileSize+(c+dc)%TileSize] |= Hole
				}
			}
			open, _ := d.Field()
			w.SetGround(Solid{open})
			at := k.Feet()
			lowest := at[1]
			for range 5 * 60 {
				k.Update(w, collide.Input{}, time.Second/60)
				lowest = min(lowest, k.Feet()[1])
			}
			if p := k.Feet(); lowest > at[1]-9 || k.State() != collide.Standing || p.Sub(at).Len() > 9 {
				t.Errorf("after a fall to %v it is %v at %v", lowest, k.State(), p)
			}
		})
	}
}

// Short rays and whether anything is in their way, as for eyes and steps.
func BenchmarkSolidRays(b *testing.B) {
	const n = 513
	h := make([]float32, n*n)
	for i := range h {
		x, z := float64(i%n), float64(i/n)
		h[i] = float32(20*math.Sin(x/30)*math.Cos(z/25) + math.Sin(x/3))
	}
	f, err := FromHeights(n, n, 1, h)
	if err != nil {
		b.Fatal(err)
	}
	w, err := collide.NewWorld(Solid{f}, nil)
	if err != nil {
		b.Fatal(err)
	}
	rays := make([]geom.Ray, 1024)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rays {
		rays[i] = geom.Ray{Origin: mgl64.Vec3{r.Float64() * n, 22, r.Float64() * n}, Dir: mgl64.Vec3{r.Float64() - 0.5, -0.02, r.Float64() - 0.5}}
	}
	for _, tMax := range []float64{1, 100, math.Inf(1)} {
		b.Run(fmt.Sprintf("nearest to %v", tMax), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				w.Nearest(rays[i%len(rays)], tMax, nil)
			}
		})
		b.Run(fmt.Sprintf("any to %v", tMax), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				w.Any(rays[i%len(rays)], tMax, nil)
			}
		})
	}
}

func BenchmarkSolidTriangles(b *testing.B) {
	f := rough(b, 1025, 1025, 1, 5)
	var dst []collide.GroundTriangle
	r := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	for b.Loop() {
		p := mgl64.Vec3{10 + r.Float64()*1000, 0, 10 + r.Float64()*1000}
		y, _ := f.Height(p[0], p[2])
		p[1] = y
		box := geom.Box{Min: p.Sub(mgl64.Vec3{1, 1, 1}), Max: p.Add(mgl64.Vec3{1, 2, 1})}
		dst = Solid{f}.AppendTriangles(dst[:0], box)
	}
	b.ReportMetric(float64(len(dst)), "triangles")
}

func BenchmarkWalkOnField(b *testing.B) {
	f := rough(b, 4097, 4097, 1, 5)
	w, err := collide.NewWorld(Solid{f}, nil)
	if err != nil {
		b.Fatal(err)
	}
	k, err := collide.NewWalker(collide.Walk{})
	if err != nil {
		b.Fatal(err)
	}
	k.Place(w, mgl64.Vec3{2000, 500, 2000})
	b.ReportAllocs()
	turn := 0.0
	for b.Loop() {
		turn += 1e-4
		k.Update(w, collide.Input{X: math.Cos(turn), Z: math.Sin(turn)}, time.Second/120+1)
	}
}
