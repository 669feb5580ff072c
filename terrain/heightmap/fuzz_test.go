package heightmap

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fuzzSeeds adds the small test files of an extension; mutating large ones only
// costs time.
func fuzzSeeds(f *testing.F, ext string) {
	files, err := filepath.Glob("testdata/*" + ext)
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 1<<15 {
			f.Add(data)
		}
	}
}

// readAny reads and checks what must hold for any bytes: an error or a raster,
// and heights that are finite and within the samples' range.
func readAny(t *testing.T, name string, data []byte, o Options) {
	r, err := decodeBytes(name, data, o)
	if err != nil {
		if r != nil || err.Error() == "" {
			t.Fatal("a raster beside an error, or an empty error")
		}
		return
	}
	if r.Cols < MinSide || r.Rows < MinSide || r.Cols > MaxSide || r.Rows > MaxSide {
		t.Fatalf("size %d×%d", r.Cols, r.Rows)
	}
	if r.Cols*r.Rows > 1<<20 {
		return
	}
	heights, _, err := r.Heights(context.Background(), nil, Hole, nil)
	if err != nil {
		if r.Voids != r.Cols*r.Rows {
			t.Fatal(err)
		}
		return
	}
	if len(heights) != r.Cols*r.Rows {
		t.Fatalf("%d heights of %d×%d", len(heights), r.Cols, r.Rows)
	}
	for i, h := range heights {
		if !(float64(h) >= r.SampleMin && float64(h) <= r.SampleMax) || math.IsInf(float64(h), 0) {
			t.Fatalf("height %v at %d, range %v to %v", h, i, r.SampleMin, r.SampleMax)
		}
	}
}

func FuzzPNG(f *testing.F) {
	fuzzSeeds(f, ".png")
	f.Add(pngOf(ihdr(3, 3, 8, 4, 1), []byte{0, 1, 2, 1, 3, 4, 2, 5, 6, 3, 7, 8, 4, 9, 9}))
	f.Add(pngOf(ihdr(2, 2, 8, 2, 0), []byte{0, 9, 9, 9, 9, 9, 9, 0, 9, 9, 9, 9, 8, 9}))
	f.Fuzz(func(t *testing.T, data []byte) { readAny(t, "a.png", data, Options{}) })
}

// FuzzPNGRows wraps foreign rows and header fields into valid checksums, which
// bytes alone hardly ever get past, and compares with the standard decoder.
func FuzzPNGRows(f *testing.F) {
	f.Add(uint16(3), uint16(3), byte(8), byte(4), byte(1), []byte{0, 1, 2, 1, 3, 4, 2, 5, 6, 3, 7, 8, 4, 9, 9})
	f.Add(uint16(2), uint16(2), byte(8), byte(2), byte(0), []byte{0, 9, 9, 9, 9, 9, 9, 0, 9, 9, 9, 9, 8, 9})
	f.Add(uint16(2), uint16(3), byte(16), byte(0), byte(0), []byte{1, 9, 9, 9, 9, 4, 9, 9, 0, 9, 3, 9, 9, 8, 9})
	f.Fuzz(func(t *testing.T, cols, rows uint16, depth, colour, interlace byte, raw []byte) {
		data := pngOf(ihdr(uint32(cols), uint32(rows), depth, colour, interlace), raw)
		readAny(t, "a.png", data, Options{})
		r, err := decodeBytes("a.png", data, Options{})
		if err != nil || colour != pngGrey && colour != pngGreyAlpha {
			return
		}
		if _, _, codes := grey16(t, data); !slices.Equal(r.ints, codes) {
			t.Fatal("the standard decoder reads other samples")
		}
	})
}

func FuzzASC(f *testing.F) {
	fuzzSeeds(f, ".asc")
	f.Add([]byte(ascHead + "nodata_value nan\n1 2 3 nan 1e5 -9999"))
	f.Fuzz(func(t *testing.T, data []byte) { readAny(t, "a.asc", data, Options{}) })
}

func FuzzRaw(f *testing.F) {
	f.Add(make([]byte, 16), "raw", byte(0), 0, 0, 0.0)
	f.Add(floatsLE(1, 2, 3, 4, 5, 6), "r32", byte(7), 3, 2, 4.0)
	f.Add(make([]byte, 18), "r16", byte(3), 0, 0, -1.0)
	f.Fuzz(func(t *testing.T, data []byte, format string, flags byte, cols, rows int, nodata float64) {
		o := Options{Format: Format(format), Cols: cols, Rows: rows, Signed: flags&1 != 0, Endian: Endian(flags >> 1 % 3)}
		if flags&8 != 0 {
			o.Nodata = &nodata
		}
		readAny(t, "a.raw", data, o)
	})
}

// FuzzHGT puts foreign bytes at the start of a tile of the right length.
func FuzzHGT(f *testing.F) {
	f.Add([]byte{0x80, 0, 1, 2, 0x7f, 0xff}, "N42E001.hgt", false)
	f.Add([]byte{}, "S90W180.hgt", true)
	f.Fuzz(func(t *testing.T, data []byte, name string, whole bool) {
		if whole {
			tile := make([]byte, 2*1201*1201)
			copy(tile, data)
			data = tile
		}
		readAny(t, name, data, Options{Format: HGT})
	})
}
