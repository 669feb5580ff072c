package gizmo

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/camera"
)

// reachable tells whether the eye sees a point well enough for an exact answer.
func reachable(v View, g Gizmo, p geom.Vec3) bool {
	if v.Camera.Ortho {
		return true
	}
	d := p.Sub(v.Camera.Eye)
	return d.Dot(v.Camera.Forward()) > v.Camera.Near && d.Len() < 100*g.Origin.Sub(v.Camera.Eye).Len()
}

// fineness is what rounding may do to an answer about a point: the numbers are as
// big as the distance from the origin, and shallow rays enlarge it.
func fineness(v View, g Gizmo, p geom.Vec3) float64 {
	distance := max(p.Sub(v.Camera.Eye).Len(), g.Origin.Sub(v.Camera.Eye).Len(), 1)
	return 1e-14 * (g.Origin.Len() + distance) * 1e3 * distance
}

// A point of the thing that was taken stays under the pointer.
func TestMovingFollowsThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		g := d.gizmo(v, Move)
		b, _ := g.body(&v)
		for _, h := range all(Move) {
			kind, axis := h.axis()
			if shown(h, &b.axes, b.toward) < grabbable {
				continue
			}
			far := ArmLength * b.dp * math.Exp(d.between(-3, 4))
			var from, by geom.Vec3
			switch kind {
			case AxisX:
				from, by = b.axes[axis].Mul(50*b.dp), b.axes[axis].Mul(far)
			case PlaneX:
				u, w := b.axes[(axis+1)%3], b.axes[(axis+2)%3]
				from = u.Add(w).Mul(30 * b.dp)
				by = u.Mul(d.between(-far, far)).Add(w.Mul(d.between(-far, far)))
			case Centre:
				by = v.Camera.Right().Mul(d.between(-far, far)).Add(v.Camera.Up().Mul(d.between(-far, far)))
			}
			if d.IntN(2) == 0 {
				by = by.Mul(-1)
			}
			from = g.Origin.Add(from)
			to := from.Add(by)
			if !reachable(v, g, to) {
				continue
			}
			drag := begin(t, g, h, through(v, from), v)
			drag.Move(v.Ray(mgl64.Vec2{d.between(0, 1280), d.between(0, 720)}), v, Snap{}) // where it was before does not matter
			got := drag.Move(through(v, to), v, Snap{})
			nearVec(t, fmt.Sprintf("the way of handle %d", h), got.Translation, by, fineness(v, g, to))
			if got.Rotation != mgl64.QuatIdent() || got.Scale != (geom.Vec3{1, 1, 1}) || got.Pivot != g.Origin {
				t.Fatalf("moving also does %+v", got)
			}
			nearVec(t, "the frame", drag.Frame().Origin, g.Origin.Add(by), fineness(v, g, to))

			// The camera may move meanwhile.
			w := v
			w.Camera.Eye = w.Camera.Eye.Add(d.point(0.2 * g.Origin.Sub(v.Camera.Eye).Len()))
			w.Camera.Yaw += d.between(-0.2, 0.2)
			c := w.Toward(g.Origin)
			if cos := drag.grip.normal.Dot(c); reachable(w, g, to) && math.Abs(cos) > 0.2 && cos*drag.grip.normal.Dot(b.toward) > 0 {
				got := drag.Move(through(w, to), w, Snap{})
				nearVec(t, "the way under a moving camera", got.Translation, by, 10*fineness(w, g, to))
			}
		}
	})
}

func TestSpaces(t *testing.T) {
	v := looking(30)
	q := mgl64.QuatRotate(0.5, geom.Vec3{0, 1, 0})
	for _, c := range []struct {
		space Space
		axis  geom.Vec3
	}{{World, geom.Vec3{1, 0, 0}}, {Local, q.Rotate(geom.Vec3{1, 0, 0})}} {
		g := Gizmo{Space: c.space, Frame: Frame{Orientation: q}}
		d := begin(t, g, AxisX, through(v, c.axis), v)
		if got := d.Move(through(v, c.axis.Mul(3.5)), v, Snap{}).Translation; !(got.Sub(c.axis.Mul(2.5)).Len() < 1e-9) {
			t.Errorf("space %d: moved by %v along %v", c.space, got, c.axis)
		}
	}
	// Scaling goes along the thing's own axes always.
	g := Gizmo{Mode: Scale, Space: World, Frame: Frame{Orientation: q}}
	d := begin(t, g, AxisX, through(v, q.Rotate(geom.Vec3{1, 0, 0})), v)
	got := d.Move(through(v, q.Rotate(geom.Vec3{2, 0, 0})), v, Snap{})
	if !(got.Scale.Sub(geom.Vec3{2, 1, 1}).Len() < 1e-9) || got.Axes != q {
		t.Errorf("scaled by %v along %v", got.Scale, got.Axes)
	}
}

