package session

import (
	"image"
	"math"
	"testing"
	"time"

	"ridgeline/editor/keymap"
	"ridgeline/editor/settings"
	"ridgeline/occluders/collide"
)

// How one walks lasts beyond the editor.
func TestWalkIsKept(t *testing.T) {
	home := t.TempDir()
	r := start(t, home)
	r.Run("walk.set speed=7 jump=0")
	r.quiet()
	again := start(t, home)
	if w := again.Settings.Walk; w.Speed != 7 || w.Jump != 0 || w.StepUp != settings.Default().Walk.StepUp {
		t.Errorf("the next run walks %+v", w)
	}
}

// The mode walk puts the eye over the ground, keys go where one looks, and collision
// is turned off and on by its key.
func TestWalk(t *testing.T) {
	r := start(t, t.TempDir())
	r.Resize(image.Pt(640, 480), 1)
	r.Run("camera.set eye=64,30,100 look=64,0,64; mode walk")
	r.quiet()
	now := time.Duration(0)
	r.Tick(now)
	pass := func(d time.Duration) {
		for range d / (20 * time.Millisecond) {
			now += 20 * time.Millisecond
			r.Tick(now)
		}
	}
	pass(time.Second)
	state, collides, ok := r.Walking()
	if eye := r.View.Rig.Eye; !ok || !collides || state != collide.Standing || math.Abs(eye[1]-r.Settings.Walk.EyeHeight) > 1e-3 {
		t.Fatalf("the eye is at %v: %v, collision %v, walking %v", eye, state, collides, ok)
	}
	// Looking north (−Z), each key goes its way.
	for _, c := range []struct {
		control string
		x, z    float64
	}{{"forward", 0, -1}, {"back", 0, 1}, {"right", 1, 0}, {"left", -1, 0}} {
		from := r.View.Rig.Eye
		r.View.hold(r.Session, c.control, true)
		pass(time.Second)
		r.View.hold(r.Session, c.control, false)
		pass(100 * time.Millisecond)
		d := r.View.Rig.Eye.Sub(from)
		if s := r.Settings.Walk.Speed; math.Abs(d[0]-c.x*s) > 0.15*s || math.Abs(d[2]-c.z*s) > 0.15*s || math.Abs(d[1]) > 1e-3 {
			t.Errorf("%s for a second goes %v at %g m/s", c.control, d, s)
		}
	}
	line, ok := r.Keys.Action(keymap.Chord{Key: "F10"})
	if !ok {
		t.Fatal("F10 does nothing")
	}
	r.Run(line)
	state, collides, _ = r.Walking()
	if collides || state != collide.Flying {
		t.Errorf("after F10 it is %v, collision %v", state, collides)
	}
	r.View.hold(r.Session, "up", true)
	pass(time.Second)
	r.View.hold(r.Session, "up", false)
	if y := r.View.Rig.Eye[1]; y < 5 {
		t.Errorf("without collision it rose to %g m", y)
	}
	// Off it stays until it is turned on again, and then one falls.
	r.Run("mode select; mode walk")
	if _, collides, _ = r.Walking(); collides {
		t.Error("in the next walk collision is on again")
	}
	r.Run(line)
	pass(4 * time.Second)
	state, collides, _ = r.Walking()
	if y := r.View.Rig.Eye[1]; !collides || state != collide.Standing || math.Abs(y-r.Settings.Walk.EyeHeight) > 1e-3 {
		t.Errorf("after F10 again it is %v at %g m, collision %v", state, y, collides)
	}
	r.quiet()
}
