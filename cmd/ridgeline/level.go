package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/session"
	"ridgeline/terrain/fault"
)

// recoverFlag adds --recover to a verb that opens a level.
func recoverFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "recover", false, "use the autosave instead of what was saved last")
}

// sampleName stands for the level that comes with the program, unless a file has
// this name.
const sampleName = "sample"

func isSample(path string) bool {
	_, err := os.Lstat(path)
	return path == sampleName && errors.Is(err, fs.ErrNotExist)
}

// openLevel reads a level.
func (sh *shell) openLevel(ctx context.Context, path string, recover bool) (*document.Level, store.Info, error) {
	if isSample(path) && !recover {
		level, err := session.SampleLevel()
		return level, store.Info{}, err
	}
	p := sh.progress()
	defer p.done()
	level, info, err := store.Open(ctx, path, store.Options{Recover: recover, Progress: p.steps("reading " + filepath.Base(path))})
	switch {
	case err != nil:
		return nil, info, err
	case recover && !info.Recovered:
		return nil, info, &fault.Error{Op: "recover the level", File: path, Found: "no autosave that differs from the level", Want: "one, or no --recover"}
	case !recover && info.Autosave != store.AutosaveNone && isTerminal(sh.err):
		fmt.Fprintf(sh.err, "note: %s Use --recover to take it.\n", info.Summary())
	}
	return level, info, nil
}

// target is the place of a level that is about to be written.
type target struct {
	path  string
	lock  *store.Lock
	fresh bool // the level's folder was not there
	saved bool
}

// lockTarget takes the right to write a level, which need not exist.
func lockTarget(path string) (*target, error) {
	t := &target{path: path}
	_, err := os.Lstat(store.Folder(path))
	t.fresh = errors.Is(err, fs.ErrNotExist)
	t.lock, err = store.TakeLock(path)
	if err != nil {
		if t.fresh {
			t.sweep()
		}
		return nil, err
	}
	return t, nil
}

// release gives the right back and leaves nothing of a level that was not written.
func (t *target) release() {
	if t.fresh && !t.saved {
		t.sweep()
	}
	// An error leaves a lock that ends with the process.
	_ = t.lock.Release()
}

// sweep removes the folder that taking the lock made, unless a level was saved. It
// is ours, and what cannot be removed is harmless, so errors are let go.
func (t *target) sweep() {
	dir := store.Folder(t.path)
	if _, err := os.Lstat(t.path); errors.Is(err, fs.ErrNotExist) {
		_ = os.RemoveAll(dir)
		return
	}
	_ = os.Remove(filepath.Join(dir, "lock"))
	_ = os.Remove(dir) // only if nothing else is in it
}

// save writes a level to the target.
func (t *target) save(ctx context.Context, sh *shell, level *document.Level, prev *store.Saved) (*store.Saved, error) {
	p := sh.progress()
	defer p.done()
	saved, stats, err := store.Save(ctx, t.path, level, prev, p.steps("writing "+filepath.Base(t.path)))
	t.saved = t.saved || err == nil
	if err == nil && stats.Leftovers != nil {
		fmt.Fprintf(sh.err, "note: files that are not needed any more could not be removed: %s\n", oneLine(stats.Leftovers))
	}
	return saved, err
}

// newTarget is lockTarget for verbs that make a level. Without force it refuses a
// place where a level is already, be it only an autosave.
func newTarget(op, path string, force bool) (*target, error) {
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return nil, &fault.Error{Op: op, File: path, Found: "a folder", Want: "the name of a level"}
	case err == nil && !force:
		return nil, &fault.Error{Op: op, File: path, Found: "a file that exists", Want: "a new name, or --force to replace it"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fault.Wrap(op, path, err)
	}
	auto := filepath.Join(store.Folder(path), "autosave.json")
	if _, err := os.Lstat(auto); err == nil && !force {
		return nil, &fault.Error{Op: op, File: auto, Found: "the autosave of a level", Want: "a new name, or --force to replace it"}
	}
	return lockTarget(path)
}

// saveNew writes a level that has no past: an autosave that lies there is of
// another level.
func (t *target) saveNew(ctx context.Context, sh *shell, level *document.Level) error {
	if _, err := t.save(ctx, sh, level, nil); err != nil {
		return err
	}
	return store.Discard(t.path)
}
