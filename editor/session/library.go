package session

import (
	"context"
	"fmt"
	"image"
	"maps"
	"path"
	"slices"
	"strings"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/document/store"
)

// library keeps the models of the level's assets. It implements scene.Library.
type library struct {
	s      *Session
	models map[string]*modelState // by the asset's file, which names its content
	thumbs map[string]*image.NRGBA
	count  int      // of models and thumbnails that arrived
	unused []string // files of models that no asset has, the oldest first

	ctx  context.Context // of the level: ends when another takes its place
	stop context.CancelFunc
	// slots has an entry for each model that is being read.
	slots chan struct{}
}

// modelState is a model, or why there is none yet.
type modelState struct {
	model *scene.Model
	err   error // why there is none
}

// mostUnused is how many models are kept that undo may bring back.
const mostUnused = 8

// mostLoading is how many models are read at once: each takes memory of its own beside
// the model that comes of it.
const mostLoading = 2

// assetHome is the path with which the level's files are found: that of the level,
// or of its autosave when it has none yet; "" for none.
func (s *Session) assetHome() string {
	if s.file.path != "" {
		return s.file.path
	}
	return s.file.untitled
}

// Model implements scene.Library: a model that is not there yet is loaded in the
// background, or, in a session without a loop, when LoadModels is called.
func (b *library) Model(a *document.Asset) *scene.Model {
	k := a.File
	if st, ok := b.models[k]; ok {
		return st.model
	}
	if b.s.late != nil {
		return nil // LoadModels loads it
	}
	st, home, level, slots := b.hold(k), b.s.assetHome(), b.ctx, b.slots
	b.s.start(&Task{Title: "Loading " + a.Name, Began: b.s.now(), hidden: true}, func(ctx context.Context, _ func(float64)) (func() error, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(level, cancel)()
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		m, err := readModel(ctx, home, k)
		return func() error { b.arrived(st, home, k, m, err); return nil }, nil
	}, nil)
	return nil
}

// reset forgets the models of a level in whose place another comes, and what may
// still be on its way.
func (b *library) reset(l *document.Level) {
	if b.stop != nil {
		b.stop()
	}
	b.ctx, b.stop = context.WithCancel(b.s.ctx)
	b.slots = make(chan struct{}, mostLoading)
	b.models, b.unused = nil, nil
	files := filesOf(l)
	maps.DeleteFunc(b.thumbs, func(k string, _ *image.NRGBA) bool { _, ok := files[k]; return !ok })
}

// assetsChanged follows the level's list of assets. What failed is tried again: an
// asset may have been linked to another file. Of models that no asset has any more,
// the last few are kept for undo.
func (b *library) assetsChanged(l *document.Level) {
	files := filesOf(l)
	b.unused = slices.DeleteFunc(b.unused, func(k string) bool { _, ok := files[k]; return ok })
	for k, st := range b.models {
		if st.err != nil {
			delete(b.models, k)
		} else if _, ok := files[k]; !ok && st.model != nil && !slices.Contains(b.unused, k) {
			b.unused = append(b.unused, k)
		}
	}
	for len(b.unused) > mostUnused {
		delete(b.models, b.unused[0])
		delete(b.thumbs, b.unused[0])
		b.unused = b.unused[1:]
	}
}

// filesOf are the files of a level's assets.
func filesOf(l *document.Level) map[string]struct{} {
	files := make(map[string]struct{}, len(l.Assets))
	for i := range l.Assets {
		files[l.Assets[i].File] = struct{}{}
	}
	return files
}

// again tries a file once more that could not be read: it has just been written.
func (b *library) again(file string) {
	if st, ok := b.models[file]; ok && st.err != nil {
		delete(b.models, file)
		b.s.scene.Reload(b.named(file)...)
	}
}

// named are the assets that have a file.
func (b *library) named(file string) []string {
	var names []string
	for i := range b.s.Level().Assets {
		if a := &b.s.Level().Assets[i]; a.File == file {
			names = append(names, a.Name)
		}
	}
	return names
}

func (b *library) hold(k string) *modelState {
	if b.models == nil {
		b.models = map[string]*modelState{}
	}
	st := new(modelState)
	b.models[k] = st
	return st
}

