package render

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/document/mesh"
)

// Outlines are found in a picture of the instances that have one: of each pixel it
// holds which kind of outline it lies within, and whether what has it can be seen
// there. Where that picture ends, within the width of the line, the line is drawn. All
// of it happens in the rectangle that those instances cover.

// outlineWidth is that of outlines, in dp.
const outlineWidth = 2

// accent is the colour of outlines where a view names none.
var accent = color.NRGBA{0x6e, 0xa8, 0xff, 0xff}

// markKinds are what the picture holds for each outline. The greater wins.
var markKinds = [...]float32{Hovered: 0.5, Selected: 1}

// mark is an instance with an outline.
type mark struct {
	body      *body
	placed    int32
	kind      Outline
	billboard bool
}

// objectMarks are the instances of a frame that have outlines.
type objectMarks struct {
	list []mark
	runs [Selected + 1][]run
	rect image.Rectangle // what they cover
}

func (k *objectMarks) begin() {
	k.list = k.list[:0]
	for i := range k.runs {
		k.runs[i] = k.runs[i][:0]
	}
	k.rect = image.Rectangle{}
}

// add notes an instance, the i-th of the frame.
func (k *objectMarks) add(r *Renderer, v *View, n *Instance, b *body, i int32, billboard bool) {
	kind := min(n.Outline, Selected)
	k.list = append(k.list, mark{b, i, kind, billboard})
	if all := (image.Rectangle{Max: r.stage.size}); k.rect != all {
		k.rect = k.rect.Union(r.cover(v, b.model.Bounds.Transform(n.World)))
	}
}

// append adds the noted instances to the placed ones, those that are drawn at once
// together.
func (k *objectMarks) append(o *objects) {
	slices.SortFunc(k.list, func(a, b mark) int {
		c := cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.body.slot, b.body.slot))
		if c == 0 && a.billboard != b.billboard {
			c = 1
			if b.billboard {
				c = -1
			}
		}
		return cmp.Or(c, cmp.Compare(a.placed, b.placed))
	})
	for i := range k.list {
		m := &k.list[i]
		runs := &k.runs[m.kind]
		if i == 0 || m.kind != k.list[i-1].kind || m.body != k.list[i-1].body || m.billboard != k.list[i-1].billboard {
			*runs = append(*runs, run{body: m.body, first: int32(len(o.placed)), billboard: m.billboard})
		}
		(*runs)[len(*runs)-1].count++
		o.placed = append(o.placed, o.scratch[m.placed])
	}
}

// drawOutlines draws the lines around instances.
func (r *Renderer) drawOutlines(v *View) {
	k := &r.objects.marks
	width := outlineWidth * r.block.viewport[2]
	margin := int(math.Ceil(float64(width))) + 1
	lines := k.rect.Inset(-margin).Intersect(image.Rectangle{Max: r.stage.size})
	if len(k.list) == 0 || lines.Empty() {
		return
	}
	scissor := func(rect image.Rectangle) {
		rect = rect.Intersect(image.Rectangle{Max: r.stage.size})
		gl.Scissor(int32(rect.Min.X), int32(rect.Min.Y), int32(rect.Dx()), int32(rect.Dy()))
	}
	r.stage.use(r.stage.marks)
	gl.Enable(gl.SCISSOR_TEST)
	scissor(lines.Inset(-margin)) // as the lines look around themselves
	gl.ClearColor(0, 0, 0, 0)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	gl.Disable(gl.DEPTH_TEST)
	gl.DepthMask(false)
	gl.Disable(gl.STENCIL_TEST)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.MAX)
	objectState()
	gl.ActiveTexture(gl.TEXTURE0 + unitDepths)
	gl.BindTexture(gl.TEXTURE_2D, r.stage.depth)
	gl.ActiveTexture(gl.TEXTURE0 + unitPicture)
	before := r.stats // what is outlined has been drawn and counted already
	for kind, runs := range k.runs {
		r.markKind = markKinds[kind]
		for i := range runs {
			n := &runs[i]
			for alpha := mesh.Opaque; alpha <= mesh.Blend && !n.billboard; alpha++ {
				r.drawSections(n.body, alpha, useMask, false, n.first, n.count)
			}
		}
		r.drawBillboards(runs, useMask)
	}
	gl.BindSampler(unitPicture, 0)

	r.stage.bind()
	scissor(lines)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(r.lineVAO) // the vertex number is all that is used
	gl.ActiveTexture(gl.TEXTURE0 + unitMask)
	gl.BindTexture(gl.TEXTURE_2D, r.stage.mask)
	p := &r.programs.edge
	gl.UseProgram(p.name)
	c := v.Accent
	if c == (color.NRGBA{}) {
		c = accent
	}
	gl.Uniform1f(p.width, width)
	set3(p.tint, rgb(c))
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	before.Draws = r.stats.Draws + 1
	r.stats = before
	gl.Disable(gl.SCISSOR_TEST)
}
