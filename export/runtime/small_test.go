package runtime_test

import (
	"testing"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/terrain"
)

// Levels of nothing, of the least ground and of holes alone open, and draw what they have.
func TestSmallLevels(t *testing.T) {
	least, err := terrain.Flat(2, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	nowhere, err := document.NoTerrain()
	if err != nil {
		t.Fatal(err)
	}
	d := hills(t, 20, 20).Draft()
	for i := range d.Flags(0, 0) {
		d.Flags(0, 0)[i] = terrain.Hole
	}
	holes, _ := d.Field()
	for name, c := range map[string]struct {
		field     *terrain.Field
		triangles int
	}{"nothing": {nowhere, 0}, "2×2": {least, 2}, "all holes": {holes, 0}} {
		l := document.NewLevel(c.field)
		for _, path := range []string{export(t, l, glb.Options{}), exportPack(t, l, glb.Options{})} {
			game := open(t, path)
			if f := game.Culler().Run(views(level(t, 20, 20, 0), 1)[0]); f.Triangles > c.triangles {
				t.Errorf("%s: %d triangles are drawn, expected at most %d", name, f.Triangles, c.triangles)
			}
		}
	}
}
