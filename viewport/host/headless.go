package host

import (
	"errors"
	"fmt"
	"image"
	"runtime"
	"sync"

	"ridgeline/viewport/glcontext"
)

// GL is the level's OpenGL context without a display and without an interface.
// It is safe for concurrent use: one call runs at a time.
type GL struct {
	mu       sync.Mutex
	contexts *glcontext.Contexts
	level    picture
	read     readback
}

// NewHeadlessGL makes a context. Close frees it.
func NewHeadlessGL() (*GL, error) {
	c, err := glcontext.NewHeadless()
	if err != nil {
		return nil, fmt.Errorf("cannot draw without a display: %w", err)
	}
	return &GL{contexts: c}, nil
}

// Do calls fn on the calling goroutine, pinned to a thread on which the context is
// current, and returns its error, or the OpenGL error that it left. fn must not
// call Do or Render.
func (g *GL) Do(fn func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return doCurrent(g.contexts, func() error {
		if err := fn(); err != nil {
			return err
		}
		return glError("left behind:")
	})
}

// Render calls draw with a target of the given size, in the state that Scene.Draw
// is promised, and returns the picture, opaque. scale is pixels per dp, 0 means 1.
func (g *GL) Render(size image.Point, scale float32, draw func(Target) error) (*image.NRGBA, error) {
	if scale == 0 {
		scale = 1
	}
	var m *image.NRGBA
	err := g.Do(func() error {
		if err := g.level.resize(size); err != nil {
			return err
		}
		g.level.scale = scale
		if err := g.level.paint(draw, true); err != nil {
			return err
		}
		m = image.NewNRGBA(image.Rectangle{Max: size})
		return g.read.read(g.level.framebuffer, size, m.Pix, m.Stride)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Renderer names the driver.
func (g *GL) Renderer() string { return g.contexts.Renderer() }

// Close frees the context and every object in it. Closing again does nothing.
func (g *GL) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.contexts != nil {
		g.contexts.Destroy()
		g.contexts = nil
	}
}

// doCurrent calls fn with the level's context current on a locked thread.
func doCurrent(c *glcontext.Contexts, fn func() error) error {
	if c == nil {
		return errors.New("the OpenGL context is closed")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.MakeCurrent(glcontext.Level); err != nil {
		return err
	}
	defer c.ReleaseCurrent()
	return fn()
}
