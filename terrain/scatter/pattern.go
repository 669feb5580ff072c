package scatter

import "math"

// cellsPerSpacing is how many of the finest cells lie along one spacing. The
// pattern is full when each of them has its candidate.
const cellsPerSpacing = 2

// topLevel is the coarsest level of cells; cells double their side with each.
const topLevel = 30

// birth is the age of a candidate: how many candidates a square of one spacing
// holds on average when it appears. Those of level k appear between 4⁻ᵏ and 4¹⁻ᵏ.
type birth float64

// fullBirth is when the finest level is complete.
const fullBirth birth = cellsPerSpacing * cellsPerSpacing

// cell is a square of the quadtree, its lower corner at (i, j) sides.
type cell struct {
	i, j  int64
	level int
}

// candidate is a place that may become a point.
type candidate struct {
	born cell // where it is not inherited
	hash uint64
	age  birth
	x, z float64 // world
}

// pattern computes the points of one seed and spacing. It remembers what it has
// decided, so use one for places that are near each other. It is not safe for
// concurrent use.
type pattern struct {
	seed    uint64
	spacing float64
	sides   [topLevel + 1]float64 // of each level's cells, metres
	known   map[cell]bool
}

func patternOf(seed uint64, spacing float64) pattern {
	p := pattern{seed: mix(seed + golden), spacing: spacing, known: make(map[cell]bool)}
	for level := range p.sides {
		p.sides[level] = math.Ldexp(spacing/cellsPerSpacing, level)
	}
	return p
}

// golden is 2⁶⁴ over the golden ratio, for spreading small numbers.
const golden = 0x9e3779b97f4a7c15

// mix is a bijection of 64 bits in which each bit of the input changes about half
// of the output (the finaliser of Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014).
func mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// unit gives 0–1, 1 excluded, from the upper half of a hash.
func unit(h uint64) float64 { return float64(h>>32) / (1 << 32) }

func (p *pattern) hash(c cell) uint64 {
	h := mix(p.seed + uint64(c.level)*golden ^ uint64(c.i))
	return mix(h + golden ^ uint64(c.j))
}

// heir is the quarter that inherits a cell's candidate.
func (c cell) heir(hash uint64) cell {
	return cell{c.i<<1 | int64(hash&1), c.j<<1 | int64(hash>>1&1), c.level - 1}
}

// at is the cell of a level that holds world x, z.
func (p *pattern) at(level int, x, z float64) cell {
	s := p.sides[level]
	return cell{int64(math.Floor(x / s)), int64(math.Floor(z / s)), level}
}

// origin finds the cell where the candidate of c was born, and its age.
func (p *pattern) origin(c cell) candidate {
	h := p.hash(c)
	for c.level < topLevel {
		up := cell{c.i >> 1, c.j >> 1, c.level + 1}
		uh := p.hash(up)
		if up.heir(uh) != c {
			break
		}
		c, h = up, uh
	}
	return candidate{born: c, hash: h, age: startOf(c.level) * birth(1+3*unit(h))}
}

// locate gives the candidate its place: down through the heirs to the finest cell, and in it
// anywhere.
func (p *pattern) locate(c candidate) candidate {
	k, h := c.born, c.hash
	for k.level > 0 {
		k = k.heir(h)
		h = p.hash(k)
	}
	g := mix(c.hash + golden)
	c.x = (float64(k.i) + unit(g)) * p.sides[0]
	c.z = (float64(k.j) + unit(g<<32)) * p.sides[0]
	return c
}

// older orders all candidates.
func (c candidate) older(o candidate) bool {
	switch {
	case c.age != o.age:
		return c.age < o.age
	case c.born.i != o.born.i:
		return c.born.i < o.born.i
	}
	return c.born.j < o.born.j
}

// isPoint decides whether a candidate is a point of the pattern: whether no older
// point is nearer than the spacing. It looks from the oldest to the youngest level,
// because old candidates are few and mostly points.
func (p *pattern) isPoint(c candidate) bool {
	// The youngest are many, few of them points, and hardly ever asked for twice.
	remember := c.born.level > 0
	if remember {
		if is, ok := p.known[c.born]; ok {
			return is
		}
	}
	is := true
	oldest := max(c.born.level, wideLevel)
	for level := oldest; is && level >= c.born.level; level-- {
		is = !p.covered(c, level, level == oldest)
	}
	if remember {
		p.known[c.born] = is
	}
	return is
}

// wideLevel is the first level whose cells are as wide as two spacings, so that no
// more than four lie within a spacing of a place.
const wideLevel = 2

// covered finds an older point too near c among the candidates that were born on a
// level, or also on those above it.
func (p *pattern) covered(c candidate, level int, above bool) bool {
	r := p.spacing
	side := p.sides[level]
	lo, hi := p.at(level, c.x-r, c.z-r), p.at(level, c.x+r, c.z+r)
	for j := lo.j; j <= hi.j; j++ {
		dz := gap(c.z, float64(j)*side, side)
		for i := lo.i; i <= hi.i; i++ {
			if !near(gap(c.x, float64(i)*side, side), dz, r) {
				continue
			}
			k := cell{i, j, level}
			o := p.origin(k)
			if !above && o.born != k || !o.older(c) {
				continue
			}
			o = p.locate(o)
			if near(o.x-c.x, o.z-c.z, r) && p.isPoint(o) {
				return true
			}
		}
	}
	return false
}

// gap is the distance from v to the interval of a length that begins at lo.
func gap(v, lo, length float64) float64 { return max(lo-v, 0, v-lo-length) }

func near(dx, dz, r float64) bool { return dx*dx+dz*dz < r*r }
