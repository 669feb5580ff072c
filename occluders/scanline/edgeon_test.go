package scanline

import (
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// TestEdgeOn looks in parallel along the sides of a long slanted beam that are turned to
// the view by less than can be told, so that its back ends a hair above or below its
// front. Nothing beside the beam may be hidden by it.
func TestEdgeOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tilt := rapid.SampledFrom([]float64{-8e-13, -1e-13, 0, 1e-13, 8e-13}).Draw(t, "tilt")
		slant := rapid.Float64Range(-1.5, 1.5).Draw(t, "slant")
		x, y := rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(-4, 1).Draw(t, "y")
		wide, high := rapid.Float64Range(1, 4).Draw(t, "wide"), rapid.Float64Range(1, 3).Draw(t, "high")
		step := rapid.SampledFrom([]float64{0, 3, 50}).Draw(t, "step")
		const near, long = 10.0, 500.0
		at := func(u, v, z float64) vec3 {
			return vec3{x + u*wide + v*slant, y + v*high + tilt*z, -near - z}
		}
		var corners []vec3
		for i := range 8 {
			corners = append(corners, at(float64(i&1), float64(i>>1&1), long*float64(i>>2)))
		}
		h, err := hull.Of(corners)
		if err != nil {
			t.Fatal(err)
		}
		b := Buffer{Step: step}
		b.Begin(vec3{}, mgl64.Ortho(-8, 8, -6, 6, 0.1, 2000), image.Pt(640, 480), 0.1)
		if !b.Add(1, h) {
			t.Fatal("the beam is not used")
		}
		b.End()
		small := func(u, v float64) geom.Box {
			p := at(u, v, 0)
			return geom.Box{Min: vec3{p[0] - 1e-3, p[1] - 1e-3, -near - 2*long}, Max: vec3{p[0] + 1e-3, p[1] + 1e-3, -near - 2*long + 1}}
		}
		beside := 0.01 * math.Hypot(1, slant/high) / wide
		for i := range 41 {
			v := float64(i) / 40
			for _, u := range []float64{-beside, 1 + beside} {
				if b.Hidden(small(u, v)) {
					t.Fatalf("a box beside the beam is hidden, at %g of its height", v)
				}
			}
		}
		if !b.Hidden(small(0.5, 0.5)) && step == 0 && math.Abs(slant) < wide*high/4 {
			t.Error("a box behind the middle of the beam is not hidden")
		}
	})
}
