package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// capsuleAt is a capsule of a random size and direction; every third a sphere.
func capsuleAt(r *rand.Rand, p Vec3) Capsule {
	c := Capsule{p, p, 0.05 + r.Float64()}
	if r.IntN(3) > 0 {
		c.B = p.Add(vec(r, 1.5))
	}
	return c
}

func TestDistanceToATriangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		for range 50 {
			tr := tri{vec(r, 1), vec(r, 1), vec(r, 1)}
			switch r.IntN(4) {
			case 0: // a sliver
				tr[2] = tr[0].Add(tr[1].Sub(tr[0]).Mul(r.Float64())).Add(vec(r, 0.01))
			case 1: // upright
				tr[1] = tr[0].Add(Vec3{0, r.Float64(), 0})
			}
			p := vec(r, 2)
			q := p.Add(vec(r, 2))
			switch r.IntN(3) {
			case 0:
				q = p.Add(Vec3{0, r.Float64(), 0})
			case 1: // along an edge
				q = p.Add(tr[1].Sub(tr[0]).Mul(r.Float64()))
			}
			pc := piece{a: tr[0], b: tr[1], c: tr[2], n: tr.normal()}
			got := pc.closestTo(p, q)
			want := tr.distance(p, q)
			// Where the segment pierces the triangle the distance is 0 or less.
			if math.Abs(max(got.d, 0)-want) > 1e-6 {
				t.Fatalf("distance of %v–%v to %v is %v, expected %v", p, q, tr, got.d, want)
			}
			if math.Abs(got.n.Len()-1) > 1e-9 {
				t.Fatalf("normal %v", got.n)
			}
			if got.d <= 0 {
				out := got.n.Mul(1e-6 - got.d)
				if tr.distance(p.Add(out), q.Add(out)) < 1e-7 {
					t.Fatalf("moving by %v does not leave the triangle", out)
				}
				continue
			}
			if got.d > 1e-3 {
				if at := tr.pointDistance(got.at); at > 1e-9 {
					t.Fatalf("the nearest point is %v off the triangle", at)
				}
				on := got.at.Add(got.n.Mul(got.d))
				if nearestOnSegment(on, p, q).Sub(on).Len() > 1e-9 {
					t.Fatalf("the nearest point of the segment is %v, not on it", on)
				}
			}
		}
	})
}

// A shape that begins clear of everything never touches anything, however it is pushed
// about; at the origin and 100 km away.
func TestSlidingNeverPenetrates(t *testing.T) {
	moved, stopped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		at := Vec3{}
		if rapid.Bool().Draw(t, "far") {
			at = Vec3{100_000, 300, -100_000}
		}
		w := newWorldT(t, nil,
			Body{Mesh: soup(r, 60, 6), World: placement(r, at, false)},
			Body{Mesh: soup(r, 60, 3), World: placement(r, at.Add(vec(r, 3)), true)},
		)
		ts := all(w)
		var s Slider
		c := capsuleAt(r, at.Add(vec(r, 8)))
		if clearance(ts, c) < Skin {
			return
		}
		for range 30 {
			d := vec(r, math.Pow(10, 3*r.Float64()-2))
			if d.Len() > 12 {
				d = d.Mul(12 / d.Len())
			}
			if r.IntN(4) == 0 { // back to the middle
				d = at.Sub(c.A)
			}
			m := s.Slide(w, c, d)
			if len(m.Contacts) > 0 {
				stopped++
			}
			moved++
			c = c.move(m.Moved)
			if gap := clearance(ts, c); gap < Skin/4 {
				t.Fatalf("after a slide by %v the gap is %v", d, gap)
			}
			if m.Moved.Len() > d.Len()*(1+1e-9) {
				t.Fatalf("a push of %v moved it by %v", d, m.Moved)
			}
		}
	})
	if stopped*4 < moved {
		t.Errorf("only %d of %d slides touched anything", stopped, moved)
	}
}

