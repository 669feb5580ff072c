package render

import (
	"image"
	"image/color"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl64"
)

// BenchmarkIdentify tells what is visible of 1000 objects of 100 models, 236 triangles
// each, on the peers' terrain in the peers' view, at full detail of the ground and as it is
// drawn; Draw of the same view stands beside it. The ground of 513² samples has half a
// million triangles, all of which are drawn. glass: each object blends, and is asked for on
// its own.
func BenchmarkIdentify(b *testing.B) {
	f := peerField(b, 513)
	for _, c := range []struct {
		name     string
		objects  int
		glass    bool
		maxError float64
		draw     bool
	}{
		{"1000/full", 1000, false, 0, false}, {"1000/err=3", 1000, false, 3, false},
		{"1000/err=3/draw", 1000, false, 3, true}, {"0/err=3", 0, false, 3, false},
		{"10000/err=3", 10_000, false, 3, false},
		{"1000/err=3/glass", 1000, true, 3, false}, {"10000/err=3/glass", 10_000, true, 3, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			withGL(b, func(r *Renderer) {
				w, list := town(b, c.objects, 100, 0)
				w.Field = f
				pane := glass(b, color.NRGBA{200, 60, 50, 100})
				w.Models = append(w.Models, pane)
				update1(b, r, w)
				v := peerView(513, c.maxError)
				v.Instances = list
				for i := range list {
					m := &list[i].World
					m[12], m[14] = m[12]/2, m[14]/2
					m[13], _ = f.Height(m[12], m[14])
					if c.glass {
						list[i].Model = pane
					}
				}
				s := new(Sight)
				canvas := newCanvas(b, 1280, 720)
				defer canvas.free()
				frame := func() {
					var err error
					if c.draw {
						_, err = r.Draw(canvas.Target, &v)
						gl.Finish()
					} else {
						err = r.Identify(&v, image.Pt(1280, 720), s)
					}
					if err != nil {
						b.Fatal(err)
					}
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
				seen := 0
				for _, n := range s.Instances {
					if n > 0 {
						seen++
					}
				}
				b.ReportMetric(float64(best.Microseconds())/1e3, "min-ms")
				b.ReportMetric(float64(least.Microseconds())/1e3, "min-cpu-ms")
				b.ReportMetric(float64(seen), "seen")
			})
		})
	}
}

// BenchmarkGhosts shows ghosts of all of a town of 10 000 objects, or of its ground, over an
// empty picture.
func BenchmarkGhosts(b *testing.B) {
	for _, kind := range []string{"none", "objects", "chunks", "heat"} {
		b.Run(kind, func(b *testing.B) {
			withGL(b, func(r *Renderer) {
				w, list := town(b, 10_000, 100, 0)
				update1(b, r, w)
				v := look(mgl64.Vec3{500, 60, -250}, mgl64.Vec3{500, 0, 400}, 1280, 720, 1, 3000)
				switch kind {
				case "objects":
					for i := range list {
						v.Ghosts = append(v.Ghosts, Ghost{Model: list[i].Model, World: list[i].World, Colour: ghostRed})
					}
				case "chunks":
					cols, rows := w.Field.ChunkGrid()
					for i := range cols * rows {
						v.GhostChunks = append(v.GhostChunks, GhostChunk{i, ghostBlue})
					}
				case "heat":
					heatValley(&v)
				}
				frames(b, r, 1280, 720, &v)
			})
		})
	}
}
