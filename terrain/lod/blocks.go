package lod

import (
	"image"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// A chunk whose own error allows no level from openBelow on is open: its blocks, of
// 2^blockLevel cells along an edge, have levels of their own up to that. A coarser
// chunk is cheap enough as it is.
const (
	openBelow  = 3
	blockLevel = 4
	blockCells = 1 << blockLevel
	// A chunk has blockSide blocks along an edge, and groups of them on tiers levels
	// up to the chunk itself.
	blockSide = terrain.TileSize / blockCells
	tiers     = MaxLevel - blockLevel
)

// isOpen stands for the level of an open chunk.
const isOpen = MaxLevel + 1

// mostOpen is how many chunks' blocks are remembered, each taking some 4 KB, and how
// many can be open at once.
const mostOpen = 2048

// block is a part of an open chunk.
type block struct {
	errors [blockLevel]float32 // of the levels 1 … blockLevel
	joints [4][blockLevel * (blockLevel + 1) / 2]float32
	terrain.MinMax
	allowed float32 // error, in this view
	level   uint8
	queued  bool
}

// opened is an open chunk, or what is remembered of one.
type opened struct {
	chunk      int32
	view       uint64 // the last in which it was open
	known      bool   // errors and ranges are those of the field
	cols, rows int    // blocks
	blocks     [blockSide * blockSide]block
	groups     [tiers][blockSide * blockSide]group // of 1, 4 … blocks, in rows of blockSide
}

// open makes chunk i an open one, with the levels that its blocks' own errors allow,
// unless too many are.
func (s *Snapped) open(i int) {
	o := s.remembered(i)
	if o == nil {
		return
	}
	s.levels[i] = isOpen
	o.view = s.view
	if !o.known {
		s.readBlocks(o)
	}
	for y := range o.rows {
		for x := range o.cols {
			b := &o.blocks[y*blockSide+x]
			b.allowed = s.last.allowed(s.blockBox(o, x, y).DistanceTo(s.last.Eye))
			b.level = 0
			for b.level < blockLevel && b.errors[b.level] <= b.allowed {
				b.level++
			}
		}
	}
}

// remembered gives the place for chunk i's blocks, that of a chunk which this view
// does not open when there are as many as may be, or nil.
func (s *Snapped) remembered(i int) *opened {
	if k := s.places[i]; k >= 0 {
		return s.opened[k]
	}
	k := len(s.opened)
	if k < s.most {
		s.opened = append(s.opened, new(opened))
	} else {
		for range s.opened {
			s.hand = (s.hand + 1) % len(s.opened)
			if s.opened[s.hand].view != s.view {
				k = s.hand
				break
			}
		}
		if k == len(s.opened) {
			return nil
		}
		s.places[s.opened[k].chunk] = nowhere
	}
	o := s.opened[k]
	o.chunk, o.known = int32(i), false
	s.places[i] = int32(k)
	return o
}

// nowhere is the place of a chunk of which nothing is remembered.
const nowhere = -1

// readBlocks looks at every sample of an open chunk.
func (s *Snapped) readBlocks(o *opened) {
	i := int(o.chunk)
	cells := s.field.ChunkRect(i%s.cols, i/s.cols)
	w, h := cells.Dx(), cells.Dy()
	o.cols, o.rows = (w+blockCells-1)/blockCells, (h+blockCells-1)/blockCells
	o.known = true
	g := &s.relief
	s.field.CopyHeights(g[:], reliefStride, image.Rectangle{cells.Min, cells.Max.Add(image.Pt(1, 1))})
	for y := range o.rows {
		for x := range o.cols {
			b := &o.blocks[y*blockSide+x]
			r := image.Rect(0, 0, blockCells, blockCells).Add(image.Pt(x, y).Mul(blockCells)).Intersect(image.Rect(0, 0, w, h))
			b.MinMax = g.span(r)
			worst := float32(0)
			for k := range b.errors {
				worst = max(worst, g.deviation(r, 2<<k))
				b.errors[k] = worst
			}
			for side := range b.joints {
				for j := range b.joints[side] {
					b.joints[side][j] = unknown
				}
			}
		}
	}
}

// blockRect is the rectangle of cells of block (x, y) of an open chunk.
func (s *Snapped) blockRect(o *opened, x, y int) image.Rectangle {
	return s.partRect(o, x*blockCells, y*blockCells, blockCells)
}

// partRect is a square of an open chunk's cells.
func (s *Snapped) partRect(o *opened, x, y, side int) image.Rectangle {
	cells := s.field.ChunkRect(int(o.chunk)%s.cols, int(o.chunk)/s.cols)
	return image.Rect(x, y, x+side, y+side).Add(cells.Min).Intersect(cells)
}

func (s *Snapped) blockBox(o *opened, x, y int) geom.Box {
	return s.boxOf(s.blockRect(o, x, y), o.blocks[y*blockSide+x].MinMax)
}

// beside finds what lies beside block (x, y) of an open chunk: a chunk, and if that
// is open, the block (bx, by) of it. ok is false at the field's rim.
func (s *Snapped) beside(o *opened, x, y, side int) (n, bx, by int, ok bool) {
	n, bx, by = int(o.chunk), x, y
	switch side {
	case Left:
		bx--
	case Top:
		by--
	case Right:
		bx++
	case Bottom:
		by++
	}
	if bx >= 0 && by >= 0 && bx < o.cols && by < o.rows {
		return n, bx, by, true
	}
	n, ok = s.neighbour(n, side)
	return n, bx & (blockSide - 1), by & (blockSide - 1), ok
}

// levelBeside is the level of what lies beside a block; its own at the field's rim.
func (s *Snapped) levelBeside(o *opened, x, y, side int) uint8 {
	n, bx, by, ok := s.beside(o, x, y, side)
	if !ok {
		return o.blocks[y*blockSide+x].level
	}
	if s.levels[n] != isOpen {
		return s.levels[n]
	}
	return s.opened[s.places[n]].blocks[by*blockSide+bx].level
}

// temper makes the chunks beside an open one no coarser than a block can be.
func (s *Snapped) temper(o *opened) {
	for side := range 4 {
		if n, ok := s.neighbour(int(o.chunk), side); ok && s.levels[n] != isOpen && s.levels[n] > blockLevel {
			s.levels[n] = blockLevel
			s.enqueue(n)
		}
	}
}

// restrain makes the blocks of an open chunk along a side no coarser than a level, as
// the closed chunk beside it has the same edge all along.
func (s *Snapped) restrain(o *opened, side int, most uint8) {
	x0, y0, x1, y1 := 0, 0, o.cols, o.rows
	switch side {
	case Left:
		x1 = 1
	case Top:
		y1 = 1
	case Right:
		x0 = x1 - 1
	case Bottom:
		y0 = y1 - 1
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if b := &o.blocks[y*blockSide+x]; b.level > most {
				b.level = most
				s.enqueueBlock(o, x, y)
			}
		}
	}
}

