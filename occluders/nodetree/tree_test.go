package nodetree

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// world is a random scene of boxes.
type world struct {
	center geom.Vec3
	size   float64
	seed   random
}

func drawWorld(t *rapid.T) *world {
	w := &world{size: rapid.SampledFrom([]float64{1, 1000, 20000}).Draw(t, "size"), seed: random(rapid.Uint64().Draw(t, "seed"))}
	far := rapid.SampledFrom([]float64{0, 1e5, 1e7}).Draw(t, "far")
	for i := range w.center {
		w.center[i] = far * rapid.SampledFrom([]float64{-1, 0, 1}).Draw(t, "center")
	}
	return w
}

func (w *world) unit() float64 { return float64(w.seed.float()) }

func (w *world) point() geom.Vec3 {
	return geom.Vec3{w.unit(), 0.3 * w.unit(), w.unit()}.Mul(w.size).Add(w.center)
}

// box makes one of the kinds of boxes that there are: points, flat ones, some on a
// grid, small, long and huge ones, many equal, and some that have no place.
func (w *world) box() geom.Box {
	p := w.point()
	switch k := int(w.unit() * 24); {
	case k < 3:
		return geom.BoxOf(p)
	case k < 5:
		return geom.BoxOf(p, p.Add(geom.Vec3{w.size * 0.1 * w.unit(), 0, w.size * 0.1 * w.unit()}))
	case k < 8:
		step := w.size / 16
		q := geom.Vec3{math.Floor(w.unit() * 16), 0, math.Floor(w.unit() * 16)}.Mul(step).Add(w.center)
		return geom.BoxOf(q, q.Add(geom.Vec3{step, step * w.unit(), step}))
	case k < 9:
		return geom.BoxOf(p, w.point())
	case k < 10:
		return geom.BoxOf(p, p.Add(geom.Vec3{w.size * w.unit(), w.size * 0.001, 0}))
	case k < 13:
		return geom.BoxOf(w.center, w.center.Add(geom.Vec3{w.size / 50, w.size / 50, w.size / 50}))
	case k < 14:
		return [...]geom.Box{
			geom.EmptyBox(), {Min: geom.Vec3{math.NaN()}}, {Max: geom.Vec3{math.Inf(1), 1, 1}}, {Max: geom.Vec3{1, 1e200, 1}},
		}[int(w.unit()*4)]
	}
	return geom.BoxOf(p, p.Add(geom.Vec3{w.unit(), w.unit(), w.unit()}.Mul(w.size*0.03)))
}

func (w *world) boxes(t *rapid.T) []geom.Box {
	boxes := make([]geom.Box, rapid.SampledFrom([]int{0, 1, 2, 30, 200, 1500}).Draw(t, "boxes"))
	for i := range boxes {
		boxes[i] = w.box()
	}
	return boxes
}

func (w *world) options(t *rapid.T) Options {
	return Options{
		Split:    rapid.SampledFrom([]Split{Quad, Oct}).Draw(t, "split"),
		MinSize:  w.size * rapid.SampledFrom([]float64{1e-9, 0.01, 0.1, 2}).Draw(t, "least"),
		MaxItems: rapid.SampledFrom([]int{0, 1, 4}).Draw(t, "most"),
	}
}

// frustum looks at the scene. inside is a point well within it.
func (w *world) frustum(t *rapid.T) (f geom.Frustum, inside geom.Vec3) {
	eye, at := w.point(), w.point()
	if rapid.Bool().Draw(t, "from afar") {
		eye = eye.Add(eye.Sub(at))
	}
	dir := at.Sub(eye)
	if dir.Len() < w.size*1e-3 || math.Abs(dir.Normalize()[1]) > 0.99 {
		dir = geom.Vec3{1, 0.1, 0.2}.Mul(w.size)
	}
	far := dir.Len() * rapid.SampledFrom([]float64{0.1, 1, 10}).Draw(t, "far plane")
	proj := mgl64.Perspective(rapid.SampledFrom([]float64{0.02, 1, 2.5}).Draw(t, "fov"), 1.6, far/1000, far)
	if rapid.Bool().Draw(t, "ortho") {
		proj = mgl64.Ortho(-far/3, far/3, -far/5, far/5, 0, far)
	}
	f = geom.FrustumOf(eye, proj.Mul4(mgl64.LookAtV(geom.Vec3{}, dir, geom.Vec3{0, 1, 0})))
	return f, eye.Add(dir.Normalize().Mul(far / 2))
}

