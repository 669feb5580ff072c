package command

import (
	"context"
	"errors"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/hull"
)

func occluderFromCommands() []Command {
	return []Command{{
		ID: "occluder.from", Title: "Occluder from objects", Class: Edit,
		Help: "Makes an occluder of the convex hull of objects, all together, prints its id and selects it. Of a group it takes what stands below. " +
			"What is seen through does not count. " +
			"It is checked by rays that the hull lies inside the solid mesh: that of a house does not, as it would seal the door. " +
			"An occluder of one object belongs to it.",
		Params: []Param{
			{Name: "object", Help: "ids or names, joined by commas; without it what is selected", Kind: IDs},
			{Name: "shrink", Help: "how far inside the hull the occluder ends", Unit: "m", Kind: Number, Min: 0, Max: maxScale, Default: "0"},
			{Name: "faces", Help: "how many faces it may have; a smaller hull inside takes the place of one that has more", Kind: Int, Min: 4, Max: 1024, Default: "32"},
			{Name: "check", Help: "what to do with a hull that is not inside the mesh: on refuses it, warn keeps it and says where it leaks, off does not look", Kind: Choice, Choices: []string{"on", "warn", "off"}, Default: "on"},
			nameParam(), layerParam(),
		},
		Enabled: hasModels,
		Run:     addOccluderFrom,
	}}
}

// meshesOf are the objects with meshes among some, and of groups those below.
func meshesOf(l *document.Level, arg string, ids []document.ID) ([]*document.Entity, error) {
	var out []*document.Entity
	seen := map[document.ID]bool{}
	take := func(e *document.Entity) {
		if o, ok := document.ObjectOf(e); ok && o.Asset != "" && !seen[e.ID] {
			seen[e.ID] = true
			out = append(out, e)
		}
	}
	for _, id := range ids {
		e, _ := l.Entity(id)
		if e.Kind != document.KindObject {
			return nil, bad(arg, "the "+kindWord(e)+" "+label(e), "objects")
		}
		take(e)
		if document.IsGroup(e) {
			for _, c := range below(l, id, true) {
				child, _ := l.Entity(c)
				take(child)
			}
		}
	}
	if len(out) == 0 {
		return nil, bad(arg, "groups in which nothing has a mesh", "objects with meshes")
	}
	return out, nil
}

// gather collects the opaque triangles of objects.
func gather(ctx context.Context, l *document.Level, models Models, arg string, objects []*document.Entity) (*gathered, error) {
	read := make([]*mesh.Model, len(objects))
	triangles := 0
	for i, at := range objects {
		m, err := modelOf(ctx, l, models, arg, at)
		if err != nil {
			return nil, err
		}
		read[i] = m
		if triangles += m.Triangles(); triangles > mesh.MaxTriangles {
			return nil, bad(arg, "objects of more than "+itoa(mesh.MaxTriangles)+" triangles", "fewer")
		}
	}
	g := &gathered{at: Pivot(l, idsIn(objects))}
	for i, at := range objects {
		g.add(read[i], frameOf(l, at.ID), isOpaque(read[i]))
	}
	if len(g.indices) == 0 {
		return nil, bad(arg, "meshes without opaque triangles", "something that cannot be seen through")
	}
	return g, ctx.Err()
}

func idsIn(list []*document.Entity) []document.ID {
	ids := make([]document.ID, len(list))
	for i, e := range list {
		ids[i] = e.ID
	}
	return ids
}

func addOccluderFrom(ctx context.Context, env *Env, a Args) error {
	l := env.Doc.Level()
	ids, err := env.chosen(a, "object")
	if err != nil {
		return err
	}
	objects, err := meshesOf(l, "object", ids)
	if err != nil {
		return err
	}
	c := document.Entity{Kind: document.KindOccluder, Layer: a.Text("layer"), Name: a.Text("name")}
	if len(ids) == 1 {
		if err := unlocked(l, "object", ids); err != nil {
			return err
		}
		c.Parent = ids[0]
	}
	return env.away(ctx, "Making an occluder", func(ctx context.Context, models Models, _ func(float64)) (func() error, error) {
		g, err := gather(ctx, l, models, "object", objects)
		if err != nil {
			return nil, err
		}
		h, err := innerHull(a, g)
		if err != nil {
			return nil, err
		}
		leaks, err := checkInside(ctx, a, g, h)
		return func() error { return env.takeOccluder(a, l, ids, objects, c, g.inWorld(h.Vertices), leaks) }, err
	})
}

