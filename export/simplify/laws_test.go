package simplify

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"pgregory.net/rapid"
)

// ball is a closed bumpy sphere of n rings, whose poles are single vertices.
func ball(n int, r *rand.Rand) Mesh {
	var m Mesh
	at := func(i, k int) mgl32.Vec3 {
		st, ct := math.Sincos(math.Pi * float64(i) / float64(n))
		sp, cp := math.Sincos(2 * math.Pi * float64(k) / float64(2*n))
		d := 1 + 0.05*r.Float64()
		return mgl32.Vec3{float32(d * st * cp), float32(d * ct), float32(d * st * sp)}
	}
	m.Positions = append(m.Positions, at(0, 0))
	for i := 1; i < n; i++ {
		for k := range 2 * n {
			m.Positions = append(m.Positions, at(i, k))
		}
	}
	m.Positions = append(m.Positions, at(n, 0))
	v := func(i, k int) uint32 { return uint32(1 + (i-1)*2*n + k%(2*n)) }
	for k := range 2 * n {
		m.Indices = append(m.Indices, 0, v(1, k+1), v(1, k))
		m.Indices = append(m.Indices, uint32(len(m.Positions)-1), v(n-1, k), v(n-1, k+1))
		for i := 1; i < n-1; i++ {
			m.Indices = append(m.Indices, v(i, k), v(i, k+1), v(i+1, k), v(i+1, k), v(i, k+1), v(i+1, k+1))
		}
	}
	return m
}

// sides counts how often each side from one place to another is there; those of two
// triangles that face each other cancel out.
func sides(m *Mesh, indices []uint32) map[[2]mgl32.Vec3]int {
	open := map[[2]mgl32.Vec3]int{}
	for t := 0; t < len(indices); t += 3 {
		for i := range 3 {
			a, b := m.Positions[indices[t+i]], m.Positions[indices[t+(i+1)%3]]
			if open[[2]mgl32.Vec3{b, a}] > 0 {
				if open[[2]mgl32.Vec3{b, a}]--; open[[2]mgl32.Vec3{b, a}] == 0 {
					delete(open, [2]mgl32.Vec3{b, a})
				}
			} else {
				open[[2]mgl32.Vec3{a, b}]++
			}
		}
	}
	return open
}

// sound fails when a level has triangles without area or vertices that are not there.
func sound(t *rapid.T, m *Mesh, r *Result) {
	if len(r.Indices) != 3*len(r.Triangles) {
		t.Fatalf("%d indices of %d triangles", len(r.Indices), len(r.Triangles))
	}
	for k := 0; k < len(r.Indices); k += 3 {
		a, b, c := m.Positions[r.Indices[k]], m.Positions[r.Indices[k+1]], m.Positions[r.Indices[k+2]]
		if a == b || b == c || c == a || b.Sub(a).Cross(c.Sub(a)).Len() == 0 {
			t.Fatalf("triangle %d has no area: %v %v %v", k/3, a, b, c)
		}
	}
}

var costs = []Cost{Quadric, Melax}

func TestClosedStaysClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := ball(rapid.IntRange(3, 12).Draw(t, "rings"), r)
		s := mustCollapse(t, m, Options{Cost: rapid.SampledFrom(costs).Draw(t, "cost")})
		for range 6 {
			l := s.After(rapid.IntRange(0, s.Len()).Draw(t, "steps"))
			sound(t, &m, &l)
			if open := sides(&m, l.Indices); len(open) > 0 {
				t.Fatalf("%d sides are open after %d steps", len(open), l.Steps)
			}
			used := map[uint32]bool{}
			for _, v := range l.Indices {
				used[v] = true
			}
			if n := len(used) - len(l.Triangles)/2; n != 2 {
				t.Fatalf("the level is no sphere: %d vertices, %d triangles", len(used), len(l.Triangles))
			}
		}
		if l := s.At(Target{}); len(l.Triangles) > 20 {
			t.Fatalf("%d triangles are left of %d", len(l.Triangles), len(m.Indices)/3)
		}
	})
}

