package nodetree

import "math/bits"

// A cluster is up to eight neighbouring triangles: a leaf of the wide tree.
type cluster struct {
	bounds
	first uint32 // in the order of the sorted keys
	count uint32
}

// clusterGrain is the part of the keys that one processor clusters at a time.
const clusterGrain = 1 << 15

// clusters sorts the triangles of boxes, which lie in whole, along the Morton curve and
// cuts the curve into clusters. order[i] is the place in boxes of triangle i of the
// curve.
func clusters(boxes []bounds, whole *bounds) (out []cluster, order []uint32) {
	order = make([]uint32, len(boxes))
	for i := range order {
		order[i] = uint32(i)
	}
	middles := bounds{2 * whole[0], 2 * whole[1], 2 * whole[2], 2 * whole[3], 2 * whole[4], 2 * whole[5]}
	return clusterAll(nil, boxes, order, &middles, 0), order
}

// clusterAll sorts order, which are places in boxes, and appends the clusters. Twice the
// middles of the boxes lie in middles; first is the place of order's own first element
// in the whole.
func clusterAll(out []cluster, boxes []bounds, order []uint32, middles *bounds, first int) []cluster {
	code, ok := coderOf(middles, len(order))
	if !ok { // all in one place: any order does
		for i := 0; i < len(order); i += lanes {
			out = append(out, clusterOf(boxes, order, i, min(i+lanes, len(order)), first))
		}
		return out
	}
	keys, tmp := make([]uint64, len(order)), make([]uint64, len(order))
	parallel(len(order), sortGrain, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			keys[i] = code.key(&boxes[order[i]], i)
		}
	})
	code.sort(keys, tmp)
	old := append([]uint32(nil), order...)
	parallel(len(order), sortGrain, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			order[i] = old[code.number(keys[i])]
		}
	})
	line := curve{code, keys}
	parts := make([][]cluster, (len(keys)+clusterGrain-1)/clusterGrain)
	parallel(len(keys), clusterGrain, func(part, lo, hi int) {
		parts[part] = line.cutRange(boxes, order, lo, hi, first)
	})
	for _, p := range parts {
		out = append(out, p...)
	}
	return merge(out)
}

// middlesOf bounds twice the middles of boxes.
func middlesOf(boxes []bounds, order []uint32) bounds {
	b := emptyBounds()
	for _, i := range order {
		p := &boxes[i]
		x, y, z := p.middle(0), p.middle(1), p.middle(2)
		b.unite(&bounds{x, y, z, -x, -y, -z})
	}
	return b
}

// curve is a sorted list of keys.
type curve struct {
	coder
	keys []uint64
}

// common counts the leading bits that keys i and j share, -1 where there is no key.
func (c *curve) common(i, j int) int {
	if i < 0 || j >= len(c.keys) {
		return -1
	}
	return bits.LeadingZeros64(c.keys[i] ^ c.keys[j])
}

// crowd is the end of the run of equal codes that holds i, if the run is too long
// for a cluster, and i if not.
func (c *curve) crowd(i int) int {
	code := c.keys[i] >> c.shift
	from, to := i, i+1
	for from > 0 && to-from <= lanes && c.keys[from-1]>>c.shift == code {
		from--
	}
	for to < len(c.keys) && to-from <= lanes && c.keys[to]>>c.shift == code {
		to++
	}
	if to-from <= lanes {
		return i
	}
	for to < len(c.keys) && c.keys[to]>>c.shift == code {
		to++
	}
	return to
}

// begins reports whether a cluster begins at i: whether every cell that holds i and
// the key before it holds more than a cluster's keys.
func (c *curve) begins(i int) bool {
	before := c.common(i-1, i)
	for s := i - lanes; s <= i; s++ {
		if before <= c.common(s, s+lanes) {
			return true
		}
	}
	return before < 0
}

// cutRange gives the clusters that begin in lo … hi−1. A cluster is the largest cell
// of the curve's binary tree that holds at most eight keys; which that is the keys
// around it tell, so that all parts of the curve can be cut at once. Where more keys
// have the same code, a curve of their own is laid through them.
func (c *curve) cutRange(boxes []bounds, order []uint32, lo, hi, first int) []cluster {
	out := make([]cluster, 0, (hi-lo)/4+1)
	i := lo
	if i > 0 && c.keys[i-1]>>c.shift == c.keys[i]>>c.shift {
		i = c.crowd(i)
	}
	for i < hi && !c.begins(i) {
		i++
	}
	for i < hi {
		cell := c.common(i, i+lanes)
		end := i + 1
		if cell >= 64-c.shift {
			end = c.crowd(i)
			middles := middlesOf(boxes, order[i:end])
			out = clusterAll(out, boxes, order[i:end], &middles, first+i)
		} else {
			cell = max(cell, c.common(i-1, i))
			for end < len(c.keys) && c.common(i, end) > cell {
				end++
			}
			out = append(out, clusterOf(boxes, order, i, end, first))
		}
		i = end
	}
	return out
}

// merge joins neighbours on the curve that fit into one cluster, where a ray is
// likelier to meet one of them than to meet both together.
func merge(c []cluster) []cluster {
	n := 0
	for i := range c {
		if n > 0 && c[n-1].count+c[i].count <= lanes {
			u := c[n-1].bounds
			u.unite(&c[i].bounds)
			if u.area() < c[n-1].area()+c[i].area() {
				c[n-1].bounds = u
				c[n-1].count += c[i].count
				continue
			}
		}
		c[n] = c[i]
		n++
	}
	return c[:n]
}

// clusterOf unites the triangles from lo to hi.
func clusterOf(boxes []bounds, order []uint32, lo, hi, first int) cluster {
	c := cluster{emptyBounds(), uint32(first + lo), uint32(hi - lo)}
	for _, i := range order[lo:hi] {
		c.unite(&boxes[i])
	}
	return c
}
