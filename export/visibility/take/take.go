package take

import (
	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/export/visibility"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/terrain"
)

// Place says which node of a file shows a thing, or a point of a scatter (else point is
// visibility.None), and which of its instances; visibility.None where there is none.
type Place func(id document.ID, point int) (node, instance int)

// Scene takes the visibility of a scene as it stands. Occluders that make no shape,
// which hide nothing, are left out. place may be nil: nothing has a node then. Nodes
// of the ground and of the root are for the caller to set.
func Scene(s *scene.Scene, place Place) *visibility.Data {
	l, v := s.Level(), s.Visibility()
	d := &visibility.Data{Root: visibility.None, Tree: scene.TreeOptions(l)}
	chunks := s.Counts().Chunks
	if l.HasTerrain() {
		d.Ground = ground(l.Terrain)
		for e := range chunks {
			d.Boxes = append(d.Boxes, s.Tree().Box(e))
		}
	}
	for slot, it := range s.Items() {
		if it.ID == 0 {
			continue
		}
		t := visibility.Thing{ID: uint64(it.ID), Point: int32(it.Point), Node: visibility.None, Instance: visibility.None}
		if place != nil {
			node, instance := place(it.ID, it.Point)
			t.Node, t.Instance = int32(node), int32(instance)
		}
		d.Things = append(d.Things, t)
		d.Boxes = append(d.Boxes, s.Tree().Box(chunks+slot))
	}
	name := func(id document.ID) string {
		if e, ok := l.Entity(id); ok {
			return e.Name
		}
		return ""
	}
	for i := range v.Portals {
		p := &v.Portals[i]
		d.Portals = append(d.Portals, visibility.Portal{ID: uint64(p.ID), Name: name(p.ID), Portal: p.Portal, Reach: p.Reach})
	}
	for i := range v.Cells {
		c := &v.Cells[i]
		d.Cells = append(d.Cells, visibility.Cell{ID: uint64(c.ID), Name: name(c.ID), Pieces: append([]*hull.Hull(nil), c.Pieces...)})
	}
	for i := range v.Occluders {
		o := &v.Occluders[i]
		if o.Fault != nil {
			continue
		}
		out := visibility.Occluder{ID: uint64(o.ID), Name: name(o.ID), Owner: uint64(o.Owner), Off: o.Off, Shape: o.Shape}
		for k := range v.Portals {
			if p := &v.Portals[k]; p.Box.Overlaps(o.Box) && o.Crosses(p.Polygon) {
				out.Portals = append(out.Portals, int32(k))
			}
		}
		d.Occluders = append(d.Occluders, out)
	}
	return d
}

func ground(f *terrain.Field) *visibility.Ground {
	g := &visibility.Ground{Node: visibility.None, Spacing: f.Spacing(), Field: f}
	g.Columns, g.Rows = f.Size()
	g.Origin[0], g.Origin[1] = f.Origin()
	for k := range f.PyramidLevels() {
		l := visibility.Level{}
		l.Columns, l.Rows = f.PyramidGrid(k)
		for y := range l.Rows {
			for x := range l.Columns {
				_, box := f.PyramidNode(k, x, y)
				l.Ranges = append(l.Ranges, rangeOf(box))
			}
		}
		g.Pyramid = append(g.Pyramid, l)
	}
	return g
}

func rangeOf(b geom.Box) terrain.MinMax {
	return terrain.MinMax{Min: float32(b.Min[1]), Max: float32(b.Max[1])}
}
