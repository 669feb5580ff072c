package glb

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// placed is an entity and where it stands in the file.
type placed struct {
	*document.Entity
	hidden bool // by itself, its layer or anything above
	point  int  // node of the first point of a scatter
}

// addEntities makes the nodes of all entities: parents before children, siblings in
// ascending order of id. The nodes of scatter points come after those of all
// entities.
func (p *plan) addEntities(ctx context.Context, l *document.Level, meshes map[string]int) error {
	list, roots := order(l)
	first := p.nodes.n
	number := make(map[document.ID]int, len(list))
	points := first + len(list)
	for i := range list {
		number[list[i].ID] = first + i
		list[i].point = points
		if s, ok := list[i].Data.(document.Scatter); ok {
			points += len(s.Points)
			p.stats.Points += len(s.Points)
		}
	}
	for _, id := range roots {
		p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, number[id])
	}
	p.stats.Entities = len(list)
	for i := range list {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.addEntity(l, &list[i], number, meshes); err != nil {
			return err
		}
	}
	for i := range list {
		if s, ok := list[i].Data.(document.Scatter); ok {
			if err := p.addPoints(ctx, &s, meshes); err != nil {
				return err
			}
		}
	}
	return nil
}

// order lists all entities, parents before children, and the ids of those without
// parent.
func order(l *document.Level) (list []placed, roots []document.ID) {
	layers := map[string]bool{} // those that hide
	for _, g := range l.Settings.EntityLayers {
		if g.Hidden {
			layers[g.Name] = true
		}
	}
	list = make([]placed, 0, l.Len())
	var stack []placed
	push := func(e *document.Entity, hidden bool) {
		stack = append(stack, placed{Entity: e, hidden: hidden || e.Hidden || e.Layer != "" && layers[e.Layer]})
	}
	for e := range l.Entities() {
		if e.Parent != 0 {
			continue
		}
		roots = append(roots, e.ID)
		push(e, false)
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			list = append(list, at)
			from := len(stack)
			for c := range l.Children(at.ID) {
				push(c, at.hidden)
			}
			slices.Reverse(stack[from:])
		}
	}
	return list, roots
}

func (p *plan) addEntity(l *document.Level, e *placed, number map[document.ID]int, meshes map[string]int) error {
	n := newNode(e.Name)
	if n.name == "" {
		n.name = fmt.Sprintf("%s_%d", e.Kind, e.ID)
	}
	n.translation, n.rotation, n.scale = e.Translation, e.Rotation, e.Scale
	for c := range l.Children(e.ID) {
		n.children = append(n.children, number[c.ID])
	}
	x := beginObject(nil)
	x.number("id", float64(e.ID))
	x.text("kind", string(e.Kind))
	if e.Layer != "" {
		x.text("layer", e.Layer)
	}
	if e.hidden {
		x.yes("hidden")
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
		if d.Asset != "" {
			n.mesh = meshOf(x, d.Asset, meshes)
		}
		addObject(x, &d)
	case document.Scatter:
		x.key("assets")
		x.out = append(x.out, '[')
		for i, a := range d.Assets {
			if i > 0 {
				x.out = append(x.out, ',')
			}
			x.out = appendText(x.out, a)
		}
		x.out = append(x.out, ']')
		if d.Billboard != 0 {
			x.number("billboard", d.Billboard)
		}
		for i := range d.Points {
			n.children = append(n.children, e.point+i)
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
	n.extras = x.end()
	p.nodes.add(&n)
	return nil
}

// meshOf gives the mesh of an asset and says so where it is missing.
func meshOf(x *object, asset string, meshes map[string]int) int {
	if m, ok := meshes[asset]; ok {
		return m
	}
	x.text("missing", asset)
	return noMesh
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

// addPoints makes the nodes of a scatter's points, which have no names and, unless
// their asset is missing, no extras.
func (p *plan) addPoints(ctx context.Context, s *document.Scatter, meshes map[string]int) error {
	for i := range s.Points {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := &s.Points[i]
		n := newNode("")
		n.translation, n.rotation, n.scale = at.Position, rotation(at), mgl64.Vec3{at.Scale, at.Scale, at.Scale}
		x := beginObject(nil)
		if n.mesh = meshOf(x, s.Assets[at.Asset], meshes); len(x.out) > x.first {
			n.extras = x.end()
		}
		p.nodes.add(&n)
	}
	return nil
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
