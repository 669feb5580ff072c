package command

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Rooms are cut into convex pieces: a mesh that is convex is one; one whose faces lie
// along three axes at right angles is cut into boxes; else each connected part has to
// be convex.

// flatness is how far, as part of its size, a mesh may be from convex or from right
// angles and still count so.
const flatness = 1e-3

// pieces gives the convex pieces of a room's mesh in its own frame, or why there are
// none.
func pieces(g *gathered) (list []*hull.Hull, why string) {
	h, err := hull.Of(g.points())
	if err != nil {
		return nil, "which has no volume"
	}
	if !g.dented(h, nil) {
		return []*hull.Hull{h}, ""
	}
	if boxes := g.boxes(); len(boxes) > document.MaxPieces {
		return nil, "which takes more than " + itoa(document.MaxPieces) + " boxes"
	} else if len(boxes) > 0 {
		return boxes, ""
	}
	part, count := g.connected()
	if count > document.MaxPieces {
		return nil, "which is in more than " + itoa(document.MaxPieces) + " parts"
	}
	points := make([][]geom.Vec3, count)
	for v, p := range part {
		points[p] = append(points[p], g.corners[v])
	}
	for p := range points {
		h, err := hull.Of(points[p])
		if err != nil || g.dented(h, func(first int) bool { return part[g.indices[first]] == p }) {
			return nil, "which is not convex"
		}
		list = append(list, h)
	}
	return list, ""
}

// dented reports whether one of the triangles that of says, nil for all, lies inside a
// hull.
func (g *gathered) dented(h *hull.Hull, of func(first int) bool) bool {
	size := h.Bounds().Size()
	tol := flatness * max(size[0], size[1], size[2])
	for i := 0; i < len(g.indices); i += 3 {
		if of != nil && !of(i) {
			continue
		}
		var middle geom.Vec3
		for _, v := range g.indices[i : i+3] {
			middle = middle.Add(g.corners[v])
		}
		if h.Distance(middle.Mul(1.0/3)) < -tol {
			return true
		}
	}
	return false
}

