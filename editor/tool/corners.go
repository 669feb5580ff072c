package tool

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/gizmo"
)

// gripKind is what of a shape is taken hold of.
type gripKind uint8

const (
	noGrip gripKind = iota
	cornerGrip
	edgeGrip
	faceGrip
)

// grip is a corner, an edge or a face of a thing.
type grip struct {
	id    document.ID
	piece int
	hole  bool
	kind  gripKind
	index int
}

// code tells grips of one thing apart.
func (g grip) code() int {
	hole := 0
	if g.hole {
		hole = 1
	}
	return int(g.kind) + 4*hole + 8*(g.index+document.MaxCorners*3*g.piece)
}

// edited is the one thing whose corners show: the only one selected, of a kind of the
// mode, and not locked.
func (d *Draft) edited(l *document.Level) (document.ID, bool) {
	ids := d.Handles.held(l)
	if len(ids) != 1 || len(d.Handles.selected()) != 1 {
		return 0, false
	}
	e, _ := l.Entity(ids[0])
	switch d.Options.What {
	case document.KindOccluder:
		return e.ID, e.Kind == document.KindOccluder
	case document.KindPortal:
		return e.ID, e.Kind == document.KindPortal // drawn on cells, whose corners would be in the way
	}
	return e.ID, e.Kind == document.KindCell || e.Kind == document.KindPortal
}

// part is the shape that a grip belongs to.
func part(in Input, g grip) (shape, bool) {
	for _, s := range shapesOf(in.Scene, g.id) {
		if s.piece == g.piece && s.hole == g.hole {
			return s, true
		}
	}
	return shape{}, false
}

// of are the corners that a grip takes.
func (s *shape) of(g grip) (out []int) {
	switch g.kind {
	case cornerGrip:
		if g.index < len(s.points) {
			out = []int{g.index}
		}
	case edgeGrip:
		s.edges(func(i, a, b int) {
			if i == g.index {
				out = []int{a, b}
			}
		})
	case faceGrip:
		if s.hull != nil && g.index < len(s.hull.Faces) {
			for _, v := range s.hull.Faces[g.index] {
				out = append(out, int(v))
			}
		}
	}
	return out
}

// center is the middle of some corners.
func center(points []mgl64.Vec3, of []int) (c mgl64.Vec3) {
	for _, i := range of {
		c = c.Add(points[i].Mul(1 / float64(len(of))))
	}
	return c
}

// each calls see for each grip of the shape, but faces that facing reports false for.
func (s *shape) each(facing func(face int) bool, see func(grip)) {
	g := grip{id: s.id, piece: s.piece, hole: s.hole}
	g.kind = cornerGrip
	for i := range s.points {
		g.index = i
		see(g)
	}
	g.kind = edgeGrip
	s.edges(func(i, _, _ int) {
		g.index = i
		see(g)
	})
	if s.hull == nil {
		return
	}
	g.kind = faceGrip
	for i := range s.hull.Faces {
		if g.index = i; facing(i) {
			see(g)
		}
	}
}

// seen tells which faces are turned to the eye, or, of a hull around it, all.
func (s *shape) seen(eye mgl64.Vec3) func(face int) bool {
	inside := s.hull != nil && s.hull.Contains(eye, 0)
	return func(face int) bool { return inside || s.hull.Planes[face].Distance(eye) > 0 }
}

// gripUnder is the grip under the pointer: a corner before a face's middle, and that
// before an edge.
func (d *Draft) gripUnder(l *document.Level, in Input) (best grip, ok bool) {
	id, ok := d.edited(l)
	if !ok || in.Scene == nil {
		return grip{}, false
	}
	f := in.Camera.Frustum(in.Size)
	least, depth := math.Inf(1), math.Inf(1)
	for _, s := range shapesOf(in.Scene, id) {
		s.each(s.seen(in.Camera.Eye), func(g grip) {
			of := s.of(g)
			var away, far float64
			switch g.kind {
			case edgeGrip:
				var ok bool
				if away, ok = toEdge(in, &f, s.points[of[0]], s.points[of[1]]); !ok || away > edgeRadius*in.Scale {
					return
				}
			default:
				at, z, ok := in.Camera.Project(center(s.points, of), in.Size)
				if !ok {
					return
				}
				if away, far = at.Sub(in.Pixel).Len(), z; away > cornerRadius*in.Scale {
					return
				}
			}
			// Corners and faces' middles win over edges, which lead to them.
			if g.kind == edgeGrip {
				away += 1e3
			}
			if away < least-0.5 || away < least+0.5 && far < depth {
				least, depth, best = away, far, g
			}
		})
	}
	return best, best.kind != noGrip
}

