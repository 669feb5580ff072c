package nodetree

import (
	"math"
	"math/bits"

	"ridgeline/occluders/geom"
)

// region is a box made ready for a wide tree: rounded outwards to float32 for the
// nodes, and as it is for the triangles.
type region struct {
	rows    [6]row // low x, y, z, high x, y, z
	numbers [6]float32
	box     geom.Box
}

func (g *region) aim(w *wide, b geom.Box) {
	g.box = b
	for i := range 3 {
		g.numbers[i] = below(b.Min[i] - w.center[i])
		g.numbers[i+3] = -below(w.center[i] - b.Max[i])
	}
	fillRows(g.rows[:], g.numbers[:])
}

// below is a float32 that is less than v, by more than a float64 subtraction loses.
func below(v float64) float32 {
	f := float32(v - math.Abs(v)*1e-9)
	return math.Nextafter32(f, float32(math.Inf(-1)))
}

// appendOverlapping appends the triangles whose box shares a point with b.
func (w *wide) appendOverlapping(dst []int32, b geom.Box) []int32 {
	if len(w.nodes) == 0 || !w.box.Overlaps(b) {
		return dst
	}
	var g region
	g.aim(w, b)
	var fixed [stackSize]ref
	stack := append(fixed[:0], 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.leaf() {
			dst = w.appendLeaf(dst, &w.leaves[at.index()], &b)
			continue
		}
		n := &w.nodes[at]
		for hit := overlapBoxes(n, &g); hit != 0; hit &= hit - 1 {
			stack = append(stack, n.child[bits.TrailingZeros8(hit)])
		}
	}
	return dst
}

// appendLeaf appends the triangles of a leaf whose box shares a point with b.
func (w *wide) appendLeaf(dst []int32, l *wideLeaf, b *geom.Box) []int32 {
	for i, t := range l.triangle {
		if t < 0 {
			break
		}
		ok := true
		for k := range 3 {
			p, q, s := l.corner[k][i], l.corner[3+k][i], l.corner[6+k][i]
			ok = ok && float64(min(p, q, s))+w.center[k] <= b.Max[k] && float64(max(p, q, s))+w.center[k] >= b.Min[k]
		}
		if ok {
			dst = append(dst, t)
		}
	}
	return dst
}

// overlapBoxesScalar gives the children of a node that meet a region, as bits.
func overlapBoxesScalar(n *wideNode, g *region) (hit uint8) {
	for i := range lanes {
		ok := true
		for k := range 3 {
			ok = ok && n.bound[k][i] <= g.numbers[k+3] && n.bound[k+3][i] >= g.numbers[k]
		}
		if ok {
			hit |= 1 << i
		}
	}
	return hit
}
