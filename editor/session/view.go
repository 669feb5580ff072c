package session

import (
	"image"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/tool"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/camera"
)

// View is how the level is looked at: the camera, the pointer over the viewport
// and what it drags.
type View struct {
	Rig camera.Rig

	s      *Session
	size   image.Point // of the viewport, pixels
	sized  bool        // a host has told it
	scale  float32     // pixels per dp
	dirty  bool        // the picture would differ
	moving bool        // it moved by itself in the last frame

	pointer mgl64.Vec2
	over    bool // the pointer is over the viewport
	mods    tool.Modifiers
	clock   time.Duration // of the last event
	pressed *mgl64.Vec2   // where the left button went down, in the mode select
	grasped *grasp        // of a handle then; nil where there was none
	chosen  []document.ID // what was selected then
	ticked  time.Duration // of the last frame

	first    place // where the level was first seen from
	unplaced bool  // the camera is to frame the level as soon as the size is known
	gesture  gesture
	button   Buttons // that began the gesture
	moved    bool    // since then
	held     map[string]bool

	resize resize
	walk   walk

	under      scene.Hit
	underOK    bool
	underKnown bool

	lastCamera  camera.Camera
	perspective struct{ yaw, pitch float64 } // of the last view in perspective
}

// gesture is what a button moves.
type gesture uint8

const (
	gestureNone gesture = iota
	gestureCamera
)

// init ties the view to its session.
func (v *View) init(s *Session) {
	v.s = s
	v.size, v.scale = image.Pt(1280, 720), 1
	v.Rig.Pick = func(r geom.Ray) (geom.Vec3, bool) {
		hit, ok := s.scene.Pick(r, nil)
		return hit.Point, ok
	}
	s.Env.View.Changed = func() { v.fromEnv() }
}

// reset looks at a level that was just opened.
func (v *View) reset(l *document.Level) {
	v.stopGesture()
	v.held = nil
	v.resize.end()
	v.sceneOf(l)
	c := l.Settings.Camera
	if !c.IsSet() {
		c = document.NewLevel(l.Terrain).Settings.Camera
	}
	// A camera that nobody placed is put where it sees the whole, once the shape of
	// the view is known.
	v.unplaced = c == document.NewLevel(l.Terrain).Settings.Camera
	v.Rig.Speed = 0
	v.walk.walker = nil
	v.Rig.Camera = camera.Look(c.Eye, c.Look)
	v.first = v.place()
	v.Rig.FovY = v.s.Settings.View.FieldOfView * math.Pi / 180
	v.toEnv()
	v.touch()
}

// place is where a camera is and how it looks from there.
type place struct {
	eye        mgl64.Vec3
	yaw, pitch float64
}

func (v *View) place() place { return place{v.Rig.Eye, v.Rig.Yaw, v.Rig.Pitch} }

// left is the camera that the level is to begin with when it is opened again: where the
// view is now. It is not set while that is where it began, so that a level at which
// nobody looked around keeps its own camera, or none.
func (v *View) left() (c document.Camera) {
	if v.place() == v.first {
		return c
	}
	if c.Eye, c.Look = v.eyeAndLook(); c.Validate() != nil {
		return document.Camera{}
	}
	return c
}

// sceneOf tells the camera what there is to see.
func (v *View) sceneOf(l *document.Level) {
	v.Rig.Scene = v.s.scene.Bounds()
}

// touch says that the picture would differ.
func (v *View) touch() {
	v.dirty, v.underKnown = true, false
	v.s.invalidate()
}

// TakeDirty reports whether the camera or an overlay has changed since the last
// call. The level and the ring are not counted.
func (v *View) TakeDirty() bool {
	d := v.dirty
	v.dirty = false
	return d
}

// fromEnv follows a command that placed the camera.
func (v *View) fromEnv() {
	v.s.outlined = nil
	v.touch()
	c := v.s.Env.View.Camera
	if e, l := v.eyeAndLook(); c.Eye != e || c.Look != l {
		v.Place(c.Eye, c.Look)
	}
}

