package heightmap

import (
	"context"
	"io"
	"math"
	"strconv"

	"ridgeline/terrain/fault"
)

// ASCOptions say what the header of an ESRI grid states. X and Y are the centre
// of the south-west sample, which is the last row's first; they and the cell size
// are metres, or degrees if a georeference in degrees is written back.
type ASCOptions struct {
	CellSize float64
	X, Y     float64
}

// WriteASC writes an ESRI ASCII grid. Each height is the shortest decimal that
// reads back as the same float32. The header's NODATA_value is −9999, or another
// value below all heights, since none of them is void.
func WriteASC(ctx context.Context, w io.Writer, src Source, o ASCOptions, progress func(done float64)) error {
	if !(o.CellSize > 0 && fits32(o.CellSize)) {
		return &fault.Error{Op: opExport, Place: "cell size", Found: number(o.CellSize), Want: "a distance above 0"}
	}
	if !fits32(o.X) || !fits32(o.Y) {
		return &fault.Error{Op: opExport, Place: "corner", Found: number(o.X) + ", " + number(o.Y), Want: "two finite coordinates"}
	}
	x, err := newExport(ctx, w, src, progress)
	if err != nil {
		return err
	}
	var line []byte
	for _, k := range []struct {
		key   string
		value float64
	}{
		{"ncols", float64(x.cols)},
		{"nrows", float64(x.rows)},
		{"xllcorner", o.X - o.CellSize/2},
		{"yllcorner", o.Y - o.CellSize/2},
		{"cellsize", o.CellSize},
		{"NODATA_value", unusedBelow(x.lo)},
	} {
		line = append(line, k.key...)
		line = append(line, ' ')
		line = append(line, number(k.value)...)
		line = append(line, '\n')
	}
	if _, err := x.w.Write(line); err != nil {
		return x.targetError(err)
	}
	return x.rowsOut(func(row []float32) error {
		line = line[:0]
		for i, h := range row {
			if i > 0 {
				line = append(line, ' ')
			}
			line = appendFloat32(line, h)
		}
		line = append(line, '\n')
		_, err := x.w.Write(line)
		return err
	})
}

// unusedBelow is −9999, or the next number of nines that is below lo. Nothing is
// below the lowest float32; NaN then stands for no height.
func unusedBelow(lo float32) float64 {
	for digits := 4; digits < 38; digits++ {
		v, _ := strconv.ParseFloat("-9999999999999999999999999999999999999999"[:digits+1], 64)
		if float32(v) < lo {
			return v
		}
	}
	return math.NaN()
}
