package document

import (
	"encoding/json"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// MaxCorners bounds the points of an occluder, of a piece of a cell and of a
// portal: things that are placed by hand, and tested every frame.
const MaxCorners = 4096

// LargestSpan is how many metres of the world an occluder, a cell or a portal should
// measure at most along each axis. One that is larger is taken and used, but is a problem
// to tell of: no level is so large, and what rounding leaves of a solid ten thousand
// times as large is seen (a hull of 10¹⁰ m is off by up to 7 cm).
const LargestSpan = 1e7

// Occluder is the data of a thing that hides what is behind it: the convex hull of
// its points, or one flat polygon. One that stands below an object belongs to that
// object, follows it, and never hides it.
type Occluder struct {
	// Points are in the entity's own space, in metres: corners of a hull in any order,
	// or of the polygon in the order of its outline.
	Points []mgl64.Vec3
	// Polygon says that the points are the outline of a flat polygon, which hides from
	// both sides.
	Polygon bool
	// Hole is the outline of a hole in the polygon; nil for none.
	Hole []mgl64.Vec3
	// Off keeps the occluder from hiding anything.
	Off   bool
	Extra Extra
}

// Kind implements Data.
func (Occluder) Kind() Kind { return KindOccluder }

// Validate implements Data. Whether the points make a hull is not asked: what does
// not make one hides nothing, and is a problem to tell of.
func (o Occluder) Validate() error {
	least := 4
	if o.Polygon {
		least = 3
	}
	if err := checkCorners("the occluder", o.Points, least); err != nil {
		return err
	}
	switch {
	case o.Hole == nil:
		return nil
	case !o.Polygon:
		return fmt.Errorf("the occluder is a hull with a hole, expected holes in polygons only")
	}
	return checkCorners("the occluder's hole", o.Hole, 3)
}

// MarshalJSON implements Data.
func (o Occluder) MarshalJSON() ([]byte, error) {
	b := NewBuilder(o.Extra)
	b.Set("points", o.Points)
	if o.Polygon {
		b.Set("polygon", true)
	}
	if o.Hole != nil {
		b.Set("hole", o.Hole)
	}
	if o.Off {
		b.Set("off", true)
	}
	return b.Bytes()
}

func parseOccluder(raw json.RawMessage, place string) (Data, error) {
	f := ParseFields(raw, place)
	var o Occluder
	o.Points = f.points("points")
	f.Get("polygon", &o.Polygon)
	o.Hole = f.points("hole")
	f.Get("off", &o.Off)
	extra, err := f.End()
	o.Extra = extra
	return o, err
}

// Cell is the data of a room: what is inside at least one of its convex pieces.
// What is in no cell is outside.
type Cell struct {
	Pieces [][]mgl64.Vec3 // corners in any order, in the entity's own space, in metres
	Extra  Extra
}

// MaxPieces bounds the pieces of a cell.
const MaxPieces = 1024

// Kind implements Data.
func (Cell) Kind() Kind { return KindCell }

// Validate implements Data.
func (c Cell) Validate() error {
	if n := len(c.Pieces); n < 1 || n > MaxPieces {
		return fmt.Errorf("the cell has %d pieces, expected 1 to %d", n, MaxPieces)
	}
	for i, p := range c.Pieces {
		if err := checkCorners(fmt.Sprintf("piece %d of the cell", i), p, 4); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSON implements Data.
func (c Cell) MarshalJSON() ([]byte, error) {
	b := NewBuilder(c.Extra)
	b.Set("pieces", c.Pieces)
	return b.Bytes()
}

func parseCell(raw json.RawMessage, place string) (Data, error) {
	f := ParseFields(raw, place)
	var c Cell
	for i, p := range f.List("pieces") {
		points, ok := parsePoints(p)
		if !ok {
			f.Fail(fmt.Sprintf("pieces[%d]", i), excerpt(p), "a list of three numbers each")
			break
		}
		c.Pieces = append(c.Pieces, points)
	}
	extra, err := f.End()
	c.Extra = extra
	return c, err
}

// PortalState says what can be seen through a portal.
type PortalState string

// The states.
const (
	PortalOpen   PortalState = "open"
	PortalClosed PortalState = "closed" // nothing, as through a shut door
	PortalOneWay PortalState = "oneway" // only from its front to its back
)

// PortalStates lists them in the order in which they are offered.
var PortalStates = []PortalState{PortalOpen, PortalClosed, PortalOneWay}

// PortalReach is how far from a portal its two cells may be unless it says so, in
// metres: as thick as the walls are that doors go through.
const PortalReach = 1.0

// Portal is the data of an opening between two cells, or between a cell and the
// outside. Which two is found from where it stands: the nearest in front of it and
// behind it.
type Portal struct {
	// Points are the outline of a flat convex polygon in the entity's own space, in
	// metres. Its front is where the outline runs counter-clockwise.
	Points []mgl64.Vec3
	State  PortalState // "" stands for open
	Reach  float64     // how far its cells may be, in metres of the world; 0 stands for PortalReach
	Extra  Extra
}

// Kind implements Data.
func (Portal) Kind() Kind { return KindPortal }

// Validate implements Data.
func (p Portal) Validate() error {
	switch p.State {
	case "", PortalOpen, PortalClosed, PortalOneWay:
	default:
		return fmt.Errorf("the portal's state is %q, expected open, closed or oneway", string(p.State))
	}
	if err := checkDistance("the portal's reach", p.Reach); err != nil {
		return err
	}
	return checkCorners("the portal", p.Points, 3)
}

// MarshalJSON implements Data.
func (p Portal) MarshalJSON() ([]byte, error) {
	b := NewBuilder(p.Extra)
	b.Set("points", p.Points)
	if p.State != PortalOpen {
		setText(b, "state", string(p.State))
	}
	setNumber(b, "reach", p.Reach)
	return b.Bytes()
}

func parsePortal(raw json.RawMessage, place string) (Data, error) {
	f := ParseFields(raw, place)
	var p Portal
	p.Points = f.points("points")
	f.Get("state", &p.State)
	if p.State == PortalOpen {
		p.State = ""
	}
	f.Get("reach", &p.Reach)
	extra, err := f.End()
	p.Extra = extra
	return p, err
}

func checkCorners(what string, points []mgl64.Vec3, least int) error {
	if n := len(points); n < least || n > MaxCorners {
		return fmt.Errorf("%s has %d points, expected %d to %d", what, n, least, MaxCorners)
	}
	for i, p := range points {
		if !within(MaxPlace, p[:]...) {
			return fmt.Errorf("point %d of %s, %v, is out of range, expected coordinates within ±%g m", i, what, p, float64(MaxPlace))
		}
	}
	return nil
}

// points reads a list of points; nil when there is none.
func (o *Fields) points(key string) []mgl64.Vec3 {
	var out []mgl64.Vec3
	for i, p := range o.List(key) {
		v, ok := parsePoint(p)
		if !ok {
			o.Fail(fmt.Sprintf("%s[%d]", key, i), excerpt(p), "three numbers")
			return nil
		}
		out = append(out, v)
	}
	return out
}

func parsePoint(raw json.RawMessage) (mgl64.Vec3, bool) {
	var v []float64
	if err := json.Unmarshal(raw, &v); err != nil || len(v) != 3 {
		return mgl64.Vec3{}, false
	}
	return mgl64.Vec3(v), true
}

func parsePoints(raw json.RawMessage) ([]mgl64.Vec3, bool) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, false
	}
	out := make([]mgl64.Vec3, len(list))
	for i, p := range list {
		var ok bool
		if out[i], ok = parsePoint(p); !ok {
			return nil, false
		}
	}
	return out, true
}

// excerpt is the beginning of a value, for errors.
func excerpt(raw json.RawMessage) string {
	if len(raw) > 60 {
		return string(raw[:57]) + "..."
	}
	return string(raw)
}
