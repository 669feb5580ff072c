package tool

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/occluders/hull"
)

// Draft draws occluders, cells and portals. A drag draws a rectangle on what is under
// the pointer, portals on a face of a cell; with the form polygon, clicks draw corners,
// and Enter or a click on the first or last one ends them. What is to be solid is then
// pulled along the surface's normal, until a click, without a button. Esc gives up,
// and the last corner can be taken back.
//
// A click selects, and one selected thing shows its corners, edges and faces, which
// can be dragged; see corners.go.
type Draft struct {
	Name     string // of the mode
	Options  *Drafting
	Snapping *Snapping
	Handles  *Handles

	on        surface
	points    []mgl64.Vec3 // corners of the base so far, on the surface
	rectangle bool         // the base is one, and complete
	pulling   bool         // the base is complete and gets its height
	height    float64      // along the surface's normal; below 0 behind it
	pulledAt  float64      // where along the normal the pointer was when pulling began
	grasped   bool         // pulledAt is known
	from      Input        // when pulling began
	chosen    grip
	chosenAt  mgl64.Vec3 // where its middle was; elsewhere it is another
}

// ID implements Tool.
func (d *Draft) ID() string { return d.Name }

// Pending reports how many corners of something unfinished there are.
func (d *Draft) Pending() int { return len(d.points) }

// Pulling reports whether what is drawn gets its height at the moment.
func (d *Draft) Pulling() bool { return d.pulling }

// Solid reports whether what is drawn is pulled when its corners are complete.
func (d *Draft) Solid() bool { return !d.Options.flat() }

// kinds are those that the mode is for.
func (d *Draft) kinds() Kinds {
	if d.Options.What == document.KindOccluder {
		return Occluders
	}
	return Cells | Portals
}

// Hover implements Tool.
func (d *Draft) Hover(l *document.Level, in Input) Preview {
	switch {
	case d.pulling:
		d.pull(in)
		return Preview{Pull: d.height}
	case len(d.points) > 0:
		p, _ := d.next(in)
		return Preview{Center: p}
	}
	if g, h := d.grasp(l, in); h != 0 {
		return Preview{Handle: h}
	} else if g.kind != noGrip {
		return Preview{Grip: g.code()}
	}
	if id, ok := d.under(in); ok {
		return Preview{Entity: id}
	}
	return Preview{}
}

// under is what a click would select.
func (d *Draft) under(in Input) (document.ID, bool) {
	return shapeUnder(in, in.Shown&d.kinds(), true)
}

// surface is where the pointer would begin to draw.
func (d *Draft) surface(in Input) (surface, mgl64.Vec3, bool) {
	switch {
	case d.Options.What == document.KindPortal:
		return faceUnder(in)
	case d.Options.holes():
		return d.holed(in)
	}
	return surfaceOf(in, d.Snapping)
}

// holed is the plane of the flat occluder that is selected, where the pointer is on it.
func (d *Draft) holed(in Input) (s surface, at mgl64.Vec3, ok bool) {
	if in.Scene == nil {
		return s, at, false
	}
	id, ok := d.edited(in.Scene.Level())
	if !ok {
		return s, at, false
	}
	for _, p := range shapesOf(in.Scene, id) {
		if !p.flat() || p.hole {
			continue
		}
		n := p.plane.N
		if n.Dot(in.Ray.Dir) > 0 {
			n = n.Mul(-1)
		}
		s.owner = id
		s.stand(n, p.points[1].Sub(p.points[0]), p.points[0])
		at, ok = s.meet(in)
		return s, at, ok
	}
	return s, at, false
}

// next is where a further corner would be.
func (d *Draft) next(in Input) (mgl64.Vec3, bool) {
	p, ok := d.on.meet(in)
	if !ok {
		return p, false
	}
	return d.on.snapped(in, d.Snapping, p), true
}

// errNoCell is why no portal can be drawn.
var errNoCell = errors.New("there is no cell under the pointer; portals are drawn on the faces of cells, so draw a cell first")

// errNoHole is why no hole can be drawn.
var errNoHole = errors.New("no flat occluder is selected under the pointer; holes are drawn in one that is")

