package scatter

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/terrain"
)

// failer is a test, a benchmark or a property.
type failer interface {
	Helper()
	Fatal(...any)
}

// hills is a field of cols×rows samples with slopes of all kinds, somewhere.
func hills(t failer, cols, rows int, spacing float64, seed uint64) *terrain.Field {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 7))
	h := make([]float32, cols*rows)
	ax, az := rnd.Float64()*20, rnd.Float64()*20
	for r := range rows {
		for c := range cols {
			u, v := float64(c)/float64(cols), float64(r)/float64(rows)
			h[r*cols+c] = float32(spacing * (8*math.Sin(ax*u) + 8*math.Cos(az*v) + 0.2*rnd.Float64()))
		}
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func flat(t failer, meters int) *terrain.Field {
	t.Helper()
	f, err := terrain.Flat(meters+1, meters+1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sow(t failer, dst []Point, f *terrain.Field, a Area, r Rules, x *Index) []Point {
	t.Helper()
	out, err := Append(context.Background(), dst, f, a, r, x)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func everywhere(f *terrain.Field) Rect {
	x, z := f.Origin()
	w, d := f.Extent()
	return Rect{mgl64.Vec2{x, z}, mgl64.Vec2{x + w, z + d}}
}

// sorted orders points by place, so that sets can be compared.
func sorted(points []Point) []Point {
	return slices.SortedFunc(slices.Values(points), func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Position[0], b.Position[0]), cmp.Compare(a.Position[2], b.Position[2]))
	})
}

func sameSet(t *rapid.T, what string, a, b []Point) {
	t.Helper()
	if !slices.Equal(sorted(a), sorted(b)) {
		t.Fatalf("%s: %d and %d points, not the same", what, len(a), len(b))
	}
}

// closest is the least distance between two points on the map.
func closest(points []Point) float64 {
	best := math.Inf(1)
	s := sorted(points)
	for i, p := range s {
		for _, q := range s[i+1:] {
			dx := q.Position[0] - p.Position[0]
			if dx >= best {
				break
			}
			best = min(best, math.Hypot(dx, q.Position[2]-p.Position[2]))
		}
	}
	return best
}

// scene is a field anywhere and rules without conditions, for a few hundred points.
type scene struct {
	f     *terrain.Field
	r     Rules
	all   Rect
	width float64
}

func drawScene(t *rapid.T) scene {
	var s scene
	n := rapid.IntRange(2, 70).Draw(t, "samples")
	spacing := rapid.SampledFrom([]float64{0.05, 1, 3.7, 100}).Draw(t, "sample spacing")
	s.f = hills(t, n, n, spacing, rapid.Uint64().Draw(t, "hills"))
	far := rapid.SampledFrom([]float64{0, -40.5, 1e5, -3e7}).Draw(t, "origin")
	s.f = s.f.WithOrigin(far, -far/3)
	s.all = everywhere(s.f)
	s.width = s.all.Max[0] - s.all.Min[0]
	s.r.Seed = rapid.Uint64().Draw(t, "seed")
	s.r.Density = min(rapid.Float64Range(1, 300).Draw(t, "points")/(s.width*s.width), MaxDensity)
	s.r.Spacing = min(rapid.Float64Range(0, 2).Draw(t, "crowding")/math.Sqrt(s.r.Density), MaxSpacing)
	if s.r.Spacing < MinSpacing {
		s.r.Spacing = 0
	}
	s.r.Scale = Range{0.5, 2}
	s.r.RandomYaw = true
	s.r.AlignToSurface = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "align")
	return s
}

func (s scene) drawPath(t *rapid.T) Stroke {
	st := Stroke{
		Radius:   rapid.Float64Range(0.02, 0.6).Draw(t, "radius") * s.width,
		Hardness: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "hardness"),
	}
	for range rapid.IntRange(1, 6).Draw(t, "points of the path") {
		u, v := rapid.Float64Range(-0.2, 1.2).Draw(t, "u"), rapid.Float64Range(-0.2, 1.2).Draw(t, "v")
		st.Path = append(st.Path, s.all.Min.Add(mgl64.Vec2{u * s.width, v * s.width}))
	}
	st.Radius = max(st.Radius, 0.01)
	return st
}

