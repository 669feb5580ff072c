package visibility

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"ridgeline/export/strict"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// Bounds of what is read: what the editor itself can hold.
const (
	maxPlace   = 1e12 // metres from the origin
	maxCorners = 4096 // of an outline, a hull
	minNode    = 0.01 // metres
	maxItems   = 1 << 20
)

// Source gives a buffer view of the file that the value was read from.
type Source func(view int) (*io.SectionReader, error)

// Decode reads the value of the extension. Errors are *fault.Error, or that of ctx;
// their place is below the extension. nodes is how many nodes the file has.
func Decode(ctx context.Context, doc []byte, nodes int, source Source) (*Data, error) {
	var in document
	if err := strict.Unmarshal(doc, &in); err != nil {
		return nil, below(err)
	}
	if in.Version < 1 || in.Version > Version {
		return nil, bad("version", fmt.Sprint(in.Version), fmt.Sprintf("1 to %d", Version))
	}
	r := &reader{ctx: ctx, source: source, d: &Data{Root: None}, nodes: nodes}
	if err := r.node("root", in.Root, &r.d.Root); err != nil {
		return nil, err
	}
	for _, step := range []func(*document) error{r.tree, func(in *document) error { return r.ground(in.Ground) }, r.entries, r.portals, r.cells, r.occluders} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(&in); err != nil {
			return nil, err
		}
	}
	return r.d, nil
}

// DecodeGround reads the ground alone from a value of the extension, as Decode does; nil
// without ground.
func DecodeGround(ctx context.Context, doc []byte, nodes int, source Source) (*Ground, error) {
	var in struct {
		Ground *groundJSON `json:"ground,omitempty"`
	}
	if err := strict.Unmarshal(doc, &in); err != nil {
		return nil, below(err)
	}
	r := &reader{ctx: ctx, source: source, d: &Data{Root: None}, nodes: nodes}
	err := r.ground(in.Ground)
	return r.d.Ground, err
}

// below puts a fault of the value's form in its place.
func below(err error) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Place = strings.TrimSuffix(Extension+"."+c.Place, ".")
	return &c
}

func bad(place, found, want string) error {
	return &fault.Error{Place: Extension + "." + place, Found: found, Want: want}
}

type reader struct {
	ctx    context.Context
	source Source
	d      *Data
	nodes  int
}

// node reads the number of a node that may be left out.
func (r *reader) node(place string, found *int, to *int) error {
	*to = None
	if found == nil {
		return nil
	}
	if *found < 0 || *found >= r.nodes {
		return bad(place, fmt.Sprintf("node %d", *found), fmt.Sprintf("one of %d", r.nodes))
	}
	*to = *found
	return nil
}

// open gives a view that has to have so many bytes.
func (r *reader) open(place string, view int, size int64) (*bufio.Reader, error) {
	s, err := r.source(view)
	if err != nil {
		return nil, at(place, err)
	}
	if s.Size() != size {
		return nil, bad(place, fmt.Sprintf("%d bytes", s.Size()), fmt.Sprint(size))
	}
	return bufio.NewReaderSize(s, 1<<16), nil
}

// at puts a place into an error that has none.
func at(place string, err error) error {
	if e, ok := err.(*fault.Error); ok && e.Place != "" {
		return err
	}
	return &fault.Error{Place: Extension + "." + place, Err: err}
}

func (r *reader) tree(in *document) error {
	t := in.Tree
	switch {
	case t.Split != "quad" && t.Split != "oct":
		return bad("tree.split", fmt.Sprintf("%q", clip(t.Split)), "quad or oct")
	case !(t.Size >= minNode && t.Size <= maxPlace):
		return bad("tree.size", fmt.Sprint(t.Size), fmt.Sprintf("%g to %g", minNode, float64(maxPlace)))
	case t.Items < 1 || t.Items > maxItems:
		return bad("tree.items", fmt.Sprint(t.Items), fmt.Sprintf("1 to %d", maxItems))
	}
	r.d.Tree = nodetree.Options{MinSize: t.Size, MaxItems: t.Items}
	if t.Split == "oct" {
		r.d.Tree.Split = nodetree.Oct
	}
	return nil
}

func (r *reader) entries(in *document) error {
	e, chunks := in.Entries, r.d.Chunks()
	if e.Count < chunks || e.Count > math.MaxInt32 {
		return bad("entries.count", fmt.Sprint(e.Count), fmt.Sprintf("%d, one a chunk, or more", chunks))
	}
	things := e.Count - chunks
	if e.Count > 0 {
		if e.Boxes == nil {
			return bad("entries.boxes", "nothing", "a buffer view")
		}
		b, err := r.open("entries.boxes", *e.Boxes, int64(e.Count)*boxSize)
		if err != nil {
			return err
		}
		if r.d.Boxes, err = readBoxes(r.ctx, b, e.Count); err != nil {
			return err
		}
	}
	if things > 0 {
		if e.Things == nil {
			return bad("entries.things", "nothing", "a buffer view")
		}
		b, err := r.open("entries.things", *e.Things, int64(things)*thingSize)
		if err != nil {
			return err
		}
		return r.things(b, things)
	}
	return nil
}

