package culltest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
)

// Rooms are cells with walls, and portals in these, in a frame of their own.
type Rooms struct {
	Cells   [][][]geom.Vec3 // the corners of each piece of each cell
	Portals []portal.Portal
	Box     geom.Box // around all

	walls []wall
	doors []sheet
	faces []face // of pieces, for cameras
}

// Plan is what rooms are to be like.
type Plan struct {
	Kind   Layout
	Thick  float64 // of walls, metres; 0 for walls that are mere planes
	Doors  float64 // chance of an opening between neighbours
	Out    float64 // chance of an opening in an outer wall
	Shut   float64 // share of openings that are closed; as many are one-way
	Joined float64 // chance that neighbours are one cell
	Floors int
	Many   bool // walls with a dozen openings
}

// Layout is how rooms stand.
type Layout uint8

// The layouts of rooms.
const (
	Single Layout = iota // a building of one room
	Row                  // one after the other
	Grid                 // all around each other
	Ring                 // in a ring around a yard
	Rings                // two rings, one in the other, around a room
	NumLayouts
)

// RandomPlan is one of many kinds.
func RandomPlan(r *rand.Rand) Plan {
	return Plan{
		Kind: Layout(r.IntN(int(NumLayouts))), Thick: []float64{0, 0, 0.1, 0.4}[r.IntN(4)],
		Doors: 0.4 + 0.6*r.Float64(), Out: 0.6 * r.Float64(), Shut: []float64{0, 0.15}[r.IntN(2)],
		Joined: []float64{0, 0.2}[r.IntN(2)], Floors: 1 + r.IntN(2), Many: r.IntN(6) == 0,
	}
}

// room is an upright prism over a convex polygon, counter-clockwise seen from above.
type room struct {
	plan    [][2]float64 // x, z
	y0, y1  float64
	cell    int
	sides   []side         // of the plan's edges, floor and ceiling
	in      []float64      // by how much each is moved in
	corners [2][]geom.Vec3 // within the walls, below and above
	outer   [2][]geom.Vec3 // around them
}

// side is what is beyond a face of a room.
type side struct {
	other int // room, or -1
	face  int // of that room
}

// face is a flat part of a room's border, in the frame of the rooms.
type face struct {
	corners []geom.Vec3
	normal  geom.Vec3 // out of the room
}

// floors gives the plans of one floor.
func (p *Plan) floors(r *rand.Rand) (plans [][][2]float64) {
	box := func(x0, z0, x1, z1 float64) {
		plans = append(plans, [][2]float64{{x0, z0}, {x0, z1}, {x1, z1}, {x1, z0}})
	}
	cuts := func(n int) []float64 {
		c := []float64{0}
		for range n {
			c = append(c, c[len(c)-1]+2.5+3*r.Float64())
		}
		return c
	}
	switch p.Kind {
	case Single, Row, Grid:
		nx, nz := 1, 1
		if p.Kind != Single {
			nx = 2 + r.IntN(4)
		}
		if p.Kind == Grid {
			nz = 2 + r.IntN(2)
		}
		x, z := cuts(nx), cuts(nz)
		for i := range nx {
			for k := range nz {
				if p.Kind == Grid && r.IntN(8) == 0 && len(plans) > 0 {
					continue // a yard
				}
				box(x[i], z[k], x[i+1], z[k+1])
			}
		}
	default:
		n := 3 + r.IntN(5)
		radii := []float64{3, 6.5}
		if p.Kind == Rings {
			radii = []float64{2.5, 5.5, 9}
		}
		at := func(i int, radius float64) [2]float64 {
			s, c := math.Sincos(float64(i%n) / float64(n) * 2 * math.Pi)
			return [2]float64{radius * c, radius * s}
		}
		for k := range len(radii) - 1 {
			for i := range n {
				plans = append(plans, [][2]float64{at(i, radii[k]), at(i+1, radii[k]), at(i+1, radii[k+1]), at(i, radii[k+1])})
			}
		}
		if p.Kind == Rings {
			var yard [][2]float64
			for i := range n {
				yard = append(yard, at(n-1-i, radii[0])) // the other way round, as the area decides
			}
			plans = append(plans, yard)
		}
	}
	for _, q := range plans {
		area := 0.0
		for i, a := range q {
			b := q[(i+1)%len(q)]
			area += a[0]*b[1] - a[1]*b[0]
		}
		// Counter-clockwise seen from above, with x to the right and z towards the viewer.
		if area > 0 {
			slices.Reverse(q)
		}
	}
	return plans
}

