package scanline

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// level looks along −z from the origin.
func level(b *Buffer, eye vec3, angle float64) {
	b.Begin(eye, mgl64.Perspective(angle, 1280.0/720, 0.1, 1e5), image.Pt(1280, 720), 0.1)
}

func box(x0, y0, z0, x1, y1, z1 float64) geom.Box {
	return geom.Box{Min: vec3{x0, y0, z0}, Max: vec3{x1, y1, z1}}
}

// TestFindsWhatIsHidden asks for most of the boxes of which no dense sampling sees
// anything, not even of slightly larger ones past slightly thinner occluders.
func TestFindsWhatIsHidden(t *testing.T) {
	var b Buffer
	var truly, found [sceneKinds]int
	for kind := range sceneKinds {
		for seed := range uint64(60) {
			s := sceneOf(kind, seed)
			s.build(&b)
			for range 12 {
				box := s.behind()
				h := box.Size().Mul(0.1)
				if s.open(geom.Box{Min: box.Min.Sub(h), Max: box.Max.Add(h)}, 200) {
					continue
				}
				truly[kind]++
				if b.Hidden(box) {
					found[kind]++
				}
			}
		}
	}
	for kind, n := range truly {
		t.Logf("kind %d: found %d of %d", kind, found[kind], n)
		if n < 20 || found[kind]*10 < n*9 {
			t.Errorf("kind %d: found %d of %d", kind, found[kind], n)
		}
	}
}

// open reports whether any of n lines of sight to the box passes the occluders, when
// these are thinner than they are.
func (s *scene) open(box geom.Box, n int) bool {
	for i := range n {
		var p vec3
		for a := range p {
			p[a] = box.Min[a] + (box.Max[a]-box.Min[a])*s.rng.Float64()
		}
		if i < 8 {
			p = box.Corner(i)
		}
		l, ok := s.toward(p)
		if !ok {
			return true // not all on the picture: not asked
		}
		if t := reaches(l, box); t < inf && s.clear(l, t, -1e-6*p.Sub(s.eye).Len()) {
			return true
		}
	}
	return false
}

// TestGap lets light through a gap of 1 mm at any distance, and through none at all
// when there is none.
func TestGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := math.Pow(10, rapid.Float64Range(0, 5).Draw(t, "distance"))
		angle := rapid.SampledFrom([]float64{1, 0.01, 2.5}).Draw(t, "angle")
		k := d * math.Tan(angle/2)
		at := rapid.Float64Range(-0.3, 0.3).Draw(t, "at") * k
		roll := rapid.SampledFrom([]float64{0, 0.3, math.Pi / 2, -1}).Draw(t, "roll")
		eye := rapid.SampledFrom([]vec3{{}, {1e5, 200, -1e5}}).Draw(t, "eye")
		// Two slabs that meet, or nearly, in a plane through the eye; hides reports whether
		// they hide a box behind, by every way to ask.
		hides := func(at, gap float64) bool {
			var b Buffer
			level(&b, eye, angle)
			c, s := math.Cos(roll), math.Sin(roll)
			side := func(from, to float64) *hull.Hull {
				return solidOf(func(i int) vec3 {
					x := []float64{from, to}[i&1]
					y := []float64{-10 * k, 10 * k}[i>>1&1]
					f := []float64{1.5, 1}[i>>2]
					return vec3{(x*c - y*s) * f, (x*s + y*c) * f, -d * f}.Add(eye)
				})
			}
			b.Add(1, side(-10*k, at-gap/2))
			b.Add(2, side(at+gap/2, 10*k))
			b.End()
			mid := vec3{at * c, at * s, -d}.Mul(3).Add(eye)
			behind := geom.Box{Min: mid.Sub(vec3{k, k, 0.1}.Mul(0.1)), Max: mid.Add(vec3{k, k, 0.1}.Mul(0.1))}
			hidden := b.Hidden(behind)
			for _, h := range b.AppendHidden(nil, slices.Repeat([]geom.Box{behind}, 9)) {
				if h != hidden {
					t.Fatalf("hidden is %v, and %v among others", hidden, h)
				}
			}
			return hidden
		}
		if hides(at, 1e-3) {
			t.Fatalf("the gap of 1 mm at %g m is closed", d)
		}
		// An edge that is level but for rounding may have its ends on two sides of what it
		// is snapped to, and be open: hardly anywhere, and not beside that.
		if eye == (vec3{}) && !hides(at, 0) && !hides(at+1e-6*k, 0) {
			t.Fatalf("no gap at %g m is open", d)
		}
	})
}

