package hull

import (
	"math"
	"slices"
	"sync"

	"ridgeline/occluders/geom"
)

// facet is a triangle of the growing hull. A side is a facet times four and the number
// of its edge, from corner[edge] to the next corner.
type facet struct {
	n      geom.Vec3 // unit, outwards
	d      float64   // the plane: n·p + d = 0
	err    float64   // a point nearer to the plane than this may be on either side
	reach  float64   // of the far point above the plane
	corner [3]int32
	across [3]int32 // the sides beyond the edges
	first  int32    // of the points above it, a list through next; none: -1
	far    int32    // the highest of them
	stamp  int32    // of the point that last looked at it
	state  uint8
}

// States of a facet.
const (
	kept    uint8 = iota
	seen          // from the point of the stamp
	hidden        // from the point of the stamp
	removed       // its slot is free
)

// builder grows hulls. It is scratch memory.
type builder struct {
	frame  frame
	points []geom.Vec3 // the caller's
	local  []geom.Vec3 // in the frame
	ids    []int32     // of the points to look at
	ends   [6]int32    // the lowest and highest of them along each axis
	next   []int32     // in the list of points above a facet
	facets []facet
	free   []int32
	todo   []int32 // facets that have points above them
	stamp  int32   // of the last point that was inserted

	horizon []int32 // sides that are not seen, in order around what is
	visible []int32
	trail   []walk
	fresh   []int32
	planes  [][4]float64
	touched []int32 // facets that are not fresh and have points above them now

	finishing
}

// walk is a step on the way over the facets that a point sees.
type walk struct {
	facet int32
	edge  uint8 // the next one to cross
	left  uint8 // how many are left to cross
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// Of is the convex hull of points: the least convex solid that holds them all, but for
// Tolerance. Its vertices are of the points. The order of the points does not matter,
// and points may be equal, many, or nearly on a line or plane. It takes time in
// proportion to n log n for all usual inputs.
//
// The errors are ErrNone, ErrNotFinite, ErrPoint, ErrLine and ErrFlat.
func Of(points []geom.Vec3) (*Hull, error) {
	if len(points) == 0 {
		return nil, ErrNone
	}
	b := builders.Get().(*builder)
	defer func() {
		b.points = nil
		if cap(b.local) <= maxPooled {
			builders.Put(b)
		}
	}()
	if err := b.take(points); err != nil {
		return nil, err
	}
	if err := b.grow(); err != nil {
		return nil, err
	}
	return b.finish()
}

// maxPooled is how many points a builder may have had that is kept for the next hull.
const maxPooled = 1 << 18

// take brings the points into the frame.
func (b *builder) take(points []geom.Vec3) error {
	b.points = points
	lo, hi := points[0], points[0]
	b.ends = [6]int32{}
	sum := 0.0 // of zeros, unless a coordinate is not finite
	for i := range points {
		p := &points[i]
		sum += (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2])
		for k, v := range p {
			if v <= lo[k] {
				if e := &b.ends[2*k]; v < lo[k] || b.before(int32(i), *e) {
					*e, lo[k] = int32(i), v
				}
			}
			if v >= hi[k] {
				if e := &b.ends[2*k+1]; v > hi[k] || b.before(int32(i), *e) {
					*e, hi[k] = int32(i), v
				}
			}
		}
	}
	if sum != 0 {
		return ErrNotFinite
	}
	f, err := frameOf(geom.Box{Min: lo, Max: hi})
	if err != nil {
		return err
	}
	b.frame = f
	b.local = sized(b.local, len(points))
	b.next = sized(b.next, len(points))
	b.ids = sized(b.ids, len(points))
	for i := range points {
		b.local[i] = f.in(&points[i])
		b.ids[i] = int32(i)
	}
	return nil
}

// sized is s with n elements, of any value.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// before orders points by their coordinates.
func (b *builder) before(i, k int32) bool {
	p, q := &b.points[i], &b.points[k]
	for axis := range p {
		if p[axis] != q[axis] {
			return p[axis] < q[axis]
		}
	}
	return false
}

