package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/editor/transfer"
)

// meshExtensions are the files that the import dialog of meshes lists.
var meshExtensions = []string{".glb", ".gltf", ".obj"}

// errNoHome is why nothing can be added to the level's files.
var errNoHome = errors.New("the level has no place for files; save it first")

// noHome tells why nothing can be added to the level's files; nil when it can.
func (s *Session) noHome() error {
	switch {
	case s.file.readOnly:
		return errReadOnly
	case s.assetHome() == "":
		return errNoHome
	}
	return nil
}

// addAsset takes a mesh into the level's files. It implements
// command.Files.AddAsset.
func (s *Session) addAsset(ctx context.Context, file string) (got command.Imported, err error) {
	if err := s.noHome(); err != nil {
		return got, err
	}
	if s.fetched.file == file && file != "" {
		got = s.fetched.got // it was read in the background
	} else {
		stamps := stampsOf(file)
		if got, err = transfer.AddAsset(ctx, s.assetHome(), file); err != nil {
			return got, err
		}
		s.noteRead(stamps)
	}
	s.library.again(got.Asset.File)
	return got, nil
}

// askAssets asks for a mesh to import.
func (s *Session) askAssets() {
	s.askPath(PathPrompt{
		Title: "Import a mesh", Does: "Import", Text: s.startFolder(), kind: "Meshes", extensions: meshExtensions,
		then: func(path string) { s.ImportAsset(path, nil) },
	})
}

// ImportAsset imports a mesh in the background. then, which may be nil, gets the
// name of the asset.
func (s *Session) ImportAsset(file string, then func(name string)) {
	s.fetch("Importing "+filepath.Base(file), file, func() error {
		before := map[string]string{}
		for _, a := range s.Level().Assets {
			before[a.Name] = a.File
		}
		if err := s.runCall("asset.import", "file", file); err != nil {
			return err
		}
		for _, a := range s.Level().Assets {
			if before[a.Name] != a.File || a.Source == file {
				s.Place.Asset = a.Name
				if then != nil {
					then(a.Name)
				}
				break
			}
		}
		return nil
	})
}

// Relink links an asset to another file, in the background.
func (s *Session) Relink(name, file string) {
	s.fetch("Linking "+name, file, func() error { return s.runCall("asset.relink", "name", name, "file", file) })
}

// AskRelink asks for the file that an asset is linked to.
func (s *Session) AskRelink(name string) {
	s.askPath(PathPrompt{
		Title: "Link " + name + " to a file", Does: "Link", Text: s.startFolder(), kind: "Meshes", extensions: meshExtensions,
		then: func(path string) { s.Relink(name, path) },
	})
}

// ReloadAsset reads an asset's source again, in the background.
func (s *Session) ReloadAsset(name string) {
	a, ok := s.Level().Asset(name)
	if !ok || a.Source == "" {
		s.Warn(fmt.Sprintf("%s has no source file that it could be read from again.", name))
		return
	}
	s.fetch("Reloading "+name, a.Source, func() error {
		if err := s.runCall("asset.reload", "name", name); err != nil {
			return err
		}
		text := filepath.Base(a.Source) + " is as before."
		if now, ok := s.Level().Asset(name); ok && now.File != a.File {
			text = fmt.Sprintf("%s was read again from %s, which has changed.", name, filepath.Base(a.Source))
		}
		s.Say(text)
		return nil
	})
}

// fetch reads a mesh file in the background, so that the command that does it next
// finds it done.
func (s *Session) fetch(title, file string, then func() error) {
	if err := s.noHome(); err != nil {
		s.Fail(err)
		return
	}
	home, revision := s.assetHome(), s.revision
	s.Start(title, func(ctx context.Context, _ func(float64)) (func() error, error) {
		stamps := stampsOf(file)
		got, err := transfer.AddAsset(ctx, home, file)
		if err != nil {
			return nil, err
		}
		take := func() error {
			switch {
			case s.revision != revision:
				return fmt.Errorf("%s: another level was opened meanwhile", filepath.Base(file))
			case s.assetHome() != home:
				s.fetch(title, file, then) // saved elsewhere meanwhile: once more, there
				return nil
			}
			s.noteRead(stamps)
			s.fetched = fetched{file: file, got: got}
			defer func() { s.fetched = fetched{} }()
			return then()
		}
		return func() error { return s.betweenDrags(title, take) }, nil
	}, nil)
}

