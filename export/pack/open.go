package pack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"ridgeline/export/strict"
	"ridgeline/terrain/fault"
)

const op = "open the pack"

// Bounds of what is read of the files that are JSON: bytes, and objects and lists, since
// an empty one takes two bytes of text and some hundred of memory.
const (
	maxText       = 256 << 20
	maxContainers = 4 << 20
)

// Pack is an opened pack. It may be used by any number of goroutines.
type Pack struct {
	// Index is what is in the pack. It must not be changed.
	Index Index

	path   string
	folder *os.Root // of a folder
	file   *os.File // else
	spans  map[string]span
	sizes  map[string]int64 // of the files that the index names

	mu     sync.Mutex
	opened map[string]*handle // of a folder
	closed bool
}

// handle is an opened file of a folder.
type handle struct {
	*os.File
	users int
}

// maxOpened is how many files of a folder stay open while nothing is read from them.
const maxOpened = 64

// Open opens a pack: a folder, or one file. Errors are *fault.Error.
func Open(path string) (*Pack, error) {
	p := &Pack{path: path, opened: map[string]*handle{}}
	if err := p.read(); err != nil {
		p.Close()
		return nil, fault.Wrap(op, path, err)
	}
	return p, nil
}

// Is tells whether path is a folder with an index, or begins as a pack of one file.
func Is(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if info.IsDir() {
		data, err := os.Open(filepath.Join(path, IndexFile))
		if err != nil {
			return false
		}
		defer data.Close()
		head := make([]byte, 64)
		n, _ := io.ReadFull(data, head)
		return bytes.Contains(head[:n], []byte(`"`+Format+`"`))
	}
	f, _, err := fault.Open(op, path, "a pack")
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(headMagic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == headMagic
}

func (p *Pack) read() error {
	info, err := os.Stat(p.path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if p.folder, err = os.OpenRoot(p.path); err != nil {
			return err
		}
	} else {
		if p.file, info, err = fault.Open(op, p.path, "a pack: a folder, or a file"); err != nil {
			return err
		}
		if p.spans, err = readContents(p.file, info.Size()); err != nil {
			return err
		}
	}
	if err := p.readJSON(IndexFile, &p.Index); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return placed(IndexFile, err)
	}
	return nil
}

// readJSON reads a file of JSON.
func (p *Pack) readJSON(name string, to any) error {
	size, err := p.size(name)
	if err != nil {
		return placed(name, err)
	}
	if size > maxText {
		return &fault.Error{Place: name, Found: fmt.Sprintf("%d MiB", size>>20), Want: fmt.Sprintf("at most %d", maxText>>20)}
	}
	data := make([]byte, size)
	if err := readAt(&part{p, name}, data, 0); err != nil {
		return placed(name, err)
	}
	return placed(name, decode(data, to))
}

// decode reads JSON of no more objects and lists than may be.
func decode(data []byte, to any) error {
	containers, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case (c == '{' || c == '[') && !quoted:
			containers++
		}
	}
	if containers > maxContainers {
		return &fault.Error{Found: fmt.Sprintf("%d objects and lists", containers), Want: fmt.Sprintf("at most %d", maxContainers)}
	}
	return strict.Unmarshal(data, to)
}

// placed puts a file, or a place, before the place of an error.
func placed(place string, err error) error {
	if err == nil {
		return nil
	}
	var e *fault.Error
	if !errors.As(err, &e) {
		return &fault.Error{Place: place, Err: err}
	}
	c := *e
	if c.Place == "" {
		c.Place = place
	} else {
		c.Place = place + ", " + c.Place
	}
	return &c
}

