package command

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

func occluderShapeCommands() []Command {
	return []Command{
		{
			ID: "occluder.cut", Title: "Cut an occluder", Class: Edit,
			Help: "Cuts an occluder by a plane, and keeps the part in front of it, the part behind it, or both. " +
				"Of both, the part in front becomes an occluder of its own, whose id is printed.",
			Params: []Param{
				{Name: "id", Help: "id or name; without it what is selected", Kind: Entity},
				{Name: "point", Help: "a point of the plane; without a height on the ground", Kind: Ground, Required: true},
				{Name: "normal", Help: "direction x,y,z across the plane, towards its front", Kind: Numbers, Counts: []int{3}, Min: -maxScale, Max: maxScale, Required: true},
				{Name: "keep", Help: "what to keep", Kind: Choice, Choices: []string{"both", "front", "back"}, Default: "both"},
			},
			Run: cutOccluder,
		},
		{
			ID: "occluder.merge", Title: "Merge occluders", Class: Edit,
			Help: "Makes one occluder of several hulls: the convex hull of them all, in the place of the first. It says how much larger than its parts that is: " +
				"what is between them is hidden too.",
			Params: []Param{idsParam("ids")},
			Run:    mergeOccluders,
		},
		{
			ID: "occluder.shrink", Title: "Shrink occluders", Class: Edit,
			Help: "Moves all faces of hulls inwards.",
			Params: []Param{
				idsParam("id"),
				{Name: "by", Help: "how far, in metres of the world", Unit: "m", Kind: Number, Min: 1e-4, Max: maxScale, Required: true},
			},
			Run: shrinkOccluders,
		},
	}
}

// hullOf is the hull of an occluder in the world. Polygons have none.
func hullOf(l *document.Level, arg string, e *document.Entity) (*hull.Hull, error) {
	o, _ := e.Data.(document.Occluder)
	if o.Polygon {
		return nil, bad(arg, "the polygon "+label(e), "hulls")
	}
	h, err := hull.Of(inWorld(l, e.ID, o.Points))
	if err != nil {
		return nil, bad(arg, label(e)+", whose points make no solid", "hulls")
	}
	return h, nil
}

// becomes gives an occluder that stands somewhere new corners in the world, and puts
// it in their middle if nothing stands below it.
func becomes(l *document.Level, c *document.Entity, arg string, points []mgl64.Vec3) error {
	o, _ := c.Data.(document.Occluder)
	frame := frameOf(l, c.Parent)
	if c.ID == 0 || len(below(l, c.ID, false)) == 0 {
		place(c, frame, middle(points))
	}
	o.Points, o.Hole = localTo(c, frame, points), nil
	c.Data = o
	return storable(arg, o.Points)
}

// cutPlane is the plane through point at right angles to normal.
func (e *Env) cutPlane(a Args) (geom.Plane, error) {
	n := a.vector("normal")
	length := n.Len()
	if !(length >= minScale) {
		return geom.Plane{}, bad("normal", spot(n), "a direction with a length")
	}
	n = n.Mul(1 / length)
	return geom.Plane{N: n, D: -n.Dot(e.ground(a.Point("point")))}, nil
}

func cutOccluder(_ context.Context, env *Env, a Args) error {
	e, err := env.one(a, "id", document.KindOccluder)
	if err != nil {
		return err
	}
	plane, err := env.cutPlane(a)
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	back, front, err := cutBy(l, e, plane)
	if err != nil {
		return err
	}
	if back == nil || front == nil {
		return bad("point", "a plane that does not cut "+label(e), "one through it")
	}
	c, other := *e, e.Clone()
	var list []document.Entity
	switch a.Text("keep") {
	case "front":
		back = front
	case "both":
		other.ID, other.Name = 0, env.namer().fresh(e.Name)
		if err := becomes(l, &other, "point", front); err != nil {
			return err
		}
		list = append(list, other)
	}
	if err := becomes(l, &c, "point", back); err != nil {
		return err
	}
	list = append(list, c)
	err = env.Doc.Do(stepName("Cut", l, []document.ID{c.ID}), func(tx *document.Tx) error {
		if list[0].ID == 0 {
			list[0].ID = tx.NewID()
		}
		return put(tx, "point", list)
	})
	if err != nil {
		return err
	}
	if len(list) == 2 {
		env.Printf("%d", list[0].ID)
		env.selectOnly([]document.ID{c.ID, list[0].ID})
	}
	env.tellBeside(a.Point("point"))
	return nil
}

