package render

import (
	"fmt"
	"image/color"
	"math"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// HeatMap is a grid of numbers that is shown as colours on the ground, those of
// HeatColour, mixed into the picture. A number stands in the middle of its part of the
// map; between the middles colours are mixed.
type HeatMap struct {
	Min, Max   mgl64.Vec2 // world, x and z: the map's corners
	Cols, Rows int        // the first row lies at Min
	Values     []float32  // row by row, 0–1, those beyond are taken for that; NaN is none
}

// heatDensity is how much of the picture is the map.
const heatDensity = 0.6

// heatColours are the colours of a heat map, from dark blue past teal to yellow. They lie on
// a parabola in the Oklab space (Björn Ottosson, "A perceptual color space for image
// processing", 2020), on which lightness rises evenly and blue gives way to yellow: both
// are seen, too, by those who do not tell red from green. Teal in the middle keeps it from
// looking like grey ground that the map says nothing of.
var heatColours = func() (t [256]color.NRGBA) {
	low, high := oklab(color.NRGBA{0x0a, 0x1a, 0x66, 0xff}), oklab(color.NRGBA{0xff, 0xec, 0x4a, 0xff})
	bend := mgl64.Vec3{(low[0] + high[0]) / 2, -0.15, 0}
	for i := range t {
		f := float64(i) / 255
		t[i] = fromOklab(low.Mul((1 - f) * (1 - f)).Add(bend.Mul(2 * f * (1 - f))).Add(high.Mul(f * f)))
	}
	return t
}()

// HeatColour is the colour, sRGB, that a heat map has for a value: dark blue for 0,
// yellow for 1; none, with an alpha of 0, for NaN.
func HeatColour(value float32) color.NRGBA {
	if value != value {
		return color.NRGBA{}
	}
	return heatColours[int(min(max(value, 0), 1)*255+0.5)]
}

// oklab takes a colour to the Oklab space.
func oklab(c color.NRGBA) mgl64.Vec3 {
	r, g, b := float64(linearOf[c.R]), float64(linearOf[c.G]), float64(linearOf[c.B])
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return mgl64.Vec3{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// fromOklab is the other way.
func fromOklab(c mgl64.Vec3) color.NRGBA {
	cube := func(v float64) float64 { return v * v * v }
	l := cube(c[0] + 0.3963377774*c[1] + 0.2158037573*c[2])
	m := cube(c[0] - 0.1055613458*c[1] - 0.0638541728*c[2])
	s := cube(c[0] - 0.0894841775*c[1] - 1.2914855480*c[2])
	encode := func(v float64) uint8 {
		if v = min(max(v, 0), 1); v <= 0.0031308 {
			return uint8(255*12.92*v + 0.5)
		}
		return uint8(255*(1.055*math.Pow(v, 1/2.4)-0.055) + 0.5)
	}
	return color.NRGBA{
		encode(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		encode(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		encode(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
		255,
	}
}

// maxHeat is the greatest number of columns and of rows.
const maxHeat = 4096

func (h *HeatMap) check() error {
	if h == nil {
		return nil
	}
	if h.Cols < 1 || h.Rows < 1 || h.Cols > maxHeat || h.Rows > maxHeat {
		return fmt.Errorf("a heat map of %d×%d values, expected 1 to %d each way", h.Cols, h.Rows, maxHeat)
	}
	if len(h.Values) != h.Cols*h.Rows {
		return fmt.Errorf("the heat map has %d values, expected %d for %d×%d", len(h.Values), h.Cols*h.Rows, h.Cols, h.Rows)
	}
	for i := range 2 {
		if d := h.Max[i] - h.Min[i]; !(d > 0) || math.IsInf(d, 0) {
			return fmt.Errorf("the heat map reaches from %v to %v, expected a corner and one beyond it", h.Min, h.Max)
		}
	}
	return nil
}

// heat is a heat map on the GPU.
type heat struct {
	texture uint32
	texels  []color.NRGBA
}

// upload gives the GPU the colours of a map.
func (t *heat) upload(h *HeatMap) {
	t.texels = grow(t.texels, len(h.Values))
	for i, v := range h.Values {
		t.texels[i] = HeatColour(v)
	}
	gl.ActiveTexture(gl.TEXTURE0 + unitHeat)
	if t.texture == 0 {
		gl.GenTextures(1, &t.texture)
		gl.BindTexture(gl.TEXTURE_2D, t.texture)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	}
	gl.BindTexture(gl.TEXTURE_2D, t.texture)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_PIXELS, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_ROWS, 0)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, int32(h.Cols), int32(h.Rows), 0, gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&t.texels[0]))
}

// drawHeat draws the view's heat map on the ground that is seen: the same mesh at the
// same depths.
func (r *Renderer) drawHeat(v *View, eye eyeCell) {
	h := v.HeatMap
	if h == nil || len(r.items) == 0 {
		return
	}
	r.heat.upload(h)
	// Map coordinates of a place in cells from the eye's.
	f := r.world.Field
	ox, oz := f.Origin()
	var spread mgl32.Vec4
	for i, from := range [2]float64{ox + float64(eye.x)*f.Spacing(), oz + float64(eye.z)*f.Spacing()} {
		size := h.Max[i] - h.Min[i]
		spread[i], spread[2+i] = float32(f.Spacing()/size), float32((from-h.Min[i])/size)
	}
	r.stage.bind()
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.SCISSOR_TEST)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.EQUAL)
	gl.DepthMask(false)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	if r.twoSided {
		gl.Disable(gl.CULL_FACE)
	} else {
		gl.Enable(gl.CULL_FACE)
	}
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BindVertexArray(r.vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.patches.buffer)
	p := &r.programs.mesh[meshHeat]
	gl.UseProgram(p.name)
	gl.Uniform1f(p.bias, 0)
	gl.Uniform1f(p.density, heatDensity)
	gl.Uniform4f(p.spread, spread[0], spread[1], spread[2], spread[3])
	gl.ActiveTexture(gl.TEXTURE0 + unitSamples)
	for _, c := range r.classes {
		r.bindPage(p.page, r.items[c.first].page, eye)
		r.drawRuns(c, gl.TRIANGLES, nil)
	}
}

func (t *heat) release() {
	if t.texture != 0 {
		gl.DeleteTextures(1, &t.texture)
	}
	*t = heat{}
}
