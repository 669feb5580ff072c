package icons

import (
	"fmt"
	"math"
	"slices"
)

// Size is the side of the square grid that all icons are drawn on.
const Size = 24

// Kind says how the numbers of a shape are read.
type Kind uint8

const (
	// Line is an open run of straight strokes: x, y of two or more points.
	Line Kind = iota
	// Poly is a closed run of straight strokes: x, y of three or more points.
	Poly
	// Fill is a filled polygon: x, y of three or more points.
	Fill
	// Rect is a stroked rectangle: x0, y0, x1, y1 and the corner radius.
	Rect
	// Block is a filled rectangle: x0, y0, x1, y1 and the corner radius.
	Block
	// Circle is a stroked circle: centre x, y and radius.
	Circle
	// Dot is a filled circle: centre x, y and radius.
	Dot
	// Arc is a stroked piece of a circle: centre x, y, radius, start and end
	// angle in degrees, growing clockwise on screen from the positive x axis.
	Arc
	// Curve is an open stroke of cubic Béziers: start x, y, then six numbers
	// (two control points and the end) for each piece.
	Curve
	// Loop is a Curve that ends where it starts.
	Loop
)

// Shape is one stroke or filled part of an icon, in grid units.
type Shape struct {
	Kind Kind
	P    []float32
}

// Icon is the list of shapes to draw, first one first.
type Icon []Shape

// Filled reports whether the shape is filled rather than stroked.
func (s Shape) Filled() bool { return s.Kind == Fill || s.Kind == Block || s.Kind == Dot }

// Bounds is the box of the shape's outline without its line width. Control
// points of curves count, so that the box may be somewhat too large.
func (s Shape) Bounds() (minX, minY, maxX, maxY float32) {
	p := s.P
	switch s.Kind {
	case Rect, Block:
		return p[0], p[1], p[2], p[3]
	case Circle, Dot, Arc:
		return p[0] - p[2], p[1] - p[2], p[0] + p[2], p[1] + p[2]
	}
	minX, minY, maxX, maxY = p[0], p[1], p[0], p[1]
	for i := 0; i+1 < len(p); i += 2 {
		minX, maxX = min(minX, p[i]), max(maxX, p[i])
		minY, maxY = min(minY, p[i+1]), max(maxY, p[i+1])
	}
	return minX, minY, maxX, maxY
}

// Validate checks that the shape has as many numbers as its kind asks for,
// that they are finite, and that sizes are positive.
func (s Shape) Validate() error {
	n := len(s.P)
	var ok bool
	switch s.Kind {
	case Line:
		ok = n >= 4 && n%2 == 0
	case Poly, Fill:
		ok = n >= 6 && n%2 == 0
	case Rect, Block, Arc:
		ok = n == 5
	case Circle, Dot:
		ok = n == 3
	case Curve, Loop:
		ok = n >= 8 && (n-2)%6 == 0
	default:
		return fmt.Errorf("icons: unknown shape kind %d", s.Kind)
	}
	if !ok {
		return fmt.Errorf("icons: shape kind %d with %d numbers", s.Kind, n)
	}
	for i, v := range s.P {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("icons: number %d of shape kind %d is %v", i, s.Kind, v)
		}
	}
	switch s.Kind {
	case Rect, Block:
		ok = s.P[2] > s.P[0] && s.P[3] > s.P[1] && s.P[4] >= 0
	case Circle, Dot, Arc:
		ok = s.P[2] > 0
	case Loop:
		ok = s.P[0] == s.P[n-2] && s.P[1] == s.P[n-1]
	}
	if !ok {
		return fmt.Errorf("icons: shape kind %d with impossible numbers %v", s.Kind, s.P)
	}
	return nil
}

// Lookup finds an icon by its name; ok is false when there is none.
func Lookup(name Name) (Icon, bool) {
	icon, ok := table[name]
	return icon, ok
}

// Names lists every icon, sorted.
func Names() []Name {
	names := make([]Name, 0, len(table))
	for n := range table {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
