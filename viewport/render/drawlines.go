package render

import (
	"image/color"
	"math"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// segment is a line of some width, as its vertex shader reads it.
type segment struct {
	from, to mgl32.Vec3 // metres from the eye
	colour   color.NRGBA
	width    float32 // dp
}

// segmentLayout points the attributes at a segment of the buffer that is bound.
func segmentLayout(first int) {
	const stride = unsafe.Sizeof(segment{})
	var s segment
	at := uintptr(first) * stride
	gl.VertexAttribPointerWithOffset(0, 3, gl.FLOAT, false, int32(stride), at+unsafe.Offsetof(s.from))
	gl.VertexAttribPointerWithOffset(1, 3, gl.FLOAT, false, int32(stride), at+unsafe.Offsetof(s.to))
	gl.VertexAttribPointerWithOffset(2, 4, gl.UNSIGNED_BYTE, true, int32(stride), at+unsafe.Offsetof(s.colour))
	gl.VertexAttribPointerWithOffset(3, 1, gl.FLOAT, false, int32(stride), at+unsafe.Offsetof(s.width))
}

// Widths in dp, and how far lines are pulled towards the eye, in parts of their
// distance, so that the ground they lie on does not hide them.
const (
	ringWidth   = 2
	boundsWidth = 1
	lineBias    = 0.004
	facetBias   = 0.002
	wireBias    = 0.0003
	ghost       = 0.25 // opacity behind the ground
)

// levelColours tint the wires and boxes of each level of detail.
var levelColours = [7]color.NRGBA{
	{0xff, 0xff, 0xff, 0xff}, {0x7f, 0xd8, 0xff, 0xff}, {0x6d, 0xf0, 0xa6, 0xff}, {0xf0, 0xe4, 0x6a, 0xff},
	{0xff, 0xb0, 0x57, 0xff}, {0xff, 0x7c, 0x74, 0xff}, {0xe2, 0x8b, 0xff, 0xff},
}

// gatherLines collects the boxes, rings and segments of a view: first those that the
// level hides, from faint on those that it makes faint, and from top on those that it
// does not touch.
func (r *Renderer) gatherLines(v *View) (faint, top int) {
	r.segments = r.segments[:0]
	if v.Overlays&Bounds != 0 {
		for i := range r.list {
			p := &r.list[i]
			r.addBox(v, r.patchBox(p.Cells), levelColours[p.Level])
		}
	}
	r.addSegments(v, overlay.Tested)
	faint = len(r.segments)
	for i := range v.Rings {
		r.addRing(v, &v.Rings[i])
	}
	r.addSegments(v, overlay.Faint)
	top = len(r.segments)
	r.addSegments(v, overlay.OnTop)
	return faint, top
}

// addSegments adds the segments of the view's shapes that have a depth.
func (r *Renderer) addSegments(v *View, d overlay.Depth) {
	if v.Shapes == nil {
		return
	}
	for i := range v.Shapes.Segments {
		if s := &v.Shapes.Segments[i]; s.Depth == d {
			r.addSegment(v, s.A, s.B, s.Colour, s.Width)
		}
	}
}

// drawLines draws segments [first, end) as far as a depth test lets them pass.
func (r *Renderer) drawLines(first, end int, test uint32, opacity float32) {
	if first == end {
		return
	}
	gl.BindVertexArray(r.lineVAO)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.lines.buffer)
	segmentLayout(first)
	p := &r.programs.line
	gl.UseProgram(p.name)
	gl.Uniform1f(p.bias, lineBias)
	gl.Uniform1f(p.opacity, opacity)
	gl.DepthFunc(test)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(end-first))
	r.stats.Draws++
}

func (r *Renderer) addSegment(v *View, a, b mgl64.Vec3, c color.NRGBA, width float32) {
	r.segments = append(r.segments, segment{narrow(a.Sub(v.Eye)), narrow(b.Sub(v.Eye)), c, width})
}

// addBox adds the twelve edges of a box.
func (r *Renderer) addBox(v *View, b geom.Box, c color.NRGBA) {
	for i := range 8 {
		for axis := range 3 {
			if j := i | 1<<axis; j != i {
				r.addSegment(v, b.Corner(i), b.Corner(j), c, boundsWidth)
			}
		}
	}
}

// ringSteps is the number of segments of a ring.
const ringSteps = 128

// addRing adds a brush's rings, at the height of the full-detail ground. Where
// there is no ground there is no ring. A dark rim makes it seen on bright ground.
func (r *Renderer) addRing(v *View, ring *Ring) {
	dark := color.NRGBA{A: ring.Colour.A / 2}
	r.addCircle(v, ring, ring.Radius, dark, ringWidth+2)
	r.addCircle(v, ring, ring.Radius, ring.Colour, ringWidth)
	if ring.Inner > 0 && ring.Inner < ring.Radius {
		c := ring.Colour
		c.A /= 2
		r.addCircle(v, ring, ring.Inner, c, ringWidth)
	}
}

func (r *Renderer) addCircle(v *View, ring *Ring, radius float64, c color.NRGBA, width float32) {
	f := r.world.Field
	var last mgl64.Vec3
	was := false
	for i := range ringSteps + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%ringSteps) / ringSteps)
		x, z := ring.X+radius*cos, ring.Z+radius*sin
		y, ok := f.Height(x, z)
		p := mgl64.Vec3{x, y, z}
		if ok && was {
			r.addSegment(v, last, p, c, width)
		}
		last, was = p, ok
	}
}

// drawWires draws the edges of the ground's triangles.
func (r *Renderer) drawWires(eye eyeCell) {
	if len(r.items) == 0 {
		return
	}
	gl.Disable(gl.STENCIL_TEST)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.DepthMask(false)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(r.vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.patches.buffer)
	gl.ActiveTexture(gl.TEXTURE0 + unitSamples)
	p := &r.programs.mesh[meshWire]
	gl.UseProgram(p.name)
	gl.Uniform1f(p.bias, wireBias)
	tint := func(level uint8) {
		c := rgb(levelColours[level])
		gl.Uniform4f(p.tint, c[0], c[1], c[2], 0.5)
	}
	for _, c := range r.classes {
		r.bindPage(p.page, r.items[c.first].page, eye)
		r.drawRuns(c, gl.LINES, tint)
	}
}
