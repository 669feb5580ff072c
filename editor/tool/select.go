package tool

import (
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/viewport/gizmo"
)

// Select picks things: by a click, the nearest triangle exactly, or with a
// rectangle. Shift adds, Ctrl takes out. A click takes the outermost group that
// what was hit stands in; another click on it the next group inside, and at last
// the thing itself. What is selected shows its handles, which move, turn and scale
// it.
type Select struct {
	Handles Handles
}

// ID implements Tool.
func (*Select) ID() string { return "select" }

// Hover implements Tool.
func (s *Select) Hover(l *document.Level, in Input) Preview {
	p := Preview{Handle: s.Handles.hover(l, in)}
	if p.Handle == 0 {
		if id, ok := s.target(l, in); ok {
			p.Entity = id
		}
	}
	return p
}

// Press implements Tool.
func (s *Select) Press(env *command.Env, in Input) (Drag, error) {
	if h := s.Handles.hover(env.Doc.Level(), in); h != 0 {
		return s.Handles.press(env, in)
	}
	return &picking{tool: s, env: env, from: in, to: in}, nil
}

// target is the entity that a click would select.
func (s *Select) target(l *document.Level, in Input) (document.ID, bool) {
	id, ok := under(l, in)
	if !ok {
		return 0, false
	}
	return grouped(l, id, s.Handles.selected()), true
}

// under is the entity under the pointer: a marker near it, an edge of an occluder, a
// cell or a portal that is shown, or else the thing that the ray meets first. A marker
// that a thing covers there comes after the thing that the pointer is on. Locked
// things are seen through.
func under(l *document.Level, in Input) (document.ID, bool) {
	if in.Scene == nil {
		return 0, false
	}
	locked := func(it *scene.Item) bool { return it.Locked }
	hit, ok := in.Scene.Pick(in.Ray, locked)
	mark, at, marked := markUnder(in)
	if marked && ok && hit.ID != 0 {
		cover, ok := in.Scene.Pick(in.Camera.Ray(at.pixel, in.Size), locked)
		marked = !ok || cover.ID == 0 || cover.Point.Sub(in.Camera.Eye).Dot(in.Camera.Forward()) >= at.depth*(1-coverSlack)
	}
	if marked {
		return mark, true
	}
	if id, ok := edgeUnder(in, in.Shown); ok {
		return id, true
	}
	if id, at, found := faceOf(in, in.Shown&^Cells); found && !(ok && hit.Distance < at) {
		return id, true
	}
	return hit.ID, ok && hit.ID != 0
}

// coverSlack is how far in front of a marker, as a part of the distance, a thing may
// be that it lies on.
const coverSlack = 0.01

// grouped goes from an entity up to the outermost group that it stands in, and from
// there down again past what is selected already.
func grouped(l *document.Level, id document.ID, selected []document.ID) document.ID {
	chain := []document.ID{id} // from the entity outwards
	for e, ok := l.Entity(id); ok && e.Parent != 0 && len(chain) <= l.Len(); {
		p, found := l.Entity(e.Parent)
		if !found || !document.IsGroup(p) {
			break
		}
		chain = append(chain, p.ID)
		e, ok = p, true
	}
	for i := len(chain) - 1; i > 0; i-- {
		if !slices.Contains(selected, chain[i]) && !slices.ContainsFunc(chain[:i], func(c document.ID) bool { return slices.Contains(selected, c) }) {
			return chain[i]
		}
	}
	return chain[0]
}

// markRadius is how near to a marker's sign the pointer must be, in dp.
const markRadius = 8

// sight is a point of the picture and how far away along the view, in metres, what is
// seen there.
type sight struct {
	pixel mgl64.Vec2
	depth float64
}

