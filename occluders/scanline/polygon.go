package scanline

import "math"

// addPolygon adds a flat polygon, less its hole, seen from either side.
func (b *Buffer) addPolygon(owner int32, points, hole []vec3) bool {
	v := &b.view
	var n vec3
	first := points[0]
	size := 0.0
	for i, p := range points {
		q := points[(i+1)%len(points)]
		n = n.Add(p.Sub(first).Cross(q.Sub(first)))
		size = max(size, p.Sub(first).Len())
	}
	l := n.Len()
	if !(l > 0x1p-40*size*size) || math.IsInf(l, 0) {
		return false
	}
	n = n.Mul(1 / l)
	// The polygon as seen from where the eye is.
	if v.facing(n, first.Sub(v.eye)) < 0 {
		n = n.Mul(-1)
	}
	b.face = b.face[:0]
	for _, p := range points {
		b.face = append(b.face, p.Sub(v.eye))
	}
	for _, p := range hole {
		b.face = append(b.face, p.Sub(v.eye))
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range b.face {
		d := n.Dot(p)
		least, most = min(least, d), max(most, d)
	}
	line, ok := b.front(n, b.reach())
	if !ok || !(most-least <= flatness*size) {
		return false
	}
	s := surface{owner: owner, flat: true, ready: true}
	s.edge = int32(len(b.edges))
	rim, inner := surface{}, surface{}
	b.outline = b.outline[:0]
	if !b.clip(&rim, b.face[:len(points)]) || !b.worth(&rim) {
		return false
	}
	b.loopEdges(rimEdge)
	s.x0, s.x1, s.y0, s.y1 = rim.x0, rim.x1, rim.y0, rim.y1
	s.nearest, s.margin = rim.nearest, rim.margin
	if len(hole) > 0 {
		b.outline = b.outline[:0]
		if b.clip(&inner, b.face[len(points):]) {
			b.loopEdges(holeEdge)
			s.margin = max(s.margin, inner.margin)
		}
	}
	s.edges = int32(len(b.edges)) - s.edge
	s.slope, s.slopes = int32(len(b.slopes)), 1
	b.slopes = append(b.slopes, line)
	b.surfaces = append(b.surfaces, s)
	return true
}

// flatness is how far the points of a polygon may be off its plane, in its sizes.
const flatness = 1e-6

// loopEdges makes edges of the loop b.outline.
func (b *Buffer) loopEdges(kind uint8) {
	for i, p := range b.outline {
		b.addEdge(p, b.outline[(i+1)%len(b.outline)], kind)
	}
}
