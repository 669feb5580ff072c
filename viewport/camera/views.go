package camera

import (
	"math"

	"ridgeline/occluders/geom"
)

// Side is one of the orthographic views.
type Side uint8

// The orthographic views.
const (
	Front   Side = iota // looks along −Z
	SideOn              // looks along −X
	FromTop             // looks along −Y, −Z being up in the picture
)

// angles gives a view's yaw and pitch.
func (s Side) angles() (yaw, pitch float64) {
	switch s {
	case SideOn:
		return math.Pi / 2, 0
	case FromTop:
		return 0, -math.Pi / 2
	}
	return 0, 0
}

// Frame glides, without turning, to where the box fills the view. An empty box is
// the scene.
func (r *Rig) Frame(b geom.Box) {
	if b.IsEmpty() {
		b = r.Scene
	}
	if b.IsEmpty() {
		return
	}
	r.zoom = 0
	g := glide{from: r.Eye, fromHeight: r.Height, toHeight: r.Height, on: true}
	radius := max(b.Size().Len()/2, 0.25)
	if r.Ortho {
		aspect := r.Size[0] / r.Size[1]
		g.toHeight = 2.2 * radius / min(1, aspect)
		g.to = b.Center().Sub(r.Forward().Mul(r.back(b.Center())))
	} else {
		w, h := r.half(r.Size)
		narrow := math.Atan(min(w, h))
		g.to = b.Center().Sub(r.Forward().Mul(1.1 * radius / math.Sin(narrow)))
	}
	r.glide = g
}

// back is how far an orthographic camera stands from what it looks at, so that
// nothing of the scene is behind it.
func (r *Rig) back(at geom.Vec3) float64 {
	if r.Scene.IsEmpty() {
		return 100
	}
	return at.Sub(r.Scene.Center()).Len() + r.sceneSize()
}

// LookFrom turns to an orthographic view of what is in the middle of the picture,
// at the same size there.
func (r *Rig) LookFrom(s Side) {
	r.Stop()
	at := r.under(r.Size.Mul(0.5))
	if !r.Ortho {
		depth := max(at.Sub(r.Eye).Dot(r.Forward()), minHeight)
		r.Height = min(max(2*depth*math.Tan(r.FovY/2), minHeight), maxHeight)
		r.Ortho = true
	}
	r.Yaw, r.Pitch = s.angles()
	r.Eye = at.Sub(r.Forward().Mul(r.back(at)))
}

// Perspective leaves an orthographic view: what is in the middle of the picture
// stays there, at the same size.
func (r *Rig) Perspective() {
	if !r.Ortho {
		return
	}
	at := r.under(r.Size.Mul(0.5))
	r.Ortho = false
	r.Pitch = clampPitch(r.Pitch)
	r.Eye = at.Sub(r.Forward().Mul(r.Height / 2 / math.Tan(r.FovY/2)))
	// The depths of a view along an axis may lie behind the eye. The host finds better
	// ones before the next picture.
	r.FitDepth(r.Scene, 0)
}