// limitBlock refines what lies beside block (x, y) of an open chunk and is too
// coarse for it, and queues that.
func (s *Snapped) limitBlock(o *opened, x, y int) {
	b := &o.blocks[y*blockSide+x]
	for side := range 4 {
		n, bx, by, ok := s.beside(o, x, y, side)
		if !ok {
			continue
		}
		if s.levels[n] != isOpen {
			if l := s.levels[n]; l > b.level {
				if e := s.borne(o, x, y, side, l); e != l {
					s.levels[n] = e
					s.enqueue(n)
				}
			}
			continue
		}
		other := s.opened[s.places[n]]
		c := &other.blocks[by*blockSide+bx]
		if c.level > b.level {
			if e := s.borne(o, x, y, side, c.level); e != c.level {
				c.level = e
				s.enqueueBlock(other, bx, by)
			}
		}
	}
}

// borne is the coarsest level up to most that a side of block (x, y) may be snapped
// to; its own always is.
func (s *Snapped) borne(o *opened, x, y, side int, most uint8) uint8 {
	b := &o.blocks[y*blockSide+x]
	// Along the side no less is allowed than anywhere, see bears.
	if 2*b.errors[most-1] <= b.allowed {
		return most
	}
	cells := s.blockRect(o, x, y)
	allowed := s.last.allowed(strip(s.boxOf(cells, b.MinMax), side, s.width(b.level)).DistanceTo(s.last.Eye))
	for e := most; e > b.level; e-- {
		if s.bears(cells, blockCells, side, b.level, e, b.errors[e-1], &b.joints[side][pair(b.level, e)], allowed) {
			return e
		}
	}
	return b.level
}