// meets reports whether a box certainly has a point in the frustum: whether a face of
// it, clipped by all planes moved inwards a little, leaves something, or the frustum
// lies within it.
func meets(b geom.Box, f *geom.Frustum, inside geom.Vec3, tolerance float64) bool {
	if b.Contains(inside) {
		return true
	}
	for axis := range 3 {
		for side := range 2 {
			var face []geom.Vec3
			for _, k := range [4]int{0, 1, 3, 2} {
				i := side<<axis | k&1<<((axis+1)%3) | k>>1<<((axis+2)%3)
				face = append(face, b.Corner(i).Sub(inside))
			}
			for _, p := range f.Planes {
				d := p.Distance(inside) - tolerance
				var cut []geom.Vec3
				for i, v := range face {
					u := face[(i+len(face)-1)%len(face)]
					du, dv := p.N.Dot(u)+d, p.N.Dot(v)+d
					if (du < 0) != (dv < 0) {
						cut = append(cut, u.Add(v.Sub(u).Mul(du/(du-dv))))
					}
					if dv >= 0 {
						cut = append(cut, v)
					}
				}
				face = cut
			}
			if len(face) > 0 {
				return true
			}
		}
	}
	return false
}

// check holds all queries against asking every item.
func check(t *rapid.T, w *world, tree *Tree, boxes []geom.Box) {
	places := func(yes func(b geom.Box) bool) (out []int32) {
		for i, b := range boxes {
			if properBox(&b) && yes(b) {
				out = append(out, int32(i))
			}
		}
		return out
	}
	same := func(what string, got, want []int32) {
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %v, expected %v", what, got, want)
		}
	}
	b := geom.BoxOf(w.point(), w.point())
	if rapid.Bool().Draw(t, "small") {
		b = w.box()
	}
	same("overlapping", tree.AppendOverlapping(nil, b), places(b.Overlaps))

	from, to := w.point(), w.point()
	r := geom.Ray{Origin: from, Dir: to.Sub(from)}
	if rapid.Bool().Draw(t, "straight") {
		r.Dir[rapid.IntRange(0, 2).Draw(t, "axis")] = 0
	}
	tMax := rapid.SampledFrom([]float64{math.Inf(1), 0.5, 0, -1}).Draw(t, "tMax")
	hit := func(b geom.Box) bool { enter, _, ok := r.Box(b); return ok && enter <= tMax }
	same("hit", tree.AppendHit(nil, r, tMax), places(hit))
	nearest, visited := tMax, map[int]bool{}
	tree.Walk(r, tMax, func(item int, enter float64) float64 {
		if visited[item] {
			t.Fatalf("item %d twice", item)
		}
		visited[item] = true
		if e, _, _ := r.Box(boxes[item]); e != enter {
			t.Fatalf("item %d enters at %v, not %v", item, e, enter)
		}
		nearest = min(nearest, enter)
		return nearest
	})
	want := tMax
	for _, b := range boxes {
		if e, _, ok := r.Box(b); properBox(&b) && ok {
			want = min(want, e)
		}
	}
	if nearest != want {
		t.Fatalf("walk found %v, nearest is %v", nearest, want)
	}

	f, inside := w.frustum(t)
	got := tree.AppendVisible(nil, &f)
	tolerance := 1e-9 * (w.size + w.center.Len())
	k := 0
	for i, b := range boxes {
		if k < len(got) && got[k] == int32(i) {
			k++
			if !properBox(&b) || f.Box(b) == geom.Outside {
				t.Fatalf("item %d, %v, is outside", i, b)
			}
		} else if properBox(&b) && meets(b, &f, inside, tolerance) {
			t.Fatalf("item %d, %v, was left out", i, b)
		}
	}
	if k != len(got) {
		t.Fatalf("not ascending: %v", got)
	}
}

func TestQueriesAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		boxes := w.boxes(t)
		tree := Build(boxes, w.options(t))
		for range 5 {
			check(t, w, tree, boxes)
		}
	})
}

// Where no item crosses a border, a frustum finds exactly what it finds one by one.
func TestVisiblePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		boxes := make([]geom.Box, 500)
		for i := range boxes {
			boxes[i] = geom.BoxOf(w.point())
		}
		tree := Build(boxes, w.options(t))
		f, _ := w.frustum(t)
		var want []int32
		for i, b := range boxes {
			if f.Box(b) != geom.Outside {
				want = append(want, int32(i))
			}
		}
		if got := tree.AppendVisible(nil, &f); !slices.Equal(got, want) {
			t.Fatalf("%v, expected %v", got, want)
		}
	})
}

