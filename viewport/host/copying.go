package host

import (
	"image"

	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/viewport/glcontext"
)

// copying is the stage for drivers that refuse two contexts on a window: Gio draws
// its own window, the level is drawn without a display and painted below the
// interface as an image. The picture is copied only when it was drawn anew.
type copying struct {
	open     func() (*glcontext.Contexts, error)
	contexts *glcontext.Contexts // nil until the first frame, and after a loss
	set      *settings
	read     readback
	image    *image.RGBA
	op       paint.ImageOp
}

func (c *copying) begin(image.Point) error {
	if c.contexts == nil {
		contexts, err := c.open()
		if err != nil {
			return &refusal{err}
		}
		c.contexts = contexts
	}
	return c.contexts.MakeCurrent(glcontext.Level)
}

// show only adds operations: Gio draws them when the frame is handed over.
func (c *copying) show(ops *op.Ops, call op.CallOp, p *picture, changed bool, size image.Point, rect image.Rectangle) error {
	err := c.copy(p, changed)
	if c.set.finish {
		gl.Finish()
	}
	// Gio makes its own context current on this thread next.
	c.contexts.ReleaseCurrent()
	if err != nil {
		return err
	}
	paint.Fill(ops, c.set.background)
	if c.image != nil && !rect.Empty() {
		at := op.Offset(rect.Min).Push(ops)
		bounds := clip.Rect{Max: rect.Size()}.Push(ops)
		c.op.Add(ops)
		paint.PaintOp{}.Add(ops)
		bounds.Pop()
		at.Pop()
	}
	call.Add(ops)
	return nil
}

// copy fetches the picture, if it is not the one fetched last.
func (c *copying) copy(p *picture, changed bool) error {
	if p.framebuffer == 0 || !changed && c.image != nil && c.image.Rect.Size() == p.size {
		return nil
	}
	if c.image == nil || c.image.Rect.Size() != p.size {
		c.image = image.NewRGBA(image.Rectangle{Max: p.size})
	}
	if err := c.read.read(p.framebuffer, p.size, c.image.Pix, c.image.Stride); err != nil {
		return err
	}
	// A new operation on the same memory: Gio uploads per operation, and has done so
	// for the last one before this frame began.
	c.op = paint.NewImageOp(c.image)
	c.op.Filter = paint.FilterNearest
	return nil
}

func (c *copying) release(f *frame) {
	if c.contexts == nil {
		return
	}
	if err := c.contexts.MakeCurrent(glcontext.Level); err != nil {
		c.contexts.ReleaseCurrent()
		f.release(true)
	} else {
		f.release(false)
		c.read.release()
	}
	c.contexts.Destroy()
	c.contexts, c.read, c.image, c.op = nil, readback{}, nil, paint.ImageOp{}
}

// abandon is release: these contexts depend on no native display.
func (c *copying) abandon(f *frame) { c.release(f) }
