package command

import (
	"context"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

func markerCommands() []Command {
	kinds := []string{string(document.MarkerPoint), string(document.MarkerLine), string(document.MarkerArea)}
	kind := Param{Name: "kind", Help: "whether the points stand by themselves, make a line, or are the corners of an area", Kind: Choice, Choices: kinds}
	points := Param{Name: "points", Help: "its points; those without a height lie on the ground", Kind: Points}
	color := Param{Name: "color", Help: "what it is drawn in; black (#000000) stands for the editor's own colour", Kind: Color}
	layer := Param{Name: "layer", Help: "layer of the outliner", Kind: Text}
	return []Command{
		{
			ID: "marker.add", Title: "Add a marker", Class: Edit,
			Help: "Marks points, a line or an area, such as a spawn point, a road or a zone; prints its id and selects it. " +
				"The marker itself stands in the middle of the box around its points.",
			Params: []Param{
				required(kind, ""), required(points, ""),
				{Name: "name", Help: "its name", Kind: Text, Required: true}, color, layer,
			},
			Run: addMarker,
		},
		{
			ID: "marker.set", Title: "Change markers", Class: Edit,
			Help: "Changes what is given of some markers, and leaves the rest. Points are places in the world.",
			Params: []Param{
				idsParam("id"), {Name: "name", Help: "its name", Kind: Text}, kind, points, color, layer,
			},
			Run: setMarkers,
		},
	}
}

// markerPoints gives the points of an argument in the world.
func (e *Env) markerPoints(a Args) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(a.Points("points")))
	for i, p := range a.Points("points") {
		out[i] = e.ground(p)
	}
	return out
}

// checkMarker refuses what cannot be a marker.
func checkMarker(m document.Marker, arg string) error {
	least := map[document.MarkerShape]int{document.MarkerPoint: 1, document.MarkerLine: 2, document.MarkerArea: 3}[m.Shape]
	if len(m.Points) < least {
		return bad(arg, plural(len(m.Points), "point"), "at least "+itoa(least)+" for kind="+string(m.Shape))
	}
	return nil
}

func addMarker(_ context.Context, env *Env, a Args) error {
	name := a.Text("name")
	if strings.TrimSpace(name) == "" {
		return bad("name", quoteWord(name), "a name")
	}
	m := document.Marker{Shape: document.MarkerShape(a.Text("kind")), Points: env.markerPoints(a)}
	if a.Given("color") {
		m.Color = linear(a.Color("color"))
	}
	if err := checkMarker(m, "points"); err != nil {
		return err
	}
	lo, hi := m.Points[0], m.Points[0]
	for _, p := range m.Points {
		for i := range 3 {
			lo[i], hi[i] = min(lo[i], p[i]), max(hi[i], p[i])
		}
	}
	e := document.Entity{Kind: document.KindMarker, Name: name, Layer: a.Text("layer"), Translation: lo.Add(hi.Sub(lo).Mul(0.5))}
	for i := range m.Points {
		m.Points[i] = m.Points[i].Sub(e.Translation)
	}
	e.Data = m
	err := env.Doc.Do("Add marker "+name, func(tx *document.Tx) error {
		e.ID = tx.NewID()
		return put(tx, "points", []document.Entity{e})
	})
	if err == nil {
		env.made([]document.ID{e.ID})
		env.tellBeside(a.Points("points")...)
	}
	return err
}

func setMarkers(_ context.Context, env *Env, a Args) error {
	if !a.givenAny("name", "kind", "points", "color", "layer") {
		return bad("", "nothing to change", "name=, kind=, points=, color= or layer=")
	}
	ids, err := env.editable(a, "id")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	if err := onlyOf(l, "id", document.KindMarker, ids); err != nil {
		return err
	}
	if len(ids) > 1 && a.Given("points") {
		return bad("points", "points for "+itoa(len(ids))+" markers", "one marker")
	}
	var list []document.Entity
	for _, id := range ids {
		e, _ := l.Entity(id)
		c := *e
		m, ok := e.Data.(document.Marker)
		arg := "kind"
		if a.Given("kind") {
			m.Shape = document.MarkerShape(a.Text("kind"))
		}
		if a.Given("points") {
			arg = "points"
			m.Points = env.markerPoints(a)
			inverse := frameOf(l, id).inverse()
			for i := range m.Points {
				m.Points[i] = inverse.point(m.Points[i])
			}
		}
		if a.Given("color") {
			m.Color = linear(a.Color("color"))
		}
		if a.givenAny("kind", "points", "color") {
			if !ok && !(a.Given("kind") && a.Given("points")) {
				return bad("id", label(e)+", which has no points", "kind= and points=")
			}
			if err := checkMarker(m, arg); err != nil {
				return err
			}
			c.Data = m
		}
		if a.Given("name") {
			c.Name = a.Text("name")
		}
		if a.Given("layer") {
			c.Layer = a.Text("layer")
		}
		list = append(list, c)
	}
	return env.replace("Change", "points", ids, list)
}