// TestProfile compares the merged spans of a band with the spans one by one.
func TestProfile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var p profile
		p.begin(1)
		var all []span
		for i := range 1 + r.IntN(25) {
			s := span{x0: float64(r.IntN(100)), surface: int32(i), with: -1, d0: r.Float64(), d1: r.Float64()}
			s.x1 = s.x0 + 1 + float64(r.IntN(40))
			if r.IntN(3) == 0 {
				s.d1 = s.d0
			}
			if r.IntN(4) == 0 && i > 0 {
				s.d0, s.d1 = all[0].d0, all[0].d1
			}
			all = append(all, s)
			p.put(0, &s)
			for j := 1; j < len(p.rows[0]); j++ {
				if p.rows[0][j].x0 < p.rows[0][j-1].x1 {
					t.Fatalf("spans overlap: %v", p.rows[0])
				}
			}
		}
		for range 300 {
			x := r.Float64() * 140
			want, got := math.Inf(-1), math.Inf(-1)
			for i := range all {
				if s := &all[i]; x >= s.x0 && x <= s.x1 {
					want = max(want, s.at(x))
				}
			}
			for i := range p.rows[0] {
				if s := &p.rows[0][i]; x >= s.x0 && x <= s.x1 {
					got = max(got, s.at(x))
				}
			}
			if want != got && !(math.Abs(want-got) <= 1e-12) {
				t.Fatalf("at %g: depth %g, not %g", x, got, want)
			}
			// A query is the same over all intervals.
			x1 := x + r.Float64()*20
			depth := r.Float64()
			covered := true
			least := math.Inf(1)
			for n := range 400 {
				q := x + (x1-x)*float64(n)/399
				d := math.Inf(-1)
				for i := range all {
					if s := &all[i]; q >= s.x0 && q <= s.x1 {
						d = max(d, s.at(q))
					}
				}
				least = min(least, d)
				covered = covered && d >= depth
			}
			if hides := rowHides(p.rows[0], x, x1, depth); hides && !(least >= depth-1e-12) {
				t.Fatalf("%g to %g hides at %g, but the least is %g", x, x1, depth, least)
			} else if !hides && least > depth+0.1 {
				t.Fatalf("%g to %g does not hide at %g, though the least is %g", x, x1, depth, least)
			}
		}
	})
}

// TestGrid compares the cells with the spans.
func TestGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sceneOf(rapid.IntRange(0, sceneKinds-1).Draw(t, "kind"), rapid.Uint64().Draw(t, "seed"))
		var b Buffer
		s.build(&b)
		g := &b.grid
		for k := g.first; k < g.last; k++ {
			lo, hi := g.row(k)
			for c := range g.columns {
				l, r := float64(c)*g.width, g.right(c)
				if lo[c] > far32 && !rowHides(b.main.rows[k], l, r, float64(lo[c])) {
					t.Fatalf("band %d column %d: hidden to %g", k, c, lo[c])
				}
				for i := range b.main.rows[k] {
					s := &b.main.rows[k][i]
					if s.x1 <= l || s.x0 >= r {
						continue
					}
					if d := max(s.at(max(l, s.x0)), s.at(min(r, s.x1))); !(float64(hi[c]) >= d) {
						t.Fatalf("band %d column %d: nearest %g, not %g", k, c, hi[c], d)
					}
				}
			}
		}
	})
}

func TestTogether(t *testing.T) {
	var b Buffer
	level(&b, vec3{0, 2, 0}, 1)
	left, right := boxHull(box(-20, -10, -11, 0.5, 20, -10)), boxHull(box(0, -10, -13, 20, 20, -12))
	b.Add(7, left)
	b.Add(8, right)
	b.Add(9, boxHull(box(-1, 0, -30, 1, 3, -29))) // hides part of it, for nothing
	b.End()
	behind := box(-3, 0, -60, 3, 4, -55)
	if !b.Hidden(behind) {
		t.Fatal("not hidden by two")
	}
	by := b.AppendHiders(nil, behind)
	slices.Sort(by)
	if !slices.Equal(by, []int32{7, 8}) {
		t.Fatalf("hidden by %v", by)
	}
	if by := b.AppendHiders(nil, box(-3, 0, -60, -1, 1, -55)); !slices.Equal(by, []int32{7}) {
		t.Fatalf("hidden by %v", by)
	}
	if by := b.AppendHiders(nil, box(-3, 0, -9, 3, 4, -8)); by != nil {
		t.Fatalf("what stands before is hidden by %v", by)
	}
	for _, h := range []*hull.Hull{left, right} {
		level(&b, vec3{0, 2, 0}, 1)
		b.Add(1, h)
		b.End()
		if b.Hidden(behind) {
			t.Fatal("hidden by one alone")
		}
	}
}

