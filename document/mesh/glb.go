package mesh

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"ridgeline/terrain/fault"
)

const (
	glbMagic  = "glTF"
	glbHeader = 12 // magic, version, length
	glbChunk  = 8  // length, type
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

// readGLB reads the binary container of glTF.
func readGLB(ctx context.Context, data []byte, f *files) (*Model, error) {
	text, bin, err := splitGLB(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	part := func(p Range) []byte {
		if p.First == 0 {
			return nil
		}
		return data[p.First : p.First+p.Count : p.First+p.Count]
	}
	return readGLTF(ctx, part(text), part(bin), f)
}

// splitGLB finds the JSON and the binary chunk of a GLB file; bin is empty without
// one. Chunks of other types are skipped, as the specification demands.
func splitGLB(r io.ReaderAt, size int64) (text, bin Range, err error) {
	var head [glbHeader]byte
	n, err := r.ReadAt(head[:min(size, glbHeader)], 0)
	if err != nil && err != io.EOF {
		return text, bin, &fault.Error{Err: err}
	}
	if data := head[:n]; size < glbHeader || string(data[:4]) != glbMagic {
		return text, bin, &fault.Error{Place: "header", Found: describe(data), Want: `12 bytes that begin with "glTF"`}
	}
	if v := binary.LittleEndian.Uint32(head[4:]); v != 2 {
		return text, bin, &fault.Error{Place: "header", Found: fmt.Sprintf("version %d", v), Want: "version 2"}
	}
	if length := int64(binary.LittleEndian.Uint32(head[8:])); length != size {
		return text, bin, &fault.Error{Place: "header", Found: fmt.Sprintf("a length of %d bytes", length), Want: fmt.Sprintf("%d, the size of the file", size)}
	}
	for at, n := int64(glbHeader), 0; at < size || n == 0; n++ {
		place := fmt.Sprintf("chunk %d", n)
		if size-at < glbChunk {
			return text, bin, &fault.Error{Place: place, Found: fmt.Sprintf("%d bytes", size-at), Want: "a header of 8 bytes"}
		}
		if _, err := r.ReadAt(head[:glbChunk], at); err != nil && err != io.EOF {
			return text, bin, &fault.Error{Place: place, Err: err}
		}
		long := int64(binary.LittleEndian.Uint32(head[:]))
		kind := binary.LittleEndian.Uint32(head[4:])
		at += glbChunk
		switch {
		case long > size-at:
			return text, bin, &fault.Error{Place: place, Found: fmt.Sprintf("a length of %d bytes", long), Want: fmt.Sprintf("at most %d, which is what is left", size-at)}
		case long%4 != 0:
			return text, bin, &fault.Error{Place: place, Found: fmt.Sprintf("a length of %d bytes", long), Want: "a multiple of 4"}
		case n == 0 && kind != chunkJSON:
			return text, bin, &fault.Error{Place: place, Found: fmt.Sprintf("the type %#x", kind), Want: "JSON first"}
		case n > 0 && kind == chunkJSON, kind == chunkBIN && bin.First != 0:
			return text, bin, &fault.Error{Place: place, Found: fmt.Sprintf("a second chunk of type %#x", kind), Want: "one"}
		}
		switch kind {
		case chunkJSON:
			text = Range{at, long}
		case chunkBIN:
			bin = Range{at, long}
		}
		at += long
	}
	return text, bin, nil
}

// describe tells what a file is that is no GLB.
func describe(data []byte) string {
	switch {
	case len(data) == 0:
		return "an empty file"
	case len(data) < glbHeader:
		return fmt.Sprintf("%d bytes", len(data))
	}
	return fmt.Sprintf("%q", data[:4])
}
