package gizmo

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Marquee is what a rectangle of the screen holds, from the camera's near plane to
// its far plane; a and b are opposite corners in pixels. A rectangle thinner than a
// pixel counts as one pixel wide.
func Marquee(a, b mgl64.Vec2, view View) geom.Frustum {
	// Scale the clip space so that the rectangle fills it.
	m := mgl64.Ident4()
	for k := range 2 {
		middle, half := (a[k]+b[k])/2, max(math.Abs(a[k]-b[k])/2, 0.5)
		c, h := 2*middle/view.Size[k]-1, 2*half/view.Size[k]
		if k == 1 {
			c = -c
		}
		m.Set(k, k, 1/h)
		m.Set(k, 3, -c/h)
	}
	return geom.FrustumOf(view.Camera.Eye, m.Mul4(view.Camera.ViewProj(view.Size)))
}
