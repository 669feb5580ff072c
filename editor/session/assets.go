package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/transfer"
)

// meshExtensions are the files that the import dialog of meshes lists.
var meshExtensions = []string{".glb", ".gltf", ".obj"}

// errNoHome is why nothing can be added to the level's files.
var errNoHome = errors.New("the level has no place for files; save it first")

// addAsset takes a mesh into the level's files. It implements
// command.Files.AddAsset.
func (s *Session) addAsset(ctx context.Context, file string) (command.Imported, error) {
	if s.assetHome() == "" || s.file.readOnly {
		return command.Imported{}, errNoHome
	}
	if s.fetched.file == file && file != "" {
		return s.fetched.got, nil // it was read in the background
	}
	return transfer.AddAsset(ctx, s.assetHome(), file)
}

// askAssets asks for a mesh to import.
func (s *Session) askAssets() {
	s.askPath(PathPrompt{
		Title: "Import a mesh", Text: s.startFolder(), kind: "Meshes", extensions: meshExtensions,
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
		Title: "Link " + name + " to a file", Text: s.startFolder(), kind: "Meshes", extensions: meshExtensions,
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
	s.fetch("Reloading "+name, a.Source, func() error { return s.runCall("asset.reload", "name", name) })
}

// fetch reads a mesh file in the background, so that the command that does it next
// finds it done.
func (s *Session) fetch(title, file string, then func() error) {
	home, readOnly := s.assetHome(), s.file.readOnly
	if home == "" || readOnly {
		s.Fail(errNoHome)
		return
	}
	revision := s.revision
	s.Start(title, func(ctx context.Context, _ func(float64)) (func() error, error) {
		got, err := transfer.AddAsset(ctx, home, file)
		if err != nil {
			return nil, err
		}
		return func() error {
			if s.revision != revision {
				return fmt.Errorf("%s: another level was opened meanwhile", filepath.Base(file))
			}
			s.fetched = fetched{file: file, got: got}
			defer func() { s.fetched = fetched{} }()
			return then()
		}, nil
	}, nil)
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
		busy := make(chan struct{}, 1)
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			paths := s.sources.Load()
			if paths == nil || len(*paths) == 0 {
				continue
			}
			stamps := stampsOf(*paths)
			if prev := s.stamps.Load(); prev != nil && sameStamps(*prev, stamps) {
				continue
			}
			s.stamps.Store(&stamps)
			select {
			case busy <- struct{}{}:
				s.post(func() { s.sourcesChanged(stamps); <-busy })
			default:
			}
		}
	}()
}

func stampsOf(paths []string) map[string]sourceStamp {
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

// noteSources tells the watch which files to look at.
func (s *Session) noteSources(l *document.Level) {
	var paths []string
	for _, a := range l.Assets {
		if a.Source != "" {
			paths = append(paths, a.Source)
		}
	}
	s.sources.Store(&paths)
}

// sourcesChanged reloads the assets whose sources are other than when they were
// looked at last. What is seen for the first time is only noted.
func (s *Session) sourcesChanged(now map[string]sourceStamp) {
	before := s.sourcesSeen
	s.sourcesSeen = now
	for _, a := range s.Level().Assets {
		old, had := before[a.Source]
		new, has := now[a.Source]
		if had && has && old != new && !s.file.readOnly {
			s.ReloadAsset(a.Name)
		}
	}
}
