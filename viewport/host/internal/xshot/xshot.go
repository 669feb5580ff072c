package xshot

/*
#cgo pkg-config: x11
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/Xatom.h>
#include <stdlib.h>
#include <string.h>

static int xs_ignore(Display *d, XErrorEvent *e) { return 0; }
static void xs_quiet(void) { XSetErrorHandler(xs_ignore); }

static int xs_class(Display *d, Window w, char *out, int n) {
	XClassHint h;
	if (!XGetClassHint(d, w, &h)) return 0;
	strncpy(out, h.res_class ? h.res_class : "", n - 1);
	out[n - 1] = 0;
	if (h.res_name) XFree(h.res_name);
	if (h.res_class) XFree(h.res_class);
	return 1;
}

static int xs_pixel(XImage *m, int x, int y, unsigned char *rgb) {
	unsigned long p = XGetPixel(m, x, y);
	rgb[0] = (p & m->red_mask) >> __builtin_ctzl(m->red_mask);
	rgb[1] = (p & m->green_mask) >> __builtin_ctzl(m->green_mask);
	rgb[2] = (p & m->blue_mask) >> __builtin_ctzl(m->blue_mask);
	return 0;
}

static void xs_row(XImage *m, int y, unsigned char *out) {
	int x;
	for (x = 0; x < m->width; x++) {
		xs_pixel(m, x, y, out + 4 * x);
		out[4 * x + 3] = 255;
	}
}

static void xs_destroy(XImage *m) { XDestroyImage(m); }

static void xs_close(Display *d, Window w) {
	XEvent e;
	memset(&e, 0, sizeof e);
	e.xclient.type = ClientMessage;
	e.xclient.window = w;
	e.xclient.message_type = XInternAtom(d, "WM_PROTOCOLS", False);
	e.xclient.format = 32;
	e.xclient.data.l[0] = XInternAtom(d, "WM_DELETE_WINDOW", False);
	XSendEvent(d, w, False, NoEventMask, &e);
	XFlush(d);
}

static long xs_words(Display *d, Window w, const char *name, unsigned long *out, long max) {
	Atom type;
	int format;
	unsigned long n, rest;
	unsigned char *data = 0;
	if (XGetWindowProperty(d, w, XInternAtom(d, name, False), 0, max, False, AnyPropertyType, &type, &format, &n, &rest, &data)) return 0;
	if (format != 32) n = 0;
	if (n > (unsigned long)max) n = max;
	if (n) memcpy(out, data, n * sizeof *out);
	if (data) XFree(data);
	return n;
}

static void xs_resources(Display *d, const char *text) {
	XChangeProperty(d, DefaultRootWindow(d), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace, (const unsigned char *)text, strlen(text));
	XSync(d, False);
}

static Window xs_root(Display *d) { return DefaultRootWindow(d); }
*/
import "C"

import (
	"fmt"
	"image"
	"unsafe"
)

// Display is a connection to an X server. It belongs to one goroutine at a time.
type Display struct{ d *C.Display }

// Window is an X window.
type Window uintptr

// Open connects to a server by name, as in ":7".
func Open(name string) (*Display, error) {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	d := C.XOpenDisplay(s)
	if d == nil {
		return nil, fmt.Errorf("no X server answers at %s", name)
	}
	C.xs_quiet()
	return &Display{d}, nil
}

// Close ends the connection.
func (d *Display) Close() { C.XCloseDisplay(d.d) }

// Find returns the visible window whose class is the given one; if there are
// several, the lowest in the stack.
func (d *Display) Find(class string) (Window, bool) {
	all := d.find(nil, C.xs_root(d.d), class)
	if len(all) == 0 {
		return 0, false
	}
	return all[0], true
}

// Count counts the visible windows of a class.
func (d *Display) Count(class string) int { return len(d.find(nil, C.xs_root(d.d), class)) }

func (d *Display) find(found []Window, parent C.Window, class string) []Window {
	var root, up C.Window
	var list *C.Window
	var n C.uint
	if C.XQueryTree(d.d, parent, &root, &up, &list, &n) == 0 || list == nil {
		return found
	}
	defer C.XFree(unsafe.Pointer(list))
	for _, w := range unsafe.Slice(list, int(n)) {
		var name [256]C.char
		var a C.XWindowAttributes
		if C.xs_class(d.d, w, &name[0], C.int(len(name))) != 0 && C.GoString(&name[0]) == class &&
			C.XGetWindowAttributes(d.d, w, &a) != 0 && a.map_state == C.IsViewable {
			found = append(found, Window(w))
		}
		found = d.find(found, w, class)
	}
	return found
}

// Size is the window's size.
func (d *Display) Size(w Window) (image.Point, error) {
	var a C.XWindowAttributes
	if C.XGetWindowAttributes(d.d, C.Window(w), &a) == 0 {
		return image.Point{}, fmt.Errorf("window 0x%x is gone", uintptr(w))
	}
	return image.Pt(int(a.width), int(a.height)), nil
}

// Capture photographs the window as it is on the screen now. It must be wholly on
// the screen and not covered.
func (d *Display) Capture(w Window) (*image.NRGBA, error) {
	size, err := d.Size(w)
	if err != nil {
		return nil, err
	}
	m := C.XGetImage(d.d, C.Drawable(w), 0, 0, C.uint(size.X), C.uint(size.Y), C.XAllPlanes(), C.ZPixmap)
	if m == nil {
		return nil, fmt.Errorf("the X server gives no picture of window 0x%x", uintptr(w))
	}
	defer C.xs_destroy(m)
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		C.xs_row(m, C.int(y), (*C.uchar)(&out.Pix[y*out.Stride]))
	}
	return out, nil
}

// Resize gives the window another size.
func (d *Display) Resize(w Window, size image.Point) {
	C.XResizeWindow(d.d, C.Window(w), C.uint(size.X), C.uint(size.Y))
	C.XFlush(d.d)
}

// RequestClose asks the window to close, as a window manager's cross does.
func (d *Display) RequestClose(w Window) { C.xs_close(d.d, C.Window(w)) }

// Words reads a 32-bit property, such as _NET_WM_PID; nil if there is none.
func (d *Display) Words(w Window, property string) []uint32 {
	s := C.CString(property)
	defer C.free(unsafe.Pointer(s))
	var buf [1 << 12]C.ulong
	n := C.xs_words(d.d, C.Window(w), s, &buf[0], C.long(len(buf)))
	var out []uint32
	for _, v := range buf[:n] {
		out = append(out, uint32(v))
	}
	return out
}

// SetResources sets the server's resource database, such as "Xft.dpi: 192\n".
func (d *Display) SetResources(text string) {
	s := C.CString(text)
	defer C.free(unsafe.Pointer(s))
	C.xs_resources(d.d, s)
}
