package scene

import (
	"testing"

	"ridgeline/document"
	"ridgeline/terrain"
)

// Ground of another size that is edited before it was looked at forgets how many
// chunks there were.
func TestEditBeforeTheNextLook(t *testing.T) {
	doc := world(t, 0)
	s := New(newShelf())
	s.Update(doc.Level(), nil)
	doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
	s.Visibility()
	for _, size := range [][2]int{{95, 2}, {2, 300}, {400, 300}, {2, 2}} {
		f, err := terrain.Flat(size[0], size[1], 1)
		must(t, err)
		must(t, doc.Do("resize", func(tx *document.Tx) error {
			return tx.SetTerrain(f)
		}))
		must(t, doc.Do("stroke", func(tx *document.Tx) error {
			d := tx.Level().Terrain.Draft()
			cols, rows := f.Size()
			d.Heights((cols-1)/terrain.TileSize, (rows-1)/terrain.TileSize)[0] = 3
			next, _ := d.Field()
			return tx.SetTerrain(next)
		}))
		v := s.Complete()
		cols, rows := s.ChunkGrid()
		if len(v.Scene.Slopes) != cols*rows {
			t.Errorf("%v: slopes of %d chunks, expected %d", size, len(v.Scene.Slopes), cols*rows)
		}
		for i, sl := range v.Scene.Slopes {
			if sl.Reach <= 0 {
				t.Errorf("%v: chunk %d is not measured", size, i)
			}
		}
	}
}
