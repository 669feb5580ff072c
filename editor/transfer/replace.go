package transfer

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"ridgeline/terrain/fault"
)

// Replace puts a file in place in one step: when anything fails, what was there
// stays and nothing is left. op is what an error says could not be done. What a process
// that was killed left of an earlier try is removed.
func Replace(op, path string, write func(io.Writer) error) error {
	real, err := target(op, path)
	if err != nil {
		return err
	}
	sweep(real)
	f, err := pending(real)
	if err != nil {
		return fault.Wrap(op, path, err)
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return fault.Wrap(op, path, err)
	}
	return fault.Wrap(op, path, f.CloseAtomicallyReplace())
}

// target is the file behind links, if a file can be written there.
func target(op, path string) (string, error) {
	real := path
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return "", &fault.Error{Op: op, File: path, Found: "a folder", Want: "the name of a file"}
	case err == nil && !info.Mode().IsRegular():
		return "", &fault.Error{Op: op, File: path, Found: "a device or pipe", Want: "the name of a file"}
	case err == nil:
		// Renaming over it would succeed although it is write-protected.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return "", fault.Wrap(op, path, err)
		}
		f.Close()
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return "", fault.Wrap(op, path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", fault.Wrap(op, path, err)
	}
	return real, nil
}

// pending begins a file that is renamed to path when it is complete. It is locked while
// it is written.
func pending(path string) (*renameio.PendingFile, error) {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err == nil {
		// Where files cannot be locked, leftovers of others are only told by their age.
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	return f, err
}

// fresh is how old the unfinished file of another process at least is when it is taken
// for a leftover: between making and locking a file there is a moment.
const fresh = 2 * time.Second

// sweep removes unfinished files for path that no process is writing any more. What
// cannot be removed is in nobody's way.
func sweep(path string) {
	dir, prefix := filepath.Dir(path), "."+filepath.Base(path)
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || len(digits) < 10 || strings.Trim(digits, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		if err == nil && time.Since(info.ModTime()) > fresh && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.Remove(name)
		}
		f.Close()
	}
}
