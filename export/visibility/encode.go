package visibility

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
)

// Heights says how the heights of the ground are written.
type Heights uint8

// The ways to write heights.
const (
	Float   Heights = iota // 32-bit floats, exact
	Bits16                 // 16-bit integers with a scale and an offset
	Without                // not at all
)

// Payload is a buffer view of the file: so many bytes, which Write writes. It may be
// written any number of times.
type Payload struct {
	Size  int64
	Write func(w io.Writer) error
}

// The sizes of records, in bytes.
const (
	boxSize   = 48
	thingSize = 20
)

// noIndex stands for None in the file.
const noIndex = math.MaxUint32

// Encode gives the value of the extension and the payloads that it refers to. view is
// asked for the number of a buffer view for each payload, in their order; the payloads
// hold on to d.
func (d *Data) Encode(heights Heights, view func(size int64) int) (doc []byte, payloads []Payload, err error) {
	if want := d.Chunks() + len(d.Things); len(d.Boxes) != want {
		return nil, nil, fmt.Errorf("visibility: %d boxes for %d entries", len(d.Boxes), want)
	}
	add := func(size int64, write func(w *writer)) *int {
		payloads = append(payloads, Payload{size, func(w io.Writer) error {
			out := &writer{w: w}
			write(out)
			return out.flush()
		}})
		i := view(size)
		return &i
	}
	out := document{Version: Version, Root: index(d.Root), Entries: entriesJSON{Count: len(d.Boxes)}}
	out.Tree = treeJSON{"quad", d.Tree.MinSize, d.Tree.MaxItems}
	if d.Tree.Split == nodetree.Oct {
		out.Tree.Split = "oct"
	}
	if out.Tree.Size == 0 {
		out.Tree.Size = nodetree.DefaultMinSize
	}
	if out.Tree.Items == 0 {
		out.Tree.Items = nodetree.DefaultMaxItems
	}
	if len(d.Boxes) > 0 {
		out.Entries.Boxes = add(int64(len(d.Boxes))*boxSize, d.writeBoxes)
	}
	if len(d.Things) > 0 {
		out.Entries.Things = add(int64(len(d.Things))*thingSize, d.writeThings)
	}
	if g := d.Ground; g != nil {
		out.Ground = g.encode(heights, add)
	}
	for i := range d.Occluders {
		o := &d.Occluders[i]
		e := occluderJSON{ID: o.ID, Name: o.Name, Owner: o.Owner, Off: o.Off, Portals: o.Portals}
		if o.Hull != nil {
			h := hullOut(o.Hull)
			e.Hull = &h
		} else {
			e.Polygon, e.Hole = o.Polygon, o.Hole
		}
		out.Occluders = append(out.Occluders, e)
	}
	for _, c := range d.Cells {
		e := cellJSON{ID: c.ID, Name: c.Name, Pieces: []hullJSON{}}
		for _, h := range c.Pieces {
			e.Pieces = append(e.Pieces, hullOut(h))
		}
		out.Cells = append(out.Cells, e)
	}
	for _, p := range d.Portals {
		out.Portals = append(out.Portals, portalJSON{p.ID, p.Name, p.Polygon, p.From, p.To, p.State.String(), p.Reach})
	}
	doc, err = json.Marshal(&out) // what is no number is an error
	return doc, payloads, err
}

// index is a node's number in the file; nothing for None.
func index(node int) *int {
	if node == None {
		return nil
	}
	return &node
}

func (d *Data) writeBoxes(w *writer) {
	for _, b := range d.Boxes {
		if b.IsEmpty() {
			b = geom.Box{Min: geom.Vec3{1, 1, 1}}
		}
		for _, p := range [2]geom.Vec3{b.Min, b.Max} {
			for _, v := range p {
				w.uint64(math.Float64bits(v))
			}
		}
	}
}

func (d *Data) writeThings(w *writer) {
	for _, t := range d.Things {
		w.uint64(t.ID)
		for _, v := range [3]int32{t.Point, t.Node, t.Instance} {
			w.uint32(uint32(v)) // None is noIndex
		}
	}
}

