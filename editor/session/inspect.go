package session

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/viewport/overlay"
)

// watch counts the changes of what stands in the level, for those who show it and
// keep what they found out.
type watch struct {
	level   *document.Level // that the counts are of
	things  int
	outline int

	selected []document.ID   // the selection that was found to be all there
	checked  *document.Level // … in this level

	point MarkerPoint
}

// MarkerPoint is one point of a marker.
type MarkerPoint struct {
	Marker document.ID // 0: none
	Point  int
}

// ChoosePoint has a point of a selected marker stand out in the view.
func (s *Session) ChoosePoint(p MarkerPoint) {
	if s.watch.point != p {
		s.watch.point = p
		s.View.touch()
	}
}

// appendPoint draws a ring around the point that is chosen.
func (s *Session) appendPoint(dst *overlay.Shapes) {
	p := s.watch.point
	m, ok := s.scene.Mark(p.Marker)
	if !ok || p.Point < 0 || p.Point >= len(m.Points) || s.Highlight(p.Marker) != Selected {
		return
	}
	at := m.Points[p.Point]
	dst.Circle(at, s.View.Rig.Forward(), 0.7*s.View.metres(at, markerSize), overlay.Pen{
		Colour: color.NRGBA{0xff, 0xff, 0xff, 0xff}, Width: 2, Depth: overlay.OnTop,
	})
}

// replaced takes a level that has nothing to do with the one before.
func (w *watch) replaced(l *document.Level) {
	w.level = l
	w.things++
	w.outline++
}

// changed takes the next level of a document.
func (w *watch) changed(l *document.Level, c *document.Change) {
	was := w.level
	w.level = l
	if len(c.Entities) > 0 || c.Assets || c.Settings {
		w.things++
	}
	if c.Settings && !slices.EqualFunc(was.Settings.EntityLayers, l.Settings.EntityLayers, func(a, b document.EntityLayer) bool {
		return a.Name == b.Name
	}) {
		w.outline++
		return
	}
	for _, id := range c.Entities {
		a, had := was.Entity(id)
		b, has := l.Entity(id)
		if had != has || had && (a.Parent != b.Parent || a.Name != b.Name || a.Layer != b.Layer) {
			w.outline++
			return
		}
	}
}

// ThingsVersion grows whenever an entity, an asset or a setting of the level
// changes.
func (s *Session) ThingsVersion() int { return s.watch.things }

// OutlineVersion grows whenever the outliner has other rows: something came, went,
// or has another name, parent or layer. What things look like doesn't count.
func (s *Session) OutlineVersion() int { return s.watch.outline }

// RunAll runs lines as one step of the history. When one fails, it is told, and
// nothing has changed.
func (s *Session) RunAll(name string, lines ...string) bool {
	if len(lines) == 1 {
		err := s.run(lines[0])
		s.Fail(err)
		return err == nil
	}
	defer s.inOrder()()
	open := s.Document().Begin(name)
	for _, line := range lines {
		if err := s.run(line); err != nil {
			open.Cancel()
			s.Fail(err)
			return false
		}
	}
	err := open.Commit()
	s.Fail(err)
	return err == nil
}

// Fixed tells why some entities cannot be changed: the level is read-only, or one
// of them is locked. own says that unlocking them themselves would help.
func (s *Session) Fixed(ids []document.ID) (why error, own bool) {
	if s.ReadOnly() {
		return errReadOnly, false
	}
	l := s.Level()
	locked, others := 0, 0
	var by string
	for _, id := range ids {
		e, ok := l.Entity(id)
		if !ok {
			continue
		}
		if _, is := l.Effective(e); !is {
			continue
		}
		if locked++; !e.Locked {
			others++
			by = lockedBy(l, e)
		}
	}
	own = locked > 0 && others == 0
	switch {
	case locked == 0:
		return nil, false
	case len(ids) > 1 && locked < len(ids):
		return fmt.Errorf("%d of %d are locked", locked, len(ids)), own
	case own:
		return errors.New("locked"), true
	case len(ids) > 1:
		return errors.New("all of them are locked"), false
	}
	return errors.New("locked by " + by), false
}

// lockedBy names what locks an entity that is not locked itself.
func lockedBy(l *document.Level, e *document.Entity) string {
	for steps := 0; steps <= l.Len(); steps++ {
		for i := range l.Settings.EntityLayers {
			if g := &l.Settings.EntityLayers[i]; g.Locked && g.Name == e.Layer && e.Layer != "" {
				return "the layer " + g.Name
			}
		}
		p, ok := l.Entity(e.Parent)
		if !ok {
			break
		}
		if p.Locked {
			return "its parent " + cmp.Or(p.Name, fmt.Sprint(p.ID))
		}
		e = p
	}
	return "what it is part of"
}

