// Package gallery takes pictures of widgets with no display, through Gio's
// headless renderer. It is apart from the widgets because the renderer needs
// OpenGL ES and they must not; only tests use it.
package gallery
