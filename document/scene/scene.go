package scene

import (
	"image"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
	"ridgeline/terrain"
)

// Scene is a level's things in the world. Make it with New and tell it of every
// change with Update.
type Scene struct {
	library Library
	level   *document.Level
	nodes   document.NodeTree // what tree was built with
	tree    *nodetree.Tree

	cols, rows int // chunks of the terrain
	items      []Item
	free       []int32 // slots that hold nothing
	byID       map[document.ID][]int32
	assets     map[string]*document.Asset          // of the level, by name
	byAsset    map[string]map[document.ID]struct{} // which entities show it
	showing    map[document.ID][]string            // what an entity shows: byAsset the other way round
	sown       map[document.ID]sown                // scatters as they stand
	marks      marks
	solid      solid
	visibility Visibility
	count      Counts
	hits       []int32
	moved      []int32 // slots whose place in the tree is to be settled
	entries    []int32 // and what settle tells the tree
	boxes      []geom.Box
	version    int
	bounds     geom.Box
	boundsOf   int // the version that bounds is of
}

// Counts tell what a scene holds.
type Counts struct {
	Objects int // items that are objects, hidden ones included
	Points  int // items that are points of scatters
	Missing int // items whose model is missing or on its way
	Chunks  int
}

// New is an empty scene. Update fills it.
func New(lib Library) *Scene { return &Scene{library: lib} }

// Level is the level that the scene was told of last.
func (s *Scene) Level() *document.Level { return s.level }

// Version grows whenever an item or the tree changed.
func (s *Scene) Version() int { return s.version }

// Counts tells what the scene holds.
func (s *Scene) Counts() Counts { return s.count }

// Tree is the tree of chunks and items. Entries below Chunks().Counts are chunks.
func (s *Scene) Tree() *nodetree.Tree { return s.tree }

// ChunkGrid is the number of terrain chunks along X and Z.
func (s *Scene) ChunkGrid() (cols, rows int) { return s.cols, s.rows }

// Items are the slots; one whose ID is 0 is empty. They must not be changed.
func (s *Scene) Items() []Item { return s.items }

// Of gives the slots of an entity's items.
func (s *Scene) Of(id document.ID) []int32 { return s.byID[id] }

// Entry tells what an entry of the tree is: a chunk of the terrain, or an item.
func (s *Scene) Entry(entry int32) (chunk image.Point, item int32, isChunk bool) {
	if n := int32(s.cols * s.rows); entry >= n {
		return image.Point{}, entry - n, false
	}
	return image.Pt(int(entry)%s.cols, int(entry)/s.cols), 0, true
}

// Update takes a level. change is what differs from the level before; nil means
// that everything may.
func (s *Scene) Update(l *document.Level, change *document.Change) {
	if s.level == l && change == nil {
		return
	}
	cols, rows := l.Terrain.ChunkGrid()
	all := change == nil || s.level == nil || cols != s.cols || rows != s.rows || change.WholeTerrain ||
		change.Settings && (l.Settings.Nodes != s.nodes || !slices.EqualFunc(l.Settings.EntityLayers, s.level.Settings.EntityLayers, sameLayer))
	before := s.level
	s.level = l
	if all {
		s.rebuild()
		return
	}
	s.version++
	s.moveChunks(change.Tiles)
	if change.Assets {
		s.listAssets()
		s.assetsChanged(before)
	}
	if len(change.Entities) > 0 {
		s.entitiesChanged(change.Entities)
	}
	s.settle()
}

// settle tells the tree of all items that have come, gone and moved, at once: one by
// one it would look at all neighbours of each.
func (s *Scene) settle() {
	s.entries, s.boxes = s.entries[:0], s.boxes[:0]
	for s.tree.Len() < s.cols*s.rows+len(s.items) {
		s.tree.Add(geom.EmptyBox())
	}
	for _, slot := range s.moved {
		s.entries = append(s.entries, int32(s.cols*s.rows)+slot)
		s.boxes = append(s.boxes, s.shownBox(slot))
		s.visibility.touch(int32(s.cols*s.rows) + slot)
		s.visibility.followItem(&s.items[slot])
	}
	s.moved = s.moved[:0]
	s.tree.MoveAll(s.entries, s.boxes)
}

func sameLayer(a, b document.EntityLayer) bool {
	return a.Name == b.Name && a.Hidden == b.Hidden && a.Locked == b.Locked
}

