package session

import (
	"context"
	"errors"
	"fmt"

	"ridgeline/editor/command"
	"ridgeline/editor/tool"
	"ridgeline/export/glb"
	"ridgeline/terrain/brush"
)

// Overlays are the names of what can be drawn over the level.
var Overlays = []string{
	"wire", "bounds", "nodes", "markers", "frustum", "occluders", "occludees", "cells", "portals", "ghosts", "portalview", "efficiency", "heat",
}

// Panels are the names of the parts of the window that can be hidden.
var Panels = []string{"outliner", "inspector", "layers", "sun", "history", "culling", "assets", "nodes", "problems", "console"}

// Tabs are the panels that have tabs in the right column.
var Tabs = []string{"inspector", "layers", "sun", "history", "culling", "problems"}

// windowCommands are the commands that need a running editor.
func windowCommands(s *Session) []command.Command {
	do := func(fn func()) func(context.Context, *command.Env, command.Args) error {
		return func(context.Context, *command.Env, command.Args) error { fn(); return nil }
	}
	name := func(help string, choices ...string) []command.Param {
		return []command.Param{{Name: "name", Help: help, Kind: command.Choice, Choices: choices, Required: true, Positional: true}}
	}
	var modes []string
	for _, m := range Modes {
		modes = append(modes, string(m.Mode))
	}
	var ops []string
	for _, o := range SculptOps {
		ops = append(ops, o.String())
	}
	step := []command.Param{{Name: "by", Help: "steps, negative for less", Kind: command.Int, Min: -100, Max: 100, Default: "1", Positional: true}}
	settings := []tool.Setting{tool.Radius, tool.Strength, tool.Weight, tool.Hardness, tool.Spacing}
	var settingNames []string
	for _, t := range settings {
		settingNames = append(settingNames, t.Range().Name)
	}
	nudge := func(of func() tool.Setting) func(context.Context, *command.Env, command.Args) error {
		return func(_ context.Context, _ *command.Env, a command.Args) error {
			for range max(a.Int("by"), 0) {
				s.Brush.Grow(of())
			}
			for range max(-a.Int("by"), 0) {
				s.Brush.Shrink(of())
			}
			return nil
		}
	}
	return []command.Command{
		{ID: "app.new", Title: "New level…", Help: "Asks for a size and makes a flat level.", Class: command.Disk, Run: do(s.askNew)},
		{ID: "app.sample", Title: "Open the sample level", Help: "Opens the level that comes with the editor.", Class: command.Disk, Run: do(s.openSample)},
		{ID: "app.village", Title: "Open the Village", Help: "Opens the other level that comes with the editor: houses, a cellar and a cave among hills, with occluders, cells and portals.", Class: command.Disk, Run: do(s.openVillage)},
		{ID: "app.open", Title: "Open…", Help: "Asks for a level to open.", Class: command.Disk, Run: do(s.askOpen)},
		{
			ID: "app.save", Title: "Save", Help: "Saves the level; asks for a name when it has none.", Class: command.Disk,
			Run: do(func() { s.saveCurrent(nil) }),
			Enabled: func(*command.Env) error {
				switch {
				case s.file.readOnly:
					return errReadOnly
				case s.file.saving:
					return errors.New("the level is being saved")
				}
				return nil
			},
		},
		{ID: "app.saveas", Title: "Save as…", Help: "Asks for a name and saves the level under it.", Class: command.Disk, Run: do(func() {
			q := command.SaveRequest{Level: s.Level(), State: s.Env.Doc.State()}
			s.askSavePath(func(path string) {
				q.Path = path
				s.Fail(s.save(q, nil))
			})
		})},
		{ID: "app.import", Title: "Import a heightmap…", Help: "Asks for a heightmap and makes a level of it.", Class: command.Disk, Run: do(s.askImport)},
		{ID: "app.export", Title: "Export…", Help: "Asks for a file and exports the level in the format of its extension.", Class: command.Disk, Run: do(s.askExport)},
		{
			ID: "app.exportto", Title: "Export to a file", Help: "Exports the level in the format of the file's extension.", Class: command.Disk,
			Params: []command.Param{{Name: "file", Help: "the file to write: .glb, .gltf, .png, .r16, .r32 or .asc", Kind: command.File, Required: true, Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				return s.export(a.Text("file"), glb.Options{})
			},
		},
		{ID: "app.quit", Title: "Quit", Help: "Closes the editor, after asking about changes.", Class: command.Disk, Run: do(func() {
			if s.Closing() && s.options.Quit != nil {
				s.closing = true
				s.options.Quit()
			}
		})},
		{
			ID: "app.bake", Title: "Bake the light", Class: command.Edit,
			Help:   "Computes the light of the sun on every sample, in the background, with shadows unless they are turned off.",
			Params: []command.Param{{Name: "shadows", Help: "hills cast shadows", Kind: command.Bool, Default: "yes"}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.bake(a.Bool("shadows"))
				return nil
			},
		},
		{
			ID: "history.goto", Title: "Go to a step of the history", Help: "Undoes or redoes until that many steps are done.", Class: command.Edit,
			Params: []command.Param{{Name: "step", Help: "number of steps, 0 for the beginning", Kind: command.Int, Min: 0, Max: 1 << 30, Required: true, Positional: true}},
			Run: func(_ context.Context, env *command.Env, a command.Args) error {
				if n := len(env.Doc.History()); a.Int("step") > n {
					return fmt.Errorf("the history has %d steps, so it cannot go to %d", n, a.Int("step"))
				}
				env.Doc.JumpTo(a.Int("step"))
				return nil
			},
		},

		{ID: "view.palette", Title: "Command palette", Help: "Finds a command by its name.", Class: command.View, Run: do(func() { s.Show("palette", !s.Shown("palette")) })},
		{
			ID: "view.panel", Title: "Show or hide a panel", Help: "Shows or hides a part of the window.", Class: command.View,
			Params: name("the panel", Panels...),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.Show(a.Text("name"), !s.Shown(a.Text("name")))
				return nil
			},
		},
		{
			ID: "view.tab", Title: "Bring a tab to the front", Help: "Shows a panel of the right column before the others.", Class: command.View,
			Params: name("the panel", Tabs...),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.front = a.Text("name")
				s.Show(s.front, true)
				return nil
			},
		},
		{
			ID: "view.overlay", Title: "Show or hide an overlay", Help: "Shows or hides something that is drawn over the level.", Class: command.View,
			Params: name("the overlay", Overlays...),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.Show("overlay "+a.Text("name"), !s.Shown("overlay "+a.Text("name")))
				s.View.touch()
				return nil
			},
		},
		{ID: "view.frame", Title: "Frame the level", Help: "Moves the camera so that all of the level is seen.", Class: command.View, Run: do(s.View.frameLevel)},
		{
			ID: "view.from", Title: "Look from a side", Help: "Looks along an axis without perspective, or with perspective again.", Class: command.View,
			Params: name("the side", "perspective", "front", "side", "top"),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.View.lookFrom(a.Text("name"))
				return nil
			},
		},
		{
			ID: "view.error", Title: "Set the detail of the ground", Help: "Sets how many pixels the drawn ground may be off.", Class: command.View,
			Params: []command.Param{{Name: "pixels", Help: "largest error on the screen", Unit: "px", Kind: command.Number, Min: 0.5, Max: 32, Required: true, Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.Settings.View.MaxError = a.Number("pixels")
				s.View.touch()
				return nil
			},
		},

		{
			ID: "mode", Title: "Choose the mode", Help: "Chooses what the left mouse button does.", Class: command.View,
			Params: name("the mode", modes...),
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				return s.SetMode(Mode(a.Text("name")))
			},
		},
		{
			ID: "brush.op", Title: "Choose what sculpting does", Help: "Chooses the operation of the mode sculpt and changes to it.", Class: command.View,
			Params: []command.Param{{Name: "op", Help: "the operation", Kind: command.Choice, Choices: ops, Required: true, Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				op, err := brush.ParseOp(a.Text("op"))
				if err != nil {
					return err
				}
				s.Sculpt.Op = op
				return s.SetMode(ModeSculpt)
			},
		},
		{
			ID: "brush.layer", Title: "Choose the layer to paint", Help: "Chooses the layer of the mode paint and changes to it.", Class: command.View,
			Params: []command.Param{{Name: "layer", Help: "index or name of the layer", Kind: command.Layer, Required: true, Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.Paint.Layer = a.Layer("layer")
				return s.SetMode(ModePaint)
			},
		},
		{
			ID: "brush.set", Title: "Set the brush", Help: "Sets one number of the brush; weight is the strength of what smooths, flattens and paints.", Class: command.View,
			Params: []command.Param{
				{Name: "name", Help: "which number", Kind: command.Choice, Choices: settingNames, Required: true},
				{Name: "value", Help: "its value, within its range", Kind: command.Number, Required: true},
			},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				for _, t := range settings {
					if r := t.Range(); r.Name == a.Text("name") {
						if v := a.Number("value"); v < r.Min || v > r.Max {
							return fmt.Errorf("value: found %g, expected %g to %g %s", v, r.Min, r.Max, r.Unit)
						}
						s.Brush.Set(t, a.Number("value"))
					}
				}
				return nil
			},
		},
		{ID: "brush.size", Title: "Change the size of the brush", Help: "Makes the brush larger or smaller.", Class: command.View, Params: step, Run: nudge(func() tool.Setting { return tool.Radius })},
		{ID: "brush.strength", Title: "Change the strength of the brush", Help: "Makes the brush stronger or weaker.", Class: command.View, Params: step, Run: nudge(s.StrengthSetting)},
		{ID: "brush.hardness", Title: "Change the hardness of the brush", Help: "Makes the brush harder or softer.", Class: command.View, Params: step, Run: nudge(func() tool.Setting { return tool.Hardness })},
	}
}
