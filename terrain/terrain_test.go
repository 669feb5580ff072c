package terrain

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// rough makes a field of random hills and noise.
func rough(t testing.TB, cols, rows int, spacing float64, seed uint64) *Field {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	ax, az := 1+r.Float64()*9, 1+r.Float64()*9
	h := make([]float32, cols*rows)
	for i := range h {
		x, z := float64(i%cols)/float64(cols), float64(i/cols)/float64(rows)
		h[i] = float32(spacing * (8*math.Sin(ax*x*6)*math.Cos(az*z*6) + r.Float64()))
	}
	f, err := FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func drawField(t *rapid.T) *Field {
	cols := rapid.IntRange(2, 200).Draw(t, "cols")
	rows := rapid.IntRange(2, 200).Draw(t, "rows")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	h := make([]float32, cols*rows)
	amp := float32(rapid.SampledFrom([]float64{0, 0.01, 1, 50}).Draw(t, "amp"))
	for i := range h {
		h[i] = amp * float32(r.Float64()-0.5)
	}
	f, err := FromHeights(cols, rows, rapid.SampledFrom([]float64{0.25, 1, 30}).Draw(t, "spacing"), h)
	if err != nil {
		t.Fatal(err)
	}
	ox := rapid.SampledFrom([]float64{0, -17.5, 100_000}).Draw(t, "origin")
	return f.WithOrigin(ox, -ox)
}

// triangles gives the two triangles of a cell in world coordinates, as the
// package comment defines them.
func triangles(f *Field, c, r int) [2][3]mgl64.Vec3 {
	p := func(c, r int) mgl64.Vec3 {
		return mgl64.Vec3{f.origin[0] + float64(c)*f.spacing, float64(f.Sample(c, r)), f.origin[1] + float64(r)*f.spacing}
	}
	a, b, cc, d := p(c, r), p(c+1, r), p(c, r+1), p(c+1, r+1)
	return [2][3]mgl64.Vec3{{a, cc, b}, {b, cc, d}}
}

func TestTrianglesFaceUp(t *testing.T) {
	f := rough(t, 5, 5, 2, 3)
	for _, tri := range triangles(f, 1, 2) {
		if n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])); n[1] <= 0 {
			t.Errorf("normal %v points down", n)
		}
	}
}

// coarse gives the height at sample (x, y) of the surface that draws a chunk's
// w×n cells with every s-th sample.
func coarse(h func(x, y int) float64, x, y, s, w, n int) float64 {
	x0, y0 := min(x/s*s, (w-1)/s*s), min(y/s*s, (n-1)/s*s)
	x1, y1 := min(x0+s, w), min(y0+s, n)
	u, v := float64(x-x0)/float64(x1-x0), float64(y-y0)/float64(y1-y0)
	a, b, c, d := h(x0, y0), h(x1, y0), h(x0, y1), h(x1, y1)
	if u+v <= 1 {
		return a + (b-a)*u + (c-a)*v
	}
	return d + (c-d)*(1-u) + (b-d)*(1-v)
}

func TestChunkErrorBoundsEveryLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		cc, cr := f.ChunkGrid()
		for cy := range cr {
			for cx := range cc {
				cells := f.ChunkRect(cx, cy)
				h := func(x, y int) float64 { return float64(f.Sample(cells.Min.X+x, cells.Min.Y+y)) }
				c := f.Chunk(cx, cy)
				for k := range Levels {
					worst := 0.0
					for y := range cells.Dy() + 1 {
						for x := range cells.Dx() + 1 {
							worst = max(worst, math.Abs(h(x, y)-coarse(h, x, y, 1<<k, cells.Dx(), cells.Dy())))
						}
					}
					if worst > float64(c.Error[k])*(1+1e-5)+1e-6 {
						t.Fatalf("chunk (%d, %d) level %d: error %v, bound %v", cx, cy, k, worst, c.Error[k])
					}
				}
			}
		}
	})
}

