package hull

import (
	"errors"
	"math"

	"ridgeline/occluders/geom"
)

// Intersection is the space behind all planes. It takes time in proportion to n log n.
//
// The errors are ErrOpen when the space is not bounded, whatever is in it, ErrEmpty when
// nothing is left, or no more than something flat, and ErrNotFinite for planes whose
// normal has not the length 1 or whose numbers are not finite.
//
// Seen from a point inside, planes are points and corners are planes: so it is a hull
// again (Preparata and Muller, "Finding the Intersection of n Half-Spaces in Time
// O(n log n)", 1979).
func Intersection(planes []geom.Plane) (*Hull, error) {
	normals := make([]geom.Vec3, len(planes))
	for i, p := range planes {
		if !(math.Abs(p.N.Len()-1) <= 1e-6) || !(math.Abs(p.D) <= greatest) {
			return nil, ErrNotFinite
		}
		normals[i] = p.N
	}
	// Bounded where no direction runs away from all planes.
	if directions, err := Of(normals); err != nil || !directions.Contains(geom.Vec3{}, -1e-9) {
		return nil, ErrOpen
	}
	center, room := roomiest(planes)
	if !(room > 0) {
		return nil, ErrEmpty
	}
	behind := make([]float64, len(planes))
	duals := make([]geom.Vec3, len(planes))
	nearest := math.Inf(1)
	for i, p := range planes {
		behind[i] = -p.Distance(center)
		nearest = min(nearest, behind[i])
	}
	if !(nearest > 0) {
		return nil, ErrEmpty
	}
	for i, p := range planes {
		duals[i] = p.N.Mul(nearest / behind[i])
	}
	dual, err := Of(duals)
	if err != nil {
		return nil, ErrOpen
	}
	of := make(map[geom.Vec3]int32, len(planes))
	for i := len(duals) - 1; i >= 0; i-- {
		of[duals[i]] = int32(i)
	}
	corners := make([]geom.Vec3, 0, len(dual.Faces))
	var around []int32
	for _, face := range dual.Faces {
		around = around[:0]
		for _, v := range face {
			around = append(around, of[dual.Vertices[v]])
		}
		corners = append(corners, center.Add(meeting(planes, behind, around)))
	}
	h, err := Of(corners)
	if errors.Is(err, ErrFlat) || errors.Is(err, ErrLine) || errors.Is(err, ErrPoint) {
		return nil, ErrEmpty
	}
	return h, err
}

// meeting is where planes meet that have one point in common: that of the three that
// meet most clearly, as seen from where all are so far away.
func meeting(planes []geom.Plane, far []float64, of []int32) geom.Vec3 {
	a := of[0]
	b, c := a, a
	best := -1.0
	for _, i := range of[1:] {
		if s := planes[a].N.Cross(planes[i].N).LenSqr(); s > best {
			b, best = i, s
		}
	}
	ab := planes[a].N.Cross(planes[b].N)
	best = -1
	for _, i := range of[1:] {
		if s := math.Abs(ab.Dot(planes[i].N)); s > best {
			c, best = i, s
		}
	}
	na, nb, nc := planes[a].N, planes[b].N, planes[c].N
	sum := nb.Cross(nc).Mul(far[a]).Add(nc.Cross(na).Mul(far[b])).Add(ab.Mul(far[c]))
	return sum.Mul(1 / ab.Dot(nc))
}

// roomiest is the center of the greatest ball behind all planes, which enclose a finite
// space, and its radius; 0 when there is none.
func roomiest(planes []geom.Plane) (center geom.Vec3, room float64) {
	// Around the point that is nearest to all planes, so that nothing depends on where
	// the world's origin is.
	for range 2 {
		center = center.Add(between(planes, center))
	}
	for range 3 {
		scale := 0.0
		for _, p := range planes {
			scale = max(scale, math.Abs(p.Distance(center)))
		}
		if scale == 0 {
			return center, 0
		}
		limits := make([]limit, len(planes))
		for i, p := range planes {
			limits[i] = limit{[4]float64{p.N[0], p.N[1], p.N[2], 1}, -p.Distance(center) / scale}
		}
		mix(limits)
		const wide = 1e7
		x, ok := best(limits, [4]float64{3: 1}, 4, [4]float64{wide, wide, wide, wide})
		if !ok || !(x[3] > 0) {
			return center, 0
		}
		moved := geom.Vec3{x[0], x[1], x[2]}.Mul(scale)
		center, room = center.Add(moved), x[3]*scale
		// Again from there, if that was far away for its size.
		if moved.Len() < 1e3*room {
			break
		}
	}
	return center, room
}

// between is the way from a point to that which is nearest to all planes.
func between(planes []geom.Plane, from geom.Vec3) geom.Vec3 {
	var m [3]geom.Vec3
	var r geom.Vec3
	for _, p := range planes {
		d := p.Distance(from)
		for i := range m {
			m[i] = m[i].Add(p.N.Mul(p.N[i]))
		}
		r = r.Sub(p.N.Mul(d))
	}
	det := m[0].Dot(m[1].Cross(m[2]))
	if !(math.Abs(det) > 0) {
		return geom.Vec3{}
	}
	return m[1].Cross(m[2]).Mul(r[0]).Add(m[2].Cross(m[0]).Mul(r[1])).Add(m[0].Cross(m[1]).Mul(r[2])).Mul(1 / det)
}
