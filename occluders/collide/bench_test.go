package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// sphereMesh is a ball of 2·n² triangles.
func sphereMesh(n int) *Mesh {
	var p []mgl32.Vec3
	var ix []uint32
	for r := range n + 1 {
		for c := range n {
			a, b := math.Pi*float64(r)/float64(n), 2*math.Pi*float64(c)/float64(n)
			p = append(p, mgl32.Vec3{float32(math.Sin(a) * math.Cos(b)), float32(math.Cos(a)), float32(math.Sin(a) * math.Sin(b))})
		}
	}
	for r := range n {
		for c := range n {
			a, b := uint32(r*n+c), uint32(r*n+(c+1)%n)
			ix = append(ix, a, b, a+uint32(n), b, b+uint32(n), a+uint32(n))
		}
	}
	return NewMesh(p, ix, nil)
}

// level is 10 000 bodies of 100 meshes, of 2 to 5 thousand triangles, on 4 km².
func level(b *testing.B) *World {
	r := random(1)
	var meshes []*Mesh
	for i := range 100 {
		meshes = append(meshes, sphereMesh(32+i%20))
	}
	kinds := [10]Kind{3: KindSphere, 7: KindNone}
	var bodies []Body
	for i := range 10_000 {
		bodies = append(bodies, Body{ID: uint64(i + 1), Mesh: meshes[i%100], Kind: kinds[i%10],
			World: placement(r, Vec3{r.Float64() * 2000, r.Float64() * 2, r.Float64() * 2000}, i%3 == 0)})
	}
	// Level ground, all of it bodies.
	floor := meshOf(tri{{-10, 0, -10}, {-10, 0, 2010}, {2010, 0, -10}}, tri{{2010, 0, -10}, {-10, 0, 2010}, {2010, 0, 2010}})
	bodies = append(bodies, Body{Mesh: floor})
	return newWorld(b, nil, bodies...)
}

func BenchmarkBuildLevel(b *testing.B) {
	w := level(b)
	var bodies []Body
	for i := range w.bodies {
		bodies = append(bodies, w.Body(i))
	}
	b.ReportAllocs()
	for b.Loop() {
		newWorld(b, nil, bodies...)
	}
}

func BenchmarkWalker(b *testing.B) {
	w := level(b)
	for _, c := range []struct {
		name string
		in   func(r *rand.Rand) Input
	}{
		{"walking", func(r *rand.Rand) Input { a := r.Float64() * 7; return Input{X: math.Cos(a), Z: math.Sin(a)} }},
		{"standing", func(*rand.Rand) Input { return Input{} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := random(2)
			k, err := NewWalker(Walk{})
			if err != nil {
				b.Fatal(err)
			}
			k.Place(w, Vec3{1000, 1, 1000})
			in := c.in(r)
			for range 2000 {
				k.Update(w, in, tick)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n++; n%500 == 0 { // somewhere else
					k.Place(w, Vec3{r.Float64() * 2000, 1, r.Float64() * 2000})
					in = c.in(r)
				}
				k.Update(w, in, tick+time.Nanosecond)
			}
		})
	}
}

func BenchmarkRays(b *testing.B) {
	w := level(b)
	r := random(3)
	rays := make([]geom.Ray, 4096)
	for i := range rays {
		p := Vec3{r.Float64() * 2000, 1 + r.Float64()*20, r.Float64() * 2000}
		rays[i] = geom.Ray{Origin: p, Dir: vec(r, 1).Add(Vec3{0, -0.1, 0}).Normalize()}
	}
	for _, c := range []struct {
		name string
		cast func(i int) bool
	}{
		{"nearest", func(i int) bool { _, ok := w.Nearest(rays[i], 1e4, nil); return ok }},
		{"any", func(i int) bool { return w.Any(rays[i], 1e4, nil) }},
		{"segment of 50 m", func(i int) bool { _, ok := w.NearestBetween(rays[i].Origin, rays[i].At(50), nil); return ok }},
		{"height below", func(i int) bool { _, ok := w.HeightBelow(rays[i].Origin, nil); return ok }},
		{"exact, masked", func() func(int) bool {
			f := &Filter{Exact: true, Accept: func(h Hit) bool { return h.Triangle%8 != 0 }}
			return func(i int) bool { _, ok := w.Nearest(rays[i], 1e4, f); return ok }
		}()},
	} {
		b.Run(c.name, func(b *testing.B) {
			hits, n := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				if c.cast(n % len(rays)) {
					hits++
				}
				n++
			}
			b.ReportMetric(float64(hits)/float64(n), "hits/op")
		})
	}
}

func BenchmarkSlide(b *testing.B) {
	w := newWorld(b, nil, Body{Mesh: soup(random(5), 2000, 20), World: mgl64.Ident4()})
	for _, speed := range []float64{0.05, 5, 1000} {
		b.Run(fmt.Sprintf("%g m", speed), func(b *testing.B) {
			r := random(6)
			var s Slider
			c := Sphere(Vec3{}, 0.35)
			way, _ := s.PushOut(w, c)
			c = c.move(way)
			b.ReportAllocs()
			for b.Loop() {
				d := vec(r, 1).Normalize().Mul(speed)
				if c.A.Len() > 20 {
					d = c.A.Mul(-speed / c.A.Len())
				}
				c = c.move(s.Slide(w, c, d).Moved)
			}
		})
	}
}
