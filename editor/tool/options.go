package tool

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
)

// Place is the options of placing objects.
type Place struct {
	Asset     string  // name of the level's asset; "" when none is chosen
	Align     float64 // 0 stands upright, 1 along the normal of the surface
	Yaw       float64 // radians, where it is not random
	RandomYaw bool
	// Scale is drawn evenly from this range.
	ScaleMin, ScaleMax float64
	Geometry           bool // placed objects are the level's own geometry
}

// Marking is the options of placing markers.
type Marking struct {
	Shape document.MarkerShape
	Color mgl64.Vec3 // linear; zero for the editor's own
	Layer string
}

// Snapping is what positions, angles and factors are rounded to while they are
// dragged.
type Snapping struct {
	On      bool
	Grid    float64 // metres
	Angle   float64 // radians
	Scale   float64
	Vertex  bool // positions go to vertices of other things near the pointer
	Surface bool // things slide over what is under the pointer
	Align   bool // … and turn with it
}

// DefaultPlace, DefaultSnapping and DefaultMarking are what a new installation
// starts with.
func DefaultPlace() Place { return Place{ScaleMin: 1, ScaleMax: 1} }

// DefaultSnapping is metre steps and 15°, switched off.
func DefaultSnapping() Snapping { return Snapping{Grid: 1, Angle: math.Pi / 12, Scale: 0.1} }

// DefaultMarking places points.
func DefaultMarking() Marking { return Marking{Shape: document.MarkerPoint} }

// with adds an argument to a call.
func with(c *command.Call, name, value string) {
	c.Args = append(c.Args, command.Arg{Name: name, Value: value})
}
