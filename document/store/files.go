package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
// not the link. With an error, which is of a link that leads nowhere, it gives path
// itself.
func resolve(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil // what is wrong with path, opening it will tell
	}
	if _, err := os.Stat(path); err != nil {
		return path, err // in plainer words than the next line's
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path, err
	}
	return real, nil
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
func makeFolder(dir string) (made bool, err error) {
	err = os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, syncFolder(filepath.Dir(dir))
}

// maxManifest bounds manifests, in bytes.
const maxManifest = 1 << 31

// readLevelFile reads a manifest.
func readLevelFile(path string) ([]byte, error) {
	return readBounded("open level", path, "a level", maxManifest)
}

// readAutosave reads the autosave in a level's folder.
func readAutosave(dir string) ([]byte, error) {
	return readBounded("read autosave", filepath.Join(dir, autosaveName), "an autosave", maxManifest)
}

// readBounded reads a file that has at most limit bytes. Memory follows what is read
// and not what the file system says: a file with holes may be of any size.
func readBounded(op, path, want string, limit int64) ([]byte, error) {
	f, info, err := fault.Open(op, path, want)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, tooLarge(op, path, limit)
	}
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), 16<<20)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fault.Wrap(op, path, err)
	case n > limit:
		return nil, tooLarge(op, path, limit)
	}
	return b.Bytes(), nil
}

func tooLarge(op, path string, limit int64) error {
	return &fault.Error{Op: op, File: path, Found: fmt.Sprintf("a file of more than %d MiB", limit>>20), Want: "a smaller one"}
}

// folderLock locks a level's folder against the removal of blobs: shared to read,
// exclusive to remove. It is the folder itself that is locked, so that readers
// need no permission to write. Without the lock (an old network file system)
// readers still begin again when a blob goes.
func folderLock(dir string, exclusive bool) (release func(), ok bool) {
	// Opening a pipe would wait for ever.
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return func() {}, false
	}
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
