package nodetree

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// A build on one processor and one on many give the same arrays.
func TestParallelBuildIsSerialBuild(t *testing.T) {
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	w := &world{size: 1000, seed: 7}
	boxes := make([]geom.Box, 20000)
	for i := range boxes {
		boxes[i] = w.box()
	}
	positions, indices := hills(150)
	for _, split := range []Split{Quad, Oct} {
		build := func(processors int) (*Tree, *Triangles) {
			runtime.GOMAXPROCS(processors)
			o := Options{Split: split, MinSize: 2}
			return Build(boxes, o), BuildTriangles(positions, indices, o)
		}
		a, am := build(1)
		b, bm := build(8)
		if len(a.nodes) < 100 || len(am.grove.nodes) < 100 || len(am.wide.nodes) < 100 {
			t.Fatal("the trees are too small to tell")
		}
		for _, pair := range [][2]any{
			{a.store, b.store}, {a.corners, b.corners}, {am.grove.store, bm.grove.store}, {am.wide.nodes, bm.wide.nodes},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("%v: %T differs", split, pair[0])
			}
		}
		for i := range am.wide.leaves {
			if am.wide.leaves[i].triangle != bm.wide.leaves[i].triangle {
				t.Fatalf("leaf %d differs", i)
			}
		}
	}
}

// hills is a mesh of n×n heights a metre apart.
func hills(n int) (positions []mgl32.Vec3, indices []uint32) {
	for i := range n * n {
		x, z := float64(i%n), float64(i/n)
		y := 9*math.Sin(x/17)*math.Cos(z/23) + math.Sin(x/3+z/5)
		positions = append(positions, mgl32.Vec3{float32(x), float32(y), float32(z)})
	}
	return positions, gridIndices(n)
}

func TestNothingIsAllocatedWhenWarm(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	w := &world{size: 1000, seed: 3}
	boxes := make([]geom.Box, 3000)
	for i := range boxes {
		boxes[i] = w.box()
	}
	tree := Build(boxes, Options{MinSize: 20})
	positions, indices := hills(100)
	mesh := BuildTriangles(positions, indices, Options{MinSize: 10})
	f := geom.Frustum{}
	for i, n := range []geom.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
		f.Planes[i] = geom.Plane{N: n, D: 60}
	}
	r := geom.Ray{Origin: geom.Vec3{1, 30, 2}, Dir: geom.Vec3{1, -0.3, 1}}
	near := geom.BoxOf(geom.Vec3{20, -10, 20}, geom.Vec3{30, 20, 30})
	dst := make([]int32, 0, 1<<16)
	sides := make([]geom.Side, 0, 1<<16)
	for name, do := range map[string]func(){
		"visible":               func() { tree.AppendVisible(dst, &f) },
		"verdicts":              func() { tree.AppendVerdicts(sides, &f) },
		"overlapping":           func() { tree.AppendOverlapping(dst, near) },
		"hit":                   func() { tree.AppendHit(dst, r, 1e9) },
		"walk":                  func() { tree.Walk(r, 1e9, func(_ int, enter float64) float64 { return enter }) },
		"triangles visible":     func() { mesh.AppendVisible(dst, &f) },
		"triangles overlapping": func() { mesh.AppendOverlapping(dst, near) },
		"nearest":               func() { mesh.Nearest(r, 1e9, nil) },
		"any":                   func() { mesh.Any(r, 1e9, nil) },
	} {
		do()
		if n := testing.AllocsPerRun(100, do); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestQueriesAtOnce(t *testing.T) {
	w := &world{size: 1000, seed: 5}
	boxes := make([]geom.Box, 2000)
	for i := range boxes {
		boxes[i] = w.box()
	}
	tree := Build(boxes, Options{MinSize: 20})
	positions, indices := hills(60)
	mesh := BuildTriangles(positions, indices, Options{MinSize: 10})
	query := func(k int) [5][]int32 {
		b := geom.BoxOf(geom.Vec3{float64(k), -10, 0}, geom.Vec3{float64(k) * 5, 300, 500})
		f := geom.Frustum{}
		for i, n := range []geom.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
			f.Planes[i] = geom.Plane{N: n, D: float64(20 * k)}
		}
		r := geom.Ray{Origin: geom.Vec3{1, 30, 2}, Dir: geom.Vec3{1, -0.3, float64(k) / 10}}
		h, _ := mesh.Nearest(r, 1e9, nil)
		return [5][]int32{
			tree.AppendOverlapping(nil, b), tree.AppendVisible(nil, &f), tree.AppendHit(nil, r, 1e9),
			mesh.AppendVisible(nil, &f), append(mesh.AppendOverlapping(nil, b), int32(h.Triangle)),
		}
	}
	var want [10][5][]int32
	for k := range want {
		want[k] = query(k)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for k := range want {
				if got := query(k); !reflect.DeepEqual(got, want[k]) {
					t.Errorf("query %d differs when others run", k)
				}
			}
		})
	}
	wg.Wait()
}

