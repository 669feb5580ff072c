package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/terrain/fault"
)

// openFile is what file.open does: it asks about changes, then opens in the
// background.
func (s *Session) openFile(_ context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(abs); errors.Is(err, fs.ErrNotExist) {
		s.Memory.ForgetRecent(abs)
		if _, err := os.Stat(store.Folder(abs)); err != nil {
			return fault.Wrap("open level", abs, fs.ErrNotExist)
		}
	}
	s.unlessDirty(func() {
		if s.file.path == abs && s.file.keeper != nil {
			// Its autosave is of changes that were just given up.
			s.Fail(s.file.keeper.Discard())
		}
		s.open(abs, askWhich)
	})
	return nil
}

// whichOf says what to open of a level that has an autosave.
type whichOf uint8

const (
	askWhich     whichOf = iota // the user, if there is one
	takeAutosave                // the level is what the autosave holds
	takeSaved                   // the autosave is given up
)

// open reads a level and puts it in place of the document.
func (s *Session) open(path string, which whichOf) {
	if s.file.path == path && s.file.lock != nil {
		// It is ours already: give the lock back while the level is read again.
		s.Fail(s.file.lock.Release())
		s.file.lock = nil
	}
	var info store.Info
	since := s.moment()
	s.Start("Opening "+filepath.Base(path), func(ctx context.Context, progress func(float64)) (func() error, error) {
		lock, err := store.TakeLock(path)
		locked := errors.Is(err, store.ErrLocked)
		if err != nil && !locked && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		readOnly := err != nil
		release := func() error {
			if lock == nil {
				return nil
			}
			return lock.Release()
		}
		var level *document.Level
		level, info, err = store.Open(ctx, path, store.Options{Recover: which == takeAutosave, Progress: ratio(progress)})
		if err != nil {
			return nil, errors.Join(err, release())
		}
		if info.Autosave != store.AutosaveNone && !readOnly {
			switch which {
			case askWhich:
				return func() error { s.askWhich(path, info); return nil }, release()
			case takeSaved:
				if err := store.Discard(path); err != nil {
					return nil, errors.Join(err, release())
				}
			}
		}
		return func() error {
			if s.editedSince(since) {
				s.askEdited(func() { s.open(path, which) })
				if s.file.path == path && s.file.lock == nil && !s.file.readOnly {
					s.file.lock = lock // it was ours, and the level stays
					return nil
				}
				return release()
			}
			s.replace(level, file{path: path, readOnly: readOnly, lock: lock, saved: info.Saved})
			s.tellOpened(info, locked)
			return s.saveMemory()
		}, nil
	}, func(err error) {
		if err != nil && which == askWhich && info.Autosave != store.AutosaveNone {
			s.Ask(Question{
				Title: "The level is damaged, but it can be recovered",
				Body:  fault.Sentence(err) + " " + info.Summary(),
				Answers: []Answer{
					{Title: "Open the autosave", Do: func() { s.open(path, takeAutosave) }, Enter: true},
					{Title: "Cancel", Cancel: true},
				},
			})
		}
		if err != nil && s.file.path == path && s.file.lock == nil && !s.file.readOnly {
			s.Fail(s.lockAgain())
		}
	})
}

// lockAgain takes the lock of the level that is open, after opening it anew came
// to nothing.
func (s *Session) lockAgain() (err error) {
	s.file.lock, err = store.TakeLock(s.file.path)
	return err
}

func (s *Session) askWhich(path string, info store.Info) {
	s.Ask(Question{
		Title: "Recover unsaved work?",
		Body:  info.Summary() + " It was not saved when the editor ended.",
		Answers: []Answer{
			{Title: "Recover", Do: func() { s.open(path, takeAutosave) }, Enter: true},
			{Title: "Discard it", Do: func() { s.open(path, takeSaved) }, Danger: true},
			{Title: "Cancel", Cancel: true, Do: func() {
				if s.file.path == path && s.file.lock == nil && !s.file.readOnly {
					s.Fail(s.lockAgain())
				}
			}},
		},
	})
}

// tellOpened tells what is worth knowing of a level that was just opened.
func (s *Session) tellOpened(info store.Info, locked bool) {
	s.Memory.AddRecent(s.file.path)
	switch {
	case info.Recovered:
		s.Env.Doc.MarkSaved(0) // what is in the file is another level
		s.Say("This is the autosave. Save to make it the level.")
	case locked:
		s.Warn("This level is open elsewhere, so it is read-only here. Save it under another name to work on a copy.")
	case s.file.readOnly:
		s.Warn("There is no permission to write here, so the level is read-only. Save it under another name to work on a copy.")
	}
}

// NewLevel puts a level that has no file yet in place of the document, without
// asking. It is called by the name until it has one; that may be empty.
func (s *Session) NewLevel(l *document.Level, name string) {
	s.replace(l, file{name: name})
}

