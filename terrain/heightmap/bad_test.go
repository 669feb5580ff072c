package heightmap

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ridgeline/terrain/fault"
)

func decodeBytes(name string, data []byte, o Options) (*Raster, error) {
	return Decode(context.Background(), bytes.NewReader(data), int64(len(data)), name, o, nil)
}

// ihdr is a picture's header chunk behind the signature.
func ihdr(cols, rows uint32, depth, colour, interlace byte) []byte {
	b := make([]byte, 13)
	binary.BigEndian.PutUint32(b, cols)
	binary.BigEndian.PutUint32(b[4:], rows)
	b[8], b[9], b[12] = depth, colour, interlace
	var w bytes.Buffer
	w.WriteString(pngSignature)
	writeChunk(&w, "IHDR", b)
	return w.Bytes()
}

// pngOf is a whole picture around filtered rows.
func pngOf(head []byte, raw []byte) []byte {
	w := bytes.NewBuffer(bytes.Clone(head))
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	zw.Write(raw)
	zw.Close()
	// Two pieces, so that joining chunks is always tested.
	half := z.Len() / 2
	writeChunk(w, "IDAT", z.Bytes()[:half])
	writeChunk(w, "IDAT", z.Bytes()[half:])
	writeChunk(w, "IEND", nil)
	return w.Bytes()
}

