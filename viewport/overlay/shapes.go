package overlay

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"
)

// Depth says what a shape does where the level is nearer to the eye.
type Depth uint8

// What can be done there.
const (
	Tested Depth = iota // it is hidden
	OnTop               // it is drawn all the same
	Faint               // it is drawn faintly
)

// Segment is a straight line.
type Segment struct {
	A, B   mgl64.Vec3 // world
	Colour color.NRGBA
	Width  float32 // dp
	Depth  Depth
}

// Facet is a filled triangle, seen from both sides and blended with what is behind
// it. It takes no light.
type Facet struct {
	P      [3]mgl64.Vec3 // world
	Colour color.NRGBA
	Depth  Depth
}

// Label is a text that the interface writes at a place.
type Label struct {
	At     mgl64.Vec3 // world
	Text   string
	Colour color.NRGBA
}

// Pen is how a shape is drawn. Filled shapes have no use for its width.
type Pen struct {
	Colour color.NRGBA
	Width  float32 // dp
	Depth  Depth
}

// WithAlpha gives the pen with its opacity multiplied by 0–1.
func (p Pen) WithAlpha(a float64) Pen {
	p.Colour.A = uint8(float64(p.Colour.A)*min(max(a, 0), 1) + 0.5)
	return p
}

// Shapes are what to draw, in this order: what is tested or faint before what is on
// top, facets before segments, and else as they were appended. The zero value is
// empty. It is not safe for concurrent use.
type Shapes struct {
	Segments []Segment
	Facets   []Facet
	Labels   []Label

	ears  ears
	round []mgl64.Vec3
}

// Reset empties the shapes and keeps their memory.
func (s *Shapes) Reset() {
	clear(s.Labels) // lets go of the texts
	s.Segments, s.Facets, s.Labels = s.Segments[:0], s.Facets[:0], s.Labels[:0]
}

// Empty tells whether there is nothing to draw; s may be nil.
func (s *Shapes) Empty() bool {
	return s == nil || len(s.Segments) == 0 && len(s.Facets) == 0 && len(s.Labels) == 0
}

// Append appends the shapes of another value.
func (s *Shapes) Append(o *Shapes) {
	s.Segments = append(s.Segments, o.Segments...)
	s.Facets = append(s.Facets, o.Facets...)
	s.Labels = append(s.Labels, o.Labels...)
}

// Line appends a segment.
func (s *Shapes) Line(a, b mgl64.Vec3, p Pen) {
	s.Segments = append(s.Segments, Segment{a, b, p.Colour, p.Width, p.Depth})
}

// Triangle appends a facet.
func (s *Shapes) Triangle(a, b, c mgl64.Vec3, p Pen) {
	s.Facets = append(s.Facets, Facet{[3]mgl64.Vec3{a, b, c}, p.Colour, p.Depth})
}

// Quad appends the two facets of a quadrilateral whose corners are given in turn.
func (s *Shapes) Quad(a, b, c, d mgl64.Vec3, p Pen) {
	s.Triangle(a, b, c, p)
	s.Triangle(a, c, d, p)
}

// Label appends a text.
func (s *Shapes) Label(at mgl64.Vec3, text string, c color.NRGBA) {
	s.Labels = append(s.Labels, Label{at, text, c})
}
