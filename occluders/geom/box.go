package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Vec3 is a point or direction in metres.
type Vec3 = mgl64.Vec3

// Box is an axis-aligned box, closed: points on its faces are inside. It is
// empty when Min exceeds Max on an axis; EmptyBox is the canonical empty box. The
// zero value is the single point at the origin.
type Box struct{ Min, Max Vec3 }

// EmptyBox is the box that holds nothing and is neutral under Union.
func EmptyBox() Box {
	inf := math.Inf(1)
	return Box{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// BoxOf is the smallest box that holds all points; empty without points.
func BoxOf(points ...Vec3) Box {
	b := EmptyBox()
	for _, p := range points {
		b = b.Add(p)
	}
	return b
}

// IsEmpty reports whether b holds no point at all.
func (b Box) IsEmpty() bool {
	return b.Min[0] > b.Max[0] || b.Min[1] > b.Max[1] || b.Min[2] > b.Max[2]
}

// Add grows b to hold p.
func (b Box) Add(p Vec3) Box {
	for i := range p {
		b.Min[i] = min(b.Min[i], p[i])
		b.Max[i] = max(b.Max[i], p[i])
	}
	return b
}

// Union is the smallest box that holds both.
func (b Box) Union(o Box) Box {
	if o.IsEmpty() {
		return b
	}
	if b.IsEmpty() {
		return o
	}
	return b.Add(o.Min).Add(o.Max)
}

// Overlaps reports whether the boxes share a point; touching faces do.
func (b Box) Overlaps(o Box) bool {
	for i := range b.Min {
		if b.Min[i] > o.Max[i] || o.Min[i] > b.Max[i] {
			return false
		}
	}
	return !b.IsEmpty() && !o.IsEmpty()
}

// Contains reports whether p lies in b or on its faces.
func (b Box) Contains(p Vec3) bool {
	for i := range p {
		if p[i] < b.Min[i] || p[i] > b.Max[i] {
			return false
		}
	}
	return true
}

// Center is the middle of b.
func (b Box) Center() Vec3 { return b.Min.Add(b.Max).Mul(0.5) }

// Size is the extent of b along each axis.
func (b Box) Size() Vec3 { return b.Max.Sub(b.Min) }

// Corner gives corner i of 8: bit 0, 1, 2 choose the greater x, y, z.
func (b Box) Corner(i int) Vec3 {
	c := b.Min
	for axis := range c {
		if i>>axis&1 == 1 {
			c[axis] = b.Max[axis]
		}
	}
	return c
}

// Translate moves b by d.
func (b Box) Translate(d Vec3) Box { return Box{b.Min.Add(d), b.Max.Add(d)} }

// Transform is the smallest axis-aligned box that holds b's eight corners after
// the affine transform m. An empty box stays empty.
func (b Box) Transform(m mgl64.Mat4) Box {
	if b.IsEmpty() {
		return b
	}
	out := EmptyBox()
	for i := range 8 {
		out = out.Add(mgl64.TransformCoordinate(b.Corner(i), m))
	}
	return out
}

// DistanceTo is the distance from p to the nearest point of b; 0 inside.
func (b Box) DistanceTo(p Vec3) float64 {
	var s float64
	for i := range p {
		d := max(b.Min[i]-p[i], 0, p[i]-b.Max[i])
		s += d * d
	}
	return math.Sqrt(s)
}

// Sphere is a ball of Radius metres around Center.
type Sphere struct {
	Center Vec3
	Radius float64
}
