// Package tool turns what the mouse does in the viewport into edits: sculpt,
// paint, select. It knows rays and levels, no window and no graphics.
//
// # A gesture
//
// The host asks the active tool what to show under the pointer (Hover), hands it a
// press, and then feeds the drag that it gets every move and, once a frame, the
// time; at last it ends or cancels the drag. A drag is one step of history, from
// press to release, and shows what it did so far at every tick.
//
// # Strokes and time
//
// A stroke is made of dabs. While the pointer moves they lie along its path at a
// spacing, so what a stroke does depends neither on its speed nor on how the path
// is cut into events. While the pointer rests, dabs fall at a fixed rate, DabTime
// apart, counted from the last dab of the movement. So the outcome follows from the
// events and their times alone, and not from when frames are drawn.
//
// For raise and lower a brush's strength is metres per second at the centre: a dab
// is worth DabTime of it. The other operations have a weight per dab.
//
// # Where the pointer is
//
// A stroke is picked on the ground as it was when it began. On the ground as it
// becomes, a brush would climb the hill that it raises and creep towards the eye,
// and the outcome would depend on how often the ground was brought up to date.
//
// Distances are metres, in the world; angles radians.
package tool
