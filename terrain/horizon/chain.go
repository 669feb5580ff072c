package horizon

// chain is a ring, as it raises the horizon in some sectors: sector i reaches from a +
// b·i to a + b·(i+1) on it, in samples, and a height h stands there at the e of (h −
// base)·q.
type chain struct {
	a, b, base, q float64
	last          int // sample

	from, to   int // the sectors that lie wholly on the field
	first, end int // their samples

	least [groupSize]float32 // heights by sector, from the sector from on
}

// begin finds those of n sectors that are wholly on the field, and their samples; ok
// is false without any.
func (l *chain) begin(n int) (ok bool) {
	last := float64(l.last)
	l.from, l.to = 0, n
	for l.from < n && l.a+l.b*float64(l.from) < 0 {
		l.from++
	}
	for l.to > l.from && l.a+l.b*float64(l.to) > last {
		l.to--
	}
	if l.from == l.to {
		return false
	}
	l.first = int(l.a + l.b*float64(l.from))
	l.end = min(int(l.a+l.b*float64(l.to))+1, l.last)
	l.first = min(l.first, l.end-1)
	return true
}

// raise takes the ground from samples first … end: straight between them.
func (l *chain) raise(heads []float32, h []float32) {
	start, off := l.a-float64(l.first), l.from
	j, left := between(h, start+l.b*float64(off))
	least := l.least[:l.to-off]
	for i := range least {
		k, right := between(h, start+l.b*float64(i+off+1))
		v := left
		if right < v {
			v = right
		}
		if j < k {
			for _, w := range h[j+1 : k+1] {
				if w < v {
					v = w
				}
			}
		}
		least[i], left, j = v, right, k
	}
	l.lift(heads[off:], least)
}

// between is the height at a place among samples, and the sample before it.
func between(h []float32, at float64) (j int, y float32) {
	j = int(at)
	if uint(j) >= uint(len(h)-1) {
		j = len(h) - 2
	}
	a, b := h[j], h[j+1]
	return j, a + (b-a)*float32(at-float64(j))
}

// raiseRuns takes the ground from the least heights of runs of samples, from a number on.
func (l *chain) raiseRuns(heads []float32, runs []float32, first int) {
	start, step := l.a*(1.0/run)-float64(first), l.b*(1.0/run)
	off := l.from
	j := min(int(start+step*float64(off)), len(runs)-1)
	least := l.least[:l.to-off]
	for i := range least {
		k := min(int(start+step*float64(i+off+1)), len(runs)-1)
		v := runs[j]
		for _, w := range runs[j : k+1] {
			if w < v {
				v = w
			}
		}
		least[i], j = v, k
	}
	l.lift(heads[off:], least)
}

// lift raises a horizon to ground of some heights. Taking base for greater and the
// result for less covers what float32 rounds.
func (l *chain) lift(heads []float32, least []float32) {
	base, q := up32(l.base), float32(l.q)
	heads = heads[:len(least)]
	for i, h := range least {
		e := (h - base) * q
		if e > 0 {
			e *= 1 - 0x1p-20
		} else {
			e *= 1 + 0x1p-20
		}
		if e > heads[i] {
			heads[i] = e
		}
	}
}
