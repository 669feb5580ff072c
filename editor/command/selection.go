package command

import (
	"context"
	"slices"

	"ridgeline/document"
)

func selectionCommands() []Command {
	ids := Param{Name: "ids", Help: "ids or names, joined by commas", Kind: IDs, Required: true, Positional: true}
	return []Command{
		{
			ID: "select", Title: "Select", Class: View,
			Help:   "Selects things by id, or by a name that only one has. Nothing between the quotes selects nothing.",
			Params: []Param{ids},
			Run: func(_ context.Context, env *Env, a Args) error {
				env.selectOnly(a.IDs("ids"))
				return nil
			},
		},
		{
			ID: "select.add", Title: "Add to the selection", Class: View,
			Help: "Selects things beside what is selected.", Params: []Param{ids},
			Run: func(_ context.Context, env *Env, a Args) error {
				env.selectOnly(slices.Concat(env.View.Selection, a.IDs("ids")))
				return nil
			},
		},
		{
			ID: "select.remove", Title: "Take out of the selection", Class: View,
			Help: "Leaves the rest selected.", Params: []Param{ids},
			Run: func(_ context.Context, env *Env, a Args) error {
				out := sorted(a.IDs("ids"))
				env.selectOnly(slices.DeleteFunc(slices.Clone(env.View.Selection), func(id document.ID) bool {
					_, found := slices.BinarySearch(out, id)
					return found
				}))
				return nil
			},
		},
		{
			ID: "select.all", Title: "Select all", Class: View,
			Help: "Selects everything that is neither hidden nor locked.",
			Run: func(_ context.Context, env *Env, _ Args) error {
				env.selectWhere(func(*document.Entity) bool { return true })
				return nil
			},
		},
		{
			ID: "select.none", Title: "Select nothing", Class: View,
			Help: "Selects nothing.",
			Run: func(_ context.Context, env *Env, _ Args) error {
				env.selectOnly(nil)
				return nil
			},
		},
		{
			ID: "select.similar", Title: "Select similar", Class: View,
			Help: "Selects all that is like something selected, and neither hidden nor locked.",
			Params: []Param{{
				Name: "by", Kind: Choice, Choices: []string{"asset", "kind", "layer", "name"}, Default: "asset", Positional: true,
				Help: "what they share: the asset of objects and the kind of others, the kind, the layer of the outliner, or the name but for its number",
			}},
			Run: selectSimilar,
		},
	}
}

// selectWhere selects what is neither hidden nor locked and passes a test.
func (e *Env) selectWhere(test func(*document.Entity) bool) {
	var ids []document.ID
	l := e.Doc.Level()
	for t := range l.Entities() {
		if !test(t) {
			continue
		}
		if hidden, locked := l.Effective(t); !hidden && !locked {
			ids = append(ids, t.ID)
		}
	}
	e.selectOnly(ids)
}

func selectSimilar(_ context.Context, env *Env, a Args) error {
	ids, err := env.chosen(Args{}, "ids")
	if err != nil {
		return err
	}
	key := func(e *document.Entity) string {
		switch a.Text("by") {
		case "asset":
			o, _ := document.ObjectOf(e)
			return string(e.Kind) + "\x00" + o.Asset
		case "layer":
			return e.Layer
		case "name":
			base, _ := numbered(e.Name)
			return base
		}
		return kindWord(e)
	}
	keys := make(map[string]bool)
	for _, id := range ids {
		e, _ := env.Doc.Level().Entity(id)
		keys[key(e)] = true
	}
	env.selectWhere(func(e *document.Entity) bool { return keys[key(e)] })
	return nil
}
