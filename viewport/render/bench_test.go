package render

import (
	"encoding/binary"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// peerField is a field of shared/peers, from the folder that RIDGELINE_PEERS names.
func peerField(b testing.TB, n int) *terrain.Field {
	data, err := os.ReadFile(filepath.Join(os.Getenv("RIDGELINE_PEERS"), fmt.Sprintf("h%d.r16", n)))
	if err != nil {
		b.Skipf("RIDGELINE_PEERS must name the folder of the peers' data: %v", err)
	}
	h := make([]float32, n*n)
	for i := range h {
		h[i] = float32(binary.LittleEndian.Uint16(data[2*i:])) / 65535 * 0.25 * float32(n-1)
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// peerView is the fixed view that all peers draw.
func peerView(n int, maxError float64) View {
	s := float64(n - 1)
	eye := mgl64.Vec3{s / 2, s / 4, -s / 20}
	v := look(eye, eye.Add(mgl64.Vec3{0, -.35, 1}), 1280, 720, s/500, 3*s)
	v.MaxError = maxError
	return v
}

// cpu is the processor time that this process has used on all its threads.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFrame draws the peers' view and waits for it. min-ms and min-cpu-ms are
// the quickest frame and the least processor time of one, on all threads: what is
// left when other programs disturb.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{513, 1025} {
		f := peerField(b, n)
		for _, layers := range []int{1, 3, 12} {
			for _, e := range []float64{0, 3, 8} {
				if e == 0 && (n > 513 || layers > 1) {
					continue
				}
				b.Run(fmt.Sprintf("%d/layers=%d/err=%g", n, layers, e), func(b *testing.B) {
					withGL(b, func(r *Renderer) {
						if err := r.Update(manyLayers(f, layers)); err != nil {
							b.Fatal(err)
						}
						v := peerView(n, e)
						c := newCanvas(b, 1280, 720)
						defer c.free()
						var s Stats
						frame := func() {
							var err error
							if s, err = r.Draw(c.Target, &v); err != nil {
								b.Fatal(err)
							}
							gl.Finish()
						}
						for range 3 {
							frame()
						}
						best, least := time.Hour, time.Hour
						for b.Loop() {
							t0, used := time.Now(), cpu()
							frame()
							best, least = min(best, time.Since(t0)), min(least, cpu()-used)
						}
						b.ReportMetric(float64(best.Microseconds())/1e3, "min-ms")
						b.ReportMetric(float64(least.Microseconds())/1e3, "min-cpu-ms")
						b.ReportMetric(float64(s.Triangles), "triangles")
						b.ReportMetric(float64(s.Draws), "draws")
					})
				})
			}
		}
	}
}

// manyLayers is a world that mixes n textures, up to three at a sample.
func manyLayers(f *terrain.Field, n int) World {
	w := World{Sun: afternoon}
	for i := range n {
		w.Layers = append(w.Layers, LayerTexture{noisy(color.NRGBA{uint8(60 + 40*i%150), uint8(110 - 7*i), uint8(50 + 10*i), 255}, uint32(i)), 4})
	}
	if n > 1 {
		f = paint(f, func(c, r int) (terrain.Splat, terrain.RGB) {
			k := func(s uint32) uint8 {
				return uint8(min(max(int(127+160*noise(float64(c)/23, float64(r)/23, s)), 0), 255))
			}
			id := func(i int) uint8 { return uint8((c/90 + r/70 + i) % n) }
			return terrain.Splat{Base: id(0), Over: id(1), Third: id(2), Alpha: k(1), Alpha2: k(2) / 2}, terrain.RGB{R: 255, G: 255, B: 255}
		})
	}
	w.Field = f
	return w
}
