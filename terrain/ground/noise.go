package ground

import "math"

// noise is a source of repeatable randomness. All its functions take places
// within a texture as (u, v), 0–1, and repeat beyond.
type noise uint32

// hash mixes a lattice point (Wellons, "Prospecting for Hash Functions", 2018).
func (n noise) hash(x, y int32) uint32 {
	h := uint32(n)*0x9e3779b9 ^ uint32(x)*0x85ebca6b ^ uint32(y)*0xc2b2ae35
	h ^= h >> 16
	h *= 0x7feb352d
	h ^= h >> 15
	h *= 0x846ca68b
	h ^= h >> 16
	return h
}

// unit turns hash bits into 0–1.
func unit(h uint32) float32 { return float32(h>>8) / (1 << 24) }

// random is a sequence of numbers 0–1.
type random struct {
	n noise
	i int32
}

func (r *random) next() float32 {
	r.i++
	return unit(r.n.hash(r.i, 77))
}

// between is a number from a to b.
func (r *random) between(a, b float32) float32 { return a + (b-a)*r.next() }

func floor(v float32) int32 {
	i := int32(v)
	if float32(i) > v {
		i--
	}
	return i
}

func wrap(i, n int32) int32 {
	if uint32(i) < uint32(n) {
		return i
	}
	i %= n
	if i < 0 {
		i += n
	}
	return i
}

var gradients = [8][2]float32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.7, 0.7}, {-0.7, 0.7}, {0.7, -0.7}, {-0.7, -0.7}}

// gradient is smooth noise of about −1–1 with cells×cells knots.
func (n noise) gradient(u, v float32, cells int32) float32 {
	x, y := u*float32(cells), v*float32(cells)
	i, j := floor(x), floor(y)
	x -= float32(i)
	y -= float32(j)
	i0, j0 := wrap(i, cells), wrap(j, cells)
	i1, j1 := i0+1, j0+1
	if i1 == cells {
		i1 = 0
	}
	if j1 == cells {
		j1 = 0
	}
	dot := func(i, j int32, x, y float32) float32 {
		g := &gradients[n.hash(i, j)&7]
		return g[0]*x + g[1]*y
	}
	a, b := dot(i0, j0, x, y), dot(i1, j0, x-1, y)
	c, d := dot(i0, j1, x, y-1), dot(i1, j1, x-1, y-1)
	s, t := ease(x), ease(y)
	return 1.5 * (a + (b-a)*s + (c-a)*t + (a-b-c+d)*s*t)
}

func ease(t float32) float32 { return t * t * t * (t*(t*6-15) + 10) }

// fractal sums octaves of gradient noise from cells knots on, each with gain
// times the amplitude of the last; about −1–1.
func (n noise) fractal(u, v float32, cells int32, octaves int, gain float32) float32 {
	var sum, norm float32
	a := float32(1)
	for o := range octaves {
		sum += a * (n+noise(o)*101).gradient(u, v, cells)
		norm += a
		a *= gain
		cells *= 2
	}
	return sum / norm * 1.4
}

// ridged is fractal noise folded to sharp crests; 0–1.
func (n noise) ridged(u, v float32, cells int32, octaves int, gain float32) float32 {
	var sum, norm float32
	a, carry := float32(1), float32(1)
	for o := range octaves {
		r := 1 - abs((n+noise(o)*101).gradient(u, v, cells))
		r *= r * carry
		carry = clamp(r*1.5, 0, 1)
		sum += a * r
		norm += a
		a *= gain
		cells *= 2
	}
	return sum / norm
}

// cell is what worley finds: the distances to the nearest and second nearest
// point in units of a knot's distance, the way to the nearest, and its number.
type cell struct {
	first, second float32
	dx, dy        float32
	id            uint32
}

// worley has one point in each of cells×cells squares, up to jitter/2 from their
// middles.
func (n noise) worley(u, v float32, cells int32, jitter float32) cell {
	x, y := u*float32(cells), v*float32(cells)
	i, j := floor(x), floor(y)
	c := cell{first: math.MaxFloat32, second: math.MaxFloat32}
	for b := j - 1; b <= j+1; b++ {
		for a := i - 1; a <= i+1; a++ {
			h := n.hash(wrap(a, cells), wrap(b, cells))
			px := float32(a) + 0.5 + jitter*(float32(h&0xffff)/0x10000-0.5) - x
			py := float32(b) + 0.5 + jitter*(float32(h>>16)/0x10000-0.5) - y
			d := px*px + py*py
			if d < c.first {
				c.second = c.first
				c.first, c.dx, c.dy, c.id = d, px, py, h
			} else if d < c.second {
				c.second = d
			}
		}
	}
	c.first, c.second = sqrt(c.first), sqrt(c.second)
	return c
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }

func abs(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}

func clamp(v, lo, hi float32) float32 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// step rises smoothly from 0 at a to 1 at b.
func step(a, b, v float32) float32 {
	t := clamp((v-a)/(b-a), 0, 1)
	return t * t * (3 - 2*t)
}

func sincos(a float32) (sin, cos float32) {
	s, c := math.Sincos(float64(a))
	return float32(s), float32(c)
}
