package mesh

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// attribute is one that is read, with the types that the core specification and
// KHR_mesh_quantization allow.
type attribute struct {
	components []int
	core       func(a *accessor) bool
	quantized  func(a *accessor) bool
	want       string
}

func isFloat(a *accessor) bool { return a.kind == gltf.ComponentFloat }

func isFloatOrUnorm(a *accessor) bool {
	return isFloat(a) || a.normalized && (a.kind == gltf.ComponentUbyte || a.kind == gltf.ComponentUshort)
}

func isSmall(a *accessor) bool { return a.kind != gltf.ComponentUint }

var (
	positionAttribute = attribute{[]int{3}, isFloat, isSmall, "VEC3 of floats"}
	normalAttribute   = attribute{[]int{3}, isFloat, func(a *accessor) bool {
		return a.normalized && (a.kind == gltf.ComponentByte || a.kind == gltf.ComponentShort)
	}, "VEC3 of floats"}
	uvAttribute    = attribute{[]int{2}, isFloatOrUnorm, isSmall, "VEC2 of floats or normalized integers"}
	colorAttribute = attribute{[]int{3, 4}, isFloatOrUnorm, nil, "VEC3 or VEC4 of floats or normalized integers"}
)

// attribute opens an attribute of a primitive; nil without one.
func (r *gltfReader) attribute(p *gltf.Primitive, place, name string, spec attribute, vertices int) (*accessor, error) {
	index, ok := p.Attributes[name]
	if !ok {
		return nil, nil
	}
	place += ".attributes." + name
	a, err := r.open(index)
	if err != nil {
		return nil, err
	}
	fits := false
	for _, n := range spec.components {
		fits = fits || n == a.components && r.doc.Accessors[index].Type != gltf.AccessorMat2
	}
	want := spec.want
	if !spec.core(a) {
		switch {
		case spec.quantized == nil || !spec.quantized(a):
			fits = false
		case !r.quantized:
			fits = false
			want += fmt.Sprintf(", as %s isn't in extensionsUsed", extQuantization)
		}
	}
	if !fits {
		return nil, bad(place, a.describe(), "%s", want)
	}
	if vertices >= 0 && a.count != vertices {
		return nil, bad(place, fmt.Sprintf("%d elements", a.count), "%d, as many as positions", vertices)
	}
	return a, nil
}

// shape reads primitive k of a mesh; nil if it has nothing that can be shown.
func (r *gltfReader) shape(mesh, k int) (*shape, error) {
	p := r.doc.Meshes[mesh].Primitives[k]
	if s, ok := r.shapes[p]; ok {
		return s, nil
	}
	s, err := r.readShape(p, fmt.Sprintf("meshes[%d].primitives[%d]", mesh, k))
	if err != nil {
		return nil, err
	}
	r.shapes[p] = s
	return s, nil
}

func (r *gltfReader) readShape(p *gltf.Primitive, place string) (*shape, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	positions, err := r.attribute(p, place, gltf.POSITION, positionAttribute, -1)
	if err != nil {
		return nil, err
	}
	if positions == nil {
		r.notes.add("There are no positions in %s; it is not shown.", place)
		return nil, nil
	}
	indices, err := r.indices(p, place)
	if err != nil {
		return nil, err
	}
	normals, err := r.attribute(p, place, gltf.NORMAL, normalAttribute, positions.count)
	if err != nil {
		return nil, err
	}
	colors, err := r.attribute(p, place, gltf.COLOR_0, colorAttribute, positions.count)
	if err != nil {
		return nil, err
	}
	set, textured, err := r.textureSet(p.Material)
	if err != nil {
		return nil, err
	}
	uvs, err := r.attribute(p, place, fmt.Sprintf("TEXCOORD_%d", set), uvAttribute, positions.count)
	if err != nil {
		return nil, err
	}
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		r.notes.add("Points and lines are not supported; they are not shown.")
		return nil, nil
	}
	if err := r.checkNames(p, place); err != nil {
		return nil, err
	}
	if textured && uvs == nil {
		return nil, bad(place+".attributes", fmt.Sprintf("no TEXCOORD_%d", set), "one, which the base colour texture of materials[%d] is laid out by", *p.Material)
	}
	g := gatherer{
		r: r, s: &shape{}, place: place, declared: declaredBounds(r.doc.Accessors[p.Attributes[gltf.POSITION]]),
		positions: positions, normals: normals, uvs: uvs, colors: colors, indices: indices,
	}
	if err := g.triangles(p.Mode); err != nil {
		return nil, err
	}
	if len(g.s.indices) > 0 { // else the material and its picture aren't needed
		g.s.material, err = r.material(p.Material)
	}
	return g.s, err
}

