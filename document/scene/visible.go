package scene

import (
	"image"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain/lod"
)

// Visible is what a frustum leaves of a scene. Its memory is used again by the
// next query into it.
type Visible struct {
	Items  []int32  // slots, in no order
	Chunks lod.Mask // of the terrain
	// Subsets are the triangles in sight of items that are the level's own geometry:
	// one for each entry of Items, or nil.
	Subsets []*Subset

	entries []int32
	spare   []*Subset
	used    int
}

// Subset is a part of a model's triangles, grouped by material.
type Subset struct {
	Indices   []uint32
	Parts     []mesh.Part
	triangles []int32
	local     geom.Frustum
}

// Visible finds what may be seen in a frustum, whatever is in front of it.
func (s *Scene) Visible(v *Visible, f *geom.Frustum) {
	v.entries = s.tree.AppendVisible(v.entries[:0], f)
	s.show(v, v.entries, f)
}

// Cull runs the tests of a set for a view whose picture has size pixels.
func (s *Scene) Cull(c *cull.Culler, view cull.View, size image.Point, tests cull.Tests) *cull.Report {
	return c.Run(&s.Visibility().Scene, view, size, tests)
}

// Show takes what is to be drawn by a report on the scene as it is now. Of the
// level's own geometry, triangles out of the frustum are left out.
func (s *Scene) Show(v *Visible, r *cull.Report, f *geom.Frustum) { s.show(v, r.Drawn, f) }

func (s *Scene) show(v *Visible, entries []int32, f *geom.Frustum) {
	v.Items, v.Subsets, v.used = v.Items[:0], v.Subsets[:0], 0
	words := (s.cols*s.rows + 63) / 64
	v.Chunks = slices.Grow(v.Chunks[:0], words)[:words]
	clear(v.Chunks)
	chunks := int32(s.cols * s.rows)
	for _, e := range entries {
		if e < chunks {
			v.Chunks.Set(int(e))
			continue
		}
		it := &s.items[e-chunks]
		var sub *Subset
		if it.Geometry && f.Box(it.Box) == geom.Crossing {
			if sub = v.subset(it, f); len(sub.Parts) == 0 {
				continue
			}
		}
		v.Items = append(v.Items, e-chunks)
		v.Subsets = append(v.Subsets, sub)
	}
}

// subset finds the triangles of an item that may be seen.
func (v *Visible) subset(it *Item, f *geom.Frustum) *Subset {
	if v.used == len(v.spare) {
		v.spare = append(v.spare, new(Subset))
	}
	sub := v.spare[v.used]
	v.used++
	sub.local = localFrustum(f, it.World)
	sub.triangles = it.Model.Tree().AppendVisible(sub.triangles[:0], &sub.local)
	sub.Indices, sub.Parts = sub.Indices[:0], sub.Parts[:0]
	m := it.Model
	part := 0
	for _, t := range sub.triangles {
		// Triangles come by material, and in the order of the mesh within each.
		i := int(t) * 3
		for !(i >= m.Parts[part].First && i < m.Parts[part].First+m.Parts[part].Count) {
			part = (part + 1) % len(m.Parts)
		}
		p := m.Parts[part]
		if n := len(sub.Parts); n == 0 || sub.Parts[n-1].Material != p.Material {
			sub.Parts = append(sub.Parts, mesh.Part{First: len(sub.Indices), Material: p.Material, Node: p.Node})
		}
		sub.Indices = append(sub.Indices, m.Indices[i], m.Indices[i+1], m.Indices[i+2])
		sub.Parts[len(sub.Parts)-1].Count += 3
	}
	return sub
}

// localFrustum is the frustum in the space from which world leads: a plane p is
// worldᵀ·p there.
func localFrustum(f *geom.Frustum, world mgl64.Mat4) geom.Frustum {
	var out geom.Frustum
	t := world.Transpose()
	for i, p := range f.Planes {
		q := t.Mul4x1(p.N.Vec4(p.D))
		n := q.Vec3()
		if l := n.Len(); l > 0 {
			out.Planes[i] = geom.Plane{N: n.Mul(1 / l), D: q[3] / l}
		} else {
			out.Planes[i] = geom.Plane{D: q[3]}
		}
	}
	return out
}
