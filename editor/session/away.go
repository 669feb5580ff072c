package session

import (
	"context"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/editor/command"
)

// away does the long part of a command in the background and takes its result up
// between drags. It is the session's command.Env.Away.
func (s *Session) away(title string, work command.Work) {
	revision := s.revision
	models := s.backgroundModels()
	s.Start(title, func(ctx context.Context, progress func(float64)) (func() error, error) {
		take, err := work(ctx, models, progress)
		return func() error {
			return s.betweenDrags(title, func() error {
				if s.revision != revision {
					return nil // of a level that is gone
				}
				return take()
			})
		}, err
	}, nil)
}

// inOrder has what commands do done at once, because the next ones build on it, until
// the returned function is called.
func (s *Session) inOrder() (again func()) {
	away := s.Env.Away
	s.Env.Away = nil
	return func() { s.Env.Away = away }
}

// backgroundModels gives meshes on any goroutine: those that are there, and others from
// their files.
func (s *Session) backgroundModels() command.Models {
	known, home := s.sharedModels(), s.assetHome()
	return func(ctx context.Context, a *document.Asset) (*mesh.Model, error) {
		if m := known.Model(a); m != nil {
			return m.Model, nil
		}
		m, err := readModel(ctx, home, a.File)
		if err != nil {
			return nil, err
		}
		return m.Model, nil
	}
}
