package render

import (
	"image"
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// impostor are pictures of a model that stand in for it far away: an upright one that
// turns to the eye, chosen among eight from around the model (Maciel and Shirley,
// "Visual Navigation of Large Environments Using Textured Clusters", 1995), and one from
// above for steep views. They hold colours without light and normals, so that the light
// is that of the model, wherever it is turned.
type impostor struct {
	colours, normals uint32
	centre           mgl32.Vec3 // of the model's bounds
	radius, high     float32    // half the width and half the height
}

// The pictures stand in one texture, in rows of three cells with empty rims, so that
// levels down to the coarsest do not mix them.
const (
	impostorCells  = 3 // along an edge
	impostorCell   = 128
	impostorRim    = 8
	impostorLevels = 5
	impostorFine   = 2 // painted so many times as big
	impostorYaws   = 8
	impostorAbove  = impostorYaws // the cell of the view from above
	impostorCut    = 0.5
)

// newImpostor paints the pictures of a body. The frame that is drawn must not have
// begun.
func (r *Renderer) newImpostor(b *body) (*impostor, error) {
	m := &impostor{centre: narrow(b.centre)}
	for _, p := range b.model.Positions {
		d := p.Sub(m.centre)
		m.radius = max(m.radius, float32(math.Hypot(float64(d[0]), float64(d[2]))))
		m.high = max(m.high, d[1], -d[1])
	}
	// Something flat has a picture all the same.
	least := 1e-4 * max(m.radius, m.high)
	m.radius, m.high = max(m.radius, least), max(m.high, least)

	const cell = impostorCell * impostorFine
	side := cell * impostorCells
	e, err := newEasel(image.Pt(side, side), gl.SRGB8_ALPHA8, gl.RGBA8)
	if err != nil {
		return nil, err
	}
	defer e.release()
	before := r.stats
	r.pose()
	for k := range impostorYaws + 1 {
		x, y := k%impostorCells*cell, k/impostorCells*cell
		const rim = impostorRim * impostorFine
		gl.Viewport(int32(x+rim), int32(y+rim), cell-2*rim, cell-2*rim)
		r.paint(b, m.view(k), useAtlas)
	}
	r.stats = before
	colours := &image.NRGBA{Pix: e.read(gl.COLOR_ATTACHMENT0), Stride: 4 * side, Rect: image.Rect(0, 0, side, side)}
	normals := e.read(gl.COLOR_ATTACHMENT1)
	chain := mipChain(colours, alphaUse{alphaCut, impostorCut}, side/impostorFine, impostorLevels)
	m.colours = uploadPicture(chain, gl.SRGB8_ALPHA8)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST)
	m.normals = uploadPicture(normalChain(normals, colours.Pix, side, side/impostorFine, impostorLevels), gl.RGBA8)
	return m, nil
}

// view is the camera of a cell's picture, for vertices of the model.
func (m *impostor) view(k int) mgl32.Mat4 {
	var right, up, back mgl64.Vec3
	r, h := float64(m.radius), float64(m.high)
	w, t, d := r, h, r // half the width, height and depth
	if k == impostorAbove {
		right, up, back = mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, -1}, mgl64.Vec3{0, 1, 0}
		t, d = r, h
	} else {
		sin, cos := math.Sincos(float64(k) * 2 * math.Pi / impostorYaws)
		right, up, back = mgl64.Vec3{cos, 0, -sin}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{sin, 0, cos}
	}
	c := mgl64.Vec3{float64(m.centre[0]), float64(m.centre[1]), float64(m.centre[2])}
	turn := mgl64.Mat4FromRows(right.Vec4(-right.Dot(c)), up.Vec4(-up.Dot(c)), back.Vec4(-back.Dot(c)), mgl64.Vec4{0, 0, 0, 1})
	full := mgl64.Ortho(-w, w, -t, t, -1.01*d, 1.01*d).Mul4(turn)
	var out mgl32.Mat4
	for i, v := range full {
		out[i] = float32(v)
	}
	return out
}

// normalChain makes the levels of a picture of normals of size×size pixels, those below
// limit. Pixels that the other picture has transparent do not count.
func normalChain(pix, colours []byte, size, limit, most int) []level {
	from := make([]light4, size*size)
	for i := range from {
		if colours[4*i+3] == 0 {
			continue
		}
		for c := range 3 {
			from[i][c] = float32(pix[4*i+c]) / 255
		}
		from[i][3] = 1
	}
	w, h := size, size
	for w > limit {
		from, w, h = half(from, w, h)
	}
	var chain []level
	for {
		l := level{w, h, make([]byte, 4*w*h)}
		for i, p := range from {
			if p[3] > 0 {
				for c := range 3 {
					l.pix[4*i+c] = uint8(p[c]/p[3]*255 + 0.5)
				}
				l.pix[4*i+3] = 255
			}
		}
		chain = append(chain, l)
		if len(chain) == most {
			break
		}
		from, w, h = half(from, w, h)
	}
	for k := len(chain) - 2; k >= 0; k-- {
		borrow(&chain[k], &chain[k+1])
	}
	return chain
}

// drawBillboards draws the runs of pictures that stand in for models.
func (r *Renderer) drawBillboards(runs []run, use objectUse) {
	begun := false
	p := &r.programs.impostor[0]
	if use == useMask {
		p = &r.programs.impostor[1]
	}
	for i := range runs {
		n := &runs[i]
		if !n.billboard {
			continue
		}
		if !begun {
			begun = true
			gl.Disable(gl.CULL_FACE)
			gl.BindSampler(unitPicture, 0)
			gl.UseProgram(p.name)
			gl.Uniform1f(p.kind, r.markKind)
			gl.BindVertexArray(r.billboardVAO)
		}
		m := n.body.impostor
		gl.ActiveTexture(gl.TEXTURE0 + unitNormals)
		gl.BindTexture(gl.TEXTURE_2D, m.normals)
		gl.ActiveTexture(gl.TEXTURE0 + unitPicture)
		gl.BindTexture(gl.TEXTURE_2D, m.colours)
		gl.Uniform3f(p.centre, m.centre[0], m.centre[1], m.centre[2])
		gl.Uniform2f(p.reach, m.radius, m.high)
		r.objects.layout(n.first)
		gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, n.count)
		r.countObjects(2 * n.count)
		if use == useLit {
			r.stats.Billboards += int(n.count)
		}
	}
}

func (m *impostor) release() {
	if m != nil {
		gl.DeleteTextures(1, &m.colours)
		gl.DeleteTextures(1, &m.normals)
	}
}
