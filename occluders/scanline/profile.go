package scanline

import "math"

// span is an interval of a band that a surface covers, for all heights of the band,
// at least as near as the straight line from d0 to d1 says.
type span struct {
	x0, x1, d0, d1 float64
	out0, out1     float64 // how far the surface reaches where the ends are its own
	surface        int32
	with           int32 // the surface that shares a joint, else -1
	ends           uint8 // which ends are the surface's own
}

const (
	leftEnd uint8 = 1 << iota
	rightEnd
)

// at is the depth at x.
func (s *span) at(x float64) float64 {
	if x <= s.x0 || s.d0 == s.d1 {
		return s.d0
	}
	if x >= s.x1 {
		return s.d1
	}
	d := s.d0 + (s.d1-s.d0)*((x-s.x0)/(s.x1-s.x0))
	return min(max(d, min(s.d0, s.d1)), max(s.d0, s.d1))
}

// part is the span from x0 to x1.
func (s *span) part(x0, x1 float64) span {
	p := *s
	p.d0, p.d1 = s.at(x0), s.at(x1)
	p.x0, p.x1 = x0, x1
	if x0 > s.x0 {
		p.ends &^= leftEnd
	}
	if x1 < s.x1 {
		p.ends &^= rightEnd
	}
	return p
}

// profile is a list of spans for each band, from left to right, which have no points
// but ends in common.
type profile struct {
	rows   [][]span
	merged []span
	cuts   []cutEdge
	traps  []trapezoid
	joints []span
	thin   []thin
	left   []float64
	right  []float64
}

// begin empties n rows.
func (p *profile) begin(n int) {
	if cap(p.rows) < n {
		rows := make([][]span, n, n+n/2)
		copy(rows, p.rows[:cap(p.rows)])
		p.rows = rows
	}
	p.rows = p.rows[:n]
	for i := range p.rows {
		p.rows[i] = p.rows[i][:0]
	}
	p.thin = p.thin[:0]
}

// rect is a part of the picture, in bands, and the nearest depth of what is in it.
type rect struct {
	x0, x1, depth float64
	from, to      int // bands, to is the last
}

// clamp makes a rectangle of what is on the picture; ok is false for nothing.
func (b *Buffer) clamp(x0, x1, y0, y1, depth float64) (r rect, ok bool) {
	v := &b.view
	if !(x0 <= v.width && x1 >= 0 && y0 <= v.height && y1 >= 0) {
		return r, false
	}
	r = rect{x0: max(x0, 0), x1: min(x1, v.width), depth: depth}
	r.from = b.bands.band(max(y0, 0))
	y1 = min(y1, v.height)
	r.to = b.bands.band(y1)
	if r.to > r.from && b.bands.y[r.to] == y1 {
		r.to--
	}
	return r, true
}

// hides reports whether all of the rectangle lies behind spans.
func (p *profile) hides(r *rect) bool {
	for k := r.from; k <= r.to; k++ {
		if !rowHides(p.rows[k], r.x0, r.x1, r.depth) {
			return false
		}
	}
	return true
}

// rowHides reports whether the spans cover x0 to x1, nowhere farther than depth.
func rowHides(row []span, x0, x1, depth float64) bool {
	i := search(row, x0)
	for cur := x0; ; i++ {
		if i == len(row) {
			return false
		}
		s := &row[i]
		if s.x0 > cur {
			return false
		}
		if !(s.d0 >= depth && s.d1 >= depth) && !(s.at(x0) >= depth && s.at(x1) >= depth) {
			return false
		}
		if s.x1 >= x1 {
			return true
		}
		cur = s.x1
	}
}

