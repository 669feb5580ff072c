package overlay

import (
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

var pen = Pen{Colour: color.NRGBA{255, 128, 0, 255}, Width: 2, Depth: Faint}

// drawPolygon gives a simple polygon around a point, its corners at growing angles,
// with some in line and some twice.
func drawPolygon(t *rapid.T) []mgl64.Vec2 {
	n := rapid.IntRange(3, 40).Draw(t, "n")
	var p []mgl64.Vec2
	for i := range n {
		r := rapid.Float64Range(0.05, 1).Draw(t, "r")
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p = append(p, mgl64.Vec2{r * cos, r * sin})
		if rapid.IntRange(0, 9).Draw(t, "twice") == 0 {
			p = append(p, p[len(p)-1])
		}
	}
	return p
}

// The facets of a polygon cover its area once, lie in its plane, and use its corners.
func TestPolygonArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		flat := drawPolygon(t)
		if rapid.Bool().Draw(t, "reversed") {
			for i, j := 0, len(flat)-1; i < j; i, j = i+1, j-1 {
				flat[i], flat[j] = flat[j], flat[i]
			}
		}
		axis := mgl64.Vec3{rapid.Float64Range(-1, 1).Draw(t, "x"), rapid.Float64Range(-1, 1).Draw(t, "y"), rapid.Float64Range(-1, 1).Draw(t, "z")}
		u, v := across(axis)
		at := mgl64.Vec3{rapid.SampledFrom([]float64{0, 1e5, -1e5}).Draw(t, "far"), 3, 0}
		want := 0.0
		var points []mgl64.Vec3
		for i, p := range flat {
			q := flat[(i+1)%len(flat)]
			want += p[0]*q[1] - p[1]*q[0]
			points = append(points, at.Add(u.Mul(p[0])).Add(v.Mul(p[1])))
		}
		var s Shapes
		if !s.Polygon(points, pen) {
			t.Fatalf("not filled: %v", points)
		}
		got := 0.0
		for _, f := range s.Facets {
			got += f.P[1].Sub(f.P[0]).Cross(f.P[2].Sub(f.P[0])).Len()
		}
		if !(math.Abs(got-math.Abs(want)) <= 1e-8) {
			t.Fatalf("facets cover %g, expected %g", got, math.Abs(want))
		}
	})
}

// Random points inside the polygon lie in one facet, those outside in none.
func TestPolygonCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		flat := drawPolygon(t)
		var points []mgl64.Vec3
		for _, p := range flat {
			points = append(points, mgl64.Vec3{p[0], 0, p[1]})
		}
		var s Shapes
		if !s.Polygon(points, pen) {
			t.Fatal("not filled")
		}
		p := mgl64.Vec2{rapid.Float64Range(-1, 1).Draw(t, "px"), rapid.Float64Range(-1, 1).Draw(t, "pz")}
		inside := false
		for i, a := range flat {
			b := flat[(i+1)%len(flat)]
			if math.Abs(area(a, b, p)) < 1e-9 {
				return // too near to the rim to tell
			}
			if a[1] > p[1] != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
				inside = !inside
			}
		}
		n := 0
		for _, f := range s.Facets {
			a, b, c := mgl64.Vec2{f.P[0][0], f.P[0][2]}, mgl64.Vec2{f.P[1][0], f.P[1][2]}, mgl64.Vec2{f.P[2][0], f.P[2][2]}
			x, y, z := area(a, b, p), area(b, c, p), area(c, a, p)
			if math.Abs(x) < 1e-9 || math.Abs(y) < 1e-9 || math.Abs(z) < 1e-9 {
				return
			}
			if x > 0 == (y > 0) && y > 0 == (z > 0) {
				n++
			}
		}
		if inside && n != 1 || !inside && n != 0 {
			t.Fatalf("%v lies in %d facets, inside: %v", p, n, inside)
		}
	})
}

func TestPolygonsThatAreNone(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, p := range map[string][]mgl64.Vec3{
		"none":    nil,
		"two":     {{0, 0, 0}, {1, 0, 0}},
		"in line": {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}},
		"point":   {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
		"star":    {{0, 0, 1}, {0.59, 0, -0.81}, {-0.95, 0, 0.31}, {0.95, 0, 0.31}, {-0.59, 0, -0.81}},
		"NaN":     {{0, 0, 0}, {1, 0, 0}, {nan, 0, 1}},
		"Inf":     {{0, 0, 0}, {1, 0, 0}, {0, 0, inf}},
	} {
		s := Shapes{Facets: make([]Facet, 1)}
		if s.Polygon(p, pen) || len(s.Facets) != 1 {
			t.Errorf("%s: filled with %d facets", name, len(s.Facets)-1)
		}
	}
}

