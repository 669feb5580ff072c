package horizon

import (
	"math"
	"sync"

	"ridgeline/occluders/cull"
	"ridgeline/terrain"
)

// Ground is the ground of a field as something that hides. It implements
// cull.Horizon: it never changes and any number of goroutines may use it.
type Ground struct {
	field *terrain.Field

	onceHoles, onceRim sync.Once

	holes []gap    // runs of open cells, row by row
	rim   [4][]gap // the rim in pieces: left, top, right, bottom
}

var _ cull.Horizon = (*Ground)(nil)

// Of gives the ground of a field. It takes no time: what a view needs of the field
// is read when it is asked for.
func Of(f *terrain.Field) *Ground { return &Ground{field: f} }

// gap is a place at which a line of sight may get below the ground without
// crossing it: samples from (c0, r0) to (c1, r1), both included, of which none is
// higher than high.
type gap struct {
	c0, r0, c1, r1 int
	high           float64
}

// rimPiece is how many cells of the rim make one gap.
const rimPiece = 16

// findHoles looks for holes, in the chunks that have any.
func (g *Ground) findHoles() {
	f := g.field
	cc, cr := f.ChunkGrid()
	for cy := range cr {
		for cx := range cc {
			if f.Chunk(cx, cy).Holes {
				g.addHoles(cx, cy)
			}
		}
	}
}

// walkRim makes the pieces of the rim.
func (g *Ground) walkRim() {
	cols, rows := g.field.Size()
	for c := 0; c < cols-1; c += rimPiece {
		end := min(c+rimPiece, cols-1)
		g.rim[1] = append(g.rim[1], g.gap(c, 0, end, 0))
		g.rim[3] = append(g.rim[3], g.gap(c, rows-1, end, rows-1))
	}
	for r := 0; r < rows-1; r += rimPiece {
		end := min(r+rimPiece, rows-1)
		g.rim[0] = append(g.rim[0], g.gap(0, r, 0, end))
		g.rim[2] = append(g.rim[2], g.gap(cols-1, r, cols-1, end))
	}
}

func (g *Ground) addHoles(cx, cy int) {
	cells := g.field.ChunkRect(cx, cy)
	flags := g.field.Tile(cx, cy).Flags
	for r := cells.Min.Y; r < cells.Max.Y; r++ {
		row := flags[(r-cells.Min.Y)*terrain.TileSize:][:cells.Dx()]
		for i := 0; i < len(row); i++ {
			if row[i]&terrain.Hole == 0 {
				continue
			}
			from := i
			for i < len(row) && row[i]&terrain.Hole != 0 {
				i++
			}
			g.holes = append(g.holes, g.gap(cells.Min.X+from, r, cells.Min.X+i, r+1))
		}
	}
}

func (g *Ground) gap(c0, r0, c1, r1 int) gap {
	high := math.Inf(-1)
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			high = max(high, float64(g.field.Sample(c, r)))
		}
	}
	return gap{c0, r0, c1, r1, high}
}

// Begin implements cull.Horizon. Where the ground can hide nothing (see the package
// comment), the test is there all the same and says no.
func (g *Ground) Begin(v *cull.View, old cull.HorizonTest) cull.HorizonTest {
	t, ok := old.(*Test)
	if !ok || t == nil {
		t = new(Test)
	}
	t.begin(g, v)
	return t
}
