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
	var p place
	if !t.seen(f, b, &p) {
		return true // it sees none of it
	}
	if f.count == 0 {
		return false
	}
	i0, i1, within := f.sectorsOf(p.u0, p.u1)
	if !within {
		return false
	}
	k := f.before(p.near)
	if k < 0 {
		return false
	}
	// What is seen is mostly seen in the middle.
	middle := (i0 + i1) / 2
	if !t.sector(f, &p, middle, k, b) {
		return false
	}
	for i := i0; i <= i1; i++ {
		if i != middle && !t.sector(f, &p, i, k, b) {
			return false
		}
	}
	return true
}

// seen gives what a fan sees of a box.
func (t *Test) seen(f *fan, b *plot, p *place) (ok bool) {
	if f.axis == 0 {
		return t.place(f, p, b.x0, b.x1, b.z0, b.z1)
	}
	return t.place(f, p, b.z0, b.z1, b.x0, b.x1)
}

// sector tells whether the horizon of ring k in sector i stands above the part of the
// box that lies there.
func (t *Test) sector(f *fan, p *place, i, k int, b *plot) bool {
	if g := i / groupSize; f.groups[g].rings <= k {
		t.raise(f, g, k)
	}
	top := t.topIn(f, p, i, b.y1)
	head := f.heads[k*f.count+i]
	if !(top < float64(head)) || !(top < t.drawn(f, i, head)) {
		return false
	}
	if len(f.gaps) == 0 || f.leak[i] == -inf || t.lowest(p, b.y0) > float64(f.leak[i]) {
		return true
	}
	return top < t.drawn(f, i, min(f.safe[i], head))
}

// top is the greatest e between u0 and u1 of the upper edge, y above the eye, of a box
// seen in perspective: that of the edge where lines of sight enter it when it is above
// the eye, and of the one where they leave it when it is below.
func (p *place) top(u0, u1, y float64) float64 {
	if y >= 0 {
		q := p.perNear
		if p.l1 > 0 {
			if v := u1 * p.perL1; v < q {
				q = v
			}
		} else if p.l2 < 0 {
			if v := u0 * p.perL2; v < q {
				q = v
			}
		}
		return y * max(q, p.perD2)
	}
	q := p.perD2
	if p.l2 > 0 {
		if v := u0 * p.perL2; v > q {
			q = v
		}
	}
	if p.l1 < 0 {
		if v := u1 * p.perL1; v > q {
			q = v
		}
	}
	return y * min(q, p.perNear)
}
