package panel

import (
	"image"
	"time"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"

	"ridgeline/editor/session"
	"ridgeline/editor/tool"
)

// mouse hands the pointer over the level to the session. It is also what has the
// keyboard while nothing else wants it.
type mouse struct {
	sh   *Shell
	over overlayUI
	area image.Rectangle // where the level was seen last, in pixels of the window
	held pointer.Buttons

	began  time.Time     // the origin of the session's clock
	offset time.Duration // from the events' clock to the session's
	stamp  time.Duration // of the last event, on its own clock
	last   time.Duration // of the last event, on the session's clock
	synced bool
}

// now is the session's clock: the time of the frames, from 0.
func (m *mouse) now(gtx layout.Context) time.Duration {
	if m.began.IsZero() {
		m.began = gtx.Now
	}
	m.last = max(m.last, gtx.Now.Sub(m.began))
	return m.last
}

// at moves the stamp of an event, which has an origin of its own, to the session's
// clock. It keeps the distances between events, but never tells a time to come nor
// goes back.
func (m *mouse) at(gtx layout.Context, stamp time.Duration) time.Duration {
	now := gtx.Now.Sub(m.began)
	if !m.synced || stamp < m.stamp || stamp+m.offset > now {
		m.offset, m.synced = now-stamp, true
	}
	m.stamp = stamp
	m.last = max(m.last, stamp+m.offset)
	return m.last
}

// scrolls is the range of a wheel that never comes to an end.
var scrolls = pointer.ScrollRange{Min: -1 << 20, Max: 1 << 20}

// update handles what happened since the last frame.
func (m *mouse) update(gtx layout.Context) {
	if m.began.IsZero() {
		m.began = gtx.Now
	}
	filters := [...]event.Filter{
		pointer.Filter{
			Target: m,
			Kinds: pointer.Press | pointer.Release | pointer.Move | pointer.Drag | pointer.Scroll |
				pointer.Enter | pointer.Leave | pointer.Cancel,
			ScrollX: scrolls, ScrollY: scrolls,
		},
		key.FocusFilter{Target: m}, // text that is meant for nobody ends here
		// While the level has the keyboard, its keys come in their order among the
		// moves of the mouse: on a slow frame a key and the press after it arrive
		// together.
		key.Filter{Focus: m, Optional: allModifiers},
	}
	for {
		asked := filters[:]
		if m.sh.keys.elsewhere(gtx) { // until a press takes the keyboard back
			asked = asked[:2]
		}
		ev, ok := gtx.Event(asked...)
		if !ok {
			return
		}
		switch e := ev.(type) {
		case key.Event:
			m.sh.keys.event(gtx, e, false)
		case key.FocusEvent:
			if !e.Focus {
				m.sh.s.ReleaseHeld()
			}
		case pointer.Event:
			m.pointer(gtx, e)
		}
	}
}

func (m *mouse) pointer(gtx layout.Context, e pointer.Event) {
	p := session.Pointer{
		X: float64(e.Position.X), Y: float64(e.Position.Y), Mods: modifiers(e.Modifiers), Time: m.at(gtx, e.Time),
	}
	switch e.Kind {
	case pointer.Press:
		p.Kind, p.Button = session.PointerPress, buttons(e.Buttons&^m.held)
		m.held = e.Buttons
		m.sh.unfocus(gtx)
		gtx.Execute(pointer.GrabCmd{Tag: m, ID: e.PointerID})
	case pointer.Release:
		p.Kind, p.Button = session.PointerRelease, buttons(m.held&^e.Buttons)
		m.held = e.Buttons
	case pointer.Scroll:
		way := e.Scroll.Y
		if way == 0 { // with Shift some systems scroll sideways
			way = e.Scroll.X
		}
		p.Kind, p.Scroll = session.PointerScroll, float64(-way/m.sh.th.Wheel())
	case pointer.Leave:
		p.Kind = session.PointerLeave
	case pointer.Cancel:
		p.Kind = session.PointerCancel
		m.held = 0
	}
	m.sh.s.Pointer(p)
}

func buttons(b pointer.Buttons) (out session.Buttons) {
	if b.Contain(pointer.ButtonPrimary) {
		out |= session.Left
	}
	if b.Contain(pointer.ButtonTertiary) {
		out |= session.Middle
	}
	if b.Contain(pointer.ButtonSecondary) {
		out |= session.Right
	}
	return out
}

func modifiers(k key.Modifiers) (out tool.Modifiers) {
	if k.Contain(key.ModCtrl) || k.Contain(key.ModCommand) {
		out |= tool.Ctrl
	}
	if k.Contain(key.ModShift) {
		out |= tool.Shift
	}
	if k.Contain(key.ModAlt) {
		out |= tool.Alt
	}
	return out
}

// layout takes the pointer over the whole of the constraints and paints only what
// the interface shows over the level.
func (m *mouse) layout(gtx layout.Context) layout.Dimensions {
	size := gtx.Constraints.Max
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	semantic.LabelOp("Viewport").Add(gtx.Ops)
	switch m.sh.s.Cursor() {
	case session.CursorCross:
		pointer.CursorCrosshair.Add(gtx.Ops)
	case session.CursorGrab:
		pointer.CursorGrabbing.Add(gtx.Ops)
	case session.CursorHidden:
		pointer.CursorNone.Add(gtx.Ops)
	default:
		pointer.CursorDefault.Add(gtx.Ops)
	}
	event.Op(gtx.Ops, m)
	m.over.sh, m.area = m.sh, m.sh.viewport
	m.over.layout(gtx)
	return layout.Dimensions{Size: size}
}
