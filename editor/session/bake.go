package session

import (
	"context"
	"errors"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/shade"
)

// bake computes the light in the background and puts it into the level as it is
// then, so that work may go on meanwhile.
func (s *Session) bake(shadows bool) {
	revision := s.revision
	before := s.Level()
	s.Start("Baking the light", func(ctx context.Context, progress func(float64)) (func() error, error) {
		lit, err := shade.Bake(ctx, before.Terrain, shadeSun(before.Settings.Sun), shade.Options{
			Shadows: shadows,
			Progress: func(done, total int) {
				if total > 0 {
					progress(float64(done) / float64(total))
				}
			},
		})
		if err != nil {
			return nil, err
		}
		return func() error {
			if s.revision != revision {
				return nil // of a level that is gone
			}
			s.EndDrag()
			return s.Env.Doc.Do("Bake the light", func(tx *document.Tx) error { return takeLight(tx, lit) })
		}, nil
	}, nil)
}

// takeLight puts the light of lit on the level's terrain.
func takeLight(tx *document.Tx, lit *terrain.Field) error {
	now := tx.Level().Terrain
	changes, same := terrain.AppendChanges(nil, now, lit)
	if !same {
		return errors.New("the terrain was resized while its light was baked; bake it again")
	}
	d := now.Draft()
	for _, c := range changes {
		if c.Planes&terrain.PlaneLight != 0 {
			d.Put(c.X, c.Y, lit.Tile(c.X, c.Y), terrain.PlaneLight)
		}
	}
	f, _ := d.Field()
	if err := tx.SetTerrain(f); err != nil {
		return err
	}
	sun := tx.Level().Settings.Sun
	sun.Baked = true
	return tx.SetSun(sun)
}

// shadeSun is the level's sun as the baking of light takes it.
func shadeSun(s document.Sun) shade.Sun {
	return shade.Sun{
		Azimuth: s.Azimuth, Elevation: s.Elevation, Color: s.Color, Intensity: s.Intensity,
		Ambient: mgl64.Vec3{s.Ambient, s.Ambient, s.Ambient},
	}
}