// Editing through drafts gives what building afresh gives, leaves the old field
// alone and shares all that was not touched.
func TestDraftEqualsFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		before := all(f)
		d := f.Draft()
		want := append([]float32(nil), before...)
		last := f
		for step := range rapid.IntRange(1, 4).Draw(t, "steps") {
			touched := map[image.Point]bool{}
			for range rapid.IntRange(0, 6).Draw(t, "writes") {
				c, r := rapid.IntRange(0, f.cols-1).Draw(t, "c"), rapid.IntRange(0, f.rows-1).Draw(t, "r")
				v := float32(rapid.Float64Range(-100, 100).Draw(t, "v"))
				d.Heights(c/TileSize, r/TileSize)[r%TileSize*TileSize+c%TileSize] = v
				want[r*f.cols+c] = v
				touched[image.Pt(c/TileSize, r/TileSize)] = true
			}
			g, tiles := d.Field()
			if len(tiles) != len(touched) {
				t.Fatalf("step %d: %v tiles listed, %v touched", step, tiles, touched)
			}
			changes, ok := AppendChanges(nil, last, g)
			if !ok || len(changes) != len(touched) {
				t.Fatalf("step %d: changes %v, touched %v", step, changes, touched)
			}
			for _, c := range changes {
				if !touched[image.Pt(c.X, c.Y)] || c.Planes != PlaneHeights {
					t.Fatalf("step %d: %v changed, touched %v", step, c, touched)
				}
			}
			same(t, g, want)
			fresh, err := FromHeights(f.cols, f.rows, f.spacing, want)
			if err != nil {
				t.Fatal(err)
			}
			for y := range g.chunks {
				for x := range g.chunks[y] {
					if !sameChunk(g.chunks[y][x], fresh.chunks[y][x]) {
						t.Fatalf("step %d: chunk (%d, %d) differs from a fresh one", step, x, y)
					}
				}
			}
			for k := range g.pyramid {
				for i, n := range g.pyramid[k].nodes {
					if n != fresh.pyramid[k].nodes[i] {
						t.Fatalf("step %d: pyramid level %d node %d is %v, expected %v", step, k, i, n, fresh.pyramid[k].nodes[i])
					}
				}
			}
			last = g
		}
		same(t, f, before)
	})
}

// sameChunk compares what is measured, not where the samples lie.
func sameChunk(a, b *Chunk) bool {
	return a.MinMax == b.MinMax && a.Error == b.Error && a.Holes == b.Holes && a.blocks == b.blocks
}

func all(f *Field) []float32 {
	h := make([]float32, f.cols*f.rows)
	f.CopyHeights(h, f.cols, f.Bounds())
	return h
}

func same(t *rapid.T, f *Field, want []float32) {
	t.Helper()
	for i, v := range all(f) {
		if v != want[i] {
			t.Fatalf("sample %d is %v, expected %v", i, v, want[i])
		}
	}
}

func TestPutIsCopiedBeforeWriting(t *testing.T) {
	f := rough(t, 70, 70, 1, 1)
	g := rough(t, 70, 70, 1, 2)
	d := f.Draft()
	d.Put(0, 0, g.Tile(0, 0), PlaneHeights)
	before := g.Sample(3, 3)
	d.Heights(0, 0)[3*TileSize+3] = 1234
	h, tiles := d.Field()
	if g.Sample(3, 3) != before || h.Sample(3, 3) != 1234 || h.Sample(4, 4) != g.Sample(4, 4) || len(tiles) != 1 {
		t.Errorf("got %v, %v, %v and tiles %v", g.Sample(3, 3), h.Sample(3, 3), h.Sample(4, 4), tiles)
	}
}

