package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"ridgeline/editor/transfer"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
	"ridgeline/terrain/heightmap"
)

const opImport = "import the heightmap"

// importFlags are the flags of import.
type importFlags struct {
	out              string
	format           string
	size             sizeFlag
	bits             int
	endian           choiceFlag
	signed           bool
	units            choiceFlag
	spacing          numberFlag
	min, max, nodata numberFlag
	void             choiceFlag
	infoOnly, force  bool
}

func importVerb(sh *shell) *cobra.Command {
	o := importFlags{
		endian: choiceFlag{"", []string{"little", "big"}},
		units:  choiceFlag{"", []string{"metres", "degrees"}},
		void:   choiceFlag{"fill", []string{"fill", "hole"}},
	}
	c := &cobra.Command{
		Use:   "import HEIGHTMAP -o LEVEL",
		Short: "Make a level from a heightmap",
		Long: "Make a level from a heightmap: grey PNG of 8 or 16 bits, raw of 8, 16 or 32 bits (.raw .r8 .r16 .r32),\n" +
			"SRTM .hgt and ESRI .asc. What the file holds is told before it is loaded.",
		Args: words(1, 1, "a heightmap"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.out == "" && !o.infoOnly {
				return misuse("import: expected -o LEVEL, or --info to look only")
			}
			return sh.importFile(c.Context(), args[0], &o)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.out, "output", "o", "", "the level to make")
	f.StringVar(&o.format, "format", "", "png, raw, r8, r16, r32, hgt or asc, whatever the file's name says")
	f.Var(&o.size, "size", "samples of a raw file; guessed when it is square")
	f.Var((*intFlag)(&o.bits), "bits", "bits a sample of a raw file: 8, 16 or 32 (float)")
	f.Var(&o.endian, "endian", "byte order of a raw file (default little)")
	f.BoolVar(&o.signed, "signed", false, "a raw file of 16 bits holds signed metres")
	f.Var(&o.units, "units", "what the cell size of an .asc file counts")
	f.Var(&o.spacing, "spacing", "distance between samples in metres (default from the file, else 1)")
	f.Var(&o.min, "min", "height in metres of the lowest sample value")
	f.Var(&o.max, "max", "height in metres of the highest sample value")
	f.Var(&o.nodata, "nodata", "sample value that means no height")
	f.Var(&o.void, "void", "what becomes of samples without height")
	f.BoolVar(&o.infoOnly, "info", false, "only tell what the file holds")
	f.BoolVar(&o.force, "force", false, "replace a level that exists")
	return c
}

// options are the reader's part of the flags.
func (o *importFlags) options(path string) (heightmap.Options, error) {
	h := heightmap.Options{Cols: o.size.w, Rows: o.size.h, Bits: o.bits, Signed: o.signed, Nodata: o.nodata.value}
	if o.format != "" {
		f, ok := heightmap.ParseFormat(o.format)
		if !ok {
			return h, misuse("import: --format is %q, expected png, raw, r8, r16, r32, hgt or asc", o.format)
		}
		h.Format = f
	}
	if o.size.given {
		if err := terrain.CheckSize(o.size.w, o.size.h); err != nil {
			return h, &fault.Error{Op: opImport, File: path, Place: "--size", Err: err}
		}
	}
	switch o.endian.value {
	case "little":
		h.Endian = heightmap.LittleEndian
	case "big":
		h.Endian = heightmap.BigEndian
	}
	switch o.units.value {
	case "metres":
		h.Units = heightmap.Metres
	case "degrees":
		h.Units = heightmap.Degrees
	}
	return h, nil
}

func (sh *shell) importFile(ctx context.Context, path string, o *importFlags) error {
	opts, err := o.options(path)
	if err != nil {
		return err
	}
	if v := o.spacing.value; v != nil {
		if err := terrain.CheckSpacing(*v); err != nil {
			return &fault.Error{Op: opImport, File: path, Place: "--spacing", Err: err}
		}
	}
	if o.infoOnly {
		info, err := heightmap.Inspect(ctx, path, opts)
		if err != nil {
			return err
		}
		m := o.mapping(&info)
		if m != nil {
			if err := m.Check(); err != nil {
				return fault.Wrap(opImport, path, err)
			}
		}
		return tell(sh.out, path, &info, m)
	}
	if sameFile(path, o.out) {
		return &fault.Error{Op: opImport, File: o.out, Found: "the heightmap itself", Want: "the name of a level"}
	}
	t, err := newTarget(opImport, o.out, o.force)
	if err != nil {
		return err
	}
	defer t.release()
	p := sh.progress()
	defer p.done()
	raster, err := heightmap.Read(ctx, path, opts, p.part("reading "+filepath.Base(path)))
	if err != nil {
		return err
	}
	p.done()
	mapping := o.mapping(&raster.Info)
	if err := tell(sh.out, path, &raster.Info, mapping); err != nil {
		return err
	}
	how := transfer.Import{Mapping: mapping}
	if o.void.value == "hole" {
		how.Void = heightmap.Hole
	}
	if o.spacing.value != nil {
		how.Spacing = *o.spacing.value
	}
	level, err := how.Level(ctx, raster, p.part("filling voids"))
	p.done()
	if err != nil {
		return fault.Wrap(opImport, path, err)
	}
	if err := t.saveNew(ctx, sh, level); err != nil {
		return err
	}
	lo, hi := level.Terrain.MinMax()
	say(sh.out, "%s: %d×%d samples, %g m apart, heights %g to %g m", o.out, raster.Cols, raster.Rows, level.Terrain.Spacing(), lo, hi)
	return nil
}

// mapping is what the flags make of the sample values; nil for what they are.
func (o *importFlags) mapping(info *heightmap.Info) *heightmap.Mapping {
	if o.min.value == nil && o.max.value == nil {
		return nil
	}
	m := info.DefaultMapping()
	if o.min.value != nil {
		m.Min = *o.min.value
	}
	if o.max.value != nil {
		m.Max = *o.max.value
	}
	return &m
}

// tell says what a heightmap holds.
func tell(w io.Writer, path string, i *heightmap.Info, m *heightmap.Mapping) error {
	p := &printer{w: w}
	kind := "unsigned"
	switch {
	case i.Float:
		kind = "float"
	case i.Signed:
		kind = "signed"
	}
	order := ""
	if i.BigEndian {
		order = ", big-endian"
	}
	p.line("%s: %s, %d×%d samples of %d bits (%s%s)", path, i.Format, i.Cols, i.Rows, i.Bits, kind, order)
	voids := ""
	if i.Nodata != nil {
		voids = fmt.Sprintf(" (value %g)", *i.Nodata)
	}
	p.line("  values    %g to %g, %d voids%s", i.SampleMin, i.SampleMax, i.Voids, voids)
	if m != nil {
		lo, hi := i.SampleRange()
		p.line("  heights   %s for values %g to %g", m, lo, hi)
	}
	switch {
	case i.SpacingZ == 0:
		p.line("  spacing   not in the file")
	case i.SpacingX != i.SpacingZ:
		p.line("  spacing   %.6g m west–east, %.6g m north–south", i.SpacingX, i.SpacingZ)
	default:
		p.line("  spacing   %.6g m", i.SpacingZ)
	}
	for _, n := range i.Notes {
		p.line("  note      %s", n)
	}
	return p.err
}