func newWorldT(t *rapid.T, g Ground, bodies ...Body) *World {
	w, err := NewWorld(g, bodies)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Nothing leaves a closed room whose walls are single triangles, at any speed.
func TestNothingTunnels(t *testing.T) {
	for _, far := range []Vec3{{}, {100_000, -50, 100_000}} {
		room := newWorld(t, nil, Body{Mesh: meshOf(boxTris(Vec3{-5, -2, -4}, Vec3{5, 2, 4})...), World: placement(random(4), far, true)})
		ts := all(room)
		r := random(3)
		var s Slider
		c := Capsule{far.Sub(Vec3{0, 0.2, 0}), far.Add(Vec3{0, 0.2, 0}), 0.2}
		touched := 0
		for range 2000 {
			d := vec(r, math.Pow(10, 4*r.Float64()-1)) // up to 1000 m in one go
			m := s.Slide(room, c, d)
			c = c.move(m.Moved)
			touched += len(m.Contacts)
			if gap := clearance(ts, c); gap < Skin/4 {
				t.Fatalf("gap %v", gap)
			}
			if _, ok := room.Nearest(rayTo(c.A, Vec3{1, 0.1, 0.2}), math.Inf(1), nil); !ok || c.A.Sub(far).Len() > 20 {
				t.Fatalf("it left the room for %v", c.A)
			}
		}
		if touched < 2000 {
			t.Errorf("only %d contacts", touched)
		}
	}
}

func TestSweepIsExact(t *testing.T) {
	w := newWorld(t, nil, Body{Mesh: meshOf(tri{{-50, 0, -50}, {-50, 0, 50}, {50, 0, 0}})})
	var s Slider
	for _, height := range []float64{1, 10, 1000, 100_000} {
		part, c, ok := s.Sweep(w, Sphere(Vec3{0, height, 0}, 0.5), Vec3{0, -2 * height, 0})
		if want := height - 0.5 - Skin; !ok || math.Abs(part*2*height-want) > 1e-6 {
			t.Errorf("from %v m it falls %v (%v), expected %v", height, part*2*height, ok, want)
		}
		if ok && (c.Normal.Sub(Vec3{0, 1, 0}).Len() > 1e-9 || c.Point.Len() > 1e-6) {
			t.Errorf("contact %+v", c)
		}
	}
	if part, _, ok := s.Sweep(w, Sphere(Vec3{0, 2, 0}, 0.5), Vec3{0, -1.4, 0}); ok || part != 1 {
		t.Errorf("a motion that ends before the ground is stopped at %v", part)
	}
}

// Of two triangles in one plane, the far edge of the one that the shape is not over
// does not hold it, even within the gap that is kept.
func TestTheNextTriangleDoesNotHold(t *testing.T) {
	a, b, c, d := Vec3{-9, 0, -9}, Vec3{0, 0, -9}, Vec3{0, 0, 9}, Vec3{-9, 0, 9}
	e, f := Vec3{9, 0, -9}, Vec3{9, 0, 9}
	left, right := []tri{{a, c, b}, {a, d, c}}, []tri{{b, c, e}, {e, c, f}}
	for i, ts := range [][]tri{append(append([]tri{}, left...), right...), append(append([]tri{}, right...), left...)} {
		w := newWorld(t, nil, Body{Mesh: meshOf(ts...)})
		for _, x := range []float64{-0.01, 0.01} {
			for _, gap := range []float64{0.5, 0.55, 0.7, 0.99, 1} {
				var s Slider
				m := s.Slide(w, Sphere(Vec3{x, 0.35 + gap*Skin, 0.5}, 0.35), Vec3{-30 * x, -0.1, 0.1})
				if m.Moved.Sub(Vec3{-30 * x, 0, 0.1}).Len() > 2*Skin {
					t.Errorf("order %d, from %v at %v of the gap it moves %v", i, x, gap, m.Moved)
				}
			}
		}
	}
}

// Along a floor of many triangles, and up a slope, a pushed shape goes on evenly.
func TestSlidingDoesNotJitter(t *testing.T) {
	g := slope{-20, -20, 40, 1, func(c, r int) float64 { return float64(max(c-20, 0)) * 0.5 }, nil}
	w := newWorld(t, g)
	var s Slider
	c := Capsule{Vec3{-10, 0.35 + Skin, 0.3}, Vec3{-10, 1.4, 0.3}, 0.35}
	last := c.A
	for i := range 400 {
		m := s.Slide(w, c, Vec3{0.04, -0.01, 0.005})
		c = c.move(m.Moved)
		step := c.A.Sub(last)
		last = c.A
		if step[0] < 0.015 || step[1] < -1e-3 || step.Len() > 0.042 {
			t.Fatalf("step %d goes %v at %v", i, step, c.A)
		}
	}
}

// Corners and creases stop a shape or lead it along, and it comes out again.
func TestCornersDoNotHold(t *testing.T) {
	for _, angle := range []float64{20, 45, 60, 90, 120, 170} {
		t.Run(fmt.Sprint(angle), func(t *testing.T) {
			a := angle * math.Pi / 360
			far := Vec3{20 * math.Cos(a), 0, 20 * math.Sin(a)}
			other := Vec3{far[0], 0, -far[2]}
			up := Vec3{0, 4, 0}
			w := newWorld(t, nil, Body{Mesh: meshOf(
				tri{{}, far, far.Add(up)}, tri{{}, far.Add(up), up},
				tri{{}, other, other.Add(up)}, tri{{}, other.Add(up), up},
			)})
			ts := all(w)
			var s Slider
			c := Capsule{Vec3{15, 1, 0}, Vec3{15, 2, 0}, 0.35}
			r := random(5)
			for range 300 {
				c = c.move(s.Slide(w, c, Vec3{-0.3, 0, (r.Float64() - 0.5) * 0.4}).Moved)
			}
			deep := 0.35 / math.Sin(a)
			if angle < 179 && (c.A[0] > deep*1.05+0.05 || clearance(ts, c) < Skin/4) {
				t.Errorf("pushed into the corner it stands at %v, expected %v", c.A, deep)
			}
			for range 20 {
				c = c.move(s.Slide(w, c, Vec3{-0.3, 0.02, 0}).Moved)
			}
			if math.Abs(c.A[1]-1.4) > 1e-6 {
				t.Errorf("the crease does not lead up: %v", c.A)
			}
			for range 10 {
				c = c.move(s.Slide(w, c, Vec3{1, 0, 0}).Moved)
			}
			if c.A[0] < 9 {
				t.Errorf("it does not come out: %v", c.A)
			}
		})
	}
}

func TestPushOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		w := newWorldT(t, nil, Body{Mesh: soup(r, 5, 3), World: placement(r, Vec3{}, r.IntN(2) == 0)},
			Body{Kind: KindSphere, Radius: 1, ID: 9})
		ts := all(w)
		c := capsuleAt(r, vec(r, 3))
		var s Slider
		way, ok := s.PushOut(w, c)
		if !ok {
			return
		}
		o := c.move(way)
		if way != (Vec3{}) && clearance(ts, o) < -1e-6 {
			t.Fatalf("pushed out by %v it is %v deep", way, clearance(ts, o))
		}
		if d := nearestOnSegment(Vec3{}, o.A, o.B).Len(); d < 1+c.Radius-1e-6 {
			t.Fatalf("pushed out by %v it is in the ball", way)
		}
		if clearance(ts, c) > Skin && nearestOnSegment(Vec3{}, c.A, c.B).Len() > 1+c.Radius && way != (Vec3{}) {
			t.Fatalf("it was free and was pushed by %v", way)
		}
	})
}

