package heightmap

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"

	"ridgeline/terrain/fault"
)

// Colour types of the PNG specification, table 11.1.
const (
	pngGrey      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGreyAlpha = 4
	pngRGBA      = 6
)

// deflateRatio is more than the 1032:1 that deflate can reach: a header that
// claims a bigger picture for its file lies.
const deflateRatio = 1100

// pngReader reads the grey channel of a PNG row by row. The standard library's
// decoder holds the whole picture, allocates it by the header's word, and turns
// 16-bit grey with alpha into another picture; here alpha is stepped over, never
// multiplied in.
type pngReader struct {
	c        *collector
	offset   int64 // of the next byte, for messages
	kind     [4]byte
	start    int64  // of the chunk
	left     uint32 // bytes of the chunk not read
	crc      uint32
	depth    int
	colour   int
	channels int
	adam7    bool
}

func readPNG(c *collector, o Options) error {
	p := &pngReader{c: c}
	if _, err := io.CopyN(io.Discard, c.in, int64(len(pngSignature))); err != nil {
		return p.truncated(err)
	}
	p.offset = int64(len(pngSignature))
	if err := p.header(o); err != nil {
		return err
	}
	if err := p.skipToData(); err != nil {
		return err
	}
	if err := p.picture(); err != nil {
		return err
	}
	return p.rest()
}

func (p *pngReader) truncated(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return &fault.Error{Place: fmt.Sprintf("byte %d", p.c.in.size), Found: "the end of the file", Want: "the rest of the picture"}
	}
	return err
}

func (p *pngReader) place() string { return fmt.Sprintf("byte %d", p.start) }

// next starts the next chunk.
func (p *pngReader) next() error {
	var head [8]byte
	p.start = p.offset
	if _, err := io.ReadFull(p.c.in, head[:]); err != nil {
		return p.truncated(err)
	}
	p.offset += 8
	p.left = binary.BigEndian.Uint32(head[:])
	copy(p.kind[:], head[4:])
	p.crc = crc32.ChecksumIEEE(head[4:])
	if p.left > 1<<31-1 {
		return &fault.Error{Place: p.place(), Found: fmt.Sprintf("a chunk of %d bytes", p.left), Want: "at most 2147483647"}
	}
	return nil
}

// body reads from the chunk; io.EOF at its end.
func (p *pngReader) body(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	n, err := p.c.in.Read(b[:min(len(b), int(p.left))])
	p.offset += int64(n)
	p.left -= uint32(n)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, b[:n])
	if err == io.EOF {
		err = p.truncated(err)
	}
	return n, err
}

// end skips what is left of the chunk and checks its sum.
func (p *pngReader) end() error {
	var buf [4096]byte
	for p.left > 0 {
		if _, err := p.body(buf[:]); err != nil {
			return err
		}
	}
	if _, err := io.ReadFull(p.c.in, buf[:4]); err != nil {
		return p.truncated(err)
	}
	p.offset += 4
	if sum := binary.BigEndian.Uint32(buf[:]); sum != p.crc {
		return &fault.Error{Place: p.place(), Found: fmt.Sprintf("checksum %08x of chunk %s", sum, quote(string(p.kind[:]))), Want: fmt.Sprintf("%08x", p.crc)}
	}
	return nil
}

func (p *pngReader) header(o Options) error {
	if err := p.next(); err != nil {
		return err
	}
	if string(p.kind[:]) != "IHDR" || p.left != 13 {
		return &fault.Error{Place: p.place(), Found: fmt.Sprintf("chunk %s of %d bytes", quote(string(p.kind[:])), p.left), Want: "IHDR of 13 bytes"}
	}
	var h [13]byte
	for n := 0; n < len(h); {
		m, err := p.body(h[n:])
		if err != nil {
			return err
		}
		n += m
	}
	if err := p.end(); err != nil {
		return err
	}
	cols, rows := binary.BigEndian.Uint32(h[0:]), binary.BigEndian.Uint32(h[4:])
	if err := checkSide("header", "width", int64(cols)); err != nil {
		return err
	}
	if err := checkSide("header", "height", int64(rows)); err != nil {
		return err
	}
	p.depth, p.colour = int(h[8]), int(h[9])
	if err := p.colourType(); err != nil {
		return err
	}
	if h[10] != 0 || h[11] != 0 || h[12] > 1 {
		return &fault.Error{Place: "header", Found: fmt.Sprintf("compression %d, filter %d, interlace %d", h[10], h[11], h[12]), Want: "0, 0, and 0 or 1"}
	}
	p.adam7 = h[12] == 1
	c := p.c
	c.Cols, c.Rows, c.Bits, c.BigEndian = int(cols), int(rows), p.depth, p.depth == 16
	c.MaxSample = float64(int(1)<<p.depth - 1)
	raw := int64(cols) * int64(rows) * int64(p.channels*p.depth/8)
	if raw/deflateRatio > c.in.size {
		return &fault.Error{Place: "header", Found: fmt.Sprintf("a picture of %s samples in %s", sizeText(c.Cols, c.Rows), plural(int(c.in.size), "byte")),
			Want: fmt.Sprintf("at least %d bytes for that size", raw/deflateRatio+1)}
	}
	if err := o.matches(&c.Info); err != nil {
		return err
	}
	if o.Nodata != nil {
		c.Nodata = o.Nodata
		c.addVoid(*o.Nodata)
	}
	c.begin()
	return nil
}

