package overlay

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Polygon fills a polygon that lies nearly in a plane, whichever way round its
// corners go. ok is false, and nothing is appended, when it has no area or crosses
// itself.
func (s *Shapes) Polygon(points []mgl64.Vec3, p Pen) (ok bool) {
	e := &s.ears
	if !e.load(points) {
		return false
	}
	first := len(s.Facets)
	for e.left > 2 {
		a, b, c, ok := e.clip()
		if !ok {
			s.Facets = s.Facets[:first]
			return false
		}
		if a != c { // else a corner without area went
			s.Triangle(points[a], points[b], points[c], p)
		}
	}
	return len(s.Facets) > first
}

// ears is a polygon that loses its ears. Its corners are linked in a ring and stand
// counter-clockwise in the plane they were projected to.
type ears struct {
	at         []mgl64.Vec2
	prev, next []int32
	reflex     []bool // may lie in an ear
	left       int    // corners
	start      int32  // where to look for the next ear
}

// load projects a polygon along the axis that it faces most. Coordinates count from
// the first corner, so that a polygon far from the origin is no worse off.
func (e *ears) load(points []mgl64.Vec3) bool {
	n := len(points)
	if n < 3 || n > math.MaxInt32 {
		return false
	}
	// Newell's normal.
	var normal mgl64.Vec3
	for i := range points {
		a, b := points[i].Sub(points[0]), points[(i+1)%n].Sub(points[0])
		normal = normal.Add(a.Cross(b))
	}
	axis := 0
	for i := range normal {
		if math.Abs(normal[i]) > math.Abs(normal[axis]) {
			axis = i
		}
	}
	if !(math.Abs(normal[axis]) > 0) || math.IsInf(normal[axis], 0) {
		return false
	}
	u, v := (axis+1)%3, (axis+2)%3
	if normal[axis] < 0 {
		u, v = v, u
	}
	e.at, e.prev, e.next, e.reflex = e.at[:0], e.prev[:0], e.next[:0], e.reflex[:0]
	for i, p := range points {
		d := p.Sub(points[0])
		e.at = append(e.at, mgl64.Vec2{d[u], d[v]})
		e.prev = append(e.prev, int32((i+n-1)%n))
		e.next = append(e.next, int32((i+1)%n))
		e.reflex = append(e.reflex, false)
	}
	for i := range e.reflex {
		e.reflex[i] = e.turn(int32(i)) <= 0
	}
	e.left, e.start = n, 0
	return true
}

// turn is twice the area of corner i with its neighbours: above 0 where the polygon
// is convex.
func (e *ears) turn(i int32) float64 { return area(e.at[e.prev[i]], e.at[i], e.at[e.next[i]]) }

// area is twice that of a triangle, above 0 if it is counter-clockwise.
func area(a, b, c mgl64.Vec2) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// clip takes the next ear off and gives its corners; a = c tells of a corner that
// was in line with its neighbours. It fails when the rest has no ear. First corners
// that touch an ear from inside forbid it; where nothing else is left they do not.
func (e *ears) clip() (a, b, c int, ok bool) {
	for _, strict := range [2]bool{false, true} {
		i := e.start
		for range e.left {
			t := e.turn(i)
			if t == 0 {
				e.remove(i)
				return 0, int(i), 0, true
			}
			if t > 0 && !e.holds(i, strict) {
				a, c := e.prev[i], e.next[i]
				e.remove(i)
				return int(a), int(i), int(c), true
			}
			i = e.next[i]
		}
	}
	return 0, 0, 0, false
}

// holds tells whether the triangle of corner i holds another corner; with strict,
// one on its rim does not count.
func (e *ears) holds(i int32, strict bool) bool {
	a, b, c := e.at[e.prev[i]], e.at[i], e.at[e.next[i]]
	for j := e.next[e.next[i]]; j != e.prev[i]; j = e.next[j] {
		p := e.at[j]
		if !e.reflex[j] || p == a || p == b || p == c {
			continue
		}
		s, t, u := area(a, b, p), area(b, c, p), area(c, a, p)
		if strict && s > 0 && t > 0 && u > 0 || !strict && s >= 0 && t >= 0 && u >= 0 {
			return true
		}
	}
	return false
}

// remove takes corner i out of the ring. Its neighbours can only become more convex.
func (e *ears) remove(i int32) {
	a, c := e.prev[i], e.next[i]
	e.next[a], e.prev[c] = c, a
	e.left--
	e.reflex[a] = e.turn(a) <= 0
	e.reflex[c] = e.turn(c) <= 0
	// Skipping a corner gives fat triangles rather than a fan.
	e.start = e.next[c]
}