// A walk may query its own tree.
func TestQueryWithinAWalk(t *testing.T) {
	boxes := []geom.Box{geom.BoxOf(geom.Vec3{1, 0, 0}), geom.BoxOf(geom.Vec3{2, 0, 0}), geom.BoxOf(geom.Vec3{3, 0, 0})}
	tree := Build(boxes, Options{MinSize: 0.1, MaxItems: 1})
	var order []int
	tree.Walk(geom.Ray{Dir: geom.Vec3{1, 0, 0}}, 10, func(item int, _ float64) float64 {
		order = append(order, item)
		if got := tree.AppendOverlapping(nil, boxes[item]); !slices.Equal(got, []int32{int32(item)}) {
			t.Errorf("item %d finds %v", item, got)
		}
		return 10
	})
	if !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("order %v", order)
	}
}

func TestTrianglesByMaterial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positions, indices, center, size := soup(t)
		w := &world{center: center, size: size, seed: random(rapid.Uint64().Draw(t, "seed"))}
		o := w.options(t)
		n := len(indices) / 3
		if kinds := rapid.IntRange(0, 4).Draw(t, "materials"); kinds > 0 {
			o.Materials = make([]int32, n)
			for i := range o.Materials {
				o.Materials[i] = int32(w.unit()*float64(kinds+1)) - 1
			}
		}
		tree := BuildTriangles(positions, indices, o)
		f, inside := w.frustum(t)
		got, groups := tree.AppendVisibleGroups([]int32{-7}, nil, &f)
		if got[0] != -7 {
			t.Fatal("what was there is gone")
		}
		seen := map[int32]bool{}
		at, last := 1, int32(-1)
		for _, g := range groups {
			if g.First != at || g.Count < 1 || g.Material < 0 || g.Material <= last && at > 1 {
				t.Fatalf("groups %v", groups)
			}
			for k, i := range got[at : at+g.Count] {
				if seen[i] || k > 0 && i <= got[at+k-1] || o.Materials != nil && o.Materials[i] != g.Material {
					t.Fatalf("triangle %d of %v in group %v", i, got, g)
				}
				seen[i] = true
			}
			at, last = at+g.Count, g.Material
		}
		if at != len(got) {
			t.Fatalf("groups %v of %d triangles", groups, len(got)-1)
		}
		for i := range int32(n) {
			var b bounds
			ok := tree.boundsOf(int(i), &b)
			if o.Materials != nil && o.Materials[i] < 0 {
				ok = false
			}
			if !ok {
				if seen[i] {
					t.Fatalf("triangle %d is visible", i)
				}
				continue
			}
			p := tree.corners(i)
			if f.Box(geom.BoxOf(p[:]...)) == geom.Outside && seen[i] {
				t.Fatalf("triangle %d is beyond a plane", i)
			}
			// Its edges are boxes of no extent along the way.
			for k := range 4 {
				u := float64(k) / 3
				for _, e := range [3][2]int{{0, 1}, {1, 2}, {2, 0}} {
					q := p[e[0]].Mul(1 - u).Add(p[e[1]].Mul(u))
					if meets(geom.BoxOf(q), &f, inside, 1e-6*(size+center.Len())) && !seen[i] {
						t.Fatalf("triangle %d was left out", i)
					}
				}
			}
		}
	})
}

func TestOptionsHaveDefaults(t *testing.T) {
	var boxes []geom.Box
	for i := range 33 * 33 {
		x, z := float64(i%33)*60, float64(i/33)*60
		boxes = append(boxes, geom.BoxOf(geom.Vec3{x, 0, z}, geom.Vec3{x + 60, 9, z + 60}))
	}
	tree := Build(boxes, Options{MinSize: math.NaN(), MaxItems: -3})
	for n := range tree.Nodes() {
		if size := n.Cell.Max[0] - n.Cell.Min[0]; n.Leaf && (size > DefaultMinSize && len(n.Items) > DefaultMaxItems) ||
			!n.Leaf && size <= DefaultMinSize {
			t.Fatalf("node %d of size %v has %d items, leaf %v", n.Index, size, len(n.Items), n.Leaf)
		}
	}
	if s := tree.Stats(); s.Items != len(boxes) || s.Leaves < 16 || s.Depths[0] != 1 || s.Bytes < 48*len(boxes) {
		t.Errorf("stats %+v", s)
	}
}

