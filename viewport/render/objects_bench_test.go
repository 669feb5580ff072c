package render

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/viewport/overlay"
)

// town is a kilometre of flat ground with n objects of so many models, of two
// materials and 236 triangles each.
func town(t testing.TB, n, models int, billboard float64) (World, []Instance) {
	f, err := terrain.Flat(257, 257, 4)
	if err != nil {
		t.Fatal(err)
	}
	w := World{Field: f, Layers: []LayerTexture{{noisy(color.NRGBA{110, 120, 80, 255}, 4), 8}}, Sun: afternoon}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range models {
		bark := matter(color.NRGBA{255, 255, 255, 255})
		bark.Image = 0
		leaf := matter(color.NRGBA{uint8(40 + i%80), uint8(120 + i%50), 60, 255})
		w.Models = append(w.Models, build(fmt.Sprint("model ", i), bark, leaf).picture(letter()).
			box(0, mgl32.Vec3{-0.3, 0, -0.3}, mgl32.Vec3{0.3, 2, 0.3}).
			ball(1, mgl32.Vec3{0, 3, 0}, 1+0.5*rng.Float32(), 8).done(t))
	}
	var list []Instance
	for i := range n {
		list = append(list, Instance{
			Model: w.Models[i%models], Billboard: billboard,
			World: stand(1000*rng.Float64(), 0, 1000*rng.Float64(), 6*rng.Float64()).Mul4(mgl64.Scale3D(1, 0.7+rng.Float64(), 1)),
		})
	}
	return w, list
}

// BenchmarkObjects draws 10 000 objects of 100 models, all of them in view. gather-ms
// is what the processor does before OpenGL is called; the frames of 16×9 pixels show
// what is left of a frame when hardly anything is filled: calls and vertices.
func BenchmarkObjects(b *testing.B) {
	for _, c := range []struct {
		name      string
		billboard float64
		w, h      int
	}{{"meshes", 0, 1280, 720}, {"meshes-16x9", 0, 16, 9}, {"billboards", 150, 1280, 720}, {"billboards-16x9", 150, 16, 9}} {
		b.Run(c.name, func(b *testing.B) {
			withGL(b, func(r *Renderer) {
				w, list := town(b, 10_000, 100, c.billboard)
				update1(b, r, w)
				v := look(mgl64.Vec3{500, 60, -250}, mgl64.Vec3{500, 0, 400}, 1280, 720, 1, 3000)
				v.Instances = list
				frames(b, r, c.w, c.h, &v)
				cam, err := v.check(Target{Size: r.stage.size})
				if err != nil {
					b.Fatal(err)
				}
				best := time.Hour
				for range 20 {
					t0 := time.Now()
					if err := r.objects.gather(r, &v, cam); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(t0))
				}
				b.ReportMetric(float64(best.Microseconds())/1e3, "gather-ms")
			})
		})
	}
}

// BenchmarkShapes draws 10 000 segments over a ground without anything else.
func BenchmarkShapes(b *testing.B) {
	withGL(b, func(r *Renderer) {
		w, _ := town(b, 0, 0, 0)
		update1(b, r, w)
		v := look(mgl64.Vec3{500, 60, -250}, mgl64.Vec3{500, 0, 400}, 1280, 720, 1, 3000)
		v.Shapes = new(overlay.Shapes)
		rng := rand.New(rand.NewPCG(3, 4))
		for len(v.Shapes.Segments) < 10_000 {
			at := mgl64.Vec3{1000 * rng.Float64(), 0, 1000 * rng.Float64()}
			v.Shapes.Box(geom.Box{Min: at, Max: at.Add(mgl64.Vec3{20, 10, 20})}, overlay.Pen{Colour: accent, Width: 1, Depth: overlay.Tested})
		}
		frames(b, r, 1280, 720, &v)
	})
}

// BenchmarkOutlines draws one crate that fills a good part of the picture, and then all of
// a town, selected.
func BenchmarkOutlines(b *testing.B) {
	for _, all := range []bool{false, true} {
		b.Run(fmt.Sprintf("all=%v", all), func(b *testing.B) {
			withGL(b, func(r *Renderer) {
				w, list := town(b, 10_000, 100, 0)
				box := crate(b)
				w.Models = append(w.Models, box)
				update1(b, r, w)
				v := look(mgl64.Vec3{500, 60, -250}, mgl64.Vec3{500, 0, 400}, 1280, 720, 1, 3000)
				if all {
					v.Instances = list
				} else {
					v.Instances = []Instance{{Model: box, World: stand(500, 40, -200, 0.4).Mul4(mgl64.Scale3D(8, 8, 8))}}
				}
				for i := range v.Instances {
					v.Instances[i].Outline = Selected
				}
				frames(b, r, 1280, 720, &v)
			})
		})
	}
}

// frames draws a view and reports the quickest frame and what it drew.
func frames(b *testing.B, r *Renderer, w, h int, v *View) {
	c := newCanvas(b, w, h)
	defer c.free()
	var s Stats
	frame := func() {
		var err error
		if s, err = r.Draw(c.Target, v); err != nil {
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
	b.ReportMetric(float64(s.InstanceDraws), "object-draws")
	b.ReportMetric(float64(s.InstanceTriangles), "object-triangles")
	b.ReportMetric(float64(s.Draws), "draws")
}