// size finds how long a file is.
func (p *Pack) size(name string) (int64, error) {
	if !goodName(name) {
		return 0, &fault.Error{Found: fmt.Sprintf("the name %q", clip(name)), Want: "one within the pack"}
	}
	if p.folder == nil {
		s, ok := p.spans[name]
		if !ok {
			return 0, fs.ErrNotExist
		}
		return s.size, nil
	}
	info, err := p.folder.Stat(filepath.FromSlash(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), fault.Regular(op, "", "a file", info)
}

// Path is what Open was given.
func (p *Pack) Path() string { return p.path }

// Section is a file that the index names, or the index itself. It may be read until the
// pack is closed.
func (p *Pack) Section(name string) (*io.SectionReader, error) {
	size, ok := p.sizes[name]
	if !ok {
		return nil, &fault.Error{Op: op, File: p.path, Place: clip(name), Found: "no such file", Want: "one that " + IndexFile + " names"}
	}
	return io.NewSectionReader(&part{p, name}, 0, size), nil
}

// ReadFile reads all of a file that the index names.
func (p *Pack) ReadFile(name string) ([]byte, error) {
	s, err := p.Section(name)
	if err != nil {
		return nil, err
	}
	data := make([]byte, s.Size())
	if err := readAt(s, data, 0); err != nil {
		return nil, fault.Wrap(op, p.path, placed(name, err))
	}
	return data, nil
}

// Hidden reads occluders.json and portals.json; the pack has to have visibility.
func (p *Pack) Hidden() (h Hidden, err error) {
	for _, name := range [2]string{p.Index.Visibility.Occluders, p.Index.Visibility.Portals} {
		if err := p.readJSON(name, &h); err != nil {
			return h, fault.Wrap(op, p.path, err)
		}
	}
	for _, of := range [...]struct {
		file, key string
		list      json.RawMessage
	}{{p.Index.Visibility.Occluders, "occluders", h.Occluders}, {p.Index.Visibility.Portals, "cells", h.Cells}, {p.Index.Visibility.Portals, "portals", h.Portals}} {
		if !bytes.HasPrefix(of.list, []byte("[")) {
			return h, &fault.Error{Op: op, File: p.path, Place: of.file + ", " + of.key, Found: "no list", Want: "one, which may be empty"}
		}
	}
	return h, nil
}

// HoleBits reads holes.json as a bit a cell, row by row, the lowest bit of a byte first; 1
// is open. It is nil without holes.
func (p *Pack) HoleBits() ([]byte, error) {
	g := p.Index.Ground
	if g == nil || g.Holes == "" {
		return nil, nil
	}
	var h Holes
	if err := p.readJSON(g.Holes, &h); err != nil {
		return nil, fault.Wrap(op, p.path, err)
	}
	bits, err := h.bits(g.Columns-1, g.Rows-1)
	return bits, fault.Wrap(op, p.path, placed(g.Holes, err))
}

// bits marks the cells of a grid that are in runs.
func (h *Holes) bits(cols, rows int) ([]byte, error) {
	if h.Columns != cols || h.Rows != rows {
		return nil, &fault.Error{Found: fmt.Sprintf("%d×%d cells", h.Columns, h.Rows), Want: fmt.Sprintf("%d×%d", cols, rows)}
	}
	out := make([]byte, (int64(cols)*int64(rows)+7)/8)
	end := 0 // of the run before
	for i, run := range h.Runs {
		row, first, n := run[0], run[1], run[2]
		if row < 0 || row >= rows || first < 0 || first >= cols || n < 1 || n > cols-first || row*cols+first < end {
			return nil, &fault.Error{Place: fmt.Sprintf("runs[%d]", i), Found: fmt.Sprint(run), Want: fmt.Sprintf("a row, a column and a number of cells within %d×%d, after the run before", cols, rows)}
		}
		end = row*cols + first + n
		for k := row*cols + first; k < end; k++ {
			out[k>>3] |= 1 << (k & 7)
		}
	}
	return out, nil
}

// Verify holds every file against its checksum.
func (p *Pack) Verify(ctx context.Context) error {
	buf := make([]byte, 1<<18)
	for _, f := range p.Index.Files {
		s, err := p.Section(f.Name)
		if err != nil {
			return err
		}
		sum := crc32.NewIEEE()
		for at := int64(0); at < f.Size; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(int64(len(buf)), f.Size-at)
			if err := readAt(s, buf[:n], at); err != nil {
				return fault.Wrap(op, p.path, placed(f.Name, err))
			}
			sum.Write(buf[:n])
			at += n
		}
		if found := sum.Sum32(); found != f.CRC32 {
			return &fault.Error{Op: op, File: p.path, Place: f.Name, Found: fmt.Sprintf("the checksum %08x", found), Want: fmt.Sprintf("%08x", f.CRC32)}
		}
	}
	return nil
}

// part reads a file of the pack.
type part struct {
	p    *Pack
	name string
}

// ReadAt implements io.ReaderAt.
func (f *part) ReadAt(data []byte, at int64) (int, error) {
	p := f.p
	if p.folder == nil {
		s := p.spans[f.name]
		if at < 0 || at > s.size {
			return 0, io.EOF
		}
		short := int64(len(data)) > s.size-at
		n, err := p.file.ReadAt(data[:min(int64(len(data)), s.size-at)], s.first+at)
		if err == nil && short {
			err = io.EOF
		}
		return n, err
	}
	h, err := p.take(f.name)
	if err != nil {
		return 0, err
	}
	defer p.leave(h)
	return h.ReadAt(data, at)
}

// take gives an opened file of the folder until leave.
func (p *Pack) take(name string) (*handle, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fs.ErrClosed
	}
	h := p.opened[name]
	if h == nil {
		if len(p.opened) >= maxOpened {
			for other, o := range p.opened {
				if o.users == 0 {
					delete(p.opened, other)
					o.Close()
					break
				}
			}
		}
		f, err := p.folder.Open(filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		h = &handle{File: f}
		p.opened[name] = h
	}
	h.users++
	return h, nil
}

func (p *Pack) leave(h *handle) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h.users--; h.users == 0 && p.closed {
		h.Close()
	}
}

// Close lets go of the pack's files.
func (p *Pack) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	var errs []error
	for _, h := range p.opened {
		if h.users == 0 {
			errs = append(errs, h.Close())
		}
	}
	if p.folder != nil {
		errs = append(errs, p.folder.Close())
	}
	if p.file != nil {
		errs = append(errs, p.file.Close())
	}
	return errors.Join(errs...)
}
