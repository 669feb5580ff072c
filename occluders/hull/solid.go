package hull

import (
	"math"
	"slices"

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

// Shrink is the hull with every face moved inwards by d metres: what is left is at least
// d away from the surface. The errors are ErrEmpty when nothing is left, and ErrDistance.
func (h *Hull) Shrink(d float64) (*Hull, error) {
	if !(d >= 0) || math.IsInf(d, 1) {
		return nil, ErrDistance
	}
	if d == 0 {
		return h, nil
	}
	planes := slices.Clone(h.Planes)
	for i := range planes {
		planes[i].D += d
	}
	return Intersection(planes)
}

// Cut gives the parts behind and before a plane; before is its positive side. A part that
// is no more than flat is nil, and the other then the whole hull. The error is
// ErrNotFinite for a plane that is none.
func (h *Hull) Cut(p geom.Plane) (behind, before *Hull, err error) {
	if !(math.Abs(p.N.Len()-1) <= 1e-6) || !(math.Abs(p.D) <= greatest) {
		return nil, nil, ErrNotFinite
	}
	tol := h.Tolerance()
	var below, above []geom.Vec3
	off := make([]float64, len(h.Vertices))
	for i, v := range h.Vertices {
		off[i] = p.Distance(v)
		if off[i] <= tol {
			below = append(below, v)
		}
		if off[i] >= -tol {
			above = append(above, v)
		}
	}
	switch {
	case len(below) == len(h.Vertices):
		return h, nil, nil
	case len(above) == len(h.Vertices):
		return nil, h, nil
	}
	for e := range h.Edges() {
		a, b := off[e.From], off[e.To]
		if a < -tol && b > tol || a > tol && b < -tol {
			from, to := h.Vertices[e.From], h.Vertices[e.To]
			q := from.Add(to.Sub(from).Mul(a / (a - b)))
			below, above = append(below, q), append(above, q)
		}
	}
	behind, errBehind := Of(below)
	before, errBefore := Of(above)
	switch {
	case errBehind == nil && errBefore == nil:
		return behind, before, nil
	case errBehind == nil:
		return h, nil, nil
	case errBefore == nil:
		return nil, h, nil
	}
	return nil, nil, errBehind
}
