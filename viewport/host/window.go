package host

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"runtime"
	"sync"
	"time"

	"gioui.org/app"
	"gioui.org/io/system"
	"gioui.org/op"
	"gioui.org/unit"

	"ridgeline/viewport/glcontext"
)

// Mode is how a window shows the level.
type Mode int

const (
	Automatic Mode = iota // Direct, or Copy where the driver refuses
	Direct                // two contexts on the window's surface
	Copy                  // Gio's own window, the level copied into it
)

// String is the word for flags and messages.
func (m Mode) String() string { return [...]string{"auto", "direct", "copy"}[m] }

// ParseMode is the opposite of Mode.String.
func ParseMode(s string) (Mode, error) {
	for m := Automatic; m <= Copy; m++ {
		if s == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("found viewport mode %q, expected auto, direct or copy", s)
}

// Options describe a window. The zero value of each field is usable.
type Options struct {
	Title               string
	AppID               string        // X11 class and Wayland app_id; empty: the program's name
	Width, Height       unit.Dp       // 0: 1280×720
	MinWidth, MinHeight unit.Dp       // 0: 480×320
	Maximized           bool          // start maximised
	Icons               []image.Image // the window's icon in several sizes, for X11; Wayland goes by AppID
	Mode                Mode
	Background          color.NRGBA // where neither level nor interface is; zero means a dark grey
	Finish              bool        // wait for the driver in every step, so that Stats hold its time too

	// Closing is called when the user or RequestClose asks to close the window,
	// and tells whether it may. nil means always. A program that must ask first
	// returns false, asks, and calls RequestClose when the answer is there.
	Closing func() bool
	// Configured is called when size, focus or mode of the window change.
	Configured func(app.Config)
	// Report takes errors that do not end the window: of the scene, of a refused
	// mode that Automatic replaces, of the window system. nil makes any of them end
	// Run.
	Report func(error)
}

// Window is a window on X11 or Wayland. Make it with NewWindow, then call Run.
type Window struct {
	opts   Options
	frame  frame
	stage  stage
	posted posted
	waker  waker
	title  string
	mode   Mode // in use

	// opener makes the contexts of mode Direct on the window at hand.
	opener  func(view app.ViewEvent, size image.Point) (*glcontext.Contexts, error)
	view    app.ViewEvent // nil before the first and after the last
	began   time.Time     // of the last frame
	failure error         // why the window is being closed, nil if the user wants it
	ended   bool          // closing was accepted, the GPU's part is freed
	empty   op.Ops

	mu  sync.Mutex // guards win
	win *app.Window
}

// ErrNoWindow reports that no window could be opened: there is no X server and no
// Wayland compositor, or they refuse.
var ErrNoWindow = errors.New("cannot open a window (neither DISPLAY nor WAYLAND_DISPLAY leads to a screen)")

// frameInterval is the shortest time between frames. Where swapping does not wait
// for the screen (Xvfb, some drivers), an animation would otherwise take a core.
const frameInterval = time.Second / 125

// NewWindow prepares a window; nothing is shown before Run. The scene may be nil.
func NewWindow(o Options, ui UI, scene Scene) *Window {
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.MinWidth == 0 || o.MinHeight == 0 {
		o.MinWidth, o.MinHeight = 480, 320
	}
	w := &Window{opts: o, opener: openView, title: o.Title, waker: waker{signal: make(chan struct{}, 1)}}
	w.frame.ui, w.frame.scene = ui, scene
	w.frame.background, w.frame.finish = o.Background, o.Finish
	w.frame.defaults()
	return w
}

// openView makes the two contexts on a native window.
func openView(view app.ViewEvent, size image.Point) (*glcontext.Contexts, error) {
	switch v := view.(type) {
	case app.X11ViewEvent:
		return glcontext.NewX11(glcontext.X11{Display: v.Display, Window: v.Window})
	case app.WaylandViewEvent:
		return glcontext.NewWayland(v.Display, v.Surface, size)
	}
	return nil, errors.New("the window is of no kind that can be drawn on")
}

// Run shows the window and returns when it is closed: nil if the user closed it,
// otherwise why it could not go on, ErrNoWindow (errors.Is) where there is no screen.
// The goroutine becomes the host's goroutine.
func (w *Window) Run() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if w.opts.AppID != "" {
		app.ID = w.opts.AppID // read when a window is created
	}
	w.waker.start(w.invalidate)
	defer w.waker.stop()
	if w.opts.Mode == Copy {
		return w.run(Copy)
	}
	err := w.run(Direct)
	var refused *refusal
	if !errors.As(err, &refused) {
		return err
	}
	if w.opts.Mode == Direct {
		return fmt.Errorf("cannot draw in the window: %w", refused.err)
	}
	told := fmt.Errorf("cannot draw in the window directly, so the level is copied into it (slower): %w", refused.err)
	if w.opts.Report == nil {
		return told
	}
	w.opts.Report(told)
	return w.run(Copy)
}

