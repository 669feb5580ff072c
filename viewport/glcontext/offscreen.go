package glcontext

/*
#include "egl.h"
*/
import "C"

import (
	"fmt"
	"image"
)

func openSurfaceless() (*display, error) {
	return openDisplay(C.EGL_PLATFORM_SURFACELESS_MESA, []string{"EGL_MESA_platform_surfaceless"}, nil, "the surfaceless platform")
}

// NewHeadless makes only the level's context, with no display and nothing to
// draw on but framebuffer objects.
func NewHeadless() (*Contexts, error) {
	defer lock()()
	d, err := openSurfaceless()
	if err != nil {
		return nil, err
	}
	config, err := d.choose(C.EGL_PBUFFER_BIT, 0, false)
	if err != nil {
		return nil, err
	}
	if !hasWord(d.extensions, "EGL_KHR_surfaceless_context") {
		return nil, &Error{Call: "eglMakeCurrent", Tried: "a context without a surface needs EGL_KHR_surfaceless_context"}
	}
	return d.build(config, false, nil)
}

// NewOffscreen makes both contexts on a pixel buffer of the given size, with no
// display. Reading pixels back while a context is current gives the picture.
func NewOffscreen(size image.Point) (*Contexts, error) {
	defer lock()()
	d, err := openSurfaceless()
	if err != nil {
		return nil, err
	}
	config, err := d.choose(C.EGL_PBUFFER_BIT, 0, false)
	if err != nil {
		return nil, err
	}
	return d.build(config, true, func(c *Contexts) error { return c.newPixels(size) })
}

func (c *Contexts) newPixels(size image.Point) error {
	if size.X <= 0 || size.Y <= 0 {
		return fmt.Errorf("a picture of %d×%d pixels has no pixels", size.X, size.Y)
	}
	if w, h := c.display.attrib(c.config, C.EGL_MAX_PBUFFER_WIDTH), c.display.attrib(c.config, C.EGL_MAX_PBUFFER_HEIGHT); size.X > w || size.Y > h {
		return fmt.Errorf("a picture of %d×%d pixels: up to %d×%d are possible without a display", size.X, size.Y, w, h)
	}
	c.size = size
	return c.surfaceOf("eglCreatePbufferSurface", fmt.Sprintf("pixel buffer of %d×%d", size.X, size.Y), func(srgb C.int) C.EGLSurface {
		return C.rl_pbuffer(c.display.egl, c.config, C.int(size.X), C.int(size.Y), srgb)
	})
}

// Resize gives the surface a new size in pixels. What it shows is undefined until
// it is drawn again. X11 surfaces follow their window by themselves. No context
// may be current on another thread; afterwards none is on this one if the surface
// was replaced.
func (c *Contexts) Resize(size image.Point) error {
	if size == c.size || c.size == (image.Point{}) {
		return nil
	}
	if c.wayland != nil {
		c.resizeWayland(size)
		return nil
	}
	defer lock()()
	c.ReleaseCurrent()
	C.eglDestroySurface(c.display.egl, c.surface)
	c.surface = C.EGLSurface(C.EGL_NO_SURFACE)
	return c.newPixels(size)
}
