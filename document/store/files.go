package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"ridgeline/terrain/fault"
)

// Names in a level's folder.
const (
	folderSuffix = ".d"
	autosaveName = "autosave.json"
	assetsName   = "assets"
	lockName     = "lock"
	tempMark     = ".tmp-"
)

// Folder is the folder that belongs to the level at path.
func Folder(path string) string { return path + folderSuffix }

// resolve follows a symbolic link at path, so that saving replaces the level and
// not the link.
func resolve(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil // what is wrong with path, opening it will tell
	}
	return filepath.EvalSymlinks(path)
}

// replace puts data in place of a file in one step, and returns when it is safe on
// the disk. mode is that of a new file.
func replace(path string, data []byte, mode fs.FileMode) error {
	if err := place(path, data, mode); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// place is replace without making sure of the name: after it, the folder must be
// synced.
func place(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := createTemp(path, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(os.Remove(f.Name())))
		}
	}()
	_, err = f.Write(data)
	if info, serr := os.Stat(path); err == nil && serr == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// tempPrefix begins the names of temporary files that will be renamed to base.
func tempPrefix(base string) string { return "." + base + tempMark }

// isTemp reports whether a file of this name was to be renamed to another.
func isTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, tempMark)
}

// createTemp makes a file beside path that the umask applies to, as to any other.
func createTemp(path string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for {
		name := fmt.Sprintf("%s%016x", filepath.Join(dir, tempPrefix(base)), rand.Uint64())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// tempsBeside lists the temporary files that interrupted saves of the manifest at
// path left.
func tempsBeside(path string) ([]string, error) {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix(base)) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncFolder makes the names in a folder safe.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// makeFolder makes a folder that may exist and whose parent does.
func makeFolder(dir string) error {
	err := os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

// readLevelFile reads a manifest.
func readLevelFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, &fault.Error{Op: "open level", File: path, Found: "a folder", Want: "a file"}
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fault.Error{Op: "open level", File: path, Found: "no regular file", Want: "a level"}
	}
	data, err := os.ReadFile(path)
	return data, fault.Wrap("open level", path, err)
}

// folderLock locks a level's folder against the removal of blobs: shared to read,
// exclusive to remove. It is the folder itself that is locked, so that readers
// need no permission to write. Without the lock (an old network file system)
// readers still begin again when a blob goes.
func folderLock(dir string, exclusive bool) (release func(), ok bool) {
	l := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	var err error
	if exclusive {
		ok, err = l.TryLock()
	} else {
		ok, err = l.TryRLock()
	}
	if err != nil || !ok {
		l.Close()
		return func() {}, false
	}
	return func() { l.Close() }, true
}

// removeOrphans deletes blobs that keep does not name and temporary files, unless
// a reader is at work: the next save will.
func removeOrphans(dir string, keep map[string]struct{}) error {
	release, ok := folderLock(dir, true)
	if !ok {
		return nil
	}
	defer release()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if _, kept := keep[e.Name()]; kept {
			continue
		}
		if isLeftover(e.Name()) {
			errs = append(errs, ignoreMissing(os.Remove(filepath.Join(dir, e.Name()))))
		}
	}
	return errors.Join(errs...)
}

// isLeftover reports whether a file of this name, which no manifest names, was
// made by a save and may go.
func isLeftover(name string) bool {
	return blobPattern.MatchString(name) || isTemp(name)
}

// Lock is the right to write a level.
type Lock struct{ flock *flock.Flock }

// ErrLocked is behind the error of TakeLock when another program holds the lock.
var ErrLocked = errors.New("the level is open elsewhere")

// TakeLock takes the lock of the level at path without waiting. The level's folder
// is made when it does not exist; the folder that it lies in must.
func TakeLock(path string) (*Lock, error) {
	path, err := resolve(path)
	if err != nil {
		return nil, fault.Wrap("lock level", path, err)
	}
	dir := Folder(path)
	if err := makeFolder(dir); err != nil {
		return nil, fault.Wrap("lock level", path, err)
	}
	l := flock.New(filepath.Join(dir, lockName))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fault.Wrap("lock level", path, err)
	}
	if !ok {
		return nil, &fault.Error{Op: "lock level", File: path, Err: ErrLocked}
	}
	return &Lock{l}, nil
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.flock.Close() }
