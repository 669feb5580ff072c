package command

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/hull"
)

// The arguments that several commands of occluders, cells and portals have.
func boxParams() []Param {
	return []Param{
		{Name: "min", Help: "one corner; without a height it lies on the ground", Kind: Ground, Required: true},
		{Name: "max", Help: "the opposite corner", Kind: Ground, Required: true},
		yawParam("turn about the vertical through the middle, counter-clockwise seen from above"),
	}
}

func nameParam() Param {
	return Param{Name: "name", Help: "its name; without one it is called after what it is, and numbered", Kind: Text}
}

func layerParam() Param {
	return Param{Name: "layer", Help: "layer of the outliner", Kind: Text}
}

func occluderCommands() []Command {
	object := Param{Name: "object", Help: "the object that it belongs to, follows, and never hides", Kind: Entity}
	return []Command{
		{
			ID: "occluder.box", Title: "Add an occluder box", Class: Edit,
			Help: "Adds a box that hides what is behind it, prints its id and selects it. " +
				"Make it smaller than what it stands for: what it hides and should not is gone from the picture.",
			Params: append(boxParams(), nameParam(), object, layerParam()),
			Run:    addOccluderBox,
		},
		{
			ID: "occluder.hull", Title: "Add an occluder hull", Class: Edit,
			Help: "Adds the convex hull of points as an occluder, prints its id and selects it. Points inside the hull are left out.",
			Params: []Param{
				{Name: "points", Help: "points in the world, in any order; those without a height lie on the ground", Kind: Points, Required: true},
				nameParam(), object, layerParam(),
			},
			Run: addOccluderHull,
		},
		{
			ID: "occluder.plane", Title: "Add an occluder polygon", Class: Edit,
			Help: "Adds a flat polygon that hides what is behind it, seen from either side, prints its id and selects it. " +
				"It may have a hole. Corners slightly off its plane are moved onto it.",
			Params: []Param{
				{Name: "points", Help: "its corners in their order, convex or not; those without a height lie on the ground", Kind: Points, Required: true},
				{Name: "hole", Help: "corners of a hole inside it, or none", Kind: Points, None: true},
				nameParam(), object, layerParam(),
			},
			Run: addOccluderPlane,
		},
		{
			ID: "occluder.set", Title: "Change occluders", Class: Edit,
			Help: "Changes what is given of some occluders, and leaves the rest. Points are places in the world. " +
				"Those of a hull that lie inside it are left out; points that make no hull change nothing.",
			Params: []Param{
				idsParam("id"),
				{Name: "points", Help: "new corners of one occluder", Kind: Points},
				{Name: "hole", Help: "corners of a hole inside a polygon, or none", Kind: Points, None: true},
				{Name: "off", Help: "whether it hides nothing for now", Kind: Bool},
				{Name: "name", Help: "its name", Kind: Text},
				{Name: "object", Help: "the object that it belongs to, 0 for none; it stays where it is in the world", Kind: Entity},
				layerParam(),
			},
			Run: setOccluders,
		},
	}
}

// boxOf gives the middle and the corners, around that, of the box that min= and max=
// describe.
func (e *Env) boxOf(a Args) (at mgl64.Vec3, corners []mgl64.Vec3, err error) {
	lo, hi := e.ground(a.Point("min")), e.ground(a.Point("max"))
	for i := range 3 {
		lo[i], hi[i] = min(lo[i], hi[i]), max(lo[i], hi[i])
	}
	for i, axis := range axisNames {
		if !(hi[i] > lo[i]) {
			return at, nil, bad("max", "a box without a size along "+axis, "a corner opposite to min in x, y and z")
		}
	}
	at = middle([]mgl64.Vec3{lo, hi})
	for i := range 8 {
		c := lo
		for k := range 3 {
			if i>>k&1 == 1 {
				c[k] = hi[k]
			}
		}
		corners = append(corners, c.Sub(at))
	}
	h, err := hull.Of(corners)
	if err != nil || len(h.Faces) != 6 {
		return at, nil, bad("max", "a box of "+ftoa(hi[0]-lo[0])+" × "+ftoa(hi[1]-lo[1])+" × "+ftoa(hi[2]-lo[2])+" m, which is flat", "a box with a volume")
	}
	return at, h.Vertices, nil
}

