package horizon

import (
	"math"

	"ridgeline/occluders/geom"
)

// Hidden implements cull.HorizonTest.
func (t *Test) Hidden(b geom.Box) bool {
	p, ok := t.plot(b)
	if !ok {
		return false
	}
	if t.ortho {
		f := t.fan(t.axis, t.sign)
		return t.hides(f, &p)
	}
	for i := range t.fans {
		axis, sign := i/2, 1-2*float64(i%2)
		if p.beside(axis, sign) {
			continue
		}
		if !t.hides(t.fan(axis, sign), &p) {
			return false
		}
	}
	return true
}

// plot is a box in cells from the eye, its heights in metres from base.
type plot struct{ x0, x1, z0, z1, y0, y1 float64 }

// boxSlack is how much boxes are taken for greater, as a part of their distance.
const boxSlack = 1e-9

// plot measures a box from the eye; ok is false when it cannot be hidden, as when the
// eye is above or below it.
func (t *Test) plot(b geom.Box) (p plot, ok bool) {
	if t.blind || b.IsEmpty() {
		return p, false
	}
	x, z := t.eye[0], t.eye[2]
	if t.ortho {
		x, z = t.ground.field.Origin()
	}
	base := t.base()
	p.x0, p.x1 = wider((b.Min[0]-x)*t.scale, (b.Max[0]-x)*t.scale)
	p.z0, p.z1 = wider((b.Min[2]-z)*t.scale, (b.Max[2]-z)*t.scale)
	p.y0, p.y1 = wider(b.Min[1]-base, b.Max[1]-base)
	if !(p.x0 > -farthest && p.z0 > -farthest && p.x1 < farthest && p.z1 < farthest) || math.IsNaN(p.y0+p.y1) {
		return p, false
	}
	return p, t.ortho || p.x0 > 0 || p.x1 < 0 || p.z0 > 0 || p.z1 < 0
}

// beside tells whether a box is certainly not in a fan of a perspective view, as
// all of it lies behind the eye.
func (p *plot) beside(axis int, sign float64) bool {
	lo, hi := p.x0, p.x1
	if axis == 1 {
		lo, hi = p.z0, p.z1
	}
	return sign > 0 && hi <= 0 || sign < 0 && lo >= 0
}

func wider(a, b float64) (float64, float64) {
	off := boxSlack * (max(math.Abs(a), math.Abs(b)) + 1)
	return a - off, b + off
}

// hides tells whether all that the fan sees of the box is hidden.
func (t *Test) hides(f *fan, b *plot) bool {
	p, y0, y1, ok := t.seen(f, b)
	if !ok {
		return true // it sees none of it
	}
	i0, i1, within := f.sectorsAt(&p)
	if !within {
		return false
	}
	k := f.before(p.near)
	if k < 0 {
		return false
	}
	bottom := -math.MaxFloat64
	if len(f.gaps) > 0 {
		bottom = t.lowest(&p, y0)
	}
	top := t.highest(&p, y1)
	middle := (i0 + i1) / 2
	if !t.sector(f, &p, middle, k, top, y1, bottom) {
		return false
	}
	for i := i0; i <= i1; i++ {
		if i != middle && !t.sector(f, &p, i, k, top, y1, bottom) {
			return false
		}
	}
	return true
}

// seen gives what a fan sees of a box, with its heights.
func (t *Test) seen(f *fan, b *plot) (p place, y0, y1 float64, ok bool) {
	if f.axis == 0 {
		p, ok = t.place(f, b.x0, b.x1, b.z0, b.z1)
	} else {
		p, ok = t.place(f, b.z0, b.z1, b.x0, b.x1)
	}
	return p, b.y0, b.y1, ok
}

func (f *fan) sectorsAt(p *place) (i0, i1 int, within bool) {
	if f.count == 0 {
		return 0, -1, false
	}
	return f.sectorsOf(p.u0, p.u1)
}

// sector tells whether the horizon of ring k in sector i stands above the part of the box
// that lies there. top is the greatest e of the whole box, y the height of its top.
func (t *Test) sector(f *fan, p *place, i, k int, top, y, bottom float64) bool {
	if g := i / groupSize; f.groups[g].rings <= k {
		t.raise(f, g, k)
	}
	if !t.ortho {
		top = p.top(f.lo+f.step*(float64(i)-sectorSlack), f.lo+f.step*(float64(i+1)+sectorSlack), y)
	}
	head := f.heads[k*f.count+i]
	if !(top < float64(head)) || !(top < t.drawn(f, i, head)) {
		return false
	}
	if len(f.gaps) == 0 || f.leak[i] == -inf || bottom > float64(f.leak[i]) {
		return true
	}
	return top < t.drawn(f, i, min(f.safe[i], head))
}

// top is the greatest e between u0 and u1 of the upper edge, y above the eye, of a box
// seen in perspective: that of the edge where lines of sight enter it when it is above
// the eye, and of the one where they leave it when it is below.
func (p *place) top(u0, u1, y float64) float64 {
	if y >= 0 {
		q := 1 / p.near
		if p.l1 > 0 {
			q = min(q, u1/p.l1)
		} else if p.l2 < 0 {
			q = min(q, u0/p.l2)
		}
		return y * max(q, 1/p.d2)
	}
	q := 1 / p.d2
	if p.l2 > 0 {
		q = max(q, u0/p.l2)
	}
	if p.l1 < 0 {
		q = max(q, u1/p.l1)
	}
	return y * min(q, 1/p.near)
}
