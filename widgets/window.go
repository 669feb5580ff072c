package widgets

import (
	"image"
	"time"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
)

// window is what the widgets of one window share.
//
// Gio tells a widget where the pointer is in the widget's own frame, never
// where the widget is. The window listens beneath everything and so sees the
// same pointer events in its frame; the difference of the two positions of one
// event is the widget's place. That is all that pop-ups need to stay inside.
type window struct {
	size image.Point

	pos     f32.Point     // last position of the pointer in the window
	posTime time.Duration // stamp of the event that told it

	typing, typingNow bool // a text field has the focus
	modal, modalNow   bool // a pop-up owns the keyboard
	pressed           bool // a press was seen this frame
	claimed           bool // … inside the focused text field

	inner, innerNow bool         // a number or name is being typed in place
	trap            *[]event.Tag // collects what can have the keyboard

	typed    bool      // typing has begun or ended since the pointer last moved
	tipOwner event.Tag // whose tooltip is up or about to be
	tipShown time.Time // when the last tooltip was on screen
}

// pointerKinds are the events that carry a useful position.
const pointerKinds = pointer.Press | pointer.Release | pointer.Move | pointer.Drag | pointer.Enter | pointer.Leave | pointer.Cancel

// Window lays out the content of a whole window, then the layers (dialogs,
// palette, toasts), each over the whole window and above the one before. It
// paints nothing itself.
func (th *Theme) Window(gtx layout.Context, content layout.Widget, layers ...layout.Widget) layout.Dimensions {
	w := &th.win
	w.size = gtx.Constraints.Max
	w.typed = w.typed || w.typing != w.typingNow
	w.typing, w.typingNow = w.typingNow, false
	w.modal, w.modalNow = w.modalNow, false
	w.inner, w.innerNow = w.innerNow, false
	w.pressed, w.claimed = false, false
	for {
		e, ok := gtx.Event(pointer.Filter{Target: w, Kinds: pointerKinds})
		if !ok {
			break
		}
		if e, ok := e.(pointer.Event); ok && e.Kind != pointer.Cancel {
			w.pos, w.posTime = e.Position, e.Time
			w.typed = w.typed && e.Kind != pointer.Move
			w.pressed = w.pressed || e.Kind == pointer.Press
		}
	}
	defer clip.Rect{Max: w.size}.Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, w)

	gtx.Constraints = layout.Exact(w.size)
	content(gtx)
	for _, l := range layers {
		gtx.Constraints = layout.Exact(w.size)
		l(gtx)
	}
	if w.pressed && w.typing && w.typingNow && !w.claimed {
		gtx.Execute(key.FocusCmd{})
	}
	return layout.Dimensions{Size: w.size}
}

// Typing reports whether a text field has the keyboard, so that plain letters
// are text and not shortcuts. Inside Window it tells of the frame before.
func (th *Theme) Typing() bool { return th.win.typing || th.win.typingNow }

// Modal reports whether a menu, dialog or palette has the keyboard, so that
// shortcuts must wait. Inside Window it tells of the frame before.
func (th *Theme) Modal() bool { return th.win.modal || th.win.modalNow }

// focusable notes that a widget can have the keyboard, in the order of layout.
func (th *Theme) focusable(tag event.Tag) {
	if th.win.trap != nil {
		*th.win.trap = append(*th.win.trap, tag)
	}
}

// turnFocus moves the keyboard to the next or previous of some widgets.
func turnFocus(gtx layout.Context, tags []event.Tag, back bool) {
	if len(tags) == 0 {
		return
	}
	at := -1
	for i, t := range tags {
		if gtx.Focused(t) {
			at = i
		}
	}
	switch {
	case back && at <= 0:
		at = len(tags) - 1
	case back:
		at--
	default:
		at = (at + 1) % len(tags)
	}
	gtx.Execute(key.FocusCmd{Tag: tags[at]})
}

// WindowSize is the size of the window in pixels, as of its last frame.
func (th *Theme) WindowSize() image.Point { return th.win.size }

