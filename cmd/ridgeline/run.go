package main

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

	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/store"
	"ridgeline/document/texture"
	"ridgeline/editor/command"
	"ridgeline/editor/transfer"
	"ridgeline/terrain/fault"
)

const opRun = "run the commands"

func runVerb(sh *shell) *cobra.Command {
	var r runJob
	c := &cobra.Command{
		Use:   "run LEVEL [SCRIPT|-]",
		Short: "Run commands on a level and save it",
		Long: "Run commands on a level and save it: those of a script, or of standard input, and then those of -e.\n" +
			"The first that fails stops all, and nothing is saved. \"ridgeline run LEVEL -e help\" lists the commands.",
		Args: words(1, 2, "a level and perhaps a script"),
		RunE: func(c *cobra.Command, args []string) error {
			r.path = args[0]
			if len(args) == 2 {
				r.script = args[1]
			} else if len(r.lines) == 0 {
				return misuse("run: expected a script, - for standard input, or -e 'COMMAND; COMMAND'")
			}
			return r.run(c.Context(), sh)
		},
	}
	f := c.Flags()
	f.StringArrayVarP(&r.lines, "execute", "e", nil, "commands to run, separated by ;")
	f.StringVarP(&r.out, "output", "o", "", "save there and leave LEVEL as it is")
	recoverFlag(c, &r.recover)
	return c
}

// runJob is one call of the verb run.
type runJob struct {
	path, script, out string
	lines             []string
	recover           bool
}

// part is a script and its name in messages.
type part struct{ name, text string }

func (r *runJob) run(ctx context.Context, sh *shell) error {
	parts, err := r.read(ctx, sh)
	if err != nil {
		return err
	}
	registry := command.Standard()
	for _, p := range parts {
		if err := registry.CheckScript(p.name, strings.NewReader(p.text)); err != nil {
			return err
		}
	}
	// Before the lock, which would make a folder for a level that is not there.
	if isBuiltIn(r.path) {
		if r.out == "" {
			return &fault.Error{Op: opRun, File: r.path, Found: "a level that comes with the program, which stays as it is", Want: "-o with a place to save to"}
		}
	} else if info, err := os.Stat(r.path); err != nil {
		return fault.Wrap("open level", r.path, err)
	} else if info.IsDir() {
		return &fault.Error{Op: "open level", File: r.path, Found: "a folder", Want: "a level"}
	}
	var own *target
	if r.out != "" && !samePlace(r.out, r.path) {
		own, err = lockOutput(opRun, r.out)
	} else {
		own, err = lockTarget(r.path)
	}
	if err != nil {
		return err
	}
	defer own.release()
	level, info, err := sh.openLevel(ctx, r.path, r.recover)
	if err != nil {
		return err
	}
	doc := document.New(level, document.Options{})
	defer doc.Close()
	env := command.NewEnv(registry, doc, sh.out)
	s := &saves{sh: sh, own: own, prev: info.Saved, lastPrev: info.Saved}
	defer s.release()
	env.Files.Save = func(_ context.Context, q command.SaveRequest) error {
		return s.hold(withCamera(q, env.View.Camera))
	}
	env.Files.AddTexture = s.addTexture
	env.Files.Model = s.model(homeOf(r.path, info))
	env.Files.AddAsset = func(ctx context.Context, file string) (command.Imported, error) {
		return transfer.ImportAsset(ctx, file, s.keep)
	}
	for _, p := range parts {
		if err := registry.RunScript(ctx, env, p.name, strings.NewReader(p.text)); err != nil {
			return err
		}
	}
	// What the scripts saved comes first, but only now, when nothing can fail any
	// more but the saving itself.
	for _, q := range s.held {
		if err := s.save(ctx, q); err != nil {
			return err
		}
		// From here on something has changed, so stopping would leave a half.
		ctx = context.WithoutCancel(ctx)
	}
	last := withCamera(command.SaveRequest{Level: doc.Level()}, env.View.Camera)
	if r.out == "" && !info.Recovered && last.Level == level && len(s.held) == 0 {
		// A mesh that the level has may have been missing from its files.
		_, err := s.addFiles(own.path)
		return err
	}
	return s.save(ctx, last)
}

// withCamera lets a level begin where the script has put the camera.
func withCamera(q command.SaveRequest, c document.Camera) command.SaveRequest {
	if q.Level.Settings.Camera != c {
		l := *q.Level
		l.Settings.Camera = c
		q.Level = &l
	}
	return q
}

// read gets the scripts, so that one that cannot be read stops everything.
func (r *runJob) read(ctx context.Context, sh *shell) ([]part, error) {
	var parts []part
	switch r.script {
	case "":
	case "-":
		text, err := background(ctx, func() ([]byte, error) { return bounded(sh.in) })
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		parts = append(parts, part{"standard input", string(text)})
	default:
		text, err := readScript(ctx, r.script)
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) && strings.ContainsAny(r.script, " =") && errors.Is(err, fs.ErrNotExist) {
				return nil, &fault.Error{File: r.script, Found: "no script of this name", Want: "a file, or commands after -e"}
			}
			return nil, fault.Wrap("read the script", r.script, err)
		}
		parts = append(parts, part{r.script, string(text)})
	}
	for _, l := range r.lines {
		parts = append(parts, part{"-e", l})
	}
	return parts, nil
}

