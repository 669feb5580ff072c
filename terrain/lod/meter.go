package lod

import (
	"image"

	"ridgeline/terrain"
)

// meter compares triangles with the samples below them, along one side of a
// chunk. Its points are (u, v): u runs along the side, in the direction of growing
// columns or rows, and v from the side into the chunk.
type meter struct {
	heights [(terrain.TileSize + 1) * (terrain.TileSize + 1)]float32 // v·(TileSize+1) + u
	scratch [(terrain.TileSize + 1) * (terrain.TileSize + 1)]float32
	worst   float32
}

const meterStride = terrain.TileSize + 1

// load reads the samples up to depth from a side of a whole chunk and forgets
// the worst error.
func (m *meter) load(f *terrain.Field, cells image.Rectangle, side, depth int) {
	m.worst = 0
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
		row := m.heights[v*meterStride:][:meterStride]
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
	ha, hb, hc := height(a), height(b), height(c)
	inv := 1 / float32(area)
	u0, u1 := min(a.X, b.X, c.X), max(a.X, b.X, c.X)
	v0, v1 := min(a.Y, b.Y, c.Y), max(a.Y, b.Y, c.Y)
	for v := v0; v <= v1; v++ {
		p := image.Pt(u0, v)
		// Twice the areas opposite to b and c, and their change along u.
		wb, wc := cross(p.Sub(a), c.Sub(a)), cross(b.Sub(a), p.Sub(a))
		db, dc := c.Y-a.Y, a.Y-b.Y
		row := m.heights[v*meterStride+u0:][:u1-u0+1]
		for _, h := range row {
			if wb >= 0 && wc >= 0 && wb+wc <= area {
				d := ha + ((hb-ha)*float32(wb)+(hc-ha)*float32(wc))*inv - h
				m.worst = max(m.worst, d, -d)
			}
			wb += db
			wc += dc
		}
	}
}

func cross(p, q image.Point) int { return p.X*q.Y - p.Y*q.X }
