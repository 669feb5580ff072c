package mesh

import (
	"context"
	"encoding/binary"
	"fmt"

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
	text, bin, err := splitGLB(data)
	if err != nil {
		return nil, err
	}
	return readGLTF(ctx, text, bin, f)
}

// splitGLB finds the JSON and the binary chunk of a GLB file; bin is nil without
// one. Chunks of other types are skipped, as the specification demands.
func splitGLB(data []byte) (text, bin []byte, err error) {
	if len(data) < glbHeader || string(data[:4]) != glbMagic {
		return nil, nil, &fault.Error{Place: "header", Found: describe(data), Want: `12 bytes that begin with "glTF"`}
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, &fault.Error{Place: "header", Found: fmt.Sprintf("version %d", v), Want: "version 2"}
	}
	length := uint64(binary.LittleEndian.Uint32(data[8:]))
	if length != uint64(len(data)) {
		return nil, nil, &fault.Error{Place: "header", Found: fmt.Sprintf("a length of %d bytes", length), Want: fmt.Sprintf("%d, the size of the file", len(data))}
	}
	for at, n := glbHeader, 0; at < len(data) || n == 0; n++ {
		place := fmt.Sprintf("chunk %d", n)
		if len(data)-at < glbChunk {
			return nil, nil, &fault.Error{Place: place, Found: fmt.Sprintf("%d bytes", len(data)-at), Want: "a header of 8 bytes"}
		}
		size := uint64(binary.LittleEndian.Uint32(data[at:]))
		kind := binary.LittleEndian.Uint32(data[at+4:])
		at += glbChunk
		switch {
		case size > uint64(len(data)-at):
			return nil, nil, &fault.Error{Place: place, Found: fmt.Sprintf("a length of %d bytes", size), Want: fmt.Sprintf("at most %d, which is what is left", len(data)-at)}
		case size%4 != 0:
			return nil, nil, &fault.Error{Place: place, Found: fmt.Sprintf("a length of %d bytes", size), Want: "a multiple of 4"}
		case n == 0 && kind != chunkJSON:
			return nil, nil, &fault.Error{Place: place, Found: fmt.Sprintf("the type %#x", kind), Want: "JSON first"}
		case n > 0 && kind == chunkJSON, kind == chunkBIN && bin != nil:
			return nil, nil, &fault.Error{Place: place, Found: fmt.Sprintf("a second chunk of type %#x", kind), Want: "one"}
		}
		body := data[at : at+int(size) : at+int(size)]
		switch kind {
		case chunkJSON:
			text = body
		case chunkBIN:
			bin = body
		}
		at += int(size)
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
