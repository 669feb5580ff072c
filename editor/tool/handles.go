package tool

import (
	"fmt"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/gizmo"
	"ridgeline/viewport/overlay"
)

// Handles are those of what is selected: they move, turn and scale it.
type Handles struct {
	Mode     gizmo.Mode
	Local    bool // along the axes of the thing instead of the world's
	Snapping *Snapping
	Env      *command.Env // whose selection it is
}

// SetMode chooses what the handles do: "move", "rotate" or "scale".
func (h *Handles) SetMode(name string) error {
	m, ok := map[string]gizmo.Mode{"move": gizmo.Move, "rotate": gizmo.Rotate, "scale": gizmo.Scale}[name]
	if !ok {
		return fmt.Errorf("there are no handles %q", name)
	}
	h.Mode = m
	return nil
}

// ModeName is the name of what the handles do.
func (h *Handles) ModeName() string { return [...]string{"move", "rotate", "scale"}[h.Mode] }

// selected is what is selected.
func (h *Handles) selected() []document.ID {
	if h.Env == nil {
		return nil
	}
	return h.Env.View.Selection
}

// held is what the handles move: what is selected, still there, and not locked.
func (h *Handles) held(l *document.Level) []document.ID {
	var out []document.ID
	for _, id := range h.selected() {
		if e, ok := l.Entity(id); ok {
			if _, locked := l.Effective(e); !locked {
				out = append(out, id)
			}
		}
	}
	return out
}

// gizmo is the gizmo of what is selected.
func (h *Handles) gizmo(l *document.Level) (g gizmo.Gizmo, ids []document.ID, ok bool) {
	ids = h.held(l)
	if len(ids) == 0 {
		return g, nil, false
	}
	g.Mode = h.Mode
	g.Origin = command.Pivot(l, ids)
	world, _ := l.World(ids[0])
	if !document.InReach(g.Origin[:]...) || !document.InReach(world[:]...) {
		return g, nil, false // nowhere that could be seen
	}
	if h.Local || h.Mode == gizmo.Scale {
		g.Orientation = turnOf(world)
	}
	if h.Local {
		g.Space = gizmo.Local
	}
	return g, ids, true
}

// turnOf is the rotation of a matrix that may scale and mirror.
func turnOf(m mgl64.Mat4) mgl64.Quat {
	x, y, z := m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()
	if x.Cross(y).Dot(z) < 0 {
		x = x.Mul(-1)
	}
	x = x.Normalize()
	y = y.Sub(x.Mul(x.Dot(y))).Normalize()
	q := mgl64.Mat4ToQuat(mgl64.Mat3FromCols(x, y, x.Cross(y)).Mat4()).Normalize()
	if !(math.Abs(q.Len()-1) < 1e-3) {
		return mgl64.QuatIdent() // of something without any size
	}
	return q
}

func viewOf(in Input) gizmo.View {
	return gizmo.View{Camera: in.Camera, Size: in.Size, Scale: in.Scale}
}

// hover is the handle under the pointer; 0 for none.
func (h *Handles) hover(l *document.Level, in Input) int {
	g, _, ok := h.gizmo(l)
	if !ok {
		return 0
	}
	return int(g.Hover(in.Ray, viewOf(in)))
}

// press takes hold of the handle under the pointer.
func (h *Handles) press(env *command.Env, in Input) (Drag, error) {
	l := env.Doc.Level()
	g, ids, ok := h.gizmo(l)
	if !ok {
		return nil, nil
	}
	d, ok := g.Begin(g.Hover(in.Ray, viewOf(in)), in.Ray, viewOf(in))
	if !ok {
		return nil, nil
	}
	verb := [...]string{"Move", "Rotate", "Scale"}[h.Mode]
	return &handling{
		handles: h, env: env, drag: d, ids: ids, start: l, in: in,
		open: env.Doc.Begin(nameOf(verb, l, ids)),
	}, nil
}

// nameOf is what history calls an edit of some entities.
func nameOf(verb string, l *document.Level, ids []document.ID) string {
	if len(ids) == 1 {
		if e, ok := l.Entity(ids[0]); ok && e.Name != "" {
			return verb + " " + e.Name
		}
		return verb + " a thing"
	}
	return fmt.Sprintf("%s %d things", verb, len(ids))
}

// AppendShapes implements Shaper for the handles at rest.
func (s *Select) AppendShapes(dst *overlay.Shapes, l *document.Level, in Input) {
	h := &s.Handles
	if g, _, ok := h.gizmo(l); ok {
		g.Append(dst, viewOf(in), g.Hover(in.Ray, viewOf(in)), nil)
	}
}

// handling is a handle that is held. What the pointer does shows with the next
// Tick; typed numbers count instead of the pointer.
type handling struct {
	handles *Handles
	env     *command.Env
	drag    *gizmo.Drag
	ids     []document.ID
	start   *document.Level
	open    *document.Open
	in      Input
	stale   bool
}

// Move implements Drag.
func (d *handling) Move(in Input) error {
	d.in, d.stale = in, true
	return nil
}

// Type takes a key of a number that counts instead of the pointer, and tells
// whether it has a use.
func (d *handling) Type(r rune) bool {
	d.stale = true
	return d.drag.Type(r)
}

