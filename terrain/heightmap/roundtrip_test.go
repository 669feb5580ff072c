package heightmap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain/fault"
)

// anyRows draws rectangles of heights: flat, fractional, negative, huge, tiny.
func anyRows(t *rapid.T) rows {
	s := rows{cols: rapid.IntRange(2, 70).Draw(t, "cols"), rows: rapid.IntRange(2, 9).Draw(t, "rows")}
	var height *rapid.Generator[float32]
	switch rapid.SampledFrom([]string{"flat", "fraction", "metres", "any"}).Draw(t, "kind") {
	case "flat":
		height = rapid.Just(rapid.Float32Range(-9000, 9000).Draw(t, "height"))
	case "fraction":
		height = rapid.Float32Range(-0.01, 0.02)
	case "metres":
		height = rapid.Map(rapid.IntRange(-9999, 9000), func(v int) float32 { return float32(v) })
	default:
		height = rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32)
	}
	s.z = rapid.SliceOfN(height, s.cols*s.rows, s.cols*s.rows).Draw(t, "z")
	return s
}

func readBack(t *rapid.T, name string, file []byte, o Options, m *Mapping) []float32 {
	r, err := decodeBytes(name, file, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Voids != 0 {
		t.Fatalf("%d voids", r.Voids)
	}
	heights, _, err := r.Heights(context.Background(), m, Fill, nil)
	if err != nil {
		t.Fatal(err)
	}
	return heights
}

func TestRoundTrip16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := anyRows(t)
		var given *Mapping
		if rapid.Bool().Draw(t, "given") {
			lo, hi := src.z[0], src.z[0]
			for _, h := range src.z {
				lo, hi = min(lo, h), max(hi, h)
			}
			given = &Mapping{max(float64(lo)-rapid.Float64Range(0, 100).Draw(t, "below"), -math.MaxFloat32), min(float64(hi)+rapid.Float64Range(0, 100).Draw(t, "above"), math.MaxFloat32)}
		}
		for name, write := range map[string]func(context.Context, io.Writer, Source, *Mapping, func(float64)) (Mapping, error){"a.r16": WriteR16, "a.png": WritePNG16} {
			var b bytes.Buffer
			m, err := write(context.Background(), &b, src, given, nil)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{}
			if name == "a.r16" {
				o.Cols, o.Rows = src.cols, src.rows
			}
			back := readBack(t, name, b.Bytes(), o, &m)
			step := (m.Max - m.Min) / 65535
			for i, h := range src.z {
				large := max(h, -h, back[i], -back[i])
				ulp := float64(large - math.Nextafter32(large, 0))
				if diff := math.Abs(float64(back[i]) - float64(h)); !(diff <= step/2+ulp) {
					t.Fatalf("%s: %v came back as %v, %v apart with steps of %v", name, h, back[i], diff, step)
				}
			}
			// A second trip changes nothing: the file is the same again.
			var again bytes.Buffer
			if _, err := write(context.Background(), &again, rows{src.cols, src.rows, back}, &m, nil); err != nil {
				t.Fatal(err)
			}
			if step > 1e-3*math.Abs(m.Max) && !bytes.Equal(b.Bytes(), again.Bytes()) {
				t.Fatalf("%s: the second trip gave another file", name)
			}
		}
	})
}

func TestRoundTripFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := anyRows(t)
		var r32, asc bytes.Buffer
		if err := WriteR32(context.Background(), &r32, src, nil); err != nil {
			t.Fatal(err)
		}
		o := ASCOptions{CellSize: rapid.Float64Range(0.01, 1000).Draw(t, "cell"), X: rapid.Float64Range(-1e6, 1e6).Draw(t, "x"), Y: rapid.Float64Range(-1e6, 1e6).Draw(t, "y")}
		if err := WriteASC(context.Background(), &asc, src, o, nil); err != nil {
			t.Fatal(err)
		}
		for _, back := range [][]float32{
			readBack(t, "a.r32", r32.Bytes(), Options{Cols: src.cols, Rows: src.rows}, nil),
			readBack(t, "a.asc", asc.Bytes(), Options{}, nil),
		} {
			for i, h := range src.z {
				if math.Float32bits(back[i]) != math.Float32bits(h) {
					t.Fatalf("%v came back as %v", h, back[i])
				}
			}
		}
		r, err := decodeBytes("a.asc", asc.Bytes(), Options{Units: Metres})
		if err != nil {
			t.Fatal(err)
		}
		if g := r.Geo; g.CellX != o.CellSize || g.CellY != o.CellSize || !(math.Abs(g.X-o.X)+math.Abs(g.Y-o.Y) < 1e-9*(1+math.Abs(o.X)+math.Abs(o.Y))) {
			t.Fatalf("the place %+v came back as %+v", o, *g)
		}
	})
}

