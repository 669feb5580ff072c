package command

import (
	"context"
	"errors"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/shade"
)

func lightCommands() []Command {
	return []Command{{
		ID: "light.bake", Title: "Bake the light", Class: Edit,
		Help:   "Computes the light of the sun on the whole terrain and keeps it in the level.",
		Params: []Param{{Name: "shadows", Help: "whether the ground casts shadows", Kind: Bool, Default: "yes"}},
		Run: func(ctx context.Context, env *Env, a Args) error {
			lit, err := BakeLight(ctx, env.Doc.Level(), a.Bool("shadows"), nil)
			if err != nil {
				return err
			}
			return env.Doc.Do(BakeName, func(tx *document.Tx) error { return TakeLight(tx, lit) })
		},
	}}
}

// BakeName is what history calls the baking of light.
const BakeName = "Bake the light"

// BakeLight computes a level's light. It changes nothing and may run on any
// goroutine; progress, which may be nil, is told the tiles done.
func BakeLight(ctx context.Context, l *document.Level, shadows bool, progress func(done, total int)) (*terrain.Field, error) {
	s := l.Settings.Sun
	return shade.Bake(ctx, l.Terrain, shade.Sun{
		Azimuth: s.Azimuth, Elevation: s.Elevation, Color: s.Color, Intensity: s.Intensity,
		Ambient: mgl64.Vec3{s.Ambient, s.Ambient, s.Ambient},
	}, shade.Options{Shadows: shadows, Progress: progress})
}

// TakeLight puts light that BakeLight computed on the terrain as it is by now,
// which must not have been resized since. Only if the ground has kept its shape
// does the light count as that of the sun (Sun.Baked).
func TakeLight(tx *document.Tx, lit *terrain.Field) error {
	now := tx.Level().Terrain
	changes, same := terrain.AppendChanges(nil, now, lit)
	if !same {
		return errors.New("the terrain was resized while its light was baked; bake it again")
	}
	d := now.Draft()
	shaped := false
	for _, c := range changes {
		shaped = shaped || c.Planes&(terrain.PlaneHeights|terrain.PlaneFlags) != 0
		if c.Planes&terrain.PlaneLight != 0 {
			d.Put(c.X, c.Y, lit.Tile(c.X, c.Y), terrain.PlaneLight)
		}
	}
	f, _ := d.Field()
	if err := tx.SetTerrain(f); err != nil {
		return err
	}
	sun := tx.Level().Settings.Sun
	sun.Baked = !shaped
	return tx.SetSun(sun)
}
