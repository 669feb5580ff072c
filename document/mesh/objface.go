package mesh

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// corner is a corner of a face: indices from 0, -1 for none.
type corner struct{ v, t, n int32 }

// vertexKey tells which corners are one vertex: those with the same n, which is the
// index of a normal or, negative, a smoothing group.
type vertexKey struct{ v, t, n int32 }

// smoothKey is a position within a smoothing group.
type smoothKey struct{ v, group int32 }

// parts by which triangles are sorted.
type partKey struct{ node, material int }

// faces collects the triangles of an OBJ file.
type faces struct {
	corners []corner     // of the face that is read
	points  []mgl64.Vec3 // likewise
	own     []uint32     // likewise: vertices that no other face has, plus one
	cut     []int32
	cutter  cutter

	vertices map[vertexKey]uint32
	groups   []uint32 // of each triangle of the model: index of parts
	parts    []partKey
	partOf   map[partKey]uint32
	last     uint32 // the part of the last face
	fresh    bool   // no face came since o, g or usemtl: last may be another
	state    [3]string

	sums    []mgl64.Vec3 // of smoothKey: the faces' normals, by angle
	sumOf   map[smoothKey]int32
	waiting []waiting
	nodeOf  map[[2]string]int
	small   int // faces of fewer than three corners
}

// waiting is a vertex whose normal comes from a sum once all faces are there.
type waiting struct {
	vertex uint32
	sum    int32
}

func (f *faces) start() {
	f.vertices = map[vertexKey]uint32{}
	f.partOf = map[partKey]uint32{}
	f.sumOf = map[smoothKey]int32{}
	f.nodeOf = map[[2]string]int{}
	f.fresh = true
}

// face reads the corners of a face and adds its triangles.
func (r *objReader) face(rest []byte) error {
	f := &r.faces
	f.corners, f.points = f.corners[:0], f.points[:0]
	r.statements++
	for {
		var w []byte
		if w, rest = word(rest); len(w) == 0 || w[0] == '#' {
			break
		}
		c, err := r.corner(w)
		if err != nil {
			return err
		}
		// A corner named twice in a row adds nothing.
		if n := len(f.corners); n > 0 && f.corners[n-1].v == c.v {
			continue
		}
		f.corners = append(f.corners, c)
		f.points = append(f.points, vec64(r.positions[c.v]))
	}
	if n := len(f.corners); n > 1 && f.corners[0].v == f.corners[n-1].v {
		f.corners, f.points = f.corners[:n-1], f.points[:n-1]
	}
	if len(f.corners) < 3 {
		f.small++
		return nil
	}
	normal := newell(f.points)
	var err error
	if f.cut, err = f.cutter.cut(r.ctx, f.cut[:0], f.points, normal); err == errIntricate {
		return bad("", err.Error(), "smaller polygons")
	} else if err != nil {
		return err
	}
	return r.triangles(normal)
}

// corner reads V, V/T, V//N or V/T/N.
func (r *objReader) corner(w []byte) (corner, error) {
	index := [3]int32{-1, -1, -1}
	rest := w
	for k := range index {
		end := slices.Index(rest, '/')
		field := rest
		if end >= 0 {
			field = rest[:end]
		}
		if len(field) > 0 || k == 0 {
			i, ok := parseIndex(field)
			if !ok {
				return corner{}, bad("", fmt.Sprintf("%q", clip(string(w))), "indices such as 1/2/3")
			}
			n := [3]int{len(r.positions), len(r.uvs), len(r.normals)}[k]
			if i < 0 {
				i += n
			} else {
				i--
			}
			if i < 0 || i >= n {
				return corner{}, bad("", fmt.Sprintf("%q", clip(string(w))), "an index within the %d %s so far", n,
					[3]string{"positions", "texture coordinates", "normals"}[k])
			}
			index[k] = int32(i)
		}
		if end < 0 {
			return corner{index[0], index[1], index[2]}, nil
		}
		rest = rest[end+1:]
	}
	return corner{}, bad("", fmt.Sprintf("%q", clip(string(w))), "indices such as 1/2/3")
}

