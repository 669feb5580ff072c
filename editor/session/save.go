package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ridgeline/document/store"
	"ridgeline/editor/command"
)

// saveFile is what file.save and file.saveas do: it begins to save in the
// background.
func (s *Session) saveFile(_ context.Context, q command.SaveRequest) error {
	return s.save(q, nil)
}

// saveCurrent saves the level where it is, asking for a name when it has none, and
// calls then when it is safe on the disk.
func (s *Session) saveCurrent(then func()) {
	s.Fail(s.save(command.SaveRequest{Level: s.Level(), State: s.Env.Doc.State()}, then))
}

func (s *Session) save(q command.SaveRequest, then func()) error {
	switch {
	case s.file.saving:
		return errors.New("the level is being saved already")
	case q.Path == "" && s.file.readOnly:
		return errReadOnly
	case q.Path == "" && s.file.path == "":
		s.askSavePath(func(path string) {
			q.Path = path
			s.Fail(s.save(q, then))
		})
		return nil
	}
	if q.Path != "" {
		q.Path = withExtension(q.Path)
		abs, err := filepath.Abs(q.Path)
		if err != nil {
			return err
		}
		if q.Path = abs; abs != s.file.path {
			return s.saveAs(q, then)
		}
	}
	keeper := s.file.keeper
	if keeper == nil {
		return errors.New("this level only pretends to be from a file; save it under another name")
	}
	keeper.Look(s.View.left())
	s.file.saving = true
	s.Start("Saving "+s.Title(), func(ctx context.Context, progress func(float64)) (func() error, error) {
		stats, err := keeper.Save(ctx, q.Level, ratio(progress))
		return func() error { return s.savedAt(q, stats) }, err
	}, func(err error) {
		s.file.saving = false
		if err == nil && then != nil {
			then()
		}
	})
	return nil
}

// savedAt takes note of a finished save.
func (s *Session) savedAt(q command.SaveRequest, stats store.SaveStats) error {
	s.Env.Doc.MarkSaved(q.State)
	s.Memory.AddRecent(s.file.path)
	wrote := bytesText(stats.Bytes)
	if stats.Regions > 0 { // else the manifest alone
		wrote += " in " + count(stats.Regions, "file")
	}
	s.Say(fmt.Sprintf("Saved %s: %s.", s.Title(), wrote))
	if stats.Unread != nil {
		s.Tell(Notice{Severity: Error, Text: "A mesh or texture could not be taken along: " + stats.Unread.Error() + "."})
	}
	return errors.Join(stats.Leftovers, s.saveMemory())
}

// saveAs writes the level to a new place and goes on there.
func (s *Session) saveAs(q command.SaveRequest, then func()) error {
	revision, home := s.revision, s.assetHome()
	prev, keeper, camera := s.file.saved, s.file.keeper, s.View.left()
	s.file.saving = true
	s.Start("Saving "+filepath.Base(q.Path), func(ctx context.Context, progress func(float64)) (func() error, error) {
		lock, err := store.TakeLock(q.Path)
		if err != nil {
			return nil, err
		}
		if keeper != nil {
			prev = keeper.Saved() // when the autosave under way has ended
		}
		if prev == nil && home != "" {
			prev = store.Beside(home)
		}
		saved, stats, err := store.Save(ctx, q.Path, store.SeenFrom(q.Level, camera), prev, ratio(progress))
		if err != nil {
			return nil, errors.Join(err, lock.Release())
		}
		return func() error {
			if s.revision != revision {
				return lock.Release() // another level was opened meanwhile
			}
			if home != "" && stats.Unread == nil && s.Level() != q.Level {
				// Meshes may have been imported while the level was written.
				stats.Unread = store.TakeAssets(s.ctx, home, q.Path)
			}
			s.file.keepUntitled = stats.Unread != nil
			s.file.leave(s)
			s.file = file{path: q.Path, lock: lock, saved: saved, saving: true}
			s.file.enter(s)
			err := s.savedAt(q, stats)
			if s.Level() != q.Level {
				s.file.update(s.Level(), s.View.left())
			}
			return err
		}, nil
	}, func(err error) {
		if s.revision == revision {
			s.file.saving = false
		}
		if err == nil && then != nil {
			then()
		}
	})
	return nil
}

// withExtension adds the extension of levels where a name has none.
func withExtension(path string) string {
	if strings.EqualFold(filepath.Ext(path), Extension) {
		return path
	}
	return path + Extension
}

// ratio turns the store's progress into a task's.
func ratio(progress func(float64)) store.Progress {
	return func(done, total int) {
		if total > 0 {
			progress(float64(done) / float64(total))
		}
	}
}

func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
