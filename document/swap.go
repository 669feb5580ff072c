package document

import (
	"reflect"

	"ridgeline/terrain"
)

// swaps is an edit, done or undone: for each key the value that the level does
// not have at the moment. Applying it exchanges the two.
type swaps struct {
	whole    *terrain.Field // the whole terrain, when its frame changes; tiles is empty then
	tiles    []tileSwap
	entities []entitySwap
	layers   []Layer  // nil: not part of the edit
	assets   *[]Asset // nil: not part of the edit
	settings *Settings
	nextID   ID // 0: not part of the edit
}

type tileSwap struct {
	x, y   int
	planes terrain.Planes
	tile   terrain.Tile // only the planes named are meant
}

type entitySwap struct {
	id     ID
	entity *Entity // nil: it does not exist
}

// Change says what differs between the level that listeners saw last and the one
// that they are given.
type Change struct {
	Tiles        []terrain.TileChange // in no order; empty with WholeTerrain
	WholeTerrain bool                 // its size, spacing or origin changed
	Entities     []ID                 // added, changed or deleted; each once
	Layers       bool
	Assets       bool
	Settings     bool
	// Committed is false while a drag is open: the level is one that undo will not
	// come back to.
	Committed bool
}

// Empty reports whether nothing changed but, perhaps, Committed.
func (c *Change) Empty() bool {
	return len(c.Tiles) == 0 && !c.WholeTerrain && len(c.Entities) == 0 && !c.Layers && !c.Assets && !c.Settings
}

// touched names what an edit may have changed, so that only this is compared.
type touched struct {
	entities                 map[ID]struct{}
	layers, assets, settings bool
}

func (t *touched) add(o *touched) {
	for id := range o.entities {
		t.entity(id)
	}
	t.layers = t.layers || o.layers
	t.assets = t.assets || o.assets
	t.settings = t.settings || o.settings
}

func (t *touched) entity(id ID) {
	if t.entities == nil {
		t.entities = make(map[ID]struct{})
	}
	t.entities[id] = struct{}{}
}

// diff gives the swaps that lead from the level after back to the level before.
func diff(before, after *Level, t *touched) *swaps {
	s := &swaps{}
	if before.Terrain != after.Terrain {
		changes, same := terrain.AppendChanges(nil, before.Terrain, after.Terrain)
		if !same {
			s.whole = before.Terrain
		}
		for _, c := range changes {
			s.tiles = append(s.tiles, tileSwap{c.X, c.Y, c.Planes, only(before.Terrain.Tile(c.X, c.Y), c.Planes)})
		}
	}
	for id := range t.entities {
		b, _ := before.entities.get(id)
		a, _ := after.entities.get(id)
		if a != b {
			s.entities = append(s.entities, entitySwap{id, b})
		}
	}
	if t.layers && !reflect.DeepEqual(before.Layers, after.Layers) {
		s.layers = before.Layers
	}
	if t.assets && !reflect.DeepEqual(before.Assets, after.Assets) {
		s.assets = &before.Assets
	}
	if t.settings && !reflect.DeepEqual(before.Settings, after.Settings) {
		s.settings = &before.Settings
	}
	if before.NextID != after.NextID {
		s.nextID = before.NextID
	}
	return s
}

// only drops the planes that are not named, so that they are not kept alive.
func only(t terrain.Tile, p terrain.Planes) terrain.Tile {
	if p&terrain.PlaneHeights == 0 {
		t.Heights = nil
	}
	if p&terrain.PlaneSplats == 0 {
		t.Splats = nil
	}
	if p&terrain.PlaneLight == 0 {
		t.Light = nil
	}
	if p&terrain.PlaneFlags == 0 {
		t.Flags = nil
	}
	return t
}

// empty reports whether s changes nothing but, perhaps, the next id.
func (s *swaps) empty() bool {
	return s.whole == nil && len(s.tiles) == 0 && len(s.entities) == 0 && s.layers == nil && s.assets == nil && s.settings == nil
}

// apply exchanges the values of s with those of l: it gives the changed level and
// the swaps that lead back.
func (s *swaps) apply(l *Level) (*Level, *swaps) {
	out, back := *l, &swaps{}
	if s.whole != nil {
		back.whole, out.Terrain = l.Terrain, s.whole
	}
	if len(s.tiles) > 0 {
		d := l.Terrain.Draft()
		back.tiles = make([]tileSwap, len(s.tiles))
		for i, t := range s.tiles {
			back.tiles[i] = tileSwap{t.x, t.y, t.planes, only(l.Terrain.Tile(t.x, t.y), t.planes)}
			d.Put(t.x, t.y, t.tile, t.planes)
		}
		out.Terrain, _ = d.Field()
	}
	for _, e := range s.entities {
		was, _ := out.entities.get(e.id)
		back.entities = append(back.entities, entitySwap{e.id, was})
		if e.entity == nil {
			out.drop(e.id)
		} else {
			out.put(e.entity)
		}
	}
	out.NextID = l.NextID
	if s.layers != nil {
		back.layers, out.Layers = l.Layers, s.layers
	}
	if s.assets != nil {
		held := l.Assets
		back.assets, out.Assets = &held, *s.assets
	}
	if s.settings != nil {
		held := l.Settings
		back.settings, out.Settings = &held, *s.settings
	}
	if s.nextID != 0 {
		back.nextID, out.NextID = l.NextID, s.nextID
	}
	return &out, back
}

