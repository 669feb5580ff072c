// Package glcontext makes the OpenGL contexts that the viewport and the user
// interface draw with, over EGL on Linux.
//
// Gio's shaders for desktop OpenGL exist only for macOS, and the level needs
// desktop OpenGL. So there are two contexts on one surface: [Level], desktop
// OpenGL 4.1 core, and [Interface], OpenGL ES 3. They share no objects and no
// state; what one draws the other finds in the surface's back buffer. Whoever
// draws makes one of them current, on a locked OS thread, and nothing has to be
// restored for the other.
//
// A surface is an X11 window, a Wayland surface, a pixel buffer without any
// display ([NewOffscreen]), or nothing at all ([NewHeadless]: only framebuffer
// objects). Its colour space is sRGB where the driver can, which spares Gio an
// emulation pass; pixels read back are sRGB-encoded bytes either way. Sizes are
// in pixels.
//
// Sources: EGL 1.5 specification (Khronos, 2014), EGL_KHR_gl_colorspace,
// EGL_MESA_platform_surfaceless, EGL_EXT_platform_x11, EGL_EXT_platform_wayland.
//
// A [Contexts] value belongs to one goroutine at a time. Different values may be
// used by different goroutines at once.
package glcontext
