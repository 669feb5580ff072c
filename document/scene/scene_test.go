package scene

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// shelf is a library of a few models by the name of the asset; "late" arrives when
// told.
type shelf struct {
	models map[string]*Model
	late   bool
}

func (s *shelf) Model(a *document.Asset) *Model {
	if a.Name == "late" && !s.late {
		return nil
	}
	return s.models[a.Name]
}

// soup is a model of n random triangles within a box of the given half size.
func soup(n int, half float32, seed uint64) *Model {
	m := &mesh.Model{Materials: []mesh.Material{{Image: -1}, {Image: -1}}, Nodes: []mesh.Node{{Parent: -1}}, Bounds: geom.EmptyBox()}
	r := func() float32 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return (float32(seed>>40)/(1<<23) - 1) * half
	}
	for i := range n {
		c := mgl32.Vec3{r(), r(), r()}.Mul(0.7)
		for range 3 {
			p := c.Add(mgl32.Vec3{r(), r(), r()}.Mul(0.3))
			m.Indices = append(m.Indices, uint32(len(m.Positions)))
			m.Positions = append(m.Positions, p)
			m.Normals = append(m.Normals, mgl32.Vec3{0, 1, 0})
			m.Bounds = m.Bounds.Add(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
		}
		if i == n/2 {
			m.Parts = append(m.Parts, mesh.Part{First: 0, Count: len(m.Indices), Material: 1})
		}
	}
	first := m.Parts[0].Count
	m.Parts = append(m.Parts, mesh.Part{First: first, Count: len(m.Indices) - first, Material: 0})
	if first == len(m.Indices) {
		m.Parts = m.Parts[:1]
	}
	return NewModel(m)
}

// box is a closed cube of two metres, its faces outwards.
func box() *Model {
	m := &mesh.Model{Materials: []mesh.Material{{Image: -1}}, Nodes: []mesh.Node{{Parent: -1}}, Bounds: geom.BoxOf(geom.Vec3{-1, -1, -1}, geom.Vec3{1, 1, 1})}
	for i := range 8 {
		m.Positions = append(m.Positions, mgl32.Vec3{float32(i&1*2 - 1), float32(i&2 - 1), float32(i&4/2 - 1)})
		m.Normals = append(m.Normals, mgl32.Vec3{0, 1, 0})
	}
	for _, q := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}} {
		m.Indices = append(m.Indices, q[0], q[1], q[2], q[0], q[2], q[3])
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	return NewModel(m)
}

// fatal is what testing.T and rapid.T have in common.
type fatal interface {
	Helper()
	Fatal(...any)
}

