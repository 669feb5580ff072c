package horizon

import (
	"math"
	"slices"
)

// fan is a quarter of a perspective view, the part in which lines of sight go along
// +x, −x, +z or −z more than to the side, or the whole of an orthographic one. The
// ground lines across it, which are columns of samples if it goes along x and rows
// if along z, are its rings. Its sectors are of equal width on a ring.
//
// A place in a fan has the coordinates d, in cells along its axis, u, which numbers the
// lines of sight sideways, and e, which numbers them upwards: in perspective, from
// the eye, u = side/d and e = height/d; in an orthographic view, from sample (0, 0),
// u = side − drift·d and e = height − slope·d. In both, what lies on one line of
// sight has one u and one e.
type fan struct {
	ready bool
	axis  int     // 0: along x, 1: along z
	sign  float64 // 1 or −1
	m, l  float64 // the eye along the axis and sideways, in cells; 0 in an orthographic view
	n     int     // samples sideways

	lo, step float64   // u of sector 0, and the width of a sector
	perStep  float64   // 1/step
	far      []float64 // by sector, at least the metres of level ground for a cell of d
	perFar   []float64 // 0.5/far
	count    int       // of sectors; 0: no ground
	whole    [2]bool   // no line of sight passes the fan at its lower and upper end
	rings    []ring
	table    []uint16 // by whole cells from the first ring, the rings that are nearer

	// heads[k·count + i] is the e of the horizon in sector i that the rings up to k
	// make: each line of sight in the sector with a lesser e meets ground on one of them
	// that is higher. groups tells how far they are known.
	heads  []float32
	groups []group

	// Gaps, the nearer first, and what they let through: lines of sight in sector i with
	// an e of at least safe[i] and at most leak[i] may pass below the ground.
	gaps       []crossing
	safe, leak []float32
}

// ring is a column or row of samples, d cells ahead.
type ring struct {
	at     int
	d      float64
	coarse bool // taken from runs of samples, see walls
}

// group is what is known of some neighbouring sectors.
type group struct {
	rings int // so many have been looked at
	gaps  int
}

// crossing is a gap as a fan sees it: lines of sight in the sectors i0 … i1 with an
// e of at most up may pass below the ground there, none of them nearer than d.
type crossing struct {
	d      float64
	i0, i1 int
	up     float64
}

const (
	sectors     = 128  // in a fan
	groupSize   = 32   // sectors
	ringsPerD   = 16   // rings are at least d/ringsPerD apart
	leastRings  = 64   // but a field has so many
	runsFrom    = 2    // cells a sector from which runs are used
	leastAhead  = 0.02 // cells to the first ring
	sectorSlack = 1e-6 // sectors, for rounding
	rimSlack    = 1e-6 // cells, likewise
)

// fan gives a fan, ready for use.
func (t *Test) fan(axis int, sign float64) *fan {
	f := &t.fans[axis*2]
	if sign < 0 {
		f = &t.fans[axis*2+1]
	}
	if !f.ready {
		f.ready = true
		f.axis, f.sign = axis, sign
		t.spread(f)
		if f.count > 0 {
			t.findCrossings(f)
		}
	}
	return f
}

