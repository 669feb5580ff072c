package mesh

import (
	"errors"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// occluderSuffix ends the names of nodes that are not to be drawn: what they hold
// hides what is behind it.
const occluderSuffix = "-occ"

// maxOccluderVertices bounds the vertices of an occluder's mesh; a hull of as many
// would cost more than it spares.
const maxOccluderVertices = 1 << 16

// maxOccluderCorners bounds the corners of an occluder's hull.
const maxOccluderCorners = 4096

// IsOccluder reports whether nodes of a name hold occluders: it ends in -occ, whatever
// its case, before a number such as .001 by which Blender tells copies apart.
func IsOccluder(name string) bool {
	if i := strings.LastIndexByte(name, '.'); i >= 0 && len(name)-i == 4 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	n := len(name) - len(occluderSuffix)
	return n >= 0 && strings.EqualFold(name[n:], occluderSuffix)
}

// takeOccluders takes what stands in and below occluder nodes out of the triangles,
// and makes a list of points of each node that has some.
func (b *builder) takeOccluders() {
	m := b.m
	taken := make([]bool, len(m.Nodes))
	any := false
	for i, n := range m.Nodes {
		taken[i] = n.Parent >= 0 && taken[n.Parent] || IsOccluder(n.Name)
		any = any || taken[i]
	}
	if !any {
		return
	}
	parts := make(map[int][]Part)
	var order []int
	for _, p := range m.Parts {
		if taken[p.Node] {
			if parts[p.Node] == nil {
				order = append(order, p.Node)
			}
			parts[p.Node] = append(parts[p.Node], p)
		}
	}
	for _, node := range order {
		b.addOccluder(m.Nodes[node].Name, parts[node])
	}
	if len(order) > 0 {
		m.without(taken)
	}
}

// addOccluder keeps the corners of the hull of some parts.
func (b *builder) addOccluder(name string, parts []Part) {
	m := b.m
	seen := map[mgl32.Vec3]bool{}
	var points []geom.Vec3
	for _, part := range parts {
		for _, i := range m.Indices[part.First : part.First+part.Count] {
			p := m.Positions[i]
			if seen[p] {
				continue
			}
			seen[p] = true
			if points = append(points, vec64(p)); len(points) > maxOccluderVertices {
				b.notes.add("The occluder node %q has more than %d vertices; it was left out.", clip(name), maxOccluderVertices)
				return
			}
		}
	}
	h, err := hull.Of(points)
	switch {
	case errors.Is(err, hull.ErrFlat):
		b.notes.add("The occluder node %q is flat; it hides nothing.", clip(name))
		return
	case err != nil:
		b.notes.add("The occluder node %q makes no solid; it hides nothing.", clip(name))
		return
	case len(h.Vertices) > maxOccluderCorners:
		b.notes.add("The occluder node %q has a hull of more than %d corners; it was left out.", clip(name), maxOccluderCorners)
		return
	}
	if b.dented(h, parts) {
		b.notes.add("The occluder node %q is not convex; its hull, which is larger, hides what is behind it.", clip(name))
	}
	corners := make([]mgl32.Vec3, len(h.Vertices))
	for i, v := range h.Vertices {
		corners[i] = mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
	}
	m.Occluders = append(m.Occluders, corners)
}

// dented reports whether a triangle of parts lies inside their hull. Of very many it
// looks at some.
func (b *builder) dented(h *hull.Hull, parts []Part) bool {
	m := b.m
	size := h.Bounds().Size()
	tol := 1e-3*max(size[0], size[1], size[2]) + h.Tolerance()
	triangles := 0
	for _, p := range parts {
		triangles += p.Count / 3
	}
	step := 1 + triangles*len(h.Faces)/(1<<22)
	at := 0
	for _, part := range parts {
		for i := part.First; i < part.First+part.Count; i += 3 {
			if at++; at%step != 0 {
				continue
			}
			middle := geom.Vec3{}
			for _, v := range m.Indices[i : i+3] {
				middle = middle.Add(vec64(m.Positions[v]))
			}
			if h.Distance(middle.Mul(1.0/3)) < -tol {
				return true
			}
		}
	}
	return false
}

// without leaves the parts of some nodes out, and all that only they use.
func (m *Model) without(node []bool) {
	const unused = -1
	fresh := func(n int) []int {
		list := make([]int, n)
		for i := range list {
			list[i] = unused
		}
		return list
	}
	vertices, materials, images := fresh(len(m.Positions)), fresh(len(m.Materials)), fresh(len(m.Images))
	parts, indices := m.Parts, m.Indices
	m.Parts, m.Indices = nil, make([]uint32, 0, len(indices))
	count := 0
	for _, p := range parts {
		if node[p.Node] {
			continue
		}
		materials[p.Material] = 0
		first := len(m.Indices)
		for _, v := range indices[p.First : p.First+p.Count] {
			if vertices[v] == unused {
				vertices[v] = count
				count++
			}
			m.Indices = append(m.Indices, uint32(vertices[v]))
		}
		p.First = first
		m.Parts = append(m.Parts, p)
	}
	m.Positions, m.Normals = moved(m.Positions, vertices, count), moved(m.Normals, vertices, count)
	m.UVs, m.Colors = moved(m.UVs, vertices, count), moved(m.Colors, vertices, count)

	count = number(materials)
	for i := range m.Parts {
		m.Parts[i].Material = materials[m.Parts[i].Material]
	}
	m.Materials = moved(m.Materials, materials, count)
	for _, mat := range m.Materials {
		if mat.Image >= 0 {
			images[mat.Image] = 0
		}
	}
	count = number(images)
	for i := range m.Materials {
		if at := &m.Materials[i].Image; *at >= 0 {
			*at = images[*at]
		}
	}
	m.Images = moved(m.Images, images, count)
}

// number numbers those of a list that are not negative.
func number(list []int) (count int) {
	for i := range list {
		if list[i] >= 0 {
			list[i] = count
			count++
		}
	}
	return count
}

// moved gives a list in which each has the place that to says; those of a negative one
// are left out. A list that is nil stays so.
func moved[T any](list []T, to []int, count int) []T {
	if list == nil {
		return nil
	}
	out := make([]T, count)
	for i, v := range list {
		if to[i] >= 0 {
			out[to[i]] = v
		}
	}
	return out
}
