package portal

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

type Vec3 = geom.Vec3

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// place is a rigid move from the frame in which the rooms stand straight to the world.
type place struct {
	turn mgl64.Mat3
	at   Vec3
}

func (p place) out(v Vec3) Vec3 { return p.turn.Mul3x1(v).Add(p.at) }
func (p place) in(v Vec3) Vec3  { return p.turn.Transpose().Mul3x1(v.Sub(p.at)) }

// boxHull is a box as a solid, moved.
func boxHull(b geom.Box, p place) *hull.Hull {
	h := &hull.Hull{}
	for i := range 8 {
		h.Vertices = append(h.Vertices, p.out(b.Corner(i)))
	}
	h.Faces = [][]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}
	for _, f := range h.Faces {
		q, _ := geom.PlaneThrough(h.Vertices[f[0]], h.Vertices[f[1]], h.Vertices[f[2]])
		h.Planes = append(h.Planes, q)
	}
	return h
}

// opening is a portal in the frame of the rooms: a polygon across an axis, within the
// wall from lo to hi.
type opening struct {
	Portal
	axis   int
	at     float64
	lo, hi float64
	ring   [][2]float64 // counter-clockwise in the two axes after axis
}

func (o *opening) inside(p Vec3, margin float64) bool {
	x, y := p[(o.axis+1)%3], p[(o.axis+2)%3]
	for i, a := range o.ring {
		b := o.ring[(i+1)%len(o.ring)]
		c := (b[0]-a[0])*(y-a[1]) - (b[1]-a[1])*(x-a[0])
		if c < margin*math.Hypot(b[0]-a[0], b[1]-a[1]) {
			return false
		}
	}
	return true
}

// world is rooms in a grid, some missing, with openings between neighbours.
type world struct {
	place
	rooms    []geom.Box
	cell     []int // of each room: some rooms are pieces of one cell
	count    int   // of cells
	openings []opening
	graph    *Graph
	box      geom.Box
}

func (w *world) cells() (out [][]*hull.Hull) {
	out = make([][]*hull.Hull, w.count)
	for i, b := range w.rooms {
		out[w.cell[i]] = append(out[w.cell[i]], boxHull(b, w.place))
	}
	return out
}

func (w *world) portals() (out []Portal) {
	for i := range w.openings {
		out = append(out, w.openings[i].Portal)
	}
	return out
}

// options of a random world.
type plan struct {
	nx, ny, nz int
	missing    float64 // share of rooms
	joined     float64 // chance that two neighbours are one cell
	doors      float64 // chance of an opening in a wall
	wall       float64 // metres
	shut       float64 // share of portals that are closed; as many are one-way
	place      place
}

func newWorld(r *rand.Rand, p plan) *world {
	if p.wall > 0 {
		p.joined = 0
	}
	w := &world{place: p.place, box: geom.EmptyBox()}
	cuts := [3][]float64{}
	for a, n := range [3]int{p.nx, p.ny, p.nz} {
		x := 0.0
		for range n + 1 {
			cuts[a] = append(cuts[a], x)
			x += 2 + 4*r.Float64()
		}
	}
	id := map[[3]int]int{}
	for i := range p.nx {
		for j := range p.ny {
			for k := range p.nz {
				if r.Float64() < p.missing {
					continue
				}
				c := [3]int{i, j, k}
				var b geom.Box
				for a := range 3 {
					b.Min[a], b.Max[a] = cuts[a][c[a]]+p.wall/2, cuts[a][c[a]+1]-p.wall/2
				}
				id[c] = len(w.rooms)
				w.rooms = append(w.rooms, b)
				w.box = w.box.Union(b)
			}
		}
	}
	at := func(c [3]int) int {
		if i, ok := id[c]; ok {
			return i
		}
		return Outside
	}
	w.join(r, p, at)
	for i := -1; i <= p.nx; i++ {
		for j := -1; j <= p.ny; j++ {
			for k := -1; k <= p.nz; k++ {
				for a := range 3 {
					c := [3]int{i, j, k}
					d := c
					d[a]++
					x, y := at(c), at(d)
					if x == y || x >= 0 && y >= 0 && w.cell[x] == w.cell[y] || a == 1 && r.Float64() < 0.5 {
						continue
					}
					for range 2 {
						if r.Float64() < p.doors {
							w.door(r, a, x, y, p.shut)
						}
					}
				}
			}
		}
	}
	w.build()
	return w
}

