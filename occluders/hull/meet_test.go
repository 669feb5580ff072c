package hull

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// box is a hull of a box.
func box(t testing.TB, x, y, z, X, Y, Z float64) *Hull {
	h, err := OfBox(geom.Box{Min: geom.Vec3{x, y, z}, Max: geom.Vec3{X, Y, Z}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOverlapsOfBoxes(t *testing.T) {
	for _, far := range []float64{0, 1e5, 1e7} {
		a := box(t, far, 0, 0, far+1, 1, 1)
		for _, k := range []struct {
			name string
			b    *Hull
			want bool
		}{
			{"itself", a, true},
			{"touching faces", box(t, far+1, 0, 0, far+2, 1, 1), false},
			{"touching edges", box(t, far+1, 1, 0, far+2, 2, 1), false},
			{"touching corners", box(t, far+1, 1, 1, far+2, 2, 2), false},
			{"a corner in it", box(t, far+0.9, 0.9, 0.9, far+2, 2, 2), true},
			{"inside", box(t, far+0.25, 0.25, 0.25, far+0.5, 0.5, 0.5), true},
			{"a bar through it", box(t, far-5, 0.4, 0.4, far+5, 0.6, 0.6), true},
			{"a millimetre away", box(t, far+1.001, 0, 0, far+2, 1, 1), false},
			{"a millimetre in it", box(t, far+0.999, 0, 0, far+2, 1, 1), true},
			{"far away", box(t, far+100, 0, 0, far+101, 1, 1), false},
		} {
			if got := a.Overlaps(k.b); got != k.want {
				t.Errorf("%v at %v: %v", k.name, far, got)
			}
			if got := k.b.Overlaps(a); got != k.want {
				t.Errorf("%v at %v, the other way round: %v", k.name, far, got)
			}
		}
	}
}

// Hulls overlap exactly when one cut by the other's planes leaves something.
func TestOverlapsAgainstCutting(t *testing.T) {
	both := [2]int{}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rock(t, "a"), rock(t, "b")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		d := a.Center().Sub(b.Center()).Add(geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(2))
		b, err := b.Transform(mgl64.Translate3D(d[0], d[1], d[2]))
		if err != nil {
			t.Fatal(err)
		}
		rest := a
		for _, p := range b.Planes {
			if rest, _, err = rest.Cut(p); err != nil {
				t.Fatal(err)
			}
			if rest == nil {
				break
			}
		}
		if rest != nil && rest.Volume() < 1e-9 {
			return // too little to be sure
		}
		got := a.Overlaps(b)
		if got != (rest != nil) {
			t.Fatalf("overlap: %v, cut: %v", got, rest)
		}
		if got {
			both[1]++
		} else {
			both[0]++
		}
	})
	if both[0] == 0 || both[1] == 0 {
		t.Errorf("only one answer: %v", both)
	}
}

func TestRayAgainstSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		c, size := h.Center(), h.Bounds().Size().Len()
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
		v := func() geom.Vec3 { return geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
		ray := geom.Ray{Origin: c.Add(v().Mul(size)), Dir: v()}
		if r.IntN(2) == 0 {
			ray.Dir = c.Add(v().Mul(size / 4)).Sub(ray.Origin)
		}
		enter, leave, ok := h.Ray(ray)
		for range 50 {
			u := r.Float64() * 4
			d := h.Distance(ray.At(u))
			in := ok && u > enter && u < leave
			if math.Abs(d) > 1e-6*size && (d < 0) != in {
				t.Fatalf("at %v: %v away, interval %v to %v, %v", u, d, enter, leave, ok)
			}
		}
	})
	h := box(t, 0, 0, 0, 1, 1, 1)
	for _, k := range []struct {
		o, d         geom.Vec3
		enter, leave float64
		ok           bool
	}{
		{geom.Vec3{-1, 0.5, 0.5}, geom.Vec3{2, 0, 0}, 0.5, 1, true},
		{geom.Vec3{0.5, 0.5, 0.5}, geom.Vec3{1, 0, 0}, 0, 0.5, true},
		{geom.Vec3{2, 0.5, 0.5}, geom.Vec3{1, 0, 0}, 0, 0, false},
		{geom.Vec3{-1, 0, 0.5}, geom.Vec3{1, 0, 0}, 1, 2, true}, // along a face
		{geom.Vec3{-1, 1.5, 0.5}, geom.Vec3{1, 0, 0}, 0, 0, false},
		{geom.Vec3{0.5, 0.5, 0.5}, geom.Vec3{}, 0, 0, false}, // nowhere to
	} {
		enter, leave, ok := h.Ray(geom.Ray{Origin: k.o, Dir: k.d})
		if ok != k.ok || ok && (enter != k.enter || leave != k.leave) {
			t.Errorf("from %v along %v: %v %v %v", k.o, k.d, enter, leave, ok)
		}
	}
}

