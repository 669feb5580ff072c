package session

import (
	"context"
	"fmt"
	"image"
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
	count  int // of models and thumbnails that arrived
}

// modelState is a model, or why there is none yet.
type modelState struct {
	model *scene.Model
	err   error // why there is none
}

// assetHome is the path with which the level's files are found: that of the level,
// or of its autosave when it has none yet; "" for none.
func (s *Session) assetHome() string {
	if s.file.path != "" {
		return s.file.path
	}
	return s.file.untitled
}

// Model implements scene.Library: a model that is not there yet is loaded in the
// background.
func (b *library) Model(a *document.Asset) *scene.Model {
	k := a.File
	if st, ok := b.models[k]; ok {
		return st.model
	}
	st, home := b.hold(k), b.s.assetHome()
	b.s.start(&Task{Title: "Loading " + a.Name, Began: b.s.now(), hidden: true}, func(ctx context.Context, _ func(float64)) (func() error, error) {
		m, err := readModel(ctx, home, k)
		return func() error { return b.arrived(st, k, m, err) }, nil
	}, nil)
	return nil
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

// arrived takes a model up, or the reason why there is none.
func (b *library) arrived(st *modelState, k string, m *scene.Model, err error) error {
	st.model, st.err = m, err
	b.count++
	var names []string
	for i := range b.s.Level().Assets {
		if a := &b.s.Level().Assets[i]; a.File == k {
			names = append(names, a.Name)
		}
	}
	b.s.scene.Reload(names...)
	b.s.View.touch()
	if err != nil && len(names) > 0 {
		return fmt.Errorf("the asset %s cannot be shown: %w; a box stands for it until it is linked to another file", strings.Join(names, ", "), err)
	}
	return nil
}

// LoadModels loads the models of all assets that are not there, and waits.
func (s *Session) LoadModels(ctx context.Context) {
	b, home := &s.library, s.assetHome()
	for i := range b.s.Level().Assets {
		a := &b.s.Level().Assets[i]
		k := a.File
		st, ok := b.models[k]
		if ok && (st.model != nil || st.err != nil) {
			continue
		}
		m, err := readModel(ctx, home, k)
		b.s.Fail(b.arrived(b.hold(k), k, m, err))
	}
}

// retry forgets what failed, so that it is tried again: the level has moved, or an
// asset was linked to another file.
func (b *library) retry() {
	for k, st := range b.models {
		if st.err != nil {
			delete(b.models, k)
		}
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
