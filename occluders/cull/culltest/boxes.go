package culltest

import (
	"slices"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
)

// Door is a rectangle across an axis between two rooms, or a room and the outside.
type Door struct {
	From, To int // rooms, or portal.Outside; the front is towards From
	Rect     geom.Box
	State    portal.State
}

// Boxes makes rooms of boxes, a cell each, with walls without thickness and the
// given doors in their faces.
func Boxes(rooms []geom.Box, doors []Door) *Rooms {
	w := &Rooms{Box: geom.EmptyBox()}
	for _, b := range rooms {
		var corners []geom.Vec3
		for i := range 8 {
			corners = append(corners, b.Corner(i))
		}
		w.Cells = append(w.Cells, [][]geom.Vec3{corners})
		w.Box = w.Box.Union(b)
		for axis := range 3 {
			for _, up := range []bool{false, true} {
				f := b
				n := geom.Vec3{}
				n[axis] = -1
				if up {
					f.Min[axis], n[axis] = b.Max[axis], 1
				} else {
					f.Max[axis] = b.Min[axis]
				}
				face := rectangle(f, axis, n)
				s := wall{solid: slab(face, face, n)}
				for _, d := range doors {
					if s.holdsFlat(d.Rect) {
						s.openings = append(s.openings, prism(rectangle(d.Rect, axis, n), n))
					}
				}
				w.walls, w.faces = append(w.walls, s), append(w.faces, outline(face, n))
			}
		}
	}
	for _, d := range doors {
		axis := 0
		for d.Rect.Min[axis] != d.Rect.Max[axis] {
			axis++
		}
		// The front is towards From: away from To.
		n := geom.Vec3{}
		n[axis] = 1
		of, sign := d.To, 1.0
		if of == portal.Outside {
			of, sign = d.From, -1
		}
		if rooms[of].Center()[axis] > d.Rect.Min[axis] {
			sign = -sign
		}
		n[axis] = sign
		p := portal.Portal{Polygon: rectangle(d.Rect, axis, n), From: d.From, To: d.To, State: d.State}
		if d.State != portal.Open {
			w.doors = append(w.doors, sheet{plane: planeAt(n, p.Polygon[0]), outline: prism(p.Polygon, n), oneWay: d.State == portal.OneWay})
		}
		w.Portals = append(w.Portals, p)
	}
	return w
}

func outline(corners []geom.Vec3, n geom.Vec3) face { return face{corners, n} }

// holdsFlat reports whether a rectangle lies in the wall.
func (w *wall) holdsFlat(r geom.Box) bool {
	for i := range 8 {
		for _, p := range w.solid {
			if p.Distance(r.Corner(i)) > 1e-9 {
				return false
			}
		}
	}
	return true
}

// rectangle gives the corners of a flat box, counter-clockwise seen against n.
func rectangle(b geom.Box, axis int, n geom.Vec3) []geom.Vec3 {
	u, v := (axis+1)%3, (axis+2)%3
	at := func(p, q float64) (c geom.Vec3) {
		c[axis], c[u], c[v] = b.Min[axis], p, q
		return c
	}
	out := []geom.Vec3{at(b.Min[u], b.Min[v]), at(b.Max[u], b.Min[v]), at(b.Max[u], b.Max[v]), at(b.Min[u], b.Max[v])}
	if n[axis] < 0 {
		slices.Reverse(out)
	}
	return out
}