// grow makes the facets from b.ids: the quickhull algorithm. All choices are by value,
// so that the order of the points changes nothing.
func (b *builder) grow() error {
	b.facets, b.free, b.todo = b.facets[:0], b.free[:0], b.todo[:0]
	if err := b.simplex(); err != nil {
		return err
	}
	b.stamp = 0
	for len(b.todo) > 0 {
		f := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if at := &b.facets[f]; at.state == removed || at.first < 0 {
			continue
		}
		b.stamp++
		b.insert(f, b.stamp)
	}
	return nil
}

// simplex starts the hull with four points far apart.
func (b *builder) simplex() error {
	grain := b.frame.grain
	ids := b.ids
	if len(ids) < len(b.points) {
		b.findEnds()
	}
	ends := &b.ends
	var s [4]int32
	best := 0.0
	for i, p := range ends {
		for _, q := range ends[i+1:] {
			if d := b.local[q].Sub(b.local[p]).LenSqr(); d > best {
				best, s[0], s[1] = d, p, q
			}
		}
	}
	if !(math.Sqrt(best) > thinnest*grain) {
		return ErrPoint
	}
	// The farthest from the line, then from the plane: of those ends, if it is far, or of
	// all points.
	origin := b.local[s[0]]
	axis := b.local[s[1]].Sub(origin).Normalize()
	length := math.Sqrt(best)
	if s[2], best = b.farthest(ends[:], func(p *geom.Vec3) float64 { return p.Sub(origin).Cross(axis).LenSqr() }); best < length*length/64 {
		s[2], best = b.farthest(ids, func(p *geom.Vec3) float64 { return p.Sub(origin).Cross(axis).LenSqr() })
	}
	if !(math.Sqrt(best) > thinnest*grain) {
		return ErrLine
	}
	n := crossExactly(&b.local[s[0]], &b.local[s[1]], &b.local[s[2]]).Normalize()
	if s[3], best = b.farthest(ends[:], func(p *geom.Vec3) float64 { return math.Abs(p.Sub(origin).Dot(n)) }); best < length/8 {
		s[3], best = b.farthest(ids, func(p *geom.Vec3) float64 { return math.Abs(p.Sub(origin).Dot(n)) })
	}
	if !(best > thinnest*grain) {
		return ErrFlat
	}
	switch sideExactly(&b.local[s[0]], &b.local[s[1]], &b.local[s[2]], &b.local[s[3]]) {
	case 0:
		return ErrFlat
	case 1:
		s[0], s[1] = s[1], s[0]
	}
	// The fourth lies below the first three.
	for i := range int32(4) {
		b.facets = append(b.facets, facet{})
		f := &b.facets[i]
		switch i {
		case 0:
			f.corner = [3]int32{s[0], s[1], s[2]}
		case 1:
			f.corner = [3]int32{s[1], s[0], s[3]}
		case 2:
			f.corner = [3]int32{s[2], s[1], s[3]}
		case 3:
			f.corner = [3]int32{s[0], s[2], s[3]}
		}
		b.plane(f)
	}
	b.linkSimplex()
	b.fresh = append(b.fresh[:0], 0, 1, 2, 3)
	b.gather()
	for _, i := range ids {
		if i != s[0] && i != s[1] && i != s[2] && i != s[3] {
			b.sort(i)
		}
	}
	b.spread()
	return nil
}

// findEnds finds the points that are lowest and highest along each axis.
func (b *builder) findEnds() {
	for i := range b.ends {
		b.ends[i] = b.ids[0]
	}
	for _, i := range b.ids {
		p := &b.points[i]
		for k, v := range p {
			if e := &b.ends[2*k]; v < b.points[*e][k] || v == b.points[*e][k] && b.before(i, *e) {
				*e = i
			}
			if e := &b.ends[2*k+1]; v > b.points[*e][k] || v == b.points[*e][k] && b.before(i, *e) {
				*e = i
			}
		}
	}
}

