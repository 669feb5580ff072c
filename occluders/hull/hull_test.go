package hull

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// cloud draws points that are hard on a hull: of any shape, on grids, doubled, nearly
// equal, turned, small, large and far away.
func cloud(t *rapid.T, most int) []geom.Vec3 {
	n := rapid.IntRange(1, most).Draw(t, "n")
	shape := rapid.SampledFrom([]string{"ball", "sphere", "grid", "plane", "line", "box", "cone", "dome", "float32"}).Draw(t, "shape")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	points := make([]geom.Vec3, n)
	for i := range points {
		points[i] = shapes(shape, r, i, n)
	}
	if rapid.Bool().Draw(t, "turned") {
		m := mgl64.Rotate3DX(r.Float64()).Mul3(mgl64.Rotate3DY(r.Float64())).Mul3(mgl64.Rotate3DZ(r.Float64()))
		for i := range points {
			points[i] = m.Mul3x1(points[i])
		}
	}
	scale := rapid.SampledFrom([]float64{1, 1, 1e9, 1e-300, 1e-5, 1e90}).Draw(t, "scale")
	far := rapid.SampledFrom([]float64{0, 0, 1e5, 1e7, -3}).Draw(t, "far")
	noise := rapid.SampledFrom([]string{"", "", "ulp", "double", "tiny"}).Draw(t, "noise")
	for i := range points {
		p := points[i].Add(geom.Vec3{far, -far / 2, far / 3}).Mul(scale)
		switch noise {
		case "ulp":
			for a := range p {
				for range r.IntN(3) {
					p[a] = math.Nextafter(p[a], math.Inf(1))
				}
			}
		case "double":
			if i > 0 && r.IntN(2) == 0 {
				p = points[r.IntN(i)]
			}
		case "tiny":
			p[r.IntN(3)] += scale * math.Ldexp(r.Float64()-0.5, -r.IntN(60))
		}
		points[i] = p
	}
	return points
}

func shapes(shape string, r *rand.Rand, i, n int) geom.Vec3 {
	v := geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
	switch shape {
	case "ball":
		return v.Mul(math.Cbrt(r.Float64()))
	case "sphere":
		return v
	case "grid":
		return geom.Vec3{float64(r.IntN(4)), float64(r.IntN(4)), float64(r.IntN(4))}
	case "plane":
		return geom.Vec3{r.Float64(), r.Float64(), 0}
	case "line":
		return geom.Vec3{r.Float64(), 0, 0}
	case "box":
		return geom.Vec3{float64(r.IntN(2)), float64(r.IntN(2)), float64(r.IntN(2))}
	case "cone":
		if i == 0 {
			return geom.Vec3{0, 3, 0}
		}
		a := 2 * math.Pi * float64(i) / float64(n)
		return geom.Vec3{math.Cos(a), 0, math.Sin(a)}
	case "dome":
		v[1] *= 1e-9
		return v
	case "float32":
		v[0] = math.Round(2*v[0]) / 2
		return geom.Vec3{float64(float32(v[0])), float64(float32(v[1])), float64(float32(v[2]))}
	}
	panic(shape)
}

var named = []error{ErrNone, ErrPoint, ErrLine, ErrFlat, ErrNotFinite, ErrEmpty, ErrOpen, ErrDistance, ErrNotAffine, ErrFaces}

func isNamed(err error) bool {
	return slices.ContainsFunc(named, func(e error) bool { return errors.Is(err, e) })
}

// sound checks all that a hull of points promises.
func sound(h *Hull, points []geom.Vec3) error {
	if err := h.Validate(); err != nil {
		return err
	}
	tol := Tolerance(geom.BoxOf(points...))
	given := map[geom.Vec3]bool{}
	for _, p := range points {
		given[p] = true
	}
	for _, v := range h.Vertices {
		if !given[v] {
			return fmt.Errorf("vertex %v is not of the points", v)
		}
	}
	for _, p := range points {
		if d := h.Distance(p); !(d <= tol) {
			return fmt.Errorf("point %v is %g outside, tolerance %g", p, d, tol)
		}
	}
	for i, pl := range h.Planes {
		for _, v := range h.Vertices {
			if d := pl.Distance(v); !(d <= tol) {
				return fmt.Errorf("vertex %v is %g above plane %d", v, d, i)
			}
		}
	}
	return nil
}

func TestOfAnyPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := cloud(t, 120)
		h, err := Of(points)
		if err != nil {
			if !isNamed(err) {
				t.Fatal(err)
			}
			return
		}
		if err := sound(h, points); err != nil {
			t.Fatal(err)
		}
		mixed := slices.Clone(points)
		rand.New(rand.NewPCG(5, 6)).Shuffle(len(mixed), func(i, k int) { mixed[i], mixed[k] = mixed[k], mixed[i] })
		mixed = append(mixed, mixed[len(mixed)/2])
		g, err := Of(mixed)
		if err != nil || !reflect.DeepEqual(h, g) {
			t.Fatalf("another order, another hull: %v\n%v\n%v", err, h, g)
		}
	})
}

func TestNamedErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	line := func(n int, turn bool) (p []geom.Vec3) {
		for i := range n {
			x := float64(i) / 7
			if v := (geom.Vec3{x, 0, 0}); turn {
				p = append(p, geom.Vec3{x * 0.1, x * 0.3, x * 0.7}.Add(geom.Vec3{1e5, 1e7, -3}))
			} else {
				p = append(p, v)
			}
		}
		return p
	}
	plane := func(far float64) (p []geom.Vec3) {
		for i := range 50 {
			p = append(p, geom.Vec3{float64(i%7)*0.31 + far, float64(i%5) * 0.17, (float64(i%7)*0.31 + far) * 0.37})
		}
		return p
	}
	for _, k := range []struct {
		name   string
		points []geom.Vec3
		want   error
	}{
		{"none", nil, ErrNone},
		{"one", []geom.Vec3{{1, 2, 3}}, ErrPoint},
		{"doubled", []geom.Vec3{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, ErrPoint},
		{"an ulp apart", []geom.Vec3{{1, 1, 1}, {math.Nextafter(1, 2), 1, 1}, {1, math.Nextafter(1, 2), 1}, {1, 1, math.Nextafter(1, 2)}}, ErrPoint},
		{"at 10 000 km", []geom.Vec3{{1e7, 0, 0}, {1e7, 1e-9, 0}, {1e7, 0, 1e-9}, {1e7 + 2e-9, 0, 0}}, ErrPoint},
		{"two", []geom.Vec3{{1, 2, 3}, {3, 2, 1}}, ErrLine},
		{"line", line(20, false), ErrLine},
		{"turned line", line(20, true), ErrLine},
		{"triangle", []geom.Vec3{{1, 2, 3}, {3, 2, 1}, {5, 5, 5}}, ErrFlat},
		{"plane", plane(0), ErrFlat},
		{"far plane", plane(1e6), ErrFlat},
		{"NaN", []geom.Vec3{{}, {1, 0, 0}, {0, nan, 0}, {0, 0, 1}, {1, 1, 1}}, ErrNotFinite},
		{"NaN first", []geom.Vec3{{nan, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, ErrNotFinite},
		{"infinite", []geom.Vec3{{}, {1, 0, 0}, {0, -inf, 0}, {0, 0, 1}, {1, 1, 1}}, ErrNotFinite},
		{"too great", []geom.Vec3{{}, {1e101, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, ErrNotFinite},
		{"subnormal", []geom.Vec3{{}, {5e-324, 0, 0}, {0, 5e-324, 0}, {0, 0, 5e-324}}, ErrPoint},
	} {
		if h, err := Of(k.points); !errors.Is(err, k.want) || h != nil {
			t.Errorf("%s: %v %v, expected %q", k.name, h, err, k.want)
		}
	}
}

// A box made of a grid of points is a box, wherever, however turned and large.
func TestGridIsABox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		m := mgl64.Ident3()
		if rapid.Bool().Draw(t, "turned") {
			m = mgl64.Rotate3DX(rapid.Float64Range(-3, 3).Draw(t, "a")).Mul3(mgl64.Rotate3DY(rapid.Float64Range(-3, 3).Draw(t, "b")))
		}
		far := rapid.SampledFrom([]float64{0, 1e5, 1e7}).Draw(t, "far")
		scale := rapid.SampledFrom([]float64{1, 100, 1e9, 1e-90}).Draw(t, "scale")
		var points []geom.Vec3
		for i := range n * n * n {
			p := geom.Vec3{float64(i % n), float64(i / n % n), float64(i/n/n) * 3}.Mul(1 / float64(n-1))
			points = append(points, m.Mul3x1(p).Add(geom.Vec3{far, far, -far}).Mul(scale))
		}
		h, err := Of(points)
		if err != nil {
			t.Fatal(err)
		}
		if err := sound(h, points); err != nil {
			t.Fatal(err)
		}
		if len(h.Vertices) != 8 || len(h.Faces) != 6 {
			t.Fatalf("%d vertices, %d faces", len(h.Vertices), len(h.Faces))
		}
		if v := h.Volume() / scale / scale / scale; !(math.Abs(v-3) <= 1e-6) {
			t.Fatalf("volume %v", v)
		}
	})
}
