package store

import (
	"bytes"
	"errors"
	"image"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asNobody runs one test again without the rights of root, which no permission
// stops.
func asNobody(t *testing.T) (inside bool) {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		t.Skip("setpriv is not there to drop the rights of root")
	}
	// The test's own files are root's: they must be reachable for others.
	bin := filepath.Join(t.TempDir(), "test")
	data, err := os.ReadFile(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(bin, data, 0o755))
	tmp, err := os.MkdirTemp("", "ridgeline-nobody-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(tmp) })
	must(t, os.Chmod(tmp, 0o777))
	for dir := filepath.Dir(bin); dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	cmd := exec.Command(setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--", bin, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "HOME="+tmp)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Fatalf("without the rights of root: %v\n%s", err, out)
	}
	return false
}

func TestNoPermission(t *testing.T) {
	if !asNobody(t) {
		return
	}
	dir := filepath.Join(t.TempDir(), "levels")
	must(t, os.Mkdir(dir, 0o777))
	path := filepath.Join(dir, "a.ridge")
	base := rich(t)
	saved, _, err := Save(background, path, base, nil, nil)
	must(t, err)
	next := withTerrain(base, paint(base.Terrain, image.Rect(0, 0, 300, 20), 4))
	same := func(what string) {
		t.Helper()
		got, _ := reopen(t, path)
		equal(t, got, base)
		if problems, err := Check(background, path, nil); err != nil || len(problems) > 0 {
			t.Errorf("%s: check finds %v, %v", what, problems, err)
		}
	}
	denied := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "permission denied") || !strings.Contains(err.Error(), "a.ridge") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error is %v", what, err)
		}
	}
	closed := func(what, which string, mode, open fs.FileMode) {
		t.Helper()
		must(t, os.Chmod(which, mode))
		_, _, err := Save(background, path, next, saved, nil)
		must(t, os.Chmod(which, open))
		denied(what, err)
		same(what)
	}
	closed("folder", dir, 0o555, 0o755)
	closed("blobs", Folder(path), 0o555, 0o755)
	closed("manifest", path, 0o444, 0o644)
	must(t, os.Chmod(Folder(path), 0o555))
	_, _, err = Autosave(background, path, next, 1, saved, nil)
	denied("autosave", err)
	same("autosave") // and reading needs no right to write
	must(t, os.Chmod(Folder(path), 0o755))
	must(t, os.Chmod(path, 0))
	_, _, err = Open(background, path, Options{})
	denied("open", err)
	must(t, os.Chmod(path, 0o644))

	// All is well again.
	_, _, err = Save(background, path, next, saved, nil)
	must(t, err)
	got, _ := reopen(t, path)
	equal(t, got, next)
}

func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("a small disk cannot be mounted:", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(disk, 0)) })
	path := filepath.Join(disk, "a.ridge")
	base := rich(t)
	saved, _, err := Save(background, path, base, nil, nil)
	must(t, err)
	before := blobsIn(t, path)
	big := withTerrain(base, paint(base.Terrain, image.Rect(0, 0, 521, 300), 4))
	full := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), "a.ridge") {
			t.Errorf("%s: error is %v", what, err)
		}
		got, info := reopen(t, path)
		equal(t, got, base)
		if info.Autosave != AutosaveNone {
			t.Errorf("%s: info is %+v", what, info)
		}
		if after := blobsIn(t, path); strings.Join(after, " ") != strings.Join(before, " ") {
			t.Errorf("%s: blobs are left: %v", what, after)
		}
		if problems, err := Check(background, path, nil); err != nil || len(problems) > 0 {
			t.Errorf("%s: check finds %v, %v", what, problems, err)
		}
	}
	_, _, err = Save(background, path, big, saved, nil)
	full("save", err)
	_, _, err = Autosave(background, path, big, 1, saved, nil)
	full("autosave", err)

	// Not even the manifest fits. Every size of filler leaves the disk full at
	// another moment of the save.
	small := withTerrain(base, paint(base.Terrain, image.Rect(0, 0, 40, 40), 5))
	filler := filepath.Join(disk, "filler")
	f, err := os.Create(filler)
	must(t, err)
	page := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(page)
	}
	must(t, f.Close())
	for {
		info, err := os.Stat(filler)
		must(t, err)
		next, _, err := Save(background, path, small, saved, nil)
		if err == nil {
			saved = next
			break
		}
		full("filler", err)
		must(t, os.Truncate(filler, max(info.Size()-4096, 0)))
	}
	got, _ := reopen(t, path)
	equal(t, got, small)
}
