package hull

import (
	"math"

	"ridgeline/occluders/geom"
)

// Numbers that float64 can not hold are sums of float64 here, "expansions": their parts
// do not overlap, stand in the order of their magnitudes, the least first, and none is
// zero. So the last part has the sign of the sum (Shewchuk, "Adaptive Precision
// Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997).

// twoSum gives a + b as its rounded value and what that lacks.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	bb := sum - a
	return sum, (a - (sum - bb)) + (b - bb)
}

// twoProduct gives a · b as its rounded value and what that lacks. The conversion keeps
// the compiler from fusing.
func twoProduct(a, b float64) (product, rest float64) {
	product = float64(a * b)
	return product, math.FMA(a, b, -product)
}

// addExpansions appends e + f to h, which is empty and of neither's memory.
func addExpansions(h, e, f []float64) []float64 {
	var sum, rest float64
	for len(e) > 0 || len(f) > 0 {
		var next float64
		if len(f) == 0 || len(e) > 0 && math.Abs(e[0]) < math.Abs(f[0]) {
			next, e = e[0], e[1:]
		} else {
			next, f = f[0], f[1:]
		}
		if sum, rest = twoSum(sum, next); rest != 0 {
			h = append(h, rest)
		}
	}
	if sum != 0 {
		h = append(h, sum)
	}
	return h
}

// scaleExpansion appends e · b to h, which is empty and not of e's memory.
func scaleExpansion(h, e []float64, b float64) []float64 {
	if b == 0 || len(e) == 0 {
		return h
	}
	sum, rest := twoProduct(e[0], b)
	if rest != 0 {
		h = append(h, rest)
	}
	for _, part := range e[1:] {
		high, low := twoProduct(part, b)
		if sum, rest = twoSum(sum, low); rest != 0 {
			h = append(h, rest)
		}
		if sum, rest = twoSum(high, sum); rest != 0 {
			h = append(h, rest)
		}
	}
	if sum != 0 {
		h = append(h, sum)
	}
	return h
}

// difference is a − b without error, of one part or two.
type difference struct {
	high, low float64
}

func differenceOf(a, b float64) difference {
	high, low := twoSum(a, -b)
	return difference{high, low}
}

// times appends e · d to h.
func (d difference) times(h, e []float64) []float64 {
	if d.low == 0 {
		return scaleExpansion(h, e, d.high)
	}
	var x, y [maxParts]float64
	return addExpansions(h, scaleExpansion(x[:0], e, d.low), scaleExpansion(y[:0], e, d.high))
}

func (d difference) append(h []float64) []float64 {
	if d.low != 0 {
		h = append(h, d.low)
	}
	if d.high != 0 {
		h = append(h, d.high)
	}
	return h
}

// maxParts is how many parts the parts of a determinant may have, each of a product of
// three differences: 2 · 2 · (2 · 2 · 2 · 2).
const maxParts = 64

// minor appends a·d − b·c to h.
func minor(h []float64, a, b, c, d difference) []float64 {
	var one [2]float64
	var x, y [8]float64
	ad := a.times(x[:0], d.append(one[:0]))
	c.high, c.low = -c.high, -c.low
	bc := b.times(y[:0], c.append(one[:0]))
	return addExpansions(h, ad, bc)
}

// sideExactly is 1 where p lies above the plane through a, b, c, which run
// counter-clockwise seen from above, −1 where it lies below, 0 where it lies in it. It
// never errs on coordinates that are multiples of 2⁻²⁵³ and at most 1.
func sideExactly(a, b, c, p *geom.Vec3) int {
	var u, v, w [3]difference
	for i := range u {
		u[i], v[i], w[i] = differenceOf(b[i], a[i]), differenceOf(c[i], a[i]), differenceOf(p[i], a[i])
	}
	var m [16]float64
	var x, y, z [maxParts]float64
	var xy [2 * maxParts]float64
	var sum [3 * maxParts]float64
	ex := w[0].times(x[:0], minor(m[:0], u[1], u[2], v[1], v[2]))
	ey := w[1].times(y[:0], minor(m[:0], u[2], u[0], v[2], v[0]))
	ez := w[2].times(z[:0], minor(m[:0], u[0], u[1], v[0], v[1]))
	e := addExpansions(sum[:0], addExpansions(xy[:0], ex, ey), ez)
	if len(e) == 0 {
		return 0
	}
	if e[len(e)-1] > 0 {
		return 1
	}
	return -1
}

// crossExactly is (b − a) × (c − a), each component rounded once from the exact value.
func crossExactly(a, b, c *geom.Vec3) (n geom.Vec3) {
	var u, v [3]difference
	for i := range u {
		u[i], v[i] = differenceOf(b[i], a[i]), differenceOf(c[i], a[i])
	}
	for i := range n {
		j, k := (i+1)%3, (i+2)%3
		var m [16]float64
		for _, part := range minor(m[:0], u[j], u[k], v[j], v[k]) {
			n[i] += part
		}
	}
	return n
}
