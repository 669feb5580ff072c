package glcontext

import (
	"image"
	"image/color"
)

// argb is a pixel in the layout of _NET_WM_ICON: not premultiplied, alpha in the
// highest byte.
func argb(m image.Image, x, y int) uint32 {
	c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
	return uint32(c.A)<<24 | uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B)
}
