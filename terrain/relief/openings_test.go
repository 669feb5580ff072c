package relief_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/relief"
)

// Each hole is within a box, a cell from its sides, with the heights around it; also
// after edits, and as one box when chunks with holes are many.
func TestOpenings(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	f, err := terrain.Flat(700, 650, 2)
	if err != nil {
		t.Fatal(err)
	}
	f = f.WithOrigin(1e5, -300)
	cols, rows := f.Size()
	var followed relief.Relief
	chunks := func() int { c, r := f.ChunkGrid(); return c * r }
	followed.Restart(chunks())
	followed.Horizon(f)
	if n := len(followed.Openings()); n > 0 {
		t.Fatalf("%d openings of whole ground", n)
	}
	for edit := range 200 {
		d := f.Draft()
		for range 1 + edit/60 {
			c, w := r.IntN(cols-1), r.IntN(rows-1)
			x, y := c/terrain.TileSize, w/terrain.TileSize
			i := w%terrain.TileSize*terrain.TileSize + c%terrain.TileSize
			d.Flags(x, y)[i] ^= terrain.Hole
			d.Heights(x, y)[i] = float32(r.NormFloat64() * 9)
		}
		f, _ = d.Field()
		followed.Horizon(f)
		if edit%20 != 0 && edit < 195 {
			continue
		}
		got := followed.Openings()
		if want := relief.Of(f).Openings(); !slices.Equal(got, want) {
			t.Fatalf("edit %d: followed %v, expected %v", edit, got, want)
		}
		if len(got) > 64 {
			t.Fatalf("edit %d: %d boxes", edit, len(got))
		}
		x0, z0 := f.Origin()
		for w := range rows - 1 {
			for c := range cols - 1 {
				if !f.IsHole(c, w) {
					continue
				}
				lo := min(f.Sample(c, w), f.Sample(c+1, w), f.Sample(c, w+1), f.Sample(c+1, w+1))
				hi := max(f.Sample(c, w), f.Sample(c+1, w), f.Sample(c, w+1), f.Sample(c+1, w+1))
				b := geom.Box{
					Min: geom.Vec3{x0 + float64(c-1)*2, float64(lo), z0 + float64(w-1)*2},
					Max: geom.Vec3{x0 + float64(c+2)*2, float64(hi), z0 + float64(w+2)*2},
				}
				if !slices.ContainsFunc(got, func(o geom.Box) bool { return o.Union(b) == o }) {
					t.Fatalf("edit %d: the hole at cell %d, %d is in none of %d boxes", edit, c, w, len(got))
				}
			}
		}
	}
}
