package glcontext

/*
#cgo pkg-config: x11
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/Xatom.h>
#include <X11/XKBlib.h>
#include <stdlib.h>
#include <unistd.h>
#include "egl.h"

static unsigned long rl_visual(void *dpy, uintptr_t win) {
	XWindowAttributes a;
	if (!XGetWindowAttributes((Display *)dpy, (Window)win, &a) || !a.visual) return 0;
	return XVisualIDFromVisual(a.visual);
}

static int rl_autorepeat(void *dpy) {
	Bool supported = False;
	return XkbSetDetectableAutoRepeat((Display *)dpy, True, &supported) && supported;
}

static void rl_warp(void *dpy, uintptr_t win, int x, int y) {
	XWarpPointer((Display *)dpy, None, (Window)win, 0, 0, 0, 0, x, y);
	XFlush((Display *)dpy);
}

static void rl_icon(void *dpy, uintptr_t win, unsigned long *data, int n) {
	Atom icon = XInternAtom((Display *)dpy, "_NET_WM_ICON", False);
	XChangeProperty((Display *)dpy, (Window)win, icon, XA_CARDINAL, 32, PropModeReplace, (unsigned char *)data, n);
	XFlush((Display *)dpy);
}

// _NET_WM_PID means something only beside WM_CLIENT_MACHINE.
static void rl_identify(void *dpy, uintptr_t win) {
	char host[256];
	XTextProperty machine;
	char *list = host;
	unsigned long pid = (unsigned long)getpid();
	if (gethostname(host, sizeof host - 1) != 0) return;
	host[sizeof host - 1] = 0;
	if (!XStringListToTextProperty(&list, 1, &machine)) return;
	XSetWMClientMachine((Display *)dpy, (Window)win, &machine);
	XFree(machine.value);
	XChangeProperty((Display *)dpy, (Window)win, XInternAtom((Display *)dpy, "_NET_WM_PID", False), XA_CARDINAL, 32,
		PropModeReplace, (unsigned char *)&pid, 1);
	XFlush((Display *)dpy);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"image"
	"unsafe"
)

// X11 is a window on an X server, as Gio's X11ViewEvent hands it over. Its
// methods may be called while Gio uses the same connection, which has Xlib's
// thread support on.
type X11 struct {
	Display unsafe.Pointer // *Display
	Window  uintptr        // XID
}

// NewX11 makes both contexts on the window. Swapping waits for the screen's
// refresh where the server can.
func NewX11(x X11) (*Contexts, error) {
	defer lock()()
	d, err := openDisplay(C.EGL_PLATFORM_X11_KHR, []string{"EGL_EXT_platform_x11", "EGL_KHR_platform_x11"}, x.Display, "X11")
	if err != nil {
		return nil, err
	}
	c, err := d.newX11(x)
	if err != nil {
		d.close()
		return nil, err
	}
	return c, nil
}

func (d *display) newX11(x X11) (*Contexts, error) {
	visual := int(C.rl_visual(x.Display, C.uintptr_t(x.Window)))
	if visual == 0 {
		return nil, fmt.Errorf("X11 does not know window 0x%x", x.Window)
	}
	config, err := d.choose(C.EGL_WINDOW_BIT, visual, false)
	if err != nil {
		return nil, err
	}
	c, err := d.build(config, true, func(c *Contexts) error {
		what := fmt.Sprintf("window surface on X11, visual 0x%x", visual)
		return c.surfaceOf("eglCreateWindowSurface", what, func(srgb C.int) C.EGLSurface {
			return C.rl_window(d.egl, config, C.uintptr_t(x.Window), srgb)
		})
	})
	if err != nil {
		return nil, err
	}
	if err := c.swapInterval(1); err != nil {
		c.destroy()
		return nil, err
	}
	return c, nil
}

// DetectableAutoRepeat makes a held key arrive as one press, further presses and
// one release. Without it X sends a release before every repeated press, and a
// camera that flies while a key is down would stutter.
func (x X11) DetectableAutoRepeat() error {
	if C.rl_autorepeat(x.Display) == 0 {
		return errors.New("the X server cannot tell repeated keys from pressed ones")
	}
	return nil
}

// Warp moves the pointer to a place in the window, in pixels from its upper left
// corner.
func (x X11) Warp(p image.Point) {
	C.rl_warp(x.Display, C.uintptr_t(x.Window), C.int(p.X), C.int(p.Y))
}

// Identify tells the window manager which process owns the window; Gio does not.
func (x X11) Identify() { C.rl_identify(x.Display, C.uintptr_t(x.Window)) }

// SetIcons gives the window its icon in several sizes, up to 512 pixels square;
// the window manager picks one.
func (x X11) SetIcons(icons ...image.Image) error {
	n := 0
	for _, m := range icons {
		s := m.Bounds().Size()
		if s.X < 1 || s.Y < 1 || s.X > 512 || s.Y > 512 {
			return fmt.Errorf("a window icon of %d×%d pixels: from 1×1 to 512×512 are possible", s.X, s.Y)
		}
		n += 2 + s.X*s.Y
	}
	if n == 0 {
		return nil
	}
	// Xlib takes 32-bit properties as an array of C long, whatever its size.
	data := (*C.ulong)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(C.ulong(0)))))
	defer C.free(unsafe.Pointer(data))
	out := unsafe.Slice(data, n)
	i := 0
	for _, m := range icons {
		b := m.Bounds()
		out[i], out[i+1] = C.ulong(b.Dx()), C.ulong(b.Dy())
		i += 2
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for px := b.Min.X; px < b.Max.X; px++ {
				out[i] = C.ulong(argb(m, px, y))
				i++
			}
		}
	}
	C.rl_icon(x.Display, C.uintptr_t(x.Window), data, C.int(n))
	return nil
}
