package hull

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// model is a mesh made of hulls' surfaces.
type model struct {
	positions []mgl32.Vec3
	indices   []uint32
}

// add adds the surface of a hull without some faces, inside out if asked.
func (m *model) add(h *Hull, flip bool, without ...geom.Vec3) {
	first := uint32(len(m.positions))
	for _, v := range h.Vertices {
		m.positions = append(m.positions, mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])})
	}
	for i, face := range h.Faces {
		skip := false
		for _, n := range without {
			skip = skip || h.Planes[i].N.Dot(n) > 0.99
		}
		if skip {
			continue
		}
		for k := 2; k < len(face); k++ {
			a, b, c := uint32(face[0]), uint32(face[k-1]), uint32(face[k])
			if flip {
				b, c = c, b
			}
			m.indices = append(m.indices, first+a, first+b, first+c)
		}
	}
}

func (m *model) solid() Mesh {
	return Mesh{Tree: nodetree.BuildTriangles(m.positions, m.indices, nodetree.Options{}), Positions: m.positions, Indices: m.indices}
}

// house is four walls, 0.2 m thick, with a floor and a roof, 10 by 6 by 8 m, and a door
// of some width in a wall.
func house(t *testing.T, door float64) *model {
	m := new(model)
	m.add(box(t, 0, 0, 0, 10, 0.2, 8), false)
	m.add(box(t, 0, 5.8, 0, 10, 6, 8), false)
	m.add(box(t, 0, 0.2, 0, 0.2, 5.8, 8), false)
	m.add(box(t, 9.8, 0.2, 0, 10, 5.8, 8), false)
	m.add(box(t, 0.2, 0.2, 0, 9.8, 5.8, 0.2), false)
	if door == 0 {
		m.add(box(t, 0.2, 0.2, 7.8, 9.8, 5.8, 8), false)
		return m
	}
	m.add(box(t, 0.2, 0.2, 7.8, 5, 5.8, 8), false)
	m.add(box(t, 5+door, 0.2, 7.8, 9.8, 5.8, 8), false)
	m.add(box(t, 5, 2.2, 7.8, 5+door, 5.8, 8), false)
	return m
}

