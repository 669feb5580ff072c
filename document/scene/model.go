package scene

import (
	"math"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/collide"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
)

// Model is a mesh with what looking and picking need of it. It is immutable, and
// safe for concurrent use.
type Model struct {
	*mesh.Model
	tree      func() *nodetree.Triangles
	solid     func() *collide.Mesh
	occluders func() []*hull.Hull
}

// NewModel prepares a mesh. The tree over its triangles is built when it is first
// asked for.
func NewModel(m *mesh.Model) *Model {
	out := &Model{Model: m, tree: sync.OnceValue(func() *nodetree.Triangles {
		materials := make([]int32, len(m.Indices)/3)
		for _, p := range m.Parts {
			for i := p.First / 3; i < (p.First+p.Count)/3; i++ {
				materials[i] = int32(p.Material)
			}
		}
		return nodetree.BuildTriangles(m.Positions, m.Indices, nodetree.Options{Split: nodetree.Oct, MinSize: leastNode(m), Materials: materials})
	})}
	out.occluders = sync.OnceValue(func() (hulls []*hull.Hull) {
		for _, corners := range m.Occluders {
			points := make([]geom.Vec3, len(corners))
			for i, p := range corners {
				points[i] = geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
			}
			if h, err := hull.Of(points); err == nil { // what makes none hides nothing
				hulls = append(hulls, h)
			}
		}
		return hulls
	})
	out.solid = sync.OnceValue(func() *collide.Mesh { return collide.NewMesh(m.Positions, m.Indices, nil) })
	return out
}

// leastNode is the size of nodes of a model's tree that are not split: the sizes of
// models differ as much as cups and cathedrals do, so it goes with theirs.
func leastNode(m *mesh.Model) float64 {
	if m.Bounds.IsEmpty() {
		return 0
	}
	s := m.Bounds.Size()
	return max(s[0], s[1], s[2]) / 64
}

// Tree sorts the model's triangles, in its own space.
func (m *Model) Tree() *nodetree.Triangles { return m.tree() }

// Occluders are the hulls that came with the model, in its own space.
func (m *Model) Occluders() []*hull.Hull { return m.occluders() }

// Library gives the models of a level's assets.
type Library interface {
	// Model is the model of an asset; nil when it is missing or not loaded yet.
	Model(a *document.Asset) *Model
}

// placeholder stands for models that are missing or on their way.
var placeholder = sync.OnceValue(func() *Model { return NewModel(mesh.Placeholder()) })

// Placeholder is the model that stands for missing ones: a cube of one metre.
func Placeholder() *Model { return placeholder() }

// Item is one thing with a mesh in the world.
type Item struct {
	ID      document.ID
	Point   int // index of the scatter's point; -1 of an object
	Model   *Model
	Missing bool // Model is the placeholder
	World   mgl64.Mat4
	// Box is that of the mesh's bounds in the world; empty if there are none or they
	// are out of document.Reach, so that the item is neither shown nor met.
	Box geom.Box

	Hidden, Locked bool
	Geometry       bool
	Billboard      float64
	Collision      document.Collision // never ""
	Radius         float64            // of the collision sphere, in metres of the world
}

// Mirrored reports whether the item's matrix turns left hands into right ones.
func (it *Item) Mirrored() bool { return it.World.Mat3().Det() < 0 }

// Sphere is the item's collision sphere: around the middle of its mesh's bounds.
func (it *Item) Sphere() geom.Sphere {
	c := mgl64.TransformCoordinate(it.Model.Bounds.Center(), it.World)
	return geom.Sphere{Center: c, Radius: it.Radius}
}

// stretch is the largest factor by which m lengthens a direction along its axes.
func stretch(m mgl64.Mat4) float64 {
	return max(m.Col(0).Vec3().Len(), m.Col(1).Vec3().Len(), m.Col(2).Vec3().Len())
}

func (it *Item) settle(o *document.Object) {
	r := it.Model.Bounds.Size().Len() / 2
	if o != nil {
		it.Geometry, it.Billboard, it.Collision = o.Geometry, o.Billboard, o.Collision
		if o.CollisionRadius > 0 {
			r = o.CollisionRadius
		}
	}
	if it.Collision == "" {
		it.Collision = document.CollideMesh
	}
	it.Radius = r * stretch(it.World)
	it.Box = worldBox(it.Model, it.World)
	if !document.InReach(it.World[:]...) || !it.Box.IsEmpty() && !inReach(it.Box) {
		it.Box = geom.EmptyBox()
	}
}

func inReach(b geom.Box) bool { return document.InReach(b.Min[:]...) && document.InReach(b.Max[:]...) }

// Inverse is the matrix back from the item's place to the model's space. mgl64 takes
// those of small things for singular.
func (it *Item) Inverse() (inv mgl64.Mat4, ok bool) {
	m := it.World.Mat3()
	a, b, c := m.Col(0), m.Col(1), m.Col(2)
	rows := [3]mgl64.Vec3{b.Cross(c), c.Cross(a), a.Cross(b)}
	det := a.Dot(rows[0])
	if !(math.Abs(det) > 0) || math.IsInf(det, 0) {
		return mgl64.Mat4{}, false
	}
	t := it.World.Col(3).Vec3()
	for r := range 3 {
		row := rows[r].Mul(1 / det)
		for k := range 3 {
			inv[4*k+r] = row[k]
		}
		inv[12+r] = -row.Dot(t)
	}
	inv[15] = 1
	return inv, true
}

// worldBox is the box of a model in the world: that of its corners where its
// bounds are turned, which is never too small.
func worldBox(m *Model, world mgl64.Mat4) geom.Box { return m.Bounds.Transform(world) }

// Solid is the model's shape for collision.
func (m *Model) Solid() *collide.Mesh { return m.solid() }