// join numbers the cells and makes some neighbours one.
func (w *world) join(r *rand.Rand, p plan, at func([3]int) int) {
	group := make([]int, len(w.rooms))
	for i := range group {
		group[i] = i
	}
	for i := range p.nx {
		for j := range p.ny {
			for k := range p.nz {
				for a := range 3 {
					c := [3]int{i, j, k}
					d := c
					d[a]++
					x, y := at(c), at(d)
					if x < 0 || y < 0 || r.Float64() >= p.joined {
						continue
					}
					from := group[y]
					for n := range group {
						if group[n] == from {
							group[n] = group[x]
						}
					}
				}
			}
		}
	}
	number := map[int]int{}
	for _, g := range group {
		if _, ok := number[g]; !ok {
			number[g] = len(number)
		}
		w.cell = append(w.cell, number[g])
	}
	w.count = len(number)
}

// door opens a random convex polygon between rooms x below and y above along an axis.
func (w *world) door(r *rand.Rand, axis, x, y int, shut float64) {
	o := opening{axis: axis}
	u, v := (axis+1)%3, (axis+2)%3
	var face geom.Box
	switch {
	case x == Outside:
		face = w.rooms[y]
		o.lo, o.hi = face.Min[axis], face.Min[axis]
	case y == Outside:
		face = w.rooms[x]
		o.lo, o.hi = face.Max[axis], face.Max[axis]
	default:
		face = w.rooms[x]
		for _, a := range [2]int{u, v} {
			face.Min[a] = max(face.Min[a], w.rooms[y].Min[a])
			face.Max[a] = min(face.Max[a], w.rooms[y].Max[a])
		}
		o.lo, o.hi = w.rooms[x].Max[axis], w.rooms[y].Min[axis]
	}
	o.at = o.lo + (o.hi-o.lo)*float64(r.IntN(3))/2
	lo, hi := [2]float64{}, [2]float64{}
	for i, a := range [2]int{u, v} {
		size := face.Max[a] - face.Min[a]
		l := size * (0.05 + 0.9*r.Float64())
		if r.IntN(6) == 0 {
			l = size
		}
		lo[i] = face.Min[a] + (size-l)*r.Float64()
		hi[i] = lo[i] + l
	}
	if n := r.IntN(3); n > 0 {
		o.ring = [][2]float64{lo, {hi[0], lo[1]}, hi, {lo[0], hi[1]}}
	} else { // of points on an ellipse
		n := 3 + r.IntN(18)
		start := r.Float64()
		for i := range n {
			s, c := math.Sincos((start + float64(i)/float64(n)) * 2 * math.Pi)
			o.ring = append(o.ring, [2]float64{(lo[0]+hi[0])/2 + c*(hi[0]-lo[0])/2, (lo[1]+hi[1])/2 + s*(hi[1]-lo[1])/2})
		}
	}
	for _, c := range [2]*int{&x, &y} {
		if *c != Outside {
			*c = w.cell[*c]
		}
	}
	o.From, o.To = y, x // counter-clockwise in u, v: the normal points along the axis
	for _, q := range o.ring {
		var p Vec3
		p[axis], p[u], p[v] = o.at, q[0], q[1]
		o.Polygon = append(o.Polygon, w.out(p))
	}
	if r.IntN(2) == 0 {
		o.From, o.To = x, y
		for i, j := 0, len(o.Polygon)-1; i < j; i, j = i+1, j-1 {
			o.Polygon[i], o.Polygon[j] = o.Polygon[j], o.Polygon[i]
		}
	}
	switch s := r.Float64(); {
	case s < shut:
		o.State = Closed
	case s < 2*shut:
		o.State = OneWay
	}
	w.openings = append(w.openings, o)
}

func (w *world) build() {
	g, err := Build(w.cells(), w.portals())
	if err != nil {
		panic(err)
	}
	w.graph = g
}

// lets reports whether the opening lets light go from cell x to y.
func (o *opening) lets(x, y int) bool {
	switch o.State {
	case Closed:
		return false
	case OneWay:
		return o.From == x && o.To == y
	}
	return o.From == x && o.To == y || o.From == y && o.To == x
}

// stretch is a part of a line in one cell.
type stretch struct {
	cell   int
	t0, t1 float64
}

