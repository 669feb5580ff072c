package overlay

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// MaxPolygon is the most corners that Polygon fills. Filling takes a time that grows
// with about n·log n, and pictures are drawn many times a second.
const MaxPolygon = 20_000

// Polygon fills a polygon that lies nearly in a plane, whichever way round its
// corners go. ok is false, and nothing is appended, when it has no area, crosses
// itself or has more than MaxPolygon corners.
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
	reflex     []bool // may lie in an ear; false of those that are gone
	left       int    // corners
	start      int32  // where to look for the next ear

	// A grid of side² cells over the polygon, with the corners that were reflex at the
	// beginning: those of cell k are inCell[cells[k]:cells[k+1]]. No corner becomes
	// reflex later.
	side   int
	origin mgl64.Vec2
	scale  mgl64.Vec2 // cells per metre
	cells  []int32
	inCell []int32
}

// load projects a polygon along the axis that it faces most. Coordinates count from
// the first corner, so that a polygon far from the origin is no worse off.
func (e *ears) load(points []mgl64.Vec3) bool {
	n := len(points)
	if n < 3 || n > MaxPolygon {
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
	e.sort()
	return true
}

// sort puts the reflex corners into the grid.
func (e *ears) sort() {
	lo, hi, count := e.at[0], e.at[0], 0
	for i, p := range e.at {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
		if e.reflex[i] {
			count++
		}
	}
	e.side = 1 + int(math.Sqrt(float64(count)))
	e.origin = lo
	for k := range 2 {
		e.scale[k] = float64(e.side) / (hi[k] - lo[k]) // above 0, as the polygon has an area
	}
	e.cells = append(e.cells[:0], make([]int32, e.side*e.side+1)...)
	e.inCell = append(e.inCell[:0], make([]int32, count)...)
	for i, p := range e.at {
		if e.reflex[i] {
			e.cells[e.cell(p[0], 0)+e.side*e.cell(p[1], 1)+1]++
		}
	}
	for k := range e.side * e.side {
		e.cells[k+1] += e.cells[k]
	}
	// Filled from the back, so that cells[k] sinks to the beginning of cell k.
	for i, p := range e.at {
		if e.reflex[i] {
			k := e.cell(p[0], 0) + e.side*e.cell(p[1], 1)
			e.cells[k+1]--
			e.inCell[e.cells[k+1]] = int32(i)
		}
	}
	copy(e.cells, e.cells[1:])
	e.cells[e.side*e.side] = int32(count)
}

// cell is the column or row of a coordinate.
func (e *ears) cell(v float64, axis int) int {
	return min(max(int((v-e.origin[axis])*e.scale[axis]), 0), e.side-1)
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
	x0, x1 := e.cell(min(a[0], b[0], c[0]), 0), e.cell(max(a[0], b[0], c[0]), 0)
	y0, y1 := e.cell(min(a[1], b[1], c[1]), 1), e.cell(max(a[1], b[1], c[1]), 1)
	for y := y0; y <= y1; y++ {
		for _, j := range e.inCell[e.cells[y*e.side+x0]:e.cells[y*e.side+x1+1]] {
			p := e.at[j]
			if !e.reflex[j] || p == a || p == b || p == c {
				continue
			}
			s, t, u := area(a, b, p), area(b, c, p), area(c, a, p)
			if strict && s > 0 && t > 0 && u > 0 || !strict && s >= 0 && t >= 0 && u >= 0 {
				return true
			}
		}
	}
	return false
}

// remove takes corner i out of the ring. Its neighbours can only become more convex.
func (e *ears) remove(i int32) {
	a, c := e.prev[i], e.next[i]
	e.next[a], e.prev[c] = c, a
	e.left--
	e.reflex[i] = false
	e.reflex[a] = e.turn(a) <= 0
	e.reflex[c] = e.turn(c) <= 0
	// Skipping a corner gives fat triangles rather than a fan.
	e.start = e.next[c]
}