// markUnder is the marker whose sign or lines are nearest to the pointer, and where
// they are.
func markUnder(in Input) (document.ID, sight, bool) {
	f := in.Camera.Frustum(in.Size)
	best, at, found := markRadius*in.Scale, sight{}, document.ID(0)
	for _, m := range in.Scene.AppendMarks(nil, &f) {
		if m.Locked {
			continue
		}
		for i, p := range m.Points {
			a, da, ok := in.Camera.Project(p, in.Size)
			if !ok {
				continue
			}
			if d := a.Sub(in.Pixel).Len(); d < best {
				best, at, found = d, sight{a, da}, m.ID
			}
			var q mgl64.Vec3
			switch {
			case m.Shape == document.MarkerPoint:
				continue
			case i+1 < len(m.Points):
				q = m.Points[i+1]
			case m.Shape == document.MarkerArea:
				q = m.Points[0]
			default:
				continue
			}
			if b, db, ok := in.Camera.Project(q, in.Size); ok {
				t := alongSegment(in.Pixel, a, b)
				c := a.Add(b.Sub(a).Mul(t))
				if d := toSegment(in.Pixel, a, b); d < best {
					depth := da + t*(db-da)
					if !in.Camera.Ortho { // pixels run evenly over 1/depth
						depth = 1 / ((1-t)/da + t/db)
					}
					best, at, found = d, sight{c, depth}, m.ID
				}
			}
		}
	}
	return found, at, found != 0
}

// toSegment is the distance of p from the segment from a to b.
func toSegment(p, a, b mgl64.Vec2) float64 {
	return p.Sub(a.Add(b.Sub(a).Mul(alongSegment(p, a, b)))).Len()
}

// alongSegment is how far along from a to b, 0 to 1, the point nearest to p is.
func alongSegment(p, a, b mgl64.Vec2) float64 {
	d := b.Sub(a)
	if n := d.Dot(d); n > 0 {
		return min(max(p.Sub(a).Dot(d)/n, 0), 1)
	}
	return 0
}

// picking is a click, or a rectangle once the pointer has moved.
type picking struct {
	tool     *Select
	env      *command.Env
	from, to Input
}

// dragDistance is how far the pointer moves in dp before a click becomes a drag.
const dragDistance = 4

// Marquee is the rectangle that is drawn, if one is.
func (p *picking) Marquee() (Marquee, bool) {
	if p.to.Pixel.Sub(p.from.Pixel).Len() < dragDistance*p.from.Scale {
		return Marquee{}, false
	}
	return Marquee{p.from.Pixel, p.to.Pixel}, true
}

// Move implements Drag.
func (p *picking) Move(in Input) error { p.to = in; return nil }

// Tick implements Drag.
func (p *picking) Tick(time.Duration) error { return nil }

// Preview implements Drag.
func (p *picking) Preview() Preview { return Preview{} }

// Cancel implements Drag.
func (p *picking) Cancel() {}

// End implements Drag.
func (p *picking) End(time.Duration) error {
	l := p.env.Doc.Level()
	var ids []document.ID
	if m, ok := p.Marquee(); ok {
		ids = inside(l, p.from, m)
	} else if id, ok := p.tool.target(l, p.from); ok {
		ids = []document.ID{id}
	}
	setSelection(p.env, combine(p.env.View.Selection, ids, p.from.Modifiers))
	return nil
}

// inside are the entities of which a part is in the rectangle, groups instead of
// what stands in them.
func inside(l *document.Level, in Input, m Marquee) []document.ID {
	f := gizmo.Marquee(m.From, m.To, viewOf(in))
	locked := func(id document.ID) bool {
		e, ok := l.Entity(id)
		if !ok {
			return true
		}
		_, locked := l.Effective(e)
		return locked
	}
	var out []document.ID
	for _, id := range in.Scene.AppendInside(nil, &f) {
		if !locked(id) {
			out = append(out, grouped(l, id, nil))
		}
	}
	for _, id := range shapesInside(in, &f) {
		out = append(out, grouped(l, id, nil))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// combine is a selection after something was chosen: Shift adds, Ctrl takes out.
func combine(selection, chosen []document.ID, mods Modifiers) []document.ID {
	switch {
	case mods&Ctrl != 0:
		out := make(map[document.ID]struct{}, len(chosen))
		for _, id := range chosen {
			out[id] = struct{}{}
		}
		return slices.DeleteFunc(slices.Clone(selection), func(id document.ID) bool { _, ok := out[id]; return ok })
	case mods&Shift != 0:
		chosen = append(slices.Clone(selection), chosen...)
	}
	out := slices.Clone(chosen)
	slices.Sort(out)
	return slices.Compact(out)
}

func setSelection(env *command.Env, ids []document.ID) {
	env.View.Selection = ids
	if env.View.Changed != nil {
		env.View.Changed()
	}
}
