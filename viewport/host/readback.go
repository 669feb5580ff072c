package host

import (
	"errors"
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// readback copies pictures from the driver through a pixel buffer that it keeps.
// Its methods need the level's context current.
type readback struct {
	buffer uint32
	bytes  int
}

// read copies the lower left size pixels of a framebuffer into dst, four bytes a
// pixel, upper row first, alpha set to opaque whatever the scene left there. stride is bytes per row of dst.
func (r *readback) read(framebuffer uint32, size image.Point, dst []byte, stride int) error {
	row := size.X * 4
	if need := row * size.Y; need != r.bytes {
		r.release()
		gl.GenBuffers(1, &r.buffer)
		gl.BindBuffer(gl.PIXEL_PACK_BUFFER, r.buffer)
		gl.BufferData(gl.PIXEL_PACK_BUFFER, need, nil, gl.STREAM_READ)
		r.bytes = need
	} else {
		gl.BindBuffer(gl.PIXEL_PACK_BUFFER, r.buffer)
	}
	defer gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
	gl.PixelStorei(gl.PACK_SKIP_ROWS, 0)
	gl.PixelStorei(gl.PACK_SKIP_PIXELS, 0)
	gl.ReadPixels(0, 0, int32(size.X), int32(size.Y), gl.RGBA, gl.UNSIGNED_BYTE, nil)
	mapped := gl.MapBufferRange(gl.PIXEL_PACK_BUFFER, 0, r.bytes, gl.MAP_READ_BIT)
	if mapped == nil {
		return errors.New("the driver would not give the picture back (glMapBufferRange)")
	}
	src := unsafe.Slice((*byte)(mapped), r.bytes)
	for y := range size.Y {
		out := dst[y*stride:][:row]
		copy(out, src[(size.Y-1-y)*row:])
		for x := 3; x < row; x += 4 {
			out[x] = 0xff
		}
	}
	if !gl.UnmapBuffer(gl.PIXEL_PACK_BUFFER) {
		return errors.New("the driver lost the picture while it was being read (glUnmapBuffer)")
	}
	return nil
}

func (r *readback) release() {
	if r.buffer != 0 {
		gl.DeleteBuffers(1, &r.buffer)
	}
	*r = readback{}
}
