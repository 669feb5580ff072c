package packer

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/terrain"
	"ridgeline/terrain/heightmap"
)

// ground writes the files of the ground and tells what they are. Textures of layers are
// for the caller to set.
func (o *output) ground(l *document.Level, kind glb.Heights, progress func(float64)) (*pack.Ground, error) {
	f := l.Terrain
	g := &pack.Ground{Spacing: f.Spacing(), Layers: []pack.Layer{}}
	g.Columns, g.Rows = f.Size()
	g.Origin[0], g.Origin[1] = f.Origin()
	lo, hi := f.MinMax()
	g.Lowest, g.Highest = float64(lo), float64(hi)
	if err := o.heights(f, g, kind, func(done float64) { progress(0.4 * done) }); err != nil {
		return nil, err
	}
	if err := o.points(f, g); err != nil {
		return nil, err
	}
	progress(0.6)
	if err := o.layers(l, g, func(done float64) { progress(0.6 + 0.4*done) }); err != nil {
		return nil, err
	}
	return g, o.holes(f, g)
}

// heights writes all heights, held against being numbers.
func (o *output) heights(f *terrain.Field, g *pack.Ground, kind glb.Heights, progress func(float64)) error {
	switch kind {
	case glb.HeightsFloat:
		g.Heights = &pack.Heights{File: "heights.r32", Type: "float32"}
		return o.file(g.Heights.File, func(w io.Writer) error { return heightmap.WriteR32(o.ctx, w, f, progress) })
	case glb.Heights16:
		g.Heights = &pack.Heights{File: "heights.r16", Type: "uint16", Offset: g.Lowest, Scale: step(g, math.MaxUint16)}
		g.Heights.Error = g.Heights.Scale / 2
		return o.file(g.Heights.File, func(w io.Writer) error {
			_, err := heightmap.WriteR16(o.ctx, w, f, nil, progress)
			return err
		})
	}
	return nil
}

// step is the difference between heights that integers up to most can tell apart; 1 for
// level ground.
func step(g *pack.Ground, most float64) float64 {
	if s := (g.Highest - g.Lowest) / most; s > 0 {
		return s
	}
	return 1
}

// points writes five bytes a sample.
func (o *output) points(f *terrain.Field, g *pack.Ground) error {
	p := pack.Points{File: "points.bin", Offset: g.Lowest, Scale: step(g, math.MaxUint8)}
	p.Error = p.Scale / 2
	if g.Highest <= g.Lowest {
		p.Error = 0
	}
	g.Points = p
	return o.file(p.File, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		heights, splats, light := make([]float32, g.Columns), make([]terrain.Splat, g.Columns), make([]terrain.RGB, g.Columns)
		line := make([]byte, 0, pack.PointSize*g.Columns)
		for r := range g.Rows {
			if r%64 == 0 && o.ctx.Err() != nil {
				return o.ctx.Err()
			}
			row := image.Rect(0, r, g.Columns, r+1)
			f.CopyHeights(heights, g.Columns, row)
			f.CopySplats(splats, g.Columns, row)
			f.CopyLight(light, g.Columns, row)
			line = line[:0]
			for i, h := range heights {
				if h-h != 0 {
					return fmt.Errorf("row %d, column %d has the height %g, expected a number", r, i, h)
				}
				v := math.Round((float64(h) - p.Offset) / p.Scale)
				alpha := math.Round(255 * (1 - splats[i].Weight(0)))
				line = append(line, byte(min(max(v, 0), 255)), byte(min(max(alpha, 0), 255)), light[i].R, light[i].G, light[i].B)
			}
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// layers writes the weights of each layer that shows somewhere.
func (o *output) layers(l *document.Level, g *pack.Ground, progress func(float64)) error {
	f := l.Terrain
	var shown [256]bool
	tc, tr := f.TileGrid()
	for ty := range tr {
		for tx := range tc {
			last, first := terrain.Splat{}, true
			for _, s := range f.Tile(tx, ty).Splats {
				if s == last && !first {
					continue
				}
				last, first = s, false
				for _, k := range [3]uint8{s.Base, s.Over, s.Third} {
					shown[k] = shown[k] || s.Weight(k) > 0
				}
			}
		}
	}
	splats := make([]terrain.Splat, g.Columns)
	for i, layer := range l.Layers {
		progress(float64(i) / float64(len(l.Layers)))
		tint := layer.Tint
		if tint == (mgl64.Vec3{}) {
			tint = mgl64.Vec3{1, 1, 1}
		}
		out := pack.Layer{Name: layer.Name, Scale: layer.UVScale, Tint: tint}
		if i < len(shown) && shown[i] {
			out.Weights = fmt.Sprintf("weights/%03d.png", i)
			err := o.file(out.Weights, func(w io.Writer) error {
				return heightmap.WriteGrey8(o.ctx, w, g.Columns, g.Rows, func(pixels []byte, row int) {
					f.CopySplats(splats, g.Columns, image.Rect(0, row, g.Columns, row+1))
					for k, s := range splats {
						pixels[k] = byte(math.Round(255 * min(s.Weight(uint8(i)), 1)))
					}
				})
			})
			if err != nil {
				return err
			}
		}
		g.Layers = append(g.Layers, out)
	}
	return nil
}

// holes writes the cells without ground, if there are any.
func (o *output) holes(f *terrain.Field, g *pack.Ground) error {
	cols, rows := f.ChunkGrid()
	for i := range cols * rows {
		if f.Chunk(i%cols, i/cols).Holes {
			g.Holes = "holes.json"
		}
	}
	if g.Holes == "" {
		return nil
	}
	return o.file(g.Holes, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		fmt.Fprintf(out, `{"columns":%d,"rows":%d,"runs":[`, g.Columns-1, g.Rows-1)
		row := make([]uint8, g.Columns)
		comma := "\n["
		var run []byte
		for r := range g.Rows - 1 {
			if r%64 == 0 && o.ctx.Err() != nil {
				return o.ctx.Err()
			}
			f.CopyFlags(row, g.Columns, image.Rect(0, r, g.Columns, r+1))
			for c := 0; c < g.Columns-1; c++ {
				n := 0
				for c+n < g.Columns-1 && row[c+n]&terrain.Hole != 0 {
					n++
				}
				if n > 0 {
					run = strconv.AppendInt(append(run[:0], comma...), int64(r), 10)
					run = strconv.AppendInt(append(run, ','), int64(c), 10)
					run = strconv.AppendInt(append(run, ','), int64(n), 10)
					out.Write(append(run, ']'))
					comma = ",\n["
					c += n
				}
			}
		}
		out.WriteString("]}\n")
		return out.Flush() // keeps the first error
	})
}
