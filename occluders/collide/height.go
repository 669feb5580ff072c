package collide

import (
	"math"

	"ridgeline/occluders/geom"
)

// atPlace is how far above or below a point a surface may lie, in metres, and still
// be met by heights both above and below it: a point that stands on a surface finds
// it however it was rounded.
const atPlace = 1e-6

// HeightAbove is the height of the lowest surface at or above p. ok is false when
// there is none.
func (w *World) HeightAbove(p Vec3, f *Filter) (y float64, ok bool) {
	return w.height(p, 1, f)
}

// HeightBelow is the height of the highest surface at or below p. ok is false when
// there is none.
func (w *World) HeightBelow(p Vec3, f *Filter) (y float64, ok bool) {
	return w.height(p, -1, f)
}

// HeightClosest is the height of the surface above or below p that is nearest to
// it. ok is false when there is none.
func (w *World) HeightClosest(p Vec3, f *Filter) (y float64, ok bool) {
	below, okBelow := w.HeightBelow(p, f)
	above, okAbove := w.HeightAbove(p, f)
	if okBelow && (!okAbove || p[1]-below <= above-p[1]) {
		return below, true
	}
	return above, okAbove
}

// height looks up (dir 1) or down (dir −1) from p. Walls have no height.
func (w *World) height(p Vec3, dir float64, f *Filter) (float64, bool) {
	if !finite(p) {
		return 0, false
	}
	best, found := math.Inf(1), false // the way to the surface
	if w.ground != nil && (f == nil || !f.NoGround) {
		if y, ok := w.ground.Height(p[0], p[2]); ok {
			if d := (y - p[1]) * dir; d >= -atPlace {
				best, found = d, true
			}
		}
	}
	var bodies Filter
	if f != nil {
		bodies = *f
	}
	bodies.NoGround = true
	from := p
	from[1] -= dir * atPlace
	if h, ok := w.cast(geom.Ray{Origin: from, Dir: Vec3{0, dir, 0}}, best+atPlace, &bodies, false); ok {
		best, found = h.T-atPlace, true
	}
	if !found {
		return 0, false
	}
	return p[1] + dir*best, true
}