func readBoxes(ctx context.Context, b io.Reader, n int) ([]geom.Box, error) {
	out := make([]geom.Box, n)
	var record [boxSize]byte
	for i := range out {
		if i%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, err := io.ReadFull(b, record[:]); err != nil {
			return nil, at("entries.boxes", err)
		}
		for k, p := range [2]*geom.Vec3{&out[i].Min, &out[i].Max} {
			for a := range p {
				p[a] = math.Float64frombits(binary.LittleEndian.Uint64(record[24*k+8*a:]))
				if !(math.Abs(p[a]) <= maxPlace) {
					return nil, bad(fmt.Sprintf("entries.boxes[%d]", i), fmt.Sprint(p[a]), fmt.Sprintf("a number within ±%g", float64(maxPlace)))
				}
			}
		}
		if out[i].IsEmpty() {
			out[i] = geom.EmptyBox()
		}
	}
	return out, nil
}

func (r *reader) things(b io.Reader, n int) error {
	r.d.Things = make([]Thing, n)
	var record [thingSize]byte
	for i := range r.d.Things {
		if _, err := io.ReadFull(b, record[:]); err != nil {
			return at("entries.things", err)
		}
		t := &r.d.Things[i]
		t.ID = binary.LittleEndian.Uint64(record[:])
		for k, v := range [3]*int32{&t.Point, &t.Node, &t.Instance} {
			u := binary.LittleEndian.Uint32(record[8+4*k:])
			if u > math.MaxInt32 && u != noIndex || k == 1 && u != noIndex && int(u) >= r.nodes {
				what := [3]string{"point", "node", "instance"}[k]
				return bad(fmt.Sprintf("entries.things[%d]", i), fmt.Sprintf("%s %d", what, u), fmt.Sprintf("one of %d nodes, or 4294967295 for none", r.nodes))
			}
			*v = int32(u)
		}
		if t.Node < 0 && t.Instance >= 0 {
			return bad(fmt.Sprintf("entries.things[%d]", i), fmt.Sprintf("instance %d of no node", t.Instance), "a node")
		}
	}
	return r.once()
}

// once checks that no thing is there twice. Those that are written ascend, mostly.
func (r *reader) once() error {
	type key struct {
		id    uint64
		point int32
	}
	list := r.d.Things
	ascend := true
	for i := 1; ascend && i < len(list); i++ {
		ascend = list[i-1].ID < list[i].ID || list[i-1].ID == list[i].ID && list[i-1].Point < list[i].Point
	}
	if ascend {
		return nil
	}
	seen := make(map[key]struct{}, len(list))
	for i, t := range list {
		k := key{t.ID, t.Point}
		if _, ok := seen[k]; ok {
			return bad(fmt.Sprintf("entries.things[%d]", i), "thing "+t.Name()+" a second time", "each thing once")
		}
		seen[k] = struct{}{}
	}
	return nil
}

func (r *reader) ground(g *groundJSON) error {
	if g == nil {
		return nil
	}
	if err := terrain.CheckSize(g.Columns, g.Rows); err != nil {
		return &fault.Error{Place: Extension + ".ground", Err: err}
	}
	if err := terrain.CheckSpacing(g.Spacing); err != nil {
		return &fault.Error{Place: Extension + ".ground.spacing", Err: err}
	}
	if err := terrain.CheckOrigin(g.Origin[0], g.Origin[1]); err != nil {
		return &fault.Error{Place: Extension + ".ground.origin", Err: err}
	}
	if !(g.Off >= 0 && g.Off <= terrain.MaxHeight) {
		return bad("ground.off", fmt.Sprint(g.Off), "a distance in metres")
	}
	out := &Ground{Columns: g.Columns, Rows: g.Rows, Spacing: g.Spacing, Origin: g.Origin, Off: g.Off}
	r.d.Ground = out
	if err := r.node("ground.node", g.Node, &out.Node); err != nil {
		return err
	}
	if err := r.pyramid(g, out); err != nil {
		return err
	}
	if g.Heights == nil {
		return nil
	}
	tiles, err := r.heights(g, out)
	if err != nil {
		return err
	}
	if g.Holes != nil {
		if err := r.holes(g, tiles); err != nil {
			return err
		}
	}
	tc := tileCount(g.Columns)
	blank, err := terrain.Flat(g.Columns, g.Rows, g.Spacing)
	if err != nil {
		return &fault.Error{Place: Extension + ".ground", Err: err}
	}
	f, err := terrain.FromTiles(g.Columns, g.Rows, g.Spacing, func(tx, ty int) terrain.Tile {
		t, made := blank.Tile(tx, ty), &tiles[ty*tc+tx]
		t.Heights = made.Heights
		if made.Flags != nil {
			t.Flags = made.Flags
		}
		return t
	})
	if err != nil {
		return &fault.Error{Place: Extension + ".ground.heights", Err: err}
	}
	out.Field = f.WithOrigin(g.Origin[0], g.Origin[1])
	return nil
}

