package gizmo

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// The colours of the gizmo.
var (
	axisColours = [3]color.NRGBA{{235, 75, 75, 255}, {110, 190, 70, 255}, {75, 140, 245, 255}}
	neutral     = color.NRGBA{225, 225, 225, 255}
	accent      = color.NRGBA{255, 205, 60, 255}
)

// The widths of its lines in dp, and the opacities of what is less important.
const (
	lineWidth   = 2.5
	activeWidth = 3.5
	guideWidth  = 1.5
	behindAlpha = 0.22
	restAlpha   = 0.25 // of handles that are not held, during a drag
	fillAlpha   = 0.35
	sweepAlpha  = 0.3
)

// Append appends the picture of the gizmo: the handle under the pointer, or the one
// that is held, in the accent colour. During a drag the gizmo is the one that the
// drag began with, moved as far as the drag has come, with what the drag has done so
// far and its label.
func (g Gizmo) Append(dst *overlay.Shapes, view View, hovered Handle, active *Drag) {
	if active != nil {
		g = active.gizmo
		g.Frame = active.Frame()
		hovered = None
	}
	b, ok := g.body(&view)
	if !ok {
		return
	}
	p := painter{body: b, dst: dst, gizmo: &g, hovered: hovered, drag: active}
	if active != nil {
		p.guides()
	}
	p.handles()
	if active != nil {
		dst.Label(p.labelAt(), active.Label(), accent)
	}
}

// painter appends one gizmo.
type painter struct {
	body
	dst     *overlay.Shapes
	gizmo   *Gizmo
	hovered Handle
	drag    *Drag
}

// pen is how a handle is drawn; its opacity is 0 when it is not.
func (p *painter) pen(h Handle) overlay.Pen {
	colour := neutral
	if _, axis := h.axis(); axis >= 0 {
		colour = axisColours[axis]
	}
	pen := overlay.Pen{Colour: colour, Width: lineWidth, Depth: overlay.OnTop}.WithAlpha(shown(h, &p.axes, p.toward))
	held := p.drag != nil && p.drag.handle == h
	switch {
	case held || h == p.hovered:
		pen.Colour, pen.Width = accent, activeWidth
	case p.drag != nil:
		pen = pen.WithAlpha(restAlpha)
	}
	return pen
}

// handles draws all handles, the farthest first.
func (p *painter) handles() {
	type item struct {
		handle Handle
		depth  float64
	}
	var order [handleCount]item
	items := order[:0]
	for h := AxisX; h < handleCount; h++ {
		if !p.gizmo.offers(h) || p.pen(h).Colour.A == 0 {
			continue
		}
		depth := math.Inf(1) // rings and what lies in the screen's plane come first
		if kind, axis := h.axis(); kind == AxisX || kind == PlaneX {
			depth = p.view.depth(p.along(axis, ArmLength))
			if kind == PlaneX {
				c := p.square(axis)
				depth = p.view.depth(c[2])
			}
		}
		items = append(items, item{h, depth})
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.depth, a.depth) })
	for _, i := range items {
		p.handle(i.handle)
	}
}

func (p *painter) handle(h Handle) {
	pen := p.pen(h)
	kind, axis := h.axis()
	switch kind {
	case AxisX:
		p.arm(axis, pen)
	case PlaneX:
		c := p.square(axis)
		p.dst.Quad(c[0], c[1], c[2], c[3], pen.WithAlpha(fillAlpha))
		p.dst.Polyline(c[:], true, pen)
	case Centre:
		p.dst.Disc(p.origin, p.toward, 0.5*centreRadius*p.dp, pen.WithAlpha(fillAlpha))
		p.dst.Circle(p.origin, p.toward, centreRadius*p.dp, pen)
	case RingX:
		p.ring(p.axes[axis], RingRadius, func(a, b geom.Vec3, behind bool) {
			if behind {
				p.dst.Line(a, b, pen.WithAlpha(behindAlpha))
			} else {
				p.dst.Line(a, b, pen)
			}
		})
	case RingView:
		p.dst.Circle(p.origin, p.toward, viewRadius*p.dp, pen)
	case Ball:
		if h == p.hovered || p.drag != nil && p.drag.handle == h {
			p.dst.Disc(p.origin, p.toward, RingRadius*p.dp, pen.WithAlpha(0.12))
		}
	}
}

// arm draws an axis with the head of its mode; while scaling it grows with the thing.
func (p *painter) arm(axis int, pen overlay.Pen) {
	length := ArmLength
	if p.drag != nil && p.gizmo.Mode == Scale {
		length *= min(max(math.Abs(p.drag.result.Scale[axis]), 0.4), 1.6)
	}
	neck := p.along(axis, length-headLength)
	p.dst.Line(p.along(axis, armStart), neck, pen)
	first := len(p.dst.Facets)
	if p.gizmo.Mode == Move {
		p.dst.Cone(neck, p.along(axis, length), headRadius*p.dp, pen)
	} else {
		p.cube(p.along(axis, length-headLength/2), headRadius*0.9*p.dp, pen)
	}
	p.shade(first)
}

