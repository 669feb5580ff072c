package nodetree

import (
	"math"
	"math/bits"

	"ridgeline/occluders/geom"
)

// aimed is a ray made ready for a wide tree. The exact test is in float64 and in the
// frame of the mesh; the tests that come before it are in float32, around the tree's
// center, from where the ray enters the tree's box on, and err only towards a hit.
//
// A float32 coordinate in the tree is off by at most a few 2⁻²⁴ of reach; pad is
// sixteen times that and what float64 loses where the ray's origin is far away. The
// float32 distance of a point is how far it is from where the ray enters along the
// axis of the ray's greatest component.
type aimed struct {
	rows    [aimedRows]row     // the float32 part, each number in all lanes
	numbers [aimedRows]float32 // the same, once

	side [6]uint8 // rows of a node's bounds: near x, y, z, far x, y, z
	axis [3]uint8 // the mesh's axes in the sheared frame

	// The exact part.
	origin    geom.Vec3
	slope     [2]float64
	length    float64 // 1 / the ray's greatest component
	enter     float64 // the ray's t where the float32 distances begin
	speed     float64 // float32 distance per t
	pad       float64
	backwards bool // along z of the sheared frame
}

// The rows of a ray.
const (
	rowInverse = 0  // for x, y, z: the distance of a side of a box is
	rowNear    = 3  // inverse × side + near, or + far for the sides
	rowFar     = 6  // on which the ray leaves
	rowOrigin  = 9  // of the ray, along x, y, z of the sheared frame
	rowShear   = 12 // minus the ray's slopes along x and y
	rowEdge    = 14 // what an edge function may be off by, per size of a triangle
	rowSmall   = 15 // and however small the triangle
	rowBest    = 16 // the distance beyond which nothing counts
	rowFirst   = 17 // triangles that are wholly below it along z are behind the origin
	rowLast    = 18 // and those wholly above it too far, or the other way round
	aimedRows  = 19
)

// How much float32 and float64 are off, with room to spare.
const (
	pad32 = 1.0 / (1 << 20) // 16 × 2⁻²⁴
	pad64 = 1.0 / (1 << 48)
)

// exact makes a ray ready for the exact test; ok is false when it has no direction.
func (a *aimed) exact(r *geom.Ray) (ok bool) {
	z := 0
	for i := 1; i < 3; i++ {
		if math.Abs(r.Dir[i]) > math.Abs(r.Dir[z]) {
			z = i
		}
	}
	x, y := z+1, z+2
	if x > 2 {
		x -= 3
	}
	if y > 2 {
		y -= 3
	}
	a.axis = [3]uint8{uint8(x), uint8(y), uint8(z)}
	a.origin = r.Origin
	a.length = 1 / r.Dir[z]
	a.slope = [2]float64{r.Dir[x] * a.length, r.Dir[y] * a.length}
	a.speed = math.Abs(r.Dir[z])
	a.backwards = r.Dir[z] < 0
	return a.speed > 0
}

// aim makes a ray ready; ok is false when it does not meet the tree's box before
// tMax.
func (a *aimed) aim(w *wide, r *geom.Ray, tMax float64) (ok bool) {
	if !a.exact(r) {
		return false
	}
	far := max(math.Abs(r.Origin[0]), math.Abs(r.Origin[1]), math.Abs(r.Origin[2]))
	a.pad = w.pad + far*pad64
	// Where the ray enters and leaves the tree's box.
	leave := math.Inf(1)
	a.enter = 0
	var inverse [3]float64
	for i := range 3 {
		lo, hi := w.box.Min[i]-a.pad-r.Origin[i], w.box.Max[i]+a.pad-r.Origin[i]
		inverse[i] = 1 / r.Dir[i]
		if r.Dir[i] == 0 {
			if lo > 0 || hi < 0 {
				return false
			}
			continue
		}
		t0, t1 := lo*inverse[i], hi*inverse[i]
		if inverse[i] < 0 {
			t0, t1 = t1, t0
		}
		if t0 > a.enter {
			a.enter = t0
		}
		if t1 < leave {
			leave = t1
		}
	}
	if !(a.enter <= leave && a.enter <= tMax) {
		return false
	}
	n := &a.numbers
	var o [3]float64 // where it enters, less the tree's center
	for i := range o {
		o[i] = r.Origin[i] - w.center[i] + r.Dir[i]*a.enter
		inv := a.speed * inverse[i]
		if !(math.Abs(inv) <= steepest) {
			inv = math.Copysign(steepest, inverse[i])
		}
		near, far := o[i]+a.pad, o[i]-a.pad
		a.side[i], a.side[i+3] = uint8(i), uint8(i+3)
		if inv < 0 {
			near, far = far, near
			a.side[i], a.side[i+3] = uint8(i+3), uint8(i)
		}
		n[rowInverse+i] = float32(inv)
		n[rowNear+i] = float32(-near * inv)
		n[rowFar+i] = float32(-far * inv)
	}
	for i, k := range a.axis {
		n[rowOrigin+i] = float32(o[k])
	}
	n[rowShear], n[rowShear+1] = float32(-a.slope[0]), float32(-a.slope[1])
	n[rowEdge], n[rowSmall] = float32(12*a.pad), float32(6*a.pad*a.pad+1e-37)
	a.limit(tMax)
	fillRows(a.rows[:], n[:])
	return true
}

// steepest is the inverse of a slope that is too small for anyone to see.
const steepest = 1e12

// limit lets nothing count that is beyond t.
func (a *aimed) limit(t float64) {
	d := (t-a.enter)*a.speed + a.pad
	d = min(d*(1+1e-6), math.MaxFloat32/2)
	n := &a.numbers
	n[rowBest] = float32(d)
	if a.backwards {
		n[rowFirst], n[rowLast] = float32(-d-a.pad), float32(a.pad)
	} else {
		n[rowFirst], n[rowLast] = float32(-a.pad), float32(d+a.pad)
	}
}

// meet is the exact test, watertight between triangles with common vertices (Woop,
// Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013): in a frame in
// which the ray is the z axis, the signs of three edge functions decide, each of
// which is the same number, but for its sign, in the triangle beyond the edge. The
// conversions keep the compiler from fusing a product with a sum, which would break
// that.
func (a *aimed) meet(p, q, s *geom.Vec3) (h TriangleHit, ok bool) {
	x, y, z := a.axis[0], a.axis[1], a.axis[2]
	o := &a.origin
	az, bz, cz := p[z]-o[z], q[z]-o[z], s[z]-o[z]
	ax := p[x] - o[x] - float64(a.slope[0]*az)
	ay := p[y] - o[y] - float64(a.slope[1]*az)
	bx := q[x] - o[x] - float64(a.slope[0]*bz)
	by := q[y] - o[y] - float64(a.slope[1]*bz)
	cx := s[x] - o[x] - float64(a.slope[0]*cz)
	cy := s[y] - o[y] - float64(a.slope[1]*cz)
	u := float64(cx*by) - float64(cy*bx)
	v := float64(ax*cy) - float64(ay*cx)
	w := float64(bx*ay) - float64(by*ax)
	if !(u >= 0 && v >= 0 && w >= 0 || u <= 0 && v <= 0 && w <= 0) {
		return h, false
	}
	det := u + v + w
	if det == 0 {
		return h, false
	}
	inv := 1 / det
	h.T = (float64(u*az) + float64(v*bz) + float64(w*cz)) * inv * a.length
	h.U, h.V = v*inv, w*inv
	return h, h.T >= 0
}

// stackSize is enough for the trees of usual meshes; a deeper one makes the stack
// grow.
const stackSize = 64

