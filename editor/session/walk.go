package session

import (
	"errors"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/tool"
	"ridgeline/occluders/collide"
)

// walk puts the camera on the ground: keys walk, gravity holds, walls stop.
type walk struct {
	walker  *collide.Walker // nil: not walking
	ghostly bool            // collision is off, also the next time
}

// walkOptions are the numbers of the settings.
func (s *Session) walkOptions() collide.Walk {
	o := collide.DefaultWalk()
	w := s.Settings.Walk
	o.Speed, o.StepUp, o.EyeHeight, o.Gravity = w.Speed, w.StepUp, w.EyeHeight, w.Gravity
	o.FlySpeed = 2 * w.Speed
	o.Jump = w.Jump
	o.Height = max(o.Height, o.EyeHeight+0.1)
	return o
}

// Walking tells what the walker does; ok is false outside the mode walk.
func (s *Session) Walking() (state collide.State, collision, ok bool) {
	k := s.View.walk.walker
	if k == nil {
		return 0, !s.View.walk.ghostly, false
	}
	return k.State(), k.Collides(), true
}

// enter puts the walker on what is below the camera, or else on what is in the
// middle of the view.
func (w *walk) enter(s *Session) {
	v := &s.View
	v.leaveAxis()
	v.Rig.Stop()
	k, err := collide.NewWalker(s.walkOptions())
	if err != nil {
		s.Fail(err)
		return
	}
	solid, err := s.scene.Solid()
	if err != nil {
		s.Fail(err)
		return
	}
	k.SetCollision(!w.ghostly)
	ok := false
	if hit, found := s.scene.Pick(v.Ray(v.sizeVec()[0]/2, v.sizeVec()[1]/2), nil); found {
		ok = k.Place(solid, hit.Point.Add(mgl64.Vec3{0, 0.1, 0}))
	}
	if !ok {
		ok = k.Place(solid, v.Rig.Eye)
	}
	if !ok {
		if c := v.Rig.Scene; !c.IsEmpty() {
			k.Place(solid, mgl64.Vec3{c.Center()[0], c.Max[1], c.Center()[2]})
		}
	}
	w.walker = k
	v.Rig.Pitch = min(max(v.Rig.Pitch, -0.3), 0.3)
	w.look(v)
}

// leave ends the walk; the camera stays where it is.
func (w *walk) leave(*Session) { w.walker = nil }

// toggleCollision turns collision on or off.
func (w *walk) toggleCollision(s *Session) {
	w.ghostly = !w.ghostly
	if w.walker != nil {
		w.walker.SetCollision(!w.ghostly)
	}
	if w.ghostly {
		s.Say("Collision is off: the walker passes through everything.")
	} else {
		s.Say("Collision is on.")
	}
}

// look puts the camera to the walker's eye.
func (w *walk) look(v *View) { v.Rig.Eye = w.walker.Eye() }

// runFactor is how much faster one goes with Shift.
const runFactor = 3

// tick lets the walker go on and reports whether it moves by itself.
func (w *walk) tick(v *View, dt time.Duration) bool {
	s := v.s
	solid, err := s.scene.Solid()
	if err != nil {
		s.Fail(err)
		w.walker = nil
		return false
	}
	var ahead, aside float64
	add := func(control string, to *float64, by float64) {
		if v.held[control] {
			*to += by
		}
	}
	add("forward", &ahead, 1)
	add("back", &ahead, -1)
	add("right", &aside, 1)
	add("left", &aside, -1)
	var in collide.Input
	add("up", &in.Rise, 1)
	add("down", &in.Rise, -1)
	in.Jump = v.held["up"]
	sin, cos := math.Sincos(v.Rig.Yaw)
	in.X, in.Z = aside*cos-ahead*sin, -aside*sin-ahead*cos
	o := s.walkOptions()
	if v.mods&tool.Shift != 0 {
		o.Speed, o.FlySpeed = o.Speed*runFactor, o.FlySpeed*runFactor
	}
	if o != w.walker.Walk() {
		if err := w.walker.SetWalk(o); err != nil {
			s.Fail(err)
		}
	}
	moved := w.walker.Update(solid, in, dt)
	w.look(v)
	held := ahead != 0 || aside != 0 || in.Rise != 0
	return moved || held || w.walker.State() == collide.Falling
}

// walking is the tool of the mode walk: the left button looks around, as the right
// one does.
type walking struct{}

// ID implements tool.Tool.
func (walking) ID() string { return "walk" }

// Hover implements tool.Tool.
func (walking) Hover(*document.Level, tool.Input) tool.Preview { return tool.Preview{} }

// Press implements tool.Tool.
func (walking) Press(*command.Env, tool.Input) (tool.Drag, error) {
	return nil, errors.New("the left button looks around while walking")
}
