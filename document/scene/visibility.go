package scene

import (
	"iter"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
	"ridgeline/terrain/relief"
)

// Occluder is an occluder in the world: an entity, or a hull that came with an
// object's model.
type Occluder struct {
	ID    document.ID // of the entity; of the object for a hull of its model
	Owner document.ID // the object that it belongs to; 0 if it stands by itself
	cull.Shape
	Box            geom.Box
	Hidden, Locked bool
	Off            bool // it hides nothing: the user said so, or it is hidden
	// Doors are the open portals that cross it: it hides nothing as long as there are
	// any.
	Doors []document.ID
	// Fault says why its points make neither a hull nor a polygon; nil if they do.
	Fault error
}

// Hides reports whether the occluder takes part in culling.
func (o *Occluder) Hides() bool { return !o.Off && o.Fault == nil && len(o.Doors) == 0 }

// Cell is a room in the world.
type Cell struct {
	ID             document.ID
	Pieces         []*hull.Hull // those of its pieces that are hulls
	Box            geom.Box
	Hidden, Locked bool
	Fault          error // the first piece that is no hull; nil if all are
}

// Portal is an opening in the world. Its cells are indices of Visibility.Cells,
// or portal.Outside.
type Portal struct {
	ID document.ID
	portal.Portal
	Box            geom.Box
	Reach          float64
	Hidden, Locked bool
}

// Visibility is what hides things in a level, ready for culling. Occluders and
// portals have the same indices as in the Scene that it holds.
type Visibility struct {
	Occluders []Occluder
	Cells     []Cell
	Portals   []Portal
	Scene     cull.Scene
	// TooMany says why portals remove nothing: there are more cells or portals than can
	// be told apart. nil if there are not.
	TooMany error

	occluderOf, cellOf, portalOf map[document.ID]int
	made                         map[document.ID]*madeShape
	links                        links

	stale   bool                     // all occluders, cells and portals may differ
	changed map[document.ID]struct{} // those that do if not
	moved   []int32                  // entries whose boxes differ
	all     bool                     // all entries
	relief  relief.Relief
}

// madeShape is what an entity was made into.
type madeShape struct {
	from  *document.Entity
	model *Model // of an object
	world mgl64.Mat4
	hulls []*hull.Hull
	fault error
	seen  bool
}

// restart notes that everything differs.
func (v *Visibility) restart(chunks int) {
	v.stale, v.all, v.moved = true, true, v.moved[:0]
	v.relief.Restart(chunks)
}

// touch notes that the box of an entry differs.
func (v *Visibility) touch(entry int32) {
	if !v.all {
		v.moved = append(v.moved, entry)
	}
}

// touchChunk notes that the ground of a chunk differs.
func (v *Visibility) touchChunk(entry int32) {
	v.touch(entry)
	v.relief.Touch(entry)
}

// follow notes that an entity differs; nil if it is gone.
func (v *Visibility) follow(id document.ID, e *document.Entity) {
	_, occluder := v.occluderOf[id]
	_, cell := v.cellOf[id]
	_, opening := v.portalOf[id]
	if occluder || cell || opening ||
		e != nil && (e.Kind == document.KindOccluder || e.Kind == document.KindCell || e.Kind == document.KindPortal) {
		v.change(id)
	}
}

// followItem notes that the item of an object differs.
func (v *Visibility) followItem(it *Item) {
	if it.ID != 0 && it.Point < 0 && len(it.Model.Model.Occluders) > 0 {
		v.change(it.ID)
	}
}

func (v *Visibility) change(id document.ID) {
	if v.stale {
		return
	}
	if v.changed == nil {
		v.changed = map[document.ID]struct{}{}
	}
	v.changed[id] = struct{}{}
}