// cast finds the nearest hit up to tMax, the lowest triangle of equally near ones,
// or just any.
func (w *wide) cast(r *geom.Ray, tMax float64, accept func(TriangleHit) bool, any bool) (best TriangleHit, found bool) {
	if len(w.nodes) == 0 {
		return best, false
	}
	var a aimed
	if !a.aim(w, r, tMax) {
		return best, false
	}
	best.T = tMax
	limit := math.Float32bits(a.numbers[rowBest])
	var dist [lanes]uint32
	var fixed [stackSize]uint64 // a child's distance and, below it, the child
	stack := fixed[:]
	n := 0
	at := ref(0)
	for {
		if !at.leaf() {
			node := &w.nodes[at]
			hit := meetBoxes(node, &a, &dist)
			if hit == 0 {
				goto pop
			}
			i := bits.TrailingZeros8(hit)
			hit &= hit - 1
			at = node.child[i]
			if hit == 0 {
				continue
			}
			if n+lanes > len(stack) {
				stack = append(stack, make([]uint64, len(stack))...)
			}
			// Sort the children onto the stack, the nearest last, and take that.
			top := uint64(dist[i])<<32 | uint64(at)
			base := n
			for {
				i = bits.TrailingZeros8(hit)
				hit &= hit - 1
				e := uint64(dist[i])<<32 | uint64(node.child[i])
				if e < top {
					e, top = top, e
				}
				j := n
				for ; j > base && stack[j-1] < e; j-- {
					stack[j] = stack[j-1]
				}
				stack[j] = e
				n++
				if hit == 0 {
					break
				}
			}
			at = ref(top)
			continue
		} else {
			leaf := &w.leaves[at.index()]
			for hit := meetTriangles(leaf, &w.sizes[at.class()], &a); hit != 0; hit &= hit - 1 {
				i := bits.TrailingZeros8(hit)
				h, ok := a.meet(w.corner(leaf, 0, i), w.corner(leaf, 1, i), w.corner(leaf, 2, i))
				h.Triangle = int(leaf.triangle[i])
				if !ok || !(h.T <= best.T) || found && h.T == best.T && h.Triangle > best.Triangle {
					continue
				}
				if accept != nil && !accept(h) {
					continue
				}
				best, found = h, true
				if any {
					return best, true
				}
				a.limit(h.T)
				fillRows(a.rows[rowBest:], a.numbers[rowBest:])
				limit = math.Float32bits(a.numbers[rowBest])
			}
		}
	pop:
		for {
			if n == 0 {
				if !found {
					return TriangleHit{}, false
				}
				return best, true
			}
			n--
			if e := stack[n]; uint32(e>>32) <= limit {
				at = ref(e)
				break
			}
		}
	}
}

// corner is a corner of a triangle in a leaf, in the mesh's frame.
func (w *wide) corner(l *wideLeaf, corner, lane int) *geom.Vec3 {
	return &geom.Vec3{
		float64(l.corner[3*corner][lane]) + w.center[0],
		float64(l.corner[3*corner+1][lane]) + w.center[1],
		float64(l.corner[3*corner+2][lane]) + w.center[2],
	}
}

// meetBoxesScalar gives the children of a node that a ray meets, as bits, and their
// distances as the bits of floats, which as they are not negative have the same order.
func meetBoxesScalar(n *wideNode, a *aimed, dist *[lanes]uint32) (hit uint8) {
	for i := range lanes {
		var near float32
		far := a.numbers[rowBest]
		for k := range 3 {
			near = max(near, n.bound[a.side[k]][i]*a.numbers[rowInverse+k]+a.numbers[rowNear+k])
			far = min(far, n.bound[a.side[k+3]][i]*a.numbers[rowInverse+k]+a.numbers[rowFar+k])
		}
		dist[i] = math.Float32bits(near)
		if near <= far {
			hit |= 1 << i
		}
	}
	return hit
}

// meetTrianglesScalar gives the triangles of a leaf that a ray may meet, as bits.
func meetTrianglesScalar(l *wideLeaf, size *row, a *aimed) (hit uint8) {
	edge := a.numbers[rowEdge]*size[0] + a.numbers[rowSmall]
	for i := range lanes {
		var p [3][3]float32
		for v := range p {
			for k := range 3 {
				p[v][k] = l.corner[3*v+int(a.axis[k])][i] - a.numbers[rowOrigin+k]
			}
			p[v][0] += a.numbers[rowShear] * p[v][2]
			p[v][1] += a.numbers[rowShear+1] * p[v][2]
		}
		u := p[2][0]*p[1][1] - p[2][1]*p[1][0]
		v := p[0][0]*p[2][1] - p[0][1]*p[2][0]
		w := p[1][0]*p[0][1] - p[1][1]*p[0][0]
		if (min(u, v, w) >= -edge || max(u, v, w) <= edge) &&
			max(p[0][2], p[1][2], p[2][2]) >= a.numbers[rowFirst] && min(p[0][2], p[1][2], p[2][2]) <= a.numbers[rowLast] {
			hit |= 1 << i
		}
	}
	return hit
}
