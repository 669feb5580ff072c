package session

import (
	"context"
	"errors"
	"os"

	"ridgeline/document/store"
	"ridgeline/editor/village"
)

// openVillage opens the level that shows what occluders, cells and portals do.
func (s *Session) openVillage() { s.unlessDirty(s.OpenVillage) }

// OpenVillage opens the Village without asking about the present level. It has no
// file; its meshes lie where its autosave will.
func (s *Session) OpenVillage() {
	since, dir := s.moment(), os.TempDir()
	if !s.options.Temporary {
		dir = s.options.Dirs.Unsaved()
	}
	s.Start("Opening the Village", func(ctx context.Context, _ func(float64)) (func() error, error) {
		path, lock, err := claimUntitled(dir, s.now())
		if err != nil {
			return nil, err
		}
		giveUp := func() error { return errors.Join(lock.Release(), os.RemoveAll(store.Folder(path))) }
		l, err := village.Level(ctx, func(data []byte, ext string) (string, error) { return store.AddAsset(path, data, ext) })
		if err != nil {
			return nil, errors.Join(err, giveUp())
		}
		return func() error {
			if s.editedSince(since) {
				s.askEdited(s.OpenVillage)
				return giveUp()
			}
			s.replace(l, file{name: village.Name, untitled: path, lock: lock})
			return nil
		}, nil
	}, nil)
}
