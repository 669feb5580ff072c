package command

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// What occluders, cells and portals have in common: corners that are given in the
// world and stored in the space of the thing that they belong to.

// corners are the points of an argument in the world.
func (e *Env) corners(a Args, name string) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(a.Points(name)))
	for i, p := range a.Points(name) {
		out[i] = e.ground(p)
	}
	return out
}

// spot writes a place for a message, to the millimetre.
func spot(p mgl64.Vec3) string {
	for i := range p {
		p[i] = math.Round(p[i]*1000) / 1000
		if p[i] == 0 {
			p[i] = 0 // no −0
		}
	}
	return ftoa(p[0]) + "," + ftoa(p[1]) + "," + ftoa(p[2])
}

// metres writes a distance for a message.
func metres(d float64) string { return ftoa(math.Round(d*1000)/1000) + " m" }

// hullError says why an argument makes no hull.
func hullError(arg string, err error) error {
	found := map[error]string{
		hull.ErrNone: "no points", hull.ErrPoint: "points that are all one", hull.ErrLine: "points on a line",
		hull.ErrFlat: "points in a plane", hull.ErrEmpty: "a solid of which nothing is left",
		hull.ErrNotFinite: "points out of range",
	}
	for is, text := range found {
		if errors.Is(err, is) {
			return bad(arg, text, "points around a solid: at least four, which do not lie in a plane")
		}
	}
	return bad(arg, err.Error(), "points around a solid")
}

// solid is the hull of corners in the world, which may not be degenerate.
func solid(arg string, points []mgl64.Vec3) (*hull.Hull, error) {
	h, err := hull.Of(points)
	if err == nil && tiny(points) {
		err = hull.ErrPoint
	}
	if err != nil {
		return nil, hullError(arg, err)
	}
	return h, checkCount(arg, h.Vertices)
}

// leastSize is the size below which nothing is placed, in metres.
const leastSize = 1e-6

// tiny reports whether points are one, but for what nobody could mean.
func tiny(points []mgl64.Vec3) bool {
	size := geom.BoxOf(points...).Size()
	return max(size[0], size[1], size[2]) < leastSize
}

func checkCount(arg string, corners []mgl64.Vec3) error {
	if n := len(corners); n > document.MaxCorners {
		return bad(arg, itoa(n)+" corners", "at most "+itoa(document.MaxCorners))
	}
	return nil
}

// localTo gives points of the world in the space of an entity that stands in a frame.
func localTo(e *document.Entity, frame affine, points []mgl64.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	if e.Parent == 0 && e.Rotation.V == (mgl64.Vec3{}) && (e.Scale == mgl64.Vec3{} || e.Scale == mgl64.Vec3{1, 1, 1}) {
		for i, p := range points {
			out[i] = p.Sub(e.Translation) // nothing else to round
		}
		return out
	}
	inverse := worldOf(e, frame).inverse()
	for i, p := range points {
		out[i] = inverse.point(p)
	}
	return out
}

// worldOf is the map from an entity's own space to the world.
func worldOf(e *document.Entity, frame affine) affine {
	local := e.Local()
	return frame.mul(affine{local.Mat3(), local.Col(3).Vec3()})
}

// inWorld gives points of an entity's own space in the world.
func inWorld(l *document.Level, id document.ID, points []mgl64.Vec3) []mgl64.Vec3 {
	frame := frameOf(l, id)
	out := make([]mgl64.Vec3, len(points))
	for i, p := range points {
		out[i] = frame.point(p)
	}
	return out
}

// middle is that of the box around points.
func middle(points []mgl64.Vec3) mgl64.Vec3 { return geom.BoxOf(points...).Center() }

// storable refuses corners that the level cannot hold: those in the space of a parent
// of extreme scale may be out of range, or may have collapsed.
func storable(arg string, lists ...[]mgl64.Vec3) error {
	for _, list := range lists {
		for _, p := range list {
			for _, v := range p {
				if !(math.Abs(v) <= document.MaxPlace) {
					return bad(arg, "a corner out of reach within what it is part of", "coordinates within ±"+ftoa(document.MaxPlace)+" m")
				}
			}
		}
	}
	return nil
}

// outline makes a flat polygon of corners in the world: it moves them onto the plane
// that fits best, if they are near it, and leaves out those that repeat the one
// before.
func outline(arg string, points []mgl64.Vec3) ([]mgl64.Vec3, geom.Plane, error) {
	points = distinct(points)
	if len(points) < 3 {
		return nil, geom.Plane{}, bad(arg, plural(len(points), "corner"), "at least 3 that differ")
	}
	if err := checkCount(arg, points); err != nil {
		return nil, geom.Plane{}, err
	}
	plane, ok := hull.PolygonPlane(points)
	if !ok || tiny(points) || !spreads(points) {
		return nil, geom.Plane{}, bad(arg, "corners without an area between them", "the outline of a polygon")
	}
	flat, err := onto(arg, plane, points, points)
	if err != nil {
		return nil, geom.Plane{}, err
	}
	if !hull.PolygonSimple(flat) {
		return nil, geom.Plane{}, bad(arg, "an outline that crosses or touches itself", "corners in their order around the polygon")
	}
	return flat, plane, nil
}