func (p *pngReader) colourType() error {
	want := "8- or 16-bit grey"
	name := ""
	switch p.colour {
	case pngGrey:
		p.channels, name = 1, "grey"
	case pngGreyAlpha:
		p.channels, name = 2, "grey with alpha"
		p.c.note("the alpha channel is ignored")
	case pngRGB:
		p.channels, name = 3, "colour"
	case pngRGBA:
		p.channels, name = 4, "colour with alpha"
		p.c.note("the alpha channel is ignored")
	case pngPalette:
		return &fault.Error{Place: "header", Found: "a palette picture", Want: want}
	default:
		return &fault.Error{Place: "header", Found: fmt.Sprintf("colour type %d", p.colour), Want: want}
	}
	if p.depth != 8 && p.depth != 16 {
		return &fault.Error{Place: "header", Found: fmt.Sprintf("%d-bit %s", p.depth, name), Want: want}
	}
	if p.channels > 2 {
		p.c.note("a colour picture that holds nothing but grey, taken as grey")
	}
	return nil
}

// skipToData steps over the chunks between the header and the first IDAT.
func (p *pngReader) skipToData() error {
	for {
		if err := p.next(); err != nil {
			return err
		}
		switch string(p.kind[:]) {
		case "IDAT":
			return nil
		case "IEND":
			return &fault.Error{Place: p.place(), Found: "the end of the picture", Want: "its data"}
		case "PLTE": // a suggested palette of a colour picture says nothing about heights
		default:
			if p.kind[0]&0x20 == 0 {
				return &fault.Error{Place: p.place(), Found: "critical chunk " + quote(string(p.kind[:])), Want: "IDAT"}
			}
		}
		if err := p.end(); err != nil {
			return err
		}
	}
}

// idat reads the joined bodies of the IDAT chunks, ending at the first chunk
// of another kind, which stays current.
type idat struct{ p *pngReader }

