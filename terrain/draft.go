package terrain

import "image"

// Draft is a field in the making. Writing to it never changes the field it began
// with: a plane is copied when it is first asked for. It is not safe for
// concurrent use; the planes it hands out may be written by several goroutines
// once they have been asked for.
//
// Writers must keep heights finite and within ±MaxHeight.
type Draft struct {
	field   Field
	cloned  []bool   // by tile row: this draft owns the row's slice
	owned   []Planes // by tile: planes that this draft may write
	changed []Planes // by tile: planes that differ from the last field, or may
	touched []int    // tiles with changed planes, in the order of their first touch
}

// Draft begins a draft of f.
func (f *Field) Draft() *Draft {
	tc, tr := f.TileGrid()
	d := &Draft{field: *f, cloned: make([]bool, tr), owned: make([]Planes, tc*tr), changed: make([]Planes, tc*tr)}
	d.field.tiles = append([][]Tile(nil), f.tiles...)
	return d
}

// View reads the draft as it stands, through the same methods as a finished
// field. What it says of chunks and the pyramid, and so MinMax and Raycast, is
// that of the last Field. It is valid until the next call of Field.
func (d *Draft) View() *Field { return &d.field }

// Heights gives the height plane of tile (tx, ty) for writing.
func (d *Draft) Heights(tx, ty int) *Heights {
	return writable(d, tx, ty, PlaneHeights, func(t *Tile) **Heights { return &t.Heights })
}

// Splats gives the splat plane of tile (tx, ty) for writing.
func (d *Draft) Splats(tx, ty int) *Splats {
	return writable(d, tx, ty, PlaneSplats, func(t *Tile) **Splats { return &t.Splats })
}

// Light gives the light plane of tile (tx, ty) for writing.
func (d *Draft) Light(tx, ty int) *Light {
	return writable(d, tx, ty, PlaneLight, func(t *Tile) **Light { return &t.Light })
}

// Flags gives the flag plane of tile (tx, ty) for writing.
func (d *Draft) Flags(tx, ty int) *Flags {
	return writable(d, tx, ty, PlaneFlags, func(t *Tile) **Flags { return &t.Flags })
}

// writable gives a plane that the draft owns, copied when it does not yet.
func writable[P any](d *Draft, tx, ty int, plane Planes, of func(*Tile) **P) *P {
	slot := of(d.own(tx, ty))
	if d.take(tx, ty, plane) {
		own := **slot
		*slot = &own
	}
	return *slot
}

// Put replaces whole planes of a tile by finished ones, which must not be
// written afterwards: a later write through the draft copies them, as they may
// be shared with another field.
func (d *Draft) Put(tx, ty int, t Tile, planes Planes) {
	to := d.own(tx, ty)
	if planes&PlaneHeights != 0 {
		to.Heights = t.Heights
	}
	if planes&PlaneSplats != 0 {
		to.Splats = t.Splats
	}
	if planes&PlaneLight != 0 {
		to.Light = t.Light
	}
	if planes&PlaneFlags != 0 {
		to.Flags = t.Flags
	}
	d.owned[d.touch(tx, ty, planes)] &^= planes
}

// touch notes that planes of a tile change and gives the tile's index.
func (d *Draft) touch(tx, ty int, planes Planes) int {
	i := ty*len(d.field.tiles[0]) + tx
	if d.changed[i] == 0 {
		d.touched = append(d.touched, i)
	}
	d.changed[i] |= planes
	return i
}

// own makes sure that the draft may change the tile's slot.
func (d *Draft) own(tx, ty int) *Tile {
	if !d.cloned[ty] {
		d.field.tiles[ty] = append([]Tile(nil), d.field.tiles[ty]...)
		d.cloned[ty] = true
	}
	return &d.field.tiles[ty][tx]
}

// take notes that plane p of a tile will be written and reports whether it must
// be copied first.
func (d *Draft) take(tx, ty int, p Planes) bool {
	i := d.touch(tx, ty, p)
	if d.owned[i]&p != 0 {
		return false
	}
	d.owned[i] |= p
	return true
}

// Field finishes what was written since the last call: a field that shares
// everything else with the one before, and the tiles touched. The draft may go on
// and copies planes anew.
func (d *Draft) Field() (f *Field, tiles []image.Point) {
	w := len(d.field.tiles[0])
	measure := make([]image.Point, 0, len(d.touched))
	for _, i := range d.touched {
		t := image.Pt(i%w, i/w)
		tiles = append(tiles, t)
		if d.changed[i]&(PlaneHeights|PlaneFlags) != 0 {
			measure = append(measure, t)
		}
		d.owned[i], d.changed[i] = 0, 0
	}
	d.touched = d.touched[:0]
	clear(d.cloned)
	if len(measure) > 0 {
		d.field.remeasure(measure)
	}
	out := d.field
	d.field.tiles = append([][]Tile(nil), d.field.tiles...)
	return &out, tiles
}

// remeasure brings the chunks that read from the tiles, and the pyramid above
// them, up to date. What it replaces is copied first.
func (f *Field) remeasure(tiles []image.Point) {
	cc, cr := f.ChunkGrid()
	stale := make(map[image.Point]struct{}, len(tiles)+8)
	for _, t := range tiles {
		// A tile's first column and row are the last of the chunk before it.
		for _, p := range [4]image.Point{t, t.Sub(image.Pt(1, 0)), t.Sub(image.Pt(0, 1)), t.Sub(image.Pt(1, 1))} {
			if p.X >= 0 && p.Y >= 0 && p.X < cc && p.Y < cr {
				stale[p] = struct{}{}
			}
		}
	}
	list := make([]image.Point, 0, len(stale))
	f.chunks = append([][]*Chunk(nil), f.chunks...)
	cloned := make(map[int]bool, 8)
	for p := range stale {
		list = append(list, p)
		if !cloned[p.Y] {
			cloned[p.Y] = true
			f.chunks[p.Y] = append([]*Chunk(nil), f.chunks[p.Y]...)
		}
	}
	parallelRows(len(list), func(i int) {
		p := list[i]
		f.chunks[p.Y][p.X] = f.measureChunk(p.X, p.Y)
	})
	f.updateTree(list)
	f.pyramid = append([]mip(nil), f.pyramid...)
	for k := range f.pyramid {
		f.pyramid[k].nodes = append([]MinMax(nil), f.pyramid[k].nodes...)
		up := make(map[image.Point]struct{}, len(stale)/2+1)
		for p := range stale {
			f.gatherNode(k, p.X, p.Y)
			up[image.Pt(p.X/2, p.Y/2)] = struct{}{}
		}
		stale = up
	}
}