// stretches cuts the line s + t·d, t from 0 to 1, by the rooms.
func (w *world) stretches(s, d Vec3, out []stretch) []stretch {
	for c, b := range w.rooms {
		t0, t1 := 0.0, 1.0
		for a := range 3 {
			if d[a] == 0 {
				if s[a] <= b.Min[a] || s[a] >= b.Max[a] {
					t1 = -1
				}
				continue
			}
			u, v := (b.Min[a]-s[a])/d[a], (b.Max[a]-s[a])/d[a]
			t0, t1 = max(t0, min(u, v)), min(t1, max(u, v))
		}
		if t1-t0 > 1e-12 {
			out = append(out, stretch{w.cell[c], t0, t1})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].t0 < out[j].t0 })
	n := len(out)
	t := 0.0
	for i := 0; i < n; i++ {
		if out[i].t0 > t+1e-12 {
			out = append(out, stretch{Outside, t, out[i].t0})
		}
		t = out[i].t1
	}
	if t < 1-1e-12 {
		out = append(out, stretch{Outside, t, 1})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].t0 < out[j].t0 })
	return out
}

const oracleMargin = 1e-7

// lit is the oracle: light certainly runs from s to e, through openings alone, all in
// the rooms' own frame. A point in the way that is too close to an edge to call counts
// as blocked.
func (w *world) lit(s, e Vec3, scratch *[]stretch) bool {
	d := e.Sub(s)
	list := w.stretches(s, d, (*scratch)[:0])
	*scratch = list
	at := func(t float64) Vec3 { return s.Add(d.Mul(t)) }
	tunnel := func(o *opening, t0, t1 float64) bool {
		p, q := at(t0), at(t1)
		eps := 1e-9
		return o.inside(p, oracleMargin) && o.inside(q, oracleMargin) &&
			min(p[o.axis], q[o.axis]) >= o.lo-eps && max(p[o.axis], q[o.axis]) <= o.hi+eps
	}
	for a := range d { // within a wall's face it is neither in nor out
		for _, b := range w.rooms {
			if math.Abs(d[a]) < 1e-6 && min(math.Abs(s[a]-b.Min[a]), math.Abs(s[a]-b.Max[a])) < 2e-6 {
				return false
			}
		}
	}
	i := 0
	if len(list) > 1 && list[0].cell == Outside { // begins in a wall's opening?
		for k := range w.openings {
			o := &w.openings[k]
			if o.State == Open && o.hi > o.lo && (o.From == list[1].cell || o.To == list[1].cell) && tunnel(o, 0, list[0].t1) {
				i = 1
			}
		}
	}
next:
	for i < len(list)-1 {
		x, y := list[i].cell, list[i+1].cell
		if x == y {
			i++
			continue
		}
		t := list[i].t1
		for k := range w.openings {
			o := &w.openings[k]
			if o.hi-o.lo < 1e-9 {
				if o.lets(x, y) && tunnel(o, t, t) {
					i++
					continue next
				}
				continue
			}
			if y != Outside {
				continue
			}
			if i+2 == len(list) { // ends in the opening
				if other := o.From + o.To - x; (o.From == x || o.To == x) && o.lets(x, other) && tunnel(o, t, 1) {
					return true
				}
			} else if o.lets(x, list[i+2].cell) && tunnel(o, t, list[i+1].t1) {
				i += 2
				continue next
			}
		}
		return false
	}
	return true
}

// camera is a view in the rooms' frame beside that in the world.
type camera struct {
	View
	eye, look, up Vec3
	proj          mgl64.Mat4
	near          float64
}

func (w *world) camera(eye, look Vec3, proj mgl64.Mat4, near float64, ortho bool) *camera {
	look = look.Normalize()
	up := Vec3{0, 1, 0}
	if math.Abs(look[1]) > 0.9 {
		up = Vec3{1, 0, 0}
	}
	c := &camera{eye: eye, look: look, up: up, proj: proj, near: near}
	c.Eye = w.out(eye)
	vp := proj.Mul4(mgl64.LookAtV(Vec3{}, w.turn.Mul3x1(look), w.turn.Mul3x1(up)))
	c.Frustum = geom.FrustumOf(c.Eye, vp)
	c.Near, c.Ortho = near, ortho
	return c
}

// begins is where the line of sight to p begins, on the near plane; ok is false when p
// is not in the picture.
func (w *world) begins(c *camera, p Vec3) (s Vec3, ok bool) {
	if !c.Frustum.Point(w.out(p)) {
		return s, false
	}
	depth := p.Sub(c.eye).Dot(c.look)
	if depth <= c.near {
		return s, false
	}
	if c.Ortho {
		return p.Sub(c.look.Mul(depth - c.near)), true
	}
	return c.eye.Add(p.Sub(c.eye).Mul(c.near / depth)), true
}
