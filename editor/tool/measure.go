package tool

import (
	"fmt"
	"image/color"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/viewport/overlay"
)

// Measure tells distances: press at one point, release at another. What was
// measured stays until the next press.
type Measure struct {
	From, To mgl64.Vec3
	On       bool // something was measured
}

// ID implements Tool.
func (*Measure) ID() string { return "measure" }

// Hover implements Tool.
func (*Measure) Hover(*document.Level, Input) Preview { return Preview{} }

// Distance, Height and Slope are what was measured: metres along the line, metres
// up from From to To, and radians above the horizontal.
func (m *Measure) Distance() float64 { return m.To.Sub(m.From).Len() }

// Height is how much higher To lies.
func (m *Measure) Height() float64 { return m.To[1] - m.From[1] }

// Slope is the angle of the line above the horizontal, in radians.
func (m *Measure) Slope() float64 { return math.Atan2(m.Height(), m.Flat()) }

// Flat is the distance seen from above.
func (m *Measure) Flat() float64 { return math.Hypot(m.To[0]-m.From[0], m.To[2]-m.From[2]) }

// Text is what was measured, for people.
func (m *Measure) Text() string {
	return fmt.Sprintf("%s · height %+.2f m · flat %s · slope %.1f°", Metres(m.Distance()), m.Height(), Metres(m.Flat()), m.Slope()*180/math.Pi)
}

// Metres writes a length for people.
func Metres(v float64) string {
	switch a := math.Abs(v); {
	case a >= 10_000:
		return fmt.Sprintf("%.2f km", v/1000)
	case a >= 100:
		return fmt.Sprintf("%.1f m", v)
	}
	return fmt.Sprintf("%.2f m", v)
}

// Press implements Tool.
func (m *Measure) Press(_ *command.Env, in Input) (Drag, error) {
	hit, ok := in.Scene.Pick(in.Ray, nil)
	if !ok {
		m.On = false
		return nil, nil
	}
	m.From, m.To, m.On = hit.Point, hit.Point, true
	return &measuring{m}, nil
}

// measureColour is that of the line.
var measureColour = color.NRGBA{0xff, 0xc4, 0x4d, 0xff}

// AppendShapes implements Shaper: the line, and its legs along the horizontal and
// upright.
func (m *Measure) AppendShapes(dst *overlay.Shapes, _ *document.Level, in Input) {
	if !m.On || m.From == m.To {
		return
	}
	pen := overlay.Pen{Colour: measureColour, Width: 2, Depth: overlay.OnTop}
	legs := overlay.Pen{Colour: color.NRGBA{0xff, 0xff, 0xff, 0x90}, Width: 1, Depth: overlay.OnTop}
	corner := mgl64.Vec3{m.To[0], m.From[1], m.To[2]}
	dst.Line(m.From, corner, legs)
	dst.Line(corner, m.To, legs)
	dst.Line(m.From, m.To, pen)
	for _, p := range []mgl64.Vec3{m.From, m.To} {
		dst.Cross(p, metresAt(in, p, 10), pen)
	}
	dst.Label(m.From.Add(m.To).Mul(0.5), Metres(m.Distance()), measureColour)
}

// measuring is a measurement being drawn.
type measuring struct{ m *Measure }

// Move implements Drag.
func (d *measuring) Move(in Input) error {
	if hit, ok := in.Scene.Pick(in.Ray, nil); ok {
		d.m.To = hit.Point
	}
	return nil
}

// Tick implements Drag.
func (d *measuring) Tick(time.Duration) error { return nil }

// Preview implements Drag.
func (d *measuring) Preview() Preview { return Preview{} }

// End implements Drag.
func (d *measuring) End(time.Duration) error { return nil }

// Cancel implements Drag.
func (d *measuring) Cancel() { d.m.On = false }

// AppendShapes implements Shaper.
func (d *measuring) AppendShapes(dst *overlay.Shapes, l *document.Level, in Input) {
	d.m.AppendShapes(dst, l, in)
}

// metresAt is how long something is at a point that covers dp on the screen.
func metresAt(in Input, at mgl64.Vec3, dp float64) float64 {
	px := dp * in.Scale / in.Camera.ScreenScale(in.Size[1])
	if in.Camera.Ortho {
		return px
	}
	return px * max(at.Sub(in.Camera.Eye).Dot(in.Camera.Forward()), in.Camera.Near)
}
