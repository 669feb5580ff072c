package widgets

import (
	"image"
	"image/color"
	"math"

	"gioui.org/f32"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/icons"
)

// lineUnits is the nominal width of an icon's lines on the 24-unit grid. It is
// rounded to whole pixels: 1 at 16 and 20 px, 2 at 24 to 32 px, 3 at 40 px.
const lineUnits = 1.8

type iconKey struct {
	name icons.Name
	px   int
}

// IconStyle draws one icon in a square.
type IconStyle struct {
	Name  icons.Name
	Color color.NRGBA
	th    *Theme
}

// Icon draws an icon in the text colour.
func (th *Theme) Icon(name icons.Name) IconStyle {
	return IconStyle{Name: name, Color: th.Color.Text, th: th}
}

// Layout draws the icon at the row size of the theme.
func (s IconStyle) Layout(gtx layout.Context) layout.Dimensions {
	px := gtx.Dp(s.th.Size.IconSize)
	s.th.drawIcon(gtx, s.Name, s.Color, image.Point{}, px)
	return layout.Dimensions{Size: image.Pt(px, px)}
}

// drawIcon draws an icon of px × px pixels with its corner at p. The shapes
// are recorded once for each size: a frame only refers to them.
func (th *Theme) drawIcon(gtx layout.Context, name icons.Name, c color.NRGBA, p image.Point, px int) {
	k := iconKey{name, px}
	call, ok := th.icons[k]
	if !ok {
		icon, found := icons.Lookup(name)
		if !found {
			return
		}
		m := op.Record(&th.iconOps)
		recordIcon(&th.iconOps, icon, px)
		call = m.Stop()
		th.icons[k] = call
	}
	defer op.Offset(p).Push(gtx.Ops).Pop()
	paint.ColorOp{Color: c}.Add(gtx.Ops)
	call.Add(gtx.Ops)
}

// drawIconIn centres an icon in r.
func (th *Theme) drawIconIn(gtx layout.Context, name icons.Name, c color.NRGBA, r image.Rectangle, px int) {
	th.drawIcon(gtx, name, c, r.Min.Add(image.Pt((r.Dx()-px)/2, (r.Dy()-px)/2)), px)
}

func recordIcon(ops *op.Ops, icon icons.Icon, px int) {
	h := hinter{scale: float32(px) / icons.Size}
	h.width = max(1, float32(math.Round(float64(lineUnits*h.scale))))
	for _, s := range icon {
		var p clip.Path
		p.Begin(ops)
		h.trace(&p, s)
		spec := p.End()
		o := clip.Stroke{Path: spec, Width: h.width}.Op()
		if s.Filled() {
			o = clip.Outline{Path: spec}.Op()
		}
		st := o.Push(ops)
		paint.PaintOp{}.Add(ops)
		st.Pop()
	}
}

// hinter maps grid units to pixels and moves upright and level edges to the
// pixel grid, so that a line of whole width covers whole pixels.
type hinter struct {
	scale, width float32
}

// edge snaps a coordinate so that a line of the icon's width centred on it, or
// the edge of a filled shape on it, falls between pixels.
func (h hinter) edge(v float32, filled bool) float32 {
	v *= h.scale
	half := float32(0)
	if !filled && int(h.width)%2 == 1 {
		half = 0.5
	}
	return float32(math.Floor(float64(v-half)+0.5)) + half
}

func (h hinter) trace(p *clip.Path, s icons.Shape) {
	switch v := s.P; s.Kind {
	case icons.Line, icons.Poly, icons.Fill:
		h.run(p, v, s.Kind != icons.Line, s.Filled())
	case icons.Rect, icons.Block:
		f := s.Filled()
		box(p, h.edge(v[0], f), h.edge(v[1], f), h.edge(v[2], f), h.edge(v[3], f), v[4]*h.scale)
	case icons.Circle, icons.Dot:
		f := s.Filled()
		x0, x1 := h.edge(v[0]-v[2], f), h.edge(v[0]+v[2], f)
		y0, y1 := h.edge(v[1]-v[2], f), h.edge(v[1]+v[2], f)
		if x1 <= x0 || y1 <= y0 { // too small to snap
			x0, x1 = (v[0]-v[2])*h.scale, (v[0]+v[2])*h.scale
			y0, y1 = (v[1]-v[2])*h.scale, (v[1]+v[2])*h.scale
		}
		r := (x1 - x0) / 2
		box(p, x0, y0, x0+2*r, y0+2*r, r)
	case icons.Arc:
		r := (h.edge(v[0]+v[2], false) - h.edge(v[0]-v[2], false)) / 2
		cx, cy := h.edge(v[0]-v[2], false)+r, h.edge(v[1]-v[2], false)+r
		a0, a1 := float64(v[3])*math.Pi/180, float64(v[4])*math.Pi/180
		c := f32.Pt(cx, cy)
		p.MoveTo(f32.Pt(cx+r*float32(math.Cos(a0)), cy+r*float32(math.Sin(a0))))
		p.ArcTo(c, c, float32(a1-a0))
	case icons.Curve, icons.Loop:
		pt := func(i int) f32.Point { return f32.Pt(v[i]*h.scale, v[i+1]*h.scale) }
		p.MoveTo(pt(0))
		for i := 2; i < len(v); i += 6 {
			p.CubeTo(pt(i), pt(i+2), pt(i+4))
		}
		if s.Kind == icons.Loop {
			p.Close()
		}
	}
}

// run traces straight strokes. A coordinate is snapped where a stroke that is
// level or upright touches it; slanted strokes keep their slope.
func (h hinter) run(p *clip.Path, v []float32, closed, filled bool) {
	n := len(v) / 2
	at := func(i int) (x, y float32) { i = (i + n) % n; return v[2*i], v[2*i+1] }
	for i := range n {
		x, y := at(i)
		px, py := at(i - 1)
		nx, ny := at(i + 1)
		hasPrev, hasNext := closed || i > 0, closed || i < n-1
		to := f32.Pt(x*h.scale, y*h.scale)
		if hasPrev && px == x || hasNext && nx == x {
			to.X = h.edge(x, filled)
		}
		if hasPrev && py == y || hasNext && ny == y {
			to.Y = h.edge(y, filled)
		}
		if i == 0 {
			p.MoveTo(to)
		} else {
			p.LineTo(to)
		}
	}
	if closed {
		p.Close()
	}
}

// box traces a rectangle with round corners.
func box(p *clip.Path, x0, y0, x1, y1, r float32) {
	r = min(r, (x1-x0)/2, (y1-y0)/2)
	const k = 0.5522848 // a quarter circle as one cubic Bézier
	c := r * (1 - k)
	p.MoveTo(f32.Pt(x0+r, y0))
	p.LineTo(f32.Pt(x1-r, y0))
	p.CubeTo(f32.Pt(x1-c, y0), f32.Pt(x1, y0+c), f32.Pt(x1, y0+r))
	p.LineTo(f32.Pt(x1, y1-r))
	p.CubeTo(f32.Pt(x1, y1-c), f32.Pt(x1-c, y1), f32.Pt(x1-r, y1))
	p.LineTo(f32.Pt(x0+r, y1))
	p.CubeTo(f32.Pt(x0+c, y1), f32.Pt(x0, y1-c), f32.Pt(x0, y1-r))
	p.LineTo(f32.Pt(x0, y0+r))
	p.CubeTo(f32.Pt(x0, y0+c), f32.Pt(x0+c, y0), f32.Pt(x0+r, y0))
	p.Close()
}
