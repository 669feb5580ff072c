package host

import (
	"fmt"
	"image"
	"image/color"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// picture is a framebuffer that the scene draws into and that outlives frames.
// Its methods need the level's context current.
type picture struct {
	framebuffer, colour, depth uint32
	size                       image.Point
	scale                      float32
	good                       bool // holds what the scene last drew, completely
}

// resize makes the framebuffer exactly as big as asked.
func (p *picture) resize(size image.Point) error {
	if p.framebuffer != 0 && p.size == size {
		return nil
	}
	p.release()
	var limit int32
	gl.GetIntegerv(gl.MAX_RENDERBUFFER_SIZE, &limit)
	if size.X < 1 || size.Y < 1 || size.X > int(limit) || size.Y > int(limit) {
		return fmt.Errorf("a picture of %d×%d pixels: from 1×1 to %d×%d are possible here", size.X, size.Y, limit, limit)
	}
	gl.GenFramebuffers(1, &p.framebuffer)
	gl.GenRenderbuffers(1, &p.colour)
	gl.GenRenderbuffers(1, &p.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, p.colour)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.SRGB8_ALPHA8, int32(size.X), int32(size.Y))
	gl.BindRenderbuffer(gl.RENDERBUFFER, p.depth)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT32F, int32(size.X), int32(size.Y))
	gl.BindRenderbuffer(gl.RENDERBUFFER, 0)
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.framebuffer)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, p.colour)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, p.depth)
	if status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		p.release()
		return fmt.Errorf("the driver refuses a framebuffer of %d×%d pixels (status 0x%x)", size.X, size.Y, status)
	}
	plainState()
	gl.ClearColor(0, 0, 0, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	p.size = size
	return nil
}

// draw has the scene draw, unless the kept picture is still good. drawn tells
// whether the scene was asked.
func (p *picture) draw(scene Scene, size image.Point, scale float32, check bool) (drawn bool, err error) {
	dirty := scene.Dirty()
	if p.good && !dirty && size == p.size && scale == p.scale {
		return false, nil
	}
	p.good = false
	if err := p.resize(size); err != nil {
		return false, err
	}
	p.scale = scale
	if err := p.paint(scene.Draw, check); err != nil {
		return true, err
	}
	p.good = true
	return true, nil
}

// paint calls draw with the state that Scene promises.
func (p *picture) paint(draw func(Target) error, check bool) error {
	// Mesa 22.3 forgets that GL_FRAMEBUFFER_SRGB changed when a clear comes next and
	// the framebuffer was bound before. So switch first and bind anew.
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.Enable(gl.FRAMEBUFFER_SRGB)
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.framebuffer)
	gl.Viewport(0, 0, int32(p.size.X), int32(p.size.Y))
	plainState()
	err := draw(Target{Framebuffer: p.framebuffer, Size: p.size, Scale: p.scale})
	if check && err == nil {
		err = glError("the scene left")
	}
	return err
}

// makeOpaque sets alpha to 1 everywhere. It costs a pass over the picture.
func (p *picture) makeOpaque() {
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.framebuffer)
	gl.Disable(gl.SCISSOR_TEST)
	gl.ColorMask(false, false, false, true)
	gl.ClearColor(0, 0, 0, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	gl.ColorMask(true, true, true, true)
}

// plainState undoes what would keep clears and blits from reaching all pixels.
func plainState() {
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
}

// compose fills the default framebuffer of the given size with the background and
// puts the picture in the rectangle. Bytes are copied as they are, so it does not
// matter whether the surface is sRGB.
func (p *picture) compose(size image.Point, rect image.Rectangle, background color.NRGBA) {
	gl.Disable(gl.FRAMEBUFFER_SRGB)
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	plainState()
	gl.Viewport(0, 0, int32(size.X), int32(size.Y))
	gl.ClearColor(float32(background.R)/255, float32(background.G)/255, float32(background.B)/255, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	if rect.Empty() || p.framebuffer == 0 {
		return
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, p.framebuffer)
	gl.BlitFramebuffer(0, 0, int32(p.size.X), int32(p.size.Y),
		int32(rect.Min.X), int32(size.Y-rect.Max.Y), int32(rect.Max.X), int32(size.Y-rect.Min.Y),
		gl.COLOR_BUFFER_BIT, gl.NEAREST)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, 0)
}

// release deletes the framebuffer.
func (p *picture) release() {
	if p.framebuffer != 0 {
		gl.DeleteFramebuffers(1, &p.framebuffer)
	}
	if p.colour != 0 {
		gl.DeleteRenderbuffers(1, &p.colour)
	}
	if p.depth != 0 {
		gl.DeleteRenderbuffers(1, &p.depth)
	}
	*p = picture{}
}

// glError turns the oldest OpenGL error into an error and forgets the others.
func glError(what string) error {
	first := gl.GetError()
	if first == gl.NO_ERROR {
		return nil
	}
	for range 16 { // there is one flag per error; a lost context would never end
		if gl.GetError() == gl.NO_ERROR {
			break
		}
	}
	name := map[uint32]string{
		gl.INVALID_ENUM: "GL_INVALID_ENUM", gl.INVALID_VALUE: "GL_INVALID_VALUE", gl.INVALID_OPERATION: "GL_INVALID_OPERATION",
		gl.INVALID_FRAMEBUFFER_OPERATION: "GL_INVALID_FRAMEBUFFER_OPERATION", gl.OUT_OF_MEMORY: "GL_OUT_OF_MEMORY",
	}[first]
	return fmt.Errorf("%s the OpenGL error 0x%04x %s", what, first, name)
}
