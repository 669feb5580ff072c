package scene

import (
	"cmp"
	"slices"

	"ridgeline/document"
)

// These are identified by their entities: lists of them are in the order of the ids.
func (o *Occluder) id() document.ID { return o.ID }
func (c *Cell) id() document.ID     { return c.ID }
func (p *Portal) id() document.ID   { return p.ID }

// part is what an entity is to visibility: one of these, but for the model of an object,
// which may have several occluders.
type part struct {
	occluders []Occluder
	cells     []Cell
	portals   []Portal
}

// part makes what an entity is, into memory of an earlier one. Hulls of what is the same
// stay.
func (s *Scene) part(v *Visibility, e *document.Entity, p part) part {
	p = part{p.occluders[:0], p.cells[:0], p.portals[:0]}
	switch d := e.Data.(type) {
	case document.Occluder:
		p.occluders = append(p.occluders, s.occluder(v, e, d))
	case document.Cell:
		p.cells = append(p.cells, s.cell(v, e, d))
	case document.Portal:
		p.portals = append(p.portals, s.portal(e, d))
	case document.Object:
		p.occluders = s.modelOccluders(v, e, p.occluders)
	}
	return p
}

// gather makes the lists of occluders, cells and portals anew.
func (s *Scene) gather(v *Visibility) {
	v.Occluders, v.Cells, v.Portals = v.Occluders[:0], v.Cells[:0], v.Portals[:0]
	if v.made == nil {
		v.made = map[document.ID]*madeShape{}
	}
	for _, m := range v.made {
		m.seen = false
	}
	var p part
	for e := range s.level.Entities() {
		p = s.part(v, e, p)
		v.Occluders = append(v.Occluders, p.occluders...)
		v.Cells = append(v.Cells, p.cells...)
		v.Portals = append(v.Portals, p.portals...)
	}
	for id, m := range v.made {
		if !m.seen {
			delete(v.made, id)
		}
	}
	v.occluderOf = numbered(map[document.ID]int{}, v.Occluders, 0)
	v.cellOf = numbered(map[document.ID]int{}, v.Cells, 0)
	v.portalOf = numbered(map[document.ID]int{}, v.Portals, 0)
	s.link(v, nil)
}

// How many changes are made in the lists; where there are more they are made anew.
const (
	mostPatched = 4 // a part of the lists
	mostSpliced = 8 // that come or go
)

// patch changes what differs in the lists of occluders, cells and portals; ok is false
// when that is too much, and nothing has changed then.
func (s *Scene) patch(v *Visibility) (ok bool) {
	if mostPatched*len(v.changed) > len(v.Occluders)+len(v.Cells)+len(v.Portals)+mostPatched*mostSpliced {
		return false
	}
	ids := make([]document.ID, 0, len(v.changed))
	for id := range v.changed {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	parts := make([]part, len(ids))
	spliced := 0
	for k, id := range ids {
		if m, ok := v.made[id]; ok {
			m.seen = false
		}
		if e, ok := s.level.Entity(id); ok {
			parts[k] = s.part(v, e, part{})
		}
		if m, ok := v.made[id]; ok && !m.seen {
			delete(v.made, id)
		}
		for _, other := range [...]bool{
			run(v.Occluders, v.occluderOf, id) != len(parts[k].occluders),
			run(v.Cells, v.cellOf, id) != len(parts[k].cells),
			run(v.Portals, v.portalOf, id) != len(parts[k].portals),
		} {
			if other {
				spliced++
			}
		}
	}
	if spliced > mostSpliced {
		return false
	}
	for k, id := range ids {
		v.Occluders = replaced(v.Occluders, v.occluderOf, id, parts[k].occluders)
		v.Cells = replaced(v.Cells, v.cellOf, id, parts[k].cells)
		v.Portals = replaced(v.Portals, v.portalOf, id, parts[k].portals)
	}
	s.link(v, ids)
	return true
}

// listed is what stands in a list in the order of its entities' ids.
type listed[T any] interface {
	*T
	id() document.ID
}

// run is how many of a list belong to an entity. at has the first of each.
func run[T any, P listed[T]](list []T, at map[document.ID]int, id document.ID) (n int) {
	if i, ok := at[id]; ok {
		for i+n < len(list) && P(&list[i+n]).id() == id {
			n++
		}
	}
	return n
}

// replaced puts now in the place of what belongs to an entity.
func replaced[T any, P listed[T]](list []T, at map[document.ID]int, id document.ID, now []T) []T {
	n := run[T, P](list, at, id)
	i, ok := at[id]
	if !ok {
		i, _ = slices.BinarySearchFunc(list, id, func(t T, id document.ID) int { return cmp.Compare(P(&t).id(), id) })
	}
	if n == len(now) {
		copy(list[i:], now)
		return list
	}
	list = slices.Replace(list, i, i+n, now...)
	delete(at, id)
	numbered[T, P](at, list, i)
	return list
}

// numbered notes where each entity begins in a list, from an index on.
func numbered[T any, P listed[T]](at map[document.ID]int, list []T, from int) map[document.ID]int {
	for i := from; i < len(list); i++ {
		if id := P(&list[i]).id(); i == 0 || P(&list[i-1]).id() != id {
			at[id] = i
		}
	}
	return at
}
