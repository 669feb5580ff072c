package collide

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// Kind says what of a body is solid.
type Kind uint8

// The kinds of solid bodies.
const (
	KindMesh   Kind = iota // its triangles
	KindSphere             // a ball around the middle of its bounds
	KindNone               // nothing; only Filter.Exact meets it
)

// Mesh is the shape that any number of bodies share, in its own space. It does not
// change.
type Mesh struct {
	positions []mgl32.Vec3
	indices   []uint32
	tree      *nodetree.Triangles
}

// MeshTree are the options of the node tree over a mesh for bodies to walk on:
// walking asks for what lies within a few metres.
var MeshTree = nodetree.Options{Split: nodetree.Oct, MinSize: 1, MaxItems: 16}

// NewMesh takes triangles, counter-clockwise seen from outside, and the node tree
// over them, whose triangle numbers are those of indices; nil makes one with
// MeshTree. The slices are kept.
func NewMesh(positions []mgl32.Vec3, indices []uint32, tree *nodetree.Triangles) *Mesh {
	if tree == nil {
		tree = nodetree.BuildTriangles(positions, indices, MeshTree)
	}
	return &Mesh{positions, indices, tree}
}

// Bounds is the box around the mesh, in its own space.
func (m *Mesh) Bounds() geom.Box { return m.tree.Bounds() }

// corners gives the corners of a triangle that the tree knows.
func (m *Mesh) corners(triangle int) (a, b, c Vec3) {
	at := func(k int) Vec3 {
		p := m.positions[m.indices[3*triangle+k]]
		return Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	return at(0), at(1), at(2)
}

// MaxPlace bounds where a body may stand, in metres from the origin: there, float64
// still tells two micrometres apart.
const MaxPlace = 1e10

// Body is something solid that stands in a World.
type Body struct {
	ID    uint64     // the caller's name for it
	Mesh  *Mesh      // nil has no triangles, and its bounds are the point at its origin
	World mgl64.Mat4 // affine, from the mesh's space; zero stands for the identity
	Kind  Kind
	// Radius is that of the ball around the middle of the mesh's bounds, in metres of
	// the mesh's space; it grows with the longest axis of World. 0 stands for the
	// radius that holds the bounds, and is 0 without a mesh. It is also the body's
	// radius for Overlaps and Pairs if Kind is KindSphere.
	Radius float64
}

// Validate tells why a World does not take b.
func (b Body) Validate() error {
	for i, v := range b.World {
		if limit := float64(MaxPlace); !(math.Abs(v) <= limit) {
			return fmt.Errorf("number %d of a body's matrix is %g, expected -%g to %g", i+1, v, limit, limit)
		}
	}
	if b.World != (mgl64.Mat4{}) && b.World.Row(3) != (mgl64.Vec4{0, 0, 0, 1}) {
		return fmt.Errorf("the last row of a body's matrix is %v, expected 0 0 0 1", b.World.Row(3))
	}
	if b.Kind > KindNone {
		return fmt.Errorf("the kind of a body is %d, expected 0 to %d", b.Kind, KindNone)
	}
	if !(b.Radius >= 0 && b.Radius <= MaxPlace) {
		return fmt.Errorf("a body's collision radius is %g m, expected 0 to %g", b.Radius, float64(MaxPlace))
	}
	return nil
}

// body is a Body made ready for queries.
type body struct {
	Body
	live    bool
	axes    mgl64.Mat3 // the linear part of World
	inverse mgl64.Mat3 // of axes
	place   Vec3       // the translation of World
	flip    float64    // −1 if World mirrors, else 1
	ball    geom.Sphere
	// flat says that World has no inverse: the body has no volume, and no triangle of
	// it is met.
	flat bool
}

// prepare makes b ready and gives the box around all that can be met of it.
func prepare(b Body) (body, geom.Box) {
	if b.World == (mgl64.Mat4{}) {
		b.World = mgl64.Ident4()
	}
	o := body{Body: b, live: true, flip: 1}
	o.axes = b.World.Mat3()
	o.place = b.World.Col(3).Vec3()
	det := o.axes.Det()
	if det < 0 {
		o.flip = -1
	}
	if o.flat = !(math.Abs(det) > 1e-30); !o.flat {
		o.inverse = o.axes.Inv()
	}
	local := geom.BoxOf(Vec3{})
	if b.Mesh != nil {
		local = b.Mesh.Bounds()
		if local.IsEmpty() {
			local, o.Mesh = geom.BoxOf(Vec3{}), nil
		}
	}
	o.ball.Center = o.toWorld(local.Center())
	if b.Radius > 0 {
		longest := max(o.axes.Col(0).Len(), o.axes.Col(1).Len(), o.axes.Col(2).Len())
		o.ball.Radius = b.Radius * longest
	} else {
		for i := range 8 {
			o.ball.Radius = max(o.ball.Radius, o.toWorld(local.Corner(i)).Sub(o.ball.Center).Len())
		}
	}
	box := geom.EmptyBox()
	if o.Mesh != nil && !o.flat {
		for i := range 8 {
			box = box.Add(o.toWorld(local.Corner(i)))
		}
		// Corners rounded to world coordinates must not stick out.
		pad := 1e-9 * (1 + box.Size().Len() + o.place.Len()*1e-3)
		box = geom.Box{Min: box.Min.Sub(Vec3{pad, pad, pad}), Max: box.Max.Add(Vec3{pad, pad, pad})}
	}
	if b.Kind == KindSphere && o.ball.Radius > 0 {
		r := Vec3{1, 1, 1}.Mul(o.ball.Radius)
		box = box.Union(geom.Box{Min: o.ball.Center.Sub(r), Max: o.ball.Center.Add(r)})
	}
	return o, box
}

func (o *body) toWorld(p Vec3) Vec3 { return o.axes.Mul3x1(p).Add(o.place) }

// localRay takes a ray into the mesh's space; distances along it stay the same.
func (o *body) localRay(r geom.Ray) geom.Ray {
	return geom.Ray{Origin: o.inverse.Mul3x1(r.Origin.Sub(o.place)), Dir: o.inverse.Mul3x1(r.Dir)}
}

// localBox is the box, in the mesh's space, around a box in the world.
func (o *body) localBox(b geom.Box) geom.Box {
	c, half := b.Center().Sub(o.place), b.Size().Mul(0.5)
	c = o.inverse.Mul3x1(c)
	var h Vec3
	for row := range 3 {
		for col := range 3 {
			h[row] += math.Abs(o.inverse.At(row, col)) * half[col]
		}
		h[row] += 1e-9 * (math.Abs(c[row]) + h[row])
	}
	return geom.Box{Min: c.Sub(h), Max: c.Add(h)}
}

// normal is the outward normal in the world of a triangle with these corners in the
// mesh's space; zero if it has no area.
func (o *body) normal(a, b, c Vec3) Vec3 {
	n := o.axes.Mul3x1(b.Sub(a)).Cross(o.axes.Mul3x1(c.Sub(a)))
	l := n.Len()
	if !(l > 0) {
		return Vec3{}
	}
	return n.Mul(o.flip / l)
}
