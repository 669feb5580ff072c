package tool

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/overlay"
)

// The colours of what is drawn and edited.
var (
	gripColour  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	faultColour = color.NRGBA{0xff, 0x4d, 0x4d, 0xff}
	rimColour   = color.NRGBA{0x10, 0x14, 0x1c, 0xff} // around squares, so that they are seen on anything
)

// AppendShapes implements Shaper: what is unfinished, and else the handles and the
// corners of what is selected.
func (d *Draft) AppendShapes(dst *overlay.Shapes, l *document.Level, in Input) {
	if len(d.points) > 0 {
		d.appendPending(dst, in)
		return
	}
	if id, ok := d.edited(l); ok && in.Scene != nil {
		under, _ := d.grasp(l, in)
		for _, s := range shapesOf(in.Scene, id) {
			appendGrips(dst, in, &s, under, d.chosen)
		}
	}
	if s, of, ok := d.held(l, in); ok {
		g := d.gizmo(&s, of)
		g.Append(dst, viewOf(in), g.Hover(in.Ray, viewOf(in)), nil)
		return
	}
	if g, _, ok := d.Handles.gizmo(l); ok {
		g.Append(dst, viewOf(in), g.Hover(in.Ray, viewOf(in)), nil)
	}
}

// appendGrips draws the corners, edges and faces of a shape that can be taken.
func appendGrips(dst *overlay.Shapes, in Input, s *shape, under, chosen grip) {
	pen := overlay.Pen{Colour: gripColour, Width: 2, Depth: overlay.OnTop}
	s.each(s.seen(in.Camera.Eye), func(g grip) {
		p := pen
		strong := g == under || g == chosen
		if strong {
			p.Colour, p.Width = pendingColour, 4
		}
		of := s.of(g)
		switch g.kind {
		case cornerGrip:
			size := 3.5
			if strong {
				size = 5
			}
			square(dst, in, s.points[of[0]], size, p)
		case edgeGrip:
			if strong {
				dst.Line(s.points[of[0]], s.points[of[1]], p)
			}
		case faceGrip:
			c := center(s.points, of)
			if strong {
				face := s.hull.AppendFace(nil, g.index)
				dst.Polygon(face, p.WithAlpha(0.25))
			}
			square(dst, in, c, 2.5, p)
		}
	})
}

// square is a filled square on the screen with a rim, so many dp from its middle to a
// side.
func square(dst *overlay.Shapes, in Input, at mgl64.Vec3, dp float64, p overlay.Pen) {
	rim := p
	rim.Colour = rimColour
	for _, s := range [...]struct {
		dp  float64
		pen overlay.Pen
	}{{dp + 1.2, rim}, {dp, p}} {
		r := metresAt(in, at, s.dp)
		u, v := in.Camera.Right().Mul(r), in.Camera.Up().Mul(r)
		a, b := at.Add(u), at.Sub(u)
		dst.Quad(a.Add(v), b.Add(v), b.Sub(v), a.Sub(v), s.pen)
	}
}

// appendPending draws what is unfinished.
func (d *Draft) appendPending(dst *overlay.Shapes, in Input) {
	pen := overlay.Pen{Colour: pendingColour, Width: 2, Depth: overlay.OnTop}
	if d.pulling {
		d.pull(in)
		appendPrism(dst, d.outline(), d.on.plane.N.Mul(d.height), pen)
		base := d.outline()
		top := middleOf(base).Add(d.on.plane.N.Mul(d.height))
		text := Metres(d.height)
		if lo, hi, _, ok := d.box(); ok {
			size := hi.Sub(lo) // in the inspector's order: along x, y and z
			text = fmt.Sprintf("%s × %s × %s", Metres(size[0]), Metres(size[1]), Metres(size[2]))
		} else if d.rectangle {
			text = fmt.Sprintf("%s × %s × %s", Metres(base[1].Sub(base[0]).Len()), Metres(base[2].Sub(base[1]).Len()), Metres(d.height))
		}
		dst.Label(top, text, pendingColour)
		return
	}
	points := slices.Clone(d.points)
	if p, ok := d.next(in); ok {
		points = append(points, p)
	}
	if d.Options.What == document.KindOccluder && d.Options.flat() {
		if len(points) > 3 && !hull.PolygonSimple(points) {
			pen.Colour = faultColour
		}
	} else if len(points) > 3 && !hull.PolygonConvex(points) {
		pen.Colour = faultColour
	}
	for _, p := range d.points {
		square(dst, in, p, 3.5, pen)
	}
	dst.Polyline(points, false, pen)
	if len(points) > 2 {
		dst.Line(points[len(points)-1], points[0], pen.WithAlpha(0.4))
		dst.Polygon(points, pen.WithAlpha(0.15))
	}
}

