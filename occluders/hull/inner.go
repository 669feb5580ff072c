package hull

import (
	"math"
	"slices"

	"ridgeline/occluders/geom"
)

// Within is a hull inside h of at most maxFaces faces, as large as could be found: so it
// may hide things where h may. It is the largest of hulls of some of h's vertices, and of
// simple solids as large as h has room for. The error is ErrFaces for less than four.
func (h *Hull) Within(maxFaces int) (*Hull, error) {
	if maxFaces < 4 {
		return nil, ErrFaces
	}
	if len(h.Faces) <= maxFaces {
		return h, nil
	}
	var best *Hull
	volume := 0.0
	take := func(o *Hull) {
		if o != nil && len(o.Faces) <= maxFaces {
			if v := o.Volume(); v > volume {
				best, volume = o, v
			}
		}
	}
	h.byVertices(maxFaces, take)
	h.byShape(maxFaces, take)
	if best == nil {
		return nil, ErrEmpty
	}
	return best, nil
}

// direction is one of n, spread evenly over the sphere.
func direction(i, n int) geom.Vec3 {
	y := 1 - (2*float64(i)+1)/float64(n)
	r := math.Sqrt(max(0, 1-y*y))
	sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
	return geom.Vec3{r * cos, y, r * sin}
}

// extremes are the vertices farthest in n directions, spread evenly as seen in a frame
// in which the hull's box is a cube.
func (h *Hull) extremes(n int) []geom.Vec3 {
	size := h.Bounds().Size()
	found := make([]bool, len(h.Vertices))
	var points []geom.Vec3
	for i := range n {
		d := direction(i, n)
		for k := range d {
			d[k] /= max(size[k], 1e-6*size.Len())
		}
		if v := h.Support(d); !found[v] {
			found[v] = true
			points = append(points, h.Vertices[v])
		}
	}
	return points
}

// byVertices offers hulls of some of the vertices.
func (h *Hull) byVertices(maxFaces int, take func(*Hull)) {
	// As many directions as do.
	lo, hi := 4, 4*maxFaces
	for lo < hi {
		n := (lo + hi + 1) / 2
		o, err := Of(h.extremes(n))
		if err == nil && len(o.Faces) > maxFaces {
			hi = n - 1
			continue
		}
		take(o)
		lo = n
	}
	// From somewhat more, leave out the vertex that costs least.
	const most = 40
	n := most
	points := h.Vertices
	for len(points) > most {
		points = h.extremes(n)
		n = n * 3 / 4
	}
	points = slices.Clone(points)
	rest := make([]geom.Vec3, 0, len(points))
	for len(points) > 4 {
		o, err := Of(points)
		if err != nil {
			return
		}
		if len(o.Faces) <= maxFaces {
			take(o)
			return
		}
		best, at := -1.0, -1
		for i := range points {
			rest = append(append(rest[:0], points[:i]...), points[i+1:]...)
			if p, err := Of(rest); err == nil {
				if v := p.Volume(); v > best {
					best, at = v, i
				}
			}
		}
		if at < 0 {
			return
		}
		points = slices.Delete(points, at, at+1)
	}
	if o, err := Of(points); err == nil {
		take(o)
	}
}

// byShape offers solids of few faces, each as large as fits.
func (h *Hull) byShape(maxFaces int, take func(*Hull)) {
	if maxFaces >= 6 {
		if box, err := OfBox(h.Bounds()); err == nil {
			take(h.fit(box))
		}
		// A box that stands as a face does.
		for _, face := range largest(h, 4) {
			if box := h.boxAlong(face); box != nil {
				take(h.fit(box))
			}
		}
	}
	// Behind some of the hull's own planes, and behind planes all around it.
	for n := maxFaces; n >= 4 && n > maxFaces-3; n-- {
		for _, planes := range [2][]geom.Plane{h.spreadPlanes(n), h.evenPlanes(n)} {
			if o, err := Intersection(planes); err == nil {
				take(h.fit(o))
			}
		}
	}
}

