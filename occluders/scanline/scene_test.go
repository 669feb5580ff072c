package scanline

import (
	"math"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// boxFaces are the faces of a box whose corner i has the greater x, y, z for bits 0,
// 1, 2.
var boxFaces = [6][]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}

// boxHull is a box as a hull.
func boxHull(box geom.Box) *hull.Hull {
	return solidOf(func(i int) vec3 { return box.Corner(i) })
}

// solidOf is the hull of eight corners that are those of a box, moved by an affine
// map that mirrors nothing.
func solidOf(corner func(i int) vec3) *hull.Hull {
	h := &hull.Hull{}
	for i := range 8 {
		h.Vertices = append(h.Vertices, corner(i))
	}
	for _, f := range boxFaces {
		h.Faces = append(h.Faces, f)
		p, _ := geom.PlaneThrough(h.Vertices[f[0]], h.Vertices[f[1]], h.Vertices[f[2]])
		h.Planes = append(h.Planes, p)
	}
	return h
}

// inf is the distance of what a ray does not meet.
var inf = math.Inf(1)