// indices opens the indices of a primitive; nil without.
func (r *gltfReader) indices(p *gltf.Primitive, place string) (*accessor, error) {
	if p.Indices == nil {
		return nil, nil
	}
	place += ".indices"
	g := r.doc.Accessors[*p.Indices]
	a, err := r.open(*p.Indices)
	if err != nil {
		return nil, err
	}
	switch {
	case g.Type != gltf.AccessorScalar || !isIndexType(a.kind) || a.normalized:
		return nil, bad(place, a.describe(), "unsigned integers")
	case g.BufferView != nil && r.doc.BufferViews[*g.BufferView].ByteStride != 0:
		return nil, bad(place, fmt.Sprintf("a stride of %d", r.doc.BufferViews[*g.BufferView].ByteStride), "none")
	}
	return a, nil
}

// gatherer collects the triangles of a primitive and the vertices that they use.
// Both are read one by one, and triangles without area left out at once, so that
// memory follows the data and not the counts in the file.
type gatherer struct {
	r                               *gltfReader
	s                               *shape
	place                           string
	positions, normals, uvs, colors *accessor // all but the first may be nil
	indices                         *accessor // nil: 0, 1, 2, …

	dense  []uint32          // vertex of the file to that of the shape plus one,
	sparse map[uint32]uint32 // or this for a few vertices of many

	declared          *[2]mgl32.Vec3 // what the file says positions lie between, if it does
	badUVs, badColors bool
	beyond            bool // declared
}

func (g *gatherer) triangles(mode gltf.PrimitiveMode) error {
	n := g.positions.count
	if g.indices != nil {
		n = g.indices.count
	}
	g.chooseMap(n)
	if mode == gltf.PrimitiveTriangles {
		if n%3 != 0 {
			g.r.notes.add("There are %d corners in %s, no whole number of triangles; the rest was left out.", n, g.place)
		}
		n = n / 3
	} else {
		n = max(n-2, 0)
	}
	for i := range n {
		if i%16384 == 16383 {
			if err := g.r.ctx.Err(); err != nil {
				return err
			}
		}
		var t [3]int
		switch mode {
		case gltf.PrimitiveTriangleStrip:
			t = [3]int{i, i + 1 + i%2, i + 2 - i%2}
		case gltf.PrimitiveTriangleFan:
			t = [3]int{i + 1, i + 2, 0}
		default:
			t = [3]int{3 * i, 3*i + 1, 3*i + 2}
		}
		if err := g.triangle(t); err != nil {
			return err
		}
	}
	if g.badUVs {
		g.r.notes.add("Some texture coordinates in %s are no numbers; they count as 0.", g.place)
	}
	if g.badColors {
		g.r.notes.add("Some colours in %s are outside 0 to 1; they were limited.", g.place)
	}
	if g.beyond {
		g.r.notes.add("Some positions in %s lie beyond the min and max that their accessor claims; they are shown where they lie.", g.place)
	}
	return nil
}

// chooseMap decides how vertices are found again: by a list where most of them are
// used, else by a map, since a list would be as long as the file claims.
func (g *gatherer) chooseMap(corners int) {
	if g.positions.count <= 4*corners+1024 && g.positions.base != nil {
		g.dense = make([]uint32, g.positions.count)
	} else {
		g.sparse = map[uint32]uint32{}
	}
}

