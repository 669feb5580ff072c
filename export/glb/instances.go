package glb

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/document"
)

// group is things that one node shows by EXT_mesh_gpu_instancing.
type group struct {
	asset    string
	mirrored bool
	members  []*placed
}

// group gathers objects that can be shown together: those without anything below,
// with the same parent and asset. Those that are mirrored are by themselves, since
// what draws instances turns the winding for a whole node.
func (w *writer) group(list []placed) {
	type key struct {
		parent   document.ID
		asset    string
		mirrored bool
	}
	groups := map[key]*group{}
	var found []*group
	for i := range list {
		e := &list[i]
		o, ok := e.Data.(document.Object)
		if !ok || e.bare || !e.leaf || o.Asset == "" || w.meshes[o.Asset].mesh == none {
			continue
		}
		k := key{e.Parent, o.Asset, e.Scale[0]*e.Scale[1]*e.Scale[2] < 0}
		g := groups[k]
		if g == nil {
			g = &group{asset: o.Asset, mirrored: k.mirrored}
			groups[k] = g
			found = append(found, g)
		}
		g.members = append(g.members, e)
	}
	for _, g := range found {
		if len(g.members) < 2 {
			continue
		}
		parent := g.members[0].Parent
		w.groups[parent] = append(w.groups[parent], g)
		for i, e := range g.members {
			e.instance = i
		}
	}
}

// addGroups makes the nodes of the groups below an entity and gives their numbers.
func (w *writer) addGroups(parent document.ID) ([]int, error) {
	var out []int
	for _, g := range w.groups[parent] {
		list := make([]stand, len(g.members))
		x := beginObject(nil)
		x.text("kind", "instances")
		x.text("asset", g.asset)
		x.key("instances")
		x.out = append(x.out, '[')
		for i, e := range g.members {
			list[i] = stand{e.Translation, unit(e.Rotation), e.Scale}
			if i > 0 {
				x.out = append(x.out, ',')
			}
			o := beginObject(x.out)
			o.text("name", nameOf(e.Entity))
			if err := describe(o, e, w.meshes); err != nil {
				return nil, err
			}
			x.out = o.end()
		}
		x.out = append(x.out, ']')
		n := newNode(g.asset)
		w.instances(&n, w.meshes[g.asset], list, g.mirrored)
		n.extras = x.end()
		number := w.addMore(&n)
		for _, e := range g.members {
			e.node = number
		}
		out = append(out, number)
	}
	return out, nil
}

// addInstancedPoints makes a node for each asset of a scatter, in their order, with
// its points in theirs.
func (w *writer) addInstancedPoints(ctx context.Context, id document.ID, s *document.Scatter) ([]int, error) {
	lists := make([][]stand, len(s.Assets))
	places := make([]place, len(s.Points))
	w.plan.points[id] = places
	for i := range s.Points {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := &s.Points[i]
		places[i] = place{none, len(lists[at.Asset])}
		lists[at.Asset] = append(lists[at.Asset], stand{at.Position, rotation(at), mgl64.Vec3{at.Scale, at.Scale, at.Scale}})
	}
	var children []int
	nodes := make([]int, len(lists))
	for i, list := range lists {
		nodes[i] = none
		m := w.meshes[s.Assets[i]]
		if len(list) == 0 || m.mesh == none {
			continue
		}
		n := newNode(s.Assets[i])
		x := beginObject(nil)
		x.text("kind", "instances")
		x.text("asset", s.Assets[i])
		if m.missing {
			x.text("missing", s.Assets[i])
		}
		w.instances(&n, m, list, false)
		n.extras = x.end()
		nodes[i] = w.addMore(&n)
		children = append(children, nodes[i])
	}
	for i := range places {
		if places[i].node = nodes[s.Points[i].Asset]; places[i].node == none {
			places[i].instance = none
		}
	}
	return children, nil
}

// stand is where one thing stands.
type stand struct {
	translation mgl64.Vec3
	rotation    mgl64.Quat
	scale       mgl64.Vec3
}

// instances lets a node show a mesh in many places. The node stands in their middle,
// so that float32 is enough for each. A mirrored node mirrors x, and its instances
// are what is left then: with N = diag(−1, 1, 1), N·(T·R·S) is the translation N·T,
// the rotation N·R·N and the scale N·S.
func (w *writer) instances(n *node, m *meshPlan, list []stand, mirrored bool) {
	lo, hi := list[0].translation, list[0].translation
	for i := range list {
		s := &list[i]
		s.translation, s.rotation, s.scale = m.fit.apply(s.translation, s.rotation, s.scale)
		for a, v := range s.translation {
			lo[a], hi[a] = min(lo[a], v), max(hi[a], v)
		}
	}
	n.mesh, n.translation = m.mesh, lo.Add(hi).Mul(0.5)
	if mirrored {
		n.scale = mgl64.Vec3{-1, 1, 1}
	}
	var translations, rotations, scales []byte
	turned, scaled := false, false
	for i := range list {
		s := &list[i]
		t, q, f := s.translation.Sub(n.translation), s.rotation, s.scale
		if mirrored {
			t[0], f[0] = -t[0], -f[0]
			q.V[1], q.V[2] = -q.V[1], -q.V[2]
		}
		for a := range 3 {
			translations = appendFloat(translations, t[a])
			rotations = appendFloat(rotations, q.V[a])
			scales = appendFloat(scales, f[a])
		}
		rotations = appendFloat(rotations, q.W)
		turned = turned || q != mgl64.QuatIdent()
		scaled = scaled || f != mgl64.Vec3{1, 1, 1}
	}
	attributes := beginObject(nil)
	attributes.number("TRANSLATION", float64(w.plan.addFloats(translations, gltf.AccessorVec3)))
	if turned {
		attributes.number("ROTATION", float64(w.plan.addFloats(rotations, gltf.AccessorVec4)))
	}
	if scaled {
		attributes.number("SCALE", float64(w.plan.addFloats(scales, gltf.AccessorVec3)))
	}
	inner := beginObject(nil)
	inner.raw("attributes", attributes.end())
	outer := beginObject(nil)
	outer.raw(extInstancing, inner.end())
	n.extensions = outer.end()
	w.plan.needs(extInstancing)
}

// addFloats adds an accessor whose numbers are written after the models.
func (p *plan) addFloats(data []byte, t gltf.AccessorType) int {
	p.tail = append(p.tail, data)
	p.doc.Accessors = append(p.doc.Accessors, &gltf.Accessor{
		BufferView: gltf.Index(p.addView(len(data), 0, gltf.TargetNone)), ComponentType: gltf.ComponentFloat, Type: t,
		Count: len(data) / gltf.SizeOfElement(gltf.ComponentFloat, t),
	})
	return len(p.doc.Accessors) - 1
}
