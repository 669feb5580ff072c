//go:build goexperiment.simd && amd64

package terrain

import (
	"math/rand/v2"
	"testing"
)

// The vector twin of measureRange finds the same.
func TestMeasureWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		var h measured
		for i := range h {
			h[i] = float32(r.NormFloat64())
		}
		var got, want Chunk
		if !got.measureWhole(&h) {
			t.Skip("no AVX2 here")
		}
		want.measureRange(&h, TileSize, TileSize)
		if !sameChunk(&got, &want) {
			t.Fatalf("range %v, blocks %v, expected %v and %v", got.MinMax, got.blocks, want.MinMax, want.blocks)
		}
	}
}