// largest are the hull's n largest faces.
func largest(h *Hull, n int) []int {
	area := make([]float64, len(h.Faces))
	order := make([]int, len(h.Faces))
	var corners []geom.Vec3
	for i := range h.Faces {
		corners = h.AppendFace(corners[:0], i)
		area[i], order[i] = PolygonArea(corners), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case area[a] > area[b]:
			return -1
		case area[a] < area[b]:
			return 1
		}
		return 0
	})
	return order[:min(n, len(order))]
}

// boxAlong is the box around the hull that lies on a face and along its longest edge.
func (h *Hull) boxAlong(face int) *Hull {
	corners := h.AppendFace(nil, face)
	y := h.Planes[face].N
	var x geom.Vec3
	for i, c := range corners {
		if d := corners[(i+1)%len(corners)].Sub(c); d.LenSqr() > x.LenSqr() {
			x = d
		}
	}
	x = x.Sub(y.Mul(x.Dot(y))).Normalize()
	axes := [3]geom.Vec3{x, y, x.Cross(y)}
	var planes []geom.Plane
	for _, n := range axes {
		for _, n := range [2]geom.Vec3{n, n.Mul(-1)} {
			planes = append(planes, geom.Plane{N: n, D: -h.Vertices[h.Support(n)].Dot(n)})
		}
	}
	o, err := Intersection(planes)
	if err != nil {
		return nil
	}
	return o
}

// spreadPlanes are n of the hull's planes, from the largest face on each time that which
// is most turned away from those taken.
func (h *Hull) spreadPlanes(n int) []geom.Plane {
	next := largest(h, 1)[0]
	like := make([]float64, len(h.Planes)) // cosine to the most similar one
	for i := range like {
		like[i] = -2
	}
	var planes []geom.Plane
	for range n {
		planes = append(planes, h.Planes[next])
		taken := h.Planes[next].N
		best := 2.0
		for i := range h.Planes {
			like[i] = max(like[i], taken.Dot(h.Planes[i].N))
			if like[i] < best {
				best, next = like[i], i
			}
		}
	}
	return planes
}

// evenPlanes are n planes that touch the hull, spread evenly as seen in a frame in which
// its box is a cube.
func (h *Hull) evenPlanes(n int) []geom.Plane {
	size := h.Bounds().Size()
	planes := make([]geom.Plane, n)
	for i := range planes {
		d := direction(i, n)
		for k := range d {
			d[k] /= max(size[k], 1e-6*size.Len())
		}
		d = d.Normalize()
		planes[i] = geom.Plane{N: d, D: -h.Vertices[h.Support(d)].Dot(d)}
	}
	return planes
}

// fit is a solid, scaled and moved to where it is as large as the hull has room for; nil
// when it has none.
func (h *Hull) fit(o *Hull) *Hull {
	middle := o.Center()
	center := h.Center()
	size := h.Bounds().Size()
	scale := max(size[0], size[1], size[2])
	limits := make([]limit, len(h.Planes))
	for i, p := range h.Planes {
		far := o.Vertices[o.Support(p.N)].Sub(middle).Dot(p.N)
		limits[i] = limit{[4]float64{p.N[0], p.N[1], p.N[2], far / scale}, -p.Distance(center) / scale}
	}
	mix(limits)
	x, ok := best(limits, [4]float64{3: 1}, 4, [4]float64{2, 2, 2, 1e3})
	if !ok || !(x[3] > 0) {
		return nil
	}
	at := center.Add(geom.Vec3{x[0], x[1], x[2]}.Mul(scale))
	points := make([]geom.Vec3, len(o.Vertices))
	// Smaller by what rounding may have added.
	tol := h.Tolerance()
	for i, v := range o.Vertices {
		points[i] = at.Add(v.Sub(middle).Mul(x[3] * (1 - 1e-9)))
		if !h.Contains(points[i], tol) {
			return nil
		}
	}
	f, err := Of(points)
	if err != nil {
		return nil
	}
	return f
}