// sound checks a grove's structure.
func sound(t *rapid.T, g *grove, s shapes, o Options, items int) {
	if o.MaxItems == 0 {
		o.MaxItems = DefaultMaxItems
	}
	listed := make(map[int32]int)
	nodes := 0
	var visit func(i, parent int32) map[int32]bool
	visit = func(i, parent int32) map[int32]bool {
		nodes++
		distinct := map[int32]bool{}
		n := &g.nodes[i]
		if n.parent != parent {
			t.Fatalf("node %d has parent %d, not %d", i, n.parent, parent)
		}
		if n.items == 0 && (i != 0 || g.outside == 0) {
			t.Fatalf("node %d is empty", i)
		}
		box := geom.EmptyBox()
		below := int32(0)
		for _, k := range g.held(n) {
			listed[k]++
			b := s.box(k)
			if g.holds(&b) {
				distinct[k] = true
				cell := g.lattice.box(&n.cell)
				clip(&b, &cell)
			}
			box = box.Union(b)
			below++
		}
		if i == 0 {
			below -= int32(g.outside)
		}
		if n.kids >= 0 {
			for k, child := range g.children(n) {
				if child >= 0 {
					c := &g.nodes[child]
					if c.cell != n.cell.child(k) {
						t.Fatalf("node %d has a wrong cell", child)
					}
					maps.Copy(distinct, visit(child, i))
					box = box.Union(c.box)
					below += c.items
				}
			}
			if below != n.spread {
				t.Fatalf("node %d hands on %d, not %d", i, below, n.spread)
			}
		} else if below != n.items {
			t.Fatalf("leaf %d holds %d, not %d", i, below, n.items)
		}
		if len(distinct) != int(n.items) {
			t.Fatalf("node %d has %d items, not %d", i, n.items, len(distinct))
		}
		size := g.size / math.Exp2(float64(n.cell.depth))
		want := size > o.MinSize && len(distinct) > o.MaxItems && n.cell.depth < levels-1 &&
			2*int(n.spread) <= len(distinct)*map[Split]int{Quad: 4, Oct: 8}[g.split]
		if inner := n.kids >= 0; inner != want {
			t.Fatalf("node %d of size %v with %d items has children: %v", i, size, len(distinct), inner)
		}
		if box != n.box {
			t.Fatalf("node %d has box %v, not %v", i, n.box, box)
		}
		if cell := g.lattice.box(&n.cell); (i != 0 || g.outside == 0) && cell.Union(n.box) != cell {
			t.Fatalf("node %d has box %v beyond its cell %v", i, n.box, cell)
		}
		if g.split == Quad {
			for k, c := range n.corner {
				at := g.corners.at[c]
				cell := g.lattice.box(&n.cell)
				if want := cell.Corner(k&1 | k>>1<<2); at != [2]float64{want[0], want[2]} {
					t.Fatalf("corner %d of node %d is at %v, not %v", k, i, at, want)
				}
			}
		}
		return distinct
	}
	if len(g.nodes) > 0 {
		visit(0, -1)
	}
	if nodes+len(g.freeNodes) != len(g.nodes) {
		t.Fatalf("%d nodes, %d free, of %d", nodes, len(g.freeNodes), len(g.nodes))
	}
	if len(listed) != items {
		t.Fatalf("%d items, not %d", len(listed), items)
	}
	for i, n := range listed {
		if limit := map[Split]int{Quad: 9, Oct: 27}[g.split]; n > limit {
			t.Fatalf("item %d is in %d nodes", i, n)
		}
	}
}

func TestBuiltTreeIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		boxes := w.boxes(t)
		o := w.options(t)
		tree := Build(boxes, o)
		sound(t, tree.grove, &tree.items, o, len(slices.DeleteFunc(boxes, func(b geom.Box) bool { return !properBox(&b) })))
	})
}

// shape describes a grove, whatever the order of its arrays.
func shape(g *grove) (out []any) {
	g.each(func(i int32) bool {
		n := &g.nodes[i]
		held := slices.Clone(g.held(n))
		slices.Sort(held)
		out = append(out, [4]any{n.cell, n.box, n.kids < 0, len(held)})
		for _, k := range held {
			out = append(out, k)
		}
		return true
	})
	return out
}

