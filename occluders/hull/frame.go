package hull

import (
	"math"

	"ridgeline/occluders/geom"
)

// frame is where hulls are built: the points moved and scaled, without any rounding, to
// coordinates of about 1 around what they share, so that neither their distance from
// the origin nor their size matters to the arithmetic.
type frame struct {
	move   geom.Vec3 // taken away: zero, or a coordinate near all others
	zoom   float64   // then a power of two
	grain  float64   // grain of the points, in the frame
	middle geom.Vec3 // of their box, in the frame
}

// smallest is the least coordinate that the frame tells from zero, far below a grain;
// it keeps products of three from underflow.
const smallest = 1.0 / (1 << 50) / (1 << 50) / (1 << 50) / (1 << 50)

// least is the smallest side of a solid: what it is made of must be numbers of full
// precision.
const least = 1e-301

// frameOf is the frame for points in a box; an error when they are as good as one.
func frameOf(box geom.Box) (f frame, err error) {
	var far float64
	for i := range box.Min {
		far = max(far, math.Abs(box.Min[i]), math.Abs(box.Max[i]))
	}
	if !(far <= greatest) {
		return f, ErrNotFinite
	}
	var side float64
	for i := range box.Min {
		lo, hi := box.Min[i], box.Max[i]
		side = max(side, hi-lo)
		// Numbers within a factor of two have a difference without rounding.
		switch {
		case lo > 0 && hi <= 2*lo:
			f.move[i] = lo
		case hi < 0 && lo >= 2*hi:
			f.move[i] = hi
		}
	}
	if !(side >= least) {
		return f, ErrPoint
	}
	_, e := math.Frexp(side)
	f.zoom = math.Ldexp(1, -e)
	f.grain = grain(side*f.zoom, far*f.zoom)
	lo, hi := f.in(&box.Min), f.in(&box.Max)
	f.middle = lo.Add(hi).Mul(0.5)
	return f, nil
}

// in takes a point into the frame.
func (f *frame) in(p *geom.Vec3) (q geom.Vec3) {
	for i := range q {
		v := (p[i] - f.move[i]) * f.zoom
		if v < smallest && v > -smallest {
			v = 0
		}
		q[i] = v
	}
	return q
}
