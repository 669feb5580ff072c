// Package hull holds convex solids: the occluders, the rooms and what else hides or
// holds things in a level, and the polygons of portals. It makes them from points and
// from planes, changes them, and checks that one may stand for a mesh.
//
// Everything is float64, in metres, in a right-handed frame with Y up. A plane's
// positive side is outside. Answers do not depend on where in the world a solid stands
// nor on how large it is: hulls are built in a frame of their own, into which points are
// taken without rounding.
//
// # Building
//
// Of is the quickhull algorithm (Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm
// for Convex Hulls", 1996): each facet keeps the points above it, the highest of them
// becomes a vertex, and a cone of facets from the horizon to it replaces what it sees.
// Whether a point sees a facet is decided in float64 where that is certain, else exactly,
// with sums of float64 (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
// Robust Geometric Predicates", 1997), so that no input, however degenerate, breaks the
// surface. Points that are nearer to the hull than rounding are no vertices; what lies
// in one plane becomes one face, as long as the face is convex. All choices are made by
// value: points in another order give the same hull.
//
// # Safety
//
// An occluder must not be larger than what it stands for. Of is at most Tolerance
// larger than the points' true hull, which is rounding.
package hull
