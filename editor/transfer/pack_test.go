package transfer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ridgeline/document"
	"ridgeline/export/pack"
)

// tree is all files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// oneLayer is a level of n×n samples with one texture.
func oneLayer(t *testing.T, n, every int) *document.Level {
	t.Helper()
	l := level(t, n, n, func(i int) float32 { return float32(i % every) })
	l.Layers = l.Layers[:1]
	return l
}

func valid(t *testing.T, path string) {
	t.Helper()
	p, err := pack.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer p.Close()
	if err := p.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// Whatever goes wrong, the older pack stays as it was and nothing is left beside it,
// whether it is a folder or a file.
func TestPackIsReplacedWhole(t *testing.T) {
	for _, name := range []string{"l.pack", "l/"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			path += "/"
		}
		if _, err := (Export{Level: oneLayer(t, 40, 5)}).File(t.Context(), path, none); err != nil {
			t.Fatal(err)
		}
		valid(t, path)
		before := tree(t, dir)
		l := oneLayer(t, 200, 7)
		for part := range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := Export{Level: l}.File(ctx, path, func(done float64) {
				if done >= float64(part)/4 {
					cancel()
				}
			})
			cancel()
			if part < 4 && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled at %d: %v", name, part, err)
			}
			if after := tree(t, dir); err != nil && !same(before, after) {
				t.Errorf("%s, cancelled at %d: the folder changed", name, part)
			}
		}
		if _, err := (Export{Level: l}).File(t.Context(), path, none); err != nil {
			t.Fatal(err)
		}
		valid(t, path)
		if before = tree(t, dir); len(before) > 1 != strings.HasSuffix(name, "/") {
			t.Errorf("%d files", len(before))
		}
		// A full disk, as a limit on the size of files.
		var was syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Fatal(err)
		}
		small := was
		small.Cur = 100_000
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
			t.Skip(err)
		}
		_, err := Export{Level: oneLayer(t, 300, 11)}.File(t.Context(), path, none)
		if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); e != nil {
			t.Fatal(e)
		}
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, name)) || strings.Contains(err.Error(), "\n") || !same(before, tree(t, dir)) {
			t.Errorf("%s: too large a file: %v", name, err)
		}
		gone := filepath.Join(dir, "gone") + "/" + name
		if _, err := (Export{Level: l}).File(t.Context(), gone, none); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a folder that is gone: %v", name, err)
		}
	}
}

// A folder that has anything but a pack is not touched.
func TestOnlyPacksAreReplaced(t *testing.T) {
	l := oneLayer(t, 5, 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "l")
	for _, prepare := range []func() error{
		func() error { return os.WriteFile(path, []byte("mine"), 0o600) },
		func() error {
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "note"), []byte("mine"), 0o600))
		},
		func() error { return os.WriteFile(filepath.Join(path, "level.json"), []byte("{}"), 0o600) },
		func() error {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
			if _, err := (Export{Level: l}).File(t.Context(), path+"/", none); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(path, "meshes", "note"), []byte("mine"), 0o600)
		},
		func() error {
			return errors.Join(os.Remove(filepath.Join(path, "meshes", "note")), os.Truncate(filepath.Join(path, "points.bin"), 1))
		},
	} {
		if err := prepare(); err != nil {
			t.Fatal(err)
		}
		before := tree(t, dir)
		_, err := Export{Level: l}.File(t.Context(), path+"/", none)
		if err == nil || !strings.Contains(err.Error(), path) || !same(before, tree(t, dir)) {
			t.Errorf("%v, %d files", err, len(tree(t, dir)))
		}
	}
	// An empty one is, behind a link too, and keeps its permissions.
	if err := errors.Join(os.RemoveAll(path), os.Mkdir(filepath.Join(dir, "real"), 0o750), os.Symlink("real", path)); err != nil {
		t.Fatal(err)
	}
	if _, err := (Export{Level: l}).File(t.Context(), path+"/", none); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "real"))
	if err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if link, err := os.Readlink(path); err != nil || link != "real" {
		t.Errorf("the link is %q, %v", link, err)
	}
	valid(t, path)
}

// What a process that was killed left is removed, unless it is still being written, and an
// old folder that was to be replaced comes back.
func TestFoldersLeftOver(t *testing.T) {
	l := oneLayer(t, 5, 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "l")
	old := time.Now().Add(-time.Minute)
	for _, name := range []string{".l.next0", ".l.next7"} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, name), 0o700), os.WriteFile(filepath.Join(dir, name, "half"), nil, 0o600), os.Chtimes(filepath.Join(dir, name), old, old)); err != nil {
			t.Fatal(err)
		}
	}
	writing, err := os.Open(filepath.Join(dir, ".l.next7"))
	if err != nil {
		t.Fatal(err)
	}
	defer writing.Close()
	if err := syscall.Flock(int(writing.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if _, err := (Export{Level: l}).File(t.Context(), path+"/", none); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 2 || list[0].Name() != ".l.next7" {
		t.Errorf("%v, %v", list, err)
	}
	// Killed between the steps.
	before := tree(t, path)
	if err := os.Rename(path, filepath.Join(dir, ".l.last0")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Export{Level: l}).File(ctx, path+"/", none); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !same(before, tree(t, path)) {
		t.Error("the old folder did not come back")
	}
	// The steps themselves.
	next, err := newFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := next.Create("a/b")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), next.sync(), next.placeInSteps(path)); err != nil {
		t.Fatal(err)
	}
	next.remove()
	if got := tree(t, dir); len(got) != 2 || got["l/a/b"] != "" {
		t.Errorf("%v", got)
	}
}