// connected numbers the parts of the mesh that share no corner; part is that of each
// vertex.
func (g *gathered) connected() (part []int, count int) {
	root := make([]int, len(g.positions))
	first := map[[3]float32]int{}
	for i, p := range g.positions {
		at, ok := first[p]
		if !ok {
			first[p], at = i, i
		}
		root[i] = at
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i := 0; i < len(g.indices); i += 3 {
		a := find(int(g.indices[i]))
		root[find(int(g.indices[i+1]))] = a
		root[find(int(g.indices[i+2]))] = a
	}
	number := map[int]int{}
	part = make([]int, len(root))
	for i := range root {
		r := find(i)
		n, ok := number[r]
		if !ok {
			n = len(number)
			number[r] = n
		}
		part[i] = n
	}
	return part, len(number)
}

// axes finds three axes at right angles along which all triangles face.
func (g *gathered) axes() (axes [3]mgl64.Vec3, ok bool) {
	normals := make([]mgl64.Vec3, 0, len(g.indices)/3)
	for i := 0; i < len(g.indices); i += 3 {
		normals = append(normals, g.cross(i))
	}
	slices.SortFunc(normals, func(a, b mgl64.Vec3) int { return cmp.Compare(b.LenSqr(), a.LenSqr()) })
	found := 0
	for _, n := range normals {
		l := n.Len()
		if !(l > 0) {
			continue
		}
		n = n.Mul(1 / l)
		along := false
		for _, a := range axes[:found] {
			d := math.Abs(n.Dot(a))
			along = along || d > 1-flatness*flatness
			if d > flatness && d <= 1-flatness*flatness {
				return axes, false
			}
		}
		if along {
			continue
		}
		if found == 3 {
			return axes, false
		}
		axes[found] = n
		found++
	}
	if found < 2 {
		return axes, false
	}
	// Exactly at right angles, whatever the rounding.
	axes[1] = axes[1].Sub(axes[0].Mul(axes[0].Dot(axes[1]))).Normalize()
	axes[2] = axes[0].Cross(axes[1])
	return axes, true
}

// mostGrid bounds the cells of a grid that a room is cut along.
const mostGrid = 1 << 20

// grid is space cut along all faces of a mesh: into boxes that are wholly inside it or
// wholly outside.
type grid struct {
	lines  [3][]float64 // along each axis, ascending
	at     [][3]int32   // of each vertex: the lines that it lies on
	inside []bool
	size   [3]int // boxes along each axis
}

// boxes cuts the inside of a mesh with faces along three axes at right angles into
// boxes; none if it has other faces or no inside. The mesh may have holes, as for
// doors: what is inside is decided along all three axes.
func (g *gathered) boxes() []*hull.Hull {
	axes, ok := g.axes()
	if !ok {
		return nil
	}
	var gr grid
	if !gr.cut(g, axes) {
		return nil
	}
	gr.fill(g)
	var out []*hull.Hull
	for b := range gr.merge {
		var corners [8]geom.Vec3
		for i := range corners {
			for a := range 3 {
				corners[i] = corners[i].Add(axes[a].Mul(gr.lines[a][b[i>>a&1][a]]))
			}
		}
		h, err := hull.Of(corners[:])
		if err != nil {
			return nil
		}
		if out = append(out, h); len(out) > document.MaxPieces {
			return out
		}
	}
	return out
}

// cut finds the lines of the grid.
func (gr *grid) cut(g *gathered, axes [3]mgl64.Vec3) bool {
	gr.at = make([][3]int32, len(g.positions))
	total := 1
	for a, axis := range axes {
		along := make([]float64, len(g.corners))
		for i, p := range g.corners {
			along[i] = p.Dot(axis)
		}
		order := make([]int, len(along))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, k int) int { return cmp.Compare(along[i], along[k]) })
		near := flatness * (along[order[len(order)-1]] - along[order[0]])
		for _, i := range order {
			if n := len(gr.lines[a]); n == 0 || along[i] > gr.lines[a][n-1]+near {
				gr.lines[a] = append(gr.lines[a], along[i])
			}
			gr.at[i][a] = int32(len(gr.lines[a]) - 1)
		}
		gr.size[a] = len(gr.lines[a]) - 1
		if gr.size[a] < 1 {
			return false
		}
		if total *= gr.size[a]; total > mostGrid {
			return false
		}
	}
	gr.inside = make([]bool, total)
	return true
}

func (gr *grid) index(at [3]int) int {
	return (at[2]*gr.size[1]+at[1])*gr.size[0] + at[0]
}

// fill decides which boxes are inside: those that more axes say are, along which a
// line through the box crosses an odd number of faces on either side. An axis along
// which it crosses an odd number in all, through a hole, says nothing.
func (gr *grid) fill(g *gathered) {
	votes := make([]int8, len(gr.inside))
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3
		planes := len(gr.lines[axis])
		crossed := make([]bool, planes*gr.size[u]*gr.size[v])
		for i := 0; i < len(g.indices); i += 3 {
			a, b, c := gr.at[g.indices[i]], gr.at[g.indices[i+1]], gr.at[g.indices[i+2]]
			if a[axis] != b[axis] || a[axis] != c[axis] {
				continue
			}
			lo := [2]int32{min(a[u], b[u], c[u]), min(a[v], b[v], c[v])}
			hi := [2]int32{max(a[u], b[u], c[u]), max(a[v], b[v], c[v])}
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					// A place inside the box, but not its middle, through which
					// diagonals go.
					p := [2]float64{between(gr.lines[u], x, 0.5618), between(gr.lines[v], y, 0.5303)}
					at := func(k [3]int32) [2]float64 { return [2]float64{gr.lines[u][k[u]], gr.lines[v][k[v]]} }
					if inTriangle(p, at(a), at(b), at(c)) {
						k := (int(a[axis])*gr.size[v]+int(y))*gr.size[u] + int(x)
						crossed[k] = !crossed[k]
					}
				}
			}
		}
		for y := range gr.size[v] {
			for x := range gr.size[u] {
				gr.vote(votes, crossed, axis, x, y)
			}
		}
	}
	for i := range votes {
		gr.inside[i] = votes[i] > 0
	}
}

