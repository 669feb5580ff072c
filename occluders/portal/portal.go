package portal

import (
	"fmt"

	"ridgeline/occluders/geom"
)

// Outside is the cell of all that is in no room.
const Outside = -1

// State says whether light passes a portal.
type State uint8

// The states of a portal.
const (
	Open   State = iota // both ways
	Closed              // not at all
	OneWay              // only from From to To
)

// String is the state's name as scripts write it.
func (s State) String() string {
	switch s {
	case Open:
		return "open"
	case Closed:
		return "closed"
	case OneWay:
		return "oneway"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Portal is an opening between two cells.
type Portal struct {
	// Polygon is convex and flat, in world metres, counter-clockwise seen from the cell
	// From: its normal points into From.
	Polygon []geom.Vec3
	From    int // a cell's index, or Outside
	To      int // the cell on the other side
	State   State
}

// Reason says what is wrong with a portal or a cell. None is fatal: the trace then
// sees more than it need.
type Reason uint8

// What may be wrong.
const (
	// NoCell: a side of the portal is neither a cell nor Outside. All is one open space
	// while the portal is not closed.
	NoCell Reason = iota + 1
	// SameCell: both sides are one cell. The portal is not used.
	SameCell
	// NotFinite: a coordinate of the portal is NaN or infinite. Its cells are one space.
	NotFinite
	// Degenerate: the portal has fewer than three points or no area. One space.
	Degenerate
	// Bent: the portal's points are not in one plane. One space.
	Bent
	// NotConvex: the portal is used as its convex hull.
	NotConvex
	// WrongWay: the portal's normal points into To. It is used turned around.
	WrongWay
	// NotBetween: the portal is at its cells, but not between them. It is used from
	// both sides.
	NotBetween
	// Adrift: a cell of the portal is not before or behind it, near by. One space.
	Adrift
	// Doubled: an earlier portal stands in the same place between the same cells. Both
	// are used.
	Doubled
	// BadState: the state is unknown. The portal counts as open.
	BadState
	// BadCell: a piece of the cell is missing, has no faces or is not finite. A piece
	// that is not finite is taken to be everywhere.
	BadCell
)

var reasons = [...]string{
	NoCell:     "leads to a cell that does not exist",
	SameCell:   "has the same cell on both sides",
	NotFinite:  "has a point that is not finite",
	Degenerate: "has no area",
	Bent:       "is not flat",
	NotConvex:  "is not convex",
	WrongWay:   "faces the wrong way",
	NotBetween: "is not between its two cells",
	Adrift:     "stands away from its cell",
	Doubled:    "stands where another portal stands",
	BadState:   "has an unknown state",
	BadCell:    "has a piece that is no solid",
}

// String says it in a few words, to follow the thing's name.
func (r Reason) String() string {
	if int(r) < len(reasons) && r > 0 {
		return reasons[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Fault is something wrong in what Build was given.
type Fault struct {
	Portal int // index, or -1 when it is about a cell
	Cell   int // the cell it is about, where it is about one, else -2
	Reason Reason
}

// String is a sentence without its full stop.
func (f Fault) String() string {
	if f.Portal < 0 {
		return fmt.Sprintf("cell %d %v", f.Cell, f.Reason)
	}
	if f.Cell >= Outside {
		return fmt.Sprintf("portal %d %v (cell %d)", f.Portal, f.Reason, f.Cell)
	}
	return fmt.Sprintf("portal %d %v", f.Portal, f.Reason)
}