func TestPointsKeepTheirDistanceAndStandOnTheGround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		points := sow(t, nil, s.f, s.all, s.r, nil)
		r := s.r.spacing()
		if c := closest(points); c < r*(1-1e-9)-1e-7*math.Abs(s.all.Min[0])*1e-7 {
			t.Fatalf("two points are %g apart, expected at least %g", c, r)
		}
		for _, p := range points {
			y, ok := s.f.Height(p.Position[0], p.Position[2])
			if !ok || y != p.Position[1] {
				t.Fatalf("a point at %v, the ground at %g (%v)", p.Position, y, ok)
			}
			slope, _ := s.f.Slope(p.Position[0], p.Position[2])
			if !(math.Abs(math.Acos(min(p.Normal[1], 1))-slope) < 1e-6) || !(math.Abs(p.Normal.Len()-1) < 1e-12) {
				t.Fatalf("normal %v on a slope of %g", p.Normal, slope)
			}
			// A step along the triangle is at right angles to the normal.
			e := s.f.Spacing() * 1e-3
			if y1, ok := s.f.Height(p.Position[0]+e, p.Position[2]); ok && sameTriangle(s.f, p.Position, e) {
				step := mgl64.Vec3{e, y1 - y, 0}
				if !(math.Abs(step.Dot(p.Normal)) < 1e-4*step.Len()+1e-7) {
					t.Fatalf("normal %v, step %v", p.Normal, step)
				}
			}
			if !(p.Scale >= 0.5 && p.Scale <= 2) || !(p.Yaw >= 0 && p.Yaw < 2*math.Pi) || !(math.Abs(p.Up.Len()-1) < 1e-12) {
				t.Fatalf("stands badly: %+v", p)
			}
			if want := upright.Mul(1 - s.r.AlignToSurface).Add(p.Normal.Mul(s.r.AlignToSurface)).Normalize(); !(p.Up.Sub(want).Len() < 1e-12) {
				t.Fatalf("up is %v, expected %v", p.Up, want)
			}
		}
	})
}

func sameTriangle(f *terrain.Field, p mgl64.Vec3, e float64) bool {
	c0, r0, u, v, _ := f.Cell(p[0], p[2])
	c1, r1, u1, v1, ok := f.Cell(p[0]+e, p[2])
	return ok && c0 == c1 && r0 == r1 && (u+v <= 1) == (u1+v1 <= 1)
}

// A path that is cut, turned round, shuffled and drawn twice gives what it gives at
// once.
func TestTheOrderAndCutOfStrokesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		st := s.drawPath(t)
		once := sow(t, nil, s.f, st, s.r, nil)

		var legs [][]mgl64.Vec2
		for i := range st.Path {
			legs = append(legs, st.Path[i:min(i+2, len(st.Path))])
		}
		order := rapid.Permutation(slices.Concat(legs, legs)).Draw(t, "order")
		var bits []Point
		var x Index
		for _, leg := range order {
			part := st
			part.Path = leg
			more := sow(t, nil, s.f, part, s.r, &x)
			x.Add(more...)
			bits = append(bits, more...)
		}
		sameSet(t, "cut and at once", once, bits)
		if again := sow(t, nil, s.f, st, s.r, &x); len(again) != 0 {
			t.Fatalf("sowing again adds %d points to %d", len(again), len(once))
		}
	})
}