func TestCheckSolid(t *testing.T) {
	cube := box(t, 0, 0, 0, 2, 2, 2)
	rock, err := Of(benchPointsOwn("sphere", 300))
	if err != nil {
		t.Fatal(err)
	}
	less := func(h *Hull, d float64) *Hull {
		s, err := h.Shrink(d)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	within := func(h *Hull, n int) *Hull {
		s, err := h.Within(n)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	of := func(h *Hull, flip bool, without ...geom.Vec3) *model {
		m := new(model)
		m.add(h, flip, without...)
		return m
	}
	both := of(cube, false)
	both.add(cube, true)
	two := of(box(t, 0, 0, 0, 10, 2, 2), false)
	two.add(box(t, 4, -4, 0, 6, 4, 2), false)
	room := box(t, 0.3, 0.3, 0.3, 9.7, 5.7, 7.7)
	for _, k := range []struct {
		name                   string
		h                      *Hull
		mesh                   *model
		inside, crosses, leaks bool
	}{
		{"a box in itself", cube, of(cube, false), true, false, false},
		{"a box in itself, inside out", cube, of(cube, true), false, false, false},
		{"a box in itself, of two sides", cube, both, true, false, false},
		{"smaller", less(cube, 0.1), of(cube, false), true, false, false},
		{"larger by a millimetre", box(t, -0.001, 0, 0, 2, 2, 2), of(cube, false), true, true, true},
		{"beside it", box(t, 3, 0, 0, 4, 1, 1), of(cube, false), false, false, true},
		{"a rock's own hull", rock, of(rock, false), true, false, false},
		{"a rock's inner hull", within(rock, 12), of(rock, false), true, false, false},
		{"a box without a lid", less(cube, 0.1), of(cube, false, geom.Vec3{0, 1, 0}), false, false, true},
		{"a part of two boxes in each other", box(t, 0, 0, 0, 3.9, 2, 2), two, true, false, false},
		{"the hull of a house", box(t, 0, 0, 0, 10, 6, 8), house(t, 1), false, true, true},
		{"the hull of a house with a wide door", box(t, 0, 0, 0, 10, 6, 8), house(t, 3), false, true, true},
		{"a house's room", room, house(t, 1), false, false, true},
		{"a house's room behind a gap of 2 cm", room, house(t, 0.02), false, false, false},
		{"a closed house's room", room, house(t, 0), false, false, false},
		{"a wall", box(t, 0, 0.2, 0, 0.2, 5.8, 8), house(t, 1), true, false, false},
	} {
		r, err := CheckSolid(context.Background(), k.h, k.mesh.solid())
		if err != nil {
			t.Fatal(err)
		}
		if r.Inside != k.inside || len(r.Crossing) > 0 != k.crosses || len(r.Leaks) > 0 != k.leaks {
			t.Errorf("%s: inside %v, %d crossing, %d leaks of %d rays", k.name, r.Inside, len(r.Crossing), len(r.Leaks), r.Rays)
		}
		if want := k.inside && !k.crosses && !k.leaks; r.Safe() != want {
			t.Errorf("%s: safe %v, expected %v", k.name, r.Safe(), want)
		}
		for _, p := range r.Leaks {
			if d := k.h.Distance(p); math.Abs(d) > 1e-9 {
				t.Errorf("%s: leak at %v, %g off the hull", k.name, p, d)
			}
		}
	}
}

// Where the light leaks in is where the door is.
func TestLeaksAreWhereTheDoorIs(t *testing.T) {
	h := box(t, 0.3, 0.3, 0.3, 9.7, 5.7, 7.7)
	r, err := CheckSolid(context.Background(), h, house(t, 1).solid())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Leaks) == 0 {
		t.Fatal("none")
	}
	for _, p := range r.Leaks {
		if p[2] < 6 || math.Abs(p[0]-5.5) > 3 {
			t.Errorf("leak at %v", p)
		}
	}
}

// The rule itself: rays from outside meet the mesh at or before a hull that is safe.
func TestSafeHullsAreMetBehindTheMesh(t *testing.T) {
	rock, err := Of(benchPointsOwn("sphere", 200))
	if err != nil {
		t.Fatal(err)
	}
	m := new(model)
	m.add(rock, false)
	mesh := m.solid()
	inner, err := rock.Within(20)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := CheckSolid(context.Background(), inner, mesh); err != nil || !r.Safe() {
		t.Fatal(r, err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	met := 0
	for range 5000 {
		v := func() geom.Vec3 { return geom.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
		ray := geom.Ray{Origin: v().Normalize().Mul(3)}
		ray.Dir = v().Mul(0.4).Sub(ray.Origin)
		enter, _, ok := inner.Ray(ray)
		if !ok {
			continue
		}
		met++
		if hit, ok := mesh.Nearest(ray, math.Inf(1), nil); !ok || hit.T > enter+1e-6 {
			t.Fatalf("the hull at %v, the mesh at %v (%v)", enter, hit.T, ok)
		}
	}
	if met < 1000 {
		t.Errorf("only %d rays met the hull", met)
	}
}

func TestCheckSolidLeavesOutWhatIsSeenThrough(t *testing.T) {
	cube := box(t, 0, 0, 0, 2, 2, 2)
	m := new(model)
	m.add(cube, false)
	mesh := m.solid()
	mesh.Opaque = func(triangle int) bool { return triangle != 0 }
	r, err := CheckSolid(context.Background(), cube, mesh)
	if err != nil || r.Safe() || len(r.Leaks) == 0 {
		t.Errorf("%v %v", r, err)
	}
}

func TestCheckSolidCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := new(model)
	m.add(box(t, 0, 0, 0, 2, 2, 2), false)
	if _, err := CheckSolid(ctx, box(t, 0, 0, 0, 1, 1, 1), m.solid()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
