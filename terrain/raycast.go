package terrain

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Hit is where a ray meets the ground.
type Hit struct {
	T        float64    // distance along the ray, in lengths of its direction
	Point    mgl64.Vec3 // world
	Normal   mgl64.Vec3 // unit, upwards, of the triangle that was hit
	Col, Row int        // the cell
}

// Raycast finds the first point at which the ray crosses the full-detail surface,
// from above or from below; touching it counts, and so does beginning on it. Holes
// let it through. The ray is in world coordinates and must be finite; one without
// direction meets nothing.
//
// The answer is that of trying every triangle without rounding, except that a ray is
// taken to touch what it passes as near as float64 can tell, some parts in 10¹⁵ of
// the coordinates from the field's first sample. So none slips between triangles,
// whose edges belong to both, nor off the rim, which belongs to the field.
func (f *Field) Raycast(ray geom.Ray) (hit Hit, ok bool) {
	var w walker
	if !w.cast(f, &ray, math.Inf(1)) {
		return hit, false
	}
	w.report(&hit, &ray)
	return hit, true
}

// RaycastTo is Raycast for the part of the ray up to tMax lengths of its direction.
func (f *Field) RaycastTo(ray geom.Ray, tMax float64) (hit Hit, ok bool) {
	var w walker
	if !w.cast(f, &ray, tMax) {
		return hit, false
	}
	w.report(&hit, &ray)
	return hit, true
}

// Blocked reports whether the ground is in the way of the ray up to tMax lengths of
// its direction.
func (f *Field) Blocked(ray geom.Ray, tMax float64) bool {
	var w walker
	return w.cast(f, &ray, tMax)
}
