package gizmo

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

func TestGrid(t *testing.T) {
	v := looking(30)
	for _, c := range []struct {
		origin   geom.Vec3
		handle   Handle
		by       geom.Vec3
		absolute bool
		want     geom.Vec3 // of the translation
	}{
		{geom.Vec3{0.3, 0, 0}, AxisX, geom.Vec3{1.2, 0, 0}, false, geom.Vec3{1, 0, 0}},
		{geom.Vec3{0.3, 0, 0}, AxisX, geom.Vec3{1.2, 0, 0}, true, geom.Vec3{1.2, 0, 0}}, // 1.5
		{geom.Vec3{0.3, 0, 0}, AxisX, geom.Vec3{0.1, 0, 0}, true, geom.Vec3{0.2, 0, 0}}, // 0.5
		{geom.Vec3{0.3, 0.1, 0.1}, PlaneY, geom.Vec3{0.4, 0, 0.7}, true, geom.Vec3{0.2, 0, 0.9}},
		{geom.Vec3{0.3, 0.1, 0.1}, PlaneY, geom.Vec3{0.4, 0, 0.7}, false, geom.Vec3{0.5, 0, 0.5}},
	} {
		g := Gizmo{Frame: Frame{Origin: c.origin}}
		d := begin(t, g, c.handle, through(v, c.origin), v)
		got := d.Move(through(v, c.origin.Add(c.by)), v, Snap{Grid: 0.5, Absolute: c.absolute}).Translation
		if !(got.Sub(c.want).Len() < 1e-9) {
			t.Errorf("handle %d by %v, absolute %v: %v, expected %v", c.handle, c.by, c.absolute, got, c.want)
		}
	}
	// Local axes have steps of their own.
	q := mgl64.QuatRotate(0.7, geom.Vec3{0, 1, 0})
	g := Gizmo{Space: Local, Frame: Frame{Origin: geom.Vec3{0.1, 0.2, 0.3}, Orientation: q}}
	d := begin(t, g, AxisX, through(v, g.Origin), v)
	a := q.Rotate(geom.Vec3{1, 0, 0})
	if got := d.Move(through(v, g.Origin.Add(a.Mul(1.3))), v, Snap{Grid: 0.5, Absolute: true}).Translation; !(got.Sub(a.Mul(1.5)).Len() < 1e-9) {
		t.Errorf("locally by %v", got)
	}
}

// The vertex is the one that appears nearest, of those within reach.
func TestNearestVertex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		cursor := mgl64.Vec2{d.between(0, 1280), d.between(0, 720)}
		within := d.between(5, 30)
		var points []geom.Vec3
		best, found := math.Inf(1), false
		for range d.IntN(30) {
			p := v.Ray(cursor.Add(mgl64.Vec2{d.between(-60, 60), d.between(-60, 60)})).At(math.Exp(d.between(0, 7)))
			points = append(points, p)
			if q, ok := v.Pixel(p); ok && q.Sub(cursor).Len() <= within*v.DP() {
				best, found = min(best, q.Sub(cursor).Len()), true
			}
		}
		list := func(dst []geom.Vec3, near *geom.Frustum) []geom.Vec3 {
			for _, p := range points {
				if near.Point(p) || d.IntN(2) == 0 {
					dst = append(dst, p)
				}
			}
			return dst
		}
		p, ok := NearestVertex(v, v.Ray(cursor), within, list)
		if ok != found {
			t.Fatalf("found %v, expected %v", ok, found)
		}
		if q, _ := v.Pixel(p); ok && q.Sub(cursor).Len() > best+0.5*float64(len(points)) {
			t.Fatalf("found a vertex %g px away, one is at %g", q.Sub(cursor).Len(), best)
		}
	})
	// Of two in a line, the one in front.
	v := looking(30)
	a, b := geom.Vec3{}, v.Camera.Eye.Mul(-0.5)
	for _, points := range [][]geom.Vec3{{a, b}, {b, a}} {
		p, ok := NearestVertex(v, through(v, a), 5, func(dst []geom.Vec3, _ *geom.Frustum) []geom.Vec3 { return append(dst, points...) })
		if !ok || p != a {
			t.Errorf("found %v", p)
		}
	}
}

func TestSnapToVertex(t *testing.T) {
	v := looking(30)
	corner := geom.Vec3{2, 3, -1}
	snap := Snap{Grid: 1, Vertices: func(dst []geom.Vec3, _ *geom.Frustum) []geom.Vec3 { return append(dst, corner) }}
	for h, want := range map[Handle]geom.Vec3{AxisX: {1.5, 0, 0}, PlaneX: {0, 3, -1}, Centre: {1.5, 3, -1}} {
		g := Gizmo{Frame: Frame{Origin: geom.Vec3{0.5, 0, 0}}}
		d := begin(t, g, h, through(v, geom.Vec3{0.6, 0.1, 0}), v)
		got := d.Move(through(v, corner.Add(geom.Vec3{0.05, 0, 0})), v, snap)
		if !(got.Translation.Sub(want).Len() < 1e-9) {
			t.Errorf("handle %d goes by %v, expected %v", h, got.Translation, want)
		}
		if p, ok := d.Snapped(); !ok || p != corner {
			t.Errorf("snapped to %v", p)
		}
		// Away from it, to the grid.
		got = d.Move(through(v, geom.Vec3{-3, 0, 0}), v, snap)
		if _, ok := d.Snapped(); ok {
			t.Error("still snapped")
		}
		for i := range 3 {
			if !(math.Abs(got.Translation[i]-math.Round(got.Translation[i])) < 1e-9) {
				t.Errorf("handle %d goes by %v", h, got.Translation)
			}
		}
	}
}