// spread finds the rings and sectors of a fan.
func (t *Test) spread(f *fan) {
	cols, rows := t.ground.field.Size()
	n := cols
	f.m, f.l, f.n = t.gx, t.gz, rows
	if f.axis == 1 {
		n, f.m, f.l, f.n = rows, t.gz, t.gx, cols
	}
	f.count, f.rings = 0, f.rings[:0]
	most := max(1, (n-1)/leastRings)
	at, by := 0, 1
	if t.ortho {
		if f.sign < 0 {
			at, by = n-1, -1
		}
	} else if f.sign > 0 {
		at = int(max(math.Ceil(f.m+leastAhead), 0))
	} else {
		at, by = int(min(math.Floor(f.m-leastAhead), float64(n-1))), -1
	}
	ends := (n - 2) / run * run // the last column or row that chunks begin or have inside
	for at >= 0 && at < n {
		d := f.sign * (float64(at) - f.m)
		step := most
		if !t.ortho {
			step = max(1, min(int(d/ringsPerD), most))
		}
		f.rings = append(f.rings, ring{at: at, d: d})
		at += by * step
		if step >= run && at > 0 && at%run != 0 {
			if by > 0 {
				at = at / run * run
			} else {
				at = (at + run - 1) / run * run
			}
		}
	}
	if len(f.rings) == 0 {
		return
	}
	first, last := f.rings[0].d, f.rings[len(f.rings)-1].d
	lo, hi := t.across(first, last, -f.l, float64(f.n-1)-f.l)
	f.whole = [2]bool{}
	if !t.ortho {
		f.whole = [2]bool{lo <= -1, hi >= 1}
		lo, hi = max(lo, -1), min(hi, 1)
	}
	if !(lo < hi) {
		return
	}
	f.count = sectors
	f.lo, f.step, f.perStep = lo, (hi-lo)/sectors, sectors/(hi-lo)
	f.far, f.perFar = f.far[:0], f.perFar[:0]
	for i := range f.count {
		u := max(math.Abs(f.lo+f.step*float64(i)), math.Abs(f.lo+f.step*float64(i+1)))
		far := math.Sqrt(1+u*u) * t.spacing
		f.far, f.perFar = append(f.far, far), append(f.perFar, 0.5/far)
	}
	for i := range f.rings {
		r := &f.rings[i]
		wide := f.step
		if !t.ortho {
			wide *= r.d
		}
		r.coarse = wide >= runsFrom && r.at%run == 0 && r.at <= ends
	}
	f.tabulate()
	if need := len(f.rings) * f.count; cap(f.heads) < need {
		f.heads = make([]float32, need)
	} else {
		f.heads = f.heads[:need]
	}
	f.groups = f.groups[:0]
	for range (f.count + groupSize - 1) / groupSize {
		f.groups = append(f.groups, group{})
	}
}

// tabulate notes how many rings are nearer than each whole number of cells.
func (f *fan) tabulate() {
	f.table = f.table[:0]
	first, last := f.rings[0].d, f.rings[len(f.rings)-1].d
	k := 0
	for i := 0; i <= int(last-first)+1; i++ {
		for k < len(f.rings) && f.rings[k].d < first+float64(i) {
			k++
		}
		f.table = append(f.table, uint16(k))
	}
}

// before is the last ring that is nearer than d, −1 without one.
func (f *fan) before(d float64) int {
	off := d - f.rings[0].d
	if !(off > 0) {
		return -1
	}
	k := len(f.rings)
	if off < float64(len(f.table)) {
		k = int(f.table[int(off)])
		for k < len(f.rings) && f.rings[k].d < d {
			k++
		}
	}
	return k - 1
}

// across gives the range of u of what lies d1 to d2 ahead and l1 to l2 sideways. In
// perspective d2 must be above 0.
func (t *Test) across(d1, d2, l1, l2 float64) (lo, hi float64) {
	if t.ortho {
		return l1 - max(t.drift*d1, t.drift*d2), l2 - min(t.drift*d1, t.drift*d2)
	}
	d1 = max(d1, 0)
	lo, hi = l1/d2, l2/d2
	if l1 < 0 {
		lo = l1 / d1
	}
	if l2 > 0 {
		hi = l2 / d1
	}
	return lo, hi
}

// sectorsOf gives the sectors of a range of u. within is false when some of it lies
// beside the fan, where no ground is.
func (f *fan) sectorsOf(lo, hi float64) (i0, i1 int, within bool) {
	a := math.Floor((lo-f.lo)*f.perStep - sectorSlack)
	b := math.Floor((hi-f.lo)*f.perStep + sectorSlack)
	last := float64(f.count - 1)
	within = (a >= 0 || f.whole[0]) && (b <= last || f.whole[1])
	return int(min(max(a, 0), last+1)), int(max(min(b, last), -1)), within
}