// parseIndex reads an integer other than 0.
func parseIndex(w []byte) (int, bool) {
	negative := len(w) > 0 && w[0] == '-'
	if negative {
		w = w[1:]
	}
	if len(w) == 0 || len(w) > 10 {
		return 0, false
	}
	v := 0
	for _, c := range w {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	if negative {
		v = -v
	}
	return v, v != 0
}

// triangles adds the triangles that the face was cut into.
func (r *objReader) triangles(normal mgl64.Vec3) error {
	f := &r.faces
	if r.build.m.Triangles()+len(f.cut)/3 > MaxTriangles {
		return bad("", fmt.Sprintf("more than %d triangles", MaxTriangles), "at most %d", MaxTriangles)
	}
	flat, isFlat := unit(normal)
	f.own = slices.Grow(f.own[:0], len(f.corners))[:len(f.corners)]
	clear(f.own)
	for i := 0; i < len(f.cut); i += 3 {
		t := f.cut[i : i+3]
		var p [3]mgl32.Vec3
		for k, c := range t {
			p[k] = r.positions[f.corners[c].v]
		}
		if !hasArea(p[0], p[1], p[2]) {
			r.build.flat++
			continue
		}
		part, err := r.part()
		if err != nil {
			return err
		}
		face := faceNormal(p[0], p[1], p[2])
		if !isFlat {
			flat = face
		}
		for k, c := range t {
			corner := f.corners[c]
			var v uint32
			switch {
			case corner.n >= 0:
				v = r.shared(vertexKey(corner), face)
			case r.smooth > 0:
				v = r.smoothed(corner, face, angleAt(p, k))
			default:
				if f.own[c] == 0 {
					f.own[c] = r.newVertex(corner, flat) + 1
				}
				v = f.own[c] - 1
			}
			r.build.m.Indices = append(r.build.m.Indices, v)
		}
		f.groups = append(f.groups, part)
	}
	return nil
}

// unit makes a vector one long; not ok if it has no direction.
func unit(n mgl64.Vec3) (mgl32.Vec3, bool) {
	l := n.Len()
	if !(l > 0 && l < math.MaxFloat64) {
		return mgl32.Vec3{}, false
	}
	n = n.Mul(1 / l)
	return mgl32.Vec3{float32(n[0]), float32(n[1]), float32(n[2])}, n.Len() > 0.5
}

// angleAt is the angle of a triangle at corner k.
func angleAt(p [3]mgl32.Vec3, k int) float64 {
	a := vec64(p[(k+1)%3]).Sub(vec64(p[k]))
	b := vec64(p[(k+2)%3]).Sub(vec64(p[k]))
	return math.Atan2(a.Cross(b).Len(), a.Dot(b))
}

// shared gives the vertex of a corner with a normal of the file.
func (r *objReader) shared(key vertexKey, face mgl32.Vec3) uint32 {
	if v, ok := r.faces.vertices[key]; ok {
		return v
	}
	n := r.normals[key.n]
	if n == (mgl32.Vec3{}) {
		n = face
		r.build.normals++
	}
	v := r.newVertex(corner(key), n)
	r.faces.vertices[key] = v
	return v
}

// smoothed gives the vertex of a corner in a smoothing group and adds to its normal.
func (r *objReader) smoothed(c corner, face mgl32.Vec3, angle float64) uint32 {
	f := &r.faces
	place := smoothKey{c.v, r.smooth}
	sum, ok := f.sumOf[place]
	if !ok {
		sum = int32(len(f.sums))
		f.sums = append(f.sums, mgl64.Vec3{})
		f.sumOf[place] = sum
	}
	f.sums[sum] = f.sums[sum].Add(vec64(face).Mul(angle))
	// Below -1, so that no index of a normal is meant.
	key := vertexKey{c.v, c.t, -1 - r.smooth}
	v, ok := f.vertices[key]
	if !ok {
		v = r.newVertex(c, face)
		f.vertices[key] = v
		f.waiting = append(f.waiting, waiting{v, sum})
	}
	return v
}

// newVertex appends a vertex to the model.
func (r *objReader) newVertex(c corner, normal mgl32.Vec3) uint32 {
	m := r.build.m
	v := uint32(len(m.Positions))
	if c.t >= 0 && m.UVs == nil {
		m.UVs = make([]mgl32.Vec2, v)
	}
	if r.colors != nil && m.Colors == nil {
		m.Colors = slices.Repeat([][4]uint8{{255, 255, 255, 255}}, int(v))
	}
	m.Positions = append(m.Positions, r.positions[c.v])
	m.Normals = append(m.Normals, normal)
	if m.UVs != nil {
		var uv mgl32.Vec2
		if c.t >= 0 {
			uv = r.uvs[c.t]
		}
		m.UVs = append(m.UVs, uv)
	}
	if m.Colors != nil {
		m.Colors = append(m.Colors, r.colors[c.v])
	}
	return v
}

// part gives the part that triangles with the current object, group and material
// belong to.
func (r *objReader) part() (uint32, error) {
	f := &r.faces
	state := [3]string{r.object, r.group, r.material}
	if !f.fresh && state == f.state {
		return f.last, nil
	}
	material, err := r.materialIndex(r.material)
	if err != nil {
		return 0, err
	}
	key := partKey{r.node(), material}
	part, ok := f.partOf[key]
	if !ok {
		part = uint32(len(f.parts))
		f.parts = append(f.parts, key)
		f.partOf[key] = part
	}
	f.last, f.fresh, f.state = part, false, state
	return part, nil
}

// node gives the model's node for the current object and group.
func (r *objReader) node() int {
	parent := -1
	if r.object != "" && r.group != "" {
		parent = r.nodeAt([2]string{r.object, ""}, r.object, -1)
	}
	if r.group == "" {
		return r.nodeAt([2]string{r.object, ""}, r.object, -1)
	}
	return r.nodeAt([2]string{r.object, r.group}, r.group, parent)
}

func (r *objReader) nodeAt(key [2]string, name string, parent int) int {
	if i, ok := r.faces.nodeOf[key]; ok {
		return i
	}
	i := len(r.build.m.Nodes)
	r.build.m.Nodes = append(r.build.m.Nodes, Node{Name: name, Parent: parent})
	r.faces.nodeOf[key] = i
	return i
}

// finish sorts the triangles by part and makes the normals of smoothing groups.
func (r *objReader) finish() (*Model, error) {
	f, m := &r.faces, r.build.m
	for _, w := range f.waiting {
		if n, ok := unit(f.sums[w.sum]); ok {
			m.Normals[w.vertex] = n
		}
	}
	if len(f.parts) > 0 {
		first := make([]int, len(f.parts)+1)
		for _, g := range f.groups {
			first[g+1] += 3
		}
		for i, p := range f.parts {
			m.Parts = append(m.Parts, Part{First: first[i], Count: first[i+1], Material: p.material, Node: p.node})
			first[i+1] += first[i]
		}
		if len(f.parts) > 1 {
			sorted := make([]uint32, len(m.Indices))
			for i, g := range f.groups {
				copy(sorted[first[g]:first[g]+3], m.Indices[3*i:])
				first[g] += 3
			}
			m.Indices = sorted
		}
	}
	if f.small > 0 {
		r.notes.add("%s of fewer than three corners %s left out.", count(f.small, "face"), were(f.small))
	}
	if r.badUVs {
		r.notes.add("Some texture coordinates are no numbers; they count as 0.")
	}
	return r.build.finish(), r.ctx.Err()
}