func (g *Ground) encode(heights Heights, add func(int64, func(*writer)) *int) *groundJSON {
	out := &groundJSON{Node: index(g.Node), Columns: g.Columns, Rows: g.Rows, Spacing: g.Spacing, Origin: g.Origin, Off: g.Off}
	ranges := 0
	for _, l := range g.Pyramid {
		ranges += len(l.Ranges)
	}
	if ranges > 0 {
		out.Pyramid = add(int64(ranges)*8, func(w *writer) {
			for _, l := range g.Pyramid {
				for _, r := range l.Ranges {
					w.uint32(math.Float32bits(r.Min))
					w.uint32(math.Float32bits(r.Max))
				}
			}
		})
	}
	if g.Field == nil || heights == Without {
		return out
	}
	n := int64(g.Columns) * int64(g.Rows)
	if heights == Bits16 {
		lo, hi := g.Field.MinMax()
		offset, scale := float64(lo), (float64(hi)-float64(lo))/math.MaxUint16
		if scale == 0 {
			scale = 1 // level ground
		}
		view := add(2*n, func(w *writer) {
			g.eachRow(func(row []float32) {
				for _, h := range row {
					v := math.Round((float64(h) - offset) / scale)
					w.uint16(uint16(min(max(v, 0), math.MaxUint16)))
				}
			})
		})
		out.Heights = &heightsJSON{*view, "uint16", scale, offset}
	} else {
		view := add(4*n, func(w *writer) {
			g.eachRow(func(row []float32) {
				for _, h := range row {
					w.uint32(math.Float32bits(h))
				}
			})
		})
		out.Heights = &heightsJSON{View: *view, Type: "float32"}
	}
	if g.holed() {
		out.Holes = add(holeBytes(g.Columns, g.Rows), g.writeHoles)
	}
	return out
}

// eachRow hands out the heights row by row. The row is used again.
func (g *Ground) eachRow(do func(row []float32)) {
	row := make([]float32, g.Columns)
	for r := range g.Rows {
		g.Field.CopyHeights(row, g.Columns, image.Rect(0, r, g.Columns, r+1))
		do(row)
	}
}

func (g *Ground) holed() bool {
	cols, rows := g.Field.ChunkGrid()
	for y := range rows {
		for x := range cols {
			if g.Field.Chunk(x, y).Holes {
				return true
			}
		}
	}
	return false
}

// holeBytes is how many bytes take a bit a cell.
func holeBytes(cols, rows int) int64 { return (int64(cols-1)*int64(rows-1) + 7) / 8 }

func (g *Ground) writeHoles(w *writer) {
	row := make([]uint8, g.Columns)
	var b uint8
	n := 0
	for r := range g.Rows - 1 {
		g.Field.CopyFlags(row, g.Columns, image.Rect(0, r, g.Columns, r+1))
		for _, f := range row[:g.Columns-1] {
			if f&terrain.Hole != 0 {
				b |= 1 << (n & 7)
			}
			if n++; n&7 == 0 {
				w.byte(b)
				b = 0
			}
		}
	}
	if n&7 != 0 {
		w.byte(b)
	}
}

// writer collects small values and keeps the first error.
type writer struct {
	w   io.Writer
	buf []byte
	err error
}

const writerSize = 1 << 16

func (w *writer) room() {
	if len(w.buf) >= writerSize-8 {
		w.flush()
	}
	if w.buf == nil {
		w.buf = make([]byte, 0, writerSize)
	}
}

func (w *writer) flush() error {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.w.Write(w.buf)
	}
	w.buf = w.buf[:0]
	return w.err
}

func (w *writer) byte(v uint8) { w.room(); w.buf = append(w.buf, v) }

func (w *writer) uint16(v uint16) { w.room(); w.buf = binary.LittleEndian.AppendUint16(w.buf, v) }

func (w *writer) uint32(v uint32) { w.room(); w.buf = binary.LittleEndian.AppendUint32(w.buf, v) }

func (w *writer) uint64(v uint64) { w.room(); w.buf = binary.LittleEndian.AppendUint64(w.buf, v) }

// stateOf reads the state of a portal.
func stateOf(s string) (portal.State, bool) {
	for _, v := range []portal.State{portal.Open, portal.Closed, portal.OneWay} {
		if v.String() == s {
			return v, true
		}
	}
	return 0, false
}
