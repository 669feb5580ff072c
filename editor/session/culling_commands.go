package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/occluders/cull"
)

var (
	errNoWhy  = errors.New("select one thing to find out whether it is drawn, and why not")
	errNoHeat = errors.New("there is no heat map")
)

// cullingCommands look at what culling does.
func cullingCommands(s *Session) []command.Command {
	c := &s.Culling
	on := func(help string) []command.Param {
		return []command.Param{{Name: "on", Help: help + "; without it the other way round than now", Kind: command.Bool, Positional: true}}
	}
	do := func(fn func(command.Args) error) func(context.Context, *command.Env, command.Args) error {
		return func(_ context.Context, _ *command.Env, a command.Args) error {
			if err := fn(a); err != nil {
				return err
			}
			s.View.touch()
			return nil
		}
	}
	choose := func(a command.Args, now bool) bool {
		if a.Given("on") {
			return a.Bool("on")
		}
		return !now
	}
	return []command.Command{
		{
			ID: "cull.freeze", Title: "Freeze the culling camera", Class: command.View,
			Help:   "Has what is culled stay as it is while the view flies on, with the frustum drawn and ghosts of what was removed.",
			Params: on("whether it stands still"),
			Run:    do(func(a command.Args) error { c.Freeze(choose(a, c.frozen)); return nil }),
		},
		{
			ID: "cull.toggle", Title: "Switch portals or occlusion", Class: command.View,
			Help:   "Switches the test by portals, or those by terrain and occluders together, on or off.",
			Params: []command.Param{{Name: "name", Help: "which tests", Kind: command.Choice, Choices: []string{"portals", "occlusion"}, Required: true, Positional: true}},
			Run: do(func(a command.Args) error {
				tests := cull.Only(cull.Terrain, cull.Occluder)
				if a.Text("name") == "portals" {
					tests = cull.Only(cull.Portal)
				}
				if s.Env.View.Off&tests != 0 {
					s.Env.View.Off &^= tests
				} else {
					s.Env.View.Off |= tests
				}
				return nil
			}),
		},
		{
			ID: "cull.boxes", Title: "Occluders and occludees", Class: command.View,
			Help: "Shows or hides the occluders and the boxes that are tested against them, both at once.",
			Run: do(func(command.Args) error {
				both := s.Shown("overlay occluders") && s.Shown("overlay occludees")
				s.Show("overlay occluders", !both)
				s.Show("overlay occludees", !both)
				return nil
			}),
		},
		{
			ID: "cull.oracle", Title: "Check the culling", Class: command.View,
			Help:   "Compares what is culled in this view with a picture for which nothing is, and counts what should not have been.",
			Params: []command.Param{{Name: "idle", Help: "instead, whether to check whenever the view comes to rest", Kind: command.Bool}},
			Run: do(func(a command.Args) error {
				if a.Given("idle") {
					c.CheckIdle(a.Bool("idle"))
				} else {
					c.Check()
				}
				return nil
			}),
		},
		{
			ID: "cull.heatmap", Title: "Make a heat map", Class: command.View,
			Help: "Counts, in the background, how many triangles are drawn from places all over the ground, and shows it on the ground; or takes the map away.",
			Params: []command.Param{
				{Name: "show", Help: "off takes it away", Kind: command.Choice, Choices: []string{"on", "off"}, Default: "on", Positional: true},
				{Name: "step", Help: "distance between places; a 32nd of the ground unless told", Unit: "m", Kind: command.Number, Min: document.MinNodeSize, Max: document.MaxDistance},
			},
			Enabled: func(env *command.Env) error {
				if !env.Doc.Level().HasTerrain() {
					return errNoGround
				}
				return nil
			},
			Run: do(func(a command.Args) error {
				if a.Text("show") == "off" {
					if c.heat.made == nil && c.heat.task == nil {
						return errNoHeat
					}
					c.dropHeat()
					return nil
				}
				step := 0.0
				if a.Given("step") {
					step = a.Number("step")
				}
				return c.MakeHeat(step)
			}),
		},
		{
			ID: "cull.why", Title: "Why is it not drawn?", Class: command.View,
			Help: "Prints whether what is selected is drawn, and if not, what hides it.",
			Run: do(func(command.Args) error {
				if !c.Fresh() {
					c.look()
				}
				w, ok := c.Why()
				if !ok {
					return errNoWhy
				}
				text := w.Title + ": " + w.Text
				if w.Parts > 1 {
					text += fmt.Sprintf(" (%d of %s removed)", w.Removed, strconv.Itoa(w.Parts))
				}
				s.Print(Info, text)
				return nil
			}),
		},
	}
}
