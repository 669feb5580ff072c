package host

import (
	"image"
	"image/color"
	"time"

	"gioui.org/layout"
)

// Target is where a scene draws: a complete framebuffer with one sRGB colour
// attachment of 8 bits a channel and a 32-bit float depth attachment, one sample
// a pixel, no stencil.
type Target struct {
	Framebuffer uint32      // OpenGL name
	Size        image.Point // pixels, both at least 1
	Scale       float32     // pixels per dp, for lines and handles that keep their size on screen
}

// Scene draws the level with OpenGL 4.1 core. Its methods are called with the
// level's context current, and it need restore no state.
type Scene interface {
	// Init makes the OpenGL objects. It is called before the first Draw, and again
	// after Release when the driver had dropped the context.
	Init() error
	// Dirty tells whether the picture would differ from the last one drawn, other
	// than by its size. It is asked once a frame, after the interface's layout.
	Dirty() bool
	// Draw draws the level; after it Dirty is false until something changes. On
	// entry the target is bound, the viewport is all of it, GL_FRAMEBUFFER_SRGB is
	// on (shaders write linear light), scissor test and blending are off and
	// nothing is masked; other state is as the scene left it. An error is reported
	// and what had been drawn until then is shown; the next frame tries again.
	Draw(Target) error
	// Release deletes the OpenGL objects. After a lost context none is current:
	// the names are void and deleting does nothing.
	Release()
}

// UI is the interface around and over the level.
type UI interface {
	// Layout handles input and lays out one frame of the window's size. If it
	// recovers from a panic of its own in the middle of an operation, the frame
	// shows the level without the interface.
	Layout(gtx layout.Context)
	// Viewport is where the level is seen, in pixels, asked after Layout. Empty
	// means nowhere. The part outside the window is cut off.
	Viewport() image.Rectangle
}

// Host is what a program needs of the host that shows it, whichever that is.
type Host interface {
	// Invalidate asks for a frame. Any goroutine may call it.
	Invalidate()
	// Post has fn called on the host's goroutine before the next frame, and asks
	// for that frame. Any goroutine may call it.
	Post(fn func())
	// RequestClose asks to close as the user would: Options.Closing decides. Only
	// the host's goroutine may call it.
	RequestClose()
	// SetTitle names the window. Only the host's goroutine may call it.
	SetTitle(title string)
	// WarpPointer moves the pointer to a place in the window, in pixels, and tells
	// whether that is possible here: on X11. The move comes back as a pointer event.
	WarpPointer(to image.Point) bool
	// WheelStep is by how many pixels the window system's events scroll for one step
	// of a mouse wheel. Only the host's goroutine may call it.
	WheelStep() float32
	// Stats tell what the frames cost so far.
	Stats() Stats
}

// Stats tell what the frames cost. The durations are those of the last frame, on
// the caller's side: the driver may still be drawing, unless Finish was asked for.
type Stats struct {
	Frames uint64 // frames shown
	Draws  uint64 // of which the level was drawn anew

	Layout time.Duration // the interface's layout
	Level  time.Duration // Scene.Draw, zero when the kept picture was good
	Show   time.Duration // putting the level in place, drawing the interface, swapping
}

// settings are what all hosts need beside the scene and the interface.
type settings struct {
	background color.NRGBA
	finish     bool // wait for the driver after each step, so that Stats are true
	check      bool // make an OpenGL error left by the scene an error
}

func (s *settings) defaults() {
	if s.background == (color.NRGBA{}) {
		s.background = color.NRGBA{R: 0x1e, G: 0x1f, B: 0x22, A: 0xff}
	}
	s.background.A = 0xff
}
