package command

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

func groupCommands() []Command {
	return []Command{
		{
			ID: "object.group", Title: "Group", Class: Edit,
			Help: "Puts things below a new group in the middle of the box around their places, prints its id and selects it. They stay where they are.",
			Params: []Param{
				idsParam("ids"),
				{Name: "name", Help: "its name; without one Group, numbered", Kind: Text},
			},
			Run: groupObjects,
		},
		{
			ID: "object.ungroup", Title: "Ungroup", Class: Edit,
			Help: "Takes groups apart and selects what was in them. All stays where it is; " +
				"of a turn within an uneven scale, the shear is lost.",
			Params: []Param{idsParam("ids")},
			Run:    ungroupObjects,
		},
		{
			ID: "object.parent", Title: "Put below", Class: Edit,
			Help: "Puts things below another, or below nothing. They stay where they are; where an uneven scale would shear them, nothing is done.",
			Params: []Param{
				idsParam("ids"),
				{Name: "to", Help: "what they are part of then, 0 for nothing", Kind: Entity, Required: true},
			},
			Run: parentObjects,
		},
	}
}

func groupObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	ids = Roots(l, ids)
	first, _ := l.Entity(ids[0])
	group := document.Entity{Kind: document.KindObject, Name: a.Text("name"), Parent: first.Parent, Layer: first.Layer, Scale: mgl64.Vec3{1, 1, 1}}
	for _, id := range ids[1:] {
		e, _ := l.Entity(id)
		if e.Parent != group.Parent {
			group.Parent = 0
		}
		if e.Layer != group.Layer {
			group.Layer = ""
		}
	}
	if !a.Given("name") {
		group.Name = env.namer().fresh("Group")
	}
	place(&group, frameOf(l, group.Parent), Pivot(l, ids))
	err = env.Doc.Do(stepName("Group", l, ids), func(tx *document.Tx) error {
		group.ID = tx.NewID()
		list := []document.Entity{group}
		for _, id := range ids {
			e, _ := l.Entity(id)
			c, sheared := under(l, e, group.Parent)
			if sheared {
				return shearError("ids", e)
			}
			// In the same frame but for the place.
			c.Parent, c.Translation = group.ID, c.Translation.Sub(group.Translation)
			list = append(list, c)
		}
		return put(tx, "ids", list)
	})
	if err == nil {
		env.made([]document.ID{group.ID})
	}
	return err
}

func ungroupObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	var inside []document.ID
	for _, id := range ids {
		e, _ := l.Entity(id)
		if !document.IsGroup(e) {
			return bad("ids", "the "+kindWord(e)+" "+label(e), "groups")
		}
		children := below(l, id, false)
		if err := unlocked(l, "ids", children); err != nil {
			return err
		}
		inside = append(inside, children...)
	}
	err = env.Doc.Do(stepName("Ungroup", l, ids), func(tx *document.Tx) error {
		for _, id := range ids {
			if err := tx.Delete(id, document.LiftChildren); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		env.View.Selection = sorted(inside)
		env.dropSelection() // groups within groups are gone too
		env.View.changed()
	}
	return err
}

func parentObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	l, to := env.Doc.Level(), a.Entity("to")
	if err := notBelow(l, "to", to, ids); err != nil {
		return err
	}
	ids = Roots(l, ids)
	list := make([]document.Entity, len(ids))
	for i, id := range ids {
		e, _ := l.Entity(id)
		sheared := false
		if list[i], sheared = under(l, e, to); sheared {
			return shearError("to", e)
		}
	}
	step := stepName("Move", l, ids) + " to the top"
	if e, ok := l.Entity(to); ok {
		name := e.Name
		if name == "" {
			name = kindWord(e)
		}
		step = stepName("Move", l, ids) + " below " + name
	}
	return env.Doc.Do(step, func(tx *document.Tx) error { return put(tx, "to", list) })
}