// Any area is the pattern seen through it.
func TestAreasUncoverOnePattern(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		all := sow(t, nil, s.f, s.all, s.r, nil)
		st := s.drawPath(t)
		var areas []Area
		st.Hardness = 1
		areas = append(areas, st, Disc{st.Path[0][0], st.Path[0][1], st.Radius, 1}, around(st.Radius, st.Path[0]))
		if len(st.Path) >= 3 {
			areas = append(areas, Polygon(st.Path))
		}
		for _, a := range areas {
			var want []Point
			for _, p := range all {
				if a.cover(p.Position[0], p.Position[2]) > 0.5 {
					want = append(want, p)
				}
			}
			sameSet(t, "the area and the pattern in it", sow(t, nil, s.f, a, s.r, nil), want)
		}
		// More density adds, and takes nothing away.
		more := s.r
		more.Density *= rapid.Float64Range(0.1, 1).Draw(t, "less")
		few := sow(t, nil, s.f, s.all, more, nil)
		var x Index
		x.Add(few...)
		sameSet(t, "filling up", append(few, sow(t, nil, s.f, s.all, s.r, &x)...), all)
	})
}

func TestCoverOfAreas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		st := s.drawPath(t)
		areas := []Area{st, Disc{st.Path[0][0], st.Path[0][1], st.Radius, st.Hardness}, s.all}
		if len(st.Path) >= 3 {
			areas = append(areas, Polygon(st.Path))
		}
		for _, a := range areas {
			slack := mgl64.Vec2{1e-9, 1e-9}.Mul(s.width + math.Abs(s.all.Min[0]))
			x := rapid.Float64Range(-0.5, 1.5).Draw(t, "x")*s.width + s.all.Min[0]
			z := rapid.Float64Range(-0.5, 1.5).Draw(t, "z")*s.width + s.all.Min[1]
			got := a.cover(x, z)
			if !(got >= 0 && got <= 1) {
				t.Fatalf("covers %g", got)
			}
			if b := a.bounds(); got > 0 && (Rect{b.Min.Sub(slack), b.Max.Add(slack)}).cover(x, z) == 0 {
				t.Fatal("covers what is out of its bounds")
			}
			if d, ok := a.(Disc); ok && (got > 0) != (math.Hypot(x-d.X, z-d.Z) < d.Radius) && d.Hardness < 1 {
				if !(math.Abs(math.Hypot(x-d.X, z-d.Z)-d.Radius) < 1e-6*d.Radius) {
					t.Fatalf("covers %g at %g of %g", got, math.Hypot(x-d.X, z-d.Z), d.Radius)
				}
			}
			// A window that holds the place, anywhere.
			u, v := rapid.Float64Range(0, 1).Draw(t, "window x")*s.width, rapid.Float64Range(0, 1).Draw(t, "window z")*s.width
			around := Rect{mgl64.Vec2{x - u, z - v}, mgl64.Vec2{x - u, z - v}.Add(mgl64.Vec2{s.width, s.width})}
			if around.cover(x, z) == 0 {
				continue // by rounding
			}
			part := a.within(around)
			if part == nil && got > 0 || part != nil && part.cover(x, z) != got {
				t.Fatalf("within a window it covers something else than %g", got)
			}
		}
	})
}

// A stroke covers a place as the best of the dabs on its path.
func TestStrokeIsItsDabs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t).drawPath(t)
		b := s.bounds()
		size := b.Max.Sub(b.Min)
		x := b.Min[0] + size[0]*rapid.Float64Range(0, 1).Draw(t, "x")
		z := b.Min[1] + size[1]*rapid.Float64Range(0, 1).Draw(t, "z")
		best := 0.0
		for i := range s.Path {
			for k := range 501 {
				at := s.Path[i].Add(s.Path[min(i+1, len(s.Path)-1)].Sub(s.Path[i]).Mul(float64(k) / 500))
				best = max(best, Disc{at[0], at[1], s.Radius, s.Hardness}.cover(x, z))
			}
		}
		if got := s.cover(x, z); s.Hardness < 1 && !(math.Abs(got-best) < 0.02) || got < best-1e-6 {
			t.Fatalf("covers %g, its dabs %g", got, best)
		}
	})
}