func must(t fatal, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bringing is a model with occluders: boxes of the given half sizes, side by side.
func bringing(m *Model, halves ...float32) *Model {
	c := *m.Model
	for k, h := range halves {
		var points []mgl32.Vec3
		for i := range 8 {
			points = append(points, mgl32.Vec3{float32(3*k) + h*float32(i&1*2-1), h * float32(i&2-1), h * float32(i&4/2-1)})
		}
		c.Occluders = append(c.Occluders, points)
	}
	return NewModel(&c)
}

// newShelf has models of which some bring occluders along.
func newShelf() *shelf {
	return &shelf{models: map[string]*Model{
		"box": box(), "rock": bringing(soup(12, 2, 1), 0.5, 0.25), "tree": soup(40, 5, 2), "late": bringing(soup(3, 1, 3), 0.3),
		"wall": bringing(box(), 4),
	}}
}

// world makes a document with some terrain and the shelf's assets, at an offset.
func world(t fatal, offset float64) *document.Document {
	f, err := terrain.Flat(200, 150, 2)
	must(t, err)
	d := f.Draft()
	for ty := range 3 {
		for tx := range 4 {
			if h := d.Heights(tx, ty); h != nil {
				for i := range h {
					h[i] = float32(10 * math.Sin(float64(i)/90+float64(tx+ty)))
				}
			}
		}
	}
	f, _ = d.Field()
	doc := document.New(document.NewLevel(f.WithOrigin(offset, -offset)), document.Options{})
	must(t, doc.Do("assets", func(tx *document.Tx) error {
		return tx.SetAssets([]document.Asset{{Name: "rock", File: "asset:a.glb"}, {Name: "tree", File: "asset:b.glb"}, {Name: "late", File: "asset:c.glb"}, {Name: "box", File: "asset:d.glb"}, {Name: "wall", File: "asset:e.glb"}})
	}))
	return doc
}

// change draws a random edit.
func change(t *rapid.T, offset float64) func(*document.Tx) error {
	num := func(lo, hi float64, label string) float64 { return rapid.Float64Range(lo, hi).Draw(t, label) }
	pick := func(tx *document.Tx) (*document.Entity, bool) {
		n := rapid.IntRange(0, 1000).Draw(t, "which") % (tx.Level().Len() + 1)
		for e := range tx.Level().Entities() {
			if n == 0 {
				return e, true
			}
			n--
		}
		return nil, false
	}
	entity := func(tx *document.Tx) document.Entity {
		e := document.Entity{
			ID: tx.NewID(), Kind: document.KindObject,
			Translation: mgl64.Vec3{offset + num(0, 400, "x"), num(-20, 60, "y"), -offset + num(0, 300, "z")},
			Rotation:    mgl64.QuatRotate(num(-3, 3, "turn"), mgl64.Vec3{0.6, 0.8, 0}),
			Scale:       mgl64.Vec3{num(0.3, 3, "sx"), num(0.3, 3, "sy"), -num(0.3, 3, "sz")},
			Hidden:      rapid.IntRange(0, 5).Draw(t, "hidden") == 0,
			Layer:       rapid.SampledFrom([]string{"", "props"}).Draw(t, "layer"),
		}
		corner := func(label string) mgl64.Vec3 {
			return mgl64.Vec3{float64(rapid.IntRange(-3, 3).Draw(t, label)), float64(rapid.IntRange(-3, 3).Draw(t, label)), float64(rapid.IntRange(-3, 3).Draw(t, label))}
		}
		square := []mgl64.Vec3{{-1, 0, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}}
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 6:
			e.Kind = document.KindOccluder
			e.Data = document.Occluder{Points: []mgl64.Vec3{corner("a"), corner("b"), corner("c"), corner("d"), corner("e")}, Off: rapid.IntRange(0, 3).Draw(t, "off") == 0}
			if rapid.Bool().Draw(t, "flat") {
				e.Data = document.Occluder{Points: square, Polygon: true}
			}
		case 7:
			e.Kind = document.KindCell
			e.Data = document.Cell{Pieces: [][]mgl64.Vec3{{{-9, -9, -9}, {9, -9, -9}, {0, 9, 0}, corner("f")}, {corner("g"), corner("h"), corner("i"), corner("j")}}}
		case 8:
			e.Kind = document.KindPortal
			e.Data = document.Portal{Points: square, State: rapid.SampledFrom(document.PortalStates).Draw(t, "state"), Reach: num(0, 5, "reach")}
		case 0:
			e.Data = document.Object{} // a group
		case 1:
			e.Kind = document.KindMarker
			e.Data = document.Marker{Shape: document.MarkerLine, Points: []mgl64.Vec3{{0, 0, 0}, {num(-90, 90, "px"), 0, num(-90, 90, "pz")}}}
		case 2:
			e.Kind = document.KindScatter
			s := document.Scatter{Assets: []string{"tree", "nothing"}}
			for range rapid.IntRange(0, 5).Draw(t, "points") {
				s.Points = append(s.Points, document.ScatterPoint{Asset: rapid.IntRange(0, 1).Draw(t, "asset"), Position: mgl64.Vec3{num(-50, 50, "qx"), 0, num(-50, 50, "qz")}, Scale: num(0.5, 2, "qs")})
			}
			e.Data = s
		default:
			e.Data = document.Object{Asset: rapid.SampledFrom([]string{"rock", "tree", "late", "nothing"}).Draw(t, "asset"), Geometry: rapid.Bool().Draw(t, "geometry")}
		}
		return e
	}
	switch rapid.IntRange(0, 9).Draw(t, "edit") {
	case 0, 1, 2, 3:
		return func(tx *document.Tx) error {
			p, ok := pick(tx)
			e := entity(tx)
			if ok && p.Kind != document.KindMarker && rapid.Bool().Draw(t, "child") {
				e.Parent = p.ID
				e.Translation = mgl64.Vec3{num(-20, 20, "cx"), 0, num(-20, 20, "cz")}
			}
			return tx.Put(e)
		}
	case 4, 5:
		return func(tx *document.Tx) error {
			if e, ok := pick(tx); ok {
				c := e.Clone()
				if sc, ok := e.Data.(document.Scatter); ok && rapid.Bool().Draw(t, "grow") {
					sc.Points = append(slices.Clone(sc.Points), document.ScatterPoint{Position: mgl64.Vec3{num(-50, 50, "qx"), 0, 0}, Scale: 1})
					c.Data = sc
					return tx.Put(c)
				}
				c.Translation = c.Translation.Add(mgl64.Vec3{num(-100, 100, "dx"), 0, num(-100, 100, "dz")})
				c.Hidden = rapid.IntRange(0, 3).Draw(t, "hide") == 0
				return tx.Put(c)
			}
			return nil
		}
	case 6:
		return func(tx *document.Tx) error {
			if e, ok := pick(tx); ok {
				return tx.Delete(e.ID, document.Policy(rapid.IntRange(0, 1).Draw(t, "policy")))
			}
			return nil
		}
	case 7:
		return func(tx *document.Tx) error {
			d := tx.Level().Terrain.Draft()
			h := d.Heights(rapid.IntRange(0, 3).Draw(t, "tx"), rapid.IntRange(0, 2).Draw(t, "ty"))
			h[rapid.IntRange(0, len(h)-1).Draw(t, "sample")] += float32(num(-30, 30, "dh"))
			f, _ := d.Field()
			return tx.SetTerrain(f)
		}
	case 8:
		return func(tx *document.Tx) error {
			return tx.SetEntityLayers([]document.EntityLayer{{Name: "props", Hidden: rapid.Bool().Draw(t, "off")}})
		}
	}
	return func(tx *document.Tx) error {
		a := slices.Clone(tx.Level().Assets)
		if len(a) == 4 {
			return tx.SetAssets(a[:3])
		}
		return tx.SetAsset(document.Asset{Name: "tree", File: "asset:b.glb"})
	}
}