// sense follows the pointer over one widget and works out where the widget is.
type sense struct {
	th      *Theme
	hovered bool
	pid     pointer.ID
	local   image.Point // last pointer position in the widget's frame
	origin  image.Point // the widget's place in the window
	placed  bool        // origin is known
}

// note takes in one pointer event that was delivered to the widget's frame.
func (s *sense) note(e pointer.Event) {
	switch e.Kind {
	case pointer.Cancel:
		s.hovered = false
		return
	case pointer.Leave:
		if s.pid == e.PointerID {
			s.hovered = false
		}
		return
	case pointer.Enter:
		s.hovered, s.pid = true, e.PointerID
	}
	s.local = e.Position.Round()
	if s.th != nil && e.Time == s.th.win.posTime {
		s.origin = s.th.win.pos.Sub(e.Position).Round()
		s.placed = true
	}
}

// side is where a pop-up goes first.
type side uint8

const (
	sideBelow side = iota
	sideRight
)

// place finds the corner of a pop-up of the given size at an anchor, both in
// window pixels. It goes below the anchor or to its right, to the other side
// when there is more room, and is then pushed into the window; the top left
// corner stays inside even when the pop-up is larger than the window.
func place(anchor image.Rectangle, size, win image.Point, s side) image.Point {
	p := image.Pt(anchor.Min.X, anchor.Max.Y)
	switch s {
	case sideBelow:
		if p.Y+size.Y > win.Y && anchor.Min.Y > win.Y-anchor.Max.Y {
			p.Y = anchor.Min.Y - size.Y
		}
	case sideRight:
		p = image.Pt(anchor.Max.X, anchor.Min.Y)
		if p.X+size.X > win.X && anchor.Min.X > win.X-anchor.Max.X {
			p.X = anchor.Min.X - size.X
		}
	}
	p.X = max(0, min(p.X, win.X-size.X))
	p.Y = max(0, min(p.Y, win.Y-size.Y))
	return p
}

// popup draws w above everything else, in the current frame moved by at.
func popup(gtx layout.Context, at image.Point, w layout.Widget) {
	m := op.Record(gtx.Ops)
	off := op.Offset(at).Push(gtx.Ops)
	w(gtx)
	off.Pop()
	op.Defer(gtx.Ops, m.Stop())
}

// everywhere is an area larger than any window.
var everywhere = image.Rect(-1e6, -1e6, 1e6, 1e6)

// block keeps all pointer events from what was laid out before; presses and
// scrolls go to tag, which must read them.
func block(gtx layout.Context, tag event.Tag) {
	area := clip.Rect(everywhere).Push(gtx.Ops)
	pointer.CursorDefault.Add(gtx.Ops)
	event.Op(gtx.Ops, tag)
	area.Pop()
}

// pressedOn reads the events of a blocking tag and reports a press on it.
func pressedOn(gtx layout.Context, tag event.Tag) bool {
	pressed := false
	for {
		e, ok := gtx.Event(pointer.Filter{
			Target:  tag,
			Kinds:   pointer.Press | pointer.Scroll | pointer.Move | pointer.Drag | pointer.Release | pointer.Enter | pointer.Leave,
			ScrollX: pointer.ScrollRange{Min: -1e6, Max: 1e6},
			ScrollY: pointer.ScrollRange{Min: -1e6, Max: 1e6},
		})
		if !ok {
			return pressed
		}
		if e, ok := e.(pointer.Event); ok && e.Kind == pointer.Press {
			pressed = true
		}
	}
}

// next takes in the next pointer event of a tag in the widget's frame.
func (s *sense) next(gtx layout.Context, tag event.Tag) (pointer.Event, bool) {
	for {
		ev, ok := gtx.Event(pointer.Filter{Target: tag, Kinds: pointerKinds})
		if !ok {
			return pointer.Event{}, false
		}
		if e, ok := ev.(pointer.Event); ok {
			s.note(e)
			return e, true
		}
	}
}
