package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
	"ridgeline/export/pack"
	"ridgeline/terrain/fault"
)

const op = "open the exported level"

// maxText bounds the JSON of a file, in bytes.
const maxText = 1 << 30

// The extensions that are understood beside those of package mesh.
const (
	extInstancing = "EXT_mesh_gpu_instancing"
	extLOD        = "RIDGELINE_lod"
	extLights     = "KHR_lights_punctual"
)

// file is an opened level file: where its buffers lie.
type file struct {
	name    string // as errors tell it
	gltf    *mesh.GLTF
	doc     *gltf.Document
	folder  *os.Root
	main    *os.File
	pack    *pack.Pack // instead of folder and main
	ground  []byte     // of a pack without visibility: the extension's, with nothing else
	buffers []buffer
}

// buffer is one buffer of the document.
type buffer struct {
	r      io.ReaderAt // nil: not there
	size   int64
	first  int64
	closer io.Closer // nil if it is not its own file
}

// Open opens a level: a .glb, a .gltf with its files beside it, or a .pack, be it a file
// or a folder. Errors are *fault.Error, or that of ctx.
func Open(ctx context.Context, path string) (*Level, error) {
	f, err := openFile(path)
	if err == nil {
		var l *Level
		if l, err = newLevel(ctx, f); err == nil {
			return l, nil
		}
		f.close()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fault.Wrap(op, path, err)
}

func openFile(path string) (_ *file, err error) {
	ext := strings.ToLower(filepath.Ext(path))
	if info, err := os.Stat(path); ext == ".pack" || err == nil && info.IsDir() {
		return openPack(path)
	}
	if ext != ".glb" && ext != ".gltf" {
		return nil, &fault.Error{Found: fmt.Sprintf("the extension %q", clip(ext)), Want: ".glb, .gltf, .pack or a folder"}
	}
	f := &file{name: path}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if f.folder, err = os.OpenRoot(filepath.Dir(path)); err != nil {
		return nil, err
	}
	var size int64
	if f.main, size, err = f.open(filepath.Base(path)); err != nil {
		return nil, err
	}
	text, bin := mesh.Range{Count: size}, mesh.Range{}
	if ext == ".glb" {
		if text, bin, err = mesh.GLBParts(f.main, size); err != nil {
			return nil, err
		}
	}
	if text.Count > maxText {
		return nil, &fault.Error{Place: "JSON", Found: fmt.Sprintf("%d MiB", text.Count>>20), Want: fmt.Sprintf("at most %d", maxText>>20)}
	}
	data, err := readRange(f.main, text.First, text.Count)
	if err != nil {
		return nil, err
	}
	if f.gltf, err = mesh.ParseGLTF(data, extLOD, extLights); err != nil {
		return nil, err
	}
	f.doc = f.gltf.Document()
	return f, f.openBuffers(bin)
}

// open opens a file of the folder, and tells its size. A pipe would block when it is
// opened, so its kind is looked at before.
func (f *file) open(name string) (*os.File, int64, error) {
	info, err := f.folder.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	if err := fault.Regular(op, "", "a file", info); err != nil {
		return nil, 0, err
	}
	file, err := f.folder.Open(name)
	return file, info.Size(), err
}

// openBuffers finds the data of each buffer, and that there is as much as it claims.
func (f *file) openBuffers(bin mesh.Range) error {
	f.buffers = make([]buffer, len(f.doc.Buffers))
	for i, b := range f.doc.Buffers {
		place := fmt.Sprintf("buffers[%d]", i)
		to := &f.buffers[i]
		switch data, inside, err := mesh.DataURI(place+".uri", b.URI); {
		case err != nil:
			return err
		case inside:
			to.r, to.size = strings.NewReader(string(data)), int64(len(data))
		case b.URI != "":
			name, err := mesh.ResolveURI(b.URI)
			if err != nil {
				return placed(place+".uri", err)
			}
			file, size, err := f.open(name)
			if err != nil {
				return placed(place+".uri", err)
			}
			to.r, to.size, to.closer = file, size, file
		case i == 0 && bin.Count > 0:
			to.r, to.size, to.first = f.main, bin.Count, bin.First
		default:
			return &fault.Error{Place: place, Found: "no data", Want: "an uri, or the binary chunk of a .glb for the first buffer"}
		}
		if int64(b.ByteLength) > to.size {
			return &fault.Error{Place: place + ".byteLength", Found: fmt.Sprint(b.ByteLength), Want: fmt.Sprintf("at most %d, which is what the data has", to.size)}
		}
	}
	return nil
}

// placed puts a place into an error that has none.
func placed(place string, err error) error {
	var e *fault.Error
	if errors.As(err, &e) {
		c := *e
		if c.Place == "" {
			c.Place = place
		}
		return &c
	}
	return &fault.Error{Place: place, Err: err}
}

// section is a buffer view.
func (f *file) section(view int) (*io.SectionReader, error) {
	if view < 0 || view >= len(f.doc.BufferViews) {
		return nil, &fault.Error{Found: fmt.Sprintf("buffer view %d", view), Want: fmt.Sprintf("one of %d", len(f.doc.BufferViews))}
	}
	v := f.doc.BufferViews[view]
	b := &f.buffers[v.Buffer]
	return io.NewSectionReader(b.r, b.first+int64(v.ByteOffset), int64(v.ByteLength)), nil
}

// view reads a buffer view.
func (f *file) view(index int) ([]byte, error) {
	s, err := f.section(index)
	if err != nil {
		return nil, err
	}
	return readRange(s, 0, s.Size())
}

// readRange reads bytes that are there: sizes were held against those of files. A file
// that has shrunk since is an error.
func readRange(r io.ReaderAt, first, count int64) ([]byte, error) {
	data := make([]byte, count)
	n, err := r.ReadAt(data, first)
	if int64(n) == count {
		return data, nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

func (f *file) close() error {
	var first error
	note := func(err error) {
		if err != nil && first == nil && !errors.Is(err, fs.ErrClosed) {
			first = err
		}
	}
	for _, b := range f.buffers {
		if b.closer != nil {
			note(b.closer.Close())
		}
	}
	if f.main != nil {
		note(f.main.Close())
	}
	if f.pack != nil {
		note(f.pack.Close())
	}
	if f.folder != nil {
		note(f.folder.Close())
	}
	return first
}

// clip shortens text of a file for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