// Input that would make a careless tree deep or full of copies.
func TestHardInput(t *testing.T) {
	one := geom.BoxOf(geom.Vec3{5, 5, 5}, geom.Vec3{6, 6, 6})
	many := slices.Repeat([]geom.Box{one}, 3000)
	all := append(slices.Clone(many), geom.BoxOf(geom.Vec3{-1e6, -1e6, -1e6}, geom.Vec3{1e6, 1e6, 1e6}))
	var sticks []geom.Box
	for i := range 3000 {
		sticks = append(sticks, geom.BoxOf(geom.Vec3{0, 0, float64(i)}, geom.Vec3{3000, 1, float64(i)}))
	}
	for name, boxes := range map[string][]geom.Box{"equal": many, "equal in a vast one": all, "sticks": sticks} {
		for _, split := range []Split{Quad, Oct} {
			tree := Build(boxes, Options{Split: split, MinSize: 1e-300, MaxItems: 1})
			s := tree.Stats()
			if s.Listings > 9*len(boxes) || s.Nodes > 9*len(boxes) || len(s.Depths) > levels {
				t.Errorf("%s: %+v", name, s)
			}
			if got := tree.AppendOverlapping(nil, geom.BoxOf(geom.Vec3{5, 0.5, 5}, geom.Vec3{6, 6, 6})); len(got) < 2 {
				t.Errorf("%s: found %v", name, got)
			}
		}
	}
	positions := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}
	mesh := BuildTriangles(positions, slices.Repeat([]uint32{0, 1, 2}, 5000), Options{MinSize: 1e-9, MaxItems: 1})
	h, ok := mesh.Nearest(geom.Ray{Origin: geom.Vec3{0.2, 0.2, -3}, Dir: geom.Vec3{0, 0, 1}}, 10, nil)
	if !ok || h.Triangle != 0 {
		t.Errorf("hit %v %v", h, ok)
	}
	if got := len(mesh.AppendOverlapping(nil, geom.BoxOf(geom.Vec3{0.1, 0.1, 0.1}))); got != 5000 {
		t.Errorf("%d triangles", got)
	}
}

func TestEmptyTrees(t *testing.T) {
	f := geom.Frustum{}
	everything := geom.BoxOf(geom.Vec3{-1e9, -1e9, -1e9}, geom.Vec3{1e9, 1e9, 1e9})
	r := geom.Ray{Dir: geom.Vec3{0, 1, 0}}
	tree := Build([]geom.Box{geom.EmptyBox()}, Options{})
	mesh := BuildTriangles(nil, []uint32{0, 1, 2, 7}, Options{})
	if _, ok := tree.NodeAt(geom.Vec3{}); ok || len(tree.AppendVisible(nil, &f))+len(tree.AppendOverlapping(nil, everything))+
		len(tree.AppendHit(nil, r, 9))+len(tree.AppendVerdicts(nil, &f)) > 0 || !tree.Bounds().IsEmpty() {
		t.Error("an empty tree holds something")
	}
	if _, ok := mesh.Nearest(r, 9, nil); ok || mesh.Any(r, 9, nil) || len(mesh.AppendVisible(nil, &f))+
		len(mesh.AppendOverlapping(nil, everything)) > 0 || !mesh.Bounds().IsEmpty() {
		t.Error("an empty mesh holds something")
	}
	if i := tree.Add(everything); i != 1 || len(tree.AppendOverlapping(nil, everything)) != 1 {
		t.Errorf("item %d", i)
	}
}

// A tree that began small finds room for what is added far away.
func TestTreeGrows(t *testing.T) {
	tree := Build([]geom.Box{geom.BoxOf(geom.Vec3{})}, Options{})
	for i := range 5000 {
		tree.Add(geom.BoxOf(geom.Vec3{float64(i % 71 * 100), 0, float64(i / 71 * 100)}))
	}
	if s := tree.Stats(); s.Leaves < 100 {
		t.Errorf("stats %+v", s)
	}
}
