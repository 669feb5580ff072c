package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// oddities puts everything but a regular file in place of a file. The device is one
// of the test's own, since what is tested is that it is not replaced.
var oddities = map[string]func(path string) error{
	"folder": func(p string) error { return os.Mkdir(p, 0o777) },
	"pipe":   func(p string) error { return syscall.Mkfifo(p, 0o666) },
	"device": func(p string) error {
		if err := syscall.Mknod(p, syscall.S_IFCHR|0o666, 1<<8|5); err == nil { // reads as zeros
			return nil
		}
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer syscall.Close(fd)
		return syscall.Bind(fd, &syscall.SockaddrUnix{Name: p})
	},
	"loop": func(p string) error { return os.Symlink(filepath.Base(p), p) },
}

// Whatever lies where one of a level's files should be: nothing waits for ever, reads
// without end, or replaces it.
func TestNoRegularFiles(t *testing.T) {
	path, manifest := saveRich(t)
	level, info := reopen(t, path)
	blob := blobsIn(t, path)[0]
	for name, put := range oddities {
		for _, file := range []string{path, blob, filepath.Join(Folder(path), autosaveName), filepath.Join(Folder(path), lockName)} {
			was, err := os.ReadFile(file)
			if err == nil {
				must(t, os.Remove(file))
			}
			must(t, put(file))
			before, err := os.Lstat(file)
			must(t, err)
			_, _, openErr := Open(background, path, Options{})
			_, _, recoverErr := Open(background, path, Options{Recover: true})
			problems, err := Check(background, path, nil)
			must(t, err)
			lock, lockErr := TakeLock(path)
			if lockErr == nil {
				must(t, lock.Release())
			}
			switch file {
			case path:
				_, _, saveErr := Save(background, path, level, info.Saved, nil)
				for what, err := range map[string]error{"open": openErr, "recover": recoverErr, "lock": lockErr, "save": saveErr} {
					if err == nil || !strings.Contains(err.Error(), "a.ridge: ") {
						t.Errorf("%s for the level: %s: %v", name, what, err)
					}
				}
			case blob:
				if openErr == nil || !strings.Contains(openErr.Error(), filepath.Base(blob)) || len(problems) == 0 {
					t.Errorf("%s for a blob: %v, %v", name, openErr, problems)
				}
			case filepath.Join(Folder(path), autosaveName):
				if openErr != nil || len(problems) == 0 {
					t.Errorf("%s for the autosave: %v, %v", name, openErr, problems)
				}
			default:
				if openErr != nil || lockErr == nil || !strings.Contains(lockErr.Error(), "lock") {
					t.Errorf("%s for the lock: %v, %v", name, openErr, lockErr)
				}
			}
			after, err := os.Lstat(file)
			if err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
				t.Errorf("%s for %s was replaced", name, file)
			}
			must(t, os.Remove(file))
			if was != nil {
				must(t, os.WriteFile(file, was, 0o666))
			}
		}
	}
	must(t, os.WriteFile(path, manifest, 0o666))
	reopen(t, path)
	// The folder itself.
	must(t, os.Rename(Folder(path), path+".away"))
	must(t, syscall.Mkfifo(Folder(path), 0o666))
	if _, _, err := Open(background, path, Options{}); err == nil {
		t.Error("opened with a pipe for the folder")
	}
	if _, err := TakeLock(path); err == nil {
		t.Error("locked with a pipe for the folder")
	}
}

func TestLinksToNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "link.ridge")
	must(t, os.Symlink("nothing.ridge", path))
	_, _, openErr := Open(background, path, Options{})
	_, lockErr := TakeLock(path)
	_, _, saveErr := Save(background, path, rich(t), nil, nil)
	for what, err := range map[string]error{"open": openErr, "lock": lockErr, "save": saveErr, "discard": Discard(path)} {
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left: %v", list)
	}
}

// A lock that nothing came of leaves nothing.
func TestReleasedLockLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ridge")
	lock, err := TakeLock(path)
	must(t, err)
	must(t, lock.Release())
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("left: %v", list)
	}
	lock, err = TakeLock(path)
	must(t, err)
	_, _, err = Save(background, path, flat(t, 3, 3), nil, nil)
	must(t, err)
	must(t, lock.Release())
	if _, err := os.Stat(Folder(path)); err != nil {
		t.Error("the folder of a level was removed:", err)
	}
	// Not the folder of somebody else either, be it empty.
	path = filepath.Join(dir, "b.ridge")
	must(t, os.Mkdir(Folder(path), 0o777))
	lock, err = TakeLock(path)
	must(t, err)
	must(t, lock.Release())
	if _, err := os.Stat(Folder(path)); err != nil {
		t.Error("a folder that was there was removed:", err)
	}
}

// However often the lock and its folder come and go, only one has it at a time.
func TestOneLockAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	var held, taken atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 300 {
				lock, err := TakeLock(path)
				if err != nil {
					if !errors.Is(err, ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
						t.Error(err)
					}
					continue
				}
				if n := held.Add(1); n != 1 {
					t.Errorf("%d have the lock", n)
				}
				taken.Add(1)
				held.Add(-1)
				must(t, lock.Release())
			}
		})
	}
	group.Wait()
	if taken.Load() == 0 {
		t.Error("nobody had it")
	}
}

// A save that fails takes the assets back that it copied.
func TestFailedSaveLeavesNoAssets(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from.ridge")
	saved, _, err := Save(background, from, flat(t, 3, 3), nil, nil)
	must(t, err)
	for _, data := range []string{"one", "two"} {
		_, err := AddAsset(from, []byte(data), "png")
		must(t, err)
	}
	to := filepath.Join(t.TempDir(), "to.ridge")
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	_, _, err = Save(ctx, to, flat(t, 3, 3), saved, func(int, int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(Folder(to)); len(list) != 0 {
		t.Errorf("left: %v", list)
	}
}
