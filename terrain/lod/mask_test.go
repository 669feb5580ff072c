package lod

import (
	"image"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain"
)

func TestMaskAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(1, 150).Draw(t, "cols"), rapid.IntRange(1, 9).Draw(t, "rows")
		m := make(Mask, (cols*rows+63)/64)
		var set []int
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			i := rapid.IntRange(0, cols*rows-1).Draw(t, "i")
			m.Set(i)
			set = append(set, i)
		}
		x0, y0 := rapid.IntRange(0, cols-1).Draw(t, "x0"), rapid.IntRange(0, rows-1).Draw(t, "y0")
		r := image.Rect(x0, y0, rapid.IntRange(x0, cols).Draw(t, "x1"), rapid.IntRange(y0, rows).Draw(t, "y1"))
		want := slices.ContainsFunc(set, func(i int) bool { return image.Pt(i%cols, i/cols).In(r) })
		if got := m.Any(cols, r); got != want {
			t.Fatalf("chunks %v of %d columns in %v: %v", set, cols, r, got)
		}
		slices.Sort(set)
		if n := len(slices.Compact(set)); m.Count() != n {
			t.Fatalf("%d chunks are counted, expected %d", m.Count(), n)
		}
	})
	var none Mask
	if none.Has(3) || none.Any(9, image.Rect(0, 0, 9, 9)) {
		t.Error("a mask without words has chunks")
	}
}

// With a mask the patches are those of the whole view that touch one of its chunks.
func TestMaskedPatches(t *testing.T) {
	f := rough(64*9+20, 64*7+3, 1, 5)
	cols, rows := f.ChunkGrid()
	var s Snapped
	s.Update(f, nil)
	rapid.Check(t, func(t *rapid.T) {
		v := View{
			Eye:         [3]float64{rapid.Float64Range(-200, 800).Draw(t, "x"), 60, rapid.Float64Range(-200, 700).Draw(t, "z")},
			ScreenScale: 600, MaxError: rapid.SampledFrom([]float64{1, 6, 40}).Draw(t, "error"),
		}
		all := s.AppendPatches(nil, v)
		v.Chunks = NewMask(f)
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			v.Chunks.Set(rapid.IntRange(0, cols*rows-1).Draw(t, "chunk"))
		}
		var want []Patch
		for _, p := range all {
			c := image.Rectangle{p.Cells.Min.Div(terrain.TileSize), p.Cells.Max.Add(image.Pt(terrain.TileSize-1, terrain.TileSize-1)).Div(terrain.TileSize)}
			if v.Chunks.Any(cols, c) {
				want = append(want, p)
			}
		}
		if got := s.AppendPatches(nil, v); !slices.Equal(got, want) {
			t.Fatalf("%d patches, expected %d of %d", len(got), len(want), len(all))
		}
		v.Chunks = nil
		if got := s.AppendPatches(nil, v); !slices.Equal(got, all) {
			t.Fatal("without the mask not all are drawn again")
		}
	})
}
