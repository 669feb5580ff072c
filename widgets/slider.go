package widgets

import (
	"image"
	"math"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/unit"
)

// Slider is the state of a slider: a track whose handle goes where it is
// dragged, and the number beside it. Min and Max must be set; with Log both
// must be positive. Shift drags ten times finer, Ctrl snaps as Number does.
type Slider struct {
	Number
	track track
}

// track is the event target of the slider's track, apart from the number's.
type track struct {
	sense
	down        bool
	inset, span float64 // of the handle's way, in pixels, noted by Layout
}

// Update returns the next change, of the track or of the number.
func (s *Slider) Update(gtx layout.Context) (Change, bool) {
	for {
		e, ok := s.track.next(gtx, &s.track)
		if !ok {
			break
		}
		if c, ok := s.drag(gtx, e); ok {
			return c, true
		}
	}
	return s.Number.Update(gtx)
}

func (s *Slider) drag(gtx layout.Context, e pointer.Event) (Change, bool) {
	n, t := &s.Number, &s.track
	switch e.Kind {
	case pointer.Press:
		n.tip.hush()
		if e.Source == pointer.Mouse && e.Buttons != pointer.ButtonPrimary || n.disabled || !n.bounded() {
			break
		}
		t.down = true
		n.grab(gtx, t, e)
		n.last = e.Position
		if !e.Modifiers.Contain(key.ModShift) {
			return n.preview(s.valueAt(e))
		}
	case pointer.Drag:
		if t.down && n.dragging {
			return n.preview(s.valueAt(e))
		}
	case pointer.Release:
		if !t.down {
			break
		}
		t.down = false
		if n.dragging {
			return n.finish(), true
		}
	case pointer.Cancel:
		t.down = false
		return n.giveUp()
	}
	return Change{}, false
}

// valueAt is the value for the pointer's place on the track.
func (s *Slider) valueAt(e pointer.Event) float64 {
	n, t := &s.Number, &s.track
	fine := e.Modifiers.Contain(key.ModShift)
	if fine {
		n.raw = n.at(n.fractionOf(n.raw) + float64(e.Position.X-n.last.X)/t.span/10)
	} else {
		n.raw = n.at((float64(e.Position.X) - t.inset) / t.span)
	}
	n.last = e.Position
	snap := e.Modifiers.Contain(key.ModCtrl)
	switch {
	case snap && n.Log:
		return snapDecade(n.raw)
	case snap:
		return roundTo(n.raw, n.step())
	case n.Log && fine:
		return roundSignificant(n.raw, 4)
	case n.Log:
		return roundSignificant(n.raw, 3)
	case fine:
		return roundTo(n.raw, n.step()/100)
	}
	return roundTo(n.raw, n.step()/10)
}

// maxTicks is the most whole numbers of a slider that are marked along it.
const maxTicks = 24

// ticks marks the whole numbers that the handle of an Integer slider can be at.
func (s SliderStyle) ticks(gtx layout.Context, y int) {
	n, t := &s.state.Number, &s.state.track
	if !n.Integer || !(n.Max-n.Min <= maxTicks) {
		return
	}
	line := hairline(gtx)
	for v := math.Ceil(n.Min); v <= n.Max; v++ {
		x := int(t.inset+t.span*n.fractionOf(v)+0.5) - line/2
		fillRect(gtx.Ops, s.th.Color.Disabled, image.Rect(x, y, x+line, y+gtx.Dp(3)))
	}
}

// SliderStyle draws a Slider.
type SliderStyle struct {
	Label string // shown at the left unless Bare, and the semantic label
	Bare  bool
	Unit  string
	Tip   Tip
	// LabelWidth and ValueWidth are the columns left and right of the track,
	// fixed so that sliders under each other align.
	LabelWidth, ValueWidth unit.Dp
	// Reason disables the slider when it isn't empty.
	Reason string

	state *Slider
	th    *Theme
}

// Slider draws s with its label at the left and its value at the right.
func (th *Theme) Slider(s *Slider, label, unit string) SliderStyle {
	return SliderStyle{Label: label, Unit: unit, LabelWidth: 80, ValueWidth: 72, state: s, th: th}
}

// Layout draws the slider over the width of the constraints.
func (s SliderStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, st := s.th, s.state
	for {
		if _, ok := st.Update(gtx); !ok {
			break
		}
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	on := gtx.Enabled() && s.Reason == ""
	x := 0
	if !s.Bare {
		x = gtx.Dp(s.LabelWidth)
		l := th.Dim(s.Label)
		if !on {
			l.Color = th.Color.Disabled
		}
		l.drawIn(gtx, image.Rect(0, 0, x-gtx.Dp(4), size.Y))
	}
	vw := gtx.Dp(s.ValueWidth)
	s.layoutTrack(gtx, image.Rect(x, 0, size.X-vw-gtx.Dp(6), size.Y), on)

	v := th.Number(&st.Number, s.Unit)
	v.Label, v.Bare, v.Tip, v.Reason = s.Label, true, s.Tip, s.Reason
	vg := gtx
	vg.Constraints = layout.Exact(image.Pt(vw, size.Y))
	at(vg, image.Pt(size.X-vw, 0), v.Layout)
	return layout.Dimensions{Size: size}
}

func (s SliderStyle) layoutTrack(gtx layout.Context, r image.Rectangle, on bool) {
	th, n, t := s.th, &s.state.Number, &s.state.track
	if r.Dx() <= 0 {
		return
	}
	at(gtx, r.Min, func(gtx layout.Context) layout.Dimensions {
		box := image.Rectangle{Max: r.Size()}
		defer clip.Rect(box).Push(gtx.Ops).Pop()
		t.th = th
		knob := gtx.Dp(12)
		t.inset, t.span = float64(knob)/2, max(1, float64(box.Dx()-knob))
		event.Op(gtx.Ops, t)
		semantic.LabelOp(s.Label + " slider").Add(gtx.Ops)
		semantic.Editor.Add(gtx.Ops)
		semantic.EnabledOp(on).Add(gtx.Ops)
		if on {
			pointer.CursorPointer.Add(gtx.Ops)
		}
		mid := box.Dy() / 2
		half := max(1, gtx.Dp(3)/2)
		x := int(t.inset + t.span*n.fraction() + 0.5)
		groove := image.Rect(0, mid-half, box.Dx(), mid+half)
		s.ticks(gtx, mid+half+gtx.Dp(2))
		fillRound(gtx.Ops, th.Color.Border, groove, half)
		fg, hand := th.Color.Accent, th.Color.Text
		switch {
		case !on:
			fg, hand = th.Color.Raised, th.Color.Disabled
		case t.hovered || n.dragging && t.down:
			fg, hand = th.Color.AccentHigh, th.Color.OnAccent
		}
		if n.text() == mixedText {
			return layout.Dimensions{Size: r.Size()}
		}
		groove.Max.X = x
		fillRound(gtx.Ops, fg, groove, half)
		k := centred(image.Rect(x, 0, x, box.Dy()), knob)
		fillRound(gtx.Ops, th.Color.Panel, k.Inset(-hairline(gtx)), knob)
		fillRound(gtx.Ops, hand, k, knob)
		return layout.Dimensions{Size: r.Size()}
	})
}
