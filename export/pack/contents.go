package pack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"strings"

	"ridgeline/terrain/fault"
)

// The parts of a pack in one file.
const (
	headMagic = "RLPACK\r\n"
	footMagic = "RLPKTOC\n"
	headSize  = 16
	footSize  = 32
	align     = 16       // of files
	maxToc    = 64 << 20 // bytes
	maxName   = 255      // bytes
)

// Files takes the files of a pack. One is closed before the next begins.
type Files interface {
	Create(name string) (io.WriteCloser, error)
}

// Writer writes a pack as one file, from front to back:
//
//	header   "RLPACK\r\n", uint32 version, uint32 0
//	files    each from a multiple of 16 bytes on, zeros between
//	table    of each file: uint64 offset, uint64 size, uint16 length of the name, the name
//	footer   "RLPKTOC\n", uint64 offset of the table, uint32 its size, uint32 number of
//	         files, uint32 CRC-32 of the table, uint32 version
//
// It is a Files. Close ends the pack; without it the file is none.
type Writer struct {
	w     *bufio.Writer
	n     int64
	toc   []byte
	count uint32
	names map[string]bool
	open  *entry
	err   error
}

// NewWriter begins a pack.
func NewWriter(w io.Writer) *Writer {
	p := &Writer{w: bufio.NewWriterSize(w, 1<<18), names: map[string]bool{}}
	head := append([]byte(headMagic), 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(head[8:], Version)
	p.write(head)
	return p
}

func (p *Writer) write(data []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	var n int
	n, p.err = p.w.Write(data)
	p.n += int64(n)
	return n, p.err
}

var zeros [align]byte

func (p *Writer) pad() { p.write(zeros[:-p.n&(align-1)]) }

// entry is the file that is being written.
type entry struct {
	p     *Writer
	name  string
	first int64
}

var errOpen = errors.New("another file of the pack is not closed yet")

// Create implements Files.
func (p *Writer) Create(name string) (io.WriteCloser, error) {
	switch {
	case p.err != nil:
		return nil, p.err
	case p.open != nil:
		return nil, errOpen
	case !goodName(name) || p.names[name]:
		return nil, fmt.Errorf("a pack cannot have a file %q", name)
	}
	p.names[name] = true
	p.pad()
	p.open = &entry{p, name, p.n}
	return p.open, p.err
}

// Write implements io.Writer.
func (e *entry) Write(data []byte) (int, error) {
	if e.p.open != e {
		return 0, fs.ErrClosed
	}
	return e.p.write(data)
}

// Close implements io.Closer.
func (e *entry) Close() error {
	p := e.p
	if p.open != e {
		return fs.ErrClosed
	}
	p.open = nil
	p.toc = binary.LittleEndian.AppendUint64(p.toc, uint64(e.first))
	p.toc = binary.LittleEndian.AppendUint64(p.toc, uint64(p.n-e.first))
	p.toc = binary.LittleEndian.AppendUint16(p.toc, uint16(len(e.name)))
	p.toc = append(p.toc, e.name...)
	p.count++
	return p.err
}

// Close ends the pack.
func (p *Writer) Close() error {
	if p.open != nil {
		return errOpen
	}
	p.pad()
	if len(p.toc) > maxToc {
		return fmt.Errorf("a table of contents of %d MiB, expected at most %d", len(p.toc)>>20, maxToc>>20)
	}
	foot := append([]byte(footMagic), make([]byte, footSize-len(footMagic))...)
	binary.LittleEndian.PutUint64(foot[8:], uint64(p.n))
	binary.LittleEndian.PutUint32(foot[16:], uint32(len(p.toc)))
	binary.LittleEndian.PutUint32(foot[20:], p.count)
	binary.LittleEndian.PutUint32(foot[24:], crc32.ChecksumIEEE(p.toc))
	binary.LittleEndian.PutUint32(foot[28:], Version)
	p.write(p.toc)
	p.write(foot)
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// goodName tells whether a file of a pack may have a name: slash-separated, within the
// pack, and one on every system.
func goodName(name string) bool {
	return len(name) <= maxName && name != "." && fs.ValidPath(name) && !strings.ContainsAny(name, "\\:*?\"<>|\x00")
}

// span is where a file lies in a pack.
type span struct{ first, size int64 }

// readContents reads the table of contents of a pack of some size.
func readContents(r io.ReaderAt, size int64) (map[string]span, error) {
	bad := func(place, found, want string) error { return &fault.Error{Place: place, Found: found, Want: want} }
	if size < headSize+footSize {
		return nil, bad("", fmt.Sprintf("%d bytes", size), fmt.Sprintf("a pack, which has %d or more", headSize+footSize))
	}
	var head [headSize]byte
	if err := readAt(r, head[:], 0); err != nil {
		return nil, err
	}
	if string(head[:8]) != headMagic {
		return nil, bad("header", fmt.Sprintf("%q", head[:8]), fmt.Sprintf("%q", headMagic))
	}
	version := binary.LittleEndian.Uint32(head[8:])
	if version < 1 || version > Version {
		return nil, bad("header", fmt.Sprintf("version %d", version), fmt.Sprintf("1 to %d", Version))
	}
	if v := binary.LittleEndian.Uint32(head[12:]); v != 0 {
		return nil, bad("header", fmt.Sprintf("%d behind the version", v), "0")
	}
	var foot [footSize]byte
	if err := readAt(r, foot[:], size-footSize); err != nil {
		return nil, err
	}
	if string(foot[:8]) != footMagic {
		return nil, bad("footer", fmt.Sprintf("%q", foot[:8]), fmt.Sprintf("%q: the file may be cut off", footMagic))
	}
	if v := binary.LittleEndian.Uint32(foot[28:]); v != version {
		return nil, bad("footer", fmt.Sprintf("version %d", v), fmt.Sprintf("%d, that of the header", version))
	}
	at, length := binary.LittleEndian.Uint64(foot[8:]), binary.LittleEndian.Uint32(foot[16:])
	count, sum := binary.LittleEndian.Uint32(foot[20:]), binary.LittleEndian.Uint32(foot[24:])
	if length > maxToc || at < headSize || at > math.MaxInt64 || int64(at) != size-footSize-int64(length) {
		return nil, bad("footer", fmt.Sprintf("a table of contents of %d bytes at %d", length, at), fmt.Sprintf("one that ends at %d", size-footSize))
	}
	toc := make([]byte, length)
	if err := readAt(r, toc, int64(at)); err != nil {
		return nil, err
	}
	if found := crc32.ChecksumIEEE(toc); found != sum {
		return nil, bad("table of contents", fmt.Sprintf("the checksum %08x", found), fmt.Sprintf("%08x", sum))
	}
	files := map[string]span{}
	end := uint64(headSize) // of the file before
	for i := range count {
		place := fmt.Sprintf("table of contents, file %d", i)
		if len(toc) < 18 {
			return nil, bad(place, "the end of the table", fmt.Sprintf("%d files", count))
		}
		first, size, n := binary.LittleEndian.Uint64(toc), binary.LittleEndian.Uint64(toc[8:]), int(binary.LittleEndian.Uint16(toc[16:]))
		if toc = toc[18:]; n > len(toc) {
			return nil, bad(place, fmt.Sprintf("a name of %d bytes", n), fmt.Sprintf("at most %d, which the table has left", len(toc)))
		}
		name := string(toc[:n])
		toc = toc[n:]
		if !goodName(name) {
			return nil, bad(place, fmt.Sprintf("the name %q", clip(name)), "one within the pack")
		}
		if _, twice := files[name]; twice {
			return nil, bad(place, fmt.Sprintf("%q a second time", name), "each file once")
		}
		if first < end || first%align != 0 || first > at || size > at-first {
			return nil, bad(place, fmt.Sprintf("%d bytes at %d", size, first), fmt.Sprintf("a multiple of %d from %d, and an end at %d at most", align, end, at))
		}
		end = first + size
		files[name] = span{int64(first), int64(size)}
	}
	if len(toc) > 0 {
		return nil, bad("table of contents", fmt.Sprintf("%d bytes more", len(toc)), fmt.Sprintf("%d files and no more", count))
	}
	return files, nil
}

// readAt fills data. What ends early is an error.
func readAt(r io.ReaderAt, data []byte, first int64) error {
	n, err := r.ReadAt(data, first)
	if n == len(data) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// clip shortens text of a file for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
