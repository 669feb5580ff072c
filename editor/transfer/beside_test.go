package transfer

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ridgeline/document"
	"ridgeline/export/glb"
)

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil && !e.IsDir() {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

// Whatever goes wrong, the older .gltf and its files stay as they were and nothing is
// added; when all goes well, the older files are gone.
func TestApartIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "l.gltf")
	old := level(t, 40, 40, func(i int) float32 { return float32(i % 5) })
	if _, err := (Export{Level: old}).File(t.Context(), path, none); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	if len(before) != 2+len(old.Layers) {
		t.Fatalf("%d files", len(before))
	}
	l := level(t, 200, 200, func(i int) float32 { return float32(i % 7) })
	for part := range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Export{Level: l}.File(ctx, path, func(done float64) {
			if done >= float64(part)/4 {
				cancel()
			}
		})
		cancel()
		if part < 4 && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %d: %v", part, err)
		}
		if err != nil && !same(before, files(t, dir)) {
			t.Errorf("cancelled at %d: the folder changed", part)
		}
		if err == nil {
			before = files(t, dir)
		}
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
	_, err := Export{Level: level(t, 300, 300, func(i int) float32 { return float32(i % 11) })}.File(t.Context(), path, none)
	if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); e != nil {
		t.Fatal(e)
	}
	if err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") || !same(before, files(t, dir)) {
		t.Errorf("too large a file: %v, %d files", err, len(files(t, dir)))
	}
	// A folder where one of the files would lie.
	if _, err := (Export{Level: l}).File(t.Context(), path, none); err != nil {
		t.Fatal(err)
	}
	var bin string
	for name := range files(t, dir) {
		if strings.HasSuffix(name, ".bin") {
			bin = name
		}
	}
	if _, err := (Export{Level: old}).File(t.Context(), path, none); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, bin), 0o755); err != nil {
		t.Fatal(err)
	}
	before = files(t, dir)
	if _, err := (Export{Level: l}).File(t.Context(), path, none); err == nil || !same(before, files(t, dir)) {
		t.Errorf("a folder in the way: %v", err)
	}
	if _, err := (Export{Level: old}).File(t.Context(), dir+"/", none); err == nil {
		t.Error("a folder was exported to")
	}
	strict := document.Entity{ID: 1, Kind: document.KindObject, Data: document.Object{Asset: "gone"}}
	l, err = old.WithEntities([]document.Entity{strict})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Export{Level: l, GLTF: glb.Options{Strict: true}}).File(t.Context(), path, none); err == nil || !strings.Contains(err.Error(), `no asset "gone"`) || !same(before, files(t, dir)) {
		t.Errorf("strict: %v", err)
	}
}

// What a killed process left is removed by the next export; what another one is writing
// is not, and no file of anybody else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.glb")
	past := time.Now().Add(-time.Hour)
	put := func(name string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, past, past); err != nil {
			t.Fatal(err)
		}
		return file
	}
	put(".a.glb1234567890123")
	kept := []string{".a.glb12345678901.bak", ".b.glb1234567890123", ".a.glb12", "a.glb1234567890123"}
	for _, k := range kept {
		put(k)
	}
	held, err := os.OpenFile(put(".a.glb9999999999999"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := Replace("write", path, func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }); err != nil {
		t.Fatal(err)
	}
	got := files(t, dir)
	for _, k := range append(kept, ".a.glb9999999999999", "a.glb") {
		if _, ok := got[k]; !ok {
			t.Errorf("%s is gone", k)
		}
		delete(got, k)
	}
	if len(got) != 0 {
		t.Errorf("left over: %v", got)
	}
}
