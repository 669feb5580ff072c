package session

import (
	"slices"

	"ridgeline/document"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

// OccluderFacts is what is known of an occluder.
type OccluderFacts struct {
	Polygon, Hole  bool
	Corners, Faces int
	Volume         float64       // of a hull, m³
	Area           float64       // of a polygon without its hole, m²
	Owner          document.ID   // the object that it belongs to; 0 for none
	Doors          []document.ID // the open portals that keep it from hiding
	Fault          error         // why it is neither a hull nor a polygon
}

// OccluderFacts tells of an occluder.
func (s *Session) OccluderFacts(id document.ID) (f OccluderFacts, ok bool) {
	v := s.scene.Visibility()
	i, ok := v.Occluder(id)
	if !ok {
		return f, false
	}
	o := &v.Occluders[i]
	f = OccluderFacts{Owner: o.Owner, Doors: slices.Clone(o.Doors), Fault: o.Fault}
	switch {
	case o.Fault != nil:
	case o.Hull != nil:
		f.Corners, f.Faces, f.Volume = len(o.Hull.Vertices), len(o.Hull.Faces), o.Hull.Volume()
	default:
		f.Polygon, f.Hole, f.Corners = true, o.Hole != nil, len(o.Polygon)
		f.Area = hull.PolygonArea(o.Polygon) - hull.PolygonArea(o.Hole)
	}
	return f, true
}

// CellFacts is what is known of a cell.
type CellFacts struct {
	Pieces, Corners int
	Volume          float64       // of its pieces, m³; where they overlap counts twice
	Portals         []document.ID // that join it with others
	Inside          int           // things that touch it, tiles of the ground not counted
	Fault           error         // why a piece is no solid
}

// CellFacts tells of a cell.
func (s *Session) CellFacts(id document.ID) (f CellFacts, ok bool) {
	v := s.scene.Visibility()
	i, ok := v.Cell(id)
	if !ok {
		return f, false
	}
	c := &v.Cells[i]
	f.Pieces, f.Fault = len(c.Pieces), c.Fault
	for _, h := range c.Pieces {
		f.Corners += len(h.Vertices)
		f.Volume += h.Volume()
	}
	for k := range v.Portals {
		if p := &v.Portals[k]; p.From != p.To && (p.From == i || p.To == i) {
			f.Portals = append(f.Portals, p.ID)
		}
	}
	for entry, list := range v.Scene.Cells {
		if _, _, chunk := s.scene.Entry(int32(entry)); !chunk && slices.Contains(list, int32(i)) {
			f.Inside++
		}
	}
	return f, true
}

// PortalFacts is what is known of a portal.
type PortalFacts struct {
	Front, Back document.ID // the cells that it joins; 0 is the outside
	Joins       bool        // they are two
	Corners     int
	Area        float64 // m²
}

// PortalFacts tells of a portal.
func (s *Session) PortalFacts(id document.ID) (f PortalFacts, ok bool) {
	v := s.scene.Visibility()
	i, ok := v.Portal(id)
	if !ok {
		return f, false
	}
	p := &v.Portals[i]
	cell := func(i int) document.ID {
		if i == portal.Outside || i >= len(v.Cells) {
			return 0
		}
		return v.Cells[i].ID
	}
	return PortalFacts{
		Front: cell(p.From), Back: cell(p.To), Joins: p.From != p.To,
		Corners: len(p.Polygon), Area: hull.PolygonArea(p.Polygon),
	}, true
}
