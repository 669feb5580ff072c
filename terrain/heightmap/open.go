package heightmap

import (
	"bufio"
	"context"
	"errors"
	"io"

	"ridgeline/terrain/fault"
)

const opImport = "import the heightmap"

// Inspect reads a file from end to end and describes it, keeping no more than a
// few rows in memory. The error is a *fault.Error, or the context's.
func Inspect(ctx context.Context, path string, o Options) (Info, error) {
	r, err := readFile(ctx, path, o, false, nil)
	if err != nil {
		return Info{}, err
	}
	return r.Info, nil
}

// Read reads a file with all its samples. Progress, which may be nil, is called
// now and then with the part done, 0 to 1. The error is a *fault.Error, or the
// context's; then nothing is returned.
func Read(ctx context.Context, path string, o Options, progress func(done float64)) (*Raster, error) {
	return readFile(ctx, path, o, true, progress)
}

// Decode reads a heightmap of size bytes from r, as Read does from a file. The
// name tells the format and, for .hgt, the place, and stands in messages.
func Decode(ctx context.Context, r io.Reader, size int64, name string, o Options, progress func(done float64)) (*Raster, error) {
	return decode(ctx, r, size, name, o, true, progress)
}

func readFile(ctx context.Context, path string, o Options, keep bool, progress func(float64)) (*Raster, error) {
	f, st, err := fault.Open(opImport, path, "a heightmap file")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decode(ctx, f, st.Size(), path, o, keep, progress)
}

func decode(ctx context.Context, r io.Reader, size int64, name string, o Options, keep bool, progress func(float64)) (*Raster, error) {
	out, err := decodeBare(ctx, r, size, name, o, keep, progress)
	if err == nil {
		return out, nil
	}
	if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
		return nil, err
	}
	return nil, fault.Wrap(opImport, name, err)
}

// decodeBare leaves the operation and the file's name out of its errors.
func decodeBare(ctx context.Context, r io.Reader, size int64, name string, o Options, keep bool, progress func(float64)) (*Raster, error) {
	if size <= 0 {
		return nil, &fault.Error{Found: "an empty file", Want: "a heightmap"}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	in := &input{size: size, progress: progress}
	in.Reader = bufio.NewReaderSize(&countingReader{r: io.LimitReader(r, size), n: &in.read}, 1<<18)
	head, err := in.Peek(sniffBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	format, err := detect(name, head, o.Format)
	if err != nil {
		return nil, err
	}
	if o.Units != UnitsAuto && format != ASC {
		return nil, &fault.Error{Place: "units", Found: "a unit asked for " + string(format), Want: "one only for asc"}
	}
	c := &collector{ctx: ctx, in: in, keep: keep}
	c.Format = format
	switch format {
	case PNG:
		err = readPNG(c, o)
	case HGT:
		err = readHGT(c, name, o)
	case ASC:
		err = readASC(c, o)
	default:
		err = readRaw(c, o)
	}
	if err != nil {
		return nil, err
	}
	if progress != nil {
		progress(1)
	}
	return c.finish(), nil
}

// check refuses options that make no sense whatever the file is.
func (o Options) check() error {
	switch o.Bits {
	case 0, 8, 16, 32:
	default:
		return &fault.Error{Place: "bits", Found: number(float64(o.Bits)), Want: "8, 16 or 32"}
	}
	if o.Cols == 0 && o.Rows == 0 {
		return nil
	}
	if err := checkSide("size", "width", int64(o.Cols)); err != nil {
		return err
	}
	return checkSide("size", "height", int64(o.Rows))
}

// matches refuses options that contradict a file which states its own size,
// width of samples and byte order.
func (o Options) matches(i *Info) error {
	if o.Cols != 0 && (o.Cols != i.Cols || o.Rows != i.Rows) {
		return &fault.Error{Found: sizeText(i.Cols, i.Rows) + " in the file", Want: sizeText(o.Cols, o.Rows) + " as asked"}
	}
	if o.Bits != 0 && o.Bits != i.Bits {
		return &fault.Error{Found: number(float64(i.Bits)) + "-bit samples in the file", Want: number(float64(o.Bits)) + " bits as asked"}
	}
	if o.Endian == LittleEndian && i.BigEndian {
		return &fault.Error{Found: "little-endian asked", Want: "big-endian, which this format always is"}
	}
	if o.Signed && i.Unsigned() {
		return &fault.Error{Found: "signed samples asked", Want: "unsigned, which this format always is"}
	}
	return nil
}

func sizeText(cols, rows int) string {
	return number(float64(cols)) + "×" + number(float64(rows))
}

// input is the file being read, with its length and how far we are.
type input struct {
	*bufio.Reader
	size, read int64
	progress   func(float64)
}

type countingReader struct {
	r io.Reader
	n *int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}
