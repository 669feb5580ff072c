package glb

import (
	"bufio"
	"context"
	"io"
	"net/url"
)

// Files takes the files beside a .gltf.
type Files interface {
	// Create begins a file with an extension, such as ".bin".
	Create(extension string) (File, error)
}

// File is a file beside a .gltf.
type File interface {
	io.Writer
	// Finish ends the file and gives the name by which the .gltf finds it.
	Finish() (name string, err error)
}

// maxPiece bounds the files that hold vertices and the like: many readers count bytes
// in 32 bits, some of them with a sign.
const maxPiece = 1 << 31

// WriteApart writes the scene as a .gltf to w, with its pictures and its binary part as
// files beside it. They are all finished before the first byte of the .gltf. Otherwise
// it is as Write.
func WriteApart(ctx context.Context, w io.Writer, files Files, s Scene, progress func(done float64)) (Stats, error) {
	keep := usual
	keep.apart, keep.pieceLimit = true, maxPiece
	return writeApart(ctx, w, files, s, progress, keep)
}

func writeApart(ctx context.Context, w io.Writer, files Files, s Scene, progress func(done float64), keep keep) (Stats, error) {
	f, err := begin(ctx, &s, progress, keep)
	if err != nil {
		return Stats{}, err
	}
	p := f.plan
	pieces := &pieceWriter{plan: p, files: files}
	out := &sink{w: bufio.NewWriterSize(pieces, 1<<20)}
	if err := p.writeBinary(ctx, out, files, &f); err != nil {
		return Stats{}, err
	}
	if err := out.w.Flush(); err != nil {
		return Stats{}, err
	}
	if out.n != p.size {
		return Stats{}, errChanged
	}
	if err := pieces.finish(); err != nil {
		return Stats{}, err
	}
	doc, err := p.json()
	if err != nil {
		return Stats{}, err
	}
	p.stats.Bytes = p.size + p.apartBytes + int64(len(doc))
	_, err = w.Write(doc)
	return p.stats, err
}

// writePicture writes a picture into the binary part, or its own file.
func (p *plan) writePicture(out *sink, files Files, of pictureOf) error {
	data, err := p.pictures.picture(of)
	if err != nil {
		return err
	}
	if !p.apart {
		out.write(data)
		return out.err
	}
	if p.named {
		// One file at a time: what was written before is whole.
		if err := out.w.Flush(); err != nil {
			return err
		}
	}
	f, err := files.Create(p.pictureFile(of.image))
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	name, err := f.Finish()
	p.doc.Images[of.image].URI = url.PathEscape(name)
	p.doc.Images[of.image].MimeType = ""
	return err
}

// pieceWriter spreads the binary part over the files that the plan says.
type pieceWriter struct {
	plan  *plan
	files Files
	at    File
	done  int   // files that are finished
	left  int64 // bytes until the next file begins
}

func (w *pieceWriter) Write(data []byte) (int, error) {
	n := 0
	for len(data) > 0 {
		if w.at == nil {
			if w.done == len(w.plan.doc.Buffers) {
				return n, errChanged
			}
			var err error
			file := ".bin"
			if w.plan.named {
				file = w.plan.pieceNames[w.done]
			}
			if w.at, err = w.files.Create(file); err != nil {
				return n, err
			}
			w.left = int64(w.plan.doc.Buffers[w.done].ByteLength)
		}
		k, err := w.at.Write(data[:min(int64(len(data)), w.left)])
		n += k
		w.left -= int64(k)
		data = data[k:]
		if err == nil && w.left == 0 {
			err = w.finish()
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// finish ends the file that is being written, if any.
func (w *pieceWriter) finish() error {
	if w.at == nil {
		return nil
	}
	name, err := w.at.Finish()
	w.plan.doc.Buffers[w.done].URI = url.PathEscape(name)
	w.at = nil
	w.done++
	return err
}
