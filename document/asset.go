package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ridgeline/terrain"
)

// Asset is a mesh that objects of the level show. Its file lies with the level.
type Asset struct {
	Name   string // no two of a level the same
	File   string // "asset:HASH.EXT", a file of the level
	Source string // the file that it was imported from, absolute; "" when it is not known
	Extra  Extra
}

// Validate tells what is wrong with the asset.
func (a *Asset) Validate() error {
	switch {
	case a.Name == "":
		return fmt.Errorf("an asset has no name")
	case !utf8.ValidString(a.Name) || !utf8.ValidString(a.Source):
		return fmt.Errorf("asset %q: the name or source is not valid UTF-8", a.Name)
	case !strings.HasPrefix(a.File, AssetPrefix) || len(a.File) == len(AssetPrefix):
		return fmt.Errorf("asset %q: the file is %q, expected %sHASH.EXT", a.Name, a.File, AssetPrefix)
	}
	return nil
}

func checkAssets(assets []Asset) error {
	seen := make(map[string]struct{}, len(assets))
	for i := range assets {
		if err := assets[i].Validate(); err != nil {
			return err
		}
		if _, ok := seen[assets[i].Name]; ok {
			return fmt.Errorf("two assets are called %q", assets[i].Name)
		}
		seen[assets[i].Name] = struct{}{}
	}
	return nil
}

// ParseAsset reads an asset as EncodeAsset writes it.
func ParseAsset(raw json.RawMessage, place string) (Asset, error) {
	f := ParseFields(raw, place)
	var a Asset
	f.Get("name", &a.Name)
	f.Get("file", &a.File)
	f.Get("source", &a.Source)
	extra, err := f.End()
	if err != nil {
		return Asset{}, err
	}
	a.Extra = extra
	if err := a.Validate(); err != nil {
		return Asset{}, Misplaced(place, err)
	}
	return a, nil
}

// EncodeAsset writes an asset as compact JSON with sorted keys.
func EncodeAsset(a *Asset) ([]byte, error) {
	b := NewBuilder(a.Extra)
	b.Set("name", a.Name)
	b.Set("file", a.File)
	setText(b, "source", a.Source)
	return b.Bytes()
}

// Asset finds an asset by its name.
func (l *Level) Asset(name string) (*Asset, bool) {
	for i := range l.Assets {
		if l.Assets[i].Name == name {
			return &l.Assets[i], true
		}
	}
	return nil, false
}

// SetAssets replaces the list of assets. They are kept in ascending order of
// their names.
func (tx *Tx) SetAssets(assets []Asset) error {
	if tx.done {
		return ErrClosed
	}
	if err := checkAssets(assets); err != nil {
		return err
	}
	tx.level.Assets = normalAssets(assets)
	tx.touched.assets = true
	return nil
}

// normalAssets copies assets into the form that a level holds.
func normalAssets(assets []Asset) []Asset {
	if len(assets) == 0 {
		return nil
	}
	out := slices.Clone(assets)
	slices.SortFunc(out, func(a, b Asset) int { return strings.Compare(a.Name, b.Name) })
	for i := range out {
		if len(out[i].Extra) == 0 {
			out[i].Extra = nil
		}
	}
	return out
}

// SetAsset adds an asset or replaces the one with its name.
func (tx *Tx) SetAsset(a Asset) error {
	list := slices.Clone(tx.level.Assets)
	if i := slices.IndexFunc(list, func(o Asset) bool { return o.Name == a.Name }); i >= 0 {
		list[i] = a
	} else {
		list = append(list, a)
	}
	return tx.SetAssets(list)
}

// EntityLayer is a layer of the outliner: entities name it, and it hides or locks
// them all. Layers that entities name and nobody listed are shown and unlocked.
type EntityLayer struct {
	Name           string
	Hidden, Locked bool
	Extra          Extra
}

// MaxEntityLayers bounds the layers of the outliner.
const MaxEntityLayers = 1000

func checkEntityLayers(list []EntityLayer) error {
	if len(list) > MaxEntityLayers {
		return fmt.Errorf("the outliner has %d layers, expected at most %d", len(list), MaxEntityLayers)
	}
	seen := make(map[string]struct{}, len(list))
	for _, a := range list {
		if a.Name == "" || !utf8.ValidString(a.Name) {
			return fmt.Errorf("a layer of the outliner has no name, or one that is not valid UTF-8")
		}
		if _, ok := seen[a.Name]; ok {
			return fmt.Errorf("two layers of the outliner are called %q", a.Name)
		}
		seen[a.Name] = struct{}{}
	}
	return nil
}

// SetEntityLayers replaces the layers of the outliner.
func (tx *Tx) SetEntityLayers(list []EntityLayer) error {
	list = slices.Clone(list)
	if len(list) == 0 {
		list = nil
	}
	for i := range list {
		if len(list[i].Extra) == 0 {
			list[i].Extra = nil
		}
	}
	return tx.settings(func(s *Settings) { s.EntityLayers = list })
}

func parseEntityLayer(raw json.RawMessage, place string) (EntityLayer, error) {
	f := ParseFields(raw, place)
	var l EntityLayer
	f.Get("name", &l.Name)
	f.Get("hidden", &l.Hidden)
	f.Get("locked", &l.Locked)
	extra, err := f.End()
	l.Extra = extra
	return l, err
}

func encodeEntityLayer(l *EntityLayer) (json.RawMessage, error) {
	b := NewBuilder(l.Extra)
	b.Set("name", l.Name)
	if l.Hidden {
		b.Set("hidden", true)
	}
	if l.Locked {
		b.Set("locked", true)
	}
	return b.Bytes()
}

// Effective tells whether an entity is hidden or locked by itself, its layer, or
// anything above it.
func (l *Level) Effective(e *Entity) (hidden, locked bool) {
	for steps := 0; ; steps++ {
		hidden, locked = hidden || e.Hidden, locked || e.Locked
		if e.Layer != "" {
			for i := range l.Settings.EntityLayers {
				if g := &l.Settings.EntityLayers[i]; g.Name == e.Layer {
					hidden, locked = hidden || g.Hidden, locked || g.Locked
				}
			}
		}
		p, ok := l.entities.get(e.Parent)
		if e.Parent == 0 || !ok || steps > l.entities.len() || hidden && locked {
			return hidden, locked
		}
		e = p
	}
}

// NoTerrain is the ground of a level that is made of meshes alone: the smallest
// field there is, whose one cell is a hole.
func NoTerrain() (*terrain.Field, error) {
	f, err := terrain.Flat(terrain.MinSize, terrain.MinSize, 1)
	if err != nil {
		return nil, err
	}
	d := f.Draft()
	d.Flags(0, 0)[0] |= terrain.Hole
	f, _ = d.Field()
	return f, nil
}

// HasTerrain reports whether the level has ground: it is not what NoTerrain gives.
func (l *Level) HasTerrain() bool {
	cols, rows := l.Terrain.Size()
	return cols > terrain.MinSize || rows > terrain.MinSize || !l.Terrain.IsHole(0, 0)
}
