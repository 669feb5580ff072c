package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
)

// with is a level like that of world with other things.
func with(t testing.TB, list ...document.Entity) *document.Level {
	t.Helper()
	l, err := world(t, 0).Level().WithEntities(list)
	must(t, err)
	return l
}

// tower is a chain of groups, each with a scale and a place, and a thing at its end.
func tower(depth int, scale float64, at mgl64.Vec3, end document.Entity) []document.Entity {
	var list []document.Entity
	for i := range depth {
		list = append(list, document.Entity{ID: document.ID(i + 1), Kind: document.KindObject, Parent: document.ID(i),
			Scale: mgl64.Vec3{scale, scale, -scale}, Translation: at, Rotation: mgl64.QuatRotate(1, mgl64.Vec3{0.6, 0, 0.8})})
	}
	end.ID, end.Parent = document.ID(depth+1), document.ID(depth)
	return append(list, end)
}

// What many scales one below the other make of things, numbers that nothing can be
// reckoned with, leaves the rest of the scene as it is.
func TestThingsOutOfReach(t *testing.T) {
	ends := map[string]document.Entity{
		"object":  {Kind: document.KindObject, Data: document.Object{Asset: "rock"}},
		"missing": {Kind: document.KindObject, Data: document.Object{Asset: "nothing"}},
		"ball":    {Kind: document.KindObject, Data: document.Object{Asset: "rock", Collision: document.CollideSphere}},
		"point":   {Kind: document.KindMarker, Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{1, 2, 3}}}},
		"line":    {Kind: document.KindMarker, Data: document.Marker{Shape: document.MarkerLine, Points: []mgl64.Vec3{{1e9, 0, 0}, {-1e9, 5, 0}}}},
		"scatter": {Kind: document.KindScatter, Data: document.Scatter{Assets: []string{"tree"}, Points: []document.ScatterPoint{{Scale: 1}, {Scale: 1e9, Position: mgl64.Vec3{1e9, 0, 0}}}}},
		"camera":  {Kind: document.KindCamera},
	}
	for name, end := range ends {
		for _, c := range []struct {
			depth int
			scale float64
			at    mgl64.Vec3
		}{
			{40, 1e9, mgl64.Vec3{1, 2, 3}}, {40, 1e9, mgl64.Vec3{1e10, -1e10, 1e10}}, {256, 1, mgl64.Vec3{1e10, 0, 0}},
			{3, 1e5, mgl64.Vec3{1, 2, 3}}, {40, 1e-9, mgl64.Vec3{1, 2, 3}}, {40, 1e-9, mgl64.Vec3{1e10, 0, 0}},
		} {
			t.Run(fmt.Sprint(name, c), func(t *testing.T) {
				list := tower(c.depth, c.scale, c.at, end)
				n := document.ID(len(list))
				list = append(list,
					document.Entity{ID: n + 1, Kind: document.KindObject, Translation: mgl64.Vec3{100, 30, 100}, Data: document.Object{Asset: "box"}},
					document.Entity{ID: n + 2, Kind: document.KindMarker, Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{100, 35, 100}}}})
				s := New(newShelf())
				s.Update(with(t, list...), nil)
				box := func(what string, b geom.Box) {
					if b.IsEmpty() || !inReach(b) {
						t.Errorf("%s are %v", what, b)
					}
				}
				box("the bounds", s.Bounds())
				box("the tree's bounds", s.Tree().Bounds())
				for e := range s.level.Entities() {
					if b := s.BoundsOf(e.ID); !b.IsEmpty() {
						box("the bounds of a thing", b)
					}
				}
				hit, ok := s.Pick(geom.Ray{Origin: mgl64.Vec3{100.1, 90, 100.2}, Dir: mgl64.Vec3{0, -1, 0}}, nil)
				if !ok || hit.ID != n+1 && c.scale >= 1 && c.depth != 3 || math.IsNaN(hit.Distance) {
					t.Errorf("picked %+v", hit)
				}
				w, err := s.Solid()
				must(t, err)
				if w.Bounds().IsEmpty() {
					t.Error("nothing is solid")
				}
				f := geom.FrustumOf(mgl64.Vec3{100, 60, 160}, mgl64.Perspective(1, 1.5, 0.5, 1000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -30, -60}, mgl64.Vec3{0, 1, 0})))
				if got := s.AppendInside(nil, &f); len(got) < 2 || got[len(got)-2] != n+1 || got[len(got)-1] != n+2 {
					t.Errorf("in sight are %v, expected at least %d and %d", got, n+1, n+2)
				}
				if got := s.AppendMarks(nil, &f); len(got) == 0 {
					t.Error("no marker is in sight")
				}
				var v Visible
				s.Visible(&v, &f)
				// It goes and comes as other things do.
				l := s.level
				fewer := with(t, list[:len(list)-3]...)
				s.Update(fewer, &document.Change{Entities: []document.ID{n, n + 1, n + 2}})
				s.Update(l, &document.Change{Entities: []document.ID{n, n + 1, n + 2}})
				fresh := New(newShelf())
				fresh.Update(l, nil)
				if a, b := fmt.Sprint(describe(s)), fmt.Sprint(describe(fresh)); a != b {
					t.Errorf("after changes the scene holds\n%s\nexpected\n%s", a, b)
				}
			})
		}
	}
}

