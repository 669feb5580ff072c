package hull

import "math"

// Linear programs of up to four unknowns: the greatest value of an objective where all
// limits hold, found by adding one limit after the other; where one is broken, the best
// point lies on it, which is a program of one unknown less (Seidel, "Small-Dimensional
// Linear Programming and Convex Hulls Made Easy", 1991). In random order the expected
// time is in proportion to the number of limits; the order here is mixed, and always the
// same.

// limit is a[0]·x[0] + … ≤ b.
type limit struct {
	a [4]float64
	b float64
}

// slack is by how much, of the size of its terms, a limit may be broken.
const slack = 1e-13

// by reports how x stands to a limit: positive where it breaks it.
func (l *limit) by(x *[4]float64) float64 {
	sum, size := -l.b, math.Abs(l.b)
	for i := range x {
		t := l.a[i] * x[i]
		sum += t
		size += math.Abs(t)
	}
	return sum - slack*size
}

// mix puts limits into an order that has nothing to do with where they come from.
func mix(limits []limit) {
	state := uint64(len(limits))*0x9E3779B97F4A7C15 + 1
	for i := len(limits) - 1; i > 0; i-- {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		k := int(state % uint64(i+1))
		limits[i], limits[k] = limits[k], limits[i]
	}
}

// best is the point of the greatest objective within the limits and between −reach and
// reach in each of the first n unknowns; the others are zero. ok is false when there is
// none.
func best(limits []limit, objective [4]float64, n int, reach [4]float64) (x [4]float64, ok bool) {
	for i := range n {
		x[i] = math.Copysign(reach[i], objective[i])
	}
	var below []limit
	for k := range limits {
		l := &limits[k]
		if !(l.by(&x) > 0) {
			continue
		}
		// On the limit, one unknown follows from the others.
		at := 0
		for i := 1; i < n; i++ {
			if math.Abs(l.a[i])*reach[i] > math.Abs(l.a[at])*reach[at] {
				at = i
			}
		}
		if !(math.Abs(l.a[at])*reach[at] > 1e-14*math.Abs(l.b)) {
			return x, false
		}
		if n == 1 {
			return bestAlone(limits, objective, reach)
		}
		below = below[:0]
		for _, o := range limits[:k] {
			below = append(below, l.without(o, at, n))
		}
		var up, down limit
		up.a[at], up.b = 1, reach[at]
		down.a[at], down.b = -1, reach[at]
		below = append(below, l.without(up, at, n), l.without(down, at, n))
		goal := l.without(limit{a: objective}, at, n)
		lower := reach
		lower[at] = lower[n-1]
		lower[n-1] = 0
		y, ok := best(below, goal.a, n-1, lower)
		if !ok {
			return x, false
		}
		// Back to all unknowns: the last had moved to where this one was.
		y[n-1] = 0
		if at != n-1 {
			y[n-1] = y[at]
			y[at] = 0
		}
		value := l.b
		for i := range n {
			if i != at {
				value -= l.a[i] * y[i]
			}
		}
		y[at] = value / l.a[at]
		x = y
	}
	return x, true
}

// without is a limit o with unknown at replaced by what it is on l; the last of n
// unknowns moves to its place.
func (l *limit) without(o limit, at, n int) limit {
	f := o.a[at] / l.a[at]
	for i := range n {
		o.a[i] -= f * l.a[i]
	}
	o.b -= f * l.b
	o.a[at] = o.a[n-1]
	o.a[n-1] = 0
	return o
}

// bestAlone is best for one unknown.
func bestAlone(limits []limit, objective, reach [4]float64) (x [4]float64, ok bool) {
	lo, hi := -reach[0], reach[0]
	for i := range limits {
		l := &limits[i]
		switch a := l.a[0]; {
		case math.Abs(a)*reach[0] <= 1e-14*math.Abs(l.b):
			if l.b < 0 {
				return x, false
			}
		case a > 0:
			hi = min(hi, l.b/a)
		default:
			lo = max(lo, l.b/a)
		}
	}
	if lo > hi {
		if !(lo-hi <= slack*16*(math.Abs(lo)+math.Abs(hi))) {
			return x, false
		}
		lo, hi = hi, lo
	}
	x[0] = hi
	if objective[0] < 0 {
		x[0] = lo
	}
	return x, true
}
