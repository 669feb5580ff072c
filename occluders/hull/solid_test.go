package hull

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// rock draws a hull of usual proportions, somewhere in the world.
func rock(t *rapid.T, name string) *Hull {
	n := rapid.IntRange(4, 60).Draw(t, name)
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, name+" seed"), 3))
	shape := rapid.SampledFrom([]string{"ball", "sphere", "box", "grid", "cone"}).Draw(t, name+" shape")
	stretch := geom.Vec3{1 + 3*r.Float64(), 1 + 3*r.Float64(), 1 + 3*r.Float64()}
	far := rapid.SampledFrom([]float64{0, 10, 1e5}).Draw(t, name+" far")
	points := make([]geom.Vec3, n)
	for i := range points {
		p := shapes(shape, r, i, n)
		for k := range p {
			p[k] = p[k]*stretch[k] + far
		}
		points[i] = p
	}
	h, err := Of(points)
	if err != nil {
		t.Skip(err)
	}
	return h
}

func valid(t *rapid.T, h *Hull) {
	t.Helper()
	if err := h.Validate(); err != nil {
		t.Fatal(err)
	}
}

// near reports whether numbers are equal but for a part.
func nearly(a, b, part float64) bool { return math.Abs(a-b) <= part*max(math.Abs(a), math.Abs(b)) }

// The space behind a hull's planes is the hull.
func TestIntersectionIsTheDualOfOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		planes := slices.Clone(h.Planes)
		// Planes that touch no more than a corner, or nothing, change nothing.
		for i := range rapid.IntRange(0, 5).Draw(t, "more") {
			n := direction(i, 7)
			planes = append(planes, geom.Plane{N: n, D: -h.Vertices[h.Support(n)].Dot(n) - float64(i)})
		}
		g, err := Intersection(planes)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, g)
		tol := 1e-7 * h.Bounds().Size().Len() // corners of small angles are far off for little
		for _, v := range h.Vertices {
			if d := g.Distance(v); !(d <= tol) {
				t.Fatalf("vertex %v is %g outside", v, d)
			}
		}
		for _, v := range g.Vertices {
			if d := h.Distance(v); !(d <= tol) {
				t.Fatalf("%v is %g outside of the first", v, d)
			}
		}
		if !nearly(h.Volume(), g.Volume(), 1e-7) {
			t.Fatalf("volume %v, expected %v", g.Volume(), h.Volume())
		}
		// Each plane that is taken away opens it, or makes it larger.
		if i := rapid.IntRange(0, len(h.Planes)-1).Draw(t, "i"); true {
			g, err := Intersection(slices.Delete(slices.Clone(h.Planes), i, i+1))
			if err != nil && !errors.Is(err, ErrOpen) {
				t.Fatal(err)
			}
			if err == nil && !(g.Volume() > h.Volume()) {
				t.Fatal("no larger with a plane less")
			}
		}
	})
}

func TestIntersectionErrors(t *testing.T) {
	box, _ := OfBox(geom.Box{Min: geom.Vec3{-1, -1, -1}, Max: geom.Vec3{1, 1, 1}})
	with := func(more ...geom.Plane) []geom.Plane { return append(slices.Clone(box.Planes), more...) }
	for _, k := range []struct {
		name   string
		planes []geom.Plane
		want   error
	}{
		{"none", nil, ErrOpen},
		{"three", box.Planes[:3], ErrOpen},
		{"five", box.Planes[:5], ErrOpen},
		{"a plane above all", with(geom.Plane{N: geom.Vec3{0, 1, 0}, D: 5}), ErrEmpty},
		{"flat", with(geom.Plane{N: geom.Vec3{0, 1, 0}, D: 1}), ErrEmpty},
		{"no length", with(geom.Plane{}), ErrNotFinite},
		{"no number", with(geom.Plane{N: geom.Vec3{0, 1, 0}, D: math.NaN()}), ErrNotFinite},
	} {
		if h, err := Intersection(k.planes); !errors.Is(err, k.want) || h != nil {
			t.Errorf("%s: %v %v, expected %q", k.name, h, err, k.want)
		}
	}
	if h, err := Intersection(with(geom.Plane{N: geom.Vec3{0, 1, 0}, D: -1})); err != nil || !reflect.DeepEqual(h, box) {
		t.Errorf("a plane twice: %v %v", h, err)
	}
}

func TestShrinkLiesThatDeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		d := rapid.Float64Range(0, 1).Draw(t, "d")
		s, err := h.Shrink(d)
		if err != nil {
			if !errors.Is(err, ErrEmpty) {
				t.Fatal(err)
			}
			// A ball of that radius has no room.
			if _, room := roomiest(h.Planes); room > d*(1+1e-6)+1e-6 {
				t.Fatalf("nothing left of a hull with room for %g", room)
			}
			return
		}
		valid(t, s)
		tol := h.Tolerance() + 1e-7 // corners of little that is left
		for _, v := range s.Vertices {
			if !h.Contains(v, tol-d) {
				t.Fatalf("%v is only %g deep", v, -h.Distance(v))
			}
		}
		// It is all that is: a bit outside of each face is not deep enough.
		for i, p := range s.Planes {
			var mid geom.Vec3
			for _, v := range s.Faces[i] {
				mid = mid.Add(s.Vertices[v].Mul(1 / float64(len(s.Faces[i]))))
			}
			if q := mid.Add(p.N.Mul(1e-4)); h.Contains(q, -d-1e-6) {
				t.Fatalf("%v, outside, is deep enough", q)
			}
		}
	})
	h, _ := OfBox(geom.Box{Max: geom.Vec3{1, 1, 1}})
	for _, d := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := h.Shrink(d); !errors.Is(err, ErrDistance) {
			t.Errorf("%v: %v", d, err)
		}
	}
	if s, err := h.Shrink(0); err != nil || s != h {
		t.Error("shrunk by nothing, it changed")
	}
}

func TestCutPartsAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		n := direction(rapid.IntRange(0, 99).Draw(t, "n"), 100)
		if rapid.Bool().Draw(t, "face") {
			n = h.Planes[rapid.IntRange(0, len(h.Planes)-1).Draw(t, "i")].N
		}
		lo, hi := h.Vertices[h.Support(n.Mul(-1))].Dot(n), h.Vertices[h.Support(n)].Dot(n)
		at := rapid.SampledFrom([]float64{-0.5, 0, 0.1, 0.5, 0.9999, 1, 1.5}).Draw(t, "at")
		p := geom.Plane{N: n, D: -(lo + (hi-lo)*at)}
		behind, before, err := h.Cut(p)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for side, part := range []*Hull{behind, before} {
			if part == nil {
				continue
			}
			valid(t, part)
			sum += part.Volume()
			for _, v := range part.Vertices {
				if d := p.Distance(v); side == 0 && d > 2*h.Tolerance() || side == 1 && d < -2*h.Tolerance() {
					t.Fatalf("%v is on the wrong side of the plane by %g", v, d)
				}
				if !h.Contains(v, 2*h.Tolerance()) {
					t.Fatalf("%v is not in the whole", v)
				}
			}
		}
		if !nearly(sum, h.Volume(), 1e-7) {
			t.Fatalf("volumes %v, expected %v", sum, h.Volume())
		}
		if wantBehind, wantBefore := at > 0, at < 1; (behind != nil) != wantBehind || (before != nil) != wantBefore {
			t.Fatalf("at %v: %v %v", at, behind != nil, before != nil)
		}
	})
	h, _ := OfBox(geom.Box{Max: geom.Vec3{1, 1, 1}})
	if _, _, err := h.Cut(geom.Plane{}); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
}