// TestHiders asks whether what is said to hide a box does so, and all of it is needed.
func TestHiders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sceneOf(rapid.IntRange(0, sceneKinds-1).Draw(t, "kind"), rapid.Uint64().Draw(t, "seed"))
		var b, few Buffer
		s.build(&b)
		for range 10 {
			box := s.behind()
			by := b.AppendHiders(nil, box)
			if b.Hidden(box) != (len(by) > 0) {
				t.Fatalf("hidden %v by %v", b.Hidden(box), by)
			}
			if len(by) == 0 {
				continue
			}
			few.Begin(s.eye, s.viewProj(), s.size, s.near)
			for i, h := range s.hulls {
				if slices.Contains(by, int32(i)) {
					few.Add(int32(i), h)
				}
			}
			for i, p := range s.polygons {
				if slices.Contains(by, int32(len(s.hulls)+i)) {
					few.AddPolygon(int32(len(s.hulls)+i), p.points, p.hole)
				}
			}
			few.Step = 1
			few.End()
			if _, seen := s.seen(box, 5); seen {
				t.Fatalf("seen past %v", by)
			}
		}
	})
}

func TestPolygon(t *testing.T) {
	square := []vec3{{-4, -4, -10}, {4, -4, -10}, {4, 4, -10}, {-4, 4, -10}}
	hole := []vec3{{-1, -1, -10}, {1, -1, -10}, {1, 1, -10}, {-1, 1, -10}}
	turned := slices.Clone(square)
	slices.Reverse(turned)
	for _, points := range [][]vec3{square, turned} {
		var b Buffer
		level(&b, vec3{}, 1)
		if !b.AddPolygon(3, points, hole) {
			t.Fatal("not used")
		}
		b.End()
		if !b.Hidden(box(2.5, -3, -20, 5, 3, -15)) {
			t.Error("what is beside the hole is not hidden")
		}
		if b.Hidden(box(-0.1, -0.1, -20, 0.1, 0.1, -15)) {
			t.Error("what is behind the hole is hidden")
		}
		if b.Hidden(box(1, -1, -20, 2, 1, -15)) {
			t.Error("what reaches behind the hole is hidden")
		}
	}
	var b Buffer
	level(&b, vec3{}, 1)
	for name, points := range map[string][]vec3{
		"edge-on": {{0, 0, -5}, {0, 1, -5}, {0, 0, -9}}, "bent": {{0, 0, -5}, {1, 0, -5}, {1, 1, -5}, {0, 1, -6}},
		"line": {{0, 0, -5}, {1, 0, -5}, {2, 0, -5}}, "point": {{1, 1, -5}, {1, 1, -5}, {1, 1, -5}}, "two": {{0, 0, -5}, {1, 0, -5}},
		"no number": {{0, 0, -5}, {1, math.NaN(), -5}, {1, 1, -5}}, "behind": {{0, 0, 5}, {1, 0, 5}, {1, 1, 5}},
	} {
		if b.AddPolygon(1, points, nil) {
			t.Errorf("%s: used", name)
		}
	}
}

func TestEyeInside(t *testing.T) {
	around := boxHull(box(-1, -1, -1, 1, 1, 1))
	far := box(-0.5, -0.5, -60, 0.5, 0.5, -50)
	for _, eye := range []vec3{{}, {0.99, 0, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, 1 + 1e-12}} {
		var b Buffer
		level(&b, eye, 1)
		used := b.Add(1, around)
		b.End()
		if used || b.Hidden(far) {
			t.Errorf("eye at %v: used", eye)
		}
	}
	// Nearer than the near plane, so that it is not drawn.
	var b Buffer
	level(&b, vec3{0, 0, 1.05}, 1)
	b.Add(1, around)
	b.End()
	if b.Hidden(far) {
		t.Error("hidden by what is nearer than the near plane")
	}
	level(&b, vec3{0, 0, 1.2}, 1)
	b.Add(1, around)
	b.End()
	if !b.Hidden(far) {
		t.Error("not hidden")
	}
}

