package lod

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"pgregory.net/rapid"

	"ridgeline/terrain"
)

// A scheme that was told of the changed tiles draws as one that read all anew.
func TestUpdateByTiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, v := scene(t)
		var s, fresh Snapped
		s.Update(f, nil)
		s.AppendPatches(nil, v)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "edit"), 3))
		for range 3 {
			d := f.Draft()
			tc, tr := f.TileGrid()
			for range 1 + r.IntN(2) {
				tx, ty := r.IntN(tc), r.IntN(tr)
				rect := f.TileRect(tx, ty)
				h := d.Heights(tx, ty)
				for range 20 {
					h[r.IntN(rect.Dy())*terrain.TileSize+r.IntN(rect.Dx())] += float32(r.NormFloat64()) * 20
				}
			}
			var tiles []image.Point
			f, tiles = d.Field()
			s.Update(f, tiles)
			fresh = Snapped{}
			fresh.Update(f, nil)
			if got, want := s.AppendPatches(nil, v), fresh.AppendPatches(nil, v); !slices.Equal(got, want) {
				t.Fatalf("after an update of %v: %v, want %v", tiles, got, want)
			}
		}
	})
}

func TestUpdateWithAnotherSize(t *testing.T) {
	var s Snapped
	if got := s.AppendPatches(nil, View{}); len(got) != 0 {
		t.Fatalf("patches before there is a field: %v", got)
	}
	for _, n := range []int{200, 70} {
		f, err := terrain.Flat(n, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		s.Update(f, []image.Point{{}})
		got := s.AppendPatches(nil, View{ScreenScale: 500, MaxError: 1})
		covered := 0
		for _, p := range got {
			covered += p.Cells.Dx() * p.Cells.Dy()
		}
		if covered != (n-1)*(n-1) {
			t.Fatalf("%d×%d: patches %v", n, n, got)
		}
	}
}

// Level ground needs two triangles a chunk and one patch in all.
func TestFlatGroundIsOnePatch(t *testing.T) {
	f, err := terrain.Flat(4097, 4097, 1)
	if err != nil {
		t.Fatal(err)
	}
	var s Snapped
	s.Update(f, nil)
	got := s.AppendPatches(nil, View{ScreenScale: 500, MaxError: 1})
	want := []Patch{{Cells: image.Rect(0, 0, 4096, 4096), Level: MaxLevel, Edges: [4]uint8{6, 6, 6, 6}}}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestSnap(t *testing.T) {
	for _, c := range []struct{ i, level, edge, cells, want int }{
		{3, 0, 0, 64, 3},
		{3, 0, 3, 64, 0},
		{4, 0, 3, 64, 0}, // halfway: the first
		{5, 0, 3, 64, 8},
		{64, 0, 6, 64, 64},
		{31, 1, 6, 64, 64},
		{49, 0, 4, 50, 48}, // 48 and 50 are equally near
		{50, 0, 4, 50, 50},
		{56, 0, 4, 60, 60}, // 48 and the end, not 48 and 64
		{1, 6, 6, 10, 10},  // the rim cuts the only quad
	} {
		if got := Snap(c.i, c.level, c.edge, c.cells); got != c.want {
			t.Errorf("Snap(%d, %d, %d, %d) = %d, want %d", c.i, c.level, c.edge, c.cells, got, c.want)
		}
	}
}

func TestAppendMesh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, v := scene(t)
		var s Snapped
		s.Update(f, nil)
		patches := s.AppendPatches(nil, v)
		if len(patches) == 0 {
			return
		}
		if len(patches) > 2 {
			patches = patches[:2]
		}
		var vertices []mgl32.Vec3
		var indices []uint32
		for _, p := range patches {
			vertices, indices = AppendMesh(vertices, indices, f, p)
		}
		want := triangles(patches)
		if len(indices) != 3*len(want) {
			t.Fatalf("%d indices for %d triangles", len(indices), len(want))
		}
		for i, tri := range want {
			for j, p := range tri {
				at := mgl32.Vec3{float32(float64(p.X) * f.Spacing()), f.Sample(p.X, p.Y), float32(float64(p.Y) * f.Spacing())}
				if got := vertices[indices[3*i+j]]; got != at {
					t.Fatalf("corner %d of triangle %d stands at %v, want %v", j, i, got, at)
				}
			}
		}
	})
}