// findCrossings takes the gaps that a fan sees.
func (t *Test) findCrossings(f *fan) {
	g := t.ground
	g.onceHoles.Do(g.findHoles)
	f.gaps = f.gaps[:0]
	for i := range g.holes {
		t.addCrossing(f, &g.holes[i])
	}
	cols, rows := g.field.Size()
	var open [4]bool
	if t.ortho {
		along := [2]float64{f.sign, t.drift}
		if f.axis == 1 {
			along[0], along[1] = along[1], along[0]
		}
		open = [4]bool{along[0] > 0, along[1] > 0, along[0] < 0, along[1] < 0}
	} else {
		_, _, _, _, inside := g.field.Cell(t.eye[0], t.eye[2])
		open = [4]bool{
			!inside && t.gx < rimSlack, !inside && t.gz < rimSlack,
			!inside && t.gx > float64(cols-1)-rimSlack, !inside && t.gz > float64(rows-1)-rimSlack,
		}
	}
	if open != [4]bool{} {
		g.onceRim.Do(g.walkRim)
	}
	for side, pieces := range g.rim {
		if open[side] {
			for i := range pieces {
				t.addCrossing(f, &pieces[i])
			}
		}
	}
	if len(f.gaps) == 0 {
		return
	}
	slices.SortFunc(f.gaps, func(a, b crossing) int {
		switch {
		case a.d < b.d:
			return -1
		case a.d > b.d:
			return 1
		}
		return 0
	})
	f.safe, f.leak = f.safe[:0], f.leak[:0]
	for range f.count {
		f.safe = append(f.safe, inf)
		f.leak = append(f.leak, -inf)
	}
}

var inf = float32(math.Inf(1))

func (t *Test) addCrossing(f *fan, g *gap) {
	m0, m1, l0, l1 := float64(g.c0), float64(g.c1), float64(g.r0), float64(g.r1)
	if f.axis == 1 {
		m0, m1, l0, l1 = l0, l1, m0, m1
	}
	var p place
	if !t.place(f, &p, m0-f.m, m1-f.m, l0-f.l, l1-f.l) {
		return
	}
	i0, i1, _ := f.sectorsOf(p.u0, p.u1)
	if i0 > i1 {
		return
	}
	up := t.highest(&p, g.high+t.off-t.base())
	if t.ortho {
		up += t.slack
	} else {
		up += t.slack * math.Sqrt(2/(t.scale*t.scale)+up*up)
	}
	f.gaps = append(f.gaps, crossing{p.near, i0, i1, up})
}

// place is a rectangle of the ground as a fan sees it.
type place struct {
	d1, d2, l1, l2 float64
	u0, u1         float64
	near           float64 // the least d

	perD2, perL1, perL2, perNear float64 // 1/d2 …; in perspective
}

// place turns a rectangle, in cells from the eye along the axis and sideways, to what
// the fan sees; ok is false when it sees nothing of it.
func (t *Test) place(f *fan, p *place, m0, m1, l0, l1 float64) (ok bool) {
	p.d1, p.d2, p.l1, p.l2 = m0, m1, l0, l1
	if f.sign < 0 {
		p.d1, p.d2 = -m1, -m0
	}
	if t.ortho {
		p.near = p.d1
		p.u0, p.u1 = t.across(p.d1, p.d2, l0, l1)
		return true
	}
	if !(p.d2 > 0 && l0 <= p.d2 && l1 >= -p.d2) {
		return false
	}
	p.perD2, p.perL1, p.perL2 = 1/p.d2, 1/l0, 1/l1
	p.near = max(p.d1, 0)
	perD1 := 1 / p.near
	p.u0, p.u1 = l0*p.perD2, l1*p.perD2
	if l0 < 0 {
		p.u0 = l0 * perD1
	}
	if l1 > 0 {
		p.u1 = l1 * perD1
	}
	p.u0, p.u1 = max(p.u0, -1), min(p.u1, 1)
	p.perNear = perD1
	if l0 > p.near {
		p.near, p.perNear = l0, p.perL1
	} else if -l1 > p.near {
		p.near, p.perNear = -l1, -p.perL2
	}
	return true
}

// base is the height from which those in highest are counted.
func (t *Test) base() float64 {
	if t.ortho {
		return 0
	}
	return t.eye[1]
}