func tileCount(samples int) int { return (samples + terrain.TileSize - 1) / terrain.TileSize }

// pyramid reads the ranges of heights.
func (r *reader) pyramid(g *groundJSON, out *Ground) error {
	if g.Pyramid == nil {
		return nil
	}
	total := 0
	cols, rows := r.d.ChunkGrid()
	for {
		out.Pyramid = append(out.Pyramid, Level{Columns: cols, Rows: rows})
		total += cols * rows
		if cols == 1 && rows == 1 {
			break
		}
		cols, rows = (cols+1)/2, (rows+1)/2
	}
	b, err := r.open("ground.pyramid", *g.Pyramid, int64(total)*8)
	if err != nil {
		return err
	}
	var record [8]byte
	for k := range out.Pyramid {
		l := &out.Pyramid[k]
		l.Ranges = make([]terrain.MinMax, l.Columns*l.Rows)
		for i := range l.Ranges {
			if _, err := io.ReadFull(b, record[:]); err != nil {
				return at("ground.pyramid", err)
			}
			m := terrain.MinMax{Min: float32At(record[:]), Max: float32At(record[4:])}
			if !(m.Min >= -terrain.MaxHeight && m.Max <= terrain.MaxHeight && m.Min <= m.Max) {
				return bad(fmt.Sprintf("ground.pyramid, level %d, range %d", k, i), fmt.Sprintf("%g to %g", m.Min, m.Max), "a range of heights")
			}
			l.Ranges[i] = m
		}
	}
	return nil
}

