package hull

import "ridgeline/occluders/geom"

// Overlaps reports whether the insides of two hulls have a point in common. Hulls that
// only touch, or are in each other by less than the Tolerance of the greater, do not.
func (h *Hull) Overlaps(o *Hull) bool {
	a, b := h.Bounds(), o.Bounds()
	if !a.Overlaps(b) {
		return false
	}
	tol := max(Tolerance(a), Tolerance(b))
	if h.apart(o, tol) || o.apart(h, tol) {
		return false
	}
	var box geom.Box
	for i := range box.Min {
		box.Min[i], box.Max[i] = max(a.Min[i], b.Min[i]), min(a.Max[i], b.Max[i])
	}
	for _, p := range [3]geom.Vec3{box.Center(), a.Center(), b.Center()} {
		if h.Distance(p) < -tol && o.Distance(p) < -tol {
			return true // a ball around it is in both
		}
	}
	// The greatest ball that is in both, within the box that is in both.
	center, half := box.Center(), box.Size().Mul(0.5)
	scale := max(half[0], half[1], half[2], tol)
	limits := make([]limit, 0, len(h.Planes)+len(o.Planes))
	for _, planes := range [2][]geom.Plane{h.Planes, o.Planes} {
		for _, p := range planes {
			limits = append(limits, limit{[4]float64{p.N[0], p.N[1], p.N[2], 1}, -p.Distance(center) / scale})
		}
	}
	mix(limits)
	x, ok := best(limits, [4]float64{3: 1}, 4, [4]float64{1.5, 1.5, 1.5, 1.5})
	return ok && x[3]*scale > tol
}

// apart reports whether all of o lies beyond one of h's planes, or not more than tol
// behind it.
func (h *Hull) apart(o *Hull, tol float64) bool {
	for i := range h.Planes {
		beyond := true
		for k := range o.Vertices {
			if h.Planes[i].Distance(o.Vertices[k]) < -tol {
				beyond = false
				break
			}
		}
		if beyond {
			return true
		}
	}
	return false
}

// CrossesPolygon reports whether a convex polygon has a point inside the hull, by more
// than Tolerance: one that lies on a face does not cross.
func (h *Hull) CrossesPolygon(points []geom.Vec3) bool {
	_, crosses := h.within(points, h.Tolerance(), nil, nil)
	return crosses
}

// within gives the part of a convex polygon that is deeper than depth in the hull, and
// whether there is any. x and y are memory to be used.
func (h *Hull) within(points []geom.Vec3, depth float64, x, y []geom.Vec3) (part []geom.Vec3, any bool) {
	part = points
	for i := range h.Planes {
		p := &h.Planes[i]
		out := 0
		for _, q := range part {
			if p.Distance(q) > -depth {
				out++
			}
		}
		switch out {
		case len(part):
			return nil, false
		case 0:
			continue
		}
		x = ClipPolygon(x[:0], part, geom.Plane{N: p.N.Mul(-1), D: -p.D - depth})
		part = x
		x, y = y, x
	}
	return part, len(part) > 0
}
