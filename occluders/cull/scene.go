package cull

import (
	"slices"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
)

// Scene is what is culled, and what may hide it. It must not be changed while a
// Culler runs. Entries have the numbers that they have in the tree.
type Scene struct {
	Tree *nodetree.Tree

	// Slopes are those of entries 0 to len−1, which are ground; without reach for one
	// of which nothing is known. Entries beyond are not ground.
	Slopes []Slopes
	// Above tells whether an eye stands above ground, where it has no hole, as the
	// backface test needs it. nil: never.
	Above func(eye geom.Vec3) bool
	// Openings are boxes around all holes of that ground, with the heights that it would
	// have there; a little wider on the map than the holes.
	Openings []geom.Box

	Portals *portal.Graph // nil: no cells
	Cells   CellLists     // the cells that entries touch

	Horizon Horizon // nil: no ground that hides anything

	Occluders []Shape
	Exempt    Set // entries that occluders never remove
}

// Resize makes room for the cells of all entries of the tree. Lists that were there
// stay.
func (s *Scene) Resize() {
	n := s.Tree.Len()
	s.Cells = slices.Grow(s.Cells, max(0, n-len(s.Cells)))[:n]
}

// Locate finds the cells that an entry touches.
func (s *Scene) Locate(entry int32) {
	list := &s.Cells[entry]
	*list = (*list)[:0]
	if box := s.Tree.Box(int(entry)); s.Portals != nil && !box.IsEmpty() {
		*list = s.Portals.AppendCells(*list, box)
	}
}

// Spare exempts an entry within a box from the occluder test if an occluder that
// belongs to it reaches out of the box: it could hide its own thing.
func (s *Scene) Spare(entry int32, box, occluder geom.Box) {
	if !box.Contains(occluder.Min) || !box.Contains(occluder.Max) {
		s.Exempt.Add(entry)
	}
}

// Shape is something that hides what is behind it: a hull, or a flat polygon. One
// that has neither hides nothing.
type Shape struct {
	Hull    *hull.Hull
	Polygon []geom.Vec3 // if there is no hull
	Hole    []geom.Vec3 // outline of a hole in the polygon; nil for none
}

// CellLists has, for each entry, the cells that it touches: indices of the graph's
// cells, and portal.Outside.
type CellLists [][]int32

var outsideOnly = []int32{portal.Outside}

// Of gives the cells of an entry. One that has no list is outside.
func (c CellLists) Of(entry int32) []int32 {
	if int(entry) >= len(c) || len(c[entry]) == 0 {
		return outsideOnly
	}
	return c[entry]
}

// Set is a set of entries, a bit each.
type Set []uint64

// Has reports whether an entry is in the set.
func (s Set) Has(entry int32) bool {
	i := int(entry) >> 6
	return i < len(s) && s[i]>>(uint(entry)&63)&1 != 0
}

// Add puts an entry into the set.
func (s *Set) Add(entry int32) {
	for i := int(entry) >> 6; i >= len(*s); {
		*s = append(*s, 0)
	}
	(*s)[entry>>6] |= 1 << (uint(entry) & 63)
}

// Reset empties the set and keeps its memory.
func (s *Set) Reset() { *s = (*s)[:0] }
