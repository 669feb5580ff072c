package widgets

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/text"
	"gioui.org/unit"
)

// Histogram is the state of a row of bars. A bar can be clicked.
type Histogram struct {
	sense
	clicked int
	got     bool
	n       int
	plot    image.Rectangle
}

// Update returns the bar that the user has clicked.
func (h *Histogram) Update(gtx layout.Context) (bar int, ok bool) {
	h.events(gtx)
	bar, ok = h.clicked, h.got
	h.got = false
	return bar, ok
}

func (h *Histogram) events(gtx layout.Context) {
	for {
		e, ok := h.next(gtx, h)
		if !ok {
			return
		}
		if e.Kind == pointer.Press && (e.Buttons == pointer.ButtonPrimary || e.Source != pointer.Mouse) {
			if i, ok := h.barAt(h.local); ok {
				h.clicked, h.got = i, true
			}
		}
	}
}

// Hovered is the bar under the pointer.
func (h *Histogram) Hovered() (bar int, ok bool) {
	if !h.hovered {
		return 0, false
	}
	return h.barAt(h.local)
}

func (h *Histogram) barAt(p image.Point) (int, bool) {
	if h.n == 0 || p.X < h.plot.Min.X || p.X >= h.plot.Max.X {
		return 0, false
	}
	return min((p.X-h.plot.Min.X)*h.n/h.plot.Dx(), h.n-1), true
}

// HistogramStyle draws a Histogram.
type HistogramStyle struct {
	// Label names the histogram for semantics.
	Label string
	// Bars are the values; what is not above 0 has no bar.
	Bars []float64
	// XLabel and YLabel name the axes.
	XLabel, YLabel string
	// Title names a bar; nil for its index.
	Title func(bar int) string
	// Format writes a value; nil for whole numbers with groups of digits.
	Format func(v float64) string
	// Color is the colour of a bar; nil for the theme's.
	Color func(bar int) color.NRGBA
	// Log makes the heights logarithmic.
	Log bool
	// Selected is the bar that stands out, -1 for none.
	Selected int
	// Height is that of the bars.
	Height unit.Dp

	state *Histogram
	th    *Theme
}

// Histogram draws h with one bar for each value.
func (th *Theme) Histogram(h *Histogram, label string, bars []float64) HistogramStyle {
	return HistogramStyle{Label: label, Bars: bars, Selected: -1, Height: 80, state: h, th: th}
}

// FormatCount writes a number without decimals, its digits in groups of three.
func FormatCount(v float64) string {
	s := FormatNumber(math.Round(v), 0)
	if _, err := strconv.ParseInt(s, 10, 64); err != nil {
		return s // with an exponent
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:] // a narrow space that doesn't break
	}
	return s
}

func (s HistogramStyle) title(i int) string {
	if s.Title != nil {
		return s.Title(i)
	}
	return strconv.Itoa(i)
}

func (s HistogramStyle) value(v float64) string {
	if s.Format != nil {
		return s.Format(v)
	}
	return FormatCount(v)
}

// Layout draws the histogram over the width of the constraints: a line that tells
// the highest value, or that under the pointer, then the bars and their titles.
func (s HistogramStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, h := s.th, s.state
	h.th, h.n = th, len(s.Bars)
	head, foot := gtx.Dp(18), gtx.Dp(16)
	size := image.Pt(gtx.Constraints.Max.X, head+gtx.Dp(s.Height)+foot)
	h.plot = image.Rect(0, head, size.X, head+gtx.Dp(s.Height))
	h.events(gtx)
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, h)
	semantic.LabelOp(s.Label).Add(gtx.Ops)

	top := 0.0
	for _, v := range s.Bars {
		if v > top && !math.IsInf(v, 0) {
			top = v
		}
	}
	over, hovered := h.Hovered()
	s.head(gtx, image.Rect(0, 0, size.X, head), over, hovered, top)
	fillRect(gtx.Ops, th.Color.Field, h.plot)
	line := hairline(gtx)
	for i, v := range s.Bars {
		s.bar(gtx, i, v, top, hovered && i == over)
	}
	fillRect(gtx.Ops, th.Color.Border, image.Rect(0, h.plot.Max.Y-line, size.X, h.plot.Max.Y))
	s.foot(gtx, image.Rect(0, h.plot.Max.Y, size.X, size.Y))
	return layout.Dimensions{Size: size}
}

