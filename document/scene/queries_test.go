package scene

import (
	"image"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/collide"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// stand puts entities into a document and gives their ids.
func stand(t *testing.T, doc *document.Document, list ...document.Entity) (ids []document.ID) {
	t.Helper()
	must(t, doc.Do("stand", func(tx *document.Tx) error {
		for _, e := range list {
			e.ID = tx.NewID()
			if e.Kind == "" {
				e.Kind = document.KindObject
			}
			ids = append(ids, e.ID)
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	}))
	return ids
}

// following is a scene that follows a document.
func following(doc *document.Document, lib Library) *Scene {
	s := New(lib)
	s.Update(doc.Level(), nil)
	doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
	return s
}

// overhead is a square column around x, z that reaches from low to high.
func overhead(x, z, half, low, high float64) geom.Frustum {
	return geom.Frustum{Planes: [6]geom.Plane{
		{N: geom.Vec3{1, 0, 0}, D: half - x}, {N: geom.Vec3{-1, 0, 0}, D: half + x},
		{N: geom.Vec3{0, 0, 1}, D: half - z}, {N: geom.Vec3{0, 0, -1}, D: half + z},
		{N: geom.Vec3{0, -1, 0}, D: high}, {N: geom.Vec3{0, 1, 0}, D: -low},
	}}
}

// fence is a square of two metres across Z whose picture is clear on the left.
func fence() *Model {
	picture := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	picture.Pix = []byte{255, 255, 255, 0, 255, 255, 255, 255}
	return NewModel(&mesh.Model{
		Positions: []mgl32.Vec3{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
		Normals:   slices.Repeat([]mgl32.Vec3{{0, 0, 1}}, 4),
		UVs:       []mgl32.Vec2{{0, 1}, {1, 1}, {1, 0}, {0, 0}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
		Parts:     []mesh.Part{{Count: 6}},
		Nodes:     []mesh.Node{{Parent: -1}},
		Materials: []mesh.Material{{BaseColor: [4]float32{1, 1, 1, 1}, UV: mgl32.Ident3(), WrapS: mesh.Clamp, WrapT: mesh.Clamp, Nearest: true, Alpha: mesh.Mask, Cutoff: 0.5}},
		Images:    []mesh.Image{{Pixels: picture}},
		Bounds:    geom.BoxOf(geom.Vec3{-1, -1, 0}, geom.Vec3{1, 1, 0}),
	})
}

// A ray goes through the holes of an alpha mask, and what skip refuses is not there.
func TestPickThroughHoles(t *testing.T) {
	doc, lib := world(t, 0), newShelf()
	lib.models["rock"] = fence()
	ids := stand(t, doc,
		document.Entity{Translation: mgl64.Vec3{50, 200, 10}, Data: document.Object{Asset: "rock"}},
		document.Entity{Translation: mgl64.Vec3{50, 200, 0}, Data: document.Object{Asset: "box"}},
	)
	s := following(doc, lib)
	pick := func(x float64, skip func(*Item) bool) document.ID {
		h, _ := s.Pick(geom.Ray{Origin: mgl64.Vec3{50 + x, 200.25, 30}, Dir: mgl64.Vec3{0, 0, -1}}, skip)
		return h.ID
	}
	if got := pick(-0.5, nil); got != ids[1] {
		t.Errorf("through the hole: %d, expected %d", got, ids[1])
	}
	if got := pick(0.5, nil); got != ids[0] {
		t.Errorf("beside the hole: %d, expected %d", got, ids[0])
	}
	if got := pick(0.5, func(it *Item) bool { return it.ID == ids[0] }); got != ids[1] {
		t.Errorf("with the fence left out: %d, expected %d", got, ids[1])
	}
	must(t, doc.Do("hide", func(tx *document.Tx) error {
		e, _ := tx.Level().Entity(ids[0])
		c := e.Clone()
		c.Hidden = true
		return tx.Put(c)
	}))
	if got := pick(0.5, nil); got != ids[1] {
		t.Errorf("with the fence hidden: %d, expected %d", got, ids[1])
	}
}

// What is inside a frustum is listed once and ascending, be it a thing, the points of
// a scatter or a marker; what is hidden is not.
func TestInsideIsListedOnce(t *testing.T) {
	doc := world(t, 0)
	at := mgl64.Vec3{100, 200, 100}
	ids := stand(t, doc,
		document.Entity{Kind: document.KindMarker, Translation: at, Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}},
		document.Entity{Translation: at, Data: document.Object{Asset: "box"}},
		document.Entity{Kind: document.KindScatter, Translation: at, Data: document.Scatter{Assets: []string{"box"}, Points: []document.ScatterPoint{{Scale: 1}, {Position: mgl64.Vec3{3, 0, 0}, Scale: 1}}}},
		document.Entity{Translation: at, Hidden: true, Data: document.Object{Asset: "box"}},
		document.Entity{Kind: document.KindMarker, Hidden: true, Translation: at, Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}},
	)
	s := following(doc, newShelf())
	f := overhead(100, 100, 10, 190, 210)
	if got := s.AppendInside([]document.ID{7, 3}, &f); !slices.Equal(got, []document.ID{7, 3, ids[0], ids[1], ids[2]}) {
		t.Errorf("inside are %v of %v", got, ids)
	}
}

// tell gives the markers that a frustum finds, ascending.
func tell(m *marks, f *geom.Frustum) (ids []document.ID) {
	m.visit(f, func(k *Mark) { ids = append(ids, k.ID) })
	slices.Sort(ids)
	return ids
}

// Of the quadtree of markers, a node outside the frustum is dropped and one inside it
// taken, in both cases without a look at its markers: so they may say what they like.
func TestMarkersByThreeStates(t *testing.T) {
	var m marks
	m.reset()
	put := func(id document.ID, p ...geom.Vec3) *markAt {
		at := &markAt{mark: Mark{ID: id, Points: p, Box: geom.EmptyBox()}}
		for _, q := range p {
			at.mark.Box = at.mark.Box.Add(q)
		}
		m.byID[id] = at
		m.insert(at)
		return at
	}
	a := put(1, geom.Vec3{10, 5, 10})
	b := put(2, geom.Vec3{-100, 5, -100})
	put(3, geom.Vec3{-300, 0, -300}, geom.Vec3{300, 0, 300}) // crosses the middle, so stays at the top
	hidden := put(4, geom.Vec3{11, 5, 11})
	hidden.mark.Hidden = true
	if a.node == m.root || b.node == m.root || a.node == b.node {
		t.Fatal("the markers are not sorted")
	}
	near := overhead(10, 10, 40, -50, 50)
	if got := tell(&m, &near); !slices.Equal(got, []document.ID{1, 3}) {
		t.Errorf("found %v, expected 1 and 3", got)
	}
	a.mark.Box, b.mark.Box = b.mark.Box, a.mark.Box
	if got := tell(&m, &near); !slices.Equal(got, []document.ID{1, 3}) {
		t.Errorf("found %v, expected what the nodes say, 1 and 3", got)
	}
	a.mark.Box, b.mark.Box = b.mark.Box, a.mark.Box

	// Heights count too, and those of a marker that has gone do not.
	above := overhead(10, 10, 40, 100, 300)
	put(5, geom.Vec3{12, 200, 12})
	if got := tell(&m, &above); !slices.Equal(got, []document.ID{5}) {
		t.Errorf("found %v above, expected 5", got)
	}
	m.drop(5)
	if got := tell(&m, &above); len(got) != 0 || m.root.hi != 5 {
		t.Errorf("found %v above, where the root reaches to %g m, expected nothing and 5 m", got, m.root.hi)
	}
}

// What lies outside the largest root stays in the root, and is seen where it is.
func TestMarkersOutsideTheRoot(t *testing.T) {
	doc := world(t, 0)
	mark := func(x float64) document.Entity {
		return document.Entity{Kind: document.KindMarker, Translation: mgl64.Vec3{x, 0, 0}, Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}}
	}
	ids := stand(t, doc, mark(0), mark(5), mark(1e9))
	s := following(doc, newShelf())
	if r := s.marks.root; r.side() >= 1e9 || s.marks.byID[ids[2]].node != r {
		t.Fatalf("the root is %g m wide", r.side())
	}
	for _, c := range []struct {
		x, half float64
		want    []document.ID
	}{
		{0, 2, ids[:1]}, {1e9, 2, ids[2:]}, {0, 3e8, ids[:2]}, {0, 2e9, ids}, {5e8, 2, nil},
	} {
		f := overhead(c.x, 0, c.half, -10, 10)
		if got := tell(&s.marks, &f); !slices.Equal(got, c.want) {
			t.Errorf("around %g m: %v, expected %v", c.x, got, c.want)
		}
	}
}

// Of level geometry that the frustum crosses only the triangles in sight are drawn,
// one run a material; of other things all or nothing.
func TestGeometryByTriangles(t *testing.T) {
	doc := world(t, 0)
	at := mgl64.Vec3{100, 200, 100}
	ids := stand(t, doc,
		document.Entity{Translation: at, Data: document.Object{Asset: "tree", Geometry: true}},
		document.Entity{Translation: at, Data: document.Object{Asset: "tree"}},
	)
	lib := newShelf()
	lib.models["tree"] = soup(4000, 5, 2)
	s := following(doc, lib)
	f := overhead(101, 100, 1, 195, 205)
	var v Visible
	s.Visible(&v, &f)
	if len(v.Items) != 2 {
		t.Fatalf("%d items, expected 2", len(v.Items))
	}
	for i, slot := range v.Items {
		it, sub := &s.items[slot], v.Subsets[i]
		if it.ID == ids[1] {
			if sub != nil {
				t.Error("an object that is no geometry is drawn in part")
			}
			continue
		}
		if sub == nil || len(sub.Indices) == 0 || len(sub.Indices) > len(it.Model.Indices)/4 {
			t.Fatalf("the geometry's part is %v", sub)
		}
		var materials []int
		for _, p := range sub.Parts {
			materials = append(materials, p.Material)
		}
		if !slices.Equal(materials, []int{0, 1}) {
			t.Errorf("runs of materials %v, expected 0 and 1", materials)
		}
	}
	f = overhead(100, 100, 20, 150, 250)
	s.Visible(&v, &f)
	if len(v.Items) != 2 || v.Subsets[0] != nil || v.Subsets[1] != nil {
		t.Errorf("wholly inside, %d items are drawn in parts %v", len(v.Items), v.Subsets)
	}
}

// What is solid is what is shown and collides, by its mesh or its sphere, and follows
// every edit.
func TestSolid(t *testing.T) {
	doc := world(t, 0)
	object := func(x float64, o document.Object) document.Entity {
		o.Asset = "box"
		return document.Entity{Translation: mgl64.Vec3{x, 300, 50}, Scale: mgl64.Vec3{1, 2, 1}, Data: o}
	}
	ids := stand(t, doc,
		object(10, document.Object{}),
		object(20, document.Object{Collision: document.CollideNone}),
		object(30, document.Object{Collision: document.CollideSphere}),
		object(40, document.Object{Collision: document.CollideSphere, CollisionRadius: 4}),
	)
	s := following(doc, newShelf())
	top := func(x float64) float64 {
		t.Helper()
		w, err := s.Solid()
		must(t, err)
		y, ok := w.HeightBelow(collide.Vec3{x, 400, 50}, nil)
		if !ok {
			t.Fatalf("there is nothing below at %g", x)
		}
		return y
	}
	if again, err := s.Solid(); err != nil || again != s.solid.world {
		t.Error("it is made twice")
	}
	check := func(x, want float64) {
		t.Helper()
		if got := top(x); !(math.Abs(got-want) < 1e-6) && !(want < 0 && got < 100) {
			t.Errorf("at %g the top is %g, expected %g", x, got, want)
		}
	}
	check(10, 302)
	check(20, -1)                 // passed through
	check(30, 300+2*math.Sqrt(3)) // the ball that holds the mesh, as large as the longest axis makes it
	check(40, 308)                // its own radius
	must(t, doc.Do("edit", func(tx *document.Tx) error {
		for i, change := range []func(*document.Entity){
			func(e *document.Entity) { e.Hidden = true },
			func(e *document.Entity) { e.Data = document.Object{Asset: "box"} },
			func(e *document.Entity) {
				e.Data = document.Object{Asset: "box", Collision: document.CollideSphere, CollisionRadius: 1}
			},
		} {
			e, _ := tx.Level().Entity(ids[i])
			c := e.Clone()
			change(&c)
			if err := tx.Put(c); err != nil {
				return err
			}
		}
		return nil
	}))
	check(10, -1)
	check(20, 302)
	check(30, 302)
}

// The tree is built with the level's numbers, and is an octree where there is no
// ground, unless the level says otherwise.
func TestTreeOptions(t *testing.T) {
	doc := world(t, 0)
	l := *doc.Level()
	if o := TreeOptions(&l); o.Split != nodetree.Quad {
		t.Error("with ground: an octree")
	}
	l.Settings.Nodes = document.NodeTree{Split: document.SplitOct, Size: 7, Items: 9}
	if o := TreeOptions(&l); o.Split != nodetree.Oct || o.MinSize != 7 || o.MaxItems != 9 {
		t.Errorf("options %+v, expected those of the level", o)
	}
	bare := document.New(&l, document.Options{})
	none, err := document.NoTerrain()
	must(t, err)
	must(t, bare.Do("no ground", func(tx *document.Tx) error { return tx.SetTerrain(none) }))
	l = *bare.Level()
	l.Settings.Nodes = document.NodeTree{}
	if o := TreeOptions(&l); o.Split != nodetree.Oct {
		t.Error("without ground: a quadtree")
	}
	l.Settings.Nodes.Split = document.SplitQuad
	if o := TreeOptions(&l); o.Split != nodetree.Quad {
		t.Error("asked for a quadtree: an octree")
	}
}

// A placeholder is met anywhere within its box, not at its bars alone.
func TestPickPlaceholder(t *testing.T) {
	doc := world(t, 0)
	must(t, doc.Do("place", func(tx *document.Tx) error {
		return tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindObject, Translation: mgl64.Vec3{100, 50, 100}, Scale: mgl64.Vec3{4, -2, 4}, Data: document.Object{Asset: "nothing"}})
	}))
	s := New(newShelf())
	s.Update(doc.Level(), nil)
	c := s.Items()[0].Box.Center()
	h, ok := s.Pick(geom.Ray{Origin: c.Add(mgl64.Vec3{0.3, 30, 0.2}), Dir: mgl64.Vec3{0, -1, 0}}, nil)
	if !ok || h.ID != 1 || !(h.Normal.Sub(mgl64.Vec3{0, 1, 0}).Len() < 1e-9) || !(h.Point[1] > c[1]) {
		t.Fatalf("the middle of the box gives %v, %v", h, ok)
	}
}
