package main

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// opening is a door or a window in a wall: from and to along it, and up.
type opening struct {
	name             string
	from, to, lo, hi float64
	state            string // of the portal; "" is open, "none" makes no portal
	flip             bool   // its front is on the other side
}

// wall is one along x at a z, or along z at an x.
type wall struct {
	alongX       bool
	at, from, to float64
	thick        float64
	lo, hi       float64
	material     string
	openings     []opening // ascending
}

// place is a point of a wall: along it, up, and across from its middle.
func (w *wall) place(along, up, across float64) vec {
	if w.alongX {
		return vec{along, up, w.at + across}
	}
	return vec{w.at + across, up, along}
}

// panels are the boxes that a wall is made of. Beside openings they reach a little
// into each other, so that no light falls between.
func (w *wall) panels(lap float64) (list [][2]vec) {
	add := func(from, to, lo, hi float64) {
		if to-from > 2*lap && hi-lo > 2*lap {
			list = append(list, [2]vec{w.place(from, lo, -w.thick/2), w.place(to, hi, w.thick/2)})
		}
	}
	at := w.from
	for _, o := range w.openings {
		add(at, o.from, w.lo, w.hi)
		add(o.from-lap, o.to+lap, w.lo, o.lo)
		add(o.from-lap, o.to+lap, o.hi, w.hi)
		at = o.to
	}
	add(at, w.to, w.lo, w.hi)
	return list
}

// room is a cell: boxes.
type room struct {
	name   string
	pieces [][2]vec
}

// building is a house in its own frame: its floor is at height 0.
type building struct {
	name, asset string
	at          vec // in the world
	yaw         float64
	walls       []wall
	rooms       []room
	extra       solid   // floors, roof and what else the mesh has
	solids      [][]vec // further occluders, each the corners of a hull
	sheets      [][]vec // flat ones
	hatches     []hatch // openings in floors
	idle        []int   // walls' occluders, from 1, that hide nothing that others don't
}

// hatch is a level opening.
type hatch struct {
	name  string
	lo    vec
	hi    vec // its y is lo's
	state string
}

// world is a point of the building in the world.
func (b *building) world(p vec) vec {
	return mgl64.Rotate3DY(mgl64.DegToRad(b.yaw)).Mul3x1(p).Add(b.at)
}

// mesh is the building's.
func (b *building) mesh() (s solid) {
	for _, w := range b.walls {
		for _, p := range w.panels(0.03) {
			s.add(vec{}, box(w.material, p[0], p[1]))
		}
	}
	s.add(vec{}, b.extra)
	return s
}

// Occluders stay inside what they stand for by this much, metres; portals reach
// beyond their openings by half of it.
const inside = 0.02

func shrunk(lo, hi vec) (vec, vec) {
	d := vec{inside, inside, inside}
	return lo.Add(d), hi.Sub(d)
}

// script writes the commands that place the building and its visibility.
func (b *building) script(s *script) {
	s.line("object.place asset=%s name=%q at=%s%s geometry=yes layer=buildings", b.asset, b.name, point(b.at), yaw(b.yaw))
	for i := range b.rooms {
		r := &b.rooms[i]
		for k, p := range r.pieces {
			c := corners(p[0], p[1])
			if k == 0 {
				s.line("cell.hull name=%q points=%s layer=rooms", r.name, b.points(c[:]))
			} else {
				s.line("cell.add id=%q points=%s", r.name, b.points(c[:]))
			}
		}
	}
	for i := range b.walls {
		w := &b.walls[i]
		for _, o := range w.openings {
			if o.state == "none" {
				continue
			}
			d := inside / 2
			p := []vec{w.place(o.from-d, o.lo-d, 0), w.place(o.to+d, o.lo-d, 0), w.place(o.to+d, o.hi+d, 0), w.place(o.from-d, o.hi+d, 0)}
			if o.flip {
				slices.Reverse(p)
			}
			s.portal(o.name, b.points(p), o.state)
			if o.state == "closed" { // something stands in it
				mid := b.world(w.place((o.from+o.to)/2, o.lo-0.04, 0))
				turn := b.yaw
				if !w.alongX {
					turn += 90
				}
				s.line("object.place asset=leaf name=%q at=%s scale=%s,%s,1%s layer=buildings", o.name+" leaf", point(mid), num(o.to-o.from+0.08), num(o.hi-o.lo+0.08), yaw(turn))
			}
		}
	}
	for _, h := range b.hatches {
		p := []vec{h.lo, {h.lo[0], h.lo[1], h.hi[2]}, {h.hi[0], h.lo[1], h.hi[2]}, {h.hi[0], h.lo[1], h.lo[2]}}
		s.portal(h.name, b.points(p), h.state)
	}
	n := 0
	occluder := func(command, points string) {
		n++
		s.line("occluder.%s name=%q points=%s object=%q layer=occluders", command, fmt.Sprintf("%s %d", b.name, n), points, b.name)
	}
	big := 0
	for i := range b.walls {
		if b.walls[i].hi < 0 {
			continue // the ground hides what is behind it
		}
		for _, p := range b.walls[i].panels(0.03) {
			lo, hi := shrunk(p[0], p[1])
			size := hi.Sub(lo)
			if a := []float64{size[0], size[1], size[2]}; slices.Min(a) <= 0 || size[1]*max(size[0], size[2]) < 2 {
				continue // too small to hide much
			}
			if big++; slices.Contains(b.idle, big) {
				continue
			}
			c := corners(lo, hi)
			occluder("hull", b.points(c[:]))
		}
	}
	for _, h := range b.solids {
		occluder("hull", b.points(h))
	}
	for _, h := range b.sheets {
		occluder("plane", b.points(h))
	}
	s.line("")
}

func (b *building) points(list []vec) string {
	out := make([]vec, len(list))
	for i, p := range list {
		out[i] = b.world(p)
	}
	return points(out)
}