func TestNegativeZero(t *testing.T) {
	zero := float32(math.Copysign(0, -1))
	var b bytes.Buffer
	if err := WriteASC(t.Context(), &b, rows{2, 2, []float32{zero, 0, 1, zero}}, ASCOptions{CellSize: 1}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := decodeBytes("a.asc", b.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Float32bits(r.floats[0]) != 1<<31 || math.Float32bits(r.floats[1]) != 0 {
		t.Errorf("got %v", r.floats)
	}
}

// TestEndsOfMapping: a mapping whose ends are no float32 still exports what it
// imported.
func TestEndsOfMapping(t *testing.T) {
	m := &Mapping{-0.1, 0.1}
	r, err := decodeBytes("a.r16", []byte{0, 0, 255, 255, 1, 0, 254, 255}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, _, err := r.Heights(t.Context(), m, Fill, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := WriteR16(t.Context(), &b, rows{2, 2, z}, m, nil); err != nil {
		t.Fatal(err)
	}
	if want := []byte{0, 0, 255, 255, 1, 0, 254, 255}; !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got %v, want %v", b.Bytes(), want)
	}
}

func TestSigned(t *testing.T) {
	data := []byte{0xff, 0xff, 0x00, 0x80, 0x05, 0x00, 0xff, 0x7f}
	r, err := decodeBytes("a.r16", data, Options{Signed: true, Nodata: ptr(-32768)})
	if err != nil {
		t.Fatal(err)
	}
	if r.SampleMin != -1 || r.SampleMax != 32767 || r.Voids != 1 || !r.Void(1, 0) {
		t.Errorf("%+v", r.Info)
	}
	z, holes, err := r.Heights(t.Context(), &Mapping{0, 1}, Hole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if z[0] != 0 || z[3] != 1 || holes.Count() != 1 || !holes.At(1, 0) {
		t.Errorf("heights %v, holes %v", z, holes)
	}
}

func TestWriterFaults(t *testing.T) {
	ground := rows{2, 2, []float32{-3.5, 10, 20, 812.25}}
	_, err := WriteR16(t.Context(), io.Discard, ground, &Mapping{0, 500}, nil)
	if err == nil || !strings.Contains(err.Error(), "--min -4 --max 813") || !strings.Contains(err.Error(), "-3.5 to 812.25 m") {
		t.Errorf("no range proposed: %v", err)
	}
	_, err = WritePNG16(t.Context(), io.Discard, ground, &Mapping{900, -900}, nil)
	if err == nil || !strings.Contains(err.Error(), "the lower height first") {
		t.Errorf("got %v", err)
	}
	var f *fault.Error
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(-1))} {
		err := WriteR32(t.Context(), io.Discard, rows{2, 2, []float32{1, 2, bad, 3}}, nil)
		if !errors.As(err, &f) || f.Place != "row 1, column 0" {
			t.Errorf("got %v", err)
		}
	}
	if err := WriteASC(t.Context(), io.Discard, ground, ASCOptions{}, nil); !errors.As(err, &f) || f.Place != "cell size" {
		t.Errorf("got %v", err)
	}
	if err := WriteR32(t.Context(), io.Discard, rows{1, 4, ground.z}, nil); !errors.As(err, &f) {
		t.Errorf("got %v", err)
	}
	for _, k := range writers {
		if err := k.write(t.Context(), full{}, ground); !errors.As(err, &f) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s on a full disk: %v", k.name, err)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestSameBytes(t *testing.T) {
	src := hills(99, 55)
	for _, k := range writers {
		var a, b bytes.Buffer
		if err := errors.Join(k.write(t.Context(), &a, src), k.write(t.Context(), &b, src)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s differs from one time to the next", k.name)
		}
	}
}

func TestUnusedNodata(t *testing.T) {
	src := rows{2, 2, []float32{-9999, 5, -99999, 0}}
	var b bytes.Buffer
	if err := WriteASC(t.Context(), &b, src, ASCOptions{CellSize: 1}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := decodeBytes("a.asc", b.Bytes(), Options{})
	if err != nil || r.Voids != 0 || *r.Nodata != -999999 {
		t.Errorf("%v, %+v", err, r)
	}
}
