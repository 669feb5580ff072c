package hull

import (
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// OfBox is the hull of a box. The errors are those of Of.
func OfBox(b geom.Box) (*Hull, error) {
	if b.IsEmpty() {
		return nil, ErrNone
	}
	var corners [8]geom.Vec3
	for i := range corners {
		corners[i] = b.Corner(i)
	}
	return Of(corners[:])
}

// Merge is the hull of two: the least that holds both.
func Merge(a, b *Hull) (*Hull, error) {
	points := make([]geom.Vec3, 0, len(a.Vertices)+len(b.Vertices))
	return Of(append(append(points, a.Vertices...), b.Vertices...))
}

// Transform is the hull moved, turned and scaled, unevenly or mirrored, by a matrix,
// and as proper as before. The errors are ErrNotAffine for a projection, ErrFlat,
// ErrLine or ErrPoint for a matrix that collapses it, and ErrNotFinite.
func (h *Hull) Transform(m mgl64.Mat4) (*Hull, error) {
	if m.Row(3) != (mgl64.Vec4{0, 0, 0, 1}) {
		return nil, ErrNotAffine
	}
	points := make([]geom.Vec3, len(h.Vertices))
	for i, v := range h.Vertices {
		points[i] = m.Mul4x1(v.Vec4(1)).Vec3()
	}
	return Of(points)
}
