package collide

import "math"

// Slider moves spheres and capsules through a World. The zero value works; it keeps
// memory and what it found near the last place, so it is not for concurrent use, and
// what it returns is valid until its next call.
type Slider struct {
	// Ignore, if not 0, is the ID of the body that moves, which is not in its own way.
	Ignore uint64

	near     near
	touches  []touch
	contacts []Contact
}

// Motion is what became of one.
type Motion struct {
	Moved    Vec3
	Contacts []Contact // what was touched, in that order, each triangle once
}

// Sweep moves c along delta until it touches something and gives the part of delta,
// 0 to 1, that it gets: it stops Skin before what it may not pass. Without ok it
// gets all of it, or MaxMotion. What it lies within, or nearer to than Skin, does not
// stop it unless it leads closer. What Slide does not move gets 0.
func (s *Slider) Sweep(w *World, c Capsule, delta Vec3) (part float64, touched Contact, ok bool) {
	length := delta.Len()
	if !c.valid() || !(length <= math.MaxFloat64) {
		return 0, Contact{}, false
	}
	end := 1.0
	if length > MaxMotion {
		end = MaxMotion / length
	}
	step := min(1, longest(c)/length)
	for from := 0.0; from < end; from += step {
		this := min(step, end-from)
		t, hit, ok := s.sweep(w, c.move(delta.Mul(from)), delta.Mul(this))
		if ok {
			return min(from+t*this, 1), s.contact(hit), true
		}
	}
	return end, Contact{}, false
}

// Slide moves c along delta; what it meets turns it aside, along the nearest
// direction that leads into nothing it touches. It never passes through anything nor
// comes nearer to anything than it is, or than half of Skin. A motion longer than
// MaxMotion is cut. A shape greater than MaxSize does not move, nor does anything
// that is not finite.
func (s *Slider) Slide(w *World, c Capsule, delta Vec3) Motion {
	s.contacts = s.contacts[:0]
	length := delta.Len()
	if !c.valid() || !(length <= math.MaxFloat64) {
		return Motion{}
	}
	if length > MaxMotion {
		delta = delta.Mul(MaxMotion / length)
	}
	moved := s.slide(w, c, delta, nil)
	return Motion{moved, s.contacts}
}

// stalls bounds how often in turn a slide may be stopped without getting on.
const stalls = 16

// turner gives the direction in which to go on with what is left of a motion, given
// what is touched; none is the end of it.
type turner interface {
	turn(s *Slider, rest Vec3) Vec3
}

// slide moves c along delta and appends to s.contacts. turn may be nil for the
// direction nearest to what is left of delta.
func (s *Slider) slide(w *World, c Capsule, delta Vec3, t turner) (moved Vec3) {
	s.touches = s.touches[:0]
	rest, v := delta, delta
	shortest := 1e-9 + 1e-9*delta.Len()
	for stalled := 0; stalled < stalls; {
		length := v.Len()
		if length <= shortest {
			break
		}
		part := min(1, longest(c)/length)
		u, hit, ok := s.sweep(w, c, v.Mul(part))
		u *= part
		step := v.Mul(u)
		c, moved, rest = c.move(step), moved.Add(step), rest.Mul(1-u)
		if !ok && part == 1 {
			break
		}
		if u*length < Skin/10 {
			stalled++
		} else {
			stalled = 0
		}
		s.keepTouches(c)
		if ok {
			s.addTouch(hit)
		}
		if t != nil {
			v = t.turn(s, rest)
		} else {
			v = s.aside(rest)
		}
	}
	return moved
}

// sweep is near.sweep in world coordinates; without a hit t is 1.
func (s *Slider) sweep(w *World, c Capsule, delta Vec3) (t float64, hit touch, ok bool) {
	if s.near.cover(w, pathBox(c, delta, 2*Skin), s.Ignore) {
		s.touches = s.touches[:0]
	}
	t, hit, ok = s.near.sweep(c.A.Sub(s.near.base), c.B.Sub(s.near.base), c.Radius, delta)
	if !ok {
		t = 1
	}
	return t, hit, ok
}

// keepTouches forgets what c left and looks up again how it stands to the rest.
func (s *Slider) keepTouches(c Capsule) {
	p, q := c.A.Sub(s.near.base), c.B.Sub(s.near.base)
	kept := s.touches[:0]
	for _, t := range s.touches {
		t.closest = s.near.pieces[t.piece].closestTo(p, q)
		if t.d <= c.Radius+1.5*Skin {
			kept = append(kept, t)
		}
	}
	s.touches = kept
}