// takeOccluder adds an occluder with corners in the world, which was made of objects of
// a level.
func (e *Env) takeOccluder(a Args, of *document.Level, ids []document.ID, objects []*document.Entity, c document.Entity, world []mgl64.Vec3, leaks []string) error {
	if err := e.stillThere("object", of, objects); err != nil {
		return err
	}
	l := e.Doc.Level()
	for _, id := range ids {
		if _, ok := l.Entity(id); !ok {
			was, _ := of.Entity(id)
			return gone("object", was)
		}
	}
	if c.Parent != 0 {
		if err := unlocked(l, "object", ids); err != nil {
			return err
		}
	}
	if !a.Given("name") {
		c.Name = "Occluder"
		if one, _ := l.Entity(ids[0]); len(ids) == 1 && one.Name != "" {
			c.Name = one.Name + " occluder"
		}
		c.Name = e.namer().fresh(c.Name)
	}
	frame := stand(l, &c, world)
	if err := e.addOccluder("object", c, document.Occluder{Points: localTo(&c, frame, world)}); err != nil {
		return err
	}
	if len(leaks) > 0 {
		e.Warnf("%s", strings.Join(leaks, " "))
	}
	return nil
}

// innerHull is the hull of gathered triangles, shrunk and made simpler.
func innerHull(a Args, g *gathered) (*hull.Hull, error) {
	h, err := hull.Of(g.points())
	if err != nil {
		text := map[bool]string{true: "meshes that are flat", false: "meshes that make no solid"}[errors.Is(err, hull.ErrFlat)]
		return nil, bad("object", text, "objects with a volume; occluder.plane makes flat occluders")
	}
	if by := a.Number("shrink"); by > 0 {
		s, err := h.Shrink(by)
		if err != nil {
			return nil, bad("shrink", metres(by)+", which leaves nothing of the hull", "less than "+metres(halfSize(h)))
		}
		h = s
	}
	if s, err := h.Within(a.Int("faces")); err == nil {
		h = s
	} else {
		return nil, bad("faces", itoa(a.Int("faces"))+", with which no hull fits inside", "more")
	}
	return h, checkCount("faces", h.Vertices)
}

// halfSize is half the least side of a hull's box: no more can be shrunk.
func halfSize(h *hull.Hull) float64 {
	size := h.Bounds().Size()
	return min(size[0], size[1], size[2]) / 2
}

// mostLeaks is how many places of leaks are told.
const mostLeaks = 3

// checkInside checks that a hull hides nothing that the mesh shows. What is wrong but
// kept is told in lines.
func checkInside(ctx context.Context, a Args, g *gathered, h *hull.Hull) (lines []string, err error) {
	if a.Text("check") == "off" {
		return nil, nil
	}
	r, err := hull.CheckSolid(ctx, h, g.solid())
	if err != nil || r.Safe() {
		return nil, err
	}
	first := ""
	if !r.Inside {
		first = "the middle of the hull outside the mesh, which is open or hollow there"
		lines = append(lines, "The middle of the hull is outside the mesh, which is open or hollow there.")
	}
	if n := len(r.Crossing); n > 0 {
		if first == "" {
			first = plural(n, "triangle") + " of the mesh inside the hull"
		}
		lines = append(lines, plural(n, "triangle")+" of the mesh lie inside the hull.")
	}
	if n := len(r.Leaks); n > 0 {
		at := spot(r.Leaks[0].Add(g.at))
		if first == "" {
			first = "the hull sticking out of the mesh at " + at
		}
		text := "The hull is seen past the mesh at " + at
		for _, p := range r.Leaks[1:min(n, mostLeaks)] {
			text += " and " + spot(p.Add(g.at))
		}
		if n > mostLeaks {
			text += " and " + plural(n-mostLeaks, "other place")
		}
		lines = append(lines, text+". What is behind it there would be hidden and should not.")
	}
	if a.Text("check") == "warn" {
		return lines, nil
	}
	return nil, bad("object", first, "a hull that the mesh hides from all sides; one further inside may do, or keep it and be warned (shrink= and check=warn)")
}
