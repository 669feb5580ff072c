package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// Options of Open.
type Options struct {
	// Recover opens the autosave, if there is one that differs from the level.
	Recover  bool
	Progress Progress
}

// AutosaveState says what there is to recover.
type AutosaveState int

// The states.
const (
	// AutosaveNone: there is no autosave, or it is the level.
	AutosaveNone AutosaveState = iota
	// AutosaveNewer: the autosave is of later edits, or the level cannot be read.
	AutosaveNewer
	// AutosaveDiverged: the level was saved by somebody else after the edits that
	// the autosave goes back to, so each has what the other has not.
	AutosaveDiverged
)

// Info is what Open finds beside the level.
type Info struct {
	Saved     *Saved // for the next save
	Autosave  AutosaveState
	Edits     int  // edits in the autosave that the level has not, as counted when they were made
	Regions   int  // regions of 256×256 samples in which the autosave differs
	Recovered bool // the level is the autosave's
}

// maxTries bounds how often Open begins again because the level is being saved.
const maxTries = 5

// Open reads the level at path. Info is filled as far as possible even with an
// error: when the level is damaged it says whether there is an autosave to open
// with Options.Recover. Nothing on the disk changes.
func Open(ctx context.Context, path string, o Options) (*document.Level, Info, error) {
	path, err := resolve(path)
	if err != nil {
		return nil, Info{}, fault.Wrap("open level", path, err)
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	release, _ := folderLock(Folder(path), false)
	defer release()
	for try := 1; ; try++ {
		r := &reader{ctx: ctx, path: path, dir: Folder(path), options: o}
		level, info, err := r.open()
		if err == nil || try == maxTries || !errors.Is(err, fs.ErrNotExist) || !r.replaced() {
			return level, info, err
		}
	}
}

// reader is one try to open a level.
type reader struct {
	ctx     context.Context
	path    string
	dir     string
	options Options

	main, auto       []byte
	mainErr, autoErr error
}

// replaced reports whether the manifests are not the ones that were read.
func (r *reader) replaced() bool {
	main, mainErr := readLevelFile(r.path)
	auto, autoErr := readAutosave(r.dir)
	return !bytes.Equal(main, r.main) || !bytes.Equal(auto, r.auto) || (mainErr == nil) != (r.mainErr == nil) || (autoErr == nil) != (r.autoErr == nil)
}

func (r *reader) open() (*document.Level, Info, error) {
	r.main, r.mainErr = readLevelFile(r.path)
	r.auto, r.autoErr = readAutosave(r.dir)
	if r.mainErr != nil && !errors.Is(r.mainErr, fs.ErrNotExist) {
		var pe *fs.PathError
		if !errors.As(r.mainErr, &pe) {
			return nil, Info{}, r.mainErr // not a file at all
		}
	}
	m, problems := (*manifest)(nil), []error{r.mainErr}
	if r.mainErr == nil {
		m, problems = parseManifest(r.main)
	}
	var info Info
	am := r.judgeAutosave(&info, m, problems)
	saved := &Saved{path: r.path}
	if r.mainErr == nil {
		saved.mainHash = manifestHash(r.main)
		if len(problems) == 0 {
			saved.main, saved.mainRead = nameSet(m.blobs), true
		}
	} else if errors.Is(r.mainErr, fs.ErrNotExist) {
		saved.mainRead = true
	}
	file := r.path
	if r.options.Recover && r.autoErr == nil && (info.Autosave != AutosaveNone || am == nil) {
		file = filepath.Join(r.dir, autosaveName)
		info.Recovered, saved.owns = true, true
		if am == nil {
			_, problems = parseManifest(r.auto)
		} else {
			m, problems = am, nil
		}
	}
	if len(problems) > 0 {
		info.Recovered = false
		return nil, info, fault.Wrap("open level", file, problems[0])
	}
	level, err := r.load(m)
	if err != nil {
		info.Recovered = false
		if !r.options.Recover && am != nil && info.Autosave == AutosaveNone {
			info.Autosave = AutosaveNewer
		}
		return nil, info, err
	}
	saved.level, saved.blobs = level, m.blobs
	if info.Autosave == AutosaveNone && r.autoErr == nil && am != nil {
		saved.owns = true // it is this very level
	}
	info.Saved = saved
	return level, info, nil
}

// judgeAutosave finds out what there is to recover, and gives the autosave when it
// can be read.
func (r *reader) judgeAutosave(info *Info, m *manifest, problems []error) *manifest {
	if r.autoErr != nil {
		return nil
	}
	am, bad := parseManifest(r.auto)
	if len(bad) > 0 {
		return nil
	}
	note := am.autosave
	if note == nil {
		note = &autosaveNote{}
	}
	switch {
	case len(problems) > 0:
		info.Autosave = AutosaveNewer
	case sameLevel(r.main, r.auto):
		return am
	case note.Of == manifestHash(r.main):
		info.Autosave = AutosaveNewer
	default:
		info.Autosave = AutosaveDiverged
	}
	info.Edits = note.Edits
	var blobs map[region]string
	if m != nil {
		blobs = m.blobs
	}
	info.Regions = differing(blobs, am.blobs)
	return am
}

// differing counts the places at which any plane differs.
func differing(a, b map[region]string) int {
	type at struct{ col, row int }
	places := make(map[at]struct{})
	for r, name := range a {
		if b[r] != name {
			places[at{r.col, r.row}] = struct{}{}
		}
	}
	for r, name := range b {
		if a[r] != name {
			places[at{r.col, r.row}] = struct{}{}
		}
	}
	return len(places)
}

// load reads the terrain and puts the level together.
func (r *reader) load(m *manifest) (*document.Level, error) {
	c, err := newCanvas(m.cols, m.rows)
	if err != nil {
		return nil, err
	}
	if err := readBlobs(r.ctx, r.dir, m, c, r.options.Progress, nil); err != nil {
		return nil, err
	}
	flat, err := terrain.Flat(m.cols, m.rows, m.spacing)
	if err != nil {
		return nil, fault.Wrap("open level", r.path, err)
	}
	// Only what is not untouched ground is measured: a large level of which little
	// was worked on opens at once.
	d := flat.Draft()
	for y := range c.tiles {
		for x, t := range c.tiles[y] {
			if p := terrain.AllPlanes &^ t.Blank(); p != 0 {
				d.Put(x, y, t, p)
			}
		}
	}
	f, _ := d.Field()
	level := *m.level
	level.Terrain = f.WithOrigin(m.origin[0], m.origin[1])
	return &level, nil
}

// readBlobs reads all blobs of a manifest into c, which may be nil to only check
// them. With report, problems go there and reading goes on.
func readBlobs(ctx context.Context, dir string, m *manifest, c *canvas, progress Progress, report func(error)) error {
	z, err := newCodec()
	if err != nil {
		return err
	}
	defer z.close()
	names := m.names()
	progress(0, len(names))
	var mu sync.Mutex
	done := 0
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	bufs := sync.Pool{New: func() any { b := make([]byte, 0, maxRaw); return &b }}
	for _, name := range names {
		g.Go(func() error {
			if err := working.Err(); err != nil {
				return err
			}
			buf := bufs.Get().(*[]byte)
			defer bufs.Put(buf)
			r, hash, _ := parseBlobName(name)
			raw, err := z.read(dir, name, *buf, r.rawSize(m.cols, m.rows), hash)
			if err == nil {
				err = fault.Wrap("read terrain", filepath.Join(dir, name), checkRaw(raw, r, m.cols, m.rows, len(m.level.Layers)))
			}
			if err == nil && c != nil {
				c.lay(raw, r)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, len(names))
			if err != nil && report != nil {
				report(err)
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// String says what there is to recover.
func (s AutosaveState) String() string {
	switch s {
	case AutosaveNewer:
		return "newer"
	case AutosaveDiverged:
		return "diverged"
	}
	return "none"
}

// Summary is a sentence about what can be recovered, "" when nothing.
func (i Info) Summary() string {
	switch i.Autosave {
	case AutosaveNewer:
		return fmt.Sprintf("The autosave is newer by %s, in %s of the terrain.", plural(i.Edits, "edit"), plural(i.Regions, "region"))
	case AutosaveDiverged:
		return fmt.Sprintf("An autosave of %s, which differs in %s of the terrain, was left before the level was saved elsewhere.", plural(i.Edits, "edit"), plural(i.Regions, "region"))
	}
	return ""
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
