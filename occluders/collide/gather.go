package collide

import (
	"ridgeline/occluders/geom"
)

// near holds the pieces of a world in a box, relative to a base.
type near struct {
	world   *World
	version uint64
	ignore  uint64
	valid   bool
	box     geom.Box // in the world, what the pieces are complete for
	base    Vec3
	pieces  []piece

	bodies, triangles []int32
	ground            []GroundTriangle
}

// margin is by how much more than needed is gathered, in metres, so that a walker
// need not look again at each step.
const margin = 0.5

// cover makes sure that the pieces in box are known; fresh says that they are other
// ones than before.
func (g *near) cover(w *World, box geom.Box, ignore uint64) (fresh bool) {
	if g.valid && g.world == w && g.version == w.version && g.ignore == ignore &&
		g.box.Contains(box.Min) && g.box.Contains(box.Max) {
		return false
	}
	m := Vec3{margin, margin, margin}
	g.box = geom.Box{Min: box.Min.Sub(m), Max: box.Max.Add(m)}
	g.base = g.box.Center()
	g.world, g.version, g.valid = w, w.version, true
	g.ignore = ignore
	g.pieces = g.pieces[:0]
	if w.ground != nil {
		g.ground = w.ground.AppendTriangles(g.ground[:0], g.box)
		for i := range g.ground {
			t := &g.ground[i]
			a, b, c := t.P[0].Sub(g.base), t.P[1].Sub(g.base), t.P[2].Sub(g.base)
			g.add(a, b, c, OnGround, int32(t.Triangle))
		}
	}
	g.bodies = w.tree.AppendOverlapping(g.bodies[:0], g.box)
	for _, i := range g.bodies {
		o := &w.bodies[i]
		if ignore != 0 && o.ID == ignore {
			continue
		}
		switch o.Kind {
		case KindSphere:
			g.addBall(i, o)
		case KindMesh:
			g.addMesh(i, o)
		}
	}
	return true
}

func (g *near) addBall(i int32, o *body) {
	if o.ball.Radius <= 0 {
		return
	}
	b := ballBox(geom.Sphere{Center: o.ball.Center.Sub(g.base), Radius: o.ball.Radius})
	g.pieces = append(g.pieces, piece{
		a: o.ball.Center.Sub(g.base), ball: o.ball.Radius,
		lo: b.Min, hi: b.Max, body: i, triangle: ballPiece,
	})
}

func (g *near) addMesh(i int32, o *body) {
	if o.Mesh == nil || o.flat {
		return
	}
	g.triangles = o.Mesh.tree.AppendOverlapping(g.triangles[:0], o.localBox(g.box))
	place := o.place.Sub(g.base)
	for _, t := range g.triangles {
		a, b, c := o.Mesh.corners(int(t))
		a, b, c = o.axes.Mul3x1(a).Add(place), o.axes.Mul3x1(b).Add(place), o.axes.Mul3x1(c).Add(place)
		g.add(a, b, c, i, t)
	}
}

// add keeps a triangle that has an area and touches the box.
func (g *near) add(a, b, c Vec3, body, triangle int32) {
	n := b.Sub(a).Cross(c.Sub(a))
	l := n.Len()
	if !(l > 0) {
		return
	}
	p := piece{a: a, b: b, c: c, n: n.Mul(1 / l), body: body, triangle: triangle}
	for k := range 3 {
		p.lo[k], p.hi[k] = min(a[k], b[k], c[k]), max(a[k], b[k], c[k])
		if p.lo[k]+g.base[k] > g.box.Max[k] || p.hi[k]+g.base[k] < g.box.Min[k] {
			return
		}
	}
	g.pieces = append(g.pieces, p)
}

// pathBox is the box, in the world, around a capsule that moves by delta, and gap
// more to each side.
func pathBox(c Capsule, delta Vec3, gap float64) geom.Box {
	b := geom.BoxOf(c.A, c.B)
	b = b.Union(b.Translate(delta))
	r := c.Radius + gap
	return geom.Box{Min: b.Min.Sub(Vec3{r, r, r}), Max: b.Max.Add(Vec3{r, r, r})}
}

// longest is how far a capsule is swept at once, in metres, so that no more than
// what is near its path is looked at.
func longest(c Capsule) float64 {
	return max(1, 4*(c.Radius+c.B.Sub(c.A).Len()))
}

// The greatest shapes and motions that a Slider takes, in metres: they bound what is
// looked at, and for how long.
const (
	MaxSize   = 100     // radius, and distance of A and B
	MaxMotion = 100_000 // a longer motion is cut to this
)

func (c Capsule) valid() bool {
	return finite(c.A) && finite(c.B) && c.Radius > 0 && c.Radius <= MaxSize && c.B.Sub(c.A).Len() <= MaxSize
}
