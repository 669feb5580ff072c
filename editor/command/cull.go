package command

import (
	"context"

	"ridgeline/occluders/cull"
)

func cullCommands() []Command {
	c := Command{
		ID: "cull.set", Title: "Switch tests of visibility", Class: View,
		Help: "Switches the tests that remove what cannot be seen on or off, to find out what each does. " +
			"Switching one off never changes the picture, only how much is drawn for it.",
		Run: setCulling,
	}
	help := map[cull.Test]string{
		cull.Frustum:  "whether what is beside the picture is left out",
		cull.Backface: "whether ground of which only the back is turned to the eye is left out",
		cull.Portal:   "whether what no open portal shows is left out",
		cull.Terrain:  "whether what is behind hills is left out",
		cull.Occluder: "whether what is behind occluders is left out",
	}
	for t := range cull.Test(cull.NumTests) {
		c.Params = append(c.Params, Param{Name: t.String(), Help: help[t], Kind: Bool})
	}
	return []Command{c}
}

func setCulling(_ context.Context, env *Env, a Args) error {
	off, any := env.View.Off, false
	for t := range cull.Test(cull.NumTests) {
		if !a.Given(t.String()) {
			continue
		}
		any = true
		if a.Bool(t.String()) {
			off = off.With(t, false)
		} else {
			off = off.With(t, true)
		}
	}
	if !any {
		return bad("", "nothing to change", "frustum=, backface=, portal=, terrain= or occluder=")
	}
	env.View.Off = off
	env.View.changed()
	return nil
}
