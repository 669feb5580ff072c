package terrain

import "math/bits"

// The kernel tests the 8×8 children of a node against a ray at once, in float32.
// What it leaves out is certain: it takes each child for a little wider and the ray
// for a little lower than they are, by more than float32 rounds. What it keeps, the
// next level or the cell decides. (Testing one ray against many children with vector
// instructions: Wald, Benthin and Boulos, "Getting Rid of Packets: Efficient SIMD
// Single-Ray Traversal using Multi-branching BVHs", 2008.)
//
// Sides of children are given by where the ray crosses them: the k-th side along x
// of a node whose first one is crossed at x lies at x + k·size·ix.

// line is a ray as the kernel sees it.
type line struct {
	ix, iz       float32
	padX, padZ   float32 // how much wider children are taken, against their size, signed as ix and iz
	nearX, nearZ float32 // 0 or 1: the side that the ray meets first
	from, to     float32 // where the ray begins and ends
	low, slope   float32 // the ray's height above the ground is low + s·slope at least
}

// sides are where the ray crosses the lower sides of the children of a node.
type sides struct{ x, z [fan]float32 }

// The samples of a block of cells in a tile's rows, without the ninth row; seam
// blocks are those whose ninth column lies in the next tile.
type (
	blockRows [7*TileSize + 9]float32
	blockRow  [9]float32
	seamRows  [7*TileSize + 8]float32
	seamRow   [8]float32
)

// of makes it the walker's ray.
func (l *line) of(w *walker, e *extent) {
	pad := e.pad
	l.ix, l.iz = float32(w.ix), float32(w.iz)
	l.padX, l.padZ = pad, pad
	if w.nearX != 0 {
		l.nearX, l.padX = 1, -pad
	}
	if w.nearZ != 0 {
		l.nearZ, l.padZ = 1, -pad
	}
	l.from, l.to = -pad, float32(w.end)+pad
	l.low, l.slope = w.lowest(w.under)
}

// grid is where the line crosses the sides of 8×8 children.
type grid struct {
	line
	sides
	nearXs, farXs, nearZs, farZs float32 // from a child's lower side to its near and far ones
}

func (l *line) grid(x, z, size float32) (g grid) {
	g.line = *l
	sx, sz := size*l.ix, size*l.iz
	for i := range fan {
		g.x[i], g.z[i] = x+float32(i)*sx, z+float32(i)*sz
	}
	g.nearXs, g.farXs = (l.nearX-l.padX)*sx, (1-l.nearX+l.padX)*sx
	g.nearZs, g.farZs = (l.nearZ-l.padZ)*sz, (1-l.nearZ+l.padZ)*sz
	return g
}

// way gives the children that the line passes over. It goes through rows and columns
// in order, so few are looked at.
func (g *grid) way() (mask uint64) {
	first, step := 0, 1
	if g.nearX != 0 {
		first, step = fan-1, -1
	}
	for k := range fan {
		r := k
		if g.nearZ != 0 {
			r = fan - 1 - k
		}
		in, out := max(g.z[r]+g.nearZs, g.from), min(g.z[r]+g.farZs, g.to)
		if in > out {
			continue
		}
		for c := first; c >= 0 && c < fan; c += step {
			if g.x[c]+g.nearXs > out {
				break // it has left the row
			}
			if g.x[c]+g.farXs >= in {
				mask |= 1 << (r*fan + c)
			} else {
				first = c // and later rows lie farther along
			}
		}
	}
	return mask
}

// least is the least height of the line over a child.
func (g *grid) least(child int) float32 {
	x, z := g.x[child%fan], g.z[child/fan%fan]
	if g.slope > 0 {
		return g.low + max(x+g.nearXs, z+g.nearZs, g.from)*g.slope
	}
	return g.low + min(x+g.farXs, z+g.farZs, g.to)*g.slope
}

// childrenScalar gives the children that the line passes lower than their high.
func childrenScalar(l *line, x, z, size float32, high *[fan * fan]float32, below *sides) uint64 {
	g := l.grid(x, z, size)
	*below = g.sides
	mask := g.way()
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if g.least(i) > high[i] {
			mask &^= 1 << i
		}
	}
	return mask
}

// cellsScalar is childrenScalar for the cells of a block.
func cellsScalar(l *line, x, z float32, h *blockRows, last *blockRow) uint64 {
	g := l.grid(x, z, 1)
	mask := g.way()
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		c, at := i%fan, i/fan*TileSize+i%fan
		high := max(h[at], h[at+1])
		if i < fan*fan-fan {
			high = max(high, h[at+TileSize], h[at+TileSize+1])
		} else {
			high = max(high, last[c], last[c+1])
		}
		if g.least(i) > high {
			mask &^= 1 << i
		}
	}
	return mask
}

// seamScalar is cellsScalar for a seam block; the ground of its last column is taken
// to reach up to high.
func seamScalar(l *line, x, z float32, h *seamRows, last *seamRow, high float32) uint64 {
	g := l.grid(x, z, 1)
	mask := g.way()
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		c, at := i%fan, i/fan*TileSize+i%fan
		top := high
		if c < fan-1 {
			top = max(h[at], h[at+1])
			if i < fan*fan-fan {
				top = max(top, h[at+TileSize], h[at+TileSize+1])
			} else {
				top = max(top, last[c], last[c+1])
			}
		}
		if g.least(i) > top {
			mask &^= 1 << i
		}
	}
	return mask
}
