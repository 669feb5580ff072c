package mesh

import (
	"context"
	"errors"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// maxCuts bounds the work that the polygons of one file may make: tests of a corner
// against an ear. It is some seconds.
const maxCuts = 1 << 30

// errIntricate tells that polygons need more work than that.
var errIntricate = errors.New("polygons too large and too winding to be cut into triangles")

// cutter cuts polygons into triangles. Its zero value is ready; scratch is kept from
// one polygon to the next.
type cutter struct {
	flat       []mgl64.Vec2 // the corners, seen so that the polygon is counter-clockwise
	next, prev []int32
	reflex     []int32 // corners still there at which the polygon isn't convex
	place      []int32 // of a corner in reflex, or -1
	cuts       int
}

// newell is the sum of the corners' cross products: the polygon's normal, as long as
// twice its area.
func newell(p []mgl64.Vec3) mgl64.Vec3 {
	var n mgl64.Vec3
	for i := 1; i+1 < len(p); i++ {
		n = n.Add(p[i].Sub(p[0]).Cross(p[i+1].Sub(p[0])))
	}
	return n
}

// cut appends the triangles of a polygon with the normal n, as indices of its
// corners. There are always two fewer than corners; those of a polygon that crosses
// itself may overlap.
func (c *cutter) cut(ctx context.Context, dst []int32, p []mgl64.Vec3, n mgl64.Vec3) ([]int32, error) {
	if len(p) == 3 {
		return append(dst, 0, 1, 2), nil
	}
	c.project(p, n)
	if c.isFan() {
		for i := 1; i+1 < len(p); i++ {
			dst = append(dst, 0, int32(i), int32(i+1))
		}
		return dst, nil
	}
	return c.clip(ctx, dst)
}

// project drops the axis along which the normal is longest.
func (c *cutter) project(p []mgl64.Vec3, n mgl64.Vec3) {
	axis := 0
	for a := 1; a < 3; a++ {
		if math.Abs(n[a]) > math.Abs(n[axis]) {
			axis = a
		}
	}
	x, y := (axis+1)%3, (axis+2)%3
	if n[axis] < 0 {
		x, y = y, x
	}
	c.flat = c.flat[:0]
	for _, q := range p {
		c.flat = append(c.flat, mgl64.Vec2{q[x], q[y]})
	}
}

// turn is positive if a, b, c go left.
func turn(a, b, c mgl64.Vec2) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// isFan reports whether the triangles from the first corner to all edges are turned
// the right way, as they are if the polygon is convex and no corner in line.
func (c *cutter) isFan() bool {
	for i := 1; i+1 < len(c.flat); i++ {
		if !(turn(c.flat[0], c.flat[i], c.flat[i+1]) > 0) {
			return false
		}
	}
	return true
}

// clip cuts off ears until a triangle is left.
func (c *cutter) clip(ctx context.Context, dst []int32) ([]int32, error) {
	n := int32(len(c.flat))
	c.next, c.prev, c.place, c.reflex = c.next[:0], c.prev[:0], c.place[:0], c.reflex[:0]
	for i := range n {
		c.next = append(c.next, (i+1)%n)
		c.prev = append(c.prev, (i+n-1)%n)
		c.place = append(c.place, -1)
	}
	for i := range n {
		c.classify(i)
	}
	at, failed, strict := int32(0), int32(0), true
	for left := n; left > 3; {
		c.cuts += len(c.reflex) + 1
		if c.cuts > maxCuts {
			return nil, errIntricate
		}
		if c.cuts%1024 < len(c.reflex)+1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		// Where no corner is an ear, as in polygons that cross themselves, the
		// next convex one is cut off all the same, and then any.
		if c.isEar(at, strict) || failed > 2*left {
			dst = append(dst, c.prev[at], at, c.next[at])
			before, after := c.prev[at], c.next[at]
			c.next[before], c.prev[after] = after, before
			c.remove(at)
			c.classify(before)
			c.classify(after)
			left--
			// Going on behind the neighbour makes fewer slivers.
			at, failed, strict = c.next[after], 0, true
			continue
		}
		at = c.next[at]
		failed++
		strict = failed <= left
	}
	return append(dst, c.prev[at], at, c.next[at]), nil
}

// isEar reports whether corner i can be cut off: it is convex and no other corner is
// in its triangle. Corners at the same place as those of the triangle don't count, as
// they are where a polygon is cut open to a hole. Unless strict, convex is enough.
func (c *cutter) isEar(i int32, strict bool) bool {
	if c.place[i] >= 0 {
		return false
	}
	if !strict {
		return true
	}
	p, q, r := c.flat[c.prev[i]], c.flat[i], c.flat[c.next[i]]
	for _, k := range c.reflex {
		s := c.flat[k]
		if turn(p, q, s) >= 0 && turn(q, r, s) >= 0 && turn(r, p, s) >= 0 && s != p && s != q && s != r {
			return false
		}
	}
	return true
}

// classify puts a corner in the list of reflex ones or takes it out. Straight ones
// count as reflex: they have no area to cut off, and other ears mustn't hide them.
func (c *cutter) classify(i int32) {
	if turn(c.flat[c.prev[i]], c.flat[i], c.flat[c.next[i]]) > 0 {
		c.remove(i)
		return
	}
	if c.place[i] < 0 {
		c.place[i] = int32(len(c.reflex))
		c.reflex = append(c.reflex, i)
	}
}

func (c *cutter) remove(i int32) {
	at := c.place[i]
	if at < 0 {
		return
	}
	last := c.reflex[len(c.reflex)-1]
	c.reflex[at], c.place[last] = last, at
	c.reflex = c.reflex[:len(c.reflex)-1]
	c.place[i] = -1
}