// NewRooms makes rooms by a plan.
func NewRooms(r *rand.Rand, p Plan) *Rooms {
	w := &Rooms{Box: geom.EmptyBox()}
	var rooms []room
	plans := p.floors(r)
	height := 2.6 + r.Float64()
	for level := range max(p.Floors, 1) {
		for _, q := range plans {
			rooms = append(rooms, room{plan: q, y0: float64(level) * height, y1: float64(level+1) * height})
		}
	}
	for i := range rooms {
		rooms[i].cell = i
		rooms[i].sides = make([]side, len(rooms[i].plan)+2)
		for k := range rooms[i].sides {
			rooms[i].sides[k] = side{-1, -1}
		}
	}
	meet(rooms)
	joined := map[[2]int]bool{}
	for i := range rooms {
		for k, s := range rooms[i].sides {
			if s.other > i && r.Float64() < p.Joined {
				from, to := rooms[s.other].cell, rooms[i].cell
				for n := range rooms {
					if rooms[n].cell == from {
						rooms[n].cell = to
					}
				}
				joined[[2]int{i, k}], joined[[2]int{s.other, s.face}] = true, true
			}
		}
	}
	// Neighbours that came to be one cell by way of others have no wall between either.
	for i := range rooms {
		for k, s := range rooms[i].sides {
			if s.other >= 0 && rooms[s.other].cell == rooms[i].cell {
				joined[[2]int{i, k}] = true
			}
		}
	}
	number := map[int]int{}
	for i := range rooms {
		m := &rooms[i]
		if _, ok := number[m.cell]; !ok {
			number[m.cell] = len(number)
		}
		m.cell = number[m.cell]
		m.in = make([]float64, len(m.sides))
		for k := range m.in {
			if !joined[[2]int{i, k}] {
				m.in[k] = p.Thick / 2
			}
		}
		m.shape()
		for len(w.Cells) <= m.cell {
			w.Cells = append(w.Cells, nil)
		}
		w.Cells[m.cell] = append(w.Cells[m.cell], slices.Concat(m.corners[0], m.corners[1]))
		w.Box = w.Box.Union(geom.BoxOf(m.outer[0]...)).Union(geom.BoxOf(m.outer[1]...))
	}
	walls := map[[2]int]int{}
	for i := range rooms {
		for k := range rooms[i].sides {
			if joined[[2]int{i, k}] {
				continue
			}
			outer, inner, n := rooms[i].wall(k)
			walls[[2]int{i, k}] = len(w.walls)
			w.walls = append(w.walls, wall{solid: slab(outer, inner, n)})
			w.faces = append(w.faces, face{inner, n})
		}
	}
	for i := range rooms {
		for k, s := range rooms[i].sides {
			if joined[[2]int{i, k}] || s.other >= 0 && s.other < i {
				continue
			}
			chance := p.Doors
			if s.other < 0 {
				chance = p.Out
			}
			times, fewer := 2, 0.3
			if p.Many {
				times, fewer = 12, 1
			}
			for range times {
				if r.Float64() < chance {
					at := []int{walls[[2]int{i, k}]}
					if s.other >= 0 {
						at = append(at, walls[[2]int{s.other, s.face}])
					}
					w.open(r, rooms, i, k, at, p.Shut)
				}
				chance *= fewer
			}
		}
	}
	return w
}

