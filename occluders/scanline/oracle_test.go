package scanline

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// polygon is an occluder of the tests.
type polygon struct{ points, hole []vec3 }

// scene is a camera and occluders, with places where light may pass.
type scene struct {
	eye, forward, up vec3
	ortho            bool
	half             float64 // half the vertical angle, or the half height
	size             image.Point
	near             float64
	hulls            []*hull.Hull
	polygons         []polygon
	base             vec3
	rng              *rand.Rand
}

func (s *scene) viewProj() mgl64.Mat4 {
	aspect := float64(s.size.X) / float64(s.size.Y)
	look := mgl64.LookAtV(vec3{}, s.forward, s.up)
	if s.ortho {
		return mgl64.Ortho(-s.half*aspect, s.half*aspect, -s.half, s.half, s.near, 1e5).Mul4(look)
	}
	return mgl64.Perspective(2*s.half, aspect, s.near, 1e5).Mul4(look)
}

func (s *scene) build(b *Buffer) {
	b.Begin(s.eye, s.viewProj(), s.size, s.near)
	for i, h := range s.hulls {
		b.Add(int32(i), h)
	}
	for i, p := range s.polygons {
		b.AddPolygon(int32(len(s.hulls)+i), p.points, p.hole)
	}
	b.End()
}

// A sight is a line of sight, in metres along the view from the eye or its plane.
type sight struct{ from, dir vec3 }

// toward is the line of sight through p, and whether it is on the picture.
func (s *scene) toward(p vec3) (l sight, ok bool) {
	d := p.Sub(s.eye)
	w := d.Dot(s.forward)
	right := s.forward.Cross(s.up).Normalize()
	up := right.Cross(s.forward)
	x, y := d.Dot(right), d.Dot(up)
	if s.ortho {
		l = sight{s.eye.Add(right.Mul(x)).Add(up.Mul(y)), s.forward}
		return l, math.Abs(y) <= s.half && math.Abs(x) <= s.half*float64(s.size.X)/float64(s.size.Y)
	}
	if w < s.near {
		return l, false
	}
	t := math.Tan(s.half)
	return sight{s.eye, d.Mul(1 / w)}, math.Abs(y)/w <= t && math.Abs(x)/w <= t*float64(s.size.X)/float64(s.size.Y)
}

// stops gives the distance at which the line meets a hull, from outside and no
// nearer than the near plane. pad makes the hull thicker.
func (s *scene) stops(l sight, h *hull.Hull, pad float64) float64 {
	enter, leave := math.Inf(-1), math.Inf(1)
	for i, p := range h.Planes {
		at := h.Vertices[h.Faces[i][0]]
		d, n := p.N.Dot(l.from.Sub(at))-pad, p.N.Dot(l.dir)
		switch {
		case n < 0:
			enter = max(enter, -d/n)
		case n > 0:
			leave = min(leave, -d/n)
		case d > 0:
			return inf
		}
	}
	if enter > leave || enter < s.near-pad {
		return inf
	}
	return enter
}

// stopsPolygon is stops for a polygon.
func (s *scene) stopsPolygon(l sight, p polygon, pad float64) float64 {
	pl, ok := planeOf(p.points)
	if !ok {
		return inf
	}
	n := pl.N.Dot(l.dir)
	if n == 0 {
		return inf
	}
	t := -pl.N.Dot(l.from.Sub(p.points[0])) / n
	q := l.from.Add(l.dir.Mul(t))
	if t < s.near-pad || !within(q, p.points, pl.N, pad) {
		return inf
	}
	if p.hole != nil && within(q, p.hole, pl.N, -pad) {
		return inf
	}
	return t - math.Abs(pad/n)
}

func planeOf(points []vec3) (geom.Plane, bool) {
	var n vec3
	for i := range points {
		n = n.Add(points[i].Sub(points[0]).Cross(points[(i+1)%len(points)].Sub(points[0])))
	}
	if !(n.Len() > 0) {
		return geom.Plane{}, false
	}
	n = n.Normalize()
	return geom.Plane{N: n, D: -n.Dot(points[0])}, true
}