func TestSnapToSurface(t *testing.T) {
	v := looking(30)
	n := geom.Vec3{0.3, 1, 0.2}.Normalize()
	slope := geom.Plane{N: n, D: 2}
	snap := Snap{Align: true, Surface: func(r geom.Ray) (geom.Vec3, geom.Vec3, bool) {
		k, ok := r.Plane(slope)
		return r.At(k), n, ok
	}}
	q := mgl64.QuatRotate(1.1, geom.Vec3{0, 1, 0})
	g := Gizmo{Frame: Frame{Orientation: q}}
	// The middle of the gizmo, not the pointer, lies on the surface.
	target := v.Camera.Eye.Add(v.Camera.Forward().Mul(10))
	k, _ := through(v, geom.Vec3{1, 0, 1}).Plane(slope)
	target = through(v, geom.Vec3{1, 0, 1}).At(k)
	beside := mgl64.Vec2{7, -4}
	at := func(p geom.Vec3) geom.Ray {
		px, _ := v.Pixel(p)
		return v.Ray(px.Add(beside))
	}
	d := begin(t, g, Centre, at(geom.Vec3{}), v)
	got := d.Move(at(target), v, snap)
	if !(got.Translation.Sub(target).Len() < 1e-6) {
		t.Errorf("goes to %v, expected %v", got.Translation, target)
	}
	_, turned, _ := got.Apply(geom.Vec3{}, q, geom.Vec3{1, 1, 1})
	if up := turned.Rotate(geom.Vec3{0, 1, 0}); !(up.Sub(n).Len() < 1e-9) {
		t.Errorf("stands along %v, expected %v", up, n)
	}
	if want := mgl64.QuatRotate(got.Angle, got.Axis).Rotate(geom.Vec3{1, 2, 3}); !(got.Rotation.Rotate(geom.Vec3{1, 2, 3}).Sub(want).Len() < 1e-9) {
		t.Errorf("%v is not %g about %v", got.Rotation, got.Angle, got.Axis)
	}
	snap.Align = false
	if got := d.Move(at(target), v, snap); got.Rotation != mgl64.QuatIdent() {
		t.Errorf("turns by %v", got.Rotation)
	}
	d = begin(t, g, AxisY, at(geom.Vec3{}), v)
	if got := d.Move(at(target), v, snap).Translation; !(got.Sub(geom.Vec3{0, target[1], 0}).Len() < 1e-6) {
		t.Errorf("upwards by %v, expected %g", got, target[1])
	}
	// Nothing is met.
	snap.Surface = func(geom.Ray) (p, n geom.Vec3, ok bool) { return }
	d.Move(at(target), v, snap)
	if _, ok := d.Snapped(); ok {
		t.Error("snapped to nothing")
	}
}

func TestAlignUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		q, n := d.turned(), d.direction()
		up := q.Rotate(geom.Vec3{0, 1, 0})
		switch d.IntN(4) {
		case 0:
			n = up
		case 1:
			n = up.Mul(-1)
		case 2:
			n = up.Mul(-1).Add(d.point(1e-9)).Normalize()
		}
		got := AlignUp(q, n)
		nearVec(t, "up", got.Rotate(geom.Vec3{0, 1, 0}), n, 1e-9)
		near(t, "the length", got.Len(), 1, 1e-12)
		// The shortest way: no more than the angle between the two.
		turn := got.Mul(q.Conjugate())
		near(t, "the turn", 2*math.Atan2(turn.V.Len(), math.Abs(turn.W)), math.Atan2(up.Cross(n).Len(), up.Dot(n)), 1e-6)
	})
}

// A vertex under the pointer comes before the surface that is met there, and the surface
// where there is none.
func TestVertexBeforeSurface(t *testing.T) {
	v := looking(30)
	corner := geom.Vec3{2, 3, -1}
	asked := 0
	snap := Snap{
		Vertices: func(dst []geom.Vec3, _ *geom.Frustum) []geom.Vec3 { return append(dst, corner) },
		Align:    true,
		Surface: func(r geom.Ray) (geom.Vec3, geom.Vec3, bool) {
			asked++
			return r.At(5), geom.Vec3{1, 0, 0}, true
		},
	}
	g := Gizmo{}
	d := begin(t, g, Centre, through(v, geom.Vec3{}), v)
	got := d.Move(through(v, corner), v, snap)
	if p, ok := d.Snapped(); !ok || p != corner || !(got.Translation.Sub(corner).Len() < 1e-9) || got.Rotation != mgl64.QuatIdent() || asked != 0 {
		t.Errorf("snapped to %v, by %+v, asked the surface %d times", p, got, asked)
	}
	away := through(v, geom.Vec3{-3, 0, 0})
	if d.Move(away, v, snap); asked == 0 {
		t.Error("the surface was not asked")
	}
	if p, ok := d.Snapped(); !ok || p == corner {
		t.Errorf("snapped to %v, %v", p, ok)
	}
}
