package horizon

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/heightmap"
	"ridgeline/terrain/sample"
)

// mountains are n×n samples, spacing metres apart, of the sample level's ground,
// which goes on as in a mirror, with finer and finer noise on it.
func mountains(tb testing.TB, n int, spacing float64) *terrain.Field {
	s, err := sample.Field()
	if err != nil {
		tb.Fatal(err)
	}
	const size = sample.Size
	h := make([]float32, size*size)
	s.CopyHeights(h, size, s.Bounds())
	return stretched(tb, h, size, size, n, spacing, spacing/sample.Spacing)
}

// stretched resamples heights, step of their samples to one, with noise.
func stretched(tb testing.TB, h []float32, cols, rows, n int, spacing, step float64) *terrain.Field {
	at := func(x, z int) float64 {
		return float64(h[mirror(z, rows)*cols+mirror(x, cols)])
	}
	out := make([]float32, n*n)
	for z := range n {
		for x := range n {
			gx, gz := float64(x)*step, float64(z)*step
			ix, iz := math.Floor(gx), math.Floor(gz)
			fx, fz := gx-ix, gz-iz
			fx, fz = fx*fx*(3-2*fx), fz*fz*(3-2*fz)
			c, r := int(ix), int(iz)
			v := (at(c, r)*(1-fx)+at(c+1, r)*fx)*(1-fz) + (at(c, r+1)*(1-fx)+at(c+1, r+1)*fx)*fz
			for size := 1 / step; size > 2; size /= 2 {
				v += noise(float64(x)/size, float64(z)/size) * size * spacing * 0.15
			}
			out[z*n+x] = float32(v)
		}
	}
	f, err := terrain.FromHeights(n, n, spacing, out)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func mirror(i, n int) int {
	i %= 2 * (n - 1)
	return min(i, 2*(n-1)-i)
}

// noise is smooth, from −1 to 1.
func noise(x, z float64) float64 {
	ix, iz := math.Floor(x), math.Floor(z)
	fx, fz := x-ix, z-iz
	fx, fz = fx*fx*(3-2*fx), fz*fz*(3-2*fz)
	at := func(dx, dz uint64) float64 {
		v := (uint64(int64(ix))+dx)*0x9E3779B97F4A7C15 ^ (uint64(int64(iz))+dz)*0xC2B2AE3D27D4EB4F
		v ^= v >> 29
		v *= 0xBF58476D1CE4E5B9
		v ^= v >> 32
		return float64(v>>40)/(1<<23) - 1
	}
	return (at(0, 0)*(1-fx)+at(1, 0)*fx)*(1-fz) + (at(0, 1)*(1-fx)+at(1, 1)*fx)*fz
}

// eyeOver is an eye above the ground at a part of a field's sides.
func eyeOver(f *terrain.Field, u, v, above float64) geom.Vec3 {
	w, d := f.Extent()
	x, z := f.Origin()
	x, z = x+w*u, z+d*v
	y, _ := f.Height(x, z)
	return geom.Vec3{x, y + above, z}
}

// viewFrom looks level in a direction; pixels of error, of 720.
func viewFrom(eye geom.Vec3, yaw, pixels float64) cull.View {
	v := cull.ViewOf(eye, mgl64.Perspective(math.Pi/3, 1280.0/720, 0.1, 1e5).Mul4(mgl64.HomogRotate3DY(yaw)))
	v.Slack = v.PixelSlack(pixels, 720)
	return v
}

func tiles(f *terrain.Field) (out []geom.Box) {
	cols, rows := f.ChunkGrid()
	for y := range rows {
		for x := range cols {
			out = append(out, f.ChunkBox(x, y))
		}
	}
	return out
}

// stones are small boxes on the ground.
func stones(f *terrain.Field, n int) (out []geom.Box) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := eyeOver(f, r.Float64(), r.Float64(), 0)
		s := 1 + 9*r.Float64()
		out = append(out, geom.Box{Min: p.Sub(geom.Vec3{s, 1, s}), Max: p.Add(geom.Vec3{s, 2 * s, s})})
	}
	return out
}

// trulyHidden tells whether no line of sight reaches the upper edges of a box, of
// which so many points a side are tried.
func trulyHidden(f *terrain.Field, eye geom.Vec3, b geom.Box, n int) bool {
	if eye[0] >= b.Min[0] && eye[0] <= b.Max[0] && eye[2] >= b.Min[2] && eye[2] <= b.Max[2] {
		return false
	}
	for i := range n + 1 {
		t := float64(i) / float64(n)
		x, z := b.Min[0]+(b.Max[0]-b.Min[0])*t, b.Min[2]+(b.Max[2]-b.Min[2])*t
		y := b.Max[1]
		for _, p := range [4]geom.Vec3{{x, y, b.Min[2]}, {x, y, b.Max[2]}, {b.Min[0], y, z}, {b.Max[0], y, z}} {
			if !f.Blocked(geom.Ray{Origin: eye, Dir: p.Sub(eye)}, 1-1e-9) {
				return false
			}
		}
	}
	return true
}

