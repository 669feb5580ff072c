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

// join closes the gaps where surfaces meet or overlap in slanting edges, in the bands
// from first to before last, and gives their number.
func (b *Buffer) join(p *profile, first, last int) (joints int) {
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
				if r.x0 > l.out1 {
					// Beyond the reach of the left one, but for the margin.
					if r.x0-b.surfaces[r.surface].margin > l.out1 {
						break
					}
				}
				if r.ends&leftEnd == 0 || r.surface == l.surface || r.x0 == l.x1 {
					continue
				}
				if s, ok := b.joint(p, l, r, k); ok {
					p.joints = append(p.joints, s)
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

// joint gives the span between l and r if their surfaces do not part in band k.
func (b *Buffer) joint(p *profile, l, r *span, k int) (s span, ok bool) {
	ls, rs := &b.surfaces[l.surface], &b.surfaces[r.surface]
	var right, left [2]float64
	for _, t := range b.trapezoidsOf(p, ls, k) {
		if _, x := t.inner(ls.margin); x == l.x1 {
			right, ok = t.right, true
		}
	}
	if !ok {
		return s, false
	}
	ok = false
	for _, t := range b.trapezoidsOf(p, rs, k) {
		if x, _ := t.inner(rs.margin); x == r.x0 {
			left, ok = t.left, true
		}
	}
	if !ok {
		return s, false
	}
	d := min(l.d1, r.d0)
	for i, y := range b.bands.y[k : k+2] {
		if right[i] != left[i] && !(right[i]-left[i] > ls.margin+rs.margin) {
			return s, false
		}
		if !b.near(right[i]) || !b.near(left[i]) {
			return s, false
		}
		for j := range b.slopes[ls.slope : ls.slope+ls.slopes] {
			d = min(d, lowered(b.slopes[int(ls.slope)+j].at(right[i], y)))
		}
		for j := range b.slopes[rs.slope : rs.slope+rs.slopes] {
			d = min(d, lowered(b.slopes[int(rs.slope)+j].at(left[i], y)))
		}
	}
	return span{x0: l.x1, x1: r.x0, d0: d, d1: d, surface: l.surface, with: r.surface}, true
}

// near reports whether depths are certain at x.
func (b *Buffer) near(x float64) bool {
	return x >= -beyond*b.view.width && x <= (1+beyond)*b.view.width
}