// standBox turns a box and puts it where it is to stand. The result is its corners in
// the entity's own space.
func (e *Env) standBox(c *document.Entity, a Args, at mgl64.Vec3, corners []mgl64.Vec3) []mgl64.Vec3 {
	turn := Angles{Yaw: mgl64.DegToRad(a.Number("yaw"))}.Quat()
	if c.Parent == 0 {
		c.Translation, c.Rotation = at, turn
		return corners
	}
	frame := frameOf(e.Doc.Level(), c.Parent)
	place(c, frame, at)
	turned(c, frame, turn)
	world := make([]mgl64.Vec3, len(corners))
	for i, p := range corners {
		world[i] = at.Add(turn.Rotate(p))
	}
	return localTo(c, frame, world)
}

// newOccluder begins an occluder.
func (e *Env) newOccluder(a Args) (c document.Entity, err error) {
	c = document.Entity{Kind: document.KindOccluder, Layer: a.Text("layer"), Rotation: mgl64.QuatIdent()}
	if c.Parent, err = e.carrier(a, "object"); err != nil {
		return c, err
	}
	c.Name = e.nameOr(a, "Occluder")
	return c, nil
}

// addOccluder adds an occluder that is complete.
func (e *Env) addOccluder(arg string, c document.Entity, o document.Occluder) error {
	if err := storable(arg, o.Points, o.Hole); err != nil {
		return err
	}
	c.Data = o
	return e.addOne("Add occluder "+c.Name, arg, c)
}

func addOccluderBox(_ context.Context, env *Env, a Args) error {
	at, corners, err := env.boxOf(a)
	if err != nil {
		return err
	}
	c, err := env.newOccluder(a)
	if err != nil {
		return err
	}
	points := env.standBox(&c, a, at, corners)
	if err := env.addOccluder("min", c, document.Occluder{Points: points}); err != nil {
		return err
	}
	env.tellBeside(a.Point("min"), a.Point("max"))
	return nil
}

func addOccluderHull(_ context.Context, env *Env, a Args) error {
	h, err := solid("points", env.corners(a, "points"))
	if err != nil {
		return err
	}
	if err := env.addHull(a, "points", h); err != nil {
		return err
	}
	env.tellBeside(a.Points("points")...)
	return nil
}

// addHull adds a hull of the world as an occluder.
func (e *Env) addHull(a Args, arg string, h *hull.Hull) error {
	c, err := e.newOccluder(a)
	if err != nil {
		return err
	}
	points := standHull(e.Doc.Level(), &c, h)
	return e.addOccluder(arg, c, document.Occluder{Points: points})
}

func addOccluderPlane(_ context.Context, env *Env, a Args) error {
	points, plane, err := outline("points", env.corners(a, "points"))
	if err != nil {
		return err
	}
	var hole []mgl64.Vec3
	if len(a.Points("hole")) > 0 {
		if hole, err = holeIn("hole", env.corners(a, "hole"), points, plane); err != nil {
			return err
		}
	}
	c, err := env.newOccluder(a)
	if err != nil {
		return err
	}
	frame := stand(env.Doc.Level(), &c, points)
	o := document.Occluder{Polygon: true, Points: localTo(&c, frame, points)}
	if hole != nil {
		o.Hole = localTo(&c, frame, hole)
	}
	if err := env.addOccluder("points", c, o); err != nil {
		return err
	}
	env.tellBeside(append(a.Points("points"), a.Points("hole")...)...)
	return nil
}

func setOccluders(_ context.Context, env *Env, a Args) error {
	if !a.givenAny("points", "hole", "off", "name", "object", "layer") {
		return bad("", "nothing to change", "points=, hole=, off=, name=, object= or layer=")
	}
	ids, err := env.editable(a, "id")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	if err := onlyOf(l, "id", document.KindOccluder, ids); err != nil {
		return err
	}
	for _, arg := range []string{"points", "hole"} {
		if len(ids) > 1 && len(a.Points(arg)) > 0 {
			return bad(arg, "points for "+itoa(len(ids))+" occluders", "one occluder")
		}
	}
	parent := document.ID(0)
	if a.Given("object") {
		if parent, err = env.carrier(a, "object"); err != nil {
			return err
		}
		if err := notBelow(l, "object", parent, ids); err != nil {
			return err
		}
	}
	list := make([]document.Entity, 0, len(ids))
	for _, id := range fromTop(l, ids) {
		e, _ := l.Entity(id)
		c := *e
		if a.Given("object") {
			if c, err = attach(l, e, parent); err != nil {
				return err
			}
		}
		if a.givenAny("points", "hole", "off") {
			if err := env.reshape(&c, e, a); err != nil {
				return err
			}
		}
		if a.Given("name") {
			c.Name = a.Text("name")
		}
		if a.Given("layer") {
			c.Layer = a.Text("layer")
		}
		list = append(list, c)
	}
	arg := "points"
	if a.Given("object") {
		arg = "object"
	}
	if err := env.replace("Change", arg, ids, list); err != nil {
		return err
	}
	env.tellBeside(append(a.Points("points"), a.Points("hole")...)...)
	return nil
}

