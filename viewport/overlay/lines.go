package overlay

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Polyline appends the segments between points, and back to the first if it is
// closed.
func (s *Shapes) Polyline(points []mgl64.Vec3, closed bool, p Pen) {
	for i := 1; i < len(points); i++ {
		s.Line(points[i-1], points[i], p)
	}
	if n := len(points); closed && n > 2 {
		s.Line(points[n-1], points[0], p)
	}
}

// Box appends the twelve edges of a box; an empty one has none.
func (s *Shapes) Box(b geom.Box, p Pen) {
	if b.IsEmpty() {
		return
	}
	s.OrientedBox(mgl64.Ident4(), b, p)
}

// OrientedBox appends the twelve edges of box b of a space that m takes to the
// world, as an object's bounds and its matrix are.
func (s *Shapes) OrientedBox(m mgl64.Mat4, b geom.Box, p Pen) {
	if b.IsEmpty() {
		return
	}
	c := corners(m, b)
	for i := range c {
		for axis := range 3 {
			if j := i | 1<<axis; j != i {
				s.Line(c[i], c[j], p)
			}
		}
	}
}

// BoxFaces appends the six sides of box b of a space that m takes to the world.
func (s *Shapes) BoxFaces(m mgl64.Mat4, b geom.Box, p Pen) {
	if b.IsEmpty() {
		return
	}
	c := corners(m, b)
	for axis := range 3 {
		u, v := 1<<((axis+1)%3), 1<<((axis+2)%3)
		for _, side := range [2]int{0, 1 << axis} {
			s.Quad(c[side], c[side|u], c[side|u|v], c[side|v], p)
		}
	}
}

// corners are those of a box, numbered as geom.Box.Corner does: bit k stands for
// the greater coordinate on axis k.
func corners(m mgl64.Mat4, b geom.Box) (c [8]mgl64.Vec3) {
	for i := range c {
		c[i] = mgl64.TransformCoordinate(b.Corner(i), m)
	}
	return c
}

// Frustum appends the edges of what a camera sees: viewProj takes p − eye to OpenGL
// clip space, and its far plane must be at a finite distance. Matrices without an
// inverse append nothing.
func (s *Shapes) Frustum(eye mgl64.Vec3, viewProj mgl64.Mat4, p Pen) {
	if viewProj.Det() == 0 {
		return
	}
	m := mgl64.Translate3D(eye[0], eye[1], eye[2]).Mul4(viewProj.Inv())
	s.OrientedBox(m, geom.Box{Min: mgl64.Vec3{-1, -1, -1}, Max: mgl64.Vec3{1, 1, 1}}, p)
}

// circleSteps is the number of segments of a whole circle.
const circleSteps = 64

// Circle appends a circle around an axis of any length.
func (s *Shapes) Circle(centre, axis mgl64.Vec3, radius float64, p Pen) {
	u, _ := across(axis)
	s.Arc(centre, axis, u.Mul(radius), 2*math.Pi, p)
}

// Arc appends the way of the point centre + arm when it turns by an angle in
// radians, counter-clockwise as seen from where the axis points. The arm is meant to
// stand at right angles to the axis.
func (s *Shapes) Arc(centre, axis, arm mgl64.Vec3, angle float64, p Pen) {
	pts := s.arc(centre, axis, arm, angle)
	s.Polyline(pts, false, p)
}

// Sector appends the filled part of a disc that an arm sweeps, see Arc.
func (s *Shapes) Sector(centre, axis, arm mgl64.Vec3, angle float64, p Pen) {
	pts := s.arc(centre, axis, arm, angle)
	for i := 1; i < len(pts); i++ {
		s.Triangle(centre, pts[i-1], pts[i], p)
	}
}

// Disc appends a filled circle around an axis of any length.
func (s *Shapes) Disc(centre, axis mgl64.Vec3, radius float64, p Pen) {
	u, _ := across(axis)
	s.Sector(centre, axis, u.Mul(radius), 2*math.Pi, p)
}

