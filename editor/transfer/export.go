package transfer

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/terrain/fault"
	"ridgeline/terrain/heightmap"
)

const opExport = "export the level"

// Export says what is written and how.
type Export struct {
	Level *document.Level
	Path  string // of the level, with which its files are found; empty for none
	// Min and Max, where given, are the heights of samples 0 and 65535 in 16 bits.
	Min, Max *float64
	GLTF     glb.Options // how .glb, .gltf and .pack are written
}

// Format is a kind of file that a level can be exported to.
type Format struct {
	Extension string // ".glb"
	Title     string
	Heights16 bool // has a range of heights
	Things    bool // holds objects and the like too, so that a level without ground can be written
	write     func(Export, context.Context, io.Writer, func(float64)) (Written, error)
	apart     func(Export, context.Context, string, func(float64)) (Written, error) // of several files
}

// Written says what was written.
type Written struct {
	What  string   // a phrase
	Notes []string // what is not as the user may expect, a sentence each
}

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{
		{".glb", "glTF binary, the whole level", false, true, Export.glb, nil},
		{".gltf", "glTF with files beside it, the whole level", false, true, nil, Export.apart},
		{".pack", "pack of plain files, the whole level", false, true, Export.pack, nil},
		{".png", "16-bit grey PNG, heights", true, false, Export.png, nil},
		{".r16", "16-bit raw, heights", true, false, Export.r16, nil},
		{".r32", "32-bit raw, heights", false, false, Export.r32, nil},
		{".asc", "ESRI grid, heights", false, false, Export.asc, nil},
	}
}

// FormatOf finds the format that a file's extension names. A path that ends in a slash is
// a folder for a pack.
func FormatOf(path string) (Format, error) {
	if path != "" && os.IsPathSeparator(path[len(path)-1]) {
		return Format{"/", "folder of plain files, the whole level", false, true, nil, Export.packFolder}, nil
	}
	ext := strings.ToLower(filepath.Ext(path))
	var known []string
	for _, f := range Formats() {
		if f.Extension == ext {
			return f, nil
		}
		known = append(known, f.Extension)
	}
	want := strings.Join(known[:len(known)-1], ", ") + " or " + known[len(known)-1]
	found := "the extension " + strconv.Quote(ext)
	if ext == "" {
		found = "no extension"
	}
	return Format{}, &fault.Error{Op: opExport, File: path, Found: found, Want: want}
}

// File writes the level to path, in the format of its extension, and tells what was
// written. progress is told the part done, 0–1.
func (e Export) File(ctx context.Context, path string, progress func(float64)) (done Written, err error) {
	format, err := FormatOf(path)
	if err != nil {
		return Written{}, err
	}
	if !format.Things && !e.Level.HasTerrain() {
		return Written{}, &fault.Error{Op: opExport, File: path, Found: "a level without terrain, which has no heights", Want: ".glb, which holds everything else"}
	}
	if format.apart != nil {
		return format.apart(e, ctx, path, progress)
	}
	err = Replace(opExport, path, func(w io.Writer) error {
		done, err = format.write(e, ctx, w, progress)
		return err
	})
	return done, err
}

// mapping is the range of heights of 16 bits; nil for lowest to highest.
func (e Export) mapping() *heightmap.Mapping {
	lo, hi := e.Level.Terrain.MinMax()
	m := heightmap.Mapping{Min: float64(lo), Max: float64(hi)}
	kept := e.Level.Settings.HeightRange
	if kept.Set {
		m = heightmap.Mapping{Min: kept.Min, Max: kept.Max}
	}
	if e.Min == nil && e.Max == nil && !kept.Set {
		return nil
	}
	if e.Min != nil {
		m.Min = *e.Min
	}
	if e.Max != nil {
		m.Max = *e.Max
	}
	return &m
}

func (e Export) size() string {
	cols, rows := e.Level.Terrain.Size()
	return fmt.Sprintf("%d×%d samples", cols, rows)
}

func (e Export) mapped(m heightmap.Mapping) string {
	return fmt.Sprintf("%s of 16 bits, 0 to 65535 for %s", e.size(), m)
}

func (e Export) r16(ctx context.Context, w io.Writer, progress func(float64)) (Written, error) {
	m, err := heightmap.WriteR16(ctx, w, e.Level.Terrain, e.mapping(), progress)
	return Written{What: e.mapped(m) + ", little-endian"}, err
}

func (e Export) png(ctx context.Context, w io.Writer, progress func(float64)) (Written, error) {
	m, err := heightmap.WritePNG16(ctx, w, e.Level.Terrain, e.mapping(), progress)
	return Written{What: e.mapped(m)}, err
}

func (e Export) r32(ctx context.Context, w io.Writer, progress func(float64)) (Written, error) {
	return Written{What: e.size() + " of 32-bit float, little-endian"}, heightmap.WriteR32(ctx, w, e.Level.Terrain, progress)
}

func (e Export) asc(ctx context.Context, w io.Writer, progress func(float64)) (Written, error) {
	o := e.ascOptions()
	return Written{What: fmt.Sprintf("%s, cell size %g", e.size(), o.CellSize)}, heightmap.WriteASC(ctx, w, e.Level.Terrain, o, progress)
}

// ascOptions writes the georeference back that the level was imported with, if it
// still fits. Otherwise the south-west sample stands where it is in the level.
func (e Export) ascOptions() heightmap.ASCOptions {
	f := e.Level.Terrain
	_, z := f.Extent()
	x0, z0 := f.Origin()
	plain := heightmap.ASCOptions{CellSize: f.Spacing(), X: x0, Y: -(z0 + z)}
	g := e.Level.Settings.Geo
	num := func(key string) float64 {
		v, err := strconv.ParseFloat(g[key], 64)
		if err != nil {
			return 0
		}
		return v
	}
	if g == nil || num(geoSpacing) != f.Spacing() || num(geoCellX) != num(geoCellY) || !(num(geoCellX) > 0) {
		return plain
	}
	return heightmap.ASCOptions{CellSize: num(geoCellX), X: num(geoX), Y: num(geoY)}
}
