package hull

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// disc draws a convex polygon somewhere in space, counter-clockwise about n.
func disc(t *rapid.T) (points []geom.Vec3, m mgl64.Mat4) {
	n := rapid.IntRange(3, 12).Draw(t, "n")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
	far := rapid.SampledFrom([]float64{0, 1e5, 1e7}).Draw(t, "far")
	m = mgl64.Translate3D(far, -far, 5).Mul4(mgl64.HomogRotate3DX(6 * r.Float64())).Mul4(mgl64.HomogRotate3DY(6 * r.Float64()))
	for i := range n {
		a := 2 * math.Pi * (float64(i) + 0.5*r.Float64()) / float64(n)
		points = append(points, mgl64.TransformCoordinate(geom.Vec3{3 * math.Cos(a), 2 * math.Sin(a), 0}, m))
	}
	return points, m
}

func TestPolygonsOfDiscs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points, m := disc(t)
		p, ok := PolygonPlane(points)
		n := m.Mul4x1(mgl64.Vec4{0, 0, 1, 0}).Vec3()
		if !ok || p.N.Sub(n).Len() > 1e-6 {
			t.Fatalf("plane %v %v, normal expected %v", p, ok, n)
		}
		if !PolygonConvex(points) || !PolygonSimple(points) || !PolygonPlanar(points, PolygonTolerance(points)) {
			t.Fatal("not convex, simple and planar")
		}
		// In parts by a cut it has the area of the whole, and points are in one of them.
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "cut"), 8))
		c := mgl64.TransformCoordinate(geom.Vec3{r.Float64() - 0.5, r.Float64() - 0.5, 0}, m)
		side := geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
		cut := geom.Plane{N: side, D: -side.Dot(c)}
		a, b := ClipPolygon(nil, points, cut), ClipPolygon(nil, points, cut.Flip())
		whole := PolygonArea(points)
		if sum := PolygonArea(a) + PolygonArea(b); !nearly(sum, whole, 1e-6) {
			t.Fatalf("areas %v, expected %v", sum, whole)
		}
		tol := PolygonTolerance(points)
		for range 20 {
			local := geom.Vec3{6*r.Float64() - 3, 4*r.Float64() - 2, 0}
			q := mgl64.TransformCoordinate(local, m)
			in := PolygonContains(points, p, q, tol)
			inPart := PolygonContains(a, p, q, tol) || PolygonContains(b, p, q, tol)
			if in != inPart && borderDistance(points, q) > 10*tol && math.Abs(cut.Distance(q)) > 10*tol {
				t.Fatalf("%v: in the whole %v, in the parts %v", local, in, inPart)
			}
			if PolygonContains(points, p, q.Add(n), tol) {
				t.Fatal("a point above the plane is in it")
			}
		}
	})
}

func borderDistance(points []geom.Vec3, q geom.Vec3) float64 {
	d := math.Inf(1)
	for i, p := range points {
		d = min(d, segmentDistance(p, points[(i+1)%len(points)], q))
	}
	return d
}

func TestPolygonKinds(t *testing.T) {
	v := func(xy ...float64) (p []geom.Vec3) {
		for i := 0; i < len(xy); i += 2 {
			p = append(p, geom.Vec3{xy[i], 5, -xy[i+1]})
		}
		return p
	}
	for _, k := range []struct {
		name                  string
		points                []geom.Vec3
		plane, convex, simple bool
		area                  float64
	}{
		{"square", v(0, 0, 2, 0, 2, 2, 0, 2), true, true, true, 4},
		{"clockwise", v(0, 2, 2, 2, 2, 0, 0, 0), true, true, true, 4},
		{"with a point on an edge", v(0, 0, 1, 0, 2, 0, 2, 2, 0, 2), true, true, true, 4},
		{"L", v(0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2), true, false, true, 3},
		{"bow tie", v(0, 0, 2, 2, 2, 0, 0, 3), true, false, false, 1},
		{"star", v(0, 3, -1.8, -2.4, 2.8, 0.9, -2.8, 0.9, 1.8, -2.4), true, false, false, math.NaN()},
		{"line", v(0, 0, 1, 1, 2, 2), false, false, false, 0},
		{"two points", v(0, 0, 1, 1), false, false, false, 0},
		{"none", nil, false, false, false, 0},
		{"a point twice", v(0, 0, 0, 0, 2, 0, 2, 2, 0, 2), true, true, false, 4},
		{"a spike", v(0, 0, 4, 0, 2, 0, 2, 2, 0, 2), true, false, false, 4},
		{"bent", []geom.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 0.1, 1}, {0, 0, 1}}, true, false, false, math.NaN()},
		{"no number", []geom.Vec3{{0, 0, 0}, {1, 0, 0}, {1, math.NaN(), 1}, {0, 0, 1}}, false, false, false, math.NaN()},
		{"infinite", []geom.Vec3{{0, 0, 0}, {1, 0, 0}, {1, math.Inf(1), 1}, {0, 0, 1}}, false, false, false, math.NaN()},
	} {
		_, ok := PolygonPlane(k.points)
		if ok != k.plane || PolygonConvex(k.points) != k.convex || PolygonSimple(k.points) != k.simple {
			t.Errorf("%s: plane %v, convex %v, simple %v", k.name, ok, PolygonConvex(k.points), PolygonSimple(k.points))
		}
		if a := PolygonArea(k.points); !math.IsNaN(k.area) && math.Abs(a-k.area) > 1e-12 {
			t.Errorf("%s: area %v, expected %v", k.name, a, k.area)
		}
	}
	l := v(0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2)
	p, _ := PolygonPlane(l)
	for _, k := range []struct {
		x, y float64
		want bool
	}{{0.5, 0.5, true}, {1.5, 0.5, true}, {0.5, 1.5, true}, {1.5, 1.5, false}, {1, 1, true}, {1.01, 1.01, false}, {2, 0.5, true}, {2.01, 0.5, false}} {
		if got := PolygonContains(l, p, v(k.x, k.y)[0], 1e-9); got != k.want {
			t.Errorf("(%v, %v) in the L: %v", k.x, k.y, got)
		}
	}
	if !PolygonContains(l, p, v(1.01, 1.01)[0], 0.02) {
		t.Error("near the border is not within the tolerance")
	}
}

func TestClipPolygonKeepsWhatTouches(t *testing.T) {
	square := []geom.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}
	for _, k := range []struct {
		d    float64
		want int
	}{{1, 4}, {0, 4}, {-0.5, 4}, {-1, 2}, {-1.5, 0}} {
		if got := ClipPolygon(nil, square, geom.Plane{N: geom.Vec3{1, 0, 0}, D: k.d}); len(got) != k.want {
			t.Errorf("beyond %v: %v", -k.d, got)
		}
	}
	if got := ClipPolygon(square[:1:1], nil, geom.Plane{}); len(got) != 1 {
		t.Error(got)
	}
}
