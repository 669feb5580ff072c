package visibility

import (
	"math"
	"strconv"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
	"ridgeline/terrain/relief"
)

// Extension is the name under which the data stands in a glTF file.
const Extension = "RIDGELINE_visibility"

// Version is the version of the layout that this package writes, and the newest that
// it reads.
const Version = 1

// None stands for no node and no instance.
const None = -1

// Data is what a level's visibility is made of.
type Data struct {
	// Root is the node of the file that turns or scales the level; None if none does.
	Root      int
	Tree      nodetree.Options // how entries are sorted; Materials is not used
	Boxes     []geom.Box       // of the entries: those of the ground, then Things
	Ground    *Ground          // nil in a level without ground
	Things    []Thing
	Occluders []Occluder
	Cells     []Cell
	Portals   []Portal
}

// Ground is the height field of a level.
type Ground struct {
	Node          int        // of the file, below which its meshes stand; None for none
	Columns, Rows int        // samples
	Spacing       float64    // metres
	Origin        [2]float64 // of sample (0, 0), x and z
	// Field has the heights and holes; nil when the file leaves them out.
	Field *terrain.Field
	// Step is the distance between two heights that 16 bits can tell apart, in metres: a
	// height is off by half of it at most. 0 if heights are exact.
	Step float64
	// Off is how far what is drawn at full detail may be off from the ground because its
	// vertices have few bits, in metres; 0 if they do not.
	Off     float64
	Pyramid []Level // the first has a range a chunk, the last one in all
}

// Level is one level of the pyramid of height ranges. A range of level k covers 2ᵏ×2ᵏ
// chunks.
type Level struct {
	Columns, Rows int
	Ranges        []terrain.MinMax // row by row
}

// Thing is what an entry beyond the ground's is.
type Thing struct {
	ID       uint64 // of the entity
	Point    int32  // of a scatter; None for an object
	Node     int32  // of the file; None if it has none
	Instance int32  // of the node, where it has instances; None else
}

// Name is the thing's id as reports write it: the entity's, with # and the number of a
// scatter's point.
func (t Thing) Name() string {
	s := strconv.FormatUint(t.ID, 10)
	if t.Point >= 0 {
		s += "#" + strconv.Itoa(int(t.Point))
	}
	return s
}

// Occluder hides what is behind it, unless it is off or an open portal crosses it.
type Occluder struct {
	ID    uint64
	Name  string
	Owner uint64 // the object that it belongs to; 0 for none
	Off   bool
	cull.Shape
	Portals []int32 // those that cross it, whatever their state
}

// Box is the box around the occluder.
func (o *Occluder) Box() geom.Box {
	if o.Hull != nil {
		return o.Hull.Bounds()
	}
	return geom.BoxOf(o.Polygon...)
}

// Cell is a room: all that is in one of its pieces.
type Cell struct {
	ID     uint64
	Name   string
	Pieces []*hull.Hull
}

// Portal is an opening between two cells.
type Portal struct {
	ID   uint64
	Name string
	portal.Portal
	Reach float64 // how far its cells could be, metres
}

// ChunkGrid is the number of chunks of the ground along X and Z; 0 without ground.
func (d *Data) ChunkGrid() (cols, rows int) {
	if d.Ground == nil {
		return 0, 0
	}
	n := func(samples int) int { return (samples - 2 + terrain.TileSize) / terrain.TileSize }
	return n(d.Ground.Columns), n(d.Ground.Rows)
}

// Chunks is the number of entries that are ground.
func (d *Data) Chunks() int {
	cols, rows := d.ChunkGrid()
	return cols * rows
}

// Hides reports whether an occluder takes part with portals in these states.
func (o *Occluder) Hides(state func(portal int) portal.State) bool {
	if o.Off {
		return false
	}
	for _, p := range o.Portals {
		if state(int(p)) != portal.Closed {
			return false
		}
	}
	return true
}

// Scene makes what a Culler runs on.
//
// Where the heights have 16 bits, or the vertices that are drawn do, the ground hides
// what is behind ground that is lower by as much as they may be off, and no chunk is told
// to face away. Where the file has no heights, the ground hides nothing.
func (d *Data) Scene() (*cull.Scene, error) {
	s := &cull.Scene{Tree: nodetree.Build(d.Boxes, d.Tree)}
	if g := d.Ground; g != nil && g.Field != nil {
		if drop := 2*g.Step + g.Off; drop > 0 {
			low, err := g.lowered(drop)
			if err != nil {
				return nil, err
			}
			s.Horizon = new(relief.Relief).Horizon(low)
		} else {
			r := relief.Of(g.Field)
			s.Horizon, s.Slopes, s.Above, s.Openings = r.Horizon(g.Field), r.Slopes(), r.Above, r.Openings()
		}
	}
	if len(d.Cells) > 0 {
		cells := make([][]*hull.Hull, len(d.Cells))
		for i := range d.Cells {
			cells[i] = d.Cells[i].Pieces
		}
		portals := make([]portal.Portal, len(d.Portals))
		for i := range d.Portals {
			portals[i] = d.Portals[i].Portal
		}
		if g, err := portal.Build(cells, portals); err == nil {
			s.Portals = g // else there are more than it can take, and none removes anything
		}
	}
	s.Resize()
	for e := range d.Boxes {
		s.Locate(int32(e))
	}
	things := map[uint64]int32{} // entries of objects
	for i, t := range d.Things {
		if t.Point < 0 {
			things[t.ID] = int32(d.Chunks() + i)
		}
	}
	for i := range d.Occluders {
		o := &d.Occluders[i]
		if e, ok := things[o.Owner]; ok && o.Owner != 0 {
			s.Spare(e, d.Boxes[e], o.Box())
		}
	}
	s.Occluders = make([]cull.Shape, len(d.Occluders))
	d.Shut(s)
	return s, nil
}

// Shut puts those occluders into a scene of the data that hide something while its
// portals have the states that they have there.
func (d *Data) Shut(s *cull.Scene) {
	state := func(p int) portal.State { return d.Portals[p].State }
	if s.Portals != nil {
		state = s.Portals.State
	}
	for i := range d.Occluders {
		s.Occluders[i] = cull.Shape{}
		if d.Occluders[i].Hides(state) {
			s.Occluders[i] = d.Occluders[i].Shape
		}
	}
}

// lowered is the ground lower by some metres.
func (g *Ground) lowered(drop float64) (*terrain.Field, error) {
	f, err := terrain.FromTiles(g.Columns, g.Rows, g.Spacing, func(tx, ty int) terrain.Tile {
		t := g.Field.Tile(tx, ty)
		h := *t.Heights
		for i := range h {
			v := h[i] - float32(drop)
			v = math.Nextafter32(math.Nextafter32(v, -terrain.MaxHeight), -terrain.MaxHeight) // rounding
			h[i] = max(v, -terrain.MaxHeight)
		}
		t.Heights = &h
		return t
	})
	if err != nil {
		return nil, err
	}
	return f.WithOrigin(g.Origin[0], g.Origin[1]), nil
}