func floatsLE(values ...float32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func ptr(v float64) *float64 { return &v }

const ascHead = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"

func TestBadInput(t *testing.T) {
	small := pngOf(ihdr(2, 2, 16, 0, 0), make([]byte, 10))
	badSum := bytes.Clone(small)
	badSum[len(badSum)-1] ^= 1
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	for _, k := range []struct {
		name string
		file string
		data []byte
		opts Options
		want string // all of it
	}{
		{"empty file", "a.png", nil, Options{}, "a.png: found an empty file, expected a heightmap"},
		{"unknown extension", "a.xyz", []byte("hello"), Options{}, `a.xyz: found an unknown extension ".xyz", expected a heightmap that ends in .png, .raw, .r8, .r16, .r32, .hgt or .asc, or its format by name`},
		{"tiff", "a.tif", []byte("II*\x00abcdefgh"), Options{}, `a.tif: found a TIFF picture, expected a heightmap that ends in .png, .raw, .r8, .r16, .r32, .hgt or .asc, or its format by name`},
		{"format by name", "a.png", small, Options{Format: "tga"}, `a.png: format: found "tga", expected png, raw, r8, r16, r32, hgt or asc`},

		{"jpeg", "a.png", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), Options{}, "a.png: byte 0: found a JPEG picture, expected a PNG picture"},
		{"no signature", "a.png", []byte("text"), Options{}, "a.png: byte 0: found no PNG signature, expected a PNG picture"},
		{"60000", "a.png", ihdr(60000, 60000, 16, 0, 0), Options{}, "a.png: header: found width 60000, expected 2 to 16385 samples"},
		{"one row", "a.png", ihdr(2, 1, 16, 0, 0), Options{}, "a.png: header: found height 1, expected 2 to 16385 samples"},
		{"no columns", "a.png", ihdr(0, 5, 16, 0, 0), Options{}, "a.png: header: found width 0, expected 2 to 16385 samples"},
		{"huge claim", "a.png", ihdr(16385, 16385, 16, 0, 0), Options{}, "a.png: header: found a picture of 16385×16385 samples in 33 bytes, expected at least 488125 bytes for that size"},
		{"palette", "a.png", ihdr(4, 4, 8, 3, 0), Options{}, "a.png: header: found a palette picture, expected 8- or 16-bit grey"},
		{"4 bits", "a.png", ihdr(4, 4, 4, 0, 0), Options{}, "a.png: header: found 4-bit grey, expected 8- or 16-bit grey"},
		{"colour", "a.png", pngOf(ihdr(2, 2, 8, 2, 0), []byte{0, 9, 9, 9, 9, 9, 9, 0, 9, 9, 9, 9, 8, 10}), Options{}, "a.png: row 1, column 1: found a colour, expected grey"},
		{"filter", "a.png", pngOf(ihdr(2, 2, 8, 0, 0), []byte{0, 1, 2, 7, 3, 4}), Options{}, "a.png: row 1: found filter 7, expected 0 to 4"},
		{"too few rows", "a.png", pngOf(ihdr(2, 3, 8, 0, 0), []byte{0, 1, 2, 0, 3, 4}), Options{}, "a.png: byte 54: found the end of the data, expected 2×3 samples"},
		{"too many rows", "a.png", pngOf(ihdr(2, 2, 8, 0, 0), make([]byte, 9)), Options{}, "a.png: byte 52: found more data, expected 2×2 samples"},
		{"truncated header", "a.png", small[:20], Options{}, "a.png: byte 20: found the end of the file, expected the rest of the picture"},
		{"truncated data", "a.png", small[:50], Options{}, "a.png: byte 50: found the end of the file, expected the rest of the picture"},
		{"truncated end", "a.png", small[:len(small)-1], Options{}, fmt.Sprintf("a.png: byte %d: found the end of the file, expected the rest of the picture", len(small)-1)},
		{"checksum", "a.png", badSum, Options{}, fmt.Sprintf("a.png: byte %d: found checksum ae426083 of chunk \"IEND\", expected ae426082", len(small)-12)},
		{"wrong size asked", "a.png", small, Options{Cols: 3, Rows: 2}, "a.png: found 2×2 in the file, expected 3×2 as asked"},
		{"wrong bits asked", "a.png", small, Options{Bits: 8}, "a.png: found 16-bit samples in the file, expected 8 bits as asked"},
		{"signed asked", "a.png", small, Options{Signed: true}, "a.png: found signed samples asked, expected unsigned, which this format always is"},

		{"png as raw", "a.r16", small, Options{}, "a.r16: byte 0: found a PNG picture, expected raw samples; name the format if it is one"},
		{"odd length", "a.r16", make([]byte, 131), Options{}, "a.r16: found 131 bytes, expected a multiple of 2 (samples of 16 bits)"},
		{"not square", "a.r16", make([]byte, 40), Options{}, "a.r16: found 20 samples of 16 bits, not a square, expected a square, or the size as WIDTHxHEIGHT"},
		{"not square at all", "a.raw", make([]byte, 23), Options{}, "a.raw: found 23 bytes, not a square of samples of 8, 16 or 32 bits, expected a square, or the size as WIDTHxHEIGHT"},
		{"one sample", "a.r16", make([]byte, 2), Options{}, "a.r16: found 1 samples of 16 bits, not a square, expected a square, or the size as WIDTHxHEIGHT"},
		{"wrong length", "a.r16", make([]byte, 40), Options{Cols: 5, Rows: 3}, "a.r16: found 40 bytes, expected 30 (5×3 samples of 16 bits)"},
		{"size and no bits", "a.raw", make([]byte, 40), Options{Cols: 5, Rows: 3}, "a.raw: found 40 bytes, expected 15, 30 or 60 for 5×3 samples"},
		{"half a size", "a.r16", make([]byte, 40), Options{Cols: 5}, "a.r16: size: found height 0, expected 2 to 16385 samples"},
		{"huge size", "a.r16", make([]byte, 40), Options{Cols: 1e9, Rows: 1e9}, "a.r16: size: found width 1000000000, expected 2 to 16385 samples"},
		{"bits", "a.raw", make([]byte, 40), Options{Bits: 12}, "a.raw: bits: found 12, expected 8, 16 or 32"},
		{"bits against name", "a.r16", make([]byte, 32), Options{Bits: 8}, "a.r16: found 8 bits asked, expected 16, which .r16 means"},
		{"signed floats", "a.r32", make([]byte, 16), Options{Signed: true}, "a.r32: found signed samples asked for 32 bits, expected 16 bits with signed samples"},
		{"nan", "a.r32", floatsLE(1, 2, 3, nan), Options{}, "a.r32: row 1, column 1 (byte 12): found not a number (NaN), expected a finite height"},
		{"inf", "a.r32", floatsLE(1, inf, 3, nan), Options{}, "a.r32: row 0, column 1 (byte 4): found infinity, expected a finite height"},
		{"minus inf", "a.r32", floatsLE(1, 2, -inf, nan), Options{Nodata: ptr(math.NaN())}, "a.r32: row 1, column 0 (byte 8): found minus infinity, expected a finite height"},

		{"hgt length", "N42E001.hgt", make([]byte, 1000), Options{}, "N42E001.hgt: found 1000 bytes, expected 2884802 (1201×1201) or 25934402 (3601×3601)"},
		{"hgt endian", "N42E001.hgt", make([]byte, 2884802), Options{Endian: LittleEndian}, "N42E001.hgt: found little-endian asked, expected big-endian, which this format always is"},

		{"missing key", "a.asc", []byte("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4\n"), Options{}, "a.asc: line 5, column 1: found numbers, expected the missing header key cellsize"},
		{"missing keys", "a.asc", []byte("cellsize 2\n"), Options{}, "a.asc: line 2, column 1: found the end of the file, expected the missing header key ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter"},
		{"key without value", "a.asc", []byte("ncols"), Options{}, "a.asc: line 1, column 6: found the end of the file, expected the value of ncols"},
		{"bad value of a key", "a.asc", []byte("ncols two\n"), Options{}, `a.asc: line 1, column 7: found "two", expected the value of ncols`},
		{"unknown key", "a.asc", []byte("columns 2\n"), Options{}, `a.asc: line 1, column 1: found "columns", expected a header key (ncols, nrows, xllcorner, yllcorner, cellsize, NODATA_value) or a number`},
		{"key twice", "a.asc", []byte("ncols 2\nNCOLS 3\n"), Options{}, "a.asc: line 2, column 1: found ncols again, expected each header key once, see line 1, column 7"},
		{"size 0", "a.asc", []byte(strings.Replace(ascHead, "3", "0", 1) + "1"), Options{}, "a.asc: line 1, column 7: found ncols 0, expected 2 to 16385 samples"},
		{"size 1", "a.asc", []byte(strings.Replace(ascHead, "2", "1", 1) + "1"), Options{}, "a.asc: line 2, column 7: found nrows 1, expected 2 to 16385 samples"},
		{"size 1e9", "a.asc", []byte(strings.Replace(ascHead, "3", "1000000000", 1) + "1"), Options{}, "a.asc: line 1, column 7: found ncols 1000000000, expected 2 to 16385 samples"},
		{"size 2.5", "a.asc", []byte(strings.Replace(ascHead, "3", "2.5", 1) + "1"), Options{}, "a.asc: line 1, column 7: found ncols 2.5, expected 2 to 16385 samples"},
		{"cell 0", "a.asc", []byte(strings.Replace(ascHead, "cellsize 1", "cellsize 0", 1) + "1"), Options{}, "a.asc: line 5, column 10: found cellsize 0, expected a distance above 0"},
		{"cell nan", "a.asc", []byte(strings.Replace(ascHead, "cellsize 1", "cellsize nan", 1) + "1"), Options{}, `a.asc: line 5, column 10: found "nan", expected the value of cellsize`},
		{"a word", "a.asc", []byte(ascHead + "1 2 3\n4 five 6\n"), Options{}, `a.asc: line 7, column 3: found "five", expected a number`},
		{"hex", "a.asc", []byte(ascHead + "1 2 3\n4 0x5 6\n"), Options{}, `a.asc: line 7, column 3: found "0x5", expected a number`},
		{"comma", "a.asc", []byte(ascHead + "1,5 2 3\r\n4 5 6\n"), Options{}, `a.asc: line 6, column 1: found "1,5", expected a number`},
		{"control character", "a.asc", []byte(ascHead + "1 2\x00 3\n4 5 6\n"), Options{}, `a.asc: line 6, column 3: found "2\x00", expected a number`},
		{"long word", "a.asc", []byte(ascHead + strings.Repeat("1", 2000)), Options{}, "a.asc: line 6, column 1: found a word of more than 1024 characters, expected a number"},
		{"nan in grid", "a.asc", []byte(ascHead + "1 2 3\r4 5 NaN"), Options{}, `a.asc: line 7, column 5: found "NaN", expected a finite height`},
		{"inf in grid", "a.asc", []byte(ascHead + "1 2 3\r\n4 5 -inf"), Options{}, `a.asc: line 7, column 5: found "-inf", expected a finite height`},
		{"first is nan", "a.asc", []byte(ascHead + "nan 2 3\r\n4 5 6"), Options{}, `a.asc: line 6, column 1: found "nan", expected a finite height`},
		{"beyond float32", "a.asc", []byte(ascHead + "1 2 3 4 5 1e39"), Options{}, `a.asc: line 6, column 11: found "1e39", expected a height that fits 32-bit floats`},
		{"beyond float64", "a.asc", []byte(ascHead + "1 2 3 4 5 -1e400"), Options{}, `a.asc: line 6, column 11: found "-1e400", expected a height that fits 32-bit floats`},
		{"too few", "a.asc", []byte(ascHead + "1 2 3\n4 5\n"), Options{}, "a.asc: line 8, column 1: found 5 numbers, expected 6 (ncols × nrows)"},
		{"none", "a.asc", []byte(ascHead), Options{}, "a.asc: line 6, column 1: found 0 numbers, expected 6 (ncols × nrows)"},
		{"too many", "a.asc", []byte(ascHead + "1 2 3\n4 5 6\n  7\n"), Options{}, `a.asc: line 8, column 3: found "7" after the last number, expected 6 numbers (3×2)`},
		{"binary grid", "a.asc", []byte("PK\x03\x04"), Options{}, "a.asc: byte 0: found a zip archive, expected the text of an ESRI ASCII grid"},
		{"degrees off the globe", "a.asc", []byte(strings.Replace(ascHead, "yllcorner 0", "yllcorner 89", 1) + "1 2 3 4 5 6"), Options{Units: Degrees}, "a.asc: line 4, column 11: found latitudes 89.5 to 90.5, expected latitudes within ±90 degrees"},
	} {
		t.Run(k.name, func(t *testing.T) {
			r, err := decodeBytes(k.file, k.data, k.opts)
			if r != nil {
				t.Error("a raster came back")
			}
			var f *fault.Error
			if !errors.As(err, &f) {
				t.Fatalf("got %v, want a fault", err)
			}
			if f.Op == "" {
				t.Error("the fault names no operation")
			}
			if err.Error() != k.want {
				t.Errorf("got  %s\nwant %s", err, k.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err.Error())
			}
		})
	}
}