// A soft brush takes the share that it covers.
func TestEraseTakesTheShare(t *testing.T) {
	f := flat(t, 300)
	all := sow(t, nil, f, everywhere(f), Rules{Density: 0.5}, nil)
	d := Disc{150, 150, 150, 0}
	kept, err := Erase(nil, all, d)
	if err != nil {
		t.Fatal(err)
	}
	bins := [5][2]float64{} // found and expected, by cover
	for _, p := range all {
		c := d.cover(p.Position[0], p.Position[2])
		bins[min(int(5*c), 4)][1] += 1 - c
	}
	for _, p := range kept {
		bins[min(int(5*d.cover(p.Position[0], p.Position[2])), 4)][0]++
	}
	for k, b := range bins {
		if !(math.Abs(b[0]-b[1]) < 4*math.Sqrt(b[1])) {
			t.Errorf("where the brush covers about %g: %g points stay, expected %.0f", (float64(k)+0.5)/5, b[0], b[1])
		}
	}
}

// The mean number of points is what was asked for, wherever spacing allows.
func TestDensity(t *testing.T) {
	f := flat(t, 250)
	for _, c := range []struct{ density, spacing float64 }{
		{0.1, 0}, {0.01, 0}, {0.5, 0.3}, {0.05, 3}, {0.1, 2}, {0.12, 2}, {0.05, 3.3}, {0.3, 1.4},
		{0.135, 2},         // nearly full
		{1, 2}, {100, 2.5}, // more than there is room for
	} {
		n, seeds := 0, 3
		if testing.Short() {
			seeds = 1
		}
		r := Rules{Density: c.density, Spacing: c.spacing}
		for seed := range uint64(seeds) {
			r.Seed = seed
			n += len(sow(t, nil, f, everywhere(f), r, nil))
		}
		want := r.Effective() * 250 * 250 * float64(seeds)
		// Poisson points would scatter by the root of their number; these do by less.
		if !(math.Abs(float64(n)-want) <= 0.01*want+2*math.Sqrt(want)) {
			t.Errorf("density %g, spacing %g: %d points, expected %.0f", c.density, c.spacing, n, want)
		}
	}
	if got := (Rules{Density: 50, Spacing: 2}).Effective(); got != Densest(2) || !(got*4 > 0.55 && got*4 < 0.56) {
		t.Errorf("a spacing of 2 m leaves room for %g", got)
	}
}

// The table of losses is what the pattern really loses.
func TestSurvivors(t *testing.T) {
	for level, want := range survivors {
		var born, points [4]int
		p := patternOf(uint64(level)+100, 1)
		for j := range int64(120) {
			for i := range int64(120) {
				c := p.origin(cell{i, j, level})
				if c.born.level != level {
					continue
				}
				c = p.locate(c)
				k := int(4 * unit(c.hash))
				born[k]++
				if p.isPoint(c) {
					points[k]++
				}
			}
		}
		for k := range 4 {
			got, n := float64(points[k])/float64(born[k]), float64(born[k])
			if !(math.Abs(got-want[k]) < 4*math.Sqrt((want[k]*(1-want[k])+0.001)/n)) {
				t.Errorf("level %d, quarter %d: %g of the candidates become points, the table says %g", level, k, got, want[k])
			}
		}
	}
	for n := 1e-9; n < 0.55; n *= 1.37 {
		if got := pointsBy(birthFor(n)); !(math.Abs(got-n) <= 1e-9*n) {
			t.Errorf("%g points are there at %g, when %g are", n, birthFor(n), got)
		}
	}
	if birthFor(1) != fullBirth {
		t.Error("a full pattern is not full")
	}
}

