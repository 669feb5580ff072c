package scene

import (
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/occluders/geom"
)

// What hides things follows edits of cells, portals and occluders: it is what it would
// be if it were made anew.
func TestVisibilityFollowsEdits(t *testing.T) {
	linked, doors := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		doc := world(t, 0)
		s := New(&shelf{})
		s.Update(doc.Level(), nil)
		doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
		box := func(x, z, w, d float64) (p []mgl64.Vec3) {
			o := geom.Box{Min: geom.Vec3{x, 0, z}, Max: geom.Vec3{x + w, 3, z + d}}
			for i := range 8 {
				p = append(p, o.Corner(i))
			}
			return p
		}
		grid := func(name string) float64 { return 4 * float64(rapid.IntRange(0, 4).Draw(t, name)) }
		var ids []document.ID
		for range rapid.IntRange(3, 25).Draw(t, "edits") {
			err := doc.Do("edit", func(tx *document.Tx) error {
				var d document.Data
				x, z := grid("x"), grid("z")
				switch rapid.IntRange(0, 4).Draw(t, "what") {
				case 0, 1:
					d = document.Cell{Pieces: [][]mgl64.Vec3{box(x, z, 4, 4)}}
				case 2:
					d = document.Portal{
						Points: []mgl64.Vec3{{x, 0, z + 1}, {x, 2, z + 1}, {x, 2, z + 3}, {x, 0, z + 3}},
						State:  rapid.SampledFrom([]document.PortalState{document.PortalOpen, document.PortalClosed, document.PortalOneWay}).Draw(t, "state"),
					}
				case 3:
					d = document.Occluder{Points: box(x-0.5, z, 1, 4)}
				default:
					if len(ids) == 0 {
						return nil
					}
					i := rapid.IntRange(0, len(ids)-1).Draw(t, "which")
					e, ok := tx.Level().Entity(ids[i])
					if !ok {
						return nil
					}
					if rapid.Bool().Draw(t, "delete") {
						return tx.Delete(ids[i], document.LiftChildren)
					}
					moved := e.Clone()
					moved.Translation[0] += 4 * float64(rapid.IntRange(-1, 1).Draw(t, "by"))
					return tx.Put(moved)
				}
				id := tx.NewID()
				ids = append(ids, id)
				return tx.Put(document.Entity{ID: id, Kind: d.Kind(), Data: d})
			})
			if err != nil {
				t.Fatal(err)
			}
			got := s.Visibility()
			anew := New(&shelf{})
			anew.Update(doc.Level(), nil)
			want := anew.Visibility()
			if len(got.Portals) != len(want.Portals) || len(got.Occluders) != len(want.Occluders) || len(got.Cells) != len(want.Cells) {
				t.Fatalf("%d portals, %d occluders and %d cells, expected %d, %d and %d", len(got.Portals), len(got.Occluders), len(got.Cells),
					len(want.Portals), len(want.Occluders), len(want.Cells))
			}
			for i := range want.Portals {
				if !reflect.DeepEqual(got.Portals[i], want.Portals[i]) {
					t.Fatalf("portal %+v, expected %+v", got.Portals[i], want.Portals[i])
				}
				if want.Portals[i].From != want.Portals[i].To {
					linked++
				}
			}
			for i := range want.Occluders {
				if !reflect.DeepEqual(got.Occluders[i], want.Occluders[i]) {
					t.Fatalf("occluder %+v, expected %+v", got.Occluders[i], want.Occluders[i])
				}
				doors += len(want.Occluders[i].Doors)
			}
			if !reflect.DeepEqual(got.Scene.Portals, want.Scene.Portals) {
				t.Fatalf("the graph is %+v, expected %+v", got.Scene.Portals, want.Scene.Portals)
			}
			for i := range want.Scene.Occluders {
				if !reflect.DeepEqual(got.Scene.Occluders[i], want.Scene.Occluders[i]) {
					t.Fatal("what hides differs")
				}
			}
		}
	})
	if linked == 0 || doors == 0 {
		t.Errorf("%d portals joined cells and %d occluders had doors", linked, doors)
	}
}
