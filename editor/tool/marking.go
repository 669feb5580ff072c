package tool

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/terrain/shade"
	"ridgeline/viewport/overlay"
)

// FewestPoints is how many points a marker of a shape has at least.
func FewestPoints(shape document.MarkerShape) int {
	switch shape {
	case document.MarkerLine:
		return 2
	case document.MarkerArea:
		return 3
	}
	return 1
}

// Marker places markers: a click a point; lines and areas take a click a corner
// and end with Enter, a click on the last corner, or, of an area, on the first.
// Esc gives up what is not finished.
type Marker struct {
	Options *Marking

	points []mgl64.Vec3 // corners so far
}

// ID implements Tool.
func (*Marker) ID() string { return "marker" }

// Hover implements Tool.
func (*Marker) Hover(_ *document.Level, in Input) Preview {
	hit, ok := in.Scene.Pick(in.Ray, nil)
	return Preview{OK: ok, Center: hit.Point, Radius: metresAt(in, hit.Point, 6)}
}

// Pending reports how many corners of an unfinished marker there are.
func (m *Marker) Pending() int { return len(m.points) }

// errNoGround is why no corner of a marker is set.
var errNoGround = errors.New("there is neither ground nor a thing under the pointer for a marker to stand on")

// Press implements Tool.
func (m *Marker) Press(env *command.Env, in Input) (Drag, error) {
	hit, ok := in.Scene.Pick(in.Ray, nil)
	if !ok {
		return nil, errNoGround
	}
	if m.Options.Shape == document.MarkerPoint {
		m.points = []mgl64.Vec3{hit.Point}
		return nil, m.Finish(env)
	}
	near := func(p mgl64.Vec3) bool {
		at, _, ok := in.Camera.Project(p, in.Size)
		return ok && at.Sub(in.Pixel).Len() < markRadius*in.Scale
	}
	if n := len(m.points); n > 0 && (near(m.points[n-1]) || n > 2 && m.Options.Shape == document.MarkerArea && near(m.points[0])) {
		return nil, m.Finish(env)
	}
	m.points = append(m.points, hit.Point)
	return nil, nil
}

// Finish makes the marker of the corners so far; fewer than its shape needs are
// refused and kept.
func (m *Marker) Finish(env *command.Env) error {
	if len(m.points) == 0 {
		return nil
	}
	call := command.Call{ID: "marker.add"}
	with(&call, "kind", string(m.Options.Shape))
	with(&call, "name", freshName(env.Doc.Level(), map[document.MarkerShape]string{
		document.MarkerPoint: "Point", document.MarkerLine: "Line", document.MarkerArea: "Area",
	}[m.Options.Shape]))
	points := make([]string, len(m.points))
	for i, p := range m.points {
		points[i] = number(p[0]) + "," + number(p[1]) + "," + number(p[2])
	}
	with(&call, "points", strings.Join(points, ";"))
	if c := m.Options.Color; c != (mgl64.Vec3{}) {
		with(&call, "color", fmt.Sprintf("#%02x%02x%02x", shade.SRGB(float32(c[0])), shade.SRGB(float32(c[1])), shade.SRGB(float32(c[2]))))
	}
	if m.Options.Layer != "" {
		with(&call, "layer", m.Options.Layer)
	}
	if err := env.Registry.Run(context.Background(), env, call); err != nil {
		return err
	}
	m.points = m.points[:0]
	return nil
}

// freshName is a name that nothing in the level has: the word, or with a number.
func freshName(l *document.Level, word string) string {
	taken := make(map[string]struct{})
	for e := range l.Entities() {
		taken[e.Name] = struct{}{}
	}
	name := word
	for n := 2; ; n++ {
		if _, ok := taken[name]; !ok {
			return name
		}
		name = fmt.Sprintf("%s %d", word, n)
	}
}

// Abandon gives up an unfinished marker and reports whether there was one.
func (m *Marker) Abandon() bool {
	had := len(m.points) > 0
	m.points = m.points[:0]
	return had
}

// Back takes the last corner of an unfinished marker back and reports whether there
// was one.
func (m *Marker) Back() bool {
	had := len(m.points) > 0
	m.points = m.points[:max(0, len(m.points)-1)]
	return had
}

// pendingColour is that of a marker in the making.
var pendingColour = color.NRGBA{0xff, 0xc4, 0x4d, 0xff}

// AppendShapes implements Shaper.
func (m *Marker) AppendShapes(dst *overlay.Shapes, _ *document.Level, in Input) {
	if len(m.points) == 0 {
		return
	}
	pen := overlay.Pen{Colour: pendingColour, Width: 2, Depth: overlay.OnTop}
	points := append([]mgl64.Vec3(nil), m.points...)
	for _, p := range points {
		dst.Cross(p, metresAt(in, p, 6), pen)
	}
	if hit, ok := in.Scene.Pick(in.Ray, nil); ok {
		points = append(points, hit.Point)
	}
	dst.Polyline(points, false, pen)
	if m.Options.Shape == document.MarkerArea && len(points) > 2 {
		dst.Line(points[len(points)-1], points[0], pen.WithAlpha(0.4))
	}
}

var _ interface {
	Tool
	Shaper
} = (*Marker)(nil)
