package gizmo

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// The bounds of a dragged scale. A typed one may also be negative, which mirrors.
const (
	MinFactor = 0.01
	MaxFactor = 10_000.0
)

// Drag is a handle that is held. It is not safe for concurrent use.
type Drag struct {
	gizmo  Gizmo // as it was at the start
	taken  Handle
	handle Handle // the one that counts: another than taken after an axis key
	start  body
	first  View
	from   geom.Ray

	grip grip

	ray  geom.Ray // of the last Move
	view View
	snap Snap

	entry   entry
	result  Transform
	snapped *geom.Vec3 // what it snapped to in space
}

// Begin takes hold of a handle; ray is the line of sight through the pointer. ok is
// false when the gizmo does not offer the handle or is out of sight.
func (g *Gizmo) Begin(h Handle, ray geom.Ray, view View) (d *Drag, ok bool) {
	if !g.offers(h) {
		return nil, false
	}
	d = &Drag{gizmo: *g, taken: h, first: view, from: ray, ray: ray, view: view}
	if d.start, ok = g.body(&d.first); !ok {
		return nil, false
	}
	d.entry.active = slotOf(g.Mode, h)
	d.hold(h)
	d.update()
	return d, true
}

// Handle is the handle that counts; axis keys change it.
func (d *Drag) Handle() Handle { return d.handle }

// Gizmo is the gizmo as it was when the drag began.
func (d *Drag) Gizmo() Gizmo { return d.gizmo }

// Move follows the pointer and tells what the drag amounts to. The camera may have
// moved since.
func (d *Drag) Move(ray geom.Ray, view View, snap Snap) Transform {
	d.ray, d.view, d.snap = ray, view, snap
	d.grip.follow(&d.view, d.ray)
	d.update()
	return d.result
}

// Transform tells what the drag amounts to so far.
func (d *Drag) Transform() Transform { return d.result }

// Snapped is the point in space that the drag has snapped to, if it has.
func (d *Drag) Snapped() (p geom.Vec3, ok bool) {
	if d.snapped == nil {
		return geom.Vec3{}, false
	}
	return *d.snapped, true
}

// Frame is where the thing is now; its orientation is that of the start.
func (d *Drag) Frame() Frame {
	f := d.gizmo.Frame
	f.Origin = f.Origin.Add(d.result.Translation)
	return f
}

// hold begins to measure with a handle, from the first ray to the last one.
func (d *Drag) hold(h Handle) {
	d.handle = h
	d.grip = gripOf(&d.start, d.gizmo.Mode, h, d.from)
	d.grip.follow(&d.view, d.ray)
}

// update computes the result from the pointer, or from what is typed.
func (d *Drag) update() {
	t := unmoved(d.gizmo.Origin, d.gizmo.orientation())
	d.snapped = nil
	typed := d.entry.any()
	switch d.gizmo.Mode {
	case Move:
		if typed {
			for i, a := range d.start.axes {
				t.Translation = t.Translation.Add(a.Mul(d.entry.value(i)))
			}
			break
		}
		d.move(&t)
	case Rotate:
		if typed {
			t.turn(d.grip.axis, d.entry.value(d.entry.active)*math.Pi/180)
			break
		}
		axis, angle := d.grip.rotation()
		t.turn(axis, step(angle, d.snap.Angle))
	case Scale:
		if typed {
			for i := range t.Scale {
				t.Scale[i] = d.entry.factor(i, d.handle.moves(i))
			}
			break
		}
		f := d.grip.factor()
		if s := d.snap.Scale; s > 0 {
			f = max(step(f, s), s)
		}
		for i := range t.Scale {
			if d.handle.moves(i) {
				t.Scale[i] = min(max(f, MinFactor), MaxFactor)
			}
		}
	}
	d.result = t
}

// move is the translation by the pointer.
func (d *Drag) move(t *Transform) {
	if target, normal, ok := d.snap.target(&d.view, d.ray, d.offset()); ok {
		d.snapped = &target
		t.Translation = d.allowed(target.Sub(d.gizmo.Origin))
		if normal != nil && d.handle == Centre {
			t.Rotation = toNormal(d.gizmo.Frame, *normal)
			t.Axis, t.Angle = axisAngle(t.Rotation)
		}
		return
	}
	t.Translation = d.grid(d.grip.translation())
}

// offset is how far beside the gizmo's middle it was taken, in pixels.
func (d *Drag) offset() mgl64.Vec2 {
	p, _ := d.first.Pixel(d.gizmo.Origin)
	return d.first.PixelOf(d.from).Sub(p)
}

// allowed is the part of a translation that the handle can make.
func (d *Drag) allowed(v geom.Vec3) geom.Vec3 {
	if d.handle == Centre {
		return v
	}
	var out geom.Vec3
	for i, a := range d.start.axes {
		if d.handle.moves(i) {
			out = out.Add(a.Mul(v.Dot(a)))
		}
	}
	return out
}

// grid rounds a translation along each axis that it is made of.
func (d *Drag) grid(v geom.Vec3) geom.Vec3 {
	g := d.snap.Grid
	if !(g > 0) {
		return v
	}
	var out geom.Vec3
	for i, a := range d.start.axes {
		if !d.handle.moves(i) {
			continue
		}
		t := v.Dot(a)
		if from := d.gizmo.Origin[i]; d.snap.Absolute && d.gizmo.Space == World {
			t = step(from+t, g) - from
		} else {
			t = step(t, g)
		}
		out = out.Add(a.Mul(t))
	}
	return out
}

// step rounds to multiples of a step; 0 is none.
func step(v, s float64) float64 {
	if !(s > 0) {
		return v
	}
	return math.Round(v/s) * s
}