// The pattern is the greedy one: among all candidates in order of birth, each that is
// far enough from the points before it.
func TestPatternIsDartThrowing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := patternOf(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]float64{0.01, 1, 7.3}).Draw(t, "spacing"))
		i0, j0 := rapid.Int64Range(-1e6, 1e6).Draw(t, "i"), rapid.Int64Range(-1e6, 1e6).Draw(t, "j")
		level := rapid.IntRange(0, 3).Draw(t, "level")
		const n = 24
		var all []candidate
		for j := j0; j < j0+n; j++ {
			for i := i0; i < i0+n; i++ {
				c := p.origin(cell{i, j, level})
				c = p.locate(c)
				if k := p.at(level, c.x, c.z); k != (cell{i, j, level}) {
					t.Fatalf("the candidate of cell %d,%d lies in %v", i, j, k)
				}
				all = append(all, c)
			}
		}
		slices.SortFunc(all, func(a, b candidate) int {
			if a.older(b) {
				return -1
			}
			return 1
		})
		// Judge those whose neighbours were all looked at.
		inner := func(c candidate) bool {
			side := p.sides[level]
			lo, hi := p.spacing, n*side-p.spacing
			x, z := c.x-float64(i0)*side, c.z-float64(j0)*side
			return x > lo && x < hi && z > lo && z < hi
		}
		judge := p // decides in another order
		judge.known = make(map[cell]bool)
		for k := range all {
			c := all[k]
			if !inner(c) {
				continue
			}
			want := true
			for o := range k {
				if near(all[o].x-c.x, all[o].z-c.z, p.spacing) && judge.isPoint(all[o]) {
					want = false
				}
			}
			if got := p.isPoint(c); got != want {
				t.Fatalf("candidate %+v: a point %v, expected %v", c, got, want)
			}
		}
	})
}

func TestExistingPointsKeepTheirDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		var x Index
		x.Cell = rapid.SampledFrom([]float64{0, 0.001, 1, 1e4}).Draw(t, "cell") * s.width
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "others"), 3))
		var old []Point
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			old = append(old, Point{Position: mgl64.Vec3{s.all.Min[0] + rnd.Float64()*s.width, 0, s.all.Min[1] + rnd.Float64()*s.width}})
		}
		x.Add(old...)
		got := sow(t, nil, s.f, s.all, s.r, &x)
		var want []Point
	next:
		for _, p := range sow(t, nil, s.f, s.all, s.r, nil) {
			for _, o := range old {
				if near(o.Position[0]-p.Position[0], o.Position[2]-p.Position[2], s.r.spacing()) {
					continue next
				}
			}
			want = append(want, p)
		}
		sameSet(t, "left out", got, want)
	})
}

