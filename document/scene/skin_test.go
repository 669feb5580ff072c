package scene

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// skin is the triangles of ground, sorted by squares of the map.
type skin struct {
	field     *terrain.Field
	triangles []triangle
	side      float64 // of a square, metres
	x, z      float64 // where they begin
	nx, nz    int
	first     []int32 // of each square, in list
	list      []int32
	patches   []lod.Patch
	begins    []int // the first triangle of each patch

	vertices []mgl32.Vec3
	indices  []uint32
	fill     []int32
}

type triangle struct {
	a, u, v, n geom.Vec3  // a corner, the sides from it, their cross product: it faces up
	lo, hi     [2]float64 // its part of the map
}

func wholePatches(f *terrain.Field) (all []lod.Patch) {
	cols, rows := f.ChunkGrid()
	for y := range rows {
		for x := range cols {
			all = append(all, lod.Patch{Cells: f.ChunkRect(x, y)})
		}
	}
	return all
}

// newSkin makes the triangles of patches.
func newSkin(f *terrain.Field, patches []lod.Patch) *skin {
	s := &skin{}
	s.make(f, patches)
	return s
}

// make is newSkin in the memory of an old one.
func (s *skin) make(f *terrain.Field, patches []lod.Patch) {
	s.field, s.patches, s.begins = f, patches, s.begins[:0]
	s.x, s.z = f.Origin()
	w, d := f.Extent()
	s.side = max(w, d) / 40
	s.nx, s.nz = int(w/s.side)+1, int(d/s.side)+1
	v, ids := s.vertices[:0], s.indices[:0]
	for _, p := range patches {
		s.begins = append(s.begins, len(ids)/3)
		v, ids = lod.AppendMesh(v, ids, f, p)
	}
	s.begins = append(s.begins, len(ids)/3)
	s.vertices, s.indices = v, ids
	at := func(i uint32) geom.Vec3 {
		p := v[i]
		return geom.Vec3{s.x + float64(p[0]), float64(p[1]), s.z + float64(p[2])}
	}
	s.triangles = slices.Grow(s.triangles[:0], len(ids)/3)
	for i := 0; i < len(ids); i += 3 {
		a, b, c := at(ids[i]), at(ids[i+1]), at(ids[i+2])
		t := triangle{a: a, u: b.Sub(a), v: c.Sub(a)}
		for k := range t.lo {
			t.lo[k], t.hi[k] = min(a[2*k], b[2*k], c[2*k]), max(a[2*k], b[2*k], c[2*k])
		}
		t.n = t.u.Cross(t.v)
		s.triangles = append(s.triangles, t)
	}
	s.first = slices.Grow(s.first[:0], s.nx*s.nz+1)[:s.nx*s.nz+1]
	clear(s.first)
	each := func(do func(square, triangle int)) {
		for i := range s.triangles {
			t := &s.triangles[i]
			x0, x1 := s.index(t.lo[0]-s.x, s.nx), s.index(t.hi[0]-s.x, s.nx)
			for z := s.index(t.lo[1]-s.z, s.nz); z <= s.index(t.hi[1]-s.z, s.nz); z++ {
				for x := x0; x <= x1; x++ {
					do(z*s.nx+x, i)
				}
			}
		}
	}
	each(func(square, _ int) { s.first[square+1]++ })
	for i := 1; i < len(s.first); i++ {
		s.first[i] += s.first[i-1]
	}
	n := int(s.first[len(s.first)-1])
	s.list = slices.Grow(s.list[:0], n)[:n]
	s.fill = append(s.fill[:0], s.first...)
	each(func(square, i int) { s.list[s.fill[square]] = int32(i); s.fill[square]++ })
}

func (s *skin) index(d float64, n int) int {
	return max(0, min(int(d/s.side), n-1))
}

