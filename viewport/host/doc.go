// Package host shows the level and the user interface together: in a window on
// X11 or Wayland, or in memory with no display at all.
//
// There are three hosts and one frame. A [Window] in mode [Direct] draws the
// level with OpenGL 4.1 straight into the window's back buffer and Gio's
// interface over it (see package glcontext for the two contexts). In mode [Copy],
// for drivers that refuse that, it is an ordinary Gio window, and the level is
// drawn with no display, read back through a pixel buffer and painted as an
// image. An [Offscreen] host draws like Direct into memory; tests and the command
// line photograph the whole program with it. [GL] is less: only the level's
// context, for pictures without an interface.
//
// # The frame
//
// The [UI] lays out and says where the level is to be seen. The [Scene] draws the
// level into a framebuffer of its own of exactly that size, but only if it says
// that it is dirty, or if the size or scale changed: a tooltip that fades in
// costs no terrain. That picture goes into the rectangle, an opaque background
// everywhere else, and the interface over both. The interface shows the level by
// painting nothing there; what it paints translucent lies over the level.
//
// Frames are drawn on demand: after input, after Invalidate, and when a widget
// asks for one. An idle window draws nothing.
//
// Rectangles and sizes are in pixels from the upper left corner; scales are in
// pixels per dp. Colours are sRGB.
//
// # Goroutines
//
// A host belongs to the goroutine that runs it; Scene, UI and the callbacks in
// Options are called on it. Window.Invalidate, Window.Post and GL.Do may be called
// from any goroutine.
package host