func TestBadFieldsAreRefused(t *testing.T) {
	for _, s := range [][2]int{{0, 5}, {1, 5}, {5, 1}, {-3, 4}, {MaxSize + 1, 2}, {2, 1_000_000_000}} {
		if _, err := Flat(s[0], s[1], 1); err == nil {
			t.Errorf("a field of %v was made", s)
		}
	}
	nan := math.NaN()
	for _, s := range []float64{0, -1, nan, math.Inf(1), 1e9} {
		if _, err := Flat(4, 4, s); err == nil {
			t.Errorf("a field of spacing %v was made", s)
		}
	}
	for _, v := range []float64{nan, math.Inf(1), math.Inf(-1), 2e6} {
		h := make([]float32, 90*90)
		h[88*90+89] = float32(v)
		if _, err := FromHeights(90, 90, 1, h); err == nil {
			t.Errorf("a height of %v was taken", v)
		}
	}
}

func TestFlatTakesNextToNoMemory(t *testing.T) {
	f, err := Flat(MaxSize, MaxSize, 1)
	if err != nil {
		t.Fatal(err)
	}
	if f.Tile(3, 7).Blank() != AllPlanes || f.Tile(256, 256).Blank() != AllPlanes {
		t.Error("a flat field has planes of its own")
	}
	if lo, hi := f.MinMax(); lo != 0 || hi != 0 {
		t.Errorf("a flat field reaches from %v to %v", lo, hi)
	}
}

func TestHeightIsContinuous(t *testing.T) {
	f := rough(t, 70, 70, 2, 8)
	for r := range f.rows {
		for c := range f.cols {
			y, ok := f.Height(float64(c)*2, float64(r)*2)
			if !ok || y != float64(f.Sample(c, r)) {
				t.Fatalf("height at sample (%d, %d) is %v %v, expected %v", c, r, y, ok, f.Sample(c, r))
			}
		}
	}
	for _, p := range [][2]float64{{-0.001, 5}, {5, 138.001}, {math.NaN(), 5}} {
		if _, ok := f.Height(p[0], p[1]); ok {
			t.Errorf("there is ground at %v", p)
		}
	}
}

func BenchmarkBuild4097(b *testing.B) {
	h := make([]float32, 4097*4097)
	for i := range h {
		h[i] = float32(i * 7919 % 1000)
	}
	b.SetBytes(int64(len(h) * 4))
	for b.Loop() {
		if _, err := FromHeights(4097, 4097, 1, h); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRaycast4097(b *testing.B) {
	f := rough(b, 4097, 4097, 1, 5)
	r := rand.New(rand.NewPCG(99, 0))
	rays := make([]geom.Ray, 1024)
	for i := range rays {
		from := mgl64.Vec3{r.Float64() * 4096, 400, r.Float64() * 4096}
		to := mgl64.Vec3{r.Float64() * 4096, 0, r.Float64() * 4096}
		rays[i] = geom.Ray{Origin: from, Dir: to.Sub(from).Normalize()}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f.Raycast(rays[i%len(rays)])
		i++
	}
}

func BenchmarkPublish(b *testing.B) {
	f := rough(b, 4097, 4097, 1, 5)
	for b.Loop() {
		d := f.Draft()
		for y := 20; y < 25; y++ {
			for x := 20; x < 25; x++ {
				d.Heights(x, y)[0]++
			}
		}
		d.Field()
	}
}

func BenchmarkMeasureChunk(b *testing.B) {
	f := rough(b, 129, 129, 1, 5)
	b.ReportAllocs()
	for b.Loop() {
		f.measureChunk(0, 0)
	}
}

// Rows are appended, whatever room there is.
func TestAppendRow(t *testing.T) {
	f, err := FromHeights(3, 2, 1, []float32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, dst := range [][]float32{nil, {9}, append(make([]float32, 0, 10), 9)} {
		if got, want := f.AppendRow(dst, 1), append(slices.Clone(dst), 3, 4, 5); !slices.Equal(got, want) {
			t.Errorf("got %v, expected %v", got, want)
		}
	}
}