// Chosen reports whether a corner, an edge or a face is chosen, which the handles move.
func (d *Draft) Chosen() bool { return d.chosen.kind != noGrip }

// Unchoose leaves the corners alone again, and reports whether one was chosen.
func (d *Draft) Unchoose() bool {
	had := d.Chosen()
	d.chosen = grip{}
	return had
}

// sameGrip is how far a grip may be from where it was chosen, in metres: corners are
// rounded to the tenth of a millimetre.
const sameGrip = 1e-3

// held is the shape and the corners that are chosen, if they are still there.
func (d *Draft) held(l *document.Level, in Input) (s shape, of []int, ok bool) {
	if id, is := d.edited(l); !is || d.chosen.kind == noGrip || d.chosen.id != id || in.Scene == nil {
		return s, nil, false
	}
	if s, ok = part(in, d.chosen); !ok {
		return s, nil, false
	}
	of = s.of(d.chosen)
	if len(of) == 0 || center(s.points, of).Sub(d.chosenAt).Len() > sameGrip {
		d.chosen = grip{} // the thing has changed, and this is not what was chosen
		return s, nil, false
	}
	return s, of, true
}

// faceAxes name the axes of a face and of a polygon, which are not the world's: the second
// is its normal.
var faceAxes = [3]string{"along", "out", "across"}

// gizmo is that of the chosen corners. Those of a polygon stay in its plane.
func (d *Draft) gizmo(s *shape, of []int) gizmo.Gizmo {
	g := gizmo.Gizmo{Frame: gizmo.Frame{Origin: center(s.points, of)}}
	switch {
	case s.flat():
		g.Space, g.Orientation = gizmo.Local, gizmo.AlignUp(mgl64.QuatIdent(), s.plane.N)
		g.Names = faceAxes
		g.Omit = g.Omit.With(gizmo.AxisY, gizmo.PlaneX, gizmo.PlaneZ, gizmo.Centre)
	case d.chosen.kind == faceGrip:
		g.Space, g.Orientation = gizmo.Local, gizmo.AlignUp(mgl64.QuatIdent(), s.hull.Planes[d.chosen.index].N)
		g.Names = faceAxes
	}
	return g
}

// hover is the handle under the pointer: of the chosen corners, or else of what is
// selected.
func (d *Draft) hover(l *document.Level, in Input) int {
	if s, of, ok := d.held(l, in); ok {
		g := d.gizmo(&s, of)
		return int(g.Hover(in.Ray, viewOf(in)))
	}
	return d.Handles.hover(l, in)
}

// grasp is what a press would take hold of: a handle, or else a grip. Corners and the
// middles of faces come before the handles that may lie over them, edges after.
func (d *Draft) grasp(l *document.Level, in Input) (g grip, handle int) {
	g, _ = d.gripUnder(l, in)
	if sprouts(g, in) || g.kind != noGrip && g.kind != edgeGrip && g != d.chosen {
		return g, 0
	}
	if h := d.hover(l, in); h != 0 {
		return grip{}, h
	}
	return g, 0
}

// pressHandle takes hold of the handle under the pointer.
func (d *Draft) pressHandle(env *command.Env, in Input) (Drag, error) {
	s, of, ok := d.held(env.Doc.Level(), in)
	if !ok {
		return d.Handles.press(env, in)
	}
	g := d.gizmo(&s, of)
	return d.bend(env, &s, of, g, g.Hover(in.Ray, viewOf(in)), in)
}

// take takes hold of a grip itself: a face is dragged along its normal, a corner or an
// edge along the screen, and those of polygons in their plane.
func (d *Draft) take(env *command.Env, g grip, in Input) (Drag, error) {
	s, ok := part(in, g)
	if !ok {
		return nil, nil
	}
	of := s.of(g)
	d.chosen, d.chosenAt = g, center(s.points, of)
	giz := d.gizmo(&s, of)
	h := gizmo.Centre
	switch {
	case s.flat():
		h = gizmo.PlaneY
	case g.kind == faceGrip:
		h = gizmo.AxisY
	}
	return d.bend(env, &s, of, giz, h, in)
}

