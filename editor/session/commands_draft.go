package session

import (
	"context"
	"errors"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/tool"
)

var (
	errNoDraft    = errors.New("nothing is being drawn")
	errNoDrafting = errors.New("this mode draws no occluders, cells or portals")
)

// draftCommands are those of the modes occluder and portal.
func draftCommands(s *Session) []command.Command {
	draw := func(id, title, help string, mode Mode, o *tool.Drafting, what document.Kind, forms ...tool.Form) command.Command {
		var names []string
		for _, f := range forms {
			names = append(names, string(f))
		}
		return command.Command{
			ID: id, Title: title, Class: command.View, Help: help,
			Params: []command.Param{{Name: "name", Help: "how they are drawn", Kind: command.Choice, Choices: names, Required: true, Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.EndDrag()
				if f := tool.Form(a.Text("name")); f != o.Form || o.What != what {
					s.settleDraft()
					o.Form, o.What = f, what
				}
				return s.SetMode(mode)
			},
		}
	}
	pending := func(*command.Env) error {
		if d := s.draft(); d == nil || d.Pending() == 0 {
			return errNoDraft
		}
		return nil
	}
	var states []string
	for _, st := range document.PortalStates {
		states = append(states, string(st))
	}
	return []command.Command{
		draw("occluder.draw", "Choose how occluders are drawn", "Chooses how the mode occluder draws, and changes to it. A hole is drawn in the flat occluder that is selected.",
			ModeOccluder, &s.Occluding, document.KindOccluder, tool.FormBox, tool.FormPolygon, tool.FormFlat, tool.FormHole),
		draw("cell.draw", "Choose how cells are drawn", "Has the mode portal draw cells, and changes to it.",
			ModePortal, &s.Rooms, document.KindCell, tool.FormBox, tool.FormPolygon),
		draw("portal.draw", "Choose how portals are drawn", "Has the mode portal draw portals on the faces of cells, and changes to it. A box is a rectangle here.",
			ModePortal, &s.Rooms, document.KindPortal, tool.FormBox, tool.FormPolygon),
		{
			ID: "view.rooms", Title: "Cells and portals", Class: command.View,
			Help: "Shows or hides cells and portals, both at once.",
			Run: func(context.Context, *command.Env, command.Args) error {
				both := s.Shown("overlay cells") && s.Shown("overlay portals")
				s.Show("overlay cells", !both)
				s.Show("overlay portals", !both)
				s.View.touch()
				return nil
			},
		},
		{
			ID: "draft.set", Title: "Set how occluders, cells and portals are drawn", Class: command.View,
			Help: "Sets what the present mode draws. What is left out stays.",
			Params: []command.Param{
				{Name: "height", Help: "how high something is before the pointer pulls it", Unit: "m", Kind: command.Number, Min: tool.MinHeight, Max: tool.MaxHeight},
				{Name: "attach", Help: "whether an occluder belongs to the object that it is drawn on", Kind: command.Bool},
				{Name: "piece", Help: "whether a cell that is drawn becomes a further piece of the one that is selected", Kind: command.Bool},
				{Name: "state", Help: "of new portals", Kind: command.Choice, Choices: states},
				{Name: "reach", Help: "how far from a new portal its cells may be", Unit: "m", Kind: command.Number, Min: 1e-3, Max: 1000},
			},
			Enabled: func(*command.Env) error {
				if s.draft() == nil {
					return errNoDrafting
				}
				return nil
			},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				o := s.draft().Options
				if a.Given("height") {
					o.Height = a.Number("height")
				}
				if a.Given("attach") {
					o.Attach = a.Bool("attach")
				}
				if a.Given("piece") {
					o.Piece = a.Bool("piece")
				}
				if a.Given("state") {
					o.State = document.PortalState(a.Text("state"))
				}
				if a.Given("reach") {
					o.Reach = a.Number("reach")
				}
				s.View.touch()
				return nil
			},
		},
		{
			ID: "draft.finish", Title: "Finish what is drawn", Class: command.Edit,
			Help: "Pulls the polygon that was drawn, or makes what is pulled. Without anything in the making it does nothing.",
			Run: func(_ context.Context, env *command.Env, _ command.Args) error {
				d := s.draft()
				if d == nil {
					return nil
				}
				defer s.View.touch()
				return d.Finish(env)
			},
		},
		{
			ID: "draft.giveup", Title: "Give up what is drawn", Class: command.View,
			Help: "Gives up the occluder, the cell or the portal that is being drawn.", Enabled: pending,
			Run: func(context.Context, *command.Env, command.Args) error {
				s.draft().Abandon()
				s.View.touch()
				return nil
			},
		},
		{
			ID: "draft.delete", Title: "Delete the chosen corner", Class: command.Edit,
			Help: "Deletes the corner of an occluder, a cell or a portal that is chosen, if enough are left. Without one it does nothing.",
			Run: func(_ context.Context, env *command.Env, _ command.Args) error {
				d := s.draft()
				if d == nil || !d.Chosen() {
					return nil
				}
				return d.DeleteCorner(env, s.hoverInput())
			},
		},
	}
}

// unchoose leaves the corners of what is selected alone, and reports whether one was
// chosen.
func (s *Session) unchoose() bool {
	d := s.draft()
	return d != nil && d.Unchoose()
}
