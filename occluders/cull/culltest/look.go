package culltest

import (
	"math"
	"math/rand/v2"

	"ridgeline/occluders/geom"
)

// RandomCamera stands where it hurts: inside solids, on the planes of portals, faces
// and walls, or a little off them, gliding along them or looking along their edges.
func (w *World) RandomCamera(r *rand.Rand, l Lens) *Camera {
	near := math.Abs(l.Near)
	eye, kind := w.somewhere(r), "anywhere"
	look := w.target(r).Sub(eye)
	off := func() float64 {
		return []float64{0, 1e-6, -1e-6, near, -near, near / 2, -near / 2, 1.5 * near}[r.IntN(8)]
	}
	switch n := r.IntN(10); {
	case n < 2 && len(w.Portals) > 0: // on a portal's plane, mostly in its opening
		p := w.Portals[r.IntN(len(w.Portals))].Polygon
		q := normal(p)
		kind = "portal"
		eye = Inside(r, p).Add(q.Mul(off()))
		if r.IntN(4) == 0 {
			eye = p[r.IntN(len(p))].Add(q.Mul(off())).Add(p[0].Sub(p[1]).Mul(r.Float64()))
		}
		switch r.IntN(4) {
		case 0:
			look = q
		case 1:
			look = q.Mul(-1)
		case 2: // edge-on
			look = Inside(r, p).Sub(eye)
			look = look.Sub(q.Mul(look.Dot(q)))
		default:
			look = w.target(r).Sub(eye)
		}
	case n < 4 && len(w.faces) > 0: // along a wall
		f := w.faces[r.IntN(len(w.faces))]
		kind = "face"
		eye = Inside(r, f.corners).Add(f.normal.Mul(off()))
		if r.IntN(2) == 0 {
			look = Inside(r, f.corners).Sub(eye)
			look = look.Sub(f.normal.Mul(look.Dot(f.normal)))
		} else {
			look = w.target(r).Sub(eye)
		}
	case n < 6 && len(w.Cells) > 0: // in a room
		c := w.Cells[r.IntN(len(w.Cells))]
		kind = "room"
		eye = Inside(r, c[r.IntN(len(c))].Vertices)
		look = w.target(r).Sub(eye)
	case n < 7 && len(w.hulls) > 0: // in a solid
		b := w.bounds[r.IntN(len(w.bounds))]
		kind = "solid"
		eye = b.Center().Add(geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(0.2 * b.Size().Len()))
		look = w.target(r).Sub(eye)
	case n < 8 && len(w.gaps) > 0: // before a gap
		kind = "gap"
		g := w.gaps[r.IntN(len(w.gaps))]
		look = g.Sub(eye)
		if r.IntN(2) == 0 {
			eye = g.Sub(look.Mul(r.Float64()))
		}
		if len(w.slits) > 0 && r.IntN(3) > 0 { // in its line, or nearly
			s := w.slits[r.IntN(len(w.slits))]
			look = s.along.Mul(2*float64(r.IntN(2)) - 1)
			eye = s.at.Sub(look.Mul(1 + 15*r.Float64())).Add(geom.Vec3{0, r.NormFloat64(), 0}.Mul(float64(r.IntN(2))))
		}
	case n < 9 && l.Half < 0.01: // far away, to see anything at all
		kind = "far"
		eye = eye.Sub(look.Normalize().Mul(300))
	}
	if look.Len() < 1e-3 {
		look = geom.Vec3{r.NormFloat64(), r.NormFloat64() * 0.3, r.NormFloat64()}
	}
	up := geom.Vec3{0, 1, 0}
	if r.IntN(5) == 0 {
		up = geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
	}
	c := l.Look(eye, look, up)
	c.Kind = kind
	return c
}

// somewhere is a point in or around the world.
func (w *World) somewhere(r *rand.Rand) geom.Vec3 {
	size := w.Box.Size()
	var p geom.Vec3
	for a := range p {
		p[a] = w.Box.Min[a] + size[a]*(1.4*r.Float64()-0.2)
	}
	return p
}

// target is something to look at.
func (w *World) target(r *rand.Rand) geom.Vec3 {
	if len(w.gaps) > 0 && r.IntN(3) == 0 {
		return w.gaps[r.IntN(len(w.gaps))]
	}
	if len(w.Boxes) > 0 {
		return inside(r, w.Boxes[r.IntN(len(w.Boxes))])
	}
	return w.somewhere(r)
}

func inside(r *rand.Rand, b geom.Box) geom.Vec3 {
	p := b.Min
	for a := range p {
		p[a] += (b.Max[a] - b.Min[a]) * r.Float64()
	}
	return p
}

// PointOf is a point of a box: a corner, on an edge, on a face or inside.
func PointOf(r *rand.Rand, b geom.Box) geom.Vec3 {
	p := inside(r, b)
	for a := range p {
		switch r.IntN(3) {
		case 0:
			p[a] = b.Min[a]
		case 1:
			p[a] = b.Max[a]
		}
	}
	return p
}

// Steered is a point close to where light may just pass: by an edge of a solid or a
// portal, or between two of them.
func (w *World) Steered(r *rand.Rand, c *Camera) geom.Vec3 {
	edge := func() geom.Vec3 {
		var l []geom.Vec3
		switch n := r.IntN(3); {
		case n == 0 && len(w.Portals) > 0:
			l = w.Portals[r.IntN(len(w.Portals))].Polygon
		case n == 1 && len(w.gaps) > 0:
			return w.gaps[r.IntN(len(w.gaps))]
		case len(w.faces) > 0:
			l = w.faces[r.IntN(len(w.faces))].corners
		default:
			return w.target(r)
		}
		i := r.IntN(len(l))
		a, b := l[i], l[(i+1)%len(l)]
		return a.Add(b.Sub(a).Mul(r.Float64()))
	}
	p := edge()
	if r.IntN(4) == 0 { // the middle between near points of two edges
		best, q := math.Inf(1), p
		for range 8 {
			o := edge()
			if d := o.Sub(p).Len(); d < best && d > 0 {
				best, q = d, o
			}
		}
		return p.Add(q).Mul(0.5)
	}
	e := math.Pow(10, -6*r.Float64()) * (0.1 + 0.02*p.Sub(c.View.Eye).Len())
	return p.Add(geom.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(e))
}

// False is a false cull: an entry that was removed and a line of sight to it.
type False struct {
	Entry int32
	Sight Sight
	Depth float64
}

// Search looks for entries that can be seen among those of a list, by as many lines of
// sight as rays: through points of these entries, and by gaps and edges.
func (w *World) Search(r *rand.Rand, c *Camera, removed []int32, rays int) (False, bool) {
	if len(removed) == 0 {
		return False{}, false
	}
	for i := range rays {
		var p geom.Vec3
		switch {
		case i%2 == 0:
			p = PointOf(r, w.Boxes[removed[r.IntN(len(removed))]])
		case i%8 == 1:
			s := c.Anywhere(r)
			p = s.At(math.Abs(c.Near) + 1)
		default:
			p = w.Steered(r, c)
		}
		s, ok := c.Toward(p)
		if !ok {
			continue
		}
		end := -1.0
		for _, e := range removed {
			t0, t1 := Within(&s, w.Boxes[e])
			if t0 > t1 {
				continue
			}
			if end < 0 {
				end = w.Stop(&s, Everything)
			}
			if t0 < end {
				return False{e, s, t0}, true
			}
		}
	}
	return False{}, false
}
