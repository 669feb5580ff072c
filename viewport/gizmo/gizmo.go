package gizmo

import (
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Mode is what the gizmo does.
type Mode uint8

// The modes.
const (
	Move Mode = iota
	Rotate
	Scale
)

// Space is whose axes the gizmo has.
type Space uint8

// The spaces. Scaling always goes along the thing's own axes.
const (
	World Space = iota
	Local
)

// Frame is where a thing is and how it is turned. The zero orientation counts as
// none.
type Frame struct {
	Origin      geom.Vec3 // world
	Orientation mgl64.Quat
}

// Gizmo is the handle of a thing, or of several: then Frame is the place that they
// turn about. Copy and change it freely; it holds no state of a drag.
type Gizmo struct {
	Mode  Mode
	Space Space
	Frame
	Omit Handles // what is not offered
	// Names are those of its axes in labels, where X, Y and Z would be taken for the world's.
	// All empty: X, Y and Z.
	Names [3]string
}

// Handle is a part of the gizmo that can be grabbed.
type Handle uint8

// The handles. Moving and scaling have axes, planes, which are named by the axis
// that they do not change, and the centre: moving in the plane of the screen, or
// scaling evenly. Turning has rings around the axes, one around the line of sight,
// and the ball between them.
const (
	None Handle = iota
	AxisX
	AxisY
	AxisZ
	PlaneX
	PlaneY
	PlaneZ
	Centre
	RingX
	RingY
	RingZ
	RingView
	Ball
	handleCount
)

// Handles is a set of handles; the zero value is empty.
type Handles uint16

// With gives the set with some more handles.
func (s Handles) With(handles ...Handle) Handles {
	for _, h := range handles {
		s |= 1 << h
	}
	return s
}

// Has tells whether a handle is in the set.
func (s Handles) Has(h Handle) bool { return s>>h&1 == 1 }

// axis splits a handle into the first of its kind and the axis that it is for: 0–2,
// or −1 when it is for none.
func (h Handle) axis() (kind Handle, axis int) {
	switch {
	case h >= AxisX && h <= AxisZ:
		return AxisX, int(h - AxisX)
	case h >= PlaneX && h <= PlaneZ:
		return PlaneX, int(h - PlaneX)
	case h >= RingX && h <= RingZ:
		return RingX, int(h - RingX)
	}
	return h, -1
}

// moves tells whether a handle changes something along an axis.
func (h Handle) moves(axis int) bool {
	switch kind, own := h.axis(); kind {
	case AxisX:
		return own == axis
	case PlaneX:
		return own != axis
	}
	return h == Centre
}

// offers tells whether the gizmo has a handle.
func (g *Gizmo) offers(h Handle) bool {
	return (g.Mode == Rotate) == (h >= RingX) && h > None && h < handleCount && !g.Omit.Has(h)
}

// orientation is that of the gizmo's axes.
func (g *Gizmo) orientation() mgl64.Quat {
	if q := g.Orientation; q.Len() > 0 && (g.Space == Local || g.Mode == Scale) {
		return q.Normalize()
	}
	return mgl64.QuatIdent()
}

// axes are the unit vectors of the gizmo's axes.
func (g *Gizmo) axes() (a [3]geom.Vec3) {
	q := g.orientation()
	for i := range a {
		var e geom.Vec3
		e[i] = 1
		a[i] = q.Rotate(e)
	}
	return a
}

// The gizmo's measures, in dp.
const (
	armStart     = 16.0 // of an axis, from the middle
	ArmLength    = 84.0 // to the tip
	headLength   = 18.0
	headRadius   = 6.0
	planeStart   = 26.0 // of a plane's square
	planeEnd     = 46.0
	centreRadius = 10.0
	RingRadius   = 76.0
	viewRadius   = 94.0
	tolerance    = 6.0 // how far beside a handle the pointer may be
)

// The cosines between an axis, or a plane's normal, and the line of sight at which a
// handle begins to fade, and those at which it is gone.
const (
	axisFades, axisGone   = 0.95, 0.985
	planeFades, planeGone = 0.22, 0.09
	grabbable             = 0.3 // opacity
)

// shown is the opacity of a handle, 0–1, seen in a direction.
func shown(h Handle, axes *[3]geom.Vec3, toward geom.Vec3) float64 {
	kind, axis := h.axis()
	if axis < 0 {
		return 1
	}
	cos := axes[axis].Dot(toward)
	cos = max(cos, -cos)
	switch kind {
	case AxisX:
		return min(max((axisGone-cos)/(axisGone-axisFades), 0), 1)
	case PlaneX:
		return min(max((cos-planeGone)/(planeFades-planeGone), 0), 1)
	}
	return 1
}