func float32At(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// heights reads the heights into tiles.
func (r *reader) heights(g *groundJSON, out *Ground) ([]terrain.Tile, error) {
	h, size := g.Heights, 4
	switch h.Type {
	case "float32":
	case "uint16":
		size = 2
		if top := h.Offset + math.MaxUint16*h.Scale; !(h.Scale > 0) || !(h.Offset >= -terrain.MaxHeight) || !(top-h.Scale <= terrain.MaxHeight) {
			return nil, bad("ground.heights", fmt.Sprintf("the scale %g and the offset %g", h.Scale, h.Offset), fmt.Sprintf("a scale over 0 and heights within ±%g", float64(terrain.MaxHeight)))
		}
		out.Step = h.Scale
	default:
		return nil, bad("ground.heights.type", fmt.Sprintf("%q", clip(h.Type)), "float32 or uint16")
	}
	b, err := r.open("ground.heights", h.View, int64(g.Columns)*int64(g.Rows)*int64(size))
	if err != nil {
		return nil, err
	}
	tc := tileCount(g.Columns)
	tiles := make([]terrain.Tile, tc*tileCount(g.Rows))
	line := make([]byte, g.Columns*size)
	for row := range g.Rows {
		if row%256 == 0 && r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		if _, err := io.ReadFull(b, line); err != nil {
			return nil, at("ground.heights", err)
		}
		for col := 0; col < g.Columns; col += terrain.TileSize {
			t := &tiles[row/terrain.TileSize*tc+col/terrain.TileSize]
			if t.Heights == nil {
				t.Heights = new(terrain.Heights)
			}
			dst := t.Heights[row%terrain.TileSize*terrain.TileSize:][:min(terrain.TileSize, g.Columns-col)]
			for i := range dst {
				if size == 4 {
					dst[i] = float32At(line[4*(col+i):])
				} else {
					v := h.Offset + h.Scale*float64(binary.LittleEndian.Uint16(line[2*(col+i):]))
					dst[i] = float32(min(v, terrain.MaxHeight))
				}
			}
		}
	}
	return tiles, nil
}

func (r *reader) holes(g *groundJSON, tiles []terrain.Tile) error {
	b, err := r.open("ground.holes", *g.Holes, holeBytes(g.Columns, g.Rows))
	if err != nil {
		return err
	}
	tc := tileCount(g.Columns)
	var bits byte
	n := 0
	for row := range g.Rows - 1 {
		for col := range g.Columns - 1 {
			if n&7 == 0 {
				if bits, err = b.ReadByte(); err != nil {
					return at("ground.holes", err)
				}
			}
			if bits>>(n&7)&1 != 0 {
				t := &tiles[row/terrain.TileSize*tc+col/terrain.TileSize]
				if t.Flags == nil {
					t.Flags = new(terrain.Flags)
				}
				t.Flags[row%terrain.TileSize*terrain.TileSize+col%terrain.TileSize] = terrain.Hole
			}
			n++
		}
	}
	return nil
}

func (r *reader) portals(in *document) error {
	for i, p := range in.Portals {
		place := fmt.Sprintf("portals[%d]", i)
		state, ok := stateOf(p.State)
		if !ok {
			return bad(place+".state", fmt.Sprintf("%q", clip(p.State)), "open, closed or oneway")
		}
		if err := checkPoints(place+".polygon", p.Polygon, 3); err != nil {
			return err
		}
		for _, c := range [2]int{p.From, p.To} {
			if c < portal.Outside || c >= len(in.Cells) {
				return bad(place, fmt.Sprintf("cell %d", c), fmt.Sprintf("-1, which is outside, to %d", len(in.Cells)-1))
			}
		}
		if !(p.Reach >= 0 && p.Reach <= maxPlace) {
			return bad(place+".reach", fmt.Sprint(p.Reach), "a distance")
		}
		r.d.Portals = append(r.d.Portals, Portal{p.ID, p.Name, portal.Portal{Polygon: p.Polygon, From: p.From, To: p.To, State: state}, p.Reach})
	}
	return nil
}

func (r *reader) cells(in *document) error {
	for i, c := range in.Cells {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		out := Cell{ID: c.ID, Name: c.Name}
		for k := range c.Pieces {
			h, err := readHull(fmt.Sprintf("cells[%d].pieces[%d]", i, k), &c.Pieces[k])
			if err != nil {
				return err
			}
			out.Pieces = append(out.Pieces, h)
		}
		r.d.Cells = append(r.d.Cells, out)
	}
	return nil
}

func (r *reader) occluders(in *document) error {
	for i := range in.Occluders {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		o, place := &in.Occluders[i], fmt.Sprintf("occluders[%d]", i)
		out := Occluder{ID: o.ID, Name: o.Name, Owner: o.Owner, Off: o.Off, Portals: o.Portals}
		for _, p := range o.Portals {
			if p < 0 || int(p) >= len(in.Portals) {
				return bad(place+".portals", fmt.Sprintf("portal %d", p), fmt.Sprintf("one of %d", len(in.Portals)))
			}
		}
		switch {
		case (o.Hull != nil) == (o.Polygon != nil):
			return bad(place, "a hull and a polygon, or neither", "one of them")
		case o.Hull != nil && o.Hole != nil:
			return bad(place, "a hole in a hull", "holes in polygons only")
		case o.Hull != nil:
			h, err := readHull(place+".hull", o.Hull)
			if err != nil {
				return err
			}
			out.Hull = h
		default:
			if err := checkOutline(place+".polygon", o.Polygon); err != nil {
				return err
			}
			if o.Hole != nil {
				if err := checkOutline(place+".hole", o.Hole); err != nil {
					return err
				}
			}
			out.Polygon, out.Hole = o.Polygon, o.Hole
		}
		r.d.Occluders = append(r.d.Occluders, out)
	}
	return nil
}

func readHull(place string, h *hullJSON) (*hull.Hull, error) {
	if err := checkPoints(place, h.Vertices, 4); err != nil {
		return nil, err
	}
	out, err := hullIn(h)
	if err != nil {
		return nil, &fault.Error{Place: Extension + "." + place, Err: err}
	}
	return out, nil
}

func checkPoints(place string, points []geom.Vec3, least int) error {
	if n := len(points); n < least || n > maxCorners {
		return bad(place, fmt.Sprintf("%d points", n), fmt.Sprintf("%d to %d", least, maxCorners))
	}
	for i, p := range points {
		for _, v := range p {
			if !(math.Abs(v) <= maxPlace) {
				return bad(fmt.Sprintf("%s, point %d", place, i), fmt.Sprint(p), fmt.Sprintf("coordinates within ±%g", float64(maxPlace)))
			}
		}
	}
	return nil
}

// checkOutline holds a polygon to what the editor lets hide something.
func checkOutline(place string, points []geom.Vec3) error {
	if err := checkPoints(place, points, 3); err != nil {
		return err
	}
	if err := hull.CheckOutline(points); err != nil {
		return &fault.Error{Place: Extension + "." + place, Err: err}
	}
	return nil
}

// clip shortens text of a file for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
