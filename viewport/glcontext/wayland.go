package glcontext

/*
#cgo pkg-config: wayland-egl
#include "egl.h"
#include <wayland-egl.h>
*/
import "C"

import (
	"image"
	"unsafe"
)

// NewWayland makes both contexts on a Wayland surface: display is a *wl_display,
// surface a *wl_surface, as Gio's WaylandViewEvent hands them over. Swapping does
// not wait for the compositor; Gio paces the frames by its own callbacks.
func NewWayland(displayPtr, surfacePtr unsafe.Pointer, size image.Point) (*Contexts, error) {
	defer lock()()
	d, err := openDisplay(C.EGL_PLATFORM_WAYLAND_KHR, []string{"EGL_EXT_platform_wayland", "EGL_KHR_platform_wayland"}, displayPtr, "Wayland")
	if err != nil {
		return nil, err
	}
	c, err := d.newWayland(surfacePtr, size)
	if err != nil {
		d.close()
		return nil, err
	}
	return c, nil
}

func (d *display) newWayland(surfacePtr unsafe.Pointer, size image.Point) (*Contexts, error) {
	config, err := d.choose(C.EGL_WINDOW_BIT, 0, true)
	if err != nil {
		return nil, err
	}
	c, err := d.build(config, true, func(c *Contexts) error {
		win := C.wl_egl_window_create((*C.struct_wl_surface)(surfacePtr), C.int(size.X), C.int(size.Y))
		if win == nil {
			return &Error{Call: "wl_egl_window_create", Tried: size.String()}
		}
		c.wayland, c.size = unsafe.Pointer(win), size
		return c.surfaceOf("eglCreateWindowSurface", "window surface on Wayland", func(srgb C.int) C.EGLSurface {
			return C.rl_window(d.egl, config, C.uintptr_t(uintptr(c.wayland)), srgb)
		})
	})
	if err != nil {
		return nil, err
	}
	if err := c.swapInterval(0); err != nil {
		c.destroy()
		return nil, err
	}
	return c, nil
}

func (c *Contexts) resizeWayland(size image.Point) {
	C.wl_egl_window_resize((*C.struct_wl_egl_window)(c.wayland), C.int(size.X), C.int(size.Y), 0, 0)
	c.size = size
}

func (c *Contexts) destroyNative() {
	if c.wayland != nil {
		C.wl_egl_window_destroy((*C.struct_wl_egl_window)(c.wayland))
		c.wayland = nil
	}
}

// swapInterval sets how many screen refreshes a swap waits for. It belongs to the
// surface, but EGL takes it through the thread's current context.
func (c *Contexts) swapInterval(n int) error {
	if err := c.MakeCurrent(Interface); err != nil {
		return err
	}
	defer c.ReleaseCurrent()
	if C.eglSwapInterval(c.display.egl, C.EGLint(n)) == C.EGL_FALSE {
		return c.failed("eglSwapInterval", c.display.what)
	}
	return nil
}
