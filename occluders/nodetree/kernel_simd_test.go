//go:build goexperiment.simd && amd64

package nodetree

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// The vector tests find what the scalar ones find, but for what lies so close that
// the rounding of a fused product decides, and both all that the exact test finds.
func TestVectorTwins(t *testing.T) {
	if !vectors() {
		t.Skip("no AVX2 here")
	}
	lanesSeen, apart := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		positions, indices, center, size := soup(t)
		tree := BuildTriangles(positions, indices, Options{})
		w := tree.wide
		if len(w.nodes) == 0 {
			t.Skip("no triangles")
		}
		r := drawRay(t, positions, center, size)
		var a aimed
		if !a.aim(w, &r, math.Inf(1)) {
			t.Skip("no hit")
		}
		different := func(x, y uint8) {
			lanesSeen += lanes
			for d := x ^ y; d != 0; d &= d - 1 {
				apart++
			}
		}
		var g region
		g.aim(w, geom.BoxOf(r.Origin, r.At(1)))
		slack := 0.0 // what the distance of a side may be off by
		for k := range 3 {
			slack += a.pad * math.Abs(float64(a.numbers[rowInverse+k]))
		}
		classes := map[int]int{}
		for i := range w.nodes {
			n := &w.nodes[i]
			var d, e [lanes]uint32
			x, y := meetBoxesScalar(n, &a, &d), meetBoxesVector(n, &a, &e)
			different(x, y)
			for k, c := range n.child {
				if c.leaf() {
					classes[c.index()] = c.class()
				}
				p, q := float64(math.Float32frombits(d[k])), float64(math.Float32frombits(e[k]))
				if x&y>>k&1 != 0 && !(math.Abs(p-q) <= 1e-6*p+slack) {
					t.Fatalf("child %d of node %d begins at %v, %v", k, i, p, q)
				}
			}
			if x, y := overlapBoxesScalar(n, &g), overlapBoxesVector(n, &g); x != y {
				t.Fatalf("node %d meets the region with %b, %b", i, x, y)
			}
		}
		for i := range w.leaves {
			l := &w.leaves[i]
			size := &w.sizes[classes[i]]
			x, y := meetTrianglesScalar(l, size, &a), meetTrianglesVector(l, size, &a)
			different(x, y)
			for k, n := range l.triangle {
				if n < 0 {
					if (x|y)>>k&1 != 0 {
						t.Fatalf("leaf %d has no lane %d", i, k)
					}
					continue
				}
				if h, ok := a.meet(w.corner(l, 0, k), w.corner(l, 1, k), w.corner(l, 2, k)); ok && (x&y)>>k&1 == 0 {
					t.Fatalf("leaf %d leaves out %v", i, h)
				}
			}
		}
	})
	if apart*200 > lanesSeen {
		t.Errorf("%d of %d answers differ", apart, lanesSeen)
	}
}