// within reports whether q lies in a polygon, or less than pad outside; more than
// that inside for pad below 0.
func within(q vec3, points []vec3, n vec3, pad float64) bool {
	in, nearest := 0.0, inf
	for i, a := range points {
		b := points[(i+1)%len(points)]
		u, v := a.Sub(q), b.Sub(q)
		in += math.Atan2(n.Dot(u.Cross(v)), u.Dot(v))
		e := b.Sub(a)
		t := mgl64.Clamp(-u.Dot(e)/e.Dot(e), 0, 1)
		nearest = min(nearest, u.Add(e.Mul(t)).Len())
	}
	if math.Abs(in) < 3 {
		nearest = -nearest
	}
	return nearest >= -pad
}

// clear reports whether the line reaches distance t past all occluders, which are
// thicker by pad.
func (s *scene) clear(l sight, t, pad float64) bool {
	for _, h := range s.hulls {
		if s.stops(l, h, pad) < t {
			return false
		}
	}
	for _, p := range s.polygons {
		if s.stopsPolygon(l, p, pad) < t {
			return false
		}
	}
	return true
}

// reaches gives the distance at which the line enters a box.
func reaches(l sight, b geom.Box) float64 {
	enter, leave := math.Inf(-1), math.Inf(1)
	for a := range 3 {
		t0, t1 := (b.Min[a]-l.from[a])/l.dir[a], (b.Max[a]-l.from[a])/l.dir[a]
		if l.dir[a] == 0 {
			if l.from[a] < b.Min[a] || l.from[a] > b.Max[a] {
				return inf
			}
			continue
		}
		enter, leave = max(enter, min(t0, t1)), min(leave, max(t0, t1))
	}
	if enter > leave {
		return inf
	}
	return enter
}

// pad is what the oracle grants to rounding, in metres.
func (s *scene) pad() float64 { return 1e-9 + 1e-13*s.base.Len() }

// seen looks for a line of sight to the box past all occluders: through points of the
// box, and close by edges and between corners of occluders.
func (s *scene) seen(box geom.Box, tries int) (sight, bool) {
	r := s.rng
	look := func(p vec3) (sight, bool) {
		l, ok := s.toward(p)
		if !ok {
			return l, false
		}
		t := reaches(l, box)
		return l, t < inf && t >= s.near && s.clear(l, t, s.pad())
	}
	for range tries {
		var p vec3
		for a := range p {
			p[a] = box.Min[a] + (box.Max[a]-box.Min[a])*r.Float64()
		}
		if r.IntN(3) == 0 {
			p = box.Corner(r.IntN(8))
		}
		if l, ok := look(p); ok {
			return l, true
		}
	}
	for range tries {
		if l, ok := look(s.steered()); ok {
			return l, true
		}
	}
	return sight{}, false
}

// steered is a point near a silhouette or in a gap.
func (s *scene) steered() vec3 {
	r := s.rng
	loop := func() []vec3 {
		i := r.IntN(len(s.hulls) + len(s.polygons))
		if i >= len(s.hulls) {
			p := s.polygons[i-len(s.hulls)]
			if p.hole != nil && r.IntN(2) == 0 {
				return p.hole
			}
			return p.points
		}
		h := s.hulls[i]
		var points []vec3
		for _, v := range h.Faces[r.IntN(len(h.Faces))] {
			points = append(points, h.Vertices[v])
		}
		return points
	}
	onEdge := func() vec3 {
		l := loop()
		i := r.IntN(len(l))
		a, b := l[i], l[(i+1)%len(l)]
		return a.Add(b.Sub(a).Mul(r.Float64()))
	}
	p := onEdge()
	switch r.IntN(4) {
	case 0: // the middle between two near points of different edges
		best := inf
		q := p
		for range 12 {
			o := onEdge()
			if d := o.Sub(p).Len(); d < best && d > 0 {
				best, q = d, o
			}
		}
		return p.Add(q).Mul(0.5)
	}
	e := math.Pow(10, -7*r.Float64()) * p.Sub(s.eye).Len() * 0.01
	return p.Add(vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(e))
}

