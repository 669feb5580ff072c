package widgets

import (
	"image"

	"gioui.org/gesture"
	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op/clip"
)

// scroller keeps a vertical scroll position with wheel and scrollbar.
type scroller struct {
	pos     float32 // pixels above the view
	gesture gesture.Scroll

	bar     sense
	barDown bool
	barFrom float32 // pointer's distance from the thumb's top
	view    int     // noted by the last layout
	total   int
}

// wheelRange lets through all of an event. A range of what there is to scroll would
// be that of the frame before, and swallow the first step back from an end.
var wheelRange = pointer.ScrollRange{Min: -1e6, Max: 1e6}

// update handles wheel and scrollbar.
func (s *scroller) update(gtx layout.Context) {
	d := s.gesture.Update(gtx.Metric, gtx.Source, gtx.Now, gesture.Vertical,
		pointer.ScrollRange{}, wheelRange)
	s.pos += float32(d) * s.bar.th.wheelFactor(gtx)
	for {
		e, ok := s.bar.next(gtx, &s.bar)
		if !ok {
			break
		}
		switch e.Kind {
		case pointer.Press:
			if e.Buttons != pointer.ButtonPrimary {
				break
			}
			s.barDown = true
			top, size := s.thumb(gtx)
			s.barFrom = e.Position.Y - float32(top)
			if s.barFrom < 0 || s.barFrom > float32(size) {
				s.barFrom = float32(size) / 2
				s.dragTo(gtx, e.Position.Y)
			}
			gtx.Execute(pointer.GrabCmd{Tag: &s.bar, ID: e.PointerID})
		case pointer.Drag:
			if s.barDown {
				s.dragTo(gtx, e.Position.Y)
			}
		case pointer.Release, pointer.Cancel:
			s.barDown = false
		}
	}
	s.clamp()
}

// wheelFactor is what scrolling is multiplied by, so that a step of the wheel goes
// over a good two rows at least.
func (th *Theme) wheelFactor(gtx layout.Context) float32 {
	if th == nil {
		return 1
	}
	return max(1, float32(gtx.Dp(60))/th.Wheel())
}

// Wheel is WheelStep, or its default.
func (th *Theme) Wheel() float32 {
	if th.WheelStep > 0 {
		return th.WheelStep
	}
	return 100
}

func (s *scroller) dragTo(gtx layout.Context, y float32) {
	_, size := s.thumb(gtx)
	if way := float32(s.view - size); way > 0 {
		s.pos = (y - s.barFrom) / way * float32(s.total-s.view)
	}
	s.clamp()
}

func (s *scroller) clamp() { s.pos = max(0, min(s.pos, float32(s.total-s.view))) }

// thumb is the place and length of the scrollbar's handle.
func (s *scroller) thumb(gtx layout.Context) (top, size int) {
	size = max(gtx.Dp(24), s.view*s.view/max(1, s.total))
	if way := s.total - s.view; way > 0 {
		top = int(s.pos / float32(way) * float32(s.view-size))
	}
	return top, size
}

// reveal scrolls so that the pixels from top to bottom are in view.
func (s *scroller) reveal(top, bottom int) {
	if float32(bottom) > s.pos+float32(s.view) {
		s.pos = float32(bottom - s.view)
	}
	if float32(top) < s.pos {
		s.pos = float32(top)
	}
}

// scrollbarWidth is in dp.
const scrollbarWidth = 10

// drawBar draws the scrollbar at the right edge of the view, over the content.
func (s *scroller) drawBar(gtx layout.Context, th *Theme, width int) {
	if s.total <= s.view {
		return
	}
	w := gtx.Dp(scrollbarWidth)
	at(gtx, image.Pt(width-w, 0), func(gtx layout.Context) layout.Dimensions {
		defer clip.Rect{Max: image.Pt(w, s.view)}.Push(gtx.Ops).Pop()
		s.bar.th = th
		event.Op(gtx.Ops, &s.bar)
		pointer.CursorDefault.Add(gtx.Ops)
		top, size := s.thumb(gtx)
		c := th.Color.Border
		in := gtx.Dp(3)
		if s.bar.hovered || s.barDown {
			c, in = th.Color.Disabled, gtx.Dp(2)
		}
		r := image.Rect(in, top+gtx.Dp(2), w-gtx.Dp(2), top+size-gtx.Dp(2))
		fillRound(gtx.Ops, c, r, r.Dx()/2)
		return layout.Dimensions{}
	})
}

// Scroll is the state of a panel that scrolls content of any height.
type Scroll struct {
	scroller
	room bool // the content is laid out with room for the scrollbar at its side
	// The view and the content's height beside the bar when the content was last
	// found to be too high without it.
	tight, tightFor image.Point
}

// Scroll lays w out with unlimited height inside the constraints and scrolls
// it. The content is narrower by the scrollbar when it is too high without it.
//
// In a frame in which the bar comes or goes, w is called again for its new width,
// and what it has drawn for the old one is dropped. Content that is too high at its
// full width and fits beside a bar, as pictures may be, keeps the room for the bar:
// without it, the bar would come and go forever.
func (th *Theme) Scroll(gtx layout.Context, s *Scroll, w layout.Widget) layout.Dimensions {
	size := gtx.Constraints.Max
	s.view = size.Y
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	s.gesture.Add(gtx.Ops)
	lay := func(room bool) recorded {
		width := size.X
		if room {
			width = max(0, width-gtx.Dp(scrollbarWidth))
		}
		inner := gtx
		inner.Constraints = layout.Constraints{Min: image.Pt(width, 0), Max: image.Pt(width, 1<<20)}
		return record(inner, w)
	}
	content := lay(s.room)
	high := content.size.Y > s.view
	switch {
	case high && !s.room:
		s.room = true
		content = lay(true)
	case !high && s.room && (s.tight != size || s.tightFor != content.size):
		s.room = false
		if wide := lay(false); wide.size.Y <= s.view {
			content = wide
			break
		}
		// What was laid out last must be what is drawn: widgets note their places.
		s.room, s.tight, s.tightFor = true, size, content.size
		content = lay(true)
	}
	s.total = content.size.Y
	s.update(gtx)
	content.add(gtx, image.Pt(0, -int(s.pos+0.5)))
	s.drawBar(gtx, th, size.X)
	return layout.Dimensions{Size: size}
}