// describe lists what a scene holds, in an order that does not depend on slots.
func describe(s *Scene) []string {
	var out []string
	for i, it := range s.items {
		if it.ID != 0 {
			out = append(out, fmt.Sprintf("%d/%d %v %v hidden=%v missing=%v geometry=%v box=%v tree=%v", it.ID, it.Point, it.World, it.Radius, it.Hidden, it.Missing, it.Geometry, it.Box, s.tree.Box(s.cols*s.rows+i)))
		}
	}
	for i := range s.cols * s.rows {
		out = append(out, fmt.Sprintf("chunk %d %v", i, s.tree.Box(i)))
	}
	v := s.Complete()
	entry := func(e int) string {
		if e < s.cols*s.rows {
			return fmt.Sprintf("chunk %d", e)
		}
		return fmt.Sprintf("item %d/%d", s.items[e-s.cols*s.rows].ID, s.items[e-s.cols*s.rows].Point)
	}
	for i, o := range v.Occluders {
		out = append(out, fmt.Sprintf("occluder %d %d %v %v %v %v %v %v", i, o.ID, o.Owner, o.Box, o.Hidden, o.Off, o.Doors, o.Fault))
	}
	for i, c := range v.Cells {
		out = append(out, fmt.Sprintf("cell %d %d %v %v", i, c.ID, c.Box, c.Fault))
	}
	for i, p := range v.Portals {
		out = append(out, fmt.Sprintf("portal %d %d %+v", i, p.ID, p.Portal))
	}
	for e, cells := range v.Scene.Cells {
		if s.tree.Box(e).IsEmpty() {
			continue
		}
		out = append(out, fmt.Sprintf("%s in %v", entry(e), cells))
		if v.Scene.Exempt.Has(int32(e)) {
			out = append(out, entry(e)+" is exempt")
		}
	}
	for i := range v.Scene.Slopes {
		out = append(out, fmt.Sprintf("chunk %d slopes %v", i, v.Scene.Slopes[i]))
	}
	for id, at := range s.marks.byID {
		out = append(out, fmt.Sprintf("mark %d %v %v", id, at.mark.Points, at.mark.Hidden))
	}
	slices.Sort(out)
	return out
}