func mustCollapse(t *rapid.T, m Mesh, o Options) *Sequence {
	s, err := Collapse(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A seam along a column, or a border between materials, stays one: both sides have the
// same places along it at every level. The outline stays when it is locked.
func TestLinesStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		n := rapid.IntRange(4, 16).Draw(t, "n")
		m := grid(n, func(x, z int) float64 { return r.Float64() })
		column := rapid.IntRange(1, n-2).Draw(t, "column")
		left := func(k int) bool { return k/2%(n-1) < column }
		seam := rapid.Bool().Draw(t, "seam")
		if seam {
			// The right side has vertices of its own along the column.
			own := map[uint32]uint32{}
			for i, v := range m.Indices {
				if !left(i/3) && int(v)%n == column {
					if _, ok := own[v]; !ok {
						own[v] = uint32(len(m.Positions))
						m.Positions = append(m.Positions, m.Positions[v])
					}
					m.Indices[i] = own[v]
				}
			}
		} else {
			m.Materials = make([]uint16, len(m.Indices)/3)
			for k := range m.Materials {
				if left(k) {
					m.Materials[k] = 1
				}
			}
		}
		lock := rapid.Bool().Draw(t, "lock")
		outline := sides(&m, m.Indices)
		s := mustCollapse(t, m, Options{Cost: rapid.SampledFrom(costs).Draw(t, "cost"), LockBorder: lock})
		for range 4 {
			// In the end the outline is a triangle, and a side may be nothing.
			l := s.After(rapid.IntRange(0, s.Steps(Target{Error: 0.6})).Draw(t, "steps"))
			sound(t, &m, &l)
			var parts [2][]uint32
			for i, k := range l.Triangles {
				side := 0
				if left(int(k)) {
					side = 1
				}
				parts[side] = append(parts[side], l.Indices[3*i:3*i+3]...)
			}
			a, b := sides(&m, parts[0]), sides(&m, parts[1])
			shared := 0
			for e := range a {
				if e[0][0] == float32(column) && e[1][0] == float32(column) {
					if shared++; b[[2]mgl32.Vec3{e[1], e[0]}] != 1 {
						t.Fatalf("side %v is on one side alone", e)
					}
				}
			}
			if shared == 0 {
				t.Fatal("the line is gone")
			}
			if lock {
				now := sides(&m, l.Indices)
				for e := range outline {
					if now[e] != 1 {
						t.Fatalf("side %v of the outline is gone", e)
					}
				}
			}
		}
	})
}

// Any number of triangles can be had; counts and errors go one way; maps lead to
// vertices that are there; a level is that of the mesh's triangles by the map.
func TestSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		m := grid(rapid.IntRange(3, 14).Draw(t, "n"), func(x, z int) float64 { return 2 * r.Float64() })
		s := mustCollapse(t, m, Options{})
		last := s.After(0)
		if !slices.Equal(last.Indices, m.Indices) || last.Error != 0 {
			t.Fatal("the level without steps is not the mesh")
		}
		for k := 1; k <= s.Len(); k++ {
			l := s.After(k)
			if len(l.Triangles) >= len(last.Triangles) || l.Error < last.Error {
				t.Fatalf("%d triangles, error %g after %d, %g", len(l.Triangles), l.Error, len(last.Triangles), last.Error)
			}
			to := s.Map(k)
			for v := range to {
				if to[to[v]] != to[v] {
					t.Fatalf("vertex %d goes to %d, which goes on", v, to[v])
				}
			}
			for i, tri := range l.Triangles {
				for c := range 3 {
					if l.Indices[3*i+c] != to[m.Indices[3*int(tri)+c]] {
						t.Fatal("the level is not what the map makes of the mesh")
					}
				}
			}
			last = l
		}
		want := rapid.IntRange(1, len(m.Indices)/3).Draw(t, "want")
		if l := s.At(Target{Triangles: want}); len(l.Triangles) > want && l.Steps < s.Len() || l.Steps > 0 && len(s.After(l.Steps-1).Triangles) <= want {
			t.Fatalf("%d triangles in %d steps for %d", len(l.Triangles), l.Steps, want)
		}
		most := rapid.Float64Range(0, 2).Draw(t, "most")
		if l := s.At(Target{Error: most}); most > 0 && (l.Error > most || l.Steps < s.Len() && s.After(l.Steps+1).Error <= most) {
			t.Fatalf("error %g for %g", l.Error, most)
		}
		order := s.Order()
		place := make([]int, len(m.Positions))
		for i, v := range order {
			place[v] = i
		}
		l := s.After(s.Len() / 2)
		kept := map[uint32]bool{}
		for _, v := range l.Indices {
			kept[v] = true
		}
		for v := range kept {
			if place[v] >= len(m.Positions)-s.Len()/2 {
				t.Fatalf("vertex %d of the level is number %d of %d", v, place[v], len(order))
			}
		}
	})
}