// head tells the value under the pointer, or the highest one.
func (s HistogramStyle) head(gtx layout.Context, r image.Rectangle, over int, hovered bool, top float64) {
	th := s.th
	name, said := s.YLabel, ""
	if top > 0 {
		said = "up to " + s.value(top)
	}
	if hovered {
		name, said = s.title(over), s.value(s.Bars[over])
		if s.XLabel != "" {
			name = s.XLabel + " " + name
		}
		if s.YLabel != "" {
			said += " " + s.YLabel
		}
	}
	l, v := th.Dim(name), th.Label(said)
	l.Size, v.Size = th.Size.Small, th.Size.Small
	if !hovered {
		v.Color = th.Color.Hint
	}
	w := v.width(gtx)
	v.drawIn(gtx, image.Rect(max(r.Max.X-w, 0), r.Min.Y, r.Max.X+1, r.Max.Y))
	l.drawIn(gtx, image.Rect(r.Min.X, r.Min.Y, r.Max.X-w-gtx.Dp(8), r.Max.Y))
}

// bar draws one bar in its column.
func (s HistogramStyle) bar(gtx layout.Context, i int, v, top float64, hovered bool) {
	th, plot := s.th, s.state.plot
	col := s.column(i)
	area := clip.Rect(col).Push(gtx.Ops)
	semantic.LabelOp(s.Label + " " + s.title(i)).Add(gtx.Ops)
	semantic.DescriptionOp(s.value(v)).Add(gtx.Ops)
	semantic.SelectedOp(i == s.Selected).Add(gtx.Ops)
	area.Pop()
	if hovered {
		fillRect(gtx.Ops, mix(th.Color.Field, th.Color.Hover, 0.6), col)
	}
	if !(v > 0) {
		return
	}
	f := min(v/top, 1)
	if s.Log {
		f = min(math.Log1p(v)/math.Log1p(top), 1)
	}
	// Never so low that it is not seen.
	height := max(int(f*float64(plot.Dy()-gtx.Dp(4))+0.5), gtx.Dp(2))
	c := th.Color.Accent
	if s.Color != nil {
		c = s.Color(i)
	}
	switch {
	case hovered:
		c = mix(c, th.Color.OnAccent, 0.25)
	case s.Selected >= 0 && i != s.Selected:
		c = mix(c, th.Color.Field, 0.5)
	}
	gap := 0
	if col.Dx() > gtx.Dp(4) {
		gap = hairline(gtx)
	}
	r := image.Rect(col.Min.X+gap, plot.Max.Y-height, max(col.Max.X-gap, col.Min.X+gap+1), plot.Max.Y)
	fillRect(gtx.Ops, c, r)
}

// column is what belongs to a bar of the area of all bars.
func (s HistogramStyle) column(i int) image.Rectangle {
	p, n := s.state.plot, len(s.Bars)
	return image.Rect(p.Min.X+p.Dx()*i/n, p.Min.Y, p.Min.X+p.Dx()*(i+1)/n, p.Max.Y)
}

// foot names the horizontal axis and as many bars as there is room for.
func (s HistogramStyle) foot(gtx layout.Context, r image.Rectangle) {
	th := s.th
	n := len(s.Bars)
	if n == 0 {
		return
	}
	label := func(t string) LabelStyle {
		l := th.Dim(t)
		l.Size, l.Color = th.Size.Small-1, th.Color.Hint
		return l
	}
	widest := 0
	for i := range min(n, 64) {
		widest = max(widest, label(s.title(i)).width(gtx))
	}
	widest = max(widest, label(s.title(n-1)).width(gtx)) + gtx.Dp(6)
	step := 1 // 1, 2, 5, 10, …
	for k := 0; step < n && r.Dx()*step/n < widest; k++ {
		step = [...]int{2, 5, 10}[k%3] * int(math.Pow10(k/3))
	}
	end := r.Max.X
	if s.XLabel != "" {
		l := label(s.XLabel)
		w := l.width(gtx)
		// At the right end, over the titles there.
		end -= w + gtx.Dp(8)
		l.drawIn(gtx, image.Rect(r.Max.X-w, r.Min.Y, r.Max.X+1, r.Max.Y))
	}
	for i := 0; i < n; i += step {
		c := s.column(i)
		mid := (c.Min.X + c.Max.X) / 2
		box := image.Rect(max(mid-widest/2, 0), r.Min.Y, mid+(widest+1)/2, r.Max.Y)
		if box.Max.X > end {
			break
		}
		l := label(s.title(i))
		l.Align = text.Middle
		l.drawIn(gtx, box)
	}
}