// meet finds the rooms that share a face.
func meet(rooms []room) {
	same := func(a, b [2]float64) bool { return math.Hypot(a[0]-b[0], a[1]-b[1]) < 1e-9 }
	for i := range rooms {
		for j := range rooms {
			a, b := &rooms[i], &rooms[j]
			if i == j {
				continue
			}
			na, nb := len(a.plan), len(b.plan)
			if a.y0 == b.y0 {
				for k := range na {
					for l := range nb {
						if same(a.plan[k], b.plan[(l+1)%nb]) && same(a.plan[(k+1)%na], b.plan[l]) {
							a.sides[k] = side{j, l}
						}
					}
				}
			}
			if math.Abs(a.y1-b.y0) < 1e-9 && na == nb && same(a.plan[0], b.plan[0]) && same(a.plan[1], b.plan[1]) {
				a.sides[na+1], b.sides[nb] = side{j, nb}, side{i, na + 1}
			}
		}
	}
}

// shape makes the room's corners, and those of what lies within its walls.
func (m *room) shape() {
	n := len(m.plan)
	inner := make([][2]float64, n)
	for i := range inner {
		// The corner between the edge before and that after, both moved in.
		a, b, c := m.plan[(i+n-1)%n], m.plan[i], m.plan[(i+1)%n]
		da, db := m.in[(i+n-1)%n], m.in[i]
		na, nb := inward(a, b), inward(b, c)
		det := na[0]*nb[1] - na[1]*nb[0]
		x, y := na[0]*b[0]+na[1]*b[1]+da, nb[0]*b[0]+nb[1]*b[1]+db
		inner[i] = [2]float64{(x*nb[1] - y*na[1]) / det, (na[0]*y - nb[0]*x) / det}
		if da == 0 && db == 0 {
			inner[i] = b
		}
	}
	at := func(q [2]float64, y float64) geom.Vec3 { return geom.Vec3{q[0], y, q[1]} }
	for i := range n {
		m.outer[0], m.outer[1] = append(m.outer[0], at(m.plan[i], m.y0)), append(m.outer[1], at(m.plan[i], m.y1))
		m.corners[0] = append(m.corners[0], at(inner[i], m.y0+m.in[n]))
		m.corners[1] = append(m.corners[1], at(inner[i], m.y1-m.in[n+1]))
	}
}

// inward is the unit normal of an edge of a plan, into it.
func inward(a, b [2]float64) [2]float64 {
	x, z := b[0]-a[0], b[1]-a[1]
	l := math.Hypot(x, z)
	return [2]float64{z / l, -x / l}
}

// wall gives the outer and the inner polygon of face k, counter-clockwise seen from
// outside, and its normal.
func (m *room) wall(k int) (outer, inner []geom.Vec3, n geom.Vec3) {
	c := len(m.plan)
	pick := func(of *[2][]geom.Vec3) (out []geom.Vec3) {
		switch k {
		case c:
			out = slices.Clone(of[0])
			slices.Reverse(out)
		case c + 1:
			out = slices.Clone(of[1])
		default:
			l := (k + 1) % c
			out = []geom.Vec3{of[0][k], of[0][l], of[1][l], of[1][k]}
		}
		return out
	}
	outer, inner = pick(&m.outer), pick(&m.corners)
	n = outer[1].Sub(outer[0]).Cross(outer[2].Sub(outer[1])).Normalize()
	return outer, inner, n
}

