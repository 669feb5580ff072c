//go:build goexperiment.simd && amd64

package brush

import (
	"math"
	"simd/archsimd"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain"
)

// The vector kernels give the bits of the scalar ones.
func TestVectorTwins(t *testing.T) {
	if !archsimd.X86.AVX2() {
		t.Skip("no AVX2 here")
	}
	height := rapid.OneOf(rapid.Float32Range(-1e6, 1e6), rapid.Float32Range(-1, 1), rapid.Just(float32(0)))
	rapid.Check(t, func(t *rapid.T) {
		b := Brush{Hardness: rapid.SampledFrom([]float64{0, 0.1, 0.7, 1}).Draw(t, "hardness")}
		radius := rapid.SampledFrom([]float64{1e-7, 0.4, 3, 20, 100, 1e9}).Draw(t, "radius")
		sh := shapeOf(b, radius)
		u0 := float32(rapid.Float64Range(-1.5, 1).Draw(t, "u0") * min(radius, 1e5))
		strength, level := rapid.Float32Range(-3, 3).Draw(t, "strength"), height.Draw(t, "level")
		var h terrain.Heights
		state := rapid.Uint32().Draw(t, "seed")
		scale := height.Draw(t, "scale")
		for i := range h {
			state = state*1664525 + 1013904223
			h[i] = float32(int32(state)) / (1 << 31) * scale
		}
		var runs []run
		for row := range rapid.IntRange(1, side).Draw(t, "rows") {
			from := rapid.IntRange(0, side-1).Draw(t, "from")
			runs = append(runs, run{row, from, rapid.IntRange(from, side).Draw(t, "to"), sh.square(float64(row) - 9.25)})
		}
		same := func(what string, a, b []float32) {
			for i := range a {
				if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
					t.Fatalf("%s: element %d: %v scalar, %v vector", what, i, a[i], b[i])
				}
			}
		}
		x, y := h, h
		raiseScalar(&x, runs, &sh, u0, strength)
		raiseTile(&y, slices.Clone(runs), &sh, u0, strength)
		same("raise", x[:], y[:])
		x, y = h, h
		flattenScalar(&x, runs, &sh, u0, strength, level)
		flattenTile(&y, slices.Clone(runs), &sh, u0, strength, level)
		same("flatten", x[:], y[:])
		for i := range runs {
			var f, g [side]float32
			falloffScalar(&f, runs[i], &sh, u0)
			falloffRow(&g, runs[i], &sh, u0)
			same("falloff", f[:], g[:])
			wide := func(from int) *[side + 2]float32 { return (*[side + 2]float32)(h[from:]) }
			f, g = [side]float32{}, [side]float32{}
			smoothScalar(&f, runs[i], wide(0), wide(100), wide(300), &sh, u0, strength)
			smoothRun(&g, runs[i], wide(0), wide(100), wide(300), &sh, u0, strength)
			same("smooth", f[:], g[:])
		}
	})
}