func TestBadMotionsDoNotMove(t *testing.T) {
	w := newWorld(t, nil, Body{Kind: KindSphere, Radius: 1})
	var s Slider
	nan := math.NaN()
	for _, k := range []struct {
		c Capsule
		d Vec3
	}{
		{Sphere(Vec3{nan, 0, 0}, 1), Vec3{1, 0, 0}},
		{Sphere(Vec3{}, nan), Vec3{1, 0, 0}},
		{Sphere(Vec3{}, -1), Vec3{1, 0, 0}},
		{Sphere(Vec3{}, 1e6), Vec3{1, 0, 0}},
		{Capsule{Vec3{}, Vec3{0, 1e6, 0}, 1}, Vec3{1, 0, 0}},
		{Sphere(Vec3{5, 0, 0}, 1), Vec3{math.Inf(1), 0, 0}},
	} {
		if m := s.Slide(w, k.c, k.d); m.Moved != (Vec3{}) || len(m.Contacts) > 0 {
			t.Errorf("%v moves %v", k, m)
		}
		if _, _, ok := s.Sweep(w, k.c, k.d); ok {
			t.Errorf("%v touches", k)
		}
	}
}

func TestLongMotionsAreCut(t *testing.T) {
	w := newWorld(t, nil, Body{Kind: KindSphere, Radius: 1})
	var s Slider
	if m := s.Slide(w, Sphere(Vec3{0, 50, 0}, 30), Vec3{1e100, 0, 0}); math.Abs(m.Moved[0]-MaxMotion) > 1e-3 {
		t.Errorf("moved %v", m.Moved)
	}
	if part, _, ok := s.Sweep(w, Sphere(Vec3{0, 50, 0}, 30), Vec3{0, 1e10, 0}); ok || math.Abs(part-1e-5) > 1e-9 {
		t.Errorf("got %v", part)
	}
}

func TestTheOneThatMovesIsNotInItsWay(t *testing.T) {
	w := newWorld(t, nil, Body{Kind: KindSphere, Radius: 1, ID: 4})
	s := Slider{Ignore: 4}
	if m := s.Slide(w, Sphere(Vec3{}, 1), Vec3{3, 0, 0}); m.Moved != (Vec3{3, 0, 0}) {
		t.Errorf("moved %v", m.Moved)
	}
	s.Ignore = 0
	if m := s.Slide(w, Sphere(Vec3{-3, 0, 0}, 1), Vec3{3, 0, 0}); math.Abs(m.Moved[0]-1+Skin) > 1e-6 {
		t.Errorf("moved %v", m.Moved)
	}
}