// arc gives the points of an arc, valid until the next call. A whole turn ends
// exactly where it began.
func (s *Shapes) arc(centre, axis, arm mgl64.Vec3, angle float64) []mgl64.Vec3 {
	steps := int(math.Ceil(min(math.Abs(angle)/(2*math.Pi), 1) * circleSteps))
	if !(steps > 0) {
		return nil
	}
	side := unit(axis).Cross(arm)
	s.round = s.round[:0]
	for i := range steps + 1 {
		sin, cos := math.Sincos(angle * float64(i) / float64(steps))
		s.round = append(s.round, centre.Add(arm.Mul(cos)).Add(side.Mul(sin)))
	}
	if math.Abs(angle) == 2*math.Pi {
		s.round[steps] = s.round[0]
	}
	return s.round
}

// Sphere appends the three circles of a sphere around its axes.
func (s *Shapes) Sphere(centre mgl64.Vec3, radius float64, p Pen) {
	for axis := range 3 {
		var n mgl64.Vec3
		n[axis] = 1
		s.Circle(centre, n, radius, p)
	}
}

// Cross appends three lines of a length through a point, along the axes.
func (s *Shapes) Cross(at mgl64.Vec3, length float64, p Pen) {
	for axis := range 3 {
		var d mgl64.Vec3
		d[axis] = length / 2
		s.Line(at.Sub(d), at.Add(d), p)
	}
}

// Arrow appends a line and a cone at its end, both ending at to. The head is the
// cone's length, and no longer than the arrow.
func (s *Shapes) Arrow(from, to mgl64.Vec3, head float64, p Pen) {
	d := to.Sub(from)
	l := d.Len()
	if !(l > 0) {
		return
	}
	head = min(head, l)
	neck := to.Sub(d.Mul(head / l))
	s.Line(from, neck, p)
	s.Cone(neck, to, head*0.35, p)
}

// coneSides is the number of sides of a cone.
const coneSides = 16

// Cone appends a filled cone: the middle of its foot, its tip, and the foot's radius.
func (s *Shapes) Cone(foot, tip mgl64.Vec3, radius float64, p Pen) {
	u, v := across(tip.Sub(foot))
	at := func(i int) mgl64.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%coneSides) / coneSides)
		return foot.Add(u.Mul(radius * cos)).Add(v.Mul(radius * sin))
	}
	for i := range coneSides {
		a, b := at(i), at(i+1)
		s.Triangle(a, b, tip, p)
		s.Triangle(b, a, foot, p)
	}
}

// Grid appends the lines of a grid around a point, n cells to each side along u and v.
func (s *Shapes) Grid(centre, u, v mgl64.Vec3, n int, p Pen) {
	r := float64(n)
	for i := -n; i <= n; i++ {
		k := float64(i)
		s.Line(centre.Add(u.Mul(k)).Sub(v.Mul(r)), centre.Add(u.Mul(k)).Add(v.Mul(r)), p)
		s.Line(centre.Add(v.Mul(k)).Sub(u.Mul(r)), centre.Add(v.Mul(k)).Add(u.Mul(r)), p)
	}
}

// across gives two unit vectors at right angles to an axis and each other, so that
// u × v points along it. An axis without a direction counts as up.
func across(axis mgl64.Vec3) (u, v mgl64.Vec3) {
	n := unit(axis)
	// The coordinate axis that it is furthest from.
	least := 0
	for i := range n {
		if math.Abs(n[i]) < math.Abs(n[least]) {
			least = i
		}
	}
	var e mgl64.Vec3
	e[least] = 1
	u = n.Cross(e).Normalize()
	return u, n.Cross(u)
}

func unit(v mgl64.Vec3) mgl64.Vec3 {
	// By the greatest coordinate first: squares of very small and great ones are lost.
	m := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	if !(m > 0) || math.IsInf(m, 0) {
		return mgl64.Vec3{0, 1, 0}
	}
	for i := range v {
		v[i] /= m
	}
	return v.Normalize()
}
