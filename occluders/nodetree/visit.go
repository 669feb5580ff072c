package nodetree

import "ridgeline/occluders/geom"

// scratch is what one query needs. Groves keep those that no query is using.
type scratch struct {
	marks marks
	memo  memo
	stack []visit
	near  []approach
}

// visit is a node to look at, and the planes of the frustum that may cross it.
type visit struct {
	node   int32
	planes planeSet
}

// approach is a node to look at, and how far along a ray it begins.
type approach struct {
	enter float64
	node  int32
}

// borrow gets a scratch with room for items.
func (g *grove) borrow(items int) *scratch {
	s := g.scratch.Get().(*scratch)
	s.marks.reserve(items)
	s.stack = s.stack[:0]
	s.near = s.near[:0]
	return s
}

// visible marks the items that the frustum may hold.
func (g *grove) visible(f *geom.Frustum, shapes shapes, s *scratch) {
	if len(g.nodes) == 0 {
		return
	}
	v := g.look(f)
	s.memo.begin(len(g.corners.at))
	s.stack = append(s.stack, visit{0, allPlanes})
	for len(s.stack) > 0 {
		at := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		n := &g.nodes[at.node]
		side, planes := geom.Inside, planeSet(0)
		if at.planes != 0 {
			side, planes = g.side(n, &v, at.planes, &s.memo)
		}
		if at.node == 0 && g.outside > 0 {
			// What lies outside its cell the root's cell tells nothing about.
			g.test(n, f, allPlanes, shapes, s)
		} else if side == geom.Crossing {
			g.test(n, f, planes, shapes, s)
		} else if side == geom.Inside {
			for _, i := range g.held(n) {
				s.marks.add(i)
			}
		}
		if side == geom.Outside || n.kids < 0 {
			continue
		}
		for _, k := range g.children(n) {
			if k >= 0 {
				s.stack = append(s.stack, visit{k, planes})
			}
		}
	}
}

// test marks those of a node's own items that are not beyond a plane.
func (g *grove) test(n *node, f *geom.Frustum, planes planeSet, shapes shapes, s *scratch) {
	for _, i := range g.held(n) {
		if !s.marks.has(i) && !shapes.beyond(i, f, planes) {
			s.marks.add(i)
		}
	}
}

// appendVerdicts appends how each node stands to a frustum.
func (g *grove) appendVerdicts(dst []geom.Side, f *geom.Frustum) []geom.Side {
	from := len(dst)
	for range g.nodes {
		dst = append(dst, geom.Outside)
	}
	if len(g.nodes) == 0 {
		return dst
	}
	verdicts := dst[from:]
	s := g.borrow(0)
	v := g.look(f)
	s.memo.begin(len(g.corners.at))
	s.stack = append(s.stack, visit{0, allPlanes})
	for len(s.stack) > 0 {
		at := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		n := &g.nodes[at.node]
		side, planes := geom.Inside, planeSet(0)
		if at.planes != 0 {
			side, planes = g.side(n, &v, at.planes, &s.memo)
		}
		verdicts[at.node] = side
		if side == geom.Outside || n.kids < 0 {
			continue
		}
		for _, k := range g.children(n) {
			if k >= 0 {
				s.stack = append(s.stack, visit{k, planes})
			}
		}
	}
	g.scratch.Put(s)
	return dst
}

// overlapping marks the items whose box shares a point with b.
func (g *grove) overlapping(b *geom.Box, shapes shapes, s *scratch) {
	if len(g.nodes) == 0 {
		return
	}
	s.stack = append(s.stack, visit{})
	for len(s.stack) > 0 {
		n := &g.nodes[s.stack[len(s.stack)-1].node]
		s.stack = s.stack[:len(s.stack)-1]
		if !n.box.Overlaps(*b) {
			continue
		}
		for _, i := range g.held(n) {
			if !s.marks.has(i) && shapes.box(i).Overlaps(*b) {
				s.marks.add(i)
			}
		}
		if n.kids < 0 {
			continue
		}
		for _, k := range g.children(n) {
			if k >= 0 {
				s.stack = append(s.stack, visit{node: k})
			}
		}
	}
}

// walk calls visit for the items whose box a ray meets before tMax, each once, those
// of nearer nodes first; visit gives the tMax from then on.
//
// A node's box is made of its items' boxes, cut at the same borders, and the test of a
// ray and a box only subtracts, multiplies and compares, all of which keep order under
// rounding. So a ray that meets an item's box meets that of a node that holds it.
func (g *grove) walk(r *geom.Ray, tMax float64, shapes shapes, s *scratch, visit func(item int32, enter float64) float64) {
	if len(g.nodes) == 0 {
		return
	}
	if enter, _, ok := r.Box(g.nodes[0].box); ok {
		s.near = append(s.near, approach{enter, 0})
	}
	for len(s.near) > 0 {
		at := s.near[len(s.near)-1]
		s.near = s.near[:len(s.near)-1]
		if !(at.enter <= tMax) {
			continue
		}
		n := &g.nodes[at.node]
		for _, i := range g.held(n) {
			if s.marks.has(i) {
				continue
			}
			if enter, _, ok := r.Box(shapes.box(i)); ok && enter <= tMax {
				s.marks.add(i)
				tMax = visit(i, enter)
			}
		}
		if n.kids < 0 {
			continue
		}
		base := len(s.near)
		for _, k := range g.children(n) {
			if k < 0 {
				continue
			}
			enter, _, ok := r.Box(g.nodes[k].box)
			if !ok || !(enter <= tMax) {
				continue
			}
			s.near = append(s.near, approach{enter, k})
			for j := len(s.near) - 1; j > base && s.near[j].enter > s.near[j-1].enter; j-- {
				s.near[j], s.near[j-1] = s.near[j-1], s.near[j]
			}
		}
	}
}
