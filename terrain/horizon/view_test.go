package horizon

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// wall is level ground with a wall across it, at half its depth.
func wall(t *testing.T, n int) *terrain.Field { return wallOn(t, n, 0) }

// wallOn is a wall up to 20 on ground of some height.
func wallOn(t *testing.T, n int, height float32) *terrain.Field {
	t.Helper()
	h := make([]float32, n*n)
	for i := range h {
		h[i] = height
	}
	for z := n / 2; z < n/2+3; z++ {
		for x := range n {
			h[z*n+x] = 20
		}
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var behind = geom.Box{Min: geom.Vec3{30, 0, 50}, Max: geom.Vec3{34, 10, 54}}

// ahead looks at the wall from before it.
func ahead(eye geom.Vec3) cull.View {
	return cull.ViewOf(eye, mgl64.Perspective(1, 1, 0.1, 1000).Mul4(mgl64.HomogRotate3DY(math.Pi)))
}

func TestWhatHidesNothing(t *testing.T) {
	f := wall(t, 65)
	opened := func(c0, r0, c1, r1 int) *terrain.Field {
		d := f.Draft()
		for r := r0; r < r1; r++ {
			for c := c0; c < c1; c++ {
				open(d, c, r)
			}
		}
		f, _ := d.Field()
		return f
	}
	level := func(near, slack float64, down float64) cull.View {
		v := cull.ViewOf(geom.Vec3{32, 5, 10}, mgl64.Ortho(-40, 40, -40, 40, near, 200).
			Mul4(mgl64.HomogRotate3DX(down)).Mul4(mgl64.HomogRotate3DY(math.Pi)))
		v.Slack = slack
		return v
	}
	lifted := func(z, up float64) cull.View {
		return cull.ViewOf(geom.Vec3{32, 21.5, z}, mgl64.Ortho(-200, 200, -1, 1, 0.1, 400).
			Mul4(mgl64.HomogRotate3DX(-up)).Mul4(mgl64.HomogRotate3DY(math.Pi)))
	}
	slack := func(eye geom.Vec3, slack float64) cull.View {
		v := ahead(eye)
		v.Slack = slack
		return v
	}
	front := geom.Box{Min: geom.Vec3{30, 0, 25}, Max: geom.Vec3{34, 10, 28}}
	for _, c := range []struct {
		name   string
		field  *terrain.Field
		view   cull.View
		box    geom.Box
		hidden bool
	}{
		{"the wall", f, ahead(geom.Vec3{32, 5, 10}), behind, true},
		{"a box before it", f, ahead(geom.Vec3{32, 5, 10}), front, false},
		{"a box that rises above it", f, ahead(geom.Vec3{32, 5, 10}), geom.Box{Min: behind.Min, Max: geom.Vec3{34, 60, 54}}, false},
		{"a box that reaches over the rim", f, ahead(geom.Vec3{32, 5, 10}), geom.Box{Min: behind.Min, Max: geom.Vec3{200, 10, 54}}, false},
		{"an eye above", f, ahead(geom.Vec3{32, 80, 10}), behind, false},
		{"an eye below the ground", f, ahead(geom.Vec3{32, -5, 10}), behind, false},
		{"an eye on the ground", f, ahead(geom.Vec3{32, 0, 10}), behind, false},
		{"an eye within the near plane's reach of it", f, ahead(geom.Vec3{32, 0.1, 10}), behind, false},
		{"an eye within its reach of a steep slope", f, ahead(geom.Vec3{32, 8.4, 31.4}), behind, false},
		{"an eye farther from a steep slope", f, ahead(geom.Vec3{32, 8.4, 30.8}), behind, true},
		{"an eye below the ground at a corner of a hole", opened(32, 10, 33, 11), ahead(geom.Vec3{32, -5, 10}),
			geom.Box{Min: geom.Vec3{8, 0, 50}, Max: geom.Vec3{12, 10, 54}}, false},
		{"an eye in the box", f, ahead(behind.Center()), behind, false},
		{"an eye outside, above the rim", f, ahead(geom.Vec3{32, 5, -30}), behind, true},
		{"the same, and a box below its line of sight over the rim", f, ahead(geom.Vec3{32, 5, -30}),
			geom.Box{Min: geom.Vec3{30, -20, 50}, Max: behind.Max}, false},
		{"an eye outside, below the rim", f, ahead(geom.Vec3{32, -5, -30}), behind, false},
		{"a hole in the wall", opened(30, 30, 36, 37), ahead(geom.Vec3{32, 5, 10}), behind, false},
		{"a hole aside", opened(0, 30, 6, 37), ahead(geom.Vec3{32, 5, 10}), behind, true},
		{"a hole before it", opened(0, 20, 64, 22), ahead(geom.Vec3{32, 5, 10}), geom.Box{Min: geom.Vec3{30, -30, 50}, Max: behind.Max}, false},
		{"a hole behind it", opened(0, 40, 64, 42), ahead(geom.Vec3{32, 5, 10}), geom.Box{Min: geom.Vec3{30, -30, 50}, Max: behind.Max}, true},
		{"ground drawn lower", f, slack(geom.Vec3{32, 5, 10}, 0.5), behind, false},
		{"any slack", f, slack(geom.Vec3{32, 5, 10}, 1), behind, false},
		{"no slack that is a number", f, slack(geom.Vec3{32, 5, 10}, math.NaN()), behind, false},
		{"a level view", f, level(-100, 0, 0), geom.Box{Min: geom.Vec3{30, 1, 50}, Max: behind.Max}, true},
		{"a level view below the rim", f, level(-100, 0, 0), behind, false},
		{"a level view of ground drawn lower", f, level(-100, 11, 0), geom.Box{Min: geom.Vec3{30, 1, 50}, Max: behind.Max}, false},
		{"a level view that begins within the field", f, level(-5, 0, 0), geom.Box{Min: geom.Vec3{30, 1, 50}, Max: behind.Max}, false},
		{"a level view away from the field", f, level(60, 0, 0), geom.Box{Min: geom.Vec3{30, 1, 80}, Max: geom.Vec3{34, 10, 84}}, false},
		{"a level view from beyond the field", f, level(-200, 0, math.Pi), geom.Box{Min: geom.Vec3{30, 1, 8}, Max: geom.Vec3{34, 10, 12}}, true},
		{"a view down from above the ground", f, lifted(10, -0.8), geom.Box{Min: geom.Vec3{30, 0, 34}, Max: geom.Vec3{34, 1, 35}}, true},
		{"a view up from above the ground", wallOn(t, 65, -60), lifted(36, 0.98), geom.Box{Min: geom.Vec3{30, 33, 44}, Max: geom.Vec3{34, 33.5, 44.2}}, false},
		{"a view straight down", f, level(-100, 0, math.Pi/2), behind, false},
	} {
		test := Of(c.field).Begin(&c.view, nil)
		if got := test.Hidden(c.box); got != c.hidden {
			t.Errorf("%s: hidden is %v, expected %v", c.name, got, c.hidden)
		}
		at, ok := test.Where(c.box)
		if ok != c.hidden || ok && !(at[2] >= 31 && at[2] <= 35 && at[1] == 20) {
			t.Errorf("%s: hidden at %v, %v", c.name, at, ok)
		}
	}
}

func TestUsedMemoryForgetsTheLastView(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var used cull.HorizonTest
	f := mountains(t, 600, 20)
	for i := range 12 {
		if i%3 == 2 { // a stroke
			d := f.Draft()
			tx, ty := r.IntN(8), r.IntN(8)
			h := d.Heights(tx, ty)
			for k := range h {
				h[k] += float32(r.Float64()*400 - 300)
			}
			f, _ = d.Field()
		}
		if i == 7 {
			f = mountains(t, 300, 20)
		}
		g := Of(f)
		v := viewFrom(eyeOver(f, r.Float64(), r.Float64(), 5+50*r.Float64()), r.Float64()*7, 1)
		used = g.Begin(&v, used)
		fresh := g.Begin(&v, nil)
		for _, b := range append(tiles(f), stones(f, 300)...) {
			if used.Hidden(b) != fresh.Hidden(b) {
				t.Fatalf("view %d: a test that was used before says %v of %v", i, used.Hidden(b), b)
			}
		}
	}
}

func TestStrokeKeepsOtherWalls(t *testing.T) {
	f := mountains(t, 600, 20)
	v := viewFrom(eyeOver(f, 0.05, 0.05, 400), 0, 0)
	test := Of(f).Begin(&v, nil).(*Test)
	look := func() {
		for _, b := range tiles(f) {
			test.Hidden(b.Translate(geom.Vec3{0, -1e4, 0}))
		}
	}
	look()
	before := make([]walls, len(test.walls))
	known := 0
	for i, w := range test.walls {
		if w != nil {
			before[i] = *w
			known++
		}
	}
	d := f.Draft()
	d.Heights(5, 6)[100]++
	f, _ = d.Field()
	test = Of(f).Begin(&v, test).(*Test)
	look()
	changed := 0
	for i, w := range test.walls {
		if w != nil && w.chunk != before[i].chunk {
			changed++
		}
	}
	// A tile's samples belong to four chunks.
	if known < 20 || changed < 1 || changed > 4 {
		t.Errorf("%d of %d chunks' walls were taken again, expected 1 to 4", changed, known)
	}
}

func TestNothingIsAllocatedOnceWarm(t *testing.T) {
	f := mountains(t, 600, 20)
	g := Of(f)
	boxes := append(tiles(f), stones(f, 100)...)
	views := []cull.View{viewFrom(eyeOver(f, 0.3, 0.3, 3), 0, 3), viewFrom(eyeOver(f, 0.6, 0.5, 30), 2, 3)}
	var test cull.HorizonTest
	all := func() {
		for i := range views {
			test = g.Begin(&views[i], test)
			for _, b := range boxes {
				test.Hidden(b)
			}
		}
	}
	all()
	if n := testing.AllocsPerRun(5, all); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
