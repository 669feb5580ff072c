package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
)

// crowdOfRooms is a level of n rooms in a square, with doors to their neighbours, and as
// many occluders as asked for.
func crowdOfRooms(b *testing.B, side, occluders int) *document.Document {
	doc := world(b, 0)
	box := func(x, y, z, w, h, d float64) (p []mgl64.Vec3) {
		o := geom.Box{Min: geom.Vec3{x, y, z}, Max: geom.Vec3{x + w, y + h, z + d}}
		for i := range 8 {
			p = append(p, o.Corner(i))
		}
		return p
	}
	err := doc.Do("rooms", func(tx *document.Tx) error {
		put := func(d document.Data) error {
			return tx.Put(document.Entity{ID: tx.NewID(), Kind: d.Kind(), Data: d})
		}
		for i := range side {
			for k := range side {
				x, z := 4*float64(i), 4*float64(k)
				list := []document.Data{
					document.Cell{Pieces: [][]mgl64.Vec3{box(x, 0, z, 4, 3, 4)}},
					document.Portal{Points: []mgl64.Vec3{{x + 4, 0, z + 1}, {x + 4, 2, z + 1}, {x + 4, 2, z + 3}, {x + 4, 0, z + 3}}},
					document.Portal{Points: []mgl64.Vec3{{x + 1, 0, z + 4}, {x + 1, 2, z + 4}, {x + 3, 2, z + 4}, {x + 3, 0, z + 4}}},
				}
				for _, d := range list {
					if err := put(d); err != nil {
						return err
					}
				}
			}
		}
		for i := range occluders {
			x, z := 7.3*float64(i%97), 5.1*float64(i/97)
			if err := put(document.Occluder{Points: box(x, 0, z, 2, 3, 1)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return doc
}

// BenchmarkEditVisibility moves one occluder, cell or portal of many, or deletes one and
// brings it back, and brings what hides up to date.
func BenchmarkEditVisibility(b *testing.B) {
	for _, c := range []struct {
		name            string
		side, occluders int
		kind            document.Kind
	}{
		{"occluder of 10000", 0, 10_000, document.KindOccluder},
		{"occluder of 10000 in 1024 rooms", 32, 10_000, document.KindOccluder},
		{"portal of 2048 in 1024 rooms", 32, 10_000, document.KindPortal},
		{"cell of 1024", 32, 10_000, document.KindCell},
	} {
		for _, how := range []string{"move", "delete"} {
			b.Run(c.name+"/"+how, func(b *testing.B) { benchmarkEdit(b, c.side, c.occluders, c.kind, how == "delete") })
		}
	}
}

func benchmarkEdit(b *testing.B, side, occluders int, kind document.Kind, comes bool) {
	doc := crowdOfRooms(b, side, occluders)
	s := New(&shelf{})
	s.Update(doc.Level(), nil)
	s.Visibility()
	var change document.Change
	defer doc.Subscribe(func(_ *document.Level, c document.Change) { change = c })()
	var id document.ID
	k := 0
	for e := range doc.Level().Entities() {
		if e.Kind == kind {
			if k++; k%3 == 1 {
				id = e.ID
			}
		}
		if k > 700 {
			break // one in the midst
		}
	}
	up, n := 1.0, 0
	for b.Loop() {
		if n++; comes && n%2 == 0 {
			doc.Undo()
		} else if err := doc.Do("edit", func(tx *document.Tx) error {
			if comes {
				return tx.Delete(id, document.LiftChildren)
			}
			up = -up
			e, _ := doc.Level().Entity(id)
			moved := *e
			moved.Translation[1] += up / 64
			return tx.Put(moved)
		}); err != nil {
			b.Fatal(err)
		}
		s.Update(doc.Level(), &change)
		s.Visibility()
	}
}