// However a tree was edited, it answers as it should, and its nodes are those that
// would be built in the same root.
func TestEditedTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		boxes := w.boxes(t)
		o := w.options(t)
		tree := Build(boxes, o)
		removed := map[int]bool{}
		for range rapid.IntRange(1, 200).Draw(t, "edits") {
			b := w.box()
			if w.unit() < 0.1 {
				b = b.Translate(geom.Vec3{w.size, 0, -w.size})
			}
			i := int(w.unit() * float64(len(boxes)))
			if w.unit() < 0.15 && len(boxes) > 0 { // many at once: from one to all, some twice
				items := make([]int32, 1+int(w.unit()*w.unit()*float64(len(boxes))))
				bs := make([]geom.Box, len(items))
				away := w.unit() < 0.4
				for k := range items {
					items[k], bs[k] = int32(w.unit()*float64(len(boxes))), w.box()
					if away {
						bs[k] = geom.EmptyBox()
					} else if w.unit() < 0.1 {
						bs[k] = bs[k].Translate(geom.Vec3{w.size, 0, -w.size})
					}
					if !removed[int(items[k])] {
						boxes[items[k]] = bs[k]
					}
				}
				tree.MoveAll(items, bs)
				continue
			}
			switch k := w.unit(); {
			case k < 0.3 || len(boxes) == 0:
				i = tree.Add(b)
				if i == len(boxes) {
					boxes = append(boxes, b)
				} else if !removed[i] {
					t.Fatalf("item %d is in use", i)
				}
				delete(removed, i)
				boxes[i] = b
			case k < 0.65:
				tree.Remove(i)
				removed[i] = true
				boxes[i] = geom.EmptyBox()
			case !removed[i]:
				tree.Move(i, b)
				boxes[i] = b
			default:
				tree.Move(i, b)
			}
		}
		count := 0
		for i, b := range boxes {
			if properBox(&b) {
				count++
			}
			if got := tree.Box(i); got != b && properBox(&b) {
				t.Fatalf("item %d has %v, not %v", i, got, b)
			}
		}
		sound(t, tree.grove, &tree.items, o, count)
		check(t, w, tree, boxes)

		fresh := &grove{lattice: tree.lattice, maxItems: tree.maxItems, deepest: tree.deepest}
		fresh.scratch.New = tree.scratch.New
		var within []int32
		for i, b := range boxes {
			if properBox(&b) && tree.holds(&b) {
				within = append(within, int32(i))
			}
		}
		fresh.grow(&tree.items, within)
		if tree.outside == 0 {
			if got, want := shape(tree.grove), shape(fresh); !slices.Equal(got, want) {
				t.Fatalf("nodes\n%v\nexpected\n%v", got, want)
			}
		}
	})
}

// A corner that is remembered gives what the plain test of the cell gives.
func TestRememberedCorners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		o := w.options(t)
		o.Split = Quad
		tree := Build(w.boxes(t), o)
		if len(tree.nodes) == 0 {
			t.Skip("no nodes")
		}
		f, _ := w.frustum(t)
		v := tree.look(&f)
		var m memo
		for range 2 { // the second time the memory of another frustum is there
			m.begin(len(tree.corners.at))
			for i := range tree.nodes {
				n := &tree.nodes[i]
				cell := tree.Node(i).Cell
				got, _ := tree.side(n, &v, allPlanes, &m)
				want, _ := sideOf(&cell, &v, allPlanes)
				if got != want {
					near := false
					for p := range f.Planes {
						far, close := extremes(&cell, &f.Planes[p])
						near = near || math.Abs(math.Abs(f.Planes[p].Distance(far))-v.margin[p]) < v.margin[p] ||
							math.Abs(math.Abs(f.Planes[p].Distance(close))-v.margin[p]) < v.margin[p]
					}
					if !near {
						t.Fatalf("node %d: %v, plainly %v", i, got, want)
					}
				}
			}
			f, _ = w.frustum(t)
			v = tree.look(&f)
		}
	})
}

func TestVerdictsAgreeWithWhatIsVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		tree := Build(w.boxes(t), w.options(t))
		f, _ := w.frustum(t)
		sides := tree.AppendVerdicts(nil, &f)
		visible := map[int32]bool{}
		for _, i := range tree.AppendVisible(nil, &f) {
			visible[i] = true
		}
		may := map[int32]bool{}
		for n := range tree.Nodes() {
			if p := n.Parent; p >= 0 && sides[p] != geom.Crossing && sides[p] != sides[n.Index] {
				t.Fatalf("node %d is %v below %v", n.Index, sides[n.Index], sides[p])
			}
			for _, i := range n.Items {
				switch sides[n.Index] {
				case geom.Inside:
					if !visible[i] {
						t.Fatalf("item %d of a node inside is not visible", i)
					}
					may[i] = true
				case geom.Crossing:
					may[i] = true
				}
			}
		}
		for i := range visible {
			if !may[i] {
				t.Fatalf("item %d is only in nodes outside", i)
			}
		}
	})
}

func TestNodeAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		boxes := w.boxes(t)
		tree := Build(boxes, w.options(t))
		p := w.point()
		i, ok := tree.NodeAt(p)
		if !ok {
			if len(tree.nodes) > 0 && tree.Bounds().Contains(p) {
				t.Fatalf("no node at %v", p)
			}
			return
		}
		n := tree.Node(i)
		c := n.Cell
		if tree.split == Quad {
			c.Min[1], c.Max[1] = p[1], p[1]
		}
		slack := 1e-12 * (w.size + w.center.Len())
		if c.DistanceTo(p) > slack {
			t.Fatalf("%v is not in %v", p, c)
		}
		// Whatever is at p is listed from the root down to there.
		listed := map[int32]bool{}
		for ; i >= 0; i = tree.Node(i).Parent {
			for _, k := range tree.Node(i).Items {
				listed[k] = true
			}
		}
		for k, b := range boxes {
			inner := geom.Box{Min: b.Min.Add(geom.Vec3{slack, slack, slack}), Max: b.Max.Sub(geom.Vec3{slack, slack, slack})}
			if properBox(&b) && !inner.IsEmpty() && inner.Contains(p) && !listed[int32(k)] {
				t.Fatalf("item %d, %v, is not listed at %v", k, b, p)
			}
		}
	})
}

// Boxes that only touch are not in each other's nodes.
func TestTouchingIsNotCrossing(t *testing.T) {
	var boxes []geom.Box
	for i := range 64 * 64 {
		x, z := float64(i%64)*40, float64(i/64)*40
		boxes = append(boxes, geom.BoxOf(geom.Vec3{x, 0, z}, geom.Vec3{x + 40, 40, z + 40}))
	}
	for _, split := range []Split{Quad, Oct} {
		tree := Build(boxes, Options{Split: split, MinSize: 40, MaxItems: 1})
		if s := tree.Stats(); s.Listings != len(boxes) || s.Leaves != len(boxes) {
			t.Errorf("%+v", s)
		}
	}
}

// Many edits leave no more memory behind than a few.
func TestManyEdits(t *testing.T) {
	w := &world{size: 1000, seed: 9}
	boxes := make([]geom.Box, 500)
	for i := range boxes {
		boxes[i] = w.box()
	}
	tree := Build(boxes, Options{MinSize: 20, MaxItems: 4})
	tidied := 0
	for k := range 20000 {
		i := k % len(boxes)
		boxes[i] = w.box()
		before := tree.waste
		tree.Move(i, boxes[i])
		if tree.waste < before {
			tidied++
		}
	}
	if s := tree.Stats(); tidied == 0 || s.Bytes > 1<<20 || len(tree.lists) > 4*s.Listings+4096 {
		t.Errorf("%+v after %d times of tidying", s, tidied)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, w, tree, boxes) })
}

// counted counts how often a box is looked at.
type counted struct {
	*boxItems
	looks *int
}

func (c counted) box(i int32) geom.Box { *c.looks++; return c.boxItems.box(i) }

func (c counted) unite(items []int32) geom.Box {
	*c.looks += len(items)
	return c.boxItems.unite(items)
}

func (c counted) sort(items []int32, cut *cut, masks []uint8) {
	*c.looks += len(items)
	c.boxItems.sort(items, cut, masks)
}

// Thousands of items that share a node come and go in time in proportion to their number.
func TestManyInOneNode(t *testing.T) {
	const n = 5000
	looks := 0
	shapes := counted{&boxItems{boxes: make([]geom.Box, n)}, &looks}
	items, most := make([]int32, n), &marks{}
	most.reserve(n)
	for i := range items {
		items[i] = int32(i)
		at := geom.Vec3{float64(i % 71), 0, float64(i / 71)}
		shapes.boxes[i] = geom.BoxOf(at, at.Add(geom.Vec3{1, 1, 1}))
		if i > 0 {
			most.add(int32(i))
		}
	}
	g := plant(Options{}, shapes.unite(items))
	g.grow(shapes, items[:1])
	s := g.borrow(n)
	looks = 0
	g.editor(shapes, &s.marks).insertAll(items[1:])
	if looks > 10*n || g.nodes[0].items != n {
		t.Errorf("adding %d items looked at %d boxes, and there are %d", n-1, looks, g.nodes[0].items)
	}
	looks = 0
	g.editor(shapes, &s.marks).removeAll(slices.Clone(items[1:]), most)
	if looks > 10*n || g.nodes[0].items != 1 {
		t.Errorf("removing %d items looked at %d boxes, and there are %d", n-1, looks, g.nodes[0].items)
	}
}
