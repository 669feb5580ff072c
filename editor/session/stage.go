package session

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/tool"
	"ridgeline/occluders/geom"
	"ridgeline/terrain/shade"
	"ridgeline/viewport/overlay"
)

// Scene is what stands in the level, up to date with it.
func (s *Session) Scene() *scene.Scene { return s.scene }

// Highlight says how a thing stands out.
type Highlight uint8

// The highlights.
const (
	Plain Highlight = iota
	Hovered
	Selected
)

// Highlight tells how an entity stands out: itself or something above it is
// selected, or under the pointer.
func (s *Session) Highlight(id document.ID) Highlight {
	if s.outlined == nil || s.outlinedLevel != s.Level() {
		selected := s.Selection() // which drops what is gone, and the outlines with it
		s.outlined, s.outlinedLevel = map[document.ID]Highlight{}, s.Level()
		for _, id := range selected {
			s.outline(id)
		}
	}
	if h := s.outlined[id]; h != Plain {
		return h
	}
	if h := s.hovered; h != 0 && (h == id || s.above(id, h)) {
		return Hovered
	}
	return Plain
}

func (s *Session) outline(id document.ID) {
	if s.outlined[id] == Selected {
		return
	}
	s.outlined[id] = Selected
	for c := range s.Level().Children(id) {
		s.outline(c.ID)
	}
}

// above reports whether an entity stands below another.
func (s *Session) above(id, ancestor document.ID) bool {
	for steps := 0; steps <= s.Level().Len(); steps++ {
		e, ok := s.Level().Entity(id)
		if !ok || e.Parent == 0 {
			return false
		}
		if id = e.Parent; id == ancestor {
			return true
		}
	}
	return false
}

// The colours of what is drawn over the level, sRGB.
var (
	boxColour    = color.NRGBA{0x9a, 0xb4, 0xd6, 0xb0}
	markerColour = color.NRGBA{0x5f, 0xc8, 0xf0, 0xff}
	accentColour = color.NRGBA{0xff, 0xc4, 0x4d, 0xff}
)

// AppendShapes draws what belongs to the editor over the level, as seen in a
// frustum: overlays, markers and what the tool shows.
func (s *Session) AppendShapes(dst *overlay.Shapes, f *geom.Frustum) {
	if s.Shown("overlay bounds") {
		s.appendBoxes(dst, f)
	}
	if s.Shown("overlay nodes") {
		s.Nodes.append(dst, f)
	}
	s.appendVisibility(dst, f)
	s.Suggestions.append(dst, f)
	s.Culling.append(dst, f)
	if s.Shown("overlay markers") {
		s.appendMarkers(dst, f)
		s.appendPoint(dst)
	}
	if shaper := s.shaper(); shaper != nil {
		shaper.AppendShapes(dst, s.Level(), s.hoverInput())
	}
}

func (s *Session) appendBoxes(dst *overlay.Shapes, f *geom.Frustum) {
	s.seen = s.scene.Tree().AppendVisible(s.seen[:0], f)
	items := s.scene.Items()
	for _, e := range s.seen {
		_, slot, chunk := s.scene.Entry(e)
		if chunk {
			continue // the renderer draws those of patches
		}
		it := &items[slot]
		pen := overlay.Pen{Colour: boxColour, Width: 1, Depth: overlay.Faint}
		if s.Highlight(it.ID) == Selected {
			pen.Colour = accentColour
		}
		dst.Box(it.Box, pen)
	}
}

// maxSigns bounds the points of markers that get a sign of their own in one picture.
// Further points of points are drawn as their stems alone, and further corners not.
const maxSigns = 2000

