package session

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/tool"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
	"ridgeline/viewport/gizmo"
	"ridgeline/viewport/overlay"
)

// The colours of what makes visibility, sRGB.
var (
	OccluderColour = color.NRGBA{0xf0, 0xa0, 0x40, 0xff}
	CellColour     = color.NRGBA{0x5f, 0xa8, 0xf0, 0xff}
	OpenColour     = color.NRGBA{0x60, 0xd0, 0x80, 0xff} // of portals
	ClosedColour   = color.NRGBA{0xe0, 0x50, 0x48, 0xff}
	OneWayColour   = color.NRGBA{0xe8, 0xb4, 0x3c, 0xff}
	faultyColour   = color.NRGBA{0xff, 0x30, 0x30, 0xff}
)

// Opacities of faces and of what does not count at the moment.
const (
	faceAlpha = 0.10
	doorAlpha = 0.28 // of portals
	idleAlpha = 0.45
)

// shownKinds are the kinds of what makes visibility that are drawn: what is switched
// on, and what the mode is for.
func (s *Session) shownKinds() (k tool.Kinds) {
	if s.Mode == ModeOccluder || s.Shown("overlay occluders") {
		k |= tool.Occluders
	}
	if s.Mode == ModePortal || s.Shown("overlay cells") {
		k |= tool.Cells
	}
	if s.Mode == ModePortal || s.Shown("overlay portals") {
		k |= tool.Portals
	}
	return k
}

// appendVisibility draws the occluders, cells and portals in sight that are shown, and
// those that stand out.
func (s *Session) appendVisibility(dst *overlay.Shapes, f *geom.Frustum) {
	v, k := s.scene.Visibility(), s.shownKinds()
	if len(v.Occluders)+len(v.Cells)+len(v.Portals) == 0 {
		return
	}
	for i := range v.Occluders {
		o := &v.Occluders[i]
		if s.drawn(o.ID, o.Hidden, k&tool.Occluders != 0) && (o.Fault != nil || f.Box(o.Box) != geom.Outside) {
			s.appendOccluder(dst, o)
		}
	}
	for i := range v.Cells {
		c := &v.Cells[i]
		if s.drawn(c.ID, c.Hidden, k&tool.Cells != 0) && (c.Fault != nil || f.Box(c.Box) != geom.Outside) {
			s.appendCell(dst, c)
		}
	}
	for i := range v.Portals {
		p := &v.Portals[i]
		if s.drawn(p.ID, p.Hidden, k&tool.Portals != 0) && f.Box(p.Box) != geom.Outside {
			s.appendPortal(dst, p)
		}
	}
}

// drawn tells whether something is drawn: it is shown, or stands out.
func (s *Session) drawn(id document.ID, hidden, shown bool) bool {
	return !hidden && (shown || s.Highlight(id) == Selected)
}

// visibilityPen is how something is drawn.
func (s *Session) visibilityPen(id document.ID, c color.NRGBA) overlay.Pen {
	pen := overlay.Pen{Colour: c, Width: 1.5, Depth: overlay.Faint}
	switch s.Highlight(id) {
	case Selected:
		pen.Colour, pen.Width = accentColour, 2.5
	case Hovered:
		pen.Width = 2.5
	}
	return pen
}

func (s *Session) appendOccluder(dst *overlay.Shapes, o *scene.Occluder) {
	pen := s.visibilityPen(o.ID, OccluderColour)
	switch {
	case o.Fault != nil:
		s.appendFaulty(dst, o.ID)
		return
	case o.Off:
		pen = pen.WithAlpha(idleAlpha)
	case len(o.Doors) > 0:
		pen.Colour = faultyColour
	}
	dashed := !o.Hides()
	if o.Hull != nil {
		s.appendHull(dst, o.Hull, pen, dashed)
		return
	}
	s.appendOutline(dst, o.Polygon, pen, dashed)
	if o.Hole == nil {
		dst.Polygon(o.Polygon, pen.WithAlpha(faceAlpha))
		return
	}
	s.appendOutline(dst, o.Hole, pen, dashed)
	dst.Polygon(bridged(o.Polygon, o.Hole), pen.WithAlpha(faceAlpha))
}

// bridged is a polygon with a hole as one outline: it goes to the hole and back along a
// line that crosses neither.
func bridged(outer, hole []mgl64.Vec3) []mgl64.Vec3 {
	plane, ok := hull.PolygonPlane(outer)
	inner, has := hull.PolygonPlane(hole)
	if !ok || !has {
		return outer
	}
	a, b, best := 0, 0, -1.0
	for i, p := range outer {
		for k, q := range hole {
			// The shortest bridge crosses nothing.
			if l := p.Sub(q).Len(); best < 0 || l < best {
				a, b, best = i, k, l
			}
		}
	}
	out := append([]mgl64.Vec3(nil), outer[:a+1]...)
	step := 1
	if plane.N.Dot(inner.N) > 0 {
		step = len(hole) - 1 // the other way round
	}
	for i, k := 0, b; i <= len(hole); i, k = i+1, (k+step)%len(hole) {
		out = append(out, hole[k])
	}
	return append(out, outer[a:]...)
}

func (s *Session) appendCell(dst *overlay.Shapes, c *scene.Cell) {
	pen := s.visibilityPen(c.ID, CellColour)
	if c.Fault != nil {
		s.appendFaulty(dst, c.ID)
	}
	for _, h := range c.Pieces {
		s.appendHull(dst, h, pen, false)
	}
}

