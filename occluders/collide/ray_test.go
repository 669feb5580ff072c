package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

func rayTo(p, d Vec3) geom.Ray { return geom.Ray{Origin: p, Dir: d} }

// hills is a rough ground around a place, with holes.
func hills(r *rand.Rand, at Vec3, n int) slope {
	h := make([]float64, (n+1)*(n+1))
	for i := range h {
		h[i] = at[1] + r.Float64()*3
	}
	holes := make([]bool, n*n)
	for i := range holes {
		holes[i] = r.IntN(6) == 0
	}
	return slope{at[0] - float64(n)/2, at[2] - float64(n)/2, n, 1,
		func(c, r int) float64 { return h[r*(n+1)+c] },
		func(c, r int) bool { return holes[r*n+c] }}
}

// scene is a random world around at.
func scene(t *rapid.T, r *rand.Rand, at Vec3) *World {
	var bodies []Body
	m := soup(r, 30, 2)
	for i := range 6 {
		bodies = append(bodies, Body{ID: uint64(i + 10), Mesh: m, Kind: Kind(r.IntN(3)), Radius: r.Float64() * 2,
			World: placement(r, at.Add(vec(r, 4)), r.IntN(2) == 0)})
	}
	var g Ground
	if r.IntN(2) == 0 {
		g = hills(r, at, 8)
	}
	return newWorldT(t, g, bodies...)
}

// meets is the brute-force answer: all places, in lengths of its direction, in which
// a ray meets something, with the outward normal.
func meets(w *World, ray geom.Ray, exact, ground bool) (out []Hit) {
	add := func(ts []tri, body int, flip float64) {
		for i, t := range ts {
			n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0])).Normalize().Mul(flip)
			dn := ray.Dir.Dot(n)
			d := n.Dot(t[0].Sub(ray.Origin)) / dn
			if dn == 0 || d < 0 || t.pointDistance(ray.At(d)) > 1e-9*(1+d*ray.Dir.Len()+ray.Origin.Len()*1e-3) {
				continue
			}
			out = append(out, Hit{T: d, Normal: n, Body: body, Triangle: i})
		}
	}
	for i := range w.bodies {
		if !w.Has(i) {
			continue
		}
		b := w.Body(i)
		switch {
		case exact || b.Kind == KindMesh:
			add(bodyTris(b), i, math.Copysign(1, b.World.Mat3().Det()))
		case b.Kind == KindSphere:
			s := w.BallOf(i)
			d := ray.Dir.Normalize()
			m := ray.Origin.Sub(s.Center)
			p, q := m.Dot(d), m.Dot(m)-s.Radius*s.Radius
			if h := p*p - q; h >= 0 {
				for _, l := range []float64{-p - math.Sqrt(h), -p + math.Sqrt(h)} {
					if l >= 0 {
						at := l / ray.Dir.Len()
						out = append(out, Hit{T: at, Normal: ray.At(at).Sub(s.Center).Normalize(), Body: i, Triangle: -1})
					}
				}
			}
		}
	}
	if ground && w.Ground() != nil {
		var ts []tri
		for _, t := range w.Ground().AppendTriangles(nil, w.Ground().Bounds()) {
			ts = append(ts, tri(t.P))
		}
		add(ts, OnGround, 1)
	}
	return out
}