// A scene that follows edits, undo and arriving models is the one that is made
// anew from the level.
func TestFollowsDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.SampledFrom([]float64{0, 100_000}).Draw(t, "offset")
		lib := newShelf()
		doc := world(t, offset)
		s := New(lib)
		s.Update(doc.Level(), nil)
		doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "action") {
			case 0:
				doc.Undo()
			case 1:
				doc.Redo()
			case 2:
				lib.late = true
				s.Reload("late")
			default:
				must(t, doc.Do("edit", change(t, offset)))
			}
			fresh := New(lib)
			fresh.Update(doc.Level(), nil)
			if got, want := describe(s), describe(fresh); !slices.Equal(got, want) {
				t.Fatalf("the scene holds\n%q\nexpected\n%q", got, want)
			}
			if s.Counts() != fresh.Counts() || s.Bounds() != fresh.Bounds() {
				t.Fatalf("counts %v and bounds %v, expected %v and %v", s.Counts(), s.Bounds(), fresh.Counts(), fresh.Bounds())
			}
			checkMarks(t, &s.marks)
			checkQueries(t, s, offset)
		}
	})
}

// camera draws a frustum that looks at the level.
func cameraOf(t *rapid.T, offset float64) (eye mgl64.Vec3, f geom.Frustum) {
	eye = mgl64.Vec3{offset + rapid.Float64Range(-100, 500).Draw(t, "ex"), rapid.Float64Range(-10, 100).Draw(t, "ey"), -offset + rapid.Float64Range(-100, 400).Draw(t, "ez")}
	yaw := rapid.Float64Range(-3.2, 3.2).Draw(t, "yaw")
	look := mgl64.Vec3{math.Sin(yaw), rapid.Float64Range(-1, 0.3).Draw(t, "pitch"), math.Cos(yaw)}
	vp := mgl64.Perspective(rapid.Float64Range(0.05, 1.5).Draw(t, "fov"), 1.6, 0.5, 1000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, look, mgl64.Vec3{0, 1, 0}))
	return eye, geom.FrustumOf(eye, vp)
}