// Every appender keeps the pen, and what it appends lies where it should.
func TestLines(t *testing.T) {
	b := geom.Box{Min: mgl64.Vec3{1, 2, 3}, Max: mgl64.Vec3{2, 4, 6}}
	var s Shapes
	s.Box(b, pen)
	if len(s.Segments) != 12 {
		t.Fatalf("a box has %d edges", len(s.Segments))
	}
	length := 0.0
	for _, e := range s.Segments {
		length += e.A.Sub(e.B).Len()
		if e.Colour != pen.Colour || e.Width != pen.Width || e.Depth != pen.Depth {
			t.Errorf("segment %v has not the pen", e)
		}
	}
	if want := 4 * (1 + 2 + 3.0); math.Abs(length-want) > 1e-12 {
		t.Errorf("edges are %g long, expected %g", length, want)
	}
	s.Reset()
	s.Box(geom.EmptyBox(), pen)
	if !s.Empty() {
		t.Error("an empty box has edges")
	}
	s.BoxFaces(mgl64.Scale3D(1, -1, 2), b, pen)
	area := 0.0
	for _, f := range s.Facets {
		area += f.P[1].Sub(f.P[0]).Cross(f.P[2].Sub(f.P[0])).Len() / 2
	}
	if want := 2 * (1*2 + 2*6 + 6*1.0); math.Abs(area-want) > 1e-12 {
		t.Errorf("faces have %g m², expected %g", area, want)
	}
	s.Reset()
	axis, centre := mgl64.Vec3{1, 2, -3}, mgl64.Vec3{5, 5, 5}
	s.Circle(centre, axis, 2, pen)
	last := s.Segments[len(s.Segments)-1].B
	for _, e := range s.Segments {
		if d := e.A.Sub(centre); math.Abs(d.Len()-2) > 1e-12 || math.Abs(d.Dot(axis)) > 1e-12 || e.A != last {
			t.Fatalf("%v is not on the circle, or not after %v", e.A, last)
		}
		last = e.B
	}
	// A quarter turn around Y takes Z to X.
	s.Reset()
	s.Arc(mgl64.Vec3{}, mgl64.Vec3{0, 7, 0}, mgl64.Vec3{0, 0, 1}, math.Pi/2, pen)
	if end := s.Segments[len(s.Segments)-1].B; end.Sub(mgl64.Vec3{1, 0, 0}).Len() > 1e-12 {
		t.Errorf("the arc ends at %v", end)
	}
	s.Reset()
	s.Arrow(mgl64.Vec3{}, mgl64.Vec3{0, 0, 3}, 1, pen)
	box := geom.EmptyBox()
	for _, f := range s.Facets {
		box = box.Union(geom.BoxOf(f.P[:]...))
	}
	if math.Abs(box.Min[2]-2) > 1e-12 || math.Abs(box.Max[2]-3) > 1e-12 || len(s.Segments) != 1 {
		t.Errorf("the arrow's head is %v", box)
	}
	s.Reset()
	m := mgl64.Perspective(1, 2, 1, 10)
	s.Frustum(mgl64.Vec3{100, 0, 0}, m, pen)
	for _, e := range s.Segments {
		for _, p := range []mgl64.Vec3{e.A, e.B} {
			if z := -p[2]; math.Abs(z-1) > 1e-9 && math.Abs(z-10) > 1e-9 {
				t.Errorf("%v is on neither end of the frustum", p)
			}
		}
	}
}

// Shapes that are appended anew in every frame allocate nothing.
func TestAppendersAllocateNothing(t *testing.T) {
	var s Shapes
	points := []mgl64.Vec3{{0, 0, 0}, {3, 0, 0}, {1, 0, 1}, {0, 0, 3}}
	if n := testing.AllocsPerRun(10, func() {
		s.Reset()
		s.Box(geom.Box{Max: mgl64.Vec3{1, 1, 1}}, pen)
		s.Sphere(mgl64.Vec3{}, 1, pen)
		s.Arrow(mgl64.Vec3{}, mgl64.Vec3{0, 1, 0}, 0.3, pen)
		s.Polyline(points, true, pen)
		s.Polygon(points, pen)
		s.Cross(mgl64.Vec3{}, 1, pen)
		s.Grid(mgl64.Vec3{}, mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, 1}, 4, pen)
		s.Label(mgl64.Vec3{}, "spawn", pen.Colour)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkPolygon(b *testing.B) {
	var points []mgl64.Vec3
	for i := range 1000 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 1000)
		r := 1 + 0.3*math.Sin(float64(i))
		points = append(points, mgl64.Vec3{r * cos, 0, r * sin})
	}
	var s Shapes
	for b.Loop() {
		s.Reset()
		if !s.Polygon(points, pen) {
			b.Fatal("not filled")
		}
	}
}

// Polygons of many corners are filled as those of few are, up to a bound.
func TestPolygonsOfManyCorners(t *testing.T) {
	for n, ok := range map[int]bool{5000: true, MaxPolygon: true, MaxPolygon + 1: false} {
		points, want := make([]mgl64.Vec3, n), 0.0
		at := func(i int) mgl64.Vec3 {
			i %= n
			a := 2 * math.Pi * float64(i) / float64(n)
			r := 100 + 30*math.Sin(7*a) + 3*float64(i%2)
			return mgl64.Vec3{1e5 + r*math.Cos(a), 4, r * math.Sin(a)}
		}
		for i := range points {
			points[i] = at(i)
			p, q := at(i).Sub(mgl64.Vec3{1e5}), at(i+1).Sub(mgl64.Vec3{1e5})
			want += (p[0]*q[2] - p[2]*q[0]) / 2
		}
		var s Shapes
		if s.Polygon(points, Pen{}) != ok {
			t.Fatalf("%d corners: filled is %v", n, !ok)
		}
		got := 0.0
		for _, f := range s.Facets {
			got += math.Abs((f.P[1][0]-f.P[0][0])*(f.P[2][2]-f.P[0][2])-(f.P[1][2]-f.P[0][2])*(f.P[2][0]-f.P[0][0])) / 2
		}
		if ok && !(math.Abs(got-math.Abs(want)) < 1e-3*math.Abs(want)) || !ok && len(s.Facets) != 0 {
			t.Errorf("%d corners: area %g, expected %g", n, got, want)
		}
	}
}