// Rings give the exact angle and count whole turns.
func TestTurningFollowsThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		g := d.gizmo(v, Rotate)
		b, _ := g.body(&v)
		for _, h := range []Handle{RingX, RingY, RingZ, RingView} {
			n := b.toward.Mul(-1)
			if kind, axis := h.axis(); kind == RingX {
				n = b.axes[axis]
			}
			if math.Abs(n.Dot(b.toward)) < ringEdgeOn+0.01 {
				continue
			}
			x, y := across(n)
			at := func(angle float64) geom.Ray {
				sin, cos := math.Sincos(angle)
				r := d.between(20, 90) * b.dp
				return through(v, g.Origin.Add(x.Mul(r*cos)).Add(y.Mul(r*sin)))
			}
			start := d.between(-7, 7)
			drag := begin(t, g, h, at(start), v)
			total := 0.0
			for range d.IntN(60) {
				total += d.between(-1.5, 3)
				drag.Move(at(start+total), v, Snap{})
			}
			fine := 1e-4 // the rays are rounded far from the origin
			got := drag.Transform()
			near(t, fmt.Sprintf("the angle of handle %d", h), got.Angle, total, fine)
			nearVec(t, "the axis", got.Axis, n, 1e-9)
			p := g.Origin.Add(x)
			sin, cos := math.Sincos(total)
			nearVec(t, "a turned point", got.Point(p).Sub(g.Origin), x.Mul(cos).Add(y.Mul(sin)), fine+1e-9)
			snapped := drag.Move(at(start+total), v, Snap{Angle: math.Pi / 12})
			near(t, "the snapped angle", snapped.Angle, math.Round(got.Angle/(math.Pi/12))*math.Pi/12, 1e-9)
		}
	})
}

// The nearest point of a ring seen edge-on goes with the pointer.
func TestRingsSeenEdgeOn(t *testing.T) {
	for _, ortho := range []bool{false, true} {
		v := View{Camera: camera.Look(geom.Vec3{0, 0, 20}, geom.Vec3{}), Size: mgl64.Vec2{1280, 720}}
		v.Camera.Ortho, v.Camera.Height = ortho, 20
		g := Gizmo{Mode: Rotate}
		b, _ := g.body(&v)
		r := RingRadius * b.dp
		// Around Y, the front goes right; around X it goes down.
		for h, way := range map[Handle]geom.Vec3{RingY: {1, 0, 0}, RingX: {0, -1, 0}} {
			d := begin(t, g, h, through(v, geom.Vec3{}), v)
			for _, k := range []float64{0.5, 3, -2} {
				if got := d.Move(through(v, way.Mul(k)), v, Snap{}).Angle; !(math.Abs(got-k/r) < 1e-9) {
					t.Errorf("ortho %v: ring %d turns by %g, expected %g", ortho, h, got, k/r)
				}
			}
		}
		d := begin(t, g, Ball, through(v, geom.Vec3{}), v)
		got := d.Move(through(v, geom.Vec3{0.3, 0.4, 0}), v, Snap{})
		if front := got.Point(geom.Vec3{0, 0, 0.001}); !(front.Cross(geom.Vec3{0.3, 0.4, front[2]}).Len() < 1e-3) || !(math.Abs(got.Angle-0.5/r) < 1e-9) || front[0] <= 0 {
			t.Errorf("ortho %v: the ball's front goes to %v, by %g", ortho, front, got.Angle)
		}
	}
}

// An axis that points at the viewer, chosen by key, follows the pointer upwards.
func TestAxesSeenEndOn(t *testing.T) {
	for _, ortho := range []bool{false, true} {
		v := View{Camera: camera.Look(geom.Vec3{0, 0, 20}, geom.Vec3{}), Size: mgl64.Vec2{1280, 720}}
		v.Camera.Ortho, v.Camera.Height = ortho, 20
		for _, tilt := range []float64{0, 0.05} {
			g := Gizmo{Space: Local, Frame: Frame{Orientation: mgl64.QuatRotate(tilt, geom.Vec3{1, 0, 0})}}
			z := g.axes()[2]
			d := begin(t, g, Centre, through(v, geom.Vec3{1, 0, 0}), v)
			d.Move(through(v, geom.Vec3{2, 1.5, 0}), v, Snap{})
			d.Type('z')
			if got := d.Transform().Translation; !(got.Sub(z.Mul(1.5)).Len() < 1e-9) {
				t.Errorf("ortho %v, tilted by %g: moves by %v, expected %v", ortho, tilt, got, z.Mul(1.5))
			}
			g.Mode = Scale
			b, _ := g.body(&v)
			d = begin(t, g, AxisZ, through(v, geom.Vec3{}), v)
			if got := d.Move(through(v, geom.Vec3{0, ArmLength * b.dp, 0}), v, Snap{}).Scale; !(got.Sub(geom.Vec3{1, 1, 2}).Len() < 1e-9) {
				t.Errorf("ortho %v, tilted by %g: scales by %v", ortho, tilt, got)
			}
		}
	}
}

func TestScalingFollowsThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		g := d.gizmo(v, Scale)
		b, _ := g.body(&v)
		for _, h := range all(Scale) {
			kind, axis := h.axis()
			if shown(h, &b.axes, b.toward) < grabbable || h == Centre {
				continue
			}
			from := b.axes[max(axis, 0)]
			want := geom.Vec3{1, 1, 1}
			k := math.Exp(d.between(-3, 2))
			if kind == PlaneX {
				from = b.axes[(axis+1)%3].Add(b.axes[(axis+2)%3])
				want = geom.Vec3{k, k, k}
				want[axis] = 1
			} else {
				want[axis] = k
			}
			from = from.Mul(40 * b.dp)
			to := g.Origin.Add(from.Mul(k))
			if !reachable(v, g, to) {
				continue
			}
			drag := begin(t, g, h, through(v, g.Origin.Add(from)), v)
			got := drag.Move(through(v, to), v, Snap{})
			tol := 10 * fineness(v, g, to) / from.Len()
			nearVec(t, fmt.Sprintf("the scale by handle %d", h), got.Scale, want, tol+1e-9)
			nearVec(t, "the point that was taken", got.Point(g.Origin.Add(from)), to, tol*from.Len()+1e-6)
			snapped := drag.Move(through(v, to), v, Snap{Scale: 0.25}).Scale
			for i := range snapped {
				if want[i] != 1 && snapped[i] != max(math.Round(got.Scale[i]/0.25), 1)*0.25 {
					t.Fatalf("%g snaps to %g", got.Scale[i], snapped[i])
				}
			}
		}
		// The centre doubles with each arm's length.
		drag := begin(t, g, Centre, through(v, g.Origin), v)
		k := d.between(-2, 2)
		way := v.Camera.Right().Add(v.Camera.Up()).Normalize().Mul(k * ArmLength * b.dp)
		f := drag.Move(through(v, g.Origin.Add(way)), v, Snap{}).Scale
		nearVec(t, "the even scale", f, geom.Vec3{1, 1, 1}.Mul(math.Exp2(k)), 1e-4)
	})
}

// Taking a handle, anywhere near it or not, does nothing by itself.
func TestNothingJumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		for m := range Mode(3) {
			g := d.gizmo(v, m)
			middle, _ := v.Pixel(g.Origin)
			for _, h := range all(m) {
				r := v.Ray(middle.Add(mgl64.Vec2{d.between(-90, 90), d.between(-90, 90)}))
				drag := begin(t, g, h, r, v)
				for _, got := range []Transform{drag.Transform(), drag.Move(r, v, Snap{})} {
					p := g.Origin.Add(d.point(1))
					nearVec(t, "a point", got.Point(p), p, 1e-9)
				}
			}
		}
	})
}

// Wherever the pointer goes, the answer is a number, and no farther away than the
// reach; and it does not leap, however flat a plane is seen.
func TestGrazingAnglesAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		m := Mode(d.IntN(3))
		g := d.gizmo(v, m)
		if d.IntN(2) == 0 { // some axis end-on, nearly
			g.Space = Local
			g.Orientation = toNormal(Frame{}, v.Toward(g.Origin))
			if d.IntN(2) == 0 {
				g.Orientation = mgl64.QuatRotate(d.between(-0.1, 0.1), d.direction()).Mul(g.Orientation)
			}
		}
		distance := g.Origin.Sub(v.Camera.Eye).Len() + v.Camera.Height
		middle, _ := v.Pixel(g.Origin)
		for _, h := range all(m) {
			drag := begin(t, g, h, v.Ray(middle.Add(mgl64.Vec2{d.between(-90, 90), d.between(-90, 90)})), v)
			for range 30 {
				got := drag.Move(v.Ray(mgl64.Vec2{d.between(-200, 1500), d.between(-200, 900)}), v, Snap{})
				if l := got.Translation.Len(); !(l <= 4*reachFactor*distance) {
					t.Fatalf("handle %d goes %g m, %g m away from the eye", h, l, distance)
				}
				if !(math.Abs(got.Angle) < 1e6) || !(math.Abs(got.Rotation.Len()-1) < 1e-9) {
					t.Fatalf("handle %d turns by %g: %v", h, got.Angle, got.Rotation)
				}
				for _, f := range got.Scale {
					if !(f >= MinFactor && f <= MaxFactor) {
						t.Fatalf("handle %d scales by %v", h, got.Scale)
					}
				}
			}
		}
	})
}