// farthest is the point of which a measure is greatest.
func (b *builder) farthest(ids []int32, measure func(*geom.Vec3) float64) (at int32, best float64) {
	at, best = ids[0], 0
	for _, i := range ids {
		if d := measure(&b.local[i]); d > best || d == best && best > 0 && b.before(i, at) {
			at, best = i, d
		}
	}
	return at, best
}

// linkSimplex links the edges of the four first facets.
func (b *builder) linkSimplex() {
	for i := range b.facets {
		for e := range int32(3) {
			f := &b.facets[i]
			from, to := f.corner[e], f.corner[(e+1)%3]
			for k := range b.facets {
				for o := range int32(3) {
					if g := &b.facets[k]; g.corner[o] == to && g.corner[(o+1)%3] == from {
						f.across[e] = int32(k)*4 + o
					}
				}
			}
		}
	}
}

// ulp is the rounding error of numbers from 1/2 to 1.
const ulp = 1.0 / (1 << 53)

// plane gives a facet its plane. Coordinates are at most 2.
func (b *builder) plane(f *facet) {
	p, q, r := &b.local[f.corner[0]], &b.local[f.corner[1]], &b.local[f.corner[2]]
	ux, uy, uz := q[0]-p[0], q[1]-p[1], q[2]-p[2]
	vx, vy, vz := r[0]-p[0], r[1]-p[1], r[2]-p[2]
	nx, ny, nz := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
	square := nx*nx + ny*ny + nz*nz
	// Of thin triangles too little of the normal is left in float64.
	if square*(16*16) < (ux*ux+uy*uy+uz*uz)*(vx*vx+vy*vy+vz*vz) {
		n := crossExactly(p, q, r)
		big := max(math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2]))
		nx, ny, nz = n[0]/big, n[1]/big, n[2]/big
		square = nx*nx + ny*ny + nz*nz
	}
	inverse := 1 / math.Sqrt(square)
	f.n = geom.Vec3{nx * inverse, ny * inverse, nz * inverse}
	f.d = -(f.n[0]*p[0] + f.n[1]*p[1] + f.n[2]*p[2])
	f.err = 1024 * ulp
	f.first, f.far, f.reach = -1, -1, 0
	f.state, f.stamp = kept, 0
}

// above is how high a point stands over the plane.
func (f *facet) above(p *geom.Vec3) float64 {
	return f.n[0]*p[0] + f.n[1]*p[1] + f.n[2]*p[2] + f.d
}

// sees reports whether a point lies strictly above a facet.
func (b *builder) sees(f *facet, p *geom.Vec3) bool {
	d := f.above(p)
	if d > f.err {
		return true
	}
	if d < -f.err {
		return false
	}
	return sideExactly(&b.local[f.corner[0]], &b.local[f.corner[1]], &b.local[f.corner[2]], p) > 0
}

// gather collects the planes of the fresh facets, to sort points above them.
func (b *builder) gather() {
	b.planes = b.planes[:0]
	for _, i := range b.fresh {
		f := &b.facets[i]
		b.planes = append(b.planes, [4]float64{f.n[0], f.n[1], f.n[2], f.d})
	}
}

// sort puts a point into the list of the first fresh facet that it is above; below all
// it is forgotten.
func (b *builder) sort(i int32) {
	p := &b.local[i]
	x, y, z := p[0], p[1], p[2]
	limit := near * b.frame.grain
	best, at := -limit, -1
	for k := range b.planes {
		n := &b.planes[k]
		d := n[0]*x + n[1]*y + n[2]*z + n[3]
		if d <= best {
			continue
		}
		if d > limit {
			b.list(&b.facets[b.fresh[k]], i, d)
			return
		}
		best, at = d, k
	}
	if at >= 0 {
		b.climb(b.fresh[at], i, best)
	}
}

// list puts a point into the list of a facet that it is this high above.
func (b *builder) list(f *facet, i int32, d float64) {
	b.next[i] = f.first
	f.first = i
	if d > f.reach || d == f.reach && b.before(i, f.far) {
		f.far, f.reach = i, d
	}
}