func (d *Draft) bend(env *command.Env, s *shape, of []int, g gizmo.Gizmo, h gizmo.Handle, in Input) (Drag, error) {
	drag, ok := g.Begin(h, in.Ray, viewOf(in))
	if !ok {
		return nil, nil
	}
	b := &bending{tool: d, env: env, grip: d.chosen, shape: *s, of: of, drag: drag, from: in, in: in, level: env.Doc.Level()}
	b.points = slices.Clone(s.points)
	b.verdict = b.judge()
	return b, nil
}

// bending is a corner, an edge or a face that is held. The thing changes when it is let
// go; until then its new outline is drawn over it.
type bending struct {
	tool    *Draft
	env     *command.Env
	grip    grip
	shape   shape
	of      []int
	drag    *gizmo.Drag
	from    Input
	in      Input
	moved   bool
	level   *document.Level // when it began
	points  []mgl64.Vec3    // as they would be
	verdict verdict
	told    string
}

// verdict is what would become of corners.
type verdict struct {
	err    error        // they make nothing, and are put back
	mended bool         // they are not convex: what is made is their hull
	points []mgl64.Vec3 // what is made
	hull   *hull.Hull   // … of a solid
}

// Move implements Drag.
func (b *bending) Move(in Input) error {
	b.moved = b.moved || in.Pixel.Sub(b.from.Pixel).Len() >= dragDistance*in.Scale
	if !b.moved {
		return nil
	}
	b.in = in
	b.follow()
	return nil
}

// follow moves the corners where the pointer, or what was typed, leads.
func (b *bending) follow() {
	snap := snapOf(b.tool.Snapping, &b.in, func(id document.ID) bool { return id == b.shape.id })
	t := b.drag.Move(b.in.Ray, viewOf(b.in), snap)
	copy(b.points, b.shape.points)
	for _, i := range b.of {
		b.points[i] = b.shape.points[i].Add(t.Translation)
	}
	b.verdict = b.judge()
}

// Type, Backspace and Tab implement Typer.
func (b *bending) Type(r rune) bool {
	b.moved = true
	ok := b.drag.Type(r)
	b.follow()
	return ok
}

// Backspace takes back the last key.
func (b *bending) Backspace() bool {
	ok := b.drag.Backspace()
	b.follow()
	return ok
}

// Tab goes on to the next axis.
func (b *bending) Tab() {
	b.drag.Tab()
	b.follow()
}

// judge tells what the corners make.
func (b *bending) judge() verdict {
	if !b.shape.flat() {
		return solidOf(b.points)
	}
	return polygonOf(b.points, &b.shape)
}

// solidOf is the solid of some corners.
func solidOf(points []mgl64.Vec3) verdict {
	h, err := hull.Of(points)
	if err != nil {
		return verdict{err: fmt.Errorf("the corners make no solid any more: %w", err)}
	}
	v := verdict{points: h.Vertices, hull: h}
	for _, p := range points {
		if h.Distance(p) < -h.Tolerance() {
			v.mended = true // it lies inside
		}
	}
	return v
}

// polygonOf is the polygon of some corners: that of a portal is convex, or mended.
func polygonOf(points []mgl64.Vec3, s *shape) verdict {
	plane, ok := hull.PolygonPlane(points)
	switch {
	case !ok || hull.PolygonArea(points) < 1e-9*(1+s.plane.N.Len()):
		return verdict{err: fmt.Errorf("the corners make no polygon any more: they have no area between them")}
	case s.kind == document.KindPortal && (!hull.PolygonSimple(points) || !hull.PolygonConvex(points)):
		mended, ok := convex(points, s.plane.N)
		if !ok {
			return verdict{err: fmt.Errorf("the corners make no polygon any more: they have no area between them")}
		}
		return verdict{points: mended, mended: true}
	case !hull.PolygonSimple(points):
		return verdict{err: fmt.Errorf("the outline crosses itself")}
	case plane.N.Dot(s.plane.N) < 0:
		return verdict{err: fmt.Errorf("the outline is turned inside out")}
	}
	return verdict{points: points}
}

