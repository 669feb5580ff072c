package geom

// Plane holds the points p with N·p + D = 0; N has unit length and points to
// the plane's positive side.
type Plane struct {
	N Vec3
	D float64
}

// PlaneThrough is the plane through a, b, c, positive on the side from which
// they run counter-clockwise; ok is false when they lie on a line.
func PlaneThrough(a, b, c Vec3) (p Plane, ok bool) {
	n := b.Sub(a).Cross(c.Sub(a))
	l := n.Len()
	if !(l > 0) {
		return Plane{}, false
	}
	n = n.Mul(1 / l)
	return Plane{n, -n.Dot(a)}, true
}

// Distance is the signed distance of p, positive on N's side.
func (p Plane) Distance(q Vec3) float64 { return p.N.Dot(q) + p.D }

// Flip turns the plane's sides around.
func (p Plane) Flip() Plane { return Plane{p.N.Mul(-1), -p.D} }