// Open opens a level without asking about the present one: at the start.
func (s *Session) Open(path string) {
	abs, err := filepath.Abs(path)
	if err != nil {
		s.Fail(err)
		return
	}
	s.open(abs, askWhich)
}

// OfferUnsaved asks whether to recover levels without a file that an earlier run
// did not live to save.
func (s *Session) OfferUnsaved() {
	if s.options.Temporary {
		return
	}
	for _, path := range unsavedLevels(s.options.Dirs.Unsaved()) {
		s.Ask(Question{
			Title: "Recover an unsaved level?",
			Body:  "The editor ended before this level was saved under a name." + lastEdited(path),
			Answers: []Answer{
				{Title: "Recover", Do: func() { s.recoverUntitled(path) }, Enter: true},
				{Title: "Delete it", Do: func() { s.Fail(os.RemoveAll(store.Folder(path))) }, Danger: true},
				{Title: "Ask again next time", Cancel: true},
			},
		})
		return
	}
}

// lastEdited says when a level was last autosaved, as a sentence to add to others.
func lastEdited(path string) string {
	info, err := os.Stat(filepath.Join(store.Folder(path), "autosave.json"))
	if err != nil {
		return ""
	}
	return " It was last edited on " + info.ModTime().Format("2 January 2006 at 15:04") + "."
}

// unsavedLevels finds untitled levels that no running editor holds.
func unsavedLevels(dir string) []string {
	folders, err := filepath.Glob(filepath.Join(dir, "untitled-*"+Extension+".d"))
	if err != nil {
		return nil
	}
	var found []string
	for _, f := range folders {
		path := strings.TrimSuffix(f, ".d")
		if _, err := os.Stat(filepath.Join(f, "autosave.json")); err != nil {
			continue
		}
		if lock, err := store.TakeLock(path); err == nil {
			lock.Release()
			found = append(found, path)
		}
	}
	return found
}

// recoverUntitled opens the autosave of an untitled level as a level without a file,
// which goes on where it was, with the meshes and textures that lie there.
func (s *Session) recoverUntitled(path string) {
	since := s.moment()
	s.Start("Recovering", func(ctx context.Context, progress func(float64)) (func() error, error) {
		lock, err := store.TakeLock(path)
		if err != nil {
			return nil, err
		}
		level, info, err := store.Open(ctx, path, store.Options{Recover: true, Progress: ratio(progress)})
		if err != nil {
			return nil, errors.Join(err, lock.Release())
		}
		return func() error {
			if s.editedSince(since) {
				s.askEdited(func() { s.recoverUntitled(path) })
				return lock.Release()
			}
			s.replace(level, file{untitled: path, lock: lock, saved: info.Saved})
			s.Env.Doc.MarkSaved(0)
			s.file.kept = level // it is what was autosaved
			return nil
		}, nil
	}, nil)
}

// unlessDirty calls then when no change would be lost: at once, after saving, or
// when the user gives the changes up.
func (s *Session) unlessDirty(then func()) { s.unlessDirtyElse(then, then) }

// unlessDirtyElse is unlessDirty with something else to do when the user gives the
// changes up.
func (s *Session) unlessDirtyElse(then, giveUp func()) {
	if !s.Env.Doc.Dirty() {
		then()
		return
	}
	s.Ask(Question{
		Title: "Save changes to “" + s.Title() + "”?",
		Body:  "Your changes will be lost if you don't save them.",
		Answers: []Answer{
			{Title: "Save", Do: func() { s.saveCurrent(then) }, Enter: true},
			{Title: "Don't save", Do: giveUp, Danger: true},
			{Title: "Cancel", Cancel: true},
		},
	})
}

// moment is what the document was when something began that will replace it.
type moment struct {
	revision int
	state    document.State
}

func (s *Session) moment() moment { return moment{s.revision, s.Env.Doc.State()} }

// editedSince reports whether there are changes that the user made since then, and
// so was not asked about. An open stroke counts, and ends.
func (s *Session) editedSince(m moment) bool {
	s.EndDrag()
	return s.moment() != m && s.Env.Doc.Dirty()
}

// askEdited asks about changes that were made while another level was being read;
// again reads it once more when they may go.
func (s *Session) askEdited(again func()) {
	s.Warn("The level was edited while another was being read.")
	s.unlessDirty(again)
}

// Closing tells whether the window may close now. When it may not, the user is
// asked, and Options.Quit is called if the answer allows it.
func (s *Session) Closing() bool {
	if s.closing || !s.Env.Doc.Dirty() && !s.file.saving {
		return true
	}
	quit := func() {
		s.closing = true
		if s.options.Quit != nil {
			s.options.Quit()
		}
	}
	s.unlessDirtyElse(quit, func() {
		s.givenUp = s.Env.Doc.State()
		quit()
	})
	return false
}

// Abandon lets the window close without asking; what is not saved stays in the
// autosave.
func (s *Session) Abandon() {
	s.CancelDrag()
	s.closing = true
}