// cutBy gives the corners of the parts of an occluder behind and before a plane; nil
// where there is none.
func cutBy(l *document.Level, e *document.Entity, plane geom.Plane) (back, front []mgl64.Vec3, err error) {
	o, _ := e.Data.(document.Occluder)
	if !o.Polygon {
		h, err := hullOf(l, "id", e)
		if err != nil {
			return nil, nil, err
		}
		behind, before, err := h.Cut(plane)
		if err != nil {
			return nil, nil, hullError("point", err)
		}
		if behind == nil || before == nil {
			return nil, nil, nil
		}
		return behind.Vertices, before.Vertices, nil
	}
	points := inWorld(l, e.ID, o.Points)
	if o.Hole != nil || !hull.PolygonConvex(points) {
		return nil, nil, bad("id", label(e)+", which is not convex or has a hole", "hulls, or convex polygons without a hole")
	}
	part := func(p geom.Plane) []mgl64.Vec3 {
		cut := distinct(hull.ClipPolygon(nil, points, p))
		if _, ok := hull.PolygonPlane(cut); !ok || hull.PolygonArea(cut) < 1e-9*hull.PolygonArea(points) {
			return nil
		}
		return cut
	}
	return part(geom.Plane{N: plane.N.Mul(-1), D: -plane.D}), part(plane), nil
}

func mergeOccluders(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	if err := onlyOf(l, "ids", document.KindOccluder, ids); err != nil {
		return err
	}
	if len(ids) < 2 {
		return bad("ids", "one occluder", "two or more")
	}
	first, _ := l.Entity(ids[0])
	var points []mgl64.Vec3
	apart := 0.0
	for _, id := range ids {
		e, _ := l.Entity(id)
		if e.Parent != first.Parent {
			return bad("ids", label(first)+" and "+label(e)+", which belong to different things", "occluders of one object, or of none")
		}
		if err := unlocked(l, "ids", below(l, id, false)); err != nil {
			return err
		}
		h, err := hullOf(l, "ids", e)
		if err != nil {
			return err
		}
		apart += h.Volume()
		points = append(points, h.Vertices...)
	}
	h, err := solid("ids", points)
	if err != nil {
		return err
	}
	c := *first
	if err := becomes(l, &c, "ids", h.Vertices); err != nil {
		return err
	}
	err = env.Doc.Do(stepName("Merge", l, ids), func(tx *document.Tx) error {
		for _, id := range ids[1:] {
			if err := tx.Delete(id, document.LiftChildren); err != nil {
				return err
			}
		}
		return put(tx, "ids", []document.Entity{c})
	})
	if err != nil {
		return err
	}
	env.selectOnly([]document.ID{c.ID})
	if more := h.Volume()/apart - 1; more > 1e-3 {
		env.Warnf("%s is %s %% larger than its parts together: what is behind the space between them is hidden too.", label(&c), ftoa(math.Round(more*1000)/10))
	}
	return nil
}

func shrinkOccluders(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "id")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	if err := onlyOf(l, "id", document.KindOccluder, ids); err != nil {
		return err
	}
	by := a.Number("by")
	list := make([]document.Entity, 0, len(ids))
	for _, id := range fromTop(l, ids) {
		e, _ := l.Entity(id)
		h, err := hullOf(l, "id", e)
		if err != nil {
			return err
		}
		s, err := h.Shrink(by)
		if err != nil {
			return bad("by", metres(by)+", which leaves nothing of "+label(e), "less than "+metres(halfSize(h)))
		}
		c := *e
		if err := becomes(l, &c, "by", s.Vertices); err != nil {
			return err
		}
		list = append(list, c)
	}
	return env.replace("Shrink", "by", ids, list)
}