func TestCrossesPolygon(t *testing.T) {
	h := box(t, 0, 0, 0, 1, 1, 1)
	quad := func(x, y0, y1, z0, z1 float64) []geom.Vec3 {
		return []geom.Vec3{{x, y0, z0}, {x, y1, z0}, {x, y1, z1}, {x, y0, z1}}
	}
	for _, k := range []struct {
		name   string
		points []geom.Vec3
		want   bool
	}{
		{"through the middle", quad(0.5, -1, 2, -1, 2), true},
		{"wholly inside", quad(0.5, 0.2, 0.8, 0.2, 0.8), true},
		{"on a face", quad(1, 0.2, 0.8, 0.2, 0.8), false},
		{"a millimetre behind a face", quad(0.999, 0.2, 0.8, 0.2, 0.8), true},
		{"beside it", quad(0.5, 1, 2, 0, 1), false},
		{"through an edge", []geom.Vec3{{-1, 1.5, 0.5}, {1.5, -1, 0.5}, {1.5, 1.5, 0.5}}, true},
		{"past an edge", []geom.Vec3{{1.6, 0.5, 0}, {0.5, 1.6, 0}, {1.6, 1.6, 1}}, false},
		{"a corner in it", []geom.Vec3{{0.9, 0.5, 0.5}, {2, 0, 0}, {2, 1, 1}}, true},
		{"none", nil, false},
	} {
		if got := h.CrossesPolygon(k.points); got != k.want {
			t.Errorf("%s: %v", k.name, got)
		}
	}
}

func TestEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rock(t, "h")
		edges := h.AppendEdges(nil)
		if len(h.Vertices)-len(edges)+len(h.Faces) != 2 {
			t.Fatalf("%d vertices, %d edges, %d faces", len(h.Vertices), len(edges), len(h.Faces))
		}
		for _, e := range edges {
			mid := h.Vertices[e.From].Add(h.Vertices[e.To]).Mul(0.5)
			for _, f := range []int32{e.Left, e.Right} {
				if d := h.Planes[f].Distance(mid); math.Abs(d) > h.Tolerance() {
					t.Fatalf("edge %v is %g off its face", e, d)
				}
			}
			if e.From >= e.To || e.Left == e.Right {
				t.Fatalf("edge %v", e)
			}
		}
	})
}

func TestNearestFace(t *testing.T) {
	h := box(t, 0, 0, 0, 1, 1, 1)
	for i, p := range h.Planes {
		if got := h.NearestFace(geom.Vec3{0.5, 0.5, 0.5}.Add(p.N.Mul(3))); got != i {
			t.Errorf("before face %d: %d", i, got)
		}
	}
	if v, c := h.Volume(), h.Center(); v != 1 || c.Sub(geom.Vec3{0.5, 0.5, 0.5}).Len() > 1e-15 || h.Area() != 6 {
		t.Errorf("volume %v, center %v, area %v", v, c, h.Area())
	}
}