func TestTransform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		scale := geom.Vec3{1, 1, 1}
		for k := range scale {
			scale[k] = rapid.SampledFrom([]float64{1, -1, 3, -0.2}).Draw(t, "scale")
		}
		m := mgl64.Translate3D(r.Float64()*1e5, 3, -7).Mul4(mgl64.HomogRotate3DY(r.Float64())).
			Mul4(mgl64.HomogRotate3DX(r.Float64())).Mul4(mgl64.Scale3D(scale[0], scale[1], scale[2]))
		g, err := h.Transform(m)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, g)
		if want := h.Volume() * math.Abs(scale[0]*scale[1]*scale[2]); !nearly(g.Volume(), want, 1e-6) {
			t.Fatalf("volume %v, expected %v", g.Volume(), want)
		}
		if c := mgl64.TransformCoordinate(h.Center(), m); c.Sub(g.Center()).Len() > 1e-6*g.Bounds().Size().Len() {
			t.Fatalf("center %v, expected %v", g.Center(), c)
		}
	})
	h, _ := OfBox(geom.Box{Max: geom.Vec3{1, 1, 1}})
	for _, k := range []struct {
		m    mgl64.Mat4
		want error
	}{
		{mgl64.Scale3D(1, 0, 1), ErrFlat}, {mgl64.Scale3D(0, 0, 1), ErrLine}, {mgl64.Scale3D(0, 0, 0), ErrPoint},
		{mgl64.Scale3D(1e-20, 1, 1), ErrFlat}, {mgl64.Perspective(1, 1, 1, 10), ErrNotAffine},
		{mgl64.Scale3D(math.NaN(), 1, 1), ErrNotFinite}, {mgl64.Translate3D(math.Inf(1), 1, 1), ErrNotFinite},
	} {
		if _, err := h.Transform(k.m); !errors.Is(err, k.want) {
			t.Errorf("%v: %v, expected %q", k.m, err, k.want)
		}
	}
}

func TestMergeHoldsBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rock(t, "a"), rock(t, "b")
		m, err := Merge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if err := sound(m, append(slices.Clone(a.Vertices), b.Vertices...)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestWithinIsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		most := rapid.IntRange(4, 30).Draw(t, "most")
		in, err := h.Within(most)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, in)
		if len(in.Faces) > most {
			t.Fatalf("%d faces, at most %d", len(in.Faces), most)
		}
		for _, v := range in.Vertices {
			if !h.Contains(v, 2*h.Tolerance()) {
				t.Fatalf("%v is %g outside", v, h.Distance(v))
			}
		}
		// A tetrahedron of a ball's volume is the least that there may be.
		if !(in.Volume() > 0.1*h.Volume()) {
			t.Fatalf("%d faces of %d: volume %v of %v", len(in.Faces), len(h.Faces), in.Volume(), h.Volume())
		}
	})
}

// How much of a ball simple solids fill: the best that there are, a tetrahedron, a cube
// and so on, fill 0.12, 0.37, …
func TestWithinIsLarge(t *testing.T) {
	ball, err := Of(benchPointsOwn("sphere", 600))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		faces int
		part  float64
	}{{4, 0.09}, {6, 0.34}, {8, 0.34}, {12, 0.5}, {20, 0.6}, {60, 0.8}, {200, 0.93}} {
		in, err := ball.Within(k.faces)
		if err != nil {
			t.Fatal(err)
		}
		if part := in.Volume() / ball.Volume(); part < k.part {
			t.Errorf("%d faces fill %.3f of a ball, expected %.3f", k.faces, part, k.part)
		} else {
			t.Logf("%d faces fill %.3f", len(in.Faces), part)
		}
	}
	if _, err := ball.Within(3); !errors.Is(err, ErrFaces) {
		t.Error(err)
	}
	if in, err := ball.Within(len(ball.Faces)); err != nil || in != ball {
		t.Error("it was changed though it had few enough faces")
	}
}

func benchPointsOwn(shape string, n int) []geom.Vec3 {
	r := rand.New(rand.NewPCG(9, 9))
	points := make([]geom.Vec3, n)
	for i := range points {
		points[i] = shapes(shape, r, i, n)
	}
	return points
}