func TestConditions(t *testing.T) {
	f := hills(t, 130, 130, 1, 5)
	d := f.Draft()
	for tx := range 3 {
		for ty := range 3 {
			s, fl := d.Splats(tx, ty), d.Flags(tx, ty)
			for i := range s {
				col, row := tx*64+i%64, ty*64+i/64
				switch {
				case col >= 130 || row >= 130:
				case row < 65:
					s[i] = terrain.Splat{Base: 3, Over: 3, Third: 3}
				case col < 65:
					s[i] = terrain.Splat{Base: 1, Over: 3, Third: 2, Alpha: 255, Alpha2: 102} // 3 weighs 0.6
				}
				if col/8%2 == 0 && row > 100 {
					fl[i] |= terrain.Hole
				}
			}
		}
	}
	f, _ = d.Field()
	base := Rules{Density: 1, Seed: 9}
	all := sow(t, nil, f, everywhere(f), base, nil)
	for name, c := range map[string]struct {
		rules Rules
		want  func(p Point) bool
	}{
		"slope":  {Rules{Slope: Range{0.1, 0.4}}, func(p Point) bool { a := math.Acos(p.Normal[1]); return a >= 0.1 && a <= 0.4 }},
		"height": {Rules{Height: Range{-2, 3}}, func(p Point) bool { return p.Position[1] >= -2 && p.Position[1] <= 3 }},
		"layer":  {Rules{Layers: []uint8{3}, MinWeight: 0.5}, func(p Point) bool { return weightOf3(f, p) > 0.5 }},
		"layers": {Rules{Layers: []uint8{2, 3}, MinWeight: 0.7}, func(p Point) bool { return weightOf3(f, p)+weightOf2(f, p) > 0.7 }},
		"none":   {Rules{Layers: []uint8{}}, func(Point) bool { return false }},
	} {
		r := c.rules
		r.Density, r.Seed = base.Density, base.Seed
		got := sow(t, nil, f, everywhere(f), r, nil)
		var want []Point
		for _, p := range all {
			if c.want(p) {
				want = append(want, p)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d points, expected %d", name, len(got), len(want))
		}
		if name != "none" && (len(want) == 0 || len(want) == len(all)) {
			t.Errorf("%s takes %d of %d points: nothing is tested", name, len(want), len(all))
		}
	}
	for _, p := range all {
		if c, r, _, _, _ := f.Cell(p.Position[0], p.Position[2]); f.IsHole(c, r) {
			t.Fatalf("a point over a hole at %v", p.Position)
		}
	}
}

// The weights of layers 3 and 2 at a point, interpolated over its triangle.
func weightOf3(f *terrain.Field, p Point) float64 {
	return interpolated(f, p, func(col, row int) float64 {
		if row < 65 {
			return 1
		} else if col < 65 {
			return 1 - 102.0/255
		}
		return 0
	})
}

func weightOf2(f *terrain.Field, p Point) float64 {
	return interpolated(f, p, func(col, row int) float64 {
		if row >= 65 && col < 65 {
			return 102.0 / 255
		}
		return 0
	})
}

func interpolated(f *terrain.Field, p Point, at func(col, row int) float64) float64 {
	c, r, u, v, _ := f.Cell(p.Position[0], p.Position[2])
	b, d := at(c+1, r), at(c, r+1)
	if u+v <= 1 {
		return at(c, r)*(1-u-v) + b*u + d*v
	}
	return at(c+1, r+1)*(u+v-1) + d*(1-u) + b*(1-v)
}

func TestSoftRimThinsOut(t *testing.T) {
	f := flat(t, 400)
	d := Disc{200, 200, 190, 0}
	var inner, outer int
	for seed := range uint64(3) {
		for _, p := range sow(t, nil, f, d, Rules{Density: 0.2, Seed: seed}, nil) {
			if r := math.Hypot(p.Position[0]-200, p.Position[2]-200); r < 95 {
				inner++
			} else {
				outer++
			}
		}
	}
	// ∫ of the falloff t²(3−2t), t = 1−r², over the disc: 1/2 in all; up to r = ½,
	// t from ¾ to 1, (t³ − t⁴/2) there is 1/2 − (27/64 − 81/512).
	area := math.Pi * 190 * 190 * 0.2 * 3
	wantInner := area * (0.5 - (27.0/64 - 81.0/512))
	wantOuter := area * (27.0/64 - 81.0/512)
	if !(math.Abs(float64(inner)-wantInner) < 0.02*wantInner) || !(math.Abs(float64(outer)-wantOuter) < 0.02*wantOuter) {
		t.Errorf("%d points inside and %d outside, expected %.0f and %.0f", inner, outer, wantInner, wantOuter)
	}
}

func TestChancesAreEven(t *testing.T) {
	f := flat(t, 200)
	points := sow(t, nil, f, everywhere(f), Rules{Density: 0.5, RandomYaw: true, Scale: Range{1, 3}}, nil)
	n := float64(len(points))
	var picks [5]float64
	var yaw, scale mgl64.Vec2
	for _, p := range points {
		picks[p.Pick%5]++
		s, c := math.Sincos(p.Yaw)
		yaw = yaw.Add(mgl64.Vec2{c, s})
		scale = scale.Add(mgl64.Vec2{p.Scale, p.Scale * (p.Yaw - math.Pi)})
	}
	for k, v := range picks {
		if !(math.Abs(v/n-0.2) < 0.015) {
			t.Errorf("asset %d was picked %g of the time", k, v/n)
		}
	}
	if !(yaw.Len()/n < 0.03) || !(math.Abs(scale[0]/n-2) < 0.03) || !(math.Abs(scale[1]/n) < 0.12) {
		t.Errorf("mean direction %g, mean size %g, size with direction %g", yaw.Len()/n, scale[0]/n, scale[1]/n)
	}
}

func TestSameOnAnyNumberOfProcessors(t *testing.T) {
	f := hills(t, 200, 200, 1, 1)
	r := Rules{Density: 0.3, Spacing: 1.2, Seed: 4, Scale: Range{1, 2}, RandomYaw: true}
	want := sow(t, nil, f, everywhere(f), r, nil)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(n)
		if got := sow(t, nil, f, everywhere(f), r, nil); !slices.Equal(got, want) {
			t.Errorf("on %d processors: other points, or another order", n)
		}
	}
}

