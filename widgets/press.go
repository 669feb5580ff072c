package widgets

import (
	"image"
	"time"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
)

// Click tells of one activation of a widget by pointer or keyboard.
type Click struct {
	Modifiers key.Modifiers
	// Count is 1 for a single click, 2 for the second of a double click, …
	Count int
}

// doubleClick is the longest time between the presses of a double click.
const doubleClick = 300 * time.Millisecond

// pressable is the pointer and keyboard state of everything that is clicked.
type pressable struct {
	sense
	down     bool
	clicks   int
	lastDown time.Duration
	disabled bool
	tip      tipState
}

// Hovered reports whether the pointer is over the widget.
func (p *pressable) Hovered() bool { return p.hovered }

// update returns the next click. Presses of other buttons than the primary one
// and clicks on a disabled widget are dropped.
func (p *pressable) update(gtx layout.Context) (Click, bool) {
	for {
		ev, ok := gtx.Event(
			pointer.Filter{Target: p, Kinds: pointerKinds &^ pointer.Drag},
			key.FocusFilter{Target: p},
			key.Filter{Focus: p, Name: key.NameReturn},
			key.Filter{Focus: p, Name: key.NameEnter},
			key.Filter{Focus: p, Name: key.NameSpace},
		)
		if !ok {
			return Click{}, false
		}
		switch e := ev.(type) {
		case pointer.Event:
			p.note(e)
			switch e.Kind {
			case pointer.Press:
				if e.Buttons != pointer.ButtonPrimary && e.Source == pointer.Mouse {
					break
				}
				if e.Time-p.lastDown > doubleClick || p.clicks == 0 {
					p.clicks = 0
				}
				p.clicks++
				p.lastDown, p.down = e.Time, true
				p.tip.hush()
			case pointer.Cancel:
				p.down = false
			case pointer.Release:
				if !p.down {
					break
				}
				p.down = false
				if p.hovered && !p.disabled {
					return Click{Modifiers: e.Modifiers, Count: p.clicks}, true
				}
			}
		case key.Event:
			if e.State == key.Press && !p.disabled {
				p.tip.hush()
				return Click{Modifiers: e.Modifiers, Count: 1}, true
			}
		}
	}
}

// add makes the current clip area react to clicks and says what it is.
func (p *pressable) add(gtx layout.Context, th *Theme, label string, class semantic.ClassOp, disabled bool) {
	for {
		if _, ok := p.update(gtx); !ok {
			break
		}
	}
	p.th = th
	p.disabled = disabled
	event.Op(gtx.Ops, p)
	if !disabled {
		th.focusable(p)
	}
	semantic.LabelOp(label).Add(gtx.Ops)
	class.Add(gtx.Ops)
	semantic.EnabledOp(!disabled && gtx.Enabled()).Add(gtx.Ops)
	switch {
	case disabled || !gtx.Enabled():
		pointer.CursorDefault.Add(gtx.Ops)
	default:
		pointer.CursorPointer.Add(gtx.Ops)
	}
}

// look is the state that decides a control's colours.
type look struct {
	enabled, hovered, pressed, focused, selected bool
}

func (p *pressable) look(gtx layout.Context) look {
	on := gtx.Enabled() && !p.disabled
	return look{
		enabled: on,
		hovered: on && p.hovered,
		pressed: on && p.down && p.hovered,
		focused: on && gtx.Focused(p),
	}
}

// centred returns the square of the given side in the middle of r.
func centred(r image.Rectangle, side int) image.Rectangle {
	p := r.Min.Add(image.Pt((r.Dx()-side)/2, (r.Dy()-side)/2))
	return image.Rectangle{Min: p, Max: p.Add(image.Pt(side, side))}
}
