package heightmap

import (
	"fmt"
	"math"
	"strconv"

	"ridgeline/terrain/fault"
)

// The smallest and the largest number of samples along a side.
const (
	MinSide = 2
	MaxSide = 16385
)

// Endian is the order of bytes in a raw file.
type Endian uint8

// Byte orders. EndianAuto is what the format implies: little for raw, big for
// .hgt and PNG.
const (
	EndianAuto Endian = iota
	LittleEndian
	BigEndian
)

// Units says what the cell size of an ESRI grid counts.
type Units uint8

// Units of a georeference. UnitsAuto lets the reader decide, see FORMATS.md.
const (
	UnitsAuto Units = iota
	Metres
	Degrees
)

// Options tell a reader what a file does not say itself. The zero value asks
// for nothing. An option that contradicts the file is an error.
type Options struct {
	Format     Format
	Cols, Rows int      // size of a raw file; both 0: square, guessed from its length
	Bits       int      // sample width of a raw file: 8, 16 or 32; 0: by format or guess
	Endian     Endian   // byte order of a raw file of 16 or 32 bits
	Signed     bool     // raw of 16 bits holds two's complement metres
	Nodata     *float64 // sample that stands for a void, in place of the file's own; may be NaN
	Units      Units    // of an ESRI grid's cell size
}

// Geo is where a georeferenced file says it lies. It moves nothing: it is kept
// as metadata.
type Geo struct {
	Units        Units
	X, Y         float64 // centre of the south-west sample, in Units (degrees: longitude, latitude)
	CellX, CellY float64 // distance between samples, in Units
	Center       bool    // the file gave the sample's centre; false: its corner
}

// Info describes a heightmap file.
type Info struct {
	Format     Format
	Cols, Rows int
	Bits       int  // of one sample; 32 for .asc, which is read as float32
	Signed     bool // samples are signed integers
	Float      bool // samples are float32
	BigEndian  bool
	MaxSample  float64 // largest possible unsigned sample, 255 or 65535; 0 for signed and float

	SampleMin, SampleMax float64 // over the samples that are not void; 0, 0 where all are
	Voids                int
	Nodata               *float64 // the sample that stands for a void, if any does

	SpacingX, SpacingZ float64 // metres between columns and between rows; 0: the file does not say
	Geo                *Geo    // nil: not georeferenced

	// Notes are short English sentences about what a person should know
	// before using the file.
	Notes []string
}

// Unsigned reports whether samples are unsigned integers, which have no unit of
// their own.
func (i *Info) Unsigned() bool { return !i.Signed && !i.Float }

// Spacing is the distance in metres that a level with square cells takes from
// the file: north to south. 0: the file does not say.
func (i *Info) Spacing() float64 { return i.SpacingZ }

func (i *Info) note(format string, args ...any) {
	i.Notes = append(i.Notes, fmt.Sprintf(format, args...))
}

// Mapping says which heights in metres the ends of the sample range stand for.
type Mapping struct{ Min, Max float64 }

// String renders the mapping as "MIN to MAX m".
func (m Mapping) String() string { return number(m.Min) + " to " + number(m.Max) + " m" }

// Check tells why samples cannot be mapped so.
func (m Mapping) Check() error {
	switch {
	case !fits32(m.Min) || !fits32(m.Max):
		return &fault.Error{Place: "height range", Found: m.String(), Want: "two finite heights"}
	case m.Min > m.Max:
		return &fault.Error{Place: "height range", Found: m.String(), Want: "the lower height first"}
	}
	return nil
}

func fits32(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= math.MaxFloat32 }

// lerp gives the height at t in 0..1, exact at both ends.
func (m Mapping) lerp(t float64) float64 { return m.Min*(1-t) + m.Max*t }

// SampleRange is the range of samples that a mapping stretches over its heights:
// 0..MaxSample for unsigned files, and for signed and float ones the file's own
// lowest and highest sample.
func (i *Info) SampleRange() (lo, hi float64) {
	if i.Unsigned() {
		return 0, i.MaxSample
	}
	return i.SampleMin, i.SampleMax
}

// DefaultMapping is the mapping that leaves samples as they are: one step of an
// unsigned file is one metre, other files are metres.
func (i *Info) DefaultMapping() Mapping {
	lo, hi := i.SampleRange()
	return Mapping{lo, hi}
}

// checkSide refuses a number of samples along one side.
func checkSide(place, key string, n int64) error {
	if n >= MinSide && n <= MaxSide {
		return nil
	}
	return &fault.Error{Place: place, Found: fmt.Sprintf("%s %d", key, n), Want: fmt.Sprintf("%d to %d samples", MinSide, MaxSide)}
}

// number prints a value as people write it: shortest, without exponent where
// that stays short.
func number(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) || math.IsNaN(a) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// quote shows foreign text in a message: cut to a readable length and without
// control characters.
func quote(s string) string {
	const longest = 40
	if len(s) > longest {
		return strconv.Quote(s[:longest]) + "…"
	}
	return strconv.Quote(s)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
