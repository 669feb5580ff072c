package lod

import (
	"image"

	"ridgeline/terrain"
)

// meter compares triangles with the samples below them, along one side of a square
// of cells, at most a chunk. Its points are (u, v): u runs along the side, in the direction of growing
// columns or rows, and v from the side into the chunk.
type meter struct {
	heights [(terrain.TileSize + 1) * (terrain.TileSize + 1)]float32 // v·(TileSize+1) + u
	scratch [(terrain.TileSize + 1) * (terrain.TileSize + 1)]float32
	last    int // cells along the side
	worst   float32
}

const meterStride = terrain.TileSize + 1

// load reads the samples up to depth from a side of a square of cells and forgets the
// worst error.
func (m *meter) load(f *terrain.Field, cells image.Rectangle, side, depth int) {
	m.worst, m.last = 0, cells.Dx()
	r := image.Rectangle{cells.Min, cells.Max.Add(image.Pt(1, 1))}
	switch side {
	case Left:
		r.Max.X = r.Min.X + depth + 1
	case Top:
		r.Max.Y = r.Min.Y + depth + 1
	case Right:
		r.Min.X = r.Max.X - depth - 1
	case Bottom:
		r.Min.Y = r.Max.Y - depth - 1
	}
	if side == Top {
		f.CopyHeights(m.heights[:], meterStride, r)
		return
	}
	w := r.Dx()
	f.CopyHeights(m.scratch[:], w, r)
	for v := range depth + 1 {
		row := m.heights[v*meterStride:][:m.last+1]
		switch side {
		case Bottom:
			copy(row, m.scratch[(depth-v)*w:])
		case Left:
			for u := range row {
				row[u] = m.scratch[u*w+v]
			}
		case Right:
			for u := range row {
				row[u] = m.scratch[u*w+depth-v]
			}
		}
	}
}

// triangle raises worst to the greatest distance between the plane of the samples
// a, b, c and the samples within their triangle.
func (m *meter) triangle(a, b, c image.Point) {
	area := cross(b.Sub(a), c.Sub(a))
	if area == 0 {
		return
	}
	if area < 0 {
		b, c, area = c, b, -area
	}
	height := func(p image.Point) float32 { return m.heights[p.Y*meterStride+p.X] }
	ha := height(a)
	inv := 1 / float32(area)
	gb, gc := (height(b)-ha)*inv, (height(c)-ha)*inv
	// Twice the areas opposite to b and c grow by db and dc along u.
	db, dc := c.Y-a.Y, a.Y-b.Y
	slope := gb*float32(db) + gc*float32(dc)
	worst := m.worst
	for v := min(a.Y, b.Y, c.Y); v <= max(a.Y, b.Y, c.Y); v++ {
		p := image.Pt(0, v)
		wb, wc := cross(p.Sub(a), c.Sub(a)), cross(b.Sub(a), p.Sub(a))
		s := span{0, m.last}
		s.clip(wb, db)
		s.clip(wc, dc)
		s.clip(area-wb-wc, -db-dc)
		if s.from > s.to {
			continue
		}
		base := ha + gb*float32(wb+s.from*db) + gc*float32(wc+s.from*dc)
		for i, h := range m.heights[v*meterStride+s.from : v*meterStride+s.to+1] {
			d := base + slope*float32(i) - h
			if d < 0 {
				d = -d
			}
			if d > worst {
				worst = d
			}
		}
	}
	m.worst = worst
}

// span is a range of u, both ends included.
type span struct{ from, to int }

// clip keeps those u with w + u·d ≥ 0.
func (s *span) clip(w, d int) {
	switch {
	case d > 0:
		if w < 0 {
			s.from = max(s.from, (-w+d-1)/d)
		}
	case d < 0:
		if w < 0 {
			s.to = -1
		} else {
			s.to = min(s.to, w/-d)
		}
	case w < 0:
		s.to = -1
	}
}

func cross(p, q image.Point) int { return p.X*q.Y - p.Y*q.X }