func TestErase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		all := sow(t, nil, s.f, s.all, s.r, nil)
		st := s.drawPath(t)
		kept, err := Erase(nil, all, st)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Erase(nil, kept, st)
		sameSet(t, "erasing twice", kept, again)
		gone := len(all) - len(kept)
		for _, p := range all {
			c := st.cover(p.Position[0], p.Position[2])
			stays := slices.Contains(kept, p)
			if c == 0 && !stays || c == 1 && stays {
				t.Fatalf("covered %g, stays %v", c, stays)
			}
			if stays {
				continue
			}
			gone--
		}
		if gone != 0 {
			t.Fatal("something else than the points was kept")
		}
		// Leg by leg it comes to the same.
		left := all
		for i := range st.Path {
			leg := st
			leg.Path = st.Path[i:min(i+2, len(st.Path))]
			left, _ = Erase(nil, left, leg)
		}
		sameSet(t, "erasing leg by leg", left, kept)
	})
	if _, err := Erase(nil, nil, Disc{Radius: -1}); err == nil {
		t.Error("a radius of −1 is taken")
	}
}

func TestReproject(t *testing.T) {
	f := hills(t, 80, 80, 2, 3)
	r := Rules{Density: 0.05, AlignToSurface: 0.5, Seed: 8}
	points := sow(t, nil, f, everywhere(f), r, nil)
	d := f.Draft()
	h, fl := d.Heights(0, 0), d.Flags(0, 0)
	for i := range h {
		h[i] = h[i]*0.5 + float32(i%64)
		if i%64 < 10 {
			fl[i] |= terrain.Hole
		}
	}
	g, _ := d.Field()
	got := Reproject(nil, points, g, r.AlignToSurface)
	want := sow(t, nil, g, everywhere(g), r, nil)
	if len(got) == len(points) || !slices.Equal(got, want) {
		t.Errorf("%d of %d points on the new ground, expected the %d that are sown there", len(got), len(points), len(want))
	}
}

