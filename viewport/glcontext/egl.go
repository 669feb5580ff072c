package glcontext

/*
#cgo CFLAGS: -DEGL_NO_X11
#cgo pkg-config: egl
#include "egl.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// API names one of the two contexts.
type API int

const (
	Level     API = iota // desktop OpenGL 4.1 core: the level
	Interface            // OpenGL ES 3: Gio
)

func (a API) String() string {
	if a == Level {
		return "OpenGL 4.1 core"
	}
	return "OpenGL ES 3"
}

// display is one initialised EGL display. It is never terminated for the
// surfaceless platform, where EGL hands the same display to everyone in the
// process and terminating it would kill the others' contexts.
type display struct {
	egl          C.EGLDisplay
	extensions   string
	major, minor int
	shared       bool
	what         string // for messages: "X11", "Wayland", "surfaceless"
}

// clientExtensions are those of EGL itself, before any display.
func clientExtensions() string {
	return C.GoString(C.eglQueryString(C.EGLDisplay(C.EGL_NO_DISPLAY), C.EGL_EXTENSIONS))
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// openDisplay initialises the EGL display of a platform. native is the platform's
// own display, nil for surfaceless. The thread must be locked.
func openDisplay(platform C.EGLenum, extensions []string, native unsafe.Pointer, what string) (*display, error) {
	client := clientExtensions()
	known := false
	for _, e := range extensions {
		known = known || hasWord(client, e)
	}
	if !known {
		return nil, &Error{Call: "eglGetPlatformDisplay", Tried: fmt.Sprintf("%s needs one of the client extensions %s", what, strings.Join(extensions, ", "))}
	}
	d := &display{what: what, shared: native == nil}
	d.egl = C.eglGetPlatformDisplay(platform, native, nil)
	if d.egl == C.EGLDisplay(C.EGL_NO_DISPLAY) {
		return nil, &Error{Call: "eglGetPlatformDisplay", Code: int(C.eglGetError()), Tried: what}
	}
	var major, minor C.EGLint
	if C.eglInitialize(d.egl, &major, &minor) == C.EGL_FALSE {
		return nil, &Error{Call: "eglInitialize", Code: int(C.eglGetError()), Tried: what}
	}
	d.major, d.minor = int(major), int(minor)
	d.extensions = C.GoString(C.eglQueryString(d.egl, C.EGL_EXTENSIONS))
	if d.major == 1 && d.minor < 5 && !hasWord(d.extensions, "EGL_KHR_create_context") {
		d.close()
		return nil, &Error{Call: "eglInitialize", Tried: fmt.Sprintf("EGL %d.%d on %s cannot ask for OpenGL versions; 1.5 or EGL_KHR_create_context is needed", d.major, d.minor, what)}
	}
	return d, nil
}

func (d *display) close() {
	if !d.shared {
		C.eglTerminate(d.egl)
	}
}

func (d *display) attrib(c C.EGLConfig, name C.EGLint) int {
	var v C.EGLint
	if C.eglGetConfigAttrib(d.egl, c, name, &v) == C.EGL_FALSE {
		return -1
	}
	return int(v)
}

// choose finds the framebuffer configuration that both contexts and the surface
// can use: exactly 8 bits a channel, no multisampling, as little depth and
// stencil as possible (the level has its own framebuffer). Where nobody looks at
// alpha it is taken, because some drivers refuse sRGB without; a Wayland compositor
// looks, so there opaque is better. visual is the window's X11 visual, 0 for any.
func (d *display) choose(surface C.EGLint, visual int, opaque bool) (C.EGLConfig, error) {
	const most = 512
	list := (*[most]C.EGLConfig)(C.calloc(most, C.size_t(unsafe.Sizeof(C.EGLConfig(0)))))
	defer C.free(unsafe.Pointer(list))
	var n C.EGLint
	if C.rl_configs(d.egl, surface, &list[0], most, &n) == C.EGL_FALSE {
		return 0, &Error{Call: "eglChooseConfig", Code: int(C.eglGetError()), Tried: "8-bit colour for OpenGL and OpenGL ES 3 on " + d.what}
	}
	var best C.EGLConfig
	bestScore := -1
	for _, c := range list[:n] {
		if d.attrib(c, C.EGL_RED_SIZE) != 8 || d.attrib(c, C.EGL_GREEN_SIZE) != 8 || d.attrib(c, C.EGL_BLUE_SIZE) != 8 {
			continue
		}
		if visual != 0 && d.attrib(c, C.EGL_NATIVE_VISUAL_ID) != visual {
			continue
		}
		score := 1000 - d.attrib(c, C.EGL_DEPTH_SIZE) - d.attrib(c, C.EGL_STENCIL_SIZE) - 100*max(0, d.attrib(c, C.EGL_SAMPLES))
		if (d.attrib(c, C.EGL_ALPHA_SIZE) == 0) == opaque {
			score += 200
		}
		if d.attrib(c, C.EGL_CONFIG_CAVEAT) == C.EGL_NONE {
			score += 2000
		}
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	if bestScore < 0 {
		tried := fmt.Sprintf("%d configurations on %s have 8-bit colour for OpenGL and OpenGL ES 3", n, d.what)
		if visual != 0 {
			tried += fmt.Sprintf(", none with the window's visual 0x%x", visual)
		}
		return 0, &Error{Call: "eglChooseConfig", Tried: tried}
	}
	return best, nil
}

// context makes one context. The level's asks to be told of GPU resets where the
// driver can; a driver that refuses gets the plain request.
func (d *display) context(c C.EGLConfig, api API) (ctx C.EGLContext, robust bool, err error) {
	desktop := C.int(0)
	if api == Level {
		desktop = 1
		if d.minor >= 5 || d.major > 1 || hasWord(d.extensions, "EGL_EXT_create_context_robustness") {
			if ctx = C.rl_context(d.egl, c, 1, 1); ctx != C.EGLContext(C.EGL_NO_CONTEXT) {
				return ctx, true, nil
			}
		}
	}
	if ctx = C.rl_context(d.egl, c, desktop, 0); ctx == C.EGLContext(C.EGL_NO_CONTEXT) {
		return nil, false, &Error{Call: "eglCreateContext", Code: int(C.eglGetError()), Tried: api.String() + " on " + d.what}
	}
	return ctx, false, nil
}

// canSRGB tells whether surfaces may be asked to be sRGB.
func (d *display) canSRGB() bool {
	return d.major > 1 || d.minor >= 5 || hasWord(d.extensions, "EGL_KHR_gl_colorspace")
}

// lock pins the goroutine: EGL's error and current context belong to the thread.
func lock() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
