package brush

import (
	"image"

	"ridgeline/terrain"
)

// canvas is what a painting stroke remembers.
type canvas struct {
	tiles map[image.Point]*painted
	under []paintTile // the tiles under the dab
}

// painted is a tile that the stroke has touched.
type painted struct {
	before *terrain.Splats      // from before the stroke
	keep   [side * side]float32 // the share that is not painted over
}

type paintTile struct {
	at     image.Point
	splats *terrain.Splats
	past   *painted
}

// unroll asks the draft for the splat planes under the dab.
func (s *Stroke) unroll() (tiles int) {
	c, d, f := &s.canvas, &s.now, s.draft.View()
	c.under = c.under[:0]
	grid := d.tiles()
	for ty := grid.Min.Y; ty < grid.Max.Y; ty++ {
		for tx := grid.Min.X; tx < grid.Max.X; tx++ {
			if d.touches(f.TileRect(tx, ty).Intersect(d.rect)) {
				c.under = append(c.under, s.paintTile(image.Pt(tx, ty)))
			}
		}
	}
	return len(c.under)
}

func (s *Stroke) paint(from, to int) {
	var buf [side]run
	cols, _ := s.draft.View().Size()
	d := &s.now
	for i := from; i < to; i++ {
		t := &s.canvas.under[i]
		runs := d.runs(&buf, &s.shape, t.at.X, t.at.Y, min(side, cols-t.at.X*side))
		s.paintRuns(t, runs, float32(float64(t.at.X*side)-d.x))
	}
}

func (s *Stroke) paintTile(at image.Point) paintTile {
	f := s.draft.View()
	old := f.Tile(at.X, at.Y).Splats
	now := s.draft.Splats(at.X, at.Y)
	past := s.canvas.tiles[at]
	if past == nil {
		past = &painted{before: old}
		if old == now {
			// The draft had written the plane already, so it will change.
			c := *old
			past.before = &c
		}
		for i := range past.keep {
			past.keep[i] = 1
		}
		s.canvas.tiles[at] = past
	}
	return paintTile{at, now, past}
}

func (s *Stroke) paintRuns(t *paintTile, runs []run, u0 float32) {
	var fall [side]float32
	strength, layer := float32(s.brush.Strength), s.brush.Layer
	for k := range runs {
		n := &runs[k]
		falloffRow(&fall, *n, &s.shape, u0)
		keep := (*[side]float32)(t.past.keep[n.row*side:])
		before := (*[side]terrain.Splat)(t.past.before[n.row*side:])
		now := (*[side]terrain.Splat)(t.splats[n.row*side:])
		for i := n.from; i < n.to; i++ {
			w := strength * fall[i]
			if w == 0 {
				continue
			}
			if keep[i] == 0 {
				continue // nothing is left of the old splat
			}
			k := keep[i] * (1 - w)
			if k < endAt {
				k = 0
			}
			keep[i] = k
			if k <= startAt {
				now[i] = mix(before[i], layer, k)
			}
		}
	}
}
