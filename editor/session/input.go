package session

import (
	"errors"
	"image"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/editor/keymap"
	"ridgeline/editor/tool"
)

// PointerKind is what the pointer did.
type PointerKind int

// The kinds of pointer events.
const (
	PointerMove PointerKind = iota
	PointerPress
	PointerRelease
	PointerScroll
	PointerLeave  // it left the viewport
	PointerCancel // the system took it away in the middle of a drag
)

// Buttons is a set of mouse buttons.
type Buttons uint8

// The buttons.
const (
	Left Buttons = 1 << iota
	Middle
	Right
)

// Pointer is an event of the pointer in the viewport.
type Pointer struct {
	Kind   PointerKind
	X, Y   float64 // pixels from the viewport's top left corner
	Button Buttons // pressed or released
	Mods   tool.Modifiers
	Scroll float64 // steps of the wheel, positive away from the user
	Time   time.Duration
}

// Cursor is the shape of the pointer over the viewport.
type Cursor int

// The cursors.
const (
	CursorArrow Cursor = iota
	CursorCross
	CursorGrab
	CursorHidden
)

// Pointer handles an event of the pointer. While a button is down, the drag that
// it began has all events.
func (s *Session) Pointer(p Pointer) {
	defer s.invalidate()
	v := &s.View
	v.pointer, v.over, v.mods, v.clock = mgl64.Vec2{p.X, p.Y}, p.Kind != PointerLeave, p.Mods, p.Time
	v.underKnown = false
	switch p.Kind {
	case PointerPress:
		if s.drag != nil || v.gesture != gestureNone {
			return
		}
		s.press(p)
	case PointerMove:
		switch {
		case s.drag != nil:
			s.ended(s.drag.Move(s.input(p)))
			if s.shaper() != nil {
				v.touch() // what it draws has moved with the pointer
			}
		case v.resize.on():
			v.resize.move(s, p)
		default:
			v.dragged(p)
		}
	case PointerRelease:
		if p.Button&Left != 0 && s.drag != nil {
			s.ended(s.drag.Move(s.input(p)))
			s.EndDrag()
		}
		if p.Button&Left != 0 {
			s.clicked(p)
		}
		v.release(p)
	case PointerScroll:
		v.scroll(p)
	case PointerCancel:
		s.EndDrag()
		v.stopGesture()
	}
}

// clicked has culling look at a click of the mode select: a press and a release in
// one place. On a handle that is one too, as long as nothing moves, so that a handle does
// not stand before what is behind it.
func (s *Session) clicked(p Pointer) {
	at := s.View.pressed
	s.View.pressed = nil
	if at != nil && s.Mode == ModeSelect && p.Mods == 0 && at.Sub(mgl64.Vec2{p.X, p.Y}).Len() <= clickReach*float64(max(s.View.scale, 1)) {
		if g := s.View.grasped; g != nil {
			if g.state == s.Document().State() && g.behind != 0 {
				s.Run("select ids=" + idList([]document.ID{g.behind}))
			}
			return
		}
		s.Culling.clicked(s.View.Ray(p.X, p.Y), slices.Equal(s.View.chosen, s.Selection()))
	}
}

// clickReach is how far the pointer may go during a click, in dp.
const clickReach = 3

// grasp is a press on a handle.
type grasp struct {
	state  document.State // of the document then
	behind document.ID    // the ghost behind the handle, 0 if there is none
}

// press begins the gesture of a button.
func (s *Session) press(p Pointer) {
	s.View.pressed = nil
	if p.Button == Left && s.Mode == ModeSelect {
		s.View.pressed, s.View.grasped = &mgl64.Vec2{p.X, p.Y}, nil
		if s.onHandle(p) {
			s.View.grasped = &grasp{s.Document().State(), s.Culling.ghostAt(s.View.Ray(p.X, p.Y))}
		}
		s.View.chosen = append(s.View.chosen[:0], s.Selection()...)
	}
	switch {
	case p.Button&Left != 0 && p.Mods&tool.Alt == 0 && s.View.walk.walker == nil:
		if s.file.readOnly && (s.Mode != ModeSelect && s.Mode != ModeMeasure || s.onHandle(p)) {
			s.Fail(errReadOnly)
			return
		}
		var drag tool.Drag
		_, err := s.guard("the tool "+string(s.Mode), func() (func() error, error) {
			var err error
			drag, err = s.Tool().Press(s.Env, s.input(p))
			return nil, err
		})
		s.again(mouseWork)
		if err != nil {
			s.refuse(mouseWork, err)
			return
		}
		s.drag = drag
		s.note(drag)
	default:
		s.View.begin(p)
	}
}