// Backspace takes back the last key.
func (d *handling) Backspace() bool {
	d.stale = true
	return d.drag.Backspace()
}

// Tab goes on to the next axis.
func (d *handling) Tab() {
	d.stale = true
	d.drag.Tab()
}

// Tick implements Drag.
func (d *handling) Tick(time.Duration) error {
	if !d.stale {
		return nil
	}
	d.stale = false
	t := d.drag.Move(d.in.Ray, viewOf(d.in), d.snap())
	err := d.open.Step(func(tx *document.Tx) error { return d.apply(tx, t) })
	if err != nil {
		d.open.Cancel()
	}
	return err
}

// apply puts what is held where the transform leads from the start of the drag:
// scaled, then turned, then moved.
func (d *handling) apply(tx *document.Tx, t gizmo.Transform) error {
	list := command.Scaled(d.start, d.ids, t.Scale, t.Pivot)
	if len(d.ids) > 1 && t.Scale != (mgl64.Vec3{1, 1, 1}) {
		// Several things keep their shape: they grow about the pivot along its axes.
		list = scaledAlong(d.start, d.ids, t)
	}
	if err := putAll(tx, list); err != nil {
		return err
	}
	if t.Angle != 0 || t.Rotation != mgl64.QuatIdent() && t.Rotation != (mgl64.Quat{}) {
		if err := putAll(tx, command.Rotated(tx.Level(), d.ids, t.Rotation, t.Pivot)); err != nil {
			return err
		}
	}
	if t.Translation != (mgl64.Vec3{}) {
		return putAll(tx, command.Moved(tx.Level(), d.ids, t.Translation))
	}
	return nil
}

// scaledAlong scales several things: their places along the gizmo's axes, and each
// along its own.
func scaledAlong(l *document.Level, ids []document.ID, t gizmo.Transform) []document.Entity {
	out := command.Scaled(l, ids, t.Scale, t.Pivot)
	for i := range out {
		e, _ := l.Entity(out[i].ID)
		parent := mgl64.Ident4()
		if e.Parent != 0 {
			parent, _ = l.World(e.Parent)
		}
		from := mgl64.TransformCoordinate(e.Translation, parent)
		scale := gizmo.Transform{Pivot: t.Pivot, Axes: t.Axes, Scale: t.Scale, Rotation: mgl64.QuatIdent()}
		out[i].Translation = mgl64.TransformCoordinate(scale.Point(from), parent.Inv())
	}
	return out
}

func putAll(tx *document.Tx, list []document.Entity) error {
	for _, e := range list {
		if err := tx.Put(e); err != nil {
			return err
		}
	}
	return nil
}

// snap is what the drag snaps to. Ctrl turns it round.
func (d *handling) snap() gizmo.Snap {
	held := make(map[document.ID]bool, len(d.ids))
	for _, id := range d.ids {
		held[id] = true
	}
	return snapOf(d.handles.Snapping, &d.in, func(id document.ID) bool { return d.isHeld(held, id) })
}

// snapOf is what a drag snaps to, but things that skip reports true for.
func snapOf(s *Snapping, in *Input, skip func(document.ID) bool) gizmo.Snap {
	if s == nil || s.On == (in.Modifiers&Ctrl != 0) {
		return gizmo.Snap{}
	}
	out := gizmo.Snap{Grid: s.Grid, Absolute: true, Angle: s.Angle, Scale: s.Scale, Align: s.Align}
	item := func(it *scene.Item) bool { return skip(it.ID) }
	if s.Vertex {
		out.Vertices = func(dst []geom.Vec3, near *geom.Frustum) []geom.Vec3 {
			return appendCorners(in.Scene.AppendVertices(dst, near, item), in, near, skip)
		}
	}
	if s.Surface {
		out.Surface = func(r geom.Ray) (point, normal geom.Vec3, ok bool) {
			hit, ok := in.Scene.Pick(r, item)
			return hit.Point, hit.Normal, ok
		}
	}
	return out
}

// isHeld reports whether an entity moves with what is held.
func (d *handling) isHeld(held map[document.ID]bool, id document.ID) bool {
	for steps := 0; id != 0 && steps <= d.start.Len(); steps++ {
		if held[id] {
			return true
		}
		e, ok := d.start.Entity(id)
		if !ok {
			return false
		}
		id = e.Parent
	}
	return false
}

// AppendShapes implements Shaper.
func (d *handling) AppendShapes(dst *overlay.Shapes, _ *document.Level, in Input) {
	g := d.drag.Gizmo()
	g.Append(dst, viewOf(in), d.drag.Handle(), d.drag)
}

// Preview implements Drag.
func (d *handling) Preview() Preview { return Preview{Handle: int(d.drag.Handle())} }

// End implements Drag.
func (d *handling) End(now time.Duration) error {
	if err := d.Tick(now); err != nil {
		return err
	}
	return d.open.Commit()
}

// Cancel implements Drag.
func (d *handling) Cancel() { d.open.Cancel() }

// Typer is a drag that takes a number from the keyboard.
type Typer interface {
	Type(r rune) bool
	Backspace() bool
	Tab()
}
