package render

import (
	"fmt"
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// easel is what pictures of a model are painted on: one or two renderbuffers of colour
// and one of depth.
type easel struct {
	size        image.Point
	framebuffer uint32
	buffers     [3]uint32 // of colours, and depth
}

// newEasel makes an easel with colours of the given formats and makes it what is drawn
// on, with nothing on it.
func newEasel(size image.Point, formats ...uint32) (*easel, error) {
	e := &easel{size: size}
	w, h := int32(size.X), int32(size.Y)
	gl.GenFramebuffers(1, &e.framebuffer)
	gl.GenRenderbuffers(int32(len(e.buffers)), &e.buffers[0])
	gl.Enable(gl.FRAMEBUFFER_SRGB)
	gl.BindFramebuffer(gl.FRAMEBUFFER, e.framebuffer)
	attach := [2]uint32{gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1}
	for i, f := range formats {
		gl.BindRenderbuffer(gl.RENDERBUFFER, e.buffers[i])
		gl.RenderbufferStorage(gl.RENDERBUFFER, f, w, h)
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, attach[i], gl.RENDERBUFFER, e.buffers[i])
	}
	gl.BindRenderbuffer(gl.RENDERBUFFER, e.buffers[2])
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, w, h)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, e.buffers[2])
	gl.BindRenderbuffer(gl.RENDERBUFFER, 0)
	gl.DrawBuffers(int32(len(formats)), &attach[0])
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		e.release()
		return nil, fmt.Errorf("the driver refuses a framebuffer of %d×%d pixels (status 0x%x)", w, h, s)
	}
	gl.Viewport(0, 0, w, h)
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.ClearColor(0, 0, 0, 0)
	gl.ClearDepth(1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	return e, nil
}

// paint draws a body on the easel, as camera relative to the body sees it. blended parts are
// laid over the others if the use has blending, else cut out.
func (r *Renderer) paint(b *body, viewProj mgl32.Mat4, use objectUse) {
	r.block.viewProj = viewProj
	r.uploadFrame()
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(true)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.BLEND)
	objectState()
	r.drawSections(b, 0, use, false, 0, 1)
	r.drawSections(b, 1, use, false, 0, 1)
	if use == useLit {
		gl.DepthMask(false)
		gl.Enable(gl.BLEND)
		gl.BlendEquation(gl.FUNC_ADD)
		gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	}
	r.drawSections(b, 2, use, false, 0, 1)
	gl.BindSampler(unitPicture, 0)
}

// pose fills the stream with one instance that stands at the origin, which is where the
// eye is taken to be.
func (r *Renderer) pose() {
	one := &placed{rows: [3]mgl32.Vec4{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}
	r.objects.stream.fill(unsafe.Pointer(one), int(unsafe.Sizeof(*one)))
}

// read gives the bytes of a colour, lower rows first.
func (e *easel) read(attachment uint32) []byte {
	pix := make([]byte, 4*e.size.X*e.size.Y)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, e.framebuffer)
	gl.ReadBuffer(attachment)
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
	gl.PixelStorei(gl.PACK_SKIP_PIXELS, 0)
	gl.PixelStorei(gl.PACK_SKIP_ROWS, 0)
	gl.ReadPixels(0, 0, int32(e.size.X), int32(e.size.Y), gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&pix[0]))
	return pix
}

func (e *easel) release() {
	gl.DeleteFramebuffers(1, &e.framebuffer)
	gl.DeleteRenderbuffers(int32(len(e.buffers)), &e.buffers[0])
}
