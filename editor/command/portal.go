package command

import (
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

// maxReach bounds how far a portal may look for its cells: farther it would not be
// that portal's.
const maxReach = 1000

func portalCommands() []Command {
	states := make([]string, len(document.PortalStates))
	for i, s := range document.PortalStates {
		states[i] = string(s)
	}
	points := Param{Name: "points", Help: "corners of a convex polygon in their order, counter-clockwise seen from its front; those without a height lie on the ground", Kind: Points}
	state := Param{Name: "state", Help: "what can be seen through it: open both ways, closed nothing, oneway only from its front to its back", Kind: Choice, Choices: states}
	reach := Param{Name: "reach", Help: "how far its cells may be, as thick as the walls are", Unit: "m", Kind: Number, Min: 1e-3, Max: maxReach}
	return []Command{
		{
			ID: "portal.add", Title: "Add a portal", Class: Edit,
			Help: "Adds a portal, which is a door or a window between two cells, or between a cell and the outside; prints its id and selects it. " +
				"It links itself to the nearest cells in front of it and behind it. Corners slightly off its plane are moved onto it.",
			Params: []Param{required(points, ""), nameParam(), withDefault(state, string(document.PortalOpen)), withDefault(reach, ftoa(document.PortalReach)), layerParam()},
			Run:    addPortal,
		},
		{
			ID: "portal.set", Title: "Change portals", Class: Edit,
			Help:   "Changes what is given of some portals, and leaves the rest. Points are places in the world.",
			Params: []Param{idsParam("id"), points, state, reach, {Name: "name", Help: "its name", Kind: Text}, layerParam()},
			Run:    setPortals,
		},
		{
			ID: "portal.flip", Title: "Flip portals", Class: Edit,
			Help:   "Makes the fronts of portals their backs: those that are seen through one way only are seen through the other way.",
			Params: []Param{idsParam("id")},
			Run:    flipPortals,
		},
		{
			ID: "portal.snap", Title: "Snap portals to cells", Class: Edit,
			Help: "Moves portals onto the nearest face of a cell that lies along them. One that has no such face nearby stops all.",
			Params: []Param{
				idsParam("id"),
				{Name: "within", Help: "how far they may move", Unit: "m", Kind: Number, Min: 1e-3, Max: maxReach, Default: "1"},
			},
			Run: snapPortals,
		},
	}
}

func withDefault(p Param, value string) Param {
	p.Default = value
	return p
}

// opening makes the polygon of a portal: flat and convex.
func opening(arg string, points []mgl64.Vec3) ([]mgl64.Vec3, error) {
	flat, plane, err := outline(arg, points)
	if err != nil {
		return nil, err
	}
	if !hull.PolygonConvex(flat) {
		n, tol := len(flat), hull.PolygonTolerance(flat)
		for i, p := range flat {
			before, after := flat[(i+n-1)%n], flat[(i+1)%n]
			if p.Sub(before).Cross(after.Sub(p)).Dot(plane.N) < -tol*after.Sub(before).Len() {
				return nil, bad(arg, "a polygon that is not convex at "+spot(p), "a convex one; an opening of another shape is several portals")
			}
		}
		return nil, bad(arg, "a polygon that is not convex", "a convex one; an opening of another shape is several portals")
	}
	return flat, nil
}

func addPortal(_ context.Context, env *Env, a Args) error {
	points, err := opening("points", env.corners(a, "points"))
	if err != nil {
		return err
	}
	c := document.Entity{Kind: document.KindPortal, Name: env.nameOr(a, "Portal"), Layer: a.Text("layer"), Rotation: mgl64.QuatIdent()}
	frame := stand(env.Doc.Level(), &c, points)
	p := document.Portal{Points: localTo(&c, frame, points)}
	setState(&p, a)
	c.Data = p
	if err := env.addOne("Add portal "+c.Name, "points", c); err != nil {
		return err
	}
	env.tellBeside(a.Points("points")...)
	env.tellLinks(env.View.Selection)
	return nil
}

// setState gives a portal the state and the reach of the arguments.
func setState(p *document.Portal, a Args) {
	if a.Has("state") {
		p.State = document.PortalState(a.Text("state"))
	}
	if a.Has("reach") {
		if p.Reach = a.Number("reach"); p.Reach == document.PortalReach {
			p.Reach = 0 // which stands for it
		}
	}
}

func setPortals(_ context.Context, env *Env, a Args) error {
	if !a.givenAny("points", "state", "reach", "name", "layer") {
		return bad("", "nothing to change", "points=, state=, reach=, name= or layer=")
	}
	ids, err := env.portals(a)
	if err != nil {
		return err
	}
	if len(ids) > 1 && a.Given("points") {
		return bad("points", "points for "+itoa(len(ids))+" portals", "one portal")
	}
	l := env.Doc.Level()
	list := make([]document.Entity, 0, len(ids))
	for _, id := range ids {
		e, _ := l.Entity(id)
		c := *e
		p, ok := c.Data.(document.Portal)
		if !ok && a.givenAny("state", "reach") && !a.Given("points") {
			return bad("id", label(e)+", which has no points", "points=")
		}
		if a.Given("points") {
			points, err := opening("points", env.corners(a, "points"))
			if err != nil {
				return err
			}
			if err := placePortal(l, &c, &p, "points", points); err != nil {
				return err
			}
		}
		if a.givenAny("points", "state", "reach") {
			setState(&p, a)
			c.Data = p
		}
		if a.Given("name") {
			c.Name = a.Text("name")
		}
		if a.Given("layer") {
			c.Layer = a.Text("layer")
		}
		list = append(list, c)
	}
	if err := env.replace("Change", "points", ids, list); err != nil {
		return err
	}
	env.tellBeside(a.Points("points")...)
	if a.givenAny("points", "reach") {
		env.tellLinks(ids)
	}
	return nil
}

// portals are those that an edit is for.
func (e *Env) portals(a Args) ([]document.ID, error) {
	ids, err := e.editable(a, "id")
	if err != nil {
		return nil, err
	}
	return ids, onlyOf(e.Doc.Level(), "id", document.KindPortal, ids)
}

// placePortal gives a portal a polygon in the world, whose front is where it runs
// counter-clockwise.
func placePortal(l *document.Level, c *document.Entity, p *document.Portal, arg string, points []mgl64.Vec3) error {
	frame := frameOf(l, c.Parent)
	if len(below(l, c.ID, false)) == 0 {
		place(c, frame, middle(points))
	}
	p.Points = localTo(c, frame, points)
	if worldOf(c, frame).m.Det() < 0 {
		slices.Reverse(p.Points)
	}
	return storable(arg, p.Points)
}

// polygonOf is a portal's polygon in the world, counter-clockwise seen from its front.
func polygonOf(l *document.Level, e *document.Entity) (points []mgl64.Vec3, p document.Portal, ok bool) {
	p, ok = e.Data.(document.Portal)
	points = inWorld(l, e.ID, p.Points)
	if frameOf(l, e.ID).m.Det() < 0 {
		slices.Reverse(points) // its front stays its front
	}
	return points, p, ok
}

func flipPortals(_ context.Context, env *Env, a Args) error {
	ids, err := env.portals(a)
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	list := make([]document.Entity, len(ids))
	for i, id := range ids {
		e, _ := l.Entity(id)
		p, ok := e.Data.(document.Portal)
		if !ok {
			return bad("id", label(e)+", which has no points", "portals with points")
		}
		p.Points = slices.Clone(p.Points)
		slices.Reverse(p.Points)
		list[i] = *e
		list[i].Data = p
	}
	return env.replace("Flip", "id", ids, list)
}

func snapPortals(_ context.Context, env *Env, a Args) error {
	ids, err := env.portals(a)
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	list := make([]document.Entity, len(ids))
	for i, id := range ids {
		e, _ := l.Entity(id)
		points, p, ok := polygonOf(l, e)
		if ok {
			_, cells := cellsNear(l, points, a.Number("within"))
			points, _, ok = portal.SnapToFace(cells, points, a.Number("within"))
		}
		if !ok {
			return bad("id", label(e)+", which has no face of a cell along it within "+metres(a.Number("within")), "portals near the face of a cell, or a greater within=")
		}
		list[i] = *e
		if err := placePortal(l, &list[i], &p, "id", points); err != nil {
			return err
		}
		list[i].Data = p
	}
	if err := env.replace("Snap", "id", ids, list); err != nil {
		return err
	}
	env.tellLinks(ids)
	return nil
}

// cellsNear are the cells of a level that a polygon may join or be snapped to, with
// their pieces in the world that are no farther from it than reach; a piece that is no
// hull is not there.
func cellsNear(l *document.Level, polygon []mgl64.Vec3, reach float64) (ids []document.ID, cells [][]*hull.Hull) {
	box := geom.BoxOf(polygon...)
	size := box.Size()
	// From within a cell one looks as far again beyond its border, and a little more.
	beyond := 2*reach + 0.1*max(size[0], size[1], size[2]) + 1e-3
	for i := range box.Min {
		box.Min[i] -= beyond
		box.Max[i] += beyond
	}
	for e := range l.Entities() {
		d, ok := e.Data.(document.Cell)
		if !ok {
			continue
		}
		var pieces []*hull.Hull
		for _, p := range d.Pieces {
			world := inWorld(l, e.ID, p)
			if !geom.BoxOf(world...).Overlaps(box) {
				continue
			}
			if h, err := hull.Of(world); err == nil {
				pieces = append(pieces, h)
			}
		}
		if len(pieces) > 0 {
			ids, cells = append(ids, e.ID), append(cells, pieces)
		}
	}
	return ids, cells
}

// mostLinks is how many portals' links are told, each a line.
const mostLinks = 20

// tellLinks prints which cells portals join.
func (e *Env) tellLinks(ids []document.ID) {
	if e.Out == nil || len(ids) > mostLinks {
		return
	}
	l := e.Doc.Level()
	for _, id := range ids {
		at, ok := l.Entity(id)
		if !ok {
			continue
		}
		points, p, _ := polygonOf(l, at)
		reach := p.Reach
		if reach == 0 {
			reach = document.PortalReach
		}
		of, cells := cellsNear(l, points, reach)
		name := func(cell int) string {
			if cell == portal.Outside {
				return "the outside"
			}
			c, _ := l.Entity(of[cell])
			return label(c)
		}
		from, to, ok := portal.Link(cells, points, reach)
		switch {
		case ok:
			e.Printf("%s joins %s, in front, and %s.", label(at), name(from), name(to))
		case from == portal.Outside:
			e.Warnf("%s joins nothing yet: there is no cell within %s.", label(at), metres(reach))
		default:
			e.Warnf("%s joins nothing yet: both its sides are in %s.", label(at), name(from))
		}
	}
}
