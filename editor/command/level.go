package command

import (
	"context"
	"errors"
	"fmt"
)

func historyCommands() []Command {
	return []Command{
		{
			ID: "undo", Title: "Undo", Class: Edit,
			Help: "Takes back the last edit, or cancels the stroke that is being made.",
			Enabled: func(env *Env) error {
				if !env.Doc.CanUndo() {
					return errNoUndo
				}
				return nil
			},
			Run: func(_ context.Context, env *Env, _ Args) error {
				name, ok := env.Doc.Undo()
				if !ok {
					return errNoUndo
				}
				env.Printf("undone: %s", name)
				return nil
			},
		},
		{
			ID: "redo", Title: "Redo", Class: Edit,
			Help: "Makes the edit again that was undone last.",
			Run: func(_ context.Context, env *Env, _ Args) error {
				name, ok := env.Doc.Redo()
				if !ok {
					return errors.New("there is nothing to redo")
				}
				env.Printf("redone: %s", name)
				return nil
			},
			Enabled: func(env *Env) error {
				if !env.Doc.CanRedo() {
					return errors.New("there is nothing to redo")
				}
				return nil
			},
		},
	}
}

var errNoUndo = errors.New("there is nothing to undo")

func fileCommands() []Command {
	path := func(help string) []Param {
		return []Param{{Name: "file", Help: help, Kind: File, Required: true, Positional: true}}
	}
	return []Command{
		{
			ID: "file.open", Title: "Open a level", Class: Disk,
			Help: "Opens a level in place of this one.", Params: path("the level's file, name.ridge"),
			Enabled: func(env *Env) error { return has(env.Files.Open != nil) },
			Run:     func(ctx context.Context, env *Env, a Args) error { return env.Files.Open(ctx, a.Text("file")) },
		},
		{
			ID: "file.save", Title: "Save", Class: Disk,
			Help:    "Saves the level. In a script it takes effect at the end, and only if nothing fails.",
			Enabled: func(env *Env) error { return has(env.Files.Save != nil) },
			Run:     func(ctx context.Context, env *Env, _ Args) error { return env.save(ctx, "") },
		},
		{
			ID: "file.saveas", Title: "Save as", Class: Disk,
			Help:   "Saves the level as it is now under another name. In a script it takes effect at the end, and only if nothing fails.",
			Params: path("the file to write, name.ridge"), Enabled: func(env *Env) error { return has(env.Files.Save != nil) },
			Run: func(ctx context.Context, env *Env, a Args) error { return env.save(ctx, a.Text("file")) },
		},
	}
}

func has(available bool) error {
	if !available {
		return errNotHere
	}
	return nil
}

func helpCommands() []Command {
	return []Command{{
		ID: "help", Title: "Help", Class: View,
		Help:   "Lists all commands, or explains one.",
		Params: []Param{{Name: "command", Help: "id of a command", Kind: Text, Positional: true}},
		Run: func(_ context.Context, env *Env, a Args) error {
			if id := a.Text("command"); id != "" {
				c, err := env.Registry.Find(id)
				if err != nil {
					return err
				}
				if env.Out == nil {
					return nil
				}
				return c.WriteHelp(env.Out)
			}
			width := 0
			for _, c := range env.Registry.all {
				width = max(width, len(c.ID))
			}
			for _, c := range env.Registry.all {
				env.Printf("%s", fmt.Sprintf("%-*s  %s", width, c.ID, c.Title))
			}
			return nil
		},
	}}
}
