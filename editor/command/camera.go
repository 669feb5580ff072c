package command

import (
	"context"
	"slices"

	"ridgeline/document"
)

func cameraCommands() []Command {
	eyeHelp, lookHelp := "where the camera stands", "the point that it looks at"
	return []Command{
		{
			ID: "camera.set", Title: "Place the camera", Class: View,
			Help: "Places the camera. Points without a height lie on the ground.",
			Params: []Param{
				{Name: "eye", Help: eyeHelp, Kind: Ground, Required: true},
				{Name: "look", Help: lookHelp, Kind: Ground, Required: true},
			},
			Run: func(_ context.Context, env *Env, a Args) error {
				c, err := env.camera(a)
				if err != nil {
					return err
				}
				env.View.Camera = c
				env.View.changed()
				return nil
			},
		},
		{
			ID: "camera.bookmark", Title: "Bookmark a view", Class: Edit,
			Help: "Keeps a view in the level under a name: the one given, or the present one.",
			Params: []Param{
				{Name: "name", Help: "name of the bookmark; one that exists is replaced", Kind: Text, Required: true},
				{Name: "eye", Help: eyeHelp, Kind: Ground},
				{Name: "look", Help: lookHelp, Kind: Ground},
			},
			Run: func(_ context.Context, env *Env, a Args) error {
				name, c := a.Text("name"), env.View.Camera
				if name == "" {
					return bad("name", `""`, "a name")
				}
				if a.Given("eye") != a.Given("look") {
					return bad("", "only one of eye= and look=", "both or neither")
				}
				if a.Given("eye") {
					var err error
					if c, err = env.camera(a); err != nil {
						return err
					}
				}
				return env.Doc.Do("Bookmark "+name, func(tx *document.Tx) error { return tx.SetBookmark(name, c) })
			},
		},
		{
			ID: "camera.goto", Title: "Go to a bookmark", Class: View,
			Help:   "Shows a view that was bookmarked.",
			Params: []Param{{Name: "name", Help: "name of the bookmark", Kind: Text, Required: true, Positional: true}},
			Enabled: func(env *Env) error {
				if len(env.Doc.Level().Settings.Bookmarks) == 0 {
					return bad("", "no bookmarks in the level", "")
				}
				return nil
			},
			Run: func(_ context.Context, env *Env, a Args) error {
				marks := env.Doc.Level().Settings.Bookmarks
				c, ok := marks[a.Text("name")]
				if !ok {
					names := make([]string, 0, len(marks))
					for n := range marks {
						names = append(names, n)
					}
					slices.Sort(names)
					return bad("name", quoteWord(a.Text("name")), "one of the bookmarks "+list(names))
				}
				env.View.Camera = c
				env.View.changed()
				return nil
			},
		},
	}
}

// camera reads eye and look, which must not be the same point.
func (e *Env) camera(a Args) (document.Camera, error) {
	c := document.Camera{Eye: e.ground(a.Point("eye")), Look: e.ground(a.Point("look"))}
	if !c.IsSet() {
		return c, bad("look", a.Point("look").String(), "a point other than the eye")
	}
	return c, nil
}
