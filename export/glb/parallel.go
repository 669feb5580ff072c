package glb

import (
	"context"
	"image"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// grid is the number of chunks along both axes.
func (g *ground) grid() (cols, rows int) {
	c, r := g.field.Size()
	return (c - 2 + g.edge) / g.edge, (r - 2 + g.edge) / g.edge
}

// chunks is the number of chunks of the grid, those that are all holes included.
func (g *ground) chunks() int {
	if g.field == nil {
		return 0
	}
	cols, rows := g.grid()
	return cols * rows
}

// chunkRect is the rectangle of cells of a chunk.
func (g *ground) chunkRect(cx, cy int) image.Rectangle {
	cols, rows := g.field.Size()
	n := g.edge
	return image.Rect(cx*n, cy*n, (cx+1)*n, (cy+1)*n).Intersect(image.Rect(0, 0, cols-1, rows-1))
}

// eachChunk builds all chunks, or only counts what they hold, on every processor and
// hands them to do in order, one at a time, with the chunk's number. At most two
// finished chunks a processor wait.
func (g *ground) eachChunk(ctx context.Context, counting bool, do func(c int, levels []level) error) error {
	n := g.chunks()
	if n == 0 {
		return nil
	}
	cols, _ := g.grid()
	workers := min(runtime.GOMAXPROCS(0), n)
	group, ctx := errgroup.WithContext(ctx)
	done := make([]chan []level, workers)
	for w := range workers {
		done[w] = make(chan []level, 1)
		group.Go(func() error {
			b := g.newBuilder(counting)
			for c := w; c < n; c += workers {
				levels := b.build(c%cols, c/cols)
				if b.err != nil {
					return b.err
				}
				select {
				case done[w] <- levels:
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
			case levels := <-done[c%workers]:
				if err := do(c, levels); err != nil {
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
