package scatter

import (
	"math"

	"ridgeline/terrain"
)

// Erase appends the points that stay when an area is cleared. Where the area covers
// only in part, at the rim of a soft brush, it takes that share of the points, by
// their places: erasing the same place twice takes no more, and the order of dabs
// does not matter. Numbers of the area that are out of range are an error; then dst
// is returned as it was.
func Erase(dst, points []Point, area Area) ([]Point, error) {
	if err := area.check(); err != nil {
		return dst, err
	}
	if stroke, ok := area.(Stroke); ok {
		area = stroke.segments()
	}
	if polygon, ok := area.(Polygon); ok {
		area = polygon.sides()
	}
	all := area.bounds()
	for _, p := range points {
		x, z := p.Position[0], p.Position[2]
		if all.cover(x, z) == 0 || !(unit(placeHash(x, z)) < area.cover(x, z)) {
			dst = append(dst, p)
		}
	}
	return dst, nil
}

func placeHash(x, z float64) uint64 {
	return mix(mix(math.Float64bits(x)+golden) ^ math.Float64bits(z))
}

// Reproject appends the points moved up or down onto the ground, which may have been
// edited since, with its normals and standing as Rules.AlignToSurface says. Points
// beyond the field or over a hole are left out.
func Reproject(dst, points []Point, f *terrain.Field, align float64) []Point {
	for _, p := range points {
		g, ok := groundAt(f, p.Position[0], p.Position[2])
		if !ok {
			continue
		}
		p.Position[1], p.Normal = g.y, g.normal
		p.Up = lean(g.normal, min(max(align, 0), 1))
		dst = append(dst, p)
	}
	return dst
}
