package gallery

import (
	"fmt"
	"image"
	"os"

	"gioui.org/gpu/headless"
	"gioui.org/op"
)

// Camera takes pictures of one size. Its methods are not concurrent.
type Camera struct {
	win *headless.Window
}

// NewCamera makes a camera for pictures of w × h pixels. Release it after use.
// On Linux without a display server it asks EGL for a surfaceless platform,
// unless EGL_PLATFORM says otherwise.
func NewCamera(w, h int) (*Camera, error) {
	if os.Getenv("EGL_PLATFORM") == "" {
		if err := os.Setenv("EGL_PLATFORM", "surfaceless"); err != nil {
			return nil, fmt.Errorf("gallery: %w", err)
		}
	}
	win, err := headless.NewWindow(w, h)
	if err != nil {
		return nil, fmt.Errorf("gallery: no renderer: %w", err)
	}
	return &Camera{win}, nil
}

// Picture draws an operation list.
func (c *Camera) Picture(ops *op.Ops) (*image.RGBA, error) {
	if err := c.win.Frame(ops); err != nil {
		return nil, fmt.Errorf("gallery: %w", err)
	}
	img := image.NewRGBA(image.Rectangle{Max: c.win.Size()})
	if err := c.win.Screenshot(img); err != nil {
		return nil, fmt.Errorf("gallery: %w", err)
	}
	return img, nil
}

// Release frees the renderer.
func (c *Camera) Release() { c.win.Release() }
