//go:build goexperiment.simd && amd64

package shade

import (
	"bytes"
	"math"
	"simd/archsimd"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The vector kernels give the bits of the scalar ones.
func TestVectorTwins(t *testing.T) {
	if !archsimd.X86.AVX2() {
		t.Skip("no AVX2 here")
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, side).Draw(t, "n")
		k := rapid.Float32Range(5e-6, 500)
		kx, kz := k.Draw(t, "kx"), k.Draw(t, "kz")
		var win [3]window
		state := rapid.Uint32().Draw(t, "seed")
		scale := rapid.SampledFrom([]float32{0, 1e-3, 1, 1e6}).Draw(t, "scale")
		for i := range win {
			for j := range win[i] {
				state = state*1664525 + 1013904223
				win[i][j] = float32(int32(state)) / (1 << 31) * scale
			}
		}
		var a, b [3]lane
		normalsScalar(&a[0], &a[1], &a[2], &win[0], &win[1], &win[2], 0, n, kx, kz)
		normals(&b[0], &b[1], &b[2], &win[0], &win[1], &win[2], n, kx, kz)
		for i := range a {
			for j := range a[i] {
				if math.Float32bits(a[i][j]) != math.Float32bits(b[i][j]) {
					t.Fatalf("component %d of %d: %v scalar, %v vector", i, j, a[i][j], b[i][j])
				}
			}
		}
		x, y := make([]uint8, 3*n), make([]uint8, 3*n)
		pack8Scalar(x, &a[0], &a[1], &a[2], 0, n)
		pack8(y, &a[0], &a[1], &a[2], n)
		if !bytes.Equal(x, y) {
			t.Fatalf("packed %v scalar, %v vector", x, y)
		}
		v, w := make([]int16, 2*n), make([]int16, 2*n)
		packXZScalar(v, &a[0], &a[2], 0, n)
		packXZ(w, &a[0], &a[2], n)
		if !slices.Equal(v, w) {
			t.Fatalf("packed %v scalar, %v vector", v, w)
		}
	})
}