// FromTop orders entities so that none comes before one that it stands below.
func (s *Session) FromTop(ids []document.ID) []document.ID {
	l := s.Level()
	depth := make(map[document.ID]int, len(ids))
	for _, id := range ids {
		for e, ok := l.Entity(id); ok && e.Parent != 0 && depth[id] <= l.Len(); e, ok = l.Entity(e.Parent) {
			depth[id]++
		}
	}
	out := slices.Clone(ids)
	slices.SortStableFunc(out, func(a, b document.ID) int { return depth[a] - depth[b] })
	return out
}

// PlacedAt gives an entity of a level with one coordinate of its place in the world
// changed.
func PlacedAt(l *document.Level, id document.ID, axis int, at float64) (document.Entity, bool) {
	e, ok := l.Entity(id)
	if !ok {
		return document.Entity{}, false
	}
	c := *e
	if e.Parent == 0 {
		c.Translation[axis] = at // exactly
		return c, true
	}
	world, _ := l.World(id)
	var by mgl64.Vec3
	by[axis] = at - world[12+axis]
	return command.Moved(l, []document.ID{id}, by)[0], true
}

// MarkerPoints are the points of a marker in the world.
func MarkerPoints(l *document.Level, id document.ID) []mgl64.Vec3 {
	e, ok := l.Entity(id)
	if !ok {
		return nil
	}
	m, _ := e.Data.(document.Marker)
	world, _ := l.World(id)
	out := make([]mgl64.Vec3, len(m.Points))
	for i, p := range m.Points {
		out[i] = mgl64.TransformCoordinate(p, world)
	}
	return out
}

// MarkerSize is how long the outline of a marker is in metres, and of an area how
// much of the map it covers in square metres.
func MarkerSize(shape document.MarkerShape, points []mgl64.Vec3) (length, area float64) {
	for i := range points {
		p, q := points[i], points[(i+1)%len(points)]
		if i+1 < len(points) && shape != document.MarkerPoint || shape == document.MarkerArea {
			length += q.Sub(p).Len()
		}
		if shape == document.MarkerArea {
			// About the first point, so that far from the origin nothing is lost.
			p, q = p.Sub(points[0]), q.Sub(points[0])
			area += (p[0]*q[2] - q[0]*p[2]) / 2
		}
	}
	return length, math.Abs(area)
}

// LevelCounts tell what stands in a level.
type LevelCounts struct {
	Objects, Geometry, Groups int // objects that are no geometry, those that are, and groups
	Scatters, Points          int // … and what they strew
	Markers                   int
	Others                    map[document.Kind]int
	Hidden, Locked            int
}

// Count counts what stands in the level.
func (s *Session) Count() LevelCounts {
	l, c := s.Level(), LevelCounts{Others: map[document.Kind]int{}}
	for e := range l.Entities() {
		switch e.Kind {
		case document.KindObject:
			o, _ := document.ObjectOf(e)
			switch {
			case o.Asset == "":
				c.Groups++
			case o.Geometry:
				c.Geometry++
			default:
				c.Objects++
			}
		case document.KindScatter:
			w, _ := e.Data.(document.Scatter)
			c.Scatters++
			c.Points += len(w.Points)
		case document.KindMarker:
			c.Markers++
		default:
			c.Others[e.Kind]++
		}
		if e.Hidden {
			c.Hidden++
		}
		if e.Locked {
			c.Locked++
		}
	}
	return c
}

// MarkerColour is what a marker is drawn in, for its linear colour: the editor's
// own, where it has none.
func MarkerColour(c mgl64.Vec3) color.NRGBA { return srgb(c, markerColour) }

// MovedPoint gives a marker of a level with one coordinate of one of its points in
// the world changed.
func MovedPoint(l *document.Level, id document.ID, point, axis int, at float64) (document.Entity, bool) {
	e, ok := l.Entity(id)
	if !ok {
		return document.Entity{}, false
	}
	m, ok := e.Data.(document.Marker)
	if !ok || point < 0 || point >= len(m.Points) {
		return document.Entity{}, false
	}
	world, _ := l.World(id)
	p := mgl64.TransformCoordinate(m.Points[point], world)
	var by mgl64.Vec3
	by[axis] = at - p[axis]
	m.Points = slices.Clone(m.Points)
	m.Points[point] = m.Points[point].Add(solve(world.Mat3(), by))
	c := *e
	c.Data = m
	return c, true
}

// solve is the vector that a matrix makes v of, by Cramer's rule. mgl64 takes the
// matrices of small things for singular.
func solve(m mgl64.Mat3, v mgl64.Vec3) mgl64.Vec3 {
	a, b, c := m.Col(0), m.Col(1), m.Col(2)
	det := a.Dot(b.Cross(c))
	return mgl64.Vec3{v.Dot(b.Cross(c)), v.Dot(c.Cross(a)), v.Dot(a.Cross(b))}.Mul(1 / det)
}
