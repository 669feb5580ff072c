package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// The oracles in this file know nothing of the package's own geometry.

type tri [3]Vec3

func (t tri) normal() Vec3 { return t[1].Sub(t[0]).Cross(t[2].Sub(t[0])).Normalize() }

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func vec(r *rand.Rand, size float64) Vec3 {
	return Vec3{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}.Mul(2 * size)
}

// soup is n random triangles within size of the origin, of very different sizes.
func soup(r *rand.Rand, n int, size float64) *Mesh {
	var p []mgl32.Vec3
	var ix []uint32
	for range n {
		c := vec(r, size)
		s := size * math.Pow(10, -2*r.Float64())
		for range 3 {
			ix = append(ix, uint32(len(p)))
			p = append(p, to32(c.Add(vec(r, s))))
		}
	}
	return NewMesh(p, ix, nil)
}

func to32(v Vec3) mgl32.Vec3 {
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}

// meshOf makes a mesh of triangles.
func meshOf(ts ...tri) *Mesh {
	var p []mgl32.Vec3
	var ix []uint32
	for _, t := range ts {
		for _, v := range t {
			ix = append(ix, uint32(len(p)))
			p = append(p, to32(v))
		}
	}
	return NewMesh(p, ix, nil)
}

// boxTris is the twelve triangles of a box, outside facing out.
func boxTris(lo, hi Vec3) []tri {
	var out []tri
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3
		for side := range 2 {
			at := func(a, b bool) Vec3 {
				p := lo
				if side == 1 {
					p[axis] = hi[axis]
				}
				if a {
					p[u] = hi[u]
				}
				if b {
					p[v] = hi[v]
				}
				return p
			}
			a, b, c, d := at(false, false), at(true, false), at(true, true), at(false, true)
			if side == 0 {
				b, d = d, b
			}
			out = append(out, tri{a, b, c}, tri{a, c, d})
		}
	}
	return out
}

// placement is a random matrix at place: turned, unevenly scaled, perhaps mirrored.
func placement(r *rand.Rand, place Vec3, mirror bool) mgl64.Mat4 {
	s := Vec3{math.Pow(2, 2*r.Float64()-1), math.Pow(2, 2*r.Float64()-1), math.Pow(2, 2*r.Float64()-1)}
	if mirror {
		s[r.IntN(3)] *= -1
	}
	axis := vec(r, 1).Normalize()
	return mgl64.Translate3D(place[0], place[1], place[2]).
		Mul4(mgl64.HomogRotate3D(r.Float64()*6, axis)).
		Mul4(mgl64.Scale3D(s[0], s[1], s[2]))
}

