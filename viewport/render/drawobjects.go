package render

import (
	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/document/mesh"
)

// drawObjects draws what is solid of the instances, with the depth of the ground
// known and its colour not yet: neither is made where the other hides it. Where objects
// are, the stencil says that there is no ground.
func (r *Renderer) drawObjects() {
	o := &r.objects
	if len(o.runs)+len(o.subsets) == 0 {
		return
	}
	r.stage.bind()
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(true)
	gl.Enable(gl.STENCIL_TEST)
	gl.StencilMask(0xff)
	gl.StencilFunc(gl.ALWAYS, 0, 0xff)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.SCISSOR_TEST)
	objectState()
	for _, alpha := range [2]mesh.AlphaMode{mesh.Opaque, mesh.Mask} {
		for i := range o.runs {
			if n := &o.runs[i]; !n.billboard {
				r.drawSections(n.body, alpha, litUse(n.tinted), n.mirrored, n.first, n.count)
			}
		}
		for i := range o.subsets {
			r.drawSubset(&o.subsets[i], alpha)
		}
	}
	r.drawBillboards(o.runs, useLit)
	gl.BindSampler(unitPicture, 0)
}

// drawVeils draws what is blended of the instances, far ones first.
func (r *Renderer) drawVeils() {
	o := &r.objects
	if len(o.veils) == 0 {
		return
	}
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(false)
	gl.Disable(gl.STENCIL_TEST)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.Disable(gl.SCISSOR_TEST)
	objectState()
	for first := 0; first < len(o.veils); {
		w := &o.veils[first]
		if w.subset >= 0 {
			r.drawSubset(&o.subsets[w.subset], mesh.Blend)
			first++
			continue
		}
		// Neighbours that look alike are drawn together, unless each of them has parts
		// that must not come after those of the next.
		end := first + 1
		if w.body.blended == len(w.body.sections)-1 {
			for end < len(o.veils) && o.veils[end].body == w.body && o.veils[end].subset < 0 && o.veils[end].mirrored == w.mirrored &&
				o.veils[end].placed == o.veils[end-1].placed+1 {
				end++
			}
		}
		r.drawSections(w.body, mesh.Blend, useTinted, w.mirrored, w.placed, int32(end-first))
		first = end
	}
	gl.BindSampler(unitPicture, 0)
}

// litUse is what instances are drawn for that may be tinted.
func litUse(tinted bool) objectUse {
	if tinted {
		return useTinted
	}
	return useLit
}

// objectState sets what all passes of objects share.
func objectState() {
	gl.CullFace(gl.BACK)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.VertexAttrib4f(3, 1, 1, 1, 1) // the colour of vertices that have none
	gl.VertexAttrib2f(2, 0, 0)
	gl.ActiveTexture(gl.TEXTURE0 + unitPicture)
}

// drawSections draws the sections of a body that have an alpha mode, for placed
// instances from first on.
func (r *Renderer) drawSections(b *body, alpha mesh.AlphaMode, use objectUse, mirrored bool, first, count int32) {
	bound := false
	for i := range b.sections {
		s := &b.sections[i]
		f := &b.finishes[s.finish]
		if f.alpha != alpha {
			continue
		}
		if !bound {
			bound = true
			gl.BindVertexArray(b.vao)
			r.objects.layout(first)
		}
		r.useFinish(f, use, mirrored)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.indices)
		gl.DrawElementsInstanced(gl.TRIANGLES, s.count, gl.UNSIGNED_INT, nil, count)
		r.countObjects(s.count / 3 * count)
	}
}

// drawSubset draws what an instance has of a subset in an alpha mode; parts that
// follow each other and look alike at once.
func (r *Renderer) drawSubset(n *subset, alpha mesh.AlphaMode) {
	bound := false
	parts := n.of.Parts
	for first := 0; first < len(parts); {
		p := &parts[first]
		count := p.Count
		end := first + 1
		for end < len(parts) && parts[end].Material == p.Material && parts[end].First == p.First+count {
			count += parts[end].Count
			end++
		}
		first = end
		f := &n.body.finishes[p.Material]
		if f.alpha != alpha || count == 0 {
			continue
		}
		if !bound {
			bound = true
			gl.BindVertexArray(n.body.vao)
			gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, r.objects.indices.buffer)
			r.objects.layout(n.placed)
		}
		r.useFinish(f, useTinted, n.mirrored)
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(count), gl.UNSIGNED_INT, uintptr(n.indices+p.First)*4)
		r.countObjects(int32(count / 3))
	}
}

func (r *Renderer) countObjects(triangles int32) {
	r.stats.Draws++
	r.stats.InstanceDraws++
	r.stats.InstanceTriangles += int(triangles)
}

// leastAlpha is the alpha below which nothing can be seen of what is blended, not even
// in a framebuffer of eight bits.
const leastAlpha = 1.0 / 65536

// useFinish makes a material what is drawn with. Outlines and pictures of objects show
// both sides of everything.
func (r *Renderer) useFinish(f *finish, use objectUse, mirrored bool) {
	look, cutoff := objectLook{f.texture != 0, f.colours, f.alpha}, f.cutoff
	if use >= useMask {
		look.colours = true
		if look.alpha == mesh.Blend {
			look.alpha, cutoff = mesh.Mask, 0.5
			if use == useID || use == useGhost {
				cutoff = leastAlpha
			}
		}
	}
	if f.texture != 0 {
		gl.BindTexture(gl.TEXTURE_2D, f.texture)
		gl.BindSampler(unitPicture, f.sampler)
	}
	p := &r.programs.object[use][look.index()]
	gl.UseProgram(p.name)
	gl.Uniform4fv(p.base, 1, &f.base[0])
	gl.Uniform4fv(p.glow, 1, &f.glow[0])
	gl.Uniform1f(p.cutoff, cutoff)
	gl.Uniform3fv(p.uvRows, 2, &f.uv[0][0])
	gl.Uniform1f(p.kind, r.markKind)
	gl.Uniform2f(p.shown, ghostHidden, facetBias)
	switch {
	case f.twoSided || use == useMask || r.bothSides && f.alpha != mesh.Blend:
		gl.Disable(gl.CULL_FACE)
	default:
		gl.Enable(gl.CULL_FACE)
	}
	if mirrored {
		gl.FrontFace(gl.CW)
	} else {
		gl.FrontFace(gl.CCW)
	}
}
