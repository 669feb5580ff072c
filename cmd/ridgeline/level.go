package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/session"
	"ridgeline/editor/village"
	"ridgeline/terrain/fault"
)

// recoverFlag adds --recover to a verb that opens a level.
func recoverFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "recover", false, "use the autosave instead of what was saved last")
}

// sampleName stands for the level that comes with the program, unless a file has
// this name.
const sampleName = "sample"

func isSample(path string) bool { return path == sampleName && missing(path) }

// villageName stands for the other level that comes with the program, with objects,
// occluders, cells and portals, unless a file has this name.
const villageName = "village"

func isVillage(path string) bool { return path == villageName && missing(path) }

// isBuiltIn reports whether a level comes with the program.
func isBuiltIn(path string) bool { return isSample(path) || isVillage(path) }

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// makeVillage makes the Village in a folder that lasts as long as the program.
func (sh *shell) makeVillage(ctx context.Context) (path string, err error) {
	dir, err := os.MkdirTemp("", "ridgeline-*")
	if err != nil {
		return "", err
	}
	sh.after = append(sh.after, func() error { return os.RemoveAll(dir) })
	path = filepath.Join(dir, village.Name+".ridge")
	return path, village.Save(ctx, path)
}

// makeBuiltIn makes a level that comes with the program in a folder that lasts as long
// as the program.
func (sh *shell) makeBuiltIn(ctx context.Context, name string) (string, error) {
	path, err := sh.makeVillage(ctx)
	if err != nil || isVillage(name) {
		return path, err
	}
	level, err := session.SampleLevel()
	if err != nil {
		return "", err
	}
	path = filepath.Join(filepath.Dir(path), sampleName+".ridge")
	_, _, err = store.Save(ctx, path, level, nil, nil)
	return path, err
}

// homeOf is the path with which a level's own files are found.
func homeOf(path string, info store.Info) string {
	switch {
	case isSample(path):
		return ""
	case isVillage(path):
		return info.Saved.Path()
	}
	return path
}

// openLevel reads a level.
func (sh *shell) openLevel(ctx context.Context, path string, recover bool) (*document.Level, store.Info, error) {
	if isSample(path) && !recover {
		level, err := session.SampleLevel()
		return level, store.Info{}, err
	}
	if isVillage(path) && !recover {
		var err error
		if path, err = sh.makeVillage(ctx); err != nil {
			return nil, store.Info{}, err
		}
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
		say(sh.err, "note: %s Use --recover to take it.", info.Summary())
	}
	return level, info, nil
}

// target is the place of a level that is about to be written.
type target struct {
	path string
	lock *store.Lock
}

// lockTarget takes the right to write a level, which need not exist.
func lockTarget(path string) (*target, error) {
	lock, err := store.TakeLock(path)
	if err != nil {
		return nil, err
	}
	return &target{path, lock}, nil
}

// lockOutput is lockTarget for a place that was named beside the level itself: what
// lies there is only replaced if it is a level too.
func lockOutput(op, path string) (*target, error) {
	if err := levelName(op, path); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil && !isLevel(path) {
		return nil, &fault.Error{Op: op, File: path, Found: "a file that is no level", Want: "a new name, or a level to replace"}
	}
	return lockTarget(path)
}

// levelName refuses names that no level can have.
func levelName(op, path string) error {
	info, err := os.Stat(path)
	switch {
	case path == "":
		return &fault.Error{Op: op, Found: "an empty name", Want: "the name of a level"}
	case err == nil:
		return fault.Regular(op, path, "the name of a level", info)
	case !errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(op, path, err)
	}
	return nil
}

// isLevel reports whether a file is a level, be it a damaged one.
func isLevel(path string) bool {
	if info, err := os.Stat(store.Folder(path)); err == nil && info.IsDir() {
		return true
	}
	data, err := fault.ReadFile("open level", path, "a level")
	if err != nil {
		return false
	}
	var head struct{ Format string }
	return json.Unmarshal(data, &head) == nil && head.Format == store.FormatName
}

// spare refuses to write a file over the level that it is made of, or among the
// level's own files.
func spare(op, level, out string) error {
	want := "another name than the level's"
	if sameFile(level, out) {
		return &fault.Error{Op: op, File: out, Found: "the level itself", Want: want}
	}
	own, err := os.Stat(store.Folder(level))
	if err != nil {
		return nil
	}
	dir, err := filepath.Abs(filepath.Dir(out))
	for err == nil {
		if info, serr := os.Stat(dir); serr == nil && os.SameFile(own, info) {
			return &fault.Error{Op: op, File: out, Found: "the folder of the level's own files", Want: "another folder"}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
	return fault.Wrap(op, out, err)
}

// sameFile reports whether two names are of one file that exists.
func sameFile(a, b string) bool {
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

// samePlace reports whether two names lead to one place, which need not have a file.
func samePlace(a, b string) bool {
	if sameFile(a, b) {
		return true
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB ||
		filepath.Base(a) == filepath.Base(b) && sameFile(filepath.Dir(a), filepath.Dir(b))
}

// release gives the right back. An error leaves a lock that ends with the process.
func (t *target) release() { _ = t.lock.Release() }

// save writes a level to the target.
func (t *target) save(ctx context.Context, sh *shell, level *document.Level, prev *store.Saved) (*store.Saved, error) {
	p := sh.progress()
	defer p.done()
	saved, stats, err := store.Save(ctx, t.path, level, prev, p.steps("writing "+filepath.Base(t.path)))
	if err == nil && stats.Leftovers != nil {
		say(sh.err, "note: files that are not needed any more could not be removed: %s", oneLine(stats.Leftovers))
	}
	if err == nil && stats.Unread != nil {
		say(sh.err, "note: a mesh or texture could not be taken along: %s", oneLine(stats.Unread))
	}
	return saved, err
}

// newTarget is lockTarget for verbs that make a level. Without force it refuses a
// place where a level is already, be it only an autosave.
func newTarget(op, path string, force bool) (*target, error) {
	if err := levelName(op, path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err == nil && !force {
		return nil, &fault.Error{Op: op, File: path, Found: "a file that exists", Want: "a new name, or --force to replace it"}
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
