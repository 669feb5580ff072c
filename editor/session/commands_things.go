package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ridgeline/document"
	"ridgeline/editor/command"
)

var (
	errNothingSelected = errors.New("nothing is selected")
	errNoGroup         = errors.New("no group is selected")
)

// thingCommands are the commands for what is selected, and for how things are
// placed and shown.
func thingCommands(s *Session) []command.Command {
	do := func(fn func()) func(context.Context, *command.Env, command.Args) error {
		return func(context.Context, *command.Env, command.Args) error { fn(); return nil }
	}
	selected := func(*command.Env) error {
		if len(s.Selection()) == 0 {
			return errNothingSelected
		}
		return nil
	}
	onSelection := func(id, title, help string, line func(ids string) string) command.Command {
		return command.Command{ID: id, Title: title, Help: help, Class: command.Edit, Enabled: selected, Run: func(context.Context, *command.Env, command.Args) error {
			return s.run(line(idList(s.Selection())))
		}}
	}
	choice := func(help string, choices ...string) []command.Param {
		return []command.Param{{Name: "name", Help: help, Kind: command.Choice, Choices: choices, Required: true, Positional: true}}
	}
	number := func(name, help, unit string, least, most float64) command.Param {
		return command.Param{Name: name, Help: help, Unit: unit, Kind: command.Number, Min: least, Max: most}
	}
	toggle := func(name, help string) command.Param {
		return command.Param{Name: name, Help: help, Kind: command.Bool}
	}
	return []command.Command{
		onSelection("edit.delete", "Delete", "Deletes what is selected, with all that stands below it.", func(ids string) string { return "object.delete id=" + ids }),
		onSelection("edit.duplicate", "Duplicate", "Copies what is selected; the copies are selected then.", func(ids string) string { return "object.duplicate ids=" + ids }),
		onSelection("edit.group", "Group", "Puts what is selected into a group.", func(ids string) string { return "object.group ids=" + ids }),
		{
			ID: "edit.ungroup", Title: "Ungroup", Help: "Dissolves the selected groups; what is in them stays where it is.", Class: command.Edit,
			Enabled: func(*command.Env) error {
				if len(s.Selection()) > 0 && !slices.ContainsFunc(s.Selection(), s.isGroup) {
					return errNoGroup
				}
				return selected(nil)
			},
			Run: func(context.Context, *command.Env, command.Args) error {
				return s.run("object.ungroup ids=" + idList(s.selectedGroups()))
			},
		},
		onSelection("edit.ground", "Drop to the ground", "Puts what is selected on the ground below it.", func(ids string) string { return "object.ground ids=" + ids }),
		onSelection("edit.unparent", "Take out of the parent", "Puts what is selected at the top of the outliner; it stays where it is.", func(ids string) string { return "object.parent to=0 ids=" + ids }),
		onSelection("edit.hide", "Hide", "Hides what is selected.", func(ids string) string { return "object.set hidden=yes id=" + ids }),
		onSelection("edit.lock", "Lock", "Locks what is selected: the mouse takes no hold of it.", func(ids string) string { return "object.set locked=yes id=" + ids }),
		onSelection("edit.geometry", "Mark as level geometry", "Marks what is selected as the level's own geometry: rooms and corridors.", func(ids string) string { return "object.set geometry=yes id=" + ids }),
		{
			ID: "edit.mirror", Title: "Mirror", Help: "Mirrors what is selected along an axis.", Class: command.Edit, Enabled: selected,
			Params: choice("the axis", "x", "y", "z"),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				return s.run("object.mirror axis=" + a.Text("name") + " ids=" + idList(s.Selection()))
			},
		},
		{
			ID: "edit.showall", Title: "Show all", Help: "Shows everything that is hidden.", Class: command.Edit,
			Run: func(_ context.Context, env *command.Env, _ command.Args) error {
				return env.Doc.Do("Show all", func(tx *document.Tx) error {
					for e := range tx.Level().Entities() {
						if e.Hidden {
							c := e.Clone()
							c.Hidden = false
							if err := tx.Put(c); err != nil {
								return err
							}
						}
					}
					return nil
				})
			},
		},
		{ID: "view.selection", Title: "Frame the selection", Help: "Moves the camera so that what is selected fills the view.", Class: command.View, Run: do(s.FrameSelection)},

		{ID: "app.assets", Title: "Import a mesh…", Help: "Asks for a .glb, .gltf or .obj file and adds it to the level's assets.", Class: command.Disk, Run: do(s.askAssets)},
		{
			ID: "app.relink", Title: "Link an asset to a file…", Help: "Asks for the file that an asset is to be.", Class: command.Disk,
			Params: []command.Param{{Name: "name", Help: "name of the asset", Kind: command.Text, Required: true, Positional: true}},
			Run:    func(_ context.Context, _ *command.Env, a command.Args) error { s.AskRelink(a.Text("name")); return nil },
		},
		{
			ID: "app.reload", Title: "Reload an asset", Help: "Reads an asset again from the file that it was imported from.", Class: command.Disk,
			Params: []command.Param{{Name: "name", Help: "name of the asset", Kind: command.Text, Required: true, Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.ReloadAsset(a.Text("name"))
				return nil
			},
		},
		{
			ID: "place.asset", Title: "Choose the asset to place", Help: "Chooses what the mode object places and changes to it.", Class: command.View,
			Params: []command.Param{{Name: "name", Help: "name of the asset", Kind: command.Text, Required: true, Positional: true}},
			Run: func(_ context.Context, env *command.Env, a command.Args) error {
				if _, ok := env.Doc.Level().Asset(a.Text("name")); !ok {
					return fmt.Errorf("the level has no asset %q", a.Text("name"))
				}
				s.Place.Asset = a.Text("name")
				return s.SetMode(ModeObject)
			},
		},

		{
			ID: "gizmo", Title: "Choose the handles", Help: "Chooses what the handles of the selection do.", Class: command.View,
			Params: choice("what they do", "move", "rotate", "scale"),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				if err := s.Picking.Handles.SetMode(a.Text("name")); err != nil {
					return err
				}
				s.View.touch()
				if !s.HandlesShown() {
					return s.SetMode(ModeSelect)
				}
				return nil
			},
		},
		{
			ID: "gizmo.space", Title: "Choose the axes of the handles", Help: "Handles along the world's axes or those of the thing itself.", Class: command.View,
			Params: choice("whose axes", "world", "local", "other"),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				h := &s.Picking.Handles
				h.Local = a.Text("name") == "local" || a.Text("name") == "other" && !h.Local
				s.View.touch()
				return nil
			},
		},
		{ID: "snap.toggle", Title: "Snap", Help: "Turns snapping on or off.", Class: command.View, Run: do(func() { s.Snapping.On = !s.Snapping.On; s.View.touch() })},
		{
			ID: "snap.set", Title: "Set snapping", Help: "Sets what positions, angles and factors are rounded to.", Class: command.View,
			Params: []command.Param{
				number("grid", "step of positions, 0 for none", "m", 0, 1e6), number("angle", "step of angles, 0 for none", "°", 0, 180),
				number("scale", "step of factors, 0 for none", "", 0, 100),
				toggle("vertex", "to vertices near the pointer"), toggle("surface", "over what is under the pointer"), toggle("align", "and turn with its surface"),
			},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.setSnapping(a)
				return nil
			},
		},
		{
			ID: "nodes.show", Title: "Set the view of the node tree", Help: "How the overlay of the node tree looks.", Class: command.View,
			Params: []command.Param{
				{Name: "depth", Help: "deepest level that is shown, -1 for all", Kind: command.Int, Min: -1, Max: 64},
				{Name: "colour", Help: "what the colours tell", Kind: command.Choice, Choices: []string{"depth", "verdict"}},
				{Name: "of", Help: "which tree: the level's, or that over the triangles of the selected object", Kind: command.Choice, Choices: []string{"level", "mesh"}},
			},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				if a.Given("depth") {
					s.Nodes.Deepest = a.Int("depth")
				}
				if a.Given("colour") {
					s.Nodes.Verdict = a.Text("colour") == "verdict"
				}
				if a.Given("of") {
					s.Nodes.Mesh = a.Text("of") == "mesh"
				}
				s.View.touch()
				return nil
			},
		},
		{
			ID: "nodes.set", Title: "Set the node tree", Help: "Sets how the level's things are sorted: nodes that are larger than the size and have more items are split.", Class: command.Edit,
			Params: []command.Param{
				number("size", "largest size of a node that is not split", "m", document.MinNodeSize, document.MaxDistance),
				{Name: "items", Help: "most items in a node that is not split", Kind: command.Int, Min: 1, Max: document.MaxNodeItems},
				{Name: "split", Help: "quadtree, octree, or whichever fits", Kind: command.Choice, Choices: []string{"auto", "quad", "oct"}},
			},
			Run: func(_ context.Context, env *command.Env, a command.Args) error {
				return env.Doc.Do("Set the node tree", func(tx *document.Tx) error {
					n := tx.Level().Settings.Nodes
					if a.Given("size") {
						n.Size = a.Number("size")
					}
					if a.Given("items") {
						n.Items = a.Int("items")
					}
					if a.Given("split") {
						n.Split = document.NodeSplit(strings.TrimPrefix(a.Text("split"), "auto"))
					}
					return tx.SetNodeTree(n)
				})
			},
		},
		{
			ID: "marker.shape", Title: "Choose the shape of markers", Help: "Chooses what the mode marker places and changes to it.", Class: command.View,
			Params: choice("the shape", string(document.MarkerPoint), string(document.MarkerLine), string(document.MarkerArea)),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				if shape := document.MarkerShape(a.Text("name")); shape != s.Marking.Shape {
					s.settleMarker()
					s.Marking.Shape = shape
				}
				return s.SetMode(ModeMarker)
			},
		},
		{
			ID: "marker.finish", Title: "Finish the marker", Help: "Makes the line or area of the corners that were clicked.", Class: command.Edit,
			Run: func(_ context.Context, env *command.Env, _ command.Args) error { return s.marker.Finish(env) },
		},
		{
			ID: "walk.collision", Title: "Collision", Help: "Turns collision on or off in the mode walk.", Class: command.View,
			Run: do(func() { s.View.walk.toggleCollision(s) }),
		},
	}
}

func (s *Session) setSnapping(a command.Args) {
	n := &s.Snapping
	for _, v := range []struct {
		name   string
		to     *float64
		factor float64
	}{{"grid", &n.Grid, 1}, {"angle", &n.Angle, math.Pi / 180}, {"scale", &n.Scale, 1}} {
		if a.Given(v.name) {
			*v.to = a.Number(v.name) * v.factor
		}
	}
	for name, to := range map[string]*bool{"vertex": &n.Vertex, "surface": &n.Surface, "align": &n.Align} {
		if a.Given(name) {
			*to = a.Bool(name)
		}
	}
	s.View.touch()
}

// idList writes ids as an argument.
func idList(ids []document.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.FormatUint(uint64(id), 10)
	}
	return strings.Join(words, ",")
}