// cube appends a cube along the gizmo's axes.
func (p *painter) cube(middle geom.Vec3, half float64, pen overlay.Pen) {
	for i := range 3 {
		for _, side := range [2]float64{-half, half} {
			n, u, v := p.axes[i].Mul(side), p.axes[(i+1)%3].Mul(half), p.axes[(i+2)%3].Mul(side)
			c := middle.Add(n)
			p.dst.Quad(c.Sub(u).Sub(v), c.Add(u).Sub(v), c.Add(u).Add(v), c.Sub(u).Add(v), pen)
		}
	}
}

// shade drops the facets of a convex body that face away, for nothing else keeps
// them behind the others, and darkens the rest by their angle to the viewer.
func (p *painter) shade(first int) {
	kept := p.dst.Facets[:first]
	for _, f := range p.dst.Facets[first:] {
		n := f.P[1].Sub(f.P[0]).Cross(f.P[2].Sub(f.P[0]))
		l := n.Len()
		if !(l > 0) {
			continue
		}
		facing := -n.Dot(p.view.Toward(f.P[0])) / l
		if facing <= 0 {
			continue
		}
		f.Colour = darker(f.Colour, 0.62+0.38*facing)
		kept = append(kept, f)
	}
	p.dst.Facets = kept
}

func darker(c color.NRGBA, by float64) color.NRGBA {
	return color.NRGBA{uint8(float64(c.R) * by), uint8(float64(c.G) * by), uint8(float64(c.B) * by), c.A}
}

// guides draws what the drag has done.
func (p *painter) guides() {
	d := p.drag
	thin := overlay.Pen{Colour: neutral, Width: guideWidth, Depth: overlay.OnTop}
	switch d.gizmo.Mode {
	case Move:
		for i := range 3 {
			if kind, axis := d.handle.axis(); kind == AxisX && axis == i {
				p.endless(p.axes[i], overlay.Pen{Colour: axisColours[i], Width: guideWidth, Depth: overlay.Faint})
			}
		}
		from := d.gizmo.Origin
		if dp, ok := p.view.Metre(from); ok && from != p.origin {
			p.dst.Cross(from, 12*dp, thin)
			p.dst.Line(from, p.origin, thin.WithAlpha(0.7))
		}
		if at, ok := d.Snapped(); ok {
			if dp, ok := p.view.Metre(at); ok {
				p.dst.Circle(at, p.view.Toward(at), 7*dp, overlay.Pen{Colour: accent, Width: lineWidth, Depth: overlay.OnTop})
			}
		}
	case Rotate:
		p.sweep(thin)
	case Scale:
		if kind, axis := d.handle.axis(); kind == AxisX {
			p.endless(p.axes[axis], overlay.Pen{Colour: axisColours[axis], Width: guideWidth, Depth: overlay.Faint})
		}
	}
}

// sweep draws the sector that a ring has turned through.
func (p *painter) sweep(thin overlay.Pen) {
	d := p.drag
	if d.handle == Ball || d.result.Angle == 0 {
		return
	}
	radius, axis := RingRadius*p.dp, d.grip.axis
	if d.handle == RingView {
		radius = viewRadius * p.dp
	}
	arm := d.grip.first.Sub(axis.Mul(d.grip.first.Dot(axis)))
	if d.grip.flat || arm.Len() < 1e-6*radius {
		arm = d.start.toward.Mul(-1).Sub(axis.Mul(-axis.Dot(d.start.toward)))
	}
	arm = arm.Normalize().Mul(radius)
	fill := overlay.Pen{Colour: accent, Depth: overlay.OnTop}.WithAlpha(sweepAlpha)
	if math.Abs(d.result.Angle) >= 2*math.Pi {
		p.dst.Disc(p.origin, axis, radius, fill.WithAlpha(0.5))
	}
	p.dst.Sector(p.origin, axis, arm, math.Mod(d.result.Angle, 2*math.Pi), fill)
	p.dst.Line(p.origin, p.origin.Add(arm), thin)
	p.dst.Line(p.origin, p.origin.Add(d.result.Rotation.Rotate(arm)), overlay.Pen{Colour: accent, Width: guideWidth, Depth: overlay.OnTop})
}

// endless draws a line through the gizmo far to both sides, as far as it is ahead of
// the viewer.
func (p *painter) endless(dir geom.Vec3, pen overlay.Pen) {
	length := 200 * ArmLength * p.dp
	ends := [2]geom.Vec3{p.origin.Sub(dir.Mul(length)), p.origin.Add(dir.Mul(length))}
	if !p.view.Camera.Ortho {
		depth := p.view.depth(p.origin)
		least := 0.1 * depth
		for i, e := range ends {
			if z := p.view.depth(e); z < least {
				ends[i] = p.origin.Add(e.Sub(p.origin).Mul((depth - least) / (depth - z)))
			}
		}
	}
	p.dst.Line(ends[0], ends[1], pen)
}

// labelAt is above the gizmo on the screen.
func (p *painter) labelAt() geom.Vec3 {
	return p.origin.Add(p.view.Camera.Up().Mul((viewRadius + 14) * p.dp))
}
