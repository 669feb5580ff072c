package mesh

import (
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl32"
)

// Opaque reports whether the point A + u(B−A) + v(C−A) of triangle tri stops a ray:
// false in a hole of an alpha mask, where the picture's alpha times those of
// material and vertices is below the cutoff. The picture is read as it is drawn
// close up, between pixels unless the material is Nearest. A triangle that is not
// there stops nothing.
func (m *Model) Opaque(tri int, u, v float64) bool {
	if tri < 0 || tri >= m.Triangles() {
		return false
	}
	i := sort.Search(len(m.Parts), func(i int) bool { return m.Parts[i].First > 3*tri }) - 1
	mat := &m.Materials[m.Parts[i].Material]
	if mat.Alpha != Mask {
		return true
	}
	corner := m.Indices[3*tri : 3*tri+3]
	weight := [3]float32{float32(1 - u - v), float32(u), float32(v)}
	alpha := mat.BaseColor[3]
	if m.Colors != nil {
		var a float32
		for k, c := range corner {
			a += weight[k] * float32(m.Colors[c][3]) / 255
		}
		alpha *= a
	}
	if mat.Image >= 0 {
		var uv mgl32.Vec2
		if m.UVs != nil {
			for k, c := range corner {
				uv = uv.Add(m.UVs[c].Mul(weight[k]))
			}
		}
		p := mat.UV.Mul3x1(uv.Vec3(1))
		alpha *= m.Images[mat.Image].alpha(p[0], p[1], mat)
	}
	return alpha >= mat.Cutoff
}

// alpha is the picture's alpha at texture coordinates, 0 to 1.
func (img *Image) alpha(u, v float32, mat *Material) float32 {
	if img.Opaque {
		return 1
	}
	size := img.Pixels.Rect.Size()
	at := func(x, y int) float32 {
		x, y = mat.WrapS.index(x, size.X), mat.WrapT.index(y, size.Y)
		return float32(img.Pixels.Pix[y*img.Pixels.Stride+4*x+3]) / 255
	}
	x, y := float64(u)*float64(size.X), float64(v)*float64(size.Y)
	if !(math.Abs(x) < 1<<30 && math.Abs(y) < 1<<30) {
		return 1 // so far out that a float32 has no fraction left
	}
	if mat.Nearest {
		return at(int(math.Floor(x)), int(math.Floor(y)))
	}
	x0, y0 := math.Floor(x-0.5), math.Floor(y-0.5)
	fx, fy := float32(x-0.5-x0), float32(y-0.5-y0)
	px, py := int(x0), int(y0)
	top := at(px, py)*(1-fx) + at(px+1, py)*fx
	low := at(px, py+1)*(1-fx) + at(px+1, py+1)*fx
	return top*(1-fy) + low*fy
}

// index is the pixel of n that stands at position i.
func (w Wrap) index(i, n int) int {
	switch w {
	case Clamp:
		return min(max(i, 0), n-1)
	case Mirror:
		i = ((i % (2 * n)) + 2*n) % (2 * n)
		return min(i, 2*n-1-i)
	}
	return ((i % n) + n) % n
}
