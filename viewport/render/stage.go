package render

import (
	"fmt"
	"image"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// stage is what frames are drawn on: a framebuffer that takes the places of the
// ground, and one that takes the picture, which is the target's own colour attachment.
// Between them is one depth and stencil buffer; the stencil holds, where there is
// ground, the number of the class it belongs to. A third, made when it is first needed,
// takes what outlines are found by.
type stage struct {
	size            image.Point
	ground, picture uint32 // framebuffers
	places          uint32 // texture: cells from the eye's, x and z
	depth           uint32 // texture
	marks, mask     uint32 // framebuffer and its texture
	answer          int32
}

// resize makes the stage as big as asked.
func (s *stage) resize(size image.Point) error {
	if s.ground != 0 && s.size == size {
		return nil
	}
	s.release()
	var limit int32
	gl.GetIntegerv(gl.MAX_RENDERBUFFER_SIZE, &limit)
	if size.X > int(limit) || size.Y > int(limit) {
		return fmt.Errorf("a picture of %d×%d pixels: up to %d×%d are possible here", size.X, size.Y, limit, limit)
	}
	s.places = screenTexture(size, gl.RG32F, gl.RG, gl.FLOAT)
	s.depth = screenTexture(size, gl.DEPTH24_STENCIL8, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8)
	gl.GenFramebuffers(1, &s.ground)
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.ground)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, s.places, 0)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.TEXTURE_2D, s.depth, 0)
	status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
	gl.GenFramebuffers(1, &s.picture)
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.picture)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.TEXTURE_2D, s.depth, 0)
	if status != gl.FRAMEBUFFER_COMPLETE {
		s.release()
		return fmt.Errorf("the driver refuses a framebuffer of %d×%d pixels (status 0x%x)", size.X, size.Y, status)
	}
	s.size = size
	return nil
}

// screenTexture is a texture of a number for each pixel, which is read as it is.
func screenTexture(size image.Point, internal int32, format, kind uint32) uint32 {
	var t uint32
	gl.GenTextures(1, &t)
	gl.ActiveTexture(gl.TEXTURE0 + unitPlaces)
	gl.BindTexture(gl.TEXTURE_2D, t)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.TexImage2D(gl.TEXTURE_2D, 0, internal, int32(size.X), int32(size.Y), 0, format, kind, nil)
	return t
}

// bind makes the picture what is drawn on, all of it, in linear light.
func (s *stage) bind() { s.use(s.picture) }

// bindGround makes the places what is drawn on.
func (s *stage) bindGround() { s.use(s.ground) }

// addMarks makes what outlines are found by.
func (s *stage) addMarks() error {
	if s.marks != 0 {
		return nil
	}
	s.mask = screenTexture(s.size, gl.RG8, gl.RG, gl.UNSIGNED_BYTE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.GenFramebuffers(1, &s.marks)
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.marks)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, s.mask, 0)
	if status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		gl.DeleteFramebuffers(1, &s.marks)
		gl.DeleteTextures(1, &s.mask)
		s.marks, s.mask = 0, 0
		return fmt.Errorf("the driver refuses a framebuffer for outlines (status 0x%x)", status)
	}
	return nil
}

func (s *stage) use(framebuffer uint32) {
	gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
	gl.Viewport(0, 0, int32(s.size.X), int32(s.size.Y))
	gl.Enable(gl.FRAMEBUFFER_SRGB)
}

// adopt makes the target's colour attachment that of the picture. It does so in
// every frame: names come back for other objects.
func (s *stage) adopt(t Target) error {
	ask := func(what uint32) int32 {
		gl.GetFramebufferAttachmentParameteriv(gl.READ_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, what, &s.answer)
		return s.answer
	}
	if t.Framebuffer == 0 {
		return fmt.Errorf("the target is the default framebuffer, expected a framebuffer object")
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.Framebuffer)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, s.picture)
	kind := ask(gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)
	if kind != gl.RENDERBUFFER && kind != gl.TEXTURE {
		return fmt.Errorf("the target framebuffer %d has no colour attachment", t.Framebuffer)
	}
	if e := ask(gl.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING); e != gl.SRGB {
		return fmt.Errorf("the colour attachment of framebuffer %d is not sRGB", t.Framebuffer)
	}
	name := uint32(ask(gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME))
	if kind == gl.RENDERBUFFER {
		gl.FramebufferRenderbuffer(gl.DRAW_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, name)
	} else {
		gl.FramebufferTexture2D(gl.DRAW_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
	}
	if status := gl.CheckFramebufferStatus(gl.DRAW_FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("the colour attachment of framebuffer %d cannot be drawn on (status 0x%x)", t.Framebuffer, status)
	}
	return nil
}

func (s *stage) release() {
	if s.ground != 0 {
		gl.DeleteFramebuffers(1, &s.ground)
	}
	if s.picture != 0 {
		gl.DeleteFramebuffers(1, &s.picture)
	}
	if s.places != 0 {
		gl.DeleteTextures(1, &s.places)
	}
	if s.depth != 0 {
		gl.DeleteTextures(1, &s.depth)
	}
	if s.marks != 0 {
		gl.DeleteFramebuffers(1, &s.marks)
		gl.DeleteTextures(1, &s.mask)
	}
	*s = stage{}
}