// convex is the convex outline of points of a plane, counter-clockwise around n: the
// side of the solid between them and their copies beside the plane.
func convex(points []mgl64.Vec3, n mgl64.Vec3) ([]mgl64.Vec3, bool) {
	var size float64
	for _, p := range points {
		size = max(size, p.Sub(points[0]).Len())
	}
	both := slices.Clone(points)
	for _, p := range points {
		both = append(both, p.Sub(n.Mul(size)))
	}
	h, err := hull.Of(both)
	if err != nil {
		return nil, false
	}
	face := 0
	for i, p := range h.Planes {
		if p.N.Dot(n) > h.Planes[face].N.Dot(n) {
			face = i
		}
	}
	return h.AppendFace(nil, face), true
}

// Tick implements Drag.
func (b *bending) Tick(time.Duration) error {
	if b.env.Doc.Level() != b.level {
		return document.ErrClosed // somebody else changed it
	}
	return nil
}

// Preview implements Drag.
func (b *bending) Preview() Preview {
	return Preview{Handle: int(b.drag.Handle()), Center: b.drag.Frame().Origin}
}

// Cancel implements Drag.
func (b *bending) Cancel() {}

// Told implements Teller.
func (b *bending) Told() string { return b.told }

// End implements Drag.
func (b *bending) End(now time.Duration) error {
	if err := b.Tick(now); err != nil || !b.moved || slices.Equal(b.points, b.shape.points) {
		return err
	}
	if b.verdict.err != nil {
		return fmt.Errorf("%w; it was put back", b.verdict.err)
	}
	if err := b.tool.reshape(b.env, &b.shape, b.verdict.points); err != nil {
		return err
	}
	b.tool.chosen = b.grip
	b.tool.choose(b.in, b.drag.Frame().Origin)
	if b.verdict.mended {
		b.told = "It was not convex there, so it became the convex hull of its corners."
	}
	return nil
}

// reshape gives a part of a thing other corners.
func (d *Draft) reshape(env *command.Env, s *shape, points []mgl64.Vec3) error {
	call := command.Call{ID: string(s.kind) + ".set"}
	with(&call, "id", strconv.FormatUint(uint64(s.id), 10))
	switch {
	case s.hole:
		with(&call, "hole", pointWords(tidy(points)))
	case s.kind == document.KindCell:
		with(&call, "piece", strconv.Itoa(s.piece+1))
		with(&call, "points", pointWords(tidy(points)))
	default:
		with(&call, "points", pointWords(tidy(points)))
	}
	return run(env, call)
}

// choose chooses the grip of the kind chosen before that lies at a place, as the corners of
// a hull are sorted anew when one of them moves. One that is gone is not chosen any more.
func (d *Draft) choose(in Input, at mgl64.Vec3) {
	s, ok := part(in, d.chosen)
	if !ok {
		d.chosen = grip{}
		return
	}
	best, found := math.Inf(1), grip{}
	s.each(func(int) bool { return true }, func(g grip) {
		if g.kind != d.chosen.kind {
			return
		}
		if l := center(s.points, s.of(g)).Sub(at).Len(); l < best {
			best, found = l, g
		}
	})
	if best > sameGrip {
		found = grip{}
	}
	d.chosen, d.chosenAt = found, at
}

// CanDelete tells why the chosen corner cannot be deleted; nil if it can.
func (d *Draft) CanDelete(l *document.Level, in Input) error {
	_, _, err := d.without(l, in)
	return err
}

// without is what would be left without the chosen corner.
func (d *Draft) without(l *document.Level, in Input) (s shape, left []mgl64.Vec3, err error) {
	s, of, ok := d.held(l, in)
	if !ok || d.chosen.kind != cornerGrip {
		return s, nil, fmt.Errorf("no corner is chosen")
	}
	left = slices.Delete(slices.Clone(s.points), of[0], of[0]+1)
	if !s.flat() {
		v := solidOf(left)
		if v.err != nil {
			return s, nil, fmt.Errorf("too few corners would be left for a solid")
		}
		return s, v.points, nil
	}
	if len(left) < 3 {
		return s, nil, fmt.Errorf("too few corners would be left for a polygon")
	}
	v := polygonOf(left, &s)
	return s, v.points, v.err
}

// DeleteCorner deletes the chosen corner.
func (d *Draft) DeleteCorner(env *command.Env, in Input) error {
	s, left, err := d.without(env.Doc.Level(), in)
	if err != nil {
		return err
	}
	d.chosen = grip{}
	return d.reshape(env, &s, left)
}
