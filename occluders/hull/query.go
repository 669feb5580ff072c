package hull

import (
	"iter"
	"math"

	"ridgeline/occluders/geom"
)

// Bounds is the smallest box that holds the hull.
func (h *Hull) Bounds() geom.Box {
	if h.box == (geom.Box{}) { // not made by this package
		return geom.BoxOf(h.Vertices...)
	}
	return h.box
}

// Distance is how far p is beyond the plane that it is farthest beyond, in metres:
// negative inside, and then minus the distance to the hull's surface; outside at most
// the distance to the hull.
func (h *Hull) Distance(p geom.Vec3) float64 {
	d := math.Inf(-1)
	for i := range h.Planes {
		d = max(d, h.Planes[i].Distance(p))
	}
	return d
}

// Contains reports whether p lies behind all planes, or less than tol metres beyond
// them. With a negative tol it lies that deep inside.
func (h *Hull) Contains(p geom.Vec3, tol float64) bool {
	for i := range h.Planes {
		if !(h.Planes[i].Distance(p) <= tol) {
			return false
		}
	}
	return true
}

// NearestFace is the face whose plane p is farthest beyond: for a point on the surface
// the face that it lies on, for one inside the nearest.
func (h *Hull) NearestFace(p geom.Vec3) int {
	best, at := math.Inf(-1), 0
	for i := range h.Planes {
		if d := h.Planes[i].Distance(p); d > best {
			best, at = d, i
		}
	}
	return at
}

// Ray gives the interval of the ray, from t = 0 on, that lies inside the hull; ok is
// false when there is none. Distances are in multiples of the ray's direction. A ray
// that starts inside enters at 0; one that runs in a face's plane counts as inside of
// that plane.
func (h *Hull) Ray(r geom.Ray) (enter, leave float64, ok bool) {
	leave = math.Inf(1)
	for i := range h.Planes {
		p := &h.Planes[i]
		d, speed := p.Distance(r.Origin), p.N.Dot(r.Dir)
		switch {
		case speed < 0:
			enter = max(enter, -d/speed)
		case speed > 0:
			leave = min(leave, -d/speed)
		case d > 0:
			return 0, 0, false
		}
		if enter > leave {
			return 0, 0, false
		}
	}
	return enter, leave, enter <= leave && !math.IsInf(leave, 1)
}

// Support is the vertex farthest along a direction, the first of several.
func (h *Hull) Support(dir geom.Vec3) int {
	best, at := math.Inf(-1), 0
	for i := range h.Vertices {
		if d := h.Vertices[i].Dot(dir); d > best {
			best, at = d, i
		}
	}
	return at
}

// AppendFace appends the corners of a face.
func (h *Hull) AppendFace(dst []geom.Vec3, face int) []geom.Vec3 {
	for _, v := range h.Faces[face] {
		dst = append(dst, h.Vertices[v])
	}
	return dst
}

// Edge is a line between two vertices, and the faces to its left and right on the way
// from From to To, seen from outside. From is the lower vertex.
type Edge struct{ From, To, Left, Right int32 }

// Edges gives each edge once, by the left face.
func (h *Hull) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, e := range h.AppendEdges(nil) {
			if !yield(e) {
				return
			}
		}
	}
}

// AppendEdges appends each edge once, by the left face.
func (h *Hull) AppendEdges(dst []Edge) []Edge {
	right := make(map[[2]int32]int32, 3*len(h.Vertices))
	for f, face := range h.Faces {
		for i, v := range face {
			if to := face[(i+1)%len(face)]; v > to {
				right[[2]int32{to, v}] = int32(f)
			}
		}
	}
	for f, face := range h.Faces {
		for i, v := range face {
			if to := face[(i+1)%len(face)]; v < to {
				dst = append(dst, Edge{v, to, int32(f), right[[2]int32{v, to}]})
			}
		}
	}
	return dst
}

// Volume is in cubic metres.
func (h *Hull) Volume() float64 {
	v, _ := h.moments()
	return v
}

// Center is the center of mass. It lies inside.
func (h *Hull) Center() geom.Vec3 {
	_, c := h.moments()
	return c
}

// moments are the volume and the center of mass, from the tetrahedra of the faces'
// triangles and a vertex. They are worked out at the size of 1, since cubes of small and
// great lengths have no place in a float64.
func (h *Hull) moments() (volume float64, center geom.Vec3) {
	if len(h.Vertices) == 0 {
		return 0, center
	}
	size := h.Bounds().Size()
	side := max(size[0], size[1], size[2])
	if !(side > 0) {
		return 0, h.Vertices[0]
	}
	origin, scale := h.Vertices[0], 1/side
	var sum geom.Vec3
	for _, face := range h.Faces {
		a := h.Vertices[face[0]].Sub(origin).Mul(scale)
		b := h.Vertices[face[1]].Sub(origin).Mul(scale)
		for _, v := range face[2:] {
			c := h.Vertices[v].Sub(origin).Mul(scale)
			w := a.Dot(b.Cross(c)) // six times the tetrahedron's volume
			volume += w
			sum = sum.Add(a.Add(b).Add(c).Mul(w))
			b = c
		}
	}
	if !(volume > 0) {
		return 0, h.Bounds().Center()
	}
	return volume / 6 * side * side * side, origin.Add(sum.Mul(side / (4 * volume)))
}

// Area is the surface, in square metres.
func (h *Hull) Area() float64 {
	var sum float64
	var corners []geom.Vec3
	for i := range h.Faces {
		corners = h.AppendFace(corners[:0], i)
		sum += PolygonArea(corners)
	}
	return sum
}
