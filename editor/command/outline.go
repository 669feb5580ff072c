package command

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ridgeline/document"
)

func outlineCommands() []Command {
	return []Command{
		{
			ID: "property.set", Title: "Set a property", Class: Edit,
			Help: "Sets a property of things: a key and a value that the game will understand. An empty value removes it.",
			Params: []Param{
				idsParam("ids"),
				{Name: "key", Help: "the property", Kind: Text, Required: true},
				{Name: "value", Help: "its value; empty or left out to remove it", Kind: Text},
			},
			Run: setProperty,
		},
		{
			ID: "outline.layer", Title: "Change a layer of the outliner", Class: Edit,
			Help: "Makes, hides, locks, renames or removes a layer that things can lie on. Layers that only things name can be changed too. " +
				"Removing a layer leaves the things.",
			Params: []Param{
				{Name: "name", Help: "the layer; it is made if it is new", Kind: Text, Required: true, Positional: true},
				{Name: "hidden", Help: "whether what lies on it is hidden", Kind: Bool},
				{Name: "locked", Help: "whether what lies on it is locked", Kind: Bool},
				{Name: "rename", Help: "new name, which no other layer has", Kind: Text},
				{Name: "remove", Help: "whether to remove it", Kind: Bool, Default: "no"},
			},
			Run: setOutlineLayer,
		},
	}
}

func setProperty(_ context.Context, env *Env, a Args) error {
	key, value := a.Text("key"), a.Text("value")
	if strings.TrimSpace(key) == "" {
		return bad("key", quoteWord(key), "the name of a property")
	}
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	var list []document.Entity
	for _, id := range ids {
		e, _ := env.Doc.Level().Entity(id)
		c := *e
		c.Properties = maps.Clone(e.Properties)
		if value == "" {
			delete(c.Properties, key)
		} else {
			if c.Properties == nil {
				c.Properties = make(map[string]string, 1)
			}
			c.Properties[key] = value
		}
		list = append(list, c)
	}
	return env.replace("Set "+key+" of", "value", ids, list)
}

func setOutlineLayer(_ context.Context, env *Env, a Args) error {
	l, name := env.Doc.Level(), a.Text("name")
	if strings.TrimSpace(name) == "" {
		return bad("name", quoteWord(name), "the name of a layer")
	}
	layers := slices.Clone(l.Settings.EntityLayers)
	find := func(name string) int {
		return slices.IndexFunc(layers, func(o document.EntityLayer) bool { return o.Name == name })
	}
	used := func(name string) bool {
		for e := range l.Entities() {
			if e.Layer == name {
				return true
			}
		}
		return false
	}
	i, to := find(name), name
	switch {
	case a.Bool("remove"):
		if a.givenAny("hidden", "locked", "rename") {
			return bad("remove", "a removal and other changes", "one of them")
		}
		if i < 0 && !used(name) {
			return bad("name", quoteWord(name), "a layer of the outliner")
		}
		if to = ""; i >= 0 {
			layers = slices.Delete(layers, i, i+1)
		}
	default:
		if i < 0 {
			i = len(layers)
			layers = append(layers, document.EntityLayer{Name: name})
		}
		if a.Given("rename") {
			to = a.Text("rename")
			if strings.TrimSpace(to) == "" {
				return bad("rename", quoteWord(to), "the name of a layer")
			}
			if to != name && (find(to) >= 0 || used(to)) {
				return bad("rename", quoteWord(to), "another name, as a layer has this one")
			}
			layers[i].Name = to
		}
		if a.Given("hidden") {
			layers[i].Hidden = a.Bool("hidden")
		}
		if a.Given("locked") {
			layers[i].Locked = a.Bool("locked")
		}
	}
	return env.Doc.Do("Change layer "+name, func(tx *document.Tx) error {
		if err := tx.SetEntityLayers(layers); err != nil {
			return err
		}
		if to == name {
			return nil
		}
		for e := range l.Entities() {
			if e.Layer == name {
				c := *e
				c.Layer = to
				if err := tx.Put(c); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
