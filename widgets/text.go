package widgets

import (
	"image"
	"image/color"
	"math"

	"gioui.org/f32"
	"gioui.org/font"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"golang.org/x/image/math/fixed"
)

// LabelStyle draws text that cannot be edited.
type LabelStyle struct {
	Text  string
	Font  font.Font
	Size  unit.Sp
	Color color.NRGBA
	// Lines is the most lines to show, 0 for all. What doesn't fit ends in an
	// ellipsis.
	Lines int
	Align text.Alignment

	th *Theme
}

// Label is one line of body text, cut with an ellipsis where it doesn't fit.
func (th *Theme) Label(s string) LabelStyle {
	return LabelStyle{Text: s, Font: th.Sans, Size: th.Size.Text, Color: th.Color.Text, Lines: 1, th: th}
}

// Dim is a Label of secondary importance.
func (th *Theme) Dim(s string) LabelStyle {
	l := th.Label(s)
	l.Color = th.Color.Dim
	return l
}

// MonoLabel is a Label in the fixed-width font, for numbers and code.
func (th *Theme) MonoLabel(s string) LabelStyle {
	l := th.Label(s)
	l.Font = th.Mono
	l.Size = th.Size.Small
	return l
}

// Heading is a Label in a heavier weight.
func (th *Theme) Heading(s string) LabelStyle {
	l := th.Label(s)
	l.Font.Weight = font.Medium
	return l
}

// Body is text that wraps over as many lines as it needs.
func (th *Theme) Body(s string) LabelStyle {
	l := th.Label(s)
	l.Lines = 0
	return l
}

// Layout draws the text and gives it a semantic node of its own.
func (l LabelStyle) Layout(gtx layout.Context) layout.Dimensions {
	m := op.Record(gtx.Ops)
	d := l.draw(gtx)
	call := m.Stop()
	defer clip.Rect{Max: d.Size}.Push(gtx.Ops).Pop()
	semantic.LabelOp(l.Text).Add(gtx.Ops)
	call.Add(gtx.Ops)
	return d
}

// draw draws the text without semantics, for widgets that have their own node.
// The size is the text's advance by its line height; the minimum width of the
// constraints is honoured by the alignment.
func (l LabelStyle) draw(gtx layout.Context) layout.Dimensions {
	th := l.th
	px := fixed.I(gtx.Sp(l.Size))
	th.Shaper.LayoutString(text.Parameters{
		Font: l.Font, PxPerEm: px, MaxLines: l.Lines, Alignment: l.Align,
		MinWidth: gtx.Constraints.Min.X, MaxWidth: gtx.Constraints.Max.X,
		Locale: gtx.Locale, LineHeightScale: 1.3,
	}, l.Text)
	var (
		buf      [48]text.Glyph
		line     = buf[:0]
		lineAt   f32.Point
		size     image.Point
		baseline int
		first    = true
		begins   = true  // the glyph is the first of its line
		whole    float32 // what puts the line on a whole pixel
	)
	for {
		g, ok := th.Shaper.NextGlyph()
		if !ok {
			break
		}
		x := float32(g.X) / 64
		if begins {
			// Aligned text begins anywhere between two pixels. On one of them it is as
			// sharp as other text, and does not wander by a part of one when its room
			// grows.
			whole, begins = float32(math.Round(float64(x)))-x, false
		}
		if len(line) == 0 {
			lineAt = f32.Pt(x+whole, float32(g.Y))
		}
		if first {
			first = false
			baseline = int(g.Y)
		}
		size.X = max(size.X, (g.X + g.Advance).Ceil())
		size.Y = max(size.Y, int(g.Y)+g.Descent.Ceil())
		line = append(line, g)
		if g.Flags&text.FlagLineBreak != 0 || len(line) == cap(line) {
			l.paint(gtx, lineAt, line)
			line = line[:0]
			begins = g.Flags&text.FlagLineBreak != 0
		}
	}
	if len(line) > 0 {
		l.paint(gtx, lineAt, line)
	}
	size.X = max(size.X, gtx.Constraints.Min.X)
	return layout.Dimensions{Size: size, Baseline: size.Y - baseline}
}

func (l LabelStyle) paint(gtx layout.Context, p f32.Point, line []text.Glyph) {
	t := op.Affine(f32.AffineId().Offset(p)).Push(gtx.Ops)
	paint.FillShape(gtx.Ops, l.Color, clip.Outline{Path: l.th.Shaper.Shape(line)}.Op())
	t.Pop()
}

// metricKey and lineMetric remember where the middle of a line's letters is.
type metricKey struct {
	font font.Font
	px   int
}

type lineMetric struct {
	height, base, cap int
}

// metric measures one line of a font: its height, the depth of its baseline
// and the height of its capitals.
func (th *Theme) metric(gtx layout.Context, f font.Font, size unit.Sp) lineMetric {
	k := metricKey{f, gtx.Sp(size)}
	if m, ok := th.metrics[k]; ok {
		return m
	}
	th.Shaper.LayoutString(text.Parameters{
		Font: f, PxPerEm: fixed.I(k.px), MaxLines: 1, MaxWidth: 1 << 20, LineHeightScale: 1.3,
	}, "H")
	var m lineMetric
	for {
		g, ok := th.Shaper.NextGlyph()
		if !ok {
			break
		}
		if m.height == 0 {
			m = lineMetric{
				height: int(g.Y) + g.Descent.Ceil(),
				base:   int(g.Y),
				cap:    (-g.Bounds.Min.Y).Round(),
			}
		}
	}
	th.metrics[k] = m
	return m
}

// drawIn draws one line inside r so that its capitals stand in the vertical
// middle, and reports the width used. All single-line controls use it, so that
// neighbours share a baseline whatever their font.
func (l LabelStyle) drawIn(gtx layout.Context, r image.Rectangle) int {
	if l.Text == "" || r.Dx() <= 0 {
		return 0
	}
	m := l.th.metric(gtx, l.Font, l.Size)
	y := r.Min.Y + (r.Dy()-m.cap+1)/2 + m.cap - m.base
	gtx.Constraints.Max = image.Pt(r.Dx(), r.Dy())
	gtx.Constraints.Min = image.Point{}
	if l.Align != text.Start {
		gtx.Constraints.Min.X = r.Dx()
	}
	l.Lines = 1
	defer op.Offset(image.Pt(r.Min.X, y)).Push(gtx.Ops).Pop()
	return l.draw(gtx).Size.X
}

// width measures one line of text without drawing it.
func (l LabelStyle) width(gtx layout.Context) int {
	if l.Text == "" {
		return 0
	}
	l.th.Shaper.LayoutString(text.Parameters{
		Font: l.Font, PxPerEm: fixed.I(gtx.Sp(l.Size)), MaxLines: 1,
		MaxWidth: 1 << 20, Locale: gtx.Locale, LineHeightScale: 1.3,
	}, l.Text)
	w := 0
	for {
		g, ok := l.th.Shaper.NextGlyph()
		if !ok {
			return w
		}
		w = max(w, (g.X + g.Advance).Ceil())
	}
}
