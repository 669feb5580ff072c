package nodetree

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// soup draws a mesh of up to a few hundred triangles: a grid, a cloud, or both,
// small or large, near the origin or far from it, with some that are degenerate.
func soup(t *rapid.T) (positions []mgl32.Vec3, indices []uint32, center geom.Vec3, size float64) {
	size = rapid.SampledFrom([]float64{1e-3, 1, 100, 1e5}).Draw(t, "size")
	far := rapid.SampledFrom([]float64{0, 0, 1, 1e5, 1e7}).Draw(t, "far")
	for i := range center {
		center[i] = far * rapid.SampledFrom([]float64{-1, 0, 1}).Draw(t, "center")
	}
	seed := random(rapid.Uint64().Draw(t, "seed"))
	f := func() float32 { return seed.float() }
	add := func(x, y, z float32) uint32 {
		positions = append(positions, mgl32.Vec3{
			float32(float64(x)*size + center[0]), float32(float64(y)*size + center[1]), float32(float64(z)*size + center[2]),
		})
		return uint32(len(positions) - 1)
	}
	if n := rapid.SampledFrom([]int{0, 2, 5, 14}).Draw(t, "grid"); n > 0 {
		flat := rapid.Bool().Draw(t, "flat")
		for i := range n * n {
			h := f() * 0.3
			if flat {
				h = 0.25
			}
			add(float32(i%n)/float32(n-1), h, float32(i/n)/float32(n-1))
		}
		indices = append(indices, gridIndices(n)...)
	}
	for range rapid.SampledFrom([]int{0, 1, 9, 300}).Draw(t, "cloud") {
		x, y, z, s := f(), f(), f(), f()*f()*f()
		for range 3 {
			indices = append(indices, add(x+s*f(), y+s*f(), z+s*f()))
		}
	}
	if n := rapid.SampledFrom([]int{0, 0, 40}).Draw(t, "equal"); n > 0 {
		a, b, c := add(0, 0, 0), add(0.5, 0, 0), add(0, 0.5, 0.1)
		for range n {
			indices = append(indices, a, b, c)
		}
	}
	if rapid.Bool().Draw(t, "bad") && len(positions) > 0 {
		n := float32(math.NaN())
		positions = append(positions, mgl32.Vec3{n, 0, 0}, mgl32.Vec3{float32(math.Inf(1)), 0, 0})
		last := uint32(len(positions))
		indices = append(indices, 0, 0, 0, 0, 1, last-2, 0, 1, last-1, 0, 1, last, 7)
	}
	return positions, indices, center, size
}

// drawRay aims at the mesh, from around it or from far away, sometimes along an axis
// and through its vertices.
func drawRay(t *rapid.T, positions []mgl32.Vec3, center geom.Vec3, size float64) geom.Ray {
	point := func(name string) geom.Vec3 {
		if rapid.IntRange(0, 3).Draw(t, name+" at") == 0 && len(positions) > 0 {
			p := positions[rapid.IntRange(0, len(positions)-1).Draw(t, name)]
			if v := (geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}); v.Len() < 1e9 {
				return v
			}
		}
		c := rapid.Float64Range(-0.2, 1.2)
		return geom.Vec3{c.Draw(t, name), c.Draw(t, name), c.Draw(t, name)}.Mul(size).Add(center)
	}
	from, to := point("from"), point("to")
	d := to.Sub(from)
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		from = from.Sub(d.Mul(rapid.SampledFrom([]float64{1, 1e3, 1e6, 1e13}).Draw(t, "back")))
	case 1:
		d = geom.Vec3{}
		d[rapid.IntRange(0, 2).Draw(t, "axis")] = rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
		from = to.Sub(d.Mul(size))
	}
	return geom.Ray{Origin: from, Dir: d.Mul(rapid.SampledFrom([]float64{1, 1e-6, 1e6}).Draw(t, "scale"))}
}

// brute asks every triangle.
func (t *Triangles) brute(r geom.Ray, tMax float64, accept func(TriangleHit) bool) (best TriangleHit, found bool) {
	var a aimed
	if !a.exact(&r) {
		return best, false
	}
	for i := range len(t.indices) / 3 {
		if b := (bounds{}); !t.boundsOf(i, &b) {
			continue
		}
		p := t.corners(int32(i))
		h, ok := a.meet(&p[0], &p[1], &p[2])
		h.Triangle = i
		if ok && h.T <= tMax && (!found || h.T < best.T) && (accept == nil || accept(h)) {
			best, found = h, true
		}
	}
	return best, found
}

func TestRaysAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positions, indices, center, size := soup(t)
		tree := BuildTriangles(positions, indices, Options{})
		for range 20 {
			r := drawRay(t, positions, center, size)
			tMax := rapid.SampledFrom([]float64{math.Inf(1), 1, 0.5, 0}).Draw(t, "tMax")
			var accept func(TriangleHit) bool
			if m := rapid.IntRange(0, 2).Draw(t, "accept"); m > 0 {
				accept = func(h TriangleHit) bool { return h.Triangle%(m+1) == 0 }
			}
			want, ok := tree.brute(r, tMax, accept)
			got, found := tree.Nearest(r, tMax, accept)
			if found != ok || got != want {
				t.Fatalf("ray %v up to %v: %v %v, expected %v %v", r, tMax, got, found, want, ok)
			}
			if tree.Any(r, tMax, accept) != ok {
				t.Fatalf("ray %v up to %v: any is not %v", r, tMax, ok)
			}
		}
	})
}

func TestOverlapAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positions, indices, center, size := soup(t)
		tree := BuildTriangles(positions, indices, Options{})
		for range 10 {
			v := func(name string) geom.Vec3 {
				c := rapid.Float64Range(-0.2, 1.2)
				return geom.Vec3{c.Draw(t, name), c.Draw(t, name), c.Draw(t, name)}.Mul(size).Add(center)
			}
			b := geom.BoxOf(v("a"), v("b"))
			if rapid.Bool().Draw(t, "point") && len(positions) > 0 {
				p := positions[0]
				b = geom.BoxOf(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
			}
			var want []int32
			for i := range len(indices) / 3 {
				if small := (bounds{}); tree.boundsOf(i, &small) && small.box().Overlaps(b) {
					want = append(want, int32(i))
				}
			}
			got := tree.AppendOverlapping(nil, b)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("box %v: %v, expected %v", b, got, want)
			}
		}
	})
}

// gridIndices are the triangles between n×n vertices, row by row.
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

// random is a source of numbers from 0 to 1 (Vigna's SplitMix64).
type random uint64

func (s *random) float() float32 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return float32(float64((z^z>>31)>>11) / (1 << 53))
}

// Rays at points of edges and at vertices within a mesh do not slip through.
func TestNoRaySlipsThrough(t *testing.T) {
	const n = 40
	positions, indices := hills(n)
	for i := range positions { // somewhere with few bits left for fractions
		positions[i] = positions[i].Add(mgl32.Vec3{70000.3, 0, -90000.7})
	}
	tree := BuildTriangles(positions, indices, Options{})
	inner := func(i int) geom.Vec3 {
		p := positions[(1+i%(n-3))*n+1+i/(n-3)%(n-3)]
		return geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(0, (n-3)*(n-3)-1).Draw(t, "vertex")
		// From straight above and from the sides, where the hills do not hide it.
		c := rapid.Float64Range(-0.5, 0.5)
		up := geom.Vec3{c.Draw(t, "x"), 30, c.Draw(t, "z")}
		if rapid.Bool().Draw(t, "straight") {
			up[0], up[2] = 0, 0
		}
		a := inner(k)
		for _, step := range []int{0, 1, n - 3, n - 4} {
			b := inner(min(k+step, (n-3)*(n-3)-1))
			p := a.Add(b.Sub(a).Mul(rapid.SampledFrom([]float64{0, 0.5, 0.25, 1.0 / 3}).Draw(t, "along")))
			for _, side := range []float64{1, -1} {
				r := geom.Ray{Origin: p.Add(up.Mul(side)), Dir: up.Mul(-side)}
				if _, ok := tree.Nearest(r, math.Inf(1), nil); !ok {
					t.Fatalf("ray %v slipped through at %v", r, p)
				}
			}
		}
	})
}

func TestRaysThatAreNone(t *testing.T) {
	positions, indices := hills(20)
	tree := BuildTriangles(positions, indices, Options{})
	nan, inf := math.NaN(), math.Inf(1)
	down := geom.Vec3{0, -1, 0}
	for _, r := range []geom.Ray{
		{Origin: geom.Vec3{5, 50, 5}}, {Origin: geom.Vec3{nan, 50, 5}, Dir: down}, {Origin: geom.Vec3{5, nan, 5}, Dir: down},
		{Origin: geom.Vec3{5, 50, 5}, Dir: geom.Vec3{nan, -1, 0}}, {Origin: geom.Vec3{5, inf, 5}, Dir: down},
		{Origin: geom.Vec3{5, 50, 5}, Dir: geom.Vec3{nan, nan, nan}}, {Origin: geom.Vec3{5, 50, 5}, Dir: geom.Vec3{inf, inf, 0}},
	} {
		if h, ok := tree.Nearest(r, inf, nil); ok {
			t.Errorf("ray %v hits %v", r, h)
		}
	}
	r := geom.Ray{Origin: geom.Vec3{5.2, 50, 5.3}, Dir: down}
	for _, tMax := range []float64{nan, -1, 30} {
		if h, ok := tree.Nearest(r, tMax, nil); ok {
			t.Errorf("hit %v before %v", h, tMax)
		}
	}
	want, _ := tree.Nearest(r, inf, nil)
	for _, scale := range []float64{1e-200, 1e-30, 1e30, 1e200} {
		r.Dir = down.Mul(scale)
		if h, ok := tree.Nearest(r, inf, nil); !ok || h.Triangle != want.Triangle || math.Abs(h.T*scale/want.T-1) > 1e-12 {
			t.Errorf("scaled by %v: %v %v, not %v", scale, h, ok, want)
		}
	}
	if h, ok := tree.Nearest(geom.Ray{Origin: geom.Vec3{5.2, 1e9, 5.3}, Dir: down}, inf, nil); !ok || h.Triangle != want.Triangle {
		t.Errorf("from far away: %v %v", h, ok)
	}
}

