package runtime_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/export/glb"
	"ridgeline/export/runtime"
)

// The flight is at each stop where the stop is, and above ground between them.
func TestFlightStaysAboveGround(t *testing.T) {
	const height = 1.7
	level := open(t, export(t, level(t, 129, 129, 0), glb.Options{}))
	x, z := level.Ground.Field().Origin()
	for name, at := range map[string]mgl64.Vec3{"hill": {20, 50, 20}, "cellar": {40, -20, 30}, "other side": {110, 0.5, 100}} {
		y, _ := level.Ground.Height(x+at[0], z+at[2])
		eye := mgl64.Vec3{x + at[0], y + at[1], z + at[2]}
		level.Cameras[name] = runtime.Camera{Eye: eye, Look: eye.Add(mgl64.Vec3{1, 0, 1})}
	}
	stops := []string{"hill", "other side", "cellar"}
	const n = 300
	lifted := 0
	for i := range n {
		eye := level.Flight(stops, float64(i)/n, height).Eye
		if i%(n/3) == 0 {
			if want := level.Cameras[stops[i/(n/3)]].Eye; eye != want {
				t.Errorf("at %q it is at %v, expected %v", stops[i/(n/3)], eye, want)
			}
			continue
		}
		y, ok := level.Ground.Height(eye[0], eye[2])
		if k := i % (n / 3); !ok || k < 7 || k > 93 {
			continue // the way in and out
		}
		if eye[1] < y+height-1e-9 {
			t.Errorf("%d: it is at %v, and the ground at %v", i, eye, y)
		}
		if eye[1] < y+height+1e-9 {
			lifted++
		}
	}
	if lifted < 50 {
		t.Errorf("it was lifted %d times", lifted)
	}
}