// portalColour is that of a portal's state.
func portalColour(st portal.State) color.NRGBA {
	switch st {
	case portal.Closed:
		return ClosedColour
	case portal.OneWay:
		return OneWayColour
	}
	return OpenColour
}

func (s *Session) appendPortal(dst *overlay.Shapes, p *scene.Portal) {
	pen := s.visibilityPen(p.ID, portalColour(p.State))
	face := pen
	face.Colour = portalColour(p.State)
	s.appendOutline(dst, p.Polygon, pen, p.From == p.To)
	if !dst.Polygon(p.Polygon, face.WithAlpha(doorAlpha)) {
		return
	}
	if p.State == portal.OneWay || s.Highlight(p.ID) == Selected {
		plane, ok := hull.PolygonPlane(p.Polygon)
		if !ok {
			return
		}
		at := middleOf(p.Polygon)
		l := s.View.metres(at, arrowSize)
		dst.Arrow(at.Add(plane.N.Mul(l/2)), at.Sub(plane.N.Mul(l/2)), l/3, pen)
	}
}

// arrowSize is how long the arrow through a portal is, in dp: it goes from its front to
// its back.
const arrowSize = 44

func middleOf(points []mgl64.Vec3) (c mgl64.Vec3) {
	for _, p := range points {
		c = c.Add(p.Mul(1 / float64(len(points))))
	}
	return c
}

// appendHull draws the edges and, faintly, the faces of a hull.
func (s *Session) appendHull(dst *overlay.Shapes, h *hull.Hull, pen overlay.Pen, dashed bool) {
	s.edges = h.AppendEdges(s.edges[:0])
	for _, e := range s.edges {
		s.appendEdge(dst, h.Vertices[e.From], h.Vertices[e.To], pen, dashed)
	}
	face := pen.WithAlpha(faceAlpha)
	for _, f := range h.Faces {
		for i := 2; i < len(f); i++ {
			dst.Triangle(h.Vertices[f[0]], h.Vertices[f[i-1]], h.Vertices[f[i]], face)
		}
	}
}

func (s *Session) appendOutline(dst *overlay.Shapes, points []mgl64.Vec3, pen overlay.Pen, dashed bool) {
	for i, p := range points {
		s.appendEdge(dst, p, points[(i+1)%len(points)], pen, dashed)
	}
}

// A dash and the gap behind it are so long, in dp, and an edge has no more than mostDashes.
const (
	dashSize   = 10
	mostDashes = 40
)

// appendEdge draws a line, in dashes for what does not count.
func (s *Session) appendEdge(dst *overlay.Shapes, a, b mgl64.Vec3, pen overlay.Pen, dashed bool) {
	if !dashed {
		dst.Line(a, b, pen)
		return
	}
	d := b.Sub(a)
	n := mostDashes
	if step := s.View.metres(a.Add(b).Mul(0.5), dashSize); step > 0 {
		n = int(min(max(d.Len()/step, 1), mostDashes))
	}
	for i := range n {
		from, to := float64(i)/float64(n), (float64(i)+0.6)/float64(n)
		dst.Line(a.Add(d.Mul(from)), a.Add(d.Mul(to)), pen)
	}
}

// appendFaulty draws the corners of what makes no solid, one after the other.
func (s *Session) appendFaulty(dst *overlay.Shapes, id document.ID) {
	e, ok := s.Level().Entity(id)
	if !ok {
		return
	}
	world, _ := s.Level().World(id)
	pen := s.visibilityPen(id, faultyColour)
	draw := func(points []mgl64.Vec3) {
		var last mgl64.Vec3
		for i, p := range points {
			q := mgl64.TransformCoordinate(p, world)
			dst.Cross(q, s.View.metres(q, markerSize/2), pen)
			if i > 0 {
				s.appendEdge(dst, last, q, pen, true)
			}
			last = q
		}
	}
	switch d := e.Data.(type) {
	case document.Occluder:
		draw(d.Points)
	case document.Cell:
		for _, p := range d.Pieces {
			if _, err := hull.Of(p); err != nil {
				draw(p)
			}
		}
	}
}

// appendVisibilityNames writes the names of what is selected or under the pointer.
func (s *Session) appendVisibilityNames(dst *overlay.Shapes) {
	v, k := s.scene.Visibility(), s.shownKinds()
	label := func(id document.ID, b geom.Box, shown bool, c color.NRGBA) {
		h := s.Highlight(id)
		e, ok := s.Level().Entity(id)
		if !ok || b.IsEmpty() || h == Plain || h == Hovered && !shown || e.Name == "" {
			return
		}
		if h == Selected {
			c = accentColour
		}
		at := b.Center()
		at[1] = b.Max[1]
		if h == Selected { // above the handles, which lie at the middle
			up := s.View.Rig.Up()
			if low := s.View.metres(b.Center(), gizmo.ArmLength+10) - at.Sub(b.Center()).Dot(up); low > 0 {
				at = at.Add(up.Mul(low))
			}
		}
		dst.Label(at, e.Name, c)
	}
	ids := s.Selection()
	if s.hovered != 0 {
		ids = append(ids[:len(ids):len(ids)], s.hovered)
	}
	for _, id := range ids {
		if i, ok := v.Occluder(id); ok {
			label(id, v.Occluders[i].Box, k&tool.Occluders != 0, OccluderColour)
		}
		if i, ok := v.Cell(id); ok {
			label(id, v.Cells[i].Box, k&tool.Cells != 0, CellColour)
		}
		if i, ok := v.Portal(id); ok {
			label(id, v.Portals[i].Box, k&tool.Portals != 0, portalColour(v.Portals[i].State))
		}
	}
}