// Reload takes up models that have arrived or changed since.
func (s *Scene) Reload(assets ...string) {
	if s.level == nil {
		return
	}
	ids := map[document.ID]struct{}{}
	for _, a := range assets {
		for id := range s.byAsset[a] {
			ids[id] = struct{}{}
		}
	}
	if len(ids) == 0 {
		return
	}
	s.version++
	for id := range ids {
		if e, ok := s.level.Entity(id); ok {
			s.drop(id)
			s.place(e)
		}
	}
	s.settle()
}

// listAssets notes the level's assets by their names.
func (s *Scene) listAssets() {
	s.assets = make(map[string]*document.Asset, len(s.level.Assets))
	for i := range s.level.Assets {
		s.assets[s.level.Assets[i].Name] = &s.level.Assets[i]
	}
}

// assetsChanged takes up the entities of assets that differ.
func (s *Scene) assetsChanged(before *document.Level) {
	var names []string
	old := make(map[string]*document.Asset, len(before.Assets))
	for i := range before.Assets {
		a := &before.Assets[i]
		old[a.Name] = a
		if _, ok := s.assets[a.Name]; !ok {
			names = append(names, a.Name)
		}
	}
	for name, a := range s.assets {
		if b, ok := old[name]; !ok || b.File != a.File {
			names = append(names, name)
		}
	}
	s.Reload(names...)
}

// rebuild makes everything anew.
func (s *Scene) rebuild() {
	l := s.level
	s.version++
	s.nodes = l.Settings.Nodes
	s.cols, s.rows = l.Terrain.ChunkGrid()
	clear(s.items)
	s.items, s.free = s.items[:0], s.free[:0]
	s.sown = map[document.ID]sown{}
	s.byID, s.byAsset = map[document.ID][]int32{}, map[string]map[document.ID]struct{}{}
	s.count = Counts{Chunks: s.cols * s.rows}
	s.showing = map[document.ID][]string{}
	s.marks.reset()
	s.listAssets()
	for e := range l.Entities() {
		s.place(e)
	}
	boxes := make([]geom.Box, s.cols*s.rows+len(s.items))
	for i := range s.cols * s.rows {
		boxes[i] = chunkBox(l.Terrain, i%s.cols, i/s.cols)
	}
	for i := range s.items {
		boxes[s.cols*s.rows+i] = s.shownBox(int32(i))
	}
	s.tree = nodetree.Build(boxes, TreeOptions(l))
	s.visibility.restart(s.cols * s.rows)
	s.moved = s.moved[:0]
}

// TreeOptions is how the level's tree is built.
func TreeOptions(l *document.Level) nodetree.Options {
	n := l.Settings.Nodes
	o := nodetree.Options{MinSize: n.Size, MaxItems: n.Items, Split: nodetree.Quad}
	if n.Split == document.SplitOct || n.Split == document.SplitAuto && !l.HasTerrain() {
		o.Split = nodetree.Oct
	}
	return o
}

// chunkBox is the box of a chunk; a chunk of holes alone is in no node.
func chunkBox(f *terrain.Field, cx, cy int) geom.Box {
	if f.Chunk(cx, cy).Holes {
		r := f.ChunkRect(cx, cy)
		open := true
		for row := r.Min.Y; row < r.Max.Y && open; row++ {
			for col := r.Min.X; col < r.Max.X && open; col++ {
				open = f.IsHole(col, row)
			}
		}
		if open {
			return geom.EmptyBox()
		}
	}
	return f.ChunkBox(cx, cy)
}

// moveChunks follows the terrain's tiles: a chunk reads the samples of up to four.
func (s *Scene) moveChunks(tiles []terrain.TileChange) {
	for _, t := range tiles {
		if t.Planes&(terrain.PlaneHeights|terrain.PlaneFlags) == 0 {
			continue
		}
		for cy := max(0, t.Y-1); cy <= min(t.Y, s.rows-1); cy++ {
			for cx := max(0, t.X-1); cx <= min(t.X, s.cols-1); cx++ {
				s.tree.Move(cy*s.cols+cx, chunkBox(s.level.Terrain, cx, cy))
				s.visibility.touchChunk(int32(cy*s.cols + cx))
			}
		}
	}
}

// entitiesChanged follows entities, and with them what stands below them.
func (s *Scene) entitiesChanged(ids []document.ID) {
	todo := slices.Clone(ids)
	seen := make(map[document.ID]struct{}, len(ids))
	// A level of which most changed is sorted anew.
	if len(ids) > 64 && 4*len(ids) > s.level.Len() {
		s.rebuild()
		return
	}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, ok := seen[id]; ok {
			continue
		}
		seen[id] = struct{}{}
		s.follow(id)
		for c := range s.level.Children(id) {
			todo = append(todo, c.ID)
		}
	}
}