// join adds to s, which leads back from some level, the swaps of earlier, which
// leads on from where s arrives, so that s leads to where both would. It reports
// whether it could: two terrains of different frames are not joined.
func (s *swaps) join(earlier *swaps) bool {
	if s.whole != nil || earlier.whole != nil {
		return false
	}
	s.tiles = joined(s.tiles, earlier.tiles, func(t tileSwap) [2]int { return [2]int{t.x, t.y} },
		func(late, early tileSwap) tileSwap { return early.over(late) })
	s.entities = joined(s.entities, earlier.entities, func(e entitySwap) ID { return e.id },
		func(_, early entitySwap) entitySwap { return early })
	if earlier.layers != nil {
		s.layers = earlier.layers
	}
	if earlier.assets != nil {
		s.assets = earlier.assets
	}
	if earlier.settings != nil {
		s.settings = earlier.settings
	}
	if earlier.nextID != 0 {
		s.nextID = earlier.nextID
	}
	return true
}

// joined is late and early together; of a key in both, both(late, early).
func joined[S any, K comparable](late, early []S, key func(S) K, both func(late, early S) S) []S {
	at := make(map[K]int, len(late))
	for i, s := range late {
		at[key(s)] = i
	}
	for _, e := range early {
		if i, ok := at[key(e)]; ok {
			late[i] = both(late[i], e)
		} else {
			late = append(late, e)
		}
	}
	return late
}

// over lays the planes of t over those of o.
func (t tileSwap) over(o tileSwap) tileSwap {
	if t.planes&terrain.PlaneHeights != 0 {
		o.tile.Heights = t.tile.Heights
	}
	if t.planes&terrain.PlaneSplats != 0 {
		o.tile.Splats = t.tile.Splats
	}
	if t.planes&terrain.PlaneLight != 0 {
		o.tile.Light = t.tile.Light
	}
	if t.planes&terrain.PlaneFlags != 0 {
		o.tile.Flags = t.tile.Flags
	}
	o.planes |= t.planes
	return o
}

// touches names what applying s changes.
func (s *swaps) touches() *touched {
	t := &touched{layers: s.layers != nil, assets: s.assets != nil, settings: s.settings != nil}
	for _, e := range s.entities {
		t.entity(e.id)
	}
	return t
}

// change tells listeners about s.
func (s *swaps) change() Change {
	c := Change{WholeTerrain: s.whole != nil, Layers: s.layers != nil, Assets: s.assets != nil, Settings: s.settings != nil}
	for _, t := range s.tiles {
		c.Tiles = append(c.Tiles, terrain.TileChange{X: t.x, Y: t.y, Planes: t.planes})
	}
	for _, e := range s.entities {
		c.Entities = append(c.Entities, e.id)
	}
	return c
}

// The memory of a plane, in bytes.
const (
	samples      = terrain.TileSize * terrain.TileSize
	heightsBytes = samples * 4
	splatsBytes  = samples * 5
	lightBytes   = samples * 3
	flagsBytes   = samples
)

// planeBytes is the memory of planes of t that are not shared by untouched tiles.
func planeBytes(t terrain.Tile, p terrain.Planes) (n int64) {
	p &^= t.Blank()
	for _, s := range [4]struct {
		plane terrain.Planes
		bytes int64
	}{
		{terrain.PlaneHeights, heightsBytes}, {terrain.PlaneSplats, splatsBytes},
		{terrain.PlaneLight, lightBytes}, {terrain.PlaneFlags, flagsBytes},
	} {
		if p&s.plane != 0 {
			n += s.bytes
		}
	}
	return n
}

// bytes is the memory that holding s costs beside the level that it applies to.
func (s *swaps) bytes(l *Level) int64 {
	n := int64(256)
	for _, t := range s.tiles {
		n += 64 + planeBytes(t.tile, t.planes)
	}
	if s.whole != nil {
		n += wholeBytes(s.whole, l.Terrain)
	}
	for _, e := range s.entities {
		n += 32
		if e.entity != nil {
			n += e.entity.bytes()
		}
	}
	n += int64(len(s.layers)) * 256
	if s.assets != nil {
		n += 24
		for _, a := range *s.assets {
			n += int64(96 + len(a.Name) + len(a.File) + len(a.Source))
		}
	}
	if s.settings != nil {
		n += int64(64 * len(s.settings.EntityLayers))
		n += 512 + 128*int64(len(s.settings.Bookmarks)+len(s.settings.Geo))
	}
	return n
}

// wholeBytes is the memory of the planes of f that g does not hold as well.
func wholeBytes(f, g *terrain.Field) (n int64) {
	const tileOverhead = 700 // its slot and its chunk
	has := make(map[any]struct{})
	w, h := g.TileGrid()
	for y := range h {
		for x := range w {
			t := g.Tile(x, y)
			for _, p := range [4]any{t.Heights, t.Splats, t.Light, t.Flags} {
				has[p] = struct{}{}
			}
		}
	}
	w, h = f.TileGrid()
	for y := range h {
		for x := range w {
			t := f.Tile(x, y)
			n += tileOverhead
			for i, p := range [4]any{t.Heights, t.Splats, t.Light, t.Flags} {
				if _, ok := has[p]; !ok {
					n += planeBytes(t, terrain.PlaneHeights<<i)
				}
			}
		}
	}
	return n
}

func (e *Entity) bytes() int64 {
	n := int64(320 + len(e.Name) + len(e.Layer))
	for k, v := range e.Properties {
		n += int64(64 + len(k) + len(v))
	}
	for k, v := range e.Extra {
		n += int64(64 + len(k) + len(v))
	}
	switch d := e.Data.(type) {
	case RawData:
		n += int64(len(d.JSON))
	case Marker:
		n += int64(24 * len(d.Points))
	case Object:
		n += int64(64 + len(d.Asset))
	case Scatter:
		n += int64(72*len(d.Points) + len(d.Rules))
	}
	return n
}
