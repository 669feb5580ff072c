package command

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

func roomCommands() []Command {
	return []Command{{
		ID: "cell.rooms", Title: "Rooms from meshes", Class: Edit,
		Help: "Makes cells of objects, and of nodes of their meshes, whose names begin with room or end in -cell, and portals of those whose names begin with portal or end in -portal; " +
			"prints their ids and selects them. " +
			"A room's mesh is convex, or made of walls at right angles, or of several convex parts; a portal's is flat. " +
			"The objects themselves stay as they are. What is there already is not made again.",
		Params: []Param{
			{Name: "ids", Help: "objects to look at, with what stands below them, joined by commas; without it all of the level", Kind: IDs},
		},
		Enabled: hasModels,
		Run:     roomsFromMeshes,
	}}
}

// role is what a name makes of a mesh.
type role int

const (
	noRole role = iota
	roomRole
	portalRole
)

// roleOf reads a name as Blender users write them, numbers at the end apart, and gives
// it without the ending that says so.
func roleOf(name string) (role, string) {
	base, _ := numbered(name)
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		if _, err := strconv.ParseUint(base[i+1:], 10, 32); err == nil {
			base = base[:i]
		}
	}
	lower := strings.ToLower(base)
	for _, end := range []struct {
		text string
		role role
	}{{"-cell", roomRole}, {"-portal", portalRole}} {
		if strings.HasSuffix(lower, end.text) {
			return end.role, strings.TrimSpace(base[:len(base)-len(end.text)])
		}
	}
	switch {
	case strings.HasPrefix(lower, "room"):
		return roomRole, name
	case strings.HasPrefix(lower, "portal"):
		return portalRole, name
	}
	return noRole, name
}

// source is a part of an object's mesh that is to become a cell or a portal.
type source struct {
	object *document.Entity
	name   string // of the node or the object
	role   role
	g      gathered
}

// where names the source in a message.
func (s *source) where() string {
	if s.name == s.object.Name {
		return label(s.object)
	}
	return quoteWord(s.name) + " in " + label(s.object)
}

// sources finds what is named in an object's mesh: nodes with what stands below them,
// up to the next that is named itself, and the rest if the object is.
func sources(ctx context.Context, l *document.Level, models Models, at *document.Entity) ([]*source, error) {
	own, _ := roleOf(at.Name)
	m, err := modelOf(ctx, l, models, "ids", at)
	if err != nil {
		if own == noRole && ctx.Err() == nil {
			return nil, nil // nothing is known of its nodes
		}
		return nil, err
	}
	const object = -1
	owner := make([]int, len(m.Nodes))
	for i, n := range m.Nodes {
		owner[i] = object
		if r, _ := roleOf(n.Name); r != noRole {
			owner[i] = i
		} else if n.Parent >= 0 {
			owner[i] = owner[n.Parent]
		}
	}
	var out []*source
	done := map[int]bool{}
	for i := range m.Parts {
		from := owner[m.Parts[i].Node]
		s := &source{object: at, name: at.Name, role: own}
		if from != object {
			s.name = m.Nodes[from].Name
			s.role, _ = roleOf(s.name)
		}
		if done[from] || s.role == noRole {
			continue
		}
		done[from] = true
		world := frameOf(l, at.ID)
		s.g.at = world.point(m.Bounds.Center())
		s.g.add(m, world, func(p *mesh.Part) bool { return owner[p.Node] == from })
		out = append(out, s)
	}
	return out, nil
}

// room is a cell or a portal that is to be added.
type room struct {
	object *document.Entity // that it is made of
	entity document.Entity
	box    geom.Box
}

func roomsFromMeshes(ctx context.Context, env *Env, a Args) error {
	l := env.Doc.Level()
	objects, err := env.roomObjects(a)
	if err != nil {
		return err
	}
	return env.away(ctx, "Making rooms", func(ctx context.Context, models Models, progress func(float64)) (func() error, error) {
		rooms, err := makeRooms(ctx, l, models, objects, progress)
		return func() error { return env.takeRooms(l, rooms) }, err
	})
}