// stop is the depth at which a line of sight meets the ground from above.
func (s *skin) stop(l *culltest.Sight) float64 {
	end := math.Inf(1)
	// The part of the line that is over the field, a little more to be sure.
	t0, t1 := l.Near, l.Far
	w, d := s.field.Extent()
	const edge = 1e-6
	for _, k := range [2]struct {
		from, dir, lo, hi float64
	}{{l.From[0], l.Dir[0], s.x - edge, s.x + w + edge}, {l.From[2], l.Dir[2], s.z - edge, s.z + d + edge}} {
		if k.dir == 0 {
			if k.from < k.lo || k.from > k.hi {
				return end
			}
			continue
		}
		u, v := (k.lo-k.from)/k.dir, (k.hi-k.from)/k.dir
		t0, t1 = max(t0, min(u, v)), min(t1, max(u, v))
	}
	if t0 > t1 {
		return end
	}
	// Column by column of squares, those that it crosses there.
	xa, xb := l.From[0]+l.Dir[0]*t0-s.x, l.From[0]+l.Dir[0]*t1-s.x
	for x := s.index(min(xa, xb)-edge, s.nx); x <= s.index(max(xa, xb)+edge, s.nx); x++ {
		u0, u1 := t0, t1
		if l.Dir[0] != 0 {
			a, b := (s.x+float64(x)*s.side-edge-l.From[0])/l.Dir[0], (s.x+float64(x+1)*s.side+edge-l.From[0])/l.Dir[0]
			if lo, hi := min(a, b), max(a, b); hi >= t0 && lo <= t1 {
				u0, u1 = max(t0, lo), min(t1, hi)
			}
		}
		za, zb := l.From[2]+l.Dir[2]*u0-s.z, l.From[2]+l.Dir[2]*u1-s.z
		for z := s.index(min(za, zb)-edge, s.nz); z <= s.index(max(za, zb)+edge, s.nz); z++ {
			k := z*s.nx + x
			for _, i := range s.list[s.first[k]:s.first[k+1]] {
				end = min(end, s.meet(l, &s.triangles[i]))
			}
		}
	}
	return end
}

// meet is the depth at which the line meets a triangle from above.
func (s *skin) meet(l *culltest.Sight, t *triangle) float64 {
	det := -l.Dir.Dot(t.n)
	if det <= 0 {
		return math.Inf(1) // from below it is not drawn
	}
	o := l.From.Sub(t.a)
	k := o.Dot(t.n) / det
	if k < l.Near || k > l.Far {
		return math.Inf(1)
	}
	const eps = 1e-6
	q := o.Cross(l.Dir)
	b, c := t.v.Dot(q)/det, -t.u.Dot(q)/det
	if b < -eps || c < -eps || b+c > 1+eps || !s.solid(l.At(k)) {
		return math.Inf(1)
	}
	return k
}

// solid tells whether there is ground at a place, or within rounding of it.
func (s *skin) solid(p geom.Vec3) bool {
	cols, rows := s.field.Size()
	const eps = 1e-6
	for i := range 4 {
		c := int(math.Floor((p[0]-s.x)/s.field.Spacing() + eps*float64(i&1*2-1)))
		r := int(math.Floor((p[2]-s.z)/s.field.Spacing() + eps*float64(i>>1*2-1)))
		if c >= 0 && r >= 0 && c < cols-1 && r < rows-1 && !s.field.IsHole(c, r) {
			return true
		}
	}
	return false
}

// pointOf is a point on a chunk's ground, and the normal there.
func (s *skin) pointOf(r *rand.Rand, sc *Scene, chunk int32) (p, n geom.Vec3) {
	rect := sc.level.Terrain.ChunkRect(int(chunk)%sc.cols, int(chunk)/sc.cols)
	for {
		i := r.IntN(len(s.patches))
		if !s.patches[i].Cells.Overlaps(rect) || s.begins[i] == s.begins[i+1] {
			continue
		}
		for range 100 {
			t := &s.triangles[s.begins[i]+r.IntN(s.begins[i+1]-s.begins[i])]
			a, b := r.Float64(), r.Float64()
			if a+b > 1 {
				a, b = 1-a, 1-b
			}
			p = t.a.Add(t.u.Mul(a)).Add(t.v.Mul(b))
			c, k := int((p[0]-s.x)/s.field.Spacing()), int((p[2]-s.z)/s.field.Spacing())
			if c >= rect.Min.X && c < rect.Max.X && k >= rect.Min.Y && k < rect.Max.Y {
				return p, t.n
			}
		}
	}
}
