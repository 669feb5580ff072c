package heightmap

import (
	"context"
	"math"
	"math/bits"

	"ridgeline/terrain/fault"
)

// Mask is a set of samples of a raster.
type Mask struct {
	cols, rows, stride int
	words              []uint64 // each row starts a word
}

func newMask(cols, rows int) *Mask {
	stride := (cols + 63) / 64
	return &Mask{cols: cols, rows: rows, stride: stride, words: make([]uint64, stride*rows)}
}

// At reports whether the sample is in the set. A nil mask is empty.
func (m *Mask) At(col, row int) bool {
	return m != nil && m.words[row*m.stride+col>>6]>>(col&63)&1 != 0
}

// Count is the number of samples in the set.
func (m *Mask) Count() int {
	n := 0
	if m != nil {
		for _, w := range m.words {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

func (m *Mask) set(col, row int) { m.words[row*m.stride+col>>6] |= 1 << (col & 63) }

func (m *Mask) row(row int) []uint64 { return m.words[row*m.stride : (row+1)*m.stride] }

// Raster is a heightmap file in memory. Integer samples are kept as 16-bit
// integers and all others as float32, so that a raster takes two or four bytes
// a sample. It does not change once read and may be shared.
type Raster struct {
	Info
	ints   []uint16 // two's complement where Signed
	floats []float32
	voids  *Mask // nil: none
}

// Sample is the value in the file, void or not.
func (r *Raster) Sample(col, row int) float64 {
	i := row*r.Cols + col
	switch {
	case r.Float:
		return float64(r.floats[i])
	case r.Signed:
		return float64(int16(r.ints[i]))
	}
	return float64(r.ints[i])
}

// Void reports whether the file holds no height there.
func (r *Raster) Void(col, row int) bool { return r.voids.At(col, row) }

// VoidPolicy says what becomes of samples without a height.
type VoidPolicy uint8

// Fill puts a smooth surface through the rim of each void. Hole does the same,
// so that there are heights underneath, and marks the samples as holes.
const (
	Fill VoidPolicy = iota
	Hole
)

// Heights gives the heights in metres, row by row, in a new slice. A nil mapping
// means one step of an unsigned file is one metre, and other files are metres;
// a mapping stretches Info.SampleRange over its heights. Voids take the solution
// of Laplace's equation inside their rim, which is smooth, exact on planes and
// has no peak or pit of its own. Holes is nil unless the policy is Hole and there
// are voids. The error is a *fault.Error for a bad mapping or a file that is all
// void, or the context's.
func (r *Raster) Heights(ctx context.Context, m *Mapping, v VoidPolicy, progress func(done float64)) (heights []float32, holes *Mask, err error) {
	if m != nil {
		if err := m.Check(); err != nil {
			return nil, nil, fault.Wrap(opImport, "", err)
		}
	}
	if r.Voids == r.Cols*r.Rows {
		return nil, nil, &fault.Error{Op: opImport, Found: "no height: all " + plural(r.Voids, "sample") + " are void", Want: "at least one height"}
	}
	if r.Float {
		heights = r.floatHeights(m)
	} else {
		heights = r.intHeights(m)
	}
	if r.Voids > 0 {
		if err := fillVoids(ctx, heights, r.voids, progress); err != nil {
			return nil, nil, err
		}
		if v == Hole {
			c := *r.voids
			c.words = append([]uint64(nil), c.words...)
			holes = &c
		}
	}
	if progress != nil {
		progress(1)
	}
	return heights, holes, nil
}

// mapper gives the function from sample to height.
func (i *Info) mapper(m *Mapping) func(s float64) float32 {
	lo, hi := i.SampleRange()
	switch {
	case m == nil || m.Min == lo && m.Max == hi:
		return func(s float64) float32 { return float32(s) }
	case lo == hi:
		h := float32(m.Min)
		return func(float64) float32 { return h }
	}
	return func(s float64) float32 { return float32(m.lerp((s - lo) / (hi - lo))) }
}

func (r *Raster) floatHeights(m *Mapping) []float32 {
	out := append([]float32(nil), r.floats...)
	if m == nil {
		return out
	}
	at := r.mapper(m)
	for i, s := range out {
		out[i] = at(float64(s))
	}
	return out
}

func (r *Raster) intHeights(m *Mapping) []float32 {
	at := r.mapper(m)
	var table [math.MaxUint16 + 1]float32
	for code := range table {
		if r.Signed {
			table[code] = at(float64(int16(code)))
		} else {
			table[code] = at(float64(code))
		}
	}
	out := make([]float32, len(r.ints))
	for i, code := range r.ints {
		out[i] = table[code]
	}
	return out
}
