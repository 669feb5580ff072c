package horizon

import (
	"math"

	"ridgeline/occluders/geom"
)

// Where implements cull.HorizonTest. It looks along the line of sight to the middle of
// the box.
func (t *Test) Where(b geom.Box) (at geom.Vec3, ok bool) {
	if !t.Hidden(b) {
		return at, false
	}
	m, _ := t.plot(b)
	best := math.Inf(-1)
	for i := range t.fans {
		if t.ortho && i > 0 {
			break
		}
		axis, sign := i/2, 1-2*float64(i%2)
		if t.ortho {
			axis, sign = t.axis, t.sign
		} else if m.beside(axis, sign) {
			continue
		}
		f := t.fan(axis, sign)
		var p place
		if !t.seen(f, &m, &p) {
			continue
		}
		u := (p.u0 + p.u1) / 2
		for k := 0; k <= f.before(p.near); k++ {
			r := f.rings[k]
			side, base, q := f.l+u*r.d, t.eye[1], 1/r.d
			if t.ortho {
				side, base, q = u+t.drift*r.d, t.slope*r.d, 1
			}
			if side < 0 || side > float64(f.n-1) {
				continue
			}
			j := min(int(side), f.n-2)
			_, y := between(t.samples(f.axis, r.at, j, j+1), side-float64(j))
			if e := (float64(y) - base) * q; e > best {
				best = e
				at = t.point(f.axis, float64(r.at), float64(y), side)
			}
		}
	}
	return at, !math.IsInf(best, -1)
}

// point is the place in the world of ground at a column (axis 0) or row and sideways.
func (t *Test) point(axis int, along, y, side float64) geom.Vec3 {
	f := t.ground.field
	x, z := f.Origin()
	if axis == 1 {
		along, side = side, along
	}
	return geom.Vec3{x + along*f.Spacing(), y, z + side*f.Spacing()}
}