// maxScript bounds what is read of a script, in bytes: a device need not end.
const maxScript = 256 << 20

// readScript reads a script's file, which may be a pipe.
func readScript(ctx context.Context, path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fault.Regular(opRun, path, "a script", info)
	}
	return background(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return bounded(f)
	})
}

func bounded(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxScript+1))
	if err == nil && len(text) > maxScript {
		return nil, &fault.Error{Found: fmt.Sprintf("more than %d MiB", maxScript>>20), Want: "a script"}
	}
	return text, err
}

// background waits for what is read, unless the program is to stop: a terminal at
// which nobody types, or a pipe that nobody fills, may never end.
func background(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := read()
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// saves writes levels after the scripts are through.
type saves struct {
	sh       *shell
	own      *target
	others   []*target
	prev     *store.Saved // of the level that was opened: where its assets are
	lastPrev *store.Saved // of own, as last saved
	held     []command.SaveRequest
	kept     []levelFile
}

// levelFile is a picture or mesh that a script took into the level.
type levelFile struct {
	ref  string
	data []byte
	ext  string
}

// hold notes a level that is to be saved. A place that it cannot be saved to is an
// error now, before anything is written.
func (s *saves) hold(q command.SaveRequest) error {
	if q.Path != "" {
		if samePlace(q.Path, s.own.path) {
			q.Path = ""
		} else if s.other(q.Path) == nil {
			t, err := lockOutput(opRun, q.Path)
			if err != nil {
				return err
			}
			s.others = append(s.others, t)
		}
	}
	s.held = append(s.held, q)
	return nil
}

// other finds the target of a place beside the level's own.
func (s *saves) other(path string) *target {
	for _, t := range s.others {
		if samePlace(path, t.path) {
			return t
		}
	}
	return nil
}

func (s *saves) release() {
	for _, t := range s.others {
		t.release()
	}
}

// keep holds a file until the level is saved, so that a script that fails leaves
// none. It is a transfer.Keep.
func (s *saves) keep(data []byte, ext string) (ref string, err error) {
	if ref, err = store.AssetRef(data, ext); err != nil {
		return "", err
	}
	if !slices.ContainsFunc(s.kept, func(f levelFile) bool { return f.ref == ref }) {
		s.kept = append(s.kept, levelFile{ref, data, ext})
	}
	return ref, nil
}

func (s *saves) addTexture(file string) (string, error) {
	data, ext, err := texture.ReadFile(file)
	if err != nil {
		return "", err
	}
	return s.keep(data, ext)
}

// model gives the meshes of a level's assets, each read once: those that a script took
// in, and those beside the level at a path.
func (s *saves) model(path string) func(context.Context, *document.Asset) (*mesh.Model, error) {
	read := map[string]*mesh.Model{}
	return func(ctx context.Context, a *document.Asset) (*mesh.Model, error) {
		if m, ok := read[a.File]; ok {
			return m, nil
		}
		var data []byte
		if i := slices.IndexFunc(s.kept, func(f levelFile) bool { return f.ref == a.File }); i >= 0 {
			data = s.kept[i].data
		} else {
			var err error
			if data, err = store.ReadAsset(path, a.File); err != nil {
				return nil, err
			}
		}
		m, err := mesh.LoadBytes(ctx, data, filepath.Ext(a.File))
		if err == nil {
			read[a.File] = m
		}
		return m, err
	}
}

// addFiles writes the files that were kept beside a level that is about to be saved.
// Those that were not there are added, for the case that it is not saved.
func (s *saves) addFiles(path string) (added []string, err error) {
	assets := filepath.Join(store.Folder(path), "assets")
	for _, f := range s.kept {
		file := filepath.Join(assets, strings.TrimPrefix(f.ref, document.AssetPrefix))
		_, missing := os.Lstat(file)
		if _, err := store.AddAsset(path, f.data, f.ext); err != nil {
			return added, err
		}
		if missing != nil {
			added = append(added, file)
		}
	}
	return added, nil
}

func (s *saves) save(ctx context.Context, q command.SaveRequest) error {
	t, prev := s.own, s.lastPrev
	if q.Path != "" {
		t, prev = s.other(q.Path), s.prev
	}
	added, err := s.addFiles(t.path)
	var saved *store.Saved
	if err == nil {
		saved, err = t.save(ctx, s.sh, q.Level, prev)
	}
	if err != nil {
		for _, file := range added {
			_ = os.Remove(file)               // harmless where it stays
			_ = os.Remove(filepath.Dir(file)) // only if nothing is in it
		}
		return err
	}
	if t == s.own {
		s.lastPrev = saved
	}
	return nil
}