func (s *scene) uniform(lo, hi float64) float64 { return lo + (hi-lo)*s.rng.Float64() }

func (s *scene) dir() vec3 {
	return vec3{s.rng.NormFloat64(), s.rng.NormFloat64(), s.rng.NormFloat64()}.Normalize()
}

// ahead is a point in front of the camera at about this distance, on the picture.
func (s *scene) ahead(w float64) vec3 {
	right := s.forward.Cross(s.up).Normalize()
	up := right.Cross(s.forward)
	h := s.half
	if !s.ortho {
		h = math.Tan(s.half) * w
	}
	a := float64(s.size.X) / float64(s.size.Y)
	return s.eye.Add(s.forward.Mul(w)).Add(right.Mul(s.uniform(-1, 1) * h * a)).Add(up.Mul(s.uniform(-1, 1) * h))
}

// brick is a turned box.
func (s *scene) brick(center, half vec3, turn mgl64.Mat3) *hull.Hull {
	return solidOf(func(i int) vec3 {
		p := half
		for a := range p {
			if i>>a&1 == 0 {
				p[a] = -p[a]
			}
		}
		return center.Add(turn.Mul3x1(p))
	})
}

func (s *scene) turn() mgl64.Mat3 {
	switch s.rng.IntN(3) {
	case 0:
		return mgl64.Ident3()
	case 1:
		return mgl64.Rotate3DY(s.uniform(0, 7))
	}
	return mgl64.Rotate3DX(s.uniform(0, 7)).Mul3(mgl64.Rotate3DY(s.uniform(0, 7))).Mul3(mgl64.Rotate3DZ(s.uniform(0, 7)))
}

// kinds of scenes.
const (
	bricks = iota
	wall
	crossing
	around
	panels
	city
	sceneKinds
)