func (d idat) Read(b []byte) (int, error) {
	p := d.p
	for p.left == 0 {
		if string(p.kind[:]) != "IDAT" {
			return 0, io.EOF
		}
		if err := p.end(); err != nil {
			return 0, err
		}
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	if string(p.kind[:]) != "IDAT" {
		return 0, io.EOF
	}
	return p.body(b)
}

// dataError gives a fault for what went wrong in the compressed data.
func (p *pngReader) dataError(err error) error {
	var f *fault.Error
	switch {
	case errors.As(err, &f), p.c.ctx.Err() != nil:
		return err
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return &fault.Error{Place: p.place(), Found: "the end of the data", Want: fmt.Sprintf("%s samples", sizeText(p.c.Cols, p.c.Rows))}
	}
	return &fault.Error{Place: p.place(), Found: "damaged data", Err: err}
}

func (p *pngReader) picture() error {
	z, err := zlib.NewReader(bufio.NewReaderSize(idat{p}, 1<<16))
	if err != nil {
		return p.dataError(err)
	}
	if p.adam7 {
		// Passes of the PNG specification, 8.2: first row and column, then steps.
		for _, a := range [7]struct{ row, col, rowStep, colStep int }{
			{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4}, {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1},
		} {
			if err := p.pass(z, a.row, a.col, a.rowStep, a.colStep); err != nil {
				return err
			}
		}
	} else if err := p.pass(z, 0, 0, 1, 1); err != nil {
		return err
	}
	// Reading on makes the decompressor check its own sum.
	var extra [1]byte
	if _, err := io.ReadFull(z, extra[:]); err == nil {
		return &fault.Error{Place: p.place(), Found: "more data", Want: fmt.Sprintf("%s samples", sizeText(p.c.Cols, p.c.Rows))}
	} else if err != io.EOF {
		return p.dataError(err)
	}
	if _, err := io.Copy(io.Discard, idat{p}); err != nil {
		return p.dataError(err)
	}
	return nil
}

// pass reads the rows of one pass.
func (p *pngReader) pass(z io.Reader, row0, col0, rowStep, colStep int) error {
	n := (p.c.Cols - col0 + colStep - 1) / colStep
	if n <= 0 {
		return nil
	}
	bpp := p.channels * p.depth / 8
	// The first byte of a row is its filter; the row before the first is zero.
	line, above := make([]byte, 1+n*bpp), make([]byte, 1+n*bpp)
	codes := make([]uint16, n)
	for row := row0; row < p.c.Rows; row += rowStep {
		if err := p.c.tick(row / rowStep); err != nil {
			return err
		}
		if _, err := io.ReadFull(z, line); err != nil {
			return p.dataError(err)
		}
		if !unfilter(line[0], line[1:], above[1:], bpp) {
			return &fault.Error{Place: fmt.Sprintf("row %d", row), Found: fmt.Sprintf("filter %d", line[0]), Want: "0 to 4"}
		}
		if at := greyOf(codes, line[1:], p.depth/8, p.channels); at >= 0 {
			return &fault.Error{Place: fmt.Sprintf("row %d, column %d", row, col0+at*colStep), Found: "a colour", Want: "grey"}
		}
		p.c.putInts(row, col0, colStep, codes)
		line, above = above, line
	}
	return nil
}

// greyOf takes the grey of each pixel. Of three colour channels it takes the
// middle one, where none differ by more than an 8-bit step: programs that save
// grey as colour round the channels apart. It returns the index of the first
// pixel that is coloured, or −1.
func greyOf(dst []uint16, src []byte, width, channels int) int {
	switch {
	case channels == 1 && width == 2:
		decode16(dst, src, binary.BigEndian)
		return -1
	case channels == 1:
		for i, b := range src {
			dst[i] = uint16(b)
		}
		return -1
	}
	at := func(i int) uint16 { return uint16(src[i]) }
	step := uint16(1)
	if width == 2 {
		at = func(i int) uint16 { return binary.BigEndian.Uint16(src[2*i:]) }
		step = 257
	}
	for i := range dst {
		red := at(i * channels)
		if channels < 3 {
			dst[i] = red
			continue
		}
		green, blue := at(i*channels+1), at(i*channels+2)
		lo, hi := min(red, green, blue), max(red, green, blue)
		if hi-lo > step {
			return i
		}
		dst[i] = max(min(red, green), min(max(red, green), blue))
	}
	return -1
}

// unfilter undoes a row filter (PNG specification, 9.2) in place. ok is false
// for a filter that does not exist.
func unfilter(filter byte, line, above []byte, bpp int) (ok bool) {
	above = above[:len(line)]
	switch filter {
	case 0:
	case 1:
		for i := bpp; i < len(line); i++ {
			line[i] += line[i-bpp]
		}
	case 2:
		for i, b := range above {
			line[i] += b
		}
	case 3:
		for i := range min(bpp, len(line)) {
			line[i] += above[i] / 2
		}
		for i := bpp; i < len(line); i++ {
			line[i] += byte((int(line[i-bpp]) + int(above[i])) / 2)
		}
	case 4:
		for i := range bpp {
			unpaeth(line, above, i, bpp)
		}
	default:
		return false
	}
	return true
}

// unpaeth undoes the Paeth filter for every bpp-th byte from i on, so that the
// neighbours stay in registers.
func unpaeth(line, above []byte, i, bpp int) {
	var left, corner int
	for ; i < len(line); i += bpp {
		up := int(above[i])
		pa, pb := up-corner, left-corner
		pc := pa + pb
		pa, pb, pc = max(pa, -pa), max(pb, -pb), max(pc, -pc)
		guess := left
		if pb < pa {
			guess = up
		}
		if pc < min(pa, pb) {
			guess = corner
		}
		left = int(line[i] + byte(guess))
		line[i] = byte(left)
		corner = up
	}
}

// rest reads the chunks after the data up to the end of the picture.
func (p *pngReader) rest() error {
	for {
		kind := string(p.kind[:])
		if kind == "IDAT" || kind[0]&0x20 == 0 && kind != "IEND" {
			return &fault.Error{Place: p.place(), Found: "chunk " + quote(kind) + " after the data", Want: "IEND"}
		}
		if err := p.end(); err != nil {
			return err
		}
		if kind == "IEND" {
			return nil
		}
		if err := p.next(); err != nil {
			return err
		}
	}
}
