package cull

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// ViewOf reads a view from what draws it: the eye, and the matrix from p − eye to
// OpenGL clip space. It has no slack.
func ViewOf(eye geom.Vec3, viewProj mgl64.Mat4) View {
	f := geom.FrustumOf(eye, viewProj)
	near := f.Planes[4]
	w := viewProj.Row(3)
	return View{
		Eye: eye, ViewProj: viewProj, Forward: near.N, Near: -near.Distance(eye),
		Ortho: w[0] == 0 && w[1] == 0 && w[2] == 0,
	}
}

// Frustum is what the view sees.
func (v *View) Frustum() geom.Frustum { return geom.FrustumOf(v.Eye, v.ViewProj) }

// PixelSlack is the slack of ground that is drawn to within some pixels of the full
// one, in a picture that is height pixels high.
func (v *View) PixelSlack(pixels float64, height int) float64 {
	// Half the picture's height is 1 in clip space, and a metre across the line of
	// sight is as long as the second row of the matrix, divided by w.
	up := v.ViewProj.Row(1).Vec3().Len()
	if !(up > 0) || height <= 0 || math.IsInf(up, 0) {
		return math.Inf(1) // nothing is known: no ground hides anything
	}
	return 2 * pixels / (float64(height) * up)
}
