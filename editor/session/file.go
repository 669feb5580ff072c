package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ridgeline/document"
	"ridgeline/document/store"
)

// Extension is that of level files.
const Extension = ".ridge"

// file is where the document lives.
type file struct {
	path     string       // empty: it has no file yet
	name     string       // what it is called as long as it has none
	readOnly bool         // somebody else has the lock
	lock     *store.Lock  // of path, or of the untitled autosave
	saved    *store.Saved // what Open returned
	untitled string       // where a level without a file is autosaved
	// keepUntitled leaves what lies there when the level goes: not all of it could be
	// taken along.
	keepUntitled bool
	keeper       *store.Autosaver

	kept    *document.Level // the level that the autosave holds
	keptErr error           // why the last autosave failed
	saving  bool
}

// Opened reports whether the document began as a level from a file.
func (s *Session) Opened() bool { return s.opened }

// Path is the file of the level; empty when it has none yet.
func (s *Session) Path() string { return s.file.path }

// Assets is the folder of the level's own textures; empty without a file.
func (s *Session) Assets() string {
	at := s.file.path
	if at == "" {
		at = s.file.untitled
	}
	if at == "" {
		return ""
	}
	return filepath.Join(store.Folder(at), "assets")
}

// Title is the level's name for the window's title and messages.
func (s *Session) Title() string {
	if s.file.path == "" {
		return cmp.Or(s.file.name, "Untitled")
	}
	return strings.TrimSuffix(filepath.Base(s.file.path), Extension)
}

// ReadOnly reports whether the level is open elsewhere.
func (s *Session) ReadOnly() bool { return s.file.readOnly }

// SaveState says in a word or two how safe the level is.
func (s *Session) SaveState() (text string, sev Severity) {
	f := &s.file
	switch {
	case f.saving:
		return "Saving…", Info
	case f.readOnly:
		return "Read-only", Warning
	case !s.Env.Doc.Dirty() && f.path == "":
		return "No changes", Info
	case !s.Env.Doc.Dirty():
		return "Saved", Info
	case f.keptErr != nil:
		return "Not saved, autosave failed", Error
	case f.keeper == nil:
		return "Not saved", Warning
	case f.kept == s.Level():
		return "Autosaved", Info
	}
	return "Not saved", Info
}

// enter begins to autosave the level.
func (f *file) enter(s *Session) {
	if s.options.Temporary || f.readOnly {
		return
	}
	path := f.path
	if path == "" {
		path = f.untitled // of a level that was recovered there
	}
	if path == "" {
		var err error
		if path, f.lock, err = claimUntitled(s.options.Dirs.Unsaved(), s.now()); err != nil {
			f.keptErr = err
			s.Fail(err)
			return
		}
		f.untitled = path
	}
	var keeper *store.Autosaver
	keeper = store.NewAutosaver(path, f.saved, func(r store.AutosaveResult) {
		s.post(func() { s.autosaved(keeper, r) })
	})
	f.keeper = keeper
}

// claimUntitled takes a name that no level without a file has, not even one that
// an earlier run left.
func claimUntitled(dir string, now time.Time) (path string, lock *store.Lock, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	for n := 1; ; n++ {
		path = filepath.Join(dir, fmt.Sprintf("untitled-%s-%d%s", now.UTC().Format("20060102-150405"), n, Extension))
		if err := os.Mkdir(store.Folder(path), 0o755); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return "", nil, err
		}
		lock, err = store.TakeLock(path)
		return path, lock, err
	}
}

// autosaved takes note of an autosave that ended.
func (s *Session) autosaved(keeper *store.Autosaver, r store.AutosaveResult) {
	f := &s.file
	if f.keeper != keeper {
		return // of a document that is gone
	}
	if r.Err != nil && (f.keptErr == nil || f.keptErr.Error() != r.Err.Error()) {
		s.Fail(r.Err) // once, not after every edit
	}
	f.keptErr = r.Err
	if r.Err == nil {
		f.kept = r.Level
	}
	s.invalidate()
}

// update has a committed level autosaved, seen from a camera.
func (f *file) update(l *document.Level, c document.Camera) {
	if f.keeper != nil {
		f.keeper.Look(c)
		f.keeper.Update(l)
	}
}

// leave lets go of the file when another document takes its place. What was not
// saved has been given up by the user before.
func (f *file) leave(s *Session) {
	if f.keeper != nil {
		s.Fail(f.keeper.Discard())
	}
	s.Fail(f.release(context.Background()))
	f.removeUntitled(s)
}

// close lets go of the file at the end. A level that is not saved keeps its
// autosave, unless the user said not to save it.
func (f *file) close(s *Session) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var errs []error
	done := s.options.Temporary || !s.Env.Doc.Dirty()
	if !done && s.givenUp != 0 && s.givenUp == s.Env.Doc.State() {
		done = true
		if f.keeper != nil {
			errs = append(errs, f.keeper.Discard())
		}
	}
	errs = append(errs, f.release(ctx))
	if done {
		f.removeUntitled(s)
	}
	return errors.Join(errs...)
}

func (f *file) release(ctx context.Context) error {
	var errs []error
	if f.keeper != nil {
		errs = append(errs, f.keeper.Close(ctx))
	}
	if f.lock != nil {
		errs = append(errs, f.lock.Release())
		f.lock = nil
	}
	return errors.Join(errs...)
}

// removeUntitled removes what was autosaved of a level without a file.
func (f *file) removeUntitled(s *Session) {
	if f.untitled != "" && !f.keepUntitled {
		s.Fail(os.RemoveAll(store.Folder(f.untitled)))
	}
}
