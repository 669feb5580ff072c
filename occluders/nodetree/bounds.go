package nodetree

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// bounds is a float32 box: its smallest x, y, z, then its greatest ones negated,
// so that to unite boxes is to take six minima.
type bounds [6]float32

func emptyBounds() bounds {
	inf := float32(math.Inf(1))
	return bounds{inf, inf, inf, inf, inf, inf}
}

// unite grows b to hold o.
func (b *bounds) unite(o *bounds) {
	b[0], b[1], b[2] = min(b[0], o[0]), min(b[1], o[1]), min(b[2], o[2])
	b[3], b[4], b[5] = min(b[3], o[3]), min(b[4], o[4]), min(b[5], o[5])
}

// middle is twice the middle of b along an axis.
func (b *bounds) middle(axis int) float32 { return b[axis] - b[axis+3] }

// extent is the length of b along an axis.
func (b *bounds) extent(axis int) float32 { return -b[axis+3] - b[axis] }

// area is half the surface of b, to which the rays that meet it are proportional.
func (b *bounds) area() float32 {
	x, y, z := b.extent(0), b.extent(1), b.extent(2)
	return x*(y+z) + y*z
}

// box is b in float64.
func (b *bounds) box() geom.Box {
	return geom.Box{
		Min: geom.Vec3{float64(b[0]), float64(b[1]), float64(b[2])},
		Max: geom.Vec3{-float64(b[3]), -float64(b[4]), -float64(b[5])},
	}
}

// boundsOf are the bounds of a triangle.
func boundsOf(a, b, c *mgl32.Vec3) bounds {
	return bounds{
		min(a[0], b[0], c[0]), min(a[1], b[1], c[1]), min(a[2], b[2], c[2]),
		min(-a[0], -b[0], -c[0]), min(-a[1], -b[1], -c[1]), min(-a[2], -b[2], -c[2]),
	}
}
