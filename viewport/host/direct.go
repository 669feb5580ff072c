package host

import (
	"errors"
	"image"

	"gioui.org/gpu"
	"gioui.org/op"
	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/viewport/glcontext"
)

// direct is the stage with two contexts on one surface: the level's context draws
// the picture into the back buffer, then Gio draws over it without clearing.
type direct struct {
	open     func(size image.Point) (*glcontext.Contexts, error)
	contexts *glcontext.Contexts // nil until the first frame, and after a loss
	gpu      gpu.GPU
	set      *settings
	// snapshot, if set, gets the finished frame before it is swapped.
	snapshot func(*direct, image.Point) error
	read     readback
}

func (d *direct) begin(size image.Point) error {
	if d.contexts == nil {
		contexts, err := d.open(size)
		if err != nil {
			return &refusal{err}
		}
		d.contexts = contexts
	}
	if err := d.contexts.Resize(size); err != nil {
		return err
	}
	return d.contexts.MakeCurrent(glcontext.Level)
}

// target is the surface, for Gio. It is kept because an interface value made anew
// would be an allocation in every frame.
var target gpu.RenderTarget = gpu.OpenGLRenderTarget{}

func (d *direct) show(ops *op.Ops, call op.CallOp, p *picture, changed bool, size image.Point, rect image.Rectangle) error {
	if changed && d.contexts.Translucent() {
		p.makeOpaque()
	}
	p.compose(size, rect, d.set.background)
	if err := d.contexts.MakeCurrent(glcontext.Interface); err != nil {
		return err
	}
	if d.gpu == nil {
		g, err := gpu.New(gpu.OpenGL{})
		if err != nil {
			return err
		}
		d.gpu = g
	}
	call.Add(ops)
	if err := d.gpu.Frame(ops, target, size); err != nil {
		if errors.Is(err, gpu.ErrDeviceLost) {
			return glcontext.ErrLost
		}
		return err
	}
	if d.snapshot != nil {
		if err := d.contexts.MakeCurrent(glcontext.Level); err != nil {
			return err
		}
		if err := d.snapshot(d, size); err != nil {
			return err
		}
	}
	if d.set.finish {
		if err := d.contexts.MakeCurrent(glcontext.Level); err != nil {
			return err
		}
		gl.Finish()
	}
	return d.contexts.Swap()
}

// release frees Gio's objects, the frame's and the contexts. The thread is locked.
func (d *direct) release(f *frame) {
	if d.contexts == nil {
		return
	}
	if err := d.contexts.MakeCurrent(glcontext.Level); err != nil {
		// The contexts are gone, and with them every object in them. Gio's part is
		// only dropped: its release would call into OpenGL without a context.
		d.contexts.ReleaseCurrent()
		f.release(true)
	} else {
		f.release(false)
		d.read.release()
		if d.gpu != nil && d.contexts.MakeCurrent(glcontext.Interface) == nil {
			d.gpu.Release()
		}
	}
	d.contexts.Destroy()
	d.contexts, d.gpu, d.read = nil, nil, readback{}
}

// abandon drops everything without a word to EGL, because the native display is
// already closed: the window system went away.
func (d *direct) abandon(f *frame) {
	if d.contexts != nil {
		d.contexts.ReleaseCurrent()
		f.release(true)
		d.contexts, d.gpu, d.read = nil, nil, readback{}
	}
}

// refusal is the driver's refusal to make the contexts at all.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }
