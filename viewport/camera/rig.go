package camera

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Pick finds what a ray meets first in the world: a point of the ground or of an
// object.
type Pick func(geom.Ray) (at geom.Vec3, ok bool)

// Drag is what holding a mouse button does.
type Drag uint8

// The drags.
const (
	NoDrag Drag = iota
	LookDrag
	PanDrag
	OrbitDrag
)

// DragOf says what pressing a button begins: the right button looks, the middle
// one pans, the left one orbits while Alt is held.
func DragOf(left, middle, right, alt bool) Drag {
	switch {
	case right:
		return LookDrag
	case middle:
		return PanDrag
	case left && alt:
		return OrbitDrag
	}
	return NoDrag
}

// Keys is a set of directions that are held.
type Keys uint8

// The directions of flight: W, S, A, D in the view, Q and E down and up in the
// world. Fast is Shift.
const (
	Ahead Keys = 1 << iota
	Back
	LeftKey
	RightKey
	Down
	Up
	Fast
)

// Rig moves a camera. Set Size and Scene before anything else; the zero value of
// the rest is ready. It is not safe for concurrent use.
type Rig struct {
	Camera
	Size  mgl64.Vec2 // of the view, pixels
	Scene geom.Box   // what the level reaches, in world coordinates
	Pick  Pick       // nil finds nothing
	Speed float64    // of flight, m/s; 0 crosses the scene in 20 s

	// LookSpeed is how far a drag of one pixel turns, in radians; 0 is 0.003.
	LookSpeed float64
	// InvertLook has a drag upwards look down.
	InvertLook bool

	drag  Drag
	from  mgl64.Vec2 // pixel of the last Move
	grip  geom.Vec3  // the point that is panned or orbited about
	local geom.Vec3  // the grip in eye space, when an orbit began

	keys     Keys
	velocity geom.Vec3 // m/s, world

	zoom   float64   // what is left of the wheel's way, as a logarithm of distance
	anchor geom.Vec3 // the point that it leads to

	glide glide
}

// glide is a way to another place, on which the directions stay.
type glide struct {
	from, to             geom.Vec3
	fromHeight, toHeight float64
	t                    float64 // 0–1
	on                   bool
}

// The pace of things.
const (
	lookPerPixel = 0.003 // radians
	settle       = 0.07  // s, in which a speed comes near its target
	wheelSettle  = 0.06  // s
	glideTime    = 0.25  // s
	perNotch     = 0.18  // log of distance per notch of the wheel
	fastFactor   = 4
	steepest     = math.Pi/2 - 1e-3 // pitch while looking and orbiting
)

// speed is the flight speed in m/s.
func (r *Rig) speed() float64 {
	if r.Speed > 0 {
		return r.Speed
	}
	return max(1, r.sceneSize()/20)
}

func (r *Rig) sceneSize() float64 {
	if r.Scene.IsEmpty() {
		return 0
	}
	return r.Scene.Size().Len()
}

// under is the world's point under a pixel. Where the ray meets nothing, it is
// where it crosses the height of the scene's middle, and failing that a point as
// far away as the scene's middle.
func (r *Rig) under(pixel mgl64.Vec2) geom.Vec3 {
	ray := r.Ray(pixel, r.Size)
	if r.Pick != nil {
		if p, ok := r.Pick(ray); ok {
			return p
		}
	}
	middle := geom.Vec3{}
	if !r.Scene.IsEmpty() {
		middle = r.Scene.Center()
	}
	away := max(1, middle.Sub(ray.Origin).Len())
	if t, ok := ray.Plane(geom.Plane{N: geom.Vec3{0, 1, 0}, D: -middle[1]}); ok && t > 0 && t < 4*away {
		return ray.At(t)
	}
	return ray.At(away)
}

// Dragging tells which drag is going on.
func (r *Rig) Dragging() Drag { return r.drag }

// Begin starts a drag at a pixel. Looking leaves an orthographic view.
func (r *Rig) Begin(d Drag, pixel mgl64.Vec2) {
	if d == OrbitDrag {
		r.BeginOrbit(r.under(pixel), pixel)
		return
	}
	r.start(d, pixel)
	switch d {
	case LookDrag:
		r.Perspective()
	case PanDrag:
		r.grip = r.under(pixel)
	}
}

// BeginOrbit starts an orbit about a point of the caller's choice, such as the
// middle of the selection.
func (r *Rig) BeginOrbit(pivot geom.Vec3, pixel mgl64.Vec2) {
	r.start(OrbitDrag, pixel)
	r.Pitch = clampPitch(r.Pitch)
	r.grip = pivot
	r.local = r.View().Mat3().Mul3x1(pivot.Sub(r.Eye))
}

// start ends all that moves by itself.
func (r *Rig) start(d Drag, pixel mgl64.Vec2) {
	r.glide.on = false
	r.zoom = 0
	r.drag, r.from = d, pixel
}

// Move drags to a pixel, which may lie outside the view.
func (r *Rig) Move(pixel mgl64.Vec2) {
	d := pixel.Sub(r.from)
	r.from = pixel
	switch r.drag {
	case LookDrag:
		r.turn(d)
	case PanDrag:
		r.keepUnder(r.grip, pixel)
	case OrbitDrag:
		r.turn(d)
		r.Eye = r.grip.Sub(r.View().Mat3().Transpose().Mul3x1(r.local))
	}
}

// Shift tells that the mouse was moved without the user's doing, as when it is
// put back to the middle of the screen, so that the next Move counts from there.
func (r *Rig) Shift(by mgl64.Vec2) { r.from = r.from.Add(by) }

