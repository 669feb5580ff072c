package session

import (
	"fmt"

	"ridgeline/document"
	"ridgeline/editor/tool"
	"ridgeline/terrain/brush"
)

// Mode is what the left mouse button does.
type Mode string

// The modes.
const (
	ModeSelect   Mode = "select"
	ModeSculpt   Mode = "sculpt"
	ModePaint    Mode = "paint"
	ModeObject   Mode = "object"
	ModeOccluder Mode = "occluder"
	ModePortal   Mode = "portal" // and cells
	ModeMarker   Mode = "marker"
	ModeMeasure  Mode = "measure"
	ModeWalk     Mode = "walk"
)

// Modes are the modes of the toolbar, in order.
var Modes = []struct {
	Mode  Mode
	Title string
}{
	{ModeSelect, "Select"},
	{ModeSculpt, "Sculpt"},
	{ModePaint, "Paint"},
	{ModeObject, "Object"},
	{ModeOccluder, "Occluder"},
	{ModePortal, "Portal"},
	{ModeMarker, "Marker"},
	{ModeMeasure, "Measure"},
	{ModeWalk, "Walk"},
}

// SculptOps are the operations of the mode sculpt, in order.
var SculptOps = []brush.Op{brush.Raise, brush.Lower, brush.Smooth, brush.Flatten}

// SetMode changes the mode. An open stroke ends, and so does a marker in the making:
// what was clicked is kept.
func (s *Session) SetMode(m Mode) error {
	for _, known := range Modes {
		if known.Mode == m {
			s.EndDrag()
			s.View.resize.stop()
			if m != s.Mode {
				s.settleMarker()
				s.settleDraft()
			}
			s.View.walk.leave(s)
			s.Mode = m
			if m == ModeWalk {
				s.View.walk.enter(s)
			}
			s.View.touch()
			s.invalidate()
			return nil
		}
	}
	return fmt.Errorf("there is no mode %q", m)
}

// settleMarker ends a marker in the making, as somebody turned to something else: it
// is made of the corners that were clicked, if they are enough for its shape. What
// became of it is told.
func (s *Session) settleMarker() {
	n, shape := s.marker.Pending(), s.Marking.Shape
	switch {
	case n == 0:
		return
	case n < tool.FewestPoints(shape):
		s.marker.Abandon()
		s.Warn(fmt.Sprintf("The %s was given up: it had %s, and at least %d are needed.", shape, corners(n), tool.FewestPoints(shape)))
		return
	}
	if err := s.marker.Finish(s.Env); err != nil {
		s.marker.Abandon()
		s.Fail(err)
		return
	}
	for _, e := range s.Entities() {
		s.Say(fmt.Sprintf("The %s “%s” was finished with %s.", shape, e.Name, corners(n)))
	}
}

// settleDraft gives up an occluder, a cell or a portal in the making, as somebody
// turned to something else, and tells so.
func (s *Session) settleDraft() {
	for _, d := range []*tool.Draft{&s.occluder, &s.room} {
		if d.Abandon() {
			s.Warn(fmt.Sprintf("The %s was given up, as it was not finished.", d.Options.What))
		}
		d.Unchoose()
	}
}

// draft is the tool of the mode that draws occluders, or cells and portals; nil in
// others.
func (s *Session) draft() *tool.Draft {
	switch s.Mode {
	case ModeOccluder:
		return &s.occluder
	case ModePortal:
		return &s.room
	}
	return nil
}

// Draft is what the mode draws, with the options of it; nil in modes that draw no
// occluders, cells or portals.
func (s *Session) Draft() *tool.Draft { return s.draft() }

// building is a tool that makes something of several clicks.
type building interface {
	Pending() int
	Abandon() bool
	Back() bool
}

// unfinished is the tool with something in the making; nil when there is none.
func (s *Session) unfinished() building {
	for _, b := range []building{&s.marker, &s.occluder, &s.room} {
		if b.Pending() > 0 {
			return b
		}
	}
	return nil
}

func (s *Session) abandon() bool {
	b := s.unfinished()
	return b != nil && b.Abandon()
}

// HandlesShown reports whether the mode shows the handles of what is selected.
func (s *Session) HandlesShown() bool { return s.Mode == ModeSelect || s.draft() != nil }

func corners(n int) string {
	if n == 1 {
		return "1 corner"
	}
	return fmt.Sprintf("%d corners", n)
}

// Tool is the tool of the mode.
func (s *Session) Tool() tool.Tool {
	switch s.Mode {
	case ModeSculpt:
		return &s.Sculpt
	case ModePaint:
		return &s.Paint
	case ModeObject:
		if s.Strewing {
			return &s.scattering
		}
		return &s.placing
	case ModeOccluder, ModePortal:
		return s.draft()
	case ModeMarker:
		return &s.marker
	case ModeMeasure:
		return &s.Measure
	case ModeWalk:
		return walking{}
	}
	return &s.Picking
}

// Brushing reports whether the mode works with a brush that has a size.
func (s *Session) Brushing() bool {
	return s.Mode == ModeSculpt || s.Mode == ModePaint || s.Mode == ModeObject && s.Strewing
}

// StrengthSetting is the brush setting that the present tool takes its strength
// from.
func (s *Session) StrengthSetting() tool.Setting {
	if s.Mode == ModePaint {
		return tool.StrengthOf(brush.Paint)
	}
	return tool.StrengthOf(s.Sculpt.Op)
}

// The brush must cover a few samples, and should not cover the whole level.
const (
	leastSamples = 3  // radius in samples below which a brush is too small to use
	usualSamples = 12 // radius in samples of a brush that was too small or too large
	usualPart    = 60 // … but at least this part of the level, which is seen as a whole at first

	// Beyond this radius in samples a dab takes longer than a hand waits for. It can
	// be chosen, but nobody finds it set by what was done to another level.
	mostSamples = 100
)

// fitBrush gives the brush a size that makes sense on a level that was just
// opened, if it has not one already. The strength goes with it.
func (s *Session) fitBrush(l *document.Level) {
	w, d := l.Terrain.Extent()
	spacing := l.Terrain.Spacing()
	usual := max(usualSamples*spacing, max(w, d)/usualPart)
	if s.Brush.Radius >= leastSamples*spacing && s.Brush.Radius <= min(max(w, d)/2, max(2*usual, mostSamples*spacing)) {
		return
	}
	perRadius := s.Brush.Strength / s.Brush.Radius
	s.Brush.Set(tool.Radius, tool.Readable(usual))
	s.Brush.Set(tool.Strength, tool.Readable(perRadius*s.Brush.Radius))
}

// SliderRange is the part of a brush setting's range that a slider shows on the
// level: sizes go with the level's, so that the slider is fine where it is used.
func (s *Session) SliderRange(t tool.Setting) (low, high float64) {
	r := t.Range()
	w, d := s.Level().Terrain.Extent()
	spacing := s.Level().Terrain.Spacing()
	switch t {
	case tool.Radius:
		low, high = max(r.Min, spacing/2), max(w, d)/4
	case tool.Strength:
		low, high = spacing/10, max(w, d)/10
	default:
		return r.Low, r.High
	}
	return low, min(max(high, 10*low), r.Max)
}
