package relief_test

import (
	"slices"
	"testing"

	"ridgeline/terrain"
	"ridgeline/terrain/relief"
	"ridgeline/terrain/sample"
)

// Ground that is followed edit by edit is known as well as ground that is looked at for
// the first time.
func TestFollowsEdits(t *testing.T) {
	f, err := sample.Field()
	if err != nil {
		t.Fatal(err)
	}
	cols, rows := f.ChunkGrid()
	r := relief.Of(f)
	for i := range 20 {
		d := f.Draft()
		tx, ty := i*7%cols, i*5%rows
		d.Heights(tx, ty)[i*97%4096] += float32(i)
		next, tiles := d.Field()
		for _, tile := range tiles { // a sample belongs to up to four chunks
			for y := max(0, tile.Y-1); y <= min(tile.Y, rows-1); y++ {
				for x := max(0, tile.X-1); x <= min(tile.X, cols-1); x++ {
					r.Touch(int32(y*cols + x))
				}
			}
		}
		f = next
		r.Horizon(f)
		r.Measure(f, cols*rows)
		if !slices.Equal(r.Slopes(), relief.Of(f).Slopes()) {
			t.Fatalf("after edit %d the slopes are not those of the ground", i)
		}
	}
	x, z := f.Origin()
	h, _ := f.Height(x+3, z+3)
	for _, c := range []struct {
		y    float64
		want bool
	}{{h + 0.01, true}, {h - 0.01, false}} {
		if got := r.Above([3]float64{x + 3, c.y, z + 3}); got != c.want {
			t.Errorf("an eye at %g, ground at %g: above is %v", c.y, h, got)
		}
	}
	if r.Above([3]float64{x - 1, 1e6, z}) {
		t.Error("an eye beside the ground stands above it")
	}
	d := f.Draft()
	d.Flags(0, 0)[0] = terrain.Hole
	holed, _ := d.Field()
	r.Horizon(holed)
	half := f.Spacing() / 2
	if r.Above([3]float64{x + half, 1e6, z + half}) {
		t.Error("an eye over a hole stands above ground")
	}
	if !r.Above([3]float64{x + 3*half, 1e6, z + 3*half}) {
		t.Error("an eye beside a hole does not stand above ground")
	}
	if len(r.Openings()) != 1 {
		t.Errorf("the openings are %v, expected one", r.Openings())
	}
}