// follow takes up one entity as it is now.
func (s *Scene) follow(id document.ID) {
	e, ok := s.level.Entity(id)
	s.visibility.follow(id, e)
	if ok && (s.inPlace(e) || s.grown(e)) {
		return
	}
	s.drop(id)
	if ok {
		s.place(e)
	}
}

// inPlace updates an entity whose items stay the same ones, as in drags.
func (s *Scene) inPlace(e *document.Entity) bool {
	slots := s.byID[e.ID]
	o, isObject := document.ObjectOf(e)
	if !isObject || o.Asset == "" || len(slots) != 1 {
		return false
	}
	it := &s.items[slots[0]]
	model, missing := s.model(o.Asset)
	if it.Point >= 0 || it.Model != model || it.Missing != missing {
		return false
	}
	if _, ok := s.byAsset[o.Asset][e.ID]; !ok {
		return false
	}
	it.Hidden, it.Locked = s.level.Effective(e)
	it.World, _ = s.level.World(e.ID)
	it.settle(&o)
	s.moved = append(s.moved, slots[0])
	return true
}

// place makes the items of an entity.
func (s *Scene) place(e *document.Entity) {
	switch e.Kind {
	case document.KindObject:
		o, ok := document.ObjectOf(e)
		if !ok || o.Asset == "" {
			return
		}
		it := Item{ID: e.ID, Point: -1}
		it.Hidden, it.Locked = s.level.Effective(e)
		it.World, _ = s.level.World(e.ID)
		it.Model, it.Missing = s.model(o.Asset)
		it.settle(&o)
		s.shows(o.Asset, e.ID)
		s.add(it)
	case document.KindScatter:
		sc, ok := e.Data.(document.Scatter)
		if !ok {
			return
		}
		world, _ := s.level.World(e.ID)
		hidden, locked := s.level.Effective(e)
		models, missing := make([]*Model, len(sc.Assets)), make([]bool, len(sc.Assets))
		for i, a := range sc.Assets {
			models[i], missing[i] = s.model(a)
			s.shows(a, e.ID)
		}
		now := sown{sc, world, hidden, locked, models, missing}
		s.sow(e.ID, &now, 0)
		s.sown[e.ID] = now
	case document.KindMarker:
		s.marks.put(s.level, e)
	}
}

// sown is a scatter as its items were made.
type sown struct {
	data           document.Scatter
	world          mgl64.Mat4
	hidden, locked bool
	models         []*Model
	missing        []bool
}

// sow makes the items of a scatter's points from the given one on.
func (s *Scene) sow(id document.ID, n *sown, from int) {
	for i := from; i < len(n.data.Points); i++ {
		p := &n.data.Points[i]
		it := Item{ID: id, Point: i, Hidden: n.hidden, Locked: n.locked, Model: n.models[p.Asset], Missing: n.missing[p.Asset],
			World: n.world.Mul4(p.Local()), Billboard: n.data.Billboard}
		it.settle(nil)
		s.add(it)
	}
}

// grown takes up a scatter that has only got more points, as under a brush.
func (s *Scene) grown(e *document.Entity) bool {
	before, ok := s.sown[e.ID]
	now, is := e.Data.(document.Scatter)
	if !ok || !is || e.Kind != document.KindScatter {
		return false
	}
	world, _ := s.level.World(e.ID)
	hidden, locked := s.level.Effective(e)
	n := len(before.data.Points)
	if world != before.world || hidden != before.hidden || locked != before.locked || now.Billboard != before.data.Billboard ||
		!slices.Equal(now.Assets, before.data.Assets) || len(now.Points) < n || !slices.Equal(now.Points[:n], before.data.Points) {
		return false
	}
	for i, a := range now.Assets {
		if m, missing := s.model(a); m != before.models[i] || missing != before.missing[i] {
			return false
		}
	}
	before.data = now
	s.sow(e.ID, &before, n)
	s.sown[e.ID] = before
	return true
}

func (s *Scene) model(asset string) (m *Model, missing bool) {
	if a, ok := s.assets[asset]; ok && s.library != nil {
		if m := s.library.Model(a); m != nil {
			return m, false
		}
	}
	return Placeholder(), true
}