// climb looks for a facet that a point is above, from a fresh one in whose plane it
// lies but for a grain. Without rounding a point that was above a facet that is gone is
// above a fresh one or inside; with it, the point may be above another near by.
func (b *builder) climb(f, i int32, d float64) {
	p := &b.local[i]
	for {
		next := f
		for _, side := range b.facets[f].across {
			if e := b.facets[side>>2].above(p); e > d {
				next, d = side>>2, e
			}
		}
		if next == f {
			break
		}
		f = next
	}
	if d > near*b.frame.grain {
		if g := &b.facets[f]; g.first < 0 {
			b.touched = append(b.touched, f)
		}
		b.list(&b.facets[f], i, d)
	}
}

// spread lists the facets that have points above them now.
func (b *builder) spread() {
	// In an order that is not that of the points.
	slices.Sort(b.touched)
	b.todo = append(b.todo, b.touched...)
	b.touched = b.touched[:0]
	for _, i := range b.fresh {
		if b.facets[i].first >= 0 {
			b.todo = append(b.todo, i)
		}
	}
}

// insert adds the highest point above a facet to the hull.
func (b *builder) insert(start, stamp int32) {
	apex := b.facets[start].far
	b.look(start, stamp, &b.local[apex])

	// A cone of facets from the horizon to the point. Slots are taken before those that
	// go are freed: what is below still needs these.
	b.fresh = b.fresh[:0]
	for range b.horizon {
		if n := len(b.free); n > 0 {
			b.fresh = append(b.fresh, b.free[n-1])
			b.free = b.free[:n-1]
		} else {
			b.fresh = append(b.fresh, int32(len(b.facets)))
			b.facets = append(b.facets, facet{})
		}
	}
	n := len(b.fresh)
	last := b.fresh[n-1]
	for i, side := range b.horizon {
		beyond := &b.facets[side>>2]
		e := side & 3
		from, to := beyond.corner[(e+1)%3], beyond.corner[e]
		id := b.fresh[i]
		following := b.fresh[0]
		if i+1 < n {
			following = b.fresh[i+1]
		}
		f := &b.facets[id]
		f.corner = [3]int32{from, to, apex}
		f.across = [3]int32{side, following*4 + 2, last*4 + 1}
		beyond.across[e] = id * 4
		b.plane(f)
		last = id
	}
	b.gather()
	for _, v := range b.visible {
		f := &b.facets[v]
		for i := f.first; i >= 0; {
			next := b.next[i]
			if i != apex {
				b.sort(i)
			}
			i = next
		}
		f.state, f.first = removed, -1
	}
	b.free = append(b.free, b.visible...)
	b.spread()
}

// look finds what a point sees, from a facet that it does see on: the facets, and the
// sides around them, counter-clockwise seen from the point.
func (b *builder) look(start, stamp int32, p *geom.Vec3) {
	b.horizon, b.visible, b.trail = b.horizon[:0], b.visible[:0], b.trail[:0]
	b.facets[start].stamp, b.facets[start].state = stamp, seen
	b.visible = append(b.visible, start)
	b.trail = append(b.trail, walk{start, 0, 3})
	for len(b.trail) > 0 {
		w := &b.trail[len(b.trail)-1]
		if w.left == 0 {
			b.trail = b.trail[:len(b.trail)-1]
			continue
		}
		side := b.facets[w.facet].across[w.edge]
		w.left--
		if w.edge++; w.edge == 3 {
			w.edge = 0
		}
		g := &b.facets[side>>2]
		if g.stamp != stamp {
			g.stamp, g.state = stamp, hidden
			if b.sees(g, p) {
				g.state = seen
				b.visible = append(b.visible, side>>2)
				edge := uint8(side&3) + 1
				if edge == 3 {
					edge = 0
				}
				b.trail = append(b.trail, walk{side >> 2, edge, 2})
				continue
			}
		}
		if g.state == hidden {
			b.horizon = append(b.horizon, side)
		}
	}
}
