package host

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"runtime"
	"sync/atomic"
	"time"

	"gioui.org/io/event"
	"gioui.org/io/input"
	"gioui.org/unit"

	"ridgeline/viewport/glcontext"
)

// OffscreenOptions say what an offscreen host pretends to be.
type OffscreenOptions struct {
	Size       image.Point // of the picture, pixels
	Scale      float32     // pixels per dp and sp; 0 means 1
	Background color.NRGBA // where neither level nor interface is; zero means a dark grey
	Finish     bool        // wait for the driver in every step, so that Stats hold its time too
}

// Offscreen draws the interface and the level into memory, with no display. Input
// is queued by the caller, and time is the caller's. It is not safe for concurrent
// use, but no goroutine is special.
type Offscreen struct {
	frame  frame
	stage  direct
	router input.Router
	size   image.Point
	metric unit.Metric

	renderer string
	posted   posted
	invalid  atomic.Bool
	title    string
	closing  bool // RequestClose was called
	closed   bool
}

// NewOffscreen makes an offscreen host. The scene may be nil: then there is only
// the interface. It fails where the driver lacks surfaceless EGL, OpenGL 4.1 or
// OpenGL ES 3.
func NewOffscreen(o OffscreenOptions, ui UI, scene Scene) (*Offscreen, error) {
	h := &Offscreen{}
	h.frame.ui, h.frame.scene = ui, scene
	h.frame.background, h.frame.finish, h.frame.check = o.Background, o.Finish, true
	h.frame.defaults()
	h.stage.set = &h.frame.settings
	h.stage.open = glcontext.NewOffscreen
	h.Resize(o.Size, o.Scale)
	contexts, err := glcontext.NewOffscreen(o.Size)
	if err != nil {
		return nil, fmt.Errorf("cannot draw without a display: %w", err)
	}
	h.stage.contexts, h.renderer = contexts, contexts.Renderer()
	return h, nil
}

// Resize gives the next frame another size in pixels and scale in pixels per dp
// (0 means 1).
func (h *Offscreen) Resize(size image.Point, scale float32) {
	if scale == 0 {
		scale = 1
	}
	h.size, h.metric = size, unit.Metric{PxPerDp: scale, PxPerSp: scale}
}

// Queue hands input to the interface's next frame.
func (h *Offscreen) Queue(events ...event.Event) { h.router.Queue(events...) }

// Router is the input router between queued events and the interface: for focus,
// cursor, clipboard and wake-up times.
func (h *Offscreen) Router() *input.Router { return &h.router }

// Frame draws one frame for the given time and returns it, opaque.
func (h *Offscreen) Frame(now time.Time) (*image.NRGBA, error) {
	var m *image.NRGBA
	h.stage.snapshot = func(d *direct, size image.Point) error {
		m = image.NewNRGBA(image.Rectangle{Max: size})
		return d.read.read(0, size, m.Pix, m.Stride)
	}
	defer func() { h.stage.snapshot = nil }()
	if err := h.Draw(now); err != nil {
		return nil, err
	}
	return m, nil
}

// Draw draws one frame without reading it back.
func (h *Offscreen) Draw(now time.Time) error {
	if h.closed {
		return errors.New("the offscreen host is closed")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h.invalid.Store(false)
	h.posted.run()
	m := moment{size: h.size, metric: h.metric, now: now, source: h.router.Source()}
	sceneErr, err := h.frame.drawTwice(m, &h.stage)
	if h.stage.contexts != nil {
		h.stage.contexts.ReleaseCurrent()
	}
	if err != nil {
		return errors.Join(sceneErr, err)
	}
	h.router.Frame(&h.frame.ops)
	return sceneErr
}

// Settle draws frames until neither the interface nor Invalidate asks for a
// further one at that time, as happens after input, and returns the last. It gives
// up after most frames.
func (h *Offscreen) Settle(now time.Time, most int) (*image.NRGBA, error) {
	for range most {
		if err := h.Draw(now); err != nil {
			return nil, err
		}
		if at, ok := h.router.WakeupTime(); (!ok || at.After(now)) && !h.invalid.Load() {
			return h.Frame(now)
		}
	}
	return nil, fmt.Errorf("the interface still wants another frame after %d", most)
}

// Semantics is the tree of what the last frame offers, as an assistive program
// would see it; the first node is the root. Bounds are in pixels of the picture.
func (h *Offscreen) Semantics() []input.SemanticNode { return h.router.AppendSemantics(nil) }

// Find returns the place of the first widget whose semantic label or description is
// the given one.
func (h *Offscreen) Find(label string) (image.Rectangle, bool) {
	for _, n := range h.Semantics() {
		if n.Desc.Label == label || n.Desc.Description == label {
			return n.Desc.Bounds, true
		}
	}
	return image.Rectangle{}, false
}

// Do calls fn with the level's context current.
func (h *Offscreen) Do(fn func() error) error { return doCurrent(h.stage.contexts, fn) }

// Invalidate makes Settle draw another frame. Any goroutine may call it.
func (h *Offscreen) Invalidate() { h.invalid.Store(true) }

// Post has fn called before the next frame. Any goroutine may call it.
func (h *Offscreen) Post(fn func()) {
	h.posted.add(fn)
	h.Invalidate()
}

// RequestClose notes the request: see CloseRequested.
func (h *Offscreen) RequestClose() { h.closing = true }

// CloseRequested tells whether the program asked to close.
func (h *Offscreen) CloseRequested() bool { return h.closing }

// SetTitle notes the title.
func (h *Offscreen) SetTitle(title string) { h.title = title }

// Title is the title last set.
func (h *Offscreen) Title() string { return h.title }

// WarpPointer is not possible: there is no pointer.
func (h *Offscreen) WarpPointer(image.Point) bool { return false }

// WheelStep implements Host. What is queued here may scroll as on Wayland.
func (h *Offscreen) WheelStep() float32 { return 100 }

// Stats tell what the frames cost.
func (h *Offscreen) Stats() Stats { return h.frame.stats }

// Renderer names the driver.
func (h *Offscreen) Renderer() string { return h.renderer }

// Close frees everything. The host cannot be used afterwards; closing again does
// nothing.
func (h *Offscreen) Close() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h.closed = true
	h.stage.release(&h.frame)
}
