package hull

import (
	"errors"
	"math"

	"ridgeline/occluders/geom"
)

// Hull is a convex solid with a volume. It is immutable and safe for concurrent use.
//
// The hulls that this package makes are in one canonical form: the vertices by x, then
// y, then z; each face from its lowest vertex; the faces by their vertices. So equal
// solids made of equal points are equal in every number.
type Hull struct {
	// Vertices are the corners, in metres. Each belongs to at least three faces.
	Vertices []geom.Vec3
	// Faces are convex polygons of vertices, counter-clockwise seen from outside.
	// Neighbours that lie in one plane, but for Tolerance, are one face.
	Faces [][]int32
	// Planes has the plane of each face, its positive side outside. No vertex lies more
	// than Tolerance above a plane, and no vertex of a face more than that below its own.
	Planes []geom.Plane

	box geom.Box // of Vertices
}

// Why there is no hull.
var (
	ErrNone      = errors.New("no points")
	ErrPoint     = errors.New("all points are one point")
	ErrLine      = errors.New("all points lie on a line")
	ErrFlat      = errors.New("all points lie in a plane")
	ErrNotFinite = errors.New("a coordinate is not a finite number, or too great")
	ErrEmpty     = errors.New("there is no space left inside")
	ErrOpen      = errors.New("the planes do not enclose a finite space")
	ErrDistance  = errors.New("the distance is not a finite number of metres, zero or more")
	ErrNotAffine = errors.New("the matrix is not affine")
	ErrFaces     = errors.New("a hull has at least four faces")
)

// greatest is the largest coordinate that a hull may have: volumes and products of
// lengths stay finite.
const greatest = 1e100

// Tolerance is how far, in metres, a hull in a box may be off from the points that it
// was made of: 2⁻³⁷ of the box's longest side, and 2⁻⁴⁶ of its greatest coordinate,
// which is what rounding leaves of a solid far from the origin. Solids thinner than 32
// times that are flat.
func Tolerance(b geom.Box) float64 {
	if b.IsEmpty() {
		return 0
	}
	var side, far float64
	for i := range b.Min {
		side = max(side, b.Max[i]-b.Min[i])
		far = max(far, math.Abs(b.Min[i]), math.Abs(b.Max[i]))
	}
	return tolerance * grain(side, far)
}

// Tolerances, in grains. A point that is nearer to the hull than near is no vertex; a
// triangle whose corners are nearer to a face than merged belongs to it.
const (
	near      = 1
	merged    = 4
	thinnest  = 256
	tolerance = 8
)

// grain is the unit of tolerance of a solid whose box has this longest side and this
// greatest coordinate.
func grain(side, far float64) float64 { return side*(1.0/(1<<40)) + far*(1.0/(1<<49)) }

// Tolerance is that of the hull's bounds.
func (h *Hull) Tolerance() float64 { return Tolerance(h.Bounds()) }