func newWorld(t testing.TB, g Ground, bodies ...Body) *World {
	t.Helper()
	w, err := NewWorld(g, bodies)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// all gives every solid triangle of the world's bodies and ground, in the world.
func all(w *World) []tri {
	var out []tri
	for i := range w.bodies {
		if !w.Has(i) || w.Body(i).Kind != KindMesh {
			continue
		}
		out = append(out, bodyTris(w.Body(i))...)
	}
	if w.Ground() != nil {
		for _, t := range w.Ground().AppendTriangles(nil, w.Ground().Bounds()) {
			out = append(out, tri(t.P))
		}
	}
	return out
}

func bodyTris(b Body) []tri {
	var out []tri
	for k := range len(b.Mesh.indices) / 3 {
		var t tri
		for j := range 3 {
			p := b.Mesh.positions[b.Mesh.indices[3*k+j]]
			t[j] = mgl64.TransformCoordinate(Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, b.World)
		}
		out = append(out, t)
	}
	return out
}

// pointDistance is the distance of p to a triangle: to its plane if p is over it, else
// to its edges.
func (t tri) pointDistance(p Vec3) float64 {
	n := t.normal()
	over := true
	best := math.Inf(1)
	for k := range 3 {
		a, b := t[k], t[(k+1)%3]
		e := b.Sub(a)
		if n.Cross(e).Dot(p.Sub(a)) < 0 {
			over = false
		}
		s := p.Sub(a).Dot(e) / e.Dot(e)
		best = min(best, p.Sub(a.Add(e.Mul(min(max(s, 0), 1)))).Len())
	}
	if over {
		return math.Abs(n.Dot(p.Sub(t[0])))
	}
	return best
}

// distance is the distance from the segment p–q to the triangle: that of a point of it,
// which is convex along it, by golden section.
func (t tri) distance(p, q Vec3) float64 {
	const g = 0.6180339887498949
	at := func(s float64) float64 { return t.pointDistance(p.Add(q.Sub(p).Mul(s))) }
	lo, hi := 0.0, 1.0
	a, b := hi-g*(hi-lo), lo+g*(hi-lo)
	fa, fb := at(a), at(b)
	for range 60 {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - g*(hi-lo)
			fa = at(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + g*(hi-lo)
			fb = at(b)
		}
	}
	return min(fa, fb, at(0), at(1))
}

// clearance is the distance of the capsule's surface to the nearest triangle, or 5 cm
// if that is less.
func clearance(ts []tri, c Capsule) float64 {
	best := 0.05
	near := geom.BoxOf(c.A, c.B)
	r := Vec3{1, 1, 1}.Mul(c.Radius + best)
	near.Min, near.Max = near.Min.Sub(r), near.Max.Add(r)
	for _, t := range ts {
		if apart(&t, &near) {
			continue
		}
		best = min(best, t.distance(c.A, c.B)-c.Radius)
	}
	return best
}

// apart reports whether all of t lies beyond one side of b.
func apart(t *tri, b *geom.Box) bool {
	for k := range 3 {
		if t[0][k] > b.Max[k] && t[1][k] > b.Max[k] && t[2][k] > b.Max[k] ||
			t[0][k] < b.Min[k] && t[1][k] < b.Min[k] && t[2][k] < b.Min[k] {
			return true
		}
	}
	return false
}

// slope is a ground over a square of cells whose heights a function gives, with holes.
type slope struct {
	x, z    float64 // of sample 0, 0
	n       int     // cells along an edge
	spacing float64
	height  func(c, r int) float64
	hole    func(c, r int) bool
}

func (s slope) at(c, r int) Vec3 {
	return Vec3{s.x + float64(c)*s.spacing, s.height(c, r), s.z + float64(r)*s.spacing}
}

func (s slope) each(b geom.Box, do func(t GroundTriangle)) {
	cell := func(v, from float64) int {
		return int(min(max(math.Floor((v-from)/s.spacing), 0), float64(s.n)))
	}
	for r := max(cell(b.Min[2], s.z)-1, 0); r < min(cell(b.Max[2], s.z)+1, s.n); r++ {
		for c := max(cell(b.Min[0], s.x)-1, 0); c < min(cell(b.Max[0], s.x)+1, s.n); c++ {
			if s.hole != nil && s.hole(c, r) {
				continue
			}
			a, b, cc, d := s.at(c, r), s.at(c+1, r), s.at(c, r+1), s.at(c+1, r+1)
			k := 2 * (r*s.n + c)
			do(GroundTriangle{[3]Vec3{a, cc, b}, k})
			do(GroundTriangle{[3]Vec3{b, cc, d}, k + 1})
		}
	}
}

func (s slope) Bounds() geom.Box {
	b := geom.EmptyBox()
	for r := range s.n + 1 {
		for c := range s.n + 1 {
			b = b.Add(s.at(c, r))
		}
	}
	return b
}

func (s slope) Height(x, z float64) (float64, bool) {
	u, v := (x-s.x)/s.spacing, (z-s.z)/s.spacing
	if u < 0 || v < 0 || u > float64(s.n) || v > float64(s.n) {
		return 0, false
	}
	c, r := min(int(u), s.n-1), min(int(v), s.n-1)
	if s.hole != nil && s.hole(c, r) {
		return 0, false
	}
	u, v = u-float64(c), v-float64(r)
	hb, hc := s.height(c+1, r), s.height(c, r+1)
	if u+v <= 1 {
		h := s.height(c, r)
		return h + u*(hb-h) + v*(hc-h), true
	}
	h := s.height(c+1, r+1)
	return h + (1-u)*(hc-h) + (1-v)*(hb-h), true
}

func (s slope) Ray(r geom.Ray, tMax float64) (GroundHit, bool) {
	best, found := GroundHit{T: tMax}, false
	s.each(s.Bounds(), func(g GroundTriangle) {
		if t, ok := r.Triangle(g.P[0], g.P[1], g.P[2]); ok && t <= best.T {
			n := tri(g.P).normal()
			e1, e2, q := g.P[1].Sub(g.P[0]), g.P[2].Sub(g.P[0]), r.At(t).Sub(g.P[0])
			l := e1.Cross(e2)
			best = GroundHit{T: t, Triangle: g.Triangle, Normal: n,
				U: q.Cross(e2).Dot(l) / l.Dot(l), V: e1.Cross(q).Dot(l) / l.Dot(l)}
			found = true
		}
	})
	return best, found
}

func (s slope) AppendTriangles(dst []GroundTriangle, b geom.Box) []GroundTriangle {
	s.each(b, func(g GroundTriangle) {
		if geom.BoxOf(g.P[0], g.P[1], g.P[2]).Overlaps(b) {
			dst = append(dst, g)
		}
	})
	return dst
}
