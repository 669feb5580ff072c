package scene

import (
	"maps"
	"slices"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
)

// links remember what was found out of cells, portals and occluders together, as long as
// it holds: which cells a portal joins takes the longest when there are many rooms.
type links struct {
	ids     []document.ID // of the cells
	cells   [][]*hull.Hull
	portals map[document.ID]linked
	built   []portal.Portal // what the graph was made of
}

// linked is a portal as it was.
type linked struct {
	Portal
	index int
	stale bool // a cell near it differs
}

// link finds the cells of portals, and what portals do to occluders. changed are the
// entities that differ, nil if all may.
func (s *Scene) link(v *Visibility, changed []document.ID) {
	l := &v.links
	same := l.among(v.Cells, v.cellOf)
	portals, was := make([]portal.Portal, len(v.Portals)), make([]int, len(v.Portals))
	var dirty []geom.Box // where portals differ
	known := 0
	for i := range v.Portals {
		p := &v.Portals[i]
		was[i] = -1
		q, ok := l.portals[p.ID]
		if ok {
			known++
		}
		equal := ok && slices.Equal(q.Polygon, p.Polygon)
		if !equal || (q.State == portal.Closed) != (p.State == portal.Closed) {
			dirty = append(dirty, p.Box)
			if ok {
				dirty = append(dirty, q.Box)
			}
		}
		if equal && !q.stale && q.Reach == p.Reach {
			p.From, p.To, was[i] = q.From, q.To, q.index
		} else {
			p.From, p.To, _ = portal.Link(l.cells, p.Polygon, p.Reach)
		}
		portals[i] = p.Portal
	}
	if known < len(l.portals) {
		for id, q := range l.portals {
			if _, ok := v.portalOf[id]; !ok {
				dirty = append(dirty, q.Box)
			}
		}
	}
	if !same || !slices.EqualFunc(portals, l.built, equalPortals) {
		before := v.Scene.Portals
		v.Scene.Portals, v.TooMany = nil, nil
		switch {
		case len(v.Cells) == 0:
		case before != nil:
			v.Scene.Portals, v.TooMany = before.Rebuild(l.cells, portals, was)
		default:
			v.Scene.Portals, v.TooMany = portal.Build(l.cells, portals)
		}
		l.built, v.all = portals, true
	}
	l.keep(v.Portals)
	v.findDoors(changed, dirty)
	v.Scene.Occluders = slices.Grow(v.Scene.Occluders[:0], len(v.Occluders))[:len(v.Occluders)]
	for i := range v.Occluders {
		o := &v.Occluders[i]
		if v.Scene.Occluders[i] = o.Shape; !o.Hides() {
			v.Scene.Occluders[i] = cull.Shape{}
		}
	}
}

func equalPortals(a, b portal.Portal) bool {
	return a.From == b.From && a.To == b.To && a.State == b.State && slices.Equal(a.Polygon, b.Polygon)
}

// mostBoxes is from how many boxes of cells on that differ all portals count as near one.
const mostBoxes = 256

