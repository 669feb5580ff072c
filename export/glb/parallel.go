package glb

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// eachChunk builds all chunks on every processor and hands them to do in order,
// one at a time, with the chunk's number and the number of chunks. At most two
// finished chunks a processor wait.
func eachChunk(ctx context.Context, s Scene, do func(c, n int, prims []primitive) error) error {
	if err := checkLayers(s); err != nil {
		return err
	}
	cols, rows := s.Terrain.ChunkGrid()
	n := cols * rows
	scales := make([]float64, len(s.Layers))
	for i, l := range s.Layers {
		scales[i] = l.Scale
	}
	workers := min(runtime.GOMAXPROCS(0), n)
	group, ctx := errgroup.WithContext(ctx)
	done := make([]chan []primitive, workers)
	for w := range workers {
		done[w] = make(chan []primitive, 1)
		group.Go(func() error {
			b := &builder{field: s.Terrain, scales: scales}
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
				if err := do(c, n, prims); err != nil {
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

// checkLayers makes sure that every layer that the terrain shows exists.
func checkLayers(s Scene) error {
	for i, l := range s.Layers {
		if !(l.Scale > 0) || l.Texture == nil {
			return fmt.Errorf("layer %d (%q) has scale %g and no usable texture", i, l.Name, l.Scale)
		}
	}
	tc, tr := s.Terrain.TileGrid()
	for ty := range tr {
		for tx := range tc {
			for _, v := range s.Terrain.Tile(tx, ty).Splats {
				for _, l := range [3]uint8{v.Base, v.Over, v.Third} {
					if int(l) >= len(s.Layers) {
						return fmt.Errorf("the terrain shows layer %d, expected one of the level's %d layers", l, len(s.Layers))
					}
				}
			}
		}
	}
	return nil
}
