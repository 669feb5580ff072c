package twin

import (
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// Colour is linear light: red, green, blue.
type Colour = mgl64.Vec3

// Place is a point of the ground within a triangle: the samples at its corners and
// their shares, which sum to 1.
type Place struct {
	Corners [3]image.Point
	Shares  [3]float64
	Cell    image.Point
}

// Find gives the place under world x, z; ok is false off the field. Holes are not
// looked at.
func Find(f *terrain.Field, x, z float64) (p Place, ok bool) {
	c, r, u, v, ok := f.Cell(x, z)
	if !ok {
		return Place{}, false
	}
	p.Cell = image.Pt(c, r)
	p.Corners[1], p.Corners[2] = image.Pt(c+1, r), image.Pt(c, r+1)
	if u+v <= 1 {
		p.Corners[0] = image.Pt(c, r)
		p.Shares = [3]float64{1 - u - v, u, v}
	} else {
		p.Corners[0] = image.Pt(c+1, r+1)
		p.Shares = [3]float64{u + v - 1, 1 - v, 1 - u}
	}
	return p, true
}

// Weights are the shares of a splat's three layers; they sum to 1.
func Weights(s terrain.Splat) (base, over, third float64) {
	a, a2 := float64(s.Alpha)/255, float64(s.Alpha2)/255
	return (1 - a) * (1 - a2), a * (1 - a2), a2
}

// Linear decodes an 8-bit sRGB colour.
func Linear(c terrain.RGB) Colour {
	return Colour{decode(c.R), decode(c.G), decode(c.B)}
}

func decode(b uint8) float64 {
	v := float64(b) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Encode gives the 8-bit sRGB codes of linear light, which is clamped to 0–1.
func Encode(c Colour) terrain.RGB {
	e := func(v float64) uint8 {
		v = min(max(v, 0), 1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		return uint8(math.Round(v * 255))
	}
	return terrain.RGB{R: e(c[0]), G: e(c[1]), B: e(c[2])}
}

// Blend is the colour of the ground at a place before the sun falls on it: the
// vertex-diffuse blend, with the light of the samples if baked says that it is
// shown. layer gives the colour of a ground texture there.
func Blend(f *terrain.Field, p Place, baked bool, layer func(id uint8) Colour) Colour {
	var sum Colour
	for i, at := range p.Corners {
		s := f.SplatAt(at.X, at.Y)
		base, over, third := Weights(s)
		c := layer(s.Base).Mul(base).Add(layer(s.Over).Mul(over)).Add(layer(s.Third).Mul(third))
		light := Colour{1, 1, 1}
		if baked {
			light = Linear(f.LightAt(at.X, at.Y))
		}
		for k := range c {
			sum[k] += p.Shares[i] * c[k] * light[k]
		}
	}
	return sum
}

// Normal is the ground's unit normal at a place: x and z are interpolated between
// the normals of the corners, y is what is left.
func Normal(f *terrain.Field, p Place) mgl64.Vec3 {
	var x, z float64
	for i, at := range p.Corners {
		n := f.Normal(at.X, at.Y)
		x += p.Shares[i] * n[0]
		z += p.Shares[i] * n[2]
	}
	return mgl64.Vec3{x, math.Sqrt(max(1-x*x-z*z, 0)), z}
}

// Lit is a surface in the light of ambient + sun·max(0, normal·toSun).
func Lit(surface Colour, normal, toSun mgl64.Vec3, sun, ambient Colour) Colour {
	n := max(normal.Dot(toSun), 0)
	for k := range surface {
		surface[k] *= ambient[k] + sun[k]*n
	}
	return surface
}