// checkQueries compares what a scene answers with a walk over all that is there.
func checkQueries(t *rapid.T, s *Scene, offset float64) {
	eye, f := cameraOf(t, offset)
	var v Visible
	s.Visible(&v, &f)
	seen := map[int32]*Subset{}
	for i, slot := range v.Items {
		if _, twice := seen[slot]; twice {
			t.Fatalf("item %d is listed twice", slot)
		}
		seen[slot] = v.Subsets[i]
	}
	for i := range s.items {
		it := &s.items[i]
		sub, listed := seen[int32(i)]
		if listed && (it.ID == 0 || it.Hidden || f.Box(it.Box) == geom.Outside) {
			t.Fatalf("item %d is listed", i)
		}
		if it.ID == 0 || it.Hidden || f.Box(it.Box) == geom.Outside {
			continue
		}
		if !listed && !it.Geometry && boxInSight(&f, it.Box) {
			t.Fatalf("item %d is missing", i)
		}
		if !listed || sub != nil {
			checkSubset(t, it, sub, &f)
		}
	}
	for i := range s.cols * s.rows {
		box := s.tree.Box(i)
		if has := v.Chunks.Has(i); has && f.Box(box) == geom.Outside || !has && boxInSight(&f, box) {
			t.Fatalf("chunk %d: %v", i, has)
		}
	}
	var marks []document.ID
	for _, m := range s.AppendMarks(nil, &f) {
		marks = append(marks, m.ID)
	}
	slices.Sort(marks)
	var want []document.ID
	for id, at := range s.marks.byID {
		if !at.mark.Hidden && f.Box(at.mark.Box) != geom.Outside {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	// Markers have a tree of their own, which tests boxes plainly.
	if missing := slices.DeleteFunc(want, func(id document.ID) bool { return slices.Contains(marks, id) }); len(missing) > 0 || len(slices.Compact(slices.Clone(marks))) != len(marks) {
		t.Fatalf("marks %v, missing %v", marks, missing)
	}
	checkPick(t, s, eye, &f)
}

// boxInSight reports whether a face of a box is in the frustum, exactly. The tree may
// leave out boxes that a plain test of planes cannot tell from such.
func boxInSight(f *geom.Frustum, b geom.Box) bool {
	if b.IsEmpty() {
		return false
	}
	for _, q := range [...][4]int{{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}} {
		if clipped(f, []mgl64.Vec3{b.Corner(q[0]), b.Corner(q[1]), b.Corner(q[2]), b.Corner(q[3])}) {
			return true
		}
	}
	return false
}

// checkSubset sees that no triangle in sight was left out.
func checkSubset(t *rapid.T, it *Item, sub *Subset, f *geom.Frustum) {
	have := map[[3]uint32]bool{}
	if sub != nil {
		n := 0
		for _, p := range sub.Parts {
			if p.First != n {
				t.Fatalf("parts %v", sub.Parts)
			}
			n += p.Count
			for i := p.First; i < p.First+p.Count; i += 3 {
				have[[3]uint32(sub.Indices[i:i+3])] = true
			}
		}
		if n != len(sub.Indices) {
			t.Fatalf("parts %v of %d indices", sub.Parts, len(sub.Indices))
		}
	}
	for i := 0; i < len(it.Model.Indices); i += 3 {
		c := it.Corners(i / 3)
		if clipped(f, c[:]) && !have[[3]uint32(it.Model.Indices[i:i+3])] {
			t.Fatalf("triangle %d is in sight and was left out", i/3)
		}
	}
}

// checkPick compares a ray with all triangles.
func checkPick(t *rapid.T, s *Scene, eye mgl64.Vec3, f *geom.Frustum) {
	target := eye.Add(f.Planes[4].N.Mul(100)).Add(mgl64.Vec3{rapid.Float64Range(-40, 40).Draw(t, "ax"), rapid.Float64Range(-40, 40).Draw(t, "ay"), 0})
	for i := range s.items { // often at something
		if it := &s.items[i]; it.ID != 0 && rapid.IntRange(0, 4).Draw(t, "aim") == 0 {
			c := it.Corners(rapid.IntRange(0, it.Model.Triangles()-1).Draw(t, "at"))
			target = c[0].Add(c[1]).Add(c[2]).Mul(1.0 / 3)
			break
		}
	}
	r := geom.Ray{Origin: eye, Dir: target.Sub(eye)}
	if r.Dir.Len() < 1e-3 {
		return
	}
	best := math.Inf(1)
	if h, ok := s.level.Terrain.Raycast(r); ok {
		best = h.T
	}
	var id document.ID
	for i := range s.items {
		it := &s.items[i]
		if it.ID == 0 || it.Hidden {
			continue
		}
		if it.Missing { // as solid as its box
			if h, ok := it.Raycast(r, best); ok {
				best, id = h.Distance, it.ID
			}
			continue
		}
		for k := range it.Model.Triangles() {
			c := it.Corners(k)
			if d, ok := r.Triangle(c[0], c[1], c[2]); ok && d < best {
				best, id = d, it.ID
			}
		}
	}
	if best < 1e-9 {
		return // the eye is on a triangle, before or behind it by rounding
	}
	h, ok := s.Pick(r, nil)
	const tolerance = 1e-5
	if ok != !math.IsInf(best, 1) || ok && !(math.Abs(h.Distance-best) <= tolerance*(1+best)) {
		t.Fatalf("picked %v at %g of %d, expected %v at %g of %d", ok, h.Distance, h.ID, !math.IsInf(best, 1), best, id)
	}
	if ok && h.ID != 0 && !s.items[h.Item].Missing {
		it := &s.items[h.Item]
		c := it.Corners(h.Triangle)
		if n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])); !(n.Dot(h.Normal) > 0) {
			t.Fatalf("the normal %v is not that of the triangle, %v", h.Normal, n)
		}
	}
}

