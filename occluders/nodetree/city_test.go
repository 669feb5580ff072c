package nodetree

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

func city() (positions []mgl32.Vec3, indices []uint32) {
	s := random(5)
	quad := func(a, b, c, d mgl32.Vec3) {
		n := uint32(len(positions))
		positions = append(positions, a, b, c, d)
		indices = append(indices, n, n+1, n+2, n, n+2, n+3)
	}
	box := func(lo, hi mgl32.Vec3) {
		p := func(i int) mgl32.Vec3 {
			v := lo
			for k := range 3 {
				if i>>k&1 == 1 {
					v[k] = hi[k]
				}
			}
			return v
		}
		for _, f := range [][4]int{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
			quad(p(f[0]), p(f[1]), p(f[2]), p(f[3]))
		}
	}
	quad(mgl32.Vec3{0, 0, 0}, mgl32.Vec3{0, 0, 2000}, mgl32.Vec3{2000, 0, 2000}, mgl32.Vec3{2000, 0, 0})
	for range 3000 {
		x, z := s.float()*2000, s.float()*2000
		box(mgl32.Vec3{x, 0, z}, mgl32.Vec3{x + 10 + 30*s.float(), 5 + 90*s.float()*s.float(), z + 10 + 30*s.float()})
	}
	for range 500 { // long thin things, not along an axis
		a := mgl32.Vec3{s.float() * 2000, 50 * s.float(), s.float() * 2000}
		b := a.Add(mgl32.Vec3{400*s.float() - 200, 20 * s.float(), 400*s.float() - 200})
		quad(a, b, b.Add(mgl32.Vec3{0, 0.3, 0}), a.Add(mgl32.Vec3{0, 0.3, 0}))
	}
	for range 60 { // small dense things
		c := mgl32.Vec3{s.float() * 2000, 2, s.float() * 2000}
		r := 0.3 + s.float()
		at := func(i, j int) mgl32.Vec3 {
			u, v := float64(i)*math.Pi/32, float64(j)*math.Pi/16
			return c.Add(mgl32.Vec3{float32(math.Sin(u) * math.Cos(v)), float32(math.Cos(u)), float32(math.Sin(u) * math.Sin(v))}.Mul(r))
		}
		for i := range 32 {
			for j := range 32 {
				quad(at(i, j), at(i, j+1), at(i+1, j+1), at(i+1, j))
			}
		}
	}
	return positions, indices
}

func cityRays(n int) (rays []geom.Ray) {
	s := random(11)
	for range n {
		a := geom.Vec3{float64(s.float()) * 2000, float64(s.float()) * 60, float64(s.float()) * 2000}
		b := geom.Vec3{float64(s.float()) * 2000, float64(s.float()) * 30, float64(s.float()) * 2000}
		rays = append(rays, geom.Ray{Origin: a, Dir: b.Sub(a).Normalize()})
	}
	return rays
}

func BenchmarkCity(b *testing.B) {
	positions, indices := city()
	rays := cityRays(200000)
	if dir := os.Getenv("CITY_OUT"); dir != "" {
		w := func(name string, v any) {
			var buf bytes.Buffer
			binary.Write(&buf, binary.LittleEndian, v)
			os.WriteFile(dir+"/"+name, buf.Bytes(), 0o644)
		}
		w("pos", positions)
		w("idx", indices)
		var r []float32
		for _, q := range rays {
			for _, v := range [2]geom.Vec3{q.Origin, q.Dir} {
				r = append(r, float32(v[0]), float32(v[1]), float32(v[2]))
			}
		}
		w("rays", r)
	}
	tree := BuildTriangles(positions, indices, Options{})
	b.ReportMetric(float64(len(indices)/3), "triangles")
	best := make([]float64, len(rays)/1000)
	for i := range best {
		best[i] = 1e9
	}
	hits := 0
	for b.Loop() {
		hits = 0
		for s := range best {
			t0 := time.Now()
			for i := range rays[s*1000 : s*1000+1000] {
				if _, ok := tree.Nearest(rays[s*1000+i], math.Inf(1), nil); ok {
					hits++
				}
			}
			best[s] = min(best[s], time.Since(t0).Seconds())
		}
	}
	total := 0.0
	for _, t := range best {
		total += t
	}
	b.ReportMetric(float64(len(rays))/total/1e6, "bestMrays/s")
	b.ReportMetric(float64(hits), "hits")
}
