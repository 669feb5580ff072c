package command

import (
	"context"
	"errors"

	"ridgeline/document"
	"ridgeline/terrain"
)

func groundCommands() []Command {
	return []Command{
		{
			ID: "terrain.new", Title: "New terrain", Class: Edit,
			Help: "Puts flat ground at height 0 in place of the terrain, or where there is none. Its first sample stands at 0,0.",
			Params: []Param{
				{Name: "size", Help: "samples along x and z", Kind: Size, Min: terrain.MinSize, Max: terrain.MaxSize, Required: true},
				{Name: "spacing", Help: "distance between samples", Unit: "m", Kind: Number, Min: terrain.MinSpacing, Max: terrain.MaxSpacing, Default: "1"},
			},
			Run: func(_ context.Context, env *Env, a Args) error {
				w, h := a.Size("size")
				f, err := terrain.Flat(w, h, a.Number("spacing"))
				if err != nil {
					return bad("size", itoa(w)+"x"+itoa(h), err.Error())
				}
				return env.newGround("New terrain", f)
			},
		},
		{
			ID: "level.noterrain", Title: "Remove the terrain", Class: Edit,
			Help: "Removes the ground, for a level that is made of meshes alone. terrain.new makes new ground.",
			Enabled: func(env *Env) error {
				if !env.Doc.Level().HasTerrain() {
					return errors.New("the level has no terrain")
				}
				return nil
			},
			Run: func(_ context.Context, env *Env, _ Args) error {
				f, err := document.NoTerrain()
				if err != nil {
					return err
				}
				return env.newGround("Remove the terrain", f)
			},
		},
	}
}

// newGround replaces the ground by one that was not imported from anywhere.
func (e *Env) newGround(name string, f *terrain.Field) error {
	return e.Doc.Do(name, func(tx *document.Tx) error {
		for key := range tx.Level().Settings.Geo {
			if err := tx.SetGeo(key, ""); err != nil {
				return err
			}
		}
		if err := tx.SetHeightRange(document.HeightRange{}); err != nil {
			return err
		}
		return tx.SetTerrain(f)
	})
}
