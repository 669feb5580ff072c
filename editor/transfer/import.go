package transfer

import (
	"context"
	"strconv"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
	"ridgeline/terrain/heightmap"
)

// Import says what a heightmap's samples become.
type Import struct {
	Spacing float64            // metres between samples; 0 takes the file's, or 1
	Mapping *heightmap.Mapping // heights of the sample range; nil: see heightmap.Info.DefaultMapping
	Void    heightmap.VoidPolicy
}

// Level makes a new level of a heightmap that was read.
func (o Import) Level(ctx context.Context, r *heightmap.Raster, progress func(float64)) (*document.Level, error) {
	heights, holes, err := r.Heights(ctx, o.Mapping, o.Void, progress)
	if err != nil {
		return nil, err
	}
	spacing := o.Spacing
	if spacing == 0 {
		spacing = r.Spacing()
	}
	if spacing == 0 {
		spacing = 1
	}
	field, err := terrain.FromHeights(r.Cols, r.Rows, spacing, heights)
	if err != nil {
		return nil, err
	}
	if holes != nil {
		field = punch(field, holes)
	}
	level := document.NewLevel(field)
	if r.Unsigned() {
		used := r.DefaultMapping()
		if o.Mapping != nil {
			used = *o.Mapping
		}
		level.Settings.HeightRange = document.HeightRange{Min: used.Min, Max: used.Max, Bits: r.Bits, Set: true}
	}
	level.Settings.Geo = geoOf(&r.Info, spacing)
	return level, level.Validate()
}

// Open reads a heightmap and makes a level of it.
func (o Import) Open(ctx context.Context, path string, h heightmap.Options, progress func(float64)) (*document.Level, error) {
	raster, err := heightmap.Read(ctx, path, h, func(done float64) { progress(done * 0.7) })
	if err != nil {
		return nil, err
	}
	level, err := o.Level(ctx, raster, func(done float64) { progress(0.7 + done*0.3) })
	return level, fault.Wrap("import the heightmap", path, err)
}

// punch opens the cells around voids.
func punch(f *terrain.Field, voids *heightmap.Mask) *terrain.Field {
	d := f.Draft()
	cols, rows := f.Size()
	open := func(c, r int) {
		if c >= 0 && r >= 0 && c < cols-1 && r < rows-1 {
			d.Flags(c/terrain.TileSize, r/terrain.TileSize)[r%terrain.TileSize*terrain.TileSize+c%terrain.TileSize] |= terrain.Hole
		}
	}
	for r := range rows {
		for c := range cols {
			if voids.At(c, r) {
				open(c-1, r-1)
				open(c, r-1)
				open(c-1, r)
				open(c, r)
			}
		}
	}
	g, _ := d.Field()
	return g
}

// The keys of the georeference that a level keeps. They describe the level as long
// as its spacing is geoSpacing.
const (
	geoUnits   = "units"
	geoX       = "x"
	geoY       = "y"
	geoCellX   = "cell_x"
	geoCellY   = "cell_y"
	geoAnchor  = "anchor"
	geoSpacing = "spacing"
)

func geoOf(i *heightmap.Info, spacing float64) map[string]string {
	g := i.Geo
	if g == nil {
		return nil
	}
	num := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	units, anchor := "metres", "corner"
	if g.Units == heightmap.Degrees {
		units = "degrees"
	}
	if g.Center {
		anchor = "center"
	}
	return map[string]string{
		geoUnits: units, geoX: num(g.X), geoY: num(g.Y), geoCellX: num(g.CellX), geoCellY: num(g.CellY),
		geoAnchor: anchor, geoSpacing: num(spacing),
	}
}
