// Package gizmo is the handle for moving, turning and scaling things with the mouse:
// what lies under the pointer, what a drag amounts to, snapping, numbers typed during
// a drag, and its picture as plain shapes. It knows nothing of objects, windows or
// OpenGL, so whatever has a place and an orientation can use it.
//
// # Frame and units
//
// World metres in float64, right-handed, Y up; angles in radians, counter-clockwise
// seen from where an axis points. Sizes on the screen are in dp, pixels are counted
// from the view's upper left corner. Everything is computed relative to the gizmo's
// place, so that it works 100 km from the origin as it does there.
//
// # A gesture
//
// [Gizmo.Hover] finds the handle under the pointer, [Gizmo.Begin] takes hold of it,
// [Drag.Move] follows the pointer and tells how the thing differs from the start of
// the drag. There is nothing to end or cancel: a drag that is dropped has changed
// nothing.
//
// # What the pointer means
//
// The ray through the pointer is cut with a plane that is chosen when the drag
// begins: for a plane handle that plane, for a ring the ring's, for the centre the
// one that faces the viewer, for an axis the one through it that faces the viewer
// most. The answer is the difference to what the first ray gave, so nothing jumps
// when a handle is grabbed beside its middle. A ray that runs nearly along the plane,
// or away from it, is cut no farther away than a thousand times the distance of the
// gizmo; up to there the answer is exact, and beyond it continuous. Handles that are
// seen end-on or edge-on cannot be grabbed; when one is chosen by key nevertheless,
// the pointer is followed in the plane of the screen instead.
//
// Turning counts on through whole turns. Free turning is a ball under the pointer
// (after Shoemake, "ARCBALL: A User Interface for Specifying Three-Dimensional
// Orientation Using a Mouse", 1992, but with the angle growing by the way of the
// pointer over the radius, so that it does not end at the ball's rim).
package gizmo
