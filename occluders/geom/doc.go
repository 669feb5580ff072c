// Package geom holds the small geometry that culling, picking and collision
// share: boxes, planes, spheres, rays and the view frustum.
//
// Everything is float64, in metres, in a right-handed frame with Y up, so that a
// level that stands 100 km from the origin culls and picks as one that stands on
// it. Meshes and GPU buffers are float32 and local; they are converted at the
// border. A value is either empty or not: a point is a box, and a flat box is not
// empty.
//
// The frustum's planes are read from the rows of view × projection (Gribb and
// Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-
// Projection Matrix", 2001). Box tests use the corner furthest along a plane's
// normal (Assarsson and Möller, "Optimized View Frustum Culling Algorithms for
// Bounding Boxes", 2000). The ray–box test is the slab test (Kay and Kajiya, "Ray
// Tracing Complex Scenes", 1986).
package geom