// maxTouches bounds what is taken into account at once.
const maxTouches = 12

func (s *Slider) addTouch(hit touch) {
	c := s.contact(hit)
	known := false
	for _, o := range s.contacts {
		known = known || o.Body == c.Body && o.Triangle == c.Triangle
	}
	if !known {
		s.contacts = append(s.contacts, c)
	}
	for i := range s.touches {
		if s.touches[i].piece == hit.piece {
			s.touches[i] = hit
			return
		}
	}
	if len(s.touches) == maxTouches {
		s.touches = append(s.touches[:0], s.touches[1:]...)
	}
	s.touches = append(s.touches, hit)
}

// contact tells of a touch in world coordinates.
func (s *Slider) contact(t touch) Contact {
	p := &s.near.pieces[t.piece]
	c := Contact{Normal: t.n, Face: t.n, Point: t.at.Add(s.near.base), Triangle: int(p.triangle), Body: int(p.body)}
	if !p.isBall() {
		if c.Face = p.n; c.Face.Dot(t.n) < 0 {
			c.Face = c.Face.Mul(-1)
		}
	}
	if p.body != OnGround {
		c.ID = s.near.world.bodies[p.body].ID
	}
	return c
}

// aside is the vector nearest to d that leads into none of the touches. The nearest
// point of a cone lies within it, on one of its planes, on an edge of two, or at its
// tip.
func (s *Slider) aside(d Vec3) Vec3 {
	n := s.touches
	free := func(v Vec3) bool {
		for i := range n {
			if v.Dot(n[i].n) < -1e-9*d.Len() {
				return false
			}
		}
		return true
	}
	if free(d) {
		return d
	}
	var best Vec3
	most := 0.0
	try := func(v Vec3) {
		if l := v.Dot(v); l > most && free(v) {
			best, most = v, l
		}
	}
	for i := range n {
		try(d.Sub(n[i].n.Mul(d.Dot(n[i].n))))
		for j := range i {
			edge := n[i].n.Cross(n[j].n)
			if l := edge.Dot(edge); l > 1e-18 {
				try(edge.Mul(d.Dot(edge) / l))
			}
		}
	}
	return best
}

func (c Capsule) move(d Vec3) Capsule { return Capsule{c.A.Add(d), c.B.Add(d), c.Radius} }

// pushes bounds the rounds of PushOut.
const pushes = 32

// PushOut gives the way by which c must move to be Skin away from whatever it is in.
// It is pushed out of what it is deepest in, time and again; without ok there was no
// end to it, as in a gap that is too narrow, and way is zero. A shape that is in
// nothing stays.
func (s *Slider) PushOut(w *World, c Capsule) (way Vec3, ok bool) {
	if !c.valid() {
		return Vec3{}, false
	}
	return s.pushOut(w, c, 0)
}

// pushOut moves c out of what is nearer than slack to its surface.
func (s *Slider) pushOut(w *World, c Capsule, slack float64) (way Vec3, ok bool) {
	for range pushes {
		s.near.cover(w, pathBox(c, Vec3{}, 2*Skin), s.Ignore)
		i, deepest := s.near.deepest(c.A.Sub(s.near.base), c.B.Sub(s.near.base), c.Radius+slack)
		if i < 0 || deepest.d >= c.Radius+slack {
			return way, true
		}
		push := deepest.n.Mul(c.Radius + Skin - deepest.d)
		way, c = way.Add(push), c.move(push)
	}
	return Vec3{}, false
}

// deepest finds the piece nearest to the segment p–q, of those within reach of it;
// −1 if there is none.
func (g *near) deepest(p, q Vec3, reach float64) (index int, c closest) {
	index, c.d = -1, math.Inf(1)
	var lo, hi Vec3
	for k := range 3 {
		lo[k], hi[k] = min(p[k], q[k])-reach, max(p[k], q[k])+reach
	}
	for i := range g.pieces {
		t := &g.pieces[i]
		if t.lo[0] > hi[0] || t.hi[0] < lo[0] || t.lo[2] > hi[2] || t.hi[2] < lo[2] || t.lo[1] > hi[1] || t.hi[1] < lo[1] {
			continue
		}
		if o := t.closestTo(p, q); o.d < c.d {
			index, c = i, o
		}
	}
	return index, c
}