// note tells what a drag has to say of how it began.
func (s *Session) note(d tool.Drag) {
	if n, ok := d.(tool.Noter); ok {
		if text := n.Note(); text != "" {
			s.Say(text)
		}
	}
}

// onHandle reports whether the pointer is on a handle of what is selected.
func (s *Session) onHandle(p Pointer) bool {
	return s.Mode == ModeSelect && s.Picking.Hover(s.Level(), s.input(p)).Handle != 0
}

func (s *Session) input(p Pointer) tool.Input {
	return s.inputAt(mgl64.Vec2{p.X, p.Y}, p.Mods, p.Time)
}

// inputAt is the pointer at a pixel of the viewport.
func (s *Session) inputAt(at mgl64.Vec2, mods tool.Modifiers, now time.Duration) tool.Input {
	v := &s.View
	return tool.Input{
		Ray: v.Ray(at[0], at[1]), Modifiers: mods, Time: now,
		Pixel: at, Camera: v.Rig.Camera, Size: v.sizeVec(), Scale: float64(v.scale), Scene: s.scene,
		Shown: s.shownKinds(),
	}
}

// ended takes the error of a drag's method: after one the drag is over.
func (s *Session) ended(err error) {
	if err == nil {
		return
	}
	s.drag = nil
	if !errors.Is(err, document.ErrClosed) { // undo closed it
		s.refuse(mouseWork, err)
	}
	s.resume()
}

// EndDrag ends an open stroke and keeps what it did.
func (s *Session) EndDrag() {
	if s.drag == nil {
		return
	}
	d := s.drag
	err := d.End(s.View.clock)
	s.ended(err)
	if t, ok := d.(tool.Teller); ok && err == nil && t.Told() != "" {
		s.Warn(t.Told())
	}
	s.drag = nil
	s.resume()
	s.invalidate()
}

// CancelDrag takes back an open stroke. It reports whether there was one.
func (s *Session) CancelDrag() bool {
	if s.drag == nil {
		return false
	}
	s.drag.Cancel()
	s.drag = nil
	s.resume()
	s.invalidate()
	return true
}

// makeWay prepares for a command while something is in the making. Undo takes that
// back, a drag or the last corner of a marker, and nothing else: it reports that it
// is done. Another edit ends the drag first.
func (s *Session) makeWay(id string) (done bool) {
	if id == "undo" {
		done = s.CancelDrag()
		if b := s.unfinished(); !done && b != nil {
			done = b.Back()
		}
		if done {
			s.View.touch()
			s.invalidate()
		}
		return done
	}
	if c, ok := s.Env.Registry.Lookup(id); ok && c.Class == command.Edit {
		s.EndDrag()
	}
	return false
}

// Key runs what is bound to a chord and reports whether anything is.
func (s *Session) Key(c keymap.Chord) bool {
	if c.Key == "Esc" && c == (keymap.Chord{Key: "Esc"}) {
		if s.CancelDrag() || s.View.resize.cancel(s) || s.abandon() || s.unchoose() {
			s.View.touch()
			return true
		}
		if s.View.walk.walker != nil {
			s.Fail(s.SetMode(ModeSelect))
			return true
		}
	}
	if s.typed(c) {
		return true
	}
	control, held := s.Keys.Held(c.Key)
	if held && !c.Ctrl && (s.View.flying() || s.View.walk.walker != nil) {
		return false // the key flies or walks
	}
	if b := s.unfinished(); c == (keymap.Chord{Key: "Enter"}) && b != nil {
		if b == building(&s.marker) {
			s.Run("marker.finish")
		} else {
			s.Run("draft.finish")
		}
		return true
	}
	if d := s.draft(); c == (keymap.Chord{Key: "Delete"}) && d != nil && d.Chosen() {
		s.Run("draft.delete")
		return true
	}
	line, ok := s.Keys.Action(c)
	if ok {
		s.Run(line)
		if held && directions[control] != 0 {
			s.View.hold(s, control, true) // it flies as soon as the camera is turned
		}
	}
	return ok
}

