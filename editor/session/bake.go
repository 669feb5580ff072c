package session

import (
	"context"

	"ridgeline/document"
	"ridgeline/editor/command"
)

// bake computes the light in the background and puts it into the level as it is
// then, so that work may go on meanwhile.
func (s *Session) bake(shadows bool) {
	revision := s.revision
	before := s.Level()
	s.Start("Baking the light", func(ctx context.Context, progress func(float64)) (func() error, error) {
		lit, err := command.BakeLight(ctx, before, shadows, ratio(progress))
		return func() error {
			if s.revision != revision {
				return nil // of a level that is gone
			}
			s.EndDrag()
			err := s.Env.Doc.Do(command.BakeName, func(tx *document.Tx) error { return command.TakeLight(tx, lit) })
			if err == nil && !s.Level().Settings.Sun.Baked {
				s.Warn("The ground changed while its light was baked. Bake it again when it is done.")
			}
			return err
		}, err
	}, nil)
}