// betweenDrags calls do now, or when the drag ends that is open: what arrives from
// elsewhere is no part of it.
func (s *Session) betweenDrags(title string, do func() error) error {
	if s.drag == nil && !s.Env.Doc.Editing() {
		return do()
	}
	s.waiting = append(s.waiting, waiting{title, do})
	return nil
}

// waiting is work that has arrived during a drag.
type waiting struct {
	title string
	do    func() error
}

// resume does what has waited for the end of a drag.
func (s *Session) resume() {
	for len(s.waiting) > 0 && s.drag == nil && !s.Env.Doc.Editing() {
		w := s.waiting[0]
		s.waiting = s.waiting[1:]
		_, err := s.guard(w.title, func() (func() error, error) { return nil, w.do() })
		s.Fail(err)
	}
}

// runCall runs a command with arguments as name, value, name, value.
func (s *Session) runCall(id string, args ...string) error {
	call := command.Call{ID: id}
	for i := 0; i+1 < len(args); i += 2 {
		call.Args = append(call.Args, command.Arg{Name: args[i], Value: args[i+1]})
	}
	return s.run(call.String())
}

// fetched is a mesh file that was just taken into the level's files.
type fetched struct {
	file string
	got  command.Imported
}

// sourceStamp tells whether a file has changed.
type sourceStamp struct {
	size    int64
	changed time.Time
}

// watchEvery is how often the sources of assets are looked at.
const watchEvery = 2 * time.Second

// watchSources tells when the sources of assets change on disk, and reloads them.
// It costs a stat a source each time and no frame.
func (s *Session) watchSources() {
	if s.options.Temporary {
		return
	}
	ctx := s.ctx
	go func() {
		t := time.NewTicker(watchEvery)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				s.watchOnce()
			}
		}
	}()
}

// watchOnce looks at the sources once.
func (s *Session) watchOnce() {
	list := s.sources.Load()
	if list == nil || len(list.assets) == 0 {
		return
	}
	paths, with := s.companions.of(list)
	stamps := stampsOf(paths...)
	if prev := s.stamps.Load(); prev != nil && sameStamps(*prev, stamps) {
		return
	}
	// What is seen while the last has not been taken up is seen again the next time.
	if s.watching.CompareAndSwap(false, true) {
		s.stamps.Store(&stamps)
		s.post(func() { s.watching.Store(false); s.sourcesChanged(stamps, with) })
	}
}

// sources are the assets of a level that came from files.
type sources struct {
	home   string // where the level's files are
	assets []document.Asset
}

// companions knows which files meshes came with: buffers, materials, pictures.
type companions struct {
	mu    sync.Mutex
	names map[string][]string // by the asset's file, as the mesh refers to them
}

// of gives all files to look at, and those that came with each source.
func (c *companions) of(list *sources) (paths []string, with map[string][]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	with = make(map[string][]string, len(list.assets))
	for i := range list.assets {
		a := &list.assets[i]
		paths = append(paths, a.Source)
		folder := filepath.Dir(a.Source)
		if real, err := filepath.EvalSymlinks(a.Source); err == nil {
			folder = filepath.Dir(real)
		}
		for _, name := range c.read(list.home, a.File) {
			p := filepath.Join(folder, filepath.FromSlash(name))
			paths, with[a.Source] = append(paths, p), append(with[a.Source], p)
		}
	}
	return paths, with
}