// makeRooms makes the cells and portals of objects, those too that are there already.
func makeRooms(ctx context.Context, l *document.Level, models Models, objects []*document.Entity, progress func(float64)) (rooms []room, err error) {
	for i, at := range objects {
		progress(float64(i) / float64(len(objects)))
		list, err := sources(ctx, l, models, at)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			r, err := s.make(l)
			if err != nil {
				return nil, err
			}
			r.object, r.entity.Name = at, s.nameOf()
			rooms = append(rooms, r)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if len(rooms) == 0 {
		return nil, bad("ids", "no object and no node of a mesh that is named so", "names that begin with room or portal, or end in -cell or -portal")
	}
	return rooms, nil
}

// takeRooms adds those rooms of the objects of a level that are not there yet.
func (e *Env) takeRooms(of *document.Level, all []room) error {
	known := boxesOf(e.Doc.Level())
	names := e.namer()
	var rooms []room
	for _, r := range all {
		if err := e.stillThere("ids", of, []*document.Entity{r.object}); err != nil {
			return err
		}
		if known.has(r.entity.Kind, r.box) {
			continue
		}
		known.add(r.entity.Kind, r.box)
		r.entity.Name = names.fresh(r.entity.Name)
		rooms = append(rooms, r)
	}
	if len(rooms) == 0 {
		e.Printf("All %d cells and portals are there already.", len(all))
		return nil
	}
	ids := make([]document.ID, len(rooms))
	err := e.Doc.Do("Rooms from meshes", func(tx *document.Tx) error {
		for i := range rooms {
			ids[i] = tx.NewID()
			rooms[i].entity.ID = ids[i]
			if err := put(tx, "ids", []document.Entity{rooms[i].entity}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.made(ids)
	e.tellRooms(rooms, len(all)-len(rooms))
	return nil
}

// tellRooms prints how many were made, and what the portals join.
func (e *Env) tellRooms(rooms []room, again int) {
	var portals []document.ID
	for _, r := range rooms {
		if r.entity.Kind == document.KindPortal {
			portals = append(portals, r.entity.ID)
		}
	}
	line := plural(len(rooms)-len(portals), "cell") + " and " + plural(len(portals), "portal") + " made"
	if again > 0 {
		line += "; " + itoa(again) + " that were there already are as they were"
	}
	e.Printf("%s.", line)
	e.tellLinks(portals)
}

// roomObjects are the objects with meshes that are to be looked at.
func (e *Env) roomObjects(a Args) (out []*document.Entity, err error) {
	l := e.Doc.Level()
	take := func(at *document.Entity) {
		if o, ok := document.ObjectOf(at); ok && o.Asset != "" {
			out = append(out, at)
		}
	}
	if !a.Given("ids") {
		for at := range l.Entities() {
			take(at)
		}
		if len(out) == 0 {
			return nil, bad("ids", "a level without objects that have a mesh", "some")
		}
		return out, nil
	}
	ids, err := e.chosen(a, "ids")
	if err != nil {
		return nil, err
	}
	all := ids
	for _, id := range ids {
		all = append(all, below(l, id, true)...)
	}
	for _, id := range sorted(all) {
		at, _ := l.Entity(id)
		take(at)
	}
	if len(out) == 0 {
		return nil, bad("ids", "nothing that has a mesh", "objects, or groups of them")
	}
	return out, nil
}

// nameOf is what the cell or portal is called.
func (s *source) nameOf() string {
	r, base := roleOf(s.name)
	word := map[role]string{roomRole: " cell", portalRole: " portal"}[s.role]
	switch {
	case base == "":
		return strings.TrimSpace(word)
	case s.name == s.object.Name || r == noRole:
		return base + word // the object has the name itself
	}
	return base
}

// make makes the cell or the portal.
func (s *source) make(l *document.Level) (r room, err error) {
	r.entity = document.Entity{Rotation: mgl64.QuatIdent()}
	c := &r.entity
	var all []mgl64.Vec3
	if s.role == portalRole {
		c.Kind = document.KindPortal
		points, err := s.opening()
		if err != nil {
			return r, err
		}
		frame := stand(l, c, points)
		c.Data, all = document.Portal{Points: localTo(c, frame, points)}, points
	} else {
		c.Kind = document.KindCell
		hulls, why := pieces(&s.g)
		if why != "" {
			return r, bad("ids", s.where()+", "+why, "a mesh that is convex, or has walls at right angles, or is made of convex parts")
		}
		if len(hulls) == 1 {
			hulls[0] = belowTop(hulls[0])
		}
		for _, h := range hulls {
			all = append(all, s.g.inWorld(h.Vertices)...)
		}
		frame := stand(l, c, all)
		var d document.Cell
		for _, h := range hulls {
			d.Pieces = append(d.Pieces, localTo(c, frame, s.g.inWorld(h.Vertices)))
		}
		if err := d.Validate(); err != nil {
			return r, bad("ids", s.where()+": "+err.Error(), "a simpler mesh")
		}
		c.Data = d
	}
	r.box = geom.BoxOf(all...)
	return r, storable("ids", all)
}

// topInset is how far a cell ends below the top of the mesh that it is made of, in metres.
const topInset = 0.01

// belowTop moves the top of a room's hull down a little. The mesh would else be wholly in
// the cell, and so be drawn only when one looks in through a portal: its outside could not
// be seen.
func belowTop(h *hull.Hull) *hull.Hull {
	top := 0
	for i, p := range h.Planes {
		if p.N[1] > h.Planes[top].N[1] {
			top = i
		}
	}
	p := h.Planes[top]
	p.D += topInset
	if lower, _, err := h.Cut(p); err == nil && lower != nil {
		return lower
	}
	return h
}

// opening is the polygon of a portal's mesh: the outline of its vertices, seen from
// where its front faces look.
func (s *source) opening() ([]mgl64.Vec3, error) {
	g := &s.g
	normal, area := mgl64.Vec3{}, 0.0
	var largest mgl64.Vec3
	for i := 0; i < len(g.indices); i += 3 {
		if n := g.cross(i); n.Len() > area {
			largest, area = n, n.Len()
		}
	}
	for i := 0; i < len(g.indices); i += 3 {
		n := g.cross(i)
		if n.Dot(largest) < 0 {
			n = n.Mul(-1)
		}
		normal = normal.Add(n)
	}
	refuse := func(found string) ([]mgl64.Vec3, error) {
		return nil, bad("ids", s.where()+", "+found, "a flat polygon")
	}
	if !(normal.Len() > 0) {
		return refuse("which has no area")
	}
	ring := outlineAlong(g.points(), normal.Mul(1/normal.Len()))
	if len(ring) < 3 {
		return refuse("which has no area")
	}
	plane, _ := hull.PolygonPlane(ring)
	if _, err := onto("ids", plane, g.points(), ring); err != nil {
		return refuse("which is not flat")
	}
	points, err := opening("ids", g.inWorld(ring))
	if err != nil {
		return refuse("which is not flat")
	}
	return points, nil
}

// cross is the normal of a triangle, as long as twice its area.
func (g *gathered) cross(first int) mgl64.Vec3 {
	a, b, c := g.corners[g.indices[first]], g.corners[g.indices[first+1]], g.corners[g.indices[first+2]]
	return b.Sub(a).Cross(c.Sub(a))
}

// placed has the boxes of cells and portals, to know them again.
type placed map[document.Kind][]geom.Box

func boxesOf(l *document.Level) placed {
	p := placed{}
	for e := range l.Entities() {
		var all []mgl64.Vec3
		switch d := e.Data.(type) {
		case document.Cell:
			for _, list := range d.Pieces {
				all = append(all, list...)
			}
		case document.Portal:
			all = d.Points
		default:
			continue
		}
		p.add(e.Kind, geom.BoxOf(inWorld(l, e.ID, all)...))
	}
	return p
}

func (p placed) add(k document.Kind, b geom.Box) { p[k] = append(p[k], b) }

// has reports whether there is one of a kind with a box, to the millimetre.
func (p placed) has(k document.Kind, b geom.Box) bool {
	for _, o := range p[k] {
		same := true
		for i := range 3 {
			same = same && math.Abs(o.Min[i]-b.Min[i]) <= 1e-3 && math.Abs(o.Max[i]-b.Max[i]) <= 1e-3
		}
		if same {
			return true
		}
	}
	return false
}
