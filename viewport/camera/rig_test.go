package camera

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// rig is any rig over ground that is a plane at height 0, seen from above.
func (d dice) rig() *Rig {
	r := &Rig{Camera: d.camera(), Size: size}
	r.Eye[1] = d.between(1, 500)
	r.Pitch = d.between(-1.5, -0.6)
	r.FovY = d.between(0.3, 0.9)
	r.Scene = geom.Box{
		Min: geom.Vec3{r.Eye[0] - 2000, -10, r.Eye[2] - 2000},
		Max: geom.Vec3{r.Eye[0] + 2000, 10, r.Eye[2] + 2000},
	}
	r.Pick = func(ray geom.Ray) (geom.Vec3, bool) {
		t, ok := ray.Plane(geom.Plane{N: geom.Vec3{0, 1, 0}})
		return ray.At(t), ok
	}
	return r
}

func (r *Rig) pixelOf(t *rapid.T, p geom.Vec3) mgl64.Vec2 {
	t.Helper()
	pixel, _, ok := r.Project(p, r.Size)
	if !ok {
		t.Fatalf("%v is behind %+v", p, r.Camera)
	}
	return pixel
}

// settleDown lets time pass until nothing moves.
func settleDown(t *rapid.T, r *Rig, dt float64) {
	t.Helper()
	for range 10_000 {
		if !r.Advance(dt) {
			return
		}
	}
	t.Fatalf("still moving: %+v", r)
}

func TestPanKeepsThePointUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		r := d.rig()
		at := d.pixel()
		grip := r.under(at)
		yaw, pitch := r.Yaw, r.Pitch
		_, depth, _ := r.Project(grip, r.Size)
		r.Begin(PanDrag, at)
		for range 5 {
			at = d.pixel()
			r.Move(at)
			nearPixel(t, "the grip", r.pixelOf(t, grip), at)
			_, now, _ := r.Project(grip, r.Size)
			near(t, "the grip's depth", now, depth, 1e-6)
		}
		if r.Yaw != yaw || r.Pitch != pitch {
			t.Fatalf("panning turned the camera")
		}
	})
}

func TestOrbitKeepsDistanceAndPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		r := d.rig()
		at := d.pixel()
		pivot := r.under(at)
		distance := pivot.Sub(r.Eye).Len()
		r.Begin(OrbitDrag, at)
		for range 5 {
			r.Move(d.pixel())
			near(t, "the distance", pivot.Sub(r.Eye).Len(), distance, 1e-6)
			nearPixel(t, "the pivot", r.pixelOf(t, pivot), at)
			if math.Abs(r.Pitch) > steepest {
				t.Fatalf("pitch %g", r.Pitch)
			}
		}
	})
}

func TestWheelGoesToThePointUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		r := d.rig()
		at := d.pixel()
		point := r.under(at)
		before, height := point.Sub(r.Eye).Len(), r.Height
		notches := d.between(-4, 4)
		r.Wheel(notches, at)
		for r.Advance(0.016) {
			nearPixel(t, "the point", r.pixelOf(t, point), at)
		}
		want := math.Exp(-notches * perNotch)
		if r.Ortho {
			near(t, "the share of the height", r.Height/height, want, 1e-9)
		} else if before*want > 1 {
			near(t, "the share of the distance", point.Sub(r.Eye).Len()/before, want, 1e-6)
		}
	})
}

func TestWheelNeverReachesThePoint(t *testing.T) {
	r := &Rig{Camera: Look(geom.Vec3{0, 10, 0}, geom.Vec3{0, 0, -10}), Size: size, Scene: geom.BoxOf(geom.Vec3{0, 0, -10})}
	for range 500 {
		r.Wheel(3, size.Mul(0.5))
		r.Advance(1)
	}
	for range 500 {
		r.Wheel(-3, size.Mul(0.5))
		r.Advance(1)
	}
	for _, v := range r.Eye {
		if math.IsNaN(v) || math.Abs(v) > 10*maxHeight {
			t.Fatalf("the eye is at %v", r.Eye)
		}
	}
}

