package render

import (
	"image/color"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/viewport/overlay"
)

// facetCorner is a corner of a filled triangle, as its vertex shader reads it.
type facetCorner struct {
	at     mgl32.Vec3 // metres from the eye
	colour color.NRGBA
}

func facetLayout() {
	const stride = int32(unsafe.Sizeof(facetCorner{}))
	var c facetCorner
	gl.VertexAttribPointerWithOffset(0, 3, gl.FLOAT, false, stride, unsafe.Offsetof(c.at))
	gl.VertexAttribPointerWithOffset(1, 4, gl.UNSIGNED_BYTE, true, stride, unsafe.Offsetof(c.colour))
	gl.EnableVertexAttribArray(0)
	gl.EnableVertexAttribArray(1)
}

// drawShapes draws boxes, rings and the view's shapes over the level: what the level
// hides or makes faint, and then what is on top of all; facets below segments.
func (r *Renderer) drawShapes(v *View) {
	faintLine, topLine := r.gatherLines(v)
	faintFacet, topFacet := r.gatherFacets(v)
	lines, facets := len(r.segments), len(r.corners)
	if lines+facets == 0 {
		return
	}
	if lines > 0 {
		r.lines.fill(unsafe.Pointer(&r.segments[0]), lines*int(unsafe.Sizeof(segment{})))
	}
	if facets > 0 {
		r.facets.fill(unsafe.Pointer(&r.corners[0]), facets*int(unsafe.Sizeof(facetCorner{})))
	}
	gl.Disable(gl.STENCIL_TEST)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthMask(false)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.Disable(gl.CULL_FACE)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	r.drawFacets(0, topFacet, gl.LEQUAL, 1)
	r.drawFacets(faintFacet, topFacet, gl.GREATER, ghost)
	r.drawLines(0, topLine, gl.LEQUAL, 1)
	r.drawLines(faintLine, topLine, gl.GREATER, ghost)
	r.drawFacets(topFacet, facets, gl.ALWAYS, 1)
	r.drawLines(topLine, lines, gl.ALWAYS, 1)
}

// gatherFacets collects the corners of the view's facets in the order of gatherLines.
func (r *Renderer) gatherFacets(v *View) (faint, top int) {
	r.corners = r.corners[:0]
	if v.Shapes == nil {
		return 0, 0
	}
	add := func(d overlay.Depth) int {
		for i := range v.Shapes.Facets {
			if f := &v.Shapes.Facets[i]; f.Depth == d {
				for _, p := range f.P {
					r.corners = append(r.corners, facetCorner{narrow(p.Sub(v.Eye)), f.Colour})
				}
			}
		}
		return len(r.corners)
	}
	faint = add(overlay.Tested)
	top = add(overlay.Faint)
	add(overlay.OnTop)
	return faint, top
}

// drawFacets draws corners [first, end) as far as a depth test lets them pass.
func (r *Renderer) drawFacets(first, end int, test uint32, opacity float32) {
	if first == end {
		return
	}
	gl.BindVertexArray(r.facetVAO)
	p := &r.programs.facet
	gl.UseProgram(p.name)
	gl.Uniform1f(p.bias, facetBias)
	gl.Uniform1f(p.opacity, opacity)
	gl.DepthFunc(test)
	gl.DrawArrays(gl.TRIANGLES, int32(first), int32(end-first))
	r.stats.Draws++
}
