package collide

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// A world that bodies came to, moved in and left answers as one built anew.
func TestChangesEqualAnewWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		m := soup(r, 12, 1)
		some := func() Body {
			return Body{ID: r.Uint64(), Mesh: m, Kind: Kind(r.IntN(3)), Radius: r.Float64(), World: placement(r, vec(r, 20), r.IntN(2) == 0)}
		}
		w := newWorldT(t, nil, some(), some())
		for range rapid.IntRange(1, 40).Draw(t, "changes") {
			i := r.IntN(len(w.bodies))
			switch r.IntN(3) {
			case 0:
				b := some()
				j, err := w.Add(b)
				if err != nil || w.Body(j) != b {
					t.Fatalf("added %v: %v", w.Body(j), err)
				}
			case 1:
				if has := w.Has(i); (w.Set(i, some()) == nil) != has {
					t.Fatalf("body %d, there %v", i, has)
				}
			case 2:
				if has := w.Has(i); w.Remove(i) != has || w.Has(i) {
					t.Fatalf("removed body %d, there %v", i, has)
				}
			}
		}
		var left []Body
		for i := range w.bodies {
			if w.Has(i) {
				left = append(left, w.Body(i))
			}
		}
		o := newWorldT(t, nil, left...)
		if w.Bounds() != o.Bounds() {
			t.Fatalf("bounds %v, anew %v", w.Bounds(), o.Bounds())
		}
		for range 40 {
			ray := rayTo(vec(r, 25), vec(r, 1))
			a, okA := w.Nearest(ray, math.Inf(1), nil)
			b, okB := o.Nearest(ray, math.Inf(1), nil)
			if a.Body, b.Body = 0, 0; okA != okB || a != b {
				t.Fatalf("%v %v, anew %v %v", a, okA, b, okB)
			}
		}
	})
}

func TestBadBodiesChangeNothing(t *testing.T) {
	bad := map[string]Body{
		"not a number": {World: mgl64.Mat4{0: math.NaN(), 15: 1}},
		"infinite":     {World: mgl64.Translate3D(math.Inf(1), 0, 0)},
		"too far":      {World: mgl64.Translate3D(2e10, 0, 0)},
		"perspective":  {World: mgl64.Perspective(1, 1, 1, 10)},
		"kind":         {Kind: 7},
		"radius":       {Radius: -1},
	}
	w := newWorld(t, nil, Body{ID: 3, Kind: KindSphere, Radius: 1})
	for name, b := range bad {
		if _, err := NewWorld(nil, []Body{{}, b}); err == nil {
			t.Errorf("%s: taken", name)
		}
		if _, err := w.Add(b); err == nil {
			t.Errorf("%s: added", name)
		}
		if err := w.Set(0, b); err == nil || w.Body(0).ID != 3 {
			t.Errorf("%s: set", name)
		}
	}
	if w.Has(1) || w.Has(-1) || w.Remove(5) || w.Set(9, Body{}) == nil {
		t.Error("there is a body that nobody added")
	}
}

// A body that is scaled to nothing is not met, and does no harm.
func TestFlatBodiesAreNotMet(t *testing.T) {
	m := meshOf(boxTris(Vec3{-1, -1, -1}, Vec3{1, 1, 1})...)
	w := newWorld(t, nil, Body{Mesh: m, World: mgl64.Scale3D(1, 0, 1)}, Body{Mesh: m, World: mgl64.Scale3D(0, 0, 0)}, Body{Mesh: meshOf()}, Body{})
	if h, ok := w.Nearest(rayTo(Vec3{0, 5, 0}, Vec3{0, -1, 0}), 100, &Filter{Exact: true}); ok {
		t.Errorf("%v", h)
	}
	var s Slider
	if m := s.Slide(w, Sphere(Vec3{0, 5, 0}, 1), Vec3{0, -10, 0}); m.Moved != (Vec3{0, -10, 0}) {
		t.Errorf("%v", m)
	}
}

func TestBalls(t *testing.T) {
	m := meshOf(boxTris(Vec3{0, 0, 0}, Vec3{2, 2, 2})...)
	w := newWorld(t, nil,
		Body{Mesh: m, Kind: KindSphere, World: mgl64.Translate3D(10, 0, 0).Mul4(mgl64.Scale3D(1, -3, 1)), Radius: 0.5},
		Body{Mesh: m, Kind: KindSphere, World: mgl64.Translate3D(0, 20, 0)},
	)
	if b := w.BallOf(0); b.Center.Sub(Vec3{11, -3, 1}).Len() > 1e-9 || math.Abs(b.Radius-1.5) > 1e-9 {
		t.Errorf("%v", b)
	}
	if b := w.BallOf(1); b.Center.Sub(Vec3{1, 21, 1}).Len() > 1e-9 || math.Abs(b.Radius-math.Sqrt(3)) > 1e-9 {
		t.Errorf("%v", b)
	}
}

func TestPairsAndPushingAgainstEverything(t *testing.T) {
	pairs, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		r := random(rapid.Uint64().Draw(t, "seed"))
		var bodies []Body
		for range 25 {
			c := vec(r, 6)
			bodies = append(bodies, Body{Kind: KindSphere, Radius: 2 * r.Float64(), World: mgl64.Translate3D(c[0], c[1], c[2])})
		}
		bodies[3].Kind, bodies[4].Kind, bodies[5].Radius = KindNone, KindMesh, 0
		w := newWorldT(t, nil, bodies...)
		got, _ := w.AppendPairs(nil, nil)
		var want []Pair
		for i := range bodies {
			for j := range i {
				if bodies[i].Kind != KindSphere || bodies[j].Kind != KindSphere {
					continue
				}
				gap := w.BallOf(i).Center.Sub(w.BallOf(j).Center).Len() - w.BallOf(i).Radius - w.BallOf(j).Radius
				if gap < 0 && w.BallOf(i).Radius > 0 && w.BallOf(j).Radius > 0 {
					want = append(want, Pair{A: j, B: i})
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d pairs, expected %d", len(got), len(want))
		}
		pairs += len(got)
		for _, p := range got {
			a, b := w.BallOf(p.A), w.BallOf(p.B)
			a.Center = a.Center.Add(p.Way)
			if math.Abs(a.Center.Sub(b.Center).Len()-a.Radius-b.Radius) > 1e-9 || p.A >= p.B {
				t.Fatalf("pair %v", p)
			}
		}
		s := geom.Sphere{Center: vec(r, 6), Radius: 0.1 + r.Float64()}
		way, ok, _ := w.PushApart(s, nil)
		if !ok {
			return
		}
		s.Center = s.Center.Add(way)
		for i := range bodies {
			if b := w.BallOf(i); bodies[i].Kind == KindSphere && b.Radius > 0 && s.Center.Sub(b.Center).Len() < s.Radius+b.Radius-1e-9 {
				t.Fatalf("pushed by %v it is in ball %d", way, i)
			}
		}
	})
	if pairs < 2*runs {
		t.Errorf("only %d pairs in %d worlds", pairs, runs)
	}
	if way, ok := Overlap(geom.Sphere{Radius: 1}, geom.Sphere{Radius: 1}); !ok || way != (Vec3{0, 2, 0}) {
		t.Errorf("two at one place: %v %v", way, ok)
	}
	if _, ok := Overlap(geom.Sphere{Radius: 1}, geom.Sphere{Center: Vec3{2, 0, 0}, Radius: 1}); ok {
		t.Error("spheres that touch overlap")
	}
}
