package command

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// affine maps a space to another: x becomes m·x + t.
type affine struct {
	m mgl64.Mat3
	t mgl64.Vec3
}

// frameOf is the map from the space that the children of an entity stand in to the
// world; that of 0 is the world.
func frameOf(l *document.Level, id document.ID) affine {
	if id == 0 {
		return affine{m: mgl64.Ident3()}
	}
	w, _ := l.World(id)
	return affine{w.Mat3(), w.Col(3).Vec3()}
}

func (a affine) point(p mgl64.Vec3) mgl64.Vec3 { return a.m.Mul3x1(p).Add(a.t) }

func (a affine) mul(b affine) affine { return affine{a.m.Mul3(b.m), a.point(b.t)} }

// inverse is not finite where there is none. mgl64 takes matrices of small things
// for singular.
func (a affine) inverse() affine {
	c := [3]mgl64.Vec3{a.m.Col(0), a.m.Col(1), a.m.Col(2)}
	rows := [3]mgl64.Vec3{c[1].Cross(c[2]), c[2].Cross(c[0]), c[0].Cross(c[1])}
	det := c[0].Dot(rows[0])
	var inv mgl64.Mat3
	for r := range 3 {
		for k := range 3 {
			inv[3*k+r] = rows[r][k] / det
		}
	}
	return affine{inv, inv.Mul3x1(a.t).Mul(-1)}
}

// scaled is the matrix of scale, then rotation.
func scaled(q mgl64.Quat, s mgl64.Vec3) mgl64.Mat3 {
	m := q.Mat4().Mat3()
	for c := range 3 {
		for r := range 3 {
			m[3*c+r] *= s[c]
		}
	}
	return m
}

// maxShear is the cosine between axes up to which they count as perpendicular.
const maxShear = 1e-6

// decompose splits a matrix into scale, then rotation. like says which factors are
// negative, as far as there is a choice, and what they are exactly where they are
// the same but for rounding. shear is the largest cosine between two axes: where it
// is not 0, the result is the nearest that there is with these scales.
func decompose(m mgl64.Mat3, like mgl64.Vec3) (q mgl64.Quat, s mgl64.Vec3, shear float64) {
	var axes [3]mgl64.Vec3
	for i := range 3 {
		c := m.Col(i)
		s[i] = math.Copysign(c.Len(), like[i])
		if math.Abs(s[i]-like[i]) <= 1e-12*math.Abs(like[i]) {
			s[i] = like[i]
		}
		axes[i] = c.Mul(1 / math.Copysign(c.Len(), s[i]))
	}
	if axes[0].Dot(axes[1].Cross(axes[2])) < 0 {
		s[0], axes[0] = -s[0], axes[0].Mul(-1)
	}
	for i := range 3 {
		shear = max(shear, math.Abs(axes[i].Dot(axes[(i+1)%3])))
	}
	return turnOf(axes), s, shear
}

// turnOf is the rotation nearest to axes that make a right-handed frame, by Gram
// and Schmidt's method.
func turnOf(axes [3]mgl64.Vec3) mgl64.Quat {
	x := axes[0].Mul(1 / axes[0].Len())
	y := axes[1].Sub(x.Mul(x.Dot(axes[1])))
	y = y.Mul(1 / y.Len())
	return unit(mgl64.Mat4ToQuat(mgl64.Mat3FromCols(x, y, x.Cross(y)).Mat4()))
}

// unit gives a quaternion length 1 as exactly as can be.
func unit(q mgl64.Quat) mgl64.Quat {
	n := 1 / q.Len()
	return mgl64.Quat{W: q.W * n, V: q.V.Mul(n)}
}

// shortestTurn is the smallest rotation that turns one unit vector into another.
func shortestTurn(from, to mgl64.Vec3) mgl64.Quat {
	w := 1 + from.Dot(to)
	if w < 1e-12 { // opposite: half a turn about anything perpendicular
		side := mgl64.Vec3{1, 0, 0}
		if math.Abs(from[0]) > 0.5 {
			side = mgl64.Vec3{0, 0, 1}
		}
		return unit(mgl64.Quat{V: from.Cross(side)})
	}
	return unit(mgl64.Quat{W: w, V: from.Cross(to)})
}

// Angles are the turns that make a rotation: about Z by Roll, then about X by Pitch,
// then about Y by Yaw, in radians.
type Angles struct{ Yaw, Pitch, Roll float64 }

// AnglesOf gives the angles of a rotation: Pitch within a quarter turn, and where
// that is a quarter turn, no Roll.
func AnglesOf(q mgl64.Quat) Angles {
	m := unit(q).Mat4()
	if sin := -m.At(1, 2); math.Abs(sin) > 1-1e-12 {
		return Angles{Yaw: math.Atan2(-m.At(2, 0), m.At(0, 0)), Pitch: math.Copysign(math.Pi/2, sin)}
	}
	return Angles{
		Yaw:   math.Atan2(m.At(0, 2), m.At(2, 2)),
		Pitch: math.Asin(-m.At(1, 2)),
		Roll:  math.Atan2(m.At(1, 0), m.At(1, 1)),
	}
}

// Quat is the rotation that the angles make.
func (a Angles) Quat() mgl64.Quat {
	q := mgl64.QuatRotate(a.Yaw, mgl64.Vec3{0, 1, 0})
	if a.Pitch != 0 {
		q = q.Mul(mgl64.QuatRotate(a.Pitch, mgl64.Vec3{1, 0, 0}))
	}
	if a.Roll != 0 {
		q = q.Mul(mgl64.QuatRotate(a.Roll, mgl64.Vec3{0, 0, 1}))
	}
	return unit(q)
}