// appendMarkers draws the markers in sight: points as crosses on a stem, lines,
// and areas filled faintly.
func (s *Session) appendMarkers(dst *overlay.Shapes, f *geom.Frustum) {
	s.marksSeen = s.scene.AppendMarks(s.marksSeen[:0], f)
	signs := maxSigns
	for _, m := range s.marksSeen {
		pen := overlay.Pen{Colour: srgb(m.Color, markerColour), Width: 1.5, Depth: overlay.Faint}
		switch s.Highlight(m.ID) {
		case Selected:
			pen.Width, pen.Colour = 3, accentColour
		case Hovered:
			pen.Width = 2.5
		}
		switch m.Shape {
		case document.MarkerLine:
			dst.Polyline(m.Points, false, pen)
		case document.MarkerArea:
			dst.Polyline(m.Points, true, pen)
			dst.Polygon(m.Points, pen.WithAlpha(0.18))
		}
		for _, p := range m.Points {
			size := s.View.metres(p, markerSize)
			tip := p.Add(mgl64.Vec3{0, 2 * size, 0})
			if !f.Point(p) && !f.Point(tip) {
				continue
			}
			signs--
			switch {
			case m.Shape != document.MarkerPoint && signs >= 0:
				dst.Cross(p, size/2, pen)
			case m.Shape == document.MarkerPoint:
				dst.Line(p, tip, pen)
				if signs >= 0 {
					dst.Cross(tip, size, pen)
					dst.Circle(p, mgl64.Vec3{0, 1, 0}, size/2, pen)
				}
			}
		}
	}
}

// appendMarkerNames writes the names of the markers in sight that stand out.
func (s *Session) appendMarkerNames(dst *overlay.Shapes, f *geom.Frustum) {
	s.marksSeen = s.scene.AppendMarks(s.marksSeen[:0], f)
	for _, m := range s.marksSeen {
		if m.Name == "" || len(m.Points) == 0 {
			continue
		}
		var colour color.NRGBA
		switch s.Highlight(m.ID) {
		case Selected:
			colour = accentColour
		case Hovered:
			colour = srgb(m.Color, markerColour)
		default:
			continue
		}
		p := m.Points[0]
		dst.Label(p.Add(mgl64.Vec3{0, 2.6 * s.View.metres(p, markerSize), 0}), m.Name, colour)
	}
}

// markerSize is how large the sign of a marker's point is, in dp.
const markerSize = 16

// srgb is a linear colour as it is drawn, or another where it is zero.
func srgb(c mgl64.Vec3, other color.NRGBA) color.NRGBA {
	if c == (mgl64.Vec3{}) {
		return other
	}
	return color.NRGBA{shade.SRGB(float32(c[0])), shade.SRGB(float32(c[1])), shade.SRGB(float32(c[2])), 0xff}
}

// metres is how long something is at a point of the world that covers dp on the
// screen.
func (v *View) metres(at mgl64.Vec3, dp float64) float64 {
	scale := v.Rig.Camera.ScreenScale(v.sizeVec()[1])
	px := dp * float64(max(v.scale, 0.1))
	if v.Rig.Camera.Ortho {
		return px / scale
	}
	depth := at.Sub(v.Rig.Eye).Dot(v.Rig.Forward())
	return px * max(depth, v.Rig.Camera.Near) / scale
}

// hoverInput is the pointer where it is now.
func (s *Session) hoverInput() tool.Input {
	v := &s.View
	return s.inputAt(v.pointer, v.mods, v.clock)
}

// Label is a text at a pixel of the viewport.
type Label struct {
	At     mgl64.Vec2
	Text   string
	Colour color.NRGBA
}

// Labels are the texts over the level, for the interface to write. The result is
// valid until the next call.
func (s *Session) Labels() []Label {
	v := &s.View
	s.labelled.Reset()
	f := v.Rig.Camera.Frustum(v.sizeVec())
	if s.Shown("overlay markers") {
		s.appendMarkerNames(&s.labelled, &f)
	}
	s.appendVisibilityNames(&s.labelled)
	s.Culling.appendLabels(&s.labelled)
	if shaper := s.shaper(); shaper != nil {
		shaper.AppendShapes(&s.labelled, s.Level(), s.hoverInput())
	}
	s.labels = s.labels[:0]
	for _, l := range s.labelled.Labels {
		if p, _, ok := v.Rig.Camera.Project(l.At, v.sizeVec()); ok {
			s.labels = append(s.labels, Label{p, l.Text, l.Colour})
		}
	}
	return s.labels
}

// shaper is what draws over the level at the moment: the drag, or else the tool.
func (s *Session) shaper() tool.Shaper {
	if s.drag != nil {
		shaper, _ := s.drag.(tool.Shaper)
		return shaper
	}
	shaper, _ := s.Tool().(tool.Shaper)
	return shaper
}

// Marquee is the rectangle that is being drawn to select what is in it.
func (s *Session) Marquee() (tool.Marquee, bool) {
	if d, ok := s.drag.(interface{ Marquee() (tool.Marquee, bool) }); ok {
		return d.Marquee()
	}
	return tool.Marquee{}, false
}