// checkMarks sees that each marker stands in the smallest node that contains it,
// and that nodes know their counts and heights.
func checkMarks(t *rapid.T, m *marks) {
	var walk func(n *markNode) int
	walk = func(n *markNode) int {
		count := len(n.marks)
		for i, at := range n.marks {
			b := at.mark.Box
			if at.node != n || at.at != i {
				t.Fatalf("marker %d does not know where it is", at.mark.ID)
			}
			if n != m.root && !n.contains(b) {
				t.Fatalf("marker %d stands in a node that does not contain it", at.mark.ID)
			}
			if n.contains(b) && n.side() > leastMarkNode && n.quarter(b) >= 0 {
				t.Fatalf("marker %d would fit into a smaller node", at.mark.ID)
			}
			if b.Min[1] < n.lo || b.Max[1] > n.hi {
				t.Fatalf("marker %d is not within its node's heights", at.mark.ID)
			}
		}
		for _, c := range n.children {
			if c != nil {
				k := walk(c)
				if k == 0 {
					t.Fatal("a node is empty")
				}
				if c.lo < n.lo || c.hi > n.hi {
					t.Fatal("a node is not within its parent's heights")
				}
				count += k
			}
		}
		if count != n.count {
			t.Fatalf("a node counts %d markers, expected %d", n.count, count)
		}
		return count
	}
	n := 0
	if m.root != nil {
		n = walk(m.root)
	}
	if n != len(m.byID) {
		t.Fatalf("the tree has %d markers, expected %d", n, len(m.byID))
	}
}

// Mirrored things keep outward normals: those of a closed box lead away from its
// middle, whatever the signs of its scale.
func TestMirroredNormalsFaceOutwards(t *testing.T) {
	doc := world(t, 0)
	for i := range 8 {
		s := mgl64.Vec3{1, 2, 3}
		for a := range 3 {
			if i>>a&1 != 0 {
				s[a] = -s[a]
			}
		}
		must(t, doc.Do("place", func(tx *document.Tx) error {
			return tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindObject, Translation: mgl64.Vec3{float64(20 * i), 80, 0}, Rotation: mgl64.QuatRotate(1, mgl64.Vec3{0, 0.6, 0.8}), Scale: s, Data: document.Object{Asset: "box"}})
		}))
	}
	sc := New(newShelf())
	sc.Update(doc.Level(), nil)
	for _, it := range sc.Items() {
		middle := it.Box.Center()
		for k := range it.Model.Triangles() {
			c := it.Corners(k)
			if away := c[0].Add(c[1]).Add(c[2]).Mul(1.0 / 3).Sub(middle); !(it.normal(k).Dot(away) > 0) {
				t.Fatalf("scale %v: triangle %d faces inwards", it.World, k)
			}
		}
		// A ray from outside meets a face that looks at it.
		r := geom.Ray{Origin: middle.Add(mgl64.Vec3{3, 50, 2}), Dir: mgl64.Vec3{-3, -50, -2}}
		h, ok := sc.Pick(r, nil)
		if !ok || h.ID != it.ID || !(h.Normal.Dot(r.Dir) < 0) {
			t.Fatalf("the ray meets %v, %v", h, ok)
		}
	}
}
