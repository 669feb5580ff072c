package lod

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// hills are n×n samples of fractal value noise, 1 m apart, up to a quarter of
// 2048 m high. They repeat every 2048 m, and so do the tiles in memory.
func hills(tb testing.TB, n int) *terrain.Field {
	const period = 2048
	r := rand.New(rand.NewPCG(7, 7))
	h := make([]float32, period*period)
	amplitude := float32(period) / 8
	for cells := 4; cells <= period; cells *= 2 {
		lattice := make([]float32, cells*cells)
		for i := range lattice {
			lattice[i] = (r.Float32() - 0.5) * 2 * amplitude
		}
		size := period / cells
		for z := range period {
			j, v := z/size, smooth(float32(z%size)/float32(size))
			for x := range period {
				i, u := x/size, smooth(float32(x%size)/float32(size))
				i1, j1 := (i+1)%cells, (j+1)%cells
				a, b := lattice[j*cells+i], lattice[j*cells+i1]
				c, d := lattice[j1*cells+i], lattice[j1*cells+i1]
				h[z*period+x] += a + (b-a)*u + (c-a)*v + (a-b-c+d)*u*v
			}
		}
		amplitude *= 0.45
	}
	const tiles = period / terrain.TileSize
	var planes [tiles * tiles]*terrain.Heights
	for i := range planes {
		planes[i] = new(terrain.Heights)
		for z := range terrain.TileSize {
			from := (i/tiles*terrain.TileSize+z)*period + i%tiles*terrain.TileSize
			copy(planes[i][z*terrain.TileSize:][:terrain.TileSize], h[from:])
		}
	}
	flat, err := terrain.Flat(2, 2, 1)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := terrain.FromTiles(n, n, 1, func(tx, ty int) terrain.Tile {
		t := flat.Tile(0, 0)
		t.Heights = planes[ty%tiles*tiles+tx%tiles]
		return t
	})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func smooth(t float32) float32 { return t * t * (3 - 2*t) }

// overview looks over a field of size s from its near side, as the view in which
// other programs were measured: 60° high, 1280×720.
func overview(s, shift, pixels float64) View {
	eye := geom.Vec3{s/2 + shift, s / 4, -s/20 + shift}
	look := mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -0.35, 1}, mgl64.Vec3{0, 1, 0})
	return View{
		Eye:         eye,
		Frustum:     geom.FrustumOf(eye, mgl64.Perspective(math.Pi/3, 1280.0/720, s/500, 3*s).Mul4(look)),
		ScreenScale: 360 / math.Tan(math.Pi/6),
		MaxError:    pixels,
	}
}

func BenchmarkSelect(b *testing.B) {
	for _, n := range []int{1025, 4097, 16385} {
		f := hills(b, n)
		var s Snapped
		for _, px := range []float64{3, 8} {
			for _, moving := range []bool{true, false} {
				name := "turning"
				if moving {
					name = "moving"
				}
				b.Run(fmt.Sprintf("%d/%gpx/%s", n, px, name), func(b *testing.B) {
					s.Update(f, nil)
					var dst []Patch
					step := 0.0
					if moving {
						step = 0.25
					}
					dst = s.AppendPatches(dst[:0], overview(float64(n-1), 0, px))
					b.ReportAllocs()
					i := 0.0
					for b.Loop() {
						dst = s.AppendPatches(dst[:0], overview(float64(n-1), math.Mod(i, 400)*step, px))
						i++
					}
					count := 0
					for _, p := range dst {
						x, z := p.Quads()
						count += 2 * x * z
					}
					b.ReportMetric(float64(len(dst)), "patches")
					b.ReportMetric(float64(count), "triangles")
				})
			}
		}
	}
}

// The first view after a field was loaded measures the joints that it needs.
func BenchmarkFirstView(b *testing.B) {
	for _, n := range []int{1025, 4097, 16385} {
		f := hills(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var s Snapped
			var dst []Patch
			for b.Loop() {
				s.Update(f, nil)
				dst = s.AppendPatches(dst[:0], overview(float64(n-1), 0, 3))
			}
		})
	}
}

func TestSelectionAllocatesNothing(t *testing.T) {
	f := rough(500, 400, 1, 3)
	var s Snapped
	s.Update(f, nil)
	dst := make([]Patch, 0, 1000)
	i := 0.0
	if n := testing.AllocsPerRun(50, func() {
		dst = s.AppendPatches(dst[:0], overview(400, i, 3))
		i++
	}); n != 0 {
		t.Fatalf("%g allocations a view", n)
	}
}