// noSurface is why nothing can be drawn where there is no surface; nil where that needs no
// words.
func (d *Draft) noSurface() error {
	switch {
	case d.Options.What == document.KindPortal:
		return errNoCell
	case d.Options.holes():
		return errNoHole
	}
	return nil
}

// Press implements Tool.
func (d *Draft) Press(env *command.Env, in Input) (Drag, error) {
	l := env.Doc.Level()
	switch {
	case d.pulling:
		d.pull(in)
		return nil, d.Finish(env)
	case len(d.points) > 0:
		return nil, d.click(env, in)
	}
	if g, h := d.grasp(l, in); h != 0 {
		return d.pressHandle(env, in)
	} else if sprouts(g, in) {
		return d.sprout(env, g, in)
	} else if g.kind != noGrip {
		return d.take(env, g, in)
	}
	s, at, ok := d.surface(in)
	if ok {
		at = s.snapped(in, d.Snapping, at)
	}
	return &drawing{tool: d, env: env, from: in, to: in, on: s, a: at, b: at, ok: ok}, nil
}

// click adds a corner, or ends the polygon.
func (d *Draft) click(env *command.Env, in Input) error {
	near := func(p mgl64.Vec3) bool {
		at, _, ok := in.Camera.Project(p, in.Size)
		return ok && at.Sub(in.Pixel).Len() < markRadius*in.Scale
	}
	if n := len(d.points); near(d.points[n-1]) || n > 2 && near(d.points[0]) {
		d.from = in
		return d.Finish(env)
	}
	if p, ok := d.next(in); ok {
		d.points = append(d.points, p)
	}
	return nil
}

// Finish goes on with what is drawn: a polygon with enough corners is made, or pulled;
// what is pulled is made. What cannot be is kept.
func (d *Draft) Finish(env *command.Env) error {
	switch {
	case len(d.points) == 0:
		return nil
	case d.pulling:
		return d.made(d.makeSolid(env))
	}
	if err := d.check(); err != nil {
		return err
	}
	if d.Options.flat() {
		return d.made(d.makeFlat(env))
	}
	d.beginPull(d.from)
	return nil
}

// made forgets what has become a thing.
func (d *Draft) made(err error) error {
	if err == nil {
		d.Abandon()
	}
	return err
}

// check tells why the corners make no base yet.
func (d *Draft) check() error {
	if n := len(d.points); n < 3 {
		return fmt.Errorf("%d corners are too few; at least 3 are needed", n)
	}
	p := d.outline()
	switch {
	case !hull.PolygonSimple(p):
		return errors.New("the outline crosses itself")
	case d.Options.What == document.KindOccluder && d.Options.flat():
	case !hull.PolygonConvex(p):
		if d.Options.What == document.KindPortal {
			return errors.New("a portal must be convex; draw several for another shape")
		}
		return errors.New("what is pulled to a solid must be convex; draw several, or keep it flat")
	}
	return nil
}

// outline is the base counter-clockwise seen from where the surface's normal points.
func (d *Draft) outline() []mgl64.Vec3 {
	p := slices.Clone(d.points)
	if plane, ok := hull.PolygonPlane(p); ok && plane.N.Dot(d.on.plane.N) < 0 {
		slices.Reverse(p)
	}
	return p
}

// Abandon gives up what is unfinished and reports whether there was anything.
func (d *Draft) Abandon() bool {
	had := len(d.points) > 0
	d.points, d.pulling, d.rectangle, d.grasped = nil, false, false, false
	return had
}

// Back takes the last step of what is unfinished back and reports whether there was
// one: the height, the last corner, or the rectangle.
func (d *Draft) Back() bool {
	switch {
	case len(d.points) == 0:
		return false
	case d.rectangle:
		return d.Abandon()
	case d.pulling:
		d.pulling, d.grasped = false, false
		return true
	}
	d.points = d.points[:len(d.points)-1]
	return true
}

// Height is how far what is drawn is pulled, in metres; below 0 behind the surface.
func (d *Draft) Height() float64 { return d.height }

// SetHeight pulls what is drawn to a height, and leaves the pointer out of it until it
// moves on from here.
func (d *Draft) SetHeight(h float64) {
	d.height = h
	d.grasped = false
}

