package widgets

import (
	"image"
	"image/color"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
)

// Measures of the pop-up of a colour, in dp.
const (
	colorWide  = 216
	colorPlane = 132
	colorStrip = 16
	planeSide  = 64  // of the picture of saturation and value, in pixels
	hueSteps   = 192 // of the picture of hues
)

// popup draws the picker beside the field, which covers box.
func (s ColorFieldStyle) popup(gtx layout.Context, box image.Rectangle) {
	th, c := s.th, s.state
	th.win.modalNow, th.win.innerNow = true, true
	c.follow()
	c.tags = c.tags[:0]
	outer := th.win.trap
	th.win.trap = &c.tags
	defer func() { th.win.trap = outer }()

	pad := gtx.Dp(th.Size.Pad)
	pg := gtx
	pg.Constraints = layout.Constraints{Max: image.Pt(gtx.Dp(colorWide), 1<<16)}
	m := record(pg, s.content)
	c.keys(gtx) // ask for the keys of what can have the keyboard now
	win := everywhere.Max
	if c.placed {
		win = th.win.size
	}
	size := m.size.Add(image.Pt(2*pad, 2*pad))
	gap := gtx.Dp(4)
	anchor := box
	anchor.Min.Y, anchor.Max.Y = anchor.Min.Y-gap, anchor.Max.Y+gap
	p := place(anchor.Add(c.origin), size, win, sideBelow).Sub(c.origin)
	c.box = image.Rectangle{Min: p, Max: p.Add(size)}
	popup(gtx, image.Point{}, func(gtx layout.Context) layout.Dimensions {
		defer clip.Rect(everywhere).Push(gtx.Ops).Pop()
		pointer.CursorDefault.Add(gtx.Ops)
		event.Op(gtx.Ops, &c.focus)
		event.Op(gtx.Ops, &c.around)
		defer op.Offset(p).Push(gtx.Ops).Pop()
		r := image.Rectangle{Max: size}
		th.popupBox(gtx, r)
		defer clip.Rect(r).Push(gtx.Ops).Pop()
		semantic.LabelOp("Pick " + s.Label).Add(gtx.Ops)
		m.add(gtx, image.Pt(pad, pad))
		return layout.Dimensions{Size: size}
	})
}

// content is the inside of the pop-up.
func (s ColorFieldStyle) content(gtx layout.Context) layout.Dimensions {
	th, c := s.th, s.state
	w, gap, row := gtx.Constraints.Max.X, gtx.Dp(6), gtx.Dp(th.Size.Row)
	c.paint()
	y := 0
	c.field.size = image.Pt(w, gtx.Dp(colorPlane))
	at(gtx, image.Pt(0, y), func(gtx layout.Context) layout.Dimensions {
		s.area(gtx, &c.field, "Saturation and value", c.plane)
		s.ring(gtx, f32.Pt(float32(c.at.s)*float32(w-1), float32(1-c.at.v)*float32(c.field.size.Y-1)))
		return layout.Dimensions{}
	})
	y += c.field.size.Y + gap
	c.strip.size = image.Pt(w, gtx.Dp(colorStrip))
	at(gtx, image.Pt(0, y), func(gtx layout.Context) layout.Dimensions {
		s.area(gtx, &c.strip, "Hue", c.hues)
		s.ring(gtx, f32.Pt(float32(c.at.h)*float32(w-1), float32(c.strip.size.Y)/2))
		return layout.Dimensions{}
	})
	y += c.strip.size.Y + gap

	half := (w - gap) / 2
	st := clip.UniformRRect(image.Rect(0, y, half, y+row), gtx.Dp(3)).Push(gtx.Ops)
	fillRect(gtx.Ops, c.opened, image.Rect(0, y, half/2, y+row))
	fillRect(gtx.Ops, c.shown, image.Rect(half/2, y, half, y+row))
	st.Pop()
	c.hex.Value, c.hex.Mixed = FormatColor(c.shown), c.Mixed && !c.Dragging()
	hex := th.Entry(&c.hex, s.Label+" hex")
	hex.Mono = true
	hex.Check = func(t string) string {
		if _, err := ParseColor(t); err != nil {
			return err.Error()
		}
		return ""
	}
	hg := gtx
	hg.Constraints = layout.Exact(image.Pt(w-half-gap, row))
	at(hg, image.Pt(half+gap, y), hex.Layout)
	y += row + gap

	letters, colors := [3]string{"R", "G", "B"}, [3]color.NRGBA{th.Color.AxisX, th.Color.AxisY, th.Color.AxisZ}
	for i, v := range [3]uint8{c.shown.R, c.shown.G, c.shown.B} {
		n := &c.rgb[i]
		n.Integer, n.Max = true, 255
		if !n.Dragging() {
			n.Value, n.Mixed = float64(v), false
		}
		x0, x1 := (w-2*gap)*i/3+i*gap, (w-2*gap)*(i+1)/3+i*gap
		ns := th.Number(n, "")
		ns.Label, ns.Letter, ns.LetterColor = s.Label+" "+[3]string{"red", "green", "blue"}[i], letters[i], colors[i]
		ng := gtx
		ng.Constraints = layout.Exact(image.Pt(x1-x0, row))
		at(ng, image.Pt(x0, y), ns.Layout)
	}
	return layout.Dimensions{Size: image.Pt(w, y+row)}
}