// sceneOf makes a scene of a kind from a seed.
func sceneOf(kind int, seed uint64) *scene {
	s := &scene{rng: rand.New(rand.NewPCG(seed, 7))}
	r := s.rng
	s.size = image.Pt(64+r.IntN(1300), 64+r.IntN(800))
	s.near = []float64{0.01, 0.1, 1}[r.IntN(3)]
	if r.IntN(3) == 0 {
		s.base = vec3{1e5, 100, -1e5}
	}
	s.eye = s.base.Add(vec3{s.uniform(-5, 5), s.uniform(1, 4), s.uniform(-5, 5)})
	yaw, pitch := s.uniform(0, 7), s.uniform(-0.6, 0.6)
	if r.IntN(3) == 0 {
		yaw, pitch = 0, 0
	}
	s.forward = vec3{math.Sin(yaw) * math.Cos(pitch), math.Sin(pitch), -math.Cos(yaw) * math.Cos(pitch)}
	s.up = vec3{0, 1, 0}
	if r.IntN(4) == 0 {
		s.up = s.dir()
	}
	s.half = []float64{0.5, 0.3, 1.3, 0.01}[r.IntN(4)]
	if s.ortho = r.IntN(4) == 0; s.ortho {
		s.half = s.uniform(2, 60)
	}
	reach := 1.0 // how wide the view is at distance 1
	if !s.ortho {
		reach = math.Tan(s.half)
	}
	switch kind {
	case bricks:
		for range 1 + r.IntN(30) {
			w := s.uniform(2, 100)
			k := w * reach * 0.5
			if s.ortho {
				k = s.half * 0.5
			}
			s.hulls = append(s.hulls, s.brick(s.ahead(w), vec3{k * s.uniform(0.01, 1), k * s.uniform(0.01, 1), s.uniform(0.01, 0.4) * w}, s.turn()))
		}
	case wall:
		s.wall()
		s.mirror()
	case crossing:
		w := s.uniform(4, 50)
		c := s.eye.Add(s.forward.Mul(w))
		k := w * reach
		if s.ortho {
			k = s.half
		}
		for range 2 + r.IntN(5) {
			at := c.Add(s.dir().Mul(0.1 * k))
			s.hulls = append(s.hulls, s.brick(at, vec3{k * s.uniform(0.3, 1.5), k * s.uniform(0.3, 1.5), k * s.uniform(0.001, 0.2)}, s.turn()))
		}
	case around:
		for range 1 + r.IntN(4) {
			half := vec3{s.uniform(0.1, 9), s.uniform(0.1, 9), s.uniform(0.1, 9)}
			off := vec3{s.uniform(-1, 1) * half[0], s.uniform(-1, 1) * half[1], s.uniform(-1, 1) * half[2]}
			a := r.IntN(3)
			off[a] = half[a] * []float64{1, -1}[r.IntN(2)]
			by := []float64{0, 1e-6, -1e-6, s.near, -s.near, 0.5 * s.near, 3}[r.IntN(7)]
			off[a] += math.Copysign(by, off[a])
			s.hulls = append(s.hulls, s.brick(s.eye.Sub(off), half, mgl64.Ident3()))
			if r.IntN(2) == 0 {
				s.hulls[len(s.hulls)-1] = s.brick(s.eye.Add(s.dir().Mul(s.uniform(0, 6))), half, s.turn())
			}
		}
	case panels:
		for range 1 + r.IntN(6) {
			w := s.uniform(0.5, 60)
			k := w * reach
			if s.ortho {
				k = s.half
			}
			u, v := s.dir(), s.dir()
			if r.IntN(2) == 0 {
				u, v = s.forward.Cross(s.up).Normalize(), s.up
			}
			c := s.ahead(w)
			n := 3 + r.IntN(6)
			p := polygon{}
			for i := range n {
				a := 2 * math.Pi * float64(i) / float64(n)
				d := k * s.uniform(0.4, 1.6)
				p.points = append(p.points, c.Add(u.Mul(math.Cos(a)*d)).Add(v.Mul(math.Sin(a)*d)))
			}
			if r.IntN(2) == 0 {
				for i := range 4 {
					a := 2 * math.Pi * float64(i) / 4
					d := k * 0.1
					p.hole = append(p.hole, c.Add(u.Mul(math.Cos(a)*d)).Add(v.Mul(math.Sin(a)*d)))
				}
			}
			s.polygons = append(s.polygons, p)
		}
	case city:
		for range 5 + r.IntN(60) {
			w := s.uniform(3, 120)
			at := s.ahead(w)
			at[1] = s.base[1]
			half := vec3{s.uniform(0.5, 8), s.uniform(0.5, 12), s.uniform(0.5, 8)}
			at[1] += half[1]
			s.hulls = append(s.hulls, s.brick(at, half, mgl64.Ident3()))
		}
	}
	return s
}

