package mesh

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain/fault"
)

// shape is a set of triangles of one material in the frame of a mesh. It may be
// placed many times.
type shape struct {
	positions []mgl32.Vec3
	normals   []mgl32.Vec3 // nil: flat ones are made; zero: made for that vertex
	uvs       []mgl32.Vec2 // nil for none
	colors    [][4]uint8   // nil for none
	indices   []uint32
	material  int // of the model
	flat      int // triangles without area that were left out already
}

// builder puts shapes together to a model.
type builder struct {
	m       *Model
	notes   *notes
	flat    int // triangles without area, left out
	normals int // that were made in place of unusable ones

	// Scratch of add.
	world []mgl32.Vec3
	kept  []uint32
	remap []uint32
}

func newBuilder(n *notes) *builder {
	return &builder{m: &Model{Bounds: geom.EmptyBox()}, notes: n}
}

// add places a shape by a matrix below a node. Mirroring matrices turn the triangles
// round, so that what looked outward still does. place is for errors.
func (b *builder) add(ctx context.Context, s *shape, matrix mgl64.Mat4, node int, place string) error {
	b.flat += s.flat
	if err := b.transform(ctx, s, matrix, place); err != nil {
		return err
	}
	linear := matrix.Mat3()
	det := linear.Det()
	first := len(b.m.Indices)
	b.keep(s.indices, det < 0)
	if len(b.kept) == 0 {
		return nil
	}
	if len(b.m.Indices)+len(b.kept) > 3*MaxTriangles {
		return bad(place, fmt.Sprintf("more than %d triangles", MaxTriangles), "at most %d", MaxTriangles)
	}
	if s.normals == nil || det == 0 {
		b.addFlat(s)
	} else {
		b.addShared(s, normalMatrix(linear, det))
	}
	b.addPart(Part{First: first, Count: len(b.m.Indices) - first, Material: s.material, Node: node})
	return ctx.Err()
}

// addPart appends a part, or lengthens the last one if it is alike.
func (b *builder) addPart(p Part) {
	if n := len(b.m.Parts); n > 0 && b.m.Parts[n-1].Material == p.Material && b.m.Parts[n-1].Node == p.Node {
		b.m.Parts[n-1].Count += p.Count
		return
	}
	b.m.Parts = append(b.m.Parts, p)
}

// transform fills b.world. It works in float64, so that a model far from the origin
// of its file is as exact as its vertices.
func (b *builder) transform(ctx context.Context, s *shape, m mgl64.Mat4, place string) error {
	b.world = slices.Grow(b.world[:0], len(s.positions))[:len(s.positions)]
	for i, p := range s.positions {
		if i%65536 == 65535 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
		for a := range 3 {
			v := m[a]*x + m[4+a]*y + m[8+a]*z + m[12+a]
			if !(v >= -MaxCoordinate && v <= MaxCoordinate) {
				return &fault.Error{Place: place,
					Found: fmt.Sprintf("a vertex at %.4g, %.4g, %.4g, placed at %.4g along an axis", x, y, z, v),
					Want:  fmt.Sprintf("at most %g m from the origin", float64(MaxCoordinate))}
			}
			b.world[i][a] = float32(v)
		}
	}
	return nil
}

// keep fills b.kept with the triangles that have an area.
func (b *builder) keep(indices []uint32, mirrored bool) {
	b.kept = b.kept[:0]
	for i := 0; i+2 < len(indices); i += 3 {
		u, v, w := indices[i], indices[i+1], indices[i+2]
		if mirrored {
			v, w = w, v
		}
		if !hasArea(b.world[u], b.world[v], b.world[w]) {
			b.flat++
			continue
		}
		b.kept = append(b.kept, u, v, w)
	}
}

// hasArea tells triangles from points and lines: the height over the longest edge is
// more than 10⁻¹² of it, which float32 corners that aren't in line exceed by far.
func hasArea(p, q, r mgl32.Vec3) bool {
	e, f := vec64(q).Sub(vec64(p)), vec64(r).Sub(vec64(p))
	n := e.Cross(f)
	longest := max(e.LenSqr(), f.LenSqr(), e.Sub(f).LenSqr())
	return n.LenSqr() > 1e-24*longest*longest
}

// faceNormal is the unit normal of a triangle that has an area.
func faceNormal(p, q, r mgl32.Vec3) mgl32.Vec3 {
	e, f := vec64(q).Sub(vec64(p)), vec64(r).Sub(vec64(p))
	// Scaled to about one first: the square of a tiny area is zero.
	scale := 1 / math.Sqrt(max(e.LenSqr(), f.LenSqr()))
	n := e.Mul(scale).Cross(f.Mul(scale)).Normalize()
	return mgl32.Vec3{float32(n[0]), float32(n[1]), float32(n[2])}
}