// appendPrism draws a base, and what is pulled out of it.
func appendPrism(dst *overlay.Shapes, base []mgl64.Vec3, up mgl64.Vec3, pen overlay.Pen) {
	top := make([]mgl64.Vec3, len(base))
	for i, p := range base {
		top[i] = p.Add(up)
	}
	face := pen.WithAlpha(0.15)
	dst.Polygon(base, face)
	dst.Polygon(top, face)
	for i := range base {
		k := (i + 1) % len(base)
		dst.Quad(base[i], base[k], top[k], top[i], face)
		dst.Line(base[i], top[i], pen)
	}
	dst.Polyline(base, true, pen)
	dst.Polyline(top, true, pen)
}

func middleOf(points []mgl64.Vec3) (c mgl64.Vec3) {
	for _, p := range points {
		c = c.Add(p.Mul(1 / float64(len(points))))
	}
	return c
}

// AppendShapes implements Shaper: the rectangle as it is dragged.
func (d *drawing) AppendShapes(dst *overlay.Shapes, _ *document.Level, in Input) {
	if !d.ok || !d.moved() {
		return
	}
	pen := overlay.Pen{Colour: pendingColour, Width: 2, Depth: overlay.OnTop}
	r := d.on.rectangle(d.a, d.b)
	if d.tool.Options.What == document.KindPortal {
		r = d.on.within(r)
	}
	if len(r) < 3 {
		return
	}
	dst.Polyline(r, true, pen)
	dst.Polygon(r, pen.WithAlpha(0.15))
	dst.Label(middleOf(r), Metres(r[1].Sub(r[0]).Len())+" × "+Metres(r[2].Sub(r[1]).Len()), pendingColour)
}

// AppendShapes implements Shaper: what would become of the thing, red where it is not
// convex or nothing.
func (b *bending) AppendShapes(dst *overlay.Shapes, _ *document.Level, in Input) {
	pen := overlay.Pen{Colour: pendingColour, Width: 2, Depth: overlay.OnTop}
	bad := b.verdict.err != nil || b.verdict.mended
	if bad {
		pen.Colour = faultColour
	}
	switch {
	case b.shape.flat():
		dst.Polyline(b.points, true, pen)
		if !bad {
			dst.Polygon(b.points, pen.WithAlpha(0.15))
		}
	case b.shape.hull != nil:
		// The edges that it had show where it is bent the wrong way.
		if bad {
			b.shape.edges(func(_, x, y int) { dst.Line(b.points[x], b.points[y], pen) })
		}
		if h := b.verdict.hull; h != nil {
			p := pen
			if bad {
				p = p.WithAlpha(0.5)
			}
			for e := range h.Edges() {
				dst.Line(h.Vertices[e.From], h.Vertices[e.To], p)
			}
			for i := range h.Faces {
				dst.Polygon(h.AppendFace(nil, i), p.WithAlpha(0.1))
			}
		}
	}
	for _, i := range b.of {
		square(dst, in, b.points[i], 4, pen)
	}
	g := b.drag.Gizmo()
	g.Append(dst, viewOf(in), b.drag.Handle(), b.drag)
}

var _ interface {
	Tool
	Shaper
} = (*Draft)(nil)
