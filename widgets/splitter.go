package widgets

import (
	"image"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/unit"
)

// Splitter is the state of a border between two panels that is dragged. One of
// the two panels has a fixed size, the other takes what is left.
type Splitter struct {
	// Size is the fixed panel's size; 0 means the style's default, which nobody has
	// changed. It is what a window layout saves.
	Size unit.Dp

	hovered, dragging bool
	pid               pointer.ID
	from              f32.Point
	fromSize          unit.Dp
	lastPress         int64 // milliseconds, for the double click
	axis              layout.Axis
	end               bool
	lo, hi            unit.Dp
	shown             unit.Dp
}

// Update reports whether the size has changed.
func (s *Splitter) Update(gtx layout.Context) bool {
	changed := false
	for {
		ev, ok := gtx.Event(pointer.Filter{Target: s, Kinds: pointerKinds})
		if !ok {
			return changed
		}
		e, ok := ev.(pointer.Event)
		if !ok {
			continue
		}
		switch e.Kind {
		case pointer.Enter:
			s.hovered = true
		case pointer.Leave:
			s.hovered = false
		case pointer.Cancel:
			s.hovered, s.dragging = false, false
		case pointer.Press:
			if e.Buttons != pointer.ButtonPrimary {
				break
			}
			now := e.Time.Milliseconds()
			if s.lastPress != 0 && now-s.lastPress < doubleClick.Milliseconds() {
				s.Size, s.lastPress, changed = 0, 0, true
				break
			}
			s.lastPress = now
			s.dragging, s.pid, s.from, s.fromSize = true, e.PointerID, e.Position, s.shown
			gtx.Execute(pointer.GrabCmd{Tag: s, ID: e.PointerID})
		case pointer.Drag:
			if !s.dragging || e.PointerID != s.pid {
				break
			}
			d := s.axis.FConvert(e.Position.Sub(s.from)).X / gtx.Metric.PxPerDp
			if s.end {
				d = -d
			}
			size := min(max(s.fromSize+unit.Dp(d), s.lo), s.hi)
			if size != s.Size {
				s.Size, changed = size, true
			}
		case pointer.Release:
			s.dragging = false
		}
	}
}

// SplitStyle lays two panels out with a Splitter between them.
type SplitStyle struct {
	// Axis is the direction in which the panels follow each other.
	Axis layout.Axis
	// Label names the border for semantics.
	Label string
	// Default is the fixed panel's size before anybody dragged, and after a
	// double click on the border.
	Default unit.Dp
	// MinFixed and MinRest are the smallest sizes of the two panels. When both
	// don't fit, the fixed panel keeps at least its own.
	MinFixed, MinRest unit.Dp
	// End fixes the second panel instead of the first.
	End bool

	state *Splitter
	th    *Theme
}

// Split lays out two panels beside each other, the first with a fixed width.
func (th *Theme) Split(s *Splitter, def unit.Dp) SplitStyle {
	return SplitStyle{Default: def, MinFixed: 80, MinRest: 80, state: s, th: th}
}

// splitGrip is how wide the area is that takes the pointer.
const splitGrip = 7

// Layout lays the panels out over the whole of the constraints, each with
// exact constraints.
func (s SplitStyle) Layout(gtx layout.Context, first, second layout.Widget) layout.Dimensions {
	st := s.state
	total := s.Axis.Convert(gtx.Constraints.Max)
	line := hairline(gtx)
	px := gtx.Metric.PxPerDp
	st.axis, st.end = s.Axis, s.End
	st.lo = s.MinFixed
	st.hi = max(st.lo, unit.Dp(float32(total.X-line)/px)-s.MinRest)
	st.Update(gtx)
	size := st.Size
	if size == 0 {
		size = s.Default
	}
	// What is saved keeps its size when the window is made small for a while.
	st.shown = min(max(size, st.lo), st.hi)
	fixed := min(gtx.Dp(st.shown), total.X-line)
	a := fixed
	if s.End {
		a = total.X - line - fixed
	}
	s.panel(gtx, first, 0, a, total.Y)
	s.panel(gtx, second, a+line, total.X-a-line, total.Y)

	edge := s.rect(a, a+line, total.Y)
	c := s.th.Color.Line
	if st.dragging || st.hovered {
		c = s.th.Color.AccentHigh
		edge = s.rect(a, a+max(line, gtx.Dp(2)), total.Y)
	}
	fillRect(gtx.Ops, c, edge)
	grip := gtx.Dp(splitGrip)
	mid := a + line/2
	defer clip.Rect(s.rect(mid-grip/2, mid-grip/2+grip, total.Y)).Push(gtx.Ops).Pop()
	if s.Axis == layout.Horizontal {
		pointer.CursorColResize.Add(gtx.Ops)
	} else {
		pointer.CursorRowResize.Add(gtx.Ops)
	}
	event.Op(gtx.Ops, st)
	if s.Label != "" {
		semantic.LabelOp(s.Label).Add(gtx.Ops)
	}
	return layout.Dimensions{Size: gtx.Constraints.Max}
}

func (s SplitStyle) rect(from, to, cross int) image.Rectangle {
	return image.Rectangle{Min: s.Axis.Convert(image.Pt(from, 0)), Max: s.Axis.Convert(image.Pt(to, cross))}
}

func (s SplitStyle) panel(gtx layout.Context, w layout.Widget, from, size, cross int) {
	if size <= 0 || w == nil {
		return
	}
	r := s.rect(0, size, cross)
	gtx.Constraints = layout.Exact(r.Max)
	at(gtx, s.Axis.Convert(image.Pt(from, 0)), func(gtx layout.Context) layout.Dimensions {
		defer clip.Rect(r).Push(gtx.Ops).Pop()
		return w(gtx)
	})
}
