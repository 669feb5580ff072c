package render

import (
	"fmt"
	"image"
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
)

// maxThumbnail is the greatest width and height of a thumbnail.
const maxThumbnail = 1024

// Thumbnail is a picture of a model, size×size pixels: seen from the front right and
// above, in even light, as big as fits, on nothing. No model gives the placeholder's.
// It may be called between frames and needs no world.
func (r *Renderer) Thumbnail(m *mesh.Model, size int) (*image.NRGBA, error) {
	if size < 1 || size > maxThumbnail {
		return nil, fmt.Errorf("a thumbnail of %d pixels, expected 1 to %d", size, maxThumbnail)
	}
	if m == nil {
		m = mesh.Placeholder()
	}
	known := r.bodies.of[m] != nil
	b, err := r.bodies.get(m)
	if err != nil {
		return nil, err
	}
	if !known {
		defer r.bodies.drop([]*body{b})
	}
	if len(m.Indices) == 0 {
		return image.NewNRGBA(image.Rect(0, 0, size, size)), nil
	}
	// Painted finer, and halved.
	halves := 2
	if size > 256 {
		halves = 1
	}
	e, err := newEasel(image.Pt(size<<halves, size<<halves), gl.SRGB8_ALPHA8)
	if err != nil {
		return nil, err
	}
	defer e.release()
	r.pose()
	before := r.stats
	*r.block = frameBlock{
		toSun:   vec4(mgl64.Vec3{0.15, 0.85, 0.5}.Normalize()),
		liveSun: mgl32.Vec4{0.75, 0.75, 0.75}, liveAmbient: mgl32.Vec4{0.3, 0.3, 0.3},
	}
	r.bothSides = true // something flat may face away
	r.paint(b, portrait(m), useLit)
	r.bothSides = false
	r.stats = before

	// What was painted is multiplied by alpha already, as blending leaves it.
	pix := e.read(gl.COLOR_ATTACHMENT0)
	from := make([]light4, len(pix)/4)
	for i := range from {
		p := pix[4*i:][:4]
		from[i] = light4{linearOf[p[0]], linearOf[p[1]], linearOf[p[2]], float32(p[3]) / 255}
	}
	w, h := e.size.X, e.size.Y
	for w > size {
		from, w, h = half(from, w, h)
	}
	pix = encodeLevel(from)
	out := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		copy(out.Pix[y*out.Stride:][:4*size], pix[4*size*(size-1-y):])
	}
	return out, nil
}

// portrait is the camera of a thumbnail, for vertices of the model.
func portrait(m *mesh.Model) mgl32.Mat4 {
	turn := mgl64.LookAtV(mgl64.Vec3{0.55, 0.45, 1}, mgl64.Vec3{}, mgl64.Vec3{0, 1, 0}).Mat3()
	lo := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := lo.Mul(-1)
	for _, i := range m.Indices {
		p := m.Positions[i]
		q := turn.Mul3x1(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
		for k := range q {
			lo[k], hi[k] = min(lo[k], q[k]), max(hi[k], q[k])
		}
	}
	c, d := lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5)
	reach := 1.06 * max(d[0], d[1], 1e-6*max(c.Len(), 1e-3))
	deep := 1.01*d[2] + reach
	all := mgl64.Ortho(-reach, reach, -reach, reach, -deep, deep).Mul4(mgl64.Translate3D(-c[0], -c[1], -c[2])).Mul4(turn.Mat4())
	var out mgl32.Mat4
	for i, v := range all {
		out[i] = float32(v)
	}
	return out
}