// End ends the drag, and with it flight.
func (r *Rig) End() {
	r.drag = NoDrag
	r.keys = 0
}

func (r *Rig) turn(d mgl64.Vec2) {
	per := r.LookSpeed
	if !(per > 0) {
		per = lookPerPixel
	}
	if r.InvertLook && r.drag == LookDrag {
		d[1] = -d[1]
	}
	r.Yaw = math.Remainder(r.Yaw-d[0]*per, 2*math.Pi)
	r.Pitch = clampPitch(r.Pitch - d[1]*per)
}

func clampPitch(p float64) float64 { return min(max(p, -steepest), steepest) }

// keepUnder moves the eye along the picture so that p appears at the pixel.
func (r *Rig) keepUnder(p geom.Vec3, pixel mgl64.Vec2) {
	f := r.Forward()
	depth := p.Sub(r.Eye).Dot(f)
	ray := r.Ray(pixel, r.Size)
	t := depth
	if !r.Ortho {
		t = depth / ray.Dir.Dot(f)
	}
	r.Eye = r.Eye.Add(p.Sub(ray.At(t)))
}

// Hold says which keys of flight are held. They count while looking.
func (r *Rig) Hold(k Keys) {
	if r.drag == LookDrag {
		r.keys = k
	}
}

// Wheel turns the wheel by notches, up positive, with the mouse at a pixel: while
// looking it changes the speed of flight, else it goes to or from the point there.
func (r *Rig) Wheel(notches float64, pixel mgl64.Vec2) {
	if r.drag == LookDrag {
		r.Speed = min(max(r.speed()*math.Pow(1.25, notches), 0.05), 1e5)
		return
	}
	r.glide.on = false
	if r.zoom == 0 || math.Signbit(r.zoom) != math.Signbit(-notches) {
		r.zoom = 0
		r.anchor = r.under(pixel)
	}
	r.zoom -= notches * perNotch
}

// Advance lets dt seconds pass and reports whether the camera is still moving by
// itself, so that another frame is needed.
func (r *Rig) Advance(dt float64) (moving bool) {
	if !(dt > 0) {
		dt = 0
	}
	r.fly(dt)
	r.roll(dt)
	r.slide(dt)
	return r.velocity != geom.Vec3{} || r.zoom != 0 || r.glide.on || r.keys&^Fast != 0
}

// fly integrates v' = (target − v)/settle.
func (r *Rig) fly(dt float64) {
	target := r.direction().Mul(r.speed())
	if r.keys&Fast != 0 {
		target = target.Mul(fastFactor)
	}
	if target == (geom.Vec3{}) && r.velocity.Len() < 1e-3*r.speed() {
		r.velocity = geom.Vec3{}
		return
	}
	decay := math.Exp(-dt / settle)
	behind := r.velocity.Sub(target)
	r.Eye = r.Eye.Add(target.Mul(dt)).Add(behind.Mul(settle * (1 - decay)))
	r.velocity = target.Add(behind.Mul(decay))
}

// direction is where the keys lead, of length 1 or 0.
func (r *Rig) direction() geom.Vec3 {
	var d geom.Vec3
	along := func(plus, minus Keys, axis geom.Vec3) {
		if r.keys&plus != 0 {
			d = d.Add(axis)
		}
		if r.keys&minus != 0 {
			d = d.Sub(axis)
		}
	}
	along(Ahead, Back, r.Forward())
	along(RightKey, LeftKey, r.Right())
	along(Up, Down, geom.Vec3{0, 1, 0})
	if d.Len() < 1e-9 {
		return geom.Vec3{}
	}
	return d.Normalize()
}

// roll lets the wheel's way run out.
func (r *Rig) roll(dt float64) {
	if r.zoom == 0 || dt == 0 {
		return
	}
	part := r.zoom * (1 - math.Exp(-dt/wheelSettle))
	if math.Abs(r.zoom-part) < 1e-4 {
		part = r.zoom
	}
	r.zoom -= part
	r.dolly(math.Exp(part))
}

// dolly brings the eye to factor times its distance from the anchor, which stays
// where it is in the picture.
func (r *Rig) dolly(factor float64) {
	if r.Ortho {
		height := min(max(r.Height*factor, minHeight), maxHeight)
		off := r.anchor.Sub(r.Eye)
		along := r.Forward().Mul(off.Dot(r.Forward()))
		r.Eye = r.Eye.Add(off.Sub(along).Mul(1 - height/r.Height))
		r.Height = height
		return
	}
	off := r.Eye.Sub(r.anchor)
	// Neither into the point, where the wheel would have no effect any more, nor out
	// of all proportion.
	length := off.Len()
	if to := length * factor; factor < 1 && to < minNear*5 || factor > 1 && to > maxHeight {
		return
	}
	r.Eye = r.anchor.Add(off.Mul(factor))
}

// The range of what an orthographic view may show, in metres.
const (
	minHeight = 0.05
	maxHeight = 1e7
)

func (r *Rig) slide(dt float64) {
	g := &r.glide
	if !g.on {
		return
	}
	g.t = min(1, g.t+dt/glideTime)
	s := g.t * g.t * (3 - 2*g.t)
	r.Eye = g.from.Add(g.to.Sub(g.from).Mul(s))
	r.Height = g.fromHeight + (g.toHeight-g.fromHeight)*s
	if g.t == 1 {
		r.Eye, g.on = g.to, false
	}
}

// Stop ends drags and all motion, as when the window loses the focus.
func (r *Rig) Stop() {
	r.drag, r.keys, r.zoom, r.velocity, r.glide.on = NoDrag, 0, 0, geom.Vec3{}, false
}