func (s *Scene) shows(asset string, id document.ID) {
	set := s.byAsset[asset]
	if set == nil {
		set = map[document.ID]struct{}{}
		s.byAsset[asset] = set
	}
	if _, ok := set[id]; !ok {
		set[id] = struct{}{}
		s.showing[id] = append(s.showing[id], asset)
	}
}

// shownBox is the box with which an item stands in the tree.
func (s *Scene) shownBox(slot int32) geom.Box {
	if it := &s.items[slot]; it.ID != 0 && !it.Hidden {
		return it.Box
	}
	return geom.EmptyBox()
}

func (s *Scene) add(it Item) {
	s.tell(&it, 1)
	var slot int32
	if n := len(s.free); n > 0 {
		slot = s.free[n-1]
		s.free = s.free[:n-1]
		s.items[slot] = it
	} else {
		slot = int32(len(s.items))
		s.items = append(s.items, it)
	}
	s.moved = append(s.moved, slot)
	s.byID[it.ID] = append(s.byID[it.ID], slot)
}

func (s *Scene) tell(it *Item, by int) {
	if it.Point < 0 {
		s.count.Objects += by
	} else {
		s.count.Points += by
	}
	if it.Missing {
		s.count.Missing += by
	}
}

// drop removes the items of an entity.
func (s *Scene) drop(id document.ID) {
	s.visibility.follow(id, nil)
	for _, slot := range s.byID[id] {
		s.tell(&s.items[slot], -1)
		s.items[slot] = Item{}
		s.free = append(s.free, slot)
	}
	s.moved = append(s.moved, s.byID[id]...)
	delete(s.byID, id)
	delete(s.sown, id)
	for _, a := range s.showing[id] {
		if delete(s.byAsset[a], id); len(s.byAsset[a]) == 0 {
			delete(s.byAsset, a)
		}
	}
	delete(s.showing, id)
	s.marks.drop(id)
}

// Bounds is the box of all that is shown, terrain included; empty in an empty
// level.
func (s *Scene) Bounds() geom.Box {
	if s.boundsOf == s.version && s.version > 0 {
		return s.bounds
	}
	b := geom.EmptyBox()
	if s.level == nil {
		return b
	}
	if s.level.HasTerrain() {
		_, b = s.level.Terrain.PyramidNode(s.level.Terrain.PyramidLevels()-1, 0, 0)
	}
	for i := range s.items {
		b = b.Union(s.shownBox(int32(i)))
	}
	for _, at := range s.marks.byID {
		if !at.mark.Hidden {
			b = b.Union(at.mark.Box)
		}
	}
	s.bounds, s.boundsOf = b, s.version
	return b
}

// BoundsOf is the box of an entity and all that stands below it, whether it is
// shown or not. Things without a size count as points, and those out of
// document.Reach not at all.
func (s *Scene) BoundsOf(ids ...document.ID) geom.Box {
	b := geom.EmptyBox()
	add := func(p mgl64.Vec3) {
		if document.InReach(p[:]...) {
			b = b.Add(p)
		}
	}
	todo := slices.Clone(ids)
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e, ok := s.level.Entity(id)
		if !ok {
			continue
		}
		for _, slot := range s.byID[id] {
			b = b.Union(s.items[slot].Box)
		}
		world, _ := s.level.World(id)
		switch d := e.Data.(type) {
		case document.Marker:
			for _, p := range d.Points {
				add(mgl64.TransformCoordinate(p, world))
			}
		case document.Occluder, document.Cell, document.Portal:
			for p := range corners(d) {
				add(mgl64.TransformCoordinate(p, world))
			}
		default:
			if len(s.byID[id]) == 0 && !document.IsGroup(e) && e.Kind != document.KindScatter {
				add(world.Col(3).Vec3())
			}
		}
		for c := range s.level.Children(id) {
			todo = append(todo, c.ID)
		}
	}
	if b.IsEmpty() && len(ids) > 0 { // a group of nothing
		for _, id := range ids {
			if world, ok := s.level.World(id); ok {
				add(world.Col(3).Vec3())
			}
		}
	}
	return b
}

// Users is the number of entities that show an asset.
func (s *Scene) Users(asset string) int { return len(s.byAsset[asset]) }

// Assets are the names of the assets that entities show, in no order.
func (s *Scene) Assets() []string {
	out := make([]string, 0, len(s.byAsset))
	for a := range s.byAsset {
		out = append(out, a)
	}
	return out
}