// Things of very small scale are met as others are.
func TestSmallThingsArePicked(t *testing.T) {
	for _, scale := range []float64{1, 1e-3, 1e-6, 1e-7, 1e-9} {
		s := New(newShelf())
		s.Update(with(t, document.Entity{
			ID: 1, Kind: document.KindObject, Translation: mgl64.Vec3{1, 50, 2}, Scale: mgl64.Vec3{scale, scale, -scale}, Data: document.Object{Asset: "box"},
		}), nil)
		c := s.BoundsOf(1).Center().Add(mgl64.Vec3{scale / 9, 3 * scale, scale / 7})
		hit, ok := s.Pick(geom.Ray{Origin: c, Dir: mgl64.Vec3{0, -scale, 0}}, nil)
		if !ok || hit.ID != 1 {
			t.Errorf("scale %g: picked %+v, %v", scale, hit, ok)
		}
	}
}

// Markers as far from each other as may be are found, whichever comes first.
func TestMarkersFarApart(t *testing.T) {
	places := []float64{0, 1, 1e3, 1e6, 1e8, 1e9, document.MaxPlace, -1, -1e5, -document.MaxPlace}
	for first := range places {
		var list []document.Entity
		for i := range places {
			x := places[(first+i)%len(places)]
			list = append(list, document.Entity{ID: document.ID(i + 1), Kind: document.KindMarker,
				Data: document.Marker{Shape: document.MarkerLine, Points: []mgl64.Vec3{{x, 0, -x}, {x / 2, 0, -x}}}})
		}
		s := New(newShelf())
		s.Update(with(t, list...), nil)
		f := geom.FrustumOf(mgl64.Vec3{0, 1e11, 0}, mgl64.Ortho(-2e10, 2e10, -2e10, 2e10, 1, 2e11).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, -1})))
		if got := s.AppendMarks(nil, &f); len(got) != len(places) {
			t.Errorf("%d markers in sight, expected %d", len(got), len(places))
		}
		for id := range len(places) {
			s.Update(s.level, &document.Change{Entities: []document.ID{document.ID(id + 1)}})
		}
		if s.marks.root.count != len(places) {
			t.Errorf("%d markers in the tree", s.marks.root.count)
		}
	}
}

// Many assets that many things show take no time for each pair of them. A scene that
// looked through one list for each of the other would take minutes here.
func TestManyAssets(t *testing.T) {
	const n = 30_000
	assets := make([]document.Asset, n)
	list := make([]document.Entity, n)
	for i := range n {
		name := fmt.Sprintf("a%05d", i)
		assets[i] = document.Asset{Name: name, File: "asset:" + name + ".glb"}
		list[i] = document.Entity{ID: document.ID(i + 1), Kind: document.KindObject, Data: document.Object{Asset: name}, Translation: mgl64.Vec3{float64(i), 0, 0}}
	}
	l := with(t, list...)
	l.Assets = assets
	s := New(newShelf())
	s.Update(l, nil)
	s.Reload(s.Assets()...)
	fewer := *l
	fewer.Assets = assets[:n/2]
	s.Update(&fewer, &document.Change{Assets: true})
	var changed []document.ID
	for i := range n / 5 {
		changed = append(changed, document.ID(i+1))
	}
	s.Update(&fewer, &document.Change{Entities: changed})
	everything := s.Bounds()
	f := geom.FrustumOf(mgl64.Vec3{}, mgl64.Ortho(-1e6, 1e6, -1e6, 1e6, -1e6, 1e6))
	if got := s.AppendInside(nil, &f); len(got) != n {
		t.Errorf("%d things in %v, expected %d", len(got), everything, n)
	}
	if s.Users("a00001") != 1 || len(s.Assets()) != n {
		t.Error("who shows what is not known any more")
	}
}