// search gives the first span that ends at x or right of it.
func search(row []span, x float64) int {
	lo, hi := 0, len(row)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if row[m].x1 < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// put merges a span into a row: of two that overlap the nearer stays, and where they
// cross they are cut.
func (p *profile) put(k int, s *span) {
	row := p.rows[k]
	i := search(row, s.x0)
	if i < len(row) && row[i].x1 == s.x0 {
		i++
	}
	j := i
	for j < len(row) && row[j].x0 < s.x1 {
		j++
	}
	if i == j {
		row = append(row, span{})
		copy(row[i+1:], row[i:])
		row[i] = *s
		p.rows[k] = row
		return
	}
	g := &row[i]
	if i+1 == j && g.x0 <= s.x0 && g.x1 >= s.x1 && g.at(s.x0) >= s.d0 && g.at(s.x1) >= s.d1 {
		return
	}
	m := p.merged[:0]
	cur := s.x0
	if g.x0 < cur {
		m = add(m, g, g.x0, cur)
	}
	for n := i; n < j; n++ {
		g := &row[n]
		if g.x0 > cur {
			m = add(m, s, cur, g.x0)
			cur = g.x0
		}
		to := min(g.x1, s.x1)
		s0, s1, g0, g1 := s.at(cur), s.at(to), g.at(cur), g.at(to)
		switch {
		case g0 >= s0 && g1 >= s1:
			m = add(m, g, cur, to)
		case s0 >= g0 && s1 >= g1:
			m = add(m, s, cur, to)
		default:
			x := cur + (to-cur)*((g0-s0)/((g0-s0)-(g1-s1)))
			x = min(max(x, cur), to)
			near, far := s, g
			if g0 > s0 {
				near, far = g, s
			}
			m = add(m, near, cur, x)
			m = add(m, far, x, to)
		}
		cur = to
		if g.x1 > s.x1 {
			m = add(m, g, s.x1, g.x1)
		}
	}
	if cur < s.x1 {
		m = add(m, s, cur, s.x1)
	}
	p.merged = m
	old, n := len(row), len(m)-(j-i)
	for len(row) < old+n {
		row = append(row, span{})
	}
	copy(row[j+n:], row[j:old])
	copy(row[i:], m)
	p.rows[k] = row[:old+n]
}

// add appends a part of s to m, or lengthens the part of s that is last in m.
func add(m []span, s *span, x0, x1 float64) []span {
	if !(x0 < x1) {
		return m
	}
	part := s.part(x0, x1)
	if n := len(m) - 1; n >= 0 && m[n].x1 == x0 && m[n].d1 == part.d0 &&
		m[n].surface == s.surface && m[n].with == s.with && m[n].ends&rightEnd == 0 && sameLine(s, &m[n]) {
		m[n].x1, m[n].d1 = part.x1, part.d1
		m[n].ends |= part.ends & rightEnd
		return m
	}
	return append(m, part)
}

// sameLine reports whether q is a part of s.
func sameLine(s, q *span) bool {
	return q.x0 >= s.x0 && s.at(q.x0) == q.d0
}

// trapezoid is what a surface covers of a band: from left to right on the upper and
// on the lower line.
type trapezoid struct{ left, right [2]float64 }

// inner is the interval that is covered at all heights.
func (t *trapezoid) inner(margin float64) (x0, x1 float64) {
	return max(t.left[0], t.left[1]) + margin, min(t.right[0], t.right[1]) - margin
}

// insert puts a surface into the bands from first to before last.
func (b *Buffer) insert(p *profile, index, first, last int) {
	s := &b.surfaces[index]
	if !s.ready {
		b.make(s)
	}
	if s.slopes == 0 {
		return
	}
	y := b.bands.y
	k0, k1 := b.lines(s)
	k0, k1 = max(k0, first), min(k1, last)
	if k0 >= k1 {
		return
	}
	if s.flat {
		for k := k0; k < k1; k++ {
			for i := range b.flatTrapezoids(p, s, k) {
				b.putTrapezoid(p, index, k, &p.traps[i])
			}
		}
		return
	}
	// Where the surface cuts the lines.
	n := k1 - k0 + 1
	p.left, p.right = grown(p.left, n), grown(p.right, n)
	for i := range n {
		p.left[i], p.right[i] = math.Inf(-1), math.Inf(1)
	}
	for i := range b.edges[s.edge : s.edge+s.edges] {
		e := &b.edges[int(s.edge)+i]
		from, to := k0, k1
		if e.y0 > y[k0] {
			from = b.bands.band(min(e.y0, b.view.height))
			if y[from] < e.y0 {
				from++
			}
		}
		for k := from; k <= to && y[k] <= e.y1; k++ {
			x := e.at(y[k])
			if e.kind == leftEdge {
				p.left[k-k0] = max(p.left[k-k0], x)
			} else {
				p.right[k-k0] = min(p.right[k-k0], x)
			}
		}
	}
	for k := k0; k < k1; k++ {
		i := k - k0
		t := trapezoid{[2]float64{p.left[i], p.left[i+1]}, [2]float64{p.right[i], p.right[i+1]}}
		if t.left[0] <= t.right[0] && t.left[1] <= t.right[1] {
			b.putTrapezoid(p, index, k, &t)
		}
	}
}

// lines gives the first and the last line that cut the surface.
func (b *Buffer) lines(s *surface) (k0, k1 int) {
	y := b.bands.y
	k0 = b.bands.band(min(max(s.y0, 0), b.view.height))
	if y[k0] < s.y0 {
		k0++
	}
	k1 = b.bands.band(max(min(s.y1, b.view.height), 0))
	if k1+1 < len(y) && y[k1+1] <= s.y1 {
		k1++
	}
	return k0, k1
}

// line is a bound of the depth over a band: a·x + c.
type line struct{ a, c float64 }

// putTrapezoid puts what t surely covers into the row of band k.
func (b *Buffer) putTrapezoid(p *profile, index, k int, t *trapezoid) {
	s := &b.surfaces[index]
	x0, x1 := t.inner(s.margin)
	sp := span{surface: int32(index), with: -1, ends: leftEnd | rightEnd}
	sp.out0, sp.out1 = min(t.left[0], t.left[1]), max(t.right[0], t.right[1])
	if !(x0 < x1) {
		p.thin = append(p.thin, thin{int32(k), int32(index), *t})
		return
	}
	if x0 < 0 {
		x0, sp.ends = 0, sp.ends&^leftEnd
	}
	if x1 > b.view.width {
		x1, sp.ends = b.view.width, sp.ends&^rightEnd
	}
	if !(x0 < x1) {
		return
	}
	slopes := b.slopes[s.slope : s.slope+s.slopes]
	ya, yb := b.bands.y[k], b.bands.y[k+1]
	var l0, l1 line
	d0, d1 := math.Inf(1), math.Inf(1)
	for i := range slopes {
		q := &slopes[i]
		l := line{q.a, q.c + min(q.b*ya, q.b*yb)}
		if d := l.a*x0 + l.c; d < d0 {
			d0, l0 = d, l
		}
		if d := l.a*x1 + l.c; d < d1 {
			d1, l1 = d, l
		}
	}
	if l0 != l1 {
		// The front bends between: it is concave, so a straight line from bound to
		// bound is a bound.
		x := (l1.c - l0.c) / (l0.a - l1.a)
		if x > x0 && x < x1 {
			d := math.Inf(1)
			for i := range slopes {
				q := &slopes[i]
				d = min(d, q.a*x+q.c+min(q.b*ya, q.b*yb))
			}
			first, second := sp, sp
			first.x0, first.x1, first.d0, first.d1 = x0, x, lowered(d0), lowered(d)
			first.ends &^= rightEnd
			second.x0, second.x1, second.d0, second.d1 = x, x1, lowered(d), lowered(d1)
			second.ends &^= leftEnd
			p.put(k, &first)
			p.put(k, &second)
			return
		}
	}
	sp.x0, sp.x1, sp.d0, sp.d1 = x0, x1, lowered(d0), lowered(d1)
	p.put(k, &sp)
}

// lowered moves a depth back by more than all the rounding that comes after.
func lowered(d float64) float64 { return d - math.Abs(d)*0x1p-36 }
