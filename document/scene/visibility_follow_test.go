package scene

import (
	"image"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// boxAt has the corners of a box on the ground.
func boxAt(x, z, w, d float64) (p []mgl64.Vec3) {
	o := geom.Box{Min: geom.Vec3{x, 0, z}, Max: geom.Vec3{x + w, 3, z + d}}
	for i := range 8 {
		p = append(p, o.Corner(i))
	}
	return p
}

// doorAt is the outline of a door in the wall between rooms, four metres deep.
func doorAt(x, z float64) []mgl64.Vec3 {
	return []mgl64.Vec3{{x, 0, z + 1}, {x, 2, z + 1}, {x, 2, z + 3}, {x, 0, z + 3}}
}

// suite is a row of rooms along X with doors between them.
func suite(tx *document.Tx, rooms int) error {
	put := func(d document.Data) error {
		return tx.Put(document.Entity{ID: tx.NewID(), Kind: d.Kind(), Data: d})
	}
	for i := range rooms {
		if err := put(document.Cell{Pieces: [][]mgl64.Vec3{boxAt(4*float64(i), 0, 4, 4)}}); err != nil {
			return err
		}
		if err := put(document.Portal{Points: doorAt(4*float64(i), 0)}); err != nil {
			return err
		}
	}
	return nil
}

// drawVisible draws a thing that takes part in visibility, on a grid where much meets.
func drawVisible(t *rapid.T) (data document.Data, at mgl64.Vec3) {
	box := boxAt
	x, z := 4*float64(rapid.IntRange(0, 8).Draw(t, "x")), 4*float64(rapid.IntRange(0, 2).Draw(t, "z"))
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0, 1, 2:
		return document.Cell{Pieces: [][]mgl64.Vec3{box(x, z, 4, 4)}}, at
	case 3:
		return document.Cell{Pieces: [][]mgl64.Vec3{box(x, z, 4, 4), box(x+4, z, rapid.SampledFrom([]float64{0, 4}).Draw(t, "depth"), 4)}}, at
	case 4, 5:
		return document.Portal{
			Points: doorAt(x, z),
			State:  rapid.SampledFrom(document.PortalStates).Draw(t, "state"),
			Reach:  rapid.SampledFrom([]float64{0, 0, 5}).Draw(t, "reach"),
		}, at
	case 6:
		return document.Occluder{Points: box(x-0.5, z, 1, 4)}, at
	case 7:
		return document.Occluder{Polygon: true, Points: []mgl64.Vec3{{x - 1, 0, z + 2}, {x + 1, 0, z + 2}, {x + 1, 2, z + 2}, {x - 1, 2, z + 2}}, Off: rapid.Bool().Draw(t, "off")}, at
	case 8:
		return document.Occluder{Points: box(x, z, 0, 4)}, at // no hull
	}
	return document.Object{Asset: rapid.SampledFrom([]string{"box", "wall", "rock", "late"}).Draw(t, "asset")}, mgl64.Vec3{x + 2, 1, z + 2}
}

// visibleEdit draws an edit of several such things.
func visibleEdit(t *rapid.T) func(*document.Tx) error {
	return func(tx *document.Tx) error {
		for range rapid.SampledFrom([]int{1, 1, 1, 1, 2, 3, 12}).Draw(t, "many") {
			var ids []document.ID
			for e := range tx.Level().Entities() {
				ids = append(ids, e.ID)
			}
			if len(ids) == 0 || rapid.IntRange(0, 2).Draw(t, "new") == 0 {
				d, at := drawVisible(t)
				e := document.Entity{ID: tx.NewID(), Kind: d.Kind(), Data: d, Translation: at, Hidden: rapid.IntRange(0, 9).Draw(t, "hidden") == 0}
				if len(ids) > 0 && rapid.IntRange(0, 3).Draw(t, "below") == 0 {
					e.Parent = rapid.SampledFrom(ids).Draw(t, "parent")
				}
				if err := tx.Put(e); err != nil {
					return err
				}
				continue
			}
			e, _ := tx.Level().Entity(rapid.SampledFrom(ids).Draw(t, "which"))
			c := e.Clone()
			switch rapid.IntRange(0, 6).Draw(t, "how") {
			case 0:
				if err := tx.Delete(e.ID, rapid.SampledFrom([]document.Policy{document.LiftChildren, document.TakeChildren}).Draw(t, "children")); err != nil {
					return err
				}
				continue
			case 1:
				c.Hidden = !c.Hidden
			case 2:
				c.Locked = !c.Locked
			case 3:
				c.Data, c.Translation = drawVisible(t)
				c.Kind = c.Data.Kind()
			default:
				c.Translation[rapid.SampledFrom([]int{0, 2}).Draw(t, "axis")] += 4 * float64(rapid.IntRange(-1, 1).Draw(t, "by"))
			}
			if err := tx.Put(c); err != nil {
				return err
			}
		}
		return nil
	}
}

