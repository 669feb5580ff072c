package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"ridgeline/terrain/fault"
)

// Lock is the right to write a level.
type Lock struct {
	flock *flock.Flock
	path  string
	// made says that taking the lock made the level's folder, and before what stood
	// at path then, nil for nothing.
	made   bool
	before fs.FileInfo
}

// ErrLocked is behind the error of TakeLock when another program holds the lock.
var ErrLocked = errors.New("the level is open elsewhere")

// maxLockTries bounds how often TakeLock begins again because whoever had the lock
// has removed it.
const maxLockTries = 100

// TakeLock takes the lock of the level at path without waiting. The level's folder
// is made when it does not exist; the folder that it lies in must.
func TakeLock(path string) (*Lock, error) {
	const op = "lock level"
	real, err := resolve(path)
	if err != nil {
		return nil, fault.Wrap(op, path, err)
	}
	l := &Lock{path: real}
	if l.before, err = os.Lstat(real); err == nil {
		if err := fault.Regular(op, path, "a level", l.before); err != nil {
			return nil, err
		}
	}
	for range maxLockTries {
		made, merr := makeFolder(Folder(real))
		if merr != nil {
			return nil, fault.Wrap(op, path, merr)
		}
		l.made = l.made || made
		again := false
		if again, err = l.take(); err == nil {
			return l, nil
		} else if !again {
			break
		}
	}
	if l.made {
		os.Remove(Folder(real)) // only if nothing is in it
	}
	return nil, fault.Wrap(op, path, err)
}

// take tries once. With an error it says whether trying again may help: the lock
// was removed by the program that had it.
func (l *Lock) take() (again bool, err error) {
	name := filepath.Join(Folder(l.path), lockName)
	// Opening a pipe would wait for ever.
	if info, err := os.Stat(name); err == nil {
		if err := fault.Regular("lock level", name, "a file", info); err != nil {
			return false, err
		}
	}
	// The name says which level it is, so whoever may write there may lock it.
	l.flock = flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDONLY), flock.SetPermissions(0o666))
	switch ok, err := l.flock.TryLock(); {
	case err != nil:
		return errors.Is(err, fs.ErrNotExist), fault.Wrap("lock level", name, err) // the folder may be gone
	case !ok:
		return false, ErrLocked
	}
	// A lock on a file that was removed meanwhile is worth nothing.
	held, err := l.flock.Stat()
	if err == nil {
		var there fs.FileInfo
		if there, err = os.Stat(name); err == nil && os.SameFile(held, there) {
			return false, nil
		}
	}
	l.flock.Close()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return true, ErrLocked
	}
	return false, fault.Wrap("lock level", name, err)
}

// Release gives the lock back. Where taking it made the level's folder, and no level
// has been saved since, nothing stays of it.
func (l *Lock) Release() error {
	if l.made {
		l.sweep()
	}
	return l.flock.Close()
}

// sweep removes the folder if only the lock is in it and path is as it was before.
// What cannot be removed is harmless, so errors are let go.
func (l *Lock) sweep() {
	now, err := os.Lstat(l.path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return
	case (err == nil) != (l.before != nil):
		return
	case err == nil && !os.SameFile(now, l.before):
		return // a save has put another file there
	}
	dir := Folder(l.path)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || entries[0].Name() != lockName {
		return
	}
	_ = os.Remove(filepath.Join(dir, lockName))
	_ = os.Remove(dir)
}