// readModel reads a file of a level and makes a model of it, with its tree.
func readModel(ctx context.Context, home, file string) (*scene.Model, error) {
	data, err := store.ReadAsset(home, file)
	if err != nil {
		return nil, err
	}
	m, err := mesh.LoadBytes(ctx, data, path.Ext(file))
	if err != nil {
		return nil, err
	}
	out := scene.NewModel(m)
	out.Tree()
	return out, nil
}

// readMesh gives the mesh of an asset, and waits for one that is not there yet. It
// implements command.Files.Model.
func (s *Session) readMesh(ctx context.Context, a *document.Asset) (*mesh.Model, error) {
	return s.backgroundModels()(ctx, a)
}

// arrived takes a model up, or the reason why there is none.
func (b *library) arrived(st *modelState, home, k string, m *scene.Model, err error) {
	if b.models[k] != st {
		return // of a level that is gone
	}
	names := b.named(k)
	if err != nil && home != b.s.assetHome() {
		// The level was saved elsewhere meanwhile, and its files went with it.
		delete(b.models, k)
		b.s.scene.Reload(names...)
		return
	}
	st.model, st.err = m, err
	b.count++
	b.s.scene.Reload(names...)
	b.s.View.touch()
	if err != nil && len(names) > 0 {
		b.s.Tell(Notice{Severity: Error, Text: fmt.Sprintf("The asset %s cannot be shown: %s. A box stands for it until it is linked to another file.", strings.Join(names, ", "), err)})
	}
}

// LoadModels loads the models of all assets that are not there, and waits.
func (s *Session) LoadModels(ctx context.Context) {
	s.catchUp()
	b, home := &s.library, s.assetHome()
	for i := range b.s.Level().Assets {
		a := &b.s.Level().Assets[i]
		k := a.File
		st, ok := b.models[k]
		if ok && (st.model != nil || st.err != nil) {
			continue
		}
		m, err := readModel(ctx, home, k)
		b.arrived(b.hold(k), home, k, m, err)
	}
}

// AssetInfo is what is known of an asset.
type AssetInfo struct {
	document.Asset
	Model *scene.Model // nil: on its way, or Err says why not
	Err   error
	Used  int // entities that show it
}

// Asset tells what is known of an asset of the level.
func (s *Session) Asset(name string) (AssetInfo, bool) {
	a, ok := s.Level().Asset(name)
	if !ok {
		return AssetInfo{}, false
	}
	info := AssetInfo{Asset: *a, Used: s.scene.Users(name)}
	info.Model = s.library.Model(a)
	if st, ok := s.library.models[a.File]; ok {
		info.Err = st.err
	}
	return info, true
}

// MissingAssets are the names that objects of the level show and that are no asset
// of it or have no file, ascending.
func (s *Session) MissingAssets() []string {
	var out []string
	for _, name := range s.scene.Assets() {
		if info, ok := s.Asset(name); !ok || info.Err != nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Thumbnail is a small picture of an asset; nil until it was drawn, after which a
// frame is asked for.
func (s *Session) Thumbnail(name string) *image.NRGBA {
	a, ok := s.Level().Asset(name)
	if !ok {
		return nil
	}
	return s.library.thumbs[a.File]
}

// ThumbnailSize is the side of thumbnails, in pixels.
const ThumbnailSize = 192

// WantedThumbnail is a model that has no thumbnail yet, for who can draw one.
func (s *Session) WantedThumbnail() (m *mesh.Model, keep func(*image.NRGBA), ok bool) {
	for i := range s.Level().Assets {
		k := s.Level().Assets[i].File
		st := s.library.models[k]
		if _, has := s.library.thumbs[k]; has || st == nil || st.model == nil {
			continue
		}
		return st.model.Model, func(p *image.NRGBA) {
			if s.library.thumbs == nil {
				s.library.thumbs = map[string]*image.NRGBA{}
			}
			s.library.thumbs[k] = p
			s.library.count++
			s.invalidate()
		}, true
	}
	return nil, nil, false
}

// LibraryCount grows with every model and thumbnail that arrived.
func (s *Session) LibraryCount() int { return s.library.count }
