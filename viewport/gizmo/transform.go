package gizmo

import (
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Transform is how a thing differs from what it was when a drag began: first it is
// scaled along Axes, then turned, both about the pivot, then moved.
type Transform struct {
	Pivot       geom.Vec3  // world
	Axes        mgl64.Quat // of the scale
	Scale       geom.Vec3  // factors, none of them 0
	Rotation    mgl64.Quat // unit
	Axis        geom.Vec3  // unit, that Rotation turns about
	Angle       float64    // radians about Axis, whole turns counted
	Translation geom.Vec3  // metres, world
}

func unmoved(pivot geom.Vec3, axes mgl64.Quat) Transform {
	return Transform{Pivot: pivot, Axes: axes, Scale: geom.Vec3{1, 1, 1}, Rotation: mgl64.QuatIdent(), Axis: geom.Vec3{0, 1, 0}}
}

// Point is where a point of the world comes to lie.
func (t *Transform) Point(p geom.Vec3) geom.Vec3 {
	d := t.Axes.Conjugate().Rotate(p.Sub(t.Pivot))
	for i := range d {
		d[i] *= t.Scale[i]
	}
	return t.Pivot.Add(t.Rotation.Rotate(t.Axes.Rotate(d))).Add(t.Translation)
}

// Apply gives the new place, orientation and scale of a thing. Scaling a thing along
// axes that are not its own would shear it; it then grows along its own axes by as
// much as they would.
func (t *Transform) Apply(at geom.Vec3, orientation mgl64.Quat, scale geom.Vec3) (geom.Vec3, mgl64.Quat, geom.Vec3) {
	at = t.Point(at)
	if t.Scale != (geom.Vec3{1, 1, 1}) {
		back := t.Axes.Conjugate().Mul(orientation)
		for i := range scale {
			var e geom.Vec3
			e[i] = 1
			e = back.Rotate(e)
			var grown geom.Vec3
			for k := range e {
				grown[k] = e[k] * t.Scale[k]
			}
			f := grown.Len()
			if grown.Dot(e) < 0 { // mirrored
				f = -f
			}
			scale[i] *= f
		}
	}
	return at, t.Rotation.Mul(orientation).Normalize(), scale
}

// turn makes the transform a rotation.
func (t *Transform) turn(axis geom.Vec3, angle float64) {
	t.Axis, t.Angle = axis, angle
	t.Rotation = mgl64.QuatRotate(angle, axis)
}
