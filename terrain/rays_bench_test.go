package terrain_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/sample"
)

// peerField is the height map that the peers trace, from the folder that
// RIDGELINE_PEERS names; without it, the sample level at the same proportions.
func peerField(b *testing.B, n int) *terrain.Field {
	dir := os.Getenv("RIDGELINE_PEERS")
	if dir == "" {
		f, err := sample.Field()
		if err != nil {
			b.Fatal(err)
		}
		h := make([]float32, sample.Size*sample.Size)
		f.CopyHeights(h, sample.Size, f.Bounds())
		lo, hi := f.MinMax()
		for i := range h {
			h[i] = (h[i] - lo) / (hi - lo) * 0.25 * (sample.Size - 1)
		}
		return fieldOf(b, sample.Size, h)
	}
	data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("h%d.r16", n)))
	if err != nil {
		b.Fatal(err)
	}
	a := 0.25 * float32(n-1) / 65535
	h := make([]float32, n*n)
	for i := range h {
		h[i] = float32(binary.LittleEndian.Uint16(data[2*i:])) * a
	}
	return fieldOf(b, n, h)
}

func fieldOf(b *testing.B, n int, h []float32) *terrain.Field {
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

type splitmix uint64

func (s *splitmix) next() float64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return float64((z^(z>>31))>>11) / (1 << 53)
}

// randomRays are the peers' rays: from above anywhere to the ground anywhere.
func randomRays(n int) []geom.Ray {
	rays := make([]geom.Ray, 1_000_000)
	s := splitmix(99)
	size := float32(n - 1)
	up := size * 0.25 * 1.5
	next := func() float32 { return float32(s.next() * float64(size)) }
	for i := range rays {
		ox, oz, tx, tz := next(), next(), next(), next()
		rays[i] = single([3]float32{ox, up, oz}, [3]float32{tx - ox, size*0.125 - up, tz - oz})
	}
	return rays
}

// single is a ray of float32 numbers with a unit direction.
func single(o, d [3]float32) geom.Ray {
	l := float32(math.Sqrt(float64(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])))
	return geom.Ray{
		Origin: mgl64.Vec3{float64(o[0]), float64(o[1]), float64(o[2])},
		Dir:    mgl64.Vec3{float64(d[0] / l), float64(d[1] / l), float64(d[2] / l)},
	}
}

// cameraRays are the peers' picture of 1280×720 pixels, row by row.
func cameraRays(n int) []geom.Ray {
	var rays []geom.Ray
	size := float32(n - 1)
	at := [3]float32{size * 0.5, size * 0.25, -size * 0.05}
	f := [3]float32{0, -0.35, 1}
	l := float32(math.Sqrt(float64(f[1]*f[1] + 1)))
	f[1] /= l
	f[2] /= l
	up := [3]float32{0, f[2], -f[1]}
	th := float32(math.Tan(30 * math.Pi / 180))
	as := float32(1280) / 720
	for y := range 720 {
		for x := range 1280 {
			u := (2*(float32(x)+0.5)/1280 - 1) * th * as
			w := (1 - 2*(float32(y)+0.5)/720) * th
			rays = append(rays, single(at, [3]float32{u, f[1] + up[1]*w, f[2] + up[2]*w}))
		}
	}
	return rays
}

func BenchmarkRays(b *testing.B) {
	for _, n := range []int{513, 1025} {
		if n != sample.Size && os.Getenv("RIDGELINE_PEERS") == "" {
			continue
		}
		f := peerField(b, n)
		for _, set := range []struct {
			name string
			rays []geom.Ray
		}{{"random", randomRays(n)}, {"camera", cameraRays(n)}} {
			b.Run(fmt.Sprintf("%d/%s/single", n, set.name), func(b *testing.B) {
				hits, sum := 0, 0.0
				for b.Loop() {
					hits, sum = 0, 0
					for i := range set.rays {
						if h, ok := f.Raycast(set.rays[i]); ok {
							hits++
							sum += h.T
						}
					}
				}
				reportRays(b, len(set.rays), hits, sum)
			})
			b.Run(fmt.Sprintf("%d/%s/batch", n, set.name), func(b *testing.B) {
				hits, sum := 0, 0.0
				var found []terrain.Hit
				for b.Loop() {
					hits, sum = 0, 0
					for from := 0; from < len(set.rays); from += 1280 {
						found = f.AppendHits(found[:0], set.rays[from:min(from+1280, len(set.rays))])
						for i := range found {
							if t := found[i].T; !math.IsInf(t, 1) {
								hits++
								sum += t
							}
						}
					}
				}
				reportRays(b, len(set.rays), hits, sum)
			})
		}
	}
}

func reportRays(b *testing.B, rays, hits int, sum float64) {
	b.ReportMetric(float64(rays)*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mrays/s")
	b.ReportMetric(float64(hits), "hits")
	b.ReportMetric(sum/float64(hits), "mean_t")
	b.ReportMetric(0, "ns/op")
}
