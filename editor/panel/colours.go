package panel

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain/shade"
)

// srgbOf is a linear colour as it is shown.
func srgbOf(c mgl64.Vec3) color.NRGBA {
	return color.NRGBA{R: shade.SRGB(float32(c[0])), G: shade.SRGB(float32(c[1])), B: shade.SRGB(float32(c[2])), A: 0xff}
}
