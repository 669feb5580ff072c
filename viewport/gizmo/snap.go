package gizmo

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Snap is what a drag snaps to. The zero value is nothing. Points come before
// surfaces, and both before the grid.
type Snap struct {
	Grid     float64 // metres, 0 none
	Absolute bool    // the grid of the world, for World axes, instead of steps from the start
	Angle    float64 // radians, 0 none
	Scale    float64 // step of the factor, 0 none

	// Vertices snap the gizmo's place to the point nearest to the pointer on the
	// screen, as far as the handle lets it.
	Vertices Candidates
	Within   float64 // dp, how near to the pointer; 0 is 12

	// Surface snaps the gizmo's place to what a line of sight meets first. With
	// Align, the centre handle also turns the thing's Y along the normal.
	Surface func(geom.Ray) (point, normal geom.Vec3, ok bool)
	Align   bool
}

// Candidates appends the points in a narrow frustum around the pointer, and may
// append others.
type Candidates func(dst []geom.Vec3, near *geom.Frustum) []geom.Vec3

const defaultWithin = 12.0

// target finds the point in space that a drag snaps to. The offset is how far beside
// the gizmo's middle it was taken, in pixels: a surface is met under the middle.
func (s *Snap) target(v *View, ray geom.Ray, offset mgl64.Vec2) (p geom.Vec3, normal *geom.Vec3, ok bool) {
	if s.Vertices != nil {
		within := s.Within
		if !(within > 0) {
			within = defaultWithin
		}
		if p, ok := NearestVertex(*v, ray, within, s.Vertices); ok {
			return p, nil, true
		}
	}
	if s.Surface != nil {
		if p, n, ok := s.Surface(v.Ray(v.PixelOf(ray).Sub(offset))); ok {
			if s.Align {
				normal = &n
			}
			return p, normal, true
		}
	}
	return geom.Vec3{}, nil, false
}

// NearestVertex finds, among the candidates, the point that appears nearest to where
// the line of sight goes through the screen, no more than so many dp away. Of points
// that appear within half a pixel of each other it is the one nearest to the viewer.
func NearestVertex(v View, ray geom.Ray, within float64, list Candidates) (p geom.Vec3, ok bool) {
	cursor := v.PixelOf(ray)
	r := within * v.DP()
	pad := mgl64.Vec2{r, r}
	f := Marquee(cursor.Sub(pad), cursor.Add(pad), v)
	best := touch{distance: math.Inf(1)}
	for _, q := range list(nil, &f) {
		pixel, depth, seen := v.Camera.Project(q, v.Size)
		if !seen {
			continue
		}
		t := touch{pixel.Sub(cursor).Len(), depth}
		if !(t.distance <= r) {
			continue
		}
		close := math.Abs(t.distance-best.distance) < 0.5
		if close && t.depth < best.depth || !close && t.distance < best.distance {
			best, p, ok = t, q, true
		}
	}
	return p, ok
}

// AlignUp turns an orientation the shortest way so that its Y points along a unit
// normal.
func AlignUp(orientation mgl64.Quat, normal geom.Vec3) mgl64.Quat {
	return toNormal(Frame{Orientation: orientation}, normal).Mul(orientation).Normalize()
}

// toNormal is the shortest rotation of a frame's Y to a normal.
func toNormal(f Frame, normal geom.Vec3) mgl64.Quat {
	q := f.Orientation
	if !(q.Len() > 0) {
		q = mgl64.QuatIdent()
	}
	up := q.Normalize().Rotate(geom.Vec3{0, 1, 0})
	axis := up.Cross(normal)
	if l := axis.Len(); l > 1e-12 {
		// Nearly upside down, rounding would leave the axis askew.
		axis = axis.Sub(up.Mul(axis.Dot(up))).Normalize()
		return mgl64.QuatRotate(math.Atan2(l, up.Dot(normal)), axis)
	}
	if up.Dot(normal) < 0 { // upside down: any axis is as short
		u, _ := across(up)
		return mgl64.QuatRotate(math.Pi, u)
	}
	return mgl64.QuatIdent()
}

// axisAngle takes a rotation apart.
func axisAngle(q mgl64.Quat) (axis geom.Vec3, angle float64) {
	l := q.V.Len()
	if l == 0 {
		return geom.Vec3{0, 1, 0}, 0
	}
	return q.V.Mul(1 / l), 2 * math.Atan2(l, q.W)
}