// area draws a picture that is dragged on.
func (s ColorFieldStyle) area(gtx layout.Context, a *colorArea, label string, img paint.ImageOp) {
	a.th = s.th
	defer clip.UniformRRect(image.Rectangle{Max: a.size}, gtx.Dp(3)).Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, a)
	semantic.LabelOp(label).Add(gtx.Ops)
	semantic.Editor.Add(gtx.Ops)
	pointer.CursorCrosshair.Add(gtx.Ops)
	of := img.Size()
	scale := f32.Pt(float32(a.size.X)/float32(of.X), float32(a.size.Y)/float32(of.Y))
	defer op.Affine(f32.AffineId().Scale(f32.Point{}, scale)).Push(gtx.Ops).Pop()
	img.Add(gtx.Ops)
	paint.PaintOp{}.Add(gtx.Ops)
}

// ring marks a place on a picture of any colour.
func (s ColorFieldStyle) ring(gtx layout.Context, p f32.Point) {
	r := gtx.Dp(6)
	box := image.Rect(-r, -r, r, r).Add(p.Round())
	line := float32(hairline(gtx))
	for _, e := range [...]struct {
		grow  int
		color color.NRGBA
	}{{1, color.NRGBA{A: 0xa0}}, {0, s.th.Color.OnAccent}} {
		b := box.Inset(-e.grow * int(line))
		path := clip.Ellipse(b).Path(gtx.Ops)
		paint.FillShape(gtx.Ops, e.color, clip.Stroke{Path: path, Width: 1.5 * line}.Op())
	}
}

// paint makes the pictures of the present hue, and of all hues, once.
func (c *ColorField) paint() {
	if c.hues.Size() == (image.Point{}) {
		img := image.NewRGBA(image.Rect(0, 0, hueSteps, 1))
		for x := range hueSteps {
			v := hsv{float64(x) / (hueSteps - 1), 1, 1}.rgb()
			img.SetRGBA(x, 0, color.RGBA(v))
		}
		c.hues = paint.NewImageOp(img)
	}
	if c.plane.Size() != (image.Point{}) && c.planeHue == c.at.h {
		return
	}
	img := image.NewRGBA(image.Rect(0, 0, planeSide, planeSide))
	for y := range planeSide {
		for x := range planeSide {
			v := hsv{c.at.h, float64(x) / (planeSide - 1), 1 - float64(y)/(planeSide-1)}.rgb()
			img.SetRGBA(x, y, color.RGBA(v))
		}
	}
	c.plane, c.planeHue = paint.NewImageOp(img), c.at.h
}