// joinBlocks finds the edges of an open chunk's blocks and which groups of them can
// be drawn whole, and gives that of all.
func (s *Snapped) joinBlocks(o *opened) group {
	for y := range o.rows {
		for x := range o.cols {
			l := o.blocks[y*blockSide+x].level
			g := group{whole: true, level: l}
			for side := range g.edges {
				g.edges[side] = max(l, s.levelBeside(o, x, y, side))
			}
			o.groups[0][y*blockSide+x] = g
		}
	}
	w, h := o.cols, o.rows
	for k := 1; ; k++ {
		below := &o.groups[k-1]
		nw, nh := (w+1)/2, (h+1)/2
		for y := range nh {
			for x := range nw {
				x1, y1 := min(2*x+1, w-1), min(2*y+1, h-1)
				g := unite(&below[2*y*blockSide+2*x], &below[2*y*blockSide+x1], &below[y1*blockSide+2*x], &below[y1*blockSide+x1], 0)
				if k == tiers {
					return g
				}
				o.groups[k][y*blockSide+x] = g
			}
		}
		w, h = nw, nh
	}
}

// appendBlocks appends what is to be drawn of group (x, y) of an open chunk's tier k,
// as appendNode does.
func (s *Snapped) appendBlocks(dst []Patch, o *opened, k, x, y int, inside bool) []Patch {
	if k < tiers {
		cells := s.partRect(o, x*blockCells<<k, y*blockCells<<k, blockCells<<k)
		if !inside {
			m := o.blocks[y<<k*blockSide+x<<k].MinMax
			for j := y << k; j < min((y+1)<<k, o.rows); j++ {
				for i := x << k; i < min((x+1)<<k, o.cols); i++ {
					b := &o.blocks[j*blockSide+i]
					m.Min, m.Max = min(m.Min, b.Min), max(m.Max, b.Max)
				}
			}
			switch s.last.Frustum.Box(s.boxOf(cells, m)) {
			case geom.Outside:
				return dst
			case geom.Inside:
				inside = true
			}
		}
		if g := &o.groups[k][y*blockSide+x]; g.whole && (inside || k == 0) {
			return append(dst, Patch{Cells: cells, Level: g.level, Edges: g.edges})
		}
	}
	w, h := (o.cols+1<<(k-1)-1)>>(k-1), (o.rows+1<<(k-1)-1)>>(k-1)
	c := s.box(int(o.chunk)%s.cols, int(o.chunk)/s.cols).Center()
	if k < tiers {
		c = s.boxOf(s.partRect(o, x*blockCells<<k, y*blockCells<<k, blockCells<<k), o.blocks[0].MinMax).Center()
	}
	nearX, nearY := s.nearer(c)
	for i := range 4 {
		cx, cy := 2*x+(i&1^nearX), 2*y+(i>>1^nearY)
		if cx < w && cy < h {
			dst = s.appendBlocks(dst, o, k-1, cx, cy, inside)
		}
	}
	return dst
}
