package tool

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/viewport/camera"
)

// Random turns differ from one object to the next, and are the same again for who
// begins anew.
func TestPlacingAtRandom(t *testing.T) {
	yaws := func() (out [4]float64) {
		b := newBench(t)
		p := &Placing{Options: &Place{Asset: "Cube", ScaleMin: 1, ScaleMax: 1, RandomYaw: true}, Snapping: &Snapping{}}
		for i := range out {
			b.gesture(p, b.at(40+10*float64(i), 0, 64))
			out[i] = command.AnglesOf(b.entity(document.ID(i + 1)).Rotation).Yaw
		}
		return out
	}
	first := yaws()
	for i := range first {
		for j := range i {
			if math.Abs(first[i]-first[j]) < 1e-6 {
				t.Errorf("objects %d and %d are both turned by %g", i+1, j+1, first[i])
			}
		}
	}
	if again := yaws(); again != first {
		t.Errorf("turned by %v, and by %v the next time", first, again)
	}
}

// On the inside of a wall an object leans into the room, and where there is nothing at
// all it stands at height 0.
func TestPlacingWithoutGround(t *testing.T) {
	b := newBench(t, "level.noterrain")
	o := Place{Asset: "Cube", ScaleMin: 1, ScaleMax: 1}
	p := &Placing{Options: &o, Snapping: &Snapping{}}
	b.gesture(p, b.at(64, 0, 64))
	b.near(b.entity(1).Translation, mgl64.Vec3{64, 0, 64}, 1e-6)

	b.run("object.delete id=1; object.place asset=Cube at=64,0,64 scale=20 geometry=yes")
	b.camera = camera.Look(mgl64.Vec3{64, 10, 64}, mgl64.Vec3{64, 10, 54})
	b.camera.FitDepth(b.scene.Bounds(), 10)
	o.Align = 1
	b.gesture(p, b.at(64, 10, 54))
	b.near(b.entity(3).Translation, mgl64.Vec3{64, 10, 54}, 1e-6)
	b.near(b.entity(3).Rotation.Rotate(mgl64.Vec3{0, 1, 0}), mgl64.Vec3{0, 0, 1}, 1e-6)
}

// What is moved snaps to the vertices of others, never to its own.
func TestHandlesSnapToOthers(t *testing.T) {
	b := newBench(t, "object.place asset=Cube at=60,64 scale=4", "object.place asset=Cube at=80,64 scale=4")
	s := b.selectTool()
	s.Handles.Snapping.On, s.Handles.Snapping.Vertex, s.Handles.Snapping.Grid = true, true, 0
	b.env.View.Selection = []document.ID{1}
	// The pointer ends near a corner of the thing itself, which makes no difference.
	var ends [2]mgl64.Vec3
	for i := range ends {
		s.Handles.Snapping.On = i == 1
		b.gesture(s, b.at(60, 0, 64), b.at(61.7, 0, 66))
		ends[i] = b.entity(1).Translation
		b.run("undo")
	}
	b.near(ends[1], ends[0], 1e-9)
	e := b.entity(1).Translation
	b.gesture(s, b.at(e[0], e[1], e[2]), b.at(78, 0, 66.1))
	b.near(b.entity(1).Translation, mgl64.Vec3{78, 0, 66}, 1e-6)
}

// The slope is that of the line, not of the distance along it.
func TestMeasuredSlope(t *testing.T) {
	m := Measure{From: mgl64.Vec3{1, 2, 3}, To: mgl64.Vec3{4, 7, 7}, On: true}
	if m.Slope() != math.Pi/4 || m.Height() != 5 || m.Flat() != 5 || math.Abs(m.Distance()-5*math.Sqrt2) > 1e-12 {
		t.Errorf("measured %s", m.Text())
	}
}