// among takes the cells that portals may join, and tells whether they are those that it
// had. at has the index of each.
func (l *links) among(list []Cell, at map[document.ID]int) (same bool) {
	ids, cells := make([]document.ID, len(list)), make([][]*hull.Hull, len(list))
	for i := range list {
		ids[i], cells[i] = list[i].ID, list[i].Pieces
	}
	oldIDs, old := l.ids, l.cells
	l.ids, l.cells = ids, cells
	var boxes []geom.Box // of what differs
	differ := func(pieces []*hull.Hull) {
		for _, h := range pieces {
			boxes = append(boxes, h.Bounds())
		}
	}
	same = slices.Equal(oldIDs, ids)
	index := make([]int, len(old)) // of the cells that there were
	fresh := make([]bool, len(list))
	for i := range fresh {
		fresh[i] = true
	}
	for i, id := range oldIDs {
		k, ok := i, true
		if !same {
			k, ok = at[id]
		}
		if !ok {
			index[i] = -1
			differ(old[i])
			continue
		}
		index[i], fresh[k] = k, false
		if !slices.Equal(old[i], cells[k]) {
			differ(old[i])
			differ(cells[k])
		}
	}
	for k := range fresh {
		if fresh[k] {
			differ(cells[k])
		}
	}
	if same && len(boxes) == 0 {
		return true
	}
	to := func(c int) (now int, ok bool) {
		if c == portal.Outside {
			return c, true
		}
		return index[c], index[c] >= 0
	}
	for id, p := range l.portals {
		if len(boxes) > mostBoxes {
			p.stale = true
		} else if len(boxes) > 0 {
			// A little farther than portal.Link looks.
			size := p.Box.Size()
			d := 2.5*p.Reach + 0.1*max(size[0], size[1], size[2]) + 1
			by := geom.Vec3{d, d, d}
			around := geom.Box{Min: p.Box.Min.Sub(by), Max: p.Box.Max.Add(by)}
			p.stale = slices.ContainsFunc(boxes, around.Overlaps)
		}
		var here, there bool
		p.From, here = to(p.From)
		p.To, there = to(p.To)
		p.stale = p.stale || !here || !there
		l.portals[id] = p
	}
	return false
}

// keep notes what was found.
func (l *links) keep(portals []Portal) {
	if l.portals == nil {
		l.portals = make(map[document.ID]linked, len(portals))
	}
	for i, p := range portals {
		l.portals[p.ID] = linked{Portal: p, index: i}
	}
	if len(l.portals) == len(portals) {
		return
	}
	maps.DeleteFunc(l.portals, func(_ document.ID, q linked) bool {
		return q.index >= len(portals) || portals[q.index].ID != q.ID
	})
}

// fewDoors is for how many occluders it is not worth sorting the portals.
const fewDoors = 16

// findDoors finds the open portals that cross occluders: those of entities that differ,
// nil if all may, and where portals do.
func (v *Visibility) findDoors(changed []document.ID, dirty []geom.Box) {
	redo := make([]int, 0, fewDoors)
	if changed == nil {
		for i := range v.Occluders {
			redo = append(redo, i)
		}
	} else {
		for _, id := range changed {
			n := run(v.Occluders, v.occluderOf, id)
			for k := range n {
				redo = append(redo, v.occluderOf[id]+k)
			}
		}
		if len(dirty) > 0 {
			for i := range v.Occluders {
				if slices.ContainsFunc(dirty, v.Occluders[i].Box.Overlaps) {
					redo = append(redo, i)
				}
			}
		}
	}
	var open *nodetree.Tree
	if len(redo) > fewDoors {
		open = openPortals(v.Portals)
	}
	var near []int32
	for _, i := range redo {
		o := &v.Occluders[i]
		o.Doors = nil
		if o.Fault != nil {
			continue
		}
		near = near[:0]
		if open != nil {
			near = open.AppendOverlapping(near, o.Box)
		} else {
			for k := range v.Portals {
				if p := &v.Portals[k]; p.State != portal.Closed && p.Box.Overlaps(o.Box) {
					near = append(near, int32(k))
				}
			}
		}
		for _, k := range near {
			if p := &v.Portals[k]; o.Crosses(p.Polygon) {
				o.Doors = append(o.Doors, p.ID)
			}
		}
	}
}

// openPortals sorts the portals that are not closed.
func openPortals(portals []Portal) *nodetree.Tree {
	boxes := make([]geom.Box, len(portals))
	for i := range portals {
		boxes[i] = portals[i].Box
		if portals[i].State == portal.Closed {
			boxes[i] = geom.EmptyBox()
		}
	}
	return nodetree.Build(boxes, nodetree.Options{Split: nodetree.Oct, MaxItems: 8})
}
