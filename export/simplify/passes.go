package simplify

import (
	"context"
	"math"
	"slices"
)

// The points are visited in passes, each in the order of the mesh's vertices: what lies
// together is touched together, which costs a fraction of visiting the cheapest point of
// all each time. A pass collapses what costs no more than its limit; the limits rise with
// the costs that are left, so that the order of all collapses is that of their costs up to
// the steps of the limits.

// The key of a point is what its cheapest collapse costs, or less: with quadrics costs
// only grow but where a point gets a new neighbour.
const (
	unknown = -1 // to be found out
	frozen  = math.MaxFloat64
)

// share is how many of the points that are left a pass may collapse: one of so many.
const share = 6

// samples is of how many keys a limit is found.
const samples = 4096

func (c *collapser) run(ctx context.Context, progress func(float64)) error {
	var live []int32
	for u := range c.points {
		c.keys[u] = frozen
		if c.points[u].head >= 0 {
			c.keys[u] = unknown
			live = append(live, int32(u))
		}
	}
	total := max(len(live), 1)
	visits := 0
	some := make([]float64, 0, 2*samples)
	for {
		limit, ok := c.limit(live, &some)
		if !ok {
			break
		}
		left := live[:0]
		for _, u := range live {
			if c.keys[u] <= limit {
				if visits%4096 == 0 {
					if ctx.Err() != nil {
						return ctx.Err()
					}
					if progress != nil {
						progress(min(1, float64(len(c.sequence.steps))/float64(total)))
					}
				}
				visits++
				if c.visit(u, limit); c.enough() {
					c.sequence.finish()
					return nil
				}
			}
			if c.points[u].head >= 0 {
				left = append(left, u)
			}
		}
		live = left
	}
	c.sequence.finish()
	return nil
}

// enough reports whether there are as few triangles as are wanted.
func (c *collapser) enough() bool { return c.left <= c.options.Least }

// limit is what a collapse of the next pass may cost; ok is false when nothing can be
// collapsed any more.
func (c *collapser) limit(live []int32, some *[]float64) (limit float64, ok bool) {
	keys := (*some)[:0]
	step := max(1, len(live)/samples)
	open := false
	for i, u := range live {
		switch k := c.keys[u]; {
		case k == unknown:
			open = true
		case k < frozen && (i%step == 0 || len(keys) == 0):
			keys = append(keys, k)
		}
	}
	*some = keys
	if len(keys) == 0 {
		return unknown / 2, open // which only finds the costs
	}
	slices.Sort(keys)
	return keys[len(keys)/share], true
}

// visit makes the cheapest collapse of a point that is allowed and costs no more than a
// limit, or else finds what it costs.
func (c *collapser) visit(u int32, limit float64) {
	c.ring = c.around(u, c.ring)
	list := c.candidates(u, c.ring)
	for range list {
		best := -1
		for i := range list {
			if list[i].cost < frozen && (best < 0 || list[i].cost < list[best].cost || list[i].cost == list[best].cost && list[i].p < list[best].p) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		e := &list[best]
		switch {
		case e.cost > limit:
			c.keys[u] = e.cost
			return
		case c.allowed(u, e):
			c.collapse(u, e, c.bound(list, best))
			return
		}
		e.cost = frozen
	}
	c.keys[u] = frozen
}

// bound is what collapses of the point that an edge of a list leads to will cost at least,
// once the list's point has gone there. With quadrics, which add up, that is what they cost
// it now, or the list's point to its other neighbours.
func (c *collapser) bound(list []edge, best int) float64 {
	key := c.keys[list[best].p]
	if c.options.Cost != Quadric || key == frozen {
		return unknown
	}
	for i := range list {
		if i == best {
			continue
		}
		if list[i].cost == frozen { // not allowed to this one
			return unknown
		}
		key = min(key, list[i].cost)
	}
	return key
}

// reconsider has the keys around a point found anew that something went into, as far as
// they may have become less.
func (c *collapser) reconsider(v int32, bound float64) {
	at := &c.points[v]
	c.keys[v] = bound
	quadrics := c.options.Cost == Quadric
	c.stamp++
	c.marks[v] = c.stamp
	for k := at.head; k >= 0; k = c.tris[k>>2].next[k&3] {
		f := &c.tris[k>>2]
		if f.dead {
			continue
		}
		for _, p := range f.point {
			if c.marks[p] == c.stamp {
				continue
			}
			c.marks[p] = c.stamp
			// With quadrics only collapses onto v, which may be a new neighbour, can
			// cost less than they did.
			if key := c.keys[p]; !quadrics || key == frozen {
				c.keys[p] = unknown
			} else if onto := max(c.points[p].quadric.at(&at.pos)+at.own, 0); onto < key {
				c.keys[p] = onto
			}
		}
	}
}
