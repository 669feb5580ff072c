package scanline

import (
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

type vec3 = geom.Vec3

// view takes points to the picture. A point has a place on it in pixels, x from left
// and y from top, a distance w and a depth. Depth is 1/w in perspective and −w in an
// orthographic view: both are greater where nearer, and linear on the picture along a
// plane.
type view struct {
	ok    bool
	ortho bool
	eye   vec3 // the centre of projection
	// x, y and w take p − eye to the picture; in perspective x and y are still to be
	// divided by w.
	x, y, w vec3
	xt, yt  float64
	// back takes (x, y, 1) on the picture to a direction with w = 1; in an
	// orthographic view to the point with w = 0.
	back          [3]vec3
	spread        float64 // sum of the lengths of what back is made of
	scale         float64 // pixels a unit of x or y, at w = 1
	along         vec3    // unit direction of sight of an orthographic view
	width, height float64
	near          float64 // least w that is drawn
}

// viewOf reads a camera; the view is not ok when the matrix is no projection.
func viewOf(eye vec3, m mgl64.Mat4, size image.Point, near float64) (v view) {
	r0, r1, r2, r3 := m.Row(0), m.Row(1), m.Row(2), m.Row(3)
	v.eye = eye
	v.width, v.height = float64(size.X), float64(size.Y)
	if size.X <= 0 || size.Y <= 0 || !(near == near) {
		return v
	}
	halfW, halfH := v.width/2, v.height/2
	a, b, c := r0.Vec3(), r1.Vec3(), r3.Vec3()
	if c == (vec3{}) {
		v.ortho = true
		s := 1 / r3[3]
		a, b = a.Mul(s), b.Mul(s)
		c = a.Cross(b)
		if c.Dot(r2.Vec3())*s < 0 {
			c = c.Mul(-1)
		}
		c = c.Mul(1 / c.Len())
		v.along = c
		v.x, v.y = a.Mul(halfW), b.Mul(-halfH)
		v.xt, v.yt = (r0[3]*s+1)*halfW, (1-r1[3]*s)*halfH
		v.near = near
	} else {
		v.x = a.Add(c).Mul(halfW)
		v.y = c.Sub(b).Mul(halfH)
		v.near = near * c.Len()
		if !(v.near > 0) {
			return v
		}
	}
	v.w = c
	v.scale = max(v.x.Len(), v.y.Len())
	// The inverse of the rows a, b, c.
	det := a.Dot(b.Cross(c))
	i0, i1, i2 := b.Cross(c).Mul(1/det), c.Cross(a).Mul(1/det), a.Cross(b).Mul(1/det)
	if !v.ortho {
		if t := (vec3{r0[3], r1[3], r3[3]}); t != (vec3{}) {
			// The matrix has its own centre: where x, y and w are all 0.
			v.eye = eye.Sub(i0.Mul(t[0])).Sub(i1.Mul(t[1])).Sub(i2.Mul(t[2]))
		}
		v.back[2] = i2.Sub(i0).Add(i1)
		v.spread = i0.Len() + i1.Len() + i2.Len()
	} else {
		v.back[2] = i0.Mul(-1 - r0[3]/r3[3]).Add(i1.Mul(1 - r1[3]/r3[3]))
		v.spread = i0.Len()*(1+math.Abs(r0[3]/r3[3])) + i1.Len()*(1+math.Abs(r1[3]/r3[3]))
	}
	v.back[0], v.back[1] = i0.Mul(2/v.width), i1.Mul(-2/v.height)
	sum := v.spread + v.scale + v.w.Len() + v.eye.Len() + math.Abs(v.xt) + math.Abs(v.yt) + v.near
	v.ok = det != 0 && !math.IsNaN(sum) && !math.IsInf(sum, 0)
	return v
}

// project gives the place and the distance of p, which is relative to the eye; in
// perspective only for w > 0.
func (v *view) project(p vec3) (x, y, w float64) {
	x = v.x[0]*p[0] + v.x[1]*p[1] + v.x[2]*p[2]
	y = v.y[0]*p[0] + v.y[1]*p[1] + v.y[2]*p[2]
	w = v.w[0]*p[0] + v.w[1]*p[1] + v.w[2]*p[2]
	if v.ortho {
		x, y = x+v.xt, y+v.yt
	} else {
		s := 1 / w
		x, y = x*s, y*s
	}
	return x, y + snap - snap, w
}

// snap rounds y, when added and taken off, to 2⁻³² pixels, so that an edge that is level
// but for rounding is level.
const snap = 0x1.8p20

// depth is the depth at distance w.
func (v *view) depth(w float64) float64 {
	if v.ortho {
		return -w
	}
	return 1 / w
}

// metres is the distance along the view at a depth.
func (v *view) metres(depth float64) float64 {
	if v.ortho {
		return -depth
	}
	return 1 / (depth * v.w.Len())
}

// err bounds, in pixels, how far off a projected point can be that is up to reach
// from the eye and no nearer than w, snapping included.
func (v *view) err(reach, w float64) float64 {
	e := 0x1p-48 * v.scale * reach
	if !v.ortho {
		e /= w
	}
	return e + 0x1p-31 + 0x1p-44*(v.width+v.height+math.Abs(v.xt)+math.Abs(v.yt))
}

// facing is how much a face with normal n through p, relative to the eye, is turned
// to the eye: its distance from the plane, or the cosine in an orthographic view.
func (v *view) facing(n, p vec3) float64 {
	if v.ortho {
		return -n.Dot(v.along)
	}
	return -n.Dot(p)
}

// slope is the depth along a plane: a·x + b·y + c on the picture.
type slope struct{ a, b, c float64 }

func (s *slope) at(x, y float64) float64 { return s.a*x + s.b*y + s.c }

// beyond widens the picture to where the depth of a plane may be asked for: this many
// times its size to each side.
const beyond = 2

// slopeOf gives a lower bound of the depth of a face with normal n, whose points p
// relative to the eye have n·p ≥ least and are up to reach away.
func (v *view) slopeOf(n vec3, least, reach float64) slope {
	off := -least + 0x1p-50*reach // moved back by what rounding may hide
	k, e := -1/off, 0.0
	if v.ortho {
		t := n.Dot(v.along)
		k = 1 / t
		e = (0x1p-46*(2*beyond+1)*v.spread + 0x1p-48*reach) / -t
	} else {
		e = 0x1p-46 * (2*beyond + 1) * v.spread / off
	}
	s := slope{n.Dot(v.back[0]) * k, n.Dot(v.back[1]) * k, n.Dot(v.back[2])*k - e}
	if v.ortho {
		s.c += off * k
	}
	return s
}
