package cull

import (
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// View is a camera, as all tests see it.
type View struct {
	Eye      geom.Vec3  // world, metres; of an orthographic view any point on its axis
	ViewProj mgl64.Mat4 // from p − Eye to OpenGL clip space
	Forward  geom.Vec3  // unit, the direction of view
	Near     float64    // metres along Forward to the near plane
	Ortho    bool       // all lines of sight run along Forward
	// Slack is how far below the full ground the drawn one may lie: metres a metre of
	// distance from the eye, or plain metres in an orthographic view.
	Slack float64
}

// Horizon is ground that may hide things. It is immutable and safe for
// concurrent use; package horizon of the terrain implements it.
type Horizon interface {
	// Begin prepares the test for one view. It may reuse the memory of a test that
	// an earlier call gave, of any ground, and that nobody uses any more; nil at first.
	Begin(v *View, old HorizonTest) HorizonTest
}

// HorizonTest tells what the ground hides in one view. It is not safe for
// concurrent use.
type HorizonTest interface {
	// Hidden reports whether no point of the box can be seen over the ground. It is
	// false whenever that is not certain.
	Hidden(b geom.Box) bool
	// Where gives a point of the ground, in the world, that hides the box: that which
	// rises highest over the line to it. ok is false when the box is not hidden.
	Where(b geom.Box) (at geom.Vec3, ok bool)
}
