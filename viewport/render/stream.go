package render

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// stream is a buffer that is filled anew in every frame.
type stream struct{ buffer, target uint32 }

func (s *stream) make(target uint32) {
	s.target = target
	gl.GenBuffers(1, &s.buffer)
}

// fill replaces the buffer's contents; the driver may still be reading the old.
func (s *stream) fill(data unsafe.Pointer, bytes int) {
	gl.BindBuffer(s.target, s.buffer)
	gl.BufferData(s.target, bytes, data, gl.STREAM_DRAW)
}

func (s *stream) release() {
	if s.buffer != 0 {
		gl.DeleteBuffers(1, &s.buffer)
	}
	*s = stream{}
}