// The barycentric coordinates and the distance give the same point.
func TestHitsLieOnTheirTriangles(t *testing.T) {
	positions, indices := hills(30)
	tree := BuildTriangles(positions, indices, Options{})
	s := random(3)
	for range 2000 {
		f := func() float64 { return float64(s.float()) * 29 }
		r := geom.Ray{Origin: geom.Vec3{f(), 30, f()}}
		r.Dir = geom.Vec3{f(), -3, f()}.Sub(r.Origin)
		h, ok := tree.Nearest(r, math.Inf(1), nil)
		if !ok {
			continue
		}
		p := tree.corners(int32(h.Triangle))
		on := p[0].Add(p[1].Sub(p[0]).Mul(h.U)).Add(p[2].Sub(p[0]).Mul(h.V))
		if d := on.Sub(r.At(h.T)).Len(); !(d < 1e-9) || h.U < 0 || h.V < 0 || h.U+h.V > 1+1e-12 {
			t.Fatalf("hit %v is %v off its triangle", h, d)
		}
	}
}

// Triangles each much smaller than those before make a deep tree, and a ray through all
// of them meets all its boxes.
func TestDeepTree(t *testing.T) {
	const sizes, copies = 85, 80
	var positions []mgl32.Vec3
	var indices []uint32
	for k := range sizes {
		s := float32(math.Exp2(48 - 2*float64(k)))
		n := uint32(len(positions))
		positions = append(positions, mgl32.Vec3{s, -s, -s}, mgl32.Vec3{s, 2 * s, -s}, mgl32.Vec3{s, -s, 2 * s})
		for range copies {
			indices = append(indices, n, n+1, n+2)
		}
	}
	tree := BuildTriangles(positions, indices, Options{})
	most, longest := 0, 0
	var visit func(r ref, waiting, depth int)
	visit = func(r ref, waiting, depth int) {
		most, longest = max(most, waiting), max(longest, depth)
		if r.leaf() {
			return
		}
		kids := 0
		for _, c := range tree.wide.nodes[r].child {
			if c != none {
				kids++
			}
		}
		for _, c := range tree.wide.nodes[r].child {
			if c != none {
				visit(c, waiting+kids-1, depth+1)
			}
		}
	}
	visit(0, 0, 0)
	if most <= stackSize || longest > splitDepth+bits.Len(uint(len(tree.wide.leaves))) {
		t.Fatalf("up to %d children wait, depth %d", most, longest)
	}
	r := geom.Ray{Dir: geom.Vec3{1, 0, 0}}
	seen := map[int]bool{}
	tree.Nearest(r, 1<<50, func(h TriangleHit) bool { seen[h.Triangle] = true; return false })
	if len(seen) != sizes*copies {
		t.Errorf("the ray meets %d triangles", len(seen))
	}
	if h, ok := tree.Nearest(r, 9, nil); !ok || h.Triangle != (sizes-1)*copies {
		t.Errorf("hit %v %v", h, ok)
	}
	if got := tree.AppendOverlapping(nil, geom.BoxOf(geom.Vec3{}, geom.Vec3{1 << 50, 0, 0})); len(got) != sizes*copies {
		t.Errorf("%d triangles", len(got))
	}
}

// A whole town in one cell of the first Morton curve gets a curve of its own, also
// where the work is cut in two within it; what has no area leaves no gap.
func TestCrowd(t *testing.T) {
	positions := []mgl32.Vec3{{1e6, 0, 0}, {1e6, 1, 0}, {1e6, 0, 1}}
	indices := []uint32{0, 1, 2}
	s := random(2)
	const n = 3 * clusterGrain
	for i := range n {
		k := uint32(len(positions))
		p := mgl32.Vec3{s.float() * 40, s.float() * 40, s.float() * 40}
		q := p.Add(mgl32.Vec3{0.1, 0, 0})
		if i%9 == 0 {
			q = p
		}
		positions = append(positions, p, q, p.Add(mgl32.Vec3{0, 0.1, 0.1}))
		indices = append(indices, k, k+1, k+2)
	}
	tree := BuildTriangles(positions, indices, Options{})
	found := make([]int, n+1)
	for i := range tree.wide.leaves {
		l := &tree.wide.leaves[i]
		b := geom.EmptyBox()
		for k, j := range l.triangle {
			if j < 0 {
				continue
			}
			found[j]++
			for c := range 3 {
				b = b.Add(*tree.wide.corner(l, c, k))
			}
		}
		if size := b.Size(); max(size[0], size[1], size[2]) > 20 {
			t.Fatalf("leaf %d is %v", i, size)
		}
	}
	for i, k := range found {
		if flat := i%9 == 1; !flat && k != 1 || flat && k != 0 {
			t.Fatalf("triangle %d is in %d leaves", i, k)
		}
	}
	if len(tree.wide.leaves) > n/3 {
		t.Errorf("%d leaves for %d triangles", len(tree.wide.leaves), n)
	}
}
