package scanline

import (
	"math"
	"slices"
)

// cutEdge is an edge of a polygon on the two lines of a band.
type cutEdge struct {
	at   [2]float64
	kind uint8
}

// flatTrapezoids gives what a polygon covers of band k, in p.traps: nothing when a
// corner lies in the band or edges cross in it.
func (b *Buffer) flatTrapezoids(p *profile, s *surface, k int) []trapezoid {
	p.traps = p.traps[:0]
	y0, y1 := b.bands.y[k], b.bands.y[k+1]
	c := p.cuts[:0]
	for i := range b.edges[s.edge : s.edge+s.edges] {
		e := &b.edges[int(s.edge)+i]
		if e.y1 <= y0 || e.y0 >= y1 {
			continue
		}
		if e.y0 > y0 || e.y1 < y1 {
			return nil
		}
		c = append(c, cutEdge{[2]float64{e.at(y0), e.at(y1)}, e.kind})
	}
	p.cuts = c
	slices.SortFunc(c, func(a, b cutEdge) int {
		switch {
		case a.at[0] < b.at[0] || a.at[0] == b.at[0] && a.at[1] < b.at[1]:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	var in [2]bool // the rim, the hole
	left := [2]float64{}
	for i := range c {
		if i > 0 && c[i].at[1] < c[i-1].at[1] {
			p.traps = p.traps[:0]
			return nil
		}
		was := in[0] && !in[1]
		in[c[i].kind-rimEdge] = !in[c[i].kind-rimEdge]
		if is := in[0] && !in[1]; is != was {
			if is {
				left = c[i].at
			} else {
				p.traps = append(p.traps, trapezoid{left, c[i].at})
			}
		}
	}
	if in[0] || in[1] {
		p.traps = p.traps[:0]
	}
	return p.traps
}

// trapezoidsOf gives what a surface covers of band k, in p.traps.
func (b *Buffer) trapezoidsOf(p *profile, s *surface, k int) []trapezoid {
	if s.flat {
		return b.flatTrapezoids(p, s, k)
	}
	t := trapezoid{[2]float64{math.Inf(-1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(1)}}
	for i := range b.edges[s.edge : s.edge+s.edges] {
		e := &b.edges[int(s.edge)+i]
		for j, y := range b.bands.y[k : k+2] {
			if y < e.y0 || y > e.y1 {
				continue
			}
			if x := e.at(y); e.kind == leftEdge {
				t.left[j] = max(t.left[j], x)
			} else {
				t.right[j] = min(t.right[j], x)
			}
		}
	}
	p.traps = append(p.traps[:0], t)
	return p.traps
}

// thin is a trapezoid that has no interval in common on both lines of its band.
type thin struct {
	band, surface int32
	trapezoid
}

// joinThin makes spans of thin trapezoids together with what they meet.
func (b *Buffer) joinThin(p *profile) (joints int) {
	p.joints = p.joints[:0]
	slices.SortFunc(p.thin, func(a, b thin) int { return int(a.band - b.band) })
	for i := 0; i < len(p.thin); {
		k := int(p.thin[i].band)
		j := i + 1
		for j < len(p.thin) && int(p.thin[j].band) == k {
			j++
		}
		group := p.thin[i:j]
		i = j
		p.joints = p.joints[:0]
		row := p.rows[k]
		for n := range group {
			t := &group[n]
			for m := range group {
				if u := &group[m]; u.surface != t.surface {
					b.pair(p, k, t, u)
				}
			}
			ts := &b.surfaces[t.surface]
			for m := range row {
				q := &row[m]
				qs := &b.surfaces[q.surface]
				if q.surface == t.surface || q.with >= 0 {
					continue
				}
				if q.ends&rightEnd != 0 && !(q.out1 < max(t.left[0], t.left[1])) {
					if r, ok := b.ofSpan(p, q, k, true); ok && b.meet(qs, ts, r.right, t.left) {
						_, x1 := t.inner(ts.margin)
						d := min(q.d1, b.depthAt(qs, r.right, k), b.depthAt(ts, t.left, k), b.depthAt(ts, t.right, k))
						p.pend(b, span{x0: q.x1, x1: x1, d0: d, d1: d, surface: q.surface, with: t.surface, ends: rightEnd,
							out1: max(t.right[0], t.right[1])})
					}
				}
				if q.ends&leftEnd != 0 && !(q.out0 > min(t.right[0], t.right[1])) {
					if r, ok := b.ofSpan(p, q, k, false); ok && b.meet(ts, qs, t.right, r.left) {
						x0, _ := t.inner(ts.margin)
						d := min(q.d0, b.depthAt(qs, r.left, k), b.depthAt(ts, t.left, k), b.depthAt(ts, t.right, k))
						p.pend(b, span{x0: x0, x1: q.x0, d0: d, d1: d, surface: t.surface, with: q.surface, ends: leftEnd,
							out0: min(t.left[0], t.left[1])})
					}
				}
			}
		}
		joints += len(p.joints)
		for n := range p.joints {
			p.put(k, &p.joints[n])
		}
	}
	return joints
}

// pair makes a span of two thin trapezoids, t left of u, that meet.
func (b *Buffer) pair(p *profile, k int, t, u *thin) {
	ts, us := &b.surfaces[t.surface], &b.surfaces[u.surface]
	if !b.meet(ts, us, t.right, u.left) {
		return
	}
	x0, _ := t.inner(ts.margin)
	_, x1 := u.inner(us.margin)
	d := min(b.depthAt(ts, t.left, k), b.depthAt(ts, t.right, k), b.depthAt(us, u.left, k), b.depthAt(us, u.right, k))
	p.pend(b, span{x0: x0, x1: x1, d0: d, d1: d, surface: t.surface, with: u.surface, ends: leftEnd | rightEnd,
		out0: min(t.left[0], t.left[1]), out1: max(u.right[0], u.right[1])})
}

// pend keeps what of a joint is on the picture.
func (p *profile) pend(b *Buffer, s span) {
	if s.x0 < 0 {
		s.x0, s.ends = 0, s.ends&^leftEnd
	}
	if s.x1 > b.view.width {
		s.x1, s.ends = b.view.width, s.ends&^rightEnd
	}
	if s.x0 < s.x1 && s.d0 > math.Inf(-1) {
		p.joints = append(p.joints, s)
	}
}

// meet reports whether the right edge of l is nowhere left of the left edge of r.
func (b *Buffer) meet(l, r *surface, right, left [2]float64) bool {
	for i := range right {
		if right[i] != left[i] && !(right[i]-left[i] > l.margin+r.margin) {
			return false
		}
	}
	return true
}

// depthAt is the least depth of a surface at two places on the lines of band k; −Inf
// where depths are not certain.
func (b *Buffer) depthAt(s *surface, at [2]float64, k int) float64 {
	d := math.Inf(1)
	for i, y := range b.bands.y[k : k+2] {
		if x := at[i]; !(x >= -beyond*b.view.width && x <= (1+beyond)*b.view.width) {
			return math.Inf(-1)
		}
		for j := range b.slopes[s.slope : s.slope+s.slopes] {
			d = min(d, lowered(b.slopes[int(s.slope)+j].at(at[i], y)))
		}
	}
	return d
}

// ofSpan gives the trapezoid whose right or left end is that of a span.
func (b *Buffer) ofSpan(p *profile, q *span, k int, right bool) (t trapezoid, ok bool) {
	i := q.surface
	if right && q.with >= 0 {
		i = q.with
	}
	s := &b.surfaces[i]
	for _, t := range b.trapezoidsOf(p, s, k) {
		x0, x1 := t.inner(s.margin)
		if right && x1 == q.x1 || !right && x0 == q.x0 {
			return t, true
		}
	}
	return t, false
}

// join closes the gaps where surfaces meet or overlap in slanting edges, in the bands
// from first to before last, and gives their number.
func (b *Buffer) join(p *profile, first, last int) (joints int) {
	joints = b.joinThin(p)
	for k := first; k < last; k++ {
		row := p.rows[k]
		p.joints = p.joints[:0]
		for i := range row {
			l := &row[i]
			if l.ends&rightEnd == 0 {
				continue
			}
			// What lies in the gap may be another surface, farther off.
			for j := i + 1; j < len(row) && j <= i+3; j++ {
				r := &row[j]
				if r.x0-b.surfaces[r.surface].margin > l.out1 {
					break // beyond the reach of the left one
				}
				if r.ends&leftEnd == 0 || r.x0 == l.x1 {
					continue
				}
				if b.joint(p, l, r, k) {
					break
				}
			}
		}
		for i := range p.joints {
			p.put(k, &p.joints[i])
		}
		joints += len(p.joints)
	}
	return joints
}

// joint makes the span between l and r if their surfaces do not part in band k.
func (b *Buffer) joint(p *profile, l, r *span, k int) bool {
	li := l.surface
	if l.with >= 0 {
		li = l.with
	}
	ls, rs := &b.surfaces[li], &b.surfaces[r.surface]
	lt, ok := b.ofSpan(p, l, k, true)
	if !ok {
		return false
	}
	rt, ok := b.ofSpan(p, r, k, false)
	if !ok || !b.meet(ls, rs, lt.right, rt.left) {
		return false
	}
	d := min(l.d1, r.d0, b.depthAt(ls, lt.right, k), b.depthAt(rs, rt.left, k))
	p.pend(b, span{x0: l.x1, x1: r.x0, d0: d, d1: d, surface: li, with: r.surface})
	return true
}
