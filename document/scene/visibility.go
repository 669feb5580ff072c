package scene

import (
	"iter"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
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

	stale  bool    // an occluder, a cell or a portal differs
	moved  []int32 // entries whose boxes differ
	all    bool    // all entries
	relief relief.Relief
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
	if v.stale {
		return
	}
	_, occluder := v.occluderOf[id]
	_, cell := v.cellOf[id]
	_, opening := v.portalOf[id]
	v.stale = occluder || cell || opening ||
		e != nil && (e.Kind == document.KindOccluder || e.Kind == document.KindCell || e.Kind == document.KindPortal)
}

// followItem notes that the item of an object differs.
func (v *Visibility) followItem(it *Item) {
	v.stale = v.stale || it.ID != 0 && it.Point < 0 && len(it.Model.Model.Occluders) > 0
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
	if v.stale {
		s.gather(v)
		v.stale, v.all = false, true
	}
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

// gather makes the lists of occluders, cells and portals anew. Hulls of entities
// that are the same stay.
func (s *Scene) gather(v *Visibility) {
	v.Occluders, v.Cells, v.Portals = v.Occluders[:0], v.Cells[:0], v.Portals[:0]
	v.occluderOf, v.cellOf, v.portalOf = map[document.ID]int{}, map[document.ID]int{}, map[document.ID]int{}
	if v.made == nil {
		v.made = map[document.ID]*madeShape{}
	}
	for _, m := range v.made {
		m.seen = false
	}
	for e := range s.level.Entities() {
		switch d := e.Data.(type) {
		case document.Occluder:
			v.occluderOf[e.ID] = len(v.Occluders)
			v.Occluders = append(v.Occluders, s.occluder(v, e, d))
		case document.Cell:
			v.cellOf[e.ID] = len(v.Cells)
			v.Cells = append(v.Cells, s.cell(v, e, d))
		case document.Portal:
			v.portalOf[e.ID] = len(v.Portals)
			v.Portals = append(v.Portals, s.portal(e, d))
		case document.Object:
			s.modelOccluders(v, e)
		}
	}
	for id, m := range v.made {
		if !m.seen {
			delete(v.made, id)
		}
	}
	s.link(v)
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

// modelOccluders adds the hulls that came with an object's model.
func (s *Scene) modelOccluders(v *Visibility, e *document.Entity) {
	slots := s.byID[e.ID]
	if len(slots) != 1 {
		return
	}
	it := &s.items[slots[0]]
	hulls := it.Model.Occluders()
	if len(hulls) == 0 || !document.InReach(it.World[:]...) {
		return // out of reach: not shown either
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
	v.occluderOf[e.ID] = len(v.Occluders)
	for _, h := range m.hulls {
		v.Occluders = append(v.Occluders, Occluder{
			ID: e.ID, Owner: e.ID, Shape: cull.Shape{Hull: h}, Box: h.Bounds(),
			Hidden: it.Hidden, Locked: it.Locked, Off: it.Hidden,
		})
	}
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

// link finds the cells of portals, and what portals do to occluders.
func (s *Scene) link(v *Visibility) {
	same := v.links.among(v.Cells)
	portals := make([]portal.Portal, len(v.Portals))
	for i := range v.Portals {
		p := &v.Portals[i]
		p.From, p.To = v.links.of(p)
		portals[i] = p.Portal
	}
	v.links.keep(v.Portals)
	if !same || !slices.EqualFunc(portals, v.links.built, equalPortals) {
		v.links.built = portals
		v.Scene.Portals, v.TooMany = nil, nil
		if len(v.Cells) > 0 {
			v.Scene.Portals, v.TooMany = portal.Build(v.links.cells, portals)
		}
	}
	v.Scene.Occluders = v.Scene.Occluders[:0]
	v.Scene.Exempt.Reset()
	open := openPortals(v.Portals)
	var near []int32
	for i := range v.Occluders {
		o := &v.Occluders[i]
		o.Doors = nil
		if o.Fault == nil {
			near = open.AppendOverlapping(near[:0], o.Box)
			slices.Sort(near)
			for _, k := range near {
				if p := &v.Portals[k]; o.Crosses(p.Polygon) {
					o.Doors = append(o.Doors, p.ID)
				}
			}
		}
		shape := o.Shape
		if !o.Hides() {
			shape = cull.Shape{}
		}
		v.Scene.Occluders = append(v.Scene.Occluders, shape)
	}
}

// openPortals sorts the portals that are not closed.
func openPortals(portals []Portal) *nodetree.Tree {
	boxes := make([]geom.Box, len(portals))
	for i := range portals {
		boxes[i] = portals[i].Box
		if portals[i].State == portal.Closed {
			boxes[i] = geom.EmptyBox()
		}
	}
	return nodetree.Build(boxes, nodetree.Options{Split: nodetree.Oct, MaxItems: 8})
}

func equalPortals(a, b portal.Portal) bool {
	return a.From == b.From && a.To == b.To && a.State == b.State && slices.Equal(a.Polygon, b.Polygon)
}

// links remember which cells portals joined, as long as the cells near them are the
// same ones: looking for them takes the longest when there are many rooms.
type links struct {
	ids     []document.ID // of the cells
	cells   [][]*hull.Hull
	portals map[document.ID]Portal
	built   []portal.Portal // what the graph was made of
}

// among takes the cells that portals may join, and tells whether they are those that
// it had.
func (l *links) among(list []Cell) (same bool) {
	ids, cells := make([]document.ID, len(list)), make([][]*hull.Hull, len(list))
	for i := range list {
		ids[i], cells[i] = list[i].ID, list[i].Pieces
	}
	if !slices.Equal(l.ids, ids) {
		l.ids, l.cells = ids, cells
		clear(l.portals)
		return false
	}
	var changed []geom.Box
	for i := range cells {
		if slices.Equal(cells[i], l.cells[i]) {
			continue
		}
		for _, pieces := range [2][]*hull.Hull{cells[i], l.cells[i]} {
			for _, h := range pieces {
				changed = append(changed, h.Bounds())
			}
		}
	}
	l.cells = cells
	if len(changed) == 0 {
		return true
	}
	for id, p := range l.portals {
		// A little farther than portal.Link looks.
		size := p.Box.Size()
		d := 2.5*p.Reach + 0.1*max(size[0], size[1], size[2]) + 1
		by := geom.Vec3{d, d, d}
		around := geom.Box{Min: p.Box.Min.Sub(by), Max: p.Box.Max.Add(by)}
		if slices.ContainsFunc(changed, around.Overlaps) {
			delete(l.portals, id)
		}
	}
	return false
}

// of gives the cells of a portal.
func (l *links) of(p *Portal) (from, to int) {
	if q, ok := l.portals[p.ID]; ok && q.Reach == p.Reach && slices.Equal(q.Polygon, p.Polygon) {
		return q.From, q.To
	}
	from, to, _ = portal.Link(l.cells, p.Polygon, p.Reach)
	return from, to
}

// keep notes what was found.
func (l *links) keep(portals []Portal) {
	l.portals = make(map[document.ID]Portal, len(portals))
	for _, p := range portals {
		l.portals[p.ID] = p
	}
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
		for _, slot := range s.byID[o.Owner] {
			v.Scene.Spare(int32(s.cols*s.rows)+slot, s.items[slot].Box, o.Box)
		}
	}
}