func TestRaysAgainstEverything(t *testing.T) {
	rays, hits := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		at := Vec3{}
		if r.IntN(2) == 0 {
			at = Vec3{100_000, 50, -100_000}
		}
		w := scene(t, r, at)
		ts := all(w)
		for range 30 {
			ray := rayTo(at.Add(vec(r, 8)), vec(r, 3))
			if len(ts) > 0 && r.IntN(4) > 0 { // aim at something
				to := ts[r.IntN(len(ts))]
				p := to[0].Add(to[1].Sub(to[0]).Mul(r.Float64() / 2)).Add(to[2].Sub(to[0]).Mul(r.Float64() / 2))
				ray.Dir = p.Sub(ray.Origin).Mul(0.2 + r.Float64())
			}
			tMax := math.Inf(1)
			if r.IntN(2) == 0 {
				tMax = r.Float64() * 4
			}
			f := &Filter{Exact: r.IntN(3) == 0, NoGround: r.IntN(3) == 0}
			rays++
			var want Hit
			found := false
			second := math.Inf(1)
			for _, h := range meets(w, ray, f.Exact, !f.NoGround) {
				if math.Abs(h.T-tMax) < 1e-6 {
					found, want.T = false, math.NaN() // undecided
					break
				}
				if h.T <= tMax && (!found || h.T < want.T) {
					if found {
						second = min(second, want.T)
					}
					want, found = h, true
				} else {
					second = min(second, h.T)
				}
			}
			if want.T != want.T {
				continue
			}
			got, ok := w.Nearest(ray, tMax, f)
			if any := w.Any(ray, tMax, f); any != ok {
				t.Fatalf("any %v, nearest %v", any, ok)
			}
			if tMax == 1 || tMax > 1e300 {
				seg, okSeg := w.NearestBetween(ray.Origin, ray.At(1), f)
				if okSeg != (ok && got.T <= 1) && math.Abs(got.T-1) > 1e-6 || okSeg && math.Abs(seg.T-got.T) > 1e-6 {
					t.Fatalf("segment %v %v, ray %v %v", seg, okSeg, got, ok)
				}
				if w.AnyBetween(ray.Origin, ray.At(1), f) != okSeg {
					t.Fatal("any and nearest of a segment differ")
				}
			}
			if ok != found {
				t.Fatalf("ray %v to %v: %v %v, expected %v %v", ray, tMax, got, ok, want, found)
			}
			if !ok {
				if got != (Hit{}) {
					t.Fatalf("a miss gives %v", got)
				}
				continue
			}
			hits++
			if math.Abs(got.T-want.T) > 1e-7 {
				t.Fatalf("hit at %v, expected %v", got, want)
			}
			if second-want.T < 1e-6 {
				continue // either will do
			}
			if got.Body != want.Body || got.Normal.Sub(want.Normal).Len() > 1e-4 {
				t.Fatalf("hit %+v, expected %+v", got, want)
			}
			checkHit(t, w, ray, got)
		}
	})
	if hits*3 < rays {
		t.Errorf("only %d of %d rays hit", hits, rays)
	}
}

// checkHit checks that the numbers of a hit agree.
func checkHit(t *rapid.T, w *World, ray geom.Ray, h Hit) {
	if math.Abs(h.Distance-h.Point.Sub(ray.Origin).Len()) > 1e-6 {
		t.Fatalf("distance of %+v", h)
	}
	if h.Triangle < 0 {
		return
	}
	var c tri
	if h.Body == OnGround {
		for _, g := range w.Ground().AppendTriangles(nil, w.Ground().Bounds()) {
			if g.Triangle == h.Triangle {
				c = tri(g.P)
			}
		}
	} else {
		c = bodyTris(w.Body(h.Body))[h.Triangle]
		if h.ID != w.Body(h.Body).ID {
			t.Fatalf("id %d", h.ID)
		}
	}
	p := c[0].Add(c[1].Sub(c[0]).Mul(h.U)).Add(c[2].Sub(c[0]).Mul(h.V))
	if p.Sub(h.Point).Len() > 1e-5 {
		t.Fatalf("u, v of %+v give %v", h, p)
	}
}

func TestHeightsAgainstEverything(t *testing.T) {
	found, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		r := random(rapid.Uint64().Draw(t, "seed"))
		at := Vec3{}
		if r.IntN(2) == 0 {
			at = Vec3{-100_000, 50, 100_000}
		}
		w := scene(t, r, at)
		for range 20 {
			p := at.Add(vec(r, 5))
			below, above := math.Inf(-1), math.Inf(1)
			for _, h := range meets(w, rayTo(p, Vec3{0, -1, 0}), false, true) {
				below = max(below, p[1]-h.T)
			}
			for _, h := range meets(w, rayTo(p, Vec3{0, 1, 0}), false, true) {
				above = min(above, p[1]+h.T)
			}
			check := func(what string, y float64, ok bool, want float64) {
				if ok == math.IsInf(want, 0) || ok && math.Abs(y-want) > 1e-6 {
					t.Fatalf("%s %v: %v %v, expected %v", what, p, y, ok, want)
				}
				if !ok && y != 0 {
					t.Fatalf("%s %v: nothing there, but a height of %v", what, p, y)
				}
				if ok {
					found++
				}
			}
			y, ok := w.HeightBelow(p, nil)
			check("below", y, ok, below)
			y, ok = w.HeightAbove(p, nil)
			check("above", y, ok, above)
			closest := below
			if above-p[1] < p[1]-below {
				closest = above
			}
			y, ok = w.HeightClosest(p, nil)
			check("closest to", y, ok, closest)
		}
	})
	if found < 5*runs {
		t.Errorf("only %d heights in %d worlds", found, runs)
	}
}

