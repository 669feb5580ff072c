package culltest

import (
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Pieces cuts the solids and the walls of the world into convex pieces that can be
// drawn, and gives what is flat as polygons: panels, and doors that let nothing through.
// whole is false when there is something else: walls without depth, panels with holes,
// or doors that are seen through from one side.
func (w *World) Pieces() (solids []*hull.Hull, flats [][]geom.Vec3, whole bool) {
	whole = true
	solids = append(solids, w.solids...)
	for _, s := range w.panels {
		if s.hole == nil {
			flats = append(flats, s.edges)
		} else {
			whole = false
		}
	}
	for i := range w.walls {
		rest := []body{w.walls[i].solid}
		for _, o := range w.walls[i].openings {
			var cut []body
			for _, b := range rest {
				cut = b.appendWithout(cut, o)
			}
			rest = cut
		}
		for _, b := range rest {
			if h, err := hull.Intersection(b); err == nil {
				solids = append(solids, h)
			}
		}
		whole = whole && len(rest) > 0
	}
	return solids, flats, whole && len(w.doors) == 0
}

// appendWithout appends the parts of a body that are not in another.
func (b body) appendWithout(dst []body, o body) []body {
	for i, p := range o {
		part := append(append(body{}, b...), geom.Plane{N: p.N.Mul(-1), D: -p.D})
		part = append(part, o[:i]...)
		if _, err := hull.Intersection(part); err == nil {
			dst = append(dst, part)
		}
	}
	return dst
}
