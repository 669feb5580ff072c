package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/export/pack/packer"
	"ridgeline/terrain/fault"
)

func (e Export) pack(ctx context.Context, w io.Writer, progress func(float64)) (Written, error) {
	return e.gltf(ctx, true, func(s glb.Scene) (glb.Stats, error) { return packer.Write(ctx, w, s, progress) })
}

// packFolder writes a pack as a folder.
func (e Export) packFolder(ctx context.Context, path string, progress func(float64)) (done Written, err error) {
	err = replaceFolder(path, func(files pack.Files) error {
		done, err = e.gltf(ctx, true, func(s glb.Scene) (glb.Stats, error) { return packer.WriteFiles(ctx, files, s, progress) })
		return err
	})
	if err != nil {
		return Written{}, err
	}
	return done, nil
}

// replaceFolder puts a pack in place as a folder, in one step: it is written beside the
// old one, and the two change places. When anything fails, what was there stays and
// nothing is left. A folder that has anything but a pack is not replaced. What a process
// that was killed left of an earlier try is removed.
func replaceFolder(path string, write func(pack.Files) error) (err error) {
	defer func() { err = fault.Wrap(opExport, path, err) }()
	real, err := targetFolder(path)
	if err != nil {
		return err
	}
	sweepFolders(real)
	next, err := newFolder(real)
	if err != nil {
		return err
	}
	defer next.remove()
	if err := write(next); err != nil {
		return err
	}
	if err := next.sync(); err != nil {
		return err
	}
	return next.place(real)
}

// CheckFolder tells why a pack could not be put in place as a folder, as far as that is
// known before.
func CheckFolder(path string) error {
	real, err := targetFolder(path)
	if err == nil {
		_, err = os.Stat(filepath.Dir(real))
	}
	return fault.Wrap(opExport, path, err)
}

// targetFolder is the folder behind links, if a pack can be put there.
func targetFolder(path string) (string, error) {
	path = filepath.Clean(path)
	restore(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", &fault.Error{Found: "a file", Want: "the name of a folder"}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	// Changing places with it would succeed although it is write-protected.
	if err := unix.Access(path, unix.W_OK|unix.X_OK); err != nil {
		return "", err
	}
	return path, onlyPack(path)
}

// onlyPack makes sure that a folder has nothing but a pack, or nothing.
func onlyPack(path string) error {
	const want = "a new folder, an empty one, or one with nothing but a pack"
	list, err := os.ReadDir(path)
	if err != nil || len(list) == 0 {
		return err
	}
	if !pack.Is(path) {
		return &fault.Error{Found: "a folder with other files", Want: want}
	}
	p, err := pack.Open(path)
	if err != nil {
		return &fault.Error{Found: "a folder with a pack that is not whole", Want: want, Err: err}
	}
	defer p.Close()
	own := map[string]bool{pack.IndexFile: true}
	for _, f := range p.Index.Files {
		own[f.Name] = true
	}
	return filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(path, file)
		if err == nil && !own[filepath.ToSlash(name)] {
			err = &fault.Error{Found: fmt.Sprintf("%q, which is no file of the pack", name), Want: want}
		}
		return err
	})
}

// The names of folders that are written, and of old ones where a file system cannot
// change places, begin with a dot, the folder's name and one of these; a number follows.
const (
	nextFolder = ".next"
	lastFolder = ".last"
)

// besideFolder is a name beside a folder.
func besideFolder(real, kind string, n int) string {
	return filepath.Join(filepath.Dir(real), fmt.Sprintf(".%s%s%d", filepath.Base(real), kind, n))
}

// folder is a folder that is written. It is a pack.Files.
type folder struct {
	path string   // empty once it is nothing to remove
	lock *os.File // the folder itself, locked while it is written
	dirs []string // below it
}

// newFolder makes a folder beside another, with its permissions.
func newFolder(real string) (*folder, error) {
	for n := 0; ; n++ {
		path := besideFolder(real, nextFolder, n)
		err := os.Mkdir(path, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f := &folder{path: path}
		if f.lock, err = os.Open(path); err == nil {
			// Where folders cannot be locked, leftovers of others are only told by their age.
			_ = syscall.Flock(int(f.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
			if info, serr := os.Stat(real); serr == nil {
				err = os.Chmod(path, info.Mode().Perm())
			}
		}
		if err != nil {
			f.remove()
			return nil, err
		}
		return f, nil
	}
}

// Create implements pack.Files.
func (f *folder) Create(name string) (io.WriteCloser, error) {
	path := filepath.Join(f.path, filepath.FromSlash(name))
	if dir := filepath.Dir(path); dir != f.path && !slices.Contains(f.dirs, dir) {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		f.dirs = append(f.dirs, dir)
	}
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return syncedFile{w}, nil
}

// syncedFile is on the disk once it is closed.
type syncedFile struct{ *os.File }

func (f syncedFile) Close() error { return errors.Join(f.Sync(), f.File.Close()) }

// sync has the folders on the disk.
func (f *folder) sync() error {
	for _, dir := range append(f.dirs, f.path) {
		if err := syncFolder(dir); err != nil {
			return err
		}
	}
	return nil
}

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// place puts the folder where another is, or none, which is in its place then.
func (f *folder) place(real string) error {
	_, err := os.Stat(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = os.Rename(f.path, real); err == nil {
			f.path = "" // the name is anybody's
		}
	case err == nil:
		err = unix.Renameat2(unix.AT_FDCWD, f.path, unix.AT_FDCWD, real, unix.RENAME_EXCHANGE)
		if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
			err = f.placeInSteps(real)
		}
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(real))
}

// placeInSteps is for file systems on which folders cannot change places. Should it be
// killed between the steps, restore undoes the first.
func (f *folder) placeInSteps(real string) error {
	last := besideFolder(real, lastFolder, 0)
	if err := os.Rename(real, last); err != nil {
		return err
	}
	if err := os.Rename(f.path, real); err != nil {
		return errors.Join(err, os.Rename(last, real))
	}
	f.path = last // to be removed
	return nil
}

// restore brings a folder back that was to be replaced when a process was killed.
func restore(path string) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		_ = os.Rename(besideFolder(path, lastFolder, 0), path) // there is none, else
	}
}

// remove removes what stands under the name of the folder that was written: that itself,
// or the old one in its place.
func (f *folder) remove() {
	if f.path != "" {
		_ = os.RemoveAll(f.path)
	}
	if f.lock != nil {
		f.lock.Close()
	}
}

// sweepFolders removes folders beside one that no process is writing any more. What cannot
// be removed is in nobody's way.
func sweepFolders(real string) {
	list, err := os.ReadDir(filepath.Dir(real))
	if err != nil {
		return
	}
	for _, e := range list {
		digits, ok := strings.CutPrefix(e.Name(), "."+filepath.Base(real)+nextFolder)
		if !ok {
			digits, ok = strings.CutPrefix(e.Name(), "."+filepath.Base(real)+lastFolder)
		}
		if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" || !e.IsDir() {
			continue
		}
		name := filepath.Join(filepath.Dir(real), e.Name())
		d, err := os.Open(name)
		if err != nil {
			continue
		}
		info, err := d.Stat()
		if err == nil && time.Since(info.ModTime()) > fresh && syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(name)
		}
		d.Close()
	}
}
