package simplify

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// distanceTo is the distance of a point from a triangle (Ericson, "Real-Time Collision
// Detection", 2005, 5.1.5).
func distanceTo(p, a, b, c *mgl64.Vec3) float64 {
	ab, ac, ap := b.Sub(*a), c.Sub(*a), p.Sub(*a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return ap.Len()
	}
	bp := p.Sub(*b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return bp.Len()
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return ap.Sub(ab.Mul(d1 / (d1 - d3))).Len()
	}
	cp := p.Sub(*c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return cp.Len()
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return ap.Sub(ac.Mul(d2 / (d2 - d6))).Len()
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return bp.Sub(c.Sub(*b).Mul((d4 - d3) / ((d4 - d3) + (d5 - d6)))).Len()
	}
	n := ab.Cross(ac)
	return math.Abs(n.Dot(ap)) / n.Len()
}
