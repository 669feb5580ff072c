package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
	"ridgeline/terrain/heightmap"
)

// exportJob is one call of the verb export.
type exportJob struct {
	level    *document.Level
	path     string // of the level
	out      string
	min, max numberFlag
	progress *progress
}

// exporters are the formats by extension.
var exporters = map[string]func(context.Context, *exportJob, io.Writer) (note string, err error){
	".r16": exportR16,
	".r32": exportR32,
	".png": exportPNG,
	".asc": exportASC,
	".glb": exportGLB,
}

// laterExports are the extensions that later versions will know.
var laterExports = []string{".gltf", ".pack"}

const (
	opExport    = "export the level"
	exportsList = ".glb, .r16, .r32, .png or .asc"
)

func exportVerb(sh *shell) *cobra.Command {
	var j exportJob
	var recover bool
	c := &cobra.Command{
		Use:   "export LEVEL -o FILE",
		Short: "Write a level for another program",
		Long: "Write a level for another program, in the format that the extension names: .glb for game\n" +
			"engines, heights as .r16, .r32, 16-bit .png or .asc. 16 bits need a range of heights: that of --min and --max, else that of the\n" +
			"heightmap the level was imported from, else from the lowest to the highest height.",
		Args: words(1, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) error {
			if j.out == "" {
				return misuse("export: expected -o FILE")
			}
			write, err := exporter(j.out)
			if err != nil {
				return err
			}
			j.path = args[0]
			if j.level, _, err = sh.openLevel(c.Context(), j.path, recover); err != nil {
				return err
			}
			j.progress = sh.progress()
			defer j.progress.done()
			var note string
			err = writeFile(j.out, func(w io.Writer) error {
				note, err = write(c.Context(), &j, w)
				return err
			})
			j.progress.done()
			if err != nil {
				return err
			}
			fmt.Fprintf(sh.out, "%s: %s\n", j.out, note)
			return nil
		},
	}
	f := c.Flags()
	f.StringVarP(&j.out, "output", "o", "", "the file to write")
	f.Var(&j.min, "min", "height in metres of sample 0 in 16 bits")
	f.Var(&j.max, "max", "height in metres of sample 65535 in 16 bits")
	recoverFlag(c, &recover)
	return c
}

// exporter finds the format of a file name.
func exporter(path string) (func(context.Context, *exportJob, io.Writer) (string, error), error) {
	ext := strings.ToLower(filepath.Ext(path))
	if write, ok := exporters[ext]; ok {
		return write, nil
	}
	for _, later := range laterExports {
		if ext == later {
			return nil, &fault.Error{Op: opExport, File: path, Found: "the format " + ext + ", which comes with a later version", Want: exportsList}
		}
	}
	found := "the extension " + strconv.Quote(ext)
	if ext == "" {
		found = "no extension"
	}
	return nil, &fault.Error{Op: opExport, File: path, Found: found, Want: exportsList}
}

// writeFile puts a file in place in one step: when anything fails, what was there
// stays and nothing is left.
func writeFile(path string, write func(io.Writer) error) error {
	real := path
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return &fault.Error{Op: opExport, File: path, Found: "a folder", Want: "the name of a file"}
	case err == nil && !info.Mode().IsRegular():
		return &fault.Error{Op: opExport, File: path, Found: "a device or pipe", Want: "the name of a file"}
	case err == nil:
		// Renaming over it would succeed although it is write-protected.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fault.Wrap(opExport, path, err)
		}
		f.Close()
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return fault.Wrap(opExport, path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(opExport, path, err)
	}
	f, err := renameio.NewPendingFile(real, renameio.WithTempDir(filepath.Dir(real)), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err != nil {
		return fault.Wrap(opExport, path, err)
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return fault.Wrap(opExport, path, err)
	}
	return fault.Wrap(opExport, path, f.CloseAtomicallyReplace())
}

// rows gives the writers of heightmaps the heights of a field.
type rows struct{ *terrain.Field }

func (r rows) AppendRow(dst []float32, row int) []float32 {
	cols, _ := r.Size()
	n := len(dst)
	dst = append(dst, make([]float32, cols)...)
	r.CopyHeights(dst[n:], cols, image.Rect(0, row, cols, row+1))
	return dst
}

// mapping is the range of heights of 16 bits; nil for lowest to highest.
func (j *exportJob) mapping() *heightmap.Mapping {
	lo, hi := j.level.Terrain.MinMax()
	m := heightmap.Mapping{Min: float64(lo), Max: float64(hi)}
	kept := j.level.Settings.HeightRange
	if kept.Set {
		m = heightmap.Mapping{Min: kept.Min, Max: kept.Max}
	}
	if j.min.value == nil && j.max.value == nil && !kept.Set {
		return nil
	}
	if j.min.value != nil {
		m.Min = *j.min.value
	}
	if j.max.value != nil {
		m.Max = *j.max.value
	}
	return &m
}

func (j *exportJob) part() func(float64) { return j.progress.part("writing " + filepath.Base(j.out)) }

func (j *exportJob) size() string {
	cols, rows := j.level.Terrain.Size()
	return fmt.Sprintf("%d×%d samples", cols, rows)
}

func (j *exportJob) mapped(m heightmap.Mapping) string {
	return fmt.Sprintf("%s of 16 bits, 0 to 65535 for %s", j.size(), m)
}

func exportR16(ctx context.Context, j *exportJob, w io.Writer) (string, error) {
	m, err := heightmap.WriteR16(ctx, w, rows{j.level.Terrain}, j.mapping(), j.part())
	return j.mapped(m) + ", little-endian", err
}

func exportPNG(ctx context.Context, j *exportJob, w io.Writer) (string, error) {
	m, err := heightmap.WritePNG16(ctx, w, rows{j.level.Terrain}, j.mapping(), j.part())
	return j.mapped(m), err
}

func exportR32(ctx context.Context, j *exportJob, w io.Writer) (string, error) {
	return j.size() + " of 32-bit float, little-endian", heightmap.WriteR32(ctx, w, rows{j.level.Terrain}, j.part())
}

func exportASC(ctx context.Context, j *exportJob, w io.Writer) (string, error) {
	o := j.ascOptions()
	return fmt.Sprintf("%s, cell size %g", j.size(), o.CellSize), heightmap.WriteASC(ctx, w, rows{j.level.Terrain}, o, j.part())
}

// ascOptions writes the georeference back that the level was imported with, if it
// still fits. Otherwise the south-west sample stands where it is in the level.
func (j *exportJob) ascOptions() heightmap.ASCOptions {
	f := j.level.Terrain
	_, z := f.Extent()
	x0, z0 := f.Origin()
	plain := heightmap.ASCOptions{CellSize: f.Spacing(), X: x0, Y: -(z0 + z)}
	g := j.level.Settings.Geo
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
