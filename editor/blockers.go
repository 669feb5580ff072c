package editor

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/editor/session"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/render"
)

// blockers asks the renderer what the blockers of one kind hide by themselves: the
// ground, the hulls of occluders, or the level's own geometry, the walls of rooms. That
// is what the test that knows of this kind could remove at best.
//
// Each thing is drawn with all its materials blending, so that things do not hide each
// other and what is left of each behind the blockers is counted.
type blockers struct {
	s      *session.Session
	ground *render.Renderer // shows the level's ground
	bare   *render.Renderer // shows none
	view   render.View
	size   image.Point

	things  []render.Instance // all things, blending
	entries []int32           // what they are
	pixels  map[int32]bool    // whether they have any
	sight   render.Sight
	veils   map[*mesh.Model]*mesh.Model
}

func newBlockers(c *scene, bare *render.Renderer, v render.View, size image.Point) *blockers {
	b := &blockers{s: c.s, ground: c.r, bare: bare, view: v, size: size, veils: map[*mesh.Model]*mesh.Model{}}
	b.view.MaxError = 0
	var t truth
	t.begin(c.s)
	b.entries = t.entries
	for _, n := range t.instances {
		n.Model = b.veil(n.Model)
		b.things = append(b.things, n)
	}
	return b
}

// veil is a model that hides nothing.
func (b *blockers) veil(m *mesh.Model) *mesh.Model {
	v, ok := b.veils[m]
	if !ok {
		copied := *m
		copied.Materials = append([]mesh.Material(nil), m.Materials...)
		for i := range copied.Materials {
			copied.Materials[i].Alpha = mesh.Blend
		}
		v = &copied
		b.veils[m] = v
	}
	return v
}

// look finds which things have a pixel before there are any blockers: very small ones
// have none.
func (b *blockers) look() error {
	b.pixels = nil
	without, err := b.hide(b.bare, nil, nil)
	if err != nil {
		return err
	}
	b.pixels = map[int32]bool{}
	for _, e := range b.entries {
		b.pixels[e] = !without[e]
	}
	return nil
}

// hide tells which entries have no pixel behind the solids alone, though they would
// have some without.
func (b *blockers) hide(r *render.Renderer, solids []render.Instance, skip func(entry int32) bool) (map[int32]bool, error) {
	v := b.view
	v.Instances = append(append([]render.Instance(nil), b.things...), solids...)
	if err := r.Identify(&v, b.size, &b.sight); err != nil {
		return nil, err
	}
	hidden := map[int32]bool{}
	for i, e := range b.entries {
		if b.sight.Instances[i] == 0 && (skip == nil || !skip(e)) && (b.pixels == nil || b.pixels[e]) {
			hidden[e] = true
		}
	}
	return hidden, nil
}

// of tells what the blockers of a test hide; nil for a test that has none.
func (b *blockers) of(test cull.Test) (map[int32]bool, error) {
	switch test {
	case cull.Terrain:
		if !b.s.Level().HasTerrain() {
			return nil, nil
		}
		hidden, err := b.hide(b.ground, nil, nil)
		if err != nil {
			return nil, err
		}
		for chunk, pixels := range b.sight.Chunks {
			if pixels == 0 {
				hidden[int32(chunk)] = true
			}
		}
		return hidden, nil
	case cull.Occluder:
		hulls, err := b.hulls()
		if hulls.Model == nil || err != nil {
			return nil, err
		}
		return b.hide(b.bare, []render.Instance{hulls}, nil)
	case cull.Portal:
		return b.walls()
	}
	return nil, nil
}

// outside reports whether an entry is certainly not in the view.
func (b *blockers) outside(entry int32) bool {
	f := geom.FrustumOf(b.view.Eye, b.view.ViewProj)
	return f.Box(b.s.Scene().Tree().Box(int(entry))) == geom.Outside
}

// walls tells what the level's own geometry hides of what is in other rooms than the eye:
// what is outside too when the eye is in a room.
func (b *blockers) walls() (map[int32]bool, error) {
	v := b.s.Scene().Visibility()
	if v.Scene.Portals == nil {
		return nil, nil
	}
	cols, rows := b.s.Scene().ChunkGrid()
	items := b.s.Scene().Items()
	walls := map[int32]bool{}
	var solids []render.Instance
	for i, e := range b.entries {
		it := &items[int(e)-cols*rows]
		entity, ok := b.s.Level().Entity(it.ID)
		if !ok {
			continue
		}
		if d, ok := document.ObjectOf(entity); ok && d.Geometry {
			walls[e] = true
			solids = append(solids, render.Instance{Model: it.Model.Model, World: b.things[i].World})
		}
	}
	here := map[int32]bool{}
	for _, c := range v.Scene.Portals.AppendCells(nil, geom.BoxOf(b.view.Eye)) {
		here[c] = true
	}
	return b.hide(b.bare, solids, func(e int32) bool {
		for _, c := range v.Scene.Cells.Of(e) {
			if here[c] {
				return true
			}
		}
		return walls[e]
	})
}

// hulls is a model of all occluders that hide anything, but for polygons with holes.
func (b *blockers) hulls() (render.Instance, error) {
	v := b.s.Scene().Visibility()
	m := &mesh.Model{Name: "occluders", Materials: []mesh.Material{{DoubleSided: true, Image: -1, BaseColor: [4]float32{1, 1, 1, 1}, UV: mgl32.Ident3()}}, Nodes: []mesh.Node{{Parent: -1}}}
	var at geom.Vec3
	add := func(face []geom.Vec3) {
		if len(m.Positions) == 0 {
			at = face[0]
		}
		first := uint32(len(m.Positions))
		for i, p := range face {
			q := p.Sub(at)
			m.Positions = append(m.Positions, mgl32.Vec3{float32(q[0]), float32(q[1]), float32(q[2])})
			m.Normals = append(m.Normals, mgl32.Vec3{0, 1, 0})
			if k := first + uint32(i); i > 1 {
				m.Indices = append(m.Indices, first, k-1, k)
			}
		}
	}
	var face []geom.Vec3
	for i := range v.Occluders {
		o := &v.Occluders[i]
		switch {
		case !o.Hides():
		case o.Hull != nil:
			for f := range o.Hull.Faces {
				face = o.Hull.AppendFace(face[:0], f)
				add(face)
			}
		case o.Hole == nil && hull.PolygonConvex(o.Polygon):
			add(o.Polygon)
		}
	}
	if len(m.Indices) == 0 {
		return render.Instance{}, nil
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	m.Bounds = geom.EmptyBox()
	for _, p := range m.Positions {
		m.Bounds = m.Bounds.Add(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	return render.Instance{Model: m, World: mgl64.Translate3D(at[0], at[1], at[2])}, m.Validate()
}