// share counts the hidden boxes and those of them that the test finds.
func share(f *terrain.Field, boxes []geom.Box, above float64, pixels float64) (found, hidden, all int) {
	g := Of(f)
	var test cull.HorizonTest
	for i := range 8 {
		u, v := 0.1+0.8*noise01(i*2), 0.1+0.8*noise01(i*2+1)
		view := viewFrom(eyeOver(f, u, v, above), float64(i), pixels)
		frustum := view.Frustum()
		test = g.Begin(&view, test)
		for _, b := range boxes {
			if frustum.Box(b) == geom.Outside {
				continue
			}
			all++
			if trulyHidden(f, view.Eye, b, 64) {
				hidden++
				if test.Hidden(b) {
					found++
				}
			}
		}
	}
	return found, hidden, all
}

func noise01(i int) float64 { return noise(float64(i)*7, 3)/2 + 0.5 }

// data are the real mountains below the folder that RIDGELINE_DATA names.
func data(tb testing.TB, n int, spacing float64) *terrain.Field {
	dir := os.Getenv("RIDGELINE_DATA")
	if dir == "" {
		return nil
	}
	r, err := heightmap.Read(context.Background(), filepath.Join(dir, "srtm", "N42E001.hgt"), heightmap.Options{}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	cols, rows := r.Cols, r.Rows
	h := make([]float32, cols*rows)
	for i := range h {
		h[i] = float32(max(r.Sample(i%cols, i/cols), 0))
	}
	if n == 0 {
		f, err := terrain.FromHeights(cols, rows, spacing, h)
		if err != nil {
			tb.Fatal(err)
		}
		return f
	}
	return stretched(tb, h, cols, rows, n, spacing, float64(cols-1)/float64(n-1))
}

type named struct {
	name  string
	field *terrain.Field
}

func BenchmarkHidden(b *testing.B) {
	const n = 4097
	fields := []named{{"mountains", mountains(b, n, 5)}}
	if f := data(b, n, 20); f != nil {
		fields = append(fields, named{"pyrenees", f})
	}
	for _, field := range fields {
		name, f := field.name, field.field
		g := Of(f)
		for _, set := range []struct {
			name  string
			boxes []geom.Box
		}{{"tiles", tiles(f)}, {"stones", stones(f, 10_000)}} {
			for _, eye := range []struct {
				name string
				at   geom.Vec3
			}{
				{"low", eyeOver(f, 0.3, 0.55, 3)},
				{"middle", eyeOver(f, 0.5, 0.5, 50)},
				{"high", eyeOver(f, 0.5, 0.5, 2000)},
				{"outside", eyeOver(f, 0.5, 0, 500).Sub(geom.Vec3{0, 0, 1000})},
			} {
				for _, only := range []bool{false, true} {
					v := viewFrom(eye.at, math.Pi*0.9, 3)
					frustum := v.Frustum()
					boxes := set.boxes
					if only {
						boxes = nil
						for _, box := range set.boxes {
							if frustum.Box(box) != geom.Outside {
								boxes = append(boxes, box)
							}
						}
					}
					what := "all"
					if only {
						what = "frustum"
					}
					b.Run(fmt.Sprintf("%s/%s/%s/%s", name, set.name, eye.name, what), func(b *testing.B) {
						b.ReportAllocs()
						var test cull.HorizonTest
						hidden := 0
						all := func() {
							hidden = 0
							test = g.Begin(&v, test)
							for i := range boxes {
								if test.Hidden(boxes[i]) {
									hidden++
								}
							}
						}
						all() // the walls are built once
						best := time.Hour
						for b.Loop() {
							from := time.Now()
							all()
							best = min(best, time.Since(from))
						}
						b.ReportMetric(float64(best.Microseconds()), "µs-best")
						b.ReportMetric(float64(len(boxes)), "boxes")
						b.ReportMetric(float64(hidden), "hidden")
					})
				}
			}
		}
	}
}

// A low eye among mountains finds most of what a search along all edges finds.
func TestMostOfWhatIsHiddenIsFound(t *testing.T) {
	fields := map[string]*terrain.Field{"mountains": mountains(t, 769, 20)}
	if f := data(t, 0, 80); f != nil {
		fields["pyrenees"] = f
	}
	for name, f := range fields {
		for _, above := range []float64{2, 30, 200} {
			for _, px := range []float64{0, 3} {
				for _, set := range []struct {
					name  string
					boxes []geom.Box
				}{{"tiles", tiles(f)}, {"stones", stones(f, 400)}} {
					found, hidden, all := share(f, set.boxes, above, px)
					part := float64(found) / float64(hidden)
					t.Logf("%s, eye %g m up, %g px: %d of %d hidden %s found (%.1f%%), of %d",
						name, above, px, found, hidden, set.name, 100*part, all)
					// From higher up less is hidden, and that by little.
					want := 0.85
					if above > 100 {
						want = 0.75
					}
					if !(part >= want) {
						t.Errorf("expected %g%%", 100*want)
					}
				}
			}
		}
	}
}
