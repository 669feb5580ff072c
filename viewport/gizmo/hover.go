package gizmo

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// ringSteps is the number of straight parts of a ring.
const ringSteps = 96

// Hover finds the handle under the pointer, whose line of sight is given: the one
// that is nearest on the screen, no more than a few dp away, and of equally near ones
// the one nearest to the viewer. It is None where there is none or the gizmo is out
// of sight.
func (g *Gizmo) Hover(ray geom.Ray, view View) Handle {
	b, ok := g.body(&view)
	if !ok {
		return None
	}
	cursor := view.PixelOf(ray)
	best, handle := touch{distance: tolerance*view.DP() + 1e-9}, None
	for h := AxisX; h < Ball; h++ {
		if !g.offers(h) || shown(h, &b.axes, b.toward) < grabbable {
			continue
		}
		if t, ok := b.touch(h, cursor); ok && t.before(best) {
			best, handle = t, h
		}
	}
	if handle == None && g.offers(Ball) {
		middle, ok := view.Pixel(g.Origin)
		if ok && cursor.Sub(middle).Len() < RingRadius*view.DP() {
			return Ball
		}
	}
	return handle
}

// body is a gizmo as it stands in a view.
type body struct {
	view   *View
	origin geom.Vec3
	axes   [3]geom.Vec3
	toward geom.Vec3 // line of sight to the origin
	dp     float64   // metres
}

func (g *Gizmo) body(view *View) (b body, ok bool) {
	dp, ok := view.Metre(g.Origin)
	return body{view, g.Origin, g.axes(), view.Toward(g.Origin), dp}, ok
}

// touch is how near a handle comes to the pointer.
type touch struct {
	distance float64 // pixels
	depth    float64 // along the view
}

func (t touch) before(o touch) bool {
	if t.distance != o.distance {
		return t.distance < o.distance
	}
	return t.depth < o.depth
}

// touch finds how near a handle is; ok is false when it is not in sight.
func (b *body) touch(h Handle, cursor mgl64.Vec2) (t touch, ok bool) {
	kind, axis := h.axis()
	switch kind {
	case AxisX:
		return b.touchLine(b.along(axis, armStart), b.along(axis, ArmLength), cursor)
	case PlaneX:
		return b.touchSquare(b.square(axis), cursor)
	case Centre:
		middle, ok := b.view.Pixel(b.origin)
		return touch{max(0, cursor.Sub(middle).Len()-centreRadius*b.view.DP()), b.view.depth(b.origin)}, ok
	case RingX:
		return b.touchRing(b.axes[axis], RingRadius, true, cursor)
	case RingView:
		return b.touchRing(b.toward, viewRadius, false, cursor)
	}
	return touch{}, false
}

// along is the point of an axis so many dp from the middle.
func (b *body) along(axis int, dp float64) geom.Vec3 {
	return b.origin.Add(b.axes[axis].Mul(dp * b.dp))
}

// square gives the corners of the square of a plane.
func (b *body) square(axis int) (c [4]geom.Vec3) {
	u, v := b.axes[(axis+1)%3], b.axes[(axis+2)%3]
	for i, k := range [4][2]float64{{planeStart, planeStart}, {planeEnd, planeStart}, {planeEnd, planeEnd}, {planeStart, planeEnd}} {
		c[i] = b.origin.Add(u.Mul(k[0] * b.dp)).Add(v.Mul(k[1] * b.dp))
	}
	return c
}

func (b *body) touchLine(p, q geom.Vec3, cursor mgl64.Vec2) (touch, bool) {
	a, okA := b.view.Pixel(p)
	c, okC := b.view.Pixel(q)
	if !okA || !okC {
		return touch{}, false
	}
	d, share := distanceToSegment(cursor, a, c)
	return touch{d, b.view.depth(p.Add(q.Sub(p).Mul(share)))}, true
}

func (b *body) touchSquare(corners [4]geom.Vec3, cursor mgl64.Vec2) (touch, bool) {
	var flat [4]mgl64.Vec2
	var middle geom.Vec3
	for i, c := range corners {
		var ok bool
		if flat[i], ok = b.view.Pixel(c); !ok {
			return touch{}, false
		}
		middle = middle.Add(c.Sub(corners[0]).Mul(0.25))
	}
	return touch{distanceToPolygon(cursor, flat[:]), b.view.depth(corners[0].Add(middle))}, true
}

// touchRing looks at a ring's part on the viewer's side, or at all of it.
func (b *body) touchRing(axis geom.Vec3, radius float64, nearSide bool, cursor mgl64.Vec2) (touch, bool) {
	best := touch{distance: math.Inf(1)}
	b.ring(axis, radius, func(p, q geom.Vec3, behind bool) {
		if behind && nearSide {
			return
		}
		if t, ok := b.touchLine(p, q, cursor); ok && t.before(best) {
			best = t
		}
	})
	return best, !math.IsInf(best.distance, 1)
}

// ring gives the straight parts of a ring and whether they are on its far side. Of a
// ring that faces the viewer nothing is.
func (b *body) ring(axis geom.Vec3, radius float64, do func(p, q geom.Vec3, behind bool)) {
	u, v := across(axis)
	r := radius * b.dp
	at := func(i int) geom.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%ringSteps) / ringSteps)
		return u.Mul(r * cos).Add(v.Mul(r * sin))
	}
	for i := range ringSteps {
		p, q := at(i), at(i+1)
		do(b.origin.Add(p), b.origin.Add(q), p.Add(q).Dot(b.toward)/2 > 0.1*r)
	}
}

// across gives two unit vectors at right angles to a unit axis and to each other, so
// that u × v is the axis.
func across(n geom.Vec3) (u, v geom.Vec3) {
	least := 0
	for i := range n {
		if math.Abs(n[i]) < math.Abs(n[least]) {
			least = i
		}
	}
	var e geom.Vec3
	e[least] = 1
	u = n.Cross(e).Normalize()
	return u, n.Cross(u)
}
