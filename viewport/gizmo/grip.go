package gizmo

import (
	"math"

	"ridgeline/occluders/geom"
)

// grip measures how far the pointer has gone since a handle was taken.
type grip struct {
	body   body // at the start
	origin geom.Vec3
	normal geom.Vec3 // of the plane that rays are cut with
	first  geom.Vec3 // where the first ray cut it, from the origin
	now    geom.Vec3 // where the last one did

	kind Handle
	axis geom.Vec3 // moving, scaling: which way; turning: about which

	// flat follows the pointer in the plane of the screen: along is then what goes
	// along the axis, or turns about it.
	flat  bool
	along geom.Vec3

	angle float64 // turned so far
	last  float64 // angle of the last ray that had one, −π–π
}

// The cosines between an axis and the line of sight from which an axis counts as
// seen end-on, and below which a plane or a ring counts as seen edge-on.
const (
	endOn      = 0.985
	edgeOn     = 0.06
	ringEdgeOn = 0.15
)

func gripOf(b *body, mode Mode, h Handle, ray geom.Ray) grip {
	kind, axis := h.axis()
	g := grip{body: *b, origin: b.origin, kind: kind}
	screen := b.view.Camera.Forward()
	g.normal = screen
	if axis >= 0 {
		g.axis = b.axes[axis]
	}
	up := b.view.Camera.Up()
	switch cos := math.Abs(g.axis.Dot(b.toward)); kind {
	case AxisX:
		if cos > endOn {
			g.flat, g.along = true, up
			break
		}
		g.normal = b.toward.Sub(g.axis.Mul(g.axis.Dot(b.toward))).Normalize()
	case PlaneX:
		if g.flat = cos < edgeOn; !g.flat {
			g.normal = g.axis
		}
		if mode == Scale {
			g.axis = b.axes[(axis+1)%3].Add(b.axes[(axis+2)%3]).Normalize()
		}
	case Centre:
		g.axis = b.view.Camera.Right().Add(up).Normalize()
	case RingX:
		if cos < ringEdgeOn {
			// The way of the ring's point that is nearest to the viewer.
			g.flat, g.along = true, b.toward.Cross(g.axis).Normalize()
			break
		}
		g.normal = g.axis
	case RingView:
		g.axis = b.toward.Mul(-1)
		g.normal = g.axis
	case Ball:
		g.axis = b.toward.Mul(-1)
	}
	g.first = b.view.cut(ray, g.origin, g.normal).Sub(g.origin)
	g.now = g.first
	return g
}

// follow takes in another ray.
func (g *grip) follow(v *View, ray geom.Ray) {
	g.now = v.cut(ray, g.origin, g.normal).Sub(g.origin)
	if (g.kind != RingX && g.kind != RingView) || g.flat {
		return
	}
	// At the very middle there is no angle.
	if g.now.Len() < 0.5*g.body.dp || g.first.Len() < 1e-3*g.body.dp {
		return
	}
	e := g.first.Normalize()
	a := math.Atan2(g.now.Dot(g.axis.Cross(e)), g.now.Dot(e))
	g.angle += math.Remainder(a-g.last, 2*math.Pi)
	g.last = a
}

// way is how far the pointer has gone.
func (g *grip) way() geom.Vec3 { return g.now.Sub(g.first) }

// translation is the way along the handle.
func (g *grip) translation() geom.Vec3 {
	switch d := g.way(); {
	case g.kind == AxisX && g.flat:
		return g.axis.Mul(d.Dot(g.along))
	case g.kind == AxisX:
		return g.axis.Mul(d.Dot(g.axis))
	case g.kind == PlaneX:
		return d.Sub(g.axis.Mul(d.Dot(g.axis)))
	default:
		return d
	}
}

// rotation is what the pointer has turned.
func (g *grip) rotation() (axis geom.Vec3, angle float64) {
	r := RingRadius * g.body.dp
	switch {
	case g.kind == Ball:
		w := g.body.toward.Mul(-1).Cross(g.way())
		if l := w.Len(); l > 0 {
			return w.Mul(1 / l), l / r
		}
		return g.axis, 0
	case g.flat:
		return g.axis, g.way().Dot(g.along) / r
	}
	return g.axis, g.angle
}

// factor is what the pointer has stretched: the point that was taken follows it. The
// centre doubles with every length of an arm to the upper right.
func (g *grip) factor() float64 {
	arm := ArmLength * g.body.dp
	switch {
	case g.kind == Centre:
		return math.Exp2(min(max(g.way().Dot(g.axis)/arm, -20), 20))
	case g.flat && g.kind == AxisX:
		return 1 + g.way().Dot(g.along)/arm
	}
	from := g.first.Dot(g.axis)
	if math.Abs(from) < arm/8 {
		from = arm
	}
	return 1 + g.way().Dot(g.axis)/from
}