// A point on a surface finds it above and below.
func TestHeightsAtASurface(t *testing.T) {
	w := newWorld(t, slope{0, 0, 4, 1, func(c, r int) float64 { return 0.1 * float64(c) }, nil},
		Body{Mesh: meshOf(boxTris(Vec3{1, 2, 1}, Vec3{2, 3, 2})...)})
	for _, y := range []float64{0.13, 2, 3} {
		p := Vec3{1.3, y, 1.6}
		for name, f := range map[string]func(Vec3, *Filter) (float64, bool){
			"above": w.HeightAbove, "below": w.HeightBelow, "closest": w.HeightClosest,
		} {
			if got, ok := f(p, nil); !ok || math.Abs(got-y) > 1e-9 {
				t.Errorf("%s at %v: %v %v", name, y, got, ok)
			}
		}
	}
	for name, f := range map[string]func(Vec3, *Filter) (float64, bool){
		"above": w.HeightAbove, "below": w.HeightBelow, "closest": w.HeightClosest,
	} {
		if got, ok := f(Vec3{-1, 0, 0}, nil); ok || got != 0 {
			t.Errorf("%s beside everything: %v", name, got)
		}
	}
	if y, ok := w.HeightBelow(Vec3{1.3, 9, 1.6}, &Filter{NoBodies: true}); !ok || math.Abs(y-0.13) > 1e-9 {
		t.Errorf("ground alone: %v %v", y, ok)
	}
}

func TestNormalsOfMirroredBodiesFaceOutwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		at := vec(r, 10)
		w := newWorldT(t, nil, Body{Mesh: meshOf(boxTris(Vec3{-1, -1, -1}, Vec3{1, 1, 1})...), World: placement(r, at, rapid.Bool().Draw(t, "mirror"))})
		d := vec(r, 1)
		for _, ray := range []geom.Ray{rayTo(at, d), rayTo(at.Add(d.Mul(50/d.Len())), d.Mul(-1))} {
			h, ok := w.Nearest(ray, math.Inf(1), nil)
			if !ok || h.Normal.Dot(h.Point.Sub(at)) <= 0 || math.Abs(h.Normal.Len()-1) > 1e-9 {
				t.Fatalf("%v: %+v", ok, h)
			}
		}
	})
}

func TestFilters(t *testing.T) {
	box := meshOf(boxTris(Vec3{-1, -1, -1}, Vec3{1, 1, 1})...)
	at := func(z float64) mgl64.Mat4 { return mgl64.Translate3D(0, 0, z) }
	w := newWorld(t, nil,
		Body{ID: 1, Mesh: box, World: at(10)},
		Body{ID: 2, Mesh: box, World: at(20), Kind: KindNone},
		Body{ID: 3, Mesh: box, World: at(30), Kind: KindSphere, Radius: 0.5},
	)
	ray := rayTo(Vec3{}, Vec3{0, 0, 1})
	not := func(ids ...uint64) func(Hit) bool {
		return func(h Hit) bool {
			if h.Point[2] != h.T || h.Distance != h.T || h.Normal.Len() < 0.9 {
				t.Errorf("asked about %+v", h)
			}
			for _, id := range ids {
				if h.ID == id {
					return false
				}
			}
			return true
		}
	}
	for _, k := range []struct {
		f    Filter
		want float64
	}{
		{Filter{}, 9},
		{Filter{Accept: not(1)}, 29.5},
		{Filter{Accept: not(1), Exact: true}, 19},
		{Filter{Accept: not(1, 2), Exact: true}, 29},
		{Filter{Accept: not(1, 2, 3)}, 0},
		{Filter{Accept: func(h Hit) bool { return h.T > 10 }}, 11},
		{Filter{NoBodies: true}, 0},
	} {
		h, ok := w.Nearest(ray, math.Inf(1), &k.f)
		if ok != (k.want > 0) || math.Abs(h.T-k.want) > 1e-9 {
			t.Errorf("%+v: %v %v, expected %v", k.f, h, ok, k.want)
		}
		if w.Any(ray, math.Inf(1), &k.f) != ok {
			t.Errorf("%+v: any differs", k.f)
		}
	}
}

func TestBadRaysMeetNothing(t *testing.T) {
	w := newWorld(t, nil, Body{Kind: KindSphere, Radius: 1, Mesh: meshOf(boxTris(Vec3{-1, -1, -1}, Vec3{1, 1, 1})...)})
	nan, inf := math.NaN(), math.Inf(1)
	for _, r := range []geom.Ray{
		{}, {Dir: Vec3{nan, 0, 0}}, {Dir: Vec3{inf, 0, 0}}, {Origin: Vec3{nan, 0, 0}, Dir: Vec3{1, 0, 0}},
		{Origin: Vec3{inf, 0, 0}, Dir: Vec3{1, 0, 0}},
	} {
		if h, ok := w.Nearest(r, inf, nil); ok || w.Any(r, inf, nil) {
			t.Errorf("%v meets %v", r, h)
		}
	}
	if _, ok := w.Nearest(rayTo(Vec3{0, 0, 5}, Vec3{0, 0, -1}), nan, nil); ok {
		t.Error("NaN is no distance")
	}
	if _, ok := w.HeightBelow(Vec3{0, nan, 0}, nil); ok {
		t.Error("NaN is no place")
	}
}
