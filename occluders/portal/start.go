package portal

import (
	"math"

	"ridgeline/occluders/geom"
)

// WallDepth is how far into what is in no cell a camera may stand and still see the
// cells around: the near plane cuts a wall open, and what is behind it is in the picture.
// Metres.
const WallDepth = 1

// maxRest bounds the parts into which the near rectangle falls; beyond it the
// rectangle counts as partly in no cell.
const maxRest = 64

// nearRect finds the corners of the picture on the near plane, relative to the eye.
func (t *Tracer) nearRect(near float64) (ok bool) {
	t.reach = 0
	if near > 0 && !math.IsInf(near, 1) {
		t.reach = near
	}
	if t.rect, ok = geom.NearCorners(&t.sides, t.near); !ok {
		return false
	}
	for _, p := range t.rect {
		if !t.ortho {
			t.reach = max(t.reach, p.Len())
		}
	}
	return true
}

// enter adds the cells in which lines of sight begin: those that the near rectangle or
// the eye touches, and Outside if a part of the rectangle is in no cell. The opening
// of a portal through a thick wall is in no cell, and one may see both cells from it.
func (t *Tracer) enter() {
	g := t.g
	box := geom.EmptyBox()
	var rect [4]geom.Vec3
	for i, p := range t.rect {
		rect[i] = p.Add(t.eye)
		box = box.Add(rect[i])
	}
	if !t.ortho {
		box = box.Add(t.eye)
	}
	t.rest, t.ends = append(t.rest[:0], rect[:]...), append(t.ends[:0], 4)
	outside := false
	it := g.tree.walk(grow(box, g.tol))
	for i, more := it.next(); more; i, more = it.next() {
		b := &g.items[i]
		if b.thin {
			continue
		}
		touches := b.meets(rect[:], g.tol)
		if touches && !outside && b.cells[1] < 0 {
			outside = !t.cover(b)
		}
		if touches || !t.ortho && b.contains(t.eye, g.tol) {
			t.addWhole(b.cells[0], -1, -1, 0)
			if b.cells[1] >= 0 {
				t.addWhole(b.cells[1], -1, -1, 0)
			}
		}
	}
	if outside || len(t.ends) > 0 {
		t.addWhole(int32(g.cells), -1, -1, 0)
		t.enterWalls(rect[:], box)
	}
}

// enterWalls adds the cells that are within a wall's depth of the near rectangle: the part
// of it that is in no cell may be in a wall, which is then not drawn before what lies on
// its other side.
func (t *Tracer) enterWalls(rect []geom.Vec3, box geom.Box) {
	it := t.g.tree.walk(grow(box, WallDepth))
	for i, more := it.next(); more; i, more = it.next() {
		b := &t.g.items[i]
		if b.thin || !b.meets(rect, WallDepth) {
			continue
		}
		t.addWhole(b.cells[0], -1, -1, 0)
		if b.cells[1] >= 0 {
			t.addWhole(b.cells[1], -1, -1, 0)
		}
	}
}

// meets reports whether the convex polygon may touch the item.
func (it *item) meets(polygon []geom.Vec3, tol float64) bool {
	for i := range it.planes {
		beyond := true
		for _, p := range polygon {
			if !(it.planes[i].Distance(p) > tol) {
				beyond = false
				break
			}
		}
		if beyond {
			return false
		}
	}
	return true
}

// cover takes what lies in the item from the rest of the near rectangle; ok is false
// when the rest has too many parts.
func (t *Tracer) cover(b *item) (ok bool) {
	tol := t.g.tol
	t.restTo, t.endsTo = t.restTo[:0], t.endsTo[:0]
	first := int32(0)
	for _, end := range t.ends {
		part := t.rest[first:end]
		first = end
		if !b.meets(part, -tol) { // what lies in a face may look out of it
			t.restTo = append(t.restTo, part...)
			t.endsTo = append(t.endsTo, int32(len(t.restTo)))
			continue
		}
		// Cut off what is beyond each face in turn; what remains is inside.
		var in, next, out [4 * MaxPlanes]geom.Vec3
		if len(part) > len(in)/2 {
			return false
		}
		n := copy(in[:], part)
		for i := range b.planes {
			p := &b.planes[i]
			far := false
			for _, q := range in[:n] {
				far = far || p.Distance(q) > tol
			}
			if !far {
				continue
			}
			kept, cut := 0, 0
			for j := range n {
				u, v := in[j], in[(j+1)%n]
				du, dv := p.Distance(u), p.Distance(v)
				if du <= 0 {
					next[kept] = u
					kept++
				}
				if du >= 0 {
					out[cut] = u
					cut++
				}
				if du < 0 && dv > 0 || du > 0 && dv < 0 {
					x := u.Add(v.Sub(u).Mul(du / (du - dv)))
					next[kept], out[cut] = x, x
					kept, cut = kept+1, cut+1
				}
			}
			t.restTo = append(t.restTo, out[:cut]...)
			t.endsTo = append(t.endsTo, int32(len(t.restTo)))
			if len(t.endsTo) > maxRest || kept > len(in)/2 || cut > len(in)/2 {
				return false
			}
			in, n = next, kept
			if n == 0 {
				break
			}
		}
	}
	t.rest, t.restTo = t.restTo, t.rest
	t.ends, t.endsTo = t.endsTo, t.ends
	return true
}
