package heightmap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"ridgeline/terrain/fault"
)

// readRaw reads a headerless file: rows of unsigned 8- or 16-bit integers,
// signed 16-bit ones if asked, or float32.
func readRaw(c *collector, o Options) error {
	if err := c.rawShape(o); err != nil {
		return err
	}
	c.Signed, c.Float = o.Signed, c.Bits == 32
	if c.Signed && c.Bits != 16 {
		return &fault.Error{Found: fmt.Sprintf("signed samples asked for %d bits", c.Bits), Want: "16 bits with signed samples"}
	}
	c.BigEndian = o.Endian == BigEndian && c.Bits > 8
	if c.Unsigned() {
		c.MaxSample = float64(int(1)<<c.Bits - 1)
	}
	c.Nodata = o.Nodata
	if o.Nodata != nil && !c.Float {
		c.addVoid(*o.Nodata)
	}
	if c.Float {
		return c.rawFloats()
	}
	return c.rawInts(o.Endian == EndianAuto)
}

// rawShape finds width of samples and size from what was asked and how long the
// file is.
func (c *collector) rawShape(o Options) error {
	implied := map[Format]int{R8: 8, R16: 16, R32: 32}[c.Format]
	if o.Bits != 0 && implied != 0 && o.Bits != implied {
		return &fault.Error{Found: fmt.Sprintf("%d bits asked", o.Bits), Want: fmt.Sprintf("%d, which .%s means", implied, c.Format)}
	}
	bits := max(o.Bits, implied)
	size := c.in.size
	if o.Cols != 0 {
		samples := int64(o.Cols) * int64(o.Rows)
		if bits == 0 {
			if bits = int(min(64, size/samples)) * 8; bits != 8 && bits != 16 && bits != 32 || size%samples != 0 {
				return &fault.Error{Found: plural(int(size), "byte"), Want: fmt.Sprintf("%d, %d or %d for %s samples", samples, 2*samples, 4*samples, sizeText(o.Cols, o.Rows))}
			}
		}
		if want := samples * int64(bits/8); want != size {
			return &fault.Error{Found: plural(int(size), "byte"), Want: fmt.Sprintf("%d (%s samples of %d bits)", want, sizeText(o.Cols, o.Rows), bits)}
		}
		return c.setShape(bits, o.Cols, o.Rows)
	}

	widths := []int{8, 16, 32}
	if bits != 0 {
		if rest := size % int64(bits/8); rest != 0 {
			return &fault.Error{Found: plural(int(size), "byte"), Want: fmt.Sprintf("a multiple of %d (samples of %d bits)", bits/8, bits)}
		}
		widths = []int{bits}
	}
	var also []string
	for _, w := range widths {
		side, ok := squareRoot(size, w/8)
		switch {
		case !ok:
		case c.Cols == 0:
			if err := c.setShape(w, side, side); err != nil {
				return err
			}
		default:
			also = append(also, fmt.Sprintf("%s of %d bits", sizeText(side, side), w))
		}
	}
	if c.Cols == 0 {
		what := fmt.Sprintf("%d bytes, not a square of samples of 8, 16 or 32 bits", size)
		if bits != 0 {
			what = fmt.Sprintf("%d samples of %d bits, not a square", size/int64(bits/8), bits)
		}
		return &fault.Error{Found: what, Want: "a square, or the size as WIDTHxHEIGHT"}
	}
	c.note("the file has no header: %s samples of %d bits are a guess from its length", sizeText(c.Cols, c.Rows), c.Bits)
	if len(also) > 0 {
		c.note("it could also be %s", strings.Join(also, " or "))
	}
	return nil
}

// squareRoot is the side of a square of size bytes, if it is one within limits.
func squareRoot(size int64, width int) (int, bool) {
	if size > int64(width)*MaxSide*MaxSide {
		return 0, false
	}
	side := int(math.Sqrt(float64(size / int64(width))))
	return side, int64(side)*int64(side)*int64(width) == size && side >= MinSide
}

func (c *collector) setShape(bits, cols, rows int) error {
	c.Bits, c.Cols, c.Rows = bits, cols, rows
	c.Format = map[int]Format{8: R8, 16: R16, 32: R32}[bits]
	return nil
}

// readHGT reads an SRTM tile: big-endian 16-bit metres, north row first, −32768
// where there is no height, edges shared with the neighbour tiles.
func readHGT(c *collector, name string, o Options) error {
	switch c.in.size {
	case 2 * 1201 * 1201:
		c.Cols, c.Rows = 1201, 1201
	case 2 * 3601 * 3601:
		c.Cols, c.Rows = 3601, 3601
	default:
		return &fault.Error{Found: plural(int(c.in.size), "byte"), Want: fmt.Sprintf("%d (1201×1201) or %d (3601×3601)", 2*1201*1201, 2*3601*3601)}
	}
	c.Bits, c.Signed, c.BigEndian = 16, true, true
	if err := o.matches(&c.Info); err != nil {
		return err
	}
	void := float64(math.MinInt16)
	c.Nodata = &void
	c.addVoid(void)
	if o.Nodata != nil {
		c.Nodata = o.Nodata
		c.addVoid(*o.Nodata)
	}
	cell := 1 / float64(c.Rows-1)
	if lat, lon, ok := tileCorner(name); ok {
		c.setGeo(Geo{Units: Degrees, X: lon, Y: lat, CellX: cell, CellY: cell, Center: true})
	} else {
		c.note("the file's name is not a tile's corner such as N42E001.hgt: the spacing is unknown")
	}
	return c.rawInts(false)
}

