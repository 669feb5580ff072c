package glb

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// chunks is the number of chunks of the grid, those that are all holes included.
func (g ground) chunks() int {
	if g.field == nil {
		return 0
	}
	cols, rows := g.field.ChunkGrid()
	return cols * rows
}

// eachChunk builds all chunks, or only counts what they hold, on every processor and
// hands them to do in order, one at a time, with the chunk's number. At most two
// finished chunks a processor wait.
func (g ground) eachChunk(ctx context.Context, counting bool, do func(c int, prims []primitive) error) error {
	n := g.chunks()
	if n == 0 {
		return nil
	}
	cols, _ := g.field.ChunkGrid()
	scales := make([]float64, len(g.layers))
	for i, l := range g.layers {
		scales[i] = l.scale
	}
	workers := min(runtime.GOMAXPROCS(0), n)
	group, ctx := errgroup.WithContext(ctx)
	done := make([]chan []primitive, workers)
	for w := range workers {
		done[w] = make(chan []primitive, 1)
		group.Go(func() error {
			b := &builder{field: g.field, scales: scales, counting: counting}
			for c := w; c < n; c += workers {
				select {
				case done[w] <- b.build(c%cols, c/cols):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for c := range n {
			select {
			case prims := <-done[c%workers]:
				if err := do(c, prims); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}
