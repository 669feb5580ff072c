// Package camera holds the camera of a view and moves it with the mouse and keys.
// It knows nothing of windows or of OpenGL: the caller passes in places in pixels,
// keys as bits, and the time.
//
// # Frame and units
//
// World metres, right-handed, Y up. Yaw 0 and pitch 0 look along −Z, north being
// the first row of a map; yaw grows to the left (counter-clockwise from above),
// pitch upwards; both in radians. The camera never rolls. Pixels are counted from
// the view's upper left corner, x to the right and y down.
//
// Matrices are camera-relative: they take p − Eye to clip space, so that a level
// 100 km from the origin keeps its precision in float32.
//
// # Moving
//
// A [Rig] is a state machine: drags (Begin, Move, End), the wheel, held keys, and
// Advance, which lets the given time pass. The same calls give the same camera, and
// motion does not depend on how time is cut into frames: speeds approach their
// target exponentially and are integrated in closed form.
package camera
