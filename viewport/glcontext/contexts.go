package glcontext

/*
#include "egl.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"image"
	"sync"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Contexts are the two contexts and the surface they share. Make one with
// [NewHeadless], [NewOffscreen], [NewX11] or [NewWayland].
type Contexts struct {
	display  *display
	config   C.EGLConfig
	contexts [2]C.EGLContext
	surface  C.EGLSurface
	size     image.Point // of a surface whose size we decide; zero for X11
	srgb     bool
	reset    unsafe.Pointer // glGetGraphicsResetStatus, nil where resets are not told
	wayland  unsafe.Pointer // *wl_egl_window
	lost     bool
	renderer string
}

// loadOnce guards go-gl's table of function pointers, which is one per process
// and the same for every context of one EGL library.
var loadOnce struct {
	sync.Mutex
	done bool
}

func loadGL() error {
	loadOnce.Lock()
	defer loadOnce.Unlock()
	if loadOnce.done {
		return nil
	}
	if err := gl.InitWithProcAddrFunc(procAddress); err != nil {
		return &Error{Call: "eglGetProcAddress", Tried: "OpenGL 4.1 core function " + err.Error()}
	}
	loadOnce.done = true
	return nil
}

func procAddress(name string) unsafe.Pointer {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return C.rl_proc(s)
}

// build makes the contexts asked for, with the surface that the caller makes
// through newSurface (nil for none). On an error nothing is left behind but the
// display, which the caller closes.
func (d *display) build(config C.EGLConfig, both bool, newSurface func(c *Contexts) error) (*Contexts, error) {
	c := &Contexts{display: d, config: config}
	var robust bool
	var err error
	if c.contexts[Level], robust, err = d.context(config, Level); err != nil {
		return nil, err
	}
	if both {
		if c.contexts[Interface], _, err = d.context(config, Interface); err != nil {
			c.destroy()
			return nil, err
		}
	}
	if newSurface != nil {
		if err := newSurface(c); err != nil {
			c.destroy()
			return nil, err
		}
	}
	if err := c.start(robust); err != nil {
		c.destroy()
		return nil, err
	}
	return c, nil
}

// start loads OpenGL's functions and checks that the level's context works.
func (c *Contexts) start(robust bool) error {
	if err := c.MakeCurrent(Level); err != nil {
		return err
	}
	defer c.ReleaseCurrent()
	if err := loadGL(); err != nil {
		return err
	}
	c.renderer = gl.GoStr(gl.GetString(gl.RENDERER)) + ", " + gl.GoStr(gl.GetString(gl.VERSION))
	if robust {
		c.reset = procAddress("glGetGraphicsResetStatus")
	}
	return nil
}

// surfaceOf makes a surface, sRGB where that works and linear where it is
// refused. SRGB tells which it became: a linear surface shows the same picture,
// only slower.
func (c *Contexts) surfaceOf(call, what string, make func(srgb C.int) C.EGLSurface) error {
	none := C.EGLSurface(C.EGL_NO_SURFACE)
	tried := ""
	if c.display.canSRGB() {
		if c.surface = make(1); c.surface != none {
			c.srgb = true
			return nil
		}
		tried = fmt.Sprintf("sRGB %s (%s), then a ", what, codeName(int(C.eglGetError())))
	}
	if c.surface = make(0); c.surface != none {
		c.srgb = false
		return nil
	}
	return &Error{Call: call, Code: int(C.eglGetError()), Tried: tried + "linear " + what}
}

// MakeCurrent binds a context and the surface to the calling thread. The caller
// has locked its goroutine to the thread and unlocks only after ReleaseCurrent.
// The error is ErrLost (errors.Is) when the contexts are gone.
func (c *Contexts) MakeCurrent(api API) error {
	if c.lost {
		return ErrLost
	}
	ctx := c.contexts[api]
	if ctx == C.EGLContext(C.EGL_NO_CONTEXT) {
		return errors.New("these contexts have no " + api.String())
	}
	desktop := C.int(0)
	if api == Level {
		desktop = 1
	}
	if C.rl_current(c.display.egl, c.surface, ctx, desktop) == C.EGL_FALSE {
		return c.failed("eglMakeCurrent", api.String())
	}
	if api == Level && c.reset != nil && C.rl_reset(c.reset) != 0 {
		c.lost = true
		return ErrLost
	}
	return nil
}

// failed notes a lost context and wraps the EGL error of the call just made.
func (c *Contexts) failed(call, tried string) error {
	e := &Error{Call: call, Code: int(C.eglGetError()), Tried: tried}
	c.lost = c.lost || e.Code == eglContextLost
	return e
}

// ReleaseCurrent leaves the calling thread without a context and with OpenGL ES
// bound, EGL's initial state, which Gio's own windows rely on.
func (c *Contexts) ReleaseCurrent() {
	none := C.EGLSurface(C.EGL_NO_SURFACE)
	C.eglMakeCurrent(c.display.egl, none, none, C.EGLContext(C.EGL_NO_CONTEXT))
	C.eglBindAPI(C.EGL_OPENGL_ES_API)
}

// Swap shows what was drawn to the surface. One of the contexts is current.
func (c *Contexts) Swap() error {
	if C.eglSwapBuffers(c.display.egl, c.surface) == C.EGL_FALSE {
		return c.failed("eglSwapBuffers", c.display.what)
	}
	return nil
}

// SRGB tells whether the surface is sRGB, so that Gio needs no emulation.
func (c *Contexts) SRGB() bool { return c.srgb }

// Translucent tells whether the window system shows what is behind the window
// where alpha is below 1: on Wayland, if the driver has no opaque surface.
func (c *Contexts) Translucent() bool {
	return c.wayland != nil && c.display.attrib(c.config, C.EGL_ALPHA_SIZE) > 0
}

// Renderer names the driver and its version, for messages and reports.
func (c *Contexts) Renderer() string { return c.renderer }

// Lost tells whether a call has reported ErrLost.
func (c *Contexts) Lost() bool { return c.lost }

// Lose makes the contexts behave as lost from now on, for tests.
func (c *Contexts) Lose() { c.lost = true }

// SurfaceSize asks EGL for the surface's size in pixels.
func (c *Contexts) SurfaceSize() image.Point {
	var w, h C.EGLint
	C.eglQuerySurface(c.display.egl, c.surface, C.EGL_WIDTH, &w)
	C.eglQuerySurface(c.display.egl, c.surface, C.EGL_HEIGHT, &h)
	return image.Pt(int(w), int(h))
}

// Destroy frees the contexts, the surface and, but for surfaceless ones, the EGL
// display. None of them may be current on another thread, and the native display
// and window must still be open.
func (c *Contexts) Destroy() {
	defer lock()()
	c.ReleaseCurrent()
	c.destroy()
	c.display.close()
	C.eglReleaseThread()
}

func (c *Contexts) destroy() {
	if c.surface != C.EGLSurface(C.EGL_NO_SURFACE) {
		C.eglDestroySurface(c.display.egl, c.surface)
		c.surface = C.EGLSurface(C.EGL_NO_SURFACE)
	}
	for i, ctx := range c.contexts {
		if ctx != C.EGLContext(C.EGL_NO_CONTEXT) {
			C.eglDestroyContext(c.display.egl, ctx)
			c.contexts[i] = C.EGLContext(C.EGL_NO_CONTEXT)
		}
	}
	c.destroyNative()
}