// Place puts the camera at eye, looking at a point.
func (v *View) Place(eye, look mgl64.Vec3) {
	v.unplaced = false
	v.Rig.Stop()
	v.Rig.Eye = eye
	v.Rig.LookAt(look)
	v.touch()
}

// toEnv has commands see where the camera is.
func (v *View) toEnv() {
	v.s.Env.View.Camera.Eye, v.s.Env.View.Camera.Look = v.eyeAndLook()
}

// eyeAndLook is the camera as levels keep it: the point looked at is as far away
// as the middle of the level; a metre, where there is nothing.
func (v *View) eyeAndLook() (eye, look mgl64.Vec3) {
	eye = v.Rig.Eye
	away := 1.0
	if b := v.Rig.Scene; !b.IsEmpty() {
		away = max(1, b.Center().Sub(eye).Len())
	}
	return eye, eye.Add(v.Rig.Forward().Mul(away))
}

func (v *View) sizeVec() mgl64.Vec2 {
	return mgl64.Vec2{float64(max(v.size.X, 1)), float64(max(v.size.Y, 1))}
}

// Size is the viewport's size in pixels, and pixels per dp.
func (v *View) Size() (image.Point, float32) { return v.size, v.scale }

// Ray is the line of sight through a pixel of the viewport.
func (v *View) Ray(x, y float64) geom.Ray { return v.Rig.Ray(mgl64.Vec2{x, y}, v.sizeVec()) }

// begin starts to move the camera.
func (v *View) begin(p Pointer) {
	if v.walk.walker != nil && p.Button&Left != 0 {
		v.look(p, camera.LookDrag)
		return
	}
	v.look(p, camera.DragOf(p.Button&Left != 0, p.Button&Middle != 0, p.Button&Right != 0, p.Mods&tool.Alt != 0))
}

// look begins to move the camera in one way.
func (v *View) look(p Pointer, d camera.Drag) {
	if d == camera.NoDrag {
		return
	}
	v.Rig.Size = v.sizeVec()
	v.Rig.LookSpeed = v.s.Settings.View.LookSpeed * math.Pi / 180 / float64(v.scale)
	v.Rig.InvertLook = v.s.Settings.View.InvertLook
	v.Rig.Begin(d, mgl64.Vec2{p.X, p.Y})
	v.gesture, v.button, v.moved = gestureCamera, p.Button, false
	v.fly()
}

// dragged follows the pointer.
func (v *View) dragged(p Pointer) {
	if v.gesture == gestureCamera {
		v.moved = true
		v.Rig.Move(mgl64.Vec2{p.X, p.Y})
	}
}

func (v *View) release(p Pointer) {
	if v.gesture == gestureCamera && p.Button&v.button != 0 {
		v.stopGesture()
	}
}

func (v *View) stopGesture() {
	v.Rig.End()
	v.gesture = gestureNone
}

// Pointer is where the pointer was last, in pixels of the viewport; outside it
// during drags.
func (v *View) Pointer() mgl64.Vec2 { return v.pointer }

// Warped tells that the host has put the pointer elsewhere, by an offset in
// pixels, so that a drag of the camera can go on at the edge of the screen.
func (v *View) Warped(by mgl64.Vec2) { v.Rig.Shift(by) }

// Looking reports whether the camera is being turned, for hosts that keep the
// pointer inside the window meanwhile.
func (v *View) Looking() bool {
	return v.gesture == gestureCamera && (v.Rig.Dragging() == camera.LookDrag || v.Rig.Dragging() == camera.OrbitDrag)
}

func (v *View) scroll(p Pointer) {
	v.Rig.Size = v.sizeVec()
	v.Rig.Wheel(p.Scroll, mgl64.Vec2{p.X, p.Y})
}

// flying reports whether the keys of flight fly.
func (v *View) flying() bool {
	return v.gesture == gestureCamera && v.Rig.Dragging() == camera.LookDrag
}

// directions are the held controls that fly.
var directions = map[string]camera.Keys{
	"forward": camera.Ahead, "back": camera.Back, "left": camera.LeftKey, "right": camera.RightKey,
	"down": camera.Down, "up": camera.Up,
}