// spreads reports whether points span an area rather than a line, as far as their
// numbers can tell.
func spreads(points []mgl64.Vec3) bool {
	_, err := hull.Of(points)
	return !errors.Is(err, hull.ErrLine) && !errors.Is(err, hull.ErrPoint) && !errors.Is(err, hull.ErrNotFinite)
}

// distinct leaves out corners that repeat the one before, the last and the first
// included.
func distinct(points []mgl64.Vec3) []mgl64.Vec3 {
	near := hull.PolygonTolerance(points)
	var out []mgl64.Vec3
	for _, p := range points {
		if n := len(out); n == 0 || p.Sub(out[n-1]).Len() > near {
			out = append(out, p)
		}
	}
	for len(out) > 1 && out[0].Sub(out[len(out)-1]).Len() <= near {
		out = out[:len(out)-1]
	}
	return out
}

// bend is how far corners may lie off the plane of their polygon to be moved onto it,
// as part of its size: what a hand does not notice.
const bend = 0.02

// onto moves corners onto a plane, none further than bend of the polygon's size.
func onto(arg string, plane geom.Plane, points, polygon []mgl64.Vec3) ([]mgl64.Vec3, error) {
	size := geom.BoxOf(polygon...).Size()
	most := bend*max(size[0], size[1], size[2]) + hull.PolygonTolerance(polygon)
	tol := hull.PolygonTolerance(polygon)
	out := slices.Clone(points)
	for i, p := range points {
		d := plane.Distance(p)
		if math.Abs(d) > most {
			return nil, bad(arg, "the corner "+spot(p)+", "+metres(math.Abs(d))+" off the plane of the polygon", "corners in one plane, at most "+metres(most)+" off it")
		}
		if math.Abs(d) > tol/4 {
			out[i] = p.Sub(plane.N.Mul(d))
		}
	}
	return out, nil
}

// holeIn makes the outline of a hole in a polygon: flat, and inside it.
func holeIn(arg string, points, polygon []mgl64.Vec3, plane geom.Plane) ([]mgl64.Vec3, error) {
	hole, _, err := outline(arg, points)
	if err != nil {
		return nil, err
	}
	if hole, err = onto(arg, plane, hole, polygon); err != nil {
		return nil, err
	}
	tol := hull.PolygonTolerance(polygon)
	for _, p := range hole {
		if !hull.PolygonContains(polygon, plane, p, tol) {
			return nil, bad(arg, "the corner "+spot(p)+", which is not inside the polygon", "a hole inside the polygon")
		}
	}
	for i, p := range hole {
		q := hole[(i+1)%len(hole)]
		for k, a := range polygon {
			if crosses(plane.N, p, q, a, polygon[(k+1)%len(polygon)], tol) {
				return nil, bad(arg, "an edge that leaves the polygon near "+spot(p), "a hole inside the polygon")
			}
		}
	}
	if hull.PolygonArea(hole) >= hull.PolygonArea(polygon)*(1-1e-9) {
		return nil, bad(arg, "a hole as large as the polygon", "a smaller one")
	}
	return hole, nil
}

// crosses reports whether two edges in a plane with normal n cross, each with ends on
// both sides of the other by more than tol.
func crosses(n, p, q, a, b mgl64.Vec3, tol float64) bool {
	apart := func(from, to, x, y mgl64.Vec3) bool {
		side := n.Cross(to.Sub(from))
		if l := side.Len(); l > 0 {
			side = side.Mul(1 / l)
		}
		u, v := side.Dot(x.Sub(from)), side.Dot(y.Sub(from))
		return u > tol && v < -tol || u < -tol && v > tol
	}
	return apart(p, q, a, b) && apart(a, b, p, q)
}

// stand puts a new entity at the middle of corners in the world, below a parent or
// by itself.
func stand(l *document.Level, e *document.Entity, corners []mgl64.Vec3) affine {
	frame := frameOf(l, e.Parent)
	place(e, frame, middle(corners))
	return frame
}

// standHull puts a new entity where a hull of the world is, and gives the hull's corners
// in the entity's own space.
func standHull(l *document.Level, e *document.Entity, h *hull.Hull) []mgl64.Vec3 {
	return localTo(e, stand(l, e, h.Vertices), h.Vertices)
}

// carrier is the object of an argument that something new belongs to; 0 for none.
func (e *Env) carrier(a Args, name string) (document.ID, error) {
	id := a.Entity(name)
	if id == 0 {
		return 0, nil
	}
	l := e.Doc.Level()
	if at, _ := l.Entity(id); at.Kind != document.KindObject {
		return 0, bad(name, "the "+kindWord(at)+" "+label(at), "an object, or 0")
	}
	return id, unlocked(l, name, []document.ID{id})
}

// addOne adds an entity as a step of history, prints its id and selects it. arg is
// the argument that brought it where it is.
func (e *Env) addOne(step, arg string, c document.Entity) error {
	err := e.Doc.Do(step, func(tx *document.Tx) error {
		c.ID = tx.NewID()
		return put(tx, arg, []document.Entity{c})
	})
	if err == nil {
		e.made([]document.ID{c.ID})
	}
	return err
}

// nameOr is the name that was given, or else a fresh one.
func (e *Env) nameOr(a Args, name string) string {
	if !a.Given("name") {
		return e.namer().fresh(name)
	}
	return a.Text("name")
}
