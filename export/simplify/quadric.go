package simplify

import "github.com/go-gl/mathgl/mgl64"

// quadric is a sum of squared distances to planes: pᵀAp + 2b·p + c with A symmetric.
type quadric struct {
	xx, xy, xz, yy, yz, zz float64
	x, y, z, c             float64
}

// plane adds the plane n·p + d = 0, n of unit length, with a weight.
func (q *quadric) plane(n mgl64.Vec3, d, weight float64) {
	a := n.Mul(weight)
	q.xx += a[0] * n[0]
	q.xy += a[0] * n[1]
	q.xz += a[0] * n[2]
	q.yy += a[1] * n[1]
	q.yz += a[1] * n[2]
	q.zz += a[2] * n[2]
	q.x += a[0] * d
	q.y += a[1] * d
	q.z += a[2] * d
	q.c += weight * d * d
}

func (q *quadric) add(o *quadric) {
	q.xx += o.xx
	q.xy += o.xy
	q.xz += o.xz
	q.yy += o.yy
	q.yz += o.yz
	q.zz += o.zz
	q.x += o.x
	q.y += o.y
	q.z += o.z
	q.c += o.c
}

// at is the sum at a point; not below 0 but for rounding.
func (q *quadric) at(p *mgl64.Vec3) float64 {
	x, y, z := p[0], p[1], p[2]
	return x*(q.xx*x+2*(q.xy*y+q.xz*z+q.x)) + y*(q.yy*y+2*(q.yz*z+q.y)) + z*(q.zz*z+2*q.z) + q.c
}
