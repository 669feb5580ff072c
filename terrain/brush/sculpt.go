package brush

import (
	"image"
	"runtime"
	"sync"

	"ridgeline/terrain"
)

// work is what a stroke keeps between dabs so that they allocate nothing.
type work struct {
	grid    image.Rectangle    // the tiles under the dab
	heights []*terrain.Heights // of grid, row by row; nil where the disc has no sample
	bands   []band             // for smooth
}

// parallelFrom is the area of a dab, in samples, from which it pays to share it
// between processors.
const parallelFrom = 256 * 1024

// workers is the number of goroutines for a dab.
func (d *disc) workers() int {
	if d.rect.Dx()*d.rect.Dy() < parallelFrom {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

// share calls do for n things in equal parts, on as many goroutines.
func share(workers, n int, do func(from, to int)) {
	if workers <= 1 {
		do(0, n)
		return
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { do(n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

// gather asks the draft for the height planes under the dab.
func (s *Stroke) gather() (tiles int) {
	w, d, f := &s.work, &s.now, s.draft.View()
	w.grid = d.tiles()
	w.heights = w.heights[:0]
	for ty := w.grid.Min.Y; ty < w.grid.Max.Y; ty++ {
		for tx := w.grid.Min.X; tx < w.grid.Max.X; tx++ {
			var h *terrain.Heights
			if d.touches(f.TileRect(tx, ty).Intersect(d.rect)) {
				h = s.draft.Heights(tx, ty)
			}
			w.heights = append(w.heights, h)
		}
	}
	return len(w.heights)
}

// tile gives the i-th gathered plane, nil where the dab has none, with its runs
// and the distance of its first column from the centre.
func (s *Stroke) tile(i int, buf *[side]run) (h *terrain.Heights, runs []run, u0 float32) {
	h = s.work.heights[i]
	if h == nil {
		return nil, nil, 0
	}
	cols, _ := s.draft.View().Size()
	d, grid := &s.now, s.work.grid
	tx, ty := grid.Min.X+i%grid.Dx(), grid.Min.Y+i/grid.Dx()
	return h, d.runs(buf, &s.shape, tx, ty, min(side, cols-tx*side)), float32(float64(tx*side) - d.x)
}

func (s *Stroke) raise(from, to int) {
	var buf [side]run
	strength := float32(s.brush.Strength)
	if s.brush.Op == Lower {
		strength = -strength
	}
	for i := from; i < to; i++ {
		if h, runs, u0 := s.tile(i, &buf); h != nil {
			raiseTile(h, runs, &s.shape, u0, strength)
		}
	}
}

func (s *Stroke) flatten(from, to int) {
	var buf [side]run
	strength := float32(s.brush.Strength)
	for i := from; i < to; i++ {
		if h, runs, u0 := s.tile(i, &buf); h != nil {
			flattenTile(h, runs, &s.shape, u0, strength, s.level)
		}
	}
}