// highest is the greatest e of a place whose top is y above the base.
func (t *Test) highest(p *place, y float64) float64 {
	switch {
	case t.ortho:
		return y - min(t.slope*p.d1, t.slope*p.d2)
	case y >= 0:
		return y / p.near
	default:
		return y / p.d2
	}
}

// topIn is the greatest e of a place, whose top is y above the base, in a sector.
func (t *Test) topIn(f *fan, p *place, i int, y float64) float64 {
	if t.ortho {
		return t.highest(p, y)
	}
	u := f.lo + f.step*float64(i)
	return p.top(u-f.step*sectorSlack, u+f.step*(1+sectorSlack), y)
}

// lowest is the least e of a place whose bottom is y above the base.
func (t *Test) lowest(p *place, y float64) float64 {
	switch {
	case t.ortho:
		return y - max(t.slope*p.d1, t.slope*p.d2)
	case y >= 0:
		return y / p.d2
	default:
		return y / p.near
	}
}

// raise looks at the rings up to ring k, from the first that was not looked at, in a
// group of sectors.
func (t *Test) raise(f *fan, g, k int) {
	i0, i1 := g*groupSize, min((g+1)*groupSize, f.count)
	for n := f.groups[g].rings; n <= k; n++ {
		heads := f.heads[n*f.count+i0 : n*f.count+i1]
		if n == 0 {
			for i := range heads {
				heads[i] = -inf
			}
		} else {
			copy(heads, f.heads[(n-1)*f.count+i0:(n-1)*f.count+i1])
		}
		r := &f.rings[n]
		if len(f.gaps) > 0 {
			t.pass(f, g, r.d, heads)
		}
		// Sector i reaches from a + b·i to a + b·(i+1) on the ring.
		l := &t.chain
		l.a, l.b, l.base, l.q, l.last = f.l+f.lo*r.d, f.step*r.d, t.eye[1], 1/r.d, f.n-1
		if t.ortho {
			l.a, l.b, l.base, l.q = f.lo+t.drift*r.d, f.step, t.slope*r.d, 1
		}
		l.a += l.b * float64(i0)
		l.base += t.off
		if l.begin(len(heads)) {
			if r.coarse {
				first := l.first / size * lines
				runs, most := t.runs(f.axis, r.at, first, (l.end-1)/run)
				// Most far rings raise nothing.
				if (float64(most)-l.base)*l.q > float64(least(heads)) {
					l.raiseRuns(heads, runs, first)
				}
			} else if (float64(t.most(f.axis, r.at, l.first, l.end))-l.base)*l.q > float64(least(heads)) {
				l.raise(heads, t.samples(f.axis, r.at, l.first, l.end))
			}
		}
	}
	f.groups[g].rings = k + 1
}

func least(heads []float32) float32 {
	v := heads[0]
	for _, w := range heads[1:] {
		if w < v {
			v = w
		}
	}
	return v
}

// pass lets through what the gaps up to d do. A ring on the rim is no ground that a
// line of sight could have crossed, so it comes after the gap.
func (t *Test) pass(f *fan, g int, d float64, heads []float32) {
	first := g * groupSize
	n := &f.groups[g].gaps
	for ; *n < len(f.gaps) && f.gaps[*n].d <= d; *n++ {
		c := &f.gaps[*n]
		for i := max(c.i0, first); i <= min(c.i1, first+len(heads)-1); i++ {
			if c.up < t.drawn(f, i, heads[i-first]) {
				continue // what would pass is hidden already
			}
			if f.leak[i] == -inf {
				f.safe[i] = heads[i-first]
			}
			f.leak[i] = max(f.leak[i], up32(c.up))
		}
	}
}

func up32(v float64) float32 { return math.Nextafter32(float32(v), inf) }

// drawn is the e of a horizon at e of the full ground as it may be drawn.
func (t *Test) drawn(f *fan, i int, e float32) float64 {
	v := float64(e)
	if t.ortho {
		return v - t.slack
	}
	a := f.far[i]
	if v > a || v < -a {
		return v - t.slack*math.Sqrt(a*a+v*v)
	}
	return v - t.slack*(a+v*v*f.perFar[i]) // at least √(a²+v²)
}
