package horizon

import "math"

// chain is a ring, as it raises the horizon in some sectors: sector i reaches from a +
// b·i to a + b·(i+1) on it, in samples, and a height h stands there at the e of (h −
// base)·q.
type chain struct {
	a, b, base, q float64
	last          int // sample

	from, to   int // the sectors that lie wholly on the field
	first, end int // their samples
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

// lift raises a horizon to ground of a height.
func (l *chain) lift(head *float32, height float64) {
	e := (height - l.base) * l.q
	// Rounded down.
	if e := float32(e - math.Abs(e)*1e-7); e > *head {
		*head = e
	}
}

// raise takes the ground from samples first … end: straight between them.
func (l *chain) raise(heads []float32, h []float32) {
	off := float64(l.first)
	at := l.a + l.b*float64(l.from) - off
	j := min(int(at), len(h)-2)
	left := between(h, j, at-float64(j))
	for i := l.from; i < l.to; i++ {
		at := l.a + l.b*float64(i+1) - off
		k := min(int(at), len(h)-2)
		right := between(h, k, at-float64(k))
		least := min(left, right)
		for _, v := range h[j+1 : k+1] {
			if v := float64(v); v < least {
				least = v
			}
		}
		l.lift(&heads[i], least)
		left, j = right, k
	}
}

// raiseRuns takes the ground from the least heights of runs of samples, the first of
// which holds sample first.
func (l *chain) raiseRuns(heads []float32, runs []float32) {
	off := float64(l.first / run * run)
	j := min(int((l.a+l.b*float64(l.from)-off)*(1.0/run)), len(runs)-1)
	for i := l.from; i < l.to; i++ {
		k := min(int((l.a+l.b*float64(i+1)-off)*(1.0/run)), len(runs)-1)
		least := runs[j]
		for _, v := range runs[j+1 : k+1] {
			if v < least {
				least = v
			}
		}
		l.lift(&heads[i], float64(least))
		j = k
	}
}

// between is the height a part of the way from sample j to the next.
func between(h []float32, j int, part float64) float64 {
	a, b := float64(h[j]), float64(h[j+1])
	return a + (b-a)*part
}