func TestLookTurnsAndStops(t *testing.T) {
	r := &Rig{Camera: Look(geom.Vec3{}, geom.Vec3{0, 0, -1}), Size: size}
	r.Begin(LookDrag, mgl64.Vec2{100, 100})
	r.Move(mgl64.Vec2{150, 100}) // to the right
	if !(r.Forward()[0] > 0.1) || r.Pitch != 0 {
		t.Errorf("looks along %v", r.Forward())
	}
	r.Shift(mgl64.Vec2{-500, 0})
	yaw := r.Yaw
	r.Move(mgl64.Vec2{-350, 100})
	if r.Yaw != yaw {
		t.Errorf("putting the mouse back turned the camera by %g", r.Yaw-yaw)
	}
	r.Move(mgl64.Vec2{-350, 1e6})
	if r.Pitch != -steepest {
		t.Errorf("pitch %g", r.Pitch)
	}
	r.End()
	r.Move(mgl64.Vec2{0, 0})
	if r.Yaw != yaw || r.Dragging() != NoDrag {
		t.Errorf("it turns after the end")
	}
}

// However time is cut into frames, flight leads to the same place.
func TestFlightDoesNotDependOnFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		a := d.rig()
		a.Ortho = false
		b := &Rig{Camera: a.Camera, Size: a.Size, Scene: a.Scene, Pick: a.Pick}
		fly := func(r *Rig, frames int) {
			r.Begin(LookDrag, mgl64.Vec2{})
			r.Hold(Ahead | RightKey | Up)
			for range frames {
				r.Advance(1 / float64(frames))
			}
			r.Hold(Back | Fast)
			for range frames {
				r.Advance(0.5 / float64(frames))
			}
		}
		fly(a, 1)
		fly(b, 1+d.IntN(200))
		near(t, "the distance between both", a.Eye.Sub(b.Eye).Len(), 0, 1e-6*a.sceneSize())
		a.End()
		settleDown(t, a, 0.016)
	})
}

func TestFlightKeysAndSpeed(t *testing.T) {
	start := Look(geom.Vec3{}, geom.Vec3{0, 0, -1})
	for keys, want := range map[Keys]geom.Vec3{
		Ahead: {0, 0, -1}, Back: {0, 0, 1}, LeftKey: {-1, 0, 0}, RightKey: {1, 0, 0}, Down: {0, -1, 0}, Up: {0, 1, 0},
	} {
		r := &Rig{Camera: start, Size: size, Speed: 10}
		r.Hold(keys)
		if r.Advance(1); r.Eye != (geom.Vec3{}) {
			t.Errorf("keys %b move without looking", keys)
		}
		r.Begin(LookDrag, mgl64.Vec2{})
		r.Hold(keys)
		if !r.Advance(1) {
			t.Errorf("keys %b do not move", keys)
		}
		if !r.Eye.Normalize().ApproxEqual(want) || !(r.Eye.Len() > 9 && r.Eye.Len() < 10) {
			t.Errorf("keys %b lead to %v", keys, r.Eye)
		}
		r.Wheel(2, mgl64.Vec2{})
		if !(math.Abs(r.Speed-10*1.25*1.25) < 1e-9) {
			t.Errorf("the speed is %g", r.Speed)
		}
		r.Hold(keys | Fast)
		r.Advance(100)
		if v := r.velocity.Len(); !(math.Abs(v-4*r.Speed) < 1e-6) {
			t.Errorf("fast is %g m/s", v)
		}
		r.Stop()
		at := r.Eye
		if r.Advance(1) || r.Eye != at {
			t.Errorf("it moves after Stop")
		}
	}
	r := &Rig{Camera: start, Size: size}
	r.Begin(LookDrag, mgl64.Vec2{})
	r.Hold(Ahead | Back)
	r.Advance(1)
	if r.Eye != (geom.Vec3{}) {
		t.Errorf("opposite keys lead to %v", r.Eye)
	}
}

func TestFrameShowsTheWholeBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		r := d.rig()
		r.Pitch = d.between(-steepest, steepest)
		if d.IntN(2) == 0 {
			r.Size = mgl64.Vec2{300, 900}
		}
		b := geom.BoxOf(r.Eye.Add(d.point(1000)), r.Eye.Add(d.point(1000)))
		r.Frame(b)
		settleDown(t, r, 0.016)
		for i := range 8 {
			p := r.pixelOf(t, b.Corner(i))
			if !(p[0] >= 0 && p[1] >= 0 && p[0] <= r.Size[0] && p[1] <= r.Size[1]) {
				t.Fatalf("corner %v is at %v", b.Corner(i), p)
			}
		}
		nearPixel(t, "the middle", r.pixelOf(t, b.Center()), r.Size.Mul(0.5))
		// A point is framed too, from some distance.
		r.Frame(geom.BoxOf(b.Min))
		settleDown(t, r, 0.016)
		if !(r.Eye.Sub(b.Min).Len() > 0.2) {
			t.Fatalf("the eye is in the point")
		}
	})
}

func TestOrthographicViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		r := d.rig()
		middle := r.Size.Mul(0.5)
		at := r.under(middle)
		side := Side(d.IntN(3))
		scale := r.ScreenScale(size[1])
		if !r.Ortho {
			scale /= at.Sub(r.Eye).Dot(r.Forward())
		}
		r.LookFrom(side)
		nearPixel(t, "the middle", r.pixelOf(t, at), middle)
		near(t, "the scale", r.ScreenScale(size[1])/scale, 1, 1e-9)
		want := [...]geom.Vec3{{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}[side]
		if !r.Ortho || !(r.Forward().Sub(want).Len() < 1e-9) {
			t.Fatalf("view %d looks along %v", side, r.Forward())
		}
		for i := range 8 { // nothing lies behind the camera
			if depth := r.Scene.Corner(i).Sub(r.Eye).Dot(want); depth < 0 {
				t.Fatalf("a corner is %g behind the camera", -depth)
			}
		}
		if side != FromTop {
			return // the middle ray may miss the ground from here
		}
		r.Eye[1] = d.between(1, 400) // a wheel may have gone into the scene
		r.FitDepth(r.Scene, 1)
		r.Begin(LookDrag, mgl64.Vec2{})
		if r.Ortho {
			t.Fatalf("looking stays orthographic")
		}
		if !(r.Near > 0 && r.Far > r.Near) {
			t.Fatalf("depths %g to %g after a view along an axis", r.Near, r.Far)
		}
		near(t, "the scale afterwards", r.ScreenScale(size[1])/at.Sub(r.Eye).Len()/scale, 1, 1e-6)
	})
}

func TestDragOf(t *testing.T) {
	if DragOf(true, false, false, false) != NoDrag || DragOf(true, false, false, true) != OrbitDrag ||
		DragOf(false, true, false, true) != PanDrag || DragOf(true, false, true, true) != LookDrag {
		t.Error("wrong drags")
	}
}

// Without a pick and above the horizon there still is a point to hold on to.
func TestUnderTheSky(t *testing.T) {
	r := &Rig{Camera: Look(geom.Vec3{0, 50, 0}, geom.Vec3{0, 90, -100}), Size: size,
		Scene: geom.Box{Min: geom.Vec3{-100, 0, -100}, Max: geom.Vec3{100, 10, 100}}}
	p := r.under(mgl64.Vec2{640, 10})
	if d := p.Sub(r.Eye).Len(); !(d >= 1 && d < 1000) {
		t.Errorf("the point is %g m away", d)
	}
}
