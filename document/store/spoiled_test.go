package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// spoilers are what may stand where an asset was.
var spoilers = map[string]func(file string) error{
	"a folder": func(file string) error { return os.Mkdir(file, 0o700) },
	"a pipe":   func(file string) error { return syscall.Mkfifo(file, 0o600) },
	"a device": func(file string) error { return os.Symlink("/dev/zero", file) },
	"a loop":   func(file string) error { return os.Symlink(filepath.Base(file), file) },
	"a file with a hole of a terabyte": func(file string) error {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			return err
		}
		return os.Truncate(file, 1<<40)
	},
}

// took is the memory that do takes from the system beside what there was.
func took(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What stands in place of an asset is an error when it is read, at once and without
// memory for what it claims; it does not keep the level from being saved elsewhere;
// and adding the same content puts it right, but for a folder.
func TestSpoiledAssets(t *testing.T) {
	for name, spoil := range spoilers {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, l := filepath.Join(dir, "a.ridge"), flat(t, 65, 65)
			good, err := AddAsset(path, []byte("good"), "glb")
			must(t, err)
			bad, err := AddAsset(path, []byte("bad"), "glb")
			must(t, err)
			saved, _, err := Save(t.Context(), path, l, nil, nil)
			must(t, err)
			file := filepath.Join(Folder(path), assetsName, strings.TrimPrefix(bad, "asset:"))
			must(t, os.Remove(file))
			must(t, spoil(file))

			var rerr error
			if n := took(func() { _, rerr = ReadAsset(path, bad) }); rerr == nil || n > 1<<20 {
				t.Errorf("read: %v, with %d bytes of memory", rerr, n)
			}
			for _, prev := range []*Saved{saved, Beside(path)} {
				next := filepath.Join(t.TempDir(), "b.ridge")
				_, stats, err := Save(t.Context(), next, l, prev, nil)
				must(t, err)
				if stats.Unread == nil || !strings.Contains(stats.Unread.Error(), file) {
					t.Errorf("unread: %v, expected %s", stats.Unread, file)
				}
				if data, err := ReadAsset(next, good); err != nil || string(data) != "good" {
					t.Errorf("the good asset: %q, %v", data, err)
				}
				if err := TakeAssets(t.Context(), path, next); err == nil {
					t.Error("taking the assets along did not tell of the bad one")
				}
			}
			if _, err := AddAsset(path, []byte("bad"), "glb"); (err != nil) != (name == "a folder") {
				t.Errorf("adding it again: %v", err)
			}
		})
	}
}

// A manifest or an autosave of any size is refused at once.
func TestManifestWithHole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	_, _, err := Save(t.Context(), path, flat(t, 65, 65), nil, nil)
	must(t, err)
	auto := filepath.Join(Folder(path), autosaveName)
	must(t, os.WriteFile(auto, nil, 0o600))
	must(t, os.Truncate(auto, 1<<40))
	if n := took(func() { _, _, err = Open(t.Context(), path, Options{}) }); err != nil || n > 64<<20 {
		t.Errorf("opening beside a large autosave: %v, with %d bytes", err, n)
	}
	must(t, os.Truncate(path, 1<<40))
	if n := took(func() { _, _, err = Open(t.Context(), path, Options{}) }); err == nil || n > 1<<20 {
		t.Errorf("opening a large file: %v, with %d bytes", err, n)
	}
}

// A level of which only its assets are known is saved elsewhere with them, and where
// it is as one that nothing is known of.
func TestBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	ref, err := AddAsset(path, []byte("mesh"), "glb")
	must(t, err)
	next := filepath.Join(t.TempDir(), "b.ridge")
	for _, to := range []string{next, path} {
		_, _, err = Save(t.Context(), to, flat(t, 65, 65), Beside(path), nil)
		must(t, err)
		if data, err := ReadAsset(to, ref); err != nil || string(data) != "mesh" {
			t.Errorf("%s: %q, %v", to, data, err)
		}
	}
}
