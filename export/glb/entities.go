package glb

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// writer makes the nodes of things.
type writer struct {
	plan   *plan
	meshes map[string]*meshPlan
	first  int      // number of the first of more
	more   nodeList // nodes below those of entities, which come after them all

	below  map[document.ID][]int    // of an entity: its children, by id; 0: of the scene
	groups map[document.ID][]*group // instances below an entity or, for 0, the scene
}

// addEntities makes the nodes of all entities: parents before children, siblings in
// ascending order of id. Nodes that only help them, such as those of scatter points,
// come after those of all entities.
func (p *plan) addEntities(ctx context.Context, list []placed, meshes map[string]*meshPlan) error {
	w := &writer{plan: p, meshes: meshes, below: map[document.ID][]int{}, groups: map[document.ID][]*group{}, more: nodeList{keep: p.named}}
	p.begin("instances.bin")
	if p.options.Instancing {
		w.group(list)
	}
	next := p.nodes.n
	for i := range list {
		e := &list[i]
		if e.instance != none {
			continue
		}
		e.node = next
		next++
		w.below[e.Parent] = append(w.below[e.Parent], e.node)
	}
	w.first = next
	p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, w.below[0]...)
	for i := range list {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if list[i].instance != none {
			continue
		}
		if err := w.add(ctx, &list[i]); err != nil {
			return err
		}
	}
	groups, err := w.addGroups(0)
	if err != nil {
		return err
	}
	p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, groups...)
	p.nodes.append(&w.more)
	p.stats.Entities = len(list)
	for i := range list {
		p.places[list[i].ID] = list[i].place
	}
	return nil
}

// addMore adds a node behind those of the entities and gives its number.
func (w *writer) addMore(n *node) int {
	w.more.add(n)
	return w.first + w.more.n - 1
}

// add makes the node of an entity.
func (w *writer) add(ctx context.Context, e *placed) error {
	n := newNode(nameOf(e.Entity))
	n.translation, n.rotation, n.scale = e.Translation, unit(e.Rotation), e.Scale
	n.children = w.below[e.ID]
	x := beginObject(nil)
	if err := describe(x, e, w.meshes); err != nil {
		return err
	}
	if !e.bare {
		switch d := e.Data.(type) {
		case document.Object:
			if d.Asset != "" {
				w.show(&n, w.meshes[d.Asset])
			}
		case document.Scatter:
			points, err := w.addPoints(ctx, e.ID, &d)
			if err != nil {
				return err
			}
			n.children = append(n.children, points...)
		}
	}
	groups, err := w.addGroups(e.ID)
	if err != nil {
		return err
	}
	n.children = append(n.children, groups...)
	n.extras = x.end()
	w.plan.nodes.add(&n)
	return nil
}

func nameOf(e *document.Entity) string {
	if e.Name == "" {
		return fmt.Sprintf("%s_%d", e.Kind, e.ID)
	}
	return e.Name
}

// unit gives a rotation its exact length: levels are not that strict.
func unit(q mgl64.Quat) mgl64.Quat {
	if math.Abs(q.Dot(q)-1) > 1e-9 {
		return q.Normalize()
	}
	return q
}

// show lets a node show a mesh. Where the mesh's place is not the entity's a child does.
func (w *writer) show(n *node, m *meshPlan) {
	switch {
	case m.mesh == none:
	case m.fit == identity:
		n.mesh = m.mesh
	default:
		c := newNode("")
		c.translation, c.rotation, c.scale = m.fit.apply(c.translation, c.rotation, c.scale)
		c.mesh = m.mesh
		n.children = append(n.children, w.addMore(&c))
	}
}

// describe writes what an entity is, but for what its node says.
func describe(x *object, e *placed, meshes map[string]*meshPlan) error {
	x.number("id", float64(e.ID))
	x.text("kind", string(e.Kind))
	if e.Layer != "" {
		x.text("layer", e.Layer)
	}
	if e.hidden {
		x.yes("hidden")
	}
	if e.bare {
		x.yes("carrier")
		return nil
	}
	if len(e.Properties) > 0 {
		o := beginObject(nil)
		for _, k := range slices.Sorted(maps.Keys(e.Properties)) {
			o.text(k, e.Properties[k])
		}
		x.raw("properties", o.end())
	}
	switch d := e.Data.(type) {
	case nil:
	case document.Object:
		if d.Asset != "" && meshes[d.Asset].missing {
			x.text("missing", d.Asset)
		}
		addObject(x, &d)
	case document.Scatter:
		x.texts("assets", d.Assets)
		if d.Billboard != 0 {
			x.number("billboard", d.Billboard)
		}
	case document.Marker:
		addMarker(x, &d)
	default:
		data, err := d.MarshalJSON()
		if err != nil {
			return fmt.Errorf("entity %d: %w", e.ID, err)
		}
		x.raw("data", data)
	}
	return nil
}

func addObject(x *object, d *document.Object) {
	if d.Asset != "" {
		x.text("asset", d.Asset)
	}
	if d.Geometry {
		x.yes("geometry")
	}
	if d.Collision != "" && d.Collision != document.CollideMesh {
		x.text("collision", string(d.Collision))
	}
	if d.CollisionRadius != 0 {
		x.number("collision_radius", d.CollisionRadius)
	}
	if d.Billboard != 0 {
		x.number("billboard", d.Billboard)
	}
}

func addMarker(x *object, d *document.Marker) {
	x.text("shape", string(d.Shape))
	x.key("points")
	x.out = append(x.out, '[')
	for i := range d.Points {
		if i > 0 {
			x.out = append(x.out, ',')
		}
		x.out = appendNumbers(x.out, d.Points[i][:])
	}
	x.out = append(x.out, ']')
	if d.Color != (mgl64.Vec3{}) {
		x.numbers("color", d.Color[:]...)
	}
}

// addPoints makes the nodes of a scatter's points and gives their numbers. Points
// have no names and, unless their asset is missing, no extras.
func (w *writer) addPoints(ctx context.Context, id document.ID, s *document.Scatter) ([]int, error) {
	w.plan.stats.Points += len(s.Points)
	if w.plan.options.Instancing {
		return w.addInstancedPoints(ctx, id, s)
	}
	children := make([]int, 0, len(s.Points))
	places := make([]place, len(s.Points))
	w.plan.points[id] = places
	for i := range s.Points {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := &s.Points[i]
		m := w.meshes[s.Assets[at.Asset]]
		n := newNode("")
		n.translation, n.rotation, n.scale = m.fit.apply(at.Position, rotation(at), mgl64.Vec3{at.Scale, at.Scale, at.Scale})
		n.mesh = m.mesh
		x := beginObject(nil)
		if m.missing {
			x.text("missing", s.Assets[at.Asset])
		}
		if len(x.out) > x.first {
			n.extras = x.end()
		}
		places[i] = place{w.addMore(&n), none}
		children = append(children, places[i].node)
	}
	return children, nil
}

// rotation is that of document.ScatterPoint.Local.
func rotation(p *document.ScatterPoint) mgl64.Quat {
	if p.Up == (mgl64.Vec3{}) || p.Up == (mgl64.Vec3{0, 1, 0}) {
		if p.Yaw == 0 {
			return mgl64.QuatIdent()
		}
		return mgl64.QuatRotate(p.Yaw, mgl64.Vec3{0, 1, 0})
	}
	q := mgl64.QuatRotate(p.Yaw, mgl64.Vec3{0, 1, 0})
	return mgl64.QuatBetweenVectors(mgl64.Vec3{0, 1, 0}, p.Up).Mul(q)
}
