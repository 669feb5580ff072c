package session

import (
	"math"
	"testing"
	"time"

	"ridgeline/document"
)

// Back from the views along an axis the camera has its old direction, and what was
// in the middle of the picture is still there.
func TestPerspectiveComesBackWithItsDirection(t *testing.T) {
	r := start(t, t.TempDir())
	v := &r.View
	yaw, pitch := v.Rig.Yaw, v.Rig.Pitch
	size := v.sizeVec()
	middle, ok := v.Rig.Pick(v.Rig.Ray(size.Mul(0.5), size))
	if !ok {
		t.Fatal("there is no ground in the middle")
	}
	for _, side := range [...]string{"top", "perspective", "perspective"} {
		r.Run("view.from name=" + side)
	}
	if v.Rig.Ortho || v.Rig.Yaw != yaw || v.Rig.Pitch != pitch {
		t.Errorf("it looks %g, %g, not %g, %g", v.Rig.Yaw, v.Rig.Pitch, yaw, pitch)
	}
	pixel, _, ok := v.Rig.Project(middle, size)
	if !ok || math.Abs(pixel[0]-size[0]/2) > 0.5 || math.Abs(pixel[1]-size[1]/2) > 0.5 {
		t.Errorf("the middle is at %v of %v", pixel, size)
	}
	for _, side := range [...]string{"side", "front", "perspective"} {
		r.Run("view.from name=" + side)
	}
	if v.Rig.Ortho || v.Rig.Yaw != yaw || v.Rig.Pitch != pitch {
		t.Errorf("it looks %g, %g, not %g, %g", v.Rig.Yaw, v.Rig.Pitch, yaw, pitch)
	}
	r.quiet()
}

// A level with nothing in it is looked at as any other: the camera stays where it is
// put.
func TestCameraOfAnEmptyLevel(t *testing.T) {
	r := start(t, t.TempDir())
	nothing, err := document.NoTerrain()
	if err != nil {
		t.Fatal(err)
	}
	r.NewLevel(document.NewLevel(nothing), "")
	v := &r.View
	for _, line := range []string{"select.all", "camera.bookmark name=here", "view.from top", "view.from perspective", "view.frame", "mode walk", "mode select", "camera.goto name=here"} {
		r.Tick(time.Second)
		r.Run(line)
		if c := r.Env.View.Camera; !document.InReach(v.Rig.Eye[:]...) || !document.InReach(c.Eye[:]...) || !document.InReach(c.Look[:]...) || math.IsNaN(v.Rig.Yaw+v.Rig.Pitch) {
			t.Fatalf("after %s: the camera is %+v, turned %g, %g", line, c, v.Rig.Yaw, v.Rig.Pitch)
		}
	}
}
