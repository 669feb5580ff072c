package glcontext

import (
	"errors"
	"fmt"
)

// ErrLost reports that the driver dropped the contexts (suspend, reset of the
// GPU, driver update). Everything made with them is gone: destroy the Contexts,
// make new ones and upload everything again.
var ErrLost = errors.New("the graphics driver dropped the OpenGL contexts")

// Error is a refusal by EGL or by the driver behind it.
type Error struct {
	Call  string // the function that failed: "eglCreateWindowSurface"
	Code  int    // the EGL error, 0x3000 (success) where the call gives none
	Tried string // what was asked for: "sRGB window surface, then a linear one"
}

// Error renders one line that names the call, the EGL error and what was tried.
func (e *Error) Error() string {
	s := e.Call + " failed"
	if e.Code != eglSuccess && e.Code != 0 {
		s += ": " + codeName(e.Code)
	}
	if e.Tried != "" {
		s += " (" + e.Tried + ")"
	}
	return s
}

// Is makes errors.Is(err, ErrLost) true for every call that reports a lost
// context.
func (e *Error) Is(target error) bool { return target == ErrLost && e.Code == eglContextLost }

const (
	eglSuccess     = 0x3000
	eglContextLost = 0x300E
)

// codeNames are the errors of EGL 1.5, section 3.1, counted from eglSuccess.
var codeNames = [...]string{
	"EGL_SUCCESS", "EGL_NOT_INITIALIZED", "EGL_BAD_ACCESS", "EGL_BAD_ALLOC", "EGL_BAD_ATTRIBUTE",
	"EGL_BAD_CONFIG", "EGL_BAD_CONTEXT", "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY", "EGL_BAD_MATCH",
	"EGL_BAD_NATIVE_PIXMAP", "EGL_BAD_NATIVE_WINDOW", "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE", "EGL_CONTEXT_LOST",
}

func codeName(code int) string {
	if i := code - eglSuccess; i >= 0 && i < len(codeNames) {
		return codeNames[i]
	}
	return fmt.Sprintf("EGL error 0x%04x", code)
}
