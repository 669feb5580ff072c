// Package xshot looks at an X server from outside, as a user and a window manager
// would: it finds windows by class, photographs them, resizes them, asks them to
// close and reads their properties. Tests of real windows use it. Sizes are in
// pixels.
//
// Xlib's error handler is one per process; Open replaces it by one that does
// nothing, so that a window that goes away while it is looked at is no end of the
// program. A process that also shows windows should not import this package.
package xshot