// What a level says it is off is at least half of what is measured.
func TestErrorIsHonest(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, rough := range []float64{0.05, 1} {
		m := grid(65, func(x, z int) float64 {
			return 6*math.Sin(float64(x)/9)*math.Cos(float64(z)/7) + rough*r.Float64()
		})
		for _, cost := range costs {
			s := collapsed(t, m, Options{Cost: cost})
			for _, part := range []float64{0.5, 0.1, 0.02} {
				l := s.At(Target{Triangles: int(part * float64(len(m.Indices)/3))})
				rms, worst := upright(&m, &l)
				t.Logf("rough %g, cost %d, to %g: rms %.3f, worst %.3f, said %.3f", rough, cost, part, rms, worst, l.Error)
				if !(l.Error >= worst/2) || cost == Quadric && !(rms <= 0.6) {
					t.Errorf("rough %g, cost %d, to %g: rms %.3f, worst %.3f, said %.3f", rough, cost, part, rms, worst, l.Error)
				}
			}
		}
	}
}

// Flat ground needs two triangles.
func TestFlat(t *testing.T) {
	m := grid(17, func(x, z int) float64 { return 3 })
	for _, cost := range costs {
		l := collapsed(t, m, Options{Cost: cost}).At(Target{Error: 1e-6})
		if len(l.Triangles) != 2 {
			t.Errorf("cost %d: %d triangles", cost, len(l.Triangles))
		}
	}
}

// Two halves whose edges meet but for a hair are one with Weld.
func TestWeld(t *testing.T) {
	m := grid(9, func(x, z int) float64 { return 0 })
	second := grid(9, func(x, z int) float64 { return 0 })
	for i := range second.Positions {
		second.Positions[i][0] += 8.0001
	}
	n := uint32(len(m.Positions))
	m.Positions = append(m.Positions, second.Positions...)
	for _, v := range second.Indices {
		m.Indices = append(m.Indices, v+n)
	}
	if l := collapsed(t, m, Options{LockBorder: true}).At(Target{}); len(l.Triangles) < 50 {
		t.Errorf("%d triangles, apart", len(l.Triangles))
	}
	l := collapsed(t, m, Options{Weld: 1e-3}).At(Target{Error: 1e-2})
	if len(l.Triangles) != 4 {
		t.Errorf("%d triangles, welded: a seam of two halves of two", len(l.Triangles))
	}
}

func TestBadMeshes(t *testing.T) {
	p := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}
	nan := float32(math.NaN())
	for want, m := range map[string]Mesh{
		"4 indices":         {Positions: p, Indices: []uint32{0, 1, 2, 0}},
		"index 1 is 3":      {Positions: p, Indices: []uint32{0, 3, 2}},
		"vertex 1 is at":    {Positions: []mgl32.Vec3{{}, {nan, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2}},
		"vertex 0 is at":    {Positions: []mgl32.Vec3{{float32(math.Inf(1)), 0, 0}, {}, {}}, Indices: []uint32{0, 1, 2}},
		"2 materials for 1": {Positions: p, Indices: []uint32{0, 1, 2}, Materials: []uint16{1, 2}},
		"1 locks for 3":     {Positions: p, Indices: []uint32{0, 1, 2}, Locked: []bool{true}},
	} {
		if _, err := Collapse(context.Background(), m, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Collapse(ctx, grid(5, func(x, z int) float64 { return 0 }), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if s := collapsed(t, Mesh{}, Options{}); s.Len() != 0 || len(s.At(Target{}).Indices) != 0 {
		t.Error("nothing became something")
	}
}

// Any soup ends, and its levels are sound.
func FuzzSoup(f *testing.F) {
	f.Add([]byte{0, 1, 2, 1, 3, 2, 2, 3, 4, 0, 0, 1}, uint64(1), true)
	f.Fuzz(func(t *testing.T, soup []byte, seed uint64, melax bool) {
		r := rand.New(rand.NewPCG(seed, 0))
		var m Mesh
		for range 40 {
			m.Positions = append(m.Positions, mgl32.Vec3{float32(r.IntN(4)), float32(r.IntN(4)), float32(r.Float64())})
		}
		for _, b := range soup[:min(len(soup)/3*3, 600)] {
			m.Indices = append(m.Indices, uint32(b)%40)
		}
		o := Options{Weld: float32(seed%2) * 0.1}
		if melax {
			o.Cost = Melax
		}
		s, err := Collapse(context.Background(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		last := math.MaxInt
		for k := range s.Len() + 1 {
			l := s.After(k)
			if len(l.Triangles) > last {
				t.Fatal("there are more triangles than before")
			}
			last = len(l.Triangles)
			for i := 0; i < len(l.Indices); i += 3 {
				if a, b, c := l.Indices[i], l.Indices[i+1], l.Indices[i+2]; a == b || b == c || c == a {
					t.Fatal("a triangle has two corners in one")
				}
			}
		}
	})
}