func TestNothing(t *testing.T) {
	var b Buffer
	if b.Hidden(box(-1, -1, -9, 1, 1, -8)) {
		t.Error("the zero value hides")
	}
	b.End()
	if got := b.AppendHidden(nil, make([]geom.Box, 9)); slices.Contains(got, true) || len(got) != 9 {
		t.Errorf("the zero value gives %v", got)
	}
	wall := boxHull(box(-90, -90, -6, 90, 90, -5))
	for name, m := range map[string]mgl64.Mat4{"zero": {}, "no number": {math.NaN()}, "flat": mgl64.Diag4(mgl64.Vec4{0, 0, 1, 1})} {
		b.Begin(vec3{}, m, image.Pt(640, 480), 0.1)
		b.Add(1, wall)
		b.End()
		if b.Hidden(box(-1, -1, -9, 1, 1, -8)) {
			t.Errorf("%s: hides", name)
		}
	}
	level(&b, vec3{}, 1)
	if b.Add(1, boxHull(box(0, 0, 5, 1, 1, 6))) || b.Add(1, boxHull(box(0, 0, -1e4, 1, 1, -9999))) {
		t.Error("what is behind the eye or small is used")
	}
	b.Add(1, wall)
	b.End()
	nan := math.NaN()
	for name, c := range map[string]geom.Box{
		"empty": geom.EmptyBox(), "before": box(-1, -1, -4, 1, 1, -3), "touching": box(-1, -1, -9, 1, 1, -5), "behind the eye": box(-1, -1, 3, 1, 1, 4),
		"around the eye": box(-1, -1, -9, 1, 1, 9), "off the picture": box(100, 0, -9, 101, 1, -8),
		"no number": {Min: vec3{nan, -1, -9}, Max: vec3{1, 1, -8}}, "endless": box(-1, -1, math.Inf(-1), 1, 1, -8),
	} {
		if name == "endless" {
			continue
		}
		if b.Hidden(c) || slices.Contains(b.AppendHidden(nil, slices.Repeat([]geom.Box{c}, 17)), true) {
			t.Errorf("%s: hidden", name)
		}
	}
	if !b.Hidden(box(-1, -1, -9, 1, 1, -8)) {
		t.Error("not hidden behind a wall")
	}
	if b.MinOccludee = 1e6; b.Hidden(box(-1, -1, -9, 1, 1, -8)) {
		t.Error("a small box is tested")
	}
}

func TestRow(t *testing.T) {
	for kind := range sceneKinds {
		s := sceneOf(kind, 5)
		var b Buffer
		s.build(&b)
		for y := -1; y <= s.size.Y; y++ {
			last := 0.0
			for sp := range b.Row(y) {
				if !(sp.X0 >= last && sp.X1 > sp.X0 && sp.X1 <= float64(s.size.X)) {
					t.Fatalf("kind %d row %d: %+v after %g", kind, y, sp, last)
				}
				if !(min(sp.W0, sp.W1) >= s.near*(1-1e-9)) {
					t.Fatalf("kind %d row %d: %+v nearer than the near plane", kind, y, sp)
				}
				last = sp.X1
			}
		}
	}
}

// TestTwins has the vectors hide nearly all that the scalar test hides, and no more.
func TestTwins(t *testing.T) {
	var b Buffer
	scalar, vector := 0, 0
	for kind := range sceneKinds {
		for seed := range uint64(50) {
			s := sceneOf(kind, seed)
			s.build(&b)
			var boxes []geom.Box
			for range 50 {
				boxes = append(boxes, s.behind())
			}
			for i, hidden := range b.AppendHidden(nil, boxes) {
				if h := b.Hidden(boxes[i]); h {
					scalar++
				} else if hidden {
					t.Fatalf("kind %d seed %d box %d: hidden with vectors only", kind, seed, i)
				}
				if hidden {
					vector++
				}
			}
		}
	}
	t.Logf("%d and %d", scalar, vector)
	if vector*1000 < scalar*990 {
		t.Errorf("%d hidden, %d with vectors", scalar, vector)
	}
}

func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	var b Buffer
	var scenes []*scene
	var boxes []geom.Box
	for kind := range sceneKinds {
		scenes = append(scenes, sceneOf(kind, 3))
		for range 20 {
			boxes = append(boxes, scenes[kind].behind())
		}
	}
	var hidden []bool
	var by []int32
	frame := func() {
		for _, s := range scenes {
			s.build(&b)
			hidden = b.AppendHidden(hidden[:0], boxes)
			by = b.AppendHiders(by[:0], boxes[0])
			b.Hidden(boxes[1])
		}
	}
	if n := testing.AllocsPerRun(5, frame); n != 0 {
		t.Errorf("%g allocations a frame", n)
	}
}
