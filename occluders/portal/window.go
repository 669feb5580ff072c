package portal

import (
	"math"
	"slices"

	"ridgeline/occluders/geom"
)

// Window is a cone of light that reaches a cell.
type Window struct {
	Cell  int32 // the cell seen, or Outside
	Depth int32 // how many portals away it is
	// Through are the portals on the way, the first that of the eye's own cell; of
	// windows that were united, those of one of them.
	Through []int32
	// Planes bound the cone in the world, their positive sides in. All pass through the
	// eye, or in an orthographic view along the lines of sight. A neutral plane, of no
	// normal, stands for an edge that points at the eye. None is the whole frustum.
	Planes []geom.Plane
	// Corners is the polygon that the cone shows, in the world, in the order of Planes:
	// what of the last portal can be seen, or a rectangle around united windows. None
	// for the whole frustum.
	Corners []geom.Vec3

	eye    geom.Vec3
	planes []geom.Plane // relative to the eye
}

// Box tells how a box stands to the cone. It errs towards Crossing. An empty box is
// Outside.
func (w *Window) Box(b geom.Box) geom.Side {
	if b.IsEmpty() {
		return geom.Outside
	}
	return boxSide(w.planes, b.Translate(w.eye.Mul(-1)))
}

// boxSide tests a box relative to the eye.
func boxSide(planes []geom.Plane, b geom.Box) geom.Side {
	slack := boxSlack * (max(math.Abs(b.Min[0]), math.Abs(b.Max[0])) +
		max(math.Abs(b.Min[1]), math.Abs(b.Max[1])) +
		max(math.Abs(b.Min[2]), math.Abs(b.Max[2])))
	side := geom.Inside
	for i := range planes {
		p := &planes[i]
		low, high := p.D, p.D
		for a, n := range p.N {
			if n >= 0 {
				low += n * b.Min[a]
				high += n * b.Max[a]
			} else {
				low += n * b.Max[a]
				high += n * b.Min[a]
			}
		}
		if high < -slack {
			return geom.Outside
		}
		if !(low >= 0) {
			side = geom.Crossing
		}
	}
	return side
}

// beyond reports whether a box relative to the eye, by its center and half its size,
// lies beyond one of the planes.
func beyond(planes []geom.Plane, c, h *geom.Vec3, slack float64) bool {
	for i := range planes {
		p := &planes[i]
		if dist(p, c)+math.Abs(p.N[0])*h[0]+math.Abs(p.N[1])*h[1]+math.Abs(p.N[2])*h[2] < -slack {
			return true
		}
	}
	return false
}

// arena holds what the windows handed out point to.
type arena struct {
	through []int32
	planes  []geom.Plane
	corners []geom.Vec3
}

// AppendWindows traces a view and appends its windows, the nearest cells first. What
// they point to belongs to the tracer until its next AppendWindows.
func (t *Tracer) AppendWindows(dst []Window, g *Graph, v *View) []Window {
	t.Trace(g, v)
	return t.AppendFound(dst)
}

// AppendFound appends the windows of the last trace, as AppendWindows does.
func (t *Tracer) AppendFound(dst []Window) []Window {
	if t.g == nil {
		return dst
	}
	if t.all {
		for c := range t.g.cells + 1 {
			dst = append(dst, Window{Cell: t.g.name(int32(c)), eye: t.eye})
		}
		return dst
	}
	o := &t.out
	o.through, o.planes, o.corners = o.through[:0], o.planes[:0], o.corners[:0]
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.dead {
			continue
		}
		w := Window{Cell: t.g.name(n.cell), Depth: n.depth, eye: t.eye, planes: t.planes[n.first : n.first+n.n]}
		at := len(o.through)
		for k := int32(i); k >= 0 && t.nodes[k].gate >= 0; k = t.nodes[k].parent {
			o.through = append(o.through, t.nodes[k].gate)
		}
		w.Through = o.through[at:]
		slices.Reverse(w.Through)
		at = len(o.planes)
		for k := n.first; k < n.first+n.n; k++ {
			p := t.planes[k]
			o.planes = append(o.planes, geom.Plane{N: p.N, D: p.D - p.N.Dot(t.eye)})
			o.corners = append(o.corners, t.corners[k].Add(t.eye))
		}
		w.Planes, w.Corners = o.planes[at:], o.corners[at:]
		dst = append(dst, w)
	}
	return dst
}

// Sees reports whether a box that is in the cells, as AppendCells gives them, may be
// seen in the last trace. Without any cell it may; an empty box is not seen.
func (t *Tracer) Sees(cells []int32, box geom.Box) bool {
	if box.IsEmpty() {
		return false
	}
	if t.all || t.g == nil || len(cells) == 0 {
		return true
	}
	var center, half geom.Vec3
	slack := 0.0
	for a := range center {
		half[a] = (box.Max[a] - box.Min[a]) / 2
		center[a] = box.Min[a] - t.eye[a] + half[a]
		slack += boxSlack * (math.Abs(center[a]) + half[a])
	}
	for _, c := range cells {
		if c < Outside || int(c) >= t.g.cells {
			return true // no cell of this graph
		}
		f := &t.cells[t.g.index(int(c))]
		if f.turn != t.turn {
			continue
		}
		for i := f.head; i >= 0; i = t.nodes[i].next {
			n := &t.nodes[i]
			if n.whole || !beyond(t.planes[n.first:n.first+n.n], &center, &half, slack) {
				return true
			}
		}
	}
	return false
}

// Reached reports whether any window of the last trace shows the cell.
func (t *Tracer) Reached(cell int) bool {
	_, ok := t.Depth(cell)
	return ok
}

// Depth is how many portals away the cell is in the last trace; ok is false when it
// was not reached.
func (t *Tracer) Depth(cell int) (depth int, ok bool) {
	if t.g == nil || cell < Outside || cell >= t.g.cells {
		return 0, false
	}
	if t.all {
		return 0, true
	}
	f := &t.cells[t.g.index(cell)]
	if f.turn != t.turn || f.head < 0 {
		return 0, false
	}
	return int(f.depth), true
}

// AppendClosed appends the portals, sorted, whose state stopped light of the last trace
// that might have gone on to the cell: closed ones, and one-way ones met from behind.
// It answers "portal P is closed" for a thing that was not seen, and does its work when
// asked, not in the trace.
func (t *Tracer) AppendClosed(dst []int32, cell int) []int32 {
	g := t.g
	if g == nil || t.all || cell < Outside || cell >= g.cells {
		return dst
	}
	// Back from the cell through cells that were not reached, whatever the states; from
	// a cell that was reached, not further than its own portals.
	n := len(dst)
	target := g.index(cell)
	t.queue = append(t.queue[:0], target)
	seen := make([]bool, g.cells+1)
	seen[target] = true
	for k := 0; k < len(t.queue); k++ {
		c := t.queue[k]
		for _, l := range g.links[c] {
			back := link{l.gate, c, !l.front}
			if f := &t.cells[l.other]; f.turn == t.turn && f.head >= 0 {
				if !g.passes(back) && t.shown(f, back) {
					dst = append(dst, l.gate)
				}
			} else if !seen[l.other] && !t.Reached(cell) {
				seen[l.other] = true
				t.queue = append(t.queue, l.other)
			}
		}
	}
	slices.Sort(dst[n:])
	return dst[:n+len(slices.Compact(dst[n:]))]
}

// shown reports whether light of a window of the cell falls on the gate.
func (t *Tracer) shown(f *found, l link) bool {
	for i := f.head; i >= 0; i = t.nodes[i].next {
		if how, _ := t.shows(i, l); how != nothing {
			return true
		}
	}
	return false
}
