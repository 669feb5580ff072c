package culltest

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// Camera is a view and what it was made of.
type Camera struct {
	View               cull.View
	Size               image.Point
	Near, Far          float64
	Forward, Right, Up geom.Vec3
	Half               float64 // tangent of half the upright angle, or half the height
	Kind               string  // where it stands
}

// Lens is what a camera looks through.
type Lens struct {
	Half      float64 // tangent of half the upright angle, or half the height
	Ortho     bool
	Near, Far float64
	Size      image.Point
}

// RandomLens is one of many kinds, from a tenth of a degree to 170.
func RandomLens(r *rand.Rand) Lens {
	l := Lens{Near: []float64{0.01, 0.1, 0.5}[r.IntN(3)], Far: 2000, Size: image.Pt(160+r.IntN(1200), 120+r.IntN(700))}
	degrees := 60.0
	switch r.IntN(8) {
	case 0:
		degrees = 170
	case 1:
		degrees = 0.1
	case 2:
		degrees = 20 + 100*r.Float64()
	case 3:
		l.Ortho = true
		l.Half = 1 + 40*r.Float64()
		if r.IntN(2) == 0 {
			l.Near = -200
		}
	}
	if !l.Ortho {
		l.Half = math.Tan(degrees * math.Pi / 360)
	}
	return l
}

// Look makes a camera at an eye.
func (l Lens) Look(eye, forward, up geom.Vec3) *Camera {
	forward = forward.Normalize()
	if forward.Cross(up).Len() < 1e-3 {
		up = geom.Vec3{up[1], up[2], up[0]}
	}
	c := &Camera{Size: l.Size, Near: l.Near, Far: l.Far, Forward: forward, Half: l.Half}
	c.Right = forward.Cross(up).Normalize()
	c.Up = c.Right.Cross(forward)
	aspect := float64(l.Size.X) / float64(l.Size.Y)
	look := mgl64.LookAtV(geom.Vec3{}, forward, c.Up)
	proj := mgl64.Perspective(2*math.Atan(l.Half), aspect, l.Near, l.Far)
	if l.Ortho {
		proj = mgl64.Ortho(-l.Half*aspect, l.Half*aspect, -l.Half, l.Half, l.Near, l.Far)
	}
	c.View = cull.ViewOf(eye, proj.Mul4(look))
	return c
}

// Toward is the line of sight through a point; ok is false when that is beside the
// picture or too close to its edge to tell.
func (c *Camera) Toward(p geom.Vec3) (s Sight, ok bool) {
	d := p.Sub(c.View.Eye)
	x, y, w := d.Dot(c.Right), d.Dot(c.Up), d.Dot(c.Forward)
	s = Sight{From: c.View.Eye, Near: c.Near * (1 + 1e-9), Far: c.Far * (1 - 1e-9)}
	aspect := float64(c.Size.X) / float64(c.Size.Y)
	if c.View.Ortho {
		s.From = s.From.Add(c.Right.Mul(x)).Add(c.Up.Mul(y))
		s.Dir = c.Forward
	} else {
		if w <= 0 {
			return s, false
		}
		s.Dir = d.Mul(1 / w)
		x, y = x/w, y/w
	}
	const edge = 1 - 1e-7
	return s, math.Abs(y) <= c.Half*edge && math.Abs(x) <= c.Half*aspect*edge
}

// Anywhere is a line of sight somewhere in the picture.
func (c *Camera) Anywhere(r *rand.Rand) Sight {
	aspect := float64(c.Size.X) / float64(c.Size.Y)
	x, y := (2*r.Float64()-1)*c.Half*aspect, (2*r.Float64()-1)*c.Half
	d := c.Forward.Mul(10)
	if c.View.Ortho {
		d = d.Add(c.Right.Mul(x)).Add(c.Up.Mul(y))
	} else {
		d = d.Add(c.Right.Mul(10 * x)).Add(c.Up.Mul(10 * y))
	}
	s, _ := c.Toward(c.View.Eye.Add(d))
	return s
}

// Sees reports whether a box may be in the picture: not beyond one side of it.
func (c *Camera) Sees(b geom.Box) bool {
	m := c.View.ViewProj
	var out [6]int
	for i := range 8 {
		p := m.Mul4x1(b.Corner(i).Sub(c.View.Eye).Vec4(1))
		for a := range 3 {
			if p[a] > p[3] {
				out[2*a]++
			}
			if p[a] < -p[3] {
				out[2*a+1]++
			}
		}
	}
	for _, n := range out {
		if n == 8 {
			return false
		}
	}
	return true
}

// clear reports whether all of the picture's part of the near plane is further than
// cull.Skin beyond one face of a body.
func (c *Camera) clear(b body) bool {
	half := c.Half
	if !c.View.Ortho {
		half *= c.Near
	}
	wide := half * float64(c.Size.X) / float64(c.Size.Y)
	at := c.View.Eye.Add(c.Forward.Mul(c.Near))
faces:
	for _, p := range b {
		for i := range 4 {
			x, y := wide*float64(2*(i&1)-1), half*float64(i&2-1)
			if p.Distance(at.Add(c.Right.Mul(x)).Add(c.Up.Mul(y))) <= cull.Skin {
				continue faces
			}
		}
		return true
	}
	return false
}
