package lod

import (
	"image"

	"ridgeline/terrain"
)

// relief has a chunk's samples, row by row, reliefStride apart.
type relief [reliefStride * reliefStride]float32

const reliefStride = terrain.TileSize + 1

// span is the range of the samples of some cells.
func (g *relief) span(cells image.Rectangle) terrain.MinMax {
	first := g[cells.Min.Y*reliefStride+cells.Min.X]
	m := terrain.MinMax{Min: first, Max: first}
	for y := cells.Min.Y; y <= cells.Max.Y; y++ {
		for _, v := range g[y*reliefStride:][cells.Min.X : cells.Max.X+1] {
			if v < m.Min {
				m.Min = v
			}
			if v > m.Max {
				m.Max = v
			}
		}
	}
	return m
}

// deviation bounds the distance between the full surface and the one that draws
// some cells with every s-th sample. It is exact where s divides the cells: edges of
// coarse triangles are edges of fine ones, so the distance is greatest at a sample.
// A coarse cell that the rim cuts has edges of its own, so there the range of its
// heights is the bound.
func (g *relief) deviation(cells image.Rectangle, s int) float32 {
	worst := float32(0)
	for y := cells.Min.Y; y < cells.Max.Y; y += s {
		for x := cells.Min.X; x < cells.Max.X; x += s {
			switch {
			case x+s > cells.Max.X || y+s > cells.Max.Y:
				m := g.span(image.Rect(x, y, min(x+s, cells.Max.X), min(y+s, cells.Max.Y)))
				worst = max(worst, m.Max-m.Min)
			case s == 2:
				worst = g.small(y*reliefStride+x, worst)
			default:
				worst = g.quad(y*reliefStride+x, s, worst)
			}
		}
	}
	return worst
}

// small is quad for two samples along an edge.
func (g *relief) small(at int, worst float32) float32 {
	top, middle, bottom := g[at:at+3], g[at+reliefStride:][:3], g[at+2*reliefStride:][:3]
	a, b, c, d := top[0], top[2], bottom[0], bottom[2]
	e := [5]float32{(a+b)/2 - top[1], (a+c)/2 - middle[0], (b+c)/2 - middle[1], (b+d)/2 - middle[2], (c+d)/2 - bottom[1]}
	for _, v := range e {
		if v > worst {
			worst = v
		} else if -v > worst {
			worst = -v
		}
	}
	return worst
}

// quad raises worst to the greatest distance at the samples between the full surface
// and the coarse cell of s samples along an edge whose first sample is at.
func (g *relief) quad(at, s int, worst float32) float32 {
	a, b, c, d := g[at], g[at+s], g[at+s*reliefStride], g[at+s*reliefStride+s]
	part := 1 / float32(s)
	upper, lower := (b-a)*part, (d-c)*part
	for v := range s + 1 {
		row := g[at+v*reliefStride:][:s+1]
		t := float32(v) * part
		worst = ramp(row[:s-v], a+(c-a)*t, upper, worst)
		worst = ramp(row[s-v:], b+(c-b)*t, lower, worst)
	}
	return worst
}

// ramp raises worst to the greatest distance of heights from a line.
func ramp(heights []float32, start, slope, worst float32) float32 {
	for i, h := range heights {
		e := start + slope*float32(i) - h
		if e > worst {
			worst = e
		} else if -e > worst {
			worst = -e
		}
	}
	return worst
}