// corners are the points of an entity that takes part in visibility.
func corners(d document.Data) iter.Seq[mgl64.Vec3] {
	return func(yield func(mgl64.Vec3) bool) {
		var lists [][]mgl64.Vec3
		switch d := d.(type) {
		case document.Occluder:
			lists = [][]mgl64.Vec3{d.Points}
		case document.Cell:
			lists = d.Pieces
		case document.Portal:
			lists = [][]mgl64.Vec3{d.Points}
		}
		for _, list := range lists {
			for _, p := range list {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Occluder finds an occluder by its entity, and by an object the first of those that
// came with its model.
func (v *Visibility) Occluder(id document.ID) (index int, ok bool) {
	index, ok = v.occluderOf[id]
	return
}

// Cell finds a cell by its entity.
func (v *Visibility) Cell(id document.ID) (index int, ok bool) {
	index, ok = v.cellOf[id]
	return
}

// Portal finds a portal by its entity.
func (v *Visibility) Portal(id document.ID) (index int, ok bool) {
	index, ok = v.portalOf[id]
	return
}

// Visibility is what hides things in the level. It is brought up to date with the
// scene when asked for, and valid until the scene's next Update. What takes long to
// know of new ground is found out by and by, see Complete.
func (s *Scene) Visibility() *Visibility {
	v := &s.visibility
	v.Scene.Tree = s.tree
	v.Scene.Horizon, v.Scene.Openings = nil, nil
	if s.level.HasTerrain() {
		v.Scene.Horizon = v.relief.Horizon(s.level.Terrain)
		v.Scene.Openings = v.relief.Openings()
	}
	if v.stale || len(v.changed) > 0 && !s.patch(v) {
		s.gather(v)
	}
	v.stale = false
	clear(v.changed)
	s.sortIntoCells(v)
	v.relief.Measure(s.level.Terrain, relief.ChunksAtOnce)
	v.Scene.Slopes = v.relief.Slopes()
	if v.Scene.Above == nil { // once, as it takes memory
		v.Scene.Above = v.relief.Above
	}
	return v
}

// Complete finds out all that Visibility would by and by.
func (s *Scene) Complete() *Visibility {
	v := s.Visibility()
	v.relief.Measure(s.level.Terrain, len(v.relief.Slopes()))
	return v
}

// hulls gives the hulls of an entity's lists of points.
func (s *Scene) hulls(v *Visibility, e *document.Entity, lists [][]mgl64.Vec3) *madeShape {
	world, _ := s.level.World(e.ID)
	if m, ok := v.made[e.ID]; ok && m.from == e && m.world == world {
		m.seen = true
		return m
	}
	m := &madeShape{from: e, world: world, seen: true}
	v.made[e.ID] = m
	for _, points := range lists {
		h, err := hull.Of(inWorld(points, world))
		if err != nil {
			if m.fault == nil {
				m.fault = err
			}
			continue
		}
		m.hulls = append(m.hulls, h)
	}
	return m
}

func inWorld(points []mgl64.Vec3, world mgl64.Mat4) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	for i, p := range points {
		out[i] = mgl64.TransformCoordinate(p, world)
	}
	return out
}

// modelOccluders appends the occluders that came with an object's model.
func (s *Scene) modelOccluders(v *Visibility, e *document.Entity, dst []Occluder) []Occluder {
	slots := s.byID[e.ID]
	if len(slots) != 1 {
		return dst
	}
	it := &s.items[slots[0]]
	hulls := it.Model.Occluders()
	if len(hulls) == 0 || !document.InReach(it.World[:]...) {
		return dst // out of reach: not shown either
	}
	m, ok := v.made[e.ID]
	if !ok || m.model != it.Model || m.world != it.World {
		m = &madeShape{model: it.Model, world: it.World}
		v.made[e.ID] = m
		for _, h := range hulls {
			h, err := h.Transform(it.World)
			if err != nil {
				continue // an object that is scaled to nothing hides nothing
			}
			m.hulls = append(m.hulls, h)
		}
	}
	m.seen = true
	for _, h := range m.hulls {
		dst = append(dst, Occluder{
			ID: e.ID, Owner: e.ID, Shape: cull.Shape{Hull: h}, Box: h.Bounds(),
			Hidden: it.Hidden, Locked: it.Locked, Off: it.Hidden,
		})
	}
	return dst
}

func (s *Scene) occluder(v *Visibility, e *document.Entity, d document.Occluder) Occluder {
	o := Occluder{ID: e.ID, Owner: s.ownerOf(e)}
	o.Hidden, o.Locked = s.level.Effective(e)
	o.Off = d.Off || o.Hidden
	if !d.Polygon {
		m := s.hulls(v, e, [][]mgl64.Vec3{d.Points})
		if o.Fault = m.fault; o.Fault == nil {
			o.Hull, o.Box = m.hulls[0], m.hulls[0].Bounds()
		}
		return o
	}
	world, _ := s.level.World(e.ID)
	o.Polygon = inWorld(d.Points, world)
	if d.Hole != nil {
		o.Hole = inWorld(d.Hole, world)
	}
	o.Box = geom.BoxOf(o.Polygon...)
	o.Fault = hull.CheckOutline(o.Polygon)
	if o.Fault == nil && o.Hole != nil {
		o.Fault = hull.CheckOutline(o.Hole)
	}
	return o
}

// ownerOf is the object with a mesh that an entity stands below; 0 if there is
// none.
func (s *Scene) ownerOf(e *document.Entity) document.ID {
	for range document.MaxDepth + 1 {
		p, ok := s.level.Entity(e.Parent)
		if !ok {
			return 0
		}
		if o, ok := document.ObjectOf(p); ok && o.Asset != "" {
			return p.ID
		}
		e = p
	}
	return 0
}

func (s *Scene) cell(v *Visibility, e *document.Entity, d document.Cell) Cell {
	m := s.hulls(v, e, d.Pieces)
	c := Cell{ID: e.ID, Pieces: m.hulls, Fault: m.fault, Box: geom.EmptyBox()}
	c.Hidden, c.Locked = s.level.Effective(e)
	for _, h := range c.Pieces {
		c.Box = c.Box.Union(h.Bounds())
	}
	return c
}

func (s *Scene) portal(e *document.Entity, d document.Portal) Portal {
	world, _ := s.level.World(e.ID)
	p := Portal{ID: e.ID, Reach: d.Reach}
	p.Hidden, p.Locked = s.level.Effective(e)
	p.Polygon = inWorld(d.Points, world)
	if world.Mat3().Det() < 0 {
		slices.Reverse(p.Polygon) // its front stays its front
	}
	if p.Reach == 0 {
		p.Reach = document.PortalReach
	}
	p.Box = geom.BoxOf(p.Polygon...)
	switch d.State {
	case document.PortalClosed:
		p.State = portal.Closed
	case document.PortalOneWay:
		p.State = portal.OneWay
	}
	return p
}

// sortIntoCells lists the cells of the entries that moved, and which of them
// their own occluders must not remove.
func (s *Scene) sortIntoCells(v *Visibility) {
	n := s.tree.Len()
	v.Scene.Resize()
	if v.all {
		for e := range n {
			v.Scene.Locate(int32(e))
		}
	} else {
		for _, e := range v.moved {
			v.Scene.Locate(e)
		}
	}
	v.all, v.moved = false, v.moved[:0]
	v.Scene.Exempt.Reset()
	for i := range v.Occluders {
		o := &v.Occluders[i]
		if o.Owner == 0 {
			continue
		}
		for _, slot := range s.byID[o.Owner] {
			v.Scene.Spare(int32(s.cols*s.rows)+slot, s.items[slot].Box, o.Box)
		}
	}
}
