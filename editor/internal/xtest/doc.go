// Package xtest looks at an X server from outside, as a user does: it finds windows
// by class, photographs them, tells when they are drawn on, resizes them and takes
// the keyboard away from them. Tests of the running program use it.
//
// It speaks the X protocol itself, over the server's local socket, so that a test
// program that also uses Xlib for its own graphics shares no state with it. Sizes
// are pixels, places are counted from the top left corner. The wire formats are
// those of "X Window System Protocol, X Version 11" (Robert W. Scheifler, X
// Consortium, 1994) and "The DAMAGE Extension" (Keith Packard, 2003).
package xtest