// normalMatrix maps normals along with a matrix that maps points: the inverse's
// transpose but for a positive factor, by cofactors, which have no division.
func normalMatrix(m mgl64.Mat3, det float64) mgl64.Mat3 {
	x, y, z := m.Col(0), m.Col(1), m.Col(2)
	if det < 0 {
		return mgl64.Mat3FromCols(z.Cross(y), x.Cross(z), y.Cross(x))
	}
	return mgl64.Mat3FromCols(y.Cross(z), z.Cross(x), x.Cross(y))
}

// addFlat appends the kept triangles with a vertex of their own for each corner.
func (b *builder) addFlat(s *shape) {
	b.widen(s, len(b.kept))
	for i := 0; i < len(b.kept); i += 3 {
		t := b.kept[i : i+3]
		n := faceNormal(b.world[t[0]], b.world[t[1]], b.world[t[2]])
		for _, v := range t {
			b.m.Indices = append(b.m.Indices, b.vertex(s, v, n))
		}
	}
}

// addShared appends the kept triangles and the vertices that they use, once each.
func (b *builder) addShared(s *shape, normals mgl64.Mat3) {
	b.widen(s, len(s.positions))
	const unused = math.MaxUint32
	b.remap = slices.Grow(b.remap[:0], len(s.positions))[:len(s.positions)]
	for i := range b.remap {
		b.remap[i] = unused
	}
	for i, v := range b.kept {
		if b.remap[v] == unused {
			n := s.normals[v]
			l := normals.Mul3x1(vec64(n))
			if length := l.Len(); length > 0 && !math.IsInf(length, 0) {
				l = l.Mul(1 / length)
				n = mgl32.Vec3{float32(l[0]), float32(l[1]), float32(l[2])}
			} else {
				t := b.kept[i-i%3:]
				n = faceNormal(b.world[t[0]], b.world[t[1]], b.world[t[2]])
				b.normals++
			}
			b.remap[v] = b.vertex(s, v, n)
		}
		b.m.Indices = append(b.m.Indices, b.remap[v])
	}
}

// widen gives the model room for more vertices and the attributes that the shape has
// and the model doesn't yet.
func (b *builder) widen(s *shape, vertices int) {
	m := b.m
	m.Positions = slices.Grow(m.Positions, vertices)
	m.Normals = slices.Grow(m.Normals, vertices)
	m.Indices = slices.Grow(m.Indices, len(b.kept))
	if s.uvs != nil && m.UVs == nil {
		m.UVs = make([]mgl32.Vec2, len(m.Positions))
	}
	if s.colors != nil && m.Colors == nil {
		m.Colors = slices.Repeat([][4]uint8{{255, 255, 255, 255}}, len(m.Positions))
	}
	if m.UVs != nil {
		m.UVs = slices.Grow(m.UVs, vertices)
	}
	if m.Colors != nil {
		m.Colors = slices.Grow(m.Colors, vertices)
	}
}

// vertex appends a vertex of a shape.
func (b *builder) vertex(s *shape, v uint32, normal mgl32.Vec3) uint32 {
	m := b.m
	index := uint32(len(m.Positions))
	m.Positions = append(m.Positions, b.world[v])
	m.Normals = append(m.Normals, normal)
	if m.UVs != nil {
		var uv mgl32.Vec2
		if s.uvs != nil {
			uv = s.uvs[v]
		}
		m.UVs = append(m.UVs, uv)
	}
	if m.Colors != nil {
		c := [4]uint8{255, 255, 255, 255}
		if s.colors != nil {
			c = s.colors[v]
		}
		m.Colors = append(m.Colors, c)
	}
	return index
}

// finish makes the model.
func (b *builder) finish() *Model {
	b.takeOccluders()
	m := b.m
	if b.flat > 0 {
		b.notes.add("%s without area %s left out.", count(b.flat, "triangle"), were(b.flat))
	}
	if b.normals > 0 {
		b.notes.add("%s without direction %s made anew.", count(b.normals, "normal"), were(b.normals))
	}
	if len(m.Indices) == 0 {
		b.notes.add("The model has no triangles.")
	}
	for _, p := range m.Positions {
		m.Bounds = m.Bounds.Add(vec64(p))
	}
	m.Positions = tight(m.Positions)
	m.Normals = tight(m.Normals)
	m.UVs = tight(m.UVs)
	m.Colors = tight(m.Colors)
	m.Indices = tight(m.Indices)
	m.Notes = b.notes.sentences()
	return m
}

// tight gives back memory that appending took in advance.
func tight[T any](s []T) []T {
	if cap(s)-len(s) > len(s)/16+64 {
		return append(make([]T, 0, len(s)), s...)
	}
	return s
}