// open makes an opening in face k of room i, in all walls that are there.
func (w *Rooms) open(r *rand.Rand, rooms []room, i, k int, walls []int, shut float64) {
	m := &rooms[i]
	_, inner, n := m.wall(k)
	to := portal.Outside
	within := [][]geom.Vec3{inner}
	depth := m.in[k]
	if s := m.sides[k]; s.other >= 0 {
		to = rooms[s.other].cell
		_, other, _ := rooms[s.other].wall(s.face)
		within = append(within, other)
	}
	if to == m.cell {
		return
	}
	hole := opening(r, inner, n)
	// It lies within the faces of both rooms, seen along the normal.
	for _, q := range within {
		b := prism(q, n)
		if q[1].Sub(q[0]).Cross(q[2].Sub(q[1])).Dot(n) < 0 {
			c := slices.Clone(q)
			slices.Reverse(c)
			b = prism(c, n)
		}
		for _, p := range hole {
			if !b.holds(p, -1e-9) {
				return
			}
		}
	}
	for _, k := range walls {
		w.walls[k].openings = append(w.walls[k].openings, prism(hole, n))
	}
	// The portal stands in the inner face, or between the rooms, or in the outer face.
	lift := []float64{0, 1, 0.5}[r.IntN(3)] * depth
	p := portal.Portal{From: to, To: m.cell} // the normal points out of the room
	for _, q := range hole {
		p.Polygon = append(p.Polygon, q.Add(n.Mul(lift)))
	}
	if r.IntN(2) == 0 {
		p.From, p.To = p.To, p.From
		slices.Reverse(p.Polygon)
	}
	switch s := r.Float64(); {
	case s < shut:
		p.State = portal.Closed
	case s < 2*shut:
		p.State = portal.OneWay
	}
	if p.State != portal.Open {
		a := p.Polygon
		front := a[1].Sub(a[0]).Cross(a[2].Sub(a[1])).Normalize()
		w.doors = append(w.doors, sheet{plane: planeAt(front, a[0]), outline: prism(a, front), oneWay: p.State == portal.OneWay})
	}
	w.Portals = append(w.Portals, p)
}

// opening is a convex polygon in a convex polygon with a normal, often a rectangle on
// its first edge, as doors are.
func opening(r *rand.Rand, in []geom.Vec3, n geom.Vec3) []geom.Vec3 {
	if r.IntN(6) == 0 {
		return slices.Clone(in)
	}
	c := middle(in)
	if len(in) != 4 || r.IntN(3) == 0 { // round, or like the wall itself
		s := 0.1 + 0.8*r.Float64()
		var out []geom.Vec3
		for i, p := range in {
			q := in[(i+1)%len(in)]
			out = append(out, c.Add(p.Sub(c).Mul(s)))
			if r.IntN(2) == 0 {
				out = append(out, c.Add(p.Add(q).Mul(0.5).Sub(c).Mul(s*1.001)))
			}
		}
		return out
	}
	u0, v0 := 0.8*r.Float64(), 0.0
	if r.IntN(2) == 0 {
		v0 = 0.8 * r.Float64()
	}
	u1, v1 := u0+0.05+(0.95-u0)*r.Float64(), v0+0.05+(0.95-v0)*r.Float64()
	at := func(u, v float64) geom.Vec3 {
		a, b := in[0].Mul(1-u).Add(in[1].Mul(u)), in[3].Mul(1-u).Add(in[2].Mul(u))
		return a.Mul(1 - v).Add(b.Mul(v))
	}
	return []geom.Vec3{at(u0, v0), at(u1, v0), at(u1, v1), at(u0, v1)}
}

// Inside is a random point of a piece's convex hull.
func Inside(r *rand.Rand, corners []geom.Vec3) geom.Vec3 {
	var p geom.Vec3
	sum := 0.0
	for _, c := range corners {
		a := r.ExpFloat64()
		p, sum = p.Add(c.Mul(a)), sum+a
	}
	return p.Mul(1 / sum)
}

// mapped moves points.
func mapped(points []geom.Vec3, m mgl64.Mat4) []geom.Vec3 {
	out := make([]geom.Vec3, len(points))
	for i, p := range points {
		out[i] = mgl64.TransformCoordinate(p, m)
	}
	return out
}
