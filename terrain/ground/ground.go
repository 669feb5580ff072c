package ground

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
)

// The range of sizes of a texture, in pixels.
const (
	MinSize = 16
	MaxSize = 4096
)

// recipe draws a texture onto an empty canvas.
type recipe struct {
	name string
	draw func(*canvas)
}

var recipes = []recipe{
	{"grass", drawGrass},
	{"dirt", drawDirt},
	{"sand", drawSand},
	{"rock", drawRock},
	{"gravel", drawGravel},
	{"snow", drawSnow},
	{"forest", drawForest},
	{"mud", drawMud},
}

// Names lists the textures that Generate makes.
func Names() []string {
	names := make([]string, len(recipes))
	for i, r := range recipes {
		names[i] = r.name
	}
	return names
}

// Generate makes a texture of size×size pixels, opaque sRGB. It takes a
// tenth of a second or two at 512, on all processors. An unknown name and a size outside MinSize–MaxSize are
// errors.
func Generate(name string, size int) (*image.NRGBA, error) {
	if size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("a ground texture of %d pixels is out of range, expected %d to %d", size, MinSize, MaxSize)
	}
	for i, r := range recipes {
		if r.name == name {
			c := newCanvas(size, uint32(i+1))
			r.draw(c)
			return c.picture(), nil
		}
	}
	return nil, fmt.Errorf("there is no ground texture %q, expected one of %s", name, strings.Join(Names(), ", "))
}

// Average is the colour that a picture has from afar: the mean of its light, as
// sRGB. A picture without pixels is black.
func Average(m *image.NRGBA) color.NRGBA {
	var toLinear [256]float64
	for i := range toLinear {
		toLinear[i] = linear(float64(i) / 255)
	}
	var sum [3]float64
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		row := m.Pix[m.PixOffset(b.Min.X, y):][:4*b.Dx()]
		for x := 0; x < len(row); x += 4 {
			for k := range sum {
				sum[k] += toLinear[row[x+k]]
			}
		}
	}
	n := float64(max(1, b.Dx()*b.Dy()))
	to8 := func(v float64) uint8 { return uint8(math.Round(255 * encoded(v/n))) }
	return color.NRGBA{to8(sum[0]), to8(sum[1]), to8(sum[2]), 255}
}

// linear and encoded are the sRGB transfer function and its inverse.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func encoded(v float64) float64 {
	if v <= 0.0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}