// attach gives an occluder as part of an object, 0 for none, where it is in the
// world. Where its rotation and scale cannot say so, its corners do.
func attach(l *document.Level, e *document.Entity, parent document.ID) (document.Entity, error) {
	c, sheared := under(l, e, parent)
	if !sheared {
		return c, nil
	}
	o, ok := e.Data.(document.Occluder)
	if !ok || len(below(l, e.ID, false)) > 0 {
		return c, shearError("object", e)
	}
	c.Rotation, c.Scale = mgl64.QuatIdent(), mgl64.Vec3{1, 1, 1}
	frame := frameOf(l, parent)
	place(&c, frame, middle(inWorld(l, e.ID, o.Points)))
	points := localTo(&c, frame, inWorld(l, e.ID, o.Points))
	if o.Hole != nil {
		o.Hole = localTo(&c, frame, inWorld(l, e.ID, o.Hole))
	}
	o.Points = points
	c.Data = o
	return c, storable("object", o.Points, o.Hole)
}

// reshape gives c, which e becomes, the corners of the arguments.
func (e *Env) reshape(c, was *document.Entity, a Args) error {
	o, ok := c.Data.(document.Occluder)
	if !ok && !a.Given("points") {
		return bad("id", label(was)+", which has no points", "points=")
	}
	if a.Given("off") {
		o.Off = a.Bool("off")
	}
	if len(a.Points("hole")) > 0 && !o.Polygon {
		return bad("hole", "a hole in the hull "+label(was), "polygons, which alone have holes")
	}
	if a.Given("points") || a.Given("hole") && o.Polygon {
		l := e.Doc.Level()
		frame := frameOf(l, c.Parent)
		world := worldOf(c, frame)
		now := func(points []mgl64.Vec3) []mgl64.Vec3 {
			out := make([]mgl64.Vec3, len(points))
			for i, p := range points {
				out[i] = world.point(p)
			}
			return out
		}
		points, hole := now(o.Points), now(o.Hole)
		if a.Given("points") {
			points = e.corners(a, "points")
		}
		if o.Polygon {
			var err error
			if points, hole, err = e.polygon(a, points, hole); err != nil {
				return err
			}
		} else {
			h, err := solid("points", points)
			if err != nil {
				return err
			}
			points = h.Vertices
		}
		if a.Given("points") && len(below(l, was.ID, false)) == 0 {
			place(c, frame, middle(points))
		}
		o.Points, o.Hole = localTo(c, frame, points), nil
		if len(hole) > 0 {
			o.Hole = localTo(c, frame, hole)
		}
		if err := storable("points", o.Points, o.Hole); err != nil {
			return err
		}
	}
	c.Data = o
	return nil
}

// polygon checks the outline of a polygon and of the hole that it has or gets.
func (e *Env) polygon(a Args, points, hole []mgl64.Vec3) (outer, inner []mgl64.Vec3, err error) {
	arg := "hole"
	if a.Given("points") {
		arg = "points"
	}
	outer, plane, err := outline(arg, points)
	if err != nil {
		return nil, nil, err
	}
	if a.Given("hole") {
		if hole = e.corners(a, "hole"); len(hole) > 0 {
			inner, err = holeIn("hole", hole, outer, plane)
		}
		return outer, inner, err
	}
	if len(hole) == 0 {
		return outer, nil, nil
	}
	if inner, err = holeIn("points", hole, outer, plane); err != nil {
		return nil, nil, bad("points", "a polygon in which its hole does not lie", "corners around the hole, or hole=none")
	}
	return outer, inner, nil
}