// What hides things follows edits of cells, portals and occluders, of several at once,
// of what they stand below, undone and done again: it is what it would be if it were
// made anew, and no verdict is another one.
func TestVisibilityFollowsEdits(t *testing.T) {
	linked, doors, patched, removed := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		doc := world(t, 0)
		lib := newShelf()
		rooms := rapid.IntRange(0, 8).Draw(t, "rooms")
		if err := doc.Do("rooms", func(tx *document.Tx) error { return suite(tx, rooms) }); err != nil {
			t.Fatal(err)
		}
		s := New(lib)
		s.Update(doc.Level(), nil)
		doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
		for range rapid.IntRange(3, 25).Draw(t, "edits") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				doc.Undo()
			case 1:
				doc.Redo()
			default:
				if err := doc.Do("edit", visibleEdit(t)); err != nil {
					continue // it was rolled back
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "ask") == 0 {
				continue // for several edits at once
			}
			if !s.visibility.stale && len(s.visibility.changed) > 0 {
				patched++
			}
			got := s.Visibility()
			anew := New(lib)
			anew.Update(doc.Level(), nil)
			want := anew.Visibility()
			sameVisibility(t, s, got, anew, want)
			removed += sameVerdicts(t, doc.Level(), s, anew)
			for i := range want.Portals {
				if want.Portals[i].From != want.Portals[i].To {
					linked++
				}
			}
			for i := range want.Occluders {
				doors += len(want.Occluders[i].Doors)
			}
		}
	})
	t.Logf("%d portals joined cells, %d occluders had doors, %d edits were followed, %d things were removed", linked, doors, patched, removed)
	if !testing.Short() && (linked == 0 || doors == 0 || patched == 0 || removed == 0) { // few tries may miss one
		t.Errorf("%d portals joined cells, %d occluders had doors, %d edits were followed, %d things were removed", linked, doors, patched, removed)
	}
}

// sameVisibility compares what hides things in two scenes of one level, of which the
// entries may have other numbers.
func sameVisibility(t *rapid.T, s *Scene, got *Visibility, anew *Scene, want *Visibility) {
	t.Helper()
	if len(got.Portals) != len(want.Portals) || len(got.Occluders) != len(want.Occluders) || len(got.Cells) != len(want.Cells) {
		t.Fatalf("%d portals, %d occluders and %d cells, expected %d, %d and %d", len(got.Portals), len(got.Occluders), len(got.Cells),
			len(want.Portals), len(want.Occluders), len(want.Cells))
	}
	for i := range want.Portals {
		if !reflect.DeepEqual(got.Portals[i], want.Portals[i]) {
			t.Fatalf("portal %+v, expected %+v", got.Portals[i], want.Portals[i])
		}
	}
	for i := range want.Cells {
		if !reflect.DeepEqual(got.Cells[i], want.Cells[i]) {
			t.Fatalf("cell %+v, expected %+v", got.Cells[i], want.Cells[i])
		}
	}
	for i := range want.Occluders {
		if !reflect.DeepEqual(got.Occluders[i], want.Occluders[i]) {
			t.Fatalf("occluder %+v, expected %+v", got.Occluders[i], want.Occluders[i])
		}
	}
	if !reflect.DeepEqual(got.occluderOf, want.occluderOf) || !reflect.DeepEqual(got.cellOf, want.cellOf) || !reflect.DeepEqual(got.portalOf, want.portalOf) {
		t.Fatalf("found by id: %v, %v and %v, expected %v, %v and %v", got.occluderOf, got.cellOf, got.portalOf, want.occluderOf, want.cellOf, want.portalOf)
	}
	if !reflect.DeepEqual(got.Scene.Portals, want.Scene.Portals) {
		t.Fatalf("the graph is %+v, expected %+v", got.Scene.Portals, want.Scene.Portals)
	}
	if len(got.Scene.Occluders) != len(want.Scene.Occluders) || len(got.made) != len(want.made) {
		t.Fatalf("%d occluders hide and %d shapes are kept, expected %d and %d", len(got.Scene.Occluders), len(got.made), len(want.Scene.Occluders), len(want.made))
	}
	for i := range want.Scene.Occluders {
		if !reflect.DeepEqual(got.Scene.Occluders[i], want.Scene.Occluders[i]) {
			t.Fatal("what hides differs")
		}
	}
	for e := range s.level.Entities() {
		a, b := s.Of(e.ID), anew.Of(e.ID)
		if len(a) != len(b) {
			t.Fatalf("entity %d has %d items, expected %d", e.ID, len(a), len(b))
		}
		for i := range a {
			x, y := int32(s.cols*s.rows)+a[i], int32(s.cols*s.rows)+b[i]
			if p, q := got.Scene.Cells.Of(x), want.Scene.Cells.Of(y); !slices.Equal(p, q) {
				t.Fatalf("entity %d is in cells %v, expected %v", e.ID, p, q)
			}
			if p, q := got.Scene.Exempt.Has(x), want.Scene.Exempt.Has(y); p != q {
				t.Fatalf("entity %d is spared %v, expected %v", e.ID, p, q)
			}
		}
	}
}

// sameVerdicts culls two scenes of one level from a few places, and tells how many
// things of entities cells and occluders removed.
func sameVerdicts(t *rapid.T, l *document.Level, s, anew *Scene) (removed int) {
	t.Helper()
	var a, b cull.Culler
	for range 2 {
		at := func() mgl64.Vec3 {
			return mgl64.Vec3{rapid.Float64Range(-2, 38).Draw(t, "x"), 1, rapid.Float64Range(-2, 14).Draw(t, "z")}
		}
		v := lookAt(at(), at())
		if v.ViewProj != v.ViewProj { // it looks nowhere
			continue
		}
		tests := cull.Only(cull.Frustum, cull.Portal, cull.Occluder) // there is ground over all of it
		got, want := s.Cull(&a, v, image.Pt(640, 360), tests), anew.Cull(&b, v, image.Pt(640, 360), tests)
		for e := range l.Entities() {
			for i, slot := range s.Of(e.ID) {
				x, y := got.Verdicts[int32(s.cols*s.rows)+slot], want.Verdicts[int32(s.cols*s.rows)+anew.Of(e.ID)[i]]
				if x != y {
					t.Fatalf("entity %d: %v, expected %v", e.ID, x, y)
				}
				if x == cull.ByPortal || x == cull.ByOccluder {
					removed++
				}
			}
		}
	}
	return removed
}