func TestBadNumbers(t *testing.T) {
	f := flat(t, 40)
	good, disc := Rules{Density: 1}, Disc{20, 20, 5, 1}
	nan, inf := math.NaN(), math.Inf(1)
	some := []Point{{Scale: 42}}
	for want, c := range map[string]struct {
		area  Area
		rules Rules
	}{
		"density of -1":             {disc, Rules{Density: -1}},
		"density of NaN":            {disc, Rules{Density: nan}},
		"density of 101":            {disc, Rules{Density: 101}},
		"spacing of -1":             {disc, Rules{Density: 1, Spacing: -1}},
		"spacing of NaN":            {disc, Rules{Density: 1, Spacing: nan}},
		"spacing of 1e-05":          {disc, Rules{Density: 1, Spacing: 1e-5}},
		"slope from 1 to 0.5":       {disc, Rules{Density: 1, Slope: Range{1, 0.5}}},
		"slope from NaN":            {disc, Rules{Density: 1, Slope: Range{nan, 1}}},
		"height from 0 to +Inf":     {disc, Rules{Density: 1, Height: Range{0, inf}}},
		"scale from 0 to 1":         {disc, Rules{Density: 1, Scale: Range{0, 1}}},
		"alignment of 2":            {disc, Rules{Density: 1, AlignToSurface: 2}},
		"layer weight of -1":        {disc, Rules{Density: 1, MinWeight: -1}},
		"radius of 0":               {Disc{20, 20, 0, 1}, good},
		"radius of NaN":             {Stroke{Path: []mgl64.Vec2{{1, 1}}, Radius: nan}, good},
		"hardness of 2":             {Disc{20, 20, 5, 2}, good},
		"point NaN,20":              {Disc{nan, 20, 5, 1}, good},
		"point +Inf,0":              {Rect{Max: mgl64.Vec2{inf, 0}}, good},
		"no point":                  {Stroke{Radius: 1}, good},
		"polygon of 2":              {Polygon{{0, 0}, {1, 1}}, good},
		"more than 1000000 points":  {nil, Rules{Density: 1}},
		"more than 100000000 place": {nil, Rules{Density: 100, Spacing: 0.1, Height: Range{10, 20}}},
	} {
		field := f
		if c.area == nil { // all of a big field
			big, err := terrain.Flat(2000, 2000, 1)
			if err != nil {
				t.Fatal(err)
			}
			field, c.area = big, everywhere(big)
		}
		got, err := Append(context.Background(), some, field, c.area, c.rules, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !slices.Equal(got, some) {
			t.Errorf("expected an error with %q, got %v and %d points", want, err, len(got))
		}
	}
}

func TestNothingToSow(t *testing.T) {
	f := flat(t, 40)
	for name, c := range map[string]struct {
		area  Area
		rules Rules
	}{
		"zero rules":        {Disc{20, 20, 5, 1}, Rules{}},
		"far away":          {Disc{500, 20, 5, 1}, Rules{Density: 10}},
		"upside down":       {Rect{mgl64.Vec2{30, 30}, mgl64.Vec2{20, 20}}, Rules{Density: 10}},
		"no inside":         {Polygon{{5, 5}, {30, 30}, {5, 5}}, Rules{Density: 10}},
		"height never seen": {Disc{20, 20, 1e6, 1}, Rules{Density: 10, Height: Range{1, 2}}},
	} {
		if got := sow(t, nil, f, c.area, c.rules, nil); len(got) != 0 {
			t.Errorf("%s: %d points", name, len(got))
		}
	}
	// A brush as big as they come is bounded by the field.
	if got := sow(t, nil, f, Disc{20, 20, 1e6, 1}, Rules{Density: 1}, nil); len(got) < 1500 || len(got) > 1700 {
		t.Errorf("%d points on 1600 m²", len(got))
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := flat(t, 100)
	some := []Point{{Scale: 42}}
	got, err := Append(ctx, some, f, everywhere(f), Rules{Density: 1}, nil)
	if !errors.Is(err, context.Canceled) || !slices.Equal(got, some) {
		t.Errorf("got %d points and %v", len(got), err)
	}
}

func BenchmarkAppend100k(b *testing.B) {
	f := hills(b, 1025, 1025, 1, 2)
	side := math.Sqrt(1e5 / 0.1)
	area := Rect{Max: mgl64.Vec2{side, side}}
	for name, spacing := range map[string]float64{"loose": 0, "spaced": 1.5, "crowded": 2.1, "full": 2.35} {
		b.Run(name, func(b *testing.B) {
			r := Rules{Density: 0.1, Spacing: spacing, Scale: Range{1, 2}, RandomYaw: true}
			n := 0
			for b.Loop() {
				n = len(sow(b, nil, f, area, r, nil))
			}
			b.ReportMetric(float64(n), "points")
		})
	}
}

// A dab as the brush places it many times a second, where all is sown already.
func BenchmarkDab(b *testing.B) {
	f := hills(b, 1025, 1025, 1, 2)
	r := Rules{Density: 0.1, Spacing: 2}
	x := Index{Cell: r.Spacing}
	x.Add(sow(b, nil, f, everywhere(f), r, nil)...)
	for b.Loop() {
		sow(b, nil, f, Disc{500, 500, 30, 0.5}, r, &x)
	}
}

func BenchmarkReproject100k(b *testing.B) {
	f := hills(b, 1025, 1025, 1, 2)
	points := sow(b, nil, f, everywhere(f), Rules{Density: 0.1}, nil)
	for b.Loop() {
		Reproject(points[:0], points, f, 0.5)
	}
	b.ReportMetric(float64(len(points)), "points")
}