// triangle adds the triangle whose corners are these elements of the indices.
func (g *gatherer) triangle(corners [3]int) error {
	var index [3]uint32
	var p [3]mgl32.Vec3
	for k, c := range corners {
		v := uint32(c)
		if g.indices != nil {
			v = g.indices.index(c)
			if uint64(v) >= uint64(g.positions.count) {
				return bad(g.place+".indices", fmt.Sprintf("the index %d at position %d", v, c), "at most %d, the last vertex", g.positions.count-1)
			}
		}
		index[k] = v
		if known, ok := g.known(v); ok {
			p[k] = g.s.positions[known]
			continue
		}
		e := g.positions.vector(int(v))
		p[k] = mgl32.Vec3{e[0], e[1], e[2]}
		if !isFinite(e[0]) || !isFinite(e[1]) || !isFinite(e[2]) {
			return bad(g.place+".attributes.POSITION", fmt.Sprintf("%v, %v, %v for vertex %d", e[0], e[1], e[2], v), "finite numbers")
		}
	}
	if p[0] == p[1] || p[1] == p[2] || p[2] == p[0] {
		g.s.flat++
		return nil
	}
	for k, v := range index {
		known, ok := g.known(v)
		if !ok {
			known = g.vertex(v, p[k])
		}
		g.s.indices = append(g.s.indices, known)
	}
	return nil
}

// known gives the index in the shape of a vertex of the file, if it is there.
func (g *gatherer) known(v uint32) (uint32, bool) {
	if g.dense != nil {
		k := g.dense[v]
		return k - 1, k > 0
	}
	k, ok := g.sparse[v]
	return k, ok
}

// vertex adds a vertex of the file to the shape.
func (g *gatherer) vertex(v uint32, p mgl32.Vec3) uint32 {
	k := uint32(len(g.s.positions))
	if g.dense != nil {
		g.dense[v] = k + 1
	} else {
		g.sparse[v] = k
	}
	s, i := g.s, int(v)
	s.positions = append(s.positions, p)
	if b := g.declared; b != nil && !g.beyond {
		for k := range 3 {
			slack := 1e-4 * max(b[1][k]-b[0][k], abs32(b[0][k]), abs32(b[1][k]))
			g.beyond = g.beyond || p[k] < b[0][k]-slack || p[k] > b[1][k]+slack
		}
	}
	if g.normals != nil {
		n := g.normals.vector(i)
		s.normals = append(s.normals, usableNormal(n))
	}
	if g.uvs != nil {
		e := g.uvs.vector(i)
		uv := mgl32.Vec2{e[0], e[1]}
		if !isFinite(uv[0]) || !isFinite(uv[1]) {
			g.badUVs = true
			uv = mgl32.Vec2{}
		}
		s.uvs = append(s.uvs, uv)
	}
	if g.colors != nil {
		e := g.colors.vector(i)
		if g.colors.components == 3 {
			e[3] = 1
		}
		c, clamped := color8(e)
		g.badColors = g.badColors || clamped
		s.colors = append(s.colors, c)
	}
	return k
}

func isFinite(x float32) bool { return x >= -math.MaxFloat32 && x <= math.MaxFloat32 }

// usableNormal gives zero for a vector without direction, which the builder takes as
// a request to make one.
func usableNormal(n [4]float32) mgl32.Vec3 {
	for _, x := range n {
		if !isFinite(x) {
			return mgl32.Vec3{}
		}
	}
	return mgl32.Vec3{n[0], n[1], n[2]}
}

// color8 rounds a colour to 8 bits; NaN counts as 0.
func color8(c [4]float32) (out [4]uint8, clamped bool) {
	for k, x := range c {
		if !(x >= -1e-3 && x <= 1+1e-3) {
			clamped = true
		}
		if !(x > 0) {
			x = 0
		}
		out[k] = uint8(min(x, 1)*255 + 0.5)
	}
	return out, clamped
}
