package heightmap

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"ridgeline/terrain/fault"
)

const opExport = "export the heightmap"

// Source is what the writers read: a rectangle of heights in metres. AppendRow
// appends the Size's number of columns. Every writer reads all rows twice, from
// 0 up: once to check them and find their range, once to write. The heights must
// not change meanwhile.
type Source interface {
	Size() (cols, rows int)
	AppendRow(dst []float32, row int) []float32
}

// WriteR16 writes unsigned 16-bit little-endian samples without a header: sample
// s stands for Min + s/65535·(Max−Min). A nil mapping takes the lowest and the
// highest height; the mapping used is returned, because the file does not hold
// it. Heights outside a given mapping are an error that proposes one, before
// anything is written.
func WriteR16(ctx context.Context, w io.Writer, src Source, m *Mapping, progress func(done float64)) (Mapping, error) {
	x, used, err := newMappedExport(ctx, w, src, m, progress)
	if err != nil {
		return Mapping{}, err
	}
	buf := make([]byte, 2*x.cols)
	err = x.rowsOut(func(row []float32) error {
		for i, h := range row {
			binary.LittleEndian.PutUint16(buf[2*i:], used.code(h))
		}
		_, err := x.w.Write(buf)
		return err
	})
	return used, err
}

// WriteR32 writes the heights as float32 little-endian without a header.
func WriteR32(ctx context.Context, w io.Writer, src Source, progress func(done float64)) error {
	x, err := newExport(ctx, w, src, progress)
	if err != nil {
		return err
	}
	buf := make([]byte, 4*x.cols)
	return x.rowsOut(func(row []float32) error {
		for i, h := range row {
			binary.LittleEndian.PutUint32(buf[4*i:], math.Float32bits(h))
		}
		_, err := x.w.Write(buf)
		return err
	})
}

// code is the 16-bit sample of a height: the nearest.
func (m Mapping) code(h float32) uint16 {
	if m.Max <= m.Min {
		return 0
	}
	t := (float64(h) - m.Min) / (m.Max - m.Min)
	return uint16(math.Round(min(max(t, 0), 1) * math.MaxUint16))
}

// export is the part that all writers share.
type export struct {
	ctx        context.Context
	w          *bufio.Writer
	src        Source
	progress   func(float64)
	cols, rows int
	lo, hi     float32
	row        []float32
}

// newExport checks size and heights and finds their range.
func newExport(ctx context.Context, w io.Writer, src Source, progress func(float64)) (*export, error) {
	x := &export{ctx: ctx, w: bufio.NewWriterSize(w, 1<<16), src: src, progress: progress}
	x.cols, x.rows = src.Size()
	for _, side := range []struct {
		name string
		n    int
	}{{"width", x.cols}, {"height", x.rows}} {
		if err := checkSide("", side.name, int64(side.n)); err != nil {
			return nil, fault.Wrap(opExport, "", err)
		}
	}
	x.lo, x.hi = math.MaxFloat32, -math.MaxFloat32
	err := x.each(0, func(n int, row []float32) error {
		lo, hi := x.lo, x.hi
		for i, h := range row {
			if h-h != 0 {
				return &fault.Error{Op: opExport, Place: fmt.Sprintf("row %d, column %d", n, i), Found: floatWord(h), Want: "a finite height"}
			}
			if h < lo {
				lo = h
			}
			if h > hi {
				hi = h
			}
		}
		x.lo, x.hi = lo, hi
		return nil
	})
	return x, err
}

func newMappedExport(ctx context.Context, w io.Writer, src Source, m *Mapping, progress func(float64)) (*export, Mapping, error) {
	if m != nil {
		if err := m.Check(); err != nil {
			return nil, Mapping{}, fault.Wrap(opExport, "", err)
		}
	}
	x, err := newExport(ctx, w, src, progress)
	if err != nil {
		return nil, Mapping{}, err
	}
	if m == nil {
		return x, Mapping{float64(x.lo), float64(x.hi)}, nil
	}
	// Compared as float32: that is what a height made by this mapping is.
	if x.lo < float32(m.Min) || x.hi > float32(m.Max) {
		p := Mapping{min(m.Min, math.Floor(float64(x.lo))), max(m.Max, math.Ceil(float64(x.hi)))}
		return nil, Mapping{}, &fault.Error{Op: opExport, Place: "height range",
			Found: "heights from " + Mapping{float64(x.lo), float64(x.hi)}.String(),
			Want:  fmt.Sprintf("all within %s; a range that holds them: --min %s --max %s", m, number(p.Min), number(p.Max))}
	}
	return x, *m, nil
}

// each reads all rows; from is the progress at the first, 0 or ½.
func (x *export) each(from float64, f func(n int, row []float32) error) error {
	for n := range x.rows {
		if n%64 == 0 {
			if err := x.ctx.Err(); err != nil {
				return err
			}
			if x.progress != nil {
				x.progress(from + float64(n)/float64(2*x.rows))
			}
		}
		x.row = x.src.AppendRow(x.row[:0], n)
		if len(x.row) != x.cols {
			return &fault.Error{Op: opExport, Place: fmt.Sprintf("row %d", n), Found: plural(len(x.row), "height"), Want: fmt.Sprint(x.cols)}
		}
		if err := f(n, x.row); err != nil {
			return err
		}
	}
	return nil
}

// rowsOut reads all rows for writing and flushes at the end. Errors of the
// target keep their cause, so that a full disk is told as one.
func (x *export) rowsOut(f func(row []float32) error) error {
	if err := x.each(0.5, func(_ int, row []float32) error { return f(row) }); err != nil {
		return x.targetError(err)
	}
	if err := x.w.Flush(); err != nil {
		return x.targetError(err)
	}
	if x.progress != nil {
		x.progress(1)
	}
	return nil
}

func (x *export) targetError(err error) error {
	if x.ctx.Err() != nil {
		return err
	}
	return fault.Wrap(opExport, "", err)
}
