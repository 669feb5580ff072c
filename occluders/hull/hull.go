package hull

import "ridgeline/occluders/geom"

// Hull is a convex solid with a volume. It is immutable.
type Hull struct {
	// Vertices are the corners, in metres. Each belongs to at least three faces.
	Vertices []geom.Vec3
	// Faces are convex polygons of vertices, counter-clockwise seen from outside.
	// Neighbours that lie in one plane are one face.
	Faces [][]int32
	// Planes has the plane of each face, its positive side outside.
	Planes []geom.Plane
}