// vote counts what one line along an axis says.
func (gr *grid) vote(votes []int8, crossed []bool, axis, x, y int) {
	u, v := (axis+1)%3, (axis+2)%3
	odd := func(plane int) bool { return crossed[(plane*gr.size[v]+y)*gr.size[u]+x] }
	in := false
	for p := range gr.lines[axis] {
		in = in != odd(p)
	}
	if in {
		return
	}
	for p := range gr.size[axis] {
		in = in != odd(p)
		var at [3]int
		at[axis], at[u], at[v] = p, x, y
		if in {
			votes[gr.index(at)]++
		} else {
			votes[gr.index(at)]--
		}
	}
}

func between(lines []float64, i int32, part float64) float64 {
	return lines[i] + (lines[i+1]-lines[i])*part
}

// inTriangle reports whether a point lies in a triangle. Of two that share an edge, one
// has a point on it.
func inTriangle(p, a, b, c [2]float64) bool {
	left := func(a, b [2]float64) bool {
		swap := a[0] > b[0] || a[0] == b[0] && a[1] > b[1]
		if swap {
			a, b = b, a
		}
		return ((b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) >= 0) != swap
	}
	l := left(a, b)
	return l == left(b, c) && l == left(c, a)
}

// merge joins boxes that are inside to larger ones, each time as long as they go along
// the first axis, then the second, then the third. A box is its first and last lines.
func (gr *grid) merge(yield func(box [2][3]int) bool) {
	taken := slices.Clone(gr.inside)
	var lo [3]int
	for lo[2] = 0; lo[2] < gr.size[2]; lo[2]++ {
		for lo[1] = 0; lo[1] < gr.size[1]; lo[1]++ {
			for lo[0] = 0; lo[0] < gr.size[0]; lo[0]++ {
				if !taken[gr.index(lo)] {
					continue
				}
				hi := [3]int{lo[0] + 1, lo[1] + 1, lo[2] + 1}
				for axis := range 3 {
					for hi[axis] < gr.size[axis] {
						from, to := lo, hi
						from[axis], to[axis] = hi[axis], hi[axis]+1
						if !gr.all(taken, from, to) {
							break
						}
						hi[axis]++
					}
				}
				gr.each(lo, hi, func(i int) bool { taken[i] = false; return true })
				if !yield([2][3]int{lo, hi}) {
					return
				}
			}
		}
	}
}

func (gr *grid) all(taken []bool, lo, hi [3]int) bool {
	return gr.each(lo, hi, func(i int) bool { return taken[i] })
}

func (gr *grid) each(lo, hi [3]int, f func(int) bool) bool {
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				if !f(gr.index([3]int{x, y, z})) {
					return false
				}
			}
		}
	}
	return true
}

// outlineAlong is the convex outline of points seen against a direction,
// counter-clockwise: the corners as they are, not moved (Andrew, "Another Efficient
// Algorithm for Convex Hulls in Two Dimensions", 1979).
func outlineAlong(points []geom.Vec3, n mgl64.Vec3) []mgl64.Vec3 {
	side := mgl64.Vec3{1, 0, 0}
	if math.Abs(n[0]) > 0.7 {
		side = mgl64.Vec3{0, 1, 0}
	}
	x := side.Cross(n).Normalize()
	y := n.Cross(x)
	type corner struct {
		u, v float64
		p    geom.Vec3
	}
	list := make([]corner, len(points))
	for i, p := range points {
		list[i] = corner{p.Dot(x), p.Dot(y), p}
	}
	slices.SortFunc(list, func(a, b corner) int { return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v)) })
	tol := hull.PolygonTolerance(points)
	var ring []corner
	half := func(from int, c corner) {
		for len(ring) >= from+2 {
			a, b := ring[len(ring)-2], ring[len(ring)-1]
			if turn := (b.u-a.u)*(c.v-b.v) - (b.v-a.v)*(c.u-b.u); turn > tol*math.Hypot(c.u-a.u, c.v-a.v) {
				break
			}
			ring = ring[:len(ring)-1]
		}
		ring = append(ring, c)
	}
	for _, c := range list {
		half(0, c)
	}
	from := len(ring) - 1
	for i := len(list) - 2; i >= 0; i-- {
		half(from, list[i])
	}
	out := make([]mgl64.Vec3, 0, len(ring))
	for _, c := range ring[:max(len(ring)-1, 0)] {
		out = append(out, c.p)
	}
	return out
}
