package runtime

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// Ground is the level's height field. Places are in the level's frame.
type Ground struct{ field *terrain.Field }

// Field is the height field itself, without paint and light.
func (g *Ground) Field() *terrain.Field { return g.field }

// Height is the height of the ground at x, z; not ok beside the field and in holes.
func (g *Ground) Height(x, z float64) (y float64, ok bool) { return g.field.Height(x, z) }

// Normal is the unit normal of the triangle at x, z, upwards; not ok beside the field
// and in holes.
func (g *Ground) Normal(x, z float64) (n mgl64.Vec3, ok bool) {
	c, r, u, v, ok := g.field.Cell(x, z)
	if !ok || g.field.IsHole(c, r) {
		return n, false
	}
	h := func(i, j int) float64 { return float64(g.field.Sample(c+i, r+j)) }
	// The triangles (a, c, b) and (b, c, d) of a cell.
	a, b, down, d := h(0, 0), h(1, 0), h(0, 1), h(1, 1)
	dx, dz := b-a, down-a
	if u+v > 1 {
		dx, dz = d-down, d-b
	}
	s := g.field.Spacing()
	return mgl64.Vec3{-dx / s, 1, -dz / s}.Normalize(), true
}

// Ray finds the first point of the ground that a ray meets, from either side, at the
// parameter t of the ray's direction, up to tMax; not ok if there is none, or the ray is
// not finite.
func (g *Ground) Ray(r geom.Ray, tMax float64) (t float64, at geom.Vec3, ok bool) {
	for i := range 3 {
		if v := r.Origin[i] + r.Dir[i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, at, false
		}
	}
	hit, ok := g.field.RaycastTo(r, tMax)
	return hit.T, hit.Point, ok
}