// A pointer that rises over the horizon takes the thing away ever farther, up to the
// reach, and never back.
func TestOverTheHorizon(t *testing.T) {
	v := View{Camera: camera.Look(geom.Vec3{0, 6, 20}, geom.Vec3{0, 6, 0}), Size: mgl64.Vec2{1280, 720}}
	v.Camera.Pitch = -0.1
	for _, h := range []Handle{PlaneY, AxisZ} {
		g := Gizmo{}
		d := begin(t, g, h, through(v, geom.Vec3{0, 0, 1}), v)
		last, most := 0.0, 0.0
		for y := 400.0; y > 100; y -= 0.01 {
			got := d.Move(v.Ray(mgl64.Vec2{640, y}), v, Snap{}).Translation
			away := -got[2]
			if most > 0 && away < last-1e-6*last {
				t.Fatalf("handle %d comes back from %g to %g at %g px", h, last, away, y)
			}
			if away-last > 0.3*(last+20) && most > 0 {
				t.Fatalf("handle %d leaps from %g to %g at %g px", h, last, away, y)
			}
			last, most = away, max(most, away)
		}
		if !(most > 15_000 && most < 21_000) {
			t.Errorf("handle %d goes as far as %g m", h, most)
		}
	}
}

// A level that is moved by 100 km behaves the same.
func TestFarFromTheOrigin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		v.Camera.Eye = d.point(100)
		m := Mode(d.IntN(3))
		g := d.gizmo(v, m)
		shift := geom.Vec3{1e5, -2e3, 1e5}
		w, far := v, g
		w.Camera.Eye = w.Camera.Eye.Add(shift)
		far.Origin = far.Origin.Add(shift)
		middle, _ := v.Pixel(g.Origin)
		for _, h := range all(m) {
			b, _ := g.body(&v)
			if shown(h, &b.axes, b.toward) < grabbable {
				continue
			}
			p := middle.Add(mgl64.Vec2{d.between(-90, 90), d.between(-90, 90)}.Mul(v.DP()))
			q := middle.Add(mgl64.Vec2{d.between(-200, 200), d.between(-150, 150)})
			a, b1 := begin(t, g, h, v.Ray(p), v), begin(t, far, h, w.Ray(p), w)
			x, y := a.Move(v.Ray(q), v, Snap{}), b1.Move(w.Ray(q), w, Snap{})
			size := 1 + x.Translation.Len() + g.Origin.Sub(v.Camera.Eye).Len()
			nearVec(t, "the way", y.Translation, x.Translation, 1e-7*size*(1+x.Translation.Len()/g.Origin.Sub(v.Camera.Eye).Len()))
			near(t, "the angle", y.Angle, x.Angle, 1e-5)
			nearVec(t, "the scale", y.Scale, x.Scale, 1e-6*x.Scale.Len())
		}
	})
}

// What Apply says of a thing is what Point says of its points, as long as the thing
// is not sheared.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		own := d.turned()
		tr := unmoved(d.point(10), own)
		if d.IntN(2) == 0 {
			tr.Scale = geom.Vec3{d.between(0.1, 3), d.between(-3, -0.1), d.between(0.1, 3)}
		} else {
			tr.Axes = d.turned()
			tr.Scale = geom.Vec3{1, 1, 1}.Mul(d.between(-3, -0.1))
		}
		tr.turn(d.direction(), d.between(-9, 9))
		tr.Translation = d.point(10)
		at, scale := d.point(10), d.point(3)
		newAt, newTurn, newScale := tr.Apply(at, own, scale)
		for range 5 {
			p := d.point(1)
			world := func(at geom.Vec3, q mgl64.Quat, s geom.Vec3) geom.Vec3 {
				return at.Add(q.Rotate(geom.Vec3{p[0] * s[0], p[1] * s[1], p[2] * s[2]}))
			}
			nearVec(t, "a point", world(newAt, newTurn, newScale), tr.Point(world(at, own, scale)), 1e-9)
		}
		// Sheared things keep their lengths along their own axes.
		tr.Axes, tr.Scale = d.turned(), geom.Vec3{2, 1, 0.5}
		_, _, newScale = tr.Apply(at, own, geom.Vec3{1, 1, 1})
		for i := range newScale {
			var e geom.Vec3
			e[i] = 1
			e = own.Rotate(e)
			near(t, "a length", newScale[i], tr.Point(at.Add(e)).Sub(tr.Point(at)).Len(), 1e-9)
		}
	})
}