func (c *companions) read(home, file string) []string {
	names, known := c.names[file]
	if known || path.Ext(file) != ".zip" {
		return names
	}
	data, err := store.ReadAsset(home, file)
	if err != nil {
		return nil // perhaps later
	}
	if c.names == nil {
		c.names = map[string][]string{}
	}
	c.names[file] = mesh.Companions(data)
	return c.names[file]
}

func stampsOf(paths ...string) map[string]sourceStamp {
	out := make(map[string]sourceStamp, len(paths))
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			out[p] = sourceStamp{info.Size(), info.ModTime()}
		}
	}
	return out
}

func sameStamps(a, b map[string]sourceStamp) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || w != v {
			return false
		}
	}
	return true
}

// noteRead notes what sources were like when they were read.
func (s *Session) noteRead(stamps map[string]sourceStamp) {
	now := maps.Clone(s.sourcesSeen)
	if now == nil {
		now = map[string]sourceStamp{}
	}
	for path, stamp := range stamps {
		if abs, err := filepath.Abs(path); err == nil {
			now[abs] = stamp
		}
	}
	s.sourcesSeen = now
	s.stamps.Store(nil) // the watch looks again
}

// noteSources tells the watch which files to look at.
func (s *Session) noteSources(l *document.Level) {
	list := &sources{home: s.assetHome()}
	for _, a := range l.Assets {
		if a.Source != "" {
			list.assets = append(list.assets, a)
		}
	}
	s.sources.Store(list)
}

// sourcesChanged reloads the assets whose sources are other than when they were
// looked at last, or files that came with them. What is seen for the first time is
// only noted; what is gone, perhaps to be written anew, is remembered.
func (s *Session) sourcesChanged(now map[string]sourceStamp, with map[string][]string) {
	before := s.sourcesSeen
	s.sourcesSeen = maps.Clone(before)
	if before == nil {
		s.sourcesSeen = make(map[string]sourceStamp, len(now))
	}
	maps.Copy(s.sourcesSeen, now)
	changed := func(path string) bool {
		old, had := before[path]
		new, has := now[path]
		return had && has && old != new
	}
	for _, a := range s.Level().Assets {
		if !s.file.readOnly && a.Source != "" && (changed(a.Source) || slices.ContainsFunc(with[a.Source], changed)) {
			s.ReloadAsset(a.Name)
		}
	}
}

// compareSources tells, some time after a level was opened, which of its assets have
// another source by now than when they were read.
func (s *Session) compareSources() {
	if s.options.Temporary || s.file.path == "" || s.file.readOnly {
		return
	}
	var assets []document.Asset
	for _, a := range s.Level().Assets {
		if a.Source != "" {
			assets = append(assets, a)
		}
	}
	if len(assets) == 0 {
		return
	}
	revision := s.revision
	s.start(&Task{Title: "Comparing assets", Began: s.now(), hidden: true}, func(ctx context.Context, _ func(float64)) (func() error, error) {
		var changed []string
		for _, a := range assets {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			got, err := transfer.ImportAsset(ctx, a.Source, store.AssetRef)
			if err == nil && got.Asset.File != a.File { // a source that is gone is no news
				changed = append(changed, a.Name)
			}
		}
		return func() error {
			if s.revision == revision && len(changed) > 0 {
				s.tellChanged(changed)
			}
			return nil
		}, nil
	}, nil)
}

// tellChanged offers to read assets again.
func (s *Session) tellChanged(names []string) {
	n := Notice{Severity: Info, Text: fmt.Sprintf("The source of %s has changed since it was read.", names[0])}
	calls := make([]string, len(names))
	for i, name := range names {
		calls[i] = command.Call{ID: "app.reload", Args: []command.Arg{{Name: "name", Value: name}}}.String()
	}
	if len(names) > 1 {
		n.Text = fmt.Sprintf("The sources of %d assets have changed since they were read, %s among them.", len(names), names[0])
	}
	n.Action, n.Run = "Reload", strings.Join(calls, "; ")
	s.Tell(n)
}
