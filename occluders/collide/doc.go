// Package collide answers what a level is solid for: rays and segments, heights at
// a point, spheres that push each other apart, a sphere or capsule that slides, and
// a person who walks.
//
// # Frame and units
//
// Metres, seconds, radians; right-handed, Y up; float64 in world coordinates. A
// World holds bodies (a mesh in its own float32 space and the matrix that places it)
// and the Ground, an interface that a height field implements; either may be
// missing. Matrices may turn, move, mirror and scale unevenly. Nothing is ever
// scaled into the space of an ellipsoid: triangles are taken into world space, so
// that an unevenly scaled body is met where it is seen. What moves works with
// coordinates relative to a place near it, so that a level 100 km away behaves as
// one at the origin.
//
// # Hits
//
// A hit lies at P = V1 + u(V2−V1) + v(V3−V1) of its triangle, in the order in which
// the mesh lists the corners, mirrored or not. Triangles are solid from both sides.
// The normal has unit length and faces outwards: to the side from which the mesh's
// triangles run counter-clockwise before the body is placed. The corners of a
// mirrored body run the other way round in the world, and its normal is turned so
// that it still faces outwards. It does not depend on the side the ray came from.
// The ground's normal points up. Every answer is (value, ok): without ok there is
// nothing there.
//
// # Sliding
//
// The distance of two convex shapes, one of which moves along a line, is a convex
// function of time. So Newton's iteration on it, begun while they are apart, comes
// to the first contact from below and never steps over it, at any speed; and a
// motion that does not lead closer at its start never does. A capsule is swept
// against each triangle near its path in this way (conservative advancement: Mirtich
// and Canny, "Impulse-based Simulation of Rigid Bodies", 1995; the closest points of
// segments and triangles: Ericson, "Real-Time Collision Detection", 2005, chapter
// 5). What is in the way stops the shape Skin before it; the rest of the motion goes
// on along the nearest direction that leads into none of the surfaces touched
// (the frame of sweep, stop and slide: Fauerby, "Improved Collision Detection and
// Response", 2003; keeping all touched planes so that corners and creases stop
// cleanly: Quake's player movement, 1996). A surface is in the way only if the path
// would come nearer than half of Skin, so that rounding along a plane, or the inner
// edges of flat ground, never catch the shape.
//
// # Walking
//
// Walker is a person in an upright capsule: standing, falling or flying. It advances
// in fixed inner steps, counted in whole nanoseconds, so that the outcome is the
// same however time is cut into frames. A step is swept along the floor; when a wall
// stops it, it is tried again from as high as one may step up, and set down. How it
// treats slopes, edges and the end of the world is told at Walk and Walker.
package collide