func TestBadPaths(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.png")
	_, err := Inspect(context.Background(), missing, Options{})
	if want := missing + ": no such file or folder"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Read(context.Background(), dir, Options{}, nil)
	if want := dir + ": found a folder, expected a heightmap file"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		if _, err := Read(context.Background(), os.DevNull, Options{}, nil); err == nil {
			t.Error("a device was read")
		}
	}
}

// TestEveryCut reads every beginning of real files: all must be refused, since no
// format here can lose its end unnoticed.
func TestEveryCut(t *testing.T) {
	for _, name := range []string{"gz_grayscale_16bit.png", "4_x_3_no_nodata_value.asc"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		whole := len(bytes.TrimRight(data, "\n"))
		if name == "4_x_3_no_nodata_value.asc" {
			whole -= len("1.") // a shorter last number is still a number
		}
		for n := range whole {
			if r, err := decodeBytes(name, data[:n], Options{}); err == nil || r != nil {
				t.Fatalf("%s cut to %d of %d bytes was read", name, n, len(data))
			}
		}
	}
}

// TestLyingHeaders bounds what is allocated for a small file that claims to be
// a large one.
func TestLyingHeaders(t *testing.T) {
	bomb := pngOf(ihdr(16385, 16385, 8, 0, 0), make([]byte, 1<<22))
	// Twenty rows that hardly compress make the claim possible.
	noise := make([]byte, 20*16386)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range noise {
		if i%16386 != 0 {
			noise[i] = byte(rng.Uint32())
		}
	}
	grid := []byte("ncols 16385\nnrows 16385\nxllcorner 0\nyllcorner 0\ncellsize 1\n" + strings.Repeat("1 ", 20_000))
	for _, k := range []struct {
		name  string
		data  []byte
		bound uint64
	}{
		{"60000.png", ihdr(60000, 60000, 16, 0, 0), 1 << 20},
		{"16385.png", ihdr(16385, 16385, 16, 0, 0), 1 << 20},
		{"bomb.png", bomb, 1 << 20},
		{"noise.png", pngOf(ihdr(16385, 16385, 8, 0, 0), noise), 16 << 20},
		{"grid.asc", grid, 4 << 20},
		{"raw.r16", make([]byte, 2*64*65), 1 << 20},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decodeBytes(k.name, k.data, Options{})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s was read", k.name)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > k.bound {
			t.Errorf("%s: %d bytes allocated for %d bytes of file, want at most %d", k.name, got, len(k.data), k.bound)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Decode(ctx, bytes.NewReader(make([]byte, 32)), 32, "a.r16", Options{}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