// beginPull begins to pull what is drawn. An occluder on a thing goes into it, as far
// as the thing goes.
func (d *Draft) beginPull(in Input) {
	d.pulling, d.from, d.grasped = true, in, false
	d.height = d.Options.Height
	if d.Options.What == document.KindOccluder && d.on.depth > 0 {
		d.height = -d.on.depth
	}
}

// pull follows the pointer with the height.
func (d *Draft) pull(in Input) {
	if in.Scene == nil {
		return
	}
	at, ok := d.along(in)
	if !ok {
		return
	}
	if !d.grasped {
		// What the pointer does from here on counts.
		d.grasped, d.pulledAt = true, at-d.height
		d.from = in
		return
	}
	if in.Pixel == d.from.Pixel {
		return
	}
	h := at - d.pulledAt
	if s := d.Snapping; s != nil && s.On != (in.Modifiers&Ctrl != 0) && s.Grid > 0 {
		h = math.Round(h/s.Grid) * s.Grid
	}
	d.height = min(max(h, -MaxHeight), MaxHeight)
}

// along is where the pointer is along the normal: the point of the line through the
// last corner that is nearest to the line of sight. Seen along the normal, what the
// pointer moves up the screen counts.
func (d *Draft) along(in Input) (float64, bool) {
	n, r := d.on.plane.N, in.Ray.Dir.Normalize()
	foot := d.points[len(d.points)-1]
	if d.rectangle {
		foot = d.points[2]
	}
	b := n.Dot(r)
	if math.Abs(b) > 0.97 {
		return -in.Pixel[1] * metresAt(in, foot, 1) / in.Scale, true
	}
	w := foot.Sub(in.Ray.Origin)
	t := (b*w.Dot(r) - w.Dot(n)) / (1 - b*b)
	return t, !math.IsNaN(t) && !math.IsInf(t, 0)
}

// drawing is a rectangle on a surface, or a click.
type drawing struct {
	tool     *Draft
	env      *command.Env
	from, to Input
	on       surface
	a, b     mgl64.Vec3
	ok       bool // there is a surface
}

// moved tells that it is no click.
func (d *drawing) moved() bool {
	return d.to.Pixel.Sub(d.from.Pixel).Len() >= dragDistance*d.from.Scale
}

// Move implements Drag.
func (d *drawing) Move(in Input) error {
	d.to = in
	if p, ok := d.on.meet(in); d.ok && ok {
		d.b = d.on.snapped(in, d.tool.Snapping, p)
	}
	return nil
}

// Tick implements Drag.
func (d *drawing) Tick(time.Duration) error { return nil }

// Preview implements Drag.
func (d *drawing) Preview() Preview { return Preview{Center: d.b} }

// Cancel implements Drag.
func (d *drawing) Cancel() {}

// Note implements Noter.
func (d *drawing) Note() string { return "" }

// smallest is how long a side of a rectangle is at least, in metres.
const smallest = 1e-3

// End implements Drag.
func (d *drawing) End(time.Duration) error {
	t := d.tool
	if !d.moved() {
		return d.click()
	}
	if !d.ok {
		return t.noSurface()
	}
	r := d.on.rectangle(d.a, d.b)
	if r[0].Sub(r[1]).Len() < smallest || r[1].Sub(r[2]).Len() < smallest {
		return nil
	}
	t.on, t.points, t.rectangle = d.on, r, true
	t.chosen = grip{}
	if t.Options.flat() {
		err := t.makeFlat(d.env)
		t.Abandon()
		return err
	}
	t.beginPull(d.to)
	return nil
}

// click selects what is under the pointer, or begins a polygon.
func (d *drawing) click() error {
	t := d.tool
	if t.Options.clicks() && d.from.Modifiers&(Shift|Ctrl) == 0 {
		if !d.ok {
			return t.noSurface()
		}
		t.on, t.points, t.rectangle, t.chosen = d.on, []mgl64.Vec3{d.a}, false, grip{}
		return nil
	}
	var ids []document.ID
	if id, ok := t.under(d.from); ok {
		ids = []document.ID{id}
	}
	mods := d.from.Modifiers
	if t.Options.clicks() && len(d.env.View.Selection) == 0 {
		mods = 0
	}
	t.chosen = grip{}
	setSelection(d.env, combine(d.env.View.Selection, ids, mods))
	return nil
}
