package nodetree

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// peerMesh is the mesh on which the ray tracers of other programs are measured: n×n
// heights a metre apart, up to a quarter of the side high.
func peerMesh(tb testing.TB, n int) (positions []mgl32.Vec3, indices []uint32) {
	folder := os.Getenv("RIDGELINE_PEERS")
	if folder == "" {
		tb.Skip("RIDGELINE_PEERS is not set")
	}
	data, err := os.ReadFile(filepath.Join(folder, "h513.r16"))
	if err != nil {
		tb.Skip(err)
	}
	scale := 0.25 * float32(n-1) / 65535
	for i := range n * n {
		positions = append(positions, mgl32.Vec3{float32(i % n), float32(binary.LittleEndian.Uint16(data[2*i:])) * scale, float32(i / n)})
	}
	return positions, gridIndices(n)
}

func gridIndices(n int) (indices []uint32) {
	for z := range n - 1 {
		for x := range n - 1 {
			a := uint32(z*n + x)
			b, c := a+1, a+uint32(n)
			d := c + 1
			indices = append(indices, a, c, b, b, c, d)
		}
	}
	return indices
}

type random uint64

func (s *random) float() float32 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return float32(float64((z^z>>31)>>11) / (1 << 53))
}

func randomRays(n, count int) []geom.Ray {
	s, size := random(99), float32(n-1)
	rays := make([]geom.Ray, count)
	for i := range rays {
		ox, oz, tx, tz := s.float()*size, s.float()*size, s.float()*size, s.float()*size
		o := geom.Vec3{float64(ox), float64(size) * 0.375, float64(oz)}
		d := geom.Vec3{float64(tx), float64(size) * 0.125, float64(tz)}.Sub(o)
		rays[i] = geom.Ray{Origin: o, Dir: d.Normalize()}
	}
	return rays
}

func cameraRays(n int) []geom.Ray {
	size := float64(n - 1)
	eye := geom.Vec3{size * .5, size * .25, -size * .05}
	f := geom.Vec3{0, -.35, 1}.Normalize()
	up := geom.Vec3{0, f[2], -f[1]}
	th, aspect := math.Tan(math.Pi/6), 1280.0/720
	var rays []geom.Ray
	for y := range 720 {
		for x := range 1280 {
			u := (2*(float64(x)+.5)/1280 - 1) * th * aspect
			w := (1 - 2*(float64(y)+.5)/720) * th
			rays = append(rays, geom.Ray{Origin: eye, Dir: geom.Vec3{u, f[1] + up[1]*w, f[2] + up[2]*w}.Normalize()})
		}
	}
	return rays
}

func BenchmarkWide(b *testing.B) {
	positions, indices := peerMesh(b, 513)
	boxes := make([]bounds, len(indices)/3)
	names := make([]int32, len(boxes))
	var w *wide
	b.Run("build", func(b *testing.B) {
		t0 := cpuTime()
		for b.Loop() {
			for i := range boxes {
				boxes[i] = boundsOf(&positions[indices[3*i]], &positions[indices[3*i+1]], &positions[indices[3*i+2]])
				names[i] = int32(i)
			}
			w = buildWide(positions, indices, boxes, names)
		}
		b.ReportMetric((cpuTime()-t0)/float64(b.N)*1e3, "cpu-ms")
		b.ReportMetric(float64(len(w.nodes)), "nodes")
		b.ReportMetric(float64(len(w.leaves)), "leaves")
		b.ReportMetric(float64(len(indices)/3)/float64(len(w.leaves)), "triangles/leaf")
		kids := 0
		for i := range w.nodes {
			for _, c := range w.nodes[i].child {
				if c != none {
					kids++
				}
			}
		}
		b.ReportMetric(float64(kids)/float64(len(w.nodes)), "children/node")
	})
	for _, k := range []struct {
		name string
		rays []geom.Ray
	}{{"random", randomRays(513, 1000000)}, {"camera", cameraRays(513)}} {
		b.Run(k.name, func(b *testing.B) {
			hits, sum := 0, 0.0
			const slice = 1000
			best := make([]float64, (len(k.rays)+slice-1)/slice)
			for i := range best {
				best[i] = 1e9
			}
			for b.Loop() {
				hits, sum = 0, 0
				for s := range best {
					t0 := time.Now()
					part := k.rays[s*slice : min((s+1)*slice, len(k.rays))]
					for i := range part {
						if h, ok := w.cast(&part[i], math.Inf(1), nil, false); ok {
							hits++
							sum += h.T
						}
					}
					best[s] = min(best[s], time.Since(t0).Seconds())
				}
			}
			total := 0.0
			for _, t := range best {
				total += t
			}
			b.ReportMetric(float64(len(k.rays))/total/1e6, "bestMrays/s")
			b.ReportMetric(float64(b.N)*float64(len(k.rays))/b.Elapsed().Seconds()/1e6, "Mrays/s")
			b.ReportMetric(float64(hits), "hits")
			b.ReportMetric(sum/float64(hits), "mean_t")
		})
	}
}

func cpuTime() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6 + float64(u.Stime.Sec) + float64(u.Stime.Usec)/1e6
}