// tileCorner reads latitude and longitude of a tile's south-west corner, in
// degrees, out of a name such as N42E001.hgt or S33W071_void_filled.hgt.
func tileCorner(name string) (lat, lon float64, ok bool) {
	b := strings.ToUpper(filepath.Base(name))
	if len(b) < 7 || !strings.ContainsRune("NS", rune(b[0])) || !strings.ContainsRune("EW", rune(b[3])) {
		return 0, 0, false
	}
	y, errY := strconv.ParseUint(b[1:3], 10, 8)
	x, errX := strconv.ParseUint(b[4:7], 10, 16)
	if errY != nil || errX != nil || y > 90 || x > 180 {
		return 0, 0, false
	}
	lat, lon = float64(y), float64(x)
	if b[0] == 'S' {
		lat = -lat
	}
	if b[3] == 'W' {
		lon = -lon
	}
	return lat, lon, lat < 90
}

// orderName is the byte order in words.
func (c *collector) orderName() string {
	if c.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}

func (c *collector) order() binary.ByteOrder {
	if c.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// readRow fills buf with the next row's bytes.
func (c *collector) readRow(row int, buf []byte) error {
	_, err := io.ReadFull(c.in, buf)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return &fault.Error{Place: "row " + strconv.Itoa(row), Found: "the end of the file", Want: fmt.Sprintf("%d rows", c.Rows)}
	}
	return err
}

func (c *collector) rawInts(guessed bool) error {
	c.begin()
	buf := make([]byte, c.Cols*c.Bits/8)
	codes := make([]uint16, c.Cols)
	var swap swapTest
	for row := range c.Rows {
		if err := c.tick(row); err != nil {
			return err
		}
		if err := c.readRow(row, buf); err != nil {
			return err
		}
		switch {
		case c.Bits == 8:
			for i, b := range buf {
				codes[i] = uint16(b)
			}
		case c.BigEndian:
			decode16(codes, buf, binary.BigEndian)
		default:
			decode16(codes, buf, binary.LittleEndian)
		}
		if guessed && c.Bits == 16 {
			swap.add(codes, c.flip)
		}
		c.putInts(row, 0, 1, codes)
	}
	if swap.likely() {
		c.note("read as %s the samples jump about; the other byte order is smoother", c.orderName())
	}
	return nil
}

// decode16 is generic so that each byte order gets a loop of its own.
func decode16[O binary.ByteOrder](dst []uint16, src []byte, order O) {
	for i := range dst {
		dst[i] = order.Uint16(src[2*i:])
	}
}

// swapTest compares how much neighbours differ in one byte order and in the
// other. Ground is smooth in the right one.
type swapTest struct{ straight, swapped uint64 }

func (t *swapTest) add(codes []uint16, flip uint16) {
	diff := func(a, b uint16) uint64 { return uint64(max(a, b) - min(a, b)) }
	turn := func(v uint16) uint16 { return v<<8 | v>>8 }
	for i := 1; i < len(codes); i++ {
		t.straight += diff(codes[i]^flip, codes[i-1]^flip)
		t.swapped += diff(turn(codes[i])^flip, turn(codes[i-1])^flip)
	}
}

func (t *swapTest) likely() bool { return t.swapped*4 < t.straight }

func (c *collector) rawFloats() error {
	c.begin()
	buf := make([]byte, 4*c.Cols)
	values := make([]float32, c.Cols)
	skip := make([]bool, c.Cols)
	order := c.order()
	for row := range c.Rows {
		if err := c.tick(row); err != nil {
			return err
		}
		if err := c.readRow(row, buf); err != nil {
			return err
		}
		for i := range values {
			v := math.Float32frombits(order.Uint32(buf[4*i:]))
			values[i] = v
			skip[i] = c.isVoidFloat(v)
			if !skip[i] && v-v != 0 {
				byteAt := int64(row*c.Cols+i) * 4
				return &fault.Error{Place: fmt.Sprintf("row %d, column %d (byte %d)", row, i, byteAt), Found: floatWord(v), Want: "a finite height"}
			}
		}
		c.putFloats(row, values, skip)
	}
	return nil
}

// isVoidFloat compares as float32, because that is what the file could hold of
// the void value.
func (c *collector) isVoidFloat(v float32) bool {
	return c.Nodata != nil && (v == float32(*c.Nodata) || v != v && math.IsNaN(*c.Nodata))
}

func floatWord(v float32) string {
	switch {
	case v != v:
		return "not a number (NaN)"
	case v > 0:
		return "infinity"
	}
	return "minus infinity"
}