// wall is a wall of pieces with narrow gaps between, or none.
func (s *scene) wall() {
	r := s.rng
	w := s.uniform(3, 60)
	k := w
	if !s.ortho {
		k *= 1.3 * math.Tan(s.half)
	} else {
		k = s.half * 1.5
	}
	k *= float64(max(s.size.X, s.size.Y)) / float64(s.size.Y)
	right := s.forward.Cross(s.up).Normalize()
	up := right.Cross(s.forward)
	if r.IntN(2) == 0 {
		a := s.uniform(-1, 1)
		right, up = right.Mul(math.Cos(a)).Add(up.Mul(math.Sin(a))), up.Mul(math.Cos(a)).Sub(right.Mul(math.Sin(a)))
	}
	shear := []float64{0, s.uniform(-1, 1)}[r.IntN(2)]
	lean := []float64{0, s.uniform(-0.7, 0.7)}[r.IntN(2)]
	across := right.Add(s.forward.Mul(lean))
	rise := up.Add(right.Mul(shear))
	gap := []float64{0, 0, 1e-3, 1e-5, 0.05}[r.IntN(5)]
	thick := []float64{0.01, 0.3, 3}[r.IntN(3)]
	nx, ny := 1+r.IntN(5), 1+r.IntN(5)
	c := s.eye.Add(s.forward.Mul(w))
	for i := range nx {
		for j := range ny {
			s.hulls = append(s.hulls, solidOf(func(n int) vec3 {
				u := (float64(i+n&1)/float64(nx) - 0.5) * 2 * k
				v := (float64(j+n>>1&1)/float64(ny) - 0.5) * 2 * k
				u += gap / 2 * float64(1-2*(n&1))
				v += gap / 2 * float64(1-2*(n>>1&1))
				t := thick * float64(1-n>>2) // the greater z is nearer
				return c.Add(across.Mul(u)).Add(rise.Mul(v)).Add(s.forward.Mul(t))
			}))
		}
	}
}

// mirror puts mirrored copies of some hulls in their place.
func (s *scene) mirror() {
	for i, h := range s.hulls {
		if s.rng.IntN(4) > 0 {
			continue
		}
		c := h.Bounds().Center()
		flip := mgl64.Translate3D(c[0], c[1], c[2]).Mul4(mgl64.Scale3D(-1, 1, 1)).Mul4(mgl64.Translate3D(-c[0], -c[1], -c[2]))
		if m, err := h.Transform(flip); err == nil {
			s.hulls[i] = m
		}
	}
}

// behind is a box that may be hidden.
func (s *scene) behind() geom.Box {
	w := s.uniform(s.near*1.5, 140)
	if s.rng.IntN(3) > 0 {
		w = s.uniform(60, 400)
	}
	at := s.ahead(w)
	k := 0.3 * w * math.Pow(10, -3*s.rng.Float64())
	if !s.ortho {
		k *= math.Tan(s.half)
	}
	h := vec3{k * s.uniform(0, 1), k * s.uniform(0, 1), k * s.uniform(0, 1)}
	return geom.Box{Min: at.Sub(h), Max: at.Add(h)}
}

// checkScene shoots lines of sight at boxes that the buffer hides, and counts these.
func checkScene(t fatal, b *Buffer, kind int, seed uint64) (hidden, asked int) {
	s := sceneOf(kind, seed)
	s.build(b)
	var boxes []geom.Box
	for range 30 {
		boxes = append(boxes, s.behind())
	}
	batch := b.AppendHidden(nil, boxes)
	for i, box := range boxes {
		if batch[i] && !b.Hidden(box) {
			t.Fatalf("box %d: the batch hides what the single test does not", i)
		}
		if !b.Hidden(box) {
			continue
		}
		hidden++
		if l, ok := s.seen(box, 60); ok {
			t.Fatalf("kind %d seed %d box %d %v: seen along %v", kind, seed, i, box, l)
		}
	}
	return hidden, len(boxes)
}

// fatal is what testing.T and rapid.T have in common.
type fatal interface{ Fatalf(string, ...any) }

func TestNothingSeenIsHidden(t *testing.T) {
	var b Buffer
	rapid.Check(t, func(t *rapid.T) {
		checkScene(t, &b, rapid.IntRange(0, sceneKinds-1).Draw(t, "kind"), rapid.Uint64().Draw(t, "seed"))
	})
	// In scenes that are the same in every run enough is hidden to show something.
	for kind := range sceneKinds {
		hidden, asked := 0, 0
		for seed := range uint64(20) {
			h, n := checkScene(t, &b, kind, seed)
			hidden, asked = hidden+h, asked+n
		}
		if t.Logf("kind %d: %d hidden of %d", kind, hidden, asked); hidden*20 < asked {
			t.Errorf("kind %d: only %d of %d boxes hidden: the test shows little", kind, hidden, asked)
		}
	}
}
