package terrain

import (
	"image"
	"math"
)

// fan is the number of children of a node of the rays' tree along each axis.
const fan = 8

// bounds are the heights of the 8×8 children of a node, row by row: the greatest,
// and the negative of the least, so that a ray below the ground asks what one above
// it asks, upside down. A child that does not exist has −Inf for both.
type bounds struct{ high, deep [fan * fan]float32 }

var noBounds = func() (b bounds) {
	for i := range b.high {
		b.high[i], b.deep[i] = float32(math.Inf(-1)), float32(math.Inf(-1))
	}
	return b
}()

func (b *bounds) set(i int, m MinMax) { b.high[i], b.deep[i] = m.Max, -m.Min }

func (b *bounds) at(i int) MinMax { return MinMax{-b.deep[i], b.high[i]} }

// all is the range of all children.
func (b *bounds) all() MinMax {
	m := b.at(0)
	for i := range b.high {
		m = m.union(b.at(i))
	}
	return m
}

// node is a node of the tree that rays walk above the chunks. Its children are 8×8
// chunks at the lowest level and nodes above. Fields share nodes; a node that a
// field holds never changes.
type node struct {
	bounds
	chunks [fan * fan]*Chunk
	nodes  [fan * fan]*node
}

// buildTree puts the tree over the chunks.
func (f *Field) buildTree() {
	cc, cr := f.ChunkGrid()
	w, h := cc, cr
	below := make([]*node, 0)
	for f.depth = 0; f.depth == 0 || w > 1 || h > 1; f.depth++ {
		up, uw, uh := below, (w+fan-1)/fan, (h+fan-1)/fan
		below = make([]*node, uw*uh)
		for i := range below {
			below[i] = &node{bounds: noBounds}
		}
		for y := range h {
			for x := range w {
				n, i := below[y/fan*uw+x/fan], y%fan*fan+x%fan
				if f.depth == 0 {
					n.setChunk(i, f.chunks[y][x])
				} else {
					n.setNode(i, up[y*w+x])
				}
			}
		}
		w, h = uw, uh
	}
	f.root = below[0]
	f.noteExtent()
}

// extent is what every ray needs of a field.
type extent struct {
	width, depth    float64 // in cells
	size            float64 // the greater of the two
	inverse         float64 // 1/spacing where that is exact, else 0
	lowest, highest float64 // MinMax
	tallest         float64 // the greater of the two without sign
	pad             float32 // by how much of their size the kernel takes children wider
}

func (f *Field) noteExtent() {
	m := f.root.all()
	e := extent{width: float64(f.cols - 1), depth: float64(f.rows - 1), lowest: float64(m.Min), highest: float64(m.Max)}
	e.size = max(e.width, e.depth)
	e.tallest = max(-e.lowest, e.highest)
	if frac, _ := math.Frexp(f.spacing); frac == 0.5 {
		e.inverse = 1 / f.spacing
	}
	// The kernel finds sides in up to five steps from the field's origin, each rounded
	// to 2⁻²⁴ of the field's size.
	e.pad = float32(max(e.size, 64) * 0x1p-19)
	f.extent = e
}

func (n *node) setChunk(i int, c *Chunk) {
	n.chunks[i] = c
	n.bounds.set(i, c.MinMax)
}

func (n *node) setNode(i int, c *node) {
	n.nodes[i] = c
	n.bounds.set(i, c.all())
}

// updateTree replaces the nodes above the given chunks, which have changed.
func (f *Field) updateTree(chunks []image.Point) {
	own := make(map[*node]bool, 8)
	f.root = f.root.update(f, chunks, own, f.depth-1)
	f.noteExtent()
}

// update gives the node with the chunks among its children replaced; own has the
// nodes that are not yet shared.
func (n *node) update(f *Field, chunks []image.Point, own map[*node]bool, level int) *node {
	if !own[n] {
		c := *n
		n = &c
		own[n] = true
	}
	for _, p := range chunks {
		i := p.Y>>(3*level)%fan*fan + p.X>>(3*level)%fan
		if level == 0 {
			n.setChunk(i, f.chunks[p.Y][p.X])
		} else {
			n.setNode(i, n.nodes[i].update(f, []image.Point{p}, own, level-1))
		}
	}
	return n
}
