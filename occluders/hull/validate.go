package hull

import (
	"fmt"
	"math"

	"ridgeline/occluders/geom"
)

// Validate reports the first thing that is wrong with a hull that somebody else made,
// from a file for example; a hull of this package is valid. It checks that the surface
// is closed, in one piece and of one side, as a ball's is (Euler's formula), that each
// face is convex and lies in its plane, and that it is convex at each edge, which makes
// the whole convex, all but for Tolerance. It takes time in proportion to the size.
func (h *Hull) Validate() error {
	n := len(h.Vertices)
	if n < 4 || len(h.Faces) < 4 {
		return fmt.Errorf("hull: %d vertices and %d faces, expected 4 at least", n, len(h.Faces))
	}
	if len(h.Planes) != len(h.Faces) {
		return fmt.Errorf("hull: %d planes for %d faces", len(h.Planes), len(h.Faces))
	}
	for i, v := range h.Vertices {
		for _, c := range v {
			if !(math.Abs(c) <= greatest) {
				return fmt.Errorf("hull: vertex %d is at %v: %w", i, v, ErrNotFinite)
			}
		}
	}
	tol := h.Tolerance()
	left, err := h.links()
	if err != nil {
		return err
	}
	if err := h.checkFaces(tol); err != nil {
		return err
	}
	// Where faces meet.
	for edge, f := range left {
		g := left[[2]int32{edge[1], edge[0]}]
		for _, v := range h.Faces[g] {
			if d := h.Planes[f].Distance(h.Vertices[v]); !(d <= tol) {
				return fmt.Errorf("hull: not convex between faces %d and %d: vertex %d is %g m above the former", f, g, v, d)
			}
		}
	}
	if c := h.Center(); !h.Contains(c, 0) {
		return fmt.Errorf("hull: its center %v is not inside: it is inside out", c)
	}
	return nil
}

// links gives the face to the left of each edge, in both directions, of a surface that
// is closed and in one piece.
func (h *Hull) links() (map[[2]int32]int32, error) {
	n := int32(len(h.Vertices))
	sides := 0
	for i, face := range h.Faces {
		if len(face) < 3 {
			return nil, fmt.Errorf("hull: face %d has %d corners", i, len(face))
		}
		for _, v := range face {
			if v < 0 || v >= n {
				return nil, fmt.Errorf("hull: face %d has vertex %d of %d", i, v, n)
			}
		}
		sides += len(face)
	}
	left := make(map[[2]int32]int32, sides)
	degree := make([]int, n)
	for i, face := range h.Faces {
		for k, v := range face {
			edge := [2]int32{v, face[(k+1)%len(face)]}
			if g, ok := left[edge]; ok || edge[0] == edge[1] {
				return nil, fmt.Errorf("hull: the edge from vertex %d to %d is in face %d and again in %d", edge[0], edge[1], g, i)
			}
			left[edge] = int32(i)
			degree[v]++
		}
	}
	for edge := range left {
		if _, ok := left[[2]int32{edge[1], edge[0]}]; !ok {
			return nil, fmt.Errorf("hull: not closed at the edge from vertex %d to %d", edge[0], edge[1])
		}
	}
	for v, d := range degree {
		if d < 3 {
			return nil, fmt.Errorf("hull: vertex %d belongs to %d faces, expected 3 at least", v, d)
		}
	}
	if euler := len(h.Vertices) - sides/2 + len(h.Faces); euler != 2 {
		return nil, fmt.Errorf("hull: vertices − edges + faces is %d, expected 2", euler)
	}
	// In one piece: with Euler's formula that leaves no holes either.
	reached := make([]bool, len(h.Faces))
	reached[0] = true
	trail, found := []int32{0}, 1
	for len(trail) > 0 {
		face := h.Faces[trail[len(trail)-1]]
		trail = trail[:len(trail)-1]
		for k, v := range face {
			if g := left[[2]int32{face[(k+1)%len(face)], v}]; !reached[g] {
				reached[g] = true
				trail = append(trail, g)
				found++
			}
		}
	}
	if found != len(h.Faces) {
		return nil, fmt.Errorf("hull: in pieces: %d of %d faces hang together", found, len(h.Faces))
	}
	return left, nil
}

// checkFaces checks each face by itself.
func (h *Hull) checkFaces(tol float64) error {
	for i, face := range h.Faces {
		p := h.Planes[i]
		if l := p.N.Len(); !(math.Abs(l-1) <= 1e-9) || !(math.Abs(p.D) <= 4*greatest) {
			return fmt.Errorf("hull: face %d has the plane %v, which is none", i, p)
		}
		at := func(k int) geom.Vec3 { return h.Vertices[face[k%len(face)]] }
		for k, v := range face {
			if d := p.Distance(at(k)); !(math.Abs(d) <= tol) {
				return fmt.Errorf("hull: vertex %d is %g m off the plane of its face %d", v, d, i)
			}
			// To the left of each edge lie its neighbours, and what the first corner
			// sees turns left: the border goes around once.
			if !leftTurn(at(k), at(k+1), at(k+2), p.N, tol) || !leftTurn(at(0), at(k), at(k+1), p.N, tol) {
				return fmt.Errorf("hull: face %d is not convex at vertex %d", i, face[(k+1)%len(face)])
			}
		}
	}
	return nil
}

// leftTurn reports whether c lies to the left of the line from a to b, seen against n,
// or less than tol to the right.
func leftTurn(a, b, c, n geom.Vec3, tol float64) bool {
	u := b.Sub(a)
	l := u.Len()
	if l == 0 {
		return true
	}
	return u.Mul(1/l).Cross(c.Sub(a)).Dot(n) >= -tol
}