// typed hands a key to a drag that takes a number. Enter ends the drag.
func (s *Session) typed(c keymap.Chord) bool {
	d, ok := s.drag.(tool.Typer)
	if !ok || c.Ctrl || c.Alt {
		return false
	}
	defer s.View.touch()
	switch r := []rune(c.Key); {
	case c.Key == "Enter":
		s.EndDrag()
		return true
	case c.Key == "Backspace":
		return d.Backspace()
	case c.Key == "Tab":
		d.Tab()
		return true
	case len(r) == 1:
		return d.Type(r[0])
	}
	return false
}

// Hold presses or releases a key that acts as long as it is down, and reports
// whether it is such a key.
func (s *Session) Hold(key string, down bool) bool {
	control, ok := s.Keys.Held(key)
	if !ok {
		return false
	}
	s.View.hold(s, control, down)
	s.invalidate()
	return true
}

// ReleaseHeld releases all held keys: the window lost the focus.
func (s *Session) ReleaseHeld() {
	s.View.held = nil
	s.View.resize.end()
}

// Resize tells the size of the viewport in pixels and pixels per dp.
func (s *Session) Resize(size image.Point, scale float32) {
	s.View.sized = true
	if s.View.size != size || s.View.scale != scale {
		s.View.size, s.View.scale = size, scale
		s.View.touch()
	}
}

// Tick is called once before each frame with the time on the pointer's clock. It
// reports whether another frame should follow, as something moves by itself.
func (s *Session) Tick(now time.Duration) (again bool) {
	again = s.catchUp()
	v := &s.View
	dt := now - v.ticked
	v.ticked, v.clock = now, max(v.clock, now)
	if s.drag != nil {
		s.ended(s.drag.Tick(now))
	}
	s.resume()
	s.Problems.tick(now)
	s.Simpler.follow()
	moving := v.tick(min(dt, 100*time.Millisecond))
	v.moving = moving
	v.refresh(s)
	lasting, ok := s.drag.(tool.Lasting)
	return again || moving || ok && lasting.GoesOn()
}

// Cursor is the shape of the pointer.
func (s *Session) Cursor() Cursor {
	switch {
	case s.View.gesture != gestureNone:
		return CursorGrab
	case s.Mode == ModeWalk:
		return CursorArrow
	case s.Mode != ModeSelect:
		return CursorCross
	}
	return CursorArrow
}

// Under is the ground or thing under the pointer: the point and its slope in
// radians.
func (s *Session) Under() (point mgl64.Vec3, slope float64, ok bool) {
	hit, ok := s.UnderHit()
	if !ok {
		return mgl64.Vec3{}, 0, false
	}
	return hit.Point, math.Acos(min(max(hit.Normal[1], -1), 1)), true
}

// UnderHit is where the ray through the pointer meets the level first.
func (s *Session) UnderHit() (hit scene.Hit, ok bool) {
	v := &s.View
	if !v.over || v.size.X == 0 {
		return scene.Hit{}, false
	}
	if !v.underKnown {
		v.underKnown = true
		v.under, v.underOK = s.scene.Pick(v.Ray(v.pointer[0], v.pointer[1]), nil)
	}
	return v.under, v.underOK
}

// Ring is the outline of the brush to draw; ok is false when there is none.
func (s *Session) Ring() (p tool.Preview, ok bool) {
	v := &s.View
	switch {
	case s.dropping.name != "":
		p = s.dropping.preview
	case s.drag != nil:
		p = s.drag.Preview()
	case v.resize.on():
		p = v.resize.preview(s)
	case !v.over || v.gesture != gestureNone:
		s.hovered = 0
		return p, false
	default:
		p = s.Tool().Hover(s.Level(), s.hoverInput())
	}
	s.hovered = p.Entity
	return p, p != (tool.Preview{})
}