// fly hands the held keys to the camera.
func (v *View) fly() {
	var k camera.Keys
	if v.walk.walker == nil {
		for control := range v.held {
			k |= directions[control]
		}
	}
	if v.mods&tool.Shift != 0 {
		k |= camera.Fast
	}
	v.Rig.Hold(k)
}

// hold presses or releases a control.
func (v *View) hold(s *Session, control string, down bool) {
	if down == v.held[control] {
		return // a key that repeats
	}
	if v.held == nil {
		v.held = map[string]bool{}
	}
	if down {
		v.held[control] = true
	} else {
		delete(v.held, control)
	}
	if control == "resize" {
		if down {
			v.resize.begin(s)
		} else if v.resize.end() {
			s.FrameSelection() // tapped
		}
		return
	}
	v.fly()
}

// tick lets time pass and reports whether the camera moves by itself.
func (v *View) tick(dt time.Duration) bool {
	v.Rig.Size = v.sizeVec()
	if v.unplaced && v.sized {
		v.unplaced = false
		v.Rig.Frame(v.Rig.Scene)
		for n := 0; v.Rig.Advance(1) && n < 100; n++ {
		}
		v.first = v.place()
	}
	if v.flying() {
		v.fly()
	}
	moving := v.Rig.Advance(dt.Seconds())
	if v.walk.walker != nil {
		return v.walk.tick(v, dt) || moving
	}
	return moving
}

// refresh notes what changed since the last frame.
func (v *View) refresh(s *Session) {
	v.sceneOf(s.Level())
	clearance := v.Rig.Scene.DistanceTo(v.Rig.Eye)
	if y, ok := s.Level().Terrain.Height(v.Rig.Eye[0], v.Rig.Eye[2]); ok {
		clearance = math.Abs(v.Rig.Eye[1] - y)
	}
	clearance = s.scene.Clearance(v.Rig.Eye, min(clearance, max(v.Rig.Scene.Size().Len()/20, 1)))
	v.Rig.FovY = s.Settings.View.FieldOfView * math.Pi / 180
	v.Rig.FitDepth(v.Rig.Scene, clearance)
	if v.Rig.Camera != v.lastCamera {
		v.lastCamera = v.Rig.Camera
		v.toEnv()
		v.touch()
	}
}

// frame brings a part of the level into view.
func (v *View) frame(b geom.Box) {
	v.Rig.Size = v.sizeVec()
	v.Rig.Frame(b)
	v.touch()
}

// Settle lets the camera arrive where it is going.
func (v *View) Settle() {
	v.Rig.Size = v.sizeVec()
	for range 1000 { // a camera that is held would never stop
		if !v.Rig.Advance(1) {
			break
		}
	}
	v.touch()
}

// frameLevel brings all of the level into view.
func (v *View) frameLevel() {
	v.Rig.Size = v.sizeVec()
	v.Rig.Frame(v.Rig.Scene)
	v.touch()
}

// lookFrom changes between perspective and the views along an axis.
func (v *View) lookFrom(side string) {
	v.Rig.Size = v.sizeVec()
	if !v.Rig.Ortho {
		v.perspective.yaw, v.perspective.pitch = v.Rig.Yaw, v.Rig.Pitch
	}
	switch side {
	case "front":
		v.Rig.LookFrom(camera.Front)
	case "side":
		v.Rig.LookFrom(camera.SideOn)
	case "top":
		v.Rig.LookFrom(camera.FromTop)
	default:
		v.leaveAxis()
	}
	v.touch()
}

// leaveAxis goes back to perspective from a view along an axis: to the direction
// from before, as along the ground little is seen of it. What is in the middle of
// the picture stays there.
func (v *View) leaveAxis() {
	if !v.Rig.Ortho {
		return
	}
	v.Rig.Perspective()
	away := v.Rig.Height / 2 / math.Tan(v.Rig.FovY/2)
	middle := v.Rig.Eye.Add(v.Rig.Forward().Mul(away))
	v.Rig.Yaw, v.Rig.Pitch = v.perspective.yaw, v.perspective.pitch
	v.Rig.Eye = middle.Sub(v.Rig.Forward().Mul(away))
}
