package shade

import (
	"context"
	"fmt"
	"image"
	"runtime"
	"sync"
	"sync/atomic"

	"ridgeline/terrain"
)

// Options say what is baked.
type Options struct {
	Tiles    []image.Point         // the tiles whose light is computed; nil is all
	Shadows  bool                  // whether the ground casts shadows
	Progress func(done, total int) // called after each tile, one call at a time; may be nil
}

// Bake gives the field with the light of the sun on its samples. Light outside the
// tiles named stays as it is. A sun that is out of range or a tile that does not
// exist is an error; when ctx is cancelled its error is returned.
func Bake(ctx context.Context, f *terrain.Field, sun Sun, opt Options) (*terrain.Field, error) {
	if err := sun.Check(); err != nil {
		return nil, err
	}
	tiles := opt.Tiles
	grid := image.Rectangle{Max: image.Pt(f.TileGrid())}
	if tiles == nil {
		for y := range grid.Max.Y {
			for x := range grid.Max.X {
				tiles = append(tiles, image.Pt(x, y))
			}
		}
	}
	for _, t := range tiles {
		if !t.In(grid) {
			return nil, fmt.Errorf("there is no tile %d,%d in a grid of %d×%d", t.X, t.Y, grid.Max.X, grid.Max.Y)
		}
	}
	b := baker{f: f, lamp: lampOf(sun)}
	if opt.Shadows && sun.Elevation > 0 {
		var err error
		if b.caster, err = newCaster(ctx, f, SunDirection(sun.Azimuth, sun.Elevation)); err != nil {
			return nil, err
		}
	}
	lights := make([]*terrain.Light, len(tiles))
	var lock sync.Mutex
	done := 0
	err := inParallel(ctx, len(tiles), func(i int) {
		lights[i] = b.tile(tiles[i])
		if opt.Progress != nil {
			lock.Lock()
			defer lock.Unlock()
			done++
			opt.Progress(done, len(tiles))
		}
	})
	if err != nil {
		return nil, err
	}
	d := f.Draft()
	for i, t := range tiles {
		if lights[i] != nil {
			d.Put(t.X, t.Y, terrain.Tile{Light: lights[i]}, terrain.PlaneLight)
		}
	}
	g, _ := d.Field()
	return g, nil
}

// lamp is the sun as the samples see it.
type lamp struct {
	dir            [3]float32
	color, ambient [3]float32
	dark           terrain.RGB // in shadow
}

func lampOf(s Sun) (l lamp) {
	dir := SunDirection(s.Azimuth, s.Elevation)
	for i := range 3 {
		l.dir[i] = float32(dir[i])
		l.ambient[i] = float32(s.Ambient[i])
		if s.Elevation > 0 {
			l.color[i] = float32(s.Color[i] * s.Intensity)
		}
	}
	l.dark = l.rgb(0)
	return l
}

// rgb is the light of a sample on which the sun falls with the given cosine.
func (l *lamp) rgb(cos float32) terrain.RGB {
	return terrain.RGB{
		R: SRGB(l.ambient[0] + cos*l.color[0]),
		G: SRGB(l.ambient[1] + cos*l.color[1]),
		B: SRGB(l.ambient[2] + cos*l.color[2]),
	}
}

type baker struct {
	f      *terrain.Field
	lamp   lamp
	caster *caster // nil without shadows
}

// tile computes the light of a tile; nil when it is what the tile has.
func (b *baker) tile(t image.Point) *terrain.Light {
	old := b.f.Tile(t.X, t.Y).Light
	light := *old
	l := &b.lamp
	rows := normalRows{f: b.f, rect: b.f.TileRect(t.X, t.Y)}
	for rows.next() {
		out := light[rows.row%side*side:]
		for i := range rows.n {
			cos := rows.x[i]*l.dir[0] + rows.y[i]*l.dir[1] + rows.z[i]*l.dir[2]
			if !(cos > 0) || b.caster != nil && b.caster.hidden(rows.col+i, rows.row) {
				out[i] = l.dark
			} else {
				out[i] = l.rgb(cos)
			}
		}
	}
	if light == *old {
		return nil
	}
	return &light
}

// inParallel calls do for 0 … n−1 on all processors until ctx is cancelled, and
// waits for the calls to end.
func inParallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