// run shows one Gio window until it is destroyed.
func (w *Window) run(mode Mode) error {
	w.mode, w.view, w.failure, w.ended = mode, nil, nil, false
	if mode == Copy {
		w.stage = &copying{open: glcontext.NewHeadless, set: &w.frame.settings}
	} else {
		w.stage = &direct{set: &w.frame.settings, open: func(size image.Point) (*glcontext.Contexts, error) {
			return w.opener(w.view, size)
		}}
	}
	win := new(app.Window)
	// Decorated(false) turns off Gio's own title bar, which it has only in mode Copy,
	// and makes it tell truly whether the window system draws one.
	win.Option(app.Title(w.title), app.Size(w.opts.Width, w.opts.Height), app.Decorated(false),
		app.MinSize(w.opts.MinWidth, w.opts.MinHeight), app.CustomRenderer(mode == Direct))
	if w.opts.Maximized {
		win.Option(app.Maximized.Option())
	}
	w.mu.Lock()
	w.win = win
	w.mu.Unlock()
	for {
		switch e := win.Event().(type) {
		case app.ViewEvent:
			if !e.Valid() {
				return w.gone()
			}
			w.viewed(e)
		case app.ConfigEvent:
			w.configured(e.Config)
		case app.FrameEvent:
			w.draw(e)
		case *app.ClosingEvent:
			w.closing(e)
		case app.DestroyEvent:
			// Only of a window that could not be made; see gone.
			return fmt.Errorf("%w: %w", ErrNoWindow, e.Err)
		}
	}
}

// gone ends the loop when Gio takes the native window back. On Linux that means
// that the window is destroyed and the display closed. A DestroyEvent waits, but
// asking for it would have Gio 0.10.3 make a new window first.
func (w *Window) gone() error {
	w.stage.abandon(&w.frame)
	w.view = nil
	if w.failure == nil && !w.ended {
		return errors.New("the connection to the window system broke")
	}
	return w.failure
}

// configured follows the window's state.
func (w *Window) configured(c app.Config) {
	bare := !c.Decorated && c.Mode != app.Fullscreen
	if bare && w.frame.bar == nil {
		w.frame.bar = newTitleBar(func(a system.Action) { w.win.Perform(a) })
		w.frame.bar.title = w.title
	} else if !bare {
		w.frame.bar = nil
	}
	if w.frame.bar != nil {
		w.frame.bar.deco.Maximized = c.Mode == app.Maximized
	}
	if w.opts.Configured != nil {
		w.opts.Configured(c)
	}
}

// viewed takes a native window.
func (w *Window) viewed(e app.ViewEvent) {
	w.view = e
	x, ok := w.x11()
	if !ok {
		return
	}
	x.Identify()
	if err := x.SetIcons(w.opts.Icons...); err != nil {
		w.report(err)
	}
	if err := x.DetectableAutoRepeat(); err != nil {
		w.report(err)
	}
}

func (w *Window) x11() (glcontext.X11, bool) {
	v, ok := w.view.(app.X11ViewEvent)
	return glcontext.X11{Display: v.Display, Window: v.Window}, ok
}

// WheelStep implements Host. Gio 0.10.3 has ten times as much on Wayland as on X11.
func (w *Window) WheelStep() float32 {
	if _, ok := w.x11(); ok {
		return 10
	}
	return 100
}

// draw draws one frame, or none when the window is on its way out.
func (w *Window) draw(e app.FrameEvent) {
	w.waker.serve()
	if w.ended || w.failure != nil || w.view == nil {
		e.Frame(&w.empty)
		return
	}
	if wait := frameInterval - time.Since(w.began); wait > 0 && !w.began.IsZero() {
		time.Sleep(wait)
		e.Now = time.Now()
	}
	w.began = time.Now()
	w.waker.serve()
	w.posted.run()
	sceneErr, err := w.frame.drawTwice(moment{size: e.Size, metric: e.Metric, now: e.Now, source: e.Source}, w.stage)
	if err != nil {
		w.fail(err)
		e.Frame(&w.empty)
		return
	}
	e.Frame(&w.frame.ops)
	if sceneErr != nil {
		w.report(sceneErr)
	}
}

// report passes an error on, or ends the window with it.
func (w *Window) report(err error) {
	if w.opts.Report != nil {
		w.opts.Report(err)
		return
	}
	w.fail(err)
}

// fail closes the window because it cannot go on.
func (w *Window) fail(err error) {
	if w.failure == nil {
		w.failure = err
		w.win.Perform(system.ActionClose)
	}
}

// closing lets the window close or not. The GPU's part is freed here, because the
// native display is gone by the time Gio tells that the window is.
func (w *Window) closing(e *app.ClosingEvent) {
	if w.failure == nil && w.opts.Closing != nil && !w.opts.Closing() {
		e.Abort()
		return
	}
	w.ended = true
	w.stage.release(&w.frame)
}

// Mode is the mode in use: Direct or Copy.
func (w *Window) Mode() Mode { return w.mode }

// Invalidate asks for a frame. Any goroutine may call it.
func (w *Window) Invalidate() {
	if w.waker.want() {
		w.invalidate()
	}
}

func (w *Window) invalidate() {
	w.mu.Lock()
	win := w.win
	w.mu.Unlock()
	if win != nil {
		win.Invalidate()
	}
}

// Post has fn called on the window's goroutine before the next frame, which it
// asks for. Any goroutine may call it.
func (w *Window) Post(fn func()) {
	w.posted.add(fn)
	w.Invalidate()
}

// RequestClose asks to close, as the user does with the window's cross.
func (w *Window) RequestClose() {
	if w.win != nil {
		w.win.Perform(system.ActionClose)
	}
}

// SetTitle names the window.
func (w *Window) SetTitle(title string) {
	if title == w.title {
		return
	}
	w.title = title
	if w.frame.bar != nil {
		w.frame.bar.title = title
	}
	if w.win != nil {
		w.win.Option(app.Title(title))
	}
}

// WarpPointer moves the pointer, on X11. It returns false on Wayland.
func (w *Window) WarpPointer(to image.Point) bool {
	x, ok := w.x11()
	if ok {
		x.Warp(to)
	}
	return ok
}

// Stats tell what the frames cost.
func (w *Window) Stats() Stats { return w.frame.stats }

// Both are hosts.
var (
	_ Host = (*Window)(nil)
	_ Host = (*Offscreen)(nil)
)
