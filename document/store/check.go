package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ridgeline/document"
	"ridgeline/terrain/fault"
)

// Severity says how bad a problem is.
type Severity string

// The severities.
const (
	Damage Severity = "damage" // something is lost
	Note   Severity = "note"   // left over, or to be known; the level is whole
)

// Problem is something that Check found.
type Problem struct {
	Severity Severity
	File     string
	Place    string // in the file, "" for all of it
	Text     string // "found X, expected Y"
}

// String is one line.
func (p Problem) String() string {
	parts := []string{string(p.Severity)}
	for _, s := range []string{p.File, p.Place, p.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// Check reads everything that belongs to the level at path and lists what is
// wrong, damage first. It changes nothing. The error is that of ctx, or says what the file
// is that never was a level.
func Check(ctx context.Context, path string, progress Progress) ([]Problem, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if p, err := resolve(path); err == nil {
		path = p
	}
	c := &checker{ctx: ctx, path: path, dir: Folder(path)}
	release, _ := folderLock(c.dir, false)
	defer release()
	main, err := readLevelFile(path)
	if err != nil {
		c.damage(path, err)
	} else if err := foreign(main); err != nil {
		return nil, fault.Wrap("check the level", path, err)
	}
	auto, autoErr := readAutosave(c.dir)
	if errors.Is(err, fs.ErrNotExist) && autoErr != nil {
		return c.problems, nil // nothing there at all
	}
	named := map[string]struct{}{}
	complete := err == nil
	if err == nil {
		ok, err := c.manifest(path, main, named, progress)
		if err != nil {
			return nil, err
		}
		complete = ok
	}
	switch {
	case errors.Is(autoErr, fs.ErrNotExist):
	case autoErr != nil:
		c.damage(filepath.Join(c.dir, autosaveName), autoErr)
		complete = false
	default:
		ok, err := c.manifest(filepath.Join(c.dir, autosaveName), auto, named, func(int, int) {})
		if err != nil {
			return nil, err
		}
		complete = complete && ok
		c.judge(main, auto)
	}
	c.leftovers(named, complete)
	slices.SortStableFunc(c.problems, func(a, b Problem) int { return strings.Compare(string(a.Severity), string(b.Severity)) })
	return c.problems, nil
}

type checker struct {
	ctx       context.Context
	path, dir string
	problems  []Problem
}

func (c *checker) damage(file string, err error) {
	p := Problem{Severity: Damage, File: file}
	var f *fault.Error
	if errors.As(err, &f) {
		bare := *f
		bare.File, bare.Place, bare.Op = "", "", ""
		p.Place, p.Text = f.Place, bare.Error()
		if f.File != "" {
			p.File = f.File
		}
	} else {
		p.Text = fault.Cause(err)
	}
	c.problems = append(c.problems, p)
}

func (c *checker) note(file, text string) {
	c.problems = append(c.problems, Problem{Severity: Note, File: file, Text: text})
}

// manifest checks one manifest and the blobs that it names, which it adds to
// named. It reports whether it is known what the manifest names.
func (c *checker) manifest(file string, data []byte, named map[string]struct{}, progress Progress) (complete bool, err error) {
	m, problems := parseManifest(data)
	for _, p := range problems {
		c.damage(file, p)
	}
	if m == nil {
		return false, nil
	}
	fresh := make(map[region]string, len(m.blobs))
	for r, name := range m.blobs {
		if _, seen := named[name]; !seen {
			fresh[r] = name
		}
	}
	maps.Copy(named, nameSet(m.blobs))
	whole := *m
	whole.blobs = fresh
	found := make(map[string]error)
	var mu sync.Mutex
	err = readBlobs(c.ctx, c.dir, &whole, nil, progress, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		var f *fault.Error
		if errors.As(err, &f) {
			found[f.File] = err
		}
	})
	if err != nil {
		return false, err
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		c.damage(name, found[name])
	}
	for i, l := range m.level.Layers {
		place := fmt.Sprintf("layers[%d].texture", i)
		if builtin, ok := strings.CutPrefix(l.Texture, document.BuiltinPrefix); ok && !slices.Contains(document.Builtins, builtin) {
			c.damage(file, &fault.Error{Place: place, Found: fmt.Sprintf("%q", l.Texture), Want: "one of " + strings.Join(document.Builtins, ", ")})
		} else if !ok && l.Texture != "" {
			if _, err := ReadAsset(c.path, l.Texture); err != nil {
				c.damage(file, fault.Wrap("read asset", file, err))
			}
		}
	}
	for i, a := range m.level.Assets {
		if _, err := ReadAsset(c.path, a.File); err != nil {
			c.damage(file, fault.Wrap(fmt.Sprintf("read assets[%d], %q", i, a.Name), file, err))
		}
	}
	return len(problems) == 0, nil
}

// judge notes how the autosave stands to the level.
func (c *checker) judge(main, auto []byte) {
	r := &reader{path: c.path, dir: c.dir, main: main, auto: auto}
	m, problems := parseManifest(main)
	var info Info
	if r.judgeAutosave(&info, m, problems) == nil {
		return // damaged, which was said
	}
	if s := info.Summary(); s != "" {
		c.note(filepath.Join(c.dir, autosaveName), s)
	} else {
		c.note(filepath.Join(c.dir, autosaveName), "The autosave is the same as the level.")
	}
}

// leftovers notes files that nothing names. When a manifest is damaged, it is not
// known which blobs those are.
func (c *checker) leftovers(named map[string]struct{}, complete bool) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.damage(c.dir, err)
		}
		return
	}
	for _, e := range entries {
		name := e.Name()
		_, kept := named[name]
		file := filepath.Join(c.dir, name)
		switch {
		case kept, name == autosaveName, name == assetsName, name == lockName:
		case isTemp(name):
			c.note(file, "A save was interrupted and left this temporary file.")
		case blobPattern.MatchString(name):
			if complete {
				c.note(file, "Neither the level nor its autosave uses this blob.")
			}
		default:
			c.note(file, "This file does not belong to the level.")
		}
	}
	// The manifest's own temporary file lies beside it.
	beside, err := tempsBeside(c.path)
	if err != nil {
		c.damage(filepath.Dir(c.path), err)
	}
	for _, file := range beside {
		c.note(file, "A save was interrupted and left this temporary file.")
	}
}
